"""Measures of the drop-in for trec_eval that no other tool has, beside their definitions."""

import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import reader_models
import trec_formulas
from rankgain.trec.trec_eval import main
from trec_files import write_trec
from trec_formulas import RankedLabels

MULTIPLES = (0.0, 0.2, 0.35, 1.0, 1.7, 3.0)
WORTH = (3.0, -1.0, -0.5, 0.25)
COLLECTION = 90
GAINS = {
    "": {},
    ".1=3,2=7": {1: 3.0, 2: 7.0},
    ".3=1,1=0": {3: 1.0, 1: 0.0},
    ".2=9,5=20": {2: 9.0, 5: 20.0},
    ".0=2,1=5": {0: 2.0, 1: 5.0},
    ".1=-2,3=4": {1: -2.0, 3: 4.0},
}


def draw(seed: int, folder: Path) -> dict[str, tuple[dict[str, int], list[str]]]:
    """Files of qrels and a run; labels and documents in rank order of each query."""
    rng = random.Random(seed)
    names = [f"d{i}" for i in range(24)]
    lists, qrels, run = {}, {}, {}
    for query in range(12):
        top = rng.choice([1, 1, 3, 4])
        labels = {d: rng.randint(-1, top) for d in rng.sample(names, rng.choice([1, 3, 12]))}
        labels["e"] = rng.choice([0, 1])
        scores = {d: rng.randrange(30) for d in rng.sample(names, rng.choice([1, 2, 6, 14, 20]))}
        ranked = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
        lists[f"q{query:02}"] = labels, ranked
        qrels[f"q{query:02}"], run[f"q{query:02}"] = labels, scores
    write_trec(folder, qrels, run)
    return lists


def as_ranked(labels: dict[str, int], ranked: list[str], flags: str) -> RankedLabels:
    if flags == "-M4":
        ranked = ranked[:4]
    judged = [x for x in labels.values() if x >= 0]
    in_order = [labels.get(d) for d in ranked]
    if flags == "-J":
        in_order = [x for x in in_order if x is not None and x >= 0]
    return RankedLabels(in_order, judged, 2 if flags == "-l2" else 1)


def printed(capfd: Any, folder: Path, *arguments: str) -> dict[tuple[str, str], str]:
    assert main(["-q", *arguments, str(folder / "qrels"), str(folder / "run")]) == 0
    rows = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    return {(name.strip(), query): value for name, query, value in rows if query != "all"}


def close(value: float) -> Any:
    return pytest.approx(value, abs=5.1e-5, nan_ok=True)


@pytest.mark.parametrize("flags", ["", "-l2", "-J", "-M4"])
@pytest.mark.parametrize("seed", range(6))
def test_measures_of_relevance(seed: int, flags: str, tmp_path: Path, capfd: Any) -> None:
    lists = draw(seed, tmp_path)
    multiples = ",".join(map(str, MULTIPLES))
    worth = ",".join(map(str, WORTH))
    arguments = ["-m", f"Rprec_mult.{multiples}", "-m", f"utility.{worth}", "-m", "binG"]
    arguments += ["-m", "rbp_resid.p=0.7", "-m", "relstring.7", "-N", str(COLLECTION)]
    values = printed(capfd, tmp_path, *flags.split(), *arguments)
    for query, (labels, documents) in lists.items():
        ranked = as_ranked(labels, documents, flags)
        expected = {
            f"utility_{worth}": trec_formulas.utility(ranked, WORTH, COLLECTION),
            "binG": trec_formulas.of_relevance(reader_models.binary_gain, ranked),
            "rbp_resid_p=0.7": trec_formulas.rbp_residual(ranked, 0.7),
        }
        for one in MULTIPLES:
            precision = reader_models.r_precision_multiple
            value = trec_formulas.of_relevance(precision, ranked, multiple=one)
            expected[f"Rprec_mult_{one:.2f}"] = value
        for name, value in expected.items():
            assert float(values[name, query]) == close(value), (name, query)
        if flags != "-M4":
            assert values["relstring_7", query] == trec_formulas.relevance_string(ranked, 7)


