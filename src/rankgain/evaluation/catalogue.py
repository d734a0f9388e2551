"""Measures of the recommended items themselves: what all lists show of a catalogue, and how."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..convention import UNSET, Unset, get_convention
from ..convention.options import read_required_cutoff
from ..engine.means import MeanRule
from ..engine.settings import with_shared_help
from ..inputs.grouping import factorize
from ..inputs.ids import SEVERAL_SYSTEMS
from ..inputs.printable import describe
from ..inputs.tables.id_tables import as_id_table, with_companions
from ..inputs.tables.roles import ColumnNames
from ..measures.all_lists import OF_FAMILY, FirstItems, ratio_or_nan
from ..measures.families import ITEM_ROWS
from ..measures.measure import Measure, is_of_catalogue, parse_measures, refuse_own
from .counting import count_undefined
from .evaluation import Evaluation
from .id_sources import is_list_of_lists
from .recommended_items import RecommendedItems, read_recommended
from .sums.merging import with_means

if TYPE_CHECKING:
    from ..inputs.types import ByItem, Floats, Integers, RankedIds, RelevantIds
    from ..measures.types import Measures

ITEM_ARGUMENTS = ("catalogue", "popularity", "features", "categories", "baseline")
OF_CATALOGUE = {"Coverage", "Gini"}  # measures that need the size of the catalogue
MAX_BLOCK_CELLS = 1 << 20  # numbers of feature vectors at a time


@with_shared_help("rankgain", label=None)
def evaluate_catalogue(
    recommended: RankedIds,
    measures: Measures,
    *,
    k: int | None = None,
    catalogue: int | Iterable[Any] | None = None,
    popularity: ByItem | None = None,
    features: ByItem | None = None,
    categories: ByItem | None = None,
    relevant: RelevantIds | None = None,
    baseline: RankedIds | None = None,
    query: str | Sequence[str] | None = None,
    doc: str | Sequence[str] | None = None,
    label: str | Unset | None = UNSET,
    score: str | None = None,
    rank: str | None = None,
) -> Evaluation:
    """Evaluate what the first k items of all lists show: coverage, popularity, diversity.

    Parameters
    ----------
    recommended : int array of shape (users, items), lists of ids, or a mapping user -> list
        Ids, best first, read as `evaluate_ids` reads them; -1 fills the end of a row of integers.
        Or a frame with a row for each item: its user, the item, and its rank or score.
    measures : str, Measure, or a sequence of them
        "Coverage" (share of the catalogue that is shown), "Gini" (of how often each item of the
        catalogue is shown, those never shown included), "Entropy" (in nats, of shown items),
        "Personalisation" (1 - mean cosine overlap of two lists); and for each user "Novelty" (mean
        of -log2 of an item's share of all interactions), "Popularity" (mean), "TailShare" (share of
        items that are not among the most popular fifth; ties count as popular), "NewItems" (share
        without interactions), "ILD" (mean distance of two items of the list), "Serendipity" (share
        of items that the baseline does not show and that are relevant).
    k : int of at least 1, optional
        How many items of a list count. A name may have its own, as in "Coverage@5".
    catalogue : int, ids, or a frame, optional
        All items that could be shown, or their number. Left out, those of `popularity`. A frame
        has a column of items, such as item_id.
    popularity : mapping item -> interactions, array by item, or frame of interactions, optional
        An item without an entry in a mapping has none. A frame has a row for each interaction, with
        columns of users and items, or two columns: items and numbers of interactions. Labels do
        not count.
    features : mapping item -> vector, or array (items, features), optional
        For "ILD": distance 1 - cosine.
    categories : mapping item -> category or several, or array by item, optional
        For "ILD" without features: distance 1 between items of two categories, else 0. Where items
        have lists, tuples or sets of categories: 1 - Jaccard's, so 0 for two items without any.
    relevant : lists, sets or dicts id -> label, one for each list, or a mapping, optional
        Also a matrix or a Truth of users and items. For "Serendipity"; left out, each item is
        relevant. A user whom a mapping lacks has no relevant item, and a RankgainWarning says how
        many there are.
    baseline : one list of ids for all, lists of ids, or a mapping user -> list
        For "Serendipity": what would have been expected; its first k count.
    query, doc, score, rank, label : names of columns, optional
        The columns of frames with a row for each item, as in `evaluate_ids`; `label` is one of
        `relevant`; label=None says that each of its rows is relevant.

    Returns
    -------
    Evaluation
        Coverage, Gini, Entropy and Personalisation are of all lists together, so the result keeps
        the first k items of each list (`Evaluation.recommended`): parts merge exactly. Their
        intervals and tests take the jackknife's pseudo-values as the values of the lists, and say
        what as many other users would have been shown. The others are means over users; an empty
        list, or for "ILD" one of a single item, is left out of them, and counted.

    Raises
    ------
    ValueError
        For a list with an id twice, an item outside of the catalogue, an item without popularity if
        "Novelty" is requested, a user whom `baseline` lacks, and a measure without what it needs.
    TypeError
        For ids of two types.

    Examples
    --------
    >>> import rankgain as rg
    >>> result = rg.evaluate_catalogue(
    ...     [[1, 2], [1, 3]], ["Coverage", "Gini", "Popularity"], k=2, catalogue=4,
    ...     popularity={1: 6, 2: 1, 3: 1},
    ... )
    >>> print(result)
    measure      mean
    Coverage     0.7500
    Gini         0.3750
    Popularity   3.5000
    2 users (convention rankgain)

    References
    ----------
    Vargas and Castells 2011, RecSys; Ge, Delgado-Battenfeld and Jannach 2010, RecSys.
    """
    settings = {}
    if k is not None:
        k = settings["k"] = read_required_cutoff(k)
    ruled_out = frozenset[str]()
    if label is None:
        ruled_out = frozenset(["label"])
    columns = ColumnNames(
        query=query,
        doc=cast("str | None", doc),
        label=None if label is UNSET else label,
        score=score,
        rank=rank,
        ruled_out=ruled_out,
        takes_run=False,
    )
    _refuse_systems(recommended)
    tables = [relevant, catalogue, popularity, baseline]
    of_recommended = with_companions(columns, tables)
    lists, users = read_recommended(as_id_table(recommended, of_recommended))
    items = RecommendedItems(
        lists,
        users,
        as_id_table(relevant, columns),
        as_id_table(catalogue, columns),
        as_id_table(popularity, columns),
        features,
        categories,
        as_id_table(baseline, columns),
    )
    requested = parse_measures(measures)
    refuse_own(requested, "evaluate_catalogue")
    for measure in requested:
        if not is_of_catalogue(measure):
            names = ", ".join(sorted(row.name for row in ITEM_ROWS))
            raise ValueError(
                f"{str(measure)!r} needs relevance labels; use evaluate_ids. evaluate_catalogue "
                f"supports {names}"
            )
    rules = get_convention("rankgain")
    make = partial(
        Evaluation,
        queries=items.queries,
        convention=rules.name,
        versions={"convention": rules.version},
        settings=settings,
        rules=rules,
        mean_rule=MeanRule.of(rules),
    )
    counts = {"queries": items.users, "users": items.users}
    return with_items(make, counts, requested, requested, items, k=k)


def _refuse_systems(recommended: object) -> None:
    """Refuse a mapping whose values are lists of lists: the rankings of several systems."""
    if not isinstance(recommended, Mapping):
        return
    for name, rankings in recommended.items():
        if is_list_of_lists(rankings):
            raise TypeError(
                f"recommended: {describe(name)} has a list of lists, not a list of ids"
                f"{SEVERAL_SYSTEMS}"
            )


def with_items(
    make: Callable[..., Evaluation],
    ranked_counts: Mapping[str, Any],
    measures: Measures,
    of_items: Sequence[str | Measure],
    items: RecommendedItems,
    ranked: Evaluation | None = None,
    k: int | None = None,
) -> Evaluation:
    """Make an evaluation of measures of shown items, as requested beside those of ranked lists."""
    counts = dict(ranked_counts)
    for name, count in counts.items():
        if isinstance(count, dict):  # count_undefined adds to it
            counts[name] = dict(count)
    columns: dict[str, Floats] = {}
    requested: dict[str, str] = {}
    if ranked is not None:
        requested |= ranked.requested
    deepest: dict[str, int] = {}  # of the families of all lists
    for measure in parse_measures(of_items):
        name = str(measure)
        _refuse_missing_input(measure, items)
        cutoff = measure.k or k
        if cutoff is None:
            raise TypeError(
                f"{name} needs a cutoff: pass k, an int of at least 1, or write {name}@10"
            )
        if measure.k is None:  # Coverage@10 is Coverage where k is 10
            requested[str(Measure(measure.family, k=k))] = name
        if measure.family in OF_FAMILY:
            # A number of all lists together: `with_means` computes it and the column.
            deepest[measure.family] = max(cutoff, deepest.get(measure.family, 0))
            columns[name] = np.full(items.users, np.nan)
        else:
            compute = MEASURES[measure.family]
            columns[name] = compute(FirstItems(items.lists, cutoff), items)
            count_undefined(counts, name, "skip", np.isnan(columns[name]))
    if deepest.keys() & OF_CATALOGUE:
        items.lists.n_items = items.n_items
    recommended = None
    if deepest:
        recommended = items.lists.stored(max(deepest.values()))
    fields: dict[str, object] = {"bounds": {}, "bound_means": {}, "shares": {}}
    means = dict.fromkeys(columns, 0.0)
    values = columns
    if ranked is not None:
        names = _requested_order(measures, of_items, ranked)
        means = {name: ranked.means.get(name, 0.0) for name in names}
        values = {**ranked.per_query, **columns}
        fields = {}
    evaluation = make(
        counts=counts,
        recommended=recommended,
        means=means,
        per_query={name: values[name] for name in means},
        requested=requested,
        **fields,
    )
    return with_means(evaluation, columns)


def _refuse_missing_input(measure: Measure, items: RecommendedItems) -> None:
    """Refuse a measure without the argument that it needs."""
    if measure.family in ("Novelty", "Popularity", "TailShare", "NewItems"):
        if items.popularity is None:
            raise ValueError(f"{measure} needs popularity=, a mapping item -> interactions")
    elif measure.family in OF_CATALOGUE:
        if items.catalogue is None and items.popularity is None:
            raise ValueError(
                f"{measure} needs catalogue=, all items that could be shown, or their number"
            )
    elif measure.family == "ILD":
        if (items.features is None) == (items.categories is None):
            raise ValueError(f"{measure} needs features= or categories=; pass one of the two")
    elif measure.family == "Serendipity" and items.baseline is None:
        raise ValueError(f"{measure} needs baseline=, the lists that would be expected")


def _requested_order(
    measures: Measures, of_items: Sequence[str | Measure], ranked: Evaluation
) -> list[str]:
    """The names of all values in the order in which the measures were requested."""
    if isinstance(measures, (str, Measure)):
        measures = [measures]
    names: dict[str, None] = {}
    for measure in measures:
        if measure in of_items:
            names |= dict.fromkeys(map(str, parse_measures(measure)))
        elif measure in ranked:
            names[ranked.key_of(measure)] = None
    return list(names | dict.fromkeys(ranked.means))


def _novelty(first: FirstItems, items: RecommendedItems) -> Floats:
    """The mean of -log2 p(i) over the first items, p(i) the share of the interactions of item i."""
    of_recommended, of_all = items.interactions
    absent = np.flatnonzero((first.counts > 0) & (of_recommended == 0))
    if absent.size:
        item = items.lists.item_ids[int(absent[0])]
        raise ValueError(
            f"popularity of item {item!r} is 0 or not known, so its novelty is infinite; give it a "
            "popularity of at least 1, or remove Novelty"
        )
    with np.errstate(divide="ignore"):
        self_information = -np.log2(of_recommended / of_all.sum())
    return first.mean(self_information)


def _tail_share(first: FirstItems, items: RecommendedItems) -> Floats:
    """The share of the first items that are less popular than the most popular fifth of all."""
    of_recommended, of_all = items.interactions
    # The popularity of the last item of that fifth; items that tie with it are popular too.
    threshold = math.inf
    if len(of_all):
        descending = np.sort(of_all)[::-1]
        last = math.ceil(len(of_all) / 5) - 1
        threshold = descending[last]
    is_tail = of_recommended < threshold
    return first.mean(is_tail.astype(np.float64))


def _popularity(first: FirstItems, items: RecommendedItems) -> Floats:
    """The mean popularity of the first items."""
    of_recommended, _ = items.interactions
    return first.mean(of_recommended)


def _new_items(first: FirstItems, items: RecommendedItems) -> Floats:
    """The share of the first items without interactions."""
    of_recommended, _ = items.interactions
    is_new = of_recommended == 0
    return first.mean(is_new.astype(np.float64))


def _diversity(first: FirstItems, items: RecommendedItems) -> Floats:
    """1 minus the mean similarity of two of the first n items, over all n (n - 1) ordered pairs."""
    n = first.sizes.astype(np.float64)
    if items.features is not None:
        similar = _sum_cosines(first, items)
    else:
        labels, sets = items.kinds
        if sets is not None:
            similar = 2.0 * _sum_overlaps(first, labels, sets)
        else:
            similar = _count_same(first, labels)
    return 1.0 - ratio_or_nan(similar, n * (n - 1))


def _count_same(first: FirstItems, labels: Integers) -> Floats:
    """For each user how many ordered pairs of items have the same category.

    c items of a category make c (c - 1) pairs.
    """
    categories = int(labels.max(initial=0)) + 1
    # A cell of the table of users and categories for each item. If the table is not much larger
    # than the lists it is filled, else its cells with items are found by sorting.
    cells = first.rows * categories + labels[first.codes]
    table_size = first.users * categories
    if table_size <= max(MAX_BLOCK_CELLS, 4 * len(cells)):
        counts = np.bincount(cells, minlength=table_size).reshape(-1, categories)
        pairs: Floats = (counts * (counts - 1.0)).sum(axis=1)
        return pairs
    distinct, counts = np.unique(cells, return_counts=True)
    users = distinct // categories
    sums = np.bincount(users, weights=counts * (counts - 1.0), minlength=first.users)
    return sums.astype(np.float64)


def _sum_cosines(first: FirstItems, items: RecommendedItems) -> Floats:
    """For each user the sum of the cosines of all ordered pairs of items.

    With unit vectors u, the sum over all pairs is |sum of u|^2, which has n cosines of an item with
    itself: these are subtracted.
    """
    vectors = items.vectors
    norms = np.sqrt((vectors * vectors).sum(axis=1))
    has_cosine = (norms > 0) & np.isfinite(norms)
    refused = np.flatnonzero((first.counts > 0) & ~has_cosine)
    if refused.size:
        item = items.lists.item_ids[int(refused[0])]
        raise ValueError(
            f"features of item {item!r} are zero or not finite, so they have no cosine"
        )
    divisors = np.where(norms > 0, norms, 1.0)
    units = vectors / divisors[:, None]
    squares = np.empty(items.users)
    starts = np.concatenate(([0], np.cumsum(first.sizes)))  # of the items of each user
    n_features = units.shape[1]
    step = max(1, MAX_BLOCK_CELLS // max(1, first.k * n_features))
    for low in range(0, items.users, step):
        high = min(low + step, items.users)
        sums = np.zeros((high - low, n_features))
        # One item of each user after the other, as long as there are users with more items.
        for rank in range(int(first.sizes[low:high].max())):
            has_item = first.sizes[low:high] > rank
            item_codes = first.codes[starts[low:high][has_item] + rank]
            sums[has_item] += units[item_codes]
        squares[low:high] = (sums * sums).sum(axis=1)
    return squares - first.sizes.astype(np.float64)


def _sum_overlaps(first: FirstItems, labels: Integers, sets: list[frozenset[Any]]) -> Floats:
    """For each user the sum over two items of |A and B| / |A or B|, 1 for two of no category.

    A set of categories is a row of bits, so that "and" and a count of bits give the overlap of two
    items. |A or B| = |A| + |B| - |A and B|.
    """
    codes, categories = factorize(chain.from_iterable(sets))
    is_member = np.zeros((len(sets) + 1, max(len(categories), 1)), bool)  # the last row: no item
    set_of_code = np.repeat(np.arange(len(sets)), list(map(len, sets)))
    is_member[set_of_code, codes] = True
    bits = np.packbits(is_member, axis=1)
    sizes = is_member.sum(axis=1)
    longest = int(first.sizes.max(initial=0))
    stops = np.cumsum(first.sizes)
    result = np.zeros(first.users)
    step = max(1, MAX_BLOCK_CELLS // max(1, longest * bits.shape[1]))
    for low in range(0, first.users, step):
        # The sets of each user in a row, which the last row of `is_member` fills up.
        list_sizes = first.sizes[low : low + step]
        filled = np.arange(longest) < list_sizes[:, None]
        set_of = np.full(filled.shape, -1)
        stops_of_block = stops[low : low + step]
        start = stops_of_block[0] - list_sizes[0]
        codes_of_block = first.codes[start : stops_of_block[-1]]
        set_of[filled] = labels[codes_of_block]
        # Each item with all items below it.
        for rank in range(longest - 1):
            item, below = set_of[:, rank, None], set_of[:, rank + 1 :]
            common = np.bitwise_count(bits[item] & bits[below]).sum(axis=2, dtype=np.int64)
            union = sizes[item] + sizes[below] - common
            overlap = np.where(union > 0, common / np.maximum(union, 1), 1.0)
            overlap *= filled[:, rank + 1 :]  # 0 beside no item
            result[low : low + step] += overlap.sum(axis=1)
    return result


def _serendipity(first: FirstItems, items: RecommendedItems) -> Floats:
    """The share of the first items that the baseline does not show and that are relevant."""
    assert items.baseline is not None
    expected = items.members(items.baseline, "baseline", first.k)
    relevant = None
    if items.relevant is not None:
        relevant = items.members(items.relevant, "relevant")
    bounds = np.concatenate(([0], np.cumsum(first.sizes))).tolist()  # of the items of each user
    hits = np.empty(items.users)
    shown = [items.lists.item_ids[code] for code in first.codes.tolist()]
    for user, (start, stop) in enumerate(pairwise(bounds)):
        unexpected = set(shown[start:stop]) - expected[user]
        if relevant is not None:
            unexpected &= relevant[user]
        hits[user] = len(unexpected)
    return ratio_or_nan(hits, first.sizes)


MEASURES = {
    "Novelty": _novelty,
    "Popularity": _popularity,
    "TailShare": _tail_share,
    "NewItems": _new_items,
    "ILD": _diversity,
    "Serendipity": _serendipity,
}
