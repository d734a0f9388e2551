"""A long table of predictions as lists: its columns found, read and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import _core
from ..grouping import Groups, group_rows
from ..lists import Layout, Lists, starts_of
from .columns import (
    choose,
    fingerprints,
    keys,
    numbers,
    refuse_infinite,
    refuse_nulls,
    refuse_wide,
    require,
    values_at,
)
from .frames import (
    DOCUMENTS,
    LABELS,
    QUERIES,
    RANKS,
    SCORES,
    columns_of,
    shown_names,
)

if TYPE_CHECKING:
    from ..types import NarwhalsFrame


class ColumnNames(NamedTuple):
    """The names of columns in the arguments of the caller."""

    by: str | None
    label: str | None
    score: str | None
    rank: str | None
    doc: str | None
    weight: str | None
    segment: str | None
    finds_doc: bool  # by a usual name, to refuse a document twice in a list


class SelectedColumns(NamedTuple):
    """The name of the column of each role. of_ranks: the scores are ranks."""

    columns: dict[str, str]
    of_ranks: bool
    found_doc: bool = False  # the column of documents, by its usual name


class PredictionTable(NamedTuple):
    """The values of the columns, and the name of the table for errors."""

    by: Any
    labels: Any
    scores: Any
    columns: dict[str, Any]  # all columns by role
    name: str
    found_doc: bool


def choose_columns(names: list[str], requested: ColumnNames, name: str) -> SelectedColumns:
    """Find the columns by their names in `requested`, or by the usual spellings."""
    if requested.rank is not None and requested.score is not None:
        raise ValueError("score and rank both say what orders the documents; give one of them")
    selected = {"by": choose(names, requested.by, "by", QUERIES, name)}
    selected["label"] = choose(names, requested.label, "label", LABELS, name)
    if requested.rank is not None:
        selected["score"] = require(names, requested.rank, "rank", name)
    else:
        if requested.score is None:
            ranks = RANKS.fitting(names)
            if ranks and not SCORES.fitting(names):
                raise ValueError(
                    f"{name}: no column for score=, such as {SCORES.names[0]}; there are "
                    f"{shown_names(names)}; name it with score=, or give rank={ranks[0]!r} if the "
                    "smallest rank is the best"
                )
        selected["score"] = choose(names, requested.score, "score", SCORES, name)
    usual = DOCUMENTS.fitting(names)
    found_doc = requested.finds_doc and len(usual) == 1 and usual[0] not in selected.values()
    if found_doc:
        requested = requested._replace(doc=usual[0])
    for role in ("doc", "weight", "segment"):
        if getattr(requested, role) is not None:
            selected[role] = require(names, getattr(requested, role), role, name)
    return SelectedColumns(selected, requested.rank is not None, found_doc)


def read_columns(
    frame: NarwhalsFrame, selected: SelectedColumns, name: str, text: bool
) -> PredictionTable:
    """Read and check the columns; text: numbers may be text, as in CSV files."""
    names = selected.columns
    result = dict(zip(names, columns_of(frame, list(names.values())), strict=True))
    if selected.found_doc and result["doc"].null_count():
        del result["doc"]  # a document without an id may be any
    for column in result.values():
        refuse_nulls(column, name)
    labels = numbers(result["label"], name, text=text)
    refuse_infinite(labels, names["label"], name)
    scores = numbers(result["score"], name, text=text)
    if selected.of_ranks:
        refuse_wide(scores, names["score"], name)
        scores = 0.0 - scores
    if "weight" in result:
        result["weight"] = numbers(result["weight"], name, text=text)
    return PredictionTable(result["by"], labels, scores, result, name, selected.found_doc)


class TableLists(NamedTuple):
    """The lists of a table in the order of their first rows, with their weights and segments."""

    lists: Lists
    queries: list[Any]
    weights: Any
    segments: Any
    first: Any  # the first row of each list


def lists_of(table: PredictionTable, by_id: bool) -> TableLists:
    """The lists of a table; by_id: ties are ordered by the ids of documents."""
    groups = group_rows(keys(table.by))
    queries = values_at(table.by, groups.first)
    bounds = starts_of(groups.sizes)
    layout = Layout(bounds[:-1], bounds[1:], False, queries)
    order = None
    if "doc" in table.columns:
        order = _documents(table, groups, queries, layout, by_id)
    columns = groups.together(table.labels), groups.together(table.scores)
    ids_by = "doc=, the column of the documents' ids"
    lists = Lists(layout, *columns, None, False, None, order, pool=True, ids_by=ids_by)
    return TableLists(
        lists.having(called="label"),
        queries,
        _of_lists(table, groups, queries, "weight"),
        _of_lists(table, groups, queries, "segment"),
        groups.first,
    )


def _documents(
    table: PredictionTable, groups: Groups, queries: list[Any], layout: Layout, by_id: bool
) -> Any:
    """Refuse a document twice in a list. With by_id return the order of the ids, for ties."""
    column = table.columns["doc"]
    marks = groups.together(fingerprints(column))
    if _core.list_with_tie(marks, layout.starts, layout.stops) < 0 and not by_id:
        return None
    documents = group_rows(keys(column))
    codes = groups.together(documents.codes)
    at = _core.list_with_tie(codes.astype(np.float64), layout.starts, layout.stops)
    if at >= 0:
        rows = groups.order()[layout.starts[at] : layout.stops[at]]
        ids = documents.codes[rows]
        firsts = np.unique(ids, return_index=True)[1]
        again = rows[np.setdiff1d(np.arange(len(ids)), firsts)[0]]
        document = values_at(column, np.array([again]))[0]
        others = (
            ", or evaluate each system on its own if the table holds several; doc=None if "
            f"{column.name!r} does not name the documents"
            if table.found_doc
            else ""
        )
        raise ValueError(
            f"{table.name}, row {again + 1}: {queries[at]!r} has the document {document!r} a "
            f"second time; keep one of the rows{others}"
        )
    if not by_id:
        return None
    texts = np.array([str(one).encode() for one in values_at(column, documents.first)])
    return np.unique(texts, return_inverse=True)[1].astype(np.int64)[codes]


def _of_lists(table: PredictionTable, groups: Groups, queries: list[Any], role: str) -> Any:
    """The value of a column for each list; None without the column."""
    column = table.columns.get(role)
    if column is None:
        return None
    values = column if isinstance(column, np.ndarray) else group_rows(keys(column)).codes
    differs = np.flatnonzero(values != values[groups.first][groups.codes])
    if differs.size:
        row = int(differs[0])
        raise ValueError(
            f"{table.name}, row {row + 1}: {role} differs from that of an earlier row of "
            f"{queries[groups.codes[row]]!r}; all rows of a list must have one"
        )
    if isinstance(column, np.ndarray):
        return column[groups.first].astype(np.float64)
    return values_at(column, groups.first)
