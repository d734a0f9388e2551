"""Measures of all recommended lists together: coverage, Gini, entropy and personalisation.

An evaluation with such a measure keeps the lists, so that parts merge exactly. Intervals and tests
use the jackknife: by how much the number changes when a list is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.exact import exact_sum
from ..inputs.grouping import factorize
from ..inputs.ids import number_ids
from ..inputs.printable import refuse_mixed_ids
from ..inputs.ranks import RankedIds
from .families import ITEM_ROWS
from .measure import NO_FREE_NAMES, parse_measure

if TYPE_CHECKING:
    from ..evaluation.evaluation import Evaluation
    from ..inputs.types import Array, Integers

DENSE = 1 << 24  # ids below it are their own codes
OVER_ALL_LISTS = {row.name for row in ITEM_ROWS if row.mean == "whole"}


class RecommendedLists:
    """Lists of item ids, best first, as codes one list after the other."""

    def __init__(
        self,
        codes: Array,
        sizes: Integers,
        ids: list[Any] | None = None,
        n_items: int | None = None,
        places: Integers | None = None,
    ) -> None:
        self.codes: Array = codes
        self.places = places  # of each code in its list, from 0, if ranks have gaps
        self.sizes = sizes  # how many items each list has
        self.ids = ids  # by code; None: codes are the ids
        self.n_items = n_items  # of the catalogue; None: no measure needs it
        self.n_codes = 0
        if len(codes):
            self.n_codes = int(self.codes.max()) + 1  # a Python integer: codes may be unsigned

    @classmethod
    def of(
        cls, lists: Iterable[Any], n_items: int | None = None, *, is_cut: bool = False
    ) -> RecommendedLists:
        """Make lists of ids, which are of one type and not twice in a list; -1 fills their ends.

        is_cut: the lists are cut already, so that -1 is an id like any other.
        """
        rows = list(lists)
        (codes,), ids = number_ids([rows], ["recommended"], is_cut=is_cut)
        places = None
        if any(type(row) is RankedIds for row in rows):
            # Some lists have ranks with gaps: each item has the place of its rank.
            by_list = []
            for row, size in zip(rows, codes.sizes.tolist(), strict=True):
                ranks = row.rank_places() if type(row) is RankedIds else range(size)
                by_list.append(ranks[:size])
            places = np.fromiter(chain.from_iterable(by_list), np.int64, len(codes.flat))
        return cls(codes.flat, codes.sizes, ids, n_items, places)

    def __len__(self) -> int:
        return len(self.sizes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecommendedLists):
            return NotImplemented
        if self.n_items != other.n_items or self.to_lists() != other.to_lists():
            return False
        return bool(np.array_equal(self.filled_places, other.filled_places))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return RecommendedLists, (self.codes, self.sizes, self.ids, self.n_items, self.places)

    @cached_property
    def counts(self) -> Integers:
        """How often each code is shown, at any rank."""
        return np.bincount(self.codes, minlength=self.n_codes)

    @cached_property
    def item_ids(self) -> list[object]:
        """The id of each code."""
        if self.ids is None:
            return list(range(self.n_codes))
        return self.ids

    def to_lists(self) -> list[list[object]]:
        """The ids of each list."""
        ids = self.codes.tolist()
        if self.ids is not None:
            ids = list(map(self.ids.__getitem__, ids))
        stops = np.cumsum(self.sizes).tolist()
        return [ids[stop - size : stop] for stop, size in zip(stops, self.sizes, strict=True)]

    def select(self, indices: Integers) -> RecommendedLists:
        """The lists with these indices, in this order."""
        # The codes of the selected lists: for each list its start, and the offsets 0 .. size - 1.
        starts = np.cumsum(self.sizes) - self.sizes
        sizes = self.sizes[indices]
        offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        selected = np.repeat(starts[indices], sizes) + offsets
        by_rank = None if self.places is None else self.places[selected]
        return RecommendedLists(self.codes[selected], sizes, self.ids, self.n_items, by_rank)

    def stored(self, k: int) -> RecommendedLists:
        """A copy of the first k items of each list, for an evaluation to keep."""
        first = FirstItems(self, k)
        dtype = np.int32 if self.n_codes < 2**31 else np.int64
        codes = first.codes.astype(dtype)
        codes.flags.writeable = False
        sizes = first.sizes.astype(np.int64)
        sizes.flags.writeable = False
        places = None if self.places is None else self.places[self.places < k]
        return RecommendedLists(codes, sizes, self.ids, self.n_items, places)

    @staticmethod
    def joined(parts: Mapping[int, RecommendedLists]) -> RecommendedLists:
        """The lists of all parts, by their numbers; all must have one size of the catalogue."""
        first_number, first = next(iter(parts.items()))
        for number, part in parts.items():
            if part.n_items != first.n_items:
                raise ValueError(
                    f"catalogue of parts[{first_number}] and parts[{number}] differ: "
                    f"{first.n_items} and {part.n_items} items; evaluate all parts with one "
                    "catalogue="
                )
        sizes = np.concatenate([part.sizes for part in parts.values()])
        ids = None
        if all(part.ids is None for part in parts.values()):
            codes = [part.codes for part in parts.values()]
        else:
            # Each part has codes of its own: number the ids of all parts together. The new codes of
            # a part's ids, in the order of its own codes, are a table from old to new.
            ids_of_parts = [part.item_ids for part in parts.values()]
            new_codes, ids = factorize(chain.from_iterable(ids_of_parts))
            refuse_mixed_ids(ids, lambda index: f"recommended: id {index}")
            stops = np.cumsum(list(map(len, ids_of_parts)))
            tables = np.split(new_codes, stops[:-1])
            codes = [table[part.codes] for table, part in zip(tables, parts.values(), strict=True)]
        places = None
        if any(part.places is not None for part in parts.values()):
            places = np.concatenate([part.filled_places for part in parts.values()])
        return RecommendedLists(np.concatenate(codes), sizes, ids, first.n_items, places)

    @property
    def filled_places(self) -> Integers:
        """The place of each code in its list, from 0."""
        if self.places is not None:
            return self.places
        starts = np.cumsum(self.sizes) - self.sizes
        return np.arange(len(self.codes)) - np.repeat(starts, self.sizes)


class FirstItems:
    """The first k items of each list."""

    def __init__(self, lists: RecommendedLists, k: int) -> None:
        self.lists, self.k = lists, k
        self.users = len(lists)
        self.sizes = np.minimum(lists.sizes, k)
        self.matrix: Array | None = None  # rows of codes, if all lists are of one length
        if lists.places is not None:
            is_first = lists.places < k
            self.codes = lists.codes[is_first]
            users = np.repeat(np.arange(self.users), lists.sizes)[is_first]
            self.sizes = np.bincount(users, minlength=self.users)
        elif self.users and (lists.sizes == lists.sizes[0]).all():
            self.matrix = lists.codes.reshape(self.users, -1)[:, :k]
            self.codes = self.matrix.reshape(-1)
        else:
            self.codes = lists.codes[lists.filled_places < k]

    @cached_property
    def rows(self) -> Integers:
        """The list of each item."""
        return np.repeat(np.arange(self.users), self.sizes)

    @cached_property
    def counts(self) -> Integers:
        """How often each code is shown."""
        if len(self.codes) == len(self.lists.codes):
            return self.lists.counts
        return np.bincount(self.codes, minlength=self.lists.n_codes)

    def sums(self, values: Array) -> Array:
        """For each user the sum over its items, in rank order."""
        if self.matrix is not None:
            total = np.zeros(self.users)
            for codes in self.matrix.T:
                total += values[codes]
            return total
        return np.bincount(self.rows, weights=values[self.codes], minlength=self.users)

    def mean(self, values: Array) -> Array:
        """For each user the mean over its items; nan for a user without items."""
        return ratio_or_nan(self.sums(values), self.sizes)


def ratio_or_nan(above: Array | float, below: Array | float) -> Array:
    """above / below, and nan where `below` is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(below) > 0, above / below, np.nan)


