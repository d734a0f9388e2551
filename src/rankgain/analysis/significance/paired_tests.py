"""Paired tests: the probability of a difference as large as observed if there is none.

Each test takes the units of a measure and pairs of systems, and returns a p-value for each pair.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import _core
from ...engine.intervals import distributions, student_quantile
from ...engine.means import means_of
from ..aligned import Units
from .pairs import LOST, SAME, Draws, Pairs
from .signs import flipped_sums

if TYPE_CHECKING:
    from ...inputs.types import Floats, Integers


ROOM = 1 << 20  # differences in a block: 8 MB


def student(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """Student's paired t test; micro and weighted means use the linear part of the ratio.

    p is 0 if all differences are equal and not 0.
    """
    n = len(units.numerators)
    values = units.tested.linear()
    p = np.full(len(pairs.a), np.nan)
    if n < 2:
        return p
    stdtr = distributions().stdtr
    for at, center, scale in pairs.scatter(np.ascontiguousarray(values.T)):
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.abs(center) / (scale / math.sqrt(n))
        p[at] = np.where(center == 0, 1.0, 2 * stdtr(n - 1, -t))
    return p


class Flips(NamedTuple):
    """Fisher's randomisation test: a flip exchanges the systems of each list with probability 1/2.

    p = (b + 1) / (B + 1), with b of B flips at least as far apart as observed. If there are at most
    B patterns of signs, all of them are taken and p = b / 2**lists.
    """

    p: Any
    patterns: int | None  # number of patterns if all are taken
    totals: Any  # sums of each system's values, each list centred on its mean
    sizes: Any  # sums of the absolute values
    flipped: Any  # the totals in each flip: (systems, flips)
    weights: Any  # sum of the weights of the lists that keep their sign, for each flip

    @classmethod
    def of(cls, units: Units, pairs: Pairs, draws: Draws) -> Flips:
        """Sum the values in all flips, and count the flips that reach each pair's difference."""
        patterns = _patterns(units, draws)
        values = units.numerators - units.numerators.mean(axis=1, keepdims=True)
        totals, sizes = values.sum(axis=0), np.abs(values).sum(axis=0)
        observed = np.abs(pairs.difference(totals))
        least = observed * (1 - SAME) - LOST * (sizes[pairs.a] + sizes[pairs.b])
        reached = np.zeros(len(pairs.a), np.int64)
        weights = np.ones(len(values)) if units.divisors is None else units.divisors
        sums = _flipped(np.column_stack((values, weights)).T, units, draws)
        _core.count_far(sums[:-1], pairs.a, pairs.b, least, reached)
        reached[~np.isfinite(least)] = sums.shape[1]  # sums beyond the largest number
        unflipped = (weights.sum() + sums[-1]) / 2
        return cls(_p_of(reached, patterns, draws), patterns, totals, sizes, sums[:-1], unflipped)


def _patterns(units: Units, draws: Draws) -> int | None:
    """The number of patterns of signs if all are taken, else None."""
    lists = len(units.numerators)
    return 2**lists if 2**lists <= draws.resamples else None


def _flipped(rows: Floats, units: Units, draws: Draws) -> Any:
    """Sums of rows in the flips of a test."""
    patterns = _patterns(units, draws)
    if patterns is None:
        return flipped_sums(rows, units.lists, draws.resamples, draws.seed)
    return flipped_sums(rows, units.lists, patterns, None)


def _p_of(reached: Integers, patterns: int | None, draws: Draws) -> Any:
    return (reached + 1) / (draws.resamples + 1) if patterns is None else reached / patterns


def micro_p(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """p for micro means: the divisors are exchanged with the numerators.

    A flip whose divisor is 0 counts as far apart.
    """
    observed = np.abs(pairs.difference(units.means()))
    rows = np.concatenate((units.numerators, units.divisors), axis=1).T
    sums, totals = _flipped(rows, units, draws), rows.sum(axis=1)[:, np.newaxis]
    unflipped, flipped = (
        np.split(one, 2) for one in ((totals + sums) / 2, (totals - sums) / 2)
    )  # each numerators and divisors
    reached = np.zeros(len(pairs.a), np.int64)
    step = max(1, ROOM // sums.shape[1])
    for first in range(0, len(reached), step):
        some = slice(first, first + step)
        one, two = (
            means_of(units.kind, *(x[a] + y[b] for x, y in zip(unflipped, flipped, strict=True)))
            for a, b in ((pairs.a[some], pairs.b[some]), (pairs.b[some], pairs.a[some]))
        )
        near = np.abs(one - two) < observed[some, np.newaxis] * (1 - SAME) - LOST
        reached[some] = np.count_nonzero(~near, axis=1)
    return _p_of(reached, _patterns(units, draws), draws)


def wilcoxon(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """Wilcoxon's signed-rank test, as scipy.stats.wilcoxon does it: lists that tie are left out."""
    distributions()
    from scipy import stats

    p = np.ones(len(pairs.a))
    for at in range(len(p)):
        result = units.values[:, pairs.a[at]] - units.values[:, pairs.b[at]]
        if result.any():
            p[at] = stats.wilcoxon(result).pvalue
    return p


def sign(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """The sign test: wins against losses, by the binomial distribution; ties are left out."""
    p = np.ones(len(pairs.a))
    bdtr = distributions().bdtr
    for at, result in pairs.differences(np.ascontiguousarray(units.values.T)):
        won, lost = (result > 0).sum(axis=1), (result < 0).sum(axis=1)
        p[at] = np.minimum(2 * bdtr(np.minimum(won, lost), won + lost, 0.5), 1.0)
    return p


def student_ends(units: Units, pairs: Pairs, level: float) -> Any:
    """Student's t intervals of the differences: (pairs, 2)."""
    n = len(units.numerators)
    ends = np.full((len(pairs.a), 2), np.nan)
    if n < 2:
        return ends
    reach = student_quantile(level, n - 1) / math.sqrt(n)
    for at, center, scale in pairs.scatter(np.ascontiguousarray(units.linear().T)):
        ends[at] = np.stack((center - reach * scale, center + reach * scale), axis=1)
    return ends
