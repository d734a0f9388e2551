"""Bounds of values and means, over the order of ties or the labels of unjudged documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from ..convention import Convention
from ..inputs.lists import Lists
from .columns import MeasureColumns, finish
from .family import Family
from .means import MeanRule, Sharing, average, logarithms, read_sharing
from .settings import Settings
from .threads import batches
from .unjudged import bound_unjudged

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats


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
            low, high = _in_order(*MeasureColumns(averaged, scored, extremes=True).bounds(threads))
            some = np.zeros(low[0].shape, bool)
            result.counts.update(count_ties(scored, [one for _, one in measured.settings]))
        else:
            low, high, some = bound_unjudged(measured.settings, lists, threads)
        result.lists[kind], result.means[kind] = {}, {}
        for at, name in enumerate(measured.names):
            family, settings = measured.settings[at]
            sharing = read_sharing(rules, rule, settings, family.mean, order)
            known = measured.values[at], measured.undefined[at]
            ends = [
                _end(out[:, at], divisors.get(at), some[:, at], known, settings, sharing, best)
                for best, (out, divisors) in enumerate((low, high))
            ]
            columns = np.stack([end.values for end in ends], axis=1)
            if family.mean == "geometric":
                columns = logarithms(columns)
            result.lists[kind][name] = columns
            means = tuple(
                extreme_mean(end, weights, sharing, bool(best)) for best, end in enumerate(ends)
            )
            result.means[kind][name] = (means[0], means[1])
    return result


def _in_order(worst: tuple[Any, Any], best: tuple[Any, Any]) -> tuple[Any, Any]:
    """Low and high values; Unjudged@k is highest in the worst order."""
    (a, divisors), (b, _) = worst, best  # divisors do not depend on the order of ties
    return (np.fmin(a, b), divisors), (np.fmax(a, b), divisors)


class End(NamedTuple):
    """One end of the intervals of a measure."""

    values: Any
    undefined: Any  # lists that are undefined for all labels of unjudged documents
    optional: Any  # lists that are undefined for some of them
    divisors: Any  # of a micro mean, or None


def _end(
    values: Array,
    divisors: Floats | None,
    some: Array,
    known: tuple[Any, Any],
    settings: Settings,
    sharing: Sharing,
    best: int,
) -> End:
    """Fill undefined values of one end; keep the value itself inside in spite of rounding."""
    pick = np.fmax if best else np.fmin
    optional = (some > 0) & ~np.isnan(values)
    values = values.copy()
    empty = "skip" if settings.empty == "raise" else settings.empty
    undefined = finish(values, settings._replace(empty=empty), settings.function)
    if isinstance(settings.empty, float):
        values[optional] = pick(values[optional], settings.empty)
    known_values, was_undefined = known
    always = ~(was_undefined & optional) if sharing.skips else np.ones(len(values), bool)
    values[always] = pick(values[always], known_values[always])
    return End(values, undefined, optional, divisors)


def extreme_mean(end: End, weights: Floats | None, sharing: Sharing, best: bool) -> float:
    """Mean of one end; an optional list counts only if the mean becomes more extreme."""
    undefined = end.undefined
    if sharing.skips and end.optional.any():
        undefined = undefined | end.optional & ~_worth(end, weights, sharing, best)
    return average(end.values, weights, undefined, sharing, end.divisors)[0]


def _worth(end: End, weights: Floats | None, sharing: Sharing, best: bool) -> Any:
    """Mask of the optional lists that make the mean more extreme: the first ones by value."""
    counts = np.ones(len(end.values))
    for factor in (weights if sharing.weighted else None, end.divisors):
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
    count = int(np.argmax(means) if best else np.argmin(means))
    worth = np.zeros(len(values), bool)
    worth[at[:count]] = True
    return worth


def count_ties(lists: Lists, settings: list[Settings]) -> dict[str, int]:
    """Count ties; in float32, if some measure compares scores as float32."""
    total = int(lists.layout.sizes.sum())
    counts = np.zeros((len(lists), 2), np.int64)
    if lists.scores is not None:
        if any(one.score_dtype == "float32" for one in settings):
            lists = lists.having(float32=True)
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
