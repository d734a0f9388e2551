"""Evaluate a file that may not fit into memory, in parts of complete lists.

If the rows of every list are adjacent, the file is read once. If a query comes back, it is read
again several times, and each time the lists of some of the queries are evaluated.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from ...inputs.files import PARQUET
from ...inputs.grouping import Repeats, group_rows
from ...inputs.lists import reword_error
from ...inputs.tables.columns import keys, values_at
from ...inputs.tables.file_batches import file_batches, names_of
from ...inputs.tables.parts import FilePart, Progress, adjacent_file_parts, part_of_queries
from ...inputs.tables.path import File
from ...inputs.tables.predictions import (
    ColumnNames,
    PredictionTable,
    SelectedColumns,
    choose_columns,
    read_columns,
)
from ..evaluation import Evaluation
from ..sums.merging import in_order
from .table import Call, evaluate_table

if TYPE_CHECKING:
    import pyarrow as pa


KEYS = ("by", "doc", "segment")
ROWS = 20_000_000  # of Parquet that are read in one part; some 50 bytes each
BYTES = 1 << 29  # of text that are read in one part
STRETCH = 1 << 20  # rows at least that are evaluated together, where lists are adjacent
SMALL = 1 << 20  # bytes of Parquet; smaller files always have fewer than ROWS
GZIP = 10  # upper bound of the compression ratio of text


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
    selected = choose_columns(names, requested, file.name)
    result = _adjacent(file, selected, call)
    return _by_query(file, selected, call) if result is None else result


def _adjacent(file: File, selected: SelectedColumns, call: Call) -> Evaluation | None:
    """Evaluate in one pass; None if the rows of a query are not adjacent."""
    result, repeats = [], Repeats()
    batches = _batches(file, selected, "")
    for part in adjacent_file_parts(batches, selected.columns["by"], STRETCH):
        one = _evaluated(part, file, selected, call)[0]
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
            one, first = _evaluated(part, file, selected, call)
            result.append(one)
            firsts.append(part.rows[first])
    merged = Evaluation.merge(result, convention=call.rules)
    return in_order(merged, np.argsort(np.concatenate(firsts)))


def _batches(file: File, selected: SelectedColumns, what: str) -> Iterator[Any]:
    """Read record batches of the columns, with progress; ids must have one type in all."""
    names = list(dict.fromkeys(selected.columns.values()))
    of_keys = [selected.columns[role] for role in KEYS if role in selected.columns]
    rows = 0
    types: dict[str, Any] = {}
    with closing(Progress(None, what)) as bar:
        for batch in file_batches(file, names):
            for name in of_keys:
                kind = batch.schema.field(name).type
                if types.setdefault(name, kind) != kind:
                    raise TypeError(
                        f"{file.name}: column {name!r} is {types[name]}, but {kind} from row "
                        f"{rows + 1} on; give it one type"
                    )
            yield batch
            rows += batch.num_rows
            bar.tell(rows)


def _evaluated(
    part: FilePart, file: File, selected: SelectedColumns, call: Call
) -> tuple[Evaluation, Any]:
    """Evaluate a part; return also the first row of each list. Errors name rows of the file."""
    table: PredictionTable | None = None
    try:
        table = read_columns(_frame(part.table), selected, file.name, file.text)
        return evaluate_table(table, call)
    except (ValueError, TypeError) as error:
        reword_error(error, _placed(str(error), part, file, table))
        raise


def _frame(table: pa.Table) -> Any:
    """A frame of the library that `evaluate_frame` uses for files."""
    import narwhals as nw

    if find_spec("polars"):
        import polars

        table = polars.from_arrow(table)
    return nw.from_native(table)


def _placed(text: str, part: FilePart, file: File, table: PredictionTable | None) -> str:
    """Turn row and list numbers of a part, in an error text, into those of the file."""
    if text.startswith(file.name):
        there = re.compile(r"(?<=\brow )\d+").search(text, len(file.name))
        if there is None:
            return text
        row = part.rows[int(there[0]) - 1] + 1
        return f"{text[: there.start()]}{row}{text[there.end() :]}"
    number = re.search(r"\blist (\d+)", text)
    if number is None or table is None:
        return text
    rows = group_rows(keys(table.by)).first
    query = values_at(table.by, rows[[int(number[1])]])[0]
    rest = text[number.end() :].removeprefix(f" (id {query!r})")
    return f"{file.name}: {text[: number.start()]}the list of {query!r}{rest}"


def _comparable(queries: Any) -> list[Any]:
    """Ids of any type as integers or text."""
    storable = type(queries[0]) in (int, str)
    return list(queries) if storable else list(map(str, queries))
