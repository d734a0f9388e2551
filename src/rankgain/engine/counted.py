"""Lists from hits whose ranks are counted, over any parts of the documents."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from ..inputs.arrays import integers, plain_array
from ..inputs.lists import LONGEST, Judgments, Layout, Lists, add_sizes, judge_hits, prepare
from ..inputs.sparse import Sparse

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats, Integers


ROWS_BETWEEN_LOOKS = 1 << 22  # rows counted between two checks for signals


def read_query_ids(value: object, name: str) -> Any:
    """Read query ids: as int64, or as an array of text."""
    if isinstance(value, (list, tuple)) and any(isinstance(query_id, str) for query_id in value):
        value = np.array(value, object)  # NumPy would turn an integer among text to text
    ids = plain_array(value, name)
    if ids.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not of shape {ids.shape}")
    if ids.size == 0:
        return np.zeros(0, np.int64)
    if ids.dtype.kind in "iu":
        return integers(ids, name, -(2**63))
    if ids.dtype.kind in "UT":
        return ids.astype(object)
    if ids.dtype.kind == "O" and set(map(type, ids.tolist())) == {int}:
        for index, query_id in enumerate(ids.tolist()):
            if not -(2**63) <= query_id < 2**63:
                raise ValueError(f"{name}[{index}] is {query_id}: too large")
        return ids.astype(np.int64)
    if ids.dtype.kind == "O":
        for index, query_id in enumerate(ids.tolist()):
            if not isinstance(query_id, str):
                raise TypeError(
                    f"{name}[{index}] is {query_id!r}; ids must all be integers, or all be text: "
                    "drop what has no id, and turn other ids to text"
                )
        return ids
    raise TypeError(f"{name} must hold integers or text, not {ids.dtype}")


def distinct(ids: Iterable[Any], name: str) -> list[object]:
    """Each id once, in order of first appearance; a mix of integers and text is refused."""
    result = list(dict.fromkeys(ids))
    if len(set(map(type, result))) > 1:
        raise TypeError(f"{name} has integers and text as ids; turn all of them to text")
    return result


class QueryIndex:
    """The indices of lists by the ids of their queries. Immutable."""

    def __init__(self, ids: Sequence[Any]) -> None:
        self.ids = ids
        self._by_number = bool(ids) and isinstance(ids[0], int)
        if self._by_number:
            self._index_of: _core.Places | dict[object, int] = _core.Places(np.array(ids, np.int64))
        else:
            self._index_of = dict(zip(ids, range(len(ids)), strict=True))

    def __reduce__(self) -> tuple[object, ...]:
        return QueryIndex, (self.ids,)

    def find(self, ids: Array, name: str) -> tuple[Integers, int]:
        """The index of the list of each id, -1 for an unknown id; and how many ids are unknown."""
        indices = np.empty(len(ids), np.int64)
        if self.ids and len(ids) and (ids.dtype == np.int64) is not self._by_number:
            kind, other_kind = "text", "integers"
            if self._by_number:
                kind, other_kind = other_kind, kind
            raise TypeError(f"{name}: the lists have {kind} as ids, but these are {other_kind}")
        if isinstance(self._index_of, dict):
            get = self._index_of.get
            indices[:] = [get(query_id, -1) for query_id in ids.tolist()]
            return indices, int((indices < 0).sum())
        return indices, self._index_of.find(ids, indices)


class Levels(NamedTuple):
    """The distinct scores of the hits of each list, descending, and the one of each hit.

    Those of list i are scores[first[i] : first[i + 1]]. What is counted lies in cells: in each list
    the documents above its first level, equal to it, between it and the next, and so on.
    """

    first: Integers
    scores: Floats
    of_hits: Integers

    @property
    def bounds(self) -> Integers:
        """Where the cells of each list start, and where the last ones stop."""
        return 2 * self.first + np.arange(len(self.first))

    def new_cells(self) -> Integers:
        """Counts of nothing."""
        return np.zeros(2 * len(self.scores) + len(self.first) - 1, np.int64)

    def read(self, cells: Integers, list_of_hit: Integers) -> tuple[Any, Any, Any]:
        """Documents above each hit and those of its score, and the documents of each list."""
        # A list with m levels has 2 m + 1 cells: above the first level, equal to it, between it and
        # the next, and so on. So level j, numbered over all lists, of list i is cell 2 j + i + 1,
        # and the cells of its list before it count the documents above.
        before, bounds = add_sizes(cells), self.bounds
        cell = 2 * self.of_hits + list_of_hit + 1
        first_cell = bounds[list_of_hit]
        above = before[cell] - before[first_cell]
        documents = np.diff(before[bounds])
        return above, cells[cell], documents


def make_levels(list_of_hit: Integers, scores: Array, lists: int) -> Levels:
    """The levels of the hits of `lists` lists."""
    n_hits = len(list_of_hit)
    rank = np.empty(n_hits, np.int64)
    rank[np.argsort(-scores)] = np.arange(n_hits)
    # One number orders the hits by list and by rank: five times as fast as lexsort.
    order = np.argsort(list_of_hit * n_hits + rank)
    # A level begins where the list or the score is not that of the hit before.
    ordered_lists, ordered_scores = list_of_hit[order], scores[order]
    is_first = np.ones(n_hits, bool)
    is_first[1:] = ordered_lists[1:] != ordered_lists[:-1]
    is_first[1:] |= ordered_scores[1:] != ordered_scores[:-1]
    of_hits = np.empty(n_hits, np.int64)
    of_hits[order] = np.cumsum(is_first) - 1
    # The first hit of each level stands for it.
    representatives = order[is_first]
    starts = add_sizes(np.bincount(list_of_hit[representatives], minlength=lists))
    return Levels(starts, scores[representatives].astype(np.float64), of_hits)


class Counts(NamedTuple):
    """The counts of some documents, which are all that travels between machines."""

    cells: Integers  # of the lists with hits
    sizes_without_hits: dict[object, int]  # documents of the lists without
    float32: bool


class Counter:
    """Counts of documents in any order; of those in lists without levels only the number."""

    def __init__(self, queries: QueryIndex, levels: Levels) -> None:
        self.queries, self.levels, self.cells = queries, levels, levels.new_cells()
        self.sizes_without_hits: collections.Counter[Any] = collections.Counter()
        self.float32 = True  # every score counted so far is a float32

    @property
    def documents(self) -> int:
        """The number of counted documents."""
        return int(self.cells.sum()) + sum(self.sizes_without_hits.values())

    def add(self, ids: Array, scores: Array, name: str = "query") -> None:
        """Count documents; scores are float32 or float64, none of them NaN."""
        self.float32 &= scores.dtype.itemsize == 4 or not len(scores)
        for low in range(0, len(ids), ROWS_BETWEEN_LOOKS):
            part = slice(low, low + ROWS_BETWEEN_LOOKS)
            lists, missing = self.queries.find(ids[part], name)
            _core.count_rows(lists, scores[part], *self.levels[:2], self.cells)
            if missing:  # lists without a hit: only the number of documents matters
                queries, counts = np.unique(ids[part][lists < 0], return_counts=True)
                sizes = dict(zip(queries.tolist(), counts.tolist(), strict=True))
                self.sizes_without_hits.update(sizes)

    @property
    def counts(self) -> Counts:
        """What was counted, in few bytes."""
        smallest_type = np.min_scalar_type(int(self.cells.max(initial=0)))
        cells = self.cells.astype(smallest_type)
        return Counts(cells, self.sizes_without_hits, self.float32)

    def merge(self, counts: Counts) -> None:
        """Add the counts of another counter with the same levels."""
        self.cells += counts.cells.astype(np.int64)
        self.sizes_without_hits.update(counts.sizes_without_hits)
        self.float32 &= counts.float32


def sort_hits(
    list_of_hit: Integers,
    labels: Floats,
    above: Integers,
    equal: Integers,
    documents: Integers,  # how many each list has
) -> Sparse:
    """The hits by list and rank, equal ranks by descending label."""
    longest = int(documents.max(initial=0))
    if longest > LONGEST:
        raise ValueError(f"a list of {longest} documents is too long; the most is {LONGEST}")
    # One integer holds list and rank, and sorts faster than two keys.
    keys = list_of_hit * (longest + 1) + above
    has_one_label = bool((labels == labels[:1]).all())
    order = np.argsort(keys) if has_one_label else np.lexsort((-labels, keys))
    indptr = add_sizes(np.bincount(list_of_hit, minlength=len(documents)))
    ranks, sizes = above[order], equal[order]
    return Sparse(labels[order], ranks, indptr, None, ranked=True, sizes=sizes)


def make_counted_lists(
    list_of_hit: Integers,
    labels: Floats,
    above: Integers,
    equal: Integers,
    documents: Integers,  # how many each list has
    queries: Sequence[object],
    judged: tuple[Any, Any] | None = None,  # all labels, and starts; None: those of the hits
    *,
    called: str = "label",  # the argument with the labels of the hits
    float32: bool = False,  # scores were compared as float32
    pool: bool = False,  # the hits are all judged documents
) -> Lists:
    """Make lists from hits with the number of scores above and equal to theirs."""
    hits = sort_hits(list_of_hit, labels, above, equal, documents)
    stops = add_sizes(documents)
    layout = Layout(stops[:-1], stops[1:], False, queries)
    if judged is None:
        judgments = judge_hits(hits, layout, called, pool=pool)
    else:
        flat, bounds = judged
        runs = prepare(flat, bounds[:-1], bounds[1:], "judged")
        judgments = Judgments(runs, labels_checked=True)
    lists = Lists(layout, hits, None, judgments)
    return lists.replace(float32=float32, pool=pool, called=called)