@pytest.mark.parametrize("flags", ["", "-l2", "-J", "-M4"])
@pytest.mark.parametrize("text", GAINS)
@pytest.mark.parametrize("seed", range(3))
def test_measures_of_gains(seed: int, text: str, flags: str, tmp_path: Path, capfd: Any) -> None:
    lists = draw(seed, tmp_path)
    measures = ("dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "G")
    arguments = [word for name in measures for word in ("-m", name + text)]
    persistence = f"{text},p=0.6" if text else ".p=0.6"
    arguments += ["-m", f"rbp{persistence}"]
    values = printed(capfd, tmp_path, *flags.split(), *arguments)
    for query, (labels, documents) in lists.items():
        ranked = as_ranked(labels, documents, flags)
        expected = {
            name + text.replace(".", "_", 1): trec_formulas.of_gains(name, ranked, GAINS[text])
            for name in measures
        }
        name = "rbp" + persistence.replace(".", "_", 1)
        expected[name] = trec_formulas.rbp(ranked, GAINS[text], 0.6)
        for name, value in expected.items():
            assert float(values[name, query]) == close(value), (name, query)


def test_measures_without_parameters_have_those_of_the_program(tmp_path: Path, capfd: Any) -> None:
    draw(0, tmp_path)
    cutoffs = "5 10 15 20 30 100 200 500 1000".split()
    tenths = [f"0.{digit}0" for digit in range(10)]
    multiples = "0.20 0.40 0.60 0.80 1.00 1.20 1.40 1.60 1.80 2.00".split()
    defaults = {
        **dict.fromkeys(("P", "recall", "ndcg_cut", "map_cut", "relative_P"), cutoffs),
        "success": ["1", "5", "10"],
        "unj": ["5", "10", "20"],
        "iprec_at_recall": [*tenths, "1.00"],
        "Rprec_mult": multiples,
    }
    for measure, parameters in defaults.items():
        names = dict.fromkeys(name for name, _ in printed(capfd, tmp_path, "-m", measure))
        assert list(names) == [f"{measure}_{parameter}" for parameter in parameters]


def test_lists_are_not_cut_and_short_ones_have_nothing_below(tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "qrels").write_text("long 0 d1500 1\nshort 0 a 1\n")
    rows = [f"long Q0 d{rank} {rank} {-rank} t\n" for rank in range(1, 1501)]
    (tmp_path / "run").write_text("".join(rows) + "short Q0 a 1 2 t\nshort Q0 b 2 1 t\n")
    values = printed(capfd, tmp_path, "-m", "num_rel_ret", "-m", "num_ret", "-m", "unj.5")
    assert int(values["num_ret", "long"]) == 1500
    assert int(values["num_rel_ret", "long"]) == 1
    assert values["unj_5", "short"] == "0.2000"  # one of two documents, over five


def test_a_query_of_value_0_counts_in_geometric_means_as_a_hundred_thousandth(
    tmp_path: Path, capfd: Any
) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2 t\nq2 Q0 b 1 2 t\n")
    assert main(["-m", "gm_map", str(tmp_path / "qrels"), str(tmp_path / "run")]) == 0
    assert capfd.readouterr().out.split() == ["gm_map", "all", "0.0032"]  # sqrt(1e-5)


# ---- by hand, and numbers that no variable of C holds


# Of q the run has all judged documents but e, beside x; r has nothing relevant above rank 2.
QRELS = """q 0 a 3
q 0 b 1
q 0 c 2
q 0 d 0
q 0 e 1
r 0 a 0
r 0 b -1
r 0 c 2
"""

RUN = """q Q0 b 1 9 t
q Q0 x 2 8 t
q Q0 a 3 7 t
q Q0 d 4 6 t
q Q0 c 5 5 t
r Q0 a 1 9 t
r Q0 b 2 8 t
r Q0 c 3 7 t
"""


def yaap(precisions: float, relevant: int) -> float:
    """Yet another average precision: the logarithm of the odds of the sum of the precisions."""
    return math.log((1 + precisions) / (1 + relevant - precisions))


@pytest.fixture
def printed_values(tmp_path: Any, capfd: Any) -> Any:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)

    def values(*arguments: str) -> dict[str, str]:
        files = str(tmp_path / "qrels"), str(tmp_path / "run")
        assert main(["-q", *arguments, *files]) == 0
        rows = [line.split() for line in capfd.readouterr().out.splitlines()]
        return {row[1]: row[2] for row in rows if row[0] != "runid"}

    return values


