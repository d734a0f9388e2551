"""Tukey's tests of all pairs of systems at once; their p-values need no correction for pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..engine.intervals import distributions
from .aligned import ROUNDING, SAME, Draws, Pairs, Units
from .paired_tests import flip_sums

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..inputs.types import Floats


TUKEY_TESTS = ("tukey", "randomised_tukey")  # tests that correct for all pairs of a measure
PERMUTED = 1 << 20  # numbers in a block of permutations


def tukey(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Floats, Floats]:
    """Tukey's honestly significant differences after a two-way analysis of variance.

    Lists x systems without replication: (systems - 1)(lists - 1) degrees of freedom (Sakai,
    "Laboratory experiments in information retrieval", 2018, section 4.2).
    """
    n, systems = units.numerators.shape
    if n < 2:
        return _ends(units, pairs, math.nan), np.full(len(pairs.a), np.nan)
    values = units.tested.linear()
    means = values.mean(axis=0)
    # The residuals of the two-way layout: what neither the system nor the list explains. Their sum
    # of squares has (systems - 1) (n - 1) degrees of freedom.
    residuals = values - means - values.mean(axis=1, keepdims=True) + values.mean()
    residuals[np.abs(residuals) <= ROUNDING * np.abs(values).max()] = 0.0  # rounding errors
    error = math.sqrt((residuals**2).sum() / ((systems - 1) * (n - 1)) / n)  # of a mean
    size = np.abs(pairs.difference(means))
    size[size <= ROUNDING * np.abs(means).max()] = 0.0
    if error == 0:  # the differences of each pair are all alike
        return _ends(units, pairs, 0.0), np.where(size == 0, 1.0, 0.0)
    tail = RangeTail.of(systems, (systems - 1) * (n - 1))
    p = tail.above(size / error)
    half_width = tail.reached(1 - level) * error
    # The interval and p must agree about 0 whatever the division rounds.
    half_width = max(half_width, size[p >= 1 - level].max(initial=0.0))
    half_width = min(half_width, np.nextafter(size[p < 1 - level], 0.0).min(initial=math.inf))
    return _ends(units, pairs, half_width), p


def _ends(units: Units, pairs: Pairs, half_width: float) -> Floats:
    """Differences minus and plus half_width; of logarithms, those of geometric means."""
    means = units.tested.means()
    ends = pairs.difference(means)[:, np.newaxis] + [-half_width, half_width]
    if units.kind == "geometric":
        between = (means[pairs.a] + means[pairs.b]) / 2
        # With logarithms a and b, exp(a) - exp(b) = 2 exp((a + b) / 2) sinh((a - b) / 2): ends of a
        # - b become ends of the difference of geometric means, and 0 stays 0.
        ends = 2 * np.exp(between)[:, np.newaxis] * np.sinh(ends / 2)
    return ends


def randomised_tukey(
    units: Units, pairs: Pairs, draws: Draws, level: float
) -> tuple[Floats, Floats]:
    """The randomised Tukey test: permutes the systems within each list.

    Carterette, "Multiple testing in statistical analysis of systems-based information retrieval
    experiments" (TOIS 2012). p = (b + 1) / (B + 1), with b of B permutations whose largest
    difference of all systems is at least that of the pair.
    """
    values = units.numerators
    if values.shape[1] == 2:  # permuted by a sign
        rows = np.subtract(*values.T)[np.newaxis]
        ranges = np.abs(flip_sums(rows, units.lists, draws.resamples, draws.seed)[0])
    else:
        step = max(1, PERMUTED // values.size)
        blocks = []
        # One generator for all blocks, so that their size does not change what is drawn.
        generator = np.random.Generator(np.random.Philox(key=[draws.seed % 2**64, 0]))
        for first in range(0, draws.resamples, step):
            many = np.broadcast_to(values, (min(step, draws.resamples - first), *values.shape))
            # The range of the systems' sums: the largest difference of any two of them.
            blocks.append(np.ptp(generator.permuted(many, axis=2).sum(axis=1), axis=1))
        ranges = np.concatenate(blocks)
    ranges.sort()
    scale = float(len(units.numerators)) if units.divisors is None else units.divisors.sum()
    sums = units.numerators.sum(axis=0)
    observed = np.abs(pairs.difference(sums))
    sizes = np.abs(units.numerators).sum(axis=0)
    lost = ROUNDING * (sizes[pairs.a] + sizes[pairs.b])
    reached = draws.resamples - np.searchsorted(ranges, observed * (1 - SAME) - lost, "left")
    min_count = draws.min_count_not_rejected(level)
    half_width = math.nan
    if min_count > 0:
        half_width = ranges[-min_count] / (1 - SAME)
    # The interval and p must agree about 0.
    half_width = np.maximum(half_width, observed[reached >= min_count].max(initial=0.0))
    if units.kind != "sum":
        half_width /= scale
    return _ends(units, pairs, float(half_width)), (reached + 1) / (draws.resamples + 1)


WIDE = 50.0  # larger ranges are less probable than 1e-270
SMALLEST_LOG = -740.0  # logarithm of the smallest double
AT_ONCE = 1 << 18  # values in a block


class RangeTail(NamedTuple):
    """log T as a spline, and the values of s with their probabilities."""

    log_tail: Callable[[Floats], Floats]
    scales: Floats
    shares: Floats

    @classmethod
    def of(cls, systems: int, freedom: int) -> RangeTail:
        """For a number of systems and of degrees of freedom."""
        # s = sqrt(chi-square / freedom) in steps of its logarithm, whose standard deviation is
        # about 1 / sqrt(2 freedom). The density of log s is exp(freedom (log s - s**2 / 2)) up to a
        # factor; expm1 keeps its digits near s = 1, where the two terms almost cancel.
        step = 0.35 / math.sqrt(2 * freedom)
        logs = np.arange(SMALLEST_LOG / freedom - 0.5, 6 / math.sqrt(freedom), step)
        density = freedom * (logs - np.expm1(2 * logs) / 2)
        logs, density = logs[density > SMALLEST_LOG], np.exp(density[density > SMALLEST_LOG])
        phi = distributions().ndtr
        from scipy.interpolate import CubicSpline

        z, w = np.arange(-8.5, 0.7 * WIDE, 0.1), np.linspace(0.0, WIDE, 1601)
        # Given that the largest of the values is z, the others lie below it independently, and the
        # range is at most w if all lie above z - w: ((phi(z) - phi(z - w)) / phi(z))**(systems -
        # 1). The sum over z weights that by the density of the largest value. Logarithms of 1 minus
        # a ratio, and their expm1, keep the digits of small tails.
        below = phi(z)
        largest = np.exp(-z * z / 2 + (systems - 1) * np.log(below))
        with np.errstate(divide="ignore"):
            inside = np.log1p(-phi(z - w[:, np.newaxis]) / below)
        tails = -np.expm1((systems - 1) * inside) * (largest / largest.sum())
        log_tail = CubicSpline(w, np.log(tails.sum(axis=1)))
        return cls(log_tail, np.exp(logs), density / density.sum())

    def above(self, q: ArrayLike) -> Floats:
        """P(range > q), never increasing with q."""
        values, places = np.unique(q, return_inverse=True)
        p = np.empty(len(values))
        step = max(1, AT_ONCE // len(self.scales))
        for first in range(0, len(values), step):
            wide = values[first : first + step, np.newaxis] * self.scales
            tails = np.where(wide > WIDE, 0.0, np.exp(self.log_tail(np.minimum(wide, WIDE))))
            p[first : first + step] = (tails * self.shares).sum(axis=1)
        # The spline may rise by a rounding error.
        return np.minimum.accumulate(np.minimum(p, 1.0))[places]

    def reached(self, p: float) -> float:
        """The q that the range exceeds with probability p, by bisection."""
        low, high = 0.0, 1.0
        while self.above([high])[0] >= p:
            low, high = high, 2 * high
        for _ in range(60):
            middle = (low + high) / 2
            if self.above([middle])[0] >= p:
                low = middle
            else:
                high = middle
        return low
