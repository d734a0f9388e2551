"""The items that recommended lists show, as codes, and what is known of each item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AnySet
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.notices import warn
from ..inputs.arrays import plain_array
from ..inputs.grouping import factorize
from ..inputs.ids import pair, refuse_unlike_kinds
from ..inputs.printable import count_of, describe, is_missing
from ..inputs.rankings import unpack_ranked
from ..inputs.relevant import (
    IdLists,
    OutOfColumns,
    as_lists,
    cut_filling,
    materialise,
    read_ids,
    read_relevant,
    refuse_scores,
)
from ..inputs.sparse import looks_sparse
from ..inputs.tables.id_tables import (
    IdTable,
    count_interactions,
    distinct_items,
    is_frame,
    is_table,
)
from ..inputs.topk import row_sizes
from ..inputs.truth import Truth
from ..measures.all_lists import DENSE, RecommendedLists, check_size

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..inputs.types import Array, ByItem, Floats, Integers, RankedIds, RelevantIds


def read_recommended(recommended: RankedIds) -> tuple[RecommendedLists, list[object] | None]:
    """The lists as codes, and their users, or None."""
    recommended = materialise(unpack_ranked(recommended, "recommended"))
    if getattr(recommended, "ndim", 0) == 2 and not is_table(recommended):
        rows = plain_array(recommended, "recommended")
        # Integers are codes already, if they are small enough for arrays by code.
        if rows.dtype.kind in "iu":
            try:
                sizes = row_sizes(rows, "recommended")
                codes = rows[rows >= 0]  # without the -1 at their ends
                if not len(codes) or codes.max() < DENSE:
                    return RecommendedLists(codes, sizes), None
                distinct, codes = np.unique(codes, return_inverse=True)
                return RecommendedLists(codes, sizes, distinct.tolist()), None
            except OutOfColumns:
                recommended = rows
    refuse_scores(recommended, "recommended")
    side = read_ids(recommended, "recommended")
    if side.note is not None:
        warn(side.note)
    return RecommendedLists.of(as_lists(side.rows, side.name, relevant=False)), side.users


class RecommendedItems:
    """The shown items as codes, user by user in rank order, and what is known of them."""

    def __init__(
        self,
        lists: RecommendedLists,
        users: list[Any] | None,
        relevant: RelevantIds | None,
        catalogue: Any,
        popularity: object,
        features: ByItem | None,
        categories: ByItem | None,
        baseline: RankedIds | None,
        *,
        is_cut: bool = False,
    ) -> None:
        # is_cut: the -1 that fill rows are gone from the lists and from what is relevant.
        self.is_cut = is_cut
        self.lists, self.named_users = lists, users
        self.catalogue = catalogue
        if is_frame(catalogue):
            self.catalogue = distinct_items(catalogue, "catalogue")
        self.popularity = _map_items(popularity, "popularity")
        self.features = _map_items(features, "features")
        self.categories = _map_items(categories, "categories")
        self.relevant, self.baseline = relevant, materialise(baseline)
        self.users = len(lists)
        self.queries = range(self.users) if users is None else users

    @cached_property
    def items(self) -> list[object]:
        """The ids that are shown at any rank."""
        codes = np.flatnonzero(self.lists.counts)
        return [self.lists.item_ids[code] for code in codes.tolist()]

    def by_item(self, value: object, name: str, absent: object = None) -> Any:
        """A value for each code, from a mapping or an array by item; absent: for no entry."""
        lists = self.lists
        if isinstance(value, Mapping):
            refuse_unlike_kinds(value, self.items, f"{name} has items")
            if absent is None:
                for item in self.items:
                    if item not in value:
                        raise ValueError(f"{name} has no entry for item {describe(item)}; add one")
            return [value.get(item, absent) for item in lists.item_ids]
        table = plain_array(value, name)
        if table.ndim == 0:
            raise TypeError(f"{name} is {describe(value)}; give a mapping item -> value")
        is_recommended = lists.counts > 0
        ids = np.arange(lists.n_codes)  # codes are the ids themselves, if there are no others
        if lists.ids:
            ids = np.array(lists.item_ids)
        if ids.size and (ids.dtype.kind not in "iu" or ids.min() < 0):
            raise TypeError(
                f"{name} is an array, but items are not integers from 0 on; give a dict"
            )
        beyond = is_recommended
        if ids.size:
            beyond = is_recommended & (ids >= len(table))
        if beyond.any():
            item = ids[int(beyond.argmax())]
            raise ValueError(f"{name} has {len(table)} entries, but item {item} is shown; add one")
        if not len(table):
            return table
        # Codes of items that are not shown may lie beyond the table; their values do not count.
        return table[np.minimum(ids, len(table) - 1)]

    @cached_property
    def interactions(self) -> tuple[Floats, Floats]:
        """How popular each shown item is, and the popularity of all items that have an entry."""
        value = self.popularity
        of_recommended = _numbers(self.by_item(value, "popularity", 0), "popularity")
        if isinstance(value, Mapping):
            value = list(value.values())
        of_all = _numbers(value, "popularity")
        is_valid = np.isfinite(of_all) & (of_all >= 0)
        if not is_valid.all():
            invalid = of_all[~is_valid]
            raise ValueError(
                f"popularity holds {invalid[0]}; it must be a finite number of at least 0"
            )
        return of_recommended, of_all

    @cached_property
    def vectors(self) -> Floats:
        """The features of each code; those of items that are not shown do not count."""
        rows = self.by_item(self.features, "features")
        if isinstance(rows, list):
            rows = self._same_shape(rows)
        vectors = _numbers(rows, "features")
        if vectors.ndim != 2:
            raise ValueError(
                f"features must be a vector for each item, not of shape {vectors.shape}"
            )
        return vectors

    def _same_shape(self, rows: list[ArrayLike | None]) -> list[Array] | Floats:
        """The vectors of items, which must have one length; zeros for items without a vector."""
        if not rows:
            return np.zeros((0, 1))
        vectors: dict[int, Array] = {}
        code_of_shape: dict[tuple[int, ...], int] = {}
        for code, row in enumerate(rows):
            if row is not None:
                vectors[code] = np.asarray(row)
                code_of_shape[vectors[code].shape] = code
        if len(code_of_shape) > 1:
            (shape, code), (other_shape, other_code) = list(code_of_shape.items())[:2]
            item, other_item = self.lists.item_ids[code], self.lists.item_ids[other_code]
            raise ValueError(
                f"features of item {describe(item)} are of shape {shape}, those of item "
                f"{describe(other_item)} of shape {other_shape}; pass vectors of one length"
            )
        shape = next(iter(code_of_shape), (0,))
        zeros = np.zeros(shape)
        return [vectors.get(code, zeros) for code in range(len(rows))]

    @cached_property
    def kinds(self) -> tuple[Integers, list[frozenset[object]] | None]:
        """The number of the category, or set of categories, of each code; the sets, if any."""
        values = self.by_item(self.categories, "categories")
        if isinstance(values, np.ndarray):
            if values.ndim != 1:
                raise ValueError(
                    "categories must have one category for each item; for several give a dict "
                    "item -> set of categories; else give features"
                )
            values = values.tolist()
        # Items that are not shown may lack a category: only the others are read.
        has_sets = any(isinstance(value, CATEGORY_SETS) for value in values)
        recommended = np.flatnonzero(self.lists.counts > 0)
        sets: list[frozenset[object]] = []
        for code in recommended.tolist():
            categories = _read_categories(values[code])
            if categories is None:
                raise ValueError(
                    f"categories of item {describe(self.lists.item_ids[code])} are "
                    f"{describe(values[code])}; pass a category, or a list or set of them, which "
                    "may be empty"
                )
            sets.append(categories)
        codes = np.zeros(len(values), np.int64)
        codes[recommended], distinct_sets = factorize(sets)
        if not has_sets:
            return codes, None
        return codes, distinct_sets

    @cached_property
    def n_items(self) -> int:
        """How many items the catalogue has; items outside of it are refused."""
        # Without a catalogue, the items with popularity are all that could be shown.
        catalogue = self.catalogue
        if catalogue is None:
            catalogue = self.popularity
            if not isinstance(catalogue, Mapping):
                catalogue = len(catalogue)
        if isinstance(catalogue, (int, np.integer)) and not isinstance(catalogue, bool):
            return check_size(int(catalogue), len(self.items))
        if isinstance(catalogue, (str, bytes)):
            raise TypeError(f"catalogue is {describe(catalogue)}; give its ids, or their number")
        if not isinstance(catalogue, (AnySet, Mapping)):
            if hasattr(catalogue, "tolist"):
                catalogue = catalogue.tolist()
            try:
                catalogue = dict.fromkeys(catalogue)  # in their order, which an error shows
            except TypeError:  # several dimensions, or no ids at all
                raise TypeError(
                    f"catalogue is {describe(self.catalogue)}; give its ids, one after the other, "
                    "or their number"
                ) from None
        refuse_unlike_kinds(catalogue, self.items, "catalogue has ids")
        for item in self.items:
            if item not in catalogue:
                raise ValueError(f"item {describe(item)} is shown, but not in the catalogue")
        return len(catalogue)

    def members(self, value: RankedIds | RelevantIds, name: str, k: int | None = None) -> list[Any]:
        """For each user the set of ids of an argument, the first k of each."""
        if looks_sparse(value) or isinstance(value, Truth):
            matrix = read_relevant(value, name=name)
            rows = []
            for start, stop in pairwise(matrix.indptr.tolist()):
                is_relevant = matrix.data[start:stop] > 0
                columns = matrix.indices[start:stop][is_relevant]
                rows.append(columns.tolist())
        else:
            side = read_ids(materialise(value), name, relevant=k is None)
            rows = as_lists(side.rows, name, k is None)
            if not self.is_cut or k is not None:
                rows = cut_filling([[self.items], rows], ["recommended", name])[1]
            # One list is the same for all users.
            if side.single:
                rows *= self.users
            else:
                rows = self._pair_users(side._replace(rows=rows), k is not None)
        if len(rows) != self.users:
            raise ValueError(
                f"{name} has {count_of(len(rows), 'list')}, but recommended has {self.users}"
            )
        refuse_unlike_kinds(chain.from_iterable(rows), self.items, f"{name} has ids")
        if k is None:
            return [_relevant_ids(row) for row in rows]
        return [set(list(row)[:k]) for row in rows]

    def _pair_users(self, side: IdLists, needs_all: bool) -> list[object]:
        """The lists of the recommended users, in their order."""
        users = IdLists("recommended", [()] * self.users, self.named_users, False)
        paired = pair(side, users)
        missing = np.flatnonzero(~paired.has_retrieved).tolist()
        if missing:
            user = describe(self.queries[missing[0]])
            if needs_all:
                raise ValueError(f"{side.name} has no list of {user}; pass one, which may be empty")
            warn(
                f"{side.name} has no list of {len(missing)} of {self.users} users, such as {user}: "
                "for them nothing is relevant. Check that the ids of users match"
            )
        return paired.retrieved


CATEGORY_SETS = (list, tuple, set, frozenset)  # the categories of one item, if they are several


def _read_categories(value: Any) -> frozenset[object] | None:
    """The categories of an item as a set; None if one is missing or has no hash."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, CATEGORY_SETS):
        value = [value]
    try:
        categories = frozenset(value)
    except TypeError:
        return None
    if any(map(is_missing, categories)):
        return None
    return categories


