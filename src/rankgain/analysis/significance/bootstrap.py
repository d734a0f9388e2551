"""The paired bootstrap: lists drawn with replacement, the same for all systems."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...engine.means import means_of
from ...engine.resampling import resampled
from ..aligned import Units
from .pairs import LOST, Draws, Pairs

if TYPE_CHECKING:
    from ...inputs.types import Floats


CACHED_MEANS = 1 << 24  # means of resamples held in memory at once: 128 MB


def bootstrap(units: Units, pairs: Pairs, draws: Draws, level: float) -> tuple[Floats, Floats]:
    """Intervals and p-values of the paired, shifted bootstrap (Efron and Tibshirani 1993).

    p = (b + 1) / (B + 1), with b of B resamples whose difference is at least as far from the
    observed one as that is from 0. The interval holds the differences that the test does not
    reject; it is nan if there are too few resamples. The means of n drawn lists vary too little, by
    the factor sqrt((n - 1) / n); without the correction the test rejects too often.
    """
    n = len(units.numerators)
    p, reach = np.empty(len(pairs.a)), np.empty(len(pairs.a))
    shrunk = math.sqrt((n - 1) / n)
    observed = pairs.difference(units.tested.means())
    sizes = units.tested._replace(numerators=np.abs(units.numerators)).means()
    lost = LOST * (sizes[pairs.a] + sizes[pairs.b])  # nearer differences are equal
    for at, columns, inside in pairs.groups(CACHED_MEANS // draws.resamples):
        part = units.part(slice(None), columns)
        means = _means(part.tested, draws)
        for some, far in inside.differences(means.T):
            here = at[some]
            far = np.abs(far - observed[here, np.newaxis])
            least = shrunk * np.abs(observed[here]) - lost[here]
            # A resample whose divisor is 0 counts as far apart.
            b = draws.resamples - np.count_nonzero(far < least[:, np.newaxis], axis=1)
            p[here] = (b + 1) / (draws.resamples + 1)
            fewest = draws.fewest(level)
            reach[here] = _reach(far, fewest) / shrunk
            # The interval and p must agree about 0 whatever is equal.
            reach[here] = np.where(
                b < fewest, reach[here], np.maximum(reach[here], np.abs(observed[here]))
            )
        if units.kind == "geometric":
            center = pairs.difference(units.means())
            for some, far in inside.differences(_means(part, draws).T):
                here = at[some]
                far = np.abs(far - center[here, np.newaxis])
                reach[here] = _reach(far, draws.fewest(level)) / shrunk
    center = pairs.difference(units.means())
    return np.stack((center - reach, center + reach), axis=1), p


def _reach(far: Floats, fewest: int) -> Floats | float:
    """The distance that `fewest` resamples of each pair reach."""
    if fewest < 1:
        return math.nan
    far = np.where(np.isnan(far), np.inf, far)
    place = far.shape[1] - fewest
    reach: Floats = np.partition(far, place, axis=1)[:, place]
    return reach


def _means(units: Units, draws: Draws) -> Floats:
    """The mean of each system in each resample: (systems, resamples)."""
    columns = list(np.ascontiguousarray(units.numerators.T))
    systems = len(columns)
    if units.divisors is not None:
        columns += [units.divisors] if units.divisors.ndim == 1 else list(units.divisors.T)
    sums: Floats = resampled(columns, draws.resamples, draws.seed)
    if units.divisors is None:
        if units.kind != "sum":  # divide after adding: sums of rates are often exact
            sums /= len(units.numerators)
        sums = np.exp(sums, out=sums) if units.kind == "geometric" else sums
    else:
        sums = means_of(units.kind, sums[:systems], sums[systems:])
    return sums
