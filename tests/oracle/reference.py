"""The oracle: every measure of one list, from its definition, in plain Python.

Nothing of the package is imported, nor numpy. Rationals stay `Fraction`; floats enter with log2,
with exp2 of a fraction and with arguments that are floats. An undefined value is None.

A measure below is the value of one order: it gets what each ranked document is worth, from rank 1
down, and what each judged document is worth, in any order. `_of_list` makes of it a function of
labels and scores, where tied scores are resolved by name, or averaged over all orders of the tied
documents, enumerated one by one.
"""

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import reader_models
import tie_averages

Number = Any  # int, float or Fraction: type checkers know no tower of numbers
Value = Any  # a Number, or None where the measure is undefined
# More work is not done by enumeration: tie_averages has the expectations, proved equal.
MOST_STEPS = 400


def total(terms: Iterable[Number]) -> Number:
    """The sum, exact for rationals and rounded once for floats."""
    terms = list(terms)
    return math.fsum(terms) if any(isinstance(term, float) for term in terms) else sum(terms)


def ratio(numerator: Number, denominator: Number) -> Number:
    """Numerator / denominator, exact for rationals."""
    if isinstance(numerator, float) or isinstance(denominator, float):
        return numerator / denominator
    return Fraction(numerator) / Fraction(denominator)


# ---- what a label is worth


def gain_of(
    label: Number, gain: Any = "linear", rel: Number = 1, min_label: Number = -math.inf
) -> Number:
    """The gain of a label: linear r, exp2 2**r - 1, binary r >= rel, a table or a function; 0 for
    labels below min_label."""
    if label < min_label:
        return 0
    if gain == "linear":
        return Fraction(label)
    if gain == "exp2":
        return Fraction(2) ** int(label) - 1 if label == int(label) else 2.0**label - 1
    if gain == "binary":
        return relevance_of(label, rel)
    return gain(label) if callable(gain) else gain[label]


def relevance_of(label: Number, rel: Number = 1) -> Number:
    """1 for a relevant label, else 0."""
    return 1 if label >= rel else 0


def stop_of(label: Number, max_label: int = 4) -> Number:
    """The chance that a user stops at a document of this label (Chapelle et al. 2009)."""
    return gain_of(label, "exp2") / Fraction(2) ** max_label


def weight_of(rank: int, discount: Any = "log2", log_base: float = 2) -> Number:
    """What a rank, counted from 1, is worth."""
    if discount == "log2":
        return 1 / math.log2(rank + 1)
    if discount == "log":
        return math.log(log_base) / math.log(rank + 1)
    if discount == "reciprocal":
        return Fraction(1, rank)
    return discount(rank) if callable(discount) else discount[rank - 1]


def standing_of(label: Number | None, rel: Number = 1, negative: str = "zero") -> str:
    """What is known of a document: None is no judgment, a label below 0 may be none either."""
    if label is None:
        return "unknown"
    if label >= rel:
        return "relevant"
    return "pooled" if label < 0 and negative == "zero" else "nonrelevant"


# ---- orders of tied documents


def tie_blocks(scores: Sequence[float] | None, n: int) -> list[list[int]]:
    """Positions of documents with equal scores, best score first, in input order inside."""
    if scores is None:
        return [[i] for i in range(n)]
    at: dict[float, list[int]] = {}
    for i, score in enumerate(scores):
        at.setdefault(score, []).append(i)
    return [at[score] for score in sorted(at, reverse=True)]


def order_block(block: list[int], ties: str, worths: Sequence[Number], ids: Any) -> list[int]:
    """One tie block in the order that the rule names."""
    if ties == "stable":
        return block
    if ties == "reverse":
        return block[::-1]
    if ties in ("id", "id_descending"):
        key = lambda i: ids[i].encode() if isinstance(ids[i], str) else ids[i]  # noqa: E731
        return sorted(block, key=key, reverse=ties == "id_descending")
    best = sorted(block, key=lambda i: -worths[i])
    return {"best": best, "worst": best[::-1]}[ties]


