"""Gates where nobody reads the output, and files that are written."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rankgain.cli import main

QRELS = "q1 0 a 1\nq2 0 a 1\nq3 0 a 1\n"
RUNS = {"a": "q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq3 Q0 a 1 2 t\n", "b": "q1 Q0 b 1 2 t\nq2 Q0 a 1 2 t\n"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
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


def test_two_files_of_one_name(folder: Path, capsys: Any) -> None:
    arguments = ["compare", "qrels", "a", "b", "-m", "AP", "--output", "x.html"]
    assert main([*arguments, "--report", "./x.html"]) == 1
    assert "name two files" in capsys.readouterr().err
    pytest.importorskip("jinja2")
    assert main([*arguments[:-2], "--report", "nowhere/x.html"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "labels",
    ['{"q1": null, "q2": 1, "q3": 1}', '{"q1": [1], "q2": 1, "q3": 1}', '{"q1": 1, "q1": 2}'],
)
def test_labels_of_queries_in_json(labels: str, folder: Path, capsys: Any) -> None:
    (folder / "by.json").write_text(labels)
    arguments = ["compare", "qrels", "a", "b", "-m", "AP", "--by", "by.json"]
    assert main(arguments) == 2
    assert "by.json: " in capsys.readouterr().err
    (folder / "by.json").write_text(json.dumps({"q1": 1, "q2": 1, "q3": "2"}))
    assert main(arguments) == 0


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


@pytest.mark.parametrize("floors", [["AP=0.9", "RR=0"], ["RR=0", "AP=0.9"]])
@pytest.mark.parametrize("runs", [["a", "b"], ["b", "a"]])
def test_each_threshold_of_each_run_counts(
    floors: list[str], runs: list[str], folder: Path, capsys: Any
) -> None:
    options = [word for floor in floors for word in ("--fail-under", floor)]
    assert main(["evaluate", "qrels", *runs, *options]) == 3
    assert capsys.readouterr().err == "rankgain: b: AP is 0.333333, under 0.9\n"


@pytest.mark.parametrize("name", ["out.csv", "out.CSV"])
def test_a_suffix_is_read_in_any_case(name: str, folder: Path, capsys: Any) -> None:
    assert main(["evaluate", "qrels", "a", "-m", "AP", "--output", name]) == 0
    assert (folder / name).read_text() == "run,AP\na,1.0\n"


def test_warnings_name_runs_as_the_results_do(folder: Path, capsys: Any) -> None:
    (folder / "b").write_text(RUNS["b"] + "#q9 Q0 a 1 2 t\n")
    assert main(["evaluate", "qrels", "a", "b", "-m", "AP", "--names", "old,new"]) == 0
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("rankgain: warning: run 'new': b, line 3 begins with #")


@pytest.mark.parametrize("policy", ["raise", "in_place"])
def test_repeats_that_stay_in_a_run_are_refused_in_qrels(
    policy: str, folder: Path, capsys: Any
) -> None:
    (folder / "qrels").write_text(QRELS + "q1 0 a 0\n")
    assert main(["evaluate", "qrels", "a", "-m", "AP", "--duplicates", policy]) == 2
    assert "document 'a' comes twice in query 'q1'" in capsys.readouterr().err


def test_what_utf_8_cannot_hold_is_escaped_in_a_file(folder: Path) -> None:
    names = "old \udcff,new"
    arguments = ["evaluate", "qrels", "a", "b", "-m", "AP", "--names", names]
    for name in ("out.csv", "out.txt"):
        assert main([*arguments, "--output", name]) == 0
        assert b"old \\udcff" in (folder / name).read_bytes()
