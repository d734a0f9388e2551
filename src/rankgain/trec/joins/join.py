"""Join qrels and a run: find the ranks of judged documents."""

from dataclasses import replace

import numpy as np

from ... import _core
from ...inputs.arrays import as_float32
from ...inputs.lists import UnmatchedIds
from ..by_query import Qrels, Run
from .joined import Joined


def join(qrels: Qrels, run: Run, single: bool = False) -> Joined:
    """Find the judged documents of each judged query in the run; the run caches its last join.

    single: compare scores as float32.
    """
    run = narrowed(run) if single else run
    known: Joined | None = getattr(run, "_joined", None)
    if known is None or known.prepared is not qrels.prepared:
        run._joined = known = join_uncached(qrels, run)
    return known


def join_uncached(qrels: Qrels, run: Run) -> Joined:
    """Join without the cache."""
    judged = qrels.prepared
    rows, theirs = qrels._arrays, run._arrays
    if rows.queries == theirs.queries:
        list_of = np.arange(len(rows.queries))
    else:
        list_of = np.array([run._index.get(query, -1) for query in rows.queries], np.int64)
    indptr = np.empty(len(rows.queries) + 1, np.int64)
    indices, labels = np.empty(len(rows.values), np.int64), np.empty(len(rows.values))
    hits = _core.join_lists(
        (rows.ids, rows.id_starts, rows.lists, judged.codes, rows.values),
        (theirs.ids, theirs.id_starts, theirs.lists, *run._tables),
        list_of,
        (indptr, indices, labels),
    )
    in_run = list_of >= 0
    ends = np.append(theirs.lists, 0)  # list -1 is empty
    joined = Joined(
        queries=rows.queries,
        displayed=rows.displayed,
        in_run=in_run,
        scores=theirs.values,
        places=run._places,
        starts=np.where(in_run, ends[list_of], 0),
        stops=np.where(in_run, ends[list_of + 1], 0),
        indptr=indptr,
        indices=indices[:hits].copy(),
        labels=labels[:hits].copy(),
        judged=judged.descending,
        judged_lists=rows.lists,
        unjudged=()
        if rows.queries == theirs.queries
        else tuple(query for query in theirs.queries if query not in qrels._index),
        prepared=judged,
    )
    return joined if joined.meets else replace(joined, unmatched=_unmatched(joined, qrels, run))


def _unmatched(joined: Joined, qrels: Qrels, run: Run) -> UnmatchedIds | None:
    """Example ids if no document is on both sides in any query, else None."""
    theirs = run._arrays
    codes = np.empty(len(theirs.values), np.uint64)
    _core.hash_ids(theirs.ids, theirs.id_starts, codes)
    if np.isin(codes, qrels.prepared.codes).any():
        return None
    query = joined.queries[int(joined.with_both.argmax())]
    return UnmatchedIds(query, run.documents(query), qrels.documents(query))


def narrowed(run: Run) -> Run:
    """The run with float32 scores, in their canonical order; the run caches it."""
    known: Run | None = getattr(run, "_narrowed", None)
    if known is not None:
        return known
    rows = run._arrays
    single = as_float32(rows.values).astype(np.float64)
    if np.array_equal(single, rows.values):
        return run
    run._narrowed = new = Run.__new__(Run)
    new._set(rows._replace(values=single), None)
    if run._places is not None:  # compose: a row's place here, in the run, and in the source
        firsts = np.repeat(rows.lists[:-1], np.diff(rows.lists))
        moved = new._places
        new._places = run._places if moved is None else run._places[moved + firsts]
    return new
