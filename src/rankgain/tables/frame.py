"""One long table of predictions with labels, rows in any order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from .. import _core
from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.arguments import documented, settings_among
from ..evaluation.one_pass import evaluate_lists, prepare_all
from ..lists.grouping import Groups, group_rows
from ..lists.layouts import Layout
from ..lists.lists import Lists
from ..records.columns import (
    choose,
    collect,
    keys,
    numbers,
    open_table,
    refuse_infinite,
    values_at,
)
from ..records.frames import LABELS, QUERIES, SCORES, _plain
from ..results.evaluation import Evaluation

if TYPE_CHECKING:
    from ..engine.types import Bounds, Discount, Divisor, Empty, Gain, Measures, Rules, Ties

BY_ID = ("id", "id_descending")


class Asked(NamedTuple):
    """The names of the columns, where they were given."""

    by: str | None
    label: str | None
    score: str | None
    rank: str | None
    doc: str | None
    weight: str | None
    segment: str | None


class Table(NamedTuple):
    """The columns of a table, one after the other, and what messages call it."""

    by: Any
    labels: Any
    scores: Any
    columns: dict[str, Any]  # of the others that were asked
    name: str


@documented("rankgain")
def evaluate_frame(
    frame: Any,
    measures: Measures,
    *,
    by: str | None = None,
    label: str | None = None,
    score: str | None = None,
    rank: str | None = None,
    doc: str | None = None,
    weight: str | None = None,
    segment: str | None = None,
    gain: Gain | Unset = UNSET,
    discount: Discount | Unset = UNSET,
    log_base: float | Unset = UNSET,
    ties: Ties | Unset = UNSET,
    seed: SupportsIndex | Unset = UNSET,
    rel: float | Unset = UNSET,
    divisor: Divisor | Unset = UNSET,
    beta: float | Unset = UNSET,
    p: float | Unset = UNSET,
    max_label: float | Unset = UNSET,
    empty: Empty | Unset = UNSET,
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    bounds: Bounds = (),
) -> Evaluation:
    """Evaluate a long table of predictions: a row for each document, with its label and score.

    Parameters
    ----------
    frame : pandas, polars (eager or lazy) or pyarrow, anything with `__arrow_c_stream__`, or a path
        Rows in any order. Paths end in .parquet, .csv, .tsv or .jsonl; the last three may be
        compressed, as .csv.gz. Needs the extra "frames".
    by, label, score : names of columns
        Whose list a row belongs to, how relevant it is, and what the model says. Left out, each is
        the only column with a usual name, such as user_id or query_id, label or relevance, score or
        prediction; where two fit, the error names both.
    rank : name of a column
        In place of `score`: the smaller, the better. A column is never taken for ranks unasked.
    doc : name of a column
        Ids of documents: one that is in a list twice is an error, and ties by id need it.
    weight, segment : names of columns
        One value for all rows of a list: its weight in the means, and the label of its segment,
        which is kept in `Evaluation.segments`.

    Returns
    -------
    Evaluation
        Its queries are the values of `by` in the order in which they first appear.

    A row without a value, a NaN, an infinite label and a column of text where numbers should be are
    errors that name the column and the row, counted from 1.

    >>> import pandas, rankgain as rg
    >>> rows = {"user_id": ["u", "v", "u"], "label": [1, 1, 0], "score": [0.2, 0.5, 0.9]}
    >>> rg.evaluate_frame(pandas.DataFrame(rows), "RR").to_dict()
    {'u': {'RR': 0.5}, 'v': {'RR': 1.0}}
    """
    given = settings_among(locals())
    rules = get_convention("rankgain" if convention is UNSET else convention)
    measures = list(measures) if isinstance(measures, Iterator) else measures  # read twice
    table = read_table(frame, Asked(by, label, score, rank, doc, weight, segment))
    groups = group_rows(keys(table.by))
    queries = values_at(table.by, groups.first)
    lists = _lists(table, groups, queries, _orders_by_id(measures, given, rules))
    weights, segments = (
        _of_lists(table, groups, queries, which) for which in ("weight", "segment")
    )
    return evaluate_lists(
        lists,
        measures,
        given,
        rules,
        weights,
        threads,
        bounds,
        shown=queries,
        segments=segments,
    )


def read_table(source: Any, asked: Asked) -> Table:
    """Find the columns and read them."""
    text = False
    if isinstance(source, (str, os.PathLike)):
        from .path import open_path

        frame, name, text = open_path(source)
    else:
        frame, name = open_table(source)
    names = frame.collect_schema().names()
    if asked.rank is not None and asked.score is not None:
        raise ValueError("score and rank both say what orders the documents; give one of them")
    chosen = {"by": choose(names, asked.by, "by", QUERIES, name)}
    chosen["label"] = choose(names, asked.label, "label", LABELS, name)
    if asked.rank is not None:
        chosen["score"] = choose(names, asked.rank, "rank", (), name)
    else:
        if asked.score is None:
            _offer_rank(names, name)
        chosen["score"] = choose(names, asked.score, "score", SCORES, name)
    for role in ("doc", "weight", "segment"):
        if getattr(asked, role) is not None:
            chosen[role] = choose(names, getattr(asked, role), role, (), name)
    found = dict(zip(chosen, collect(frame, list(chosen.values()), name), strict=True))
    labels = numbers(found["label"], name, text=text)
    refuse_infinite(labels, chosen["label"], name)
    scores = numbers(found["score"], name, text=text)
    if asked.rank is not None:
        scores = 0.0 - scores
    if "weight" in found:
        found["weight"] = numbers(found["weight"], name, text=text)
    return Table(found["by"], labels, scores, found, name)


def _offer_rank(names: list[str], table: str) -> None:
    """Refuse a table that has ranks and no scores, with the words that take these."""
    ranks = [one for one in names if _plain(one) == "rank"]
    if ranks and not any(_plain(one) in SCORES for one in names):
        raise ValueError(
            f"{table}: no column for score=, such as {SCORES[0]}; there are {', '.join(names)}; "
            f"name it with score=, or give rank={ranks[0]!r} if the smallest rank is the best"
        )


def _orders_by_id(measures: Any, given: dict[str, Any], rules: Convention) -> bool:
    """Whether any measure orders ties by id: by `ties=`, by its name, or by the convention."""
    asked = prepare_all(measures, given, rules, None, True).asked
    return any(settings.ties in BY_ID for _, settings in asked)


def _lists(table: Table, groups: Groups, queries: list[Any], by_id: bool) -> Lists:
    stops = np.cumsum(groups.sizes)
    starts = stops - groups.sizes
    layout = Layout(starts, stops, False, queries)
    order = None
    if "doc" in table.columns:
        order = _documents(table, groups, queries, layout, by_id)
    labels, scores = groups.together(table.labels), groups.together(table.scores)
    ids_by = "doc=, the column of the documents' ids"
    return Lists(layout, labels, scores, None, False, None, order, pool=True, ids_by=ids_by)


def _documents(
    table: Table, groups: Groups, queries: list[Any], layout: Layout, by_id: bool
) -> Any:
    """Refuse a document twice in a list; the place of each id among all, where ties need it."""
    column = table.columns["doc"]
    documents = group_rows(keys(column))
    codes = groups.together(documents.codes)
    at = _core.list_with_tie(codes.astype(np.float64), layout.starts, layout.stops)
    if at >= 0:
        rows = groups.order()[layout.starts[at] : layout.stops[at]]
        ids = documents.codes[rows]
        firsts = np.unique(ids, return_index=True)[1]
        again = rows[np.setdiff1d(np.arange(len(ids)), firsts)[0]]
        document = values_at(column, np.array([again]))[0]
        raise ValueError(
            f"{table.name}, row {again + 1}: {queries[at]!r} has the document {document!r} a "
            "second time; keep one of the rows"
        )
    if not by_id:
        return None
    texts = np.array([str(one).encode() for one in values_at(column, documents.first)])
    return np.unique(texts, return_inverse=True)[1].astype(np.int64)[codes]


def _of_lists(table: Table, groups: Groups, queries: list[Any], role: str) -> Any:
    """The one value that a column has for each list; None where it was not asked."""
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
