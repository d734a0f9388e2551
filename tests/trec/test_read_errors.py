"""What a bad file says: its name, the line, its text, and what is wrong."""

import gzip
import io

import pytest

import rankgain as rg
from rankgain.cli import main
from rankgain.trec.by_query import Qrels, Run

GOOD = "1 Q0 a 1 0.5 tag\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1 Q0", "too few fields"),
        ("1", "too few fields"),
        ("1 Q0 b 2", "too few fields"),
        ("1 Q0 b 2 0.5", "rank or the tag missing"),
        ("1 Q0 b 2 tag", "five fields, the score is missing: a run has query, Q0, document"),
        ("1 Q0 b - tag", "the score is missing"),
        ("1 Q0 b 0.5 tag", "five fields, the rank is missing"),
        ("1 Q0 b 2 high tag", "not a number in place of a score"),
        ("1 Q0 b 2 1_0 tag", "not a number"),
        ("1 Q0 b 2 nan tag", "NaN in place of a score"),
        ("1 Q0 b 2 1,5 tag", "not a number"),
        ("1 Q0 a 2 0.25 tag", "comes twice in query '1', first on line 1"),
    ],
)
def test_bad_lines_of_a_run(line, reason, tmp_path):
    path = tmp_path / "run.txt"
    path.write_text(f"{GOOD}# a comment\n\n{line}\n2 Q0 z 1 1 tag\n")
    (tmp_path / "run.gz").write_bytes(gzip.compress(path.read_bytes()))
    for source in (path, tmp_path / "run.gz"):
        with pytest.raises(ValueError, match="line 4") as caught:
            Run.read(source)
        message = str(caught.value)
        assert reason in message
        assert str(source) in message
        assert repr(line) in message
        assert "\n" not in message


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1 0 b", "too few fields"),
        ("1 0 b 1 1", "too many fields"),
        ("1 0 b x", "not a number in place of a label"),
        ("1 0 b nan", "NaN in place of a label"),
        ("1 0 b inf", "a label must be finite"),
        ("1 0 a 2", "comes twice in query '1', first on line 2"),
    ],
)
def test_bad_lines_of_qrels(line, reason, tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text(f"\n1 0 a 1\n2 0 a 1\n{line}\n")
    with pytest.raises(ValueError, match=r"qrels\.txt, line 4: ") as caught:
        Qrels.read(path)
    assert reason in str(caught.value)
    assert repr(line) in str(caught.value)


def test_bad_files(tmp_path):
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    with pytest.raises(ValueError, match="empty: no rows"):
        Run.read(empty)
    empty.write_bytes(b"\n# nothing\n")
    with pytest.raises(ValueError, match="empty: no rows"):
        Qrels.read(empty)
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(ValueError, match=r"binary.*NUL"):
        Run.read(binary)
    with pytest.raises(IsADirectoryError):
        Run.read(tmp_path)
    with pytest.raises(FileNotFoundError):
        Qrels.read(tmp_path / "missing")
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress((GOOD * 1000).encode())[:-20])
    with pytest.raises(ValueError, match=r"cut\.gz: damaged compressed data"):
        Run.read(cut)
    cut.write_bytes(gzip.compress(GOOD.encode())[:-8] + bytes(8))
    with pytest.raises(ValueError, match=r"cut\.gz: damaged compressed data"):
        Run.read(cut)


