"""Tables in blocks on several machines: hits go to all blocks, and counts come back."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from ...inputs.tables.columns import require
from ...inputs.tables.source import Where
from .ranks import PartialRanks

if TYPE_CHECKING:
    from ...inputs.types import Array, Integers


class Block(Protocol):
    """Columns by name: a data frame, or a mapping of arrays."""

    def __getitem__(self, name: str, /) -> object: ...


class Counts(NamedTuple):
    """The counts of a block, which are all that travels."""

    cells: Integers  # of the lists with hits
    others: Counter[Any]  # documents of the lists without
    float32: bool


class Columns(NamedTuple):
    """Names of the columns: the id of the query, the label and the score of each document."""

    by: str
    label: str
    score: str

    def check(self, names: Sequence[str], table: str) -> None:
        """Refuse columns that the table has not."""
        for argument, name in self._asdict().items():
            require(names, name, argument, Where(table))

    def hits(self, block: Block) -> list[Array]:
        """Query, score and label of the rows whose label is not 0."""
        labels = np.asarray(block[self.label])
        inside = labels != 0
        return [np.asarray(block[name])[inside] for name in (self.by, self.score, self.label)]

    def counts(self, block: Block, partial: PartialRanks) -> Counts:
        """Count the rows of a block; the hits stay as they are."""
        part = copy.copy(partial)
        part._counter = counter = copy.copy(partial._counter)
        counter.cells, counter.others = np.zeros_like(counter.cells), Counter()
        part.add(np.asarray(block[self.by]), np.asarray(block[self.score]))
        cells = counter.cells.astype(np.min_scalar_type(int(counter.cells.max(initial=0))))
        return Counts(cells, counter.others, counter.float32)


def find_partial(hits: Iterable[list[Array]]) -> PartialRanks:
    """The hits of all blocks, by query, so that the order of blocks does not matter."""
    some = [one for one in hits if len(one[0])]
    if not some:
        return PartialRanks([], [], [])
    columns = [np.concatenate(one) for one in zip(*some, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    return PartialRanks(*(one[order] for one in columns))


def add_counts(partial: PartialRanks, counts: Iterable[Counts]) -> PartialRanks:
    """Add up the counts of all blocks; returns the hits."""
    counter = partial._counter
    for one in counts:
        counter.cells += one.cells
        counter.others.update(one.others)
        counter.float32 &= one.float32
    return partial