def arrangements(left: Counter[Number]) -> Iterator[list[Number]]:
    """The distinct arrangements of a multiset."""
    if len(left) == 1:
        yield list(left.elements())
        return
    for worth in left:
        for rest in arrangements(left - Counter([worth])):
            yield [worth, *rest]


def all_orders(blocks: list[list[int]], worths: Sequence[Number]) -> Iterator[list[Number]]:
    """Every distinct order of worths that the ties allow; all of them are equally likely."""
    choices = [list(arrangements(Counter(worths[i] for i in block))) for block in blocks]
    for choice in itertools.product(*choices):
        yield [worth for block in choice for worth in block]


def count_orders(blocks: list[list[int]], worths: Sequence[Number]) -> int:
    """How many distinct orders `all_orders` would give."""
    count = 1
    for block in blocks:
        count *= math.factorial(len(block))
        for equal in Counter(worths[i] for i in block).values():
            count //= math.factorial(equal)
    return count


def brute_force(measure: Callable[[Sequence[Number]], Value], orders: Iterable[Any]) -> Value:
    """The mean over all orders; whether a measure is defined does not depend on the order."""
    values = [measure(order) for order in orders]
    if any(value is None for value in values):
        assert all(value is None for value in values)
        return None
    return ratio(total(values), len(values))


def _of_list(
    worth: Callable[..., Number], *takes: str, average: Callable[..., Value]
) -> Callable[[Callable[..., Value]], Any]:
    """Make a measure of one order one of labels and scores; `takes` are arguments of `worth`."""

    def decorate(measure: Callable[..., Value]) -> Any:
        @functools.wraps(measure)
        def of_list(
            labels: Sequence[Number],
            scores: Sequence[float] | None = None,
            *,
            ties: str = "average",
            ids: Sequence[Any] | None = None,
            judged: Sequence[Number] | None = None,
            **arguments: Any,
        ) -> Value:
            of_label = {name: arguments.pop(name) for name in takes if name in arguments}
            worths = [worth(label, **of_label) for label in labels]
            pool = worths if judged is None else [worth(label, **of_label) for label in judged]
            of_order = functools.partial(measure, pool=pool, **arguments)
            blocks = tie_blocks(scores, len(labels))
            if ties != "average":
                order = [i for block in blocks for i in order_block(block, ties, worths, ids)]
                return of_order([worths[i] for i in order])
            if count_orders(blocks, worths) * len(labels) <= MOST_STEPS:
                return brute_force(of_order, all_orders(blocks, worths))
            return average(of_order, [[worths[i] for i in block] for block in blocks])

        vars(of_list).update(of_order=measure, worth=worth, average=average)
        return of_list

    return decorate


_graded = _of_list(gain_of, "gain", "rel", "min_label", average=tie_averages.of_linear)
_binary = _of_list(relevance_of, "rel", average=tie_averages.of_linear)
_graded_or_binary = _of_list(
    lambda label, gain=None, rel=1: gain_of(label, gain or "binary", rel),
    *("gain", "rel"),
    average=tie_averages.of_linear,
)
_walked = _of_list(relevance_of, "rel", average=tie_averages.of_walk)
_stops = _of_list(stop_of, "max_label", average=tie_averages.of_cascade)
_pairs = _of_list(relevance_of, "rel", average=tie_averages.of_pairs)
# Short lists only, whose orders are enumerated.
_standings = _of_list(standing_of, "rel", "negative", average=tie_averages.refuse)
_short = _of_list(relevance_of, "rel", average=tie_averages.refuse)
_short_graded = _of_list(gain_of, "gain", "rel", average=tie_averages.refuse)


# ---- the measures: `ranked` from rank 1 down, `pool` of all judged documents


@_graded
def cg(ranked: Sequence[Number], *, pool: Any, k: int | None = None) -> Value:
    """Sum of the gains of the first k (Jarvelin and Kekalainen 2002)."""
    return total(ranked[:k])


