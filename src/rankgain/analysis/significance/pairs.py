"""Pairs of systems: which are compared, and their differences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ...inputs.types import Floats, Integers


MOST = 10_000_000  # pairs at most; each is a row of the result
SAME = 1e-12  # relative difference of sums that count as equal: equal rates may sum differently
LOST = 64 * np.finfo(np.float64).eps  # rounding error of a sum, relative to the absolute values


class Draws(NamedTuple):
    """Number of resamples, and their seed."""

    resamples: int
    seed: int

    def fewest(self, level: float, drawn: int | None = None) -> int:
        """The smallest number b of draws that reach a difference, so that p >= 1 - level.

        p is (b + 1) / (B + 1) for B random draws, and b / drawn if all `drawn` patterns are taken.
        """
        extra, total = (1, self.resamples + 1) if drawn is None else (0, drawn)
        b = math.ceil((1 - level) * total) - extra
        while (b + extra) / total < 1 - level:  # the product may have been rounded
            b += 1
        while (b - 1 + extra) / total >= 1 - level:
            b -= 1
        return b


class Pairs(NamedTuple):
    """The systems a and b of each comparison, as arrays of indices."""

    a: Any
    b: Any

    @classmethod
    def among(cls, systems: int, baseline: int | None) -> Pairs:
        """All pairs in the order of the systems, or each other system with a baseline."""
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

    def differences(self, table: Floats) -> Iterator[tuple[Any, Any]]:
        """Rows a minus rows b of a table, in blocks: which pairs, and their differences."""
        if (self.b == self.b[0]).all():
            yield slice(None), table[_stretch(self.a)] - table[self.b[0]]
            return
        order = np.argsort(self.a, kind="stable")
        starts = np.flatnonzero(np.diff(self.a[order], prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
            at = order[start:stop]
            yield at, table[self.a[at[0]]] - table[_stretch(self.b[at])]

    def scatter(self, table: Floats) -> Iterator[tuple[Any, Any, Any]]:
        """In blocks: which pairs, the means of their differences, and the standard deviations.

        Values below the rounding error of the sums are set to 0.
        """
        sizes = np.abs(table).max(axis=1)
        for at, values in self.differences(table):
            least = LOST * (sizes[self.a[at]] + sizes[self.b[at]])
            center, scale = values.mean(axis=1), values.std(axis=1, ddof=1)
            center[np.abs(center) <= least] = 0.0
            scale[scale <= least] = 0.0
            yield at, center, scale

    def groups(self, systems: int) -> Iterator[tuple[Any, Any, Pairs]]:
        """Groups of pairs with at most `systems` systems each.

        Yields the positions of the pairs, the systems, and the pairs as indices into these systems.
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

    def difference(self, column: Floats) -> Any:
        """The difference of each pair, from one value for each system."""
        return column[self.a] - column[self.b]


def _stretch(at: Integers) -> Any:
    """A slice if the positions are adjacent: indexing with it copies nothing."""
    first, last = int(at[0]), int(at[-1])
    if last - first + 1 == len(at) and (np.diff(at) == 1).all():
        return slice(first, last + 1)
    return at
