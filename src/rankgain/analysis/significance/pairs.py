"""Pairs of systems: which are compared, and their differences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

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

    def flips(self, lists: int) -> tuple[int, int | None]:
        """The number of flips of lists, and their seed: None for all patterns, if they are few."""
        return (2**lists, None) if 2**lists <= self.resamples else self

    def share(self, reached: Integers, lists: int) -> Floats:
        """p, of the numbers of flips that reach a difference."""
        flips, seed = self.flips(lists)
        return reached / flips if seed is None else (reached + 1) / (flips + 1)

    def fewest(self, level: float, lists: int | None = None) -> int:
        """The smallest number b of draws that reach a difference, so that p >= 1 - level.

        p is (b + 1) / (B + 1) for B random draws, and b / B for all patterns of flips of lists.
        """
        flips, seed = self if lists is None else self.flips(lists)
        extra, total = (0, flips) if seed is None else (1, flips + 1)
        b = math.ceil((1 - level) * total) - extra
        while (b + extra) / total < 1 - level:  # the product may have been rounded
            b += 1
        while (b - 1 + extra) / total >= 1 - level:
            b -= 1
        return b


class Pairs(NamedTuple):
    """The systems a and b of each comparison, as arrays of indices."""

    a: Integers
    b: Integers

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

    def differences(self, table: Floats) -> Iterator[tuple[Integers, Floats]]:
        """Columns a minus columns b of a table, in blocks: which pairs, and a row for each."""
        rows = np.ascontiguousarray(table.T)
        has_baseline = not np.any(self.b - self.b[0])
        one, many = (self.b, self.a) if has_baseline else (self.a, self.b)
        order = np.argsort(one, kind="stable")
        starts = np.flatnonzero(np.diff(one[order], prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
            at = order[start:stop]
            places, single = many[at], rows[one[at[0]]]
            adjacent = np.all(np.diff(places) == 1)  # then a slice copies nothing
            others = rows[places[0] : places[-1] + 1] if adjacent else rows[places]
            yield at, others - single if has_baseline else single - others

    def scatter(self, table: Floats) -> tuple[Floats, Floats]:
        """The means of the pairs' differences of columns, and their standard deviations.

        Values below the rounding error of the sums are set to 0.
        """
        sizes = np.abs(table).max(axis=0)
        least = LOST * (sizes[self.a] + sizes[self.b])
        center, scale = np.empty((2, len(least)))
        for at, values in self.differences(table):
            center[at], scale[at] = values.mean(axis=1), values.std(axis=1, ddof=1)
        center[np.abs(center) <= least] = 0.0
        scale[scale <= least] = 0.0
        return center, scale

    def groups(self, systems: int) -> Iterator[tuple[Integers, Integers | slice, Pairs]]:
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

    def difference(self, column: Floats) -> Floats:
        """The difference of each pair, from one value for each system."""
        return column[self.a] - column[self.b]
