"""Several systems in one table: a column with their names, or a column of scores for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..grouping import group_rows
from .columns import in_memory, keys, refuse_missing, select_columns, select_values
from .source import Part, Where, as_narwhals

BOTH = "run and several columns in score both name the systems; give one of them"


def columns_by_system(score: object) -> dict[str, Any]:
    """The column of scores by the name of its system; {} if `score` is not several columns."""
    if isinstance(score, Mapping):
        columns = {str(name): one for name, one in score.items()}
    elif isinstance(score, (list, tuple)):
        columns = {str(one): one for one in score}
    else:
        return {}
    if len(columns) < len(score):
        raise ValueError(f"score has one system twice: {score!r}; give each a name of its own")
    if not columns:
        raise ValueError('score is empty; give columns, such as score={"a": "score_a"}')
    return columns


def parts_by_system(
    frame: object, run: str, columns: Sequence[str], where: Where
) -> dict[str, Part]:
    """The rows of each system, in the order of the systems' first rows; `run` names the column."""
    opened = as_narwhals(in_memory(frame, (run, *columns), where))
    [column] = select_columns(opened, [run], where)
    refuse_missing(column, where)
    groups = group_rows(keys(column))
    texts = system_names(select_values(column, groups.first), where, run)
    order, stops = groups.order(), np.cumsum(groups.sizes)
    parts = {}
    for name, stop, size in zip(texts, stops.tolist(), groups.sizes.tolist(), strict=True):
        rows = order[stop - size : stop]
        table = opened[rows.tolist(), list(dict.fromkeys(columns))].to_native()
        parts[name] = Part(table, rows, where.name)
    return parts


def system_names(values: Sequence[object], where: Where, run: str) -> list[str]:
    """The names of systems as text, which must differ."""
    texts = list(map(str, values))
    if len(set(texts)) < len(texts):
        again = next(one for at, one in enumerate(texts) if one in texts[:at])
        raise ValueError(f"{where.name}: two systems in {run!r} are called {again!r} as text")
    if not texts:
        raise ValueError(
            f"{where.name} has no rows, so {run!r} names no system; leave run= out to evaluate it"
        )
    return texts
