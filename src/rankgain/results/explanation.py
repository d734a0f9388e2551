"""Explanation: one list's nDCG as the table that a textbook prints, and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .text.tables import preformatted

__all__ = ["Explanation", "Steps"]

Floats = NDArray[np.float64]
SHOWN = 50  # ranks in print; rows() has them all


@dataclass(frozen=True, eq=False)
class Steps:
    """A ranking, rank by rank; every field is an array with one element per rank.

    Attributes
    ----------
    document : position in `y_true`, or -1 in the ideal. Averaged ties stand in input order.
    label, gain : of the document.
    expected_gain : of the rank: the mean gain of the tied documents where ties are averaged.
    discount : what the rank is worth; 0 after the cutoff.
    term : expected_gain * discount.
    running_dcg : the sum of the terms up to the rank.
    """

    document: NDArray[np.int64]
    label: Floats
    gain: Floats
    expected_gain: Floats
    discount: Floats
    term: Floats
    running_dcg: Floats

    def __len__(self) -> int:
        return len(self.label)


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """One list's nDCG, rank by rank; print it to see the table.

    Attributes
    ----------
    ndcg, dcg, idcg : what `rankgain.ndcg`, `rankgain.dcg` and `rankgain.idcg` return.
    k : the cutoff, or None.
    ranking, ideal : the `Steps` of both rankings. A tie block that straddles the cutoff is whole.
    tied : first and last rank of each tie block, ranks from 1.
    settings : gain, discount, ties and convention that hold.
    """

    ndcg: float
    dcg: float
    idcg: float
    k: int | None
    ranking: Steps
    ideal: Steps
    tied: tuple[tuple[int, int], ...]
    settings: dict[str, str]

    def rows(self) -> list[dict[str, Any]]:
        """Return one dict per rank; what one of the rankings lacks is None."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Any]]:
        sides = {"": vars(self.ranking), "ideal_": vars(self.ideal)}
        for at in range(max(len(self.ranking), len(self.ideal))):
            row: dict[str, Any] = {"rank": at + 1}
            for prefix, side in sides.items():
                for name, values in side.items():
                    if prefix + name not in _LEFT_OUT:
                        row[prefix + name] = values[at].item() if at < len(values) else None
            yield row

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        numbers = {"ndcg": self.ndcg, "dcg": self.dcg, "idcg": self.idcg, "k": self.k}
        tied = [list(block) for block in self.tied]
        return numbers | {"settings": dict(self.settings), "tied": tied, "rows": self.rows()}

    def __repr__(self) -> str:
        return f"<Explanation {self._name('nDCG')} = {self.ndcg:.4f}; print it to see the table>"

    def _repr_html_(self) -> str:
        return preformatted(str(self))

    def __str__(self) -> str:
        names = (self._name(name) for name in ("nDCG", "DCG", "IDCG"))
        values = (self.ndcg, self.dcg, self.idcg)
        ndcg, dcg, idcg = (f"{n} {v:.4f}" for n, v in zip(names, values, strict=True))
        settings = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        return "\n".join([f"{ndcg} = {dcg} / {idcg}", settings, "", *self._table(), *self._notes()])

    def _name(self, measure: str) -> str:
        return measure if self.k is None else f"{measure}@{self.k}"

    def _table(self) -> list[str]:
        mean = bool((self.ranking.expected_gain != self.ranking.gain).any())
        left = [column for column in _RANKING if column[1] != "expected_gain" or mean]
        height = min(max(len(self.ranking), len(self.ideal)), SHOWN)
        ranks = _column("rank", [str(at + 1) for at in range(height)])
        sides = [
            [
                _column(title, _cells(vars(side)[name], form, height))
                for title, name, form in columns
            ]
            for side, columns in ((self.ranking, left), (self.ideal, _IDEAL))
        ]
        rows = zip(ranks, *(zip(*side, strict=True) for side in sides), strict=True)
        lines = [f"{rank}  {'  '.join(a)}  |  {'  '.join(b)}".rstrip() for rank, a, b in rows]
        width = len(ranks[0]) + 2 + sum(len(column[0]) + 2 for column in sides[0])
        head = " " * (len(ranks[0]) + 2) + "ranking"
        return [f"{head:<{width}}|  ideal", *lines]

    def _notes(self) -> list[str]:
        notes = []
        hidden = max(len(self.ranking), len(self.ideal)) - SHOWN
        if hidden > 0:
            notes.append(f"... {hidden} more ranks: rows() has them")
        if not self.idcg > 0:
            notes.append(f"nDCG is undefined, as IDCG is not above 0: counted {self.ndcg:.4f}")
        if self.tied:
            blocks = [f"{first}-{last}" for first, last in self.tied[:10]]
            more = ", ..." if len(self.tied) > 10 else ""
            how = _TIED.get(self.settings["ties"], f"ordered by ties={self.settings['ties']!r}")
            notes.append(f"tied ranks {', '.join(blocks)}{more}: {how}")
        return ["", *notes] if notes else []


_TIED = {"average": "all their orders are as likely, so each rank counts the block's mean gain"}
_LEFT_OUT = {"ideal_document", "ideal_expected_gain"}
_RANKING = (
    ("doc", "document", "d"),
    ("label", "label", ""),
    ("gain", "gain", ""),
    ("mean", "expected_gain", ""),
    ("discount", "discount", ".4f"),
    ("term", "term", ".4f"),
    ("DCG", "running_dcg", ".4f"),
)
_IDEAL = (
    ("label", "label", ""),
    ("gain", "gain", ""),
    ("discount", "discount", ".4f"),
    ("term", "term", ".4f"),
    ("IDCG", "running_dcg", ".4f"),
)


def _cells(values: NDArray[Any], form: str, height: int) -> list[str]:
    # "" is a number as people write it: 3, 0.5, 1.3333
    shown = [f"{v:{form}}" if form else f"{round(float(v), 4):.15g}" for v in values[:height]]
    return shown + [""] * (height - len(shown))


def _column(title: str, cells: list[str]) -> list[str]:
    width = max(map(len, [title, *cells]))
    return [f"{cell:>{width}}" for cell in [title, *cells]]
