"""Batches of lists in arrays that the core can read: the input itself, or converted chunks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import as_float32, is_ready, native_labels, native_scores
from .layouts import starts_of
from .lists import Lists
from .sparse import Sparse, rows_of

if TYPE_CHECKING:
    from .types import Array


# Documents that are converted at a time if the core cannot read the input itself.
CHUNK = 1 << 18


class Batch(NamedTuple):
    """Lists low .. high-1 in arrays that the core reads; `first` is the index of their list 0."""

    scores: Any
    labels: Any
    starts: Any
    stops: Any
    order: Any
    low: int
    high: int
    first: int


def _label_array(labels: Array | Sparse, checked: bool) -> Any:
    if isinstance(labels, Sparse):
        return _core.LabelArray(
            *(labels.data, labels.indices, labels.indptr, checked),
            *(labels.ranked, labels.sizes, labels.rank_bits),
        )
    return _core.LabelArray(labels.reshape(-1), checked=checked)


def batches(lists: Lists, low: int, high: int) -> Iterator[Batch]:
    """The lists low .. high-1: without a copy if possible, else converted a chunk at a time."""
    layout = lists.layout
    ready = lists.exclude is None
    if lists.scores is not None:
        ready = ready and is_ready(lists.scores, scores=True)
        ready = ready and not (lists.float32 and lists.scores.dtype.itemsize > 4)
    if not isinstance(lists.labels, Sparse):
        ready = ready and is_ready(lists.labels, scores=False)
    if ready:
        labels = _label_array(lists.labels, lists.checked)
        scores = None if lists.scores is None else lists.scores.reshape(-1)
        yield Batch(scores, labels, layout.starts, layout.stops, lists.order, low, high, 0)
        return
    # The cells of the input that each list takes; in a matrix, the width of a row.
    shaped = lists.labels if lists.scores is None else lists.scores
    if getattr(shaped, "ndim", 1) == 2:
        ends = shaped.shape[1] * np.arange(1, high - low + 1)
    else:
        ends = np.cumsum(layout.sizes[low:high])
    first, before = low, 0
    while low < high:
        # At least one list, and the next ones that fit into the chunk.
        stop = max(low + 1, first + int(np.searchsorted(ends, before + CHUNK, side="right")))
        before = int(ends[stop - first - 1])
        yield _converted(lists, low, stop)
        low = stop


def _converted(lists: Lists, low: int, high: int) -> Batch:
    """The lists low .. high-1 in converted arrays, without excluded documents."""
    starts, stops = lists.layout.starts[low:high], lists.layout.stops[low:high]
    shaped = lists.labels if lists.scores is None else lists.scores
    base = int(starts[0])
    flat: Any  # the cells in a flat array: a slice, or positions if lists are apart, as in a join
    if getattr(shaped, "ndim", 1) == 2:
        flat = slice(base, base + (high - low) * shaped.shape[1])
        starts, stops = starts - base, stops - base
    elif (starts[1:] == stops[:-1]).all():
        flat = slice(base, int(stops[-1]))
        starts, stops = starts - base, stops - base
    else:
        sizes = stops - starts
        ends = np.cumsum(sizes)
        flat = np.repeat(starts - (ends - sizes), sizes) + np.arange(int(ends[-1]))
        starts, stops = ends - sizes, ends
    scores, labels, order = lists.scores, lists.labels, lists.order
    if scores is not None:
        scores = scores[low:high] if scores.ndim == 2 else scores[flat]
        scores = native_scores(scores).reshape(-1)
        if lists.float32:
            scores = as_float32(scores)
    if isinstance(labels, Sparse):
        labels = rows_of(labels, low, high)
    else:
        labels = labels[low:high] if labels.ndim == 2 else labels[flat]
        labels = native_labels(labels).reshape(-1)
    if order is not None:
        order = order[flat]
    if lists.exclude is not None:
        chunk = (scores, labels, starts, stops, order)
        scores, labels, starts, stops, order = without(chunk, rows_of(lists.exclude, low, high))
    array = _label_array(labels, lists.checked and lists.exclude is None)
    return Batch(scores, array, starts, stops, order, 0, high - low, low)


def without(chunk: tuple[Any, ...], exclude: Sparse) -> tuple[Any, ...]:
    """Remove the excluded documents from a chunk."""
    scores, labels, starts, stops, order = chunk
    end = int(stops.max(initial=0))
    if len(starts) and starts[0] == 0 and (starts[1:] == stops[:-1]).all():
        keep = np.ones(end, bool)
    else:
        keep = np.zeros(end, bool)
        for a, b in zip(starts.tolist(), stops.tolist(), strict=True):
            keep[a:b] = True
    keep[exclude.places(starts)] = False
    removed = np.flatnonzero(~keep)

    def place(at: Array) -> Any:
        """Positions of documents, or ends of lists, after the removal."""
        return at - np.searchsorted(removed, at)

    if isinstance(labels, Sparse):
        at = labels.places(starts)
        remaining = keep[at]
        indptr = starts_of(remaining)[labels.indptr]
        inside = place(at[remaining]) - np.repeat(place(starts), np.diff(indptr))
        labels = Sparse(labels.data[: len(at)][remaining], inside.astype(np.int64), indptr, None)
    else:
        labels = labels[:end][keep]
    scores = None if scores is None else scores[:end][keep]
    order = None if order is None else order[:end][keep]
    return scores, labels, place(starts), place(stops), order


def first_tie(lists: Lists) -> tuple[int, int, int] | None:
    """List and documents of the first two equal scores of a list."""
    for one in batches(lists, 0, len(lists)):
        lists_read = slice(one.low, one.high)
        at = _core.list_with_tie(one.scores, one.starts[lists_read], one.stops[lists_read])
        if at >= 0:
            return _tie_in(lists, one.first + one.low + at)
    return None


def _tie_in(lists: Lists, row: int) -> tuple[int, int, int] | None:
    """The first two documents with the lowest tied score of a list."""
    start, stop = int(lists.layout.starts[row]), int(lists.layout.stops[row])
    places = np.arange(stop - start)
    if lists.exclude is not None:
        places = np.delete(places, rows_of(lists.exclude, row, row + 1).indices)
    scores = lists.scores.reshape(-1)[start:stop][places]
    if lists.float32:
        scores = as_float32(scores)
    order = np.argsort(scores, kind="stable")
    same = scores[order][1:] == scores[order][:-1]
    if not same.any():  # another thread has changed them
        return None
    at = int(np.argmax(same))
    return row, int(places[order[at]]), int(places[order[at + 1]])
