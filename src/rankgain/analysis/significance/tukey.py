"""Tukey's tests of all pairs of systems at once; their p-values need no correction for pairs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..aligned import Units
from .paired_tests import flipped_sums
from .pairs import LOST, SAME, Draws, Pairs
from .studentised import RangeTail

if TYPE_CHECKING:
    from ...inputs.types import Floats

PERMUTED = 1 << 20  # numbers in a block of permutations


class TukeyResult(NamedTuple):
    """p-values of the pairs, and the half-width of the simultaneous intervals."""

    p: Floats
    reach: float


def tukey(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Floats, Floats]:
    """Intervals and p-values of Tukey's test."""
    return _ends(units, pairs, *studentised_range(units, pairs, level))


def randomised_tukey(
    units: Units, pairs: Pairs, draws: Draws, level: float
) -> tuple[Floats, Floats]:
    """Intervals and p-values of the randomised Tukey test."""
    return _ends(units, pairs, *permuted_range(units, pairs, draws, level))


def _ends(units: Units, pairs: Pairs, p: Floats, reach: float) -> tuple[Floats, Floats]:
    """Intervals and p-values; ends on the log scale become differences of geometric means."""
    means = units.tested.means()
    ends = pairs.difference(means)[:, np.newaxis] + [-reach, reach]
    if units.kind == "geometric":
        between = (means[pairs.a] + means[pairs.b]) / 2
        ends = 2 * np.exp(between)[:, np.newaxis] * np.sinh(ends / 2)
    return ends, p


def studentised_range(units: Units, pairs: Pairs, level: float) -> TukeyResult:
    """Tukey's honestly significant differences after a two-way analysis of variance.

    Lists x systems without replication: (systems - 1)(lists - 1) degrees of freedom (Sakai,
    "Laboratory experiments in information retrieval", 2018, section 4.2).
    """
    n, systems = units.numerators.shape
    if n < 2:
        return TukeyResult(np.full(len(pairs.a), np.nan), math.nan)
    means, error = honest_error(units)
    size = np.abs(pairs.difference(means))
    size[size <= LOST * np.abs(means).max()] = 0.0
    if error == 0:  # the differences of each pair are all alike
        return TukeyResult(np.where(size == 0, 1.0, 0.0), 0.0)
    law = RangeTail.of(systems, (systems - 1) * (n - 1))
    p = law.above(size / error)
    reach = law.reached(1 - level) * error
    # The interval and p must agree about 0 whatever the division rounds.
    reach = max(reach, size[p >= 1 - level].max(initial=0.0))
    reach = min(reach, np.nextafter(size[p < 1 - level], 0.0).min(initial=math.inf))
    return TukeyResult(p, float(reach))


def honest_error(units: Units) -> tuple[Floats, float]:
    """The mean of each system, and its standard error from the residuals of lists and systems."""
    values = units.linear(as_tested=True)
    n, systems = values.shape
    means = values.mean(axis=0)
    rest = values - means - values.mean(axis=1, keepdims=True) + values.mean()
    rest[np.abs(rest) <= LOST * np.abs(values).max()] = 0.0  # rounding errors
    return means, math.sqrt((rest**2).sum() / ((systems - 1) * (n - 1)) / n)


def permuted_range(units: Units, pairs: Pairs, draws: Draws, level: float) -> TukeyResult:
    """The randomised Tukey test: permutes the systems within each list.

    Carterette, "Multiple testing in statistical analysis of systems-based information retrieval
    experiments" (TOIS 2012). p = (b + 1) / (B + 1), with b of B permutations whose largest
    difference of all systems is at least that of the pair.
    """
    ranges = np.sort(_ranges(units, draws))
    scale = float(len(units.numerators)) if units.divisors is None else units.divisors.sum()
    sums = units.numerators.sum(axis=0)
    observed = np.abs(pairs.difference(sums))
    sizes = np.abs(units.numerators).sum(axis=0)
    lost = LOST * (sizes[pairs.a] + sizes[pairs.b])
    reached = draws.resamples - np.searchsorted(ranges, observed * (1 - SAME) - lost, "left")
    least = draws.fewest(level)
    reach = ranges[-least] / (1 - SAME) if least > 0 else math.nan
    reach = np.maximum(reach, observed[reached >= least].max(initial=0.0))
    reach /= 1.0 if units.kind == "sum" else scale
    return TukeyResult((reached + 1) / (draws.resamples + 1), float(reach))


def _ranges(units: Units, draws: Draws) -> Floats:
    """The largest difference of sums in each permutation; each block has its own generator.

    Two systems are permuted by a sign.
    """
    values = units.numerators
    if values.shape[1] == 2:
        rows = np.subtract(*values.T)[np.newaxis]
        sums: Floats = flipped_sums(rows, units.lists, draws.resamples, draws.seed)[0]
        return np.abs(sums)
    step = max(1, PERMUTED // values.size)
    result = []
    for block, first in enumerate(range(0, draws.resamples, step)):
        draw = np.random.Generator(np.random.Philox(key=[draws.seed % 2**64, block]))
        many = np.broadcast_to(values, (min(step, draws.resamples - first), *values.shape))
        result.append(np.ptp(draw.permuted(many, axis=2).sum(axis=1), axis=1))
    return np.concatenate(result)
