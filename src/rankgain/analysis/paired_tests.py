"""Paired tests: the probability of a difference as large as observed if there is none.

Each test takes the units of a measure and pairs of systems, and returns a p-value for each pair.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import _core
from ..engine.intervals import distributions, student_quantile
from ..engine.means import divide_sums
from ..engine.resampling import resample
from ..engine.threads import run_parts, usable_threads
from ..inputs.grouping import SPLITMIX_STEP, mix_words
from .aligned import ROUNDING, SAME, Draws, Pairs, Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..inputs.types import Floats, Integers

    Octets = NDArray[np.uint8]


MAX_BLOCK_CELLS = 1 << 20  # differences in a block: 8 MB


def student(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Floats, Floats]:
    """Student's paired t test; micro and weighted means use the linear part of the ratio."""
    n = len(units.numerators)
    ends = student_ends(units, pairs, level)
    if units.collections is not None:
        center, error, freedom = welch(units, pairs)
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.abs(center) / error
        return ends, np.where(center == 0, 1.0, 2 * distributions().stdtr(freedom, -t))
    if n < 2:
        return ends, np.full(len(pairs.a), np.nan)
    stdtr = distributions().stdtr
    center, scale = pairs.scatter(units.tested.linear())
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.abs(center) / (scale / math.sqrt(n))
    return ends, np.where(center == 0, 1.0, 2 * stdtr(n - 1, -t))


def welch(units: Units, pairs: Pairs) -> tuple[Floats, Floats, Floats]:
    """The mean difference over pooled collections, its standard error, and degrees of freedom.

    The mean of C collections has the variance sum_c s_c**2 / (n_c C**2), and by Welch and
    Satterthwaite var**2 / sum_c (s_c**2 / (n_c C**2))**2 / (n_c - 1) degrees of freedom. The error
    is nan if a collection has fewer than two queries.
    """
    tables = units.tables()
    center, variance, squares = np.zeros((3, len(pairs.a)))
    for table in tables:
        n = len(table)
        if n < 2:
            nothing = np.full(len(pairs.a), np.nan)
            return center, nothing, nothing
        mean, deviation = pairs.scatter(table)
        variance_of_mean = deviation**2 / n / len(tables) ** 2
        center += mean / len(tables)
        variance += variance_of_mean
        squares += variance_of_mean**2 / (n - 1)
    smallest_freedom = min(map(len, tables)) - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = np.where(variance > 0, variance**2 / squares, smallest_freedom)
    return center, np.sqrt(variance), freedom


def equivalence_p(units: Units, pairs: Pairs, margin: float) -> Floats:
    """p of two one-sided paired t tests of whether the difference lies inside (-margin, margin).

    The greater p of the tests of mean(d) > -margin and mean(d) < margin, with n - 1 degrees of
    freedom (Schuirmann 1987); micro and weighted means use the linear part of the ratio. If all
    lists differ by the same amount, p is 0 inside the margin, else 1. nan for fewer than two lists.
    """
    n = len(units.numerators)
    if n < 2:
        return np.full(len(pairs.a), np.nan)
    if units.collections is None:
        center, deviation = pairs.scatter(units.linear())
        error, freedom = deviation / math.sqrt(n), np.full(len(pairs.a), n - 1.0)
    else:
        center, error, freedom = welch(units, pairs)
    # Both tests reject if the mean is far from both ends of the margin, so from the nearer one.
    distance = margin - np.abs(center)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = distance / error
    p: Floats = distributions().stdtr(freedom, -t)
    return np.where(error == 0, np.where(distance > 0, 0.0, 1.0), p)


