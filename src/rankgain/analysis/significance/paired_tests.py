"""Paired tests: how probable a difference as large as observed is where there is none.

Each takes the units of a measure and pairs of systems, and gives a p-value for each pair.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import _core
from ...results.intervals.methods import distributions, student_quantile
from ...results.means import means_of
from ..aligned import Units
from .bootstrap import SAME
from .pairs import Draws, Pairs
from .signs import WORD, all_signs, random_signs

CACHED = 1 << 17  # numbers of a block that stays in the second cache
ROOM = 1 << 22  # numbers of a block at most: 32 MB
LOST = 64 * np.finfo(np.float64).eps  # of the sum of sizes, what a sum may lose by rounding


def student(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """Student's paired t test, of a micro or weighted mean with the linear part of the ratio."""
    n = len(units.numerators)
    values = units.tested.linear()
    p = np.full(len(pairs.a), np.nan)
    if n < 2:
        return p
    stdtr = distributions().stdtr
    for at, found in pairs.differences(np.ascontiguousarray(values.T)):
        center, scale = found.mean(axis=1), found.std(axis=1, ddof=1) / math.sqrt(n)
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(center == 0, 0.0, np.abs(center) / scale)
        p[at] = 2 * stdtr(n - 1, -t)
    return p


def randomisation(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """Fisher's randomisation test: the systems of each list exchanged or not, as a coin falls.

    p = (b + 1) / (B + 1), with b of B flips at least as far apart as observed; where there are at
    most B patterns of signs, all of them are taken and p = b / 2**lists.
    """
    n = len(units.numerators)
    exact = 2**n <= draws.resamples
    flips = 2**n if exact else draws.resamples
    count = _micro_flips if units.is_micro else _flips
    reached = count(units, pairs, _signs(units, flips, exact, draws.seed))
    return reached / flips if exact else (reached + 1) / (flips + 1)


def _signs(units: Units, flips: int, exact: bool, seed: int) -> Iterator[Any]:
    """Blocks of signs, 0 or 1, as bytes (lists, flips)."""
    lists, systems = units.numerators.shape
    step = min(CACHED // systems, ROOM // lists) // WORD * WORD
    step = max(step, WORD)
    for first in range(0, flips, step):
        stop = min(first + step, flips)
        if exact:
            yield all_signs(lists, first, stop)
        else:
            yield random_signs(seed, units.lists, first, stop)


def _flips(units: Units, pairs: Pairs, blocks: Iterator[Any]) -> Any:
    """How many flips are at least as far apart as observed: a block of totals is one product."""
    values = units.numerators - units.numerators.mean(axis=1, keepdims=True)
    totals = values.sum(axis=0)
    observed = np.abs(pairs.difference(totals))
    sizes = np.abs(values).sum(axis=0)
    least = observed * (1 - SAME) - LOST * (sizes[pairs.a] + sizes[pairs.b])
    reached = np.zeros(len(pairs.a), np.int64)
    values = np.ascontiguousarray(values.T)
    for signs in blocks:
        flipped = values @ (2 * signs.view(np.int8) - 1).astype(np.float64)
        _core.count_far(flipped, pairs.a, pairs.b, least, reached)
    return reached


def _micro_flips(units: Units, pairs: Pairs, blocks: Iterator[Any]) -> Any:
    """The same where systems have divisors of their own, which are exchanged with the numerators.

    A flip without a divisor counts as far apart.
    """
    values, weights = units.numerators, units.divisors
    observed = np.abs(pairs.difference(units.means()))
    reached = np.zeros(len(pairs.a), np.int64)
    for signs in blocks:
        signs = signs.astype(np.float64)
        kept = [np.ascontiguousarray(one.T) @ signs for one in (values, weights)]
        wholes = [one.sum(axis=0)[:, np.newaxis] for one in (values, weights)]
        left = [whole - one for whole, one in zip(wholes, kept, strict=True)]
        for at in np.array_split(np.arange(len(pairs.a)), -(-len(pairs.a) // 64)):
            a, b = pairs.a[at], pairs.b[at]
            one = means_of(units.kind, *(x[a] + y[b] for x, y in zip(kept, left, strict=True)))
            two = means_of(units.kind, *(x[b] + y[a] for x, y in zip(kept, left, strict=True)))
            near = np.abs(one - two) < observed[at, np.newaxis] * (1 - SAME) - LOST
            reached[at] += np.count_nonzero(~near, axis=1)
    return reached


def wilcoxon(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """Wilcoxon's signed-rank test, as scipy.stats.wilcoxon does it: lists that tie are left out."""
    distributions()
    from scipy import stats

    p = np.ones(len(pairs.a))
    for at in range(len(p)):
        found = units.values[:, pairs.a[at]] - units.values[:, pairs.b[at]]
        if found.any():
            p[at] = stats.wilcoxon(found).pvalue
    return p


def sign(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """The sign test: wins against losses, by the binomial distribution; ties are left out."""
    p = np.ones(len(pairs.a))
    bdtr = distributions().bdtr
    for at, found in pairs.differences(np.ascontiguousarray(units.values.T)):
        won, lost = (found > 0).sum(axis=1), (found < 0).sum(axis=1)
        p[at] = np.minimum(2 * bdtr(np.minimum(won, lost), won + lost, 0.5), 1.0)
    return p


def student_ends(units: Units, pairs: Pairs, level: float) -> Any:
    """Student's t intervals of the differences: (pairs, 2)."""
    n = len(units.numerators)
    ends = np.full((len(pairs.a), 2), np.nan)
    if n < 2:
        return ends
    reach = student_quantile(level, n - 1) / math.sqrt(n)
    for at, found in pairs.differences(np.ascontiguousarray(units.linear().T)):
        center, half = found.mean(axis=1), reach * found.std(axis=1, ddof=1)
        ends[at] = np.stack((center - half, center + half), axis=1)
    return ends
