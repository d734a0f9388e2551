"""What others named and measured, in tables, messages and files: safe to read and to open."""

import csv
import io
import json
import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import rankgain as rg
from places import EXAMPLES
from rankgain.cli import main
from rankgain.inputs.printable import printable, safe_cell

QRELS, RUN_A, RUN_B = (str(EXAMPLES / name) for name in ("qrels.txt", "run-a.txt", "run-b.txt"))
STEERING = "a\x1b[31m\x07b\r\nc\x9b\u202e"
ESCAPED = r"a\x1b[31m\x07b\r\nc\x9b\u202e"


@pytest.mark.parametrize("name", ["Unjudged@10", "RBPResidual(p=0.5)", "NumNonrelJudgedRet"])
def test_the_smallest_is_best_where_smaller_is_better(name, terminal):
    screen = terminal()
    assert main(["evaluate", QRELS, RUN_A, RUN_B, "-m", name, "-m", "Judged@10"]) == 0
    bold = re.findall("\033\\[1m *([0-9.]+)", screen.getvalue())
    means = [rg.evaluate(QRELS, run, [name, "Judged@10"]).means for run in (RUN_A, RUN_B)]
    least = min(one[str(rg.parse_measure(name))] for one in means)
    most = max(one["Judged@10"] for one in means)
    assert bold == [f"{least:.4f}", f"{most:.4f}"]


