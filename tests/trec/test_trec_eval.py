"""The drop-in for trec_eval: its bytes on real runs, and its ways to end."""

import gzip
import math
import random
import subprocess
import sys

import pytest

from places import DATA
from rankgain.trec.trec_eval import main
from sizes import usual_sizes

ROBUST, TESTS = DATA / "robust03", DATA / "trec_eval"
RUNS = ("InexpC2", "SABIR03BASE", "UIUC03Rd1", "aplrob03a", "humR03dc")
FLAGS = {
    "c.out": ["-c"],
    "out": [],
    "c-all_trec.out": ["-c", "-m", "all_trec"],
    "c-M100-all_trec.out": ["-c", "-M100", "-m", "all_trec"],
    "c-l2-all_trec.out": ["-c", "-l2", "-m", "all_trec"],
    "c-J-all_trec.out": ["-c", "-J", "-m", "all_trec"],
    "qc-all_trec.out.gz": ["-q", "-c", "-m", "all_trec"],
}
PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 "
    "-m Rprec_mult.5.0,0.2,0.35 -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 "
    "-mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 qrels.test results.test"
)
SAMPLES = [
    ("out.test", "qrels.test results.test"),
    ("out.test", "qrels.test.with-comments results.test"),
    ("out.comment.test", "qrels.comment.test results.comment.test"),
    ("out.test.a", "-m all_trec qrels.test results.test"),
    ("out.test.aq", "-m all_trec -q qrels.test results.test"),
    ("out.test.aqc", "-m all_trec -q -c qrels.test results.trunc"),
    ("out.test.aqcM", "-m all_trec -q -c -M100 qrels.test results.trunc"),
    ("out.test.aql", "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test"),
    ("out.test.meas_params", PARAMETERS),
]
needs_data = pytest.mark.skipif(not TESTS.is_dir(), reason="needs the TREC files")


def call(capfdbinary, *arguments):
    """Exit status, standard output, lines of standard error."""
    status = main([str(argument) for argument in arguments])
    out, err = capfdbinary.readouterr()
    return status, out, err.decode().splitlines()


@needs_data
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("flags", FLAGS)
def test_real_runs_to_the_byte(run, flags, capfdbinary):
    expected = (TESTS / "v10" / f"{run}.{flags}").read_bytes()
    if flags.endswith(".gz"):
        expected = gzip.decompress(expected)
    files = ROBUST / "robust03_qrels.txt.gz", ROBUST / f"input.{run}.gz"
    assert call(capfdbinary, *FLAGS[flags], *files) == (0, expected, [])


