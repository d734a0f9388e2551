"""Tables of predictions as evaluations: whole, or in parts of complete lists.

A file may not fit into memory. If the rows of every list are adjacent, it is read once. If a query
comes back, it is read again several times, and each time the lists of some queries are evaluated.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from ...convention import Convention
from ...inputs.files import PARQUET
from ...inputs.grouping import Repeats
from ...inputs.tables.lists import (
    ColumnNames,
    PredictionTable,
    SelectedColumns,
    TableLists,
    choose_columns,
    lists_of,
    read_columns,
)
from ...inputs.tables.source import File, Where
from ...inputs.tables.stream import (
    Part,
    Progress,
    adjacent_parts,
    file_batches,
    names_of,
    part_of_queries,
    plain_batches,
)
from ..evaluation import Evaluation
from ..one_pass import evaluate_lists, prepare_all
from ..sums.merging import in_order

KEYS = ("by", "doc", "segment")
ROWS = 20_000_000  # of Parquet that are read in one part; some 50 bytes each
BYTES = 1 << 29  # of text that are read in one part
STRETCH = 1 << 20  # rows at least that are evaluated together, where lists are adjacent
SMALL = 1 << 20  # bytes of Parquet; smaller files always have fewer than ROWS
GZIP = 10  # upper bound of the compression ratio of text


class Call(NamedTuple):
    """The measures and options of a call."""

    measures: Any
    options: dict[str, Any]
    rules: Convention
    threads: int | None
    bounds: Any
    warned: set[str]  # what the call has warned of
    ids_by: str = "doc=, the column of the documents' ids"  # the argument for ids, for errors
    in_runs: bool = False  # each run of rows of one query is a list

    def measures_by_ties(self) -> dict[str, str]:
        """The name of a measure by each tie rule of the call."""
        prepared = prepare_all(self.measures, self.options, self.rules)
        return {settings.ties: family.name for family, settings in reversed(prepared.requested)}


def evaluate_table(table: PredictionTable, call: Call) -> tuple[Evaluation, TableLists]:
    """Evaluate the lists in the order of their first rows; return also the lists."""
    by_id = not call.measures_by_ties().keys().isdisjoint(("id", "id_descending"))
    read = lists_of(table, by_id, call.ids_by, call.in_runs)
    result = evaluate_lists(
        *(read.lists, call.measures, call.options, call.rules, read.weights, call.threads),
        call.bounds,
        displayed=read.queries,
        warned=call.warned,
        segments=read.segments,
    )
    return result, read


def evaluate_part(
    part: Part, selected: SelectedColumns, name: str, file: File | None, call: Call
) -> tuple[Evaluation, TableLists]:
    """Evaluate the complete lists of a part of a stream, or of a file; errors name its rows."""
    where, text = Where(name, rows=part.rows), file is not None and file.text
    table = read_columns(part.frame(file is not None), selected, where, text)
    try:
        return evaluate_table(table, call)
    except (ValueError, TypeError) as error:
        if len(part.rows):
            error.add_note(f"list 0 is that of {table.by[0]!r}, which starts in {where.row(0)}")
        raise


def is_long(file: File) -> bool:
    """Whether to read a file in parts, which needs pyarrow."""
    return _times(file) > 1 and find_spec("pyarrow") is not None


def _times(file: File) -> int:
    """The number of parts in which a file is read."""
    size = os.path.getsize(file.path)
    if file.suffix not in PARQUET:
        return -(-size * (GZIP if file.packed else 1) // BYTES)
    if size < SMALL or find_spec("pyarrow") is None:
        return 1
    from pyarrow import parquet

    with file.reading():
        return -(-int(parquet.read_metadata(file.path).num_rows) // ROWS)


def evaluate_long(file: File, requested: ColumnNames, call: Call) -> Evaluation:
    """Evaluate all lists, in the order of their first rows."""
    with file.reading():
        names = names_of(file)
    selected = choose_columns(names, requested, Where(file.name))
    result = _adjacent(file, selected, call)
    return _by_query(file, selected, call) if result is None else result


def _adjacent(file: File, selected: SelectedColumns, call: Call) -> Evaluation | None:
    """Evaluate in one pass; None if the rows of a query are not adjacent."""
    result, repeats = [], Repeats()
    batches = _batches(file, selected, "")
    for part in adjacent_parts(batches, selected.columns["by"], STRETCH):
        one = evaluate_part(part, selected, file.name, file, call)[0]
        if repeats.add(_comparable(one.queries)) is not None:
            return None
        result.append(one)
    return Evaluation.merge(result, convention=call.rules)


def _by_query(file: File, selected: SelectedColumns, call: Call) -> Evaluation:
    """Evaluate in several passes, each with all rows of some of the queries."""
    result, firsts = [], []
    passes = _times(file)
    for at in range(passes):
        batches = _batches(file, selected, f"pass {at + 1} of {passes}: ")
        part = part_of_queries(batches, selected.columns["by"], at, passes)
        if part is not None:
            one, read = evaluate_part(part, selected, file.name, file, call)
            result.append(one)
            firsts.append(part.rows[read.groups.first])
    merged = Evaluation.merge(result, convention=call.rules)
    return in_order(merged, np.argsort(np.concatenate(firsts)))


def _batches(file: File, selected: SelectedColumns, what: str) -> Iterator[Any]:
    """Read record batches of the columns, with progress; ids must have one type in all."""
    names = list(dict.fromkeys(selected.columns.values()))
    alike = [selected.columns[role] for role in KEYS if role in selected.columns]
    with closing(Progress(None, what)) as bar:
        for part in plain_batches(file_batches(file, names, names), names, alike, file.name):
            yield part.table
            bar.tell(part.rows.stop)


def _comparable(queries: Any) -> list[Any]:
    """Ids of any type as integers or text."""
    storable = type(queries[0]) in (int, str)
    return list(queries) if storable else list(map(str, queries))