def test_a_query_named_all_is_not_the_row_of_means(capsys, tmp_path):
    qrels = {"all": {"a": 1}, "(all)": {"a": 1}, "q": {"a": 1}}
    run = {"all": {"b": 1.0, "a": 0.5}, "q": {"a": 1.0}}
    result = rg.evaluate(qrels, run, "RR")
    rows = list(csv.reader(io.StringIO(result.to_csv())))
    assert [row[0] for row in rows] == ["query", "all", "(all)", "q", "((all))"]
    assert rows[1] == ["all", "0.5"]
    assert rg.evaluate({"q": {"a": 1}}, run, "RR").to_csv().splitlines()[-1] == "all,1.0"
    (tmp_path / "qrels").write_text("all 0 a 1\nq 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 1 t\n")
    command = ["evaluate", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "RR"]
    assert main([*command, "--per-query", "--format", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert [row[1] for row in rows] == ["query", "all", "q", "(all)"]
    assert [row[2] for row in rows[1:]] == ["0.0", "1.0", "0.5"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("way", ["itself", "symbolic link", "hard link", "spelling", "qrels"])
def test_what_is_read_is_never_overwritten(capsys, tmp_path, way, standard_input):
    qrels, run, other = tmp_path / "qrels", tmp_path / "run", tmp_path / "other"
    qrels.write_text("q 0 a 1\n")
    run.write_text("q Q0 a 1 1 t\n")
    output = {"itself": run, "qrels": qrels, "spelling": tmp_path / "." / "x" / ".." / "run"}
    (tmp_path / "x").mkdir()
    if way == "symbolic link":
        other.symlink_to(run)
    if way == "hard link":
        os.link(run, other)
    target = output.get(way, other)
    if way == "spelling":
        target = f"{tmp_path}/x/../run"
    command = ["evaluate", str(qrels), str(run), "-m", "RR", "--output", str(target)]
    assert main(command) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "which is read" in err
    assert run.read_text() == "q Q0 a 1 1 t\n"
    assert qrels.read_text() == "q 0 a 1\n"
    with open(run) as file:
        standard_input(file)
        assert main(["evaluate", str(qrels), "-", "-m", "RR", "--output", str(run)]) == 1
        assert "standard input, which is read" in capsys.readouterr().err
    assert main([*command[:-1], str(tmp_path / "new")]) == 0
    assert main([*command[:-1], str(tmp_path / "new")]) == 0
    assert "1.0000" in (tmp_path / "new").read_text()


def test_names_are_printed_escaped():
    assert printable(STEERING) == ESCAPED
    for name in ("q 1", "日本語", "a\u200cb", "é\u00a0", "\U0001f388", "\\x1b"):
        assert printable(name) == name
    assert printable("\udc80\u2028\x00") == r"\udc80\u2028\x00"


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be there")
@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_control_characters_do_not_reach_the_terminal(capsys, tmp_path, form):
    name = "run\x1b[31m\nb"
    qrels = f"{STEERING[:5]}q 0 a\x1b[2Jb 1\n"
    for file, text in (
        ("qrels", qrels),
        (name, qrels.replace(" 0 ", " Q0 ").replace(" 1", " 1 2 t")),
    ):
        (tmp_path / file).write_text(text)
    files = [str(tmp_path / "qrels"), str(tmp_path / name)]
    assert main(["evaluate", *files, "-m", "RR", "--per-query", "--format", form]) == 0
    result = rg.evaluate_runs(files[0], {name: files[1]}, "RR")
    query = next(iter(rg.Qrels(files[0])))
    shown = capsys.readouterr().out + str(result) + repr(result)
    assert main(["explain", *files, "--query", query]) == 0
    shown += capsys.readouterr().out
    assert main(["evaluate", *files, "-m", "RR", "--fail-under", "RR=2"]) == 3
    out, err = capsys.readouterr()
    assert main(["evaluate", *files, files[1] + "\x07gone", "-m", "RR"]) == 2
    shown += out + err + capsys.readouterr().err
    assert {one for one in shown if not one.isprintable()} == {"\n"}
    assert err.count("\n") == 1
    (tmp_path / name).write_text("q Q0 a 1 x t\n")
    with pytest.raises(ValueError, match=r"run\\x1b\[31m\\nb, line 1"):
        rg.Run(files[1])


def test_a_name_stays_in_its_line_of_latex(capsys, tmp_path):
    paths = []
    for name, text in (("a\n\\input{x}", "q Q0 a 1 1 t\n"), ("b", "r Q0 a 1 1 t\n")):
        paths.append(str(tmp_path / name))
        (tmp_path / name).write_text(text)
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    assert main(["evaluate", str(tmp_path / "qrels"), *paths, "-m", "RR", "--format", "latex"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[0] for line in lines[:2]] == ["%", "%"]
    rules = ("%", "\\begin", "\\end", "\\toprule", "\\midrule", "\\bottomrule")
    assert all(line.startswith(rules) or line.endswith("\\\\") for line in lines)
    assert sum("input" in line for line in lines) == 2
    assert r"a\textbackslash{}n\textbackslash{}input\{x\}" in lines[-4]


CELLS = {
    "=1+1": "'=1+1",
    "@sum": "'@sum",
    "+a": "'+a",
    "-abc": "'-abc",
    "-1+1": "'-1+1",
    "\t=1": "'\t=1",
    "\r=1": "'\r=1",
    "\n=1": "'\n=1",
    "\t\n@x": "'\t\n@x",
    "\tx": "'\tx",
    " =1": " =1",
    "'=1": "''=1",
    "-7": "-7",
    "+1.5e-3": "+1.5e-3",
    "-": "-",
    "q-1": "q-1",
}


@pytest.mark.parametrize(("name", "cell"), CELLS.items())
def test_no_cell_is_a_formula(name, cell):
    assert safe_cell(name) == cell
    result = rg.evaluate({name: {"a": 1}}, {name: {"a": 1.0}}, "RR")
    rows = list(csv.reader(io.StringIO(result.to_csv())))
    assert rows[1] == [cell, "1.0"]
    assert cell.removeprefix("'") == name if cell[0] == "'" else cell == name
    rows = list(csv.reader(io.StringIO(result.to_csv(safe=False))))
    assert rows[1] == [name, "1.0"]


def test_no_cell_of_the_command_line_is_a_formula(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("=q 0 a 1\n-3 0 a 1\n")
    Path("=run").write_text("=q Q0 a 1 1 t\n-3 Q0 a 1 1 t\n")
    command = ["evaluate", "qrels", "=run", "-m", "RR", "--per-query", "--format"]
    for form, separator in (("csv", ","), ("tsv", "\t")):
        assert main([*command, form]) == 0
        rows = list(csv.reader(io.StringIO(capsys.readouterr().out), delimiter=separator))
        assert [row[:2] for row in rows[1:]] == [
            ["'=run", "'=q"],
            ["'=run", "-3"],
            ["'=run", "all"],
        ]
        assert main([*command, form, "--as-is"]) == 0
        rows = list(csv.reader(io.StringIO(capsys.readouterr().out), delimiter=separator))
        assert [row[:2] for row in rows[1:]] == [["=run", "=q"], ["=run", "-3"], ["=run", "all"]]


def test_a_threshold_that_is_nan_is_refused(capsys):
    for text in ("AP=nan", "AP=NaN", "AP=-nan"):
        assert main(["evaluate", QRELS, RUN_A, "--fail-under", text]) == 1
        assert "give a number" in capsys.readouterr().err
    assert main(["evaluate", QRELS, RUN_A, "--fail-under", "AP=-inf"]) == 0


def test_means_are_a_dict_to_whom_it_matters():
    result = rg.evaluate_arrays([[1, 0], [0, 1]], None, ["AP", "RR"])
    assert json.loads(json.dumps(result.means)) == {"AP": 0.75, "RR": 0.75}
    assert json.loads(json.dumps(result.counts)) == {"queries": 2}
    frame = pytest.importorskip("pandas").DataFrame({"A": result.means, "B": result.means})
    assert frame.loc["AP", "A"] == 0.75
    means = result.means
    for change in (
        lambda: means.__setitem__("AP", 1.0),
        lambda: means.__delitem__("AP"),
        lambda: means.update(AP=1.0),
        lambda: means.pop("AP"),
        lambda: means.popitem(),
        lambda: means.setdefault("x", 1.0),
        lambda: means.clear(),
        lambda: means.__ior__({"AP": 1.0}),
    ):
        with pytest.raises(TypeError, match="immutable"):
            change()
    assert means == {"AP": 0.75, "RR": 0.75}
    assert pickle.loads(pickle.dumps(means)) == means
    assert type(means | {"x": np.nan}) is dict
