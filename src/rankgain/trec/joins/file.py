"""The join of qrels and a run file, made while the file is read."""

import numpy as np

from ...inputs.files import Source, damages
from ...inputs.layouts import starts_of
from ..by_query import Qrels, Run
from .join import join
from .joined import Joined, without_scores
from .stream import Found, Stream, rewind, rewindable


def join_file(qrels: Qrels, source: Source, *, threads: int = 1, single: bool = False) -> Joined:
    """Join a run file with qrels as it is read: as `join(qrels, Run.read(source))`, without scores.

    The rows of the run are not kept, unless those of a query stand apart.
    """
    with rewindable(source) as (kept, start):
        found = adjacent(qrels, kept, threads, single)
        joined = None if found is None else laid_out(qrels, found)
        if joined is None or not joined.meets:  # the whole run is needed, or says what is wrong
            rewind(kept, start)
            return join(qrels, Run.read(kept), single)
    return joined


def adjacent(qrels: Qrels, source: Source, threads: int, single: bool) -> Found | None:
    """Read a run of which the rows of each query are adjacent; None if anything else is found."""
    try:
        found, again = Stream(qrels._arrays, single=single).first_pass(source, threads)
    except damages(ValueError):
        return None
    return None if again or found.repeated or not found.rows else found


def laid_out(qrels: Qrels, found: Found) -> Joined:
    """Bring the hits, which are in the order of the run, into that of the qrels."""
    rows = qrels._arrays
    documents, first, hits = found.lists.T
    sizes = np.where(documents < 0, 0, hits)
    indptr = starts_of(sizes)
    taken = np.arange(indptr[-1]) + np.repeat(
        np.where(documents < 0, 0, first) - indptr[:-1], sizes
    )
    return without_scores(
        documents,
        queries=rows.queries,
        shown=rows.shown,
        indptr=indptr,
        indices=found.ranks[taken],
        labels=found.labels[taken],
        judged=qrels.prepared.descending,
        judged_lists=rows.lists,
        unjudged=tuple(name.decode("utf-8", "surrogateescape") for name in found.unjudged),
        prepared=qrels.prepared,
    )
