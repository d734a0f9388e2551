"""Documents that are left out of qrels and runs before anything else is done with them."""

from typing import Any, TypeVar

import numpy as np

from ..engine.notices import warn
from ..inputs.faults import reword_error
from .by_query import Qrels, QueryRecords
from .joins.join import find_documents
from .rows import index

Kind = TypeVar("Kind", bound=QueryRecords)
OWN = "query"  # the document with the id of its query


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
    list_of, indptr, places, _ = find_documents(excluded, rows, tables, records._index)
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
