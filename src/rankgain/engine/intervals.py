"""Confidence intervals of means, from what lists add to them or from exact sums over lists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..inputs.grouping import hash_ids
from .exact import Exact, add_sums, ratio
from .means import MeanRule, Shares, Terms, divide_sums, fraction, mean_of_sums
from .resampling import poisson_sums, resample

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Integers
    from .resampling import Column


METHODS = ("bootstrap", "bca", "t")
FEW = 40  # with fewer lists or clusters resamples vary too little, so Student's t is used
NODES = 256  # at which the density of Student's t is integrated
NO_INTERVAL = (math.nan, math.nan)
SUM_NAMES = ("above", "below", "squares", "cross", "squares_below")  # of MeasureSums.sums


class IntervalOptions(NamedTuple):
    """The options of an interval."""

    level: float
    method: str
    resamples: int
    seed: int

    def checked(self) -> IntervalOptions:
        """Check all options; return them with the right types."""
        check_level(self.level)
        if self.method not in METHODS:
            raise ValueError(f'method must be "bootstrap", "bca" or "t", not {self.method!r}')
        return self._replace(
            resamples=check_whole(self.resamples, "resamples", 1),
            seed=check_whole(self.seed, "seed", 0),
        )


def check_level(level: object) -> None:
    """Check a confidence level."""
    if not isinstance(level, (int, float, np.floating)) or not 0 < level < 1:
        raise ValueError(f"level must be above 0 and below 1, such as 0.95, not {level!r}")


def check_whole(value: object, name: str, minimum: int) -> int:
    """Check a number of resamples, a seed or the like; an integral float is allowed."""
    is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not is_number or value != value // 1 or value < minimum:  # type: ignore[operator]
        raise ValueError(f"{name} must be a whole number of at least {minimum}, not {value!r}")
    return int(value)


@np.errstate(over="ignore", invalid="ignore")  # values near the largest doubles
def find_intervals(
    shares: Mapping[str, Shares], options: IntervalOptions, groups: Integers | None
) -> dict[str, tuple[float, float]]:
    """Intervals of several measures; those with values for the same lists share resamples."""
    result = dict.fromkeys(shares, NO_INTERVAL)
    names_by_mask: dict[bytes, list[str]] = {}
    for name, of_measure in shares.items():
        keep = ~np.isnan(of_measure.numerators)
        selected = of_measure.select(keep)
        is_finite = np.isfinite(selected.numerators).all()
        if selected.divisors is not None:
            is_finite &= np.isfinite(selected.divisors).all()
        if keep.any() and is_finite:
            names_by_mask.setdefault(keep.tobytes(), []).append(name)
    for key, names in names_by_mask.items():
        keep = np.frombuffer(key, bool)
        units = [_add_clusters(shares[name], keep, groups) for name in names]
        # All units have the same lists, so they are all too few, or none is.
        too_few = len(units[0].numerators) < FEW
        if options.method == "t" or too_few:
            for name, unit in zip(names, units, strict=True):
                result[name] = _student(unit, options.level)
            continue
        columns = _resampled_means(units, options.resamples, options.seed)
        for name, unit, means in zip(names, units, columns, strict=True):
            ends = tails(options.level)
            if options.method == "bca" and not np.isnan(means).all():
                ends = _correct_tails(means[~np.isnan(means)], unit, ends)
            result[name] = quantiles(means, ends)
    return result


@np.errstate(over="ignore", invalid="ignore")
def find_joint_interval(parts: Sequence[Shares], options: IntervalOptions) -> tuple[float, float]:
    """Interval of the mean of several means; lists are drawn within each of them."""
    if options.method == "bca":
        raise ValueError('a mean of means has no method "bca"; take "bootstrap" or "t"')
    units = [shares.select(~np.isnan(shares.numerators)) for shares in parts]
    if not all(np.isfinite(unit.numerators).all() for unit in units):
        return NO_INTERVAL
    sizes = [len(unit.numerators) for unit in units]
    if options.method != "t" and min(sizes) >= FEW:
        total = np.zeros(options.resamples)
        for index, unit in enumerate(units):
            seed = options.seed, index  # draws of their own for each of the means
            (means,) = _resampled_means([unit], options.resamples, seed)
            total += means
        return quantiles(total / len(units), tails(options.level))
    if min(sizes) < 2:
        return NO_INTERVAL
    return _student_of_mean_of_means(units, options.level)


def _student_of_mean_of_means(units: Sequence[Shares], level: float) -> tuple[float, float]:
    """Student's interval of the mean of independent means, with Welch's degrees of freedom."""
    centers, variances = [], []
    for unit in units:
        center, values = linearise(unit)
        scale = 1.0
        if unit.kind == "geometric":  # the delta method: d exp(x) = exp(x) dx
            scale = center = np.exp(center)
        centers.append(center)
        # The variance of this mean, divided by n**2 as a term of the mean of n means.
        deviation = scale * values.std(ddof=1)
        variances.append(deviation**2 / len(values) / len(units) ** 2)
    mean = float(np.mean(centers))
    variance = sum(variances)
    if not variance > 0:
        return mean, mean
    # Welch and Satterthwaite: variance**2 / sum(v_i**2 / (n_i - 1)) degrees of freedom.
    terms = []
    for unit, part in zip(units, variances, strict=True):
        terms.append(part**2 / (len(unit.numerators) - 1))
    freedom = variance**2 / sum(terms)
    half_width = student_quantile(level, freedom) * math.sqrt(variance)
    return mean - half_width, mean + half_width


def _add_clusters(shares: Shares, keep: Array, groups: Integers | None) -> Shares:
    """The shares of each list, or of each cluster; keep: mask of the lists that count."""
    selected = shares.select(keep)
    if groups is None:
        return selected
    _, codes = np.unique(groups[keep], return_inverse=True)
    numerators = np.bincount(codes, selected.numerators)  # sums by cluster, as doubles
    # Without weights, the divisor of a cluster is the number of its lists.
    divisors = np.bincount(codes, selected.divisors)
    return Shares(selected.kind, numerators, divisors)


def _resampled_means(
    units: Sequence[Shares], resamples: int, seed: int | tuple[int, int]
) -> list[Any]:
    """The mean of each unit in the same resamples."""
    columns = []
    for unit in units:
        columns.append(unit.numerators)
        if unit.divisors is not None:
            columns.append(unit.divisors)
    # The sums of each column in all resamples, in the order of the columns.
    sums = iter(resample(columns, resamples, seed))
    result = []
    for unit in units:
        numerators = next(sums)
        divisors = float(len(unit.numerators))
        if unit.divisors is not None:
            divisors = next(sums)
        result.append(divide_sums(unit.kind, numerators, divisors))
    return result


def tails(level: float) -> tuple[float, float]:
    """Fractions of the resamples below the two ends of a percentile interval."""
    return (1 - level) / 2, (1 + level) / 2


def quantiles(means: Floats, probabilities: tuple[float, float]) -> tuple[float, float]:
    """Two quantiles of the resampled means that are not nan."""
    if any(map(math.isnan, probabilities)) or np.isnan(means).all():
        return NO_INTERVAL
    low, high = np.nanquantile(means, probabilities)
    return float(low), float(high)


def _correct_tails(
    means: Floats, unit: Shares, probabilities: tuple[float, float]
) -> tuple[float, float]:
    """Fractions of the resamples below the two ends of a BCa interval.

    Efron, "Better bootstrap confidence intervals" (JASA 1987): Phi(z0 + z / (1 - a z)), where
    z = z0 + Phi^-1(probability). The bias z0 is the normal quantile of the fraction of resamples
    below the mean, and the acceleration a = sum(d**3) / (6 sum(d**2)**1.5) comes from the
    deviations d of the leave-one-out means.
    """
    numerators, divisors = unit.numerators, unit.divisors
    if divisors is None:
        divisors = np.ones(len(numerators))
    above, below = numerators.sum(), divisors.sum()
    mean = divide_sums(unit.kind, above, below)
    means_without = divide_sums(unit.kind, above - numerators, below - divisors)
    if (means == means[0]).all():
        return probabilities
    # Resamples that equal the mean count one half, so few distinct values do not look like a bias.
    fraction_below = ((means < mean).mean() + (means <= mean).mean()) / 2
    if not 0 < fraction_below < 1 or np.isnan(means_without).any():
        return math.nan, math.nan
    deviations = means_without.mean() - means_without
    scale = (deviations**2).sum() ** 1.5
    acceleration = 0.0
    if scale > 0:
        acceleration = (deviations**3).sum() / (6 * scale)
    normal = NormalDist()
    bias = normal.inv_cdf(float(fraction_below))
    corrected = []
    for probability in probabilities:
        z = bias + normal.inv_cdf(probability)
        corrected.append(normal.cdf(bias + z / (1 - acceleration * z)))
    return corrected[0], corrected[1]


def linearise(unit: Shares) -> tuple[float, Any]:
    """The mean (of logarithms), and a value per list whose mean has the same error.

    The delta method: a ratio A / B, of the sums of a_i and b_i over n lists, varies as the mean of
    n (a_i - (A / B) b_i) / B.
    """
    numerators, divisors = unit.numerators, unit.divisors
    n = len(numerators)
    if unit.kind == "sum":
        return float(numerators.sum()), numerators * n
    if divisors is None:
        divisors = np.ones(n)
    total = divisors.sum()
    if not total > 0:
        return math.nan, np.full(n, np.nan)
    center = float(numerators.sum() / total)
    return center, n * (numerators - center * divisors) / total


def _student(unit: Shares, level: float) -> tuple[float, float]:
    """Student's interval of a mean: center -+ t * standard deviation / sqrt(n)."""
    n = len(unit.numerators)
    if n < 2:
        return NO_INTERVAL
    center, values = linearise(unit)
    standard_error = values.std(ddof=1) / math.sqrt(n)
    half_width = student_quantile(level, n - 1) * standard_error
    low, high = center - half_width, center + half_width
    if unit.kind == "geometric":
        low, high = np.exp(low), np.exp(high)
    return float(low), float(high)


