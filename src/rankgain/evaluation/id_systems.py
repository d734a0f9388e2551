"""Ids of several systems in one call: which mapping is one, and each evaluated on its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from ..engine.notices import warn
from ..inputs.ids import is_pair
from ..inputs.kinds import describe
from ..inputs.labelled import is_series
from ..inputs.list_rows import Fields, has_list_rows, read_list_rows
from ..inputs.lists import reword_error
from ..inputs.relevant import hold_rows
from ..inputs.sparse import looks_sparse
from ..inputs.tables.columns import choose_header, require
from ..inputs.tables.lists import is_frame, is_table, read_retrieved_frame
from ..inputs.tables.source import open_table
from ..inputs.tables.systems import parts_by_system
from .evaluation import Evaluation
from .evaluations import Evaluations, refuse_same_names


def read_sources(
    ids: object, relevant: object, retrieved: object, run: str | None, systems: bool | None
) -> dict[str, tuple[Any, Any]]:
    """Retrieved and relevant ids by system; of a call without names of systems, by ""."""
    is_named = retrieved is not None
    if is_named or has_list_rows(ids, relevant):
        if is_named and not isinstance(retrieved, str):
            raise TypeError("retrieved is given twice: first without its name, then by it")
        if not has_list_rows(ids, relevant):
            raise TypeError(
                f"retrieved={retrieved!r} names a field of a table with lists of ids, but the "
                f"first argument is {describe(ids)}, and relevant {describe(relevant)}"
            )
        column = retrieved if isinstance(retrieved, str) else "retrieved"
        return read_list_rows(ids, Fields(column, str(relevant or "relevant"), run))
    if relevant is None:
        raise TypeError("evaluate_ids() is missing relevant: relevant=...")
    if run is not None:
        retrieved_by = systems_of_frame(ids, run)
    elif are_systems(ids, relevant, systems):
        retrieved_by = dict(cast("Mapping[Any, Any]", ids))
        refuse_same_names(retrieved_by, "systems")
        if not retrieved_by:
            raise ValueError("there are no systems; give a mapping name -> rankings")
    else:
        return {"": (ids, relevant)}
    shared = hold_rows(relevant)
    return {str(name): (one, shared) for name, one in retrieved_by.items()}


def are_systems(retrieved: object, relevant: object, systems: bool | None) -> bool:
    """Whether a mapping holds the rankings of systems, not those of queries.

    Without `systems` it does where only this fits: relevant ids without queries, or values that
    are no list of ids.
    """
    if not isinstance(retrieved, Mapping):
        if systems:
            raise TypeError(
                f"systems=True needs a mapping name -> rankings, not {describe(retrieved)}"
            )
        return False
    if systems is not None or not retrieved:
        return bool(systems)
    first = next(iter(retrieved.values()))
    if not (isinstance(relevant, Mapping) or is_frame(relevant) or is_series(relevant)):
        return not _is_flat(first) or _is_flat(relevant)
    is_matrix = isinstance(first, np.ndarray) and first.ndim > 1
    is_nested = isinstance(first, (list, tuple)) and first and isinstance(first[0], (list, set))
    # (1, 0.5) is an id with its score, [1, 2] a ranking of two ids.
    if is_nested and is_pair(first[0]) and type(first[0][0]) is not type(first[0][1]):
        is_nested = False
    is_systems = is_matrix or is_nested
    return bool(is_systems or isinstance(first, Mapping) or is_frame(first) or looks_sparse(first))


def _is_flat(value: object) -> bool:
    """Whether a value is one list of ids."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind != "O"
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return not isinstance(value[0], (list, tuple, set, frozenset, Mapping, np.ndarray))


def systems_of_frame(frame: object, run: str) -> dict[str, Any]:
    """The ids of each user, by system; run: the column with the systems."""
    if not is_table(frame):
        raise TypeError(
            f"run={run!r} names a column of a frame with a row for each retrieved id, which "
            f"{describe(frame)} is not; for several systems give a mapping name -> rankings"
        )
    opened, where = open_table(frame)
    header = choose_header(opened)
    require(header, run, "run", where)
    columns = [one for one in header if one != run]
    result = {}
    for name, part in parts_by_system(opened, run, columns, where).items():
        users, lists, note = read_retrieved_frame(part, "retrieved")
        if note is not None:
            warn(note)
        result[name] = dict(zip(users, lists, strict=True))
    return result


def evaluate_each(
    evaluate: Callable[[Any, Any], Evaluation], systems: Mapping[str, tuple[Any, Any]]
) -> Evaluations:
    """Evaluate the retrieved and relevant ids of each system; errors name it."""
    result: dict[str, Evaluation] = {}
    for name, (retrieved, relevant) in systems.items():
        try:
            result[name] = evaluate(retrieved, relevant)
        except (TypeError, ValueError) as error:
            reword_error(error, f"run {name!r}: {error}")
            raise
    return Evaluations(result)
