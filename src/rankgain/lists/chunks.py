"""Lists through the core: contiguous chunks, threads, and one error for the first fault."""

from _thread import allocate_lock, get_ident, start_new_thread
from collections.abc import Callable, Iterator
from itertools import pairwise
from threading import main_thread
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import is_ready, native_labels, native_scores
from .lists import Lists, overflowing, raise_fault
from .sparse import Sparse, rows_of

# Documents that are converted at a time, where the core cannot read the input itself.
CHUNK = 1 << 18
STRETCH = 5000  # documents at least for a thread to take at a time


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


# Runs a plan on a batch into rows; returns a fault, or whether some value is undefined. What it is
# given last tells it to stop.
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
    ends = np.cumsum(_cells(lists, low, high))
    first, before = low, 0
    while low < high:
        # One list at least, and those after it that stay within the chunk.
        stop = max(low + 1, first + int(np.searchsorted(ends, before + CHUNK, side="right")))
        before = int(ends[stop - first - 1])
        yield _converted(lists, low, stop)
        low = stop


def _cells(lists: Lists, low: int, high: int) -> Any:
    """How many cells of the input each list takes; a row of a matrix takes all of its own."""
    shaped = lists.labels if lists.scores is None else lists.scores
    if getattr(shaped, "ndim", 1) == 2:
        return np.full(high - low, shaped.shape[1])
    return lists.layout.stops[low:high] - lists.layout.starts[low:high]


class _Cells(NamedTuple):
    """Cells of the input that some lists take: rows of matrices, and places in flat arrays."""

    rows: slice
    flat: Any
    starts: Any  # of each list among these cells
    stops: Any

    def of(self, array: Any) -> Any:
        return array[self.rows] if array.ndim == 2 else array[self.flat]


def _cells_of(lists: Lists, low: int, high: int) -> _Cells:
    """A slice where lists follow one another; those of a join may stand in any order."""
    starts, stops = lists.layout.starts[low:high], lists.layout.stops[low:high]
    shaped = lists.labels if lists.scores is None else lists.scores
    rows, base = slice(low, high), int(starts[0])
    if getattr(shaped, "ndim", 1) == 2:
        flat: Any = slice(base, base + (high - low) * shaped.shape[1])
        return _Cells(rows, flat, starts - base, stops - base)
    if (starts[1:] == stops[:-1]).all():
        return _Cells(rows, slice(base, int(stops[-1])), starts - base, stops - base)
    sizes = stops - starts
    ends = np.cumsum(sizes)
    flat = np.repeat(starts - (ends - sizes), sizes) + np.arange(int(ends[-1]))
    return _Cells(rows, flat, ends - sizes, ends)


def _converted(lists: Lists, low: int, high: int) -> Batch:
    cells = _cells_of(lists, low, high)
    starts, stops = cells.starts, cells.stops
    scores, labels, order = lists.scores, lists.labels, lists.order
    if scores is not None:
        scores = native_scores(cells.of(scores)).reshape(-1)
        if lists.narrow and scores.dtype != np.float32:
            with np.errstate(over="ignore"):  # beyond float32's range they tie at infinity
                scores = scores.astype(np.float32)
    if isinstance(labels, Sparse):
        labels = rows_of(labels, low, high)
    else:
        labels = native_labels(cells.of(labels)).reshape(-1)
    if order is not None:
        order = order[cells.flat]
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

    def values(plan: Any, batch: Batch, rows: Any, stop: Any) -> Any:
        return _core.evaluate(
            plan,
            batch.scores,
            batch.labels,
            batch.starts,
            batch.stops,
            lists.runs,
            batch.order,
            rows,
            batch.low,
            batch.high,
            batch.first,
            stop,
        )

    out = np.empty((len(lists), plan.n_columns), order="F")
    return out, _run(plan, lists, threads, out, values)


