"""Small metrics as people write them, right and each with one standing error, to be audited."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Metric = Callable[..., Any]


# ---- of labels and scores


def ndcg_of_arrays(
    order: Callable[..., Any] = lambda y, s: sorted(range(len(s)), key=lambda i: -s[i]),
    gain: Callable[[float], float] = float,
    discount: Callable[[int], float] = lambda rank: 1 / math.log2(rank + 1),
    ideal: Callable[..., Any] = lambda y, ranked, k: sorted(y, reverse=True)[:k],
    empty: Any = 0.0,
    checks: bool = True,
    cut: bool = True,
) -> Metric:
    """nDCG as people write it; ties in the order of the input."""

    def metric(y_true: Any, y_score: Any, k: int | None = None) -> Any:
        if checks and not (np.isfinite(y_true).all() and np.isfinite(y_score).all()):
            raise ValueError("not finite")
        y = y_true.tolist()
        ranked = [y[i] for i in order(y, y_score.tolist())]
        best = ideal(y, ranked, k)
        if not any(y):
            return empty
        dcg, idcg = (
            sum(gain(x) * discount(rank) for rank, x in enumerate(labels, 1))
            for labels in (ranked[:k] if cut else ranked, best)
        )
        return dcg / idcg if idcg else 0.0

    return metric


def by(rule: str) -> Callable[..., Any]:
    """The order of documents under a rule for ties."""
    return {
        "input": lambda y, s: range(len(s)),
        "ascending": lambda y, s: sorted(range(len(s)), key=lambda i: s[i]),
        "best": lambda y, s: sorted(range(len(s)), key=lambda i: (-s[i], -y[i])),
        "worst": lambda y, s: sorted(range(len(s)), key=lambda i: (-s[i], y[i])),
        "neither": lambda y, s: sorted(range(len(s)), key=lambda i: (-s[i], (7 * i + len(s)) % 5)),
    }[rule]


PLANTED_IN_ARRAYS: dict[str, dict[str, Any]] = {
    "order lost": {"order": by("input")},
    "order reversed": {"order": by("ascending")},
    "discount off by one": {"discount": lambda rank: 1 / math.log2(rank + 2)},
    "first two ranks undiscounted": {"discount": lambda rank: 1 / math.log2(max(rank, 2))},
    "ideal from the retrieved": {"ideal": lambda y, ranked, k: sorted(ranked[:k], reverse=True)},
    "cutoff not applied to the ideal": {"ideal": lambda y, ranked, k: sorted(y, reverse=True)},
    "ideal not sorted": {"ideal": lambda y, ranked, k: y[:k]},
    "cutoff ignored": {"cut": False, "ideal": lambda y, ranked, k: sorted(y, reverse=True)},
    "cutoff ignored, but not in the ideal": {"cut": False},
    "ties for the system": {"order": by("best")},
    "ties against the system": {"order": by("worst")},
    "ties in no known order": {"order": by("neither")},
    "empty lists count 1": {"empty": 1.0},
    "empty lists dropped": {"empty": None},
    "NaN accepted": {"checks": False},
    "labels truncated": {"gain": lambda label: float(int(label))},
}


# ---- of ids


def hits_of(retrieved: Any, relevant: Any, credit: bool = False) -> list[int]:
    """1 where a relevant id stands, at its first place or at each."""
    seen: set[Any] = set()
    hits = []
    for one in retrieved:
        hits.append(int(one in relevant and (credit or one not in seen)))
        seen.add(one)
    return hits


def top(retrieved: Any, k: Any) -> Any:
    return retrieved[:k]


def every(retrieved: Any, k: Any) -> Any:
    return retrieved


def unordered(retrieved: Any, k: Any) -> Any:
    return list(set(retrieved))[:k]


def of_hits(
    value: Callable[[list[int], Any, Any], float],
    shown: Callable[[Any, Any], Any] = top,
    credit: bool = False,
    empty: Any = 0.0,
) -> Metric:
    """A metric of the hits among what is shown, of the relevant ids and of k."""

    def metric(retrieved: Any, relevant: Any, k: Any) -> Any:
        if not relevant:
            return empty
        return value(hits_of(shown(retrieved, k), relevant, credit), relevant, k)

    return metric


def dcg_of(hits: list[int]) -> float:
    return sum(hit / math.log2(rank + 1) for rank, hit in enumerate(hits, 1))


def ndcg(hits: list[int], relevant: Any, k: Any) -> float:
    return dcg_of(hits) / dcg_of([1] * len(relevant[:k]))


def ndcg_over(ideal: Callable[[list[int], Any, Any], int]) -> Metric:
    """nDCG with an ideal of so many hits."""

    def value(hits: list[int], relevant: Any, k: Any) -> float:
        return dcg_of(hits) / dcg_of([1] * ideal(hits, relevant, k)) if any(hits) else 0.0

    return of_hits(value)


def precision(hits: list[int], relevant: Any, k: Any) -> float:
    return sum(hits) / k


def recall(hits: list[int], relevant: Any, k: Any) -> float:
    return sum(hits) / len(relevant)


def precisions(hits: list[int], shift: int = 0) -> float:
    """The sum of the precisions at the hits."""
    return sum(sum(hits[:rank]) / (rank + shift) for rank, hit in enumerate(hits, 1) if hit)


def ap(hits: list[int], relevant: Any, k: Any) -> float:
    return precisions(hits) / len(relevant)


def rr(hits: list[int], relevant: Any, k: Any) -> float:
    return next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)


def hit_rate(hits: list[int], relevant: Any, k: Any) -> float:
    return float(any(hits))


ap_of_min = of_hits(lambda hits, relevant, k: precisions(hits) / min(len(relevant), k))


def mean_ndcg(retrieved: Any, relevant: Any, k: Any) -> float:
    if not all(isinstance(one, list) for one in retrieved):
        raise TypeError("lists of lists")
    pairs = zip(retrieved, relevant, strict=True)
    values = [of_hits(ndcg)(*pair, k) for pair in pairs if pair[1]]
    return sum(values) / len(values) if values else 0.0


PLANTED_IN_IDS: list[tuple[Metric, str, str]] = [
    (ndcg_over(lambda hits, relevant, k: sum(hits)), "nDCG", "ideal from the retrieved"),
    (ndcg_over(lambda hits, relevant, k: min(len(hits), len(relevant))), "nDCG",
     "ideal cut at the number retrieved"),
    (ndcg_over(lambda hits, relevant, k: k), "nDCG", "ideal of k ones"),
    (of_hits(ndcg, credit=True), "nDCG", "duplicates credited"),
    (of_hits(ndcg, unordered), "nDCG", "order lost"),
    (of_hits(ndcg, lambda retrieved, k: sorted(retrieved)[:k]), "nDCG", "order lost"),
    (mean_ndcg, "nDCG", "empty lists dropped"),
    (of_hits(lambda hits, relevant, k: sum(hits) / max(len(hits), 1)), "P",
     "divided by the number retrieved"),
    (of_hits(precision, credit=True), "P", "duplicates credited"),
    (of_hits(lambda hits, relevant, k: sum(hits) / max(len(hits), 1), every), "P",
     "cutoff ignored"),
    (of_hits(precision, every), "P", "cutoff ignored"),
    (of_hits(recall, unordered), "R", "order lost"),
    (of_hits(recall, credit=True), "R", "duplicates credited"),
    (of_hits(precision), "R", "divided by k"),
    (of_hits(recall, empty=None), "R", "empty lists dropped"),
    (of_hits(lambda hits, relevant, k: precisions(hits) / max(sum(hits), 1)), "AP",
     "divided by the hits"),
    (of_hits(lambda hits, relevant, k: precisions(hits) / max(len(hits), 1)), "AP",
     "divided by the number retrieved"),
    (of_hits(ap, credit=True), "AP", "duplicates credited"),
    (of_hits(lambda hits, relevant, k: precisions(hits, 1) / len(relevant)), "AP",
     "discount off by one"),
    (of_hits(lambda hits, relevant, k: ap(hits, relevant, k) if hits else math.nan), "AP",
     "lists without results dropped"),
    (of_hits(lambda hits, relevant, k: rr([0, *hits], relevant, k)), "RR", "discount off by one"),
    (of_hits(rr, every), "RR", "cutoff ignored"),
    (of_hits(rr, lambda retrieved, k: list(set(retrieved[:k]))), "RR", "order lost"),
    (of_hits(rr, lambda retrieved, k: retrieved[::-1][:k]), "RR", "order reversed"),
    (of_hits(hit_rate, every), "HitRate", "cutoff ignored"),
    (of_hits(hit_rate, empty=1.0), "HitRate", "empty lists count 1"),
]  # fmt: skip
