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


def dcg_of(hits: list[int]) -> float:
    return sum(hit / math.log2(rank + 1) for rank, hit in enumerate(hits, 1))


def ndcg(retrieved: Any, relevant: Any, k: Any) -> float:
    ideal = dcg_of([1] * len(relevant[:k]))
    return dcg_of(hits_of(retrieved[:k], relevant)) / ideal if ideal else 0.0


def ndcg_of_hits(retrieved: Any, relevant: Any, k: Any) -> float:
    hits = hits_of(retrieved[:k], relevant)
    return dcg_of(hits) / dcg_of(sorted(hits, reverse=True)) if any(hits) else 0.0


def ndcg_cut_at_n(retrieved: Any, relevant: Any, k: Any) -> float:
    ideal = dcg_of([1] * min(len(retrieved[:k]), len(relevant)))
    return dcg_of(hits_of(retrieved[:k], relevant)) / ideal if ideal else 0.0


def ndcg_of_k_ones(retrieved: Any, relevant: Any, k: Any) -> float:
    return dcg_of(hits_of(retrieved[:k], relevant)) / dcg_of([1] * k)


def ndcg_credits(retrieved: Any, relevant: Any, k: Any) -> float:
    ideal = dcg_of([1] * len(relevant[:k]))
    return dcg_of(hits_of(retrieved[:k], relevant, True)) / ideal if ideal else 0.0


def ndcg_of_a_set(retrieved: Any, relevant: Any, k: Any) -> float:
    return ndcg(list(set(retrieved)), relevant, k)


def ndcg_by_id(retrieved: Any, relevant: Any, k: Any) -> float:
    return ndcg(sorted(retrieved), relevant, k)


def precision(retrieved: Any, relevant: Any, k: Any) -> float:
    return sum(hits_of(retrieved[:k], relevant)) / k


def precision_of_retrieved(retrieved: Any, relevant: Any, k: Any) -> float:
    return sum(hits_of(retrieved[:k], relevant)) / max(len(retrieved[:k]), 1)


def precision_credits(retrieved: Any, relevant: Any, k: Any) -> float:
    return sum(hits_of(retrieved[:k], relevant, True)) / k


def precision_uncut(retrieved: Any, relevant: Any, k: Any) -> float:
    return sum(hits_of(retrieved, relevant)) / len(retrieved) if retrieved else 0.0


def precision_of_all(retrieved: Any, relevant: Any, k: Any) -> float:
    return sum(hits_of(retrieved, relevant)) / k


def recall(retrieved: Any, relevant: Any, k: Any) -> float:
    return sum(hits_of(retrieved[:k], relevant)) / len(relevant) if relevant else 0.0


def recall_of_sets(retrieved: Any, relevant: Any, k: Any) -> float:
    return len(set(list(set(retrieved))[:k]) & set(relevant)) / len(relevant) if relevant else 0.0


def recall_credits(retrieved: Any, relevant: Any, k: Any) -> float:
    hits = sum(hits_of(retrieved[:k], relevant, True))
    return hits / len(relevant) if relevant else 0.0


def recall_of_the_cut(retrieved: Any, relevant: Any, k: Any) -> float:
    return sum(hits_of(retrieved[:k], relevant)) / k


def sum_of_precisions(hits: list[int], shift: int = 0) -> float:
    return sum(sum(hits[:rank]) / (rank + shift) for rank, hit in enumerate(hits, 1) if hit)


def ap(retrieved: Any, relevant: Any, k: Any) -> float:
    hits = hits_of(retrieved[:k], relevant)
    return sum_of_precisions(hits) / len(relevant) if relevant else 0.0


def ap_of_min(retrieved: Any, relevant: Any, k: Any) -> float:
    hits = hits_of(retrieved[:k], relevant)
    return sum_of_precisions(hits) / min(len(relevant), k) if relevant else 0.0


def ap_of_hits(retrieved: Any, relevant: Any, k: Any) -> float:
    hits = hits_of(retrieved[:k], relevant)
    return sum_of_precisions(hits) / sum(hits) if any(hits) else 0.0


def ap_of_retrieved(retrieved: Any, relevant: Any, k: Any) -> float:
    hits = hits_of(retrieved[:k], relevant)
    return sum_of_precisions(hits) / len(hits) if hits else 0.0


