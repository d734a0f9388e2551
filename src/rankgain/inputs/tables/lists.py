"""Rows of a table to lists: predictions with labels, and retrieved or relevant ids by user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import _core
from ..grouping import Groups, find_repeated, group_rows
from ..lists import Layout, Lists, add_sizes, prepare
from ..printable import list_names
from ..ranks import (
    RankedIds,
    RankLikeScores,
    RankScale,
    describe_rank_like,
    find_places,
    find_scale,
    rank_rows,
)
from .columns import (
    DOCUMENTS,
    LABELS,
    QUERIES,
    RANKS,
    SCORES,
    Numbers,
    choose,
    choose_header,
    collect,
    find_names,
    fingerprints,
    in_memory,
    keys,
    numbers,
    refuse_infinite,
    refuse_missing,
    refuse_several,
    require,
    scores_as_labels,
    select_columns,
    select_values,
    starts_of_runs,
)
from .source import Part, Where, as_narwhals, open_table

if TYPE_CHECKING:
    from ..types import Array

NUMBERS = ("label", "score", "weight")  # the roles of columns of numbers
KEYS = ("run", "query")  # the roles of columns that together name the list of a row
BOTH = "run and several columns in score both name the systems; give one of them"


class ColumnNames(NamedTuple):
    """The names of columns in the arguments of the caller."""

    run: str | None
    query: str | Sequence[str] | None
    label: str | None
    score: object  # or several columns, each of a system
    rank: str | None
    doc: str | None
    weight: str | None
    segment: str | None
    finds_doc: bool  # by a usual name, to refuse a document twice in a list


class SelectedColumns(NamedTuple):
    """The name of the column of each role."""

    columns: dict[str, str]  # by role; from the second of a role on with its number: "query[1]"
    of_ranks: bool  # the scores are ranks
    scale: RankScale | None = None  # of the ranks of the whole table; None: of those that are read
    found_doc: bool = False  # the column of documents, by its usual name
    systems: tuple[str, ...] = ()  # of the columns of scores, if each is of a system

    @property
    def keys(self) -> list[str]:
        """The columns whose values together name the list of a row, that of the system first."""
        return [name for role, name in self.columns.items() if role.partition("[")[0] in KEYS]

    @property
    def names(self) -> list[str]:
        """The columns, each once."""
        return list(dict.fromkeys(self.columns.values()))

    @property
    def of_ids(self) -> list[str]:
        """The columns that hold no numbers to compute with."""
        return [
            name for role, name in self.columns.items() if role.partition("[")[0] not in NUMBERS
        ]

    @property
    def names_systems(self) -> bool:
        """Whether the table holds systems with names."""
        return bool(self.systems) or "run" in self.columns


def choose_roles(role: str, names: object) -> dict[str, Any]:
    """The role of each column in an argument: a name, or a list of them."""
    if not isinstance(names, (list, tuple)) or not names:
        return {role: names}
    if any(one is None for one in names):
        raise TypeError(f"{role} must hold names of columns, not None: {names!r}")
    return {f"{role}[{at}]" if at else role: one for at, one in enumerate(names)}


class PredictionTable(NamedTuple):
    """The values of the columns, and the name of the table for errors."""

    query: Any  # the column of the lists, or a tuple of columns
    labels: Any
    scores: list[Any]  # of each system
    weights: Any
    columns: dict[str, Any]  # all columns by role
    where: Where
    selected: SelectedColumns
    scale: RankScale | None = None  # the scores are ranks; smaller ones are better


def choose_columns(
    names: list[str] | None, requested: ColumnNames, where: Where
) -> SelectedColumns:
    """Find the columns by `requested`, or by usual names among `names`, if these are known."""
    if requested.rank is not None and requested.score is not None:
        raise ValueError("score and rank both say what orders the documents; give one of them")
    selected, known = {}, names or []
    systems = {} if isinstance(requested.score, str) else columns_by_system(requested.score)
    if requested.run is not None:
        selected["run"] = require(names, requested.run, "run", where)
        if systems:
            raise ValueError(BOTH)
    for role, one in choose_roles("query", requested.query).items():
        selected[role] = choose(names, one, role, QUERIES, where)
    selected["label"] = choose(names, requested.label, "label", LABELS, where)
    if requested.rank is not None:
        selected["score"] = require(names, requested.rank, "rank", where)
    else:
        if requested.score is None:
            ranks = RANKS.fitting(known)
            if ranks and not SCORES.fitting(known):
                raise ValueError(
                    f"{where.name}: no column for score=, such as {SCORES.names[0]}; there are "
                    f"{list_names(known)}; name it with score=, or give rank={ranks[0]!r} if the "
                    "smallest rank is the best"
                )
        for role, one in choose_roles("score", list(systems.values()) or requested.score).items():
            selected[role] = choose(names, one, role, SCORES, where)
    usual = DOCUMENTS.fitting(known)
    found_doc = requested.finds_doc and len(usual) == 1 and usual[0] not in selected.values()
    if found_doc:
        requested = requested._replace(doc=usual[0])
    for role in ("doc", "weight", "segment"):
        if getattr(requested, role) is not None:
            selected[role] = require(names, getattr(requested, role), role, where)
    return SelectedColumns(
        selected, requested.rank is not None, found_doc=found_doc, systems=tuple(systems)
    )


def read_scale(frame: object, selected: SelectedColumns, where: Where) -> RankScale | None:
    """Where the ranks of a table start; None if it has scores."""
    if not selected.of_ranks:
        return None
    [ranks] = collect(frame, [selected.columns["score"]], where)
    return find_scale(numbers(ranks, where), ranks.name, where.row)


def read_columns(frame: object, selected: SelectedColumns, where: Where) -> PredictionTable:
    """Read and check the columns."""
    names = selected.columns
    columns = select_columns(frame, list(names.values()), where, selected.of_ids)
    result = dict(zip(names, columns, strict=True))
    document = result.get("doc") if selected.found_doc else None
    if not (document is None or isinstance(document, Numbers)) and document.null_count():
        del result["doc"]  # a document without an id may be any
    for column in result.values():
        refuse_missing(column, where)
    values = {
        role: numbers(column, where)
        for role, column in result.items()
        if role.partition("[")[0] in NUMBERS
    }
    scores = [one for role, one in values.items() if role.startswith("score")]
    for role in values.keys() & {"label", "weight"}:
        refuse_infinite(values[role], names[role], where)
    scale = None
    if selected.of_ranks:
        scale = find_scale(scores[0], names["score"], where.row)
        scale = selected.scale or scale
    query = tuple(result[role] for role in names if role.partition("[")[0] in KEYS)
    read = values["label"], scores, values.get("weight"), result
    return PredictionTable(query if len(query) > 1 else query[0], *read, where, selected, scale)


class TableLists(NamedTuple):
    """The lists of a table in the order of their first rows, with their weights and segments."""

    lists: list[Lists]  # of each system; they differ in their scores only
    queries: list[Any]
    weights: Any
    segments: Any
    groups: Groups


def make_lists(table: PredictionTable, by_id: bool, ids_by: str, in_runs: bool) -> TableLists:
    """The lists of a table, in_runs: of each run of rows of a query; by_id: ids order ties."""
    if in_runs:
        first = starts_of_runs(table.query)
        sizes = np.diff(np.append(first, len(table.labels)))
        codes = np.repeat(np.arange(len(first), dtype=np.int32), sizes)
        groups = Groups(codes, first, sizes, True)
    else:
        groups = group_rows(keys(table.query))
    queries = select_values(table.query, groups.first)
    bounds = add_sizes(groups.sizes)
    layout = Layout(bounds[:-1], bounds[1:], False, queries)
    order = None
    if "doc" in table.columns:
        order = _documents(table, groups, queries, layout, by_id)
    labels, runs, several = groups.together(table.labels), None, len(table.scores) > 1
    if several:  # the labels of all systems are ordered once
        runs = prepare(labels, layout.starts, layout.stops, "label")
    lists = []
    for column in table.scores:
        scores, places = groups.together(column), None
        if table.scale is not None:
            places = find_places(scores, layout.starts, layout.stops, table.scale)
            scores = 0.0 - scores
        in_system = Lists(
            *(layout, labels, scores, runs, several, None, order),
            runs_from_labels=several,
            pool=True,
            ids_by=ids_by,
            called="label",
            of_ranks=table.scale is not None,
            places=places,
        )
        lists.append(in_system)
    weights, segments = table.weights, table.columns.get("segment")
    if weights is not None:
        refuse_several(table.columns["weight"], weights, groups, queries, table.where)
        weights = weights[groups.first].astype(np.float64)
    if segments is not None:
        refuse_several(segments, keys(segments), groups, queries, table.where)
        segments = select_values(segments, groups.first)
    return TableLists(lists, queries, weights, segments, groups)


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
    repeated = find_repeated(codes, layout.starts, layout.stops)
    if repeated is not None:
        at, place = repeated
        again = groups.order()[layout.starts[at] + place]
        document = select_values(column, np.array([again]))[0]
        others = (
            ", or name the column of the systems with run= if the table holds several; doc=None if "
            f"{column.name!r} does not name the documents"
            if table.selected.found_doc
            else ""
        )
        raise ValueError(
            f"{table.where.row(again)}: {queries[at]!r} has the document {document!r} a "
            f"second time; keep one of the rows{others}"
        )
    if not by_id:
        return None
    texts = np.array([str(one).encode() for one in select_values(column, documents.first)])
    return np.unique(texts, return_inverse=True)[1].astype(np.int64)[codes]


def columns_by_system(score: object) -> dict[str, Any]:
    """The column of scores by the name of its system; {} if `score` is not several columns."""
    if isinstance(score, Mapping):
        columns = {str(name): one for name, one in score.items()}
    elif isinstance(score, (list, tuple)):
        columns = {str(one): one for one in score}
    else:
        return {}
    if len(columns) < len(score):
        raise ValueError(f"score has one system twice: {score!r}; give each a name of its own")
    if not columns:
        raise ValueError('score is empty; give columns, such as score={"a": "score_a"}')
    return columns


def parts_by_system(
    frame: object, run: str, columns: Sequence[str], where: Where
) -> dict[str, Part]:
    """The rows of each system, in the order of the systems' first rows; `run` names the column."""
    opened = as_narwhals(in_memory(frame, (run, *columns), where))
    [column] = select_columns(opened, [run], where)
    refuse_missing(column, where)
    groups = group_rows(keys(column))
    texts = name_systems(select_values(column, groups.first), where, run)
    order, stops = groups.order(), np.cumsum(groups.sizes)
    parts = {}
    for name, stop, size in zip(texts, stops.tolist(), groups.sizes.tolist(), strict=True):
        rows = order[stop - size : stop]
        table = opened[rows.tolist(), list(dict.fromkeys(columns))].to_native()
        parts[name] = Part(table, rows, where.name)
    return parts