def both(q: float, r: float) -> dict[str, str]:
    """As it is printed_values, with the mean."""
    return {"q": f"{q:.4f}", "r": f"{r:.4f}", "all": f"{(q + r) / 2:.4f}"}


def test_yaap(printed_values: Any) -> None:
    assert printed_values("-m", "yaap") == both(yaap(1 + 2 / 3 + 3 / 5, 4), yaap(1 / 3, 1))
    # Labels from 2 on: ranks 3 and 5 of two, and rank 3 of one.
    assert printed_values("-l2", "-m", "yaap") == both(yaap(1 / 3 + 2 / 5, 2), yaap(1 / 3, 1))
    # Nothing relevant above the cut: the odds of 0 out of R.
    assert printed_values("-M", "1", "-m", "yaap") == both(yaap(1, 4), yaap(0, 1))
    # -J leaves out what is not judged: x, and b of r.
    assert printed_values("-J", "-m", "yaap") == both(yaap(1 + 2 / 2 + 3 / 4, 4), yaap(1 / 2, 1))


@pytest.mark.parametrize(
    ("label", "shown"), [(-1, "."), (0, "0"), (1, "1"), (9, "9"), (10, ">"), (11, ">"), (100, ">")]
)
def test_relstring_has_one_character_a_document(
    label: int, shown: str, tmp_path: Any, capfd: Any
) -> None:
    (tmp_path / "qrels").write_text(f"q 0 a {label}\nq 0 b 1\n")
    (tmp_path / "run").write_text("q Q0 b 1 3 t\nq Q0 a 1 2 t\nq Q0 x 1 1 t\n")
    files = str(tmp_path / "qrels"), str(tmp_path / "run")
    assert main(["-q", "-m", "relstring.5", *files]) == 0
    lines = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    assert lines[0][2] == f"'1{shown}-'"


PROGRAM = "import sys, rankgain.cli as c; sys.exit(c.main(['trec_eval', *sys.argv[1:]]))"


def call(*arguments, **options):
    """Exit status, standard output, lines of standard error; a crash or a hang stays in there."""
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, timeout=100, check=False, **options)
    err = ran.stderr.decode()
    assert "Traceback" not in err
    return ran.returncode, ran.stdout.decode(), err.splitlines()


def value(out, name):
    """The mean of a measure."""
    rows = [line.split("\t") for line in out.splitlines()]
    return next(number.strip() for result, _, number in rows if result.strip() == name)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 z 3 1 t\n")
    return tmp_path


def test_a_crafted_size_does_not_wrap(files):
    (files / "qrels").write_text("1 0 a 2305843009213693952\n1 0 b 1000000\n")
    status, out, err = call("-mall_trec", "-mndcg", "qrels", "run")
    assert (status, err) == (0, [])
    assert value(out, "ndcg") == "1.0000"


def test_numbers_that_no_variable_holds(files):
    (files / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    text = "1 Q0 a 1 0x1p99999 t\n1 Q0 b 2 7 t\n1 Q0 c 3 -0x1p99999 t\n1 Q0 d 4 1 t\n"
    (files / "run").write_text(text)
    shown = call("-q", "-n", "-mrelstring", "qrels", "run")
    assert shown == (0, f"{'relstring':<22}\t1\t'10--'\n", [])
    many = "9" * 5000
    assert call("-q", "-n", "-mrelstring.inf", "-N", many, "qrels", "run")[0] == 0
    assert call("-m", f"P.{many}", "-M", many, "qrels", "run")[::2] == (0, [])
    assert call("-l", many, "-m", "map", "qrels", "run")[0] == 0