class Flips(NamedTuple):
    """Fisher's randomisation test: a flip exchanges the systems of each list with probability 1/2.

    p = (b + 1) / (B + 1), if the totals of the two systems differ in b of B flips at least as much
    as observed. If there are at most B patterns of signs, all of them are taken and
    p = b / 2**lists.
    """

    p: Floats
    totals: Floats  # sums of each system's values, each list centred on its mean
    sizes: Floats  # sums of the absolute values
    flipped: Floats  # the totals in each flip: (systems, flips)
    weights: Floats  # sum of the weights of the lists that keep their sign, for each flip

    @classmethod
    def of(cls, units: Units, pairs: Pairs, draws: Draws) -> Flips:
        """Sum the values in all flips, and count the flips that reach each pair's difference."""
        # A flip changes the sign of a list's values, and so of each difference of two systems. The
        # mean of the list cancels in every difference; without it smaller values round less.
        values = units.numerators - units.numerators.mean(axis=1, keepdims=True)
        totals, sizes = values.sum(axis=0), np.abs(values).sum(axis=0)
        # Flips that reach the observed difference up to rounding count: for equal values the order
        # of the additions would else decide about p.
        observed = np.abs(pairs.difference(totals))
        threshold = observed * (1 - SAME) - ROUNDING * (sizes[pairs.a] + sizes[pairs.b])
        reached = np.zeros(len(pairs.a), np.int64)
        weights = np.ones(len(values)) if units.divisors is None else units.divisors
        sums = flip_sums(
            np.column_stack((values, weights)).T, units.lists, *draws.flips(len(values))
        )
        _core.count_far(sums[:-1], pairs.a, pairs.b, threshold, reached)
        reached[~np.isfinite(threshold)] = sums.shape[1]  # sums beyond the largest number
        unflipped = (weights.sum() + sums[-1]) / 2
        return cls(draws.p_values(reached, len(values)), totals, sizes, sums[:-1], unflipped)


