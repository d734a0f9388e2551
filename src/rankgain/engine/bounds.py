"""Bounds of values and means, over the order of ties or choices of unjudged documents.

A hole is a retrieved document without a judgment. For each list and each number j of holes, the
core gives the top label to the first j and to the last j in rank order: the best and the worst
choice of j holes. The ideal and the number of relevant documents change with j. Holes below every
cutoff change only these; either none of them has the top label, or all have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from ..convention import Convention
from ..inputs.arrays import as_float32, native_scores
from ..inputs.lists import Layout, Lists, add_sizes
from ..inputs.sparse import Sparse, remove_excluded
from .columns import MeasureColumns, fill_and_round
from .means import AveragingRule, MeanRule, average, logarithms, read_averaging_rule
from .settings import Family, Settings
from .threads import batches
from .views import mask_low

if TYPE_CHECKING:
    from ..inputs.types import Array, Bools, Floats, Integers


# Tie rules under which tied documents share the ranks of their block.
SHARING_TIE_RULES = ("average", "best", "worst")


class MeasureValues(NamedTuple):
    """The measures of an evaluation with their settings, values and undefined lists."""

    names: tuple[str, ...]
    settings: Sequence[tuple[Family, Settings]]
    values: list[Floats]
    undefined: list[Bools]


class Bounds(NamedTuple):
    """By kind and measure: [low, high] of each list, and of the mean; counts of ties."""

    lists: dict[str, dict[str, Floats]]
    means: dict[str, dict[str, tuple[float, float]]]
    counts: dict[str, int]


def find_bounds(
    kinds: tuple[str, ...],
    lists: Lists,
    scored: Lists,
    measured: MeasureValues,
    rules: Convention,
    weights: Floats | None,
    threads: int,
) -> Bounds:
    """Find the bounds of each kind.

    lists: as they were evaluated; those of qrels and a run may be in rank order, without scores.
    scored: the same lists with their scores. Only "ties" needs these, to know which documents tie.
    """
    result = Bounds({}, {}, {})
    mean_rule = MeanRule.of(rules)
    order = mean_rule.order(lists.layout.queries)
    for kind in kinds:
        if kind == "ties":
            ends = _bound_ties(measured.settings, scored, threads)
            all_settings = [settings for _, settings in measured.settings]
            if not scored.on_device:  # there, only ties with relevant documents are counted
                result.counts.update(count_ties(scored, all_settings))
        else:
            ends = bound_unjudged(measured.settings, lists, threads)
        result.lists[kind], result.means[kind] = {}, {}
        for index, name in enumerate(measured.names):
            family, settings = measured.settings[index]
            averaging = read_averaging_rule(rules, mean_rule, settings, family.mean, order)
            values, undefined = measured.values[index], measured.undefined[index]
            columns, means = [], []
            for end in ends:
                of_measure = end.of_measure(index)
                column, mean = _find_end(
                    of_measure, values, undefined, settings, averaging, weights
                )
                columns.append(column)
                means.append(mean)
            low_and_high = np.stack(columns, axis=1)
            if family.mean == "geometric":
                low_and_high = logarithms(low_and_high)
            low, high = means
            result.lists[kind][name] = low_and_high
            result.means[kind][name] = (low, high)
    return result


class MeasureEnd(NamedTuple):
    """One end of the bounds of one measure."""

    values: Floats
    divisors: Floats | None  # of a micro mean; the same at both ends
    is_undefined_for_some: Bools  # as in Ends
    is_upper: bool


class Ends(NamedTuple):
    """The lower or the upper ends of all measures, as the core computes them."""

    values: Floats  # a column for each measure
    divisors: dict[int, Floats]  # of micro means, by measure
    is_undefined_for_some: Bools  # the value is undefined for some labels of unjudged documents
    is_upper: bool

    def of_measure(self, index: int) -> MeasureEnd:
        """The end of one measure."""
        values = self.values[:, index]
        is_undefined_for_some = self.is_undefined_for_some[:, index]
        return MeasureEnd(values, self.divisors.get(index), is_undefined_for_some, self.is_upper)


def _bound_ties(
    requested: Sequence[tuple[Family, Settings]], scored: Lists, threads: int
) -> tuple[Ends, Ends]:
    """The lowest and the highest values over all orders of tied documents."""
    measures = []
    for family, settings in requested:
        measures.append((family, settings._replace(ties="average", seed=0)))
    table = MeasureColumns(measures, scored, extremes=True)
    (worst, divisors), (best, _) = table.bounds(threads)
    # The value in the worst order may be the higher one, as of Unjudged@k, where smaller is better.
    # Neither divisors nor undefined values depend on the order.
    never_undefined = np.zeros(worst.shape, bool)
    return (
        Ends(np.fmin(worst, best), divisors, never_undefined, is_upper=False),
        Ends(np.fmax(worst, best), divisors, never_undefined, is_upper=True),
    )


def _find_end(
    end: MeasureEnd,
    values: Floats,
    was_undefined: Bools,
    settings: Settings,
    averaging: AveragingRule,
    weights: Floats | None,
) -> tuple[Floats, float]:
    """The lower or the upper bound of each list, and that of the mean.

    end: what the core found. values, was_undefined: the measure for the labels as they are, and
    for which lists it is undefined. The bound is widened to include the measure's own value, which
    rounding could otherwise leave outside. A list that is undefined for some labels of unjudged
    documents, but not for all, is optional: if undefined values are left out of the mean, a choice
    of labels decides whether the list counts.
    """
    choose: np.ufunc = np.fmin
    if end.is_upper:
        choose = np.fmax
    bound = end.values.copy()
    optional = end.is_undefined_for_some & ~np.isnan(bound)
    # With "raise", the measure itself is defined for all lists. What other labels make undefined is
    # left out.
    filled_settings = settings
    if settings.empty == "raise":
        filled_settings = settings._replace(empty="skip")
    undefined = fill_and_round(bound, filled_settings, settings.family.function)
    if isinstance(settings.empty, float):
        bound[optional] = choose(bound[optional], settings.empty)
    # Undefined values that are left out of the mean are NaN, which fmax and fmin ignore.
    bound = choose(bound, values)
    if averaging.skips and optional.any():
        factors = np.ones(len(bound))
        if weights is not None and averaging.weighted:
            factors = factors * weights
        if end.divisors is not None:
            factors = factors * end.divisors
        terms = bound
        if averaging.kind == "geometric":
            terms = logarithms(bound)
        certain = ~undefined & ~optional
        undefined |= _leave_out_optional(terms, factors, certain, optional, end.is_upper)
    mean, _ = average(bound, weights, undefined, averaging, end.divisors)
    return bound, mean


def _leave_out_optional(
    terms: Floats, factors: Floats, certain: Bools, optional: Bools, is_upper: bool
) -> Bools:
    """The optional lists that are left out where the mean of all others is most extreme.

    The mean of the lists that count is sum(factor * term) / sum(factor). A list raises it exactly
    if its own term is above it. So the highest mean has, beside the certain lists, the optional
    ones with the largest terms, and it is found by trying each number of them. The lowest mean
    likewise has those with the smallest terms. For example, with a certain term of 0.5 and the
    optional terms 0.9, 0.6 and 0.1, the highest mean is (0.5 + 0.9) / 2: 0.6 is below that.

    Measures that are summed over lists are never undefined, so this is always a mean.
    """
    # The lowest mean is the highest one of the negative terms, with the sign changed.
    if not is_upper:
        terms = -terms
    order = np.flatnonzero(optional)
    descending = np.argsort(-terms[order], kind="stable")
    order = order[descending]
    # Sums of the certain lists, then with one, two, ... of the optional ones.
    sum_of_certain = (factors * np.where(certain, terms, 0.0)).sum()
    added = factors[order] * terms[order]
    numerators = np.concatenate(([sum_of_certain], added)).cumsum()
    divisors = np.concatenate(([factors[certain].sum()], factors[order])).cumsum()
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(divisors > 0, numerators / divisors, -np.inf)
    n_counted = int(np.argmax(means))
    left_out = optional.copy()
    left_out[order[:n_counted]] = False
    return left_out


def count_ties(lists: Lists, settings: list[Settings]) -> dict[str, int]:
    """Count ties, in float32 if any measure compares scores as float32."""
    total = int(lists.layout.sizes.sum())
    counts = np.zeros((len(lists), 2), np.int64)
    if lists.scores is not None:
        is_float32 = any(measure.score_dtype == "float32" for measure in settings)
        if is_float32 and not lists.of_ranks:
            lists = lists.replace(float32=True)
        for batch in batches(lists, 0, len(lists)):
            assert batch.scores is not None
            rows = counts[batch.first + batch.low : batch.first + batch.high]
            starts = batch.starts[batch.low : batch.high]
            stops = batch.stops[batch.low : batch.high]
            _core.count_ties(batch.scores, starts, stops, rows)
        if lists.exclude is not None:
            total -= int(lists.exclude.indptr[-1])
    return {
        "documents": total,
        "tied_documents": int(counts[:, 0].sum()),
        "tied_lists": int((counts[:, 0] > 0).sum()),
        "tie_blocks": int(counts[:, 1].sum()),
    }


class Ranked(NamedTuple):
    """Lists in rank order, without excluded documents and scores; other fields are per document."""

    lists: Lists
    is_judged: Bools
    block_start: Integers  # the rank at which its tie block starts
    block_size: Integers  # of its tie block


class IdealOfBounds(NamedTuple):
    """How the ideal of a measure changes with the labels of unjudged documents."""

    top_label: float  # the largest label that an unjudged document may have
    is_cut_at_length: bool  # the ideal has as many documents as the list
    counts_unjudged: bool  # the unjudged documents are among the zeros of the ideal


def bound_unjudged(
    requested: Sequence[tuple[Family, Settings]], lists: Lists, threads: int
) -> tuple[Ends, Ends]:
    """The lowest and highest values over all choices of unjudged documents with the top label."""
    if lists.on_device:
        raise ValueError(
            'bounds="unjudged" needs the ranks of unjudged documents, which are not counted on a '
            'device; remove "unjudged" from bounds=, or move y_score to the CPU'
        )
    if not isinstance(lists.labels, Sparse):
        raise ValueError(
            'bounds="unjudged" needs to know which documents are judged, and a dense y_true labels '
            "all of them; give sparse labels (CSR), where a document without an entry is unjudged, "
            "or qrels and a run"
        )
    if lists.places is not None:
        raise ValueError(
            'bounds="unjudged" needs all documents of the lists, but some ranks are missing from '
            'the table; remove "unjudged" from bounds=, or add the missing rows'
        )
    labels = lists.with_excluded_as_zero().stored.values
    highest_label = float(labels.max(initial=0))
    if lists.runs is not None:
        highest_label = max(highest_label, float(lists.runs.level.max(initial=0.0)))
    # Measures that rank alike, look equally deep and have the same ideal are computed together.
    rankings: dict[tuple[str, bool], Ranked] = {}
    groups: dict[tuple[tuple[str, bool], int | None, IdealOfBounds], list[int]] = {}
    for index, (family, settings) in enumerate(requested):
        _refuse_unjudged(settings, lists, labels)
        ranking = settings.ties, settings.score_dtype == "float32"
        if ranking not in rankings:
            rankings[ranking] = in_rank_order(lists, settings)
        k = None
        if family.cutoff in ("optional", "required"):
            k = settings.k
        ideal = IdealOfBounds(
            _find_top_label(highest_label, settings),
            is_cut_at_length=settings.ideal == "returned" and family.has_ideal,
            counts_unjudged=settings.ideal == "list" or lists.all_returned,
        )
        groups.setdefault((ranking, k, ideal), []).append(index)
    shape = len(lists), len(requested)
    undefined_for_some = np.empty(shape, bool)  # the same at both ends
    low = Ends(np.empty(shape), {}, undefined_for_some, is_upper=False)
    high = Ends(np.empty(shape), {}, undefined_for_some, is_upper=True)
    for (ranking, k, ideal), members in groups.items():
        # In rank order no two documents share their ranks, unless the tie rule says so.
        ties, _ = ranking
        if ties not in SHARING_TIE_RULES:
            ties = "average"
        measures = []
        for index in members:
            family, settings = requested[index]
            measures.append((family, settings._replace(ties=ties)))
        holes = find_holes(rankings[ranking], k, ideal)
        top_label = None
        if holes.most > 0:
            top_label = ideal.top_label
        # The ideal may hold every hole beside all that is judged.
        table = MeasureColumns(
            measures, rankings[ranking].lists, extra_documents=holes.most, top_label=top_label
        )
        lower, upper, undefined = table.bounds(threads, holes)
        for end, (values, divisors) in ((low, lower), (high, upper)):
            end.values[:, members] = values
            for index, column in divisors.items():
                end.divisors[members[index]] = column
        # The core writes 1.0 for a value that is undefined for some labels, else 0.0.
        is_undefined, _ = undefined
        undefined_for_some[:, members] = is_undefined > 0
    return low, high


def _find_top_label(highest_label: float, settings: Settings) -> float:
    """The largest label that an unjudged document may have: the highest one, but relevant."""
    if settings.truncate_labels:
        highest_label = np.trunc(highest_label)
    top = max(highest_label, settings.rel)
    if settings.truncate_labels or settings.labels != "any":
        top = np.ceil(top)  # a label that the tool accepts
    # If no judged label is positive and `rel` is 0 or hardly above it, 1 stands for any relevant
    # label.
    if top < np.finfo(float).tiny:
        return 1.0
    return float(top)


def _refuse_unjudged(settings: Settings, lists: Lists, labels: Array) -> None:
    if settings.ties == "random":
        raise ValueError('bounds="unjudged" needs ranks that are known; choose another ties=')
    if settings.ideal == "given" and settings.family.has_ideal:
        raise ValueError(
            'bounds="unjudged": the convention takes the judged labels in the order given as its '
            "ideal, where an unjudged document has no place; choose another convention"
        )
    if settings.undefined == "zero_sum" and labels.min(initial=0) < 0:
        raise ValueError(
            'bounds="unjudged": the convention\'s nDCG is undefined if labels sum to 0, which '
            "every new relevant document may change if there are labels below 0; choose "
            "another convention"
        )
    drops = settings.drop is not None and lists.scores is not None
    if drops and mask_low(lists, settings.drop or 0.0).any():
        raise ValueError(
            f'bounds="unjudged": the convention drops scores of at most {settings.drop:g}, and '
            "some scores are that low; choose another convention"
        )


def in_rank_order(lists: Lists, settings: Settings) -> Ranked:
    """Put every list into the order of its ranking under the tie rule."""
    layout, scores, ties = lists.layout, lists.scores, settings.ties
    flat = None
    if scores is not None:
        flat = native_scores(scores).reshape(-1)
    chunk: Any = flat, lists.labels, layout.starts, layout.stops, lists.order
    if lists.exclude is not None:
        chunk = remove_excluded(chunk, lists.exclude)
    flat, labels, starts, stops, id_order = chunk
    sizes = stops - starts
    # Documents are numbered through, list after list.
    offsets = add_sizes(sizes)
    numbers = np.arange(int(offsets[-1]))
    first_of_list = np.repeat(offsets[:-1], sizes)
    judged_documents = labels.places(offsets[:-1])
    judged_ranks = judged_documents
    # Without ties each document is a block of its own.
    block_start = numbers - first_of_list
    block_size = np.ones_like(numbers)
    if flat is not None:
        if settings.score_dtype == "float32" and not lists.of_ranks:
            flat = as_float32(flat)
        # The number of a document is its position in `flat`, unless rows are padded.
        cells = numbers
        if not np.array_equal(starts, offsets[:-1]):
            cells = numbers + np.repeat(starts - offsets[:-1], sizes)
        by_id = ties in ("id", "id_descending") and id_order is not None
        if by_id or ties == "reverse":
            tie_key = cells
            if by_id:
                tie_key = id_order[cells]
            if ties != "id":
                tie_key = -tie_key
            descending = -flat[cells].astype(np.float64)
            by_rank = np.lexsort((tie_key, descending, first_of_list))
        else:
            by_rank = np.empty_like(numbers)
            _core.rank_lists(flat, starts, stops, by_rank)
            by_rank += first_of_list
        # by_rank has the number of the document at each rank, rank_of its inverse.
        rank_of = np.empty_like(numbers)
        rank_of[by_rank] = numbers
        judged_ranks = rank_of[judged_documents]
        if ties in SHARING_TIE_RULES:
            scores_by_rank = flat[cells[by_rank]]
            # A block starts with each list, and where the score differs from the one before.
            starts_block = np.ones(len(numbers), bool)
            starts_block[1:] = scores_by_rank[1:] != scores_by_rank[:-1]
            starts_block[offsets[:-1][sizes > 0]] = True
            if not starts_block.all():
                first_of_block = np.flatnonzero(starts_block)
                sizes_of_blocks = np.diff(np.append(first_of_block, len(numbers)))
                block_start = np.repeat(first_of_block, sizes_of_blocks) - first_of_list
                block_size = np.repeat(sizes_of_blocks, sizes_of_blocks)
    is_judged = np.zeros(len(numbers), bool)
    is_judged[judged_ranks] = True
    # The labels in rank order, as a sparse matrix of ranks within each list.
    order = np.argsort(judged_ranks, kind="stable")
    data = labels.values[order]
    ranks = judged_ranks[order] - np.repeat(offsets[:-1], np.diff(labels.indptr))
    indptr = np.ascontiguousarray(labels.indptr, np.int64)
    entries = Sparse(np.ascontiguousarray(data), np.ascontiguousarray(ranks), indptr, None)
    new_layout = Layout(offsets[:-1].copy(), offsets[1:].copy(), False, lists.layout.queries)
    ranked = lists.replace(layout=new_layout, labels=entries, scores=None, exclude=None, order=None)
    return Ranked(ranked, is_judged, block_start, block_size)


def find_holes(ranked: Ranked, k: int | None, ideal: IdealOfBounds) -> _core.Holes:
    """The unjudged documents that are, or with their tie block may be, among the first k.

    Holes below the first k ranks are only counted: if relevant, they add to the ideal and to R.
    """
    layout = ranked.lists.layout
    unjudged = holes = ~ranked.is_judged
    if k is not None:
        holes = unjudged & (ranked.block_start < k)
    numbers = np.flatnonzero(holes)
    ends = np.append(layout.starts, len(holes))
    indptr = np.searchsorted(numbers, ends)
    counts = np.diff(indptr)
    unjudged_before = add_sizes(unjudged)
    n_below = np.diff(unjudged_before[ends]) - counts
    ranks = numbers - np.repeat(layout.starts, counts)  # within their lists
    return _core.Holes(
        np.ascontiguousarray(indptr, np.int64),
        np.ascontiguousarray(ranks, np.int64),
        np.ascontiguousarray(ranked.block_start, np.int64),
        np.ascontiguousarray(ranked.block_size, np.int64),
        np.ascontiguousarray(n_below, np.int64),
        *ideal,
    )
