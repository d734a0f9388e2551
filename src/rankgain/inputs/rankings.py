"""Rankings and relevant ids whose rows hold more than ids: scores, labels, or fields of hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from numbers import Number
from typing import Any

import numpy as np

from .answers import find_hits, is_answer, plain, read_judgments, read_list
from .arrays import is_sparse
from .entries import IDS, Entries, are_entries, as_numbers, is_pair
from .grouping import first_repeat
from .printable import describe
from .tables.roles import DOCUMENTS, normal_spelling

ROWS = (list, tuple)


def unpack_sides(retrieved: Any, relevant: Any) -> tuple[Any, Any]:
    """Rankings and relevant ids in plain form; what is plain stays the same object."""
    for side in (retrieved, relevant):
        if type(side) is not list or not side:
            break
        row = side[0]
        if type(row) is not list and type(row) is not set:
            break
        first = next(iter(row), None)
        if type(first) is not str and type(first) is not int:
            break
    else:  # what most callers give
        return retrieved, relevant
    if isinstance(relevant, Mapping) and is_sparse(relevant):  # scipy's in the DOK format
        relevant = relevant.tocsr()  # type: ignore[attr-defined]
    ranked, judged = _first_row(retrieved), _first_row(relevant)
    if _is_plain(retrieved, ranked) and _is_plain(relevant, judged):
        return retrieved, relevant
    if _has_tuples(ranked) and _has_tuples(judged):
        # Ids are tuples, such as a document and the number of a chunk.
        return retrieved, relevant
    is_single = not _has_rows(relevant)
    return unpack_ranked(retrieved, "retrieved", is_single), _unpack_judged(relevant)


def unpack_ranked(value: Any, name: str, is_single: bool = False) -> Any:
    """Rankings as lists of ids, best first. is_single: a mapping of numbers is one ranking."""
    value = plain(value)
    if isinstance(value, Mapping) and isinstance(value.get("responses"), list):
        value = value["responses"]
    has_scores = is_single and _holds_numbers(value)
    if not has_scores and _is_plain(value, _first_row(value)):
        return value
    if has_scores or find_hits(value) is not None or _is_one_list(value):
        return ranked_ids(value, name)
    if isinstance(value, Mapping):
        by_user = {}
        for user, row in value.items():
            by_user[user] = ranked_ids(row, f"{name}: the list of {user!r}")
        return by_user
    return [ranked_ids(row, f"{name}: list {index}") for index, row in enumerate(value)]


def ranked_ids(row: object, place: str) -> Any:
    """The ids of a row, best first."""
    if isinstance(row, Mapping) and not is_answer(row):
        scores = as_numbers(row.values(), f"{place}: a score")
        entries: Entries | None = Entries(list(row), scores)
    else:
        entries = read_list(row, place, is_qrels=False)
    if entries is None:
        return row
    for score in entries.numbers or ():
        if score != score:  # NaN alone differs from itself; scores may be of any numeric type
            raise ValueError(f"{place} has a score that is NaN; every score must be known")
    return entries.ranked()


def _unpack_judged(value: Any) -> Any:
    """Relevant ids as lists, sets, or dicts id -> label."""
    value = plain(value)
    if isinstance(value, Mapping):
        value = read_judgments(value, "relevant") or value
    row = value if _is_one_list(value) else _first_row(value)
    if _is_plain(value, row) and not isinstance(row, Entries):
        return value
    if _is_one_list(value):
        return judged_ids(value, "relevant")
    if isinstance(value, Mapping):
        by_user = {}
        for user, row in value.items():
            by_user[user] = judged_ids(row, f"relevant: the list of {user!r}")
        return by_user
    return [judged_ids(row, f"relevant: list {index}") for index, row in enumerate(value)]


def judged_ids(row: object, place: str) -> Any:
    """The relevant ids of a row, with their labels if it has them."""
    if isinstance(row, Mapping) and not is_answer(row):
        labels = as_numbers(row.values(), f"{place}: a label")
        return dict(zip(row, labels, strict=True))
    entries = read_list(row, place, is_qrels=True)
    if entries is None:
        return row
    if entries.numbers is None:
        return entries.ids
    repeat = first_repeat(entries.ids)
    if repeat is not None:
        raise ValueError(
            f"{place} has the id {describe(entries.ids[repeat])} twice; give an id once"
        )
    return dict(zip(entries.ids, entries.numbers, strict=True))


# ---- what a value holds


def _first_row(value: object) -> Any:
    """The first row that is not empty, of lists; one list itself; None if there is nothing."""
    value = plain(value)
    if isinstance(value, Mapping):
        rows: Iterable[object] = value.values()
    elif isinstance(value, ROWS):
        rows = value
    else:
        return None
    for row in rows:
        row = plain(row)
        if isinstance(row, (Entries, Mapping, Set, *ROWS)):
            if not len(row):
                continue
            if _is_one_list(value):
                return value
            return row
        if not isinstance(row, np.ndarray):
            return value
    return None


def _is_plain(value: object, row: Any) -> bool:
    """Whether rows hold ids alone, or relevant ids with labels that are numbers."""
    if isinstance(value, Mapping) and ("responses" in value or find_hits(value) is not None):
        return False
    if type(row) in ROWS:
        return not isinstance(row[0], Mapping) and not is_pair(row[0])
    return not isinstance(row, (Mapping, Entries))


def _has_tuples(row: object) -> bool:
    """Whether the ids of a row are tuples."""
    if not isinstance(row, (*ROWS, Set, Mapping)):
        return False
    return any(isinstance(identifier, tuple) for identifier in row)


def _has_rows(value: object) -> bool:
    """Whether a value holds lists of ids, not ids."""
    first: object = value
    if isinstance(value, Mapping):
        first = next(iter(value.values()), None)
        return not isinstance(first, (Number, np.number))
    if isinstance(value, ROWS):
        first = next(iter(value), None)
        return isinstance(first, (*ROWS, Set, Mapping, np.ndarray)) and not _is_one_list(value)
    return not isinstance(value, Set)


def _holds_numbers(value: object) -> bool:
    """Whether a value is a mapping of ids to numbers."""
    if not isinstance(value, Mapping):
        return False
    first = next(iter(value.values()), None)
    return isinstance(first, (Number, np.number))


def _is_one_list(value: object) -> bool:
    """Whether a value is one list of hits or of pairs, not several lists."""
    if not isinstance(value, ROWS) or not value:
        return False
    if are_entries(value):
        fields = set(map(normal_spelling, value[0]))
        names = IDS.union(DOCUMENTS.names, DOCUMENTS.rarer)
        return not fields.isdisjoint(names) and not is_answer(value[0])
    # [1, 2] and ["a", 1] are lists of two ids, (1, 0.5) is an id with its score.
    for entry in value:
        if not isinstance(entry, tuple) or not is_pair(entry):
            return False
        if type(entry[0]) is type(entry[1]):
            return False
    return True


def holds_scores(value: object) -> bool:
    """Whether a value of a mapping is the ranking of a query, not all rankings of a system."""
    value = plain(value)
    if isinstance(value, Mapping):
        first = next(iter(value.values()), None)
        return is_answer(value) or isinstance(first, (str, Number, np.number))
    return are_entries(value)
