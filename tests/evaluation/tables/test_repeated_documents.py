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
    assert rg.evaluate_frame(frame, "RR", doc=None).means == {"RR": 1 / 3}


@pytest.mark.parametrize("change", [
    lambda rows: rows.rename(columns={"doc_id": "passage"}),
    lambda rows: rows.assign(item_id=["a", "b"]),  # which of the two?
    lambda rows: rows.assign(doc_id=["a", None]),
], ids=["another name", "two names", "a missing id"])  # fmt: skip
def test_what_is_not_looked_at(change):
    rows = change(systems())
    assert rg.evaluate_frame(rows, "RR") == rg.evaluate_frame(rows, "RR", doc=None)


def test_a_long_file_in_parts(tmp_path):
    pytest.importorskip("pyarrow")
    rows = pandas.concat([systems(times=5).assign(query_id=f"q{i}") for i in range(9)])
    rows = rows[rows["score"].lt(0.5) | (rows["query_id"] == "q7")]
    rows.assign(note="x" * 90).to_csv(tmp_path / "rows.csv", index=False)
    with pytest.raises(
        ValueError, match=r"row 41.*: query 'q7' has the document 'd0' a second time"
    ):
        rg.evaluate_frame(tmp_path / "rows.csv", "RR")


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