def name_systems(values: Sequence[object], where: Where, run: str) -> list[str]:
    """The names of systems as text, which must differ."""
    texts = list(map(str, values))
    if len(set(texts)) < len(texts):
        again = next(one for at, one in enumerate(texts) if one in texts[:at])
        raise ValueError(f"{where.name}: two systems in {run!r} are called {again!r} as text")
    if not texts:
        raise ValueError(
            f"{where.name} has no rows, so {run!r} names no system; leave run= out to evaluate it"
        )
    return texts


# Columns in words, and their usual names.
USER, ITEM = ("the user", QUERIES), ("the item", DOCUMENTS)


def is_table(value: object) -> bool:
    """Whether a value is a frame with a row for each id: it has a column of users or queries."""
    return bool(QUERIES.fitting(name for name in find_names(value) if isinstance(name, str)))


def is_frame(value: object) -> bool:
    """Whether a value is a frame of any columns."""
    return bool(len(find_names(value)))


def _open_frame(frame: object, name: str) -> tuple[Any, list[str], Where]:
    """A frame, the names of its columns, and its name for errors."""
    table, where = open_table(frame)
    return table, choose_header(table), where._replace(name=name)


def count_interactions(frame: object, name: str) -> dict[Any, int]:
    """How many rows each item has in a frame of users and items."""
    table, names, where = _open_frame(frame, name)
    selected = [choose(names, None, word, usual, where) for word, usual in (USER, ITEM)]
    items = collect(table, selected, where)[1]
    groups = group_rows(keys(items))
    return dict(zip(select_values(items, groups.first), groups.sizes.tolist(), strict=True))


