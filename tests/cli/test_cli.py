"""The command line: what it prints, where, and its exit statuses."""

import csv
import gzip
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


def failure(capsys, arguments):
    """Exit status and message of a command that fails, which is one line and no output."""
    status = main(list(map(str, arguments)))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rankgain: ")
    assert err.count("\n") == 1
    return status, err


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


def test_output_goes_to_a_file(capsys, result, tmp_path):
    path = tmp_path / "table.txt"
    assert main([*EVALUATE, "--output", str(path)]) == 0
    assert capsys.readouterr() == ("", "")
    assert path.read_text(encoding="utf-8") == f"{result}\n"
    assert failure(capsys, [*EVALUATE, "--output", tmp_path])[0] == 2


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
    capsys.readouterr()
    expected = "expected NAME=VALUE"
    for text, words in {
        "nDCG@10": f"{expected}, such as nDCG@10=0.3",
        "0.25": f"{expected}, such as nDCG@10=0.25",
        "nDCG@10=high": f"{expected}; could not convert string to float: 'high'",
        "nDCG@10=nan": "no mean is under nan; give a number",
        "nDGC=0.5": f"{expected}; measure 'nDGC': unknown name 'nDGC'",
    }.items():
        status, error = failure(capsys, ["evaluate", QRELS, RUN_A, "--fail-under", text])
        assert status == 1
        assert error.startswith(f"rankgain: --fail-under {text}: {words}")


@pytest.mark.parametrize(("arguments", "words"), [
    ([], "COMMAND"),
    (["evaluat"], "evaluat"),
    (["evaluate", QRELS], "RUN"),
    (["evaluate", QRELS, RUN_A], "-m nDCG@10"),
    (["evaluate", QRELS, RUN_A, "-m", "nDGC@10"], "nDCG"),
    (["evaluate", QRELS, RUN_A, "-m", "nDCG@0"], "nDCG@0"),
    (["evaluate", QRELS, RUN_A, "-m", "RBP(p=2)"], "RBP"),
    (["evaluate", QRELS, RUN_A, "-m", "ndcg_cut"], "cutoff"),
    (["evaluate", QRELS, RUN_A, "-m", "AP", "--convention", "trec_evil"], "trec_eval"),
    (["evaluate", QRELS, RUN_A, "-m", "AP", "--format", "xml"], "xml"),
    (["evaluate", QRELS, RUN_A, "-m", "AP", "--threads", "0"], "--threads"),
    (["evaluate", QRELS, RUN_A, "-m", "AP", "--threads", "two"], "at least 1, or all, not 'two'"),
    (["evaluate", QRELS, RUN_A, RUN_A, "-m", "AP"], "more than once"),
    (["evaluate", "-", "-", "-m", "AP"], "standard input can be read only once"),
    (["explain", QRELS, RUN_A], "--query"),
    (["explain", QRELS, RUN_A, "--query", "none"], "none"),
    (["explain", QRELS, RUN_A, "--query", "q01", "-k", "0"], "-k"),
    (["explain", QRELS, RUN_A, "--query", "q01", "--ties", "luck"], "luck"),
    (["explain", QRELS, RUN_A, "--query", "q01", "--convention", "luck"], "luck"),
    (["conventions", "nobody"], "nobody"),
    (["reconcile", QRELS, RUN_A, "trec", "nobody", "-m", "AP"], "nobody"),
    (["reconcile", QRELS, RUN_A, "trec", "ranx", "-m", "nDGC"], "nDCG"),
])  # fmt: skip
def test_bad_usage_has_status_1(capsys, arguments, words):
    status, message = failure(capsys, arguments)
    assert status == 1
    assert words in message


def test_what_cannot_be_read_has_status_2(capsys, tmp_path):
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "bad").write_text("q1 Q0 d1 1 1.0 t\nq1 Q0 d2 2 many t\n")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(Path(RUN_A).read_bytes())[:-20])
    for name in ("none", "empty", "folder", "binary", "bad", "cut.gz"):
        for files in ((QRELS, tmp_path / name), (tmp_path / name, RUN_A)):
            status, message = failure(capsys, ["evaluate", *files, "-m", "AP"])
            assert status == 2
            assert name in message
            assert len(message) < 400
    status, message = failure(capsys, ["evaluate", QRELS, tmp_path / "bad", "-m", "AP"])
    assert "line 2" in message
    missing = ["evaluate", QRELS, RUN_B, "-m", "AP", "--convention", "trec_eval"]
    assert failure(capsys, missing)[0] == 2


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


