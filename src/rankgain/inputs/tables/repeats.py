"""Documents that a table lists several times in a query: the first, the best, or all in place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..arrays import as_float32
from ..chunks import DocumentOf
from ..copies import ORDERED, demote_copies, find_counting, tied_copies
from ..lists import Lists, add_sizes
from ..printable import describe
from ..types import Array, Bools, Integers

POLICIES = ("raise", "first", "best", "in_place")  # of tables of predictions
REVERSED = ("reverse", "id_descending")  # tie rules under which the later row comes first


class RepeatRules(NamedTuple):
    """What becomes of the rows of a document that a list has already."""

    policy: str  # "first", "best" or "in_place"
    ties: str  # the tie rule; "average" for measures of whole blocks of ties
    float32: bool  # scores compare as float32
    drops: bool  # documents are dropped by their scores, which must keep their values
    document_of: DocumentOf | None = None  # of chunks, which the ids then are
    refuses_repeats: bool = False  # a chunk twice in a list is an error


def unknown_policy(duplicates: object) -> ValueError:
    """The error for a value of duplicates= that tables do not know."""
    policies = ", ".join(map(repr, POLICIES))
    return ValueError(f"duplicates must be one of {policies}, not {describe(duplicates)}")


def find_other_label(labels: Array, documents: Integers, sizes: Integers) -> int | None:
    """The first row whose document has another label in an earlier row of its list."""
    # Each label is compared with that of the first row of the same document in the same list.
    pairs = _number_pairs(sizes, documents)
    _, first, codes = np.unique(pairs, return_index=True, return_inverse=True)
    differs = np.flatnonzero(labels != labels[first][codes])
    if not differs.size:
        return None
    return int(differs[0])


def _number_pairs(sizes: Integers, documents: Integers) -> Integers:
    """One integer for each pair of a list and a document: rows with the same number are copies."""
    list_of = np.repeat(np.arange(len(sizes)), sizes)
    width = int(documents.max(initial=0)) + 1
    pairs: Integers = list_of * width + documents
    return pairs


def settle_repeats(lists: Lists, documents: Integers, rules: RepeatRules) -> Lists:
    """The lists in which a document counts once; documents: their numbers, list by list."""
    pairs = _number_pairs(lists.layout.sizes, documents)
    first = np.unique(pairs, return_index=True)[1]
    if len(first) == len(pairs):
        return lists
    if rules.policy == "first":
        is_first = np.zeros(len(pairs), bool)
        is_first[first] = True
        return _remove_copies(lists, is_first)
    labels, scores = lists.labels, lists.scores
    # Tables have dense labels, and their rows have scores.
    assert isinstance(labels, np.ndarray)
    assert scores is not None
    if rules.float32:
        scores = as_float32(scores)
    # Of copies with one score the earliest counts, or the latest under a reversed tie rule; chunks
    # come in the order of their ids.
    key = np.arange(len(pairs))
    if rules.document_of is not None and lists.order is not None:
        key = lists.order
    if rules.ties in REVERSED:
        key = -key
    counting = find_counting(scores, pairs, key)
    if rules.policy == "best":
        return _remove_copies(lists, counting)
    changes: dict[str, object] = {"judgments": None}
    changes["labels"] = np.where(counting, labels, np.zeros(1, labels.dtype))
    if lists.order is not None:
        # Ids that tie are ordered by their rows: the rank of each row by id, then by row.
        rows = np.arange(len(pairs))
        ranked = np.lexsort((rows, lists.order))
        order = np.empty_like(ranked)
        order[ranked] = rows
        changes["order"] = order
    if rules.ties not in ORDERED:
        tied = _relevant_ties(labels, scores, pairs, counting)
        if tied.any():
            changes["scores"] = demote_copies(scores, tied, rules.drops)
    return lists.replace(**changes)


def _remove_copies(lists: Lists, counting: Bools) -> Lists:
    """The lists with only those rows of documents that count."""
    layout = lists.layout
    list_of = np.repeat(np.arange(len(lists)), layout.sizes)
    bounds = add_sizes(np.bincount(list_of[counting], minlength=len(lists)))
    row_order = None
    if layout.order is not None:
        row_order = layout.order[counting]
    changes: dict[str, object] = {"judgments": None}
    changes["layout"] = layout._replace(starts=bounds[:-1], stops=bounds[1:], order=row_order)
    changes["places"] = _close_up(lists, list_of, counting)
    for name in ("labels", "scores", "order", "kept"):
        column = getattr(lists, name)
        if column is not None:
            changes[name] = column[counting]
    return lists.replace(**changes)


def _close_up(lists: Lists, list_of: Integers, kept: Array) -> Integers | None:
    """The places of the rows that stay, by rank: those below a removed row move up by one."""
    if lists.places is None:
        return None
    assert lists.scores is not None
    by_rank = np.lexsort((-lists.scores, list_of))
    # A row moves up by the removed rows between the start of its list and itself: by the running
    # count over all lists, less that before its list.
    removed = np.cumsum(~kept[by_rank])  # of all lists, up to and with each row
    starts = lists.layout.starts[list_of]
    before = np.where(starts > 0, removed[np.maximum(starts - 1, 0)], 0)
    moved: Integers = (lists.places - (removed - before))[kept[by_rank]]
    return moved


def _relevant_ties(labels: Array, scores: Array, pairs: Integers, counting: Array) -> Array:
    """A mask of copies that tie with the one that counts, whose label is not 0."""
    # The label of each document in a list, whichever of its rows counts.
    codes = np.unique(pairs, return_inverse=True)[1]
    label_of = np.zeros(int(codes.max()) + 1, labels.dtype)
    label_of[codes[counting]] = labels[counting]
    relevant: Array = tied_copies(scores, codes, counting) & (label_of[codes] != 0)
    return relevant