@lru_cache(maxsize=256)
def student_quantile(level: float, freedom: float) -> float:
    """Quantile of Student's t for a two-sided interval, in standard errors.

    With t = sqrt(freedom) tan(x) the density of x is proportional to cos(x)**(freedom - 1). The
    integral of that from 0 is level / 2 of sqrt(pi) Gamma(freedom / 2) / Gamma((freedom + 1) / 2)
    at the quantile, which is found by bisection.
    """
    # Nodes and weights of Fejér's first rule on (-1, 1): with the angles x_i = (2 i - 1) pi / (2 n)
    # the nodes are cos(x_i), and the weights 2 / n (1 - 2 sum_k cos(2 k x_i) / (4 k**2 - 1)).
    angles = np.arange(1, 2 * NODES, 2) * (math.pi / 2 / NODES)
    nodes = np.cos(angles)
    evens = np.arange(2, NODES, 2)
    terms = np.cos(evens * angles[:, np.newaxis]) / (evens**2 - 1)
    weights = 2 / NODES * (1 - 2 * terms.sum(axis=1))
    # Gamma(freedom / 2) / Gamma((freedom + 1) / 2)
    if freedom < 1000:
        gammas = math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom + 1) / 2))
    else:  # the difference of the logarithms would cancel; its series in 1 / freedom
        inverse = 1 / freedom
        gammas = math.sqrt(2 * inverse) * (1 + inverse / 4 + inverse**2 / 32 - 5 * inverse**3 / 128)
    target = level * math.sqrt(math.pi) / 2 * gammas
    # No quantile is above 30 with that many degrees of freedom, and the nodes of the quadrature are
    # better spent on the part of the density that is not negligible.
    low, high = 0.0, min(math.pi / 2, 30 / math.sqrt(freedom))
    for _ in range(60):
        x = (low + high) / 2
        # cos(x)**2 = 1 - sin(x)**2. With many degrees of freedom x is small, and a power of the
        # cosine, which is rounded near 1, would lose digits; log1p of the small number keeps them.
        sines = np.sin((nodes + 1) / 2 * x)
        densities = np.exp((freedom - 1) / 2 * np.log1p(-(sines**2)))
        area = x / 2 * (weights * densities).sum()
        if area < target:
            low = x
        else:
            high = x
    return math.sqrt(freedom) * math.tan(low)


