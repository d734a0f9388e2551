"""A document twice in a list of a table: a column of a usual name is looked at."""

import numpy as np
import pytest

import rankgain as rg
from frame_forms import in_form

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

KINDS = ["pandas", "pandas objects", "polars", "arrow", "csv", "parquet"]


def systems(ids="text", times=1):
    """Two systems that rank the same documents, row by row."""
    rows = 2 * times
    documents = [f"d{i}" for i in range(times)]
    if ids == "integers":
        documents = list(range(2**60, 2**60 + times))  # as doubles they would be equal
    elif ids == "categories":
        documents = pandas.Categorical(documents * 2)
    return pandas.DataFrame({
        "query_id": ["q"] * rows,
        "doc_id": documents * 2 if isinstance(documents, list) else documents,
        "label": [1, *[0] * (times - 1)] * 2,
        "score": np.arange(rows) / rows,
    })  # fmt: skip


def as_kind(frame, kind, folder):
    if kind == "pandas objects":
        return frame.astype({"doc_id": object})
    return in_form(frame, kind, folder)


@pytest.mark.parametrize("ids", ["text", "integers", "categories"])
@pytest.mark.parametrize("kind", KINDS)
def test_two_systems_in_a_table_are_refused(kind, ids, tmp_path):
    frame = as_kind(systems(ids, times=3), kind, tmp_path)
    words = (
        r"row 4.*: query 'q' has the document .* a second time, first in row \d; pass "
        r'duplicates="first" to keep the first row, run= with .* doc=None if'
    )
    with pytest.raises(ValueError, match=words):
        rg.evaluate_frame(frame, "RR")
    with pytest.raises(
        ValueError, match=r'row 4.*; pass duplicates="first" to keep the first row$'
    ):
        rg.evaluate_frame(frame, "RR", doc="doc_id")
    assert rg.evaluate_frame(frame, "RR", doc=None).means == {"RR": 1 / 3}


@pytest.mark.parametrize("name", ["docno", "item_id", "itemId", "corpus-id"])
def test_a_usual_name(name):
    with pytest.raises(ValueError, match=f"doc=None if '{name}' does not identify"):
        rg.evaluate_frame(systems().rename(columns={"doc_id": name}), "RR")


@pytest.mark.parametrize("change", [
    lambda rows: rows.rename(columns={"doc_id": "passage"}),
    lambda rows: rows.assign(item_id=["a", "b"]),  # which of the two?
    lambda rows: rows.assign(doc_id=["a", None]),
], ids=["another name", "two names", "a missing id"])  # fmt: skip
def test_what_is_not_looked_at(change):
    rows = change(systems())
    assert rg.evaluate_frame(rows, "RR") == rg.evaluate_frame(rows, "RR", doc=None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("named", [{}, {"doc": "doc_id"}, {"ignore": -1}, {"bounds": "ties"}])
def test_the_row_of_a_repeat_is_that_of_the_table(kind, named, tmp_path):
    """The rows of a list may be apart, and lists may begin in any order."""
    queries, documents = list("bacabcbca"), ["d", "d", "e", "f", "e", "g", "g", "e", "d"]
    frame = pandas.DataFrame({
        "query_id": queries, "doc_id": documents, "label": [1, 0, 0] * 3, "score": np.arange(9.0),
    })  # fmt: skip
    # Both 'c' and 'a' have a document twice; 'a' is the first list of the two.
    words = "has the document 'd' a second time, first in row 2;"
    with pytest.raises(ValueError, match=rf"row 9\b.*: query 'a' {words}"):
        rg.evaluate_frame(as_kind(frame, kind, tmp_path), "RR", **named)
    without = frame.drop(index=8)
    words = "has the document 'e' a second time, first in row 3;"
    with pytest.raises(ValueError, match=rf"row 8\b.*: query 'c' {words}"):
        rg.evaluate_frame(as_kind(without, kind, tmp_path), "RR", **named)


def test_a_long_file_in_parts(tmp_path):
    pytest.importorskip("pyarrow")
    rows = pandas.concat([systems(times=5).assign(query_id=f"q{i}") for i in range(9)])
    rows = rows[rows["score"].lt(0.5) | (rows["query_id"] == "q7")]
    rows.assign(note="x" * 90).to_csv(tmp_path / "rows.csv", index=False)
    with pytest.raises(
        ValueError, match=r"row 41.*: query 'q7' has the document 'd0' a second time"
    ):
        rg.evaluate_frame(tmp_path / "rows.csv", "RR")


def test_the_first_row_may_be_in_another_file(tmp_path):
    for name, part in (("1.csv", systems()[:1]), ("2.csv", systems()[:1])):
        part.to_csv(tmp_path / name, index=False)
    words = r"2\.csv, row 1: .* a second time, first in .*1\.csv, row 1; pass"
    with pytest.raises(ValueError, match=words):
        rg.evaluate_frame(tmp_path, "RR")


def test_the_command(tmp_path, capsys):
    from rankgain.cli import main

    systems().to_csv(tmp_path / "rows.csv", index=False)
    line = ["table", str(tmp_path / "rows.csv"), "-m", "RR"]
    assert main(line) == 2
    error = capsys.readouterr().err
    assert "pass --duplicates first to keep the first row, --run with the column" in error
    assert error.endswith("or --doc none if 'doc_id' does not identify documents\n")
    assert main([*line, "--doc", "none"]) == 0
    assert "1.0000" in capsys.readouterr().out


@pytest.mark.parametrize("policy", ["first", "best", "in_place"])
@pytest.mark.parametrize("label", [-1, 2])
def test_a_label_counts_once_below_0_too(policy, label):
    rows = pandas.DataFrame(
        {"query": "q", "doc": ["a", "b", "a"], "label": [label, 0, label], "score": [3.0, 2.0, 1.0]}
    )
    assert rg.evaluate_frame(rows, "DCG", duplicates=policy)["DCG"] == label
