"""Pairs of systems: which are compared, and their differences system by system."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

MOST = 10_000_000  # pairs: each is a row of the result


class Draws(NamedTuple):
    """How many resamples, and from which seed."""

    resamples: int
    seed: int


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

    def difference(self, column: Any) -> Any:
        """The difference of each pair of one value for each system."""
        return column[self.a] - column[self.b]


def _stretch(at: Any) -> Any:
    """A slice, which copies nothing, where the places are adjacent."""
    first, last = int(at[0]), int(at[-1])
    if last - first + 1 == len(at) and (np.diff(at) == 1).all():
        return slice(first, last + 1)
    return at
