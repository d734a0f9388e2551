"""The oracle's measures of readers who may stop, and of lists beside their ideal.

As in reference.py, each is the value of one order, from its definition, in fractions. There they
get what a label is worth.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Number = Any
Value = Any
LAST_READ = 1000  # cwl-eval cuts and pads lists to so many ranks


def scaled_gain(label: Number, max_rel: Number, min_rel: Number = 0) -> Fraction:
    """0 up to min_rel, 1 from max_rel on, in between by the distance."""
    label = min(max(Fraction(label), min_rel), max_rel)
    return (label - min_rel) / (Fraction(max_rel) - min_rel)


def label_above_0(label: Number) -> Fraction:
    return max(Fraction(label), Fraction(0))


def rate_of_gain(
    gains: Sequence[Fraction], chance: Callable[[int, Number, Number], Number], last: int
) -> Value:
    """Sum of w(i) g(i) over sum of w(i), where w(1) = 1 and w(i + 1) = w(i) C(i).

    In fractions down to few ranks, else in floats: fractions would have thousands of digits.
    """
    number = Fraction if last <= 12 else float
    weight = number(1)
    gained = number(0)
    products, weights = [], []
    for rank in range(1, last + 1):
        gain = number(gains[rank - 1] if rank <= len(gains) else 0)
        gained += gain
        products.append(weight * gain)
        weights.append(weight)
        weight *= chance(rank, gain, gained)
    if number is Fraction:
        return sum(products) / sum(weights)
    return math.fsum(products) / math.fsum(weights)


def insq(ranked: Any, *, pool: Any, T: Number = 1) -> Value:
    """Moffat, Scholer and Thomas 2012."""
    wanted = 2 * T
    return rate_of_gain(
        ranked, lambda i, _g, _cg: ((i + wanted - 1) / (i + wanted)) ** 2, LAST_READ
    )


def inst(ranked: Any, *, pool: Any, T: Number = 1) -> Value:
    """Bailey, Moffat, Scholer and Thomas 2015."""

    def chance(rank: int, _gain: Number, gained: Number) -> Number:
        later = rank + T + (T - gained)
        return ((later - 1) / later) ** 2

    return rate_of_gain(ranked, chance, LAST_READ)


def bejeweled_player_model(ranked: Any, *, pool: Any, k: int, T: Number = 1) -> Value:
    """The mean gain of the documents down to the one with which T is gained, or to rank k."""
    read = 0
    while read < k and sum(ranked[:read]) < Fraction(T):
        read += 1
    return sum(ranked[:read], Fraction(0)) / read


def scaled_dcg(ranked: Any, *, pool: Any, k: int) -> Value:
    """DCG over that of k perfect documents."""
    weights = [1 / math.log2(rank + 1) for rank in range(1, min(k, LAST_READ) + 1)]
    return math.fsum(w * g for w, g in zip(weights, ranked, strict=False)) / math.fsum(weights)


def nearly_err_8(ranked: Any, *, pool: Any, k: int) -> Value:
    """Azzopardi, Mackenzie and Moffat 2021, equation 8."""
    return rate_of_gain(ranked, lambda _i, g, _cg: 1 - g, min(k, LAST_READ))


def nearly_err_9(ranked: Any, *, pool: Any, k: int) -> Value:
    """Equation 9."""
    return rate_of_gain(ranked, lambda i, g, _cg: Fraction(i, i + 1) * (1 - g), min(k, LAST_READ))


def nearly_err_10(ranked: Any, *, pool: Any, p: Number = 0.9) -> Value:
    """Equation 10."""
    return rate_of_gain(ranked, lambda _i, g, _cg: p * (1 - g), LAST_READ)


def nearly_err_11(ranked: Any, *, pool: Any, T: Number = 1) -> Value:
    """Equation 11."""
    wanted = 2 * T
    return rate_of_gain(
        ranked, lambda i, g, _cg: ((i + wanted - 1) / (i + wanted)) ** 2 * (1 - g), LAST_READ
    )


def compatibility(ranked: Any, *, pool: Any, p: Number = 0.95, normalize: bool = True) -> Value:
    """Rank-biased overlap of a list and its ideal (Clarke, Vtyurina and Smucker 2021)."""
    run = [(label, rank) for rank, label in enumerate(ranked)]
    missing = (Counter(pool) - Counter(ranked)).elements()
    judged = [*run, *((label, math.inf) for label in missing)]
    ideal = sorted((one for one in judged if one[0] > 0), key=lambda one: (-one[0], one[1]))
    ideal = [(label, rank, place) for place, (label, rank) in enumerate(ideal)]
    depth = max(len(run), len(ideal))

    def overlap(left: Sequence[Any], right: Sequence[Any]) -> Fraction:
        shared = [len(set(left[:i]) & set(right[:i])) for i in range(1, depth + 1)]
        weights = [Fraction(p) ** i for i in range(depth)]
        terms = [
            w * Fraction(n, i) for i, (w, n) in enumerate(zip(weights, shared, strict=True), 1)
        ]
        return sum(terms, Fraction(0)) / sum(weights)

    if not ideal:
        return None
    place = {one[1]: one for one in ideal if one[1] != math.inf}
    value = overlap([place.get(rank, (None, rank)) for rank in range(len(run))], ideal)
    return value / overlap(ideal, ideal) if normalize else value


def accuracy(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """The share of pairs of a relevant and another of the first k in right order."""
    top = ranked[:k]
    pairs = [(a, b) for i, a in enumerate(top) for b in top[i + 1 :] if a != b]
    return Fraction(sum(a > b for a, b in pairs), len(pairs)) if pairs else None


def q_measure(ranked: Any, *, pool: Any, k: int | None = None, beta: Number = 1) -> Value:
    """Sakai 2004: the blended ratio at relevant ranks, over R or min(R, k)."""
    relevant = sum(label > 0 for label in pool)
    if not relevant:
        return None
    ideal = sorted(pool, reverse=True)
    terms = []
    for rank, label in enumerate(ranked[:k], 1):
        if label > 0:
            hits = sum(one > 0 for one in ranked[:rank])
            above = hits + Fraction(beta) * sum(ranked[:rank])
            terms.append(above / (rank + Fraction(beta) * sum(ideal[:rank])))
    return sum(terms, Fraction(0)) / (relevant if k is None else min(relevant, k))


def normalized_cg(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """The gain of the first k over the largest possible."""
    best = sum(sorted(pool, reverse=True)[:k])
    return sum(ranked[:k], Fraction(0)) / best if best > 0 else None


def average_precision_at_r(ranked: Any, *, pool: Any) -> Value:
    """Sum of the precisions at relevant ranks up to R, over R (Musgrave et al. 2020)."""
    relevant = sum(pool)
    terms = [
        Fraction(sum(ranked[:i]), i) for i in range(1, relevant + 1) if ranked[i - 1 : i] == [1]
    ]
    return sum(terms, Fraction(0)) / relevant if relevant else None


def r_precision_multiple(ranked: Any, *, pool: Any, multiple: Number) -> Value:
    """Precision at a multiple of R, rounded up from a tenth on, as trec_eval computes it."""
    relevant = sum(pool)
    k = int(multiple * relevant + 0.9)
    return (Fraction(sum(ranked[:k]), k) if k else Fraction(0)) if relevant else None


def utility(ranked: Any, *, pool: Any) -> Value:
    """Relevant documents of the list less the others."""
    return 2 * sum(ranked) - len(ranked)


def yaap(ranked: Any, *, pool: Any) -> Value:
    """The logarithm of the odds of the sum of precisions."""
    if not ranked:
        return 0
    precisions = sum(Fraction(sum(ranked[:i]), i) for i, x in enumerate(ranked, 1) if x)
    return math.log((1 + precisions) / (1 + sum(pool) - precisions))


def binary_gain(ranked: Any, *, pool: Any) -> Value:
    """Each relevant document is worth 1 / log2(2 + the others above it)."""
    if not sum(pool):
        return None
    others = [ranked[:i].count(0) for i, relevant in enumerate(ranked) if relevant]
    return math.fsum(1 / math.log2(2 + n) for n in others) / sum(pool)


def normalized_gain(ranked: Any, *, pool: Any) -> Value:
    """trec_eval's G: a gain over the logarithm of 2 and the gain that was missed above."""
    ideal = sorted((gain for gain in pool if gain > 0), reverse=True)
    if not ideal:
        return None
    padded = ideal + [0] * len(ranked)
    terms = []
    for i, gain in enumerate(ranked, 1):
        if gain:
            cost = sum(max(1, best) for best in padded[:i])
            terms.append(float(gain) / math.log2(2 + cost - sum(ranked[:i])))
    return math.fsum(terms) / float(sum(ideal))


def ndcg_at_hits(ranked: Any, *, pool: Any, discount: str = "log2") -> Value:
    """nDCG at each document with a gain, at the end for those that are not retrieved; the mean."""
    ideal = sorted((gain for gain in pool if gain > 0), reverse=True)
    if not ideal:
        return None

    def dcg(gains: Any, k: int) -> float:
        divide = math.log2 if discount == "log2" else lambda rank: rank - 1
        return math.fsum(float(g) / divide(i + 1) for i, g in enumerate(gains[:k], 1))

    end = max(len(ranked), len(ideal))
    ranks = [i for i, gain in enumerate(ranked, 1) if gain > 0]
    ranks += [end] * (len(ideal) - len(ranks))
    total = math.fsum(dcg(ranked, k) / dcg(ideal, k) for k in ranks)
    return total / len(ideal) if total > 0 else 0
