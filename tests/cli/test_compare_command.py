"""`rankgain compare`, and what `evaluate` shares with it: names, patterns, suffixes, gates."""

import json
import shutil

import pytest

import rankgain as rg
from places import ROOT
from rankgain.cli import main

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
