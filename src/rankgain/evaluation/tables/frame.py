"""Evaluate a long table of predictions with labels, its rows in any order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Unpack

from ...convention import UNSET, Unset, get_convention
from ...engine.arguments import documented
from ...inputs.tables.lists import ColumnNames, choose_columns, read_columns
from ...inputs.tables.source import (
    LINES,
    Where,
    content_of,
    look_at,
    narwhals,
    open_file,
    open_table,
    refuse_mixed,
)
from ...measures.measure import rereadable
from ..evaluation import Evaluation
from ..one_pass import SeededOptions, settings_from
from .table import Call, evaluate_long, evaluate_table, is_long

if TYPE_CHECKING:
    from ...inputs.types import Frame, Path
    from ...measures.types import Bounds, Measures, Rules


@documented("rankgain")
def evaluate_frame(
    frame: Path | Frame,
    measures: Measures,
    *,
    by: str | None = None,
    label: str | None = None,
    score: str | None = None,
    rank: str | None = None,
    doc: str | Unset | None = UNSET,
    weight: str | None = None,
    segment: str | None = None,
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    bounds: Bounds = (),
    **options: Unpack[SeededOptions],
) -> Evaluation:
    """Evaluate a long table of predictions: a row for each document, with its label and score.

    The table must have all candidates of each list, above all every relevant one, retrieved or not:
    with the retrieved rows alone, recall, nDCG and AP are too high. For judgments apart from the
    ranking use `evaluate` or `evaluate_ids`.

    Parameters
    ----------
    frame : pandas, polars (eager or lazy) or pyarrow, anything with `__arrow_c_stream__`, or a path
        Rows in any order. Paths end in .parquet, .csv, .tsv or .jsonl; the last three may be
        compressed, as .csv.gz. Needs the extra "frames". Files that may not fit into memory are
        read in parts, see below.
    by, label, score : names of columns
        The query of a row, its label, and the model's score. By default the only column with a
        usual name, such as user_id or query_id, label or relevance, score or prediction; if two
        match, the error names both.
    rank : name of a column
        Instead of `score`; the smallest rank is the best. There is no default.
    doc : name of a column
        Ids of documents; needed for ties by id. An id twice in a list is an error. By default the
        only column with a usual name, such as doc_id or item_id; None: no column.
    weight, segment : names of columns
        The weight of a list in the means, and its segment, for `Evaluation.segments`; equal in all
        rows of a list.

    Returns
    -------
    Evaluation
        Its queries are the values of `by` in the order in which they first appear.

    Files of up to 20 million rows of Parquet, or 512 MB of text (compressed: 51 MB), are read at
    once; a row takes some 50 bytes, and text ids as much again. Longer files are read in parts if
    pyarrow is installed; memory holds one part, the values of each list, and the longest list. A
    part has a million rows if the rows of every list are adjacent. Else the file is read several
    times, and each time the lists of 20 million rows, or of 512 MB, are evaluated. The result is
    the same. bounds= and ties="random" need all lists at once, and so the whole file.

    A row without a value, a NaN, an infinite label and a column of text where numbers should be are
    errors that name the column and the row, counted from 1.

    >>> import pandas, rankgain as rg
    >>> rows = {"user_id": ["u", "v", "u"], "label": [1, 1, 0], "score": [0.2, 0.5, 0.9]}
    >>> rg.evaluate_frame(pandas.DataFrame(rows), "RR").to_dict()
    {'u': {'RR': 0.5}, 'v': {'RR': 1.0}}
    """
    settings = settings_from(options, SeededOptions, "evaluate_frame")
    rules = get_convention("rankgain" if convention is UNSET else convention)
    names = by, label, score, rank, None if isinstance(doc, Unset) else doc, weight, segment
    requested = ColumnNames(*names, finds_doc=doc is UNSET)
    call = Call(rereadable(measures), settings, rules, threads, bounds, set())
    if isinstance(frame, (str, os.PathLike)):
        return _evaluate_path(frame, requested, call)
    opened, where = open_table(frame)
    selected = choose_columns(opened.collect_schema().names(), requested, where)
    return evaluate_table(read_columns(opened, selected, where, text=False), call)[0]


def _evaluate_path(path: Path, requested: ColumnNames, call: Call) -> Evaluation:
    """Evaluate a file; a long one in parts."""
    narwhals()
    file = look_at(path)
    of_all = bool(call.bounds) or "random" in call.measures_by_ties()
    if not of_all and is_long(file):
        return evaluate_long(file, requested, call)
    frame, where = open_file(file), Where(file.name)
    selected = choose_columns(frame.collect_schema().names(), requested, where)
    if file.suffix in LINES:
        names = selected.columns.values()
        with file.reading():
            refuse_mixed(lambda: content_of(file).getvalue(), frame, names, file.name)
    return evaluate_table(read_columns(frame, selected, where, file.text), call)[0]
