"""Warnings of evaluations: cutoffs beyond all rows, and ids that do not match."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from ..engine.notices import name_some, warn
from ..inputs.files import name_source
from ..inputs.ids import Paired
from ..inputs.relevant import list_ids
from ..measures.measure import parse_measure
from ..trec.rows import Joined
from .evaluation import Evaluation

if TYPE_CHECKING:
    from ..inputs.types import Records


EXAMPLES = 2  # ids that a warning shows of each side


def warn_of_short_rows(result: Evaluation, columns: int | None, lists: bool = False) -> None:
    """Warn of cutoffs beyond the longest row, which has `columns` ids; None: none is too deep."""
    if columns is None or len(result) == 1:  # tools that evaluate item by item would repeat it
        return
    added = set(result.requested.values())  # the convention's own cutoffs
    deeper = [
        (k, one)
        for one in result.means
        if one not in added
        and one not in result.better
        and (k := parse_measure(one).k) is not None
        and k > columns
    ]
    if deeper:
        k = max(deeper)[0]
        ids = f"{columns} id{'s' * (columns != 1)}"
        has = f"the longest list of retrieved has {ids}"
        if not lists:
            has = f"retrieved has {columns} columns"
        most = f", or ask for a cutoff of at most {columns}" if columns else ""
        after = f"what stands after rank {columns}" if columns else "all of them"
        warn(
            f"{has}, but {name_some([one for _, one in deeper])} "
            f"{'asks' if len(deeper) == 1 else 'ask'} for the first {k} items; {after} "
            f"counts as not retrieved: give {k} items{most}"
        )


def warn_of_other_users(paired: Paired) -> None:
    """Warn if retrieved and relevant ids have few users in common."""
    users, names, common = paired.users or (), paired.names, int(paired.has_retrieved.sum())
    if 2 * common >= len(users):
        return
    lacks = [users[i] for i in (~paired.has_retrieved).nonzero()[0][:EXAMPLES].tolist()]
    others = paired.without_relevant[:EXAMPLES]
    has = f"has {_quote(others)} for whom nothing is relevant" if others else "has no others"
    some = f"no user of {names[1]} is"
    if common:
        some = f"only {common} of the {len(users)} users of {names[1]} are"
    warn(f"{some} in {names[0]}: it lacks {_quote(lacks)}, and {has}; do the users agree?")


def warn_of_unmatched(joined: Joined, run: Records, warned: set[str]) -> None:
    """Warn if qrels and run have few queries or no document in common; once per call."""
    judged, common = len(joined.queries), int(joined.in_run.sum())
    if joined.unmatched is None and 2 * common >= judged:
        return
    source = f"the run {name_source(run)}" if isinstance(run, (str, os.PathLike)) else "the run"
    if joined.unmatched is not None and "documents" not in warned:
        warned.add("documents")
        query, retrieved, documents = joined.unmatched
        warn_of_documents(f"query {query!r} of {source}", retrieved, "the qrels", documents)
    if "queries" in warned or 2 * common >= judged:
        return
    warned.add("queries")
    missing = (joined.queries[i] for i, present in enumerate(joined.in_run.tolist()) if not present)
    lacks = list(islice(missing, EXAMPLES))
    others = list(joined.unjudged[:EXAMPLES])
    has = f"has {_quote(others)} that nobody judged" if others else "has no others"
    some = f"only {common} of {judged} judged queries are" if common else "no judged query is"
    warn(f"{some} in {source}: it lacks {_quote(lacks)}, and {has}; do the ids agree?")


def warn_of_documents(
    place: str, retrieved: Sequence[object], other: str, judged: Sequence[object]
) -> None:
    """Warn that no retrieved document is judged."""
    warn(
        f"no document that was retrieved is judged, in any query: {place} has "
        f"{_quote(retrieved[:EXAMPLES])}, {other} {_quote(judged[:EXAMPLES])}; do the ids agree?"
    )


def warn_of_unmatched_ids(paired: Paired) -> None:
    """Warn if no retrieved id is relevant in any of several lists; of one it says nothing."""
    if len(paired.retrieved) == 1:
        return
    rows, wanted = (
        [list_ids(one, name, at, True) for at, one in enumerate(side)]
        for side, name in zip((paired.retrieved, paired.relevant), paired.names, strict=True)
    )
    relevant = set(chain.from_iterable(wanted))
    if any(one in relevant for row in rows for one in row):
        return
    for at, (row, others) in enumerate(zip(rows, wanted, strict=True)):
        if row and others:
            user = f"list {at}" if paired.users is None else repr(paired.users[at])
            retrieved, judged = (list(islice(side, EXAMPLES)) for side in (row, others))
            warn_of_documents(f"{user} of {paired.names[0]}", retrieved, paired.names[1], judged)
            return


def _quote(ids: Sequence[object]) -> str:
    return " and ".join(map(repr, ids))
