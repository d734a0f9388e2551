"""What a bad file says: its name, the line, its text, and what is wrong."""

import gzip
import io
import math

import pytest

from rankgain.trec.by_query import Qrels, Run

GOOD = "1 Q0 a 1 0.5 tag\n"


def test_bad_files(tmp_path):
    empty = tmp_path / "empty"
    cases = (b"", Run, "empty is empty"), (b"\n# nothing\n", Qrels, "empty: no rows")
    for content, kind, words in cases:
        empty.write_bytes(content)
        with pytest.raises(ValueError, match=words):
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
