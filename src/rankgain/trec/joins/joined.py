"""The result of a join of qrels and a run."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...inputs.layouts import starts_of
from ...inputs.lists import Apart
from ..rows import Floats, Integers, Judged


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
    displayed: tuple[Any, ...]  # the same as they went in, integers or text
    in_run: np.ndarray[Any, np.dtype[np.bool_]]  # False: the list is empty
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
    prepared: Judged | None = None  # what is kept with the qrels, if they are an object
    apart: Apart | None = None  # where no document of the run is judged in any query

    @property
    def meets(self) -> bool:
        """Whether some document is judged, or no query has documents of both sides."""
        return bool(len(self.labels)) or not self.with_both.any()

    @property
    def with_both(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The queries with documents in the run and judgments."""
        return np.logical_and(self.stops > self.starts, np.diff(self.judged_lists) > 0)

    def condensed(self, least: float = -np.inf) -> "Joined":
        """Leave the unjudged documents out of the lists, and those with labels below `least`."""
        stays = self.labels >= least
        indptr = starts_of(stays.astype(np.int64))[self.indptr]
        sizes = np.diff(indptr)
        remaining = np.repeat(self.starts, sizes) + self.indices[stays]
        return replace(
            self,
            scores=self.scores[remaining] if len(self.scores) else self.scores,
            places=None if self.places is None else self.places[remaining],
            starts=indptr[:-1],
            stops=indptr[1:],
            indptr=indptr,
            indices=np.arange(len(remaining)) - np.repeat(indptr[:-1], sizes),
            labels=self.labels[stays],
        )


def without_scores(documents: Integers, **columns: Any) -> Joined:
    """A join without scores, of lists with so many documents; -1: the run has not the query."""
    sizes = np.maximum(documents, 0)
    stops = np.cumsum(sizes)
    columns |= {"in_run": documents >= 0, "starts": stops - sizes, "stops": stops}
    return Joined(scores=np.empty(0), places=None, **columns)
