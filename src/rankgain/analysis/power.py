"""power: which differences the paired t test finds with how many queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from ..engine.intervals import check_whole, student_quantile
from ..inputs.printable import printable
from .aligned import Pairs, align, make_units, name_measures, name_pair

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..evaluation.evaluation import Evaluation
    from ..inputs.types import Floats
    from ..measures.measure import Measure

NODES = 100  # of each panel of the quadrature over the standard deviation
MOST_QUERIES = 10**15  # that are searched


@dataclass(frozen=True)
class Power:
    """What a paired t test finds: of `n` queries, `difference` with probability `power`.

    Attributes
    ----------
    measure : name of the measure
    difference : a positive difference of two means
    n : number of queries
    power : the probability that the test finds this difference with n queries
    deviation : standard deviation of the differences of the queries (ddof 1)
    level : the level of the test
    """

    measure: str
    difference: float
    n: int
    power: float
    deviation: float
    level: float

    def __str__(self) -> str:
        return (
            f"With {self.n:,} queries a paired t test at level {self.level:g} finds a "
            f"difference of {format_difference(self.difference)} in {printable(self.measure)} in "
            f"{format_share(self.power)} of cases."
        )


def power(
    evaluations: Mapping[str, Evaluation],
    measure: str | Measure,
    *,
    a: str | None = None,
    b: str | None = None,
    difference: float | None = None,
    n: int | None = None,
    level: float = 0.05,
    power: float = 0.8,
) -> Power:
    """The power of a paired t test, from the scatter of the observed differences.

    Parameters
    ----------
    evaluations : Evaluations, or mapping of name -> Evaluation
        The standard deviation is that of the differences of their queries.
    measure : str
        Any spelling of a measure that was evaluated.
    a, b : str, optional
        The two systems. Without them and with more than two systems, the standard deviation is the
        root of the mean, over all pairs, of the variance of the differences.
    difference : float, optional
        A difference of means; its sign is ignored. Without `n`, the result has the smallest number
        of queries that finds it with probability `power`.
    n : int, optional
        A number of queries, by default those that there are. Without `difference`, the result has
        the difference that they show with probability `power`.
    level : float
        The level of the two-sided test: 0.05, the share of equal systems that it tells apart. In
        `compare` and for intervals, `level` is the confidence, 0.95.
    power : float
        The probability to find the difference. With both `difference` and `n` it is not used, but
        found.

    Returns
    -------
    Power
        `difference`, `n`, `power` and `deviation`; print it for a sentence.

    Raises
    ------
    ValueError
        If the difference is 0, if all queries differ by the same amount, if there are fewer than
        two queries, or if level or power is not above 0 and below 1.

    Notes
    -----
    With e = difference / deviation and t* the 1 - level/2 quantile of t with n - 1 degrees of
    freedom, the power is P(T > t*) + P(T < -t*), where T is noncentral t with n - 1 degrees of
    freedom and noncentrality e sqrt(n). Queries where a system has no value are left out.

    Examples
    --------
    >>> import rankgain as rg
    >>> values = {"old": [0.4, 0.6, 0.3, 0.8, 0.5], "new": [0.5, 0.7, 0.3, 0.7, 0.6]}
    >>> runs = {name: rg.Evaluation.from_values({"f1": row}) for name, row in values.items()}
    >>> print(rg.power(runs, "f1", difference=0.05))
    With 28 queries a paired t test at level 0.05 finds a difference of 0.05 in f1 in 81% of cases.
    """
    check_probability(level, "level")
    check_probability(power, "power")
    aligned = align(evaluations, "common")
    names = list(aligned.evaluations)
    if (a is None) != (b is None):
        raise ValueError("name both systems by a= and b=, or neither")
    if a is not None:
        pair = name_pair(names, a, b)
        aligned = aligned._replace(evaluations={name: aligned.evaluations[name] for name in pair})
        names = list(pair)
    [name] = name_measures(aligned, [measure])
    if next(iter(aligned.evaluations.values())).collections is not None:
        raise ValueError("power is that of one collection; ask for each collection by itself")
    table = make_units(aligned, name).linear()
    deviation, queries = find_deviation(table, Pairs.among(len(names), None))
    if n is not None:
        queries = check_whole(n, "n", 2)
    if difference is None:
        if power <= level:
            raise ValueError(
                f"power must be above level, {level:g}, not {power:g}: a test finds even a "
                "difference of 0 as often as its level"
            )
        found = find_difference(deviation, queries, level, power)
        reached = find_power(found / deviation, queries, level)
        return Power(name, found, queries, reached, deviation, float(level))
    wanted = check_difference(difference)
    if n is None:
        queries = find_queries(wanted / deviation, level, power)
    reached = find_power(wanted / deviation, queries, level)
    return Power(name, wanted, queries, reached, deviation, float(level))


def check_probability(value: object, name: str) -> None:
    """Refuse a probability that is not above 0 and below 1."""
    is_number = isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
    if not is_number or not 0 < float(value) < 1:  # type: ignore[arg-type]
        example = {"level": 0.05, "power": 0.8}[name]
        raise ValueError(f"{name} must be above 0 and below 1, such as {example}, not {value!r}")


def check_difference(difference: object) -> float:
    """The size of a difference, which must not be 0."""
    if isinstance(difference, (bool, np.bool_)) or not isinstance(difference, Real):
        raise TypeError(f"difference must be a number, or None, not {difference!r}")
    size = abs(float(difference))
    if not 0 < size < math.inf:
        raise ValueError(f"difference must be finite and not 0, not {difference!r}")
    return size


def find_deviation(table: Floats, pairs: Pairs) -> tuple[float, int]:
    """The standard deviation of the differences, pooled over pairs, and the number of queries.

    table: a row for each query, a column for each system, nan where it has no value. The pooled
    deviation is the root of the mean of the variances; for complete tables it is the root of twice
    the residual mean square of the two-way layout (Sakai, Information Retrieval 2016).
    """
    variances, counts = [], []
    for a, b in zip(pairs.a, pairs.b, strict=True):
        has_both = ~np.isnan(table[:, a] + table[:, b])
        count = int(has_both.sum())
        counts.append(count)
        if count >= 2:
            _, [deviation] = Pairs(np.array([0]), np.array([1])).scatter(
                table[np.ix_(has_both, [a, b])]
            )
            variances.append(deviation**2)
    if len(variances) < len(counts):
        raise ValueError(
            "two systems have fewer than two queries in common, so there is no standard deviation "
            "of their differences; evaluate more queries"
        )
    pooled = math.sqrt(math.fsum(variances) / len(variances))
    if not pooled > 0:
        raise ValueError(
            "all queries have the same difference, so that the standard deviation is 0 and any "
            "number of queries shows it"
        )
    return pooled, min(counts)


def find_power(effect: float, n: int, level: float) -> float:
    """P(|T| > t*) for T noncentral t with n - 1 degrees and noncentrality effect sqrt(n).

    T = (Z + noncentrality) / S with Z normal and S the root of a chi-square variate over its
    degrees. Given S = s, the chance is that of Z alone, and a quadrature over s averages it. It
    has no far tails that cancel, so it holds for any effect and number of queries.
    """
    quantile = student_quantile(1 - level, n - 1)
    noncentrality = effect * math.sqrt(n)
    # The chance of Z > quantile * s - noncentrality falls from 1 to 0 around s = noncentrality /
    # quantile, over a stretch of some 9 standard deviations of Z to each side.
    scales, weights = _deviation_nodes(n - 1, noncentrality / quantile, 9 / quantile)
    above = [_normal_above(quantile * scale - noncentrality) for scale in scales]
    below = [_normal_above(quantile * scale + noncentrality) for scale in scales]
    total = np.dot(weights, above) + np.dot(weights, below)
    return min(1.0, float(total))


def _normal_above(z: float) -> float:
    """The probability that a standard normal variate is above z."""
    return 0.5 * math.erfc(z / math.sqrt(2))


@cache
def _legendre() -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre's quadrature on (-1, 1)."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return nodes, weights


def _deviation_nodes(freedom: int, step: float, width: float) -> tuple[list[float], Floats]:
    """Nodes and weights that average a function of S, the root of chi-square over its degrees.

    The function falls from 1 to 0 within `width` of `step`, which gets nodes of its own. The
    density of S is s**(f - 1) exp(-f s**2 / 2) up to a factor, with its mode at m, m**2 = (f - 1) /
    f. With s = m (1 + x) its logarithm is (f - 1) (log(1 + x) - x - x**2 / 2) plus a constant,
    which does not cancel for large f. Beyond 9 / sqrt(f) from the mode it is below 1e-17.
    """
    mode = math.sqrt((freedom - 1) / freedom)
    half_width = 9 / math.sqrt(freedom)
    low, high = max(0.0, mode - half_width), mode + half_width
    ends = sorted({low, high, *np.clip([step - width, step + width], low, high).tolist()})
    nodes, weights = _legendre()
    panels = list(pairwise(ends))
    scales = np.concatenate([(a + b) / 2 + (b - a) / 2 * nodes for a, b in panels])
    lengths = np.concatenate([(b - a) * weights for a, b in panels])
    if freedom == 1:
        logarithms = -(scales**2) / 2
    else:
        x = (scales - mode) / mode
        logarithms = (freedom - 1) * (np.log1p(x) - x - x**2 / 2)
    # The factor of the density is left out, so the weights are divided by their sum.
    density = lengths * np.exp(logarithms)
    return scales.tolist(), density / density.sum()


def find_difference(deviation: float, n: int, level: float, power: float) -> float:
    """The positive difference that n queries show with this power, which rises with it."""
    low, high = 0.0, 1.0
    while find_power(high, n, level) < power:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if find_power(middle, n, level) < power:
            low = middle
        else:
            high = middle
    return high * deviation


def find_queries(effect: float, level: float, power: float) -> int:
    """The smallest number of queries, at least 2, that shows an effect with this power."""
    low, high = 1, 2
    while find_power(effect, high, level) < power:
        low, high = high, 2 * high
        if high > MOST_QUERIES:
            raise ValueError(
                f"no number of queries up to {MOST_QUERIES:.0e} shows a difference of {effect:.2g} "
                "standard deviations; ask for a larger difference"
            )
    while high - low > 1:
        middle = (low + high) // 2
        if find_power(effect, middle, level) < power:
            low = middle
        else:
            high = middle
    return high


def format_difference(value: float) -> str:
    """A positive number in a sentence: three significant digits, or all before the point."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def format_share(value: float) -> str:
    """A probability in a sentence, as a percentage."""
    percentage = f"{100 * value:.0f}"
    if percentage == "100":  # no test finds a difference for certain
        return "more than 99%"
    return f"{percentage}%"
