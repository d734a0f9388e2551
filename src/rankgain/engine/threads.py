"""Run plans in the core: batches of lists, threads, signals, the error for the first fault."""

from __future__ import annotations

from _thread import allocate_lock, get_ident, start_new_thread
from collections.abc import Callable, Iterator
from itertools import pairwise
from threading import main_thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from weakref import ref

import numpy as np

from .. import _core
from ..inputs.arrays import as_float32, is_ready, native_labels, native_scores
from ..inputs.lists import Lists, overflowing, raise_fault
from ..inputs.sparse import Sparse, remove_excluded, select_rows

if TYPE_CHECKING:
    from ..inputs.types import Array, Integers


UNDEFINED, NEGATIVE = 1, 2  # flags of the core: an undefined value, a negative dense label
UNFINISHED = object()  # the result of a part that no thread has finished
LEAST_PART = 5000  # least number of documents of a part


class Batch(NamedTuple):
    """Lists low .. high-1 in arrays that the core reads; `first` is the index of their list 0."""

    scores: Array | None
    labels: _core.LabelArray
    starts: Integers
    stops: Integers
    order: Integers | None
    low: int
    high: int
    first: int
    places: Integers | None = None  # as in Lists


def run(
    plan: _core.Plan, lists: Lists, threads: int, holes: _core.Holes | None = None
) -> tuple[Any, int]:
    """Values of all lists, a row each (three tables with holes), and flags of what they hold."""
    n, sizes = len(lists), lists.layout.sizes
    out = np.empty((n, plan.width), order="F")
    if holes is not None:
        out = np.empty((n, 3 * plan.width))

    runs = None if lists.judgments is None else lists.judgments.runs

    def work(part: tuple[int, int]) -> Any:
        flags, fault = 0, None
        for batch in batches(lists, *part):
            rows = out[batch.first + batch.low : batch.first + batch.high]
            arrays = plan, *batch[:4], runs
            bounds = batch.low, batch.high, batch.first
            if holes is None:
                given = stop, batch.places, lists.offset
                fault = _core.evaluate(*arrays, batch.order, rows, *bounds, *given)
            else:
                fault = _core.bound(*arrays, rows, *bounds, holes, stop)
            if isinstance(fault, tuple):
                return fault
            flags |= fault or 0
        return flags

    parts = _parts(sizes, threads) if threads > 1 else [(0, n)]
    in_main_thread = get_ident() == main_thread().ident  # the only one that handles signals
    aside = int(sizes.max(initial=0)) >= plan.long_list and in_main_thread
    stop = _core.Stop() if aside or len(parts) > 1 else None
    result = [work(parts[0])] if stop is None else share(work, parts, threads, stop, aside)
    flags = 0
    for part in result:
        if isinstance(part, tuple):
            code, row, document, value = part
            row -= lists.offset
            fault = (code, row, document, value)
            if code == "gain_overflow":
                fault = overflowing(lists, row)
            raise_fault(fault, lists=lists)
        flags |= part
    return out, flags


def share(
    work: Callable[[tuple[int, int]], object],
    parts: list[tuple[int, int]],
    threads: int,
    stop: _core.Stop,
    aside: bool = False,
) -> list[Any]:
    """The results of all parts; each thread takes one part after the other.

    The calling thread works too, except with `aside`: the main thread on long lists, which waits
    for signals. Bare threads start in half the time of an executor's. Where memory runs out, a
    thread may end without an error: a part without a result is an error, too.
    """
    results: list[Any] = [UNFINISHED] * len(parts)
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
            stop.set()

    running = start_threads(take, min(threads, len(parts)) - (not aside))
    try:
        if not aside or not running:
            take()
        join_threads(running)
    except BaseException:  # the other threads end at their next list; they hold their arrays
        stop.set()
        raise
    if errors:
        raise next((one for one in errors if not isinstance(one, InterruptedError)), errors[0])
    if any(one is UNFINISHED for one in results):
        raise MemoryError("out of memory: a worker thread stopped early")
    return results


class _Life:
    """A thread holds the only reference; a weak reference shows whether the thread has ended."""


Running: TypeAlias = list[tuple[Any, ref[_Life]]]


def start_threads(take: Callable[[], None], threads: int) -> Running:
    """Start threads, fewer without memory; a lock that each releases at its end, and a weakref."""

    def take_beside(done: Any, life: _Life) -> None:
        try:
            take()
        finally:
            done.release()

    running = []
    for _ in range(threads):
        done, life = allocate_lock(), _Life()
        done.acquire()
        lives = ref(life)
        try:
            start_new_thread(take_beside, (done, life))
        except (RuntimeError, MemoryError):  # no more threads can be started
            break
        finally:
            del life
        running.append((done, lives))
    return running


def join_threads(running: Running) -> None:
    """Wait for the end of threads."""
    for done, lives in running:
        # On Windows no signal ends a wait without end.
        while not done.acquire(timeout=0.2) and lives() is not None:
            pass


