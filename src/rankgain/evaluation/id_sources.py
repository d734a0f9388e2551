"""What a call of `evaluate_ids` passes: its form is decided here, and only here."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from numbers import Number
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from ..engine.notices import named_in_warnings, warn
from ..inputs.answers import is_answer
from ..inputs.axes import is_series
from ..inputs.entries import is_pair
from ..inputs.list_rows import Fields, has_list_rows, read_list_rows
from ..inputs.printable import describe, refuse_results
from ..inputs.rankings import holds_scores
from ..inputs.relevant import materialise
from ..inputs.sparse import looks_sparse
from ..inputs.tables.columns import choose_header
from ..inputs.tables.id_tables import (
    IdTable,
    as_id_table,
    is_frame,
    read_rank_scale,
    read_retrieved_frame,
)
from ..inputs.tables.lists import parts_by_system
from ..inputs.tables.roles import ColumnNames, require
from ..inputs.tables.source import is_table_path, open_table
from .evaluations import refuse_same_names

# Retrieved and relevant ids, as they were passed or as frames with their named columns.
Sides: TypeAlias = tuple[Any, Any]


class IdArguments(NamedTuple):
    """The arguments of `evaluate_ids` that say what its ids are."""

    source: object  # the first one
    relevant: object
    retrieved: object  # passed by its name, beside the first one
    run: str | None
    systems: bool | None
    columns: ColumnNames


class Form(Enum):
    """What the first argument of `evaluate_ids` is."""

    LISTS_IN_ROWS = auto()  # a table whose rows hold lists of retrieved and of relevant ids
    RUN_COLUMN = auto()  # a table with a row for each id, in which run= names the systems
    SYSTEMS = auto()  # a mapping of names to the rankings of systems
    RANKINGS = auto()  # the rankings of one system, in any container or table


def find_form(call: IdArguments) -> Form:
    """Decide what the first argument is; a call that fits no form is refused.

    =============  ==========================================================================
    LISTS_IN_ROWS  it is a table or a path, and `relevant` is absent or the name of a column;
                   `retrieved` may name the other column, which is an error with any other form
    RUN_COLUMN     `run` names a column
    SYSTEMS        systems=True, or a mapping that only fits as one of systems
    RANKINGS       all others
    =============  ==========================================================================
    """
    # A text that is not a path of a table names a column of the first argument.
    names_column = isinstance(call.relevant, str) and not is_table_path(call.relevant)
    has_lists = (call.relevant is None or names_column) and has_list_rows(call.source)
    if call.retrieved is not None and not isinstance(call.retrieved, str):
        raise TypeError("retrieved is passed twice: as the first argument and by its name")
    if call.retrieved is not None and not has_lists:
        raise TypeError(
            f"retrieved={describe(call.retrieved)} names a field of a table with lists of ids, but "
            f"the first argument is {describe(call.source)}, and relevant {describe(call.relevant)}"
        )
    if has_lists:
        return Form.LISTS_IN_ROWS
    if call.relevant is None:
        raise TypeError("evaluate_ids() is missing relevant: relevant=...")
    if call.run is not None:
        return Form.RUN_COLUMN
    if _are_systems(call.source, call.relevant, call.systems):
        return Form.SYSTEMS
    return Form.RANKINGS


def read_sources(call: IdArguments) -> dict[str, Sides]:
    """Retrieved and relevant ids by system; of a call without names of systems, by ""."""
    for side in (call.source, call.relevant):
        refuse_results(side, "lists of ids")
    form = find_form(call)
    if form is Form.LISTS_IN_ROWS:
        return _read_list_rows(call)
    retrieved = as_id_table(call.source, call.columns)
    relevant = as_id_table(call.relevant, call.columns)
    if not isinstance(retrieved, IdTable) and not isinstance(relevant, IdTable):
        _refuse_columns(call.columns)
    if form is Form.RANKINGS:
        return {"": (retrieved, relevant)}
    if form is Form.RUN_COLUMN:
        rankings = _read_run_column(retrieved, call)
    else:
        rankings = _read_systems(cast("Mapping[object, object]", call.source), call.columns)
    shared = materialise(relevant)  # all systems read it, so an iterator becomes a list
    return {str(system): (ranking, shared) for system, ranking in rankings.items()}


def _read_list_rows(call: IdArguments) -> dict[str, Sides]:
    """The sides of a table whose rows hold both lists."""
    if call.systems:
        raise TypeError(
            f"systems=True needs a mapping name -> rankings, not {describe(call.source)}; run= "
            "names the column of the systems"
        )
    query, score = call.columns.query, call.columns.score
    if not isinstance(query, (str, type(None))):
        raise TypeError(f"query must name one field of a table with lists of ids, not {query!r}")
    if not isinstance(score, (str, type(None))):
        raise TypeError(f"score must name one field of a table with lists of ids, not {score!r}")
    retrieved = "retrieved"
    if call.retrieved is not None:
        retrieved = str(call.retrieved)
    relevant = str(call.relevant or "relevant")
    fields = Fields(retrieved, relevant, call.run, query, score)
    return read_list_rows(call.source, fields)


def _read_run_column(retrieved: object, call: IdArguments) -> dict[object, object]:
    """The rankings of each system of a table, by query."""
    if not isinstance(retrieved, IdTable):
        raise TypeError(
            f"run={describe(call.run)} names a column of a frame with a row for each retrieved id, "
            f"but retrieved is {describe(call.source)}; for several systems pass a mapping name -> "
            "rankings"
        )
    table, origin = open_table(retrieved.frame)
    header = choose_header(table)
    run = require(header, call.run, "run", origin)
    columns = [column for column in header if column != run]
    # Whether ranks start at 0 or at 1 is a fact of the whole table, not of one system.
    scale = read_rank_scale(table, call.columns, origin)
    rankings: dict[object, object] = {}
    for system, frame in parts_by_system(table, run, columns, origin).items():
        of_system = IdTable(frame, call.columns._replace(run=run))
        queries, lists, note = read_retrieved_frame(of_system, "retrieved", scale)
        if note is not None:
            with named_in_warnings("run", system):
                warn(note)
        rankings[system] = dict(zip(queries, lists, strict=True))
    return rankings


def _read_systems(retrieved: Mapping[object, object], columns: ColumnNames) -> dict[object, object]:
    """The rankings of each system of a mapping."""
    rankings = {system: as_id_table(ranking, columns) for system, ranking in retrieved.items()}
    refuse_same_names(rankings, "systems")
    if not rankings:
        raise ValueError("there are no systems; pass a mapping name -> rankings")
    return rankings


def _refuse_columns(columns: ColumnNames) -> None:
    """Refuse names of columns if no argument is a table."""
    for role in ("query", "doc", "label", "score", "rank"):
        name = getattr(columns, role)
        if name is not None:
            raise TypeError(
                f"{role}={name!r} names a column of a frame with a row for each id, but neither "
                "retrieved nor relevant is one"
            )


def _are_systems(retrieved: object, relevant: object, systems: bool | None) -> bool:
    """Whether a mapping is one of systems: as `systems` says, else if only this fits."""
    if not isinstance(retrieved, Mapping):
        if systems:
            raise TypeError(
                f"systems=True needs a mapping name -> rankings, not {describe(retrieved)}"
            )
        return False
    if systems is not None or not retrieved:
        return bool(systems)
    if is_answer(retrieved) or isinstance(retrieved.get("responses"), list):
        return False
    values = list(retrieved.values())
    # An empty mapping does not say what it would hold, so look at the first other value.
    first = values[0]
    for value in values:
        is_empty = isinstance(value, Mapping) and not value
        if not is_empty:
            first = value
            break
    if isinstance(first, (Number, np.number)):  # one ranking by scores
        return False
    has_queries = isinstance(relevant, Mapping) or is_frame(relevant) or is_series(relevant)
    if not has_queries:
        # Rankings by query need relevant ids by query. So this mapping has systems, unless both
        # are one list: {"query": ["a", "b"]} with ["a"].
        return not _is_flat(first) or _is_flat(relevant)
    if holds_scores(first):
        return False
    if isinstance(first, Mapping):
        return True
    if is_list_of_lists(first):
        shared = [name for name in retrieved if isinstance(relevant, Mapping) and name in relevant]
        if shared:
            raise TypeError(
                f"retrieved: query {describe(shared[0])} has a list of lists; pass one list of ids "
                'for each query, or calls="in_order" if they are several searches for one query'
            )
        return True
    return is_frame(first) or looks_sparse(first)


def is_list_of_lists(value: object) -> bool:
    """Whether a value holds several rankings, not the ids of one."""
    if isinstance(value, np.ndarray):
        return value.ndim > 1
    if not isinstance(value, (list, tuple)) or not value:
        return False
    row: object = value[0]
    if isinstance(row, set):
        return True
    if not isinstance(row, list):
        return False
    # ["d1", 0.5] is an id with its score, [1, 2] a ranking of two ids.
    return not is_pair(row) or type(row[0]) is type(row[1])


def _is_flat(value: object) -> bool:
    """Whether a value is one list of ids."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind != "O"
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return not isinstance(value[0], (list, tuple, set, frozenset, Mapping, np.ndarray))
