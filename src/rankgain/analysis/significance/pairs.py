"""Pairs of systems: which are compared, and their differences system by system."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

MOST = 10_000_000  # pairs: each is a row of the result
SAME = 1e-12  # relative: rates tie exactly, but not always their sums
LOST = 64 * np.finfo(np.float64).eps  # of the sum of sizes, what a sum may lose by rounding


class Draws(NamedTuple):
    """How many resamples, and from which seed."""

    resamples: int
    seed: int

    def fewest(self, level: float, drawn: int | None = None) -> int:
        """How many draws must reach a difference, so that its p is not below 1 - level.

        p = (b + 1) / (B + 1) of random draws; b / B where `drawn` says how many patterns there are.
        """
        extra, total = (1, self.resamples + 1) if drawn is None else (0, drawn)
        b = math.ceil((1 - level) * total) - extra
        while (b + extra) / total < 1 - level:  # where the product was rounded
            b += 1
        while (b - 1 + extra) / total >= 1 - level:
            b -= 1
        return b


class Pairs(NamedTuple):
    """Systems a and b of each comparison, as columns."""

    a: Any
    b: Any

    @classmethod
    def among(cls, systems: int, baseline: int | None) -> "Pairs":
        """All pairs, in the order of the systems, or each of the others against a baseline."""
        if baseline is None:
            count = systems * (systems - 1) // 2
            if count > MOST:
                raise ValueError(
                    f"{systems:,} systems make {count:,} pairs, more than {MOST:,}; compare them "
                    "with a baseline"
                )
            return cls(*np.triu_indices(systems, 1))
        others = np.delete(np.arange(systems), baseline)
        return cls(others, np.full(len(others), baseline))

    def differences(self, table: Any) -> Iterator[tuple[Any, Any]]:
        """Rows a minus rows b of a table: which pairs, and their differences, one block of each
        system that stands in many pairs.
        """
        if (self.b == self.b[0]).all():
            yield slice(None), table[_stretch(self.a)] - table[self.b[0]]
            return
        order = np.argsort(self.a, kind="stable")
        starts = np.flatnonzero(np.diff(self.a[order], prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
            at = order[start:stop]
            yield at, table[self.a[at[0]]] - table[_stretch(self.b[at])]

    def scatter(self, table: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Which pairs, the means of their differences in a table, and the standard deviations.

        What rounding leaves of differences that are all alike is taken for 0.
        """
        sizes = np.abs(table).max(axis=1)
        for at, values in self.differences(table):
            least = LOST * (sizes[self.a[at]] + sizes[self.b[at]])
            center, scale = values.mean(axis=1), values.std(axis=1, ddof=1)
            center[np.abs(center) <= least] = 0.0
            scale[scale <= least] = 0.0
            yield at, center, scale

    def groups(self, systems: int) -> Iterator[tuple[Any, Any, "Pairs"]]:
        """Pairs among at most so many systems at a time: their places, the systems, and themselves
        as places among these.
        """
        half = max(1, systems // 2)
        if max(self.a.max(), self.b.max()) < systems:
            yield np.arange(len(self.a)), slice(None), self
            return
        blocks = np.stack((self.a // half, self.b // half), axis=1)
        _, codes = np.unique(blocks, axis=0, return_inverse=True)
        for code in range(codes.max() + 1):
            at = np.flatnonzero(codes == code)
            among = np.stack((self.a[at], self.b[at]))
            columns, places = np.unique(among, return_inverse=True)
            yield at, columns, Pairs(*places.reshape(2, -1))

    def difference(self, column: Any) -> Any:
        """The difference of each pair of one value for each system."""
        return column[self.a] - column[self.b]


def _stretch(at: Any) -> Any:
    """A slice, which copies nothing, where the places are adjacent."""
    first, last = int(at[0]), int(at[-1])
    if last - first + 1 == len(at) and (np.diff(at) == 1).all():
        return slice(first, last + 1)
    return at