@pytest.mark.parametrize("option", [
    ["--level", "95"], ["--level", "0"], ["--level", "1"], ["--level", "nan"], ["--level", "high"],
    ["--resamples", "0"], ["--resamples", "1.5"], ["--seed", "-1"],
])  # fmt: skip
def test_numbers_that_compare_does_not_take_are_bad_usage(capsys, option):
    command = ["compare", QRELS, RUN_A, RUN_B, "-m", "AP", *option]
    status, message = failure(capsys, command)
    assert status == 1
    assert option[0] in message


def test_the_letter_of_trec_eval_names_the_option(capsys):
    assert main(["evaluate", QRELS, RUN_A, "-m", "AP", "-q"]) == 1
    error = capsys.readouterr().err
    assert "unrecognized arguments: -q; values of each query are --per-query" in error
    assert main(["evaluate", QRELS, RUN_A, "-m", "AP", "--zzz"]) == 1
    assert "--per-query" not in capsys.readouterr().err


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


NO_FILE = "'': No such file or directory"
NO_MARK = 'documents: the separator is empty; give the text between document and chunk, "#"'


@pytest.mark.parametrize(("command", "status", "words"), [
    *((f"compare qrels a b -m AP --{option}", 2, NO_FILE)
      for option in ("by", "output", "report", "exclude")),
    ("compare qrels a b -m AP --documents", 2, NO_MARK),
    ("compare qrels a b -m AP --baseline", 1, "--baseline '' is not among the runs: a, b"),
    ("compare qrels a b -m AP --names", 1, "--names has 1 name, but there are 2 runs"),
    ("compare s.csv -m", 1, "'' is not among the measures: f1"),
    ("compare s.csv --baseline", 1, "--baseline '' is not among the systems: x, y"),
    *((f"compare s.csv --{option}", 1, f"--{option} is for runs, and not for a table of scores")
      for option in ("names", "convention", "exclude", "documents", "threads")),
    *((f"compare qrels a b -m AP --{option}", 1,
       f"--{option} applies only if the one file given is a table of scores")
      for option in ("run", "query", "values", "measure-column", "value-column", "better")),
    *((f"table t.csv -m AP --{role}", 2,
       f"t.csv: no column '' (--{role}). Columns: user, label, score")
      for role in ("run", "query", "label", "score", "rank", "doc", "weight", "segment")),
    ("evaluate qrels a --fail-under", 1,
     "--fail-under : expected NAME=VALUE, such as nDCG@10=0.3"),
    ("explain qrels a --query", 1, "query '' has no judgments in qrels"),
    ("audit rankgain:ndcg -k", 1, "-k must be a number from 1, or none, not ''"),
    ("audit", 1, "a function is named MODULE:FUNCTION, not ''"),
])  # fmt: skip
def test_an_empty_value_is_a_value(
    command: str, status: int, words: str, folder: Path, capsys: Any
) -> None:
    if ".csv" in command:
        pytest.importorskip("narwhals")
        pytest.importorskip("pandas")
    if command.endswith("--report"):
        pytest.importorskip("jinja2")
    (folder / "s.csv").write_text("system,task,f1\nx,1,3\ny,1,1\n")
    (folder / "t.csv").write_text("user,label,score\n1,1,3\n")
    assert main([*command.split(), ""]) == status
    assert capsys.readouterr() == ("", f"rankgain: {words}\n")


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


def test_warnings_name_runs_as_the_results_do(folder: Path, capsys: Any) -> None:
    (folder / "b").write_text(RUNS["b"] + "#q9 Q0 a 1 2 t\n")
    assert main(["evaluate", "qrels", "a", "b", "-m", "AP", "--names", "old,new"]) == 0
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("rankgain: warning: run 'new': b, line 3 begins with #")


@pytest.mark.parametrize("policy", ["raise", "in_place"])
def test_repeats_that_stay_in_a_run_are_refused_in_qrels(
    policy: str, folder: Path, capsys: Any
) -> None:
    (folder / "qrels").write_text(JUDGED + "q1 0 a 0\n")
    assert main(["evaluate", "qrels", "a", "-m", "AP", "--duplicates", policy]) == 2
    assert capsys.readouterr().err == (
        "rankgain: qrels, line 4: document 'a' comes twice in query 'q1', first on line 1: "
        '\'q1 0 a 0\'; --duplicates first keeps the first, "last" and "best" another, and "mean" '
        "takes the mean label, as of several judges\n"
    )


def test_what_utf_8_cannot_hold_is_escaped_in_a_file(folder: Path) -> None:
    names = "old \udcff,new"
    arguments = ["evaluate", "qrels", "a", "b", "-m", "AP", "--names", names]
    for name in ("out.csv", "out.txt"):
        assert main([*arguments, "--output", name]) == 0
        assert b"old \\udcff" in (folder / name).read_bytes()
