"""One list that is explained: its ranking, its ties and its ideal, rank by rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention import Convention
from ..engine.plan import discount_weights
from ..engine.settings import Settings
from ..inputs.lists import Lists
from ..inputs.sparse import Sparse
from ..measures import functions as metrics
from .explanation import Steps

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Integers

OF_GAINS = ("gain", "rel")  # arguments that define the gains of labels


def one_list(lists: Lists, at: int) -> tuple[Floats, Floats | None, Floats | None]:
    """Labels, scores (or None) and judged labels (or None) of one list."""
    documents = slice(int(lists.layout.starts[at]), int(lists.layout.stops[at]))
    if isinstance(lists.labels, Sparse):
        stored = slice(int(lists.labels.indptr[at]), int(lists.labels.indptr[at + 1]))
        labels = np.zeros(documents.stop - documents.start)
        labels[lists.labels.indices[stored]] = lists.labels.data[stored]
    else:
        labels = lists.labels.reshape(-1)[documents]
    scores = None if lists.scores is None else lists.scores.reshape(-1)[documents]
    if lists.judged_labels is not None:
        flat, starts, stops = lists.judged_labels
        return labels, scores, flat[int(starts[at]) : int(stops[at])]
    if lists.runs is None or lists.runs_from_labels:
        return labels, scores, None
    runs = slice(int(lists.runs.first[at]), int(lists.runs.first[at + 1]))
    return labels, scores, np.repeat(lists.runs.level[runs], lists.runs.count[runs])


@dataclass(frozen=True, eq=False)
class OneList:
    """One checked list with the settings of its measure."""

    labels: Floats
    y_score: Any
    settings: Settings
    parts: dict[str, Any]  # keyword arguments of the measures

    @property
    def depth(self) -> int:
        """The number of ranks above the cutoff."""
        n, k = len(self.labels), self.settings.k
        return n if k is None else min(k, n)

    def ranking(self) -> tuple[Steps, tuple[tuple[int, int], ...]]:
        """Return the steps of the ranking, and the tie blocks above the cutoff."""
        gains, depth = self.gains(self.labels), self.depth
        order, tied = self.ranked(gains)
        expected = gains[order]
        depth_with_ties = depth
        if self.settings.ties == "average":
            for first, last in tied:
                block_gains = expected[first - 1 : last]
                if block_gains.min() < block_gains.max():  # a mean of equal gains may be rounded
                    expected[first - 1 : last] = block_gains.mean()
            depth_with_ties = max([depth, *(last for _, last in tied)])
        running = self.running(metrics.dcg, depth, moving(gains[order], tied))
        running = np.append(
            running, np.full(depth_with_ties - depth, running[-1] if depth else 0.0)
        )
        document = order[:depth_with_ties]
        steps = (self.labels[document], gains[document], expected[:depth_with_ties])
        return self.steps(document, *steps, depth, running), tied

    def ranked(self, gains: Floats) -> tuple[Integers, tuple[tuple[int, int], ...]]:
        """Return the documents in rank order, and the first and last rank of each tie block that
        starts above the cutoff. ties="best" and "worst" order the tied documents by their gains.
        """
        order = self.order()
        starts, stops = self.blocks(order)
        if self.settings.ties in ("best", "worst"):
            block = np.repeat(np.arange(len(starts)), stops - starts)
            sign = -1.0 if self.settings.ties == "best" else 1.0
            order = order[np.lexsort((sign * gains[order], block))]
        inside = (starts < self.depth) & (stops - starts > 1)
        tied = zip((starts[inside] + 1).tolist(), stops[inside].tolist(), strict=True)
        return order, tuple(tied)

    def ideal(self) -> Steps:
        """Return the steps of the ideal ranking, as the convention defines it."""
        kind, k, judged = self.settings.ideal, self.settings.k, self.parts["judged"]
        if kind == "ones":
            labels = np.full(k or 0, np.nan)
            gains = np.ones(len(labels))
        else:
            from_list = judged is None or kind == "list"
            labels = self.labels if from_list else np.asarray(judged, dtype=np.float64)
            gains = self.gains(labels)
        depth = len(labels) if k is None else min(k, len(labels))
        if kind == "returned":
            depth = min(depth, len(self.labels))
        is_fixed = kind in ("ones", "given")  # the labels are not sorted
        order = np.arange(depth) if is_fixed else np.lexsort((-labels, -gains))
        labels, gains = labels[order[:depth]], gains[order[:depth]]
        document = np.full(depth, -1) if kind == "ones" else order[:depth]
        return self.steps(
            document, labels, gains, gains, depth, self.running(metrics.idcg, depth, gains != 0)
        )

    def steps(
        self,
        document: Integers,
        label: Floats,
        gain: Floats,
        expected: Floats,
        depth: int,
        running: Floats,
    ) -> Steps:
        """Return read-only steps; documents after `depth` have discount 0."""
        discount = np.zeros(len(label))
        discount[:depth] = discount_weights(self.settings, depth)
        fields = (document, label, gain, expected, discount, expected * discount, running)
        for field in fields:
            field.setflags(write=False)
        return Steps(*fields)

    def gains(self, labels: Floats) -> Floats:
        """Return the gain of each label."""
        return map_gains(labels, self.parts)

    def order(self) -> Integers:
        """Return the documents in rank order; averaged ties, best and worst in input order."""
        n = len(self.labels)
        if self.y_score is None or n == 0:
            return np.arange(n)
        scores, ties = self.scores(), self.settings.ties
        if ties == "reverse":
            return np.argsort(scores, kind="stable")[::-1]
        order = n - 1 - np.argsort(scores[::-1], kind="stable")[::-1]
        if ties == "random":
            # With labels 1 .. n, the differences of the CG from rank to rank are the documents.
            ranks = np.arange(1, self.depth + 1)
            running = metrics.cg(np.arange(1.0, n + 1), scores, k=ranks, ties="random", threads=1)
            order[: self.depth] = np.diff(running, prepend=0.0).astype(np.int64) - 1
        return order

    def scores(self) -> Array:
        """Return the scores in the precision of the convention."""
        cut = self.settings.k is not None
        rules: Convention = self.parts["convention"]
        precision = rules.for_family("score_dtype", self.settings.function, cut=cut)
        scores = np.asarray(self.y_score)
        with np.errstate(over="ignore"):
            return scores.astype(precision) if precision is not None else scores

    def blocks(self, order: Integers) -> tuple[Integers, Integers]:
        """Return where the runs of equal scores start and stop."""
        if self.y_score is None:
            scores: Array = np.arange(len(order))
        else:
            scores = self.scores()[order]
        changes = np.flatnonzero(scores[1:] != scores[:-1]) + 1
        bounds = np.concatenate([[0], changes, [len(order)]]).astype(np.int64)
        return bounds[:-1], bounds[1:]

    def running(
        self, measure: Callable[..., Floats], depth: int, moves: Array, **fixed: object
    ) -> Floats:
        """Return the measure at each rank up to `depth`; `moves`: ranks at which it may change."""
        if depth == 0:
            return np.zeros(0)
        moves = moves[:depth].copy()
        moves[0] = True
        ranks = np.flatnonzero(moves) + 1
        parts = {**self.parts, **fixed}
        values = np.asarray(measure(self.labels, self.y_score, k=ranks, **parts), np.float64)
        running: Floats = values[np.cumsum(moves) - 1]
        return running


def map_gains(labels: Floats, parts: Mapping[str, Any]) -> Floats:
    """The gain of each label: the CG of a list with one document of this label."""
    options = {name: parts[name] for name in (*OF_GAINS, "convention") if name in parts}
    return np.asarray(metrics.cg(labels[:, np.newaxis], k=None, **options), dtype=np.float64)


def moving(worth: Floats, tied: tuple[tuple[int, int], ...]) -> Array:
    """The ranks with a document that is worth something, and those that tie with one."""
    result: Array = worth != 0
    for first, last in tied:
        result[first - 1 : last] |= result[first - 1 : last].any()
    return result
