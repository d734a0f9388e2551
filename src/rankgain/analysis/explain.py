"""explain: one list's nDCG, rank by rank.

The numbers are the measures' own: the running sums are DCG and IDCG at each rank, a gain is the
CG of a list of one document, and the order is read off a running CG.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import metrics
from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.plan import discount_weights
from ..engine.settings import Settings, resolve
from ..lists.truth import Truth
from ..results.explanation import Explanation, Steps

if TYPE_CHECKING:
    from ..engine.types import Cutoff, Discount, Gain, Judged, Labels, Rules, Scores, Ties

__all__ = ["Explanation", "explain"]

Floats = NDArray[np.float64]


def explain(
    y_true: Labels,
    y_score: Scores | None = None,
    *,
    k: Cutoff | Unset = UNSET,
    gain: Gain | Unset = UNSET,
    discount: Discount | Unset = UNSET,
    ties: Ties | Unset = UNSET,
    judged: Judged | None = None,
    convention: Rules = "rankgain",
) -> Explanation:
    """Show how one list's nDCG comes about, rank by rank, beside the ideal ranking.

    Parameters
    ----------
    y_true : array of shape (documents,)
        Labels of one list.
    y_score : array of shape (documents,), optional
        Scores; left out, the order given is the ranking.
    k, gain, discount, ties, judged, convention
        As in `rankgain.ndcg`.

    Returns
    -------
    Explanation
        Print it for the table; `rows()`, `to_dict()` and its attributes for the numbers.

    Examples
    --------
    >>> import rankgain as rg
    >>> shown = rg.explain([0, 3, 1], [0.2, 0.9, 0.2], k=2)
    >>> print(str(shown).splitlines()[0])  # the table follows
    nDCG@2 0.9131 = DCG@2 3.3155 / IDCG@2 3.6309
    >>> shown.ranking.term.round(4).tolist(), shown.ideal.term.round(4).tolist()
    ([3.0, 0.3155, 0.0], [3.0, 0.6309])
    >>> shown.tied
    ((2, 3),)
    """
    if isinstance(y_true, Truth):
        y_true.refuse_again(judged=judged)
        y_true, judged = y_true.labels, y_true.given and y_true.given[0]
    own = get_convention(convention)
    parts = {"gain": gain, "discount": discount, "ties": ties, "judged": judged}
    measures: tuple[Callable[..., Any], ...] = (metrics.ndcg, metrics.dcg, metrics.idcg)
    values: list[Any] = [
        measure(y_true, y_score, k=k, convention=own, **parts) for measure in measures
    ]
    if not all(isinstance(value, float) for value in values):
        raise ValueError("explain takes one list (1-D y_true and y_score) and one cutoff k")
    settings = resolve("ndcg", {"k": k, **parts}, own)
    # The table shows the sums as they are; only the three values above are cast and rounded.
    exact = own.replace(result_dtype="float64", round=None)
    labels = np.asarray(y_true, dtype=np.float64)
    task = _Task(labels, y_score, settings, {**parts, "convention": exact})
    ranking, tied = task.ranking()
    words = {name: _words(getattr(settings, name)) for name in ("gain", "discount", "ties")}
    words["convention"] = own.name
    ndcg, dcg, idcg = values
    return Explanation(ndcg, dcg, idcg, settings.k, ranking, task.ideal(), tied, words)


@dataclass(frozen=True, eq=False)
class _Task:
    """One checked list and what is asked of it."""

    labels: Floats
    y_score: Any
    settings: Settings
    parts: dict[str, Any]  # arguments of dcg and idcg

    @property
    def convention(self) -> Convention:
        found: Convention = self.parts["convention"]
        return found

    def ranking(self) -> tuple[Steps, tuple[tuple[int, int], ...]]:
        """Return the steps of the list as ranked, and its tie blocks that reach into them."""
        n = len(self.labels)
        gains = self.gains(self.labels)
        order = self.order()
        starts, stops = self.blocks(order)
        if self.settings.ties in ("best", "worst"):
            block = np.repeat(np.arange(len(starts)), stops - starts)
            sign = -1.0 if self.settings.ties == "best" else 1.0
            order = order[np.lexsort((sign * gains[order], block))]
        expected = gains[order]
        depth = n if self.settings.k is None else min(self.settings.k, n)
        inside = (starts < depth) & (stops - starts > 1)
        tied = [(int(a), int(b)) for a, b in zip(starts[inside], stops[inside], strict=True)]
        shown = depth
        if self.settings.ties == "average":
            for start, stop in tied:
                block_gains = expected[start:stop]
                if block_gains.min() < block_gains.max():  # a mean of equal gains may lose a bit
                    expected[start:stop] = block_gains.mean()
            shown = max([depth, *(stop for _, stop in tied)])
        running = self.running(metrics.dcg, depth)
        running = np.append(running, np.full(shown - depth, running[-1] if depth else 0.0))
        document = order[:shown]
        steps = (self.labels[document], gains[document], expected[:shown])
        ranks = tuple((start + 1, stop) for start, stop in tied)
        return self.steps(document, *steps, depth, running), ranks

    def ideal(self) -> Steps:
        """Return the steps of the ideal ranking, as the convention defines it."""
        kind, k, judged = self.settings.ideal, self.settings.k, self.parts["judged"]
        if kind == "ones":
            labels = np.full(k or 0, np.nan)
            gains = np.ones(len(labels))
        else:
            own = judged is None or kind == "list"
            labels = self.labels if own else np.asarray(judged, dtype=np.float64)
            gains = self.gains(labels)
        depth = len(labels) if k is None else min(k, len(labels))
        if kind == "returned":
            depth = min(depth, len(self.labels))
        stands = kind in ("ones", "given")  # no best ranking, but what it is
        order = np.arange(depth) if stands else np.lexsort((-labels, -gains))
        labels, gains = labels[order[:depth]], gains[order[:depth]]
        nobody = np.full(depth, -1)
        return self.steps(nobody, labels, gains, gains, depth, self.running(metrics.idcg, depth))

    def steps(
        self,
        document: Any,
        label: Floats,
        gain: Floats,
        expected: Floats,
        depth: int,
        running: Floats,
    ) -> Steps:
        discount = np.zeros(len(label))
        discount[:depth] = discount_weights(self.settings, depth)
        fields = (document, label, gain, expected, discount, expected * discount, running)
        for field in fields:
            field.setflags(write=False)
        return Steps(*fields)

    def gains(self, labels: Floats) -> Floats:
        # The CG of one document is its gain.
        options = {name: self.parts[name] for name in ("gain", "convention")}
        return np.asarray(metrics.cg(labels[:, np.newaxis], k=None, **options), dtype=np.float64)

    def order(self) -> NDArray[np.int64]:
        """Return the documents in rank order; averaged ties, best and worst in input order."""
        n = len(self.labels)
        if self.y_score is None or n == 0:
            return np.arange(n)
        scores, ties = self.scores(), self.settings.ties
        if ties == "reverse":
            return np.argsort(scores, kind="stable")[::-1]
        order = n - 1 - np.argsort(scores[::-1], kind="stable")[::-1]
        if ties == "random":
            # Documents labelled 1 .. n: the steps of their running CG tell who stands where.
            top = n if self.settings.k is None else min(self.settings.k, n)
            running = metrics.cg(
                np.arange(1.0, n + 1), scores, k=np.arange(1, top + 1), ties="random", threads=1
            )
            order[:top] = np.diff(running, prepend=0.0).astype(np.int64) - 1
        return order

    def scores(self) -> NDArray[Any]:
        """Return the scores in the precision in which the convention compares them."""
        cut = self.settings.k is not None
        precision = self.convention.for_family("score_dtype", "ndcg", cut=cut)
        scores = np.asarray(self.y_score)
        with np.errstate(over="ignore"):
            return scores.astype(precision) if precision is not None else scores

    def blocks(self, order: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where the runs of equal scores start and stop."""
        if self.y_score is None:
            scores: NDArray[Any] = np.arange(len(order))
        else:
            scores = self.scores()[order]
        changes = np.flatnonzero(scores[1:] != scores[:-1]) + 1
        bounds = np.concatenate([[0], changes, [len(order)]]).astype(np.int64)
        return bounds[:-1], bounds[1:]

    def running(self, measure: Any, depth: int) -> Floats:
        if depth == 0:
            return np.zeros(0)
        values = measure(self.labels, self.y_score, k=np.arange(1, depth + 1), **self.parts)
        return np.array(values, dtype=np.float64)


def _words(value: Any) -> str:
    """Return a gain or discount as it was given, long tables and functions by their kind."""
    if isinstance(value, str):
        return value
    if callable(value):
        return getattr(value, "__name__", "callable")
    text = repr(dict(value) if hasattr(value, "items") else list(np.asarray(value).tolist()))
    return text if len(text) <= 40 else text[:37] + "..."
