"""Evaluate a table of retrieved rows against judgments in another table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, cast

from ...engine.notices import named_in_warnings
from ...inputs.tables.columns import choose_header, in_memory
from ...inputs.tables.lists import TWO_NAMINGS, columns_by_system
from ...inputs.tables.roles import RANKS, ColumnNames, keep_columns_in, require
from ...inputs.tables.source import Part, open_table
from ...trec.by_query import Qrels, QueryRecords, Run, as_qrels
from ...trec.forms import NamedColumns, find_columns
from ...trec.named_runs import runs_of_frame
from ...trec.rows import Duplicates, find_form
from ..evaluation import Evaluation
from ..evaluations import Evaluations
from ..runs import evaluate, evaluate_runs


def evaluate_beside(
    frame: object, truth: object, named: ColumnNames, duplicates: Duplicates = "raise", **call: Any
) -> Evaluation | Evaluations:
    """Join retrieved rows and judgments, as `evaluate` does."""
    for argument, remedy in (
        ("weight", "evaluate(truth, frame, weight={query: weight}) takes them"),
        ("segment", "the result's .by({query: segment}) splits it"),
    ):
        if getattr(named, argument) is not None:
            raise ValueError(f"{argument} names a column, which truth= does not take; {remedy}")
    if "doc" in named.ruled_out:
        raise ValueError("truth= joins by document, so doc=None is not possible; pass doc=")
    systems = columns_by_system(named.score)
    if systems and named.run is not None:
        raise ValueError(TWO_NAMINGS)
    if named.rank is not None and named.score is not None:
        raise ValueError("score and rank both say what orders the documents; give one of them")
    scores = systems or {"": named.score if named.rank is None else named.rank}
    columns = {
        name: NamedColumns(
            None,
            named.query,
            named.doc,
            cast("str | None", column),
            of_ranks=named.rank is not None,
            holds_one_system=bool(systems) or named.run is not None or "run" in named.ruled_out,
            is_argument=True,
        )
        for name, column in scores.items()
    }
    is_file = isinstance(truth, (str, os.PathLike)) and os.path.isfile(truth)
    if isinstance(truth, (Mapping, QueryRecords)) or (is_file and find_form(truth) != "frame"):
        qrels = as_qrels(truth)
        if not len(qrels):
            raise ValueError("truth: no rows; give at least one judged document")
    else:
        opened, origin = open_table(truth)
        header, origin = choose_header(opened), origin._replace(name="truth")
        shared = keep_columns_in(header, named, origin)
        judged = NamedColumns(None, shared.query, shared.doc, named.label, is_argument=True)
        found = find_columns(header, judged, True, origin)
        part = Part(in_memory(opened, found.names, origin, found.ids), None, "truth")
        qrels = Qrels(judged._replace(frame=part))
    opened, origin = open_table(frame)
    header = choose_header(opened)
    last = [] if named.run is None else [require(header, named.run, "run", origin)]
    others = [column for column in header if column not in last]
    found_by_run = [find_columns(others, run, False, origin) for run in columns.values()]
    needed = [name for found in found_by_run for name in found.names]
    names = [*needed, *RANKS.matching(others)[:1], *last]
    part = Part(in_memory(opened, names, origin, found_by_run[0].ids), None, origin.name)
    if named.run is not None:
        runs = runs_of_frame(columns[""]._replace(frame=part), named.run, duplicates)
        return evaluate_runs(qrels, runs, **call)
    runs = {}
    for name, column in columns.items():
        with named_in_warnings("run", name) if systems else nullcontext():
            runs[name] = Run(column._replace(frame=part), duplicates=duplicates)
    return evaluate_runs(qrels, runs, **call) if systems else evaluate(qrels, runs[""], **call)