def read_retrieved_frame(
    frame: object, name: str, scale: RankScale | None = None
) -> tuple[list[Any], list[list[Any]], str | None]:
    """Users, their ids, best first, by rank or else by score, and a note where these disagree.

    Lists whose ranks have ties or gaps are RankedIds. scale: of the ranks of the whole table, of
    which the frame is a part.
    """
    table, names, where = _open_frame(frame, name)
    by_rank = bool(RANKS.fitting(names))
    last = ("the rank or score", RANKS if by_rank else SCORES)
    selected = [choose(names, None, word, usual, where) for word, usual in (USER, ITEM, last)]
    users, items, ranks = collect(table, selected, where)
    order = numbers(ranks, where)
    groups = group_rows(keys(users))
    if by_rank:
        scale = scale or find_scale(order, selected[2], where.row)
    else:
        order = 0.0 - order if order.dtype.kind == "f" else ~order  # descending
    rows = np.lexsort((order, groups.codes))  # stable
    result = select_values(users, groups.first), _cut(select_values(items, rows), groups)
    if by_rank and scale is not None:
        _mark_places(result[1], order[rows], groups, scale)
    note, values, scores = None, None, SCORES.fitting(names) if by_rank else []
    if not by_rank:
        seen = RankLikeScores()
        bounds = add_sizes(groups.sizes)
        seen.add(numbers(ranks, where)[groups.order()], bounds[:-1], bounds[1:])
        if seen.found:
            remedy = f"if {selected[2]!r} holds ranks, rename the column to 'rank'"
            note = f"{where.name}: {describe_rank_like(remedy)}"
    with suppress(TypeError, ValueError):  # no scores
        values = numbers(collect(table, scores[:1], where)[0], where)[rows] if scores else None
    if values is not None:
        rises = (values[1:] > values[:-1]) & (np.diff(groups.codes[rows]) == 0)
        if rises.any():
            user = result[0][groups.codes[rows[int(rises.argmax())]]]
            note = (
                f"{where.name} has the columns {selected[2]!r} and {scores[0]!r}, whose orders "
                f"disagree for {user!r}: {selected[2]!r} was taken; leave one of the columns out"
            )
    return *result, note


