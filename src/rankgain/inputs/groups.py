"""Groups of relevant ids, each satisfied by any of its ids: the parts of a query."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from .axes import is_series
from .entries import are_pairs
from .printable import describe, find_kind

GROUP = (list, set, frozenset)
ROW = (list, tuple)

Groups = Sequence[Collection[Hashable]]


class GroupedIds(NamedTuple):
    """The groups of each list, and all ids of these, each once, in the form of the argument."""

    relevant: object
    by_query: Mapping[object, Groups]  # of lists without queries by their number

    def of_lists(self, queries: Sequence[Hashable] | None) -> list[Groups]:
        """The groups of these queries, or of all lists."""
        return [self.by_query[query] for query in queries or self.by_query]


def read_groups(retrieved: object, relevant: object, wants_groups: bool) -> GroupedIds | None:
    """Read groups of relevant ids; None if these are no groups.

    wants_groups: lists of an id and a number are groups of two ids, not ids with labels.
    """
    if wants_groups and _has_subtopics(relevant):
        raise TypeError(
            "relevant has labels for subtopics, which evaluate_ids does not read: pass it to "
            "rankgain.evaluate, whose run may be these lists of ids, or give evaluate_ids groups "
            "of ids, such as [[id, id], [id]]"
        )
    values: Iterable[object]
    if isinstance(relevant, Mapping):
        values = relevant.values()
    elif isinstance(relevant, ROW) and not is_series(retrieved):
        values = relevant
    else:
        return None
    # The first value of a row, which is an id as a rule, saves the call that looks at all of them.
    starting_with_group = [
        row for row in values if isinstance(row, ROW) and row and isinstance(row[0], GROUP)
    ]
    if not any(_holds_groups(row, wants_groups) for row in starting_with_group):
        # One list of retrieved ids, beside its groups; without wants_groups these are lists of ids.
        if not wants_groups or isinstance(relevant, Mapping) or not _holds_groups(relevant, True):
            return None
        if not isinstance(retrieved, ROW) or not retrieved:
            return None
        if find_kind(retrieved[0]) not in ("str", "int"):
            return None
        return GroupedIds(_join(relevant, "relevant"), {0: relevant})
    if isinstance(relevant, Mapping):
        rows = dict(relevant)
    else:
        rows = dict(enumerate(relevant))
    ids_by_query = {}
    for query, row in rows.items():
        place = describe(query) if isinstance(relevant, Mapping) else f"list {query}"
        if not isinstance(row, ROW) or not (len(row) == 0 or _holds_groups(row, True)):
            raise TypeError(
                f"relevant: {place} has {describe(row)}, but others have groups of ids; "
                "give every query a list of groups, such as [[id, id], [id]]"
            )
        ids_by_query[query] = _join(row, f"relevant: {place}")
    if isinstance(relevant, Mapping):
        return GroupedIds(ids_by_query, rows)
    return GroupedIds(list(ids_by_query.values()), rows)


def _has_subtopics(relevant: object) -> bool:
    """Whether these are Qrels or nested dicts with labels for the subtopics of queries."""
    subtopics = getattr(relevant, "subtopics", None)
    if isinstance(subtopics, dict):
        return any(subtopics.values())
    if not isinstance(relevant, Mapping):
        return False
    for row in relevant.values():
        if isinstance(row, Mapping) and any(isinstance(value, Mapping) for value in row.values()):
            return True
    return False


def _holds_groups(row: object, wants_groups: bool) -> bool:
    """Whether a row holds groups, and not pairs of an id and its label."""
    if not isinstance(row, ROW) or not row:
        return False
    if not all(isinstance(group, GROUP) for group in row):
        return False
    return wants_groups or not are_pairs(row)


def _join(row: Groups, place: str) -> list[Hashable]:
    """The ids of all groups, each once; place: of the groups, for errors."""
    ids = list(chain.from_iterable(row))
    try:
        return list(dict.fromkeys(ids))
    except TypeError:
        wrong = next(identifier for identifier in ids if type(identifier).__hash__ is None)
        raise TypeError(
            f"{place} has a group with {describe(wrong)}; a group is a list of ids"
        ) from None
