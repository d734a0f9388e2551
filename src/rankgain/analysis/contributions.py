"""Contributions: the term that each rank of one list adds to its AP, RR or ERR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..text import preformatted
from .explanation import PRINTED_RANKS, column, fields_of, named, notes_of

if TYPE_CHECKING:
    from ..inputs.types import Floats, Integers


@dataclass(frozen=True, eq=False, repr=False)
class Contributions:
    """One list's AP, RR or ERR, rank by rank; print it to see the table.

    Attributes
    ----------
    measure, value : name with the cutoff, and the value of the list.
    document, label : of each rank; documents are positions in `y_true`.
    term, running : what the rank adds, and the sum up to the rank; expectations for averaged ties.
    tied : first and last rank of each tie block, ranks from 1.
    settings : the ties rule and the convention.
    documents, unjudged : ids, and ranks without a judgment; only for qrels and a run.
    """

    measure: str
    value: float
    document: Integers
    label: Floats
    term: Floats
    running: Floats
    tied: tuple[tuple[int, int], ...]
    settings: dict[str, str]
    documents: tuple[str, ...] = ()
    unjudged: tuple[int, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one dict per rank; for qrels and a run with "id" and "unjudged"."""
        names = ("document", "label", "term", "running")
        columns = zip(*(getattr(self, name).tolist() for name in names), strict=True)
        result: list[dict[str, Any]] = [
            {"rank": rank, **dict(zip(names, row, strict=True))}
            for rank, row in enumerate(columns, 1)
        ]
        for row, name in zip(result, self.documents, strict=False):
            row |= {"id": name, "unjudged": row["rank"] in self.unjudged}
        return result

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "measure": self.measure,
            "value": self.value,
            "settings": dict(self.settings),
            "tied": [list(block) for block in self.tied],
            "rows": self.rows(),
            "documents": list(self.documents),
            "unjudged": list(self.unjudged),
        }

    def __repr__(self) -> str:
        return f"<Contributions {self.measure} = {self.value:.4f}; print it to see the table>"

    def _repr_html_(self) -> str:
        return preformatted(str(self))

    def __str__(self) -> str:
        height = min(len(self.label), PRINTED_RANKS)
        family = self.measure.partition("@")[0]
        ranks = column("rank", [str(rank + 1) for rank in range(height)])
        labels = column("label", fields_of(self.label, "", height, self.unjudged))
        if self.documents:
            ids = named(self.documents, height)
        else:
            ids = column("doc", [str(at) for at in self.document[:height]])
        parts = [ranks, ids, labels]
        parts.append(column("term", fields_of(self.term, ".4f", height)))
        parts.append(column(family, fields_of(self.running, ".4f", height)))
        lines = ["  ".join(row).rstrip() for row in zip(*parts, strict=True)]
        settings = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        notes = notes_of(len(self.label), self.unjudged, self.tied, self.settings["ties"])
        return "\n".join([f"{self.measure} {self.value:.4f}", settings, "", *lines, *notes])
