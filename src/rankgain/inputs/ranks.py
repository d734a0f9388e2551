"""Ranks in place of scores: checked, and the places in their lists for which they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

    def with_part(self, part_scale: RankScale) -> RankScale:
        """The scale of a table of which these are the scales of two parts."""
        return RankScale(min(self.first, part_scale.first), self.has_means or part_scale.has_means)


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
        bad = ~np.isfinite(ranks)
        words = "must be finite; remove the row of a document that has none"
    elif smallest < 0:
        bad = ranks < 0
        words = "is negative, but ranks start at 1 or 0; give score= if the column holds scores"
    elif largest > LARGEST:
        bad = ranks > LARGEST
        words = f"is too large for a rank; ranks may be up to {LARGEST}"
    elif not is_whole and not (2 * ranks == np.floor(2 * ranks)).all():
        bad = 2 * ranks != np.floor(2 * ranks)
        words = (
            "is not a rank: ranks are whole numbers, or end in .5 if they are means of ties; for "
            "distances or other numbers of which the smallest is the best, negate them and give "
            "score="
        )
    if words:
        row = int(np.argmax(bad))
        number = float(ranks[row])
        raise ValueError(f"{place(row)}: {name} is {number:.15g}, which {words}")
    return RankScale(0 if smallest < 1 else 1, not is_whole)


def join_scales(before: RankScale | None, new: RankScale, place: str) -> RankScale:
    """The scale of a stream, `before` from the parts before; place: the new part, for errors.

    The parts before have been evaluated, so a part that contradicts them is an error.
    """
    if before is None:
        return new
    scale = before.with_part(new)
    if scale != before:
        contradiction = "start at 0" if scale.first < before.first else "are means of ties"
        raise ValueError(
            f"{place}: the ranks {contradiction}, but those before did not, and a stream is read "
            "only once; give evaluate_frame the whole table, or a source that can be read twice"
        )
    return scale


class RankLikeScores:
    """Whether scores look like ranks: in each list exactly 1 .. n in the order of the rows.

    Lists of one document say nothing, and of the others there must be two at least.
    """

    def __init__(self) -> None:
        self.lists = 0
        self.longest = 0
        self.is_refuted = False

    @property
    def found(self) -> bool:
        """Whether all lists so far look like that."""
        return self.lists > 1 and not self.is_refuted

    def add(self, scores: Array, starts: Integers, stops: Integers) -> None:
        """Look at the scores of more lists, those of list i from starts[i] to stops[i]."""
        several = np.flatnonzero(stops - starts > 1)
        # Scores are hardly ever ranks, so that the first row or the first list usually decides.
        if len(several) and scores[starts[several[0]]] != 1:
            self.is_refuted = True
        for part in (several[:1], several[1:]):
            if self.is_refuted or not len(part):
                continue
            sizes = (stops - starts)[part]
            # The number of each row in its list, from 0, and then its row in the table.
            rows_before = np.cumsum(sizes) - sizes
            number = np.arange(int(sizes.sum())) - np.repeat(rows_before, sizes)
            rows = np.repeat(starts[part], sizes) + number
            self.is_refuted = bool((scores[rows] != number + 1).any())
            self.lists += len(part)
            self.longest = max(self.longest, int(sizes.max()))


def describe_rank_like(remedy: str) -> str:
    """The warning about scores that look like ranks; remedy: how ranks are given there."""
    return (
        "the scores look like ranks: in every list they are 1, 2, 3 and so on in the order of the "
        f"rows, and the greatest score is the best, so the last row comes first; {remedy}"
    )


class RankedIds(list[Any]):
    """The ids of a list by rank, with the place of each, from 0; tied ids share a place.

    Lists whose ranks are 1 .. n are plain lists.
    """

    def __init__(self, ids: Sequence[object], places: Sequence[int]) -> None:
        super().__init__(ids)
        self.places = list(places)

    def kept(self, stays: Sequence[bool], moves_up: bool = True) -> RankedIds:
        """Some of the ids; those below a removed one move up, unless it keeps its place."""
        ids, places = [], []
        removed_before = removed_so_far = 0
        last_place = -1
        for identifier, place, stay in zip(self, self.places, stays, strict=True):
            # Tied ids move up together, by the ids that are removed above all of them.
            if place != last_place:
                removed_before, last_place = removed_so_far, place
            removed_so_far += moves_up and not stay
            if stay:
                ids.append(identifier)
                places.append(place - removed_before)
        return RankedIds(ids, places)

    def rank_places(self) -> list[int]:
        """The places of the first, second, ... id: of tied ones the next ones each."""
        result: list[int] = []
        next_free = 0
        for place in self.places:
            result.append(max(place, next_free))
            next_free = result[-1] + 1
        return result


class RankedRows(NamedTuple):
    """The rows of lists in the order of their ranks, list by list, and the places of their blocks.

    A document stands at its rank, or at the next free place if that is later. Of means of tied
    ranks, the rank is that of the middle of the tie block.
    """

    rows: Integers  # of the input
    number: Integers  # of the rows before each one in its list
    block: Integers  # of tied rows, numbered from 0 over all lists
    start: Integers  # of each block, in number
    place: Integers  # of each block in its list, from 0


def rank_rows(ranks: Array, starts: Integers, stops: Integers, scale: RankScale) -> RankedRows:
    """Order the rows of each list, those from starts[i] to stops[i], by their ranks."""
    sizes = stops - starts
    lists = np.repeat(np.arange(len(sizes)), sizes)
    rows_before = np.cumsum(sizes) - sizes  # of the lists before
    number = np.arange(len(lists)) - np.repeat(rows_before, sizes)
    rows = np.empty(len(lists), np.int64)
    values = ranks.astype(np.float64)
    _core.rank_lists(-values, np.ascontiguousarray(starts), np.ascontiguousarray(stops), rows)
    rows += np.repeat(starts, sizes)
    # A tie block begins at a new rank or with a new list.
    ordered = values[rows]
    has_new_rank = ordered[1:] != ordered[:-1]
    has_new_list = lists[1:] != lists[:-1]
    is_first = np.ones(len(rows), bool)
    is_first[1:] = has_new_rank | has_new_list
    block = np.cumsum(is_first) - 1
    first = np.flatnonzero(is_first)
    start = number[first]
    place = ordered[first] - scale.first
    if scale.has_means:
        # The mean of c ranks that follow each other is the first one and (c - 1) / 2.
        block_sizes = np.diff(np.append(first, len(rows)))
        place -= (block_sizes - 1) / 2
    # A block begins at its rank, or after the block before it if that ends later. With c rows in
    # the blocks before it, this is c + the largest (rank - c) of all blocks so far, or c.
    shift = np.maximum(np.floor(place).astype(np.int64) - start, 0)
    # The maxima of lists stay apart because a later list has larger numbers.
    apart = lists[first] * (LARGEST + 1)
    shift = np.maximum.accumulate(shift + apart) - apart
    return RankedRows(rows, number, block, start, start + shift)


def find_places(
    ranks: Array, starts: Integers, stops: Integers, scale: RankScale
) -> Integers | None:
    """The places, from 0, of the rows of each list in the order of their ranks.

    None if no list has a gap: then the row with i rows before it is at place i. The ranks of list i
    are ranks[starts[i]:stops[i]], and so are its places.
    """
    if _are_permutations(ranks, starts, stops, scale.first):
        return None
    ranked = rank_rows(ranks, starts, stops, scale)
    shift = ranked.place - ranked.start
    if not shift.any():
        return None
    places = np.zeros(int(stops.max(initial=0)), np.int64)
    sizes = stops - starts
    places[np.repeat(starts, sizes) + ranked.number] = ranked.number + shift[ranked.block]
    return places


def _are_permutations(ranks: Array, starts: Integers, stops: Integers, first: int) -> bool:
    """Whether the ranks of each list are all those from the first one on, each once."""
    sizes = stops - starts
    before = np.repeat(np.cumsum(sizes) - sizes, sizes)  # rows of the lists before
    if not (len(before) == len(ranks) and (starts[1:] == stops[:-1]).all()):
        number = np.arange(len(before)) - before
        ranks = ranks[np.repeat(starts, sizes) + number]
    place = ranks.astype(np.int64) - first
    if not (place + first == ranks).all() or (place >= np.repeat(sizes, sizes)).any():
        return False
    # n places among n: they are all different if each of the n is taken.
    is_taken = np.zeros(len(ranks), bool)
    is_taken[before + place] = True
    return bool(is_taken.all())


def close_gaps(
    ranks: Array, starts: Integers, stops: Integers, scale: RankScale, removed: Array
) -> Array:
    """The ranks, from 1, of all rows after some of them are removed, which those below move up."""
    ranked = rank_rows(ranks, starts, stops, scale)
    # Removed rows before each row, over all lists. A block moves up by those between the start of
    # its list and its own first row.
    above = np.concatenate(([0], np.cumsum(removed[ranked.rows])))
    is_first = np.append(True, np.diff(ranked.block) > 0)
    first = np.flatnonzero(is_first)[: len(ranked.start)]
    list_starts = first - ranked.number[first]
    place = ranked.place - (above[first] - above[list_starts])
    result = np.empty(len(ranks))
    result[ranked.rows] = place[ranked.block] + 1.0
    return result
