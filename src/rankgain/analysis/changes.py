"""Which queries changed most between two systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..engine.intervals import check_whole
from ..measures.all_lists import is_over_all_lists
from .aligned import find_lists, name_measures, name_pair

if TYPE_CHECKING:
    from ..inputs.types import Floats
    from ..measures.measure import Measure
    from .comparison import Comparison


class QueryChange(NamedTuple):
    """The values of systems a and b for a query; difference is value_a - value_b."""

    query: object
    value_a: float
    value_b: float
    difference: float


def find_changes(
    comparison: Comparison, measure: str | Measure, n: object, a: str | None, b: str | None
) -> tuple[QueryChange, ...]:
    """The queries whose values differ, the largest differences first."""
    count = check_whole(n, "n", 1)
    if comparison.evaluations is None:
        raise ValueError(
            "this comparison was read from a file, which has no values of queries; compare the "
            "evaluations again to see which queries changed"
        )
    systems = name_pair(comparison.names, a, b, comparison.baseline)
    # Evaluations over other queries were compared with queries="common", or refused.
    aligned = find_lists(comparison.evaluations, "common")
    pair = {name: aligned.evaluations[name] for name in systems}
    [name] = name_measures(aligned._replace(evaluations=pair), [measure])
    if is_over_all_lists(name, comparison.better):
        raise ValueError(
            f"{name} is a number of all lists together, so no query has a value of its own"
        )
    system_a, system_b = systems
    values_a: Floats = pair[system_a].per_query[name][aligned.lists[system_a]]
    values_b: Floats = pair[system_b].per_query[name][aligned.lists[system_b]]
    differences = values_a - values_b
    changed = np.flatnonzero(np.nan_to_num(differences))  # nan if either value is missing
    order = np.argsort(-np.abs(differences[changed]), kind="stable")
    changes = []
    for index in changed[order[:count]].tolist():
        numbers = float(values_a[index]), float(values_b[index]), float(differences[index])
        changes.append(QueryChange(aligned.queries[index], *numbers))
    return tuple(changes)
