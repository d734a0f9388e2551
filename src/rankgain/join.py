"""The join of qrels and a run: where the judged documents of each query stand in its list."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .lists import Floats, Integers, as_array
from .trec import Qrels, Run


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """The judged queries of a join, in the order of the qrels; arrays are flat, list by list.

    The documents of list i stand in canonical order (score descending, id descending), at
    starts[i] .. stops[i] - 1 of scores. Its judged documents among them are CSR row i:
    indptr[i] .. indptr[i + 1] - 1 of indices (their ranks, from 0, ascending) and labels; all
    others are unjudged. A label of 0 stored is judged and not relevant. All labels that the qrels
    give the query, retrieved or not, are judged[judged_lists[i] : judged_lists[i + 1]], descending.
    """

    queries: tuple[str, ...]
    found: NDArray[np.bool_]  # whether the run has the query; if not, the list is empty
    scores: Floats
    places: Integers | None  # where in its list the source had each document; None: there too
    starts: Integers
    stops: Integers
    indptr: Integers
    indices: Integers
    labels: Floats
    judged: Floats
    judged_lists: Integers
    unjudged: tuple[str, ...]  # queries of the run that have no judgments

    def condensed(self) -> "Joined":
        """Leave the unjudged documents out of the lists."""
        sizes = np.diff(self.indptr)
        kept = np.repeat(self.starts, sizes) + self.indices
        return replace(
            self,
            scores=self.scores[kept],
            places=None if self.places is None else self.places[kept],
            starts=self.indptr[:-1],
            stops=self.indptr[1:],
            indices=np.arange(len(kept)) - np.repeat(self.indptr[:-1], sizes),
        )


def join(qrels: Qrels, run: Run) -> Joined:
    """Find the judged documents of each judged query in the run."""
    judged = qrels.prepared
    rows, theirs = qrels._arrays, run._arrays
    list_of = np.array([run._index.get(query, -1) for query in rows.queries], np.int64)
    indptr = np.empty(len(rows.queries) + 1, np.int64)
    indices, labels = np.empty(len(rows.values), np.int64), np.empty(len(rows.values))
    hits = _core.join_lists(
        (rows.ids, rows.id_starts, rows.lists, judged.codes, rows.values),
        (theirs.ids, theirs.id_starts, theirs.lists, *run._tables),
        list_of,
        (indptr, indices, labels),
    )
    found = list_of >= 0
    ends = np.append(theirs.lists, 0)  # list -1 is empty
    return Joined(
        queries=rows.queries,
        found=found,
        scores=theirs.values,
        places=run._places,
        starts=np.where(found, ends[list_of], 0),
        stops=np.where(found, ends[list_of + 1], 0),
        indptr=indptr,
        indices=indices[:hits],
        labels=labels[:hits],
        judged=judged.descending,
        judged_lists=rows.lists,
        unjudged=tuple(query for query in theirs.queries if query not in qrels),
    )


def join_dicts(qrels: dict[Any, Any], run: dict[Any, Any]) -> Joined | None:
    """Join dicts of dicts as they are: as `join(Qrels(qrels), Run(run))`, without scores.

    None where ids are not strings, numbers are neither floats nor integers, or something is wrong:
    then the objects are needed, or say what it is.
    """
    joined = _core.DictJoin()
    queries = []
    for query, judged in qrels.items():
        if type(query) is not str or type(judged) is not dict:
            return None
        documents = run.get(query)
        if not (documents is None or type(documents) is dict):
            return None
        if judged:
            queries.append(query)
            if not joined.add(judged, documents):
                return None
    unjudged = [query for query in run if not qrels.get(query)]
    if not all(
        type(query) is str and type(run[query]) is dict and joined.reads(run[query])
        for query in unjudged
    ):
        return None
    return laid_out(queries, joined.columns(), unjudged)


def laid_out(queries: list[str], columns: list["_core.Memory"], unjudged: list[str]) -> Joined:
    """Put what was counted query by query into arrays."""
    documents, hits, judgments, ranks = (as_array(column, np.int64) for column in columns[:4])
    sizes = np.maximum(documents, 0)
    stops = np.cumsum(sizes)
    return Joined(
        queries=tuple(queries),
        found=documents >= 0,
        scores=np.empty(0),
        places=None,
        starts=stops - sizes,
        stops=stops,
        indptr=starts_of(hits),
        indices=ranks,
        labels=as_array(columns[4], np.float64),
        judged=as_array(columns[5], np.float64),
        judged_lists=starts_of(judgments),
        unjudged=tuple(unjudged),
    )


def starts_of(sizes: Integers) -> Integers:
    """Return where each list starts, and where the last one stops."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts
