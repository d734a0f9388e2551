"""Measures for which a convention joins qrels and runs in different ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..convention import UNSET, Convention
from ..convention.domains import BLOCK_MEASURES
from ..engine.resampling import Shares
from ..engine.settings import tie_rule
from ..measures.catalogue import FAMILIES
from ..measures.measure import Measure
from .counting import merged
from .evaluation import Evaluation

if TYPE_CHECKING:
    from ..inputs.types import Array


# Fields of a convention that are used when qrels and run are joined.
READINGS = ("score_dtype", "ties", "missing", "unjudged")


def readings_of(measure: Measure) -> dict[str, Any]:
    """Those fields that the name of a measure sets."""
    params = measure.params
    result = {"ties": params["ties"]} if "ties" in params else {}
    if "judged_only" in params:
        result["unjudged"] = "drop" if params["judged_only"] else "keep"
    return result


def split(
    measures: tuple[Measure, ...], rules: Convention, ties: object
) -> list[tuple[Convention, list[Measure]]]:
    """Group measures by the values of these fields; each group is evaluated with its own join."""
    groups: dict[tuple[Any, ...], list[Measure]] = {}
    for measure in measures:
        function = FAMILIES[measure.family.lower()].function
        cut = (measure.k or rules.for_family("k", function)) is not None
        fields = {field: rules.for_family(field, function, cut=cut) for field in READINGS}
        if ties is not UNSET:
            fields["ties"] = tie_rule(ties)
        fields |= readings_of(measure)
        if function in BLOCK_MEASURES or "rank" in measure.params:
            fields["ties"] = "average"  # blocks stay as they are
        groups.setdefault(tuple(fields.values()), []).append(measure)
    usual = tuple(getattr(rules, field) for field in READINGS)
    result = []
    for values, members in groups.items():
        changes = dict(zip(READINGS, values, strict=True))
        reading = rules if values == usual else rules.replace(name=rules.name, **changes)
        result.append((reading, members))
    return result


def merge(parts: list[Evaluation], measures: tuple[Measure, ...], rules: Convention) -> Evaluation:
    """Merge the groups in the requested order of measures; nan where a group lacks a query."""
    if len(parts) == 1:
        return parts[0]
    most = max(parts, key=len)
    place = {query: at for at, query in enumerate(most.queries)}
    means: dict[str, float] = {}
    values: dict[str, Any] = {}
    bounds: dict[str, dict[str, Any]] = {}
    ends: dict[str, dict[str, tuple[float, float]]] = {}
    shares: dict[str, Shares] = {}
    for part in parts:
        at = [place[query] for query in part.queries]
        for name, column in part.per_query.items():
            means[name] = part.means[name]
            values[name] = _placed(column, at, len(most))
        for name, result in part.shares.items():
            shares[name] = result._replace(
                numerators=_placed(result.numerators, at, len(most)),
                divisors=None
                if result.divisors is None
                else _placed(result.divisors, at, len(most)),
            )
        for kind, columns in part.bounds.items():
            for name, column in columns.items():
                bounds.setdefault(kind, {})[name] = _placed(column, at, len(most))
            ends.setdefault(kind, {}).update(part.bound_means[kind])
    names = [str(measure) for measure in measures]
    return Evaluation(
        {name: means[name] for name in names},
        {name: values[name] for name in names},
        most.queries,
        convention=most.convention,
        counts=merged(most.counts, (part.counts for part in parts), names),
        bounds={kind: {name: result[name] for name in names} for kind, result in bounds.items()},
        bound_means={kind: {name: result[name] for name in names} for kind, result in ends.items()},
        weights=most.weights,
        versions=most.versions,
        shares=shares,
        requested=most.requested,
        settings=most.settings,
        rules=rules,
        mean_rule=most.mean_rule,
    )


def _placed(column: Array, at: list[int], n: int) -> Any:
    """Put values at their places among n lists, with nan elsewhere."""
    placed = np.full((n, *column.shape[1:]), np.nan)
    placed[at] = column
    return placed