def read_rank_scale(frame: object, names: list[str], where: Where) -> RankScale | None:
    """Where the ranks of a table of retrieved ids start; None if it has no column of ranks."""
    if len(RANKS.fitting(names)) != 1:
        return None
    [ranks] = collect(frame, RANKS.fitting(names), where)
    return find_scale(numbers(ranks, where), ranks.name, where.row)


def _mark_places(lists: list[list[object]], ranks: Array, groups: Groups, scale: RankScale) -> None:
    """Make RankedIds of the lists whose ranks, list by list, have ties or gaps."""
    bounds = add_sizes(groups.sizes)
    ranked = rank_rows(ranks, bounds[:-1], bounds[1:], scale)
    places = ranked.place[ranked.block]
    differs = add_sizes(places != ranked.number)
    for at in np.flatnonzero(np.diff(differs[bounds])).tolist():
        of_list = places[bounds[at] : bounds[at + 1]].tolist()
        lists[at] = RankedIds(lists[at], of_list)


def read_relevant_frame(frame: object, name: str) -> tuple[list[Any], list[Any]]:
    """Users and their relevant ids, with labels if there is a column of labels."""
    table, names, where = _open_frame(frame, name)
    selected = [choose(names, None, word, usual, where) for word, usual in (USER, ITEM)]
    if LABELS.fitting(names):
        selected.append(choose(names, None, "the label", LABELS, where))
    else:
        selected += scores_as_labels(names)
    users, items, *labels = collect(table, selected, where)
    groups = group_rows(keys(users))
    rows = groups.order()
    lists: list[Any] = _cut(select_values(items, rows), groups)
    who = select_values(users, groups.first)
    if labels:
        values = _cut(numbers(labels[0], where)[rows].tolist(), groups)
        for at, ids in enumerate(lists):
            lists[at] = dict(zip(ids, values[at], strict=True))
            if len(lists[at]) < len(ids):
                twice = next(one for i, one in enumerate(ids) if one in ids[:i])
                raise ValueError(
                    f"{name}: {who[at]!r} has the id {twice!r} in two rows; keep one of them"
                )
    return who, lists


def _cut(values: list[Any], groups: Groups) -> list[list[Any]]:
    """The values of each user."""
    ends = [0, *np.cumsum(groups.sizes).tolist()]
    return [values[a:b] for a, b in pairwise(ends)]