def _parts(sizes: Integers, threads: int) -> list[tuple[int, int]]:
    """Cut the lists into parts with about equal numbers of documents, several for each thread."""
    n = len(sizes)
    done = np.cumsum(sizes)
    # Starting a thread costs as much as ranking some thousand documents.
    if n < 2 or int(done[-1]) < 4 * LEAST_PART:
        return [(0, n)]
    pieces = min(4 * threads, n, int(done[-1]) // LEAST_PART)
    cuts = np.searchsorted(done, np.arange(1, pieces) * (int(done[-1]) / pieces)) + 1
    bounds = np.unique(np.concatenate(([0], np.minimum(cuts, n), [n]))).tolist()
    return list(pairwise(bounds))


def usable_threads(threads: int | None) -> int:
    """Check `threads`; None and -1 are all usable cores."""
    if threads is None or (type(threads) is int and threads == -1):
        import os

        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)):
        raise TypeError(f"threads must be an int of at least 1, or -1 or None, not {threads!r}")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, or -1 for all cores, not {threads}")
    return int(threads)


# Documents that are converted at a time if the core cannot read the input itself.
CHUNK = 1 << 18


def _label_array(labels: Array | Sparse, checked: bool) -> Any:
    if isinstance(labels, Sparse):
        return _core.LabelArray(
            *(labels.data, labels.indices, labels.indptr, checked),
            *(labels.ranked, labels.sizes, labels.rank_bits),
        )
    return _core.LabelArray(labels.reshape(-1), checked=checked)


def batches(lists: Lists, low: int, high: int) -> Iterator[Batch]:
    """The lists low .. high-1: without a copy if possible, else converted a chunk at a time."""
    layout, judgments = lists.layout, lists.judgments
    ready = lists.exclude is None
    if lists.scores is not None:
        ready = ready and is_ready(lists.scores, scores=True)
        ready = ready and not (lists.float32 and lists.scores.dtype.itemsize > 4)
    if not isinstance(lists.labels, Sparse):
        ready = ready and is_ready(lists.labels, scores=False)
    if ready:
        checked = judgments is not None and judgments.labels_checked
        labels = _label_array(lists.labels, checked)
        scores = None if lists.scores is None else lists.scores.reshape(-1)
        bounds = layout.starts, layout.stops
        yield Batch(scores, labels, *bounds, lists.order, low, high, 0, lists.places)
        return
    # The cells of the input that each list takes; in a matrix, the width of a row.
    shaped = lists.labels if lists.scores is None else lists.scores
    if not isinstance(shaped, Sparse) and shaped.ndim == 2:
        ends = shaped.shape[1] * np.arange(1, high - low + 1)
    else:
        ends = np.cumsum(layout.sizes[low:high])
    first, before = low, 0
    while low < high:
        # At least one list, and the next ones that fit into the chunk.
        stop = max(low + 1, first + int(np.searchsorted(ends, before + CHUNK, side="right")))
        before = int(ends[stop - first - 1])
        yield _convert(lists, low, stop)
        low = stop


def _convert(lists: Lists, low: int, high: int) -> Batch:
    """The lists low .. high-1 in converted arrays, without excluded documents."""
    starts, stops = lists.layout.starts[low:high], lists.layout.stops[low:high]
    shaped = lists.labels if lists.scores is None else lists.scores
    base = int(starts[0])
    flat: Any  # the cells in a flat array: a slice, or positions if lists are apart, as in a join
    width = 0 if isinstance(shaped, Sparse) or shaped.ndim == 1 else shaped.shape[1]
    if width or (starts[1:] == stops[:-1]).all():
        flat = slice(base, base + (high - low) * width if width else int(stops[-1]))
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
        labels = select_rows(labels, low, high)
    else:
        labels = labels[low:high] if labels.ndim == 2 else labels[flat]
        labels = native_labels(labels).reshape(-1)
    if order is not None:
        order = order[flat]
    places = None if lists.places is None else np.ascontiguousarray(lists.places[flat])
    if lists.exclude is not None:
        chunk = (scores, labels, starts, stops, order)
        scores, labels, starts, stops, order = remove_excluded(
            chunk, select_rows(lists.exclude, low, high)
        )
    checked = lists.judgments is not None and lists.judgments.labels_checked
    array = _label_array(labels, checked and lists.exclude is None)
    return Batch(scores, array, starts, stops, order, 0, high - low, low, places)


def first_tie(lists: Lists) -> tuple[int, int, int] | None:
    """List and documents of the first two equal scores of a list; None: none, or no scores."""
    for one in batches(lists, 0, len(lists)):
        if lists.scores is None or one.scores is None:
            return None
        lists_read = slice(one.low, one.high)
        at = _core.list_with_tie(one.scores, one.starts[lists_read], one.stops[lists_read])
        if at < 0:
            continue
        row = one.first + one.low + at
        start, stop = int(lists.layout.starts[row]), int(lists.layout.stops[row])
        places = np.arange(stop - start)
        if lists.exclude is not None:
            places = np.delete(places, select_rows(lists.exclude, row, row + 1).indices)
        scores = lists.scores.reshape(-1)[start:stop][places]
        if lists.float32:
            scores = as_float32(scores)
        order = np.argsort(scores, kind="stable")
        same = scores[order][1:] == scores[order][:-1]
        if not same.any():  # another thread has changed them
            return None
        first = int(np.argmax(same))  # the lowest of the tied scores
        return row, int(places[order[first]]), int(places[order[first + 1]])
    return None
