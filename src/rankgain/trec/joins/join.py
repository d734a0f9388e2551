"""Join qrels and a run: find the ranks of judged documents."""

from dataclasses import replace

import numpy as np

from ... import _core
from ...inputs.arrays import as_float32
from ...inputs.lists import UnmatchedIds
from ..by_query import Qrels, Run
from ..rows import Floats, Integers, RecordRows, Table
from .joined import Joined


def join(qrels: Qrels, run: Run, float32: bool = False) -> Joined:
    """Find the judged documents of each judged query in the run; the run caches its last join."""
    run = with_float32_scores(run) if float32 else run
    cached: Joined | None = getattr(run, "_joined", None)
    if cached is None or cached.prepared is not qrels.prepared:
        run._joined = cached = join_uncached(qrels, run)
    return cached


def join_uncached(qrels: Qrels, run: Run) -> Joined:
    """Join without the cache."""
    judged = qrels.prepared
    rows, run_rows = qrels._arrays, run._arrays
    list_of, indptr, indices, labels = find_documents(qrels, run_rows, run._tables, run._index)
    in_run = list_of >= 0
    ends = np.append(run_rows.lists, 0)  # list -1 is empty
    joined = Joined(
        queries=rows.queries,
        displayed=rows.displayed,
        in_run=in_run,
        scores=run_rows.values,
        places=run._places,
        starts=np.where(in_run, ends[list_of], 0),
        stops=np.where(in_run, ends[list_of + 1], 0),
        indptr=indptr,
        indices=indices,
        labels=labels,
        judged=judged.descending,
        judged_lists=rows.lists,
        unjudged=()
        if rows.queries == run_rows.queries
        else tuple(query for query in run_rows.queries if query not in qrels._index),
        prepared=judged,
    )
    if joined.has_common_ids:
        return joined
    codes = np.empty(len(run_rows.values), np.uint64)
    _core.hash_ids(run_rows.ids, run_rows.id_starts, codes)
    if np.isin(codes, judged.codes).any():  # a document of another query
        return joined
    query = joined.queries[int(joined.with_both.argmax())]
    examples = UnmatchedIds(query, run.documents(query), qrels.documents(query))
    return replace(joined, unmatched=examples)


def find_documents(
    wanted: Qrels, rows: RecordRows, tables: Table, places: dict[str, int]
) -> tuple[Integers, Integers, Integers, Floats]:
    """Find the documents of each wanted query in its list among the rows.

    tables: of the rows; places: the number of each query's list. Return the list of each wanted
    query (-1: none), and by CSR rows the positions of documents in it, ascending, and their labels.
    """
    own = wanted._arrays
    if own.queries == rows.queries:
        list_of = np.arange(len(own.queries))
    else:
        list_of = np.array([places.get(query, -1) for query in own.queries], np.int64)
    indptr = np.empty(len(own.queries) + 1, np.int64)
    indices, labels = np.empty(len(own.values), np.int64), np.empty(len(own.values))
    hits = _core.join_lists(
        (own.ids, own.id_starts, own.lists, wanted.prepared.codes, own.values),
        (rows.ids, rows.id_starts, rows.lists, *tables),
        list_of,
        (indptr, indices, labels),
    )
    return list_of, indptr, indices[:hits].copy(), labels[:hits].copy()


def with_float32_scores(run: Run) -> Run:
    """The run with float32 scores, in their canonical order; the run caches it."""
    cached: Run | None = getattr(run, "_float32", None)
    if cached is not None:
        return cached
    rows = run._arrays
    values = as_float32(rows.values).astype(np.float64)
    if np.array_equal(values, rows.values):
        return run
    run._float32 = new = Run.__new__(Run)
    new._set(rows._replace(values=values), None, in_place=True)
    if run._places is not None:  # from the position here to that in the run and in the source
        firsts = np.repeat(rows.lists[:-1], np.diff(rows.lists))
        moved = new._places
        new._places = run._places if moved is None else run._places[moved + firsts]
    return new
