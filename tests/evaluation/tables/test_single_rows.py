"""Warnings of tables without rows, and of tables whose lists have one row each."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")
pyarrow = pytest.importorskip("pyarrow")

NAMES = {"query": "q", "label": "y", "score": "s"}


def as_table(queries: list[Any]) -> Any:
    n = len(queries)
    scores = {"s": [float(row % 7) for row in range(n)], "t": [float(-row) for row in range(n)]}
    labels = [float(row % 2) for row in range(n)]
    return pandas.DataFrame({"q": queries, "y": labels, **scores, "m": ["a", "b"] * (n // 2)})


def messages(call: Callable[[], Any]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(warning.category is rg.RankgainWarning for warning in caught)
    assert {warning.filename for warning in caught} <= {__file__}
    return [str(warning.message) for warning in caught]


def in_parts(table: Any) -> Any:
    """Record batches of three rows."""
    return iter(pyarrow.Table.from_pandas(table, preserve_index=False).to_batches(max_chunksize=3))


CALLS: dict[str, Callable[[Any], Any]] = {
    "frame": lambda table: rg.evaluate_frame(table, "AP", run=None, **NAMES),
    "usual names": lambda table: rg.evaluate_frame(
        table.rename(columns={"q": "query", "y": "label", "s": "score"}), "AP"
    ),
    "two scores": lambda table: rg.evaluate_frame(
        table, "AP", query="q", label="y", score={"x": "s", "z": "t"}
    ),
    "stream": lambda table: rg.evaluate_batches(in_parts(table), "AP", run=None, **NAMES),
    "sums": lambda table: rg.evaluate_batches(
        in_parts(table), "AP", run=None, keep="sums", **NAMES
    ),
    "any order": lambda table: rg.evaluate_batches(table, "AP", run=None, order="any", **NAMES),
}
BY_SYSTEM: dict[str, Callable[[Any], Any]] = {
    "frame by run": lambda table: rg.evaluate_frame(table, "AP", run="m", **NAMES),
    "stream by run": lambda table: rg.evaluate_batches(in_parts(table), "AP", run="m", **NAMES),
    "any order by run": lambda table: rg.evaluate_batches(
        table, "AP", run="m", order="any", **NAMES
    ),
}


@pytest.mark.parametrize("name", [*CALLS, *BY_SYSTEM])
def test_lists_of_one_row_each_warn_with_their_number(name: str) -> None:
    call = (CALLS | BY_SYSTEM)[name]
    (message,) = messages(lambda: call(as_table(list(range(10)))))
    assert ": each of the 10 lists has one row, so there is nothing to rank. " in message
    assert "Check that query='q" in message


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_one_longer_list_and_a_single_list_are_silent(call: Any) -> None:
    # The longer list comes first, in the middle and last, and so in another batch.
    for repeated in (0, 4, 8):
        queries = sorted([*range(9), repeated])
        assert messages(lambda queries=queries: call(as_table(queries))) == []
    assert messages(lambda: call(as_table(["one"] * 2))) == []
    assert messages(lambda: call(as_table([0, 1]).iloc[:1])) == []


@pytest.mark.parametrize("name", CALLS)
def test_a_table_without_rows_warns_unless_it_is_a_part_of_sums(name: str) -> None:
    found = messages(lambda: CALLS[name](as_table([0, 1]).iloc[:0]))
    if name == "sums":
        assert found == []
    else:
        assert len(found) == 1
        assert found[0].endswith(" has no rows, so nothing was evaluated")


def test_systems_with_one_row_for_each_query_warn() -> None:
    # Each system has one document of each query, though each query has two rows.
    table = as_table([0, 0, 1, 1, 2, 2])
    for call in BY_SYSTEM.values():
        shown = table.sort_values(["m", "q"], kind="stable")
        (message,) = messages(lambda call=call, shown=shown: call(shown))
        assert "each of the 6 lists has one row" in message


def test_single_ranks_are_places_in_longer_lists() -> None:
    table = pandas.DataFrame({"q": [1, 2, 3], "y": [1, 1, 1], "rank": [3, 1, 7]})
    for result in (
        lambda: rg.evaluate_frame(table, "RR", query="q", label="y", rank="rank"),
        lambda: rg.evaluate_batches(
            pyarrow.Table.from_pandas(table), "RR", query="q", label="y", rank="rank"
        ),
    ):
        assert messages(result) == []
    no_rows = pyarrow.Table.from_pandas(table.iloc[:0])
    columns = {"query": "q", "label": "y", "rank": "rank"}
    for order in ("sorted", "any"):
        (message,) = messages(
            lambda order=order: rg.evaluate_batches(no_rows, "RR", order=order, **columns)
        )
        assert message == "the stream has no rows, so nothing was evaluated"


def test_judgments_in_another_table_leave_one_retrieved_document_silent() -> None:
    table = pandas.DataFrame({"query": [1, 2], "doc": ["a", "b"], "score": [0.5, 0.25]})
    truth = pandas.DataFrame({"query": [1, 2], "doc": ["a", "c"], "label": [1, 1]})
    assert messages(lambda: rg.evaluate_frame(table, "AP", truth=truth)) == []


def test_several_columns_of_queries_are_named_together() -> None:
    table = as_table([0, 0, 1, 1])
    columns = {**NAMES, "query": ["q", "m"]}
    (message,) = messages(lambda: rg.evaluate_frame(table, "AP", **columns))
    assert message.endswith("Check that query=['q', 'm'] names the queries or users, not the rows")


def test_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    table = as_table(list(range(4)))
    table.to_csv(path, index=False)
    (message,) = messages(lambda: rg.evaluate_frame(path, "AP", run=None, **NAMES))
    assert message.startswith(f"{path}: each of the 4 lists has one row")
    table.iloc[:0].to_csv(path, index=False)
    (message,) = messages(lambda: rg.evaluate_frame(path, "AP", run=None, **NAMES))
    assert message == f"{path} has no rows, so nothing was evaluated"


def test_rows_that_are_ignored_still_make_longer_lists() -> None:
    table = as_table([0, 0, 1, 1])
    assert messages(lambda: rg.evaluate_frame(table, "AP", run=None, ignore=0, **NAMES)) == []
