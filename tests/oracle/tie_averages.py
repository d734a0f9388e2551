"""The oracle's averages over ties where the orders are too many to enumerate.

Each function gets a measure of one order (its arguments bound, its judged documents as `pool`)
and the tie blocks of a list from the best score down, each the worths of its documents.
test_reference.py proves each equal to the enumeration, in rationals, on short lists.
"""

import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

Blocks = Sequence[Sequence[Any]]
# Probabilities of longer lists are floats: their rationals would have thousands of digits.
EXACT_UP_TO = 24


def of_linear(of_order: functools.partial[Any], blocks: Blocks) -> Any:
    """A measure that is linear in the worths: put the mean of its block in the place of each."""
    means = [(sum(block) / Fraction(len(block)), len(block)) for block in blocks]
    return of_order([mean for mean, size in means for _ in range(size)])


def of_walk(of_order: functools.partial[Any], blocks: Blocks) -> Any:
    """A measure that needs only how many relevant documents stand above: walk down the ranks.

    `states` maps the number of relevant documents so far to its probability and to the
    expectation of what has been collected, over the orders with that number.
    """
    relevant = sum(of_order.keywords["pool"])
    if not relevant:
        return None
    n = sum(map(len, blocks))
    k = of_order.keywords.get("k")
    states: dict[int, Any] = {0: (Fraction(1), Fraction(0)) if n <= EXACT_UP_TO else (1.0, 0.0)}
    rank, above = 0, 0
    for block in blocks:
        m, c = len(block), sum(block)
        for taken in range(m):
            rank += 1
            if k is not None and rank > k:
                break
            states = step(of_order.func.__name__, states, rank, above + c, m - taken)
        above += c
    return sum(
        value / divisor(of_order, relevant, hits) for hits, (_, value) in states.items() if hits
    )


def step(name: str, states: dict[int, Any], rank: int, relevant: int, documents: int) -> Any:
    """One rank further: `relevant` in the list down to this block, `documents` left in it."""
    following: dict[int, Any] = {}
    for hits, (chance, value) in states.items():
        left = relevant - hits
        for more, share in ((0, documents - left), (1, left)):
            if not share:
                continue
            p = chance * share / documents
            v = value * share / documents + (collected(name, p, hits + 1, rank) if more else 0)
            p0, v0 = following.get(hits + more, (0, 0))
            following[hits + more] = (p0 + p, v0 + v)
    return following


def collected(name: str, chance: Any, hits: int, rank: int) -> Any:
    """What a measure expects at the rank of its relevant document number `hits`."""
    if name == "average_precision":
        return chance * hits / rank
    if hits > 1:
        return 0
    return chance / rank if name == "reciprocal_rank" else chance


def divisor(of_order: functools.partial[Any], relevant: int, hits: int) -> int:
    """What average precision is divided by; the other measures are not divided."""
    if of_order.func.__name__ != "average_precision":
        return 1
    k = of_order.keywords.get("k")
    which = of_order.keywords.get("divisor", "relevant")
    return {"relevant": relevant, "min": relevant if k is None else min(relevant, k), "hits": hits}[
        which
    ]


def of_cascade(of_order: functools.partial[Any], blocks: Blocks) -> Any:
    """Expected reciprocal rank: the chance that none of the first t tied documents stops a user.

    Averaged over all t-subsets it is the t-th elementary symmetric polynomial of the chances to
    go on, over the number of subsets.
    """
    if not any(of_order.keywords["pool"]):
        return None
    k = of_order.keywords.get("k")
    above, reached, value = 0, Fraction(1), Fraction(0)
    for block in blocks:
        ranks = len(block) if k is None else min(len(block), max(0, k - above))
        on = going_on([1 - Fraction(stop) for stop in block], ranks)
        value += reached * sum((on[t - 1] - on[t]) / (above + t) for t in range(1, ranks + 1))
        above += len(block)
        if k is not None and above >= k:
            break
        reached *= on[-1]
    return value


def going_on(chances: list[Fraction], ranks: int) -> list[Fraction]:
    """The mean product of t of the chances, for t = 0 .. ranks."""
    unit = math.lcm(*(chance.denominator for chance in chances))
    polynomial = [1] + [0] * ranks
    for chance in chances:
        x = int(chance * unit)
        for t in range(ranks, 0, -1):
            polynomial[t] += x * polynomial[t - 1]
    return [Fraction(e, unit**t * math.comb(len(chances), t)) for t, e in enumerate(polynomial)]


def of_pairs(of_order: functools.partial[Any], blocks: Blocks) -> Any:
    """A tied pair is in right order in half of the orders."""
    concordant = Fraction(0)
    for i, block in enumerate(blocks):
        below = sum(len(other) - sum(other) for other in blocks[i + 1 :])
        concordant += sum(block) * (below + Fraction(len(block) - sum(block), 2))
    relevant = sum(map(sum, blocks))
    pairs = relevant * (sum(map(len, blocks)) - relevant)
    return concordant / pairs if pairs else None


def refuse(of_order: functools.partial[Any], blocks: Blocks) -> Any:
    """There are too many orders to enumerate them, and no other way is known here."""
    raise AssertionError(f"tie blocks of {[len(block) for block in blocks]} documents are too much")
