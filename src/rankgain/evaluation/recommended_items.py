"""The items that recommended lists show, as codes, and what is known of each item."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AnySet
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.notices import warn
from ..inputs.arrays import plain_array
from ..inputs.ids import pair, refuse_unlike_kinds
from ..inputs.printable import describe, is_missing
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
    from ..inputs.types import ByItem, Floats, RankedIds, RelevantIds


def read_recommended(recommended: RankedIds) -> tuple[RecommendedLists, Any]:
    """The lists as codes, and their users, or None."""
    recommended = materialise(unpack_ranked(recommended, "recommended"))
    if getattr(recommended, "ndim", 0) == 2 and not is_table(recommended):
        rows = plain_array(recommended, "recommended")
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
    def items(self) -> list[Any]:
        """The ids that are shown at any rank."""
        return [self.lists.named[at] for at in np.flatnonzero(self.lists.counts).tolist()]

    def by_item(self, value: object, name: str, absent: object = None) -> Any:
        """A value for each code, from a mapping or an array by item; absent: for no entry."""
        if value is None:
            raise ValueError(f"{name} is needed for this measure; give a mapping item -> value")
        lists = self.lists
        if isinstance(value, Mapping):
            refuse_unlike_kinds(value, self.items, f"{name} has items")
            lacking = next((one for one in self.items if one not in value), None)
            if absent is None and lacking is not None:
                raise ValueError(f"{name} has no entry for item {describe(lacking)}; add one")
            return [value.get(item, absent) for item in lists.named]
        table = plain_array(value, name)
        if table.ndim == 0:
            raise TypeError(f"{name} is {describe(value)}; give a mapping item -> value")
        is_recommended = lists.counts > 0
        ids = np.arange(lists.n_codes) if not lists.ids else np.array(lists.named)
        if ids.size and (ids.dtype.kind not in "iu" or ids.min() < 0):
            raise TypeError(
                f"{name} is an array, but items are not integers from 0 on; give a dict"
            )
        beyond = is_recommended & (ids >= len(table)) if ids.size else is_recommended
        if beyond.any():
            item = ids[int(beyond.argmax())]
            raise ValueError(f"{name} has {len(table)} entries, but item {item} is shown; add one")
        return table[np.minimum(ids, len(table) - 1)] if len(table) else table

    @cached_property
    def interactions(self) -> tuple[Floats, Floats]:
        """How popular each shown item is, and the popularity of all items that have an entry."""
        value = self.popularity
        of_recommended = _numbers(self.by_item(value, "popularity", 0), "popularity")
        of_all = list(value.values()) if isinstance(value, Mapping) else value
        numbers = _numbers(of_all, "popularity")
        bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
        if bad.size:
            raise ValueError(
                f"popularity holds {numbers[bad[0]]}; it must be a finite number of at least 0"
            )
        return of_recommended, numbers

    @cached_property
    def vectors(self) -> Any:
        """The features of each code; those of items that are not shown do not count."""
        rows = self.by_item(self.features, "features")
        if isinstance(rows, list):
            rows = [np.asarray(one) if one is not None else one for one in rows]
            shapes = {one.shape: at for at, one in enumerate(rows) if one is not None}
            if len(shapes) > 1:
                (a, at), (b, other) = list(shapes.items())[:2]
                raise ValueError(
                    f"features of item {describe(self.lists.named[at])} are of shape {a}, those of "
                    "item "
                    f"{describe(self.lists.named[other])} of shape {b}; give vectors of one length"
                )
            nothing = np.zeros(next(iter(shapes), (0,)))
            rows = [nothing if one is None else one for one in rows] or np.zeros((0, 1))
        vectors = _numbers(rows, "features")
        if vectors.ndim != 2:
            raise ValueError(
                f"features must be a vector for each item, not of shape {vectors.shape}"
            )
        return vectors

    @cached_property
    def kinds(self) -> tuple[Any, list[frozenset[Any]] | None]:
        """The number of the category, or set of categories, of each code; the sets, if any."""
        values = self.by_item(self.categories, "categories")
        if isinstance(values, np.ndarray):
            if values.ndim != 1:
                raise ValueError(
                    "categories must have one category for each item; for several give a dict "
                    "item -> set of categories; else give features"
                )
            values = values.tolist()
        several = any(isinstance(one, SEVERAL) for one in values)
        numbers: dict[Any, int] = {}
        codes = np.zeros(len(values), np.int64)
        for at in np.flatnonzero(self.lists.counts > 0).tolist():
            one = values[at]
            parts = one.tolist() if isinstance(one, np.ndarray) else one
            parts = parts if isinstance(parts, SEVERAL) else [parts]
            try:
                key = frozenset(parts)
            except TypeError:
                key = frozenset([None])
            if any(map(is_missing, key)):
                raise ValueError(
                    f"categories of item {describe(self.lists.named[at])} are {describe(one)}; "
                    "give a "
                    "category, or a list or set of them, which may be empty"
                )
            codes[at] = numbers.setdefault(key, len(numbers))
        return codes, list(numbers) if several else None

    @cached_property
    def n_items(self) -> int:
        """How many items the catalogue has; items outside of it are refused."""
        catalogue = self.catalogue
        if catalogue is None:
            if self.popularity is None:
                raise ValueError(
                    "catalogue is needed for this measure: all items that could be shown, or their "
                    "number"
                )
            catalogue = self.popularity
            if not isinstance(catalogue, Mapping):
                catalogue = len(catalogue)
        if isinstance(catalogue, (int, np.integer)) and not isinstance(catalogue, bool):
            return check_size(int(catalogue), len(self.items))
        if isinstance(catalogue, (str, bytes)):
            raise TypeError(f"catalogue is {describe(catalogue)}; give its ids, or their number")
        if not isinstance(catalogue, (AnySet, Mapping)):
            ids = catalogue.tolist() if hasattr(catalogue, "tolist") else catalogue
            try:
                catalogue = set(ids)
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
            rows: list[Any] = [
                matrix.indices[a:b][matrix.data[a:b] > 0].tolist()
                for a, b in pairwise(matrix.indptr.tolist())
            ]
        else:
            side = read_ids(materialise(value), name, relevant=k is None)
            rows = as_lists(side.rows, name, k is None)
            if not self.is_cut or k is not None:
                rows = cut_filling([[self.items], rows], ["recommended", name])[1]
            if side.single:
                rows *= self.users
            else:
                users = IdLists("recommended", [()] * self.users, self.named_users, False)
                paired = pair(side._replace(rows=rows), users)
                rows, at = paired.retrieved, np.flatnonzero(~paired.has_retrieved).tolist()
                if at and k is not None:
                    raise ValueError(
                        f"{name} has no list of {describe(self.queries[at[0]])}; give one, which "
                        "may be "
                        "empty"
                    )
                if at:
                    warn(
                        f"{name} has no list of {len(at)} of {self.users} users, such as "
                        f"{describe(self.queries[at[0]])}: for them nothing is relevant; do the "
                        "users "
                        "agree?"
                    )
        if len(rows) != self.users:
            raise ValueError(f"{name} has {len(rows)} lists, but recommended has {self.users}")
        refuse_unlike_kinds(chain.from_iterable(rows), self.items, f"{name} has ids")
        if k is None:
            return [
                {one for one, label in row.items() if label > 0} if isinstance(row, Mapping)
                else set(row) for row in rows
            ]  # fmt: skip
        return [set(list(row)[:k]) for row in rows]


SEVERAL = (list, tuple, set, frozenset)  # categories of one item


def _map_items(value: Any, name: str) -> Any:
    """What is known of items, as a dict or an array; of a frame of interactions their numbers."""
    if value is None or isinstance(value, Mapping):
        return value
    if is_frame(value):
        if name == "popularity":
            return count_interactions(value, name)
        frame = value.frame if isinstance(value, IdTable) else value
        raise TypeError(
            f"{name} is a {type(frame).__name__}; give a dict item -> value, or an array by item"
        )
    if hasattr(value, "to_dict"):
        mapped = value.to_dict()
        if len(mapped) < len(value):
            raise ValueError(f"{name} is a Series that has an item twice; keep one of them")
        return mapped
    if isinstance(value, (AnySet, str, bytes)):
        raise TypeError(f"{name} is {describe(value)}; give a mapping item -> value")
    return materialise(value)


def _numbers(values: object, name: str) -> Any:
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must hold numbers: {error}") from None