def distributions() -> Any:
    """scipy.special, or an error that says how to get it."""
    try:
        from scipy import special
    except ImportError:
        raise ImportError(
            "The t test and the other tests with a distribution need scipy: pip install "
            '"rankgain[stats]"; the default test, "randomisation", and intervals do not'
        ) from None
    return special


class MeasureSums(NamedTuple):
    """Sums of one measure over lists: numerators, divisors, their squares and products."""

    kind: str
    lists: int
    undefined: int
    sums: tuple[Exact, ...]  # SUM_NAMES; the last three of numerators rounded for each list
    drawn: tuple[tuple[Exact, ...], tuple[Exact, ...]]  # above, below of each replicate

    @classmethod
    def of(cls, terms: Terms, undefined: int, drawn: Any) -> MeasureSums:
        """The sums of terms, which have 0 for lists that do not count."""
        with np.errstate(over="ignore"):
            n, d = terms.numerators, terms.divisors
            sums = (
                Exact.of(terms.values, terms.factors),
                Exact.of(d),
                Exact.of(n, n),
                Exact.of(n, d),
                Exact.of(d, d),
            )
        lists = int(terms.counts.sum())
        return cls(terms.kind, lists, undefined, sums, drawn)

    def plus(self, other: MeasureSums) -> MeasureSums:
        """The sums over the lists of both."""
        if self.kind != other.kind:
            raise ValueError(f"a {self.kind} and a {other.kind} of one measure do not merge")
        lists = self.lists + other.lists
        undefined = self.undefined + other.undefined
        sums = add_sums(self.sums, other.sums)
        numerators, divisors = map(add_sums, self.drawn, other.drawn)
        return MeasureSums(self.kind, lists, undefined, sums, (numerators, divisors))

    def mean(self, rule: MeanRule) -> float:
        """The mean or sum, equal to that of one evaluation of all lists."""
        return mean_of_sums(self.kind, self.sums[0], self.sums[1], rule)

    def replicates(self) -> Floats:
        """The mean in each replicate of the bootstrap; a sum is scaled to the number of lists."""
        kind = "mean" if self.kind == "sum" else self.kind
        numerators, divisors = self.drawn
        means = np.empty(len(numerators))
        for index, (above, below) in enumerate(zip(numerators, divisors, strict=True)):
            means[index] = mean_of_sums(kind, above, below, MeanRule())
        if self.kind == "sum":
            means *= float(self.sums[1])
        return means

    def interval(self, level: float) -> tuple[float, float]:
        """Interval of the bootstrap if there is one and at least FEW lists, else Student's t."""
        if not np.isfinite([float(total) for total in self.sums]).all():
            return math.nan, math.nan
        if self.drawn[0] and self.lists >= FEW:
            return quantiles(self.replicates(), tails(level))
        exact_mean, variance = self.ratio(), self.variance()
        if exact_mean is None or variance is None:
            return math.nan, math.nan
        center = ratio(exact_mean.numerator, exact_mean.denominator)
        low, high = student_interval(center, variance, level, self.lists)
        if self.kind == "geometric":
            return exponential(low), exponential(high)
        return low, high

    def ratio(self) -> Fraction | None:
        """The exact mean or sum; for geometric means that of the logarithms."""
        above, below = fraction(self.sums[0]), fraction(self.sums[1])
        if self.kind == "sum":
            return above
        if below > 0:
            return above / below
        return None

    def variance(self) -> Fraction | None:
        """Variance of the mean by the delta method, in exact fractions."""
        squares, cross, squares_below = self.sums[2:]
        return covariance(self, self, (squares, cross, cross, squares_below), self.lists)


