"""Exact sums of one measure over lists, and the means and intervals of these sums."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..inputs.grouping import hash_ids
from .exact import Exact, add_sums, ratio
from .intervals import FEW, quantiles, student_quantile, tails
from .means import MeanRule, Terms, fraction, mean_of_sums
from .poisson import poisson_sums

NAMES = ("above", "below", "squares", "cross", "squares_below")


class MeasureSums(NamedTuple):
    """Sums of one measure over lists: numerators, divisors, their squares and products.

    Products of values and weights are added without rounding, other products are rounded for each
    list. drawn: sums of numerators and of divisors for each replicate of the bootstrap.
    """

    kind: str
    lists: int
    undefined: int
    sums: tuple[Exact, ...]
    drawn: tuple[tuple[Exact, ...], tuple[Exact, ...]]

    @classmethod
    def of(cls, terms: Terms, undefined: int, drawn: Any) -> "MeasureSums":
        """The sums of terms, which have 0 for lists that do not count."""
        with np.errstate(over="ignore"):
            n, d = terms.numerators, terms.divisors
            pairs = ((terms.values, terms.factors), (d, None), (n, n), (n, d), (d, d))
            sums = tuple(Exact.of(a, b) for a, b in pairs)
        return cls(terms.kind, int(terms.counts.sum()), undefined, sums, drawn)

    def plus(self, other: "MeasureSums") -> "MeasureSums":
        """The sums over the lists of both."""
        if self.kind != other.kind:
            raise ValueError(f"a {self.kind} and a {other.kind} of one measure do not merge")
        lists, undefined = self.lists + other.lists, self.undefined + other.undefined
        drawn = add_sums(self.drawn[0], other.drawn[0]), add_sums(self.drawn[1], other.drawn[1])
        return MeasureSums(self.kind, lists, undefined, add_sums(self.sums, other.sums), drawn)

    def mean(self, rule: MeanRule) -> float:
        """The mean or sum, equal to that of one evaluation of all lists."""
        return mean_of_sums(self.kind, self.sums[0], self.sums[1], rule)

    def replicates(self) -> Any:
        """The mean in each replicate of the bootstrap; a sum is scaled to the number of lists."""
        kind = "mean" if self.kind == "sum" else self.kind
        pairs = zip(*self.drawn, strict=True)
        means = np.array([mean_of_sums(kind, a, b, MeanRule()) for a, b in pairs])
        return means * float(self.sums[1]) if self.kind == "sum" else means

    def interval(self, level: float) -> tuple[float, float]:
        """Interval of the bootstrap if there is one and at least FEW lists, else Student's t."""
        if not np.isfinite([float(one) for one in self.sums]).all():
            return math.nan, math.nan
        if self.drawn[0] and self.lists >= FEW:
            return quantiles(self.replicates(), tails(level))
        center, variance = self.ratio(), self.variance()
        if center is None or variance is None:
            return math.nan, math.nan
        low, high = student_interval(
            ratio(center.numerator, center.denominator), variance, level, self.lists
        )
        return (exponential(low), exponential(high)) if self.kind == "geometric" else (low, high)

    def ratio(self) -> Fraction | None:
        """The exact mean or sum; for geometric means that of the logarithms."""
        above, below = fraction(self.sums[0]), fraction(self.sums[1])
        if self.kind == "sum":
            return above
        return above / below if below > 0 else None

    def variance(self) -> Fraction | None:
        """Variance of the mean by the delta method, in exact fractions."""
        center, n = self.ratio(), self.lists
        if center is None or n < 2:
            return None
        squares, cross, squares_below = map(fraction, self.sums[2:])
        if self.kind == "sum":
            return (squares - center * center / n) * n / (n - 1)
        spread = squares - 2 * center * cross + center * center * squares_below
        return spread * n / (n - 1) / fraction(self.sums[1]) ** 2


def student_interval(
    center: float, variance: Fraction, level: float, n: int
) -> tuple[float, float]:
    """Student's interval of a mean of n lists; variance: of the mean."""
    reach = student_quantile(level, n - 1) * square_root(variance)
    return center - reach, center + reach


def square_root(square: Fraction) -> float:
    """Square root of a fraction beyond the range of doubles; 0 if rounding made it negative."""
    if square <= 0:
        return 0.0
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    near_one = square / Fraction(4) ** shift
    try:
        return math.ldexp(math.sqrt(near_one), shift)
    except OverflowError:
        return math.inf


def exponential(logarithm: float) -> float:
    """exp, infinite on overflow."""
    try:
        return math.exp(logarithm)
    except OverflowError:
        return math.inf


def draw_sums(columns: list[Terms], queries: Sequence[Any], replicates: int, seed: int) -> Any:
    """For each column the sums of numerators and divisors in each bootstrap replicate."""
    if not replicates:
        return [((), ())] * len(columns)
    pairs: list[tuple[Any, Any]] = []
    for one in columns:
        factors = None if one.factors is None else np.ascontiguousarray(one.factors)
        pairs.append((np.ascontiguousarray(one.values), factors))
        pairs.append((np.ascontiguousarray(one.divisors), None))
    sums = poisson_sums(pairs, hash_ids(queries), replicates, seed)
    return list(zip(sums[::2], sums[1::2], strict=True))
