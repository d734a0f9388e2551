"""Measures of the recommended items themselves: what all lists show of a catalogue, and how."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AnySet
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention import get_convention
from ..engine.means import MeanRule
from ..engine.settings import cutoff
from ..inputs.arrays import plain_array
from ..inputs.kinds import kind_of
from ..inputs.sparse import looks_sparse, read_sparse
from ..measures.catalogue import CATALOGUE_ROWS
from ..measures.measure import Measure, parse_measures
from .evaluation import Evaluation
from .ids import read_side
from .sums.merging import with_means

if TYPE_CHECKING:
    from ..measures.types import Measures, RankedIds, RelevantIds

DENSE = 1 << 24  # ids below it are their own codes
HEAD = 0.2  # the share of items, the most popular, that are no tail
ROOM = 1 << 20  # numbers of feature vectors at a time
WHOLE = {row.name for row in CATALOGUE_ROWS if row.mean == "whole"}


def evaluate_catalogue(
    recommended: RankedIds,
    measures: Measures,
    *,
    k: int,
    catalogue: Any = None,
    popularity: Any = None,
    features: Any = None,
    categories: Any = None,
    relevant: RelevantIds | None = None,
    baseline: Any = None,
) -> Evaluation:
    """Evaluate what the first k items of all lists show: coverage, popularity, diversity.

    Parameters
    ----------
    recommended : int array of shape (users, items), lists of ids, or a mapping user -> list
        Ids, best first, as `evaluate_ids` takes them; -1 fills the end of a row of integers.
    measures : str, Measure, or a sequence of them
        "Coverage" (share of the catalogue that is shown), "Gini" (of how often each item of the
        catalogue is shown, those never shown included), "Entropy" (in nats, of shown items),
        "Personalisation" (1 - mean cosine overlap of two lists); and for each user "Novelty" (mean
        of -log2 of an item's share of all interactions), "Popularity" (mean), "TailShare" (share of
        items that are not among the most popular fifth; ties count as popular), "NewItems" (share
        without interactions), "ILD" (mean distance of two items of the list), "Serendipity" (share
        of items that the baseline does not show and that are relevant).
    k : int of at least 1
        How many items of a list count. A name may have its own, as in "Coverage@5".
    catalogue : int, or ids, optional
        All items that could be shown, or their number. Left out, those of `popularity`.
    popularity : mapping item -> interactions, or array by item, optional
        An item without an entry in a mapping has none.
    features : mapping item -> vector, or array (items, features), optional
        For "ILD": distance 1 - cosine.
    categories : mapping item -> category, or array by item, optional
        For "ILD" without features: distance 1 between items of two categories, else 0.
    relevant : lists, sets or dicts id -> label, one for each list, or a mapping, optional
        For "Serendipity"; left out, each item is relevant.
    baseline : one list of ids for all, lists of ids, or a mapping user -> list
        For "Serendipity": what would have been expected; its first k count.

    Returns
    -------
    Evaluation
        Coverage, Gini, Entropy and Personalisation are of all lists together: they have no
        intervals, and merging or comparing them is refused. The others are means over users; an
        empty list, or for "ILD" one of a single item, is left out of them, and counted.

    A list with an id twice, an item outside of the catalogue, an item without popularity where
    "Novelty" is asked, and a measure without what it needs are a ValueError that says so.

    >>> import rankgain as rg
    >>> result = rg.evaluate_catalogue(
    ...     [[1, 2], [1, 3]], ["Coverage", "Gini", "Popularity"], k=2, catalogue=4,
    ...     popularity={1: 6, 2: 1, 3: 1},
    ... )
    >>> print(result)
    measure        mean
    Coverage     0.7500
    Gini         0.3750
    Popularity   3.5000
    2 queries (convention rankgain)

    Vargas and Castells 2011, RecSys; Ge, Delgado-Battenfeld and Jannach 2010, RecSys.
    """
    k = _checked_k(k)
    shown = _Shown(recommended, catalogue, popularity, features, categories, relevant, baseline)
    known = {row.name for row in CATALOGUE_ROWS}
    values: dict[str, Any] = {}
    means: dict[str, float] = {}
    requested: dict[str, str] = {}  # Coverage@10 is Coverage where k is 10
    for measure in parse_measures(measures):
        if measure.family not in known:
            raise ValueError(
                f"measure {str(measure)!r} is of ranked lists and their labels, which "
                f"evaluate_ids takes; evaluate_catalogue has {', '.join(sorted(known))}"
            )
        name = str(measure)
        if measure.k is None:
            requested[str(Measure(measure.family, k=k))] = name
        result = MEASURES[measure.family](shown.first(measure.k or k))
        values[name] = column = np.full(shown.users, np.nan)
        if measure.family == "Personalisation":
            column[:] = result
            result = np.nanmean(column) if np.isfinite(column).any() else np.nan
        if measure.family in WHOLE:
            means[name] = float(result)
        else:
            column[:] = result
    return _evaluation(values, means, shown, requested, k)


def _evaluation(
    values: dict[str, Any],
    means: dict[str, float],
    shown: _Shown,
    requested: dict[str, str],
    k: int,
) -> Evaluation:
    rules = get_convention("rankgain")
    undefined = {
        name: int(np.isnan(one).sum()) for name, one in values.items() if name not in means
    }
    undefined = {name: count for name, count in undefined.items() if count}
    counts: dict[str, Any] = {"queries": shown.users}
    if undefined:
        counts |= {"undefined": undefined, "undefined_as": dict.fromkeys(undefined, "skip")}

    def built(means: Mapping[str, float], names: Iterable[str], counts: Any) -> Evaluation:
        return Evaluation(
            means,
            {name: values[name] for name in names},
            shown.queries,
            convention=rules.name,
            counts=counts,
            versions={"convention": rules.version},
            requested=requested,
            settings={"k": k},
            rules=rules,
            mean_rule=MeanRule.of(rules),
        )

    by_user = [name for name in values if name not in means]
    over_users = with_means(built(dict.fromkeys(by_user, 0.0), by_user, counts)).means
    return built({name: {**over_users, **means}[name] for name in values}, values, counts)


def _checked_k(k: Any) -> int:
    result = cutoff(k)
    if result is None:
        raise TypeError("k must be an int of at least 1: how many items of each list count")
    return result


class _Shown:
    """The shown items as codes, user by user in rank order, and what is known of them."""

    def __init__(
        self,
        recommended: Any,
        catalogue: Any,
        popularity: Any,
        features: Any,
        categories: Any,
        relevant: Any,
        baseline: Any,
    ) -> None:
        self.catalogue, self.popularity = catalogue, popularity
        self.features, self.categories = features, categories
        self.relevant, self.baseline = relevant, baseline
        self.queries: Any = None
        self.ids: Any = None  # a list by code; None where codes are ids
        rows = plain_array(recommended, "recommended") if _is_matrix(recommended) else None
        if rows is not None:
            self.codes, self.sizes = _codes_of_rows(rows)
        else:
            self.codes, self.sizes = self._codes_of_lists(recommended)
        self.users = len(self.sizes)
        if self.queries is None:
            self.queries = range(self.users)
        if self.ids is None and len(self.codes) and int(self.codes.max()) >= DENSE:
            ids, self.codes = np.unique(self.codes, return_inverse=True)
            self.ids = ids.tolist()
        self.n_codes = int(self.codes.max(initial=-1)) + 1

    def _codes_of_lists(self, recommended: Any) -> tuple[Any, Any]:
        side = read_side(recommended, "recommended")
        self.queries = side.users
        code_of: dict[Any, int] = {}
        codes: list[int] = []
        for at, row in enumerate(side.rows):
            row = row if isinstance(row, (list, tuple)) else list(row)
            if len(set(row)) < len(row):
                twice = next(one for i, one in enumerate(row) if one in row[:i])
                raise ValueError(
                    f"recommended: list {at} has the id {twice!r} a second time; give an id once"
                )
            codes += [code_of.setdefault(one, len(code_of)) for one in row]
        _refuse_kinds(code_of)
        self.ids = list(code_of)
        return np.array(codes, np.int64), np.array([len(row) for row in side.rows], np.int64)

    @cached_property
    def named(self) -> list[Any]:
        """The id of each code."""
        return list(range(self.n_codes)) if self.ids is None else self.ids

    def first(self, k: int) -> _First:
        return _First(self, k)

    def by_item(self, value: Any, name: str, absent: Any = None) -> Any:
        """A value for each code, from a mapping or an array by item; absent: for no entry."""
        if value is None:
            raise ValueError(f"{name} is needed for this measure; give a mapping item -> value")
        if hasattr(value, "to_dict") and not isinstance(value, Mapping):
            value = value.to_dict()
        shown = np.bincount(self.codes, minlength=self.n_codes) > 0
        if isinstance(value, Mapping):
            if self.ids is None and absent is not None and len(value) > 4 * self.n_codes:
                items = range(self.n_codes)
            else:
                items = self.named  # type: ignore[assignment]
            if absent is None:
                for at in np.flatnonzero(shown).tolist():
                    if items[at] not in value:
                        raise ValueError(f"{name} has no entry for item {items[at]!r}; add one")
                first = next(iter(value.values()), 0.0)
                absent = np.zeros_like(first) if np.ndim(first) else first
            return np.array([value.get(item, absent) for item in items])
        table = plain_array(value, name)
        ids = np.array(self.named) if self.ids is not None else np.arange(self.n_codes)
        if ids.size and (ids.dtype.kind not in "iu" or ids.min() < 0):
            raise TypeError(
                f"{name} is an array, but items are not integers from 0 on; give a dict"
            )
        beyond = shown & (ids >= len(table)) if ids.size else shown
        if beyond.any():
            item = ids[int(beyond.argmax())]
            raise ValueError(f"{name} has {len(table)} entries, but item {item} is shown; add one")
        return table[np.minimum(ids, len(table) - 1)] if len(table) else table

    @cached_property
    def interactions(self) -> tuple[Any, Any]:
        """How popular each shown item is, and the popularity of all items that have an entry."""
        of_shown = np.asarray(self.by_item(self.popularity, "popularity", 0), np.float64)
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
        return of_shown, numbers

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
        count = np.bincount(self.codes, minlength=self.n_codes) > 0
        if isinstance(catalogue, (int, np.integer)) and not isinstance(catalogue, bool):
            if int(count.sum()) > catalogue:
                raise ValueError(
                    f"catalogue is {catalogue}, but {int(count.sum())} items are shown; give all"
                )
            return int(catalogue)
        if not isinstance(catalogue, (AnySet, Mapping)):
            ids = catalogue.tolist() if hasattr(catalogue, "tolist") else catalogue
            catalogue = set(ids)
        for at in np.flatnonzero(count).tolist():
            if self.named[at] not in catalogue:
                raise ValueError(f"item {self.named[at]!r} is shown, but not in the catalogue")
        return len(catalogue)

    def members(self, value: Any, name: str, k: int | None = None) -> list[Any]:
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


class _First:
    """The first k items of each list."""

    def __init__(self, shown: _Shown, k: int) -> None:
        self.shown, self.k = shown, k
        self.sizes = np.minimum(shown.sizes, k)
        starts = np.cumsum(shown.sizes) - shown.sizes
        if shown.users and (shown.sizes == shown.sizes[0]).all():
            self.codes = shown.codes.reshape(shown.users, -1)[:, :k].reshape(-1)
        else:
            rank = np.arange(len(shown.codes)) - np.repeat(starts, shown.sizes)
            self.codes = shown.codes[rank < k]

    @cached_property
    def rows(self) -> Any:
        return np.repeat(np.arange(self.shown.users), self.sizes)

    @cached_property
    def counts(self) -> Any:
        """How often each code is shown."""
        return np.bincount(self.codes, minlength=self.shown.n_codes)

    def sums(self, values: Any) -> Any:
        """For each user the sum over its items, in rank order."""
        return np.bincount(self.rows, weights=values[self.codes], minlength=self.shown.users)

    def mean(self, values: Any) -> Any:
        return _over(self.sums(values), self.sizes)


def _over(above: Any, below: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(below) > 0, above / below, np.nan)


def _is_matrix(value: Any) -> bool:
    return getattr(value, "ndim", 0) == 2 and hasattr(value, "dtype") and value.dtype.kind in "iu"


def _codes_of_rows(rows: Any) -> tuple[Any, Any]:
    """The ids of integer rows, without the -1 at their ends, and how many each has."""
    if rows.dtype.kind == "u":
        rows = rows.astype(np.int64)
    present = rows >= 0
    sizes = present.sum(axis=1)
    if (rows < -1).any():
        user, place = (int(one) for one in np.argwhere(rows < -1)[0])
        raise ValueError(
            f"recommended: list {user}, place {place} is {rows[user, place]}; ids must be at least "
            "0, -1 only at the end of a row"
        )
    full = bool(present.all())
    if not full and (present[:, 1:] > present[:, :-1]).any():
        user = int((present[:, 1:] > present[:, :-1]).any(axis=1).argmax())
        raise ValueError(f"recommended: list {user} has ids after -1; it may only end a row")
    ordered = np.sort(rows, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)
    if twice.any():
        user, place = (int(one) for one in np.argwhere(twice)[0])
        raise ValueError(
            f"recommended: list {user} has the id {ordered[user, place]} a second time; give an id "
            "once"
        )
    return (rows.reshape(-1) if full else rows[present]), sizes


def _refuse_kinds(ids: Iterable[Any]) -> None:
    """Refuse ids of two types, which are never equal."""
    kinds: dict[Any, Any] = {}
    for one in ids:
        kinds.setdefault(kind_of(one), one)
        if len(kinds) > 1:
            a, b = list(kinds.values())[:2]
            raise TypeError(
                f"recommended holds ids such as {a!r} and {b!r}; ids of two types are never equal: "
                "give all in one"
            )


def _coverage(first: _First) -> float:
    return int(np.count_nonzero(first.counts)) / _size(first)


def _size(first: _First) -> int:
    size = first.shown.n_items
    if size < 1:
        raise ValueError("catalogue has no items")
    return size


def _gini(first: _First) -> float:
    """Sum of (2 i - C - 1) c_i over C times the sum of c_i, c in ascending order, i from 1."""
    size = _size(first)
    counts = np.sort(first.counts[first.counts > 0])
    places = np.arange(size - len(counts) + 1, size + 1)
    total = int(counts.sum())
    if not total:
        return math.nan
    return int(((2 * places - size - 1) * counts).sum()) / (size * total)


def _entropy(first: _First) -> float:
    counts = first.counts[first.counts > 0]
    shares = counts / counts.sum()
    return math.fsum((-shares * np.log(shares)).tolist()) if len(counts) else math.nan


def _personalisation(first: _First) -> Any:
    """1 - the mean of |A and B| / sqrt(|A| |B|) over the other lists B that are not empty."""
    filled = first.sizes > 0
    others = int(filled.sum()) - 1
    weight = _over(1.0, np.sqrt(first.sizes))
    by_item = np.bincount(first.codes, weights=weight[first.rows], minlength=first.shown.n_codes)
    overlap = first.sums(by_item) * weight - 1.0
    return np.where(filled, 1.0 - overlap / others, np.nan) if others > 0 else np.nan


def _novelty(first: _First) -> Any:
    of_shown, of_all = first.shown.interactions
    absent = np.flatnonzero((first.counts > 0) & (of_shown == 0))
    if absent.size:
        item = first.shown.named[int(absent[0])]
        raise ValueError(
            f"popularity of item {item!r} is 0 or not known, so its novelty is infinite; give it a "
            "popularity of at least 1, or leave Novelty out"
        )
    with np.errstate(divide="ignore"):
        return first.mean(-np.log2(of_shown / of_all.sum()))


def _popularity(first: _First) -> Any:
    return first.mean(first.shown.interactions[0])


def _tail_share(first: _First) -> Any:
    of_shown, of_all = first.shown.interactions
    known = np.sort(of_all)[::-1]
    least = known[math.ceil(HEAD * len(known)) - 1] if len(known) else math.inf
    return first.mean((of_shown < least).astype(np.float64))


def _new_items(first: _First) -> Any:
    return first.mean((first.shown.interactions[0] == 0).astype(np.float64))


def _diversity(first: _First) -> Any:
    shown = first.shown
    if (shown.features is None) == (shown.categories is None):
        raise ValueError("ILD needs features= or categories=, one of the two")
    n = first.sizes.astype(np.float64)
    if shown.features is None:
        labels = np.unique(shown.by_item(shown.categories, "categories"), return_inverse=True)[1]
        if labels.ndim != 1 or len(labels) != shown.n_codes:
            raise ValueError("categories must have one category for each item; else give features")
        pairs = first.rows * (int(labels.max(initial=0)) + 1) + labels[first.codes]
        pair, count = np.unique(pairs, return_counts=True)
        owner = pair // (int(labels.max(initial=0)) + 1)
        same = np.bincount(owner, weights=count * (count - 1.0), minlength=shown.users)
        return 1.0 - _over(same, n * (n - 1))
    vectors = np.asarray(shown.by_item(shown.features, "features"), np.float64)
    if vectors.ndim != 2:
        raise ValueError(f"features must be a vector for each item, not of shape {vectors.shape}")
    norms = np.sqrt((vectors * vectors).sum(axis=1))
    bad = np.flatnonzero((first.counts > 0) & ~((norms > 0) & np.isfinite(norms)))
    if bad.size:
        raise ValueError(
            f"features of item {shown.named[int(bad[0])]!r} are zero or not finite, so they have "
            "no cosine"
        )
    vectors = vectors / np.where(norms > 0, norms, 1.0)[:, None]
    square = np.empty(shown.users)
    stops = np.concatenate(([0], np.cumsum(first.sizes)))
    step = max(1, ROOM // max(1, first.k * vectors.shape[1]))
    for low in range(0, shown.users, step):
        high = min(low + step, shown.users)
        part = vectors[first.codes[stops[low] : stops[high]]]
        total = np.zeros((high - low, vectors.shape[1]))
        np.add.at(total, first.rows[stops[low] : stops[high]] - low, part)
        square[low:high] = (total * total).sum(axis=1)
    return 1.0 - _over(square - n, n * (n - 1))


def _serendipity(first: _First) -> Any:
    shown = first.shown
    if shown.baseline is None:
        raise ValueError("baseline is needed for Serendipity: the lists that would be expected")
    expected = shown.members(shown.baseline, "baseline", first.k)
    relevant = None if shown.relevant is None else shown.members(shown.relevant, "relevant")
    stops = np.concatenate(([0], np.cumsum(first.sizes))).tolist()
    hits = np.empty(shown.users)
    named = shown.named
    codes = first.codes.tolist()
    for user in range(shown.users):
        items = {named[code] for code in codes[stops[user] : stops[user + 1]]} - expected[user]
        hits[user] = len(items if relevant is None else items & relevant[user])
    return _over(hits, first.sizes)


MEASURES: dict[str, Callable[[_First], Any]] = {
    "Coverage": _coverage,
    "Gini": _gini,
    "Entropy": _entropy,
    "Personalisation": _personalisation,
    "Novelty": _novelty,
    "Popularity": _popularity,
    "TailShare": _tail_share,
    "NewItems": _new_items,
    "ILD": _diversity,
    "Serendipity": _serendipity,
}
