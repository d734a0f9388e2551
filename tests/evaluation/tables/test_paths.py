"""A path that exists is read as it is, in every function and format; only others are patterns."""

import os
from pathlib import Path

import pytest

import frame_forms
import rankgain as rg
from rankgain.cli import main

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")
pytest.importorskip("pyarrow")
posix = pytest.mark.skipif(os.name == "nt", reason="names that Windows does not have")

RIGHT = [("q", "a", 1, 2.0), ("q", "b", 0, 1.0)]  # RR is 1
WRONG = [("q", "a", 0, 2.0), ("q", "b", 1, 1.0)]  # RR is 1/2
NAMES = ("query_id", "doc_id", "label", "score")
FORMATS = (".parquet", ".csv", ".csv.gz", ".tsv", ".jsonl", ".jsonl.gz")
# What is asked for, beside a file that it would match as a pattern.
SPELLINGS = {
    "a[1]{}": "a1{}",
    "b*{}": "bb{}",
    "what?{}": "whatx{}",
    "d[1]": "d1/x{}",
    "d[1]/x{}": "d1/x{}",
    "d[1]/*{}": "d1/x{}",
    "e*/y[1]{}": "ee/y1{}",
}


def write(path, rows, names=NAMES):
    """Write rows in the format of the suffix, in a folder that is made if it is not there."""
    path = os.path.abspath(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    frame_forms.write(pd.DataFrame(rows, columns=list(names)), Path(path))


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=[(one, suffix) for one in SPELLINGS for suffix in FORMATS], ids=str)
def path(request):
    """A path whose file has the right rows, beside one with wrong rows that it matches."""
    spelling, suffix = request.param
    write(SPELLINGS[spelling].format(suffix), WRONG)
    exact = {"d[1]": "d[1]/x{}", "d[1]/*{}": "d[1]/x{}", "e*/y[1]{}": "e*/y[1]{}"}
    if os.name == "nt" and set("*?") & set(exact.get(spelling, spelling)):
        pytest.skip("no such name on Windows")
    write(exact.get(spelling, spelling).format(suffix), RIGHT)
    return spelling.format(suffix)


def is_file(path):
    return os.path.isfile(path) and not path.endswith((".jsonl.gz", ".jsonl"))


def test_judgments_and_runs_are_the_files_of_their_paths(path):
    frame = pd.DataFrame([(*row[:2], 2.0 - i) for i, row in enumerate(RIGHT)])
    frame.columns = ["query_id", "doc_id", "score"]
    assert rg.evaluate_frame(frame, "RR", truth=path)["RR"] == 1.0
    if not is_file(path):
        return
    assert rg.evaluate(path, path, "RR")["RR"] == 1.0
    assert rg.evaluate_runs(path, path, "RR")[os.path.basename(path)]["RR"] == 1.0
    assert rg.Qrels.read(path)["q"] == {"a": 1.0, "b": 0.0}


def test_the_command_line_reads_the_file_of_its_path(path, capsys):
    assert main(["table", "-m", "RR", "--format", "json", path]) == 0
    assert '"RR": 1.0' in capsys.readouterr().out
    if is_file(path):
        write("run.csv", RIGHT)
        assert main(["evaluate", "-m", "RR", "--format", "json", path, "run.csv"]) == 0
        assert '"RR": 1.0' in capsys.readouterr().out


def test_a_path_is_a_pattern_where_nothing_has_its_name():
    write("a1.parquet", RIGHT)
    write("a2.parquet", [("r", "a", 0, 2.0), ("r", "b", 1, 1.0)])
    assert len(rg.evaluate_frame("a[12].parquet", "RR")) == 2
    assert rg.evaluate_frame("a[1].parquet", "RR")["RR"] == 1.0
    write("x/y/z.parquet", RIGHT)
    for spelling in ("x/**/z.parquet", "**/z.parquet", "x/**/*.parquet", "?/y/z.parquet"):
        assert rg.evaluate_frame(spelling, "RR")["RR"] == 1.0
    with pytest.raises(FileNotFoundError, match=r"b\[1\]"):
        rg.evaluate_frame("b[1].parquet", "RR")


@posix
def test_a_link_to_nothing_is_no_pattern():
    write("a1.csv", WRONG)
    os.symlink("nothing.csv", "a[1].csv")
    with pytest.raises(FileNotFoundError):
        rg.evaluate_frame("a[1].csv", "RR")


