"""Cut complete lists out of a stream of batches in which the rows of a list are adjacent."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...inputs.layouts import LONGEST
from ...inputs.tables.batch_columns import BatchRows, Reader
from .repeats import Repeats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...inputs.types import Array


EVERY = 0.5  # seconds between two lines of progress
STRETCH = 1 << 18  # rows at least that are evaluated together


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


class Adjacent:
    """A buffer of complete lists, and of the last list, which the next batch may continue.

    Memory: one batch, at least STRETCH rows, and the longest list; twice while they are joined.
    """

    def __init__(self, reader: Reader, progress: Progress, by: str) -> None:
        self._reader, self._progress, self._by = reader, progress, by
        self._repeats = Repeats()
        self._ids: list[Any] = []
        self._starts: list[Any] = []
        self._parts: list[BatchRows] = []
        self._rows, self._first, self._lists = 0, 0, 0

    def stretches(self, batches: Iterable[BatchRows]) -> Iterator[BatchRows]:
        """Yield stretches of complete lists."""
        for batch in batches:
            rows = self._reader.read(batch)
            if rows.ids:
                self._take(rows)
            self._progress.tell(self._reader.rows, self._lists)
            if self._rows >= STRETCH and len(self._ids) > 1:
                yield self._cut(len(self._ids) - 1)
            elif self._rows - int(self._starts[-1][-1] if self._ids else 0) > LONGEST:
                raise ValueError(
                    f"the list of {self._ids[-1]!r} has more than {LONGEST} rows, the most there "
                    f"may be; is {self._by!r} the column of the queries?"
                )
        if self._ids:
            yield self._cut(len(self._ids))

    def _take(self, rows: BatchRows) -> None:
        goes_on = bool(self._ids) and self._ids[-1] == rows.ids[0]
        self._ids += rows.ids[goes_on:]
        self._starts.append(rows.starts[goes_on:] + self._rows)
        if not len(self._starts[-1]):
            self._starts.pop()
        self._parts.append(rows)
        self._rows += len(rows.labels)

    def _cut(self, lists: int) -> BatchRows:
        """Take the first lists out of the buffer; the rows of the others are copied."""
        starts = np.concatenate(self._starts)
        columns = [_joined(one) for one in zip(*(part[3:] for part in self._parts), strict=True)]
        end = int(starts[lists]) if lists < len(starts) else self._rows
        complete = [None if one is None else one[:end] for one in columns]
        rest = [None if one is None else one[end:].copy() for one in columns]
        result = BatchRows(self._ids[:lists], starts[:lists], self._first, *complete)
        self._refuse_repeats(result)
        self._parts = [BatchRows([], None, self._first + end, *rest)] if end < self._rows else []
        self._starts = [starts[lists:] - end] if lists < len(starts) else []
        self._ids = self._ids[lists:]
        self._rows -= end
        self._first += end
        self._lists += lists
        return result

    def _refuse_repeats(self, result: BatchRows) -> None:
        at = self._repeats.add(result.ids)
        if at is not None:
            row = result.first + int(result.starts[at]) + 1
            raise ValueError(
                f"row {row} of the stream: {result.ids[at]!r} comes back after other queries, but "
                f'the rows of one list must be adjacent; sort by {self._by!r}, or give order="any"'
            )


def _joined(parts: Any) -> Any:
    return None if parts[0] is None else parts[0] if len(parts) == 1 else np.concatenate(parts)


def by_segment(
    stretch: BatchRows, name: str | None, labels: list[Any], apart: bool
) -> Iterator[tuple[BatchRows, list[Any] | None]]:
    """Yield lists with the segment of each; apart=True yields one segment at a time.

    labels: the labels by number in `stretch.segments`; name: the column, for errors.
    """
    if stretch.segments is None:
        yield stretch, None
        return
    codes = stretch.segments[stretch.starts]
    of_rows = np.repeat(codes, stretch.sizes)
    differs = np.flatnonzero(stretch.segments != of_rows)
    if differs.size:
        at = int(differs[0])
        query = stretch.ids[int(np.searchsorted(stretch.starts, at, side="right")) - 1]
        raise ValueError(
            f"row {stretch.first + at + 1} of the stream: {name} is "
            f"{labels[stretch.segments[at]]!r}, but {labels[of_rows[at]]!r} in the first row of "
            f"{query!r}; all rows of a list must have one"
        )
    result = np.unique(codes)
    if not apart or len(result) == 1:
        yield stretch, [labels[code] for code in codes.tolist()]
        return
    for code in result.tolist():
        part = _selected(stretch, codes == code, of_rows == code)
        yield part, [labels[code]] * len(part.ids)


def _selected(stretch: BatchRows, lists: Array, rows: Array) -> BatchRows:
    """Select lists of a stretch."""
    ids = [stretch.ids[at] for at in np.flatnonzero(lists).tolist()]
    sizes = stretch.sizes[lists]
    columns = (None if one is None else one[rows] for one in stretch[3:])
    return BatchRows(ids, np.cumsum(sizes) - sizes, stretch.first, *columns)
