"""Measures of all recommended lists together: coverage, Gini, entropy and personalisation.

An evaluation with such a measure keeps the lists. So parts merge exactly, and each list says by how
much a number changes without it (the jackknife), which intervals and tests use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.exact import exact_sum
from ..inputs.ids import code_ids
from ..inputs.printable import refuse_mixed
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
        codes: Integers,
        sizes: Integers,
        ids: list[Any] | None = None,
        n_items: int | None = None,
        places: Integers | None = None,
    ) -> None:
        self.codes: Any = codes
        self.places: Any = places  # of each code in its list, from 0, if ranks have gaps
        self.sizes: Any = sizes  # how many items each list has
        self.ids = ids  # by code; None: codes are the ids
        self.n_items = n_items  # of the catalogue; None: no measure needs it
        self.n_codes = int(self.codes.max()) + 1 if len(codes) else 0  # also of unsigned ones

    @classmethod
    def of(
        cls, lists: Iterable[Any], n_items: int | None = None, *, is_cut: bool = False
    ) -> RecommendedLists:
        """Of lists of ids, which are of one type and not twice in a list; -1 fills their ends.

        is_cut: no -1 fills an end, so that one is an id.
        """
        rows = list(lists)
        (codes,), ids = code_ids([rows], ["recommended"], is_cut=is_cut)
        places = None
        if any(type(row) is RankedIds for row in rows):
            by_list = (
                (row.rank_places() if type(row) is RankedIds else range(size))[:size]
                for row, size in zip(rows, codes.sizes.tolist(), strict=True)
            )
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

    def __reduce__(self) -> tuple[Any, ...]:
        return RecommendedLists, (self.codes, self.sizes, self.ids, self.n_items, self.places)

    @cached_property
    def counts(self) -> Any:
        """How often each code is shown, at any rank."""
        return np.bincount(self.codes, minlength=self.n_codes)

    @cached_property
    def named(self) -> list[Any]:
        """The id of each code."""
        return list(range(self.n_codes)) if self.ids is None else self.ids

    def to_lists(self) -> list[list[Any]]:
        """The ids of each list."""
        ids = self.codes.tolist()
        if self.ids is not None:
            ids = [self.ids[code] for code in ids]
        stops = np.cumsum(self.sizes).tolist()
        return [ids[stop - size : stop] for stop, size in zip(stops, self.sizes, strict=True)]

    def at(self, places: Integers) -> RecommendedLists:
        """Some of the lists."""
        starts = np.cumsum(self.sizes) - self.sizes
        sizes = self.sizes[places]
        inside = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        selected = np.repeat(starts[places], sizes) + inside
        by_rank = None if self.places is None else self.places[selected]
        return RecommendedLists(self.codes[selected], sizes, self.ids, self.n_items, by_rank)

    def stored(self, k: int) -> RecommendedLists:
        """A copy of the first k items of each list, for an evaluation to keep."""
        first = FirstItems(self, k)
        kind = np.int32 if self.n_codes < 2**31 else np.int64
        codes, sizes = first.codes.astype(kind), first.sizes.astype(np.int64)
        codes.flags.writeable = sizes.flags.writeable = False
        places = None if self.places is None else self.places[self.places < k]
        return RecommendedLists(codes, sizes, self.ids, self.n_items, places)

    @staticmethod
    def joined(parts: Mapping[int, RecommendedLists]) -> RecommendedLists:
        """The lists of all parts, by their numbers; all must have one size of the catalogue."""
        base, first = next(iter(parts.items()))
        for at, one in parts.items():
            if one.n_items != first.n_items:
                raise ValueError(
                    f"catalogue of parts[{base}] and parts[{at}] differ: {first.n_items} and "
                    f"{one.n_items} items; evaluate all parts with one catalogue="
                )
        sizes = np.concatenate([one.sizes for one in parts.values()])
        ids = None
        if all(one.ids is None for one in parts.values()):
            codes = [one.codes for one in parts.values()]
        else:
            code_of: dict[Any, int] = {}
            codes = []
            for one in parts.values():
                table = [code_of.setdefault(item, len(code_of)) for item in one.named]
                codes.append(np.array(table, np.int64)[one.codes])
            refuse_mixed(list(code_of), lambda at: f"recommended: id {at}")
            ids = list(code_of)
        places = None
        if any(one.places is not None for one in parts.values()):
            places = np.concatenate([one.filled_places for one in parts.values()])
        return RecommendedLists(np.concatenate(codes), sizes, ids, first.n_items, places)

    @property
    def filled_places(self) -> Any:
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
        self.matrix: Any = None  # rows of codes, where all lists are of one length
        if lists.places is not None:
            inside = lists.places < k
            self.codes = lists.codes[inside]
            users = np.repeat(np.arange(self.users), lists.sizes)[inside]
            self.sizes = np.bincount(users, minlength=self.users)
        elif self.users and (lists.sizes == lists.sizes[0]).all():
            self.matrix = lists.codes.reshape(self.users, -1)[:, :k]
            self.codes = self.matrix.reshape(-1)
        else:
            self.codes = lists.codes[lists.filled_places < k]

    @cached_property
    def rows(self) -> Any:
        return np.repeat(np.arange(self.users), self.sizes)

    @cached_property
    def counts(self) -> Any:
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
        return ratio_or_nan(self.sums(values), self.sizes)


def ratio_or_nan(above: Array | float, below: Array | float) -> Array:
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


def value_and_column(evaluation: Evaluation, name: str) -> tuple[float, Any]:
    """The number of all lists, and the values of each list, nan where it has none."""
    family, first = _read(evaluation, name)
    return OF_FAMILY[family][0](first)


def pseudo_values(evaluation: Evaluation, name: str, places: Integers | None = None) -> Any:
    """What each list adds to a number, so that the mean is the number; places: of these lists.

    The jackknife's pseudo-values (Tukey 1958), number + (n - 1) (mean without - without), where
    "without" is the number without this list. Their variance is at least that of the number, on
    average (Efron and Stein, Annals of Statistics 1981). All are nan where one is not defined.
    """
    family, first = _read(evaluation, name, places)
    value_of, without_of = OF_FAMILY[family]
    value, _ = value_of(first)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = without_of(first)
    if not np.isfinite(without).all() or first.users < 2:
        return np.full(first.users, np.nan)
    return value + (first.users - 1) * (without.mean() - without)


def _read(
    evaluation: Evaluation, name: str, places: Integers | None = None
) -> tuple[str, FirstItems]:
    """The family of a measure, and the items that it looks at."""
    measure, lists = parse_measure(name), evaluation.recommended
    if lists is None:
        raise ValueError(
            f"{name} is a number of all lists together, and this evaluation does not hold the "
            "lists; evaluate them again with evaluate_catalogue"
        )
    lists = lists if places is None else lists.at(places)
    return measure.family, FirstItems(lists, measure.k or evaluation.settings["k"])


def _size(first: FirstItems) -> int:
    if not first.lists.n_items:
        raise ValueError("catalogue has no items")
    return check_size(first.lists.n_items, int(np.count_nonzero(first.counts)))


def _coverage(first: FirstItems) -> tuple[float, Any]:
    size = _size(first)
    return int(np.count_nonzero(first.counts)) / size, np.full(first.users, np.nan)


def _coverage_without(first: FirstItems) -> Any:
    unique = first.sums((first.counts == 1).astype(np.float64))
    return (np.count_nonzero(first.counts) - unique) / _size(first)


def _gini(first: FirstItems) -> tuple[float, Any]:
    size, total = _size(first), len(first.codes)
    above = _gini_above(first, size)
    return above / (size * total) if total else math.nan, np.full(first.users, np.nan)


def _gini_above(first: FirstItems, size: int) -> int:
    """Sum of (2 j - C - 1) c_j, c in ascending order, j from 1: sum of |c_i - c_j| over pairs."""
    counts = np.sort(first.counts[first.counts > 0])
    places = np.arange(1, len(counts) + 1)
    # The least place that is shown is size - m + 1: multiplied by ints, which do not overflow.
    return 2 * int((places * counts).sum()) + (size - 2 * len(counts) - 1) * int(counts.sum())


def _gini_without(first: FirstItems) -> Any:
    """A list takes 1 from each of its items, so from |c_i - c_j| only where one is in it."""
    size, counts = float(_size(first)), first.counts
    positive = np.sort(counts[counts > 0])
    less = size - len(positive) + np.searchsorted(positive, counts)
    change = first.sums((size - 1 - less) - less)
    # Two items of the list that are shown as often were taken for nearer, twice.
    base = int(counts.max(initial=0)) + 1
    pair, items = np.unique(first.rows * base + counts[first.codes], return_counts=True)
    change -= np.bincount(pair // base, items * (items - 1.0), first.users)
    return (_gini_above(first, _size(first)) + change) / (size * (len(first.codes) - first.sizes))


def _entropy(first: FirstItems) -> tuple[float, Any]:
    counts = first.counts[first.counts > 0]
    shares = counts / counts.sum()
    value = math.fsum((-shares * np.log(shares)).tolist()) if len(counts) else math.nan
    return value, np.full(first.users, np.nan)


def _entropy_without(first: FirstItems) -> Any:
    """ln T - sum of c ln c / T, where T is the sum of the counts c."""
    counts = first.counts.astype(np.float64)
    logarithms = counts * np.log(np.maximum(counts, 1))
    less = (counts - 1) * np.log(np.maximum(counts - 1, 1))
    total = (len(first.codes) - first.sizes).astype(np.float64)
    return np.log(total) - (logarithms.sum() - first.sums(logarithms - less)) / total


def _overlaps(first: FirstItems) -> Any:
    """For each list the sum of |A and B| / sqrt(|A| |B|) over the others; nan if it is empty."""
    weight = ratio_or_nan(1.0, np.sqrt(first.sizes))
    by_item = np.zeros(first.lists.n_codes)
    for size in np.unique(first.sizes[first.sizes > 0]).tolist():  # so no order of lists matters
        codes = first.codes if first.matrix is not None else first.codes[
            np.repeat(first.sizes == size, first.sizes)
        ]  # fmt: skip
        by_item += np.bincount(codes, minlength=len(by_item)) / math.sqrt(size)
    return np.where(first.sizes > 0, first.sums(by_item) * weight - 1.0, np.nan)


def _personalisation(first: FirstItems) -> tuple[float, Any]:
    overlaps = _overlaps(first)
    filled = np.isfinite(overlaps)
    n = int(filled.sum())
    if n < 2:
        return math.nan, np.full(first.users, np.nan)
    column = np.clip(1.0 - overlaps / (n - 1), 0.0, 1.0)  # beyond by a bit, else
    return exact_sum(column[filled]) / n, column


def _personalisation_without(first: FirstItems) -> Any:
    overlaps = np.nan_to_num(_overlaps(first))
    left = np.count_nonzero(first.sizes) - (first.sizes > 0)
    return 1.0 - (overlaps.sum() - 2 * overlaps) / (left * (left - 1.0))


# Of a measure of all lists: its value and column, and its values without each of the lists.
OF_FAMILY = {
    "Coverage": (_coverage, _coverage_without),
    "Gini": (_gini, _gini_without),
    "Entropy": (_entropy, _entropy_without),
    "Personalisation": (_personalisation, _personalisation_without),
}