def check_size(size: int, recommended: int) -> int:
    """The size of the catalogue; an error if more items are recommended."""
    if recommended > size:
        raise ValueError(
            f"catalogue={size} is too small: {recommended} different items were recommended"
        )
    return size


def is_over_all_lists(name: str, better: Mapping[str, str] = NO_FREE_NAMES) -> bool:
    """Whether a measure is one number of all lists together; free names, in `better`, never are."""
    return name not in better and parse_measure(name).family in OVER_ALL_LISTS


def value_and_column(evaluation: Evaluation, name: str) -> tuple[float, Array]:
    """The number of all lists, and the values of each list, nan where it has none."""
    family, top_items = _read(evaluation, name)
    return OF_FAMILY[family][0](top_items)


def pseudo_values(evaluation: Evaluation, name: str, lists: Integers | None = None) -> Array:
    """The jackknife's pseudo-values of a number of all lists; `lists`: indices of those to use.

    The pseudo-value of list i is t + (n - 1) (mean(t_without) - t_without[i]), where t is the
    number of all n lists and t_without[i] the number without list i (Tukey 1958). Their mean is t.
    Their variance is at least that of t, on average (Efron and Stein, Annals of Statistics 1981).
    All are nan if one of the numbers is not defined.
    """
    family, top_items = _read(evaluation, name, lists)
    value_of, without_of = OF_FAMILY[family]
    value, _ = value_of(top_items)
    with np.errstate(divide="ignore", invalid="ignore"):
        values_without = without_of(top_items)
    if not np.isfinite(values_without).all() or top_items.users < 2:
        return np.full(top_items.users, np.nan)
    result: Array = value + (top_items.users - 1) * (values_without.mean() - values_without)
    return result


