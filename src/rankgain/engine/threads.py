"""Run plans in the core: threads, signals, and the error for the first fault."""

from __future__ import annotations

from _thread import allocate_lock, get_ident, start_new_thread
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from threading import main_thread
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import ref

import numpy as np

from .. import _core
from ..inputs.chunks import Batch, batches
from ..inputs.faults import overflowing, raise_fault
from ..inputs.lists import Lists

if TYPE_CHECKING:
    from ..inputs.types import Floats, Integers


LOST = object()  # the result of a part that no thread has finished
STRETCH = 5000  # least number of documents of a part


# Runs a plan on a batch and writes rows; returns a fault, or whether some value is undefined. The
# last argument is a flag that stops it.
Kernel = Callable[[_core.Plan, Lists, Batch, Any, "_core.Stop | None"], Any]


def run(plan: _core.Plan, lists: Lists, threads: int) -> tuple[Any, bool]:
    """Values of all lists, one row each, and whether some are undefined; raises a fault."""
    out = np.empty((len(lists), plan.n_columns), order="F")
    return out, _run(plan, lists, threads, out, _evaluate)


def _evaluate(
    plan: _core.Plan, lists: Lists, batch: Batch, rows: Floats, stop: _core.Stop | None
) -> Any:
    return _core.evaluate(plan, *batch[:4], lists.runs, batch.order, rows, *batch[5:], stop)


def run_bounds(
    plan: _core.Plan, lists: Lists, threads: int, holes: _core.Holes | None = None
) -> Any:
    """Three rows for each list: what `_core.bound` writes."""

    def bound(
        plan: _core.Plan, lists: Lists, batch: Batch, rows: Floats, stop: _core.Stop | None
    ) -> Any:
        return _core.bound(plan, *batch[:4], lists.runs, rows, *batch[5:], holes, stop)

    out = np.empty((len(lists), 3 * plan.n_columns))
    _run(plan, lists, threads, out, bound)
    return out.reshape(len(lists), 3, plan.n_columns)


def _run(plan: _core.Plan, lists: Lists, threads: int, out: Floats, kernel: Kernel) -> bool:
    """Run the kernel on all lists; returns whether some value is undefined."""
    sizes = lists.layout.sizes
    parts = _parts(sizes, threads) if threads > 1 else [(0, len(sizes))]
    aside = int(sizes.max(initial=0)) >= plan.long_list and in_main_thread()
    stop = _core.Stop() if aside or len(parts) > 1 else None
    work = partial(_run_part, plan, lists, out, kernel, stop)
    result = [work(parts[0])] if stop is None else share(work, parts, threads, stop, aside)
    for one in result:
        if isinstance(one, tuple):
            fault = overflowing(lists, one[1]) if one[0] == "gain_overflow" else one
            raise_fault(fault, lists=lists)
    return any(result)


def in_main_thread() -> bool:
    """Whether this is the main thread, the only one that handles signals."""
    return get_ident() == main_thread().ident


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
    results: list[Any] = [LOST] * len(parts)
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

    running = started(take, min(threads, len(parts)) - (not aside))
    try:
        if not aside or not running:
            take()
        wait_for(running)
    except BaseException:  # the other threads end at their next list; they hold their arrays
        stop.set()
        raise
    if errors:
        raise next((one for one in errors if not isinstance(one, InterruptedError)), errors[0])
    if any(one is LOST for one in results):
        raise MemoryError("out of memory: a worker thread stopped early")
    return results


class _Life:
    """A thread holds the only reference; a weak reference shows whether the thread has ended."""


Running: TypeAlias = list[tuple[Any, ref[_Life]]]


def started(take: Callable[[], None], threads: int) -> Running:
    """Start threads; for each return a lock that it releases at its end, and a weak reference.

    Where memory runs out, there may be fewer threads, and a thread may end before it begins.
    """

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


def wait_for(running: Running) -> None:
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
    if n < 2 or int(done[-1]) < 4 * STRETCH:
        return [(0, n)]
    pieces = min(4 * threads, n, int(done[-1]) // STRETCH)
    cuts = np.searchsorted(done, np.arange(1, pieces) * (int(done[-1]) / pieces)) + 1
    bounds = np.unique(np.concatenate(([0], np.minimum(cuts, n), [n]))).tolist()
    return list(pairwise(bounds))


def _run_part(
    plan: _core.Plan,
    lists: Lists,
    out: Floats,
    kernel: Kernel,
    stop: _core.Stop | None,
    part: tuple[int, int],
) -> Any:
    undefined = False
    for batch in batches(lists, *part):
        rows = out[batch.first + batch.low : batch.first + batch.high]
        result = kernel(plan, lists, batch, rows, stop)
        if isinstance(result, tuple):
            return result
        undefined |= bool(result)
    return undefined


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
