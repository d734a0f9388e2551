"""The upper tail of the studentised range, for many values at once.

The range of normal values of k systems is wider than w with probability

    T(w) = k integral phi(z) Phi(z)**(k - 1) (1 - (1 - Phi(z - w) / Phi(z))**(k - 1)) dz,

and with a standard deviation s that is estimated with v degrees of freedom, P(range > q) is the
integral of T(q s) over the density of s. All terms are positive, so nothing cancels and small
values are as exact as large ones. Both integrals are sums over equal steps, which converge
exponentially fast; T is computed once, and its logarithm is interpolated by a cubic spline.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.intervals import distributions

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

WIDE = 50.0  # larger ranges are less probable than 1e-270
LEAST = -740.0  # logarithm of the smallest double
AT_ONCE = 1 << 18  # values in a block


class RangeTail(NamedTuple):
    """log T as a spline, and the values of s with their probabilities."""

    law: Any
    scales: Any
    shares: Any

    @classmethod
    def of(cls, systems: int, freedom: int) -> RangeTail:
        """For a number of systems and of degrees of freedom."""
        step = 0.35 / math.sqrt(2 * freedom)
        logs = np.arange(LEAST / freedom - 0.5, 6 / math.sqrt(freedom), step)
        density = freedom * (logs - np.expm1(2 * logs) / 2)
        logs, density = logs[density > LEAST], np.exp(density[density > LEAST])
        return cls(_log_tail(systems), np.exp(logs), density / density.sum())

    def above(self, q: ArrayLike) -> Any:
        """P(range > q), never increasing with q."""
        values, places = np.unique(q, return_inverse=True)
        p = np.empty(len(values))
        step = max(1, AT_ONCE // len(self.scales))
        for first in range(0, len(values), step):
            wide = values[first : first + step, np.newaxis] * self.scales
            tails = np.where(wide > WIDE, 0.0, np.exp(self.law(np.minimum(wide, WIDE))))
            p[first : first + step] = (tails * self.shares).sum(axis=1)
        return np.minimum.accumulate(np.minimum(p, 1.0))[places]

    def reached(self, p: float) -> float:
        """The q that the range exceeds with probability p, by bisection."""
        low, high = 0.0, 1.0
        while self.above([high])[0] >= p:
            low, high = high, 2 * high
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.above([middle])[0] >= p else (low, middle)
        return low


def _log_tail(systems: int) -> Any:
    """log T(w) for w from 0 to WIDE."""
    phi = distributions().ndtr
    from scipy.interpolate import CubicSpline

    z, w = np.arange(-8.5, 0.7 * WIDE, 0.1), np.linspace(0.0, WIDE, 1601)
    below = phi(z)
    largest = np.exp(-z * z / 2 + (systems - 1) * np.log(below))
    with np.errstate(divide="ignore"):
        inside = np.log1p(-phi(z - w[:, np.newaxis]) / below)
    tails = -np.expm1((systems - 1) * inside) * (largest / largest.sum())
    return CubicSpline(w, np.log(tails.sum(axis=1)))