def _read(
    evaluation: Evaluation, name: str, indices: Integers | None = None
) -> tuple[str, FirstItems]:
    """The family of a measure, and the items that it looks at."""
    measure = parse_measure(name)
    recommended = evaluation.recommended
    if recommended is None:
        raise ValueError(
            f"{name} is a number of all lists together, and this evaluation does not hold the "
            "lists; evaluate them again with evaluate_catalogue"
        )
    if indices is not None:
        recommended = recommended.select(indices)
    return measure.family, FirstItems(recommended, measure.k or evaluation.settings["k"])


def _size(top_items: FirstItems) -> int:
    """The number of items of the catalogue, which is at least the number of items shown."""
    if not top_items.lists.n_items:
        raise ValueError("catalogue has no items")
    return check_size(top_items.lists.n_items, int(np.count_nonzero(top_items.counts)))


def _coverage(top_items: FirstItems) -> tuple[float, Array]:
    """Items shown / items of the catalogue."""
    size = _size(top_items)
    return int(np.count_nonzero(top_items.counts)) / size, np.full(top_items.users, np.nan)


def _coverage_without(top_items: FirstItems) -> Array:
    """Without a list, the items that only this list shows are gone."""
    unique = top_items.sums((top_items.counts == 1).astype(np.float64))
    return (np.count_nonzero(top_items.counts) - unique) / _size(top_items)


def _gini(top_items: FirstItems) -> tuple[float, Array]:
    """Sum of |c_i - c_j| over pairs of items / (C T): C items, shown c times each, T in all."""
    size = _size(top_items)
    total = len(top_items.codes)
    value = math.nan
    if total:
        value = _sum_differences(top_items, size) / (size * total)
    return value, np.full(top_items.users, np.nan)


def _sum_differences(top_items: FirstItems, size: int) -> int:
    """The sum of |c_i - c_j| over pairs of items, with counts c of all `size` items.

    With the counts in ascending order, c_j is the larger one of j - 1 pairs and the smaller one of
    C - j, so the sum is that of (2 j - C - 1) c_j. Items with the count 0 add nothing.
    """
    counts = np.sort(top_items.counts[top_items.counts > 0])
    # The m items with a count are the last in the order: the i-th of them has j = C - m + i, and
    # 2 j - C - 1 = 2 i + (C - 2 m - 1). The second part is a Python int, which does not overflow.
    i = np.arange(1, len(counts) + 1)
    return 2 * int((i * counts).sum()) + (size - 2 * len(counts) - 1) * int(counts.sum())


