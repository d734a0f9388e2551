"""What many measures warn of: rows that are short, and queries that do not meet."""

import os
from collections.abc import Sequence
from itertools import islice
from typing import Any

from ..engine.notices import some_of, warn
from ..names.measure import parse_measure
from ..records.files import name_of
from ..records.joined import Joined
from ..results.evaluation import Evaluation

SHOWN = 2  # ids of each side


def warn_of_short_rows(found: Evaluation, columns: int | None) -> None:
    """Cutoffs that are deeper than the rows of recommended ids; columns: None if all items fit."""
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
            f"recommended has {columns} columns, but {some_of([name for _, name in deeper])} "
            f"{'asks' if len(deeper) == 1 else 'ask'} for the first {k} items; what stands after "
            f"rank {columns} counts as not recommended: recommend {k} items, or ask for a cutoff "
            f"of at most {columns}"
        )


def warn_of_strangers(joined: Joined, run: Any, told: set[str]) -> None:
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
