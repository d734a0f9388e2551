"""Join qrels and a run file while reading it."""

import numpy as np

from ...inputs.files import Source, damages
from ...inputs.layouts import starts_of
from ..by_query import Qrels, Run
from .join import join
from .joined import Joined, without_scores
from .stream import Stream, StreamedRun, rewind, rewindable


def join_file(qrels: Qrels, source: Source, *, threads: int = 1, single: bool = False) -> Joined:
    """The result of `join(qrels, Run.read(source))`, without scores, made while reading.

    The rows of the run are stored only if those of some query are not adjacent.
    """
    with rewindable(source) as (stored, start):
        result = adjacent(qrels, stored, threads, single)
        joined = None if result is None else laid_out(qrels, result)
        if joined is None or not joined.meets:  # read the run, which works or raises the error
            rewind(stored, start)
            return join(qrels, Run.read(stored), single)
    return joined


def adjacent(qrels: Qrels, source: Source, threads: int, single: bool) -> StreamedRun | None:
    """Read a run whose rows of each query are adjacent; None if they are not, or on errors."""
    try:
        result, again = Stream(qrels._arrays, single=single).first_pass(source, threads)
    except damages(ValueError):
        return None
    return None if again or result.repeated or not result.rows else result


def laid_out(qrels: Qrels, result: StreamedRun) -> Joined:
    """Reorder the hits from the order of the run to that of the qrels."""
    rows = qrels._arrays
    documents, first, hits = result.lists.T
    sizes = np.where(documents < 0, 0, hits)
    indptr = starts_of(sizes)
    taken = np.arange(indptr[-1]) + np.repeat(
        np.where(documents < 0, 0, first) - indptr[:-1], sizes
    )
    return without_scores(
        documents,
        queries=rows.queries,
        displayed=rows.displayed,
        indptr=indptr,
        indices=result.ranks[taken],
        labels=result.labels[taken],
        judged=qrels.prepared.descending,
        judged_lists=rows.lists,
        unjudged=tuple(name.decode("utf-8", "surrogateescape") for name in result.unjudged),
        prepared=qrels.prepared,
    )
