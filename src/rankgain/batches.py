"""Lists through the core: contiguous chunks, threads, and one error for the first fault."""

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from . import _core
from .arrays import is_ready, native_labels, native_scores
from .inputs import Lists, overflowing, raise_fault
from .sparse import Sparse, rows_of

# Documents that are converted at a time, where the core cannot read the input itself.
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


# Runs a plan on a batch and the prepared judged labels of all lists, into rows; returns a fault,
# or whether some value is undefined.
Kernel = Callable[[Any, Batch, Any, Any], Any]


def _flat(array: Any) -> Any:
    return None if array is None else array.reshape(-1)


def _label_array(labels: Any, checked: bool) -> Any:
    if isinstance(labels, Sparse):
        return _core.LabelArray(labels.data, labels.indices, labels.indptr, checked, labels.ranked)
    return _core.LabelArray(labels.reshape(-1), checked=checked)


def batches(lists: Lists, low: int, high: int) -> Iterator[Batch]:
    """The lists low .. high-1, as they lie or converted a chunk at a time."""
    layout = lists.layout
    ready = lists.exclude is None
    if lists.scores is not None:
        ready = ready and is_ready(lists.scores, scores=True)
        ready = ready and not (lists.narrow and lists.scores.dtype.itemsize > 4)
    if not isinstance(lists.labels, Sparse):
        ready = ready and is_ready(lists.labels, scores=False)
    if ready:
        labels = _label_array(lists.labels, lists.checked)
        yield Batch(
            _flat(lists.scores), labels, layout.starts, layout.stops, lists.order, low, high, 0
        )
        return
    while low < high:
        stop = _chunk_end(layout, low, high)
        yield _converted(lists, low, stop)
        low = stop


def _chunk_end(layout: Any, low: int, high: int) -> int:
    limit = int(layout.starts[low]) + CHUNK
    stop = int(np.searchsorted(layout.stops[low:high], limit, side="right")) + low
    return min(max(stop, low + 1), high)


def _stretch(array: Any, lists: Lists, low: int, high: int) -> Any:
    """The documents of lists low .. high-1, still in the input's own memory."""
    if array.ndim == 2:
        return array[low:high]
    return array[int(lists.layout.starts[low]) : int(lists.layout.stops[high - 1])]


def _converted(lists: Lists, low: int, high: int) -> Batch:
    layout = lists.layout
    base = int(layout.starts[low])
    starts, stops = layout.starts[low:high] - base, layout.stops[low:high] - base
    scores, labels, order = lists.scores, lists.labels, lists.order
    if scores is not None:
        scores = native_scores(_stretch(scores, lists, low, high)).reshape(-1)
        if lists.narrow and scores.dtype != np.float32:
            with np.errstate(over="ignore"):  # beyond float32's range they tie at infinity
                scores = scores.astype(np.float32)
    if isinstance(labels, Sparse):
        labels = rows_of(labels, low, high)
    else:
        labels = native_labels(_stretch(labels, lists, low, high)).reshape(-1)
    if order is not None:
        order = order[base : base + int(stops[-1])]
    if lists.exclude is not None:
        chunk = (scores, labels, starts, stops, order)
        scores, labels, starts, stops, order = without(chunk, rows_of(lists.exclude, low, high))
    array = _label_array(labels, lists.checked and lists.exclude is None)
    return Batch(scores, array, starts, stops, order, 0, high - low, low)


def without(chunk: tuple[Any, ...], exclude: Sparse) -> tuple[Any, ...]:
    """Leave the excluded documents out of a chunk."""
    scores, labels, starts, stops, order = chunk
    keep = np.zeros(int(stops.max(initial=0)), bool)
    for a, b in zip(starts.tolist(), stops.tolist(), strict=True):
        keep[a:b] = True
    rows = np.repeat(np.arange(len(starts)), np.diff(exclude.indptr))
    keep[starts[rows] + exclude.indices] = False
    place = np.concatenate(([0], np.cumsum(keep)))  # of each document among the kept ones
    if isinstance(labels, Sparse):
        rows = np.repeat(np.arange(len(starts)), np.diff(labels.indptr))
        at = starts[rows] + labels.indices
        kept = keep[at]
        indptr = np.concatenate(([0], np.cumsum(kept)))[labels.indptr]
        inside = place[at[kept]] - place[starts[rows[kept]]]
        labels = Sparse(labels.data[kept], inside.astype(np.int64), indptr.astype(np.int64), None)
    else:
        labels = labels[: len(keep)][keep]
    if scores is not None:
        scores = scores[: len(keep)][keep]
    if order is not None:
        order = order[: len(keep)][keep]
    return scores, labels, place[starts], place[stops], order


