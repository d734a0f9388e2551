"""Join Qrels and a Run by id, and leave documents out of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from .. import _core
from ..convention import Convention
from ..engine.notices import warn
from ..inputs.arrays import as_float32
from ..inputs.lists import UnmatchedIds, reword_error
from .by_query import Qrels, QueryRecords, Run, as_qrels, as_run, warn_of_exchange
from .rows import Integers, Joined, find_documents, index

OWN = "query"  # the document with the id of its query
Kind = TypeVar("Kind", bound=QueryRecords)


def read_pair(qrels: object, run: object) -> tuple[Qrels, Run]:
    """Make Qrels and a Run; a probable exchange of the two is warned about."""
    judged, results = as_qrels(qrels, [run]), as_run(run)
    warn_of_exchange(judged._arrays.values, results)
    return judged, results


def as_seen(rules: Convention, run: Run) -> Run:
    """The run as a convention sees it; the run caches it."""
    if rules.own_document != "drop":
        return run
    return _cached(run, "_without_own", lambda run: without(run, OWN))


def _cached(run: Run, slot: str, change: Callable[[Run], Run]) -> Run:
    """The changed run, which the run caches; None in its slot: nothing changes."""
    if not hasattr(run, slot):
        changed = change(run)
        setattr(run, slot, None if changed is run else changed)
    cached: Run | None = getattr(run, slot)
    return run if cached is None else cached


def join_by(rules: Convention, qrels: Qrels, run: Run) -> Joined:
    """Join with scores in the precision of a convention."""
    return join(qrels, as_seen(rules, run), rules.score_dtype == "float32")


def join(qrels: Qrels, run: Run, float32: bool = False) -> Joined:
    """Find the judged documents of each judged query in the run; the run caches its last join."""
    run = _cached(run, "_float32", with_float32_scores) if float32 else run
    cached: Joined | None = getattr(run, "_joined", None)
    if cached is None or cached.prepared is not qrels.prepared:
        run._joined = cached = join_uncached(qrels, run)
    return cached


def join_uncached(qrels: Qrels, run: Run) -> Joined:
    """Join without the cache."""
    judged = qrels.prepared
    rows, run_rows = qrels._arrays, run._arrays
    list_of = find_lists(run, rows.queries)
    wanted = rows, judged.codes, np.arange(len(list_of))
    indptr, indices, labels, _ = find_documents(*wanted, run_rows, run._tables, list_of)
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
    has_both = (joined.stops > joined.starts) & (np.diff(rows.lists) > 0)
    if len(labels) or not has_both.any():  # else no document of the run is judged
        return joined
    codes = np.empty(len(run_rows.values), np.uint64)
    _core.hash_ids(run_rows.ids, run_rows.id_starts, codes)
    if np.isin(codes, judged.codes).any():  # a document of another query
        return joined
    query = joined.queries[int(has_both.argmax())]
    examples = UnmatchedIds(query, run.documents(query), qrels.documents(query))
    return replace(joined, unmatched=examples)


def find_lists(run: QueryRecords, queries: tuple[str, ...]) -> Integers:
    """The number of the list of each query, or -1."""
    if queries == run.queries:
        return np.arange(len(queries))
    return np.array([run._index.get(query, -1) for query in queries], np.int64)


def with_float32_scores(run: Run) -> Run:
    """The run with float32 scores, in their canonical order; itself if none changes."""
    rows = run._arrays
    values = as_float32(rows.values).astype(np.float64)
    if np.array_equal(values, rows.values):
        return run
    new = Run.__new__(Run)
    new._set(rows._replace(values=values), None, in_place=True)
    if run._places is not None:  # from the position here to that in the run and in the source
        firsts = np.repeat(rows.lists[:-1], np.diff(rows.lists))
        moved = new._places
        new._places = run._places if moved is None else run._places[moved + firsts]
    return new


def read_excluded(source: Any) -> Any:
    """The excluded documents of each query as Qrels; OWN and None stay as they are."""
    if source is None or isinstance(source, Qrels) or (isinstance(source, str) and source == OWN):
        return source
    try:
        return Qrels(source, duplicates="first")
    except (TypeError, ValueError) as error:
        reword_error(error, f"exclude: {str(error).removeprefix('qrels: ')}")
        raise


def exclude_documents(qrels: Qrels, run: Kind, excluded: Any) -> tuple[Qrels, Kind]:
    """Leave the excluded documents out of both, as if no row had them."""
    if isinstance(excluded, Qrels) and excluded and not set(excluded) & {*qrels, *run}:
        warn(
            f"exclude has no query of the qrels or the run, but {excluded.queries[0]!r}; do the "
            "ids agree?"
        )
    return without(qrels, excluded), without(run, excluded)


def without(records: Kind, excluded: Any) -> Kind:
    """The records without the excluded documents; themselves if they have none of them.

    Qrels lose a query whose documents are all excluded; in a run it stays, without documents.
    """
    if excluded is None:
        return records
    if not isinstance(excluded, Qrels):
        excluded = Qrels({query: [query] for query in records})
    rows, is_run = records._arrays, not records._is_qrels
    tables = records._tables if is_run else index(rows)[0]
    list_of = find_lists(records, excluded.queries)
    wanted = excluded._arrays, excluded.prepared.codes, np.arange(len(list_of))
    indptr, places, *_ = find_documents(*wanted, rows, tables, list_of)
    if not len(places):
        return records
    stays = np.ones(len(rows.values), bool)
    stays[np.repeat(rows.lists[list_of], np.diff(indptr)) + places] = False
    order = np.arange(len(stays))
    if records._places is not None:  # back to the order of the source
        order = np.lexsort((records._places, np.repeat(order[: len(records)], np.diff(rows.lists))))
    lists = np.concatenate(([0], np.cumsum(stays)))[rows.lists]
    rows = rows._replace(order=order[stays[order]], lists=lists)
    if not is_run:
        full = np.flatnonzero(np.diff(lists)).tolist()
        originals = rows.original_ids
        rows = rows._replace(
            queries=tuple(rows.queries[at] for at in full),
            lists=lists[[0, *(at + 1 for at in full)]],
            original_ids=originals and tuple(originals[at] for at in full),
        )
    result = type(records).__new__(type(records))
    has_repeats = result._set(rows, None, is_run)
    return without(result, excluded) if has_repeats else result
