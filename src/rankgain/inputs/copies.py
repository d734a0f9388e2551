"""Documents that a list has several times: the copy at the best rank counts, the others do not."""

from __future__ import annotations

import numpy as np

from .types import Array, Integers

# Tie rules that put all rows of a list in an order. The others leave documents of a score tied.
ORDERED = ("id_descending", "id", "stable", "reverse")


def find_counting(scores: Array, documents: Integers, key: Integers | None = None) -> Array:
    """A mask of the copy of each document that is at the best rank.

    scores: of the rows of one list or of several; documents: numbers that are equal for the copies
    of a document in one list; key: orders rows of one score, the smallest first, by default as they
    stand.
    """
    if key is None:
        key = np.arange(len(scores))
    # All rows by descending score, then by the key: the first row of a document in this order
    # counts. Dense ranks can be negated, whatever type the scores have.
    ranks = np.unique(scores, return_inverse=True)[1]
    order = np.lexsort((key, -ranks))
    first = np.unique(documents[order], return_index=True)[1]
    counting = np.zeros(len(scores), bool)
    counting[order[first]] = True
    return counting


def demote_copies(scores: Array, movable: Array, keep_values: bool = False) -> Array:
    """Scores by which the movable rows come after all others of their score.

    The result orders rows as `scores` does, but has other values: twice the dense rank, and one
    less for a movable row. keep_values: the scores stay, and those of movable rows become the next
    smaller number, which another row may have too.
    """
    if keep_values:
        lower = np.nextafter(scores, np.asarray(-np.inf, scores.dtype))
        return np.where(movable, lower, scores)
    # Doubled, neighbouring ranks leave a number between them for the movable rows of the higher.
    ranks = np.unique(scores, return_inverse=True)[1]
    return 2.0 * ranks - movable


def tied_copies(scores: Array, documents: Integers, counting: Array) -> Array:
    """A mask of the copies that do not count and tie with the copy that does."""
    codes = np.unique(documents, return_inverse=True)[1]
    # For each document the row that counts, with which its other rows are compared.
    row_of = np.zeros(len(scores), np.int64)
    row_of[codes[counting]] = np.flatnonzero(counting)
    tied: Array = ~counting & (scores == scores[row_of[codes]])
    return tied
