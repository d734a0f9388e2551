"""trec_eval's measures that no other tool has, and its gains of labels, by their definitions.

A list is the labels of its documents in rank order, None for a document that the judgments do not
have. A negative label says that a document was not judged. `judged` are all labels from 0 on.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple


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

    @property
    def relevant(self) -> int:
        return sum(label >= self.level for label in self.judged)

    @property
    def relevant_retrieved(self) -> int:
        return sum(self.is_relevant(rank) for rank in range(len(self.labels)))


def r_precision_multiple(ranked: RankedLabels, multiple: float) -> float:
    """Precision at a multiple of R, rounded up from a tenth on."""
    if ranked.relevant == 0:
        return 0.0
    k = int(multiple * ranked.relevant + 0.9)
    shown = range(min(k, len(ranked.labels)))
    return sum(map(ranked.is_relevant, shown)) / k if k else 0.0


def utility(ranked: RankedLabels, worth: Sequence[float], collection: int) -> float:
    """What the documents of the four cells are worth: retrieved or not, relevant or not."""
    hits, retrieved = ranked.relevant_retrieved, len(ranked.labels)
    missed = ranked.relevant - hits
    cells = (hits, retrieved - hits, missed, collection - retrieved - missed)
    return sum(a * n for a, n in zip(worth, cells, strict=True))


def binary_g(ranked: RankedLabels) -> float:
    total, other = 0.0, 0
    for rank in range(len(ranked.labels)):
        if ranked.is_relevant(rank):
            total += 1 / math.log2(2 + other)
        else:
            other += 1
    return total / ranked.relevant if total else 0.0


def gains(ranked: RankedLabels, gain_of: Mapping[int, float]) -> list[float]:
    """The gain at each rank: a label's own value where it is given none."""
    return [0.0 if one is None or one < 0 else gain_of.get(one, one) for one in ranked.labels]


def ideal_gains(ranked: RankedLabels, gain_of: Mapping[int, float]) -> list[float]:
    """The gains above 0 of all judged documents, descending."""
    return sorted((g for g in (gain_of.get(x, x) for x in ranked.judged) if g > 0), reverse=True)


def dcg(values: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(values))


def ndcg(ranked: RankedLabels, gain_of: Mapping[int, float]) -> float:
    ideal = dcg(ideal_gains(ranked, gain_of))
    return dcg(gains(ranked, gain_of)) / ideal if ideal else 0.0


def ndcg_rel(ranked: RankedLabels, gain_of: Mapping[int, float]) -> float:
    """The mean of nDCG at each document with a gain; at the end for those that are not there."""
    result, ideal = gains(ranked, gain_of), ideal_gains(ranked, gain_of)
    if not ideal:
        return 0.0
    at = [rank + 1 for rank, gain in enumerate(result) if gain > 0]
    at += [max(len(result), len(ideal))] * (len(ideal) - len(at))
    total = sum(dcg(result[:k]) / dcg(ideal[:k]) for k in at)
    return total / len(ideal) if total > 0 else 0.0


def r_ndcg(ranked: RankedLabels, gain_of: Mapping[int, float]) -> float:
    """The mean of nDCG where the ideal gain falls, and at the end of a list that goes on."""
    result, ideal = gains(ranked, gain_of), ideal_gains(ranked, gain_of)
    if ranked.relevant == 0:
        return 0.0
    if not ideal:
        return math.nan  # the program divides 0 by 0
    at = [k for k in range(1, len(ideal) + 1) if k == len(ideal) or ideal[k] != ideal[k - 1]]
    if len(result) > len(ideal) + 1:
        at.append(len(result))
    return sum(dcg(result[:k]) / dcg(ideal[:k]) for k in at) / len(at)


def g(ranked: RankedLabels, gain_of: Mapping[int, float]) -> float:
    """Each gain over the logarithm of 2 and what stands above it without a gain."""
    result, ideal = gains(ranked, gain_of), ideal_gains(ranked, gain_of)
    total = 0.0
    for rank, gain in enumerate(result):
        best = (ideal + [0.0] * len(result))[: rank + 1]
        if gain:
            total += gain / math.log2(2 + sum(max(1.0, x) for x in best) - sum(result[: rank + 1]))
    return total / sum(ideal) if ideal else 0.0


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
