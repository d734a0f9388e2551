"""Rankings as measures in Python see them: the labels of each list, in rank order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..inputs.arrays import as_float32, native_scores
from ..inputs.grouping import SPLITMIX_STEP, mix_words
from ..inputs.ignored import remove_documents
from ..inputs.lists import Lists

if TYPE_CHECKING:
    from ..inputs.types import Array, Bools, Floats, Integers
    from .settings import Settings


class Ranking:
    """One ranked list, and what is known of its relevant documents. Its arrays are read-only.

    Attributes
    ----------
    labels : float64 array of shape (n,)
        The label of each document in rank order; 0 for unjudged documents.
    judged : bool array of shape (n,)
        Whether the document at each rank is judged.
    ideal : float64 array
        The labels of all judged documents, retrieved or not, in descending order.
    n : int
        How many documents were retrieved.
    """

    __slots__ = ("ideal", "judged", "labels")

    def __init__(self, labels: Floats, judged: Bools, ideal: Floats) -> None:
        for array in (labels, judged, ideal):
            array.setflags(write=False)
        self.labels, self.judged, self.ideal = labels, judged, ideal

    @property
    def n(self) -> int:
        """How many documents were retrieved."""
        return len(self.labels)

    def relevant(self, rel: float = 1.0) -> int:
        """How many judged documents have a label of at least `rel`, retrieved or not."""
        return int((self.ideal >= rel).sum())

    def __repr__(self) -> str:
        return f"Ranking(n={self.n}, relevant={self.relevant()})"


RankingFunction: TypeAlias = Callable[..., object]  # of a ranking, or of a ranking and k


def rankings(lists: Lists, settings: Settings) -> Iterator[Ranking]:
    """Each list in rank order; the rule for ties must order the documents."""
    if lists.exclude is not None:
        lists = remove_documents(lists.replace(exclude=None), lists.exclude)
    for row in range(len(lists)):
        labels, judged = _labels_by_place(lists, row)
        ideal = _judged_labels(lists, row, labels[judged])
        order = _rank_order(lists, row, settings)
        labels, judged = labels[order], judged[order]
        if lists.places is not None:
            labels, judged = _leave_gaps(lists, row, labels, judged)
        # Where a label below the floor counts as 0, it means that nobody judged the document.
        judged = judged & (labels >= settings.floor)
        labels[labels < settings.floor] = 0.0
        ideal[ideal < settings.floor] = 0.0
        yield Ranking(labels, judged, np.sort(ideal)[::-1].copy())


def _labels_by_place(lists: Lists, row: int) -> tuple[Floats, Bools]:
    """The label of each document of a list in input order, and whether it is judged."""
    values, positions = lists.row(row)
    if not lists.sparse:
        return values.astype(np.float64), np.ones(len(values), bool)
    n = int(lists.layout.stops[row] - lists.layout.starts[row])
    labels, judged = np.zeros(n), np.zeros(n, bool)
    labels[positions] = values
    judged[positions] = True
    return labels, judged


def _judged_labels(lists: Lists, row: int, returned: Floats) -> Floats:
    """The labels of all judged documents of a list; returned: those of its own documents."""
    if lists.runs is None or lists.all_returned:
        return returned.copy()
    runs = slice(int(lists.runs.first[row]), int(lists.runs.first[row + 1]))
    return np.repeat(lists.runs.level[runs], lists.runs.count[runs])


def _rank_order(lists: Lists, row: int, settings: Settings) -> Integers:
    """The positions of a list's documents in rank order."""
    documents = slice(int(lists.layout.starts[row]), int(lists.layout.stops[row]))
    positions = np.arange(documents.stop - documents.start)
    if lists.scores is None:
        return positions
    scores = native_scores(lists.scores.reshape(-1)[documents])
    if lists.float32:
        scores = as_float32(scores)
    keys: Array
    if settings.ties == "reverse":
        keys = -positions
    elif settings.ties == "random":
        keys = _random_keys(settings.seed, lists.offset + row, len(positions))
    elif settings.ties in ("id", "id_descending") and lists.order is not None:
        keys = lists.order[documents]
        if settings.ties == "id_descending":
            keys = -keys
    else:  # tied documents keep their order
        return np.argsort(-scores, kind="stable")
    return np.lexsort((positions, keys, -scores))


def _random_keys(seed: int, row: int, n: int) -> Array:
    """A random key for each document, as the core draws them: from the seed, list and position."""
    start = (seed + int(SPLITMIX_STEP) * (row + 1)) % 2**64
    draw = mix_words(np.array([start], np.uint64))
    return np.asarray(mix_words(draw + np.arange(n, dtype=np.uint64)))


def _leave_gaps(lists: Lists, row: int, labels: Floats, judged: Bools) -> tuple[Floats, Bools]:
    """Move documents in rank order to their places; ranks without a document are unjudged."""
    assert lists.places is not None
    documents = slice(int(lists.layout.starts[row]), int(lists.layout.stops[row]))
    places = lists.places[documents]
    length = 0
    if len(places):
        length = int(places[-1]) + 1
    spread_labels, spread_judged = np.zeros(length), np.zeros(length, bool)
    spread_labels[places] = labels
    spread_judged[places] = judged
    return spread_labels, spread_judged


def _hint_at_cutoff(error: Exception, k: int | None) -> str:
    """The end of an error for a function of a ranking and k that was registered without k."""
    if k is not None or not isinstance(error, TypeError) or "missing 1 required" not in str(error):
        return ""
    return ". If the function has a parameter k, pass cutoff=True to rankgain.measure"


def measure_rankings(
    function: RankingFunction, name: str, lists: Lists, settings: Settings
) -> Floats:
    """The values of a function of rankings, one for each list; NaN where it is undefined."""
    arguments: tuple[int, ...] = ()
    if settings.k is not None:
        arguments = (settings.k,)
    values = np.empty(len(lists))
    for row, ranking in enumerate(rankings(lists, settings)):
        try:
            value = function(ranking, *arguments)
        except Exception as error:
            raise ValueError(
                f"measure {name!r}: {lists.place(row)}: the function raised "
                f"{type(error).__name__}: {error}{_hint_at_cutoff(error, settings.k)}"
            ) from error
        if not isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
            raise TypeError(
                f"measure {name!r}: {lists.place(row)}: the function must return a number, not "
                f"{value!r:.100}"
            )
        try:
            values[row] = float(value)
        except OverflowError:
            values[row] = np.inf
        if np.isinf(values[row]):
            raise ValueError(
                f"measure {name!r}: {lists.place(row)}: the function returned {value!r:.100}, "
                "which no mean can have; return a finite number, or NaN for no value"
            )
    return values
