"""The items that recommended lists show, as codes, and what is known of each item."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AnySet
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..inputs.arrays import plain_array
from ..inputs.sparse import looks_sparse, read_sparse
from ..inputs.topk import row_sizes
from ..measures.all_lists import DENSE, RecommendedLists, checked_size
from .ids import read_side

if TYPE_CHECKING:
    from ..inputs.types import Array, ByItem, Floats, RankedIds, RelevantIds


class RecommendedItems:
    """The shown items as codes, user by user in rank order, and what is known of them."""

    def __init__(
        self,
        recommended: RankedIds,
        catalogue: Any,
        popularity: Any,
        features: ByItem | None,
        categories: ByItem | None,
        relevant: RelevantIds | None,
        baseline: RankedIds | None,
    ) -> None:
        self.catalogue, self.popularity = catalogue, popularity
        self.features, self.categories = features, categories
        self.relevant, self.baseline = relevant, baseline
        self.queries: Any = None
        rows = plain_array(recommended, "recommended") if _is_matrix(recommended) else None
        if rows is None:
            side = read_side(recommended, "recommended")
            self.queries, self.lists = side.users, RecommendedLists.of(side.rows)
        else:
            codes, sizes = _codes_of_rows(rows)
            ids = None
            if len(codes) and int(codes.max()) >= DENSE:
                known, codes = np.unique(codes, return_inverse=True)
                ids = known.tolist()
            self.lists = RecommendedLists(codes, sizes, ids)
        self.users = len(self.lists)
        if self.queries is None:
            self.queries = range(self.users)

    def by_item(self, value: ByItem | None, name: str, absent: object = None) -> Any:
        """A value for each code, from a mapping or an array by item; absent: for no entry."""
        if value is None:
            raise ValueError(f"{name} is needed for this measure; give a mapping item -> value")
        if hasattr(value, "to_dict") and not isinstance(value, Mapping):
            value = value.to_dict()
        lists = self.lists
        is_recommended = lists.counts > 0
        if isinstance(value, Mapping):
            if lists.ids is None and absent is not None and len(value) > 4 * lists.n_codes:
                items = range(lists.n_codes)
            else:
                items = lists.named  # type: ignore[assignment]
            if absent is None:
                for at in np.flatnonzero(is_recommended).tolist():
                    if items[at] not in value:
                        raise ValueError(f"{name} has no entry for item {items[at]!r}; add one")
                first = next(iter(value.values()), 0.0)
                absent = np.zeros_like(first) if np.ndim(first) else first
            return np.array([value.get(item, absent) for item in items])
        table = plain_array(value, name)
        ids = np.array(lists.named) if lists.ids is not None else np.arange(lists.n_codes)
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
        of_recommended = np.asarray(self.by_item(self.popularity, "popularity", 0), np.float64)
        value = (
            self.popularity.to_dict() if hasattr(self.popularity, "to_dict") else self.popularity
        )
        of_all = list(value.values()) if isinstance(value, Mapping) else value
        numbers = np.asarray(of_all, np.float64)
        bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
        if bad.size:
            raise ValueError(
                f"popularity holds {numbers[bad[0]]}; it must be a finite number of at least 0"
            )
        return of_recommended, numbers

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
                catalogue = list(catalogue.keys()) if hasattr(catalogue, "keys") else len(catalogue)
        lists = self.lists
        count = lists.counts > 0
        if isinstance(catalogue, (int, np.integer)) and not isinstance(catalogue, bool):
            return checked_size(int(catalogue), int(count.sum()))
        if not isinstance(catalogue, (AnySet, Mapping)):
            ids = catalogue.tolist() if hasattr(catalogue, "tolist") else catalogue
            catalogue = set(ids)
        for at in np.flatnonzero(count).tolist():
            if lists.named[at] not in catalogue:
                raise ValueError(f"item {lists.named[at]!r} is shown, but not in the catalogue")
        return len(catalogue)

    def members(self, value: RankedIds | RelevantIds, name: str, k: int | None = None) -> list[Any]:
        """For each user the set of ids of an argument, the first k of each."""
        if looks_sparse(value):
            sparse = read_sparse(value, name)
            data, stops = np.asarray(sparse.indices), sparse.indptr.tolist()
            rows: list[Any] = [data[a:b].tolist() for a, b in pairwise(stops)]
        else:
            side = read_side(value, name, k is None)
            rows = side.rows
            if side.single:
                rows = rows * self.users
            elif side.users is not None:
                by_user = dict(zip(side.users, rows, strict=True))
                rows = [by_user.get(user, ()) for user in self.queries]
        if len(rows) != self.users:
            raise ValueError(f"{name} has {len(rows)} lists, but recommended has {self.users}")
        if k is None:
            return [
                {one for one, label in row.items() if label > 0} if isinstance(row, Mapping)
                else set(row) for row in rows
            ]  # fmt: skip
        return [set(list(row)[:k]) for row in rows]


def _is_matrix(value: object) -> bool:
    dtype = getattr(value, "dtype", None)
    return getattr(value, "ndim", 0) == 2 and getattr(dtype, "kind", "") in tuple("iu")


def _codes_of_rows(rows: Array) -> tuple[Array, Array]:
    """The ids of integer rows, without the -1 at their ends, and how many each has."""
    sizes = row_sizes(rows, "recommended")
    if rows.min(initial=0) < 0:
        return rows[rows >= 0], sizes
    return rows.reshape(-1).astype(np.int64, copy=False), sizes
