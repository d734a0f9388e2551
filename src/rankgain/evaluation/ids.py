"""Many measures of ranked ids of any kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from collections.abc import Set as AnySet
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.arguments import documented
from ..engine.notices import warn
from ..inputs.arrays import is_row
from ..inputs.ids import (
    DUPLICATES,
    Paired,
    are_not_columns,
    excluding,
    held,
    match,
    pair,
    paired_without_filling,
    read_ids,
    with_labels,
)
from ..inputs.labelled import is_series, refuse_other_order
from ..inputs.sparse import looks_sparse
from ..inputs.tables.lists import is_table
from ..inputs.topk import OutOfColumns, read_relevant, read_topk
from ..inputs.truth import Truth
from ..measures.all_lists import RecommendedLists
from .catalogue import refuse_unused_items, split_measures, with_items
from .evaluation import Evaluation
from .notices import (
    warn_of_documents,
    warn_of_other_users,
    warn_of_short_rows,
    warn_of_unmatched_ids,
)
from .one_pass import RankedOptions, deepest_rank, evaluate_lists, read_kinds, settings_from
from .recommended_items import RecommendedItems, read_recommended

if TYPE_CHECKING:
    from ..inputs.types import ByItem, Policy, RankedIds, RelevantIds, Weight
    from ..measures.types import Bounds, Measures, Rules


@documented("rankgain")
def evaluate_ids(
    retrieved: RankedIds,
    relevant: RelevantIds,
    measures: Measures,
    *,
    gains: object = None,
    duplicates: Policy = "raise",
    exclude: RelevantIds | None = None,
    weight: Weight = None,
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    bounds: Bounds = (),
    catalogue: int | Iterable[Any] | None = None,
    popularity: ByItem | None = None,
    features: ByItem | None = None,
    categories: ByItem | None = None,
    baseline: RankedIds | None = None,
    **options: Unpack[RankedOptions],
) -> Evaluation:
    """Evaluate ranked ids of any kind against the relevant ones; `evaluate_topk` is this function.

    Parameters
    ----------
    retrieved : int array of shape (lists, k), lists of ids, a mapping query -> list, or a frame
        Ids, best first: strings, integers or other hashable objects, all of one type: `1` is never
        `"1"`. -1 fills the end of a shorter row of integers, in every container and also of
        `relevant`, unless an id is below -1. Also one list, a Series of lists, list columns,
        iterators, and frames of (query, document, rank or score), where of equal scores the
        earlier row is first. `[]` is one empty list if `relevant` is one
        list; for no lists give `{}` or an array of shape (0, k).
    relevant : lists, sets or dicts id -> label, one for each list, or a mapping query -> one
        Without labels each is 1; a label of 0 is not relevant. For integer ids also a scipy.sparse
        CSR or a Truth of shape (lists, items), whose columns are the ids.
    gains : sequence of arrays, optional
        The labels of `relevant`, in its shape, if it is a sequence of id arrays; by default 1.
    duplicates : "raise", "first" or "in_place"
        "raise": an id twice in a list is an error that names it. "first": the later ones are left
        out, and the ids below move up. "in_place": the later ones keep their ranks and are not
        relevant. What is relevant twice counts once under both.
    exclude : as relevant, optional
        Ids to leave out of each list, relevant or not.
    catalogue, popularity, features, categories, baseline : optional
        What measures of the shown items need, such as "Coverage@10", "Novelty@10" and "ILD@10",
        which need a cutoff in their names: as in `evaluate_catalogue`. They look at the lists of
        the evaluated queries, without what is excluded; empty lists are left out of their means.

    Returns
    -------
    Evaluation

    Queries are those of `relevant`, in its order. A query without retrieved ids counts 0 (`missing`
    in counts), or as the convention says; a query that `relevant` does not have is left out
    (`unjudged` in counts: queries here). A RankgainWarning shows ids of both if few queries match
    or if no retrieved id is relevant; another is given if a cutoff is beyond each of several
    lists. Ids that are not in `relevant` are unjudged. None and NaN among the ids, ids of different
    types, an id beyond the columns of `relevant` and -1 before the end of a row are errors that
    name the place.

    >>> import rankgain as rg
    >>> retrieved = {"q1": ["d3", "d1", "d7"], "q2": ["d2", "d9"]}
    >>> relevant = {"q1": {"d1": 2, "d3": 1}, "q2": ["d4"]}
    >>> rg.evaluate_ids(retrieved, relevant, ["RR", "R@2"]).to_dict()
    {'q1': {'RR': 1.0, 'R@2': 1.0}, 'q2': {'RR': 0.0, 'R@2': 0.0}}
    >>> rg.evaluate_topk([[4, 2, 7], [1, 3, -1]], [[2, 9], [5]], ["HitRate@3", "R@3"]).means["R@3"]
    0.25
    """
    settings = settings_from(options, RankedOptions, "evaluate_ids")
    rules = get_convention("rankgain" if convention is UNSET else convention)
    if duplicates not in DUPLICATES:
        raise ValueError(f"duplicates must be one of {DUPLICATES}, not {duplicates!r}")
    sides = {"retrieved": retrieved, "relevant": relevant, "gains": gains, "exclude": exclude}
    if not (is_series(retrieved) and is_series(relevant)):  # which are paired by label
        refuse_other_order(**{name: one for name, one in sides.items() if not is_table(one)})
    retrieved, relevant, exclude = map(held, (retrieved, relevant, exclude))
    source = retrieved, relevant, gains, exclude, duplicates
    options_of_all = rules, weight, threads, bounds
    ranked, of_items = split_measures(measures)
    known = catalogue, popularity, features, categories, baseline
    if not of_items:
        refuse_unused_items(*known)
        return _evaluate_ranked(*source, measures, settings, *options_of_all)
    if options and not ranked:
        raise ValueError(f"{next(iter(options))} is for measures of ranked lists; leave it out")
    # Without a measure of ranked lists, one that is never undefined says which lists there are.
    result = _evaluate_ranked(*source, ranked or "DCG@1", settings, *options_of_all)
    items = _shown_items(source, rules, *known)
    return with_items(result, measures, ranked, of_items, items)


evaluate_topk = evaluate_ids


def _evaluate_ranked(
    retrieved: Any,
    relevant: Any,
    gains: object,
    exclude: object,
    duplicates: str,
    measures: Measures,
    settings: dict[str, Any],
    rules: Convention,
    weight: Weight,
    threads: int | None,
    bounds: Bounds,
) -> Evaluation:
    """Evaluate measures of ranked lists."""
    call = measures, settings, rules, weight, threads, bounds
    has_columns = _is_matrix(relevant) or _is_matrix(exclude)
    if _are_columns(retrieved, relevant):
        if duplicates == "raise":
            try:
                return _evaluate_columns(retrieved, relevant, gains, exclude, *call)
            except OutOfColumns:
                if has_columns:
                    raise
        elif has_columns:
            raise TypeError(
                f'duplicates="{duplicates}" needs relevant ids in lists, not in the columns of a '
                "matrix"
            )
    paired, counts = _paired(retrieved, relevant, gains, exclude, duplicates), None
    if paired.users is not None:
        warn_of_other_users(
            paired.has_retrieved, paired.users, paired.without_relevant, paired.names
        )
        paired, counts = _apply_missing(paired, rules)
    missing = ~paired.has_retrieved if counts and counts["missing"] else None
    lists, longest = match(paired, duplicates)
    result = evaluate_lists(lists, *call, counts=counts, displayed=paired.users, missing=missing)
    if not len(lists.labels.indices):
        warn_of_unmatched_ids(paired)
    warn_of_short_rows(result, longest if len(lists) else None, paired.names[0], True)
    return result


def _is_matrix(value: object) -> bool:
    return isinstance(value, Truth) or looks_sparse(value)


def _shown_items(
    source: tuple[Any, ...],
    rules: Convention,
    catalogue: object,
    popularity: object,
    features: Any,
    categories: Any,
    baseline: object,
) -> RecommendedItems:
    """The items of the evaluated lists, and what is known of them."""
    retrieved, relevant, gains, exclude, duplicates = source
    if duplicates == "in_place":
        raise ValueError(
            'duplicates="in_place" does not say which items a list shows; with measures of shown '
            'items take "first"'
        )
    if _is_matrix(relevant) or _is_matrix(exclude):
        if exclude is not None:
            raise ValueError("exclude: with measures of shown items give it and relevant as lists")
        lists, users = read_recommended(retrieved)
        if isinstance(relevant, Truth):
            relevant = tuple(read_relevant(relevant)[:3])
    else:
        paired = _paired(retrieved, relevant, gains, exclude, duplicates)
        if paired.users is not None:
            paired, _ = _apply_missing(paired, rules)
        paired = paired_without_filling(paired)
        rows, relevant, users = paired.retrieved, paired.relevant, paired.users
        if duplicates == "first":
            rows = [list(dict.fromkeys(row)) for row in rows]
        lists = RecommendedLists.of(rows)
        relevant = relevant if users is None else dict(zip(users, relevant, strict=True))
    known = catalogue, popularity, features, categories
    return RecommendedItems(lists, users, *known, relevant, held(baseline))


def _evaluate_columns(
    retrieved: Any,
    relevant: object,
    gains: object,
    exclude: object,
    measures: Measures,
    settings: dict[str, Any],
    rules: Convention,
    weight: Weight,
    threads: int | None,
    bounds: Bounds,
) -> Evaluation:
    """Evaluate integers that are the columns of a matrix."""
    # Bounds depend on judged documents below the cutoff, too.
    deep = "unjudged" in read_kinds(bounds)
    depth = math.inf if deep else deepest_rank(measures, settings, rules)
    lists, columns, unmatched = read_topk(retrieved, relevant, gains, exclude, depth)
    result = evaluate_lists(lists, measures, settings, rules, weight, threads, bounds)
    if unmatched is not None and len(lists) > 1:  # one that misses says nothing
        at, retrieved_ids, relevant_ids = unmatched
        warn_of_documents(f"list {at} of retrieved", retrieved_ids, "relevant", relevant_ids)
    warn_of_short_rows(result, columns)
    return result


def _are_columns(retrieved: RankedIds, relevant: RelevantIds) -> bool:
    """Whether ids are the columns of a matrix: integers from 0 on, in lists without query ids."""
    if isinstance(retrieved, AnySet) or are_not_columns(retrieved):
        return False
    if isinstance(relevant, Truth) or looks_sparse(relevant):
        return True
    if isinstance(relevant, Mapping) or is_table(relevant):
        return False
    if not isinstance(retrieved, (list, tuple)):
        return True
    rows = [one for one in retrieved if is_row(one)] or [retrieved]
    if not any(len(one) for one in rows):
        return not are_not_columns(relevant)
    return all(map(_can_be_columns, rows))


def _can_be_columns(row: Any) -> bool:
    """Whether all integers of a row can be numbers of columns, or the -1 that fills a row.

    Other integers are matched by their hash, as ids of any type. Numbers that are no integers are
    refused where columns are read.
    """
    if type(row) not in (list, tuple) or set(map(type, row)) != {int}:
        return True
    return bool(min(row) >= -1 and max(row) < 2**63)


def _paired(
    retrieved: RankedIds, relevant: RelevantIds, gains: object, exclude: object, duplicates: str
) -> Paired:
    if isinstance(relevant, Truth):
        raise TypeError(
            "relevant is a Truth, which knows items by the number of their column; give retrieved "
            "as arrays or lists of these ints"
        )
    wanted = read_ids(relevant, "relevant", True)
    if gains is not None:
        wanted = with_labels(wanted, gains)
    ranked = read_ids(retrieved, "retrieved")
    if ranked.note is not None:
        warn(ranked.note)
    paired = pair(ranked, wanted)
    if exclude is None:
        return paired
    return excluding(paired, read_ids(exclude, "exclude", True), duplicates)


def _apply_missing(paired: Paired, rules: Convention) -> tuple[Paired, dict[str, int]]:
    """Apply the convention to users without retrieved ids; return also their counts."""
    missing = int((~paired.has_retrieved).sum())
    users = paired.users or []
    if missing and rules.missing == "raise":
        user = users[int(np.argmin(paired.has_retrieved))]
        raise ValueError(f"{paired.names[0]} has no list of {user!r}, which {paired.names[1]} has")
    skips = rules.missing == "skip"
    counts = {
        "missing": 0 if skips else missing,
        "skipped": missing if skips else 0,
        "unjudged": len(paired.without_relevant),
    }
    if skips and missing:
        at = np.flatnonzero(paired.has_retrieved).tolist()
        sides = paired.retrieved, paired.relevant, users
        retrieved, relevant, users = ([side[i] for i in at] for side in sides)
        paired = paired._replace(retrieved=retrieved, relevant=relevant, users=users)
    return paired, counts
