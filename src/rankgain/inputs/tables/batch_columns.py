"""Columns of record batches as arrays; errors name the row of a missing or wrong value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..arrays import EXACT, refuse_rounded
from .record_batches import pyarrow

if TYPE_CHECKING:
    import pyarrow as pa

    from ..types import Array


class Names(NamedTuple):
    """The names of the requested columns."""

    by: str
    label: str
    score: str
    weight: str | None
    segment: str | None

    @property
    def columns(self) -> list[str]:
        return [one for one in self if one is not None]

    @property
    def keys(self) -> list[str]:
        """The columns of ids and labels, which are read as text from a text file."""
        return [one for one in (self.by, self.segment) if one is not None]


class BatchRows(NamedTuple):
    """Consecutive rows of a stream, in lists: runs of rows of one query."""

    ids: list[Any]  # the query of each list
    starts: Any  # the first row of each list, counted from the first of these rows
    first: int  # the number of the first of these rows in the stream, from 0
    labels: Any
    scores: Any
    weights: Any
    segments: Any  # numbers of labels in Reader.segments

    @property
    def sizes(self) -> Any:
        """The number of rows of each list."""
        return np.diff(np.append(self.starts, len(self.labels)))

    @property
    def columns(self) -> tuple[Any, ...]:
        """Labels, scores, weights and segments; None for a column that there is not."""
        return self[3:]


class Reader:
    """Reads batches and counts their rows; a column must have the same type in all batches."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._types: dict[str, Any] = {}
        self._batch = 0
        self.segments: list[Any] = []  # the labels of segments in the order of their numbers
        self._codes: dict[Any, int] = {}
        self.rows = 0  # of the batches that were read
        for role, one in names._asdict().items():
            if one is not None and not isinstance(one, str):
                raise TypeError(f"{role} must be the name of a column, not {one!r}")

    def read(self, batch: pa.RecordBatch) -> BatchRows:
        """Read one batch."""
        by, label, score, weight, segment = self._names
        columns = {name: self._column(batch, name) for name in self._names.columns}
        ids, starts = self._runs(columns[by])
        labels = self._numbers(columns[label], label, finite=True)
        scores = self._numbers(columns[score], score)
        weights = None if weight is None else self._numbers(columns[weight], weight, finite=True)
        segments = None if segment is None else self._labels(columns[segment], segment)
        result = BatchRows(ids, starts, self.rows, labels, scores, weights, segments)
        self.rows += batch.num_rows
        self._batch += 1
        return result

    def _column(self, batch: pa.RecordBatch, name: str) -> Any:
        names = batch.schema.names
        if names.count(name) != 1:
            what = "no column" if name not in names else "more than one column"
            raise ValueError(
                f"batch {self._batch}: {what} {name!r}; there are {', '.join(map(str, names))}"
            )
        column = batch.column(name)
        if hasattr(column, "storage"):  # an Arrow extension type
            column = column.storage
        known = self._types.setdefault(name, column.type)
        if column.type != known:
            raise ValueError(
                f"batch {self._batch}: column {name!r} is {column.type}, but {known} in the "
                "batches before; cast it to one type"
            )
        if pyarrow().types.is_dictionary(column.type) and column.dictionary.null_count:
            column = column.dictionary_decode()  # its null_count includes the dictionary's nulls
        if column.null_count:
            at = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
            raise ValueError(f"{self._row(at)}: {name} has no value; fill it or leave the row out")
        return column

    def _row(self, at: int) -> str:
        return f"row {self.rows + at + 1} of the stream"

    def _numbers(self, column: pa.Array, name: str, finite: bool = False) -> Any:
        types = pyarrow().types
        if types.is_dictionary(column.type):
            column = column.dictionary_decode()
        kind = column.type
        if types.is_decimal(kind):
            values = column.cast("float64").to_numpy(zero_copy_only=False)
            if (np.abs(values) >= EXACT).any():
                refuse_rounded(column.to_pylist(), values, f"{name}, from {self._row(0)} on")
        elif types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind):
            values = column.to_numpy(zero_copy_only=False)
        else:
            raise TypeError(f"column {name!r} must hold numbers, not {kind}; cast it")
        if values.dtype.kind == "f":
            bad = ~np.isfinite(values) if finite else np.isnan(values)
            if bad.any():
                at = int(bad.argmax())
                raise ValueError(f"{self._row(at)}: {name} is {values[at]}; it must be a number")
        return values

    def _labels(self, column: pa.Array, name: str) -> Any:
        """The number of each row's label, the same in all batches."""
        result = _keys(column, name)[0].dictionary_encode()
        labels = result.dictionary.to_pylist()
        codes = [self._codes.setdefault(one, len(self._codes)) for one in labels]
        self.segments = list(self._codes)
        return np.array(codes, np.int32)[result.indices.to_numpy()]

    def _runs(self, column: pa.Array) -> tuple[list[Any], Any]:
        """The query of each list, and its first row."""
        column, text = _keys(column, self._names.by)
        if not len(column):
            return [], np.zeros(0, np.int64)
        if text:
            from pyarrow import compute

            differs = compute.not_equal(column.slice(1), column.slice(0, len(column) - 1))
            changes = differs.to_numpy(zero_copy_only=False)
        else:
            values = column.to_numpy(zero_copy_only=False)
            changes = values[1:] != values[:-1]
        starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
        if text:
            return column.take(pyarrow().array(starts)).to_pylist(), starts
        return values[starts].tolist(), starts


