"""trec_eval's measures that no other tool has, and its gains of labels, by their definitions.

A list is the labels of its documents in rank order, None for a document that the judgments do not
have. A negative label says that a document was not judged. `judged` are all labels from 0 on.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import reader_models
import reference


class RankedLabels(NamedTuple):
    labels: Sequence[int | None]
    judged: Sequence[int]
    level: int = 1

    def is_relevant(self, rank: int) -> bool:
        label = self.labels[rank]
        return label is not None and label >= self.level

    def is_judged(self, rank: int) -> bool:
        label = self.labels[rank]
        return label is not None and label >= 0

    def hits(self) -> list[int]:
        """1 at each rank of a relevant document."""
        return [int(self.is_relevant(rank)) for rank in range(len(self.labels))]

    def pool(self) -> list[int]:
        """1 for each judged document that is relevant."""
        return [int(label >= self.level) for label in self.judged]


def of_relevance(formula: Callable[..., Any], ranked: RankedLabels, **arguments: Any) -> float:
    """The value of a measure of relevant documents; the program has 0 where it is undefined."""
    return float(formula(ranked.hits(), pool=ranked.pool(), **arguments) or 0)


def utility(ranked: RankedLabels, worth: Sequence[float], collection: int) -> float:
    """What the documents of the four cells are worth: retrieved or not, relevant or not."""
    hits, retrieved = sum(ranked.hits()), len(ranked.labels)
    missed = sum(ranked.pool()) - hits
    cells = (hits, retrieved - hits, missed, collection - retrieved - missed)
    return sum(a * n for a, n in zip(worth, cells, strict=True))


def gains(ranked: RankedLabels, gain_of: Mapping[int, float]) -> list[float]:
    """The gain at each rank: a label's own value where it is given none."""
    return [0.0 if one is None or one < 0 else gain_of.get(one, one) for one in ranked.labels]


def ideal_gains(ranked: RankedLabels, gain_of: Mapping[int, float]) -> list[float]:
    """The gains above 0 of all judged documents, descending."""
    return sorted((g for g in (gain_of.get(x, x) for x in ranked.judged) if g > 0), reverse=True)


def of_gains(name: str, ranked: RankedLabels, gain_of: Mapping[int, float]) -> float:
    result, ideal = gains(ranked, gain_of), ideal_gains(ranked, gain_of)
    if name == "Rndcg" and not (sum(ranked.pool()) and ideal):
        return math.nan if sum(ranked.pool()) else 0.0  # the program divides 0 by 0
    formula: Callable[..., Any] = {
        "dcg": reference.dcg.of_order,
        "ideal_dcg": reference.idcg.of_order,
        "ndcg": reference.ndcg.of_order,
        "ndcg_rel": reader_models.ndcg_at_hits,
        "Rndcg": reference.r_ndcg.of_order,
        "G": reader_models.normalized_gain,
    }[name]
    return float(formula(result, pool=ideal) or 0)


def rbp(ranked: RankedLabels, gain_of: Mapping[int, float], p: float) -> float:
    """Gains from 0 to 1: over the largest of all labels up to the largest judged one."""
    every = {label: float(label) for label in range(max(ranked.judged) + 1)} | dict(gain_of)
    low, high = min(0.0, *every.values()), max(0.0, *every.values())
    scale = high - low if low < 0 or high > 1 else 0.0
    total = 0.0
    for rank, label in enumerate(ranked.labels):
        if label is not None and label >= 0:
            total += ((every[label] - low) / scale if scale else every[label]) * p**rank
    return (1 - p) * total


def rbp_residual(ranked: RankedLabels, p: float) -> float:
    """What documents that are not judged could add, and those below the list."""
    weights = [p**rank for rank in range(len(ranked.labels)) if not ranked.is_judged(rank)]
    return p ** len(ranked.labels) + (1 - p) * sum(weights) if weights else 0.0


def relevance_string(ranked: RankedLabels, length: int) -> str:
    signs = [
        "-" if x is None else "." if x < 0 else str(x) if x < 10 else ">"
        for x in ranked.labels[:length]
    ]
    return "'" + "".join(signs) + "'"
