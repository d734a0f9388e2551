"""What a bad file says: its name, the line, its text, and what is wrong."""

import gzip
import io
import math

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


# ---- of several faults the first is named, in every form


def as_text(rows, start=""):
    return io.StringIO(start + "".join(f"{q} 0 {d} {number}\n" for q, d, number in rows))


def as_dicts(rows, number="label"):
    return [dict(zip(("query_id", "doc_id", number), row, strict=True)) for row in rows]


def as_frame(rows, number="label"):
    pytest.importorskip("narwhals")
    return pytest.importorskip("pandas").DataFrame(as_dicts(rows, number)).assign(part="s")


def nested(rows, of_document):
    judged = {}
    for query, document, number in rows:
        judged.setdefault(query, {})[document] = of_document(number)
    return judged


# Of each form how it is read, and how it names the second row.
QRELS_FORMS = {
    "file": (lambda rows: Qrels(as_text(rows)), "line 2"),
    "file with a comment": (lambda rows: Qrels(as_text(rows, "# c\n\n")), "line 4"),
    "subtopics": (lambda rows: Qrels(as_text(rows), subtopics=True), "line 2"),
    "rows": (lambda rows: Qrels(as_dicts(rows)), "row 2"),
    "frame": (lambda rows: Qrels(as_frame(rows)), "row 2"),
    "frame of parts": (lambda rows: Qrels.from_frame(as_frame(rows), subtopic="part"), "row 2"),
    "dict": (lambda rows: Qrels(nested(rows, lambda label: label)), "query 'q', document 'b'"),
    "dict of parts": (
        lambda rows: Qrels(nested(rows, lambda label: {"s": label})),
        "query 'q', document 'b'",
    ),
}
RUN_FORMS = {
    "rows": (lambda rows: Run(as_dicts(rows, "score")), "row 2"),
    "frame": (lambda rows: Run(as_frame(rows, "score")), "row 2"),
    "dict": (lambda rows: Run(nested(rows, lambda score: score)), "query 'q', document 'b'"),
}


def faulty(number):
    """Rows of which the second and the last have a number that is none."""
    return [("q", "a", 1), ("q", "b", number), ("q", "c", 0), ("r", "d", 2), ("r", "e", number)]


@pytest.mark.parametrize("form", QRELS_FORMS)
@pytest.mark.parametrize("label", [math.inf, -math.inf, math.nan, "high"])
def test_the_first_label_that_is_no_number_is_named(label, form):
    read, place = QRELS_FORMS[form]
    with pytest.raises((ValueError, TypeError), match=rf"{place}(?!\d)"):
        read(faulty(label))


@pytest.mark.parametrize("form", RUN_FORMS)
@pytest.mark.parametrize("score", [math.nan, "high"])
def test_the_first_score_that_is_no_number_is_named(score, form):
    read, place = RUN_FORMS[form]
    with pytest.raises((ValueError, TypeError), match=rf"{place}(?!\d)"):
        read(faulty(score))


@pytest.mark.parametrize("form", [name for name in QRELS_FORMS if "dict" not in name])
def test_the_first_judgment_that_contradicts_another_is_named(form):
    read, place = QRELS_FORMS[form]
    rows = [("q", "a", 1), ("q", "a", 2), ("q", "b", 0), ("r", "c", 1), ("r", "c", 2)]
    with pytest.raises(ValueError, match=rf"{place}(?!\d).*document 'a'"):
        read(rows)


def test_rows_with_names_may_be_of_several_kinds():
    class Judged:
        def __init__(self, query_id, doc_id, label):
            self.query_id, self.doc_id, self.label = query_id, doc_id, label

    rows = [("q", "a", 1), ("q", "b", 2), ("r", "a", 0), ("r", "c", 3)]
    dicts, objects = as_dicts(rows), [Judged(*row) for row in rows]
    expected = Qrels(dicts)
    for mixed in (dicts[:2] + objects[2:], objects[:1] + dicts[1:3] + objects[3:]):
        assert Qrels(mixed) == expected
