"""Documents that a table lists several times in a query: the first, the best, or all in place."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..arrays import as_float32
from ..chunks import DocumentOf
from ..copies import ORDERED, demote_copies, find_counting, tied_copies
from ..lists import Lists, add_sizes
from ..printable import describe
from ..types import Array, Integers

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
    known = ", ".join(map(repr, POLICIES))
    return ValueError(f"duplicates must be one of {known}, not {describe(duplicates)}")


def find_other_label(labels: Array, documents: Integers, sizes: Integers) -> int | None:
    """The first row whose document has another label in an earlier row of its list."""
    pairs = np.repeat(np.arange(len(sizes)), sizes)
    pairs = pairs * (int(documents.max(initial=0)) + 1) + documents
    _, first, codes = np.unique(pairs, return_index=True, return_inverse=True)
    differs = np.flatnonzero(labels != labels[first][codes])
    return int(differs[0]) if differs.size else None


def settle_repeats(lists: Lists, documents: Integers, rules: RepeatRules) -> Lists:
    """The lists in which a document counts once; documents: their numbers, list by list."""
    layout = lists.layout
    # One integer for each pair of a list and a document: rows with the same number are copies.
    list_of = np.repeat(np.arange(len(lists)), layout.sizes)
    pairs = list_of * (int(documents.max(initial=0)) + 1) + documents
    first = np.unique(pairs, return_index=True)[1]
    if len(first) == len(pairs):
        return lists
    labels: Any = lists.labels
    scores: Any = lists.scores
    scores = as_float32(scores) if rules.float32 else scores
    counting = np.zeros(len(pairs), bool)
    counting[first] = True
    order, places = lists.order, lists.places
    if rules.policy != "first":
        rows = np.arange(len(pairs))
        key = -rows if rules.ties in REVERSED else rows
        if rules.document_of is not None and order is not None:  # ids of chunks order them
            key = -order if rules.ties in REVERSED else order
        counting = find_counting(scores, pairs, key)
        tied = _relevant_ties(labels, scores, pairs, counting)
    if rules.policy == "in_place":
        if order is not None:  # ids that tie are ordered by their rows
            ranked = np.lexsort((rows, order))
            order = np.empty_like(ranked)
            order[ranked] = rows
        if rules.ties not in ORDERED:
            scores = demote_copies(scores, tied, rules.drops) if tied.any() else lists.scores
        else:
            scores = lists.scores
        labels = np.where(counting, labels, np.zeros(1, labels.dtype))
    else:
        places = _close_up(lists, list_of, counting)
        bounds = add_sizes(np.bincount(list_of[counting], minlength=len(lists)))
        row_order = None if layout.order is None else layout.order[counting]
        layout = layout._replace(starts=bounds[:-1], stops=bounds[1:], order=row_order)
        labels, scores = labels[counting], lists.scores[counting]  # type: ignore[index]
        order = None if order is None else order[counting]
    changes = {"labels": labels, "scores": scores, "order": order, "layout": layout}
    changes["places"] = places
    if lists.kept is not None and rules.policy != "in_place":
        changes["kept"] = lists.kept[counting]
    return lists.replace(**changes, judgments=None)


def _close_up(lists: Lists, list_of: Integers, kept: Array) -> Integers | None:
    """The places of the rows that stay, by rank: those below a removed row move up by one."""
    if lists.places is None:
        return None
    scores: Any = lists.scores
    by_rank = np.lexsort((-scores, list_of))
    # A row moves up by the removed rows between the start of its list and itself: by the running
    # count over all lists, less that before its list.
    removed = np.cumsum(~kept[by_rank])  # of all lists, up to and with each row
    starts = lists.layout.starts[list_of]
    before = np.where(starts > 0, removed[np.maximum(starts - 1, 0)], 0)
    moved: Integers = (lists.places - (removed - before))[kept[by_rank]]
    return moved


def _relevant_ties(labels: Array, scores: Array, pairs: Integers, counting: Array) -> Array:
    """A mask of copies that tie with the one that counts, whose label is not 0."""
    codes = np.unique(pairs, return_inverse=True)[1]
    label_of = np.zeros(int(codes.max()) + 1, labels.dtype)
    label_of[codes[counting]] = labels[counting]
    relevant: Array = tied_copies(scores, codes, counting) & (label_of[codes] != 0)
    return relevant
