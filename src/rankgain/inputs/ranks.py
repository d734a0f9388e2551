"""Ranks in place of scores: checked, and the places in their lists for which they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from .types import Array, Integers

LARGEST = 2**31 - 1


class RankScale(NamedTuple):
    """What the ranks of a whole table say about each of them."""

    first: int  # the rank of the best document: 0 or 1
    has_means: bool  # tied documents have the mean of their ranks, so that some end in .5


def find_scale(ranks: Array, name: str, place: Callable[[int], str]) -> RankScale:
    """Check the ranks of a table, and find where they start.

    They start at 0 if the smallest is 0, else at 1. name: the name of the column; place: of a row,
    for errors.
    """
    if not len(ranks):
        return RankScale(1, False)
    smallest, largest = float(ranks.min()), float(ranks.max())
    is_whole = ranks.dtype.kind != "f" or bool((ranks == np.floor(ranks)).all())
    words = ""
    if not (np.isfinite(smallest) and np.isfinite(largest)):
        bad, words = ~np.isfinite(ranks), "must be finite; remove the row of a document that has none"
    elif smallest < 0:
        bad = ranks < 0
        words = "is negative, but ranks start at 1 or 0; give score= if the column holds scores"
    elif largest > LARGEST:
        bad, words = ranks > LARGEST, f"is too large for a rank; ranks may be up to {LARGEST}"
    elif not is_whole and not (2 * ranks == np.floor(2 * ranks)).all():
        bad = 2 * ranks != np.floor(2 * ranks)
        words = (
            "is not a rank: ranks are whole numbers, or end in .5 if they are means of ties; for "
            "distances or other numbers of which the smallest is the best, negate them and give "
            "score="
        )
    if words:
        row = int(np.argmax(bad))
        raise ValueError(f"{place(row)}: {name} is {ranks[row]}, which {words}")
    return RankScale(0 if smallest < 1 else 1, not is_whole)


def join_scales(known: RankScale | None, new: RankScale, place: str) -> RankScale:
    """The scale of a stream of which `known` is that of the part before; `place`: of the new part.

    Ranks that start at 1 in one part and at 0 in a later one cannot be read, as the earlier part
    has been evaluated.
    """
    if known is None:
        return new
    if new.first < known.first or (new.has_means and not known.has_means):
        what = "start at 0" if new.first < known.first else "are means of ties"
        raise ValueError(
            f"{place}: the ranks {what}, but those before did not, and a stream is not read twice; "
            "give evaluate_frame the whole table"
        )
    return known


def find_places(
    ranks: Array, starts: Integers, stops: Integers, scale: RankScale
) -> Integers | None:
    """The places, from 0, of the rows of each list in the order of their ranks.

    None if no list has a gap: then the row with i rows before it is at place i. The ranks of list i
    are ranks[starts[i]:stops[i]], and so are its places. A document stands at its rank, or at the next free
    place if that is later. Of means of tied ranks, the rank is that of the middle of the tie block.
    """
    sizes = stops - starts
    rows = np.repeat(np.arange(len(sizes)), sizes)
    number = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    offsets = np.repeat(starts, sizes)  # of the list of each row
    if _are_permutations(ranks[offsets + number], number, sizes, scale.first):
        return None
    order = np.empty(len(rows), np.int64)
    values = ranks.astype(np.float64)
    _core.rank_lists(-values, np.ascontiguousarray(starts), np.ascontiguousarray(stops), order)
    ordered = values[offsets + order]
    fresh = np.ones(len(rows), bool)  # the first row of each tie block
    fresh[1:] = (ordered[1:] != ordered[:-1]) | (rows[1:] != rows[:-1])
    block = np.cumsum(fresh) - 1
    first = np.flatnonzero(fresh)
    size = np.diff(np.append(first, len(rows)))
    requested = ordered[first] - scale.first
    if scale.has_means:
        requested -= (size - 1) / 2
    # A block begins at its rank, or after the block before it, if that ends later. With c rows in
    # the blocks before, this is c + max(rank - c) over all blocks so far, and at least c.
    shift = np.maximum(np.floor(requested).astype(np.int64) - number[first], 0)
    # The maxima of lists stay apart because a later list has larger numbers.
    apart = rows[first] * (LARGEST + 1)
    shift = np.maximum.accumulate(shift + apart) - apart
    if not shift.any():
        return None
    places = np.zeros(int(stops.max(initial=0)), np.int64)
    places[offsets + number] = number + shift[block]
    return places


def _are_permutations(ranks: Array, number: Integers, sizes: Integers, first: int) -> bool:
    """Whether the ranks of each list are all those from the first one on, each once.

    number: of the rows of its list before each row.
    """
    place = ranks.astype(np.int64) - first
    if not (place + first == ranks).all() or (place >= np.repeat(sizes, sizes)).any():
        return False
    taken = np.zeros(len(ranks), bool)
    taken[np.arange(len(ranks)) - number + place] = True
    return bool(taken.all())


def shift_excluded(values: Any, removed: Any) -> Any:
    """The ranks of documents after others of their list are removed; both are arrays of ranks."""
    return values - np.searchsorted(np.sort(removed), values, side="left")
