"""Run plans in the core: batches of lists, threads, signals, the error for the first fault."""

from __future__ import annotations

from _thread import LockType, allocate_lock, get_ident, start_new_thread
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from threading import main_thread
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias
from weakref import ref

import numpy as np

from .. import _core
from ..inputs.arrays import WIDER, as_float32, native_labels, native_scores
from ..inputs.lists import Lists, overflowing, raise_fault
from ..inputs.sparse import Sparse, remove_excluded, select_rows
from .settings import Family, Settings, describe_label_limits

if TYPE_CHECKING:
    from ..inputs.types import Array, Integers


UNDEFINED, NEGATIVE = 1, 2  # flags of the core: an undefined value, a negative dense label
UNFINISHED = object()  # the result of a part that no thread has finished
MIN_DOCUMENTS_PER_PART = 5000
DOCUMENTS_PER_CHUNK = 1 << 18  # converted at a time if the core cannot read the input itself


class Batch(NamedTuple):
    """Lists low .. high-1 of arrays that the core reads.

    Arrays without a copy hold all lists of the call, so `first` is 0. Converted arrays hold a chunk
    of them, with low = 0. Either way, list i of a batch is list first + i of `Lists`, by which
    `out` and `runs` count, and list offset + first + i of the whole call, by which errors and
    random orders count (`Lists.offset`).
    """

    scores: Array | None
    labels: _core.LabelArray
    starts: Integers
    stops: Integers
    order: Integers | None
    low: int
    high: int
    first: int  # index in `Lists` of list 0 of the arrays
    places: Integers | None = None  # as in Lists


def run(
    plan: _core.Plan,
    lists: Lists,
    threads: int,
    holes: _core.Holes | None = None,
    *,
    measures: Sequence[tuple[Family, Settings]],
) -> tuple[Any, int]:
    """The values of all lists, a row for each, and flags of what they hold.

    With holes there are three tables side by side: the lowest and the highest values, and which
    values are undefined. measures: those of the call, for the error if a label is above the
    largest one that some of them accept.
    """
    n, sizes = len(lists), lists.layout.sizes
    out = np.empty((n, plan.width), order="F")
    if holes is not None:
        out = np.empty((n, 3 * plan.width))
    runs = None
    if lists.judgments is not None:
        runs = lists.judgments.runs

    stop: _core.Stop | None = None

    def work(part: tuple[int, int]) -> Any:
        """The flags of the lists of a part, or the first fault in them."""
        flags = 0
        outcome: int | tuple[str, int, int, float] | None  # flags or a fault; `bound` has no flags
        for batch in batches(lists, *part):
            rows = out[batch.first + batch.low : batch.first + batch.high]
            arrays = batch.scores, batch.labels, batch.starts, batch.stops
            span = batch.low, batch.high, batch.first
            if holes is None:
                outcome = _core.evaluate(
                    plan, *arrays, runs, batch.order, rows, *span, stop, batch.places, lists.offset
                )
            else:
                outcome = _core.bound(plan, *arrays, runs, rows, *span, holes, stop)
            if isinstance(outcome, tuple):
                return outcome
            flags |= outcome or 0
        return flags

    parts = [(0, n)]
    if threads > 1:
        parts = _cut_into_parts(sizes, threads)
    in_main_thread = get_ident() == main_thread().ident  # the only one that handles signals
    # The main thread waits for signals while another one evaluates long lists.
    in_background = int(sizes.max(initial=0)) >= plan.long_list and in_main_thread
    if len(parts) == 1 and not in_background:
        results = [work(parts[0])]
    else:
        stop = _core.Stop()
        results = run_parts(work, parts, threads, stop, in_background)
    flags = 0
    for result in results:
        if isinstance(result, tuple):
            _raise_core_fault(result, lists, measures, with_holes=holes is not None)
        flags |= result
    return out, flags


def _raise_core_fault(
    fault: tuple[str, int, int, float],
    lists: Lists,
    measures: Sequence[tuple[Family, Settings]],
    with_holes: bool,
) -> NoReturn:
    """Raise a fault that `evaluate`, or with holes `bound`, found in a list."""
    code, row, document, value = fault
    if not with_holes:  # `bound` counts the lists of this call alone
        row -= lists.offset
    if code == "label_above_max":
        limit = describe_label_limits(measures, value)
        raise_fault((code, row, document, value), lists=lists, limit=limit)
    if code != "gain_overflow":
        raise_fault((code, row, document, value), lists=lists)
    if with_holes:
        raise ValueError(
            f"bounds: the gains of list {row} overflow a float64 if unjudged documents have the "
            "largest label; use smaller labels or another gain"
        )
    raise_fault(overflowing(lists, row), lists=lists)


