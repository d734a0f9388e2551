"""The options of a call that evaluates tables, and its measures on the lists of one table."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...convention import Convention
from ...inputs.tables.predictions import PredictionTable, lists_of
from ..evaluation import Evaluation
from ..one_pass import evaluate_lists, prepare_all


class Call(NamedTuple):
    """The measures and options of a call."""

    measures: Any
    options: dict[str, Any]
    rules: Convention
    threads: int | None
    bounds: Any
    warned: set[str]  # what the call has warned of

    def measures_by_ties(self) -> dict[str, str]:
        """The name of a measure by each tie rule of the call."""
        prepared = prepare_all(self.measures, self.options, self.rules)
        return {settings.ties: family.name for family, settings in reversed(prepared.requested)}


def evaluate_table(table: PredictionTable, call: Call) -> tuple[Evaluation, Any]:
    """Evaluate the lists in the order of their first rows; return also these rows."""
    by_id = not call.measures_by_ties().keys().isdisjoint(("id", "id_descending"))
    lists, queries, weights, segments, first = lists_of(table, by_id)
    result = evaluate_lists(
        *(lists, call.measures, call.options, call.rules, weights, call.threads, call.bounds),
        displayed=queries,
        warned=call.warned,
        segments=segments,
    )
    return result, first
