"""Explanation: one list's nDCG as a textbook table, and as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from ..inputs.printable import printable
from ..text import TextTable, align, preformat

if TYPE_CHECKING:
    from ..inputs.types import Floats, Integers


__all__ = ["Explanation", "Steps"]

PRINTED_RANKS = 50  # rows() has all ranks


@dataclass(frozen=True, eq=False)
class Steps:
    """A ranking, rank by rank; every field is an array with one element per rank.

    Attributes
    ----------
    document : position in `y_true`; for the ideal, position in the labels that the ideal is made
        of, or -1. Averaged ties are in input order.
    label, gain : of the document.
    expected_gain : gain at the rank; for averaged ties the mean gain of the tied documents.
    discount : weight of the rank; 0 after the cutoff.
    term : expected_gain * discount.
    running_dcg : the sum of the terms up to the rank.
    """

    document: Integers
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
    ndcg, dcg, idcg : the values of `rankgain.ndcg`, `rankgain.dcg` and `rankgain.idcg`.
    k : the cutoff, or None.
    ranking, ideal : the `Steps` of both rankings, with all of a tie block at the cutoff.
    tied : first and last rank of each tie block, ranks from 1.
    settings : gain, discount, ties and convention.
    documents, ideal_documents : document ids of both rankings; only for qrels and a run.
    unjudged : ranks, from 1, of documents without a judgment; only for qrels and a run.
    """

    ndcg: float
    dcg: float
    idcg: float
    k: int | None
    ranking: Steps
    ideal: Steps
    tied: tuple[tuple[int, int], ...]
    settings: dict[str, str]
    documents: tuple[str, ...] = ()
    ideal_documents: tuple[str, ...] = ()
    unjudged: tuple[int, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one dict per rank, with None where one of the rankings has ended.

        For qrels and a run also "id", "ideal_id" and "unjudged".
        """
        ranks = range(1, max(len(self.ranking), len(self.ideal)) + 1)
        columns: dict[str, Iterable[object]] = {"rank": ranks}
        for prefix, side in (("", self.ranking), ("ideal_", self.ideal)):
            for name, values in vars(side).items():
                columns[prefix + name] = values.tolist()
        # The ideal has no ties: its expected gains are its gains.
        for name in ("ideal_document", "ideal_expected_gain"):
            del columns[name]
        if self.documents or self.ideal_documents:
            columns["id"] = self.documents
            columns["unjudged"] = [rank in self.unjudged for rank in ranks]
            columns["ideal_id"] = self.ideal_documents
        rows = []
        for values_of_rank in zip_longest(*columns.values()):
            rows.append(dict(zip(columns, values_of_rank, strict=True)))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        result: dict[str, object] = {
            "ndcg": self.ndcg,
            "dcg": self.dcg,
            "idcg": self.idcg,
            "k": self.k,
            "settings": dict(self.settings),
            "tied": list(map(list, self.tied)),
            "rows": self.rows(),
        }
        if self.documents or self.ideal_documents:
            result["documents"] = list(self.documents)
            result["unjudged"] = list(self.unjudged)
            result["ideal_documents"] = list(self.ideal_documents)
        return result

    def __repr__(self) -> str:
        return f"<Explanation nDCG{self._cut} = {self.ndcg:.4f}; print it to see the table>"

    @property
    def _cut(self) -> str:
        """The cutoff as in a measure's name."""
        if self.k is None:
            return ""
        return f"@{self.k}"

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __str__(self) -> str:
        cut = self._cut
        head = f"nDCG{cut} {self.ndcg:.4f} = DCG{cut} {self.dcg:.4f} / IDCG{cut} {self.idcg:.4f}"
        settings = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        ranks = max(len(self.ranking), len(self.ideal))
        height = min(ranks, PRINTED_RANKS)
        # Without averaged ties the mean gain of each rank is its gain: the column says nothing.
        fields = list(_RANKING)
        if np.array_equal(self.ranking.expected_gain, self.ranking.gain):
            fields.remove(_MEAN_GAIN)
        ideal_unjudged = self._find_unjudged_in_ideal()
        side = columns(self.ranking, fields, self.documents, self.unjudged, height)
        ideal = columns(self.ideal, _IDEAL, self.ideal_documents, ideal_unjudged, height)
        lines = join_columns([*side, ["|"] * (height + 1), *ideal])
        # The heads of both sides, above the bar that divides them.
        sides = "      ranking".ljust(lines[0].index("|")) + "|  ideal"
        details = []
        if not self.idcg > 0:
            details.append(f"nDCG is undefined, as IDCG is not above 0: counted {self.ndcg:.4f}")
        notes = write_notes(self, ranks, details)
        return "\n".join([head, settings, "", sides, *lines, *notes])

    def _find_unjudged_in_ideal(self) -> tuple[int, ...]:
        """The ranks, from 1, of documents without a judgment in the ideal ranking."""
        if not self.documents:
            return ()
        unjudged = {self.documents[rank - 1] for rank in self.unjudged}
        ranks = enumerate(self.ideal_documents, 1)
        return tuple(rank for rank, document in ranks if document in unjudged)


# Title, field and form; form "" is the shortest of at most 4 decimals: 3, 0.5, 1.3333.
_MEAN_GAIN = ("mean", "expected_gain", "")
_RANKING = (
    ("position", "document", "d"),
    ("label", "label", ""),
    ("gain", "gain", ""),
    _MEAN_GAIN,
    ("discount", "discount", ".4f"),
    ("term", "term", ".4f"),
    ("DCG", "running_dcg", ".4f"),
)
_IDEAL = (*_RANKING[1:3], *_RANKING[4:6], ("IDCG", "running_dcg", ".4f"))
_TERMS = (("position", "document", "d"), ("label", "label", ""), ("term", "term", ".4f"))


def write_notes(
    explained: Explanation | Contributions, ranks: int, details: Sequence[str] = ()
) -> list[str]:
    """The notes below a table."""
    notes = []
    if ranks > PRINTED_RANKS:
        notes.append(f"... {ranks - PRINTED_RANKS} more ranks: rows() has them")
    if explained.unjudged:
        notes.append("label -: unjudged, counted as 0")
    notes += details
    if explained.tied:
        blocks = [f"{first}-{last}" for first, last in explained.tied[:10]]
        if len(explained.tied) > 10:
            blocks.append("...")
        how = f"ordered by ties={explained.settings['ties']!r}"
        if explained.settings["ties"] == "average":
            how = "all orders are equally likely, so each rank gets the mean gain of the tie"
        notes.append(f"tied ranks {', '.join(blocks)}: {how}")
    if notes:
        notes.insert(0, "")
    return notes


def columns(
    steps: Steps | Contributions,
    names: Sequence[tuple[str, str, str]],
    ids: Sequence[str],
    unjudged: tuple[int, ...],
    height: int,
) -> list[list[str]]:
    """Columns of a ranking, with ids of documents in place of positions if there are any."""
    result = []
    if any(ids):
        # Ids are text, to the left; the numbers of the other columns are set to the right.
        cells = ["document", *map(printable, ids[:height])]
        cells += [""] * (height + 1 - len(cells))
        result.append(_align_left(cells))
    for title, name, form in names:
        if title == "position" and ids:
            continue
        values = vars(steps)[name][:height]
        if form:
            cells = [format(value, form) for value in values]
        else:
            cells = [f"{round(float(value), 4):.15g}" for value in values]
        if name == "label":
            for rank in unjudged:
                if rank <= len(cells):
                    cells[rank - 1] = "-"
        cells += [""] * (height - len(cells))
        result.append([title, *cells])
    return result


def _align_left(cells: Sequence[str]) -> list[str]:
    """The cells with blanks to the right, all of one width."""
    width = max(map(len, cells))
    return [cell.ljust(width) for cell in cells]


def join_columns(columns: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table with these columns after that of the ranks."""
    ranks = ["rank", *map(str, range(1, len(columns[0])))]
    heads, *rows = zip(ranks, *columns, strict=True)
    return align(TextTable(heads, rows, 0))


@dataclass(frozen=True, eq=False, repr=False)
class Contributions:
    """One list's AP, RR, ERR or measure of subtopics, rank by rank; print it to see the table.

    Attributes
    ----------
    measure, value : name with the cutoff, and the value of the list.
    document, label : of each rank; documents are positions in `y_true`.
    term, running : what the rank adds, and the sum up to the rank; expectations for averaged ties.
    tied : first and last rank of each tie block, ranks from 1.
    settings : the ties rule and the convention.
    documents, unjudged : ids, and ranks without a judgment; only for qrels and a run.
    parts, new_parts : of measures of subtopics, the parts that each rank covers, and those of them
        that no rank above it covers.
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
    parts: tuple[tuple[str, ...], ...] = ()
    new_parts: tuple[tuple[str, ...], ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one dict per rank; for qrels and a run with "id" and "unjudged".

        Of measures of subtopics also "parts" and "new_parts", as lists of names.
        """
        columns: dict[str, Iterable[object]] = {"rank": range(1, len(self.label) + 1)}
        for name in ("document", "label", "term", "running"):
            columns[name] = getattr(self, name).tolist()
        if self.documents:
            columns["id"] = self.documents
            columns["unjudged"] = [rank in self.unjudged for rank in columns["rank"]]
        if self.parts:
            columns["parts"] = map(list, self.parts)
            columns["new_parts"] = map(list, self.new_parts)
        rows = []
        for values_of_rank in zip(*columns.values(), strict=True):
            rows.append(dict(zip(columns, values_of_rank, strict=True)))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "measure": self.measure,
            "value": self.value,
            "settings": dict(self.settings),
            "tied": list(map(list, self.tied)),
            "rows": self.rows(),
            "documents": list(self.documents),
            "unjudged": list(self.unjudged),
        }

    def __repr__(self) -> str:
        return f"<Contributions {self.measure} = {self.value:.4f}; print it to see the table>"

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __str__(self) -> str:
        height = min(len(self.label), PRINTED_RANKS)
        family = self.measure.partition("@")[0]
        names = [*_TERMS, (family, "running", ".4f")]
        cells = columns(self, names, self.documents, self.unjudged, height)
        if self.parts:
            added = ["adds", *map(", ".join, self.new_parts[:height])]
            cells.append(_align_left(list(map(printable, added))))
        lines = list(map(str.rstrip, join_columns(cells)))
        settings = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        notes = write_notes(self, len(self.label))
        return "\n".join([f"{self.measure} {self.value:.4f}", settings, "", *lines, *notes])
