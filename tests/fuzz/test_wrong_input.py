"""Inputs that were read wrongly in silence, or refused in words that name no argument."""

import io
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from rankgain.cli.evaluate import read_segments


@pytest.mark.parametrize("read", [rg.Run, lambda file: rg.evaluate({"q": {"a": 1}}, file, "AP")])
def test_a_stream_in_utf_16_stays_open_after_an_error(read: Any) -> None:
    stream = io.BytesIO("q Q0 a 1 2 t\nq Q0 a 2 1 t\n".encode("utf-16"))
    with pytest.raises(ValueError, match="'a' comes twice"):
        read(stream)
    assert not stream.closed


def test_columns_of_a_cursor_with_one_name_are_refused() -> None:
    columns = "'q' query, 'a' doc, 1 label, 0 above, 1 equal, 2 size, true retrieved"
    cursor = sqlite3.connect(":memory:").execute(f"select {columns}, 1 as above")
    with pytest.raises(ValueError, match="two columns are called 'above'; rename one"):
        rg.evaluate_counts(cursor, "RR")


def test_a_role_of_counts_without_a_column_is_refused() -> None:
    row = dict.fromkeys(("query", "doc", "label", "above", "equal", "size", "retrieved"), 1)
    with pytest.raises(TypeError, match="query must be the name of a column, not None"):
        rg.evaluate_counts([row], "RR", query=None)  # type: ignore[arg-type]


def test_rows_of_segments_end_at_line_feeds_alone(tmp_path: Path) -> None:
    path = tmp_path / "segments"
    path.write_text("q1\tA\nq2\tC\fD\u2028E\n", encoding="utf-8")
    assert read_segments(path) == {"q1": "A", "q2": "C\fD\u2028E"}
    path.write_bytes(b"q1\t\xff\n")
    with pytest.raises(ValueError, match="segments: not UTF-8"):
        read_segments(path)


def test_systems_of_json_lines_whose_names_differ_in_type_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("narwhals")
    path = tmp_path / "rows.jsonl"
    row = '{"m": %s, "query": "q%d", "retrieved": ["a"], "relevant": ["a"]}\n'
    path.write_text(row % ("1", 1) + row % ('"1"', 2))
    with pytest.raises(ValueError, match="line 2: two systems in 'm' are called '1' as text"):
        rg.evaluate_ids(path, measures="RR", run="m")
    path.write_text(row % ("1", 1))
    with pytest.raises(TypeError, match="systems=True needs a mapping name -> rankings"):
        rg.evaluate_ids(path, measures="RR", systems=True)


@pytest.mark.parametrize("argument", ["query", "score"])
def test_a_column_of_several_that_is_none_is_refused(argument: str) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    frame = pandas.DataFrame({"query_id": [1], "label": [1], "score": [1.0]})
    with pytest.raises(TypeError, match=f"{argument} must hold names of columns, not None"):
        rg.evaluate_frame(frame, "RR", **{argument: [None]})


def test_two_columns_of_arrow_with_one_name_are_refused() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")
    table = pyarrow.table([[1], [1], [1.0], [2.0]], names=["query_id", "label", "score", "score"])
    with pytest.raises(ValueError, match="the Table: two columns are called 'score'; rename one"):
        rg.evaluate_frame(table, "RR")


def test_measures_and_ties_of_another_type_are_named() -> None:
    with pytest.raises(TypeError, match="measures are a name, a Measure or a list of them, not 0"):
        rg.evaluate_ids([["x"]], [["x"]], 0)  # type: ignore[arg-type]
    pytest.importorskip("sqlglot")
    with pytest.raises(ValueError, match="ties"):
        rg.sql("AP", dialect="sqlite", truth="a", run="b", ties=["id"])  # type: ignore[arg-type]