def run_parts(
    work: Callable[[tuple[int, int]], object],
    parts: list[tuple[int, int]],
    threads: int,
    stop: _core.Stop,
    in_background: bool = False,
) -> list[object]:
    """The results of all parts; each thread takes one part after the other.

    The calling thread works too, except with `in_background`, when it waits for signals. Bare
    threads start in half the time of an executor's. When memory runs out, a thread may end without
    an error, so a part without a result is an error, too.
    """
    results = [UNFINISHED] * len(parts)
    errors: list[BaseException] = []
    indices_left = iter(range(len(parts)))
    lock = allocate_lock()

    def take() -> None:
        try:
            while not errors:
                with lock:
                    index = next(indices_left, None)
                if index is None:
                    return
                results[index] = work(parts[index])
        except BaseException as error:
            errors.append(error)
            stop.set()

    n_threads = min(threads, len(parts))
    if not in_background:
        n_threads -= 1  # the calling thread is one of them
    running = start_threads(take, n_threads)
    try:
        if not in_background or not running:
            take()
        join_threads(running)
    except BaseException:  # the other threads end at their next list; they hold their arrays
        stop.set()
        raise
    if errors:
        # Threads that were stopped raise InterruptedError; the reason is the error of another one.
        for error in errors:
            if not isinstance(error, InterruptedError):
                raise error
        raise errors[0]
    if any(result is UNFINISHED for result in results):
        raise MemoryError("out of memory: a worker thread stopped early")
    return results


class _AliveMarker:
    """Shows whether a thread has ended: the thread holds the only reference, others a weak one."""


Running: TypeAlias = list[tuple[LockType, ref[_AliveMarker]]]


def start_threads(take: Callable[[], None], threads: int) -> Running:
    """Start threads, or fewer if memory runs out.

    Each has a lock that it releases at its end, and a weak reference that dies with it.
    """

    def take_and_release(done: LockType, marker: _AliveMarker) -> None:
        try:
            take()
        finally:
            done.release()

    running = []
    for _ in range(threads):
        done, marker = allocate_lock(), _AliveMarker()
        done.acquire()
        weak_marker = ref(marker)
        try:
            start_new_thread(take_and_release, (done, marker))
        except (RuntimeError, MemoryError):  # no more threads can be started
            break
        finally:
            del marker
        running.append((done, weak_marker))
    return running


def join_threads(running: Running) -> None:
    """Wait for the end of threads.

    A thread that runs out of memory may end without releasing its lock; its marker tells.
    """
    for done, weak_marker in running:
        # On Windows no signal interrupts a wait without a timeout.
        while not done.acquire(timeout=0.2) and weak_marker() is not None:
            pass


def _cut_into_parts(sizes: Integers, threads: int) -> list[tuple[int, int]]:
    """Cut the lists into parts with about equal numbers of documents, several for each thread."""
    n = len(sizes)
    if n < 2:
        return [(0, n)]
    documents_so_far = np.cumsum(sizes)
    documents = int(documents_so_far[-1])
    # Starting a thread costs as much as ranking a few thousand documents.
    if documents < 4 * MIN_DOCUMENTS_PER_PART:
        return [(0, n)]
    pieces = min(4 * threads, n, documents // MIN_DOCUMENTS_PER_PART)
    # A part ends with the list in which the next equal share of the documents is reached.
    targets = np.arange(1, pieces) * (documents / pieces)
    cuts = np.searchsorted(documents_so_far, targets) + 1
    bounds = np.concatenate(([0], np.minimum(cuts, n), [n]))
    return list(pairwise(np.unique(bounds).tolist()))


def usable_threads(threads: int | None) -> int:
    """Check `threads`; None and -1 are all usable cores."""
    if threads is None or (type(threads) is int and threads == -1):
        import os

        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)):
        raise TypeError(f"threads must be an int of at least 1, or -1 or None, not {threads!r}")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, or -1 for all cores, not {threads}")
    return int(threads)


def _label_array(labels: Array | Sparse, checked: bool) -> Any:
    if isinstance(labels, Sparse):
        return _core.LabelArray(
            labels.data,
            labels.indices,
            labels.indptr,
            checked,
            labels.ranked,
            labels.sizes,
            labels.rank_bits,
        )
    return _core.LabelArray(labels.reshape(-1), checked=checked)


def _is_ready(array: Array, scores: bool) -> bool:
    """Whether the core can read the array without a copy."""
    dtype = array.dtype
    kind = dtype.str[1:]
    has_type = dtype.kind in "biuf" and kind not in WIDER
    if scores:
        has_type = kind in ("f4", "f8")
    flags = array.flags
    return has_type and dtype.isnative and flags.c_contiguous and flags.aligned