def micro_p(units: Units, pairs: Pairs, draws: Draws) -> Floats:
    """p for micro means: divisors are exchanged, too.

    A flip in which a divisor is 0 counts as one that differs at least as much as observed.
    """
    observed = np.abs(pairs.difference(units.means()))
    assert units.divisors is not None
    rows: Floats = np.concatenate((units.numerators, units.divisors), axis=1).T
    sums = flip_sums(rows, units.lists, *draws.flips(len(units.lists)))
    totals = rows.sum(axis=1)[:, np.newaxis]
    # The sums over the lists that a flip keeps, and over those that it exchanges. A row of each
    # system has its numerators, and a later one its divisors.
    kept, exchanged = (totals + sums) / 2, (totals - sums) / 2
    n_systems = units.numerators.shape[1]

    def mean_in_flips(system: Integers, other_system: Integers) -> Floats:
        """The mean of systems that exchange lists with other ones, in each flip."""
        numerators = kept[system] + exchanged[other_system]
        divisors = kept[n_systems + system] + exchanged[n_systems + other_system]
        means: Floats = divide_sums(units.kind, numerators, divisors)
        return means

    reached = np.zeros(len(pairs.a), np.int64)
    step = max(1, MAX_BLOCK_CELLS // sums.shape[1])
    for first in range(0, len(reached), step):
        selected = slice(first, first + step)
        a, b = pairs.a[selected], pairs.b[selected]
        differences = np.abs(mean_in_flips(a, b) - mean_in_flips(b, a))
        is_smaller = differences < observed[selected, np.newaxis] * (1 - SAME) - ROUNDING
        reached[selected] = np.count_nonzero(~is_smaller, axis=1)
    return draws.p_values(reached, len(units.lists))


def wilcoxon(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Floats, Floats]:
    """Wilcoxon's signed-rank test, as scipy.stats.wilcoxon does it: lists that tie are left out."""
    ends, _ = randomise(units, pairs, draws, level)
    distributions()
    from scipy import stats

    p = np.ones(len(pairs.a))
    for pair in range(len(p)):
        differences = units.values[:, pairs.a[pair]] - units.values[:, pairs.b[pair]]
        if differences.any():
            p[pair] = stats.wilcoxon(differences).pvalue
    return ends, p


def sign(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Floats, Floats]:
    """The sign test: wins against losses, by the binomial distribution; ties are left out."""
    ends, _ = randomise(units, pairs, draws, level)
    p = np.ones(len(pairs.a))
    bdtr = distributions().bdtr
    for selected, differences in pairs.differences(units.values):
        won, lost = (differences > 0).sum(axis=1), (differences < 0).sum(axis=1)
        p[selected] = np.minimum(2 * bdtr(np.minimum(won, lost), won + lost, 0.5), 1.0)
    return ends, p


def student_ends(units: Units, pairs: Pairs, level: float) -> Floats:
    """Student's t intervals of the differences: (pairs, 2)."""
    n = len(units.numerators)
    if n < 2:
        return np.full((len(pairs.a), 2), np.nan)
    if units.collections is not None:
        center, error, freedom = welch(units, pairs)
        quantiles = np.full(len(freedom), np.nan)
        for pair, degrees in enumerate(freedom.tolist()):
            if not math.isnan(degrees):
                quantiles[pair] = student_quantile(level, degrees)
        half = quantiles * error
        return np.stack((center - half, center + half), axis=1)
    half_width = student_quantile(level, n - 1) / math.sqrt(n)
    center, scale = pairs.scatter(units.linear())
    return np.stack((center - half_width * scale, center + half_width * scale), axis=1)


WORD = 64  # flips per word
FLIPS = 1 << 13  # flips of a task: their sums fit the second-level cache
GROUPS = 16  # groups of eight lists whose bytes are computed at once
MIN_CELLS_FOR_THREADS = 1 << 26  # signed values from which on threads share the flips


def random_signs(seed: int, lists: Integers, first: int, stop: int) -> Octets:
    """The signs of the lists in the flips first .. stop-1: bytes (groups of eight lists, flips).

    Bit i of a byte is the sign of list i of its group. `first`, the number of the first flip, is a
    multiple of WORD. A sign depends on the seed, the list and the flip alone.
    """
    words = np.arange(first // WORD, -(-stop // WORD), dtype=np.uint64)
    # A key for each list, in rows of eight; zeros fill the last row, whose surplus bits are not
    # read as their values are 0. A word of 64 flips is the hash of the key and the number of the
    # word.
    keys = np.zeros((-(-len(lists) // 8), 8), np.uint64)
    start = mix_words(np.array([seed % 2**64], np.uint64))
    keys.ravel()[: len(lists)] = mix_words(
        start + np.asarray(lists).astype(np.uint64) * SPLITMIX_STEP
    )
    hashes = mix_words(keys[:, :, np.newaxis] + words * SPLITMIX_STEP)
    by_list = hashes.astype("<u8", copy=False).view(np.uint8)
    # Transpose each square of 8 x 8 bits (Hacker's Delight, section 7-3): the masks swap single
    # bits, then squares of 2 x 2, then of 4 x 4, across the diagonal. A byte then has 8 lists.
    squares = np.ascontiguousarray(by_list.transpose(0, 2, 1)).view("<u8")
    for shift, mask in ((7, 0xAA00AA00AA00AA), (14, 0xCCCC0000CCCC), (28, 0xF0F0F0F0)):
        swapped = (squares ^ (squares >> np.uint64(shift))) & np.uint64(mask)
        squares ^= swapped ^ (swapped << np.uint64(shift))
    by_flip = squares.astype("<u8", copy=False).view(np.uint8).reshape(len(keys), -1)
    return by_flip[:, : stop - first]


def all_signs(lists: int, first: int, stop: int) -> Octets:
    """The same for the patterns first .. stop-1 of all 2**lists patterns of signs."""
    patterns = np.arange(first, stop, dtype=np.int64)
    return (patterns >> np.arange(0, lists, 8)[:, np.newaxis]).astype(np.uint8)


def flip_sums(rows: Floats, lists: Integers, flips: int, seed: int | None) -> Floats:
    """The sum of each row in each flip: (rows, flips). A row has a value for each list.

    lists: numbers of the lists, for their signs; seed None: all patterns of signs, in order.
    """
    result = np.zeros((len(rows), flips))

    def add_flips(part: tuple[int, int]) -> None:
        """Add the values of all lists with their signs, for the flips of one task."""
        first, stop = part
        sums = result[:, first:stop]
        taken = np.empty(stop - first)
        for start in range(0, len(lists), 8 * GROUPS):
            group_lists = slice(start, start + 8 * GROUPS)
            if seed is None:
                # All patterns are taken of few lists only, which are all in this first block.
                signs = all_signs(len(lists), first, stop)
            else:
                signs = random_signs(seed, lists[group_lists], first, stop)
            values = np.zeros((len(rows), len(signs), 8))  # (rows, groups, lists of a group)
            values.reshape(len(rows), -1)[:, : rows[:, group_lists].shape[1]] = rows[:, group_lists]
            # tables[row, group, byte] is the sum of the eight values of a group, each with + if
            # its bit of the byte is set, else with -. A list doubles the table, as its bit is
            # above those of the lists before it.
            tables = np.zeros((*values.shape[:2], 1))
            for i in range(8):
                list_values = values[..., i, np.newaxis]
                tables = np.concatenate((tables - list_values, tables + list_values), axis=2)
            for group, signs_of_group in enumerate(signs.astype(np.intp)):
                for row, table in zip(sums, tables[:, group], strict=True):
                    row += np.take(table, signs_of_group, out=taken, mode="clip")

    parts = [(first, min(first + FLIPS, flips)) for first in range(0, flips, FLIPS)]
    if rows.size * flips < MIN_CELLS_FOR_THREADS:
        list(map(add_flips, parts))
    else:
        run_parts(add_flips, parts, usable_threads(None), _core.Stop())
    return result


CACHED_MEANS = 1 << 24  # means of flips or resamples held in memory at once: 128 MB
CELLS_PER_CALL = 1 << 25  # differences between two checks for signals
SAMPLED_FLIPS = 1000  # flips that estimate where the tails begin


def randomise(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Floats, Floats]:
    """Intervals (pairs, 2) and p-values of the randomisation test.

    Student's interval is used at an end where it is wider, unless it would disagree with p about 0:
    for few lists with skewed differences the test's interval covers too little.
    """
    linear_units = units
    if units.is_micro or units.kind == "geometric":
        linear_units = Units("mean", units.values, units.linear(), None, units.lists)
    ends, p = np.empty((len(pairs.a), 2)), np.empty(len(pairs.a))
    for selected, columns, group_pairs in pairs.groups(CACHED_MEANS // (2 * draws.resamples)):
        part = linear_units.part(slice(None), columns)
        flips = Flips.of(part, group_pairs, draws)
        p[selected] = flips.p
        if units.kind == "geometric" and not units.is_micro:
            p[selected] = Flips.of(units.tested.part(slice(None), columns), group_pairs, draws).p
        # A flip exchanges some lists and keeps the others. Shift all differences by d, which is
        # below the observed mean. A flip then reaches the shifted total exactly if the mean
        # difference of the exchanged lists, or that of the kept ones, is at most d. (For d above
        # the observed mean: is at least d.) The test does not reject d if at least n flips reach,
        # n being `min_count_not_rejected`, so the ends are the n-th smallest and the n-th largest
        # of these means. A flip that exchanges all lists or none reaches for every d.
        weights = np.ones(len(part.numerators)) if part.divisors is None else part.divisors
        total_weight = weights.sum()
        is_mixed = np.minimum(flips.weights, total_weight - flips.weights) > ROUNDING * total_weight
        n_mixed = draws.min_count_not_rejected(level, len(units.lists))
        n_mixed -= int(np.count_nonzero(~is_mixed))
        if n_mixed < 1 or not total_weight > 0:
            ends[selected] = np.nan
            continue
        flipped = flips.flipped
        if not is_mixed.all():
            flipped = np.compress(is_mixed, flipped, axis=1)
        kept_weights, total = flips.weights[is_mixed], flips.totals[:, np.newaxis]
        means = np.empty((len(flipped), 2 * len(kept_weights)))
        # The sum over the kept lists is (total + flipped) / 2, and over the others the difference.
        kept_means = means[:, : len(kept_weights)]
        np.add(total, flipped, out=kept_means)
        np.divide(kept_means, 2 * kept_weights, out=kept_means)
        exchanged_means = means[:, len(kept_weights) :]
        np.subtract(total, flipped, out=exchanged_means)
        np.divide(exchanged_means, 2 * (total_weight - kept_weights), out=exchanged_means)
        result = _order_statistics(means, group_pairs, n_mixed - 1, means.shape[1] - n_mixed)
        sizes = ROUNDING * flips.sizes / total_weight
        rounding = (sizes[group_pairs.a] + sizes[group_pairs.b])[:, np.newaxis]
        result[np.abs(result) <= rounding] = 0.0
        if part.kind == "sum":
            result *= len(part.numerators)
        ends[selected] = result
    if units.is_micro:
        p = micro_p(units.tested, pairs, draws)
    student_low, student_high = student_ends(linear_units, pairs, level).T
    with np.errstate(invalid="ignore"):
        low, high = ends.T
        only_test_is_above_zero = (low > 0) & ~(student_low > 0)
        only_test_is_below_zero = (high < 0) & ~(student_high < 0)
        low = np.where(only_test_is_above_zero, low, np.fmin(low, student_low))
        high = np.where(only_test_is_below_zero, high, np.fmax(high, student_high))
    ends[:, 0] = np.where(np.isnan(ends[:, 0]), np.nan, low)
    ends[:, 1] = np.where(np.isnan(ends[:, 1]), np.nan, high)
    return ends, p


def _order_statistics(means: Floats, pairs: Pairs, low: int, high: int) -> Floats:
    """The differences of each pair at the positions low and high in ascending order.

    Only the tails are ordered. By the normal distribution, they begin where 1.5 times as many
    differences are expected as are needed, and 20 more; if too few lie there, `find_tails` orders
    all. nan for a system with sums beyond the largest number.
    """
    n = means.shape[1]
    is_finite = np.logical_and.reduce(np.isfinite(means), axis=1)
    means[~is_finite] = 0.0
    normal = NormalDist()
    needed = np.array([low + 1, n - high])  # differences in the lower and in the upper tail
    expected = np.minimum((1.5 * needed + 20) / n, 0.999).tolist()
    distances = [-normal.inv_cdf(probability) for probability in expected]
    # The centre and the scale of the differences of each pair, from some flips. The variance of a
    # difference is var(a) + var(b) - 2 cov(a, b): one product gives it for all pairs.
    sample = means[:, :SAMPLED_FLIPS]
    center = pairs.difference(sample.mean(axis=1))
    deviations = sample - sample.mean(axis=1, keepdims=True)
    product = deviations @ deviations.T / sample.shape[1]
    squares = product.diagonal()
    variance = squares[pairs.a] + squares[pairs.b] - 2 * product[pairs.a, pairs.b]
    scale = np.sqrt(np.maximum(variance, 0.0))
    tail_starts = np.stack((center - distances[0] * scale, center + distances[1] * scale), axis=1)
    result = np.empty((len(pairs.a), 2))
    step = max(1, CELLS_PER_CALL // n)
    for first in range(0, len(result), step):
        selected = slice(first, first + step)
        a, b = pairs.a[selected], pairs.b[selected]
        _core.find_tails(means, a, b, low, high, tail_starts[selected], result[selected])
    result[~(is_finite[pairs.a] & is_finite[pairs.b])] = np.nan
    return result


def bootstrap(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Floats, Floats]:
    """Intervals and p-values of the paired, shifted bootstrap (Efron and Tibshirani 1993).

    p = (b + 1) / (B + 1), if in b of B resamples the difference is at least as far from the
    observed one as that is from 0. The interval holds the differences that the test does not
    reject; it is nan if there are too few resamples. The means of n drawn lists vary too little, by
    the factor sqrt((n - 1) / n); without the correction the test rejects too often.
    """
    n = len(units.numerators)
    p, half_width = np.empty(len(pairs.a)), np.empty(len(pairs.a))
    shrunk = math.sqrt((n - 1) / n) if units.collections is None else 1.0
    observed = pairs.difference(units.tested.means())
    sizes = units.tested._replace(numerators=np.abs(units.numerators)).means()
    rounding = ROUNDING * (sizes[pairs.a] + sizes[pairs.b])  # nearer differences are equal
    center, min_count = pairs.difference(units.means()), draws.min_count_not_rejected(level)
    for selected, columns, group_pairs in pairs.groups(CACHED_MEANS // draws.resamples):
        part = units.part(slice(None), columns)
        for selected_in_group, distances in group_pairs.differences(_means(part.tested, draws).T):
            indices = selected[selected_in_group]
            distances = np.abs(distances - observed[indices, np.newaxis])
            threshold = shrunk * np.abs(observed[indices]) - rounding[indices]
            # A resample whose divisor is 0 counts as one that is far from the observed difference.
            reached = draws.resamples - np.count_nonzero(
                distances < threshold[:, np.newaxis], axis=1
            )
            p[indices] = (reached + 1) / (draws.resamples + 1)
            half_width[indices] = _half_width(distances, min_count) / shrunk
            # The interval and p must agree about 0 whatever is equal.
            half_width[indices] = np.where(
                reached < min_count,
                half_width[indices],
                np.maximum(half_width[indices], np.abs(observed[indices])),
            )
        if units.kind == "geometric":
            for selected_in_group, distances in group_pairs.differences(_means(part, draws).T):
                indices = selected[selected_in_group]
                distances = np.abs(distances - center[indices, np.newaxis])
                half_width[indices] = _half_width(distances, min_count) / shrunk
    return np.stack((center - half_width, center + half_width), axis=1), p


def _half_width(distances: Floats, min_count: int) -> Floats | float:
    """The largest distance that at least `min_count` resamples of each pair reach."""
    if min_count < 1:
        return math.nan
    distances = np.where(np.isnan(distances), np.inf, distances)
    # In ascending order, min_count distances stand at this place or after it. Resamples without a
    # mean (nan) count as infinitely far, as they do for p.
    column = distances.shape[1] - min_count
    half_width: Floats = np.partition(distances, column, axis=1)[:, column]
    return half_width


def _means(units: Units, draws: Draws) -> Floats:
    """The mean of each system in each resample: (systems, resamples)."""
    if units.collections is not None:
        return _pooled_means(units, draws)
    columns = list(np.ascontiguousarray(units.numerators.T))
    systems = len(columns)
    if units.divisors is not None:
        columns += list(np.atleast_2d(units.divisors.T))  # one row, or a row for each system
    sums = resample(columns, draws.resamples, draws.seed)
    # Divide after adding: sums of rates are often exact.
    divisors: Floats | int = len(units.numerators)
    if units.divisors is not None:
        divisors = sums[systems:]
    means: Floats = divide_sums(units.kind, sums[:systems], divisors)
    return means


def _pooled_means(units: Units, draws: Draws) -> Floats:
    """The mean over collections in each resample, in which queries are drawn within each of them.

    The means of n drawn queries vary too little, by the factor sqrt((n - 1) / n): it is corrected
    in each collection.
    """
    tables = units.tables()
    total: Floats = np.zeros((units.values.shape[1], draws.resamples))
    for number, table in enumerate(tables):
        n = len(table)
        means = resample(list(table.T), draws.resamples, (draws.seed, number)) / n
        center = table.mean(axis=0)[:, np.newaxis]
        # Stretched about the observed mean, so that the mean stays where it is.
        total += (center + (means - center) * math.sqrt(n / (n - 1))) / len(tables)
    return total
