"""`rankgain compare`, and what `evaluate` shares with it: names, patterns, suffixes, gates."""

import json
import shutil

import pytest

import rankgain as rg
from places import ROOT
from rankgain.cli import main
from rankgain.cli.evaluate import read_segments

QRELS = str(ROOT / "examples" / "qrels.txt")
RUN_A, RUN_B = (str(ROOT / "examples" / f"run-{name}.txt") for name in "ab")
COMPARE = ["compare", QRELS, RUN_A, RUN_B, "-m", "AP"]


def test_rows_are_those_of_the_library(capsys, tmp_path):
    pytest.importorskip("scipy")
    out = str(tmp_path / "x.json")
    assert main([*COMPARE, "--baseline", "run-a.txt", "--test", "t", "--output", out]) == 0
    assert capsys.readouterr().out == ""
    runs = rg.evaluate_runs(QRELS, {"run-a.txt": RUN_A, "run-b.txt": RUN_B}, "AP")
    assert rg.Comparison.read(out) == runs.compare(baseline="run-a.txt", test="t")
    more = ["--correction", "none", "--resamples", "99", "--level", "0.9", "--seed", "4"]
    assert main([*COMPARE, *more, "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["comparison"]
    assert result["rows"][0]["p"] == runs.compare(resamples=99, seed=4).rows[0].p
    assert (result["correction"], result["level"]) == (None, 0.9)
    tables = []
    for seed in ([], ["--seed", "0"]):
        assert main([*COMPARE, *seed]) == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1]


@pytest.mark.parametrize(("suffix", "start"), [
    ("csv", "measure,"), ("md", "| measure"), ("tex", "% 12"), ("html", "<table"), ("txt", "measu"),
])  # fmt: skip
def test_the_suffix_says_the_format(suffix, start, tmp_path):
    out = tmp_path / f"x.{suffix}"
    assert main([*COMPARE, "--output", str(out)]) == 0
    assert out.read_text().startswith(start)


def test_names_directories_and_patterns(capsys, tmp_path):
    (tmp_path / "runs").mkdir()
    shutil.copy(RUN_A, tmp_path / "runs" / "x.a.txt")
    shutil.copy(RUN_B, tmp_path / "runs" / "x.b.txt")
    (tmp_path / "runs" / ".hidden").write_text("nothing")
    for runs in (f"{tmp_path}/runs", f"{tmp_path}/runs/*.txt"):
        command = ["compare", QRELS, runs, "-m", "AP", "--format", "csv"]
        assert main([*command, "--baseline", "b"]) == 0
        assert capsys.readouterr().out.splitlines()[1].startswith("AP,,x.a.txt,x.b.txt,")
        for baseline in ("two", "x.b.txt", "b"):  # by the name, the file name and a part of it
            assert main([*command, "--names", "one, two", "--baseline", baseline]) == 0
            assert capsys.readouterr().out.splitlines()[1].startswith("AP,,one,two,")
        assert main(["evaluate", QRELS, runs, "-m", "AP", "--names", "one,two"]) == 0
        assert capsys.readouterr().out.splitlines()[1].startswith("one")
    assert main(["evaluate", QRELS, f"{tmp_path}/none*", "-m", "AP"]) == 2
    (tmp_path / "empty").mkdir()
    assert main(["evaluate", QRELS, f"{tmp_path}/empty", "-m", "AP"]) == 2
    assert "there is no file in the directory" in capsys.readouterr().err


def test_evaluate_sorts_and_bounds(capsys, tmp_path):
    command = ["evaluate", QRELS, RUN_B, RUN_A, "-m", "AP", "--names", "b,a"]
    assert main([*command, "--sort", "AP"]) == 0
    assert [line[0] for line in capsys.readouterr().out.splitlines()[1:3]] == ["a", "b"]
    out = tmp_path / "x.csv"
    assert main([*command, "--bounds", "unjudged", "--bounds", "ties", "--output", str(out)]) == 0
    there = rg.evaluate(QRELS, RUN_A, "AP", bounds=("ties", "unjudged"))
    heads, _, row = (line.split(",") for line in out.read_text().splitlines())
    assert heads[2:] == ["AP ties low", "AP ties high", "AP unjudged low", "AP unjudged high"]
    ends = [*there.bound_means["ties"]["AP"], *there.bound_means["unjudged"]["AP"]]
    assert list(map(float, row[1:])) == [there["AP"], *ends]
    assert main([*command, "--bounds", "ties", "--per-query", "--format", "csv"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    mine = [row for row in rows if row[0] == "a"]
    assert float(mine[3][3]) == there.bounds["ties"]["AP"][3, 0]
    capsys.readouterr()
    assert main([*command, "--sort", "RR"]) == 1
    assert capsys.readouterr().err == "rankgain: --sort: RR was not evaluated for any of b, a\n"


@pytest.mark.parametrize("form", ["{}\t{}", "{},{}", "{} {}", "json"])
def test_labels_of_queries(form, capsys, tmp_path):
    long = "long" if form == "{} {}" else "long, too"
    labels = {query: "short" if at % 2 else long for at, query in enumerate(rg.Qrels(QRELS))}
    path = tmp_path / "segments"
    if form == "json":
        path.write_text(json.dumps(labels))
    else:
        path.write_text("# query label\n" + "\n".join(form.format(*one) for one in labels.items()))
    assert main([*COMPARE, "--by", str(path), "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["comparison"]
    assert [row["segment"] for row in result["rows"]] == [long, "short"]
    assert [row["lists"] for row in result["rows"]] == [6, 6]


def test_the_gate(capsys):
    gate = [*COMPARE, "--fail-if-worse", "ndcg_cut_10", "--baseline"]
    assert main([*gate, "run-b.txt"]) == 0
    assert main([*gate, "run-a.txt"]) == 4
    assert "run-b.txt: nDCG@10 is 0.36093, significantly worse than" in capsys.readouterr().err
    assert main([*gate, "run-a.txt", "--level", "0.999"]) == 0


def test_a_gate_may_be_corrected_for_its_measures_alone(capsys):
    many = ["-m", "P@1", "-m", "P@2", "-m", "P@3", "-m", "RR", "--correction", "bonferroni"]
    gate = [*COMPARE, *many, "--fail-if-worse", "nDCG@10", "--baseline", "run-a.txt"]
    assert main(gate) == 0  # .0127 for six measures
    assert main([*gate, "--gate-on", "all"]) == 0
    capsys.readouterr()
    assert main([*gate, "--gate-on", "gates"]) == 4
    assert "(corrected p 0.013)" in capsys.readouterr().err
    assert main([*gate, "--fail-if-worse", "AP", "--gate-on", "gates"]) == 4
    assert "(corrected p 0.025)" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["txt", "json"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_segments_may_begin_with_a_byte_order_mark(kind, mark, tmp_path):
    path = tmp_path / f"by.{kind}"
    text = '{"q1": "x", "q2": 7}' if kind == "json" else "q1 x\nq2 7\n"
    path.write_text(mark + text, encoding="utf-8")
    assert read_segments(str(path)) == {"q1": "x", "q2": "7"}


IS_READ = "which is read; name another"
WRONG = {
    "compare needs at least two runs": ["compare", QRELS, RUN_A, "-m", "AP"],
    "--baseline 'x' is not among the runs: run-a.txt, run-b.txt": [*COMPARE, "--baseline", "x"],
    "--fail-if-worse needs --baseline NAME, the run to compare others with": [
        *COMPARE, "--fail-if-worse", "AP"
    ],
    "--names has 1 name, but there are 2 runs": [*COMPARE, "--names", "a"],
    "--names: each run needs a name of its own, not 'a'": [*COMPARE, "--names", "a,a"],
    # a letter of "run"
    "--baseline 'u' is not among the runs: run-a.txt, run-b.txt": [*COMPARE, "--baseline", "u"],
    f"--output {QRELS} is {QRELS}, {IS_READ}": [*COMPARE, "--output", QRELS],
    f"--report {QRELS} is {QRELS}, {IS_READ}": [*COMPARE, "--report", QRELS],
    "no measure is named: give at least one, such as -m nDCG@10": COMPARE[:-2],
    f"{RUN_A} is given more than once, by its path or by a directory or pattern; remove the repeat":
        ["compare", QRELS, RUN_A, RUN_A, "-m", "AP"],
    "--output x.jsonl: .jsonl files cannot be written; use .csv, .json, .md, .tex, .html, or .txt "
    "for a plain-text table, or give --format": [*COMPARE, "--output", "x.jsonl"],
    "--output x.parquet: .parquet files cannot be written; use .csv, .json, .md, .tex, .html, or "
    ".txt for a plain-text table, or give --format": [*COMPARE, "--output", "x.parquet"],
    "--output x.xlsx: .xlsx files cannot be written; use .csv, .tsv, .json, .jsonl, .md, .tex, "
    ".html, or .txt for a plain-text table, or give --format": [
        "evaluate", *COMPARE[1:], "--output", "x.xlsx"
    ],
    "--output x.csv.GZ: .gz files cannot be written; use .csv, .tsv, .json, .jsonl, .md, .tex, "
    ".html, or .txt for a plain-text table, or give --format": [
        "table", QRELS, "-m", "AP", "--output", "x.csv.GZ"
    ],
    f"--report {RUN_A} is {RUN_A}, {IS_READ}": [*COMPARE, "--report", RUN_A],
    "--verdict is printed as table or markdown, not as csv": [
        *COMPARE, "--verdict", "--changes", "1", "--format", "csv"
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", ["x", "x.TXT", "x.log", "means-2026.11", "x.parquet"])
def test_other_files_get_a_plain_table_if_their_suffix_is_no_format_or_it_is_asked_for(
    name, tmp_path, capsys
):
    command = ["evaluate", QRELS, RUN_A, "-m", "AP"]
    assert main(command) == 0
    expected = capsys.readouterr().out
    path = tmp_path / name
    is_format = ["--format", "table"] if name == "x.parquet" else []
    assert main([*command, "--output", str(path), *is_format]) == 0
    assert path.read_text() == expected


@pytest.mark.parametrize("message", WRONG)
def test_bad_usage(message, capsys):
    assert main(WRONG[message]) == 1
    assert capsys.readouterr() == ("", f"rankgain: {message}\n")


@pytest.mark.parametrize("output", ["report", "output"])
@pytest.mark.parametrize("source", ["by", "exclude"])
def test_no_file_that_is_read_is_written(source, output, capsys, tmp_path):
    path = tmp_path / "read"
    path.write_text("q1 0 x 1\n")
    assert main([*COMPARE, f"--{source}", str(path), f"--{output}", str(path)]) == 1
    message = f"rankgain: --{output} {path} is {path}, which is read; name another\n"
    assert capsys.readouterr().err == message
    assert path.read_text() == "q1 0 x 1\n"


@pytest.mark.parametrize("names", ["a,a", "a, a", " a,a", "a ,\ta", "a,", "a, ", ","])
@pytest.mark.parametrize("command", ["compare", "evaluate"])
def test_names_of_runs_differ_in_more_than_blanks(command, names, capsys):
    assert main([command, *COMPARE[1:], "--names", names]) == 1
    shown = capsys.readouterr()
    assert "each run needs a name of its own" in shown.err
    assert shown.out == ""


@pytest.mark.parametrize(("text", "message"), [
    ("1 a\n2\n3\n", ":2: expected a query and a segment, not '2'"),
    ("1 a\n 1,b\n2\n", ":2: query '1' has a segment already"),
    ('{"q1": 1, "q1": 2}', ": an object has the key 'q1' twice; keep one of them"),
    ('{"q1": 1, "q2": [2], "q3": null}',
     ": the segment of query 'q2' is [2]; give a text or an int"),
    ("# a b\n# a c\n\n1 a\n1 b\n", ":5: query '1' has a segment already"),
])  # fmt: skip
def test_bad_segments(text, message, capsys, tmp_path):
    (tmp_path / "segments").write_text(text)
    assert main([*COMPARE, "--by", str(tmp_path / "segments")]) == 2
    err = capsys.readouterr().err
    assert err == f"rankgain: {tmp_path}/segments{message}\n"


def test_a_page_with_rankings_explained(capsys, tmp_path):
    pytest.importorskip("jinja2")
    page = tmp_path / "page.html"
    assert main([*COMPARE, "-m", "nDCG@5", "--report", str(page)]) == 0
    assert capsys.readouterr().out.startswith("measure")
    text = page.read_text(encoding="utf-8")
    assert "run-a.txt" in text
    assert text.count("<th scope=row><details>") == 12  # the judged queries


def test_a_page_explains_rankings_of_judgments_with_parts(capsys, tmp_path):
    pytest.importorskip("jinja2")
    qrels, page = tmp_path / "qrels", tmp_path / "page.html"
    qrels.write_text("q1 x a 1\nq1 y a 2\nq2 x a 1\nq2 y b 1\n")
    for name, documents in (("one", "ab"), ("two", "ba")):
        rows = [f"{q} Q0 {d} 0 {9 - n} t\n" for q in ("q1", "q2") for n, d in enumerate(documents)]
        (tmp_path / name).write_text("".join(rows))
    command = ["compare", str(qrels), str(tmp_path / "one"), str(tmp_path / "two"), "--subtopics"]
    assert main([*command, "-m", "nDCG", "-m", "StRecall@1", "--report", str(page)]) == 0
    assert capsys.readouterr().out.startswith("measure")
    assert page.read_text(encoding="utf-8").count("<th scope=row><details>") == 2


def test_rankings_from_standard_input_cannot_be_read_again(standard_input, tmp_path):
    pytest.importorskip("jinja2")
    page = tmp_path / "page.html"
    with open(RUN_A) as file:
        standard_input(file)
        assert main(["compare", QRELS, "-", RUN_B, "-m", "nDCG@5", "--report", str(page)]) == 0
    assert "<th scope=row><details>" not in page.read_text(encoding="utf-8")


# ---- --changes: the queries that changed most, below the comparison


QRELS_TEXT = "q1 0 a 1\nq2 0 a 1\nq3 0 a 1\nq|4 0 a 1\n"
RANKS = {"x": (1, 1, 2, 1), "y": (2, 1, 1, 4), "z": (1, 1, 2, 1)}  # of document a in each query


@pytest.fixture
def files(tmp_path):
    """A small collection in which each run has document `a` at a known rank."""
    (tmp_path / "qrels").write_text(QRELS_TEXT)
    paths = []
    for name, ranks in RANKS.items():
        lines = []
        for query, rank in zip(("q1", "q2", "q3", "q|4"), ranks, strict=True):
            documents = [f"d{at}" for at in range(1, 5)]
            documents[rank - 1] = "a"
            lines += [f"{query} 0 {one} 0 {9 - at} t" for at, one in enumerate(documents)]
        (tmp_path / name).write_text("\n".join(lines))
        paths.append(str(tmp_path / name))
    return [str(tmp_path / "qrels"), *paths]


def test_a_verdict_is_escaped_in_markdown_alone(capsys, files):
    command = ["compare", *files[:3], "-m", "RR", "--names", "a|b,c*d", "--verdict"]
    runs = rg.evaluate_runs(files[0], dict(zip(["a|b", "c*d"], files[1:], strict=False)), "RR")
    result = runs.compare()
    assert main(command) == 0
    assert capsys.readouterr().out == f"{result.verdict()}\n\n{result}\n"
    assert main([*command, "--format", "markdown"]) == 0
    escaped = result.verdict().replace("|", r"\|").replace("*", r"\*")
    assert capsys.readouterr().out.startswith(f"{escaped}\n\n| measure")


def test_markdown_escapes_ids(capsys, files):
    command = ["compare", *files[:3], "-m", "RR", "--format", "markdown", "--changes", "1"]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-5:] == [
        "RR: the largest changes between x and y",
        "",
        "| query | x | y | a - b |",
        "| --- | ---: | ---: | ---: |",
        r"| q\|4 | 1.0000 | 0.2500 | +0.7500 |",
    ]


@pytest.mark.parametrize(("options", "message"), [
    (["--changes", "0"], "argument --changes: changes must be a whole number of at least 1, not 0 "
     "(see rankgain compare --help)"),
    (["--changes", "1", "--format", "json"],
     "--changes is printed as table or markdown, not as json"),
    (["--changes", "1", "--output", "x.tex"],
     "--changes is printed as table or markdown, not as latex"),
])  # fmt: skip
def test_what_is_refused(capsys, options, message):
    assert main(["compare", QRELS, RUN_A, RUN_B, "-m", "AP", *options]) == 1
    assert capsys.readouterr() == ("", f"rankgain: {message}\n")


def test_more_than_two_runs_need_a_baseline(capsys, files):
    assert main(["compare", *files, "-m", "RR", "--changes", "1"]) == 1
    assert "--changes needs two runs, or --baseline NAME" in capsys.readouterr().err