@posix
def test_a_link_to_nothing_in_a_folder_is_an_error():
    write("d/a.csv", RIGHT)
    os.symlink("nothing", "d/README")  # is not a table
    assert rg.evaluate_frame("d", "RR")["RR"] == 1.0
    os.symlink("nothing.csv", "d/b.csv")
    with pytest.raises(ValueError, match=r"d.b\.csv is a link to nothing\.csv, which does not"):
        rg.evaluate_frame("d", "RR")
    with pytest.raises(ValueError, match="is a link to nothing"):
        rg.evaluate_runs({"q": {"a": 1}}, "d", "RR")


CALLS = {
    "evaluate_frame": lambda path: rg.evaluate_frame(path, "RR"),
    "truth": lambda path: rg.evaluate_frame(pd.DataFrame(RIGHT, columns=NAMES), "RR", truth=path),
    "qrels": lambda path: rg.evaluate(path, {"q": {"a": 1.0}}, "RR"),
    "run": lambda path: rg.evaluate({"q": {"a": 1}}, path, "RR"),
    "runs": lambda path: rg.evaluate_runs({"q": {"a": 1}}, path, "RR"),
    "run=": lambda path: rg.evaluate_runs({"q": {"a": 1}}, path, "RR", run="system"),
    "ids": lambda path: rg.evaluate_ids(path, measures="RR"),
    "exclude": lambda path: rg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "RR", exclude=path),
}


@posix
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".txt", ".jsonl"])
def test_text_that_cannot_be_a_path_is_named(name, suffix):
    with pytest.raises(ValueError, match=r"a\\x00b.* cannot be the path of a file: it has a NUL"):
        CALLS[name](f"a\0b{suffix}")
    with pytest.raises(ValueError, match=r"\\ud800.* cannot be the path of a file: it has a lone"):
        CALLS[name](f"\ud800{suffix}")


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("spelling", ["h/system=a/p{}", "h/system=a", "h", "h/*/p{}", "h/**/*{}"])
def test_a_folder_with_one_file_names_its_column(spelling, suffix):
    write(f"h/system=a/p{suffix}", RIGHT)
    path = spelling.format(suffix)
    assert {
        name: one["RR"] for name, one in rg.evaluate_frame(path, "RR", run="system").items()
    } == {"a": 1.0}
    columns = {"query": "query_id", "label": "label", "score": "score", "run": "system"}
    assert list(rg.evaluate_batches(path, "RR", **columns)) == ["a"]
    assert rg.evaluate_frame(path, "RR", segment="system").segments == ("a",)
    if os.path.isfile(path) and is_file(path):
        result = rg.evaluate_runs({"q": {"a": 1}}, path, "RR", run="system")
        assert result["a"]["RR"] == 1.0


def test_folders_name_columns_as_hive_writes_them():
    write("year=__HIVE_DEFAULT_PARTITION__/p.csv", RIGHT)
    with pytest.raises(ValueError, match="year has no value"):
        rg.evaluate_frame("year=__HIVE_DEFAULT_PARTITION__/p.csv", "RR", segment="year")
    write("my%20day=a%2Fb/p.csv", RIGHT)
    assert rg.evaluate_frame("my%20day=a%2Fb/p.csv", "RR", segment="my day").segments == ("a/b",)


OTHER = {"file": "g/system=a/p{}", "folder": "g", "two": "two"}


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("spelling", OTHER)
def test_a_column_beside_a_folder_of_its_name_must_agree(spelling, suffix):
    names = (*NAMES, "system")
    write(f"g/system=a/p{suffix}", [(*row, "b") for row in RIGHT], names)
    write(f"two/system=a/p{suffix}", [(*row, "a") for row in RIGHT], names)
    write(f"two/system=c/p{suffix}", [(*row, "b") for row in RIGHT], names)
    path = OTHER[spelling].format(suffix)
    columns = {"query": "query_id", "label": "label", "score": "score", "run": "system"}
    match = r"column 'system' holds 'b', but the file is in the folder 'system=[ac]'"
    with pytest.raises(ValueError, match=match):
        rg.evaluate_frame(path, "RR", run="system")
    with pytest.raises(ValueError, match=match):
        rg.evaluate_batches(path, "RR", **columns)
    if os.path.isfile(path) and is_file(path):
        with pytest.raises(ValueError, match=match):
            rg.evaluate_runs({"q": {"a": 1}}, path, "RR", run="system")
    if spelling != "two":  # a column that is not read may hold anything
        assert rg.evaluate_frame(path, "RR", run=None)["RR"] == 1.0


@pytest.mark.parametrize("suffix", FORMATS)
def test_numbers_agree_with_a_folder_in_any_spelling(suffix):
    names = (*NAMES, "month")
    write(f"month=01/p{suffix}", [(*row, 1) for row in RIGHT], names)
    path = f"month=01/p{suffix}"
    assert len(rg.evaluate_frame(path, "RR", segment="month").segments) == 1