def ap_credits(retrieved: Any, relevant: Any, k: Any) -> float:
    hits = hits_of(retrieved[:k], relevant, True)
    return sum_of_precisions(hits) / len(relevant) if relevant else 0.0


def ap_off_by_one(retrieved: Any, relevant: Any, k: Any) -> float:
    hits = hits_of(retrieved[:k], relevant)
    return sum_of_precisions(hits, 1) / len(relevant) if relevant else 0.0


def rr(retrieved: Any, relevant: Any, k: Any) -> float:
    return next((1 / r for r, x in enumerate(retrieved[:k], 1) if x in relevant), 0.0)


def rr_off_by_one(retrieved: Any, relevant: Any, k: Any) -> float:
    return next((1 / (r + 1) for r, x in enumerate(retrieved[:k], 1) if x in relevant), 0.0)


def rr_uncut(retrieved: Any, relevant: Any, k: Any) -> float:
    return rr(retrieved, relevant, None)


def rr_of_a_set(retrieved: Any, relevant: Any, k: Any) -> float:
    return rr(list(set(retrieved[:k])), relevant, k)


def rr_from_the_end(retrieved: Any, relevant: Any, k: Any) -> float:
    return rr(retrieved[::-1], relevant, k)


def hit_rate(retrieved: Any, relevant: Any, k: Any) -> float:
    return float(any(hits_of(retrieved[:k], relevant)))


def hit_rate_uncut(retrieved: Any, relevant: Any, k: Any) -> float:
    return float(any(hits_of(retrieved, relevant)))


def hit_rate_of_ones(retrieved: Any, relevant: Any, k: Any) -> float:
    return hit_rate(retrieved, relevant, k) if relevant else 1.0


def recall_drops(retrieved: Any, relevant: Any, k: Any) -> float | None:
    return recall(retrieved, relevant, k) if relevant else None


def ap_drops_missing(retrieved: Any, relevant: Any, k: Any) -> float:
    return ap(retrieved, relevant, k) if retrieved else math.nan


def mean_ndcg(retrieved: Any, relevant: Any, k: Any) -> float:
    if not all(isinstance(one, list) for one in retrieved):
        raise TypeError("lists of lists")
    values = [ndcg(*one, k) for one in zip(retrieved, relevant, strict=True) if one[1]]
    return sum(values) / len(values) if values else 0.0


PLANTED_IN_IDS: list[tuple[Metric, str, str]] = [
    (ndcg_of_hits, "nDCG", "ideal from the retrieved"),
    (ndcg_cut_at_n, "nDCG", "ideal cut at the number retrieved"),
    (ndcg_of_k_ones, "nDCG", "ideal of k ones"),
    (ndcg_credits, "nDCG", "duplicates credited"),
    (ndcg_of_a_set, "nDCG", "order lost"),
    (ndcg_by_id, "nDCG", "order lost"),
    (mean_ndcg, "nDCG", "empty lists dropped"),
    (precision_of_retrieved, "P", "divided by the number retrieved"),
    (precision_credits, "P", "duplicates credited"),
    (precision_uncut, "P", "cutoff ignored"),
    (precision_of_all, "P", "cutoff ignored"),
    (recall_of_sets, "R", "order lost"),
    (recall_credits, "R", "duplicates credited"),
    (recall_of_the_cut, "R", "divided by k"),
    (recall_drops, "R", "empty lists dropped"),
    (ap_of_hits, "AP", "divided by the hits"),
    (ap_of_retrieved, "AP", "divided by the number retrieved"),
    (ap_credits, "AP", "duplicates credited"),
    (ap_off_by_one, "AP", "discount off by one"),
    (ap_drops_missing, "AP", "lists without results dropped"),
    (rr_off_by_one, "RR", "discount off by one"),
    (rr_uncut, "RR", "cutoff ignored"),
    (rr_of_a_set, "RR", "order lost"),
    (rr_from_the_end, "RR", "order reversed"),
    (hit_rate_uncut, "HitRate", "cutoff ignored"),
    (hit_rate_of_ones, "HitRate", "empty lists count 1"),
]
