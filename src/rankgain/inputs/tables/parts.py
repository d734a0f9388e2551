"""Streams of rows in parts of complete lists, cut between adjacent rows or chosen by query."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from ..grouping import codes_of
from ..lists import LONGEST

if TYPE_CHECKING:
    import pyarrow as pa


MIXED = np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing
EVERY = 0.5  # seconds between two lines of progress
Rows = TypeVar("Rows")


class Piece(NamedTuple):
    """Rows as they were read, and the lists at their two ends."""

    rows: Any
    size: int
    last_start: int  # the first row of the last list
    first_query: Any
    last_query: Any


def adjacent_parts(
    pieces: Iterable[Piece],
    joined: Callable[[list[Any]], Rows],
    cut: Callable[[Rows, int], tuple[Rows, Rows]],
    by: str,
    least: int,
) -> Iterator[Rows]:
    """Cut a stream between lists, where the rows of each list are adjacent.

    Each part but the last has at least `least` rows. The last list waits for the next piece, which
    may continue it. joined: concatenates pieces; cut: splits rows at a position; by: the column of
    the queries, for the error.
    """
    pending: list[Any] = []
    rows = last = 0  # pending rows, and those of the last list
    query: Any = None  # of the last list
    for piece in pieces:
        continues = piece.first_query == query and not piece.last_start
        last = piece.size - piece.last_start + (last if pending and continues else 0)
        query = piece.last_query
        pending.append(piece.rows)
        rows += piece.size
        if last > LONGEST:
            raise ValueError(
                f"the list of {query!r} has more than {LONGEST} rows, the most there may be; is "
                f"{by!r} the column of the queries?"
            )
        if rows >= least and last < rows:
            part, rest = cut(joined(pending), rows - last)
            pending, rows = [rest], last  # set before the part is used, to free the pieces
            yield part
    if pending:
        part, pending = joined(pending), []
        yield part


class FilePart(NamedTuple):
    """Rows of a file, and their numbers, from 0."""

    table: Any  # of pyarrow
    rows: Any


def adjacent_file_parts(batches: Iterable[Any], by: str, least: int) -> Iterator[FilePart]:
    """Cut the record batches of a file between lists, where the rows of each list are adjacent."""
    pieces = (
        Piece(one, one.num_rows, _start_of_last(column), column[0].as_py(), column[-1].as_py())
        for one in batches
        if one.num_rows and (column := one.column(by)) is not None
    )
    first = 0
    for table in adjacent_parts(
        pieces, _table, lambda table, at: (table.slice(0, at), table.slice(at)), by, least
    ):
        yield FilePart(table, range(first, first + table.num_rows))
        first += table.num_rows


def _start_of_last(column: pa.Array) -> int:
    """The first row of the last value."""
    from pyarrow import compute

    differs = compute.not_equal(column, column[-1]).fill_null(True)
    other = np.flatnonzero(differs.to_numpy(zero_copy_only=False))
    return int(other[-1]) + 1 if other.size else 0


def part_of_queries(batches: Iterator[Any], by: str, at: int, of: int) -> FilePart | None:
    """All rows of the queries whose hash modulo `of` is `at`; None if there are none."""
    import pyarrow

    selected, rows, first = [], [], 0
    for batch in batches:
        here = np.flatnonzero(_hashes(batch.column(by)) % np.uint64(of) == at)
        if here.size:
            selected.append(batch.take(pyarrow.array(here)))
            rows.append(here + first)
        first += batch.num_rows
    return FilePart(_table(selected), np.concatenate(rows)) if selected else None


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
    """One table of batches and tables."""
    import pyarrow

    tables = [
        one if isinstance(one, pyarrow.Table) else pyarrow.Table.from_batches([one])
        for one in batches
    ]
    return pyarrow.concat_tables(tables, promote_options="permissive")


class Progress:
    """Writes the number of rows and lists to standard error, if that is a terminal."""

    def __init__(self, enabled: bool | None, what: str = "") -> None:
        self._enabled = sys.stderr.isatty() if enabled is None else bool(enabled)
        self._what, self._start, self._last, self._width = what, time.monotonic(), 0.0, 0

    def tell(self, rows: int, lists: int | None = None) -> None:
        """Show the numbers so far."""
        now = time.monotonic()
        if not self._enabled or now - self._last < EVERY:
            return
        self._last = now
        counted = "" if lists is None else f", {lists:,} lists"
        self._write(f"{self._what}{rows:,} rows{counted}, {now - self._start:.0f} s")

    def close(self) -> None:
        """Clear the line."""
        if self._width:
            self._write("")
            self._width = 0

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text:<{self._width}}" + ("" if text else "\r"))
        sys.stderr.flush()
        self._width = len(text)