@_graded
def dcg(ranked: Any, *, pool: Any, k: int | None = None, **discount: Any) -> Value:
    """Sum of gain times the weight of the rank over the first k."""
    return total(gain * weight_of(rank, **discount) for rank, gain in enumerate(ranked[:k], 1))


@_graded
def idcg(ranked: Any, *, pool: Any, k: int | None = None, **discount: Any) -> Value:
    """DCG of the judged documents in descending gain."""
    return dcg.of_order(sorted(pool, reverse=True), pool=pool, k=k, **discount)


@_graded
def ndcg(ranked: Any, *, pool: Any, k: int | None = None, **discount: Any) -> Value:
    """DCG over ideal DCG; undefined where the ideal is not positive."""
    ideal = idcg.of_order(ranked, pool=pool, k=k, **discount)
    return ratio(dcg.of_order(ranked, pool=pool, k=k, **discount), ideal) if ideal > 0 else None


def slots(n: int, k: int | None, divisor: str) -> int:
    """The divisor of precision."""
    if k is None:
        return n
    return {"k": k, "min": min(k, n)}[divisor]


@_binary
def precision(ranked: Any, *, pool: Any, k: int | None = None, divisor: str = "k") -> Value:
    """Relevant documents in the first k, over k."""
    d = slots(len(ranked), k, divisor)
    return ratio(total(ranked[:k]), d) if sum(pool) and d else None


@_binary
def recall(ranked: Any, *, pool: Any, k: int | None = None, divisor: str = "relevant") -> Value:
    """Relevant documents in the first k, over all relevant, or over as many as k can hold."""
    relevant = sum(pool)
    if divisor == "min" and k is not None:
        relevant = min(relevant, k)
    return ratio(total(ranked[:k]), relevant) if relevant else None


@_binary
def f1(
    ranked: Any, *, pool: Any, k: int | None = None, divisor: str = "k", beta: Number = 1
) -> Value:
    """(1 + b^2) P R / (b^2 P + R), which is (1 + b^2) h / (b^2 relevant + divisor of P)."""
    square = beta * beta
    below = square * sum(pool) + slots(len(ranked), k, divisor)
    return ratio((1 + square) * total(ranked[:k]), below) if sum(pool) else None


@_binary
def r_precision(ranked: Any, *, pool: Any) -> Value:
    """Precision at rank R, the number of relevant documents."""
    return ratio(total(ranked[: sum(pool)]), sum(pool)) if sum(pool) else None


@_graded_or_binary
def rbp(
    ranked: Any, *, pool: Any, k: int | None = None, p: Number = 0.8, least: Number = 1
) -> Value:
    """(1 - p) times the sum of p^(rank - 1) over relevant ranks (Moffat and Zobel 2008).

    Graded, as in trec_eval 10, each term has the gain over the largest judged one, or over `least`
    (1, or the largest gain of a table) where that is more.
    """
    largest = max(pool, default=0)
    result = (1 - p) * total(x * p**i for i, x in enumerate(ranked[:k]))
    return ratio(result, max(largest, least)) if largest > 0 else None