def _keys(column: pa.Array, name: str) -> tuple[Any, bool]:
    """A column of integers or text, without dictionaries or views; and whether it is text."""
    arrow = pyarrow()
    types, kind = arrow.types, column.type
    if types.is_dictionary(kind):
        if types.is_string_view(kind.value_type):  # polars makes them; views cannot be indexed
            words = column.dictionary.cast(arrow.large_string())
            column = arrow.DictionaryArray.from_arrays(column.indices, words)
        column = column.dictionary_decode()
        kind = column.type
    if types.is_string_view(kind):
        return column.cast(arrow.large_string()), True
    text = types.is_string(kind) or types.is_large_string(kind)
    if not (types.is_integer(kind) or text):
        raise TypeError(f"column {name!r} must hold integers or text, not {kind}")
    return column, text


def joined_rows(parts: list[BatchRows]) -> BatchRows:
    """Concatenate consecutive rows; a list that continues in the next part becomes one list."""
    if len(parts) == 1:
        return parts[0]
    ids: list[Any] = []
    starts, rows = [], 0
    for part in parts:
        goes_on = bool(ids) and ids[-1] == part.ids[0]
        ids += part.ids[goes_on:]
        starts.append(part.starts[goes_on:] + rows)
        rows += len(part.labels)
    columns = zip(*(part.columns for part in parts), strict=True)
    return BatchRows(
        *(ids, np.concatenate(starts), parts[0].first),
        *(None if one[0] is None else np.concatenate(one) for one in columns),
    )


def cut_rows(rows: BatchRows, at: int) -> tuple[BatchRows, BatchRows]:
    """The rows before the first one of a list, and the others, which are copied."""
    lists = int(np.searchsorted(rows.starts, at))
    columns = [(None, None) if one is None else (one[:at], one[at:].copy()) for one in rows.columns]
    before, after = zip(*columns, strict=True)
    return (
        BatchRows(rows.ids[:lists], rows.starts[:lists], rows.first, *before),
        BatchRows(rows.ids[lists:], rows.starts[lists:] - at, rows.first + at, *after),
    )


def by_segment(
    rows: BatchRows, name: str | None, labels: list[Any], apart: bool
) -> Iterator[tuple[BatchRows, list[Any] | None]]:
    """Yield lists with the segment of each; apart=True yields one segment at a time.

    labels: the labels by number in `rows.segments`; name: the column, for errors.
    """
    if rows.segments is None:
        yield rows, None
        return
    codes = rows.segments[rows.starts]
    of_rows = np.repeat(codes, rows.sizes)
    differs = np.flatnonzero(rows.segments != of_rows)
    if differs.size:
        at = int(differs[0])
        query = rows.ids[int(np.searchsorted(rows.starts, at, side="right")) - 1]
        raise ValueError(
            f"row {rows.first + at + 1} of the stream: {name} is "
            f"{labels[rows.segments[at]]!r}, but {labels[of_rows[at]]!r} in the first row of "
            f"{query!r}; all rows of a list must have one"
        )
    result = np.unique(codes)
    if not apart or len(result) == 1:
        yield rows, [labels[code] for code in codes.tolist()]
        return
    for code in result.tolist():
        part = _selected(rows, codes == code, of_rows == code)
        yield part, [labels[code]] * len(part.ids)


def _selected(rows: BatchRows, lists: Array, of_lists: Array) -> BatchRows:
    """Select lists of a rows."""
    ids = [rows.ids[at] for at in np.flatnonzero(lists).tolist()]
    sizes = rows.sizes[lists]
    columns = (None if one is None else one[of_lists] for one in rows.columns)
    return BatchRows(ids, np.cumsum(sizes) - sizes, rows.first, *columns)
