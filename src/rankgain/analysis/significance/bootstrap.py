"""The paired bootstrap: lists drawn with replacement, the same for all systems."""

import math
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

import numpy as np

from ... import _core
from ...results.intervals.methods import quantiles, tails
from ...results.intervals.resampling import resampled
from ...results.means import means_of
from ..aligned import Units
from .pairs import Draws, Pairs

KEPT = 1 << 24  # means of resamples that are kept for all systems: 128 MB
AT_ONCE = 1 << 25  # differences between two looks for signals
SAMPLED = 1000  # resamples that tell where the tails begin
SAME = 1e-12  # relative: rates tie exactly, but not always their sums


def bootstrap(units: Units, pairs: Pairs, draws: Draws) -> Any:
    """The paired bootstrap test, shifted so that there is no difference (Efron, Tibshirani 1993).

    p = (b + 1) / (B + 1), with b of B resamples whose difference is at least as far from the
    observed one as that is from 0. Means of n drawn lists scatter too little by the factor
    sqrt((n - 1) / n), which is taken back: else the test rejects too often.
    """
    n = len(units.numerators)
    p = np.ones(len(pairs.a))
    if n < 2:
        return p
    observed = pairs.difference(units.tested.means())
    least = np.abs(observed) * math.sqrt((n - 1) / n) * (1 - SAME)
    for at, mine, inside in _parts(units.tested, pairs, draws):
        for some, found in inside.differences(_means(mine, draws)):
            here = at[some]
            near = np.abs(found - observed[here, np.newaxis]) < least[here, np.newaxis]
            p[here] = (draws.resamples - np.count_nonzero(near, axis=1) + 1) / (draws.resamples + 1)
    return p


def percentiles(units: Units, pairs: Pairs, draws: Draws, level: float) -> Any:
    """Percentile intervals of the differences: (pairs, 2)."""
    shares = tails(level)
    ends = np.empty((len(pairs.a), 2))
    for at, mine, inside in _parts(units, pairs, draws):
        means = _means(mine, draws)
        if units.divisors is not None and np.isnan(means).any():  # of resamples without a divisor
            for some, found in inside.differences(means):
                ends[at[some]] = [quantiles(row, shares) for row in found]
        else:
            ends[at] = _quantiles(means, inside, shares)
    return ends


def _parts(units: Units, pairs: Pairs, draws: Draws) -> Iterator[tuple[Any, Units, Pairs]]:
    """All pairs, or one after the other where the means of all systems are too many to keep.

    Draws depend on the seed and the lists alone, so they are the same again.
    """
    everything = np.arange(len(pairs.a))
    if units.numerators.shape[1] * draws.resamples <= KEPT:
        yield everything, units, pairs
        return
    for at in np.array_split(everything, len(everything)):
        columns, codes = np.unique(np.stack((pairs.a[at], pairs.b[at])), return_inverse=True)
        yield at, units.part(slice(None), columns), Pairs(*codes.reshape(2, -1))


def _means(units: Units, draws: Draws) -> Any:
    """The mean of each system in each resample: (systems, resamples)."""
    columns = list(np.ascontiguousarray(units.numerators.T))
    systems = len(columns)
    if units.divisors is not None:
        columns += [units.divisors] if units.divisors.ndim == 1 else list(units.divisors.T)
    sums = resampled(columns, draws.resamples, draws.seed)
    if units.divisors is None:
        if units.kind != "sum":  # divided after they are added: sums of rates are often exact
            sums /= len(units.numerators)
        return np.exp(sums, out=sums) if units.kind == "geometric" else sums
    return means_of(units.kind, sums[:systems], sums[systems:])


def _quantiles(means: Any, pairs: Pairs, shares: tuple[float, float]) -> Any:
    """Quantiles of the differences of each pair, interpolated as numpy.quantile does."""
    means = np.ascontiguousarray(means)  # those of many lists come column by column
    last = means.shape[1] - 1
    places = [math.floor(share * last) for share in shares]
    found = np.empty((len(pairs.a), 4))
    around = _guessed(means, pairs, places)
    step = max(1, AT_ONCE // means.shape[1])
    for first in range(0, len(found), step):
        some = slice(first, first + step)
        a, b = pairs.a[some], pairs.b[some]
        _core.find_tails(means, a, b, places[0], places[1], around[some], found[some])
    ends = []
    for at, (place, share) in enumerate(zip(places, shares, strict=True)):
        low, high = found[:, 2 * at], found[:, 2 * at + 1]
        ends.append(low + (high - low) * (share * last - place))
    return np.stack(ends, axis=1)


def _guessed(means: Any, pairs: Pairs, places: list[int]) -> Any:
    """Where tails begin that hold half as many again as are wanted, by the normal distribution."""
    n = means.shape[1]
    wide = [1.5 * (places[0] + 2) + 20, 1.5 * (n - places[1]) + 20]
    normal = NormalDist()
    reach = [-normal.inv_cdf(min(one / n, 0.999)) for one in wide]
    few = means[:, :SAMPLED]
    center = pairs.difference(few.mean(axis=1))
    spread = few - few.mean(axis=1, keepdims=True)
    product = spread @ spread.T / few.shape[1]
    own = product.diagonal()
    scale = np.sqrt(np.maximum(own[pairs.a] + own[pairs.b] - 2 * product[pairs.a, pairs.b], 0.0))
    return np.stack((center - reach[0] * scale, center + reach[1] * scale), axis=1)