def batches(lists: Lists, low: int, high: int) -> Iterator[Batch]:
    """The lists low .. high-1: without a copy if possible, else converted a chunk at a time."""
    layout, judgments = lists.layout, lists.judgments
    ready = lists.exclude is None
    if lists.scores is not None:
        ready = ready and _is_ready(lists.scores, scores=True)
        ready = ready and not (lists.float32 and lists.scores.dtype.itemsize > 4)
    if not isinstance(lists.labels, Sparse):
        ready = ready and _is_ready(lists.labels, scores=False)
    if ready:
        checked = judgments is not None and judgments.labels_checked
        labels = _label_array(lists.labels, checked)
        scores = lists.scores
        if scores is not None:
            scores = scores.reshape(-1)
        starts, stops = layout.starts, layout.stops
        yield Batch(scores, labels, starts, stops, lists.order, low, high, 0, lists.places)
        return
    # The cells of the input that each list takes; in a matrix, the width of a row.
    cells_source = lists.labels if lists.scores is None else lists.scores
    if not isinstance(cells_source, Sparse) and cells_source.ndim == 2:
        ends = cells_source.shape[1] * np.arange(1, high - low + 1)
    else:
        ends = np.cumsum(layout.sizes[low:high])
    first_list, cells_before = low, 0
    while low < high:
        # At least one list, and the next ones that fit into the chunk.
        fitting = np.searchsorted(ends, cells_before + DOCUMENTS_PER_CHUNK, side="right")
        stop = max(low + 1, first_list + int(fitting))
        cells_before = int(ends[stop - first_list - 1])
        yield _convert(lists, low, stop)
        low = stop


def _convert(lists: Lists, low: int, high: int) -> Batch:
    """The lists low .. high-1 in converted arrays, without excluded documents."""
    starts, stops = lists.layout.starts[low:high], lists.layout.stops[low:high]
    cells_source = lists.labels if lists.scores is None else lists.scores
    first_cell = int(starts[0])
    width = 0
    if not isinstance(cells_source, Sparse) and cells_source.ndim == 2:
        width = cells_source.shape[1]
    # The cells of these lists in the flat input: a slice, or positions if lists are apart, as in a
    # join. Starts and stops then count from the first of these cells.
    flat: slice | Integers
    if width:
        flat = slice(first_cell, first_cell + (high - low) * width)
        starts, stops = starts - first_cell, stops - first_cell
    elif (starts[1:] == stops[:-1]).all():
        flat = slice(first_cell, int(stops[-1]))
        starts, stops = starts - first_cell, stops - first_cell
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
    places = lists.places
    if places is not None:
        places = np.ascontiguousarray(places[flat])
    if lists.exclude is not None:
        chunk = (scores, labels, starts, stops, order)
        excluded = select_rows(lists.exclude, low, high)
        scores, labels, starts, stops, order = remove_excluded(chunk, excluded)
    checked = lists.judgments is not None and lists.judgments.labels_checked
    array = _label_array(labels, checked and lists.exclude is None)
    return Batch(scores, array, starts, stops, order, 0, high - low, low, places)


def first_tie(lists: Lists) -> tuple[int, int, int] | None:
    """The first list with a tie, and two documents of its lowest tied score.

    None without a tie, or without scores.
    """
    for batch in batches(lists, 0, len(lists)):
        if lists.scores is None or batch.scores is None:
            return None
        starts = batch.starts[batch.low : batch.high]
        stops = batch.stops[batch.low : batch.high]
        tied_list = _core.list_with_tie(batch.scores, starts, stops)  # counted from `low`
        if tied_list < 0:
            continue
        row = batch.first + batch.low + tied_list
        start, stop = int(lists.layout.starts[row]), int(lists.layout.stops[row])
        positions = np.arange(stop - start)
        if lists.exclude is not None:
            excluded = select_rows(lists.exclude, row, row + 1)
            positions = np.delete(positions, excluded.indices)
        scores = lists.scores.reshape(-1)[start:stop][positions]
        if lists.float32:
            scores = as_float32(scores)
        order = np.argsort(scores, kind="stable")
        ascending = scores[order]
        is_tied = ascending[1:] == ascending[:-1]
        if not is_tied.any():  # another thread has changed the scores
            return None
        lowest_tied = int(is_tied.argmax())
        first, second = order[lowest_tied], order[lowest_tied + 1]
        return row, int(positions[first]), int(positions[second])
    return None
