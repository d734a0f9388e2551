"""Bounds of values and means, over the order of ties or the labels of unjudged documents.

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
from .columns import MeasureColumns, finish
from .means import MeanRule, Sharing, average, logarithms, read_sharing
from .settings import Family, Settings
from .threads import batches
from .views import mask_low

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats


BLOCKS = ("average", "best", "worst")  # tie rules under which tied documents share their ranks


class MeasureValues(NamedTuple):
    """The measures of an evaluation with their settings, values and undefined lists."""

    names: tuple[str, ...]
    settings: Sequence[tuple[Family, Settings]]
    values: list[Any]
    undefined: list[Any]


class Bounds(NamedTuple):
    """By kind and measure: [low, high] of each list, and of the mean; counts of ties."""

    lists: dict[str, dict[str, Any]]
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
    """Find the bounds of each kind; `scored` are the lists with scores."""
    result = Bounds({}, {}, {})
    rule = MeanRule.of(rules)
    order = rule.order(lists.layout.queries)
    for kind in kinds:
        if kind == "ties":
            averaged = [(f, one._replace(ties="average", seed=0)) for f, one in measured.settings]
            table = MeasureColumns(averaged, scored, extremes=True)
            (worst, divisors), (best, _) = table.bounds(threads)
            # Unjudged@k is highest in the worst order; divisors do not depend on it.
            low, high = (np.fmin(worst, best), divisors), (np.fmax(worst, best), divisors)
            some = np.zeros(low[0].shape, bool)
            result.counts.update(count_ties(scored, [one for _, one in measured.settings]))
        else:
            low, high, some = bound_unjudged(measured.settings, lists, threads)
        result.lists[kind], result.means[kind] = {}, {}
        for at, name in enumerate(measured.names):
            family, settings = measured.settings[at]
            sharing = read_sharing(rules, rule, settings, family.mean, order)
            values, undefined = measured.values[at], measured.undefined[at]
            ends = []
            for best, (out, divisors) in enumerate((low, high)):
                one = End(out[:, at], divisors.get(at), some[:, at], bool(best))
                ends.append(_find_end(one, values, undefined, settings, sharing, weights))
            columns = np.stack([column for column, _ in ends], axis=1)
            is_geometric = family.mean == "geometric"
            result.lists[kind][name] = logarithms(columns) if is_geometric else columns
            result.means[kind][name] = (ends[0][1], ends[1][1])
    return result


class End(NamedTuple):
    """One end of the bounds of a measure, as the core computes it."""

    values: Any
    divisors: Any  # of a micro mean, or None
    some: Any  # above 0 for lists that are undefined for some labels of unjudged documents
    best: bool


def _find_end(
    end: End,
    known: Array,
    was_undefined: Array,
    settings: Settings,
    sharing: Sharing,
    weights: Floats | None,
) -> tuple[Any, float]:
    """The values of one end without undefined ones, and their mean.

    The value itself stays inside in spite of rounding. A list that is undefined for some labels is
    optional: where undefined lists are left out, it counts if that makes the mean more extreme.
    """
    pick, values = np.fmax if end.best else np.fmin, end.values.copy()
    optional = (end.some > 0) & ~np.isnan(values)
    empty = "skip" if settings.empty == "raise" else settings.empty
    undefined = finish(values, settings._replace(empty=empty), settings.function)
    if isinstance(settings.empty, float):
        values[optional] = pick(values[optional], settings.empty)
    always = ~(was_undefined & optional) if sharing.skips else np.ones(len(values), bool)
    values[always] = pick(values[always], known[always])
    if sharing.skips and optional.any():
        counts = np.ones(len(values))
        for factor in (weights if sharing.weighted else None, end.divisors):
            counts = counts if factor is None else counts * factor
        terms = logarithms(values) if sharing.kind == "geometric" else values
        sure = ~undefined & ~optional
        at = np.flatnonzero(optional)
        at = at[np.argsort(-terms[at] if end.best else terms[at], kind="stable")]
        total = np.concatenate(([counts[sure].sum()], counts[at])).cumsum()
        above = np.concatenate(
            ([(counts * np.where(sure, terms, 0.0)).sum()], counts[at] * terms[at])
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.where(total > 0, above.cumsum() / total, -np.inf if end.best else np.inf)
        undefined |= optional
        undefined[at[: int(np.argmax(means) if end.best else np.argmin(means))]] = False
    return values, average(values, weights, undefined, sharing, end.divisors)[0]


def count_ties(lists: Lists, settings: list[Settings]) -> dict[str, int]:
    """Count ties; in float32, if some measure compares scores as float32."""
    total = int(lists.layout.sizes.sum())
    counts = np.zeros((len(lists), 2), np.int64)
    if lists.scores is not None:
        if any(one.score_dtype == "float32" for one in settings) and not lists.of_ranks:
            lists = lists.replace(float32=True)
        for batch in batches(lists, 0, len(lists)):
            rows = counts[batch.first + batch.low : batch.first + batch.high]
            part = slice(batch.low, batch.high)
            assert batch.scores is not None
            _core.count_ties(batch.scores, batch.starts[part], batch.stops[part], rows)
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
    judged: Any
    block: Any  # the rank at which its tie block starts
    size: Any  # of its tie block


def bound_unjudged(
    requested: Sequence[tuple[Family, Settings]], lists: Lists, threads: int
) -> tuple[Any, Any, Any]:
    """Low and high values with divisors of micro means, and where a measure may be undefined."""
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
    shape = len(lists), len(requested)
    labels = lists.with_excluded_as_zero().stored.values
    highest = float(labels.max(initial=0))
    if lists.runs is not None:
        highest = max(highest, float(lists.runs.level.max(initial=0.0)))
    ends: list[Any] = [(np.empty(shape), {}), (np.empty(shape), {})]
    some = np.empty(shape)
    ranked_lists: dict[Any, Ranked] = {}
    groups: dict[Any, list[int]] = {}
    for at, (family, settings) in enumerate(requested):
        _refuse_unjudged(settings, lists, labels)
        key = settings.ties, settings.score_dtype == "float32"
        if key not in ranked_lists:
            ranked_lists[key] = in_rank_order(lists, settings)
        k = settings.k if family.cutoff in ("optional", "required") else None
        returned = settings.ideal == "returned" and family.has_ideal
        inside = settings.ideal == "list" or lists.all_returned
        top = max(np.trunc(highest) if settings.truncate_labels else highest, settings.rel)
        if settings.truncate_labels or settings.labels != "any":
            top = float(np.ceil(top))  # a label that the tool accepts
        top = float(top) if top >= np.finfo(float).tiny else 1.0
        groups.setdefault((key, k, (top, returned, inside)), []).append(at)
    for (key, k, ideal), members in groups.items():
        ranked = ranked_lists[key]
        ties = key[0] if key[0] in BLOCKS else "average"  # where no two share their ranks
        members_settings = [
            (requested[at][0], requested[at][1]._replace(ties=ties)) for at in members
        ]
        holes = find_holes(ranked, k, ideal)
        # The ideal may hold every hole beside all that is judged.
        table = MeasureColumns(members_settings, ranked.lists, more=holes.most)
        *parts, undefined = table.bounds(threads, holes)
        for end, part in zip(ends, parts, strict=True):
            end[0][:, members] = part[0]
            end[1].update({members[i]: values for i, values in part[1].items()})
        some[:, members] = undefined[0]
    return ends[0], ends[1], some


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
            'bounds="unjudged": the convention\'s nDCG is undefined where labels sum to 0, which '
            "every new relevant document may change where there are labels below 0; choose "
            "another convention"
        )
    drops = settings.drop is not None and lists.scores is not None
    if drops and mask_low(lists, settings.drop or 0.0).any():
        raise ValueError(
            f'bounds="unjudged": the convention drops scores of at most {settings.drop:g}, and '
            "there are such; choose another convention"
        )


def in_rank_order(lists: Lists, settings: Settings) -> Ranked:
    """Put every list into the order of its ranking under the tie rule."""
    layout, scores, ties = lists.layout, lists.scores, settings.ties
    flat = None if scores is None else native_scores(scores).reshape(-1)
    chunk: Any = flat, lists.labels, layout.starts, layout.stops, lists.order
    if lists.exclude is not None:
        chunk = remove_excluded(chunk, lists.exclude)
    flat, labels, starts, stops, order = chunk
    sizes = stops - starts
    offsets = add_sizes(sizes)
    places = labels.places(offsets[:-1])
    fresh = np.ones(int(offsets[-1]), bool)
    if flat is not None:
        is_float32 = settings.score_dtype == "float32" and not lists.of_ranks
        flat = as_float32(flat) if is_float32 else flat
        rows = np.repeat(np.arange(len(sizes)), sizes)
        cells = np.arange(len(rows)) + np.repeat(starts - offsets[:-1], sizes)
        ids = order if ties in ("id", "id_descending") else None
        if ids is not None or ties == "reverse":
            key = cells if ids is None else ids[cells]
            descending = -flat[cells].astype(np.float64)
            at = np.lexsort((key if ties == "id" else -key, descending, rows))
        else:
            at = np.empty(len(rows), np.int64)
            _core.rank_lists(flat, starts, stops, at)
            at += np.repeat(offsets[:-1], sizes)
        rank = np.empty(len(at), np.int64)
        rank[at] = np.arange(len(at))
        places = rank[places]
        if ties in BLOCKS:
            ranked = flat[cells[at]]
            fresh[1:] = ranked[1:] != ranked[:-1]
            fresh[offsets[:-1][sizes > 0]] = True
    judged = np.zeros(len(fresh), bool)
    judged[places] = True
    inside = np.argsort(places, kind="stable")  # lists come one after the other
    entries = Sparse(
        np.ascontiguousarray(labels.data[: len(places)][inside]),
        np.ascontiguousarray(places[inside] - np.repeat(offsets[:-1], np.diff(labels.indptr))),
        np.ascontiguousarray(labels.indptr, np.int64),
        None,
    )
    layout = Layout(offsets[:-1].copy(), offsets[1:].copy(), False, lists.layout.queries)
    new = lists.replace(layout=layout, labels=entries, scores=None, exclude=None, order=None)
    first = np.flatnonzero(fresh)  # of each tie block
    size = np.diff(np.append(first, len(fresh)))
    block = np.repeat(first, size) - np.repeat(offsets[:-1], sizes)
    return Ranked(new, judged, block, np.repeat(size, size))


def find_holes(ranked: Ranked, k: int | None, ideal: tuple[float, bool, bool]) -> Any:
    """The unjudged documents that are, or with their tie block may be, among the first k.

    Holes below are only counted: if relevant, they add to the ideal and to R. ideal: the top label,
    whether the ideal has as many documents as the list, and whether the unjudged documents are
    among its zeros.
    """
    layout = ranked.lists.layout
    every = holes = ~ranked.judged
    if k is not None:
        holes = every & (ranked.block < k)
    at = np.flatnonzero(holes)
    starts = np.repeat(layout.starts, layout.sizes)
    ends = np.append(layout.starts, len(holes))
    indptr = np.searchsorted(at, ends)
    below = np.diff(np.searchsorted(np.flatnonzero(every), ends)) - np.diff(indptr)
    return _core.Holes(
        np.ascontiguousarray(indptr, np.int64),
        np.ascontiguousarray(at - starts[at], np.int64),
        np.ascontiguousarray(ranked.block, np.int64),
        np.ascontiguousarray(ranked.size, np.int64),
        np.ascontiguousarray(below, np.int64),
        *ideal,
    )