def test_bad_arguments():
    with pytest.raises(TypeError, match=r"Run cannot be read from int; give a path"):
        Run.read(3)
    with pytest.raises(ValueError, match="duplicates must be one of"):
        Run.read(io.StringIO(GOOD), duplicates="any")
    with pytest.raises(TypeError, match=r"query '1'.*dict of documents"):
        Run({"1": 3})
    with pytest.raises(
        TypeError, match="run: query '1', document 'a': a score must be a number, not 'high'"
    ):
        Run({"1": {"a": "high"}})
    with pytest.raises(TypeError, match=r"qrels: query '1', document 'b': a label .* not None"):
        Qrels({"1": {"a": 1, "b": None}})
    with pytest.raises(TypeError, match=r"query '1'.*string or an integer"):
        Run({"1": {None: 1.0}})
    with pytest.raises(ValueError, match=r"query '1', document 'a'.* not nan"):
        Run({"1": {"a": float("nan")}})
    with pytest.raises(ValueError, match="run: query '1': a score is too large"):
        Run({"1": {"a": 10**400}})
    with pytest.raises(ValueError, match=r"qrels: query '1', document 'b': .*finite"):
        Qrels({"1": {"a": 1, "b": float("inf")}})
    with pytest.raises(ValueError, match=r"run: query '1': .*surrogates"):
        Run({"1": {"\ud800": 1.0}})
    with pytest.raises(ValueError, match=r"'1' comes twice"):
        Run({"q": {1: 1.0, "1": 2.0}})


def test_a_long_line_is_cut_in_the_message():
    with pytest.raises(ValueError, match="line 1: too few fields") as caught:
        Run.read(io.StringIO("x" * 1_000_000))
    assert len(str(caught.value)) < 400


def test_qrels_and_a_run_that_are_exchanged(tmp_path):
    """Said where a line has as many fields as the other file; not of any other wrong number."""
    row = "1 Q0 a 1 0.5 tag\n"
    (tmp_path / "run").write_text(row)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    words = "are the qrels and the run exchanged"
    with pytest.raises(ValueError, match=f"line 1: too many fields, but 6 as in a run: {words}"):
        Qrels.read(tmp_path / "run")
    with pytest.raises(ValueError, match=f"line 1: too few fields, but 4 as in qrels: {words}"):
        rg.evaluate({"1": {"a": 1}}, tmp_path / "qrels", "AP")
    for read, line in ((Qrels.read, "1 0 a"), (Qrels.read, "1 0 b 1 1"), (Run.read, "1 Q0 b")):
        with pytest.raises(ValueError, match=r"too (few|many) fields") as result:
            read(io.StringIO(line))
        assert "exchanged" not in str(result.value)


RANKS = "1 Q0 a 1 tag\n1 Q0 b 2 tag\n1 Q0 c 3 tag\n"
JUDGED = {"1": {"a": 1, "c": 0}}
DOORS = {
    "read": lambda path: Run.read(path),
    "a file object": lambda path: Run.read(io.BytesIO(path.read_bytes())),
    "evaluate": lambda path: rg.evaluate(JUDGED, path, "AP"),
    "with threads": lambda path: rg.evaluate(JUDGED, path, "AP", threads=2),
    "with scores": lambda path: rg.evaluate(JUDGED, path, "AP", ties="average"),
    "a stream": lambda path: rg.evaluate(JUDGED, io.BytesIO(path.read_bytes()), "AP"),
    "evaluate_runs": lambda path: rg.evaluate_runs(JUDGED, {"a": path}, "AP"),
}


@pytest.mark.parametrize("name", ["run.txt", "run.csv"])
@pytest.mark.parametrize("door", DOORS)
def test_ranks_are_no_scores(door, name, tmp_path):
    (tmp_path / name).write_text(RANKS)
    with pytest.raises(ValueError, match=r"line 1: five fields, the score is missing"):
        DOORS[door](tmp_path / name)


def test_the_commands_refuse_ranks_without_scores(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text(RANKS)
    for arguments in (
        ["evaluate", "qrels", "run", "-m", "AP"],
        ["explain", "qrels", "run", "--query", "1"],
        ["reconcile", "qrels", "run", "trec", "ranx", "-m", "AP"],
    ):
        assert main(arguments) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith("rankgain: run, line 1: five fields, the score is missing")
    assert main(["trec_eval", "qrels", "run"]) == 2
    assert capfd.readouterr().err.startswith("trec_eval.get_results: Malformed line 1\n")
