"""Measures of the parts of a query by their definitions, in fractions, of one ranking."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Labels = Mapping[str, Mapping[str, float]]  # document -> part -> label
Discount = Callable[[int], Fraction]


def by_log(rank: int) -> Fraction:
    return Fraction(1.0 / math.log2(rank + 1))


def by_rank(rank: int) -> Fraction:
    return Fraction(1, rank)


def covered(labels: Labels, rel: float) -> dict[str, set[str]]:
    """The parts that each judged document covers."""
    return {
        document: {part for part, label in of_parts.items() if label >= rel}
        for document, of_parts in labels.items()
    }


def parts_of(labels: Labels, rel: float) -> set[str]:
    """The parts that some judged document covers."""
    return {part for parts in covered(labels, rel).values() for part in parts}


def gains(ranked: Sequence[str], labels: Labels, alpha: Fraction, rel: float) -> list[Fraction]:
    """What each rank adds, before any discount."""
    covers = covered(labels, rel)
    result = []
    for rank, document in enumerate(ranked):
        above = [covers.get(other, set()) for other in ranked[:rank]]
        gain = Fraction(0)
        for part in covers.get(document, set()):
            gain += (1 - alpha) ** sum(part in parts for parts in above)
        result.append(gain)
    return result


def ideal(labels: Labels, alpha: Fraction, rel: float) -> list[str]:
    """All judged documents in the greedy order; of equal gains the greatest id first."""
    ranked: list[str] = []
    left = set(labels)
    while left:
        best = max(
            left, key=lambda one: (gains([*ranked, one], labels, alpha, rel)[-1], one.encode())
        )
        ranked.append(best)
        left.remove(best)
    return ranked


def discounted(
    ranked: Sequence[str], labels: Labels, alpha: Fraction, rel: float, k: int, weight: Discount
) -> Fraction:
    """The sum of weight * gain over the first k ranks."""
    of_ranks = gains(ranked[:k], labels, alpha, rel)
    return sum((weight(i) * gain for i, gain in enumerate(of_ranks, 1)), Fraction(0))


def over_full(
    ranked: Sequence[str], labels: Labels, alpha: Fraction, rel: float, k: int, weight: Discount
) -> Fraction:
    value = discounted(ranked, labels, alpha, rel, k, weight)
    full = sum((weight(i) * (1 - alpha) ** (i - 1) for i in range(1, k + 1)), Fraction(0))
    return value if k == 1 else value / (full * len(parts_of(labels, rel)))


def over_ideal(
    ranked: Sequence[str], labels: Labels, alpha: Fraction, rel: float, k: int, weight: Discount
) -> Fraction:
    best = discounted(ideal(labels, alpha, rel), labels, alpha, rel, k, weight)
    return discounted(ranked, labels, alpha, rel, k, weight) / best


def nrbp(
    ranked: Sequence[str], labels: Labels, alpha: Fraction, beta: Fraction, rel: float
) -> Fraction:
    value = discounted(ranked, labels, alpha, rel, len(ranked), lambda rank: beta ** (rank - 1))
    return value * (1 - (1 - alpha) * beta) / len(parts_of(labels, rel))


def ap_ia(ranked: Sequence[str], labels: Labels, rel: float) -> Fraction:
    covers = covered(labels, rel)
    total = Fraction(0)
    for part in parts_of(labels, rel):
        found, value = 0, Fraction(0)
        for rank, document in enumerate(ranked, 1):
            if part in covers.get(document, set()):
                found += 1
                value += Fraction(found, rank)
        total += value / sum(part in parts for parts in covers.values())
    return total / len(parts_of(labels, rel))


def p_ia(ranked: Sequence[str], labels: Labels, rel: float, k: int) -> Fraction:
    covers = covered(labels, rel)
    pairs = sum(len(covers.get(document, ())) for document in ranked[:k])
    return Fraction(pairs, k * len(parts_of(labels, rel)))


def strecall(ranked: Sequence[str], labels: Labels, rel: float, k: int) -> Fraction:
    covers = covered(labels, rel)
    found = set[str]().union(*(covers.get(document, set()) for document in ranked[:k]))
    return Fraction(len(found), len(parts_of(labels, rel)))


def d_ndcg(
    ranked: Sequence[str], labels: Labels, k: int, importance: Mapping[str, float] | None = None
) -> Fraction | None:
    """None if no document has a gain."""
    weights = importance or {}

    def gain(document: str) -> Fraction:
        total = Fraction(0)
        for part, label in labels.get(document, {}).items():
            total += Fraction(weights.get(part, 1.0)) * max(Fraction(label), Fraction(0))
        return total

    def dcg(documents: Sequence[str]) -> Fraction:
        return sum((by_log(i) * gain(one) for i, one in enumerate(documents[:k], 1)), Fraction(0))

    best = dcg(sorted(labels, key=gain, reverse=True))
    return dcg(ranked) / best if best else None


def value(
    name: str,
    ranked: Sequence[str],
    labels: Labels,
    importance: Mapping[str, float] | None = None,
    *,
    k: int = 10,
    alpha: float = 0.5,
    beta: float = 0.5,
    gamma: float = 0.5,
    rel: float = 1.0,
) -> Fraction:
    """The value of a measure by its name; 0 where it is undefined, as the library counts it."""
    a, b, g = Fraction(alpha), Fraction(beta), Fraction(gamma)
    half = Fraction(1, 2)
    of_gains = d_ndcg(ranked, labels, k, importance)
    if name == "D_nDCG":
        return of_gains or Fraction(0)
    if not parts_of(labels, rel):
        return Fraction(0)
    if name == "D#_nDCG":
        if of_gains is None:
            return Fraction(0)
        return g * strecall(ranked, labels, rel, k) + (1 - g) * of_gains
    if name == "nNRBP":
        best = ideal(labels, a, rel)
        return nrbp(ranked, labels, a, b, rel) / nrbp(best, labels, a, b, rel)
    values: dict[str, Callable[[], Fraction]] = {
        "alpha_DCG": lambda: over_full(ranked, labels, a, rel, k, by_log),
        "alpha_nDCG": lambda: over_ideal(ranked, labels, a, rel, k, by_log),
        "ERR_IA": lambda: over_full(ranked, labels, half, rel, k, by_rank),
        "nERR_IA": lambda: over_ideal(ranked, labels, half, rel, k, by_rank),
        "NRBP": lambda: nrbp(ranked, labels, a, b, rel),
        "AP_IA": lambda: ap_ia(ranked, labels, rel),
        "P_IA": lambda: p_ia(ranked, labels, rel, k),
        "StRecall": lambda: strecall(ranked, labels, rel, k),
    }
    return values[name]()
