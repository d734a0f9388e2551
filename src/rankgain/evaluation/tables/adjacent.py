"""Lists of a stream whose rows are adjacent: cut out as they are complete, whatever the batches."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...inputs.layouts import LONGEST
from ...inputs.tables.batch_columns import BatchRows, Reader
from .progress import Progress
from .repeats import Repeats

STRETCH = 1 << 18  # rows at least that are evaluated together


class Adjacent:
    """Rows that wait: whole lists until they are many, and the one that the next batch may go on.

    So there are held: one batch, at least STRETCH rows, and the longest list, twice while they are
    put together.
    """

    def __init__(self, reader: Reader, progress: Progress, by: str) -> None:
        self._reader, self._progress, self._by = reader, progress, by
        self._repeats = Repeats()
        self._ids: list[Any] = []
        self._starts: list[Any] = []
        self._parts: list[BatchRows] = []
        self._rows, self._first, self._lists = 0, 0, 0

    def stretches(self, batches: Any) -> Iterator[BatchRows]:
        """The lists of all batches, whole and one after the other."""
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
        """The first so many lists; the rows of the others go on waiting, as copies of their own."""
        starts = np.concatenate(self._starts)
        columns = [_joined(one) for one in zip(*(part[3:] for part in self._parts), strict=True)]
        end = int(starts[lists]) if lists < len(starts) else self._rows
        whole = [None if one is None else one[:end] for one in columns]
        rest = [None if one is None else one[end:].copy() for one in columns]
        result = BatchRows(self._ids[:lists], starts[:lists], self._first, *whole)
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
    """Whole lists with their segments; apart: those of one segment alone at a time.

    labels: of the numbers in `stretch.segments`, which are those of the column `name`.
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


def _selected(stretch: BatchRows, lists: Any, rows: Any) -> BatchRows:
    """Some lists of a stretch."""
    ids = [stretch.ids[at] for at in np.flatnonzero(lists).tolist()]
    sizes = stretch.sizes[lists]
    columns = (None if one is None else one[rows] for one in stretch[3:])
    return BatchRows(ids, np.cumsum(sizes) - sizes, stretch.first, *columns)
