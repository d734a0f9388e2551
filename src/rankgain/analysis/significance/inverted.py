"""Intervals by inverting Fisher's randomisation test: the differences that it does not reject.

Let A be the sum of the differences minus delta over the exchanged lists of a flip, and B the sum
over the other lists. The flip is at least as far apart as observed if A B <= 0, that is if delta
lies between the mean difference of the exchanged lists and that of the others. So p of delta is
the share of flips whose two means enclose delta. It falls on both sides of the observed
difference, and the ends of the interval are order statistics of these means (Hartigan, "Using
subsample values as typical values", JASA 1969).
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..aligned import Units
from .paired_tests import Flips, micro_p, student_ends
from .pairs import LOST, Draws, Pairs

if TYPE_CHECKING:
    from ...inputs.types import Floats


CACHED_MEANS = 1 << 24  # means of flips held in memory at once: 128 MB
AT_ONCE = 1 << 25  # differences between two checks for signals
SAMPLED = 1000  # flips that estimate where the tails begin


def randomised(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Any, Any]:
    """Intervals (pairs, 2) and p-values of the randomisation test.

    Student's interval is used at an end where it is wider, unless it would disagree with p about 0:
    for few lists with skewed differences the test's interval covers too little. The interval is nan
    if lists or resamples are too few for a p below 1 - level. Micro and geometric means have the
    interval of their linear part.
    """
    if units.is_micro or units.kind == "geometric":
        linear = Units("mean", units.values, units.linear(), None, units.lists)
        ends = _both(linear, pairs, draws, level)[0]
        if units.is_micro:
            return ends, micro_p(units.tested, pairs, draws)
        return ends, _both(units.tested, pairs, draws, level)[1]
    return _both(units, pairs, draws, level)


def _both(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Any, Any]:
    ends, p = np.empty((len(pairs.a), 2)), np.empty(len(pairs.a))
    for at, columns, inside in pairs.groups(CACHED_MEANS // (2 * draws.resamples)):
        part = units.part(slice(None), columns)
        flips = Flips.of(part, inside, draws)
        p[at] = flips.p
        ends[at] = _ends(part, inside, flips, draws.fewest(level, flips.patterns))
    wide = student_ends(units, pairs, level)
    with np.errstate(invalid="ignore"):
        low, high = ends.T
        low = np.where((low > 0) & ~(wide[:, 0] > 0), low, np.fmin(low, wide[:, 0]))
        high = np.where((high < 0) & ~(wide[:, 1] < 0), high, np.fmax(high, wide[:, 1]))
    ends[:, 0] = np.where(np.isnan(ends[:, 0]), np.nan, low)
    ends[:, 1] = np.where(np.isnan(ends[:, 1]), np.nan, high)
    return ends, p


def _ends(units: Units, pairs: Pairs, flips: Flips, fewest: int) -> Any:
    """Order statistics of the mean differences of the exchanged lists, and of the others."""
    weights = np.ones(len(units.numerators)) if units.divisors is None else units.divisors
    total_weight = weights.sum()
    parted = np.minimum(flips.weights, total_weight - flips.weights) > LOST * total_weight
    fewest -= int(np.count_nonzero(~parted))  # flips that exchange all or none always reach
    if fewest < 1 or not total_weight > 0:
        return np.nan
    flipped = flips.flipped if parted.all() else np.compress(parted, flips.flipped, axis=1)
    here, total = flips.weights[parted], flips.totals[:, np.newaxis]
    means = np.empty((len(flipped), 2 * len(here)))
    exchanged, others = means[:, : len(here)], means[:, len(here) :]
    np.divide(np.add(total, flipped, out=exchanged), 2 * here, out=exchanged)
    np.divide(np.subtract(total, flipped, out=others), 2 * (total_weight - here), out=others)
    result = _order_statistics(means, pairs, fewest - 1, means.shape[1] - fewest)
    sizes = LOST * flips.sizes / total_weight
    result[np.abs(result) <= (sizes[pairs.a] + sizes[pairs.b])[:, np.newaxis]] = 0.0
    return result * (len(units.numerators) if units.kind == "sum" else 1)


def _order_statistics(means: Floats, pairs: Pairs, low: int, high: int) -> Any:
    """The differences of each pair at the positions low and high in ascending order.

    nan for a system with sums beyond the largest number: `find_tails` orders numbers alone.
    """
    result = np.empty((len(pairs.a), 4))
    known: Any = np.isfinite(means).all(axis=1)
    means[~known] = 0.0
    around = _guessed(means, pairs, low, high)
    step = max(1, AT_ONCE // means.shape[1])
    for first in range(0, len(result), step):
        some = slice(first, first + step)
        a, b = pairs.a[some], pairs.b[some]
        _core.find_tails(means, a, b, low, high, around[some], result[some])
    result[~(known[pairs.a] & known[pairs.b])] = np.nan
    return result[:, ::2]


def _guessed(means: Floats, pairs: Pairs, low: int, high: int) -> Any:
    """Where tails with 1.5 times the needed differences begin, by the normal distribution."""
    n = means.shape[1]
    wide = [1.5 * (low + 2) + 20, 1.5 * (n - high) + 20]
    normal = NormalDist()
    reach = [-normal.inv_cdf(min(one / n, 0.999)) for one in wide]
    few = means[:, :SAMPLED]
    center = pairs.difference(few.mean(axis=1))
    spread = few - few.mean(axis=1, keepdims=True)
    product = spread @ spread.T / few.shape[1]
    squares = product.diagonal()
    variance = squares[pairs.a] + squares[pairs.b] - 2 * product[pairs.a, pairs.b]
    scale = np.sqrt(np.maximum(variance, 0.0))
    return np.stack((center - reach[0] * scale, center + reach[1] * scale), axis=1)