def _gini_without(top_items: FirstItems) -> Array:
    """Gini without each list: the counts of the list's items are smaller by 1."""
    size, counts = float(_size(top_items)), top_items.counts
    positive = np.sort(counts[counts > 0])
    # Take 1 from the count of one item. |c_i - c_j| grows by 1 for each other item with a count
    # as large or larger, and shrinks by 1 for each with a smaller count.
    smaller_counts = size - len(positive) + np.searchsorted(positive, counts)
    change = top_items.sums((size - 1 - smaller_counts) - smaller_counts)
    # Two items of the list with equal counts remain equal, but each was counted above as moving
    # away from the other: for m such items that is m (m - 1) too much.
    base = int(counts.max(initial=0)) + 1
    keys = top_items.rows * base + counts[top_items.codes]
    row_and_count, items = np.unique(keys, return_counts=True)
    change -= np.bincount(row_and_count // base, items * (items - 1.0), top_items.users)
    differences = _sum_differences(top_items, _size(top_items)) + change
    return differences / (size * (len(top_items.codes) - top_items.sizes))


def _entropy(top_items: FirstItems) -> tuple[float, Array]:
    """Sum of -p ln p, where p is an item's share of all items shown."""
    counts = top_items.counts[top_items.counts > 0]
    value = math.nan
    if len(counts):
        fractions = counts / counts.sum()
        terms = -fractions * np.log(fractions)
        value = math.fsum(terms.tolist())
    return value, np.full(top_items.users, np.nan)


def _entropy_without(top_items: FirstItems) -> Array:
    """Entropy without each list, as ln T - (sum of c ln c) / T with T the sum of the counts c."""
    counts = top_items.counts.astype(np.float64)
    # Without a list, T falls by its size, and the count c of each of its items by 1: its term c ln
    # c becomes (c - 1) ln(c - 1).
    terms = counts * np.log(np.maximum(counts, 1))
    terms_without = (counts - 1) * np.log(np.maximum(counts - 1, 1))
    total = (len(top_items.codes) - top_items.sizes).astype(np.float64)
    sums_left = terms.sum() - top_items.sums(terms - terms_without)
    result: Array = np.log(total) - sums_left / total
    return result


def _overlaps(top_items: FirstItems) -> Array:
    """For each list A the sum over the other lists B of |A and B| / sqrt(|A| |B|).

    It is the sum over the items of A of 1 / sqrt(|B|) for each list B that has the item, divided by
    sqrt(|A|). A itself adds 1, which is taken off. nan for an empty list.
    """
    weight = ratio_or_nan(1.0, np.sqrt(top_items.sizes))
    by_item = np.zeros(top_items.lists.n_codes)
    # Lists of one size at a time: counts are integers, so the order of lists changes no bit.
    for size in np.unique(top_items.sizes[top_items.sizes > 0]).tolist():
        codes = top_items.codes
        if top_items.matrix is None:
            codes = codes[np.repeat(top_items.sizes == size, top_items.sizes)]
        by_item += np.bincount(codes, minlength=len(by_item)) / math.sqrt(size)
    return np.where(top_items.sizes > 0, top_items.sums(by_item) * weight - 1.0, np.nan)


def _personalisation(top_items: FirstItems) -> tuple[float, Array]:
    """1 minus the mean overlap of a list with another one; the column has the mean of each list."""
    overlaps = _overlaps(top_items)
    filled = np.isfinite(overlaps)
    n = int(filled.sum())
    if n < 2:
        return math.nan, np.full(top_items.users, np.nan)
    column = np.clip(1.0 - overlaps / (n - 1), 0.0, 1.0)  # rounding may lead outside of 0 .. 1
    return exact_sum(column[filled]) / n, column


def _personalisation_without(top_items: FirstItems) -> Array:
    """Without a list, its overlaps with the others are gone: once in its sum, once in theirs."""
    overlaps = np.nan_to_num(_overlaps(top_items))
    lists_left = np.count_nonzero(top_items.sizes) - (top_items.sizes > 0)
    pairs_left = lists_left * (lists_left - 1.0)
    result: Array = 1.0 - (overlaps.sum() - 2 * overlaps) / pairs_left
    return result


# Of a measure of all lists: its value and column, and its values without each of the lists.
OF_FAMILY = {
    "Coverage": (_coverage, _coverage_without),
    "Gini": (_gini, _gini_without),
    "Entropy": (_entropy, _entropy_without),
    "Personalisation": (_personalisation, _personalisation_without),
}