def _relevant_ids(row: Iterable[Any]) -> set[object]:
    """The ids of a list; of ids with labels those whose label is positive."""
    if isinstance(row, Mapping):
        return {item for item, label in row.items() if label > 0}
    return set(row)


def _map_items(value: Any, name: str) -> Any:
    """What is known of items, as a dict or an array; of a frame of interactions their numbers."""
    if value is None or isinstance(value, Mapping):
        return value
    if is_frame(value):
        if name == "popularity":
            return count_interactions(value, name)
        if isinstance(value, IdTable):
            value = value.frame
        raise TypeError(
            f"{name} is a {type(value).__name__}; pass a dict item -> value, or an array by item"
        )
    if hasattr(value, "to_dict"):
        mapped = value.to_dict()
        if len(mapped) < len(value):
            raise ValueError(f"{name} is a Series that has an item twice; keep one of them")
        return mapped
    if isinstance(value, (AnySet, str, bytes)):
        raise TypeError(f"{name} is {describe(value)}; give a mapping item -> value")
    return materialise(value)


def _numbers(values: object, name: str) -> Floats:
    """Values as float64; an error names the first that is not a number."""
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        cells = np.asarray(values, object).ravel().tolist()
    for cell in cells:
        value = cell.item() if isinstance(cell, np.generic) else cell
        try:
            float(value)
        except (TypeError, ValueError):
            raise TypeError(f"{name} must hold numbers, not {describe(value)}") from None
    raise TypeError(f"{name} must hold numbers in rows of one length")
