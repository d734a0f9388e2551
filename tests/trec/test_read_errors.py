"""What a bad file says: its name, the line, its text, and what is wrong."""

import gzip
import io

import pytest

from rankgain.trec.by_query import Qrels, Run

GOOD = "1 Q0 a 1 0.5 tag\n"


@pytest.mark.parametrize(("line", "reason"), [
    ("1 Q0", "too few fields"),
    ("1", "too few fields"),
    ("1 Q0 b 2", "too few fields"),
    ("1 Q0 b 2 0.5", "rank or the tag missing"),
    ("1 Q0 b 2 tag", "five fields, the score is missing: a run has query, Q0, document"),
    ("1 Q0 b - tag", "the score is missing"),
    ("1 Q0 b 0.5 tag", "five fields, the rank is missing"),
    ("1 Q0 b 2 high tag", "expected a number as the score"),
    ("1 Q0 b 2 1_0 tag", "expected a number as the score"),
    ("1 Q0 b 2 nan tag", "the score is NaN"),
    ("1 Q0 b 2 1,5 tag", "expected a number as the score"),
    ("1 Q0 a 2 0.25 tag", "comes twice in query '1', first on line 1"),
])  # fmt: skip
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


@pytest.mark.parametrize(("line", "reason"), [
    ("1 0 b", "too few fields"),
    ("1 0 b 1 1", "too many fields"),
    ("1 0 b x", "expected a number as the label"),
    ("1 0 b nan", "the label is NaN"),
    ("1 0 b inf", "a label must be finite"),
    ("1 0 a 2", "comes twice in query '1', first on line 2"),
])  # fmt: skip
def test_bad_lines_of_qrels(line, reason, tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text(f"\n1 0 a 1\n2 0 a 1\n{line}\n")
    with pytest.raises(ValueError, match=r"qrels\.txt, line 4: ") as caught:
        Qrels.read(path)
    assert reason in str(caught.value)
    assert repr(line) in str(caught.value)


def test_bad_files(tmp_path):
    empty = tmp_path / "empty"
    for content, kind in ((b"", Run), (b"\n# nothing\n", Qrels)):
        empty.write_bytes(content)
        with pytest.raises(ValueError, match="empty: no rows"):
            kind.read(empty)
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(ValueError, match=r"binary.*NUL"):
        Run.read(binary)
    with pytest.raises(IsADirectoryError):
        Run.read(tmp_path)
    with pytest.raises(FileNotFoundError):
        Qrels.read(tmp_path / "missing")
    cut, packed = tmp_path / "cut.gz", gzip.compress(GOOD.encode())
    for content in (gzip.compress((GOOD * 1000).encode())[:-20], packed[:-8] + bytes(8)):
        cut.write_bytes(content)
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


def test_a_wrong_line_of_judgments_for_training_is_counted_from_1(tmp_path):
    path = tmp_path / "judgments"
    path.write_text("# a comment\n1 qid:1 # d\n1 qid:2\n")
    with pytest.raises(ValueError, match="line 3: there is no document"):
        Qrels(str(path))
