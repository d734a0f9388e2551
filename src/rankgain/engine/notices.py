"""Warnings about inputs that are valid, but probably mistakes."""

import sys
import warnings
from collections.abc import Sequence

from ..inputs.lists import Lists
from .plan import is_binary
from .settings import Family, Settings

NAMED = 3  # measures
# Functions of measures that look at all documents of a list, also below the last relevant one.
OF_WHOLE_LISTS = (
    *("auc", "gauc", "lift", "ranking_loss"),
    *("adjusted_mean_rank", "adjusted_mean_rank_index"),
)


class RankgainWarning(UserWarning):
    """A value was computed, but the input is probably a mistake."""


def warn(message: str) -> None:
    """Warn at the line outside this package that made the call."""
    package, level = "rankgain.", 1
    frame = sys._getframe(0)
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, RankgainWarning, stacklevel=level)


def name_some(names: Sequence[str]) -> str:
    """The first names, and the number of the others."""
    more = len(names) - NAMED
    if more <= 1:
        return ", ".join(names)
    return f"{', '.join(names[:NAMED])} and {more} more"


def warn_of_columns(lists: Lists) -> None:
    """Warn of several lists with one scored document each: probably column vectors."""
    if len(lists) > 1 and lists.scores is not None and (lists.layout.sizes == 1).all():
        warn(
            f"each of the {len(lists)} lists has one document, which has nobody to be ranked "
            "above: a column vector is one list per row; give flat arrays (such as y[:, 0]), with "
            "group= or qid= where these are several lists"
        )


def warn_of_gaps(
    lists: Lists, requested: Sequence[tuple[Family, Settings]], warned: set[str]
) -> None:
    """Warn, once in a call, of measures of whole lists if some ranks are not in the table."""
    if lists.places is None or "gaps" in warned:
        return
    names = [
        family.name
        for family, one in requested
        if family.function in OF_WHOLE_LISTS or one.share is not None
    ]
    if names:
        warned.add("gaps")
        at = int((lists.lengths != lists.layout.sizes).argmax())
        rows, last = int(lists.layout.sizes[at]), int(lists.lengths[at])
        warn(
            f"{name_some(list(dict.fromkeys(names)))}: the value depends on all documents of a "
            f"list, but {lists.place(at)} has {rows} rows and the last rank {last}; the list is "
            "taken to end there, and documents without a row as not relevant. Add the missing "
            "rows, or remove the measure"
        )


def warn_of_labels(
    lists: Lists, requested: Sequence[tuple[Family, Settings]], warned: set[str]
) -> None:
    """Warn, once in a call, if all sparse labels above 0 are below a binary measure's rel."""
    if not lists.sparse or "labels" in warned:
        return
    binary = []  # measures to which labels are relevant or not, instead of gains
    for family, one in requested:
        row = family.row
        if row.counts_relevant if row.gain is None else is_binary(one.gain):
            binary.append((family.name, one.rel))
    if not binary:
        return
    enough, parts = max(rel for _, rel in binary), []
    if lists.runs is not None:
        parts.append(lists.runs.level)
        if (parts[0][:1] >= enough).any():  # the largest label of the first list
            return
    parts.append(lists.with_excluded_as_zero().stored.values)
    top = max((float(part.max()) for part in parts if part.size), default=0.0)
    missed = [(name, rel) for name, rel in binary if 0 < top < rel]
    if missed:
        warned.add("labels")
        names = list(dict.fromkeys(name for name, _ in missed))
        warn(
            f"no label reaches rel={missed[0][1]:g}, so nothing is relevant to {name_some(names)}; "
            f"the largest label is {top:g}: give rel=, the label from which on a document is "
            "relevant"
        )
