"""The result of a join of qrels and a run."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...inputs.lists import UnmatchedIds, starts_of
from ..rows import Floats, Integers, Judged


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """The judged queries of a join, in the order of the qrels; arrays are flat, list by list.

    The documents of list i stand in canonical order (score descending, id descending), at
    starts[i] .. stops[i] - 1 of scores; without scores, in the order of the tie rule that the join
    was made for. Its judged documents among them are CSR row i:
    indptr[i] .. indptr[i + 1] - 1 of indices (their ranks, from 0, ascending) and labels; all
    others are unjudged. A stored label of 0 means judged and not relevant. All labels of the query
    in the qrels, retrieved or not, are judged[judged_lists[i] : judged_lists[i + 1]], descending.
    """

    queries: tuple[str, ...]
    displayed: tuple[Any, ...]  # the same in their original type, integers or text
    in_run: np.ndarray[Any, np.dtype[np.bool_]]  # False: the list is empty
    scores: Floats | None  # None: only ranks are known
    places: Integers | None  # position of each document in its list of the source; None: its rank
    starts: Integers
    stops: Integers
    indptr: Integers
    indices: Integers
    labels: Floats
    judged: Floats
    judged_lists: Integers
    unjudged: tuple[str, ...]  # queries of the run that have no judgments
    sizes: Integers | None = None  # number of documents that share the rank of each hit; None: 1
    prepared: Judged | None = None  # cached data of the qrels, if they are a Qrels
    unmatched: UnmatchedIds | None = None  # example ids, if no document of the run is judged

    @property
    def has_common_ids(self) -> bool:
        """Whether a document of the run is judged, or no query has both documents and judgments."""
        return bool(len(self.labels)) or not self.with_both.any()

    @property
    def with_both(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which queries have documents in the run and judgments."""
        return np.logical_and(self.stops > self.starts, np.diff(self.judged_lists) > 0)

    def condensed(self, least: float = -np.inf) -> "Joined":
        """Remove unjudged documents, and those with labels below `least`; no ranks are shared."""
        stays = self.labels >= least
        indptr = starts_of(stays.astype(np.int64))[self.indptr]
        sizes = np.diff(indptr)
        remaining = np.repeat(self.starts, sizes) + self.indices[stays]
        return replace(
            self,
            scores=None if self.scores is None else self.scores[remaining],
            places=None if self.places is None else self.places[remaining],
            starts=indptr[:-1],
            stops=indptr[1:],
            indptr=indptr,
            indices=np.arange(len(remaining)) - np.repeat(indptr[:-1], sizes),
            labels=self.labels[stays],
        )


def without_scores(documents: Integers, **columns: Any) -> Joined:
    """A join without scores. documents: the length of each list; -1: not in the run."""
    sizes = np.maximum(documents, 0)
    stops = np.cumsum(sizes)
    columns |= {"in_run": documents >= 0, "starts": stops - sizes, "stops": stops}
    return Joined(scores=None, places=None, **columns)