@needs_data
@pytest.mark.parametrize(("expected", "arguments"), SAMPLES)
def test_its_own_samples_to_the_byte(expected, arguments, capfdbinary, monkeypatch):
    monkeypatch.chdir(TESTS)
    result = call(capfdbinary, *arguments.split())
    assert result == (0, (TESTS / expected).read_bytes(), [])


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Two judged queries, of which the run has the first, and one without judgments."""
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n3 Q0 x 1 1 t\n1 Q0 z 3 1 last\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(*rows):
    """What it prints for rows of name, query and value."""
    return "".join(f"{name:<22}\t{query}\t{value}\n" for name, query, value in rows).encode()


def test_values_and_means(files, capfdbinary):
    status, out, err = call(capfdbinary, "-q", "-c", "-m", "map", "-m", "num_rel", "qrels", "run")
    assert (status, err) == (0, [])
    assert out == lines(
        ("num_rel", 1, 2),
        ("map", 1, "0.2500"),
        ("num_rel", 2, 1),
        ("map", 2, "0.0000"),
        ("num_rel", "all", 3),
        ("map", "all", "0.1250"),
    )


def test_summaries_of_all_judged_queries(files, capfdbinary):
    names = [word for name in ("num_q", "num_rel", "map", "gm_map") for word in ("-m", name)]
    _, out, _ = call(capfdbinary, "-c", "-D1.1", "-l2", *names, "qrels", "run")
    # Label 2 was not retrieved; the query 2 is not evaluated, and counts. Labels from 1 on count.
    assert out.split()[2::3] == [b"2", b"3", b"0.0000", b"0.0000"]
    _, out, _ = call(capfdbinary, "-c", "-D1.1", *names, "qrels", "run")
    gm_map = f"{math.sqrt(0.25 * 1e-5):.4f}".encode()
    assert out.split()[2::3] == [b"2", b"3", b"0.1250", gm_map]


def test_the_run_from_standard_input(files, capfdbinary, standard_input):
    expected = call(capfdbinary, "-c", "qrels", "run")
    assert expected[0] == 0
    data = (files / "run").read_bytes()
    standard_input(data)
    assert call(capfdbinary, "-c", "qrels", "-") == expected
    program = "import sys, rankgain.trec.trec_eval as t; sys.exit(t.main())"
    command = [sys.executable, "-c", program, "-c", "qrels", "-"]
    ran = subprocess.run(command, input=data, capture_output=True, check=False)  # a pipe
    assert (ran.returncode, ran.stdout) == expected[:2]


@pytest.mark.parametrize("documents", ["aabb", "bbaa", "abab", "abba", "baab", "zbbaa"])
@pytest.mark.parametrize("file", ["qrels", "run"])
def test_of_several_duplicates_the_least_id_is_named(file, documents, files, capfdbinary):
    form = "1 0 {} 1\n" if file == "qrels" else "1 Q0 {} 1 {} t\n"
    rows = [form.format(name, 9 - number) for number, name in enumerate(documents)]
    (files / "run").write_text("1 Q0 b 1 3 t\n")
    (files / "qrels").write_text("1 0 b 1\n")
    (files / file).write_text("".join(rows))
    status, _, err = call(capfdbinary, "-m", "map", "qrels", "run")
    assert status == 4
    assert "duplicate docs a" in err[0]


# Measures whose parameters have the same labels or cutoffs, and other gains.
WITH_GAINS = ["dcg.1=3,2=7", "ideal_dcg.1=5,2=2", "ndcg.1=1,2=9", "Rndcg.1=2,2=1", "G.1=4,2=8"]
WITH_CUTOFFS = ["P.1,2", "recall.1,2", "ndcg_cut.1,2", "map_cut.1,2", "success.1,2", "unj.1,2"]


@pytest.mark.parametrize("names", [WITH_GAINS, WITH_CUTOFFS, [*WITH_CUTOFFS, *WITH_GAINS]])
def test_no_measure_has_the_parameters_of_another(names, files, capfdbinary):
    (files / "run").write_text("1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n1 Q0 x 2 2 t\n1 Q0 c 3 1 t\n")
    alone = {}
    for name in names:
        alone |= values_of(capfdbinary, "-q", "-m", name)
    for ordered in (names, names[::-1]):
        options = [word for name in ordered for word in ("-m", name)]
        assert values_of(capfdbinary, "-q", *options) == alone


@pytest.mark.parametrize("place", [0, 8, 390])
def test_duplicates_of_either_half_are_named(place, tmp_path, capfdbinary):
    rows = [f"{100 + number // 2} Q0 d{number} 1 {-number} t\n" for number in range(400)]
    rows.insert(place, rows[place])
    (tmp_path / "run").write_text("".join(rows))
    (tmp_path / "qrels").write_text("".join(f"{query} 0 d1 1\n" for query in range(100, 300)))
    status, _, err = call(capfdbinary, "-m", "map", tmp_path / "qrels", tmp_path / "run")
    assert status == 4
    assert err[0].startswith(f"trec_eval.form_res_qrels: duplicate docs d{place}trec_eval: Can't")


def test_options_are_read_as_getopt_does(files, capfdbinary):
    expected = call(capfdbinary, "-q", "-c", "-M", "2", "-l", "2", "-m", "all_trec", "qrels", "run")
    assert expected[0] == 0
    assert expected == call(capfdbinary, "qrels", "-qcM2", "run", "-l2", "-mall_trec")
    long = "--query --complete_rel_info_wanted --Max=2 --level_for_rel 2 --measure=all_trec"
    assert expected == call(capfdbinary, *long.split(), "--", "qrels", "run")


def test_unset_values_print_as_in_c(files, capfdbinary):
    """0/0 is what interpolated precision has without a document."""
    status, out, _ = call(
        capfdbinary, "-c", "-J", "-q", "-m", "iprec_at_recall.0,1", "qrels", "run"
    )
    assert status == 0
    rows = [line.split(b"\t") for line in out.splitlines()]
    assert [value.strip(b" -") for _, query, value in rows if query == b"2"] == [b"nan", b"0.0000"]


def test_labels_that_are_all_negative(files, capfdbinary):
    (files / "qrels").write_text("1 0 a -1\n")
    status, out, err = call(capfdbinary, "-m", "ndcg", "qrels", "run")
    assert (status, out) == (4, b"")
    assert err == ["trec_eval: Can't calculate measure 'ndcg'"]


@pytest.mark.parametrize("shuffled", [False, True])
def test_every_order_of_rows(shuffled, tmp_path, capfdbinary):
    rng = random.Random(5)
    rows, judgments = [], []
    for query in range(40):
        documents = [f"d{rng.randrange(10**6)}" for _ in range(120)]
        documents = sorted(set(documents), key=documents.index)
        scores = sorted((rng.choice([rng.random(), 0.5]) for _ in documents), reverse=True)
        rows.append([f"{query} Q0 {d} 0 {s} t" for d, s in zip(documents, scores, strict=True)])
        judged = rng.sample(documents, 30)
        judgments += [f"{query} 0 {d} {rng.choice([0, 0, 1, 2, -1])}" for d in judged]
    (tmp_path / "qrels").write_text("\n".join(judgments))
    (tmp_path / "run").write_text("\n".join(line for group in rows for line in group))
    arguments = "-q", "-c", "-m", "all_trec", tmp_path / "qrels"
    with usual_sizes():  # one thread
        expected = call(capfdbinary, *arguments, tmp_path / "run")
    flat = [line for group in rows for line in group]
    if shuffled:
        rng.shuffle(flat)
    (tmp_path / "again").write_text("\n\n# comment\n".join(flat))
    assert expected[0] == 0
    assert call(capfdbinary, *arguments, tmp_path / "again") == expected


def test_a_bad_line_in_the_second_part_has_its_number(tmp_path, capfdbinary):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    good = [f"{query} Q0 d{i} 0 1 t" for query in range(30) for i in range(9)]
    (tmp_path / "run").write_text("\n".join([*good, "1 Q0"]))
    status, _, err = call(capfdbinary, tmp_path / "qrels", tmp_path / "run")
    assert (status, err[0]) == (2, "trec_eval.get_results: Malformed line 271")


def test_options_that_no_sample_has(tmp_path, capfdbinary):
    (tmp_path / "qrels").write_text("1 0 b 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    files, measure = (tmp_path / "qrels", tmp_path / "run"), ("-m", "utility.1,2,4,8")
    # One relevant document and one other were retrieved: 1 + 2 + 8 * (documents - 2).
    assert call(capfdbinary, "-N9", *measure, *files)[1].split()[1:] == [b"all", b"59.0000"]
    words = ["trec_eval: No queries with both results and relevance info"]
    assert call(capfdbinary, "-Dx.7", *files) == (7, b"", words)


def values_of(capfdbinary, *arguments):
    """The values that are printed, by name and query."""
    status, out, _ = call(capfdbinary, "-q", "-c", "-n", *arguments, "qrels", "run")
    assert status == 0
    rows = [row.split("\t") for row in out.decode().splitlines()]
    return {(name.strip(), query): value for name, query, value in rows}


def test_a_level_below_0_makes_unjudged_documents_relevant(files, capfdbinary):
    # Ranks of query 1: b (0), a (1), z (unjudged); three judgments are from -1 on. The counts of
    # relevant documents have the judged ones alone.
    with open(files / "qrels", "a") as qrels:
        qrels.write("1 0 y -1\n")
    names = ("map", "num_rel", "num_rel_ret", "Rprec_mult.1")
    values = values_of(capfdbinary, "-l-1", *(word for name in names for word in ("-m", name)))
    assert (values["num_rel", "1"], values["num_rel_ret", "1"]) == ("3", "2")
    assert values["map", "1"] == f"{(1 / 1 + 2 / 2 + 3 / 3) / 3:.4f}"
    assert values["Rprec_mult_1.00", "1"] == f"{2 / 3:.4f}"


def test_a_gain_of_label_minus_1_is_that_of_unjudged_documents(files, capfdbinary):
    values = values_of(capfdbinary, "-m", "dcg.-1=2,1=3,2=5")
    assert values["dcg_-1=2,1=3,2=5", "1"] == f"{3 / math.log2(3) + 2 / math.log2(4):.4f}"


@pytest.mark.parametrize("query", ["1", "a.b", "1.2", "x 1.1", ".", ""])
def test_a_query_is_named_after_the_first_dot(query, files, capfdbinary):
    rows = [f"{name} {{}} a 1{{}}\n" for name in ("1", "2", "a.b", "1.2", "1.1", ".")]
    (files / "qrels").write_text("".join(row.format("0", "") for row in rows))
    (files / "run").write_text("".join(row.format("Q0", " 1 t") for row in rows))
    status, out, _ = call(capfdbinary, "-q", "-n", "-m", "map", f"-D1.{query}", "qrels", "run")
    expected = b"" if query in ("x 1.1", "") else lines(("map", query, "1.0000"))
    assert (status, out) == (0 if expected else 7, expected)
    # Without a dot it is a level of debugging.
    assert call(capfdbinary, "-D1", "qrels", "run") == call(capfdbinary, "qrels", "run")


def log(rank):
    return math.log2(rank + 1)


# By rank, query 1 has labels 0, 1 and no judgment, query 3 of the judgments 2, 1, 0.
ODD_GAINS = [
    # A label that is given twice: the first has the judgments, the greater gain is last by order,
    # and the gain of the first in that order is that of documents.
    ("dcg", "1=5,1=2,2=9", 2 / log(2)),
    ("ideal_dcg", "1=5,1=2,2=9", 9 / log(1) + 5 / log(2)),
    # A difference beyond an integer is none, so the order stays, and the last is the first ideal.
    ("ideal_dcg", "0=5000000000,1=3,2=4", 4 / log(1) + 3 / log(2) + 5e9 / log(3)),
    # A label without judgments on top: it has no rank, and one without a gain stops at once.
    ("ideal_dcg", "2=4,7=50", 4 / log(1) + 1 / log(2)),
    ("ideal_dcg", "0=-1,1=-3.5,2=-3", 0.0),
    ("ideal_dcg", "0=-0.5,1=0.4,2=0.1", 0.1 / log(1) + 0.4 / log(2)),
    ("ideal_dcg", "0=0.1,1=0.2,2=-0.1", 0.0),
    # The costs of a rank are at least 1, whatever its ideal gain.
    ("G", "1=0.5,0=0.25",
     (0.25 / math.log2(2 + 2 - 0.25) + 0.5 / math.log2(2 + 3 - 0.75)) / (2 + 0.25 + 0.5)),
    # Gains from -1 to 1 are moved to 0 to 1.
    ("rbp", "1=-1,2=1,0=0.5,p=0.5", 0.5 * (0.5 + 1) / 2),
    # Levels of no judgment between others are passed over.
    ("ideal_dcg", "2=9,4=0", 9 / log(1) + 1 / log(2)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "gains", "expected"), ODD_GAINS)
def test_gains_in_odd_orders(name, gains, expected, files, capfdbinary):
    values = values_of(capfdbinary, "-m", f"{name}.{gains}")
    assert values[f"{name}_{gains}", "1"] == f"{expected:.4f}"


def test_a_measure_has_the_parameters_that_are_given_first(files, capfdbinary):
    once = call(capfdbinary, "-c", "-m", "P.2,7", "qrels", "run")
    assert once[0] == 0
    assert call(capfdbinary, "-c", "-m", "P.2,7", "-m", "P.3", "qrels", "run") == once


@pytest.mark.parametrize("last", ["b", "a"])
def test_the_tag_is_that_of_the_last_row(last, tmp_path, capfdbinary):
    tags = ["a"] * 200 + ["b"] * 200 + [last]
    rows = [f"{number // 10} Q0 d{number} 0 1 {tag}" for number, tag in enumerate(tags)]
    (tmp_path / "qrels").write_text("1 0 d10 1\n")
    (tmp_path / "run").write_text("\n".join(rows))
    arguments = "-m", "runid", tmp_path / "qrels", tmp_path / "run"
    assert call(capfdbinary, *arguments)[1].split() == [b"runid", b"all", last.encode()]
    with usual_sizes():  # one thread
        assert call(capfdbinary, *arguments)[1].split()[-1] == last.encode()
