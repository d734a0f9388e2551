"""Count documents by where their scores lie among the scores of the hits."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from .queries import Known

if TYPE_CHECKING:
    from ...inputs.types import Array, Floats, Integers


STRETCH = 1 << 22  # rows counted between two checks for signals


class Counter:
    """Cells for the documents of each list: above its first level, equal to it, below it, ...

    known: the lists; those of list i are levels[first[i] : first[i + 1]], the different scores of
    its hits, descending. Documents of other lists are counted by list alone.
    """

    def __init__(self, known: Known, first: Integers, levels: Floats) -> None:
        self.known, self.first, self.levels = known, first, levels
        self.cells = np.zeros(2 * len(levels) + len(known.ids), np.int64)
        self.others: collections.Counter[Any] = collections.Counter()
        self.single = True  # every score counted so far was a float32

    @property
    def documents(self) -> int:
        """The number of counted documents."""
        return int(self.cells.sum()) + sum(self.others.values())

    @property
    def bounds(self) -> Any:
        """Where the cells of each list start, and where the last ones stop."""
        return 2 * self.first + np.arange(len(self.first))

    def add(self, ids: Array, scores: Array, name: str = "query") -> None:
        """Count documents; scores are float32 or float64, none of them NaN."""
        self.single &= scores.dtype.itemsize == 4 or not len(scores)
        for low in range(0, len(ids), STRETCH):
            part = slice(low, low + STRETCH)
            rows, missing = self.known.find(ids[part], name)
            _core.count_rows(rows, scores[part], self.first, self.levels, self.cells)
            if missing:  # lists without a hit: only the number of documents matters
                others, counts = np.unique(ids[part][rows < 0], return_counts=True)
                self.others.update(dict(zip(others.tolist(), counts.tolist(), strict=True)))

    def merge(self, other: Counter) -> None:
        """Add the counts of another counter with the same levels."""
        self.cells += other.cells
        self.single &= other.single
        self.others.update(other.others)
