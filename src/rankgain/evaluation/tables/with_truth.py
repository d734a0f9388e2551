"""Evaluate a table of retrieved rows against judgments in another table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, cast

from ...engine.notices import named_in_warnings
from ...inputs.tables.columns import choose_header, in_memory
from ...inputs.tables.lists import RUN_AND_SCORES, columns_by_system
from ...inputs.tables.roles import RANKS, ColumnNames, keep_columns_in, leave_to_companions, require
from ...inputs.tables.source import Part, open_table
from ...trec.by_query import Qrels, QueryRecords, Run, as_qrels
from ...trec.forms import NamedColumns, find_columns
from ...trec.named_runs import runs_of_frame
from ...trec.rows import Duplicates, find_form
from ..evaluation import Evaluation
from ..evaluations import Evaluations
from ..runs import evaluate, evaluate_runs

if TYPE_CHECKING:
    from ...inputs.types import Documents


def evaluate_with_truth(
    frame: object,
    truth: object,
    requested: ColumnNames,
    duplicates: Duplicates = "raise",
    documents: Documents | None = None,
    **call: Any,
) -> Evaluation | Evaluations:
    """Join retrieved rows and judgments, as `evaluate` does."""
    _refuse_other_columns(requested)
    score_columns = columns_by_system(requested.score)
    if score_columns and requested.run is not None:
        raise ValueError(RUN_AND_SCORES)
    qrels, columns_of_truth = _read_truth(truth, requested)
    table, origin = open_table(frame)
    header = choose_header(table)
    requested, origin = leave_to_companions(header, requested, lambda: columns_of_truth, origin)
    columns = _columns_of_runs(requested, score_columns)
    run_column = []
    if requested.run is not None:
        run_column.append(require(header, requested.run, "run", origin))
    candidates = [column for column in header if column not in run_column]
    names = []
    for named_columns in columns.values():
        found = find_columns(candidates, named_columns, False, origin)
        names += found.names
    names += RANKS.matching(candidates)[:1]
    names += run_column
    # All runs have the same columns of ids, so the last ones found are those of each.
    part = Part(in_memory(table, names, origin, found.ids), None, origin.name, origin.files)
    if requested.run is not None:
        runs = runs_of_frame(columns[""]._replace(frame=part), requested.run, duplicates)
        for name, run in runs.items():
            runs[name] = _as_documents(run, duplicates, documents)
        return evaluate_runs(qrels, runs, **call)
    runs = {}
    for name, named_columns in columns.items():
        with named_in_warnings("run", name) if score_columns else nullcontext():
            run = Run(named_columns._replace(frame=part), duplicates=duplicates)
            runs[name] = _as_documents(run, duplicates, documents)
    if not score_columns:
        return evaluate(qrels, runs[""], **call)
    return evaluate_runs(qrels, runs, **call)


def _as_documents(run: Run, duplicates: Duplicates, documents: Documents | None) -> Run:
    """The run with documents in the place of chunks, if it ranks these."""
    if documents is None:
        return run
    return Run(run, duplicates=duplicates, documents=documents)


def _refuse_other_columns(requested: ColumnNames) -> None:
    """Refuse columns that a join with judgments does not support."""
    for argument, remedy in (
        ("weight", "evaluate(truth, frame, weight={query: weight}) supports them"),
        ("segment", "the result's .by({query: segment}) splits it"),
    ):
        if getattr(requested, argument) is not None:
            raise ValueError(f"{argument} names a column, which truth= does not support; {remedy}")
    if "doc" in requested.ruled_out:
        raise ValueError("truth= joins by document, so doc=None is not possible; pass doc=")
    if requested.rank is not None and requested.score is not None:
        raise ValueError("score and rank both say what orders the documents; pass one of them")


def _columns_of_runs(
    requested: ColumnNames, score_columns: Mapping[str, str]
) -> dict[str, NamedColumns]:
    """The columns of each system; "" is one without a name, or all of those that run= names."""
    of_ranks = requested.rank is not None
    order_columns: Mapping[str, object] = score_columns
    if not order_columns:
        order_columns = {"": requested.score}
        if of_ranks:
            order_columns = {"": requested.rank}
    names_systems = bool(score_columns) or requested.run is not None
    holds_one_system = names_systems or "run" in requested.ruled_out
    result = {}
    for name, column in order_columns.items():
        result[name] = NamedColumns(
            None,
            requested.query,
            requested.doc,
            cast("str | None", column),
            of_ranks=of_ranks,
            holds_one_system=holds_one_system,
            is_argument=True,
        )
    return result


def _read_truth(truth: object, requested: ColumnNames) -> tuple[Qrels, list[str]]:
    """The judgments of anything that `evaluate` reads as qrels, and the columns of a table."""
    are_records = isinstance(truth, (Mapping, QueryRecords))
    if isinstance(truth, (str, os.PathLike)) and os.path.isfile(truth):
        are_records = find_form(truth) != "frame"
    if are_records:
        qrels = as_qrels(truth)
        if not len(qrels):
            raise ValueError("truth: no rows; pass at least one judged document")
        return qrels, []
    table, origin = open_table(truth)
    header = choose_header(table)
    origin = origin._replace(name="truth")
    of_truth, origin = keep_columns_in(header, requested, origin)
    columns = NamedColumns(None, of_truth.query, of_truth.doc, requested.label, is_argument=True)
    found = find_columns(header, columns, True, origin)
    part = Part(in_memory(table, found.names, origin, found.ids), None, "truth")
    return Qrels(columns._replace(frame=part)), header