def run_bounds(plan: Any, lists: Lists, threads: int, holes: Any = None) -> Any:
    """Three rows for each list: what `_core.bound` writes."""

    def bounds(plan: Any, batch: Batch, rows: Any, stop: Any) -> Any:
        return _core.bound(
            plan,
            batch.scores,
            batch.labels,
            batch.starts,
            batch.stops,
            lists.runs,
            rows,
            batch.low,
            batch.high,
            batch.first,
            holes,
            stop,
        )

    out = np.empty((len(lists), 3 * plan.n_columns))
    _run(plan, lists, threads, out, bounds)
    return out.reshape(len(lists), 3, plan.n_columns)


def _run(plan: Any, lists: Lists, threads: int, out: Any, kernel: Kernel) -> bool:
    """Whether the kernel left something undefined."""
    n = len(lists)
    parts = _parts(lists, threads) if threads > 1 else [(0, n)]
    layout = lists.layout
    longest = int((layout.stops - layout.starts).max(initial=0))
    aside = longest >= plan.long_list and in_main_thread()
    stop = _core.Stop() if aside or len(parts) > 1 else None

    def work(part: tuple[int, int]) -> Any:
        return _run_part(plan, lists, part, out, kernel, stop)

    found = [work(parts[0])] if stop is None else _shared(work, parts, threads, stop, aside)
    for one in found:
        if isinstance(one, tuple):
            raise_fault(overflowing(lists, one[1]) if one[0] == "gain_overflow" else one)
    return any(found)


def in_main_thread() -> bool:
    """Whether this is the thread that signals reach."""
    return get_ident() == main_thread().ident


def _shared(
    work: Any, parts: list[tuple[int, int]], threads: int, stop: Any, aside: bool
) -> list[Any]:
    """The results of all parts, by this thread and others; each takes part after part.

    A thread that only waited would keep its processor from a new one for a while. But `aside` it
    does: signals reach the main thread alone, and not while it is inside one long list. Bare
    threads start in half the time that those of an executor take.
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
            stop.tell()

    running = _started(take, min(threads, len(parts)) - (not aside))
    if not aside or not running:
        take()
    try:
        for done in running:
            while not done.acquire(timeout=0.2):  # on Windows no signal ends a wait without end
                pass
    except BaseException:  # the others end at their next list, in arrays that are theirs
        stop.tell()
        raise
    if errors:
        raise next((one for one in errors if not isinstance(one, InterruptedError)), errors[0])
    return results


def _started(take: Callable[[], None], threads: int) -> list[Any]:
    """Threads that take parts, as locks that are free when they are done."""

    def take_beside(done: Any) -> None:
        take()
        done.release()

    running = []
    for _ in range(threads):
        done = allocate_lock()
        done.acquire()
        try:
            start_new_thread(take_beside, (done,))
        except RuntimeError:  # no more threads are to be had
            break
        running.append(done)
    return running


def _parts(lists: Lists, threads: int) -> list[tuple[int, int]]:
    """Stretches of lists with about the same number of documents, several for each thread."""
    n = len(lists)
    done = np.cumsum(lists.layout.stops - lists.layout.starts)
    # A thread costs as much as ranking some thousand documents.
    if n < 2 or int(done[-1]) < 4 * STRETCH:
        return [(0, n)]
    pieces = min(4 * threads, n, int(done[-1]) // STRETCH)
    cuts = np.searchsorted(done, np.arange(1, pieces) * (int(done[-1]) / pieces)) + 1
    bounds = np.unique(np.concatenate(([0], np.minimum(cuts, n), [n]))).tolist()
    return list(pairwise(bounds))


def _run_part(
    plan: Any, lists: Lists, part: tuple[int, int], out: Any, kernel: Kernel, stop: Any
) -> Any:
    undefined = False
    for batch in batches(lists, *part):
        rows = out[batch.first + batch.low : batch.first + batch.high]
        found = kernel(plan, batch, rows, stop)
        if isinstance(found, tuple):
            return found
        undefined |= bool(found)
    return undefined
