"""The paired bootstrap: lists drawn with replacement, the same for all systems."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..results.resampling import resampled
from .aligned import Units
from .pairs import Draws, Pairs

KEPT = 1 << 24  # means of resamples that are kept for all systems: 128 MB
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
    observed = pairs.difference(units.means(logarithms=True))
    least = np.abs(observed) * math.sqrt((n - 1) / n) * (1 - SAME)
    for at, found in _resampled(units, pairs, draws, logarithms=True):
        found -= observed[at, np.newaxis]
        near = np.abs(found, out=found) < least[at, np.newaxis]
        p[at] = (draws.resamples - np.count_nonzero(near, axis=1) + 1) / (draws.resamples + 1)
    return p


def percentiles(units: Units, pairs: Pairs, draws: Draws, level: float) -> Any:
    """Percentile intervals of the differences: (pairs, 2)."""
    ends = np.empty((len(pairs.a), 2))
    for at, found in _resampled(units, pairs, draws):
        ends[at] = _quantiles(found, ((1 - level) / 2, (1 + level) / 2))
    return ends


def _resampled(
    units: Units, pairs: Pairs, draws: Draws, logarithms: bool = False
) -> Iterator[tuple[Any, Any]]:
    """Some pairs, and their differences in each resample: (pairs, resamples)."""
    everything = np.arange(len(pairs.a))
    systems = units.numerators.shape[1]
    parts = 1 if systems * draws.resamples <= KEPT else len(everything)
    for at in np.array_split(everything, parts):
        mine, inside = units, pairs
        if parts > 1:  # draws depend on the seed and the lists alone: they are the same again
            columns, codes = np.unique(np.stack((pairs.a[at], pairs.b[at])), return_inverse=True)
            mine, inside = units.part(slice(None), columns), Pairs(*codes.reshape(2, -1))
        for some, found in inside.differences(_means(mine, draws, logarithms)):
            yield at[some], found


def _means(units: Units, draws: Draws, logarithms: bool) -> Any:
    """The mean of each system in each resample: (systems, resamples)."""
    columns = list(np.ascontiguousarray(units.numerators.T))
    systems = len(columns)
    if units.divisors is not None:
        columns += [units.divisors] if units.divisors.ndim == 1 else list(units.divisors.T)
    sums = resampled(columns, draws.resamples, draws.seed)
    divisors = np.float64(len(units.numerators)) if units.divisors is None else sums[systems:]
    return units.means_of(sums[:systems], divisors, logarithms)


def _quantiles(rows: Any, shares: tuple[float, float]) -> Any:
    """Quantiles of each row, interpolated as numpy.quantile does; rows are reordered."""
    if np.isnan(rows).any():  # micro means of resamples without a divisor
        return np.stack([_known_quantiles(row, shares) for row in rows])
    last = rows.shape[1] - 1
    places = [math.floor(share * last) for share in shares]
    rows.partition(sorted({min(one + step, last) for one in places for step in (0, 1)}), axis=1)
    ends = []
    for place, share in zip(places, shares, strict=True):
        low, high = rows[:, place], rows[:, min(place + 1, last)]
        ends.append(low + (high - low) * (share * last - place))
    return np.stack(ends, axis=1)


def _known_quantiles(row: Any, shares: tuple[float, float]) -> Any:
    known = row[~np.isnan(row)]
    return np.quantile(known, shares) if known.size else np.full(2, np.nan)