def covariance(
    first: MeasureSums, second: MeasureSums, products: tuple[Exact, ...], n: int
) -> Fraction | None:
    """Covariance of two means over the same n lists, or None if a mean or it is not defined.

    By the delta method, the means a = N / D and b = M / E, with list i adding n_i, d_i, m_i, e_i,
    have the covariance sum((n_i - a d_i) (m_i - b e_i)) / (D E) * n / (n - 1). products: the sums
    of n m, n e, d m and d e, from which that sum is multiplied out.
    """
    a, b = first.ratio(), second.ratio()
    if a is None or b is None or n < 2:
        return None
    sum_nm, sum_ne, sum_dm, sum_de = map(fraction, products)
    if first.kind == "sum":
        return (sum_nm - a * b / n) * n / (n - 1)
    # sum((n_i - a d_i) (m_i - b e_i)), multiplied out. It cancels, which exact fractions allow.
    spread = sum_nm - b * sum_ne - a * sum_dm + a * b * sum_de
    divisors = fraction(first.sums[1]) * fraction(second.sums[1])
    return spread / divisors * n / (n - 1)


def student_interval(
    center: float, variance: Fraction, level: float, n: int
) -> tuple[float, float]:
    """Student's interval of a mean of n lists; variance: of the mean, also beyond the doubles."""
    error = 0.0
    if variance > 0:  # rounding may make it negative
        # The square root of variance / 4**shift, which is near 1, times 2**shift.
        bits = variance.numerator.bit_length() - variance.denominator.bit_length()
        shift = bits // 2
        scaled = variance / Fraction(4) ** shift
        try:
            error = math.ldexp(math.sqrt(scaled), shift)
        except OverflowError:
            error = math.inf
    half_width = student_quantile(level, n - 1) * error
    return center - half_width, center + half_width


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
    pairs: list[Column] = []
    for terms in columns:
        factors = terms.factors
        if factors is not None:
            factors = np.ascontiguousarray(factors)
        pairs.append((np.ascontiguousarray(terms.values), factors))
        pairs.append((np.ascontiguousarray(terms.divisors), None))
    sums = poisson_sums(pairs, hash_ids(queries), replicates, seed)
    return list(zip(sums[::2], sums[1::2], strict=True))
