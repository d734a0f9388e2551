"""Rows of a table to lists: predictions with labels, and retrieved or relevant ids by user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ... import _core
from ..grouping import Groups, find_repeated, group_rows
from ..lists import Layout, Lists, add_sizes, prepare
from ..printable import describe, list_names
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
    Column,
    Key,
    Numbers,
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
    select_columns,
    select_values,
    starts_of_runs,
)
from .repeats import RepeatRules, settle_repeats
from .roles import (
    DOCUMENTS,
    LABELS,
    QUERIES,
    RANKS,
    SCORES,
    CheckedKeys,
    KeyColumns,
    Leftovers,
    choose,
    choose_document,
    choose_query,
    find_leftovers,
    may_hold_labels,
    refuse_split_lists,
    refuse_unnamed_labels,
    require,
    scores_as_labels,
)
from .source import Part, Where, as_narwhals, is_stream, is_table_path, open_table

if TYPE_CHECKING:
    from ..types import Array

NUMBERS = ("label", "score", "weight")  # the roles of columns of numbers
KEYS = ("run", "query")  # the roles of columns that together name the list of a row
BOTH = "run and several columns in score both name the systems; give one of them"


class ColumnNames(NamedTuple):
    """The columns that the caller names; None: search for a usual name, if the role needs one."""

    run: str | None = None
    query: str | Sequence[str] | None = None
    label: str | None = None
    score: object = None  # or several columns, each of a system
    rank: str | None = None
    doc: str | None = None
    weight: str | None = None
    segment: str | None = None
    ruled_out: Set[str] = frozenset()  # roles that the caller says no column has
    takes_run: bool = True  # whether the function that was called has the argument run


class SelectedColumns(NamedTuple):
    """The name of the column of each role."""

    columns: dict[str, str]  # by role; from the second of a role on with its number: "query[1]"
    of_ranks: bool  # the scores are ranks
    scale: RankScale | None = None  # of the ranks of the whole table; None: of those that are read
    found_doc: bool = False  # the column of documents, by its usual name
    systems: tuple[str, ...] = ()  # of the columns of scores, if each is of a system
    leftovers: Leftovers = Leftovers()  # columns without a role to look at

    @property
    def keys(self) -> list[str]:
        """The columns whose values together name the list of a row, that of the system first."""
        return [name for role, name in self.columns.items() if role.partition("[")[0] in KEYS]

    @property
    def names(self) -> list[str]:
        """The columns to read, each once."""
        return list(dict.fromkeys([*self.columns.values(), *self.leftovers.names]))

    @property
    def of_ids(self) -> list[str]:
        """The columns that hold no numbers to compute with."""
        roles = self.columns.items()
        names = [name for role, name in roles if role.partition("[")[0] not in NUMBERS]
        return [*names, *self.leftovers.names]

    @property
    def names_systems(self) -> bool:
        """Whether the table holds systems with names."""
        return bool(self.systems) or "run" in self.columns


class PredictionTable(NamedTuple):
    """The values of the columns, and the name of the table for errors."""

    query: Any  # the column of the lists, or a tuple of columns
    labels: Any
    scores: list[Any]  # of each system
    weights: Any
    columns: dict[str, Any]  # all columns by role
    leftovers: dict[str, Any]  # columns without a role by name
    where: Where
    selected: SelectedColumns
    scale: RankScale | None = None  # the scores are ranks; smaller ones are better


def choose_columns(
    names: list[str] | None, requested: ColumnNames, where: Where
) -> SelectedColumns:
    """Find the columns by `requested`, or by usual names among `names`, if these are known."""
    if requested.rank is not None and requested.score is not None:
        raise ValueError("score and rank both say what orders the documents; give one of them")
    selected: dict[str, str] = {}
    systems = {} if isinstance(requested.score, str) else columns_by_system(requested.score)
    if requested.run is not None:
        selected["run"] = require(names, requested.run, "run", where)
        if systems:
            raise ValueError(BOTH)
    query = choose_query(names, requested.query, where)
    selected |= _numbered("query", query.names)
    selected["label"] = choose(names, requested.label, "label", LABELS, where)
    if requested.rank is not None:
        selected["score"] = require(names, requested.rank, "rank", where)
    elif systems:
        if None in systems.values():
            raise TypeError(f"score must hold names of columns, not None: {requested.score!r}")
        roles = _numbered("score", list(systems.values()))
        selected |= {role: require(names, name, role, where) for role, name in roles.items()}
    else:
        selected["score"] = _choose_score(names, requested.score, where)
    doc = _find_document(names, requested, selected, where)
    if doc.names:
        selected["doc"] = doc.names[0]
    for role in ("weight", "segment"):
        name = getattr(requested, role)
        if name is not None:
            selected[role] = require(names, name, role, where)
    holds_one_system = "run" in selected or bool(systems) or "run" in requested.ruled_out
    leftovers = find_leftovers(names, query, doc, selected.values(), not holds_one_system)
    return SelectedColumns(
        selected,
        of_ranks=requested.rank is not None,
        found_doc=bool(doc.names) and requested.doc is None,
        systems=tuple(systems),
        leftovers=leftovers,
    )


def _numbered(role: str, names: Sequence[str]) -> dict[str, str]:
    """The columns of one role: "query", "query[1]" and so on."""
    return {f"{role}[{index}]" if index else role: name for index, name in enumerate(names)}


def _choose_score(names: list[str] | None, requested: object, where: Where) -> str:
    """The column of scores; ranks alone must be named, since they run the other way."""
    ranks = RANKS.matching(names or ())
    if requested is None and ranks and not SCORES.matching(names or ()):
        raise ValueError(
            f"{where.name}: no column for score=, such as {SCORES.names[0]}; there are "
            f"{list_names(names or ())}; pass score=, or rank={ranks[0]!r} if the smallest rank "
            "is the best"
        )
    return choose(names, requested, "score", SCORES, where)


def _find_document(
    names: list[str] | None, requested: ColumnNames, selected: Mapping[str, str], where: Where
) -> KeyColumns:
    """The column of documents: the one that is named, else one of a usual name if there is one."""
    if requested.doc is not None:
        return choose_document(names, requested.doc, where)
    usual = DOCUMENTS.matching(names or ())
    if "doc" in requested.ruled_out or len(usual) != 1 or usual[0] in selected.values():
        return KeyColumns([], [])
    return KeyColumns(usual, [])


def read_scale(frame: object, selected: SelectedColumns, where: Where) -> RankScale | None:
    """Where the ranks of a table start; None if it has scores."""
    if not selected.of_ranks:
        return None
    [ranks] = collect(frame, [selected.columns["score"]], where)
    return find_scale(numbers(ranks, where), ranks.name, where.row)


def read_columns(frame: object, selected: SelectedColumns, where: Where) -> PredictionTable:
    """Read and check the columns."""
    names = selected.columns
    every = [*names.values(), *selected.leftovers.names]
    columns = select_columns(frame, every, where, selected.of_ids)
    result = dict(zip(names, columns, strict=False))
    leftovers = dict(zip(selected.leftovers.names, columns[len(names) :], strict=True))
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
    scores = [column for role, column in values.items() if role.startswith("score")]
    for role in values.keys() & {"label", "weight"}:
        refuse_infinite(values[role], names[role], where)
    scale = None
    if selected.of_ranks:
        scale = find_scale(scores[0], names["score"], where.row)
        scale = selected.scale or scale
    query = tuple(result[role] for role in names if role.partition("[")[0] in KEYS)
    return PredictionTable(
        query if len(query) > 1 else query[0],
        values["label"],
        scores,
        values.get("weight"),
        result,
        leftovers,
        where,
        selected,
        scale,
    )


class TableLists(NamedTuple):
    """The lists of a table in the order of their first rows, with their weights and segments."""

    lists: list[Lists]  # of each system; they differ in their scores only
    queries: list[Any]
    weights: Any
    segments: Any
    groups: Groups


def make_lists(
    table: PredictionTable,
    by_id: bool,
    ids_by: str,
    in_runs: bool,
    repeats: RepeatRules | None = None,
) -> TableLists:
    """The lists of a table, in_runs: of each run of rows of a query; by_id: ids order ties.

    repeats: what becomes of a document that a list has twice; None: it is refused.
    """
    if in_runs:
        first = starts_of_runs(table.query)
        sizes = np.diff(np.append(first, len(table.labels)))
        codes = np.repeat(np.arange(len(first), dtype=np.int32), sizes)
        groups = Groups(codes, first, sizes, True)
    else:
        groups = group_rows(keys(table.query))
    refuse_split_lists(
        table.selected.leftovers,
        table.leftovers,
        CheckedKeys(table.query, table.selected.keys, table.columns.get("doc"), groups),
        table.where,
    )
    queries = select_values(table.query, groups.first)
    bounds = add_sizes(groups.sizes)
    layout = Layout(bounds[:-1], bounds[1:], False, queries)
    order = None
    if "doc" in table.columns:
        order = _documents(table, groups, queries, layout, by_id, repeats is None)
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
    if repeats is not None:
        if "doc" not in table.columns:
            raise ValueError(
                f'{table.where.name}: duplicates="{repeats.policy}" needs the ids of documents; '
                "pass doc=, the name of a column without missing values"
            )
        documents = groups.together(group_rows(keys(table.columns["doc"])).codes)
        lists = [settle_repeats(one, documents, repeats) for one in lists]
    weights, segments = table.weights, table.columns.get("segment")
    if weights is not None:
        refuse_several(table.columns["weight"], weights, groups, queries, table.where)
        weights = weights[groups.first].astype(np.float64)
    if segments is not None:
        refuse_several(segments, keys(segments), groups, queries, table.where)
        segments = select_values(segments, groups.first)
    return TableLists(lists, queries, weights, segments, groups)


def _documents(
    table: PredictionTable,
    groups: Groups,
    queries: list[Any],
    layout: Layout,
    by_id: bool,
    refuses: bool,
) -> Any:
    """Refuse a document twice in a list. With by_id return the order of the ids, for ties."""
    column = table.columns["doc"]
    marks = groups.together(fingerprints(column))
    if _core.list_with_tie(marks, layout.starts, layout.stops) < 0 and not by_id:
        return None
    documents = group_rows(keys(column))
    codes = groups.together(documents.codes)
    repeated = find_repeated(codes, layout.starts, layout.stops)
    if repeated is not None and refuses:
        at, place = repeated
        again = groups.order()[layout.starts[at] + place]
        document = select_values(column, np.array([again]))[0]
        others = (
            ", or name the column of the systems with run= if the table holds several; doc=None if "
            f"{describe(column.name)} does not name the documents"
            if table.selected.found_doc
            else ""
        )
        raise ValueError(
            f"{table.where.row(again)}: {describe(queries[at])} has the document "
            f"{describe(document)} a "
            f'second time; keep one of the rows, as duplicates="first" does{others}'
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
        raise ValueError(
            f"score has one system twice: {describe(score)}; give each a name of its own"
        )
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
        raise ValueError(
            f"{where.name}: two systems in {describe(run)} are called {describe(again)} as text"
        )
    if not texts:
        raise ValueError(
            f"{where.name} has no rows, so {describe(run)} names no system; leave run= out to "
            "evaluate it"
        )
    return texts


# ---- tables of ids: a row for each id of a user


@dataclass(frozen=True, slots=True)
class IdTable:
    """A table with a row for each id, and the columns that the caller names."""

    frame: Any
    requested: ColumnNames


def is_frame(value: object) -> bool:
    """Whether a value is a frame of any columns."""
    return isinstance(value, IdTable) or bool(len(find_names(value)))


def is_table(value: object) -> bool:
    """Whether a value is a frame with a row for each id: its columns have names.

    A frame whose columns are 0 to n - 1, as NumPy's arrays become, is a matrix. Polars calls such
    columns column_0 to column_n-1.
    """
    if isinstance(value, IdTable) or is_table_path(value) or is_stream(value):
        return True
    if _has_rows(value, ColumnNames()):
        return True
    names = list(find_names(value))
    if not names or isinstance(value, str):
        return False
    places = range(len(names))
    unnamed = (list(places), list(map(str, places)), [f"column_{place}" for place in places])
    return names not in unnamed


def as_id_table(value: object, requested: ColumnNames) -> Any:
    """A frame with its named columns; other values as they are."""
    if isinstance(value, IdTable) or not (is_table(value) or _has_rows(value, requested)):
        return value
    return IdTable(value, requested)


def _has_rows(value: object, requested: ColumnNames) -> bool:
    """Whether a value is a list of rows with names, which name a query and a document."""
    if not (isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping)):
        return False
    names = [name for name in value[0] if isinstance(name, str)]
    has_query = requested.query in names or bool(QUERIES.matching(names))
    return has_query and (requested.doc in names or bool(DOCUMENTS.matching(names)))


def named_in(names: Sequence[str], requested: ColumnNames, where: Where) -> ColumnNames:
    """The columns of a second table: query and doc as in the first, if it has these names."""
    query = requested.query
    if isinstance(query, str):
        query = query if query in names else None
    elif query is not None:  # a list of several columns needs all of them
        choose_query(names, query, where)
    return requested._replace(query=query, doc=requested.doc if requested.doc in names else None)


class IdColumns(NamedTuple):
    """The columns of a table of ids by role, and those that are left over."""

    query: KeyColumns
    doc: KeyColumns
    last: str | None  # of ranks, scores or labels


class OpenedIds(NamedTuple):
    """A table of ids that was opened."""

    frame: Any
    names: list[str]
    where: Where
    requested: ColumnNames


def _open_ids(value: Any, name: str, is_truth: bool) -> OpenedIds:
    """Open a table of ids; a truth may lack the columns that are named for the retrieved ids."""
    requested = ColumnNames()
    if isinstance(value, IdTable):
        value, requested = value.frame, value.requested
    frame, where = open_table(value)
    names, where = choose_header(frame), where._replace(name=name)
    if is_truth:
        requested = named_in(names, requested, where)
    return OpenedIds(frame, names, where, requested)


def _collect_ids(
    opened: OpenedIds, columns: IdColumns, may_hold_systems: bool
) -> tuple[Key, Column, Column | None]:
    """The columns of the users, of their ids, and the last one; leftovers are looked at."""
    last = [] if columns.last is None else [columns.last]
    leftovers = find_leftovers(opened.names, columns.query, columns.doc, last, may_hold_systems)
    names = [*columns.query.names, *columns.doc.names, *last]
    read = select_columns(opened.frame, [*names, *leftovers.names], opened.where)
    for column in read[: len(names)]:
        refuse_missing(column, opened.where)
    several = len(columns.query.names)
    users = read[0] if several == 1 else tuple(read[:several])
    items = read[several]
    if leftovers.names:
        others = dict(zip(leftovers.names, read[len(names) :], strict=True))
        known = CheckedKeys(users, columns.query.names, items, group_rows(keys(users)))
        refuse_split_lists(leftovers, others, known, opened.where)
    return users, items, read[several + 1] if last else None


def count_interactions(frame: object, name: str) -> dict[Any, Any]:
    """The number of interactions of each item.

    A frame with users has a row for each interaction. A frame of two columns, items and numbers,
    has the numbers of interactions.
    """
    opened = _open_ids(frame, name, True)
    names, where = opened.names, opened.where
    doc = choose_document(names, opened.requested.doc, where)
    others = [column for column in names if column != doc.names[0]]
    has_users = opened.requested.query is not None or bool(QUERIES.matching(names))
    has_counts = not has_users and len(others) == 1
    items, *counts = collect(opened.frame, [*doc.names, *(others if has_counts else [])], where)
    groups = group_rows(keys(items))
    values = groups.sizes.tolist()
    if counts:
        values = numbers(counts[0], where).tolist()
        if len(values) > len(groups.first):
            row = int(np.setdiff1d(np.arange(len(values)), groups.first)[0])
            item = select_values(items, [row])[0]
            raise ValueError(
                f"{where.row(row)}: {name} has the item {item!r} a second time; keep one row each"
            )
    return dict(zip(select_values(items, groups.first), values, strict=True))


def distinct_items(frame: object, name: str) -> list[Any]:
    """The items of a frame, each once."""
    opened = _open_ids(frame, name, True)
    doc = choose_document(opened.names, opened.requested.doc, opened.where)
    [items] = collect(opened.frame, doc.names, opened.where)
    return select_values(items, group_rows(keys(items)).first)


def read_retrieved_frame(
    frame: object, name: str, scale: RankScale | None = None
) -> tuple[list[Any], list[list[Any]], str | None]:
    """Users, their ids, best first, by rank or else by score, and a note where these disagree.

    Lists whose ranks have ties or gaps are RankedIds. scale: of the ranks of the whole table, of
    which the frame is a part.
    """
    opened = _open_ids(frame, name, False)
    names, where, requested = opened.names, opened.where, opened.requested
    if not requested.takes_run:
        where = where._replace(run_hint="select the rows of one system, or remove the column")
        opened = opened._replace(where=where)
    last, by_rank = _choose_order(opened)
    query = choose_query(names, requested.query, where)
    columns = IdColumns(query, choose_document(names, requested.doc, where), last)
    may_hold_systems = requested.run is None and "run" not in requested.ruled_out
    users, items, ranks = _collect_ids(opened, columns, may_hold_systems)
    order = numbers(cast("Column", ranks), where)
    groups = group_rows(keys(users))
    if by_rank:
        scale = scale or find_scale(order, last, where.row)
    else:
        order = 0.0 - order if order.dtype.kind == "f" else ~order  # descending
    rows = np.lexsort((order, groups.codes))  # stable
    result = select_values(users, groups.first), _cut(select_values(items, rows), groups)
    if by_rank and scale is not None:
        _mark_places(result[1], order[rows], groups, scale)
    note, values = None, None
    scores = SCORES.matching(names) if by_rank and requested.rank is None else []
    if not by_rank:
        seen = RankLikeScores()
        bounds = add_sizes(groups.sizes)
        seen.add(numbers(cast("Column", ranks), where)[groups.order()], bounds[:-1], bounds[1:])
        if seen.found:
            remedy = f"if {last!r} holds ranks, pass rank={last!r}"
            note = f"{where.name}: {describe_rank_like(remedy)}"
    with suppress(TypeError, ValueError):  # no scores
        column = collect(opened.frame, scores[:1], where)
        values = numbers(column[0], where)[rows] if column else None
    if values is not None:
        rises = (values[1:] > values[:-1]) & (np.diff(groups.codes[rows]) == 0)
        if rises.any():
            user = result[0][groups.codes[rows[int(rises.argmax())]]]
            note = (
                f"{where.name} has the columns {describe(last)} and {describe(scores[0])}, whose "
                f"orders disagree for {describe(user)}: {describe(last)} was used; pass "
                f"rank={last!r} or score={scores[0]!r}"
            )
    return *result, note


def _choose_order(opened: OpenedIds) -> tuple[str, bool]:
    """The column that orders the ids of a user, and whether it holds ranks."""
    names, where, requested = opened.names, opened.where, opened.requested
    if requested.rank is not None and requested.score is not None:
        raise ValueError("score and rank both say what orders the ids; give one of them")
    if requested.rank is not None or (requested.score is None and RANKS.matching(names)):
        return choose(names, requested.rank, "rank", RANKS, where), True
    if requested.score is None and not SCORES.matching(names):
        raise ValueError(
            f"{where.name}: no column for rank= or score=, such as rank or score; there are "
            f"{list_names(names)}; pass rank= or score="
        )
    return choose(names, requested.score, "score", SCORES, where), False


def read_rank_scale(frame: object, requested: ColumnNames, where: Where) -> RankScale | None:
    """Where the ranks of a table of retrieved ids start; None if it has no column of ranks."""
    opened = OpenedIds(frame, choose_header(frame), where, requested)
    column, by_rank = _choose_order(opened)
    if not by_rank:
        return None
    [ranks] = collect(frame, [column], where)
    return find_scale(numbers(ranks, where), ranks.name, where.row)


def _mark_places(lists: list[list[object]], ranks: Array, groups: Groups, scale: RankScale) -> None:
    """Make RankedIds of the lists whose ranks, list by list, have ties or gaps."""
    bounds = add_sizes(groups.sizes)
    ranked = rank_rows(ranks, bounds[:-1], bounds[1:], scale)
    places = ranked.place[ranked.block]
    differs = add_sizes(places != ranked.number)
    for index in np.flatnonzero(np.diff(differs[bounds])).tolist():
        of_list = places[bounds[index] : bounds[index + 1]].tolist()
        lists[index] = RankedIds(lists[index], of_list)


def read_relevant_frame(
    frame: object, name: str, has_labels: bool = True
) -> tuple[list[Any], list[Any]]:
    """Users and their relevant ids, with labels if there is a column of labels.

    has_labels: False for ids that need no labels, such as those to exclude.
    """
    opened = _open_ids(frame, name, True)
    names, where, requested = opened.names, opened.where, opened.requested
    query = choose_query(names, requested.query, where)
    doc = choose_document(names, requested.doc, where)
    label = _choose_label(opened, query, doc) if has_labels else None
    users, items, labels = _collect_ids(opened, IdColumns(query, doc, label), False)
    groups = group_rows(keys(users))
    rows = groups.order()
    lists: list[Any] = _cut(select_values(items, rows), groups)
    who = select_values(users, groups.first)
    if labels is not None:
        values = _cut(numbers(labels, where)[rows].tolist(), groups)
        for at, ids in enumerate(lists):
            lists[at] = dict(zip(ids, values[at], strict=True))
            if len(lists[at]) < len(ids):
                twice = next(one for i, one in enumerate(ids) if one in ids[:i])
                raise ValueError(
                    f"{name}: {describe(who[at])} has the id {describe(twice)} in two rows; keep "
                    "one of them"
                )
    elif has_labels and requested.label is None and "label" not in requested.ruled_out:
        others = [one for one in names if one not in (*query.names, *doc.names)]
        others = [one for one in others if may_hold_labels(one)]
        if not others:
            return who, lists
        columns = dict(zip(others, select_columns(opened.frame, others, where), strict=True))
        refuse_unnamed_labels(others, columns, users, items, where)
    return who, lists


def _choose_label(opened: OpenedIds, query: KeyColumns, doc: KeyColumns) -> str | None:
    """The column of labels: that which is named, or one of a usual name; None: there is none."""
    names, requested = opened.names, opened.requested
    if requested.label is not None:
        return require(names, requested.label, "label", opened.where)
    if "label" in requested.ruled_out:
        return None
    free = [name for name in names if name not in (*query.names, *doc.names)]
    if LABELS.matching(free):
        return choose(free, None, "label", LABELS, opened.where)
    return next(iter(scores_as_labels(names)), None)


def _cut(values: list[Any], groups: Groups) -> list[list[Any]]:
    """The values of each user."""
    ends = [0, *np.cumsum(groups.sizes).tolist()]
    return [values[a:b] for a, b in pairwise(ends)]
