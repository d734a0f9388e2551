"""The command line: what it prints, where, and its exit statuses."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from places import EXAMPLES
from rankgain.cli import main

QRELS, RUN_A, RUN_B = (str(EXAMPLES / name) for name in ("qrels.txt", "run-a.txt", "run-b.txt"))
EVALUATE = ["evaluate", QRELS, RUN_A, RUN_B, "-m", "nDCG@10", "-m", "AP"]
NAMES = ["nDCG@10", "AP"]


@pytest.fixture
def result():
    """What the commands are to print."""
    return rg.evaluate_runs(QRELS, {"run-a.txt": RUN_A, "run-b.txt": RUN_B}, NAMES)


def test_the_table(capsys, result):
    assert main(EVALUATE) == 0
    assert capsys.readouterr() == (f"{result}\n", "")


def test_json_carries_what_a_number_needs(capsys, result, tmp_path):
    assert main([*EVALUATE, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["convention"] == "trec"
    assert "rankgain" in data
    for run, one in result.items():
        assert data["runs"][run]["means"] == dict(one.means)
        assert data["runs"][run]["counts"] == dict(one.counts)
        assert "per_query" not in data["runs"][run]
    assert main([*EVALUATE, "--format", "json", "--per-query"]) == 0
    data = json.loads(capsys.readouterr().out)
    (tmp_path / "a.json").write_text(json.dumps(data["runs"]["run-a.txt"]))
    assert rg.Evaluation.read(tmp_path / "a.json") == result["run-a.txt"]
    assert main([*EVALUATE, "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["means"] for line in lines] == [dict(one.means) for one in result.values()]
    assert main([*EVALUATE, "--format", "jsonl", "--per-query"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == sum(map(len, result.values()))
    assert lines[0] == {
        "run": "run-a.txt",
        "query": "q01",
        **{name: float(values[0]) for name, values in result["run-a.txt"].per_query.items()},
    }


def test_conventions_threads_and_spellings(capsys):
    command = ["evaluate", QRELS, RUN_B, "-m", "ndcg_cut.5,10", "-m", "map", "--threads", "2"]
    assert main([*command, "--convention", "pytrec_eval", "--format", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    expected = rg.evaluate(QRELS, RUN_B, ["nDCG@5", "nDCG@10", "AP"], convention="pytrec_eval")
    assert rows[0] == ["run", *expected.means]
    assert list(map(float, rows[1][1:])) == list(expected.means.values())
    assert main([*command, "--threads", "all"]) == 0


def test_unjudged_documents_are_left_out_where_asked(capsys):
    expected = rg.evaluate_runs(
        QRELS, {"run-a.txt": RUN_A, "run-b.txt": RUN_B}, NAMES, judged_only=True
    )
    assert expected["run-a.txt"].means != rg.evaluate(QRELS, RUN_A, NAMES).means
    assert main([*EVALUATE, "--judged-only"]) == 0
    assert capsys.readouterr() == (f"{expected}\n", "")


def test_thresholds(capsys):
    below = ["evaluate", QRELS, RUN_A, RUN_B, "--fail-under", "nDCG@10=0.3"]
    assert main([*below, "--fail-under", "map=0.25"]) == 0
    out, err = capsys.readouterr()
    assert out.split()[:3] == ["run", "nDCG@10", "AP"]
    assert err == ""
    assert main([*below, "--fail-under", "map=0.3"]) == 3
    out, err = capsys.readouterr()
    assert "0.2561" in out
    assert err == "rankgain: run-b.txt: AP is 0.256057, under 0.3\n"
    assert main(["evaluate", QRELS, RUN_A, "--fail-under", "nDCG(gain=exp2)@10=0.99"]) == 3


def test_the_best_are_bold_on_a_terminal_alone(monkeypatch, terminal, result):
    monkeypatch.setenv("NO_COLOR", "")  # empty: not set
    screen = terminal()
    assert main(EVALUATE) == 0
    text = screen.getvalue()
    assert text.replace("\033[1m", "").replace("\033[0m", "") == f"{result}\n"
    lines = text.splitlines()
    assert lines[1].count("\033[1m") == 2
    assert "\033" not in lines[0] + lines[2]
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb"), ("TERM", ""), ("TERM", None)):
        screen = terminal()
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
        assert main(EVALUATE) == 0
        assert "\033" not in screen.getvalue()


def test_a_run_from_standard_input(standard_input, capsys):
    standard_input(Path(RUN_A).read_bytes())
    assert main(["evaluate", QRELS, "-", "-m", "AP"]) == 0
    assert "0.4199" in capsys.readouterr().out


@pytest.mark.parametrize("ties", ["stable", "reverse", "id", "id_descending", "average", "worst"])
def test_explain_breaks_ties_as_evaluate_does(capsys, tmp_path, ties):
    names = ["b", "é", "a", "d", "c"]
    (tmp_path / "run").write_text("".join(f"q Q0 {d} 0 1 t\n" for d in names), encoding="utf-8")
    (tmp_path / "qrels").write_text("q 0 a 2\nq 0 d 1\nq 0 é 3\nq 0 z 1\n", encoding="utf-8")
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    value = rg.evaluate(*files, "nDCG(gain=exp2)@3", ties=ties).means["nDCG(gain=exp2)@3"]
    command = ["explain", *files, "--query", "q", "-k", "3", "--gain", "exp2", "--ties", ties]
    assert main(command) == 0
    assert f"nDCG@3 {value:.4f} " in capsys.readouterr().out


def test_reconcile_prints_what_the_function_finds(capsys):
    assert main(["reconcile", QRELS, RUN_A, "trec", "ranx", "-m", "ndcg_cut_10"]) == 0
    expected = rg.reconcile_runs(QRELS, RUN_A, "trec", "ranx", measure="nDCG@10")
    assert capsys.readouterr().out == f"{expected}\n"


def test_reconcile_reads_qrels_as_the_options_say(capsys, tmp_path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("q 0 a 3\nq 0 b 1\nq 0 b 2\n")
    run.write_text("q 0 b 1 2 t\nq 0 a 2 1 t\n")
    command = ["reconcile", str(qrels), str(run), "trec", "lightgbm", "-m", "nDCG@10"]
    for policy in ("first", "last", "best"):
        assert main([*command, "--duplicates", policy]) == 0
        judged = rg.Qrels(qrels, duplicates=policy)
        expected = rg.reconcile_runs(judged, run, "trec", "lightgbm", measure="nDCG@10")
        assert capsys.readouterr().out == f"{expected}\n"


def test_conventions(capsys):
    assert main(["conventions"]) == 0
    listed = capsys.readouterr().out
    assert listed == f"{rg.conventions}\n"
    assert main(["conventions", "LightGBM"]) == 0
    assert capsys.readouterr().out == f"{rg.conventions['lightgbm']}\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise there")
def test_a_reader_that_leaves_is_no_error():
    program = "import sys; from rankgain.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, *EVALUATE, "--per-query"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_trec_eval_starts_without_the_parser():
    program = (
        "import sys; from rankgain.cli import main; sys.argv = ['rankgain', 'trec_eval']; "
        "main(); assert not {'argparse', 'rankgain.cli_parser'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).returncode == 0


PAGE = (EXAMPLES.parent / "docs" / "reference" / "command_line.md").read_text(encoding="utf-8")


PURPOSES = {
    "evaluate": "Evaluate runs against qrels.",
    "explain": "Explain the nDCG of one query, rank by rank.",
    "reconcile": "Explain why a measure differs between two conventions.",
    "audit": "Check a Python metric for common mistakes.",
    "conventions": "List what other tools compute.",
}


def test_options_of_the_page(capsys):
    for command, purpose in PURPOSES.items():
        with pytest.raises(SystemExit):
            main([command, "--help"])
        text = capsys.readouterr().out
        assert f"\n\n{purpose}\n\n" in text
        options = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", text))
        assert options - {"-h", "--help", "--measure"} <= set(re.findall(r"--?[a-z][a-z-]*", PAGE))


# ---- gates where nobody reads the output, and files that are written


JUDGED = "q1 0 a 1\nq2 0 a 1\nq3 0 a 1\n"
RUNS = {"a": "q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq3 Q0 a 1 2 t\n", "b": "q1 Q0 b 1 2 t\nq2 Q0 a 1 2 t\n"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(JUDGED)
    for name, text in RUNS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end in another way")
def test_a_gate_holds_where_the_output_is_closed(folder: Path) -> None:
    command = f"{sys.executable} -m rankgain evaluate qrels a -m AP --fail-under AP=2"
    script = f"{command} | true; exit ${{PIPESTATUS[0]}}"
    for _ in range(3):
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 3
        assert "rankgain: " in done.stderr


@pytest.mark.parametrize(("policy", "options", "settings"), [
    ("first", "", {}), ("last", "", {}), ("first", "--judged-only", {"judged_only": True}),
    *(("first", f"--{name} {value}", {name: value})
      for name, value in (("convention", "ranx"), ("documents", "#"), ("exclude", "excluded"))),
])  # fmt: skip
def test_options_of_runs_reach_comparisons(
    policy: Any, options: str, settings: Any, folder: Path, capsys: Any
) -> None:
    (folder / "excluded").write_text("q1 0 x 1\n")
    for name in "ab":
        rows = "q1 Q0 x 1 6 t\nq1 Q0 a#1 2 5 t\nq1 Q0 a 3 4 t\nq1 Q0 z 4 4 t\nq1 Q0 a 5 1 t\n"
        (folder / name).write_text(rows + RUNS[name].partition("\n")[2])
    command = ["compare", "qrels", "a", "b", "-m", "nDCG", "--duplicates", policy]
    assert main([*command, *options.split()]) == 0
    runs = {name: rg.Run.read(name, duplicates=policy) for name in "ab"}
    expected = rg.evaluate_runs("qrels", runs, "nDCG", **settings).compare()
    assert capsys.readouterr().out == f"{expected}\n"


@pytest.mark.parametrize(("policy", "options", "settings"), [
    ("last", "", {}), ("first", "-k 2", {"k": 2}),
    *(("first", f"--{name} {value}", {name: value})
      for name, value in (("gain", "exp2"), ("discount", "reciprocal"), ("ties", "id"),
                          ("convention", "ranx"))),
])  # fmt: skip
def test_options_of_an_explanation(
    policy: Any, options: str, settings: Any, folder: Path, capsys: Any
) -> None:
    (folder / "qrels").write_text("q1 0 a 3\nq1 0 z 1\nq2 0 a 1\n")
    (folder / "a").write_text("q1 Q0 x 1 4 t\nq1 Q0 a 2 4 t\nq1 Q0 z 3 2 t\nq1 Q0 a 4 1 t\n")
    files = ["qrels", "a", "--duplicates", policy]
    run = rg.Run.read("a", duplicates=policy)
    assert main(["explain", *files, "--query", "q1", *options.split()]) == 0
    expected = rg.explain("qrels", run, query="q1", measure="nDCG", **settings)
    assert capsys.readouterr().out == f"query q1, a\n{expected}\n"
    assert main(["reconcile", *files, "trec", "ranx", "-m", "nDCG@2"]) == 0
    expected = rg.reconcile_runs("qrels", run, "trec", "ranx", measure="nDCG@2")
    assert capsys.readouterr().out == f"{expected}\n"


@pytest.mark.parametrize(("floor", "status"), [("0.5", 0), ("0.50001", 3)])
def test_a_mean_that_is_the_threshold_passes(floor: str, status: int, folder: Path) -> None:
    (folder / "run").write_text("q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n")
    (folder / "qrels").write_text("q1 0 a 1\n")
    assert main(["evaluate", "qrels", "run", "-m", "RR", "--fail-under", f"RR={floor}"]) == status


def test_a_mean_of_no_defined_value_fails_every_threshold(folder: Path, capsys: Any) -> None:
    (folder / "qrels").write_text("q1 0 a 0\nq2 0 a 0\nq3 0 a 0\n")
    command = ["evaluate", "qrels", "a", "-m", "nDCG", "--convention", "gdeval"]
    assert main([*command, "--fail-under", "nDCG=0"]) == 3
    assert "is nan, under 0" in capsys.readouterr().err


def test_many_runs_show_their_progress_on_a_terminal(
    folder: Path, terminal: Any, capsys: Any
) -> None:
    pytest.importorskip("rich")
    names = [f"run{number}" for number in range(10)]
    for name in names:
        (folder / name).write_text(RUNS["a" if name == "run7" else "b"])
    command = ["evaluate", "qrels", *names, "-m", "NumRelRet", "--format", "csv"]
    screen = terminal("stderr")
    assert main(command) == 0
    rows = [f"{name},{'3.0' if name == 'run7' else '1.0'}" for name in names]
    assert capsys.readouterr().out.splitlines()[1:] == rows
    assert "evaluating" in screen.getvalue()
    screen = terminal("stderr")
    assert main([*command[:2], *command[3:]]) == 0
    assert screen.getvalue() == ""


def test_what_utf_8_cannot_hold_is_escaped_in_a_file(folder: Path) -> None:
    names = "old \udcff,new"
    arguments = ["evaluate", "qrels", "a", "b", "-m", "AP", "--names", names]
    for name in ("out.csv", "out.txt"):
        assert main([*arguments, "--output", name]) == 0
        assert b"old \\udcff" in (folder / name).read_bytes()
