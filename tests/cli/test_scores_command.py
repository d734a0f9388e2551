"""rankgain compare with a table of scores that another program computed."""

import pytest

import rankgain as rg
from rankgain.cli import main

pandas = pytest.importorskip("pandas")
ROWS = {
    "system": ["new"] * 8 + ["old"] * 8,
    "task": list("abcdefgh") * 2,
    "f1": [0.9, 0.8, 0.7, 0.9, 0.8, 0.7, 0.9, 0.6, 0.5, 0.4, 0.5, 0.4, 0.5, 0.4, 0.5, 0.4],
    "ms": [9, 8, 9, 8, 9, 8, 9, 8, 1, 2, 1, 2, 1, 2, 1, 2],
}


@pytest.fixture
def path(tmp_path):
    result = tmp_path / "scores.csv"
    pandas.DataFrame(ROWS).to_csv(result, index=False)
    return str(result)


def test_a_table_is_compared_as_in_python(path, capsys):
    command = ["compare", path, "--run", "system", "--query", "task", "--better", "ms=lower"]
    assert main(command) == 0
    evaluations = rg.Evaluations.from_frame(path, better={"ms": "lower"})
    assert capsys.readouterr().out == f"{evaluations.compare()}\n"


def test_columns_and_measures_are_chosen(path, capsys):
    assert main(["compare", path, "--values", "f1", "--margin", "0.5"]) == 0
    out = capsys.readouterr().out
    assert "ms " not in out
    assert "better, equivalent" in out
    assert main(["compare", path, "-m", "ms"]) == 0
    assert "f1" not in capsys.readouterr().out


def test_long_tables(path, tmp_path, capsys):
    frame = pandas.DataFrame(ROWS).melt(["system", "task"], var_name="m", value_name="v")
    long = tmp_path / "long.parquet"
    frame.to_parquet(long)
    assert main(["compare", str(long), "--measure-column", "m", "--value-column", "v"]) == 0
    expected = capsys.readouterr().out
    assert main(["compare", path]) == 0
    assert capsys.readouterr().out == expected


def test_the_queries_that_all_systems_have_are_compared_if_asked_for(path, capsys):
    pandas.DataFrame(ROWS)[:-1].to_csv(path, index=False)
    assert main(["compare", path]) == 2
    assert "query 'h' is only in 'new'; pass --queries common" in capsys.readouterr().err
    assert main(["compare", path, "--queries", "common"]) == 0
    expected = rg.Evaluations.from_frame(path).compare(queries="common")
    assert capsys.readouterr().out == f"{expected}\n"


def test_gates_and_files(path, tmp_path, capsys):
    report = tmp_path / "page.html"
    arguments = [path, "--baseline", "new", "--fail-if-worse", "f1", "--changes", "2"]
    assert main(["compare", *arguments, "--report", str(report)]) == 4
    captured = capsys.readouterr()
    assert "old: f1 is 0.45, significantly worse than 0.7875 of new" in captured.err
    assert "the largest changes between old and new" in captured.out
    assert report.exists()
    command = ["compare", path, "--baseline", "new", "--fail-if-worse", "ms", "--better", "lower"]
    assert main(command) == 0


def test_a_direction_is_of_a_measure_whose_name_has_an_equal_sign(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    path.write_text("system,task,MR(a=b)\nx,1,3\nx,2,4\ny,1,1\ny,2,2\n")
    assert main(["compare", str(path), "--better", "MR(a=b)=lower"]) == 0
    expected = rg.Evaluations.from_frame(str(path), better="lower").compare()
    assert capsys.readouterr().out == f"{expected}\n"


@pytest.mark.parametrize("measures", [[], ["-m", "ms"], ["-m", "f1", "-m", "ms"]])
def test_a_gate_is_compared_beside_the_measures_that_are_named(path, capsys, measures):
    arguments = ["compare", path, *measures, "--baseline", "new", "--fail-if-worse", "f1"]
    assert main([*arguments, "--format", "csv"]) == 4
    captured = capsys.readouterr()
    assert "old: f1 is 0.45, significantly worse" in captured.err
    rows = captured.out.splitlines()[1:]
    assert {row.split(",")[0] for row in rows} == {"f1", "ms"}