@_walked
def hit_rate(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """1 where a relevant document is among the first k."""
    return int(any(ranked[:k])) if sum(pool) else None


@_walked
def reciprocal_rank(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """1 over the rank of the first relevant document among the first k."""
    ranks = [rank for rank, relevant in enumerate(ranked[:k], 1) if relevant]
    return Fraction(1, ranks[0] if ranks else 1) * bool(ranks) if sum(pool) else None


@_walked
def average_precision(
    ranked: Any, *, pool: Any, k: int | None = None, divisor: str = "relevant"
) -> Value:
    """Sum of the precisions at the relevant ranks of the first k, over R, min(R, k) or the hits."""
    relevant = sum(pool)
    top = ranked[:k]
    d = {"relevant": relevant, "min": relevant if k is None else min(relevant, k), "hits": sum(top)}
    if not relevant:
        return None
    precisions = [Fraction(sum(top[:i]), i) for i, x in enumerate(top, 1) if x]
    return ratio(total(precisions), d[divisor]) if precisions else Fraction(0)


@_stops
def err(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """The expected 1/rank at which a user who reads downwards stops (Chapelle et al. 2009)."""
    reached: Number = Fraction(1)
    terms: list[Number] = []
    for rank, stop in enumerate(ranked[:k], 1):
        terms.append(reached * stop * Fraction(1, rank))
        reached *= 1 - stop
    return total(terms) if any(stop > 0 for stop in pool) else None


@_pairs
def auc(ranked: Any, *, pool: Any) -> Value:
    """The share of pairs of a relevant and a non-relevant document of the list in right order."""
    pairs = [(a, b) for i, a in enumerate(ranked) for b in ranked[i + 1 :] if a != b]
    return Fraction(sum(a > b for a, b in pairs), len(pairs)) if pairs else None


# ---- measures that know judged documents from others: what stands at each rank


@_standings
def bpref(ranked: Any, *, pool: Any) -> Value:
    """1 - (judged nonrelevant documents above, the first R of them) / min(N, R), averaged over the
    relevant documents (Buckley and Voorhees 2004; min(N, R) is trec_eval's)."""
    r, n = pool.count("relevant"), pool.count("nonrelevant")
    terms = []
    for i, document in enumerate(ranked):
        if document == "relevant":
            above = min(ranked[:i].count("nonrelevant"), r)
            terms.append(1 - (Fraction(above, min(n, r)) if above else 0))
    return ratio(total(terms), r) if r else None


@_standings
def inferred_ap(ranked: Any, *, pool: Any, epsilon: float = 0.00001) -> Value:
    """Expected precision at each relevant document, from the judged sample of the pool above it
    (Yilmaz and Aslam 2006)."""
    terms: list[Number] = []
    for k, document in enumerate(ranked, 1):
        above = Counter(ranked[: k - 1])
        relevant, judged = above["relevant"], above["relevant"] + above["nonrelevant"]
        if document == "relevant" and k > 1:
            in_pool = Fraction(judged + above["pooled"], k - 1)
            share = (relevant + epsilon) / (judged + 2 * epsilon)
            terms.append(Fraction(1, k) + Fraction(k - 1, k) * in_pool * share)
        elif document == "relevant":
            terms.append(1)
    return ratio(total(terms), pool.count("relevant")) if "relevant" in pool else None


def judged_in(documents: Sequence[str]) -> int:
    """How many are judged."""
    return sum(document in ("relevant", "nonrelevant") for document in documents)


@_standings
def judged(ranked: Any, *, pool: Any, k: int | None = None, divisor: str = "min") -> Value:
    """The share of judged documents in the first k."""
    d = slots(len(ranked), k, divisor)
    return Fraction(judged_in(ranked[:k]), d) if d else None


@_standings
def unjudged(ranked: Any, *, pool: Any, k: int | None = None, divisor: str = "k") -> Value:
    """The share of the others."""
    d = slots(len(ranked), k, divisor)
    return Fraction(len(ranked[:k]) - judged_in(ranked[:k]), d) if d else None


@_standings
def num_nonrel_judged_ret(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """Documents of the first k that are judged and not relevant."""
    return ranked[:k].count("nonrelevant")


@_standings
def num_rel_ret(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """Relevant documents of the first k."""
    return ranked[:k].count("relevant")


# ---- measures of trec_eval that ask for relevant documents only


@_short
def relative_precision(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """Relevant documents in the first k, over as many as could be there."""
    most = min(sum(pool), len(ranked) if k is None else k)
    return ratio(total(ranked[:k]), most) if most else None


@_short
def set_average_precision(ranked: Any, *, pool: Any) -> Value:
    """Precision times recall of the whole list."""
    if not ranked or not sum(pool):
        return None
    return Fraction(sum(ranked), len(ranked)) * Fraction(sum(ranked), sum(pool))


def relevant_at(recall: Number, relevant: int, rounding: Any) -> int:
    """How many documents reach a level of recall, which stands for its shortest decimal; trec_eval
    computes in floats."""
    if rounding == "up":
        return math.ceil(Fraction(str(recall)) * relevant)
    return int(recall * relevant + rounding)


@_short
def interpolated_precision(ranked: Any, *, pool: Any, recall: Number, rounding: Any) -> Value:
    """The greatest precision at any rank where at least this recall is reached (Manning,
    Raghavan and Schutze 2008, chapter 8)."""
    if not sum(pool):
        return None
    expected = relevant_at(recall, sum(pool), rounding)
    result = [Fraction(sum(ranked[:i]), i) for i in range(1, len(ranked) + 1)]
    return max((p for i, p in enumerate(result, 1) if sum(ranked[:i]) >= expected), default=0)


@_short
def eleven_point_average(ranked: Any, *, pool: Any, rounding: Any) -> Value:
    """The mean of the interpolated precisions at recall 0, 0.1, .. 1."""
    at = interpolated_precision.of_order
    values = [at(ranked, pool=pool, recall=i / 10, rounding=rounding) for i in range(11)]
    return ratio(total(values), 11) if sum(pool) else None


@_short_graded
def r_ndcg(ranked: Any, *, pool: Any, **discount: Any) -> Value:
    """The mean of nDCG@k at the ranks k up to which the ideal ranking has one of its gains or a
    larger one, and of the whole list where it is longer than the last of them by two."""
    gains = [gain for gain in pool if gain > 0]
    ranks = sorted({sum(gain >= level for gain in gains) for level in gains})
    if not ranks:
        return None
    whole = [len(ranked)] if len(ranked) > ranks[-1] + 1 else []
    at = ndcg.of_order
    values = [at(ranked, pool=pool, k=k, **discount) for k in [*ranks, *whole]]
    return ratio(total(values), len(values))


# ---- measures that other tools have under these names; ranks of a list beside its ideal

_scaled = _of_list(reader_models.scaled_gain, "max_rel", "min_rel", average=tie_averages.refuse)
_scaled_linear = _of_list(
    reader_models.scaled_gain, "max_rel", "min_rel", average=tie_averages.of_linear
)
_labels = _of_list(reader_models.label_above_0, average=tie_averages.refuse)
_labels_linear = _of_list(reader_models.label_above_0, average=tie_averages.of_linear)

insq = _scaled_linear(reader_models.insq)
inst = _scaled(reader_models.inst)
bejeweled_player_model = _scaled(reader_models.bejeweled_player_model)
scaled_dcg = _scaled_linear(reader_models.scaled_dcg)
nearly_err_8 = _scaled(reader_models.nearly_err_8)
nearly_err_9 = _scaled(reader_models.nearly_err_9)
nearly_err_10 = _scaled(reader_models.nearly_err_10)
nearly_err_11 = _scaled(reader_models.nearly_err_11)
compatibility = _labels(reader_models.compatibility)
q_measure = _labels(reader_models.q_measure)
normalized_cg = _labels_linear(reader_models.normalized_cg)
accuracy = _short(reader_models.accuracy)
average_precision_at_r = _short(reader_models.average_precision_at_r)
r_precision_multiple = _short(reader_models.r_precision_multiple)
utility = _short(reader_models.utility)
yaap = _short(reader_models.yaap)
binary_gain = _short(reader_models.binary_gain)
normalized_gain = _short_graded(reader_models.normalized_gain)
ndcg_at_hits = _short_graded(reader_models.ndcg_at_hits)


@_stops
def normalized_err(ranked: Any, *, pool: Any, k: int | None = None) -> Value:
    """ERR over that of the ideal ranking."""
    best = err.of_order(sorted(pool, reverse=True), pool=pool, k=k)
    return ratio(err.of_order(ranked, pool=pool, k=k), best) if best else None