def run(plan: Any, lists: Lists, threads: int) -> tuple[Any, bool]:
    """Values of all lists, one row each, and whether some are undefined; raises a fault."""
    out = np.empty((len(lists), plan.n_columns), order="F")
    return out, _run(plan, lists, threads, out, _values)


def run_bounds(plan: Any, lists: Lists, threads: int, holes: Any = None) -> Any:
    """Three rows for each list: what `_core.bound` writes."""

    def bounds(plan: Any, batch: Batch, runs: Any, rows: Any) -> Any:
        return _core.bound(
            plan,
            batch.scores,
            batch.labels,
            batch.starts,
            batch.stops,
            runs,
            rows,
            batch.low,
            batch.high,
            batch.first,
            holes,
        )

    out = np.empty((len(lists), 3 * plan.n_columns))
    _run(plan, lists, threads, out, bounds)
    return out.reshape(len(lists), 3, plan.n_columns)


def _values(plan: Any, batch: Batch, runs: Any, rows: Any) -> Any:
    return _core.evaluate(
        plan,
        batch.scores,
        batch.labels,
        batch.starts,
        batch.stops,
        runs,
        batch.order,
        rows,
        batch.low,
        batch.high,
        batch.first,
    )


def _run(plan: Any, lists: Lists, threads: int, out: Any, kernel: Kernel) -> bool:
    """Whether the kernel left something undefined."""
    n = len(lists)
    parts = _parts(lists, threads) if threads > 1 else [(0, n)]

    def work(part: tuple[int, int]) -> Any:
        return _run_part(plan, lists, part[0], part[1], out, kernel)

    found = [work(part) for part in parts] if len(parts) == 1 else _shared(work, parts, threads)
    for one in found:
        if isinstance(one, tuple):
            raise_fault(overflowing(lists, one[1]) if one[0] == "gain_overflow" else one)
    return any(found)


def _shared(work: Any, parts: list[tuple[int, int]], threads: int) -> list[Any]:
    """The results of all parts, by this thread and others; each takes part after part.

    One that only waited would keep its processor from a new thread for a while. Bare threads
    start in half the time that those of an executor take.
    """
    results: list[Any] = [None] * len(parts)
    errors: list[BaseException] = []
    left, turn = iter(range(len(parts))), allocate_lock()

    def take() -> None:
        try:
            while not errors:
                with turn:
                    at = next(left, None)
                if at is None:
                    return
                results[at] = work(parts[at])
        except BaseException as error:
            errors.append(error)

    def take_beside(done: Any) -> None:
        take()
        done.release()

    running = []
    for _ in range(threads - 1):
        done = allocate_lock()
        done.acquire()
        try:
            start_new_thread(take_beside, (done,))
        except RuntimeError:  # no more threads are to be had
            break
        running.append(done)
    take()
    for done in running:
        done.acquire()
    if errors:
        raise errors[0]
    return results


def _parts(lists: Lists, threads: int) -> list[tuple[int, int]]:
    """Stretches of lists with about the same number of documents, several for each thread."""
    n = len(lists)
    done = np.cumsum(lists.layout.stops - lists.layout.starts)
    if n < 2 or int(done[-1]) < 20_000:  # a thread costs as much as ranking some thousand documents
        return [(0, n)]
    pieces = min(4 * threads, n)
    cuts = np.searchsorted(done, np.arange(1, pieces) * (int(done[-1]) / pieces)) + 1
    bounds = np.unique(np.concatenate(([0], np.minimum(cuts, n), [n]))).tolist()
    return list(pairwise(bounds))


def _run_part(plan: Any, lists: Lists, low: int, high: int, out: Any, kernel: Kernel) -> Any:
    undefined = False
    for batch in batches(lists, low, high):
        rows = out[batch.first + batch.low : batch.first + batch.high]
        found = kernel(plan, batch, lists.runs, rows)
        if isinstance(found, tuple):
            return found
        undefined |= bool(found)
    return undefined
