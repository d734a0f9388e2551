"""Bounds of an evaluation, over all orders of ties and over what unjudged documents are worth."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..convention import Convention
from ..engine.family import Family
from ..engine.means import MeanRule
from ..engine.planset import MeasureColumns, finish
from ..engine.settings import Settings
from ..engine.shares import Sharing, logarithms, mean, shares_of, sharing_of
from ..inputs.chunks import batches
from ..inputs.lists import Lists
from ..measures.measure import Measure
from .unjudged import unjudged_bounds


class Found(NamedTuple):
    """Measures of one evaluation with their settings, their values and which are undefined."""

    measures: tuple[Measure, ...]
    settings: Sequence[tuple[Family, Settings]]
    values: list[Any]
    undefined: list[Any]


class Bounds(NamedTuple):
    """By kind and measure: an array of [low, high] per list, and of the mean."""

    lists: dict[str, dict[str, Any]]
    means: dict[str, dict[str, tuple[float, float]]]
    counts: dict[str, int]


def find_bounds(
    kinds: tuple[str, ...],
    lists: Lists,
    scored: Lists,
    requested: Found,
    rules: Convention,
    weights: Any,
    threads: int,
) -> Bounds:
    """Bounds of each kind; `scored` are the lists with the scores that tie."""
    result = Bounds({}, {}, {})
    order = MeanRule.of(rules).order(lists.layout.queries)
    for kind in kinds:
        if kind == "ties":
            averaged = [(f, one._replace(ties="average", seed=0)) for f, one in requested.settings]
            table = MeasureColumns(averaged, scored, bounding=True)
            _, low, high = table.bounds(threads)
            low, high = _in_order(low, high)
            some = np.zeros(low[0].shape, bool)
            result.counts.update(count_ties(scored, [one for _, one in requested.settings]))
        else:
            low, high, some = unjudged_bounds(requested.settings, lists, threads)
        result.lists[kind], result.means[kind] = {}, {}
        for at, measure in enumerate(requested.measures):
            family, settings = requested.settings[at]
            sharing = sharing_of(rules, settings, family.mean, order)
            known = requested.values[at], requested.undefined[at]
            ends = [
                _end(out[:, at], items.get(at), some[:, at], known, settings, sharing, best)
                for best, (out, items) in enumerate((low, high))
            ]
            columns = np.stack([end.values for end in ends], axis=1)
            if family.mean == "geometric":
                columns = logarithms(columns)
            result.lists[kind][str(measure)] = columns
            means = tuple(
                extreme_mean(end, weights, sharing, bool(best)) for best, end in enumerate(ends)
            )
            result.means[kind][str(measure)] = (means[0], means[1])
    return result


def _in_order(worst: tuple[Any, Any], best: tuple[Any, Any]) -> tuple[Any, Any]:
    """Low and high: a share of unjudged documents is greatest in the order that is worst."""
    (a, items), (b, _) = worst, best  # the order of ties changes no item
    return (np.fmin(a, b), items), (np.fmax(a, b), items)


class End(NamedTuple):
    """One end of the intervals of a measure."""

    values: Any
    undefined: Any  # whatever happens
    optional: Any  # may be undefined or not
    items: Any


def _end(
    values: Any,
    items: Any,
    some: Any,
    known: tuple[Any, Any],
    settings: Settings,
    sharing: Sharing,
    best: int,
) -> End:
    """Fill the undefined values of one end, and let no rounding put the value itself outside."""
    pick = np.fmax if best else np.fmin
    optional = (some > 0) & ~np.isnan(values)
    values = values.copy()
    empty = "skip" if settings.empty == "raise" else settings.empty
    undefined = finish(values, settings._replace(empty=empty), settings.function)
    if isinstance(settings.empty, float):
        values[optional] = pick(values[optional], settings.empty)
    mine, was_undefined = known
    seen = ~(was_undefined & optional) if sharing.skips else np.ones(len(values), bool)
    values[seen] = pick(values[seen], mine[seen])
    return End(values, undefined, optional, items)


def extreme_mean(end: End, weights: Any, sharing: Sharing, best: bool) -> float:
    """The mean of one end. A list that may be left out is, unless it moves the mean outwards."""
    undefined = end.undefined
    if sharing.skips and end.optional.any():
        undefined = undefined | end.optional & ~_worth(end, weights, sharing, best)
    shares = shares_of(end.values, weights, undefined, sharing, end.items)
    return mean(end.values, weights, undefined, sharing, shares)


def _worth(end: End, weights: Any, sharing: Sharing, best: bool) -> Any:
    """Which of the lists that may be left out move the mean outwards: a prefix of the sorted."""
    counts = np.ones(len(end.values))
    for factor in (weights if sharing.weighted else None, end.items):
        counts = counts if factor is None else counts * factor
    values = logarithms(end.values) if sharing.kind == "geometric" else end.values
    sure = ~end.undefined & ~end.optional
    at = np.flatnonzero(end.optional)
    at = at[np.argsort(-values[at] if best else values[at], kind="stable")]
    total = np.concatenate(([counts[sure].sum()], counts[at])).cumsum()
    above = np.concatenate(
        ([(counts * np.where(sure, values, 0.0)).sum()], counts[at] * values[at])
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(total > 0, above.cumsum() / total, -np.inf if best else np.inf)
    taken = int(np.argmax(means) if best else np.argmin(means))
    worth = np.zeros(len(values), bool)
    worth[at[:taken]] = True
    return worth


def count_ties(lists: Lists, settings: list[Settings]) -> dict[str, int]:
    """Documents and lists that tie, in the precision of a measure that narrows scores if any."""
    total = int(lists.layout.sizes.sum())
    counts = np.zeros((len(lists), 2), np.int64)
    if lists.scores is not None:
        if any(one.score_dtype == "float32" for one in settings):
            lists = lists.having(float32=True)
        for batch in batches(lists, 0, len(lists)):
            rows = counts[batch.first + batch.low : batch.first + batch.high]
            mine = slice(batch.low, batch.high)
            _core.count_ties(batch.scores, batch.starts[mine], batch.stops[mine], rows)
        if lists.exclude is not None:
            total -= int(lists.exclude.indptr[-1])
    return {
        "documents": total,
        "tied_documents": int(counts[:, 0].sum()),
        "tied_lists": int((counts[:, 0] > 0).sum()),
        "tie_blocks": int(counts[:, 1].sum()),
    }
