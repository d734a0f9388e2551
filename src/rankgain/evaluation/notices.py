"""What is answered, but probably not what was meant: the one class of warnings, and each case."""

import os
import sys
import warnings
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..records.files import name_of

if TYPE_CHECKING:
    from ..engine.settings import Settings
    from ..lists.lists import Lists
    from ..names.measure import Family
    from ..records.join import Joined
    from ..results.evaluation import Evaluation

SHOWN = 2  # ids of each side
NAMED = 3  # measures


class RankgainWarning(UserWarning):
    """A value was computed as asked, but the input hardly means what was asked."""


def warn(message: str) -> None:
    """Warn at the line outside this package that made the call."""
    package, level = f"{__package__}.", 1
    frame = sys._getframe(0)
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, RankgainWarning, stacklevel=level)


def _some(names: Sequence[str]) -> str:
    left = len(names) - NAMED
    if left <= 1:
        return ", ".join(names)
    return f"{', '.join(names[:NAMED])} and {left} more"


def warn_of_short_rows(found: "Evaluation", columns: int | None) -> None:
    """Cutoffs that are deeper than the rows of recommended ids; columns: None if all items fit."""
    from ..names.measure import parse_measure

    if columns is None:
        return
    added = set(found.asked.values())  # the convention's own cutoffs
    deeper = [
        (k, name)
        for name in found.means
        if name not in added and (k := parse_measure(name).k) is not None and k > columns
    ]
    if deeper:
        k = max(deeper)[0]
        warn(
            f"recommended has {columns} columns, but {_some([name for _, name in deeper])} "
            f"{'asks' if len(deeper) == 1 else 'ask'} for the first {k} items; what stands after "
            f"rank {columns} counts as not recommended: recommend {k} items, or ask for a cutoff "
            f"of at most {columns}"
        )


def warn_of_labels(
    lists: "Lists", asked: Sequence[tuple["Family", "Settings"]], told: set[str]
) -> None:
    """Sparse labels above 0 of which none is relevant to a binary measure; once in a call."""
    if not lists.sparse or "labels" in told:
        return
    binary = [(family.name, one.rel) for family, one in asked if _is_binary(family, one)]
    if not binary:
        return
    top = _largest_label(lists, max(rel for _, rel in binary))
    missed = [(name, rel) for name, rel in binary if 0 < top < rel]
    if missed:
        told.add("labels")
        names = list(dict.fromkeys(name for name, _ in missed))
        warn(
            f"no label reaches rel={missed[0][1]:g}, so nothing is relevant to {_some(names)}; the "
            f"largest label is {top:g}: give rel=, the label from which on a document is relevant"
        )


def _is_binary(family: "Family", settings: "Settings") -> bool:
    """Whether a value depends on which labels are relevant, and not on how much."""
    from ..engine.plan import row_of

    row = row_of(family)
    if row.gain is not None and settings.function != "rbp":
        return row.gain == "asked" and isinstance(settings.gain, str) and settings.gain == "binary"
    if settings.function == "rbp":
        return isinstance(settings.gain, str) and settings.gain == "binary"
    return bool(row.counts_relevant)


def _largest_label(lists: "Lists", enough: float) -> float:
    """The largest label, or the first one found that is large enough."""
    labels = lists.labels
    parts = [labels.data[: int(labels.indptr[-1])]]
    if lists.runs is not None:
        parts.insert(0, lists.runs.level)
    for part in parts:
        if part.size and part[0] >= enough:
            return float(part[0])
    return max((float(part.max()) for part in parts if part.size), default=0.0)


def warn_of_strangers(joined: "Joined", run: Any, told: set[str]) -> None:
    """Qrels and a run that have few queries in common, or none; once in a call."""
    judged, common = len(joined.queries), int(joined.found.sum())
    if "queries" in told or 2 * common >= judged:
        return
    told.add("queries")
    missing = (joined.queries[i] for i, found in enumerate(joined.found.tolist()) if not found)
    lacks = list(islice(missing, SHOWN))
    others = list(joined.unjudged[:SHOWN])
    source = f"the run {name_of(run)}" if isinstance(run, (str, os.PathLike)) else "the run"
    has = f"has {_quoted(others)} that nobody judged" if others else "has no others"
    some = f"only {common} of {judged} judged queries are" if common else "no judged query is"
    warn(f"{some} in {source}: it lacks {_quoted(lacks)}, and {has}; do the ids agree?")


def _quoted(ids: Sequence[str]) -> str:
    return " and ".join(map(repr, ids))
