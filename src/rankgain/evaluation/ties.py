"""How far the order of equal scores could change an evaluation."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..text import TextTable, align, preformat


class TieMove(NamedTuple):
    """Bounds of the mean of one measure, and the lists whose value depends on ties."""

    measure: str
    mean: float
    worst: float
    best: float
    lists: int  # whose value depends on the order of ties
    most: float  # the widest interval of a list


class TieReport(NamedTuple):
    """Lists and documents that tie, and how far each measure could move. Prints a table.

    >>> import rankgain as rg
    >>> result = rg.evaluate_arrays([[2, 0, 1]], [[0.5, 0.5, 0.1]], "nDCG", bounds="ties")
    >>> print(result.tie_report())
    1 of 1 lists tie: 2 of 3 documents, in 1 tie block
    measure    mean   worst    best  lists  widest
    nDCG     0.8100  0.6697  0.9502      1  0.2806
    """

    queries: int
    tied_lists: int
    documents: int
    tied_documents: int
    tie_blocks: int
    moves: tuple[TieMove, ...]

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __str__(self) -> str:
        blocks = "1 tie block" if self.tie_blocks == 1 else f"{self.tie_blocks:,} tie blocks"
        summary = (
            f"{self.tied_lists:,} of {self.queries:,} lists tie: {self.tied_documents:,} of "
            f"{self.documents:,} documents, in {blocks}"
        )
        heads = ["measure", "mean", "worst", "best", "lists", "widest"]
        rows = [
            [
                one.measure,
                *(f"{value:.4f}" for value in one[1:4]),
                str(one.lists),
                f"{one.most:.4f}",
            ]
            for one in self.moves
        ]
        return "\n".join([summary, *align(TextTable(heads, rows, 1))])


def report_ties(
    counts: Mapping[str, Any],
    means: Mapping[str, float],
    lists: Mapping[str, Any],
    ends: Mapping[str, tuple[float, float]],
) -> TieReport:
    """The report of an evaluation that has bounds over ties."""
    moves = []
    for name, mean in means.items():
        wide = np.nan_to_num(lists[name][:, 1] - lists[name][:, 0])
        most = float(wide.max(initial=0.0))
        moves.append(TieMove(name, mean, *ends[name], int((wide > 0).sum()), most))
    counted = {name: counts[name] for name in TieReport._fields if name != "moves"}
    return TieReport(**counted, moves=tuple(moves))
