"""Several runs with their names: a mapping, paths, objects that know their names, or one frame."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..engine.notices import named_in_warnings
from ..inputs.files import are_paths, expand_paths, names_of_paths
from ..inputs.lists import reword_error
from ..inputs.printable import describe
from ..inputs.ranks import find_scale
from ..inputs.tables.columns import choose_header, numbers, refuse_missing, select_columns
from ..inputs.tables.lists import parts_by_system
from ..inputs.tables.roles import RANKS, require
from ..inputs.tables.source import open_frame
from .by_query import QueryRecords, Run
from .forms import NamedColumns, find_columns
from .rows import Duplicates, find_form

A_MAPPING = 'give a mapping, such as {"bm25": run}'


def runs_by_name(runs: object, column: str | None) -> Mapping[str, Any]:
    """The runs of a call by name; column: of a frame, that of the systems."""
    if column is not None:
        if isinstance(runs, (Mapping, list, tuple)):
            raise TypeError(
                f"run={describe(column)} names a column, but runs is a {type(runs).__name__}; give "
                "a frame"
            )
        return runs_of_frame(NamedColumns(runs), column)
    if isinstance(runs, QueryRecords):
        raise TypeError(f"runs is one {type(runs).__name__}; {A_MAPPING}")
    if isinstance(runs, Mapping):
        if _is_one_run(runs):
            raise TypeError(
                "runs must map the name of a system to its run, but this is one run, which maps "
                f"queries such as {describe(next(iter(runs)))} to documents; call evaluate, or "
                'pass {"bm25": run}'
            )
        return runs
    if are_paths(runs):
        paths: Any = runs if isinstance(runs, (list, tuple)) else [runs]
        return names_of_paths(expand_paths(paths))
    if isinstance(runs, (list, tuple)) and runs:  # of files, or of objects with a name
        result: dict[str, object] = {}
        for index, run in enumerate(runs):
            if isinstance(run, (str, os.PathLike)):
                name: object = os.path.basename(os.fsdecode(run))
            else:
                name = getattr(run, "name", None)
            if not isinstance(name, str):
                raise TypeError(f"runs[{index}] ({type(run).__name__}) has no name; {A_MAPPING}")
            if name in result:
                raise ValueError(f"two runs are called {describe(name)}; {A_MAPPING}")
            result[name] = run
        return result
    if find_form(runs) == "frame":
        raise TypeError(
            f"runs is a {type(runs).__name__}; name its column of systems with run=, or {A_MAPPING}"
        )
    raise TypeError(
        f"runs must be a mapping name -> run, paths, or a frame with run=, not {describe(runs)}"
    )


def _is_one_run(runs: Mapping[str, object]) -> bool:
    """Whether a mapping is query -> document -> number, or query -> list of ids or of pairs."""
    documents = next(iter(runs.values()), None)
    if isinstance(documents, Mapping):
        return isinstance(next(iter(documents.values()), None), (int, float, np.number))
    if isinstance(documents, (list, tuple)) and documents:
        first = documents[0]
        is_pair = type(first) is tuple and len(first) == 2  # rows of a run have three fields
        return is_pair or isinstance(first, (str, int, np.integer))
    return False


def runs_of_frame(
    requested: NamedColumns, column: str, duplicates: Duplicates = "raise"
) -> dict[str, Run]:
    """The run of each system in a frame, or in a CSV or Parquet file; column: of the systems."""
    frame, origin = open_frame(requested.frame)
    header = choose_header(frame)
    require(header, column, "run", origin)
    remaining = [name for name in header if name != column]
    requested = requested._replace(holds_one_system=True)
    found = find_columns(remaining, requested, False, origin)
    columns = [*found.names, *RANKS.matching(remaining)[:1]]
    if requested.of_ranks:
        [ranks] = select_columns(frame, [found.number], origin)
        refuse_missing(ranks, origin)
        values = numbers(ranks, origin._replace(text=True))
        requested = requested._replace(scale=find_scale(values, ranks.name, origin.row))
    result = {}
    for name, part in parts_by_system(frame, column, columns, origin).items():
        try:
            with named_in_warnings("run", name):
                result[name] = Run(requested._replace(frame=part), duplicates=duplicates)
        except (TypeError, ValueError) as error:
            reword_error(error, f"run {describe(name)}: {error}")
            raise
    return result
