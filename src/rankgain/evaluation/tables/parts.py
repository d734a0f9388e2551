"""Cut a long table into parts of complete lists: adjacent rows, or some of the queries."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...inputs.layouts import LONGEST
from ..sums.columns import codes_of

if TYPE_CHECKING:
    import pyarrow as pa


STRETCH = 1 << 20  # rows at least that are evaluated together
MIXED = np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing


class FilePart(NamedTuple):
    """Rows of a file, and their numbers, from 0."""

    table: Any  # of pyarrow
    rows: Any


def adjacent_parts(batches: Iterator[Any], by: str) -> Iterator[FilePart]:
    """Cut between lists, where the rows of each list are adjacent."""
    held: list[Any] = []
    first = rows = last = 0  # first row held; number of rows held, and of the last list
    for batch in batches:
        if not batch.num_rows:
            continue
        column = batch.column(by)
        start = _start_of_last(column)
        if held and not start and held[-1].column(by)[-1].as_py() != column[0].as_py():
            last = 0
        held.append(batch)
        rows += batch.num_rows
        last = batch.num_rows - start + (0 if start else last)
        if last > LONGEST:
            raise ValueError(
                f"the list of {column[start].as_py()!r} has more than {LONGEST} rows, "
                f"the most there may be; is {by!r} the column of the queries?"
            )
        if rows >= STRETCH and last < rows:
            table = _table(held)
            yield FilePart(table.slice(0, rows - last), range(first, first + rows - last))
            held = table.slice(rows - last).to_batches()
            first, rows = first + rows - last, last
    if held:
        yield FilePart(_table(held), range(first, first + rows))


def _start_of_last(column: pa.Array) -> int:
    """Where the rows of the last value begin."""
    from pyarrow import compute

    differs = compute.not_equal(column, column[-1]).fill_null(True)
    other = np.flatnonzero(differs.to_numpy(zero_copy_only=False))
    return int(other[-1]) + 1 if other.size else 0


def part_of_queries(batches: Iterator[Any], by: str, at: int, of: int) -> FilePart | None:
    """All rows of the queries whose hash modulo `of` is `at`; None if there are none."""
    import pyarrow

    held, rows, first = [], [], 0
    for batch in batches:
        here = np.flatnonzero(_hashes(batch.column(by)) % np.uint64(of) == at)
        if here.size:
            held.append(batch.take(pyarrow.array(here)))
            rows.append(here + first)
        first += batch.num_rows
    return FilePart(_table(held), np.concatenate(rows)) if held else None


def _hashes(column: pa.Array) -> Any:
    """A number for each value, the same in every batch."""
    from pyarrow import types

    if types.is_integer(column.type) and not column.null_count:
        return (column.to_numpy().astype(np.uint64) * MIXED) >> np.uint64(32)
    if find_spec("polars"):
        import polars

        return polars.Series(column).hash(0).to_numpy()
    result = column.dictionary_encode("encode")
    return codes_of(result.dictionary.to_pylist())[result.indices.to_numpy()]


def _table(batches: list[Any]) -> Any:
    import pyarrow

    tables = [pyarrow.Table.from_batches([one]) for one in batches]
    return pyarrow.concat_tables(tables, promote_options="permissive")
