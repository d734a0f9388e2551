"""The rows of a table of predictions with labels as lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import _core
from ..axes import CategoryLabels
from ..grouping import Groups, factorize, find_repeated, first_repeat, group_rows
from ..ignored import IgnoreRule, remove_documents
from ..lists import Judgments, Layout, Lists, add_sizes, prepare
from ..printable import describe, list_names
from ..ranks import RankScale, find_places, find_scale
from ..sparse import sparse_positions
from .columns import (
    Numbers,
    as_key,
    category_order,
    collect,
    fingerprints,
    in_memory,
    keys,
    numbers,
    refuse_infinite,
    refuse_missing,
    refuse_several,
    select_columns,
    select_rows,
    select_values,
    starts_of_runs,
)
from .repeats import RepeatRules, find_other_label, settle_repeats
from .roles import (
    DOCUMENTS,
    LABELS,
    RANKS,
    SCORES,
    USERS,
    CheckedKeys,
    ColumnNames,
    KeyColumns,
    Leftovers,
    choose,
    choose_document,
    choose_query,
    find_leftovers,
    refuse_split_lists,
    require,
)
from .source import Origin, Part, as_narwhals

if TYPE_CHECKING:
    from ..types import Array, Bools, Floats, Integers
    from .columns import Column, Key

NUMBERS = ("label", "score", "weight")  # the roles of columns of numbers
OF_DOCUMENTS = ("label", "score", "doc")  # the roles that a row without a document leaves open
KEYS = ("run", "query")  # the roles of columns that together name the list of a row
RUN_AND_SCORES = "run and several columns in score both name the systems; pass one of them"


class SelectedColumns(NamedTuple):
    """The name of the column of each role."""

    columns: dict[str, str]  # by role; from the second of a role on with its number: "query[1]"
    of_ranks: bool  # the scores are ranks
    scale: RankScale | None = None  # of the ranks of the whole table; None: of those that are read
    found_doc: bool = False  # the column of documents, by its usual name
    systems: tuple[str, ...] = ()  # of the columns of scores, if each is of a system
    leftovers: Leftovers = Leftovers()  # columns without a role to look at
    ignore: IgnoreRule | None = None  # the labels whose rows are left out of their list

    @property
    def keys(self) -> list[str]:
        """The columns whose values together name the list of a row, that of the system first."""
        return [name for role, name in self.columns.items() if role.partition("[")[0] in KEYS]

    @property
    def queries(self) -> list[str]:
        """The columns of queries."""
        return [name for role, name in self.columns.items() if role.startswith("query")]

    @property
    def of_users(self) -> bool:
        """Whether the lists belong to users, by the names of the columns of queries."""
        return USERS.all_matching(self.queries) == self.queries

    @property
    def names(self) -> list[str]:
        """The columns to read, each once."""
        return list(dict.fromkeys([*self.columns.values(), *self.leftovers.names]))

    @property
    def of_ids(self) -> list[str]:
        """The columns that hold no numbers to compute with."""
        names = []
        for role, name in self.columns.items():
            if role.partition("[")[0] not in NUMBERS:
                names.append(name)
        return [*names, *self.leftovers.names]

    @property
    def names_systems(self) -> bool:
        """Whether the table holds systems with names."""
        return bool(self.systems) or "run" in self.columns


class PredictionTable(NamedTuple):
    """The values of the columns, and the name of the table for errors."""

    query: Key  # the column of the lists, or a tuple of columns
    labels: Array
    scores: list[Array]  # of each system
    weights: Array | None
    columns: dict[str, Column]  # all columns by role
    leftovers: dict[str, Column]  # columns without a role by name
    origin: Origin
    selected: SelectedColumns
    scale: RankScale | None = None  # the scores are ranks; smaller ones are better
    ignored: Bools | None = None  # the rows that are left out of their list; None: no row


def choose_columns(
    names: list[str] | None, requested: ColumnNames, origin: Origin
) -> SelectedColumns:
    """Find the columns by `requested`, or by usual names among `names`, if these are known.

    The columns of equal tables are found once, since that takes as long as to rank a small table.
    """
    arguments = None if names is None else tuple(names), requested, origin
    try:
        hash(arguments)
    except TypeError:  # lists of columns, or the row numbers of a part
        return _find_columns(*arguments)
    return _find_columns_once(*arguments)


def _find_columns(
    names: Sequence[str] | None, requested: ColumnNames, origin: Origin
) -> SelectedColumns:
    if requested.rank is not None and requested.score is not None:
        raise ValueError("score and rank both say what orders the documents; give one of them")
    if requested.rank is not None and requested.ignore is not None:
        raise ValueError(
            "ignore= does not support rank=, which says where each document stands: remove the "
            "rows with these labels, and the other documents keep their ranks"
        )
    selected: dict[str, str] = {}
    systems = columns_by_system(requested.score)
    if requested.run is not None:
        selected["run"] = require(names, requested.run, "run", origin)
        if systems:
            raise ValueError(RUN_AND_SCORES)
    query = choose_query(names, requested.query, origin)
    selected |= _numbered("query", query.names)
    selected["label"] = choose(names, requested.label, "label", LABELS, origin)
    if requested.rank is not None:
        selected["score"] = require(names, requested.rank, "rank", origin)
    elif systems:
        if None in systems.values():
            raise TypeError(
                f"score must hold names of columns, not None: {describe(requested.score)}"
            )
        for role, name in _numbered("score", list(systems.values())).items():
            selected[role] = require(names, name, role, origin)
    elif requested.score is not None or names is None:
        selected["score"] = require(names, requested.score, "score", origin)
    else:
        selected["score"] = _find_score(names, origin)
    doc = _find_document(names, requested, selected, origin)
    if doc.names:
        selected["doc"] = doc.names[0]
    for role in ("weight", "segment"):
        name = getattr(requested, role)
        if name is not None:
            selected[role] = require(names, name, role, origin)
    holds_one_system = "run" in selected or bool(systems) or "run" in requested.ruled_out
    leftovers = find_leftovers(names, query, doc, selected.values(), not holds_one_system)
    return SelectedColumns(
        selected,
        of_ranks=requested.rank is not None,
        found_doc=bool(doc.names) and requested.doc is None,
        systems=tuple(systems),
        leftovers=leftovers,
        ignore=requested.ignore,
    )


_find_columns_once = lru_cache(maxsize=32)(_find_columns)


def _numbered(role: str, names: Sequence[str]) -> dict[str, str]:
    """The columns of one role: "query", "query[1]" and so on."""
    columns = {}
    for index, name in enumerate(names):
        key = f"{role}[{index}]" if index else role
        columns[key] = name
    return columns


def _find_score(names: Sequence[str], origin: Origin) -> str:
    """The column of scores by its name; ranks alone must be named, since they run the other way."""
    ranks = RANKS.matching(names)
    if ranks and not SCORES.matching(names):
        raise ValueError(
            f"{origin.name}: no score column found (looked for {SCORES.names[0]}, ...). Columns: "
            f"{list_names(names)}; pass score=, or rank={ranks[0]!r} if the smallest rank is "
            "the best"
        )
    return choose(names, None, "score", SCORES, origin)


def _find_document(
    names: Sequence[str] | None, requested: ColumnNames, selected: Mapping[str, str], origin: Origin
) -> KeyColumns:
    """The column of documents: the one that is named, else one of a usual name if there is one."""
    if requested.doc is not None:
        return choose_document(names, requested.doc, origin)
    usual = DOCUMENTS.matching(names or ())
    if "doc" in requested.ruled_out or len(usual) != 1 or usual[0] in selected.values():
        return KeyColumns([], [])
    return KeyColumns(usual, [])


def read_scale(frame: object, selected: SelectedColumns, origin: Origin) -> RankScale | None:
    """Where the ranks of a table start; None if it has scores."""
    if not selected.of_ranks:
        return None
    [ranks] = collect(frame, [selected.columns["score"]], origin)
    return find_scale(numbers(ranks, origin), ranks.name, origin.row)


def read_columns(frame: object, selected: SelectedColumns, origin: Origin) -> PredictionTable:
    """Read and check the columns."""
    names = selected.columns
    all_names = [*names.values(), *selected.leftovers.names]
    columns = select_columns(frame, all_names, origin, selected.of_ids)
    result = dict(zip(names, columns, strict=False))
    leftovers = dict(zip(selected.leftovers.names, columns[len(names) :], strict=True))
    if selected.found_doc:
        document = result["doc"]
        if not isinstance(document, Numbers) and document.null_count():
            del result["doc"]  # a document without an id may be any
    ignored = None
    if selected.ignore is not None:
        ignored = find_ignored_rows(result["label"], selected.ignore, origin)
    values: dict[str, Array] = {}
    for role, column in result.items():
        kind = role.partition("[")[0]
        # Of rows that are left out only the list is read, with its weight and its segment.
        if ignored is None or kind not in OF_DOCUMENTS:
            refuse_missing(column, origin)
            if kind in NUMBERS:
                values[role] = numbers(column, origin)
            continue
        remaining, rest_origin = select_rows(column, ~ignored, origin)
        refuse_missing(remaining, rest_origin)
        if kind in NUMBERS:
            numbers_of_rest = numbers(remaining, rest_origin)
            values[role] = np.zeros(len(ignored), numbers_of_rest.dtype)
            values[role][~ignored] = numbers_of_rest
    scores = [column for role, column in values.items() if role.startswith("score")]
    for role in values.keys() & {"label", "weight"}:
        refuse_infinite(values[role], names[role], origin)
    scale = None
    if selected.of_ranks:
        scale = find_scale(scores[0], names["score"], origin.row)
        scale = selected.scale or scale
    query = [result[role] for role in names if role.partition("[")[0] in KEYS]
    return PredictionTable(
        as_key(query, origin),
        values["label"],
        scores,
        values.get("weight"),
        result,
        leftovers,
        origin,
        selected,
        scale,
        ignored,
    )


def find_ignored_rows(label: Column, rule: IgnoreRule, origin: Origin) -> Bools | None:
    """The rows whose label is ignored, of which a missing one is NaN; None if there is none."""
    if isinstance(label, Numbers):
        labels = numbers(label, origin)
    else:
        has_label = ~label.is_null().to_numpy()
        if label.dtype.is_float():
            has_label &= ~np.isnan(label.to_numpy())
        labels = numbers(*select_rows(label, has_label, origin))
        if not has_label.all():
            present_labels = labels
            labels = np.full(len(has_label), np.nan)
            labels[has_label] = present_labels
    ignored = rule.mask(labels)
    if not ignored.any():
        return None
    return ignored


class TableLists(NamedTuple):
    """The lists of a table in the order of their first rows, with their weights and segments."""

    lists: list[Lists]  # of each system; they differ in their scores only
    queries: list[object]
    weights: Floats | None
    segments: Sequence[object] | None
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
        first = starts_of_runs(table.query, table.origin)
        sizes = np.diff(np.append(first, len(table.labels)))
        codes = np.repeat(np.arange(len(first), dtype=np.int32), sizes)
        groups = Groups(codes, first, sizes, True)
    else:
        groups = group_rows(keys(table.query, table.origin))
    if table.leftovers:
        of_queries = [table.columns[role] for role in table.columns if role.startswith("query")]
        query = as_key(of_queries, table.origin)  # without the system
        doc = table.columns.get("doc")
        checked_keys = CheckedKeys(query, table.selected.queries, doc, groups)
        leftovers = table.selected.leftovers
        refuse_split_lists(leftovers, table.leftovers, checked_keys, table.origin)
    queries = select_values(table.query, groups.first)
    bounds = add_sizes(groups.sizes)
    layout = Layout(bounds[:-1], bounds[1:], False, queries)
    order = None
    if "doc" in table.columns:
        refuses = repeats is None or repeats.refuses_repeats
        order = _order_documents(table, groups, queries, layout, by_id, refuses)
    removed = None
    if table.ignored is not None:
        cells = np.flatnonzero(groups.together(table.ignored))
        removed = sparse_positions(cells, layout.starts, layout.stops)
    labels = groups.together(table.labels)
    judgments = None
    if len(table.scores) > 1 and removed is None:  # the labels of all systems are sorted once
        runs = prepare(labels, layout.starts, layout.stops, "label")
        judgments = Judgments(runs, labels_checked=True, from_labels=True)
    lists = []
    for scores_of_rows in table.scores:
        scores = groups.together(scores_of_rows)
        places = None
        if table.scale is not None:  # of ranks, of which the smallest is the best
            places = find_places(scores, layout.starts, layout.stops, table.scale)
            scores = 0.0 - scores
        system_lists = Lists(
            layout,
            labels,
            scores,
            judgments,
            order=order,
            pool=True,
            ids_by=ids_by,
            called="label",
            of_ranks=table.scale is not None,
            places=places,
        )
        if removed is not None:
            system_lists = remove_documents(system_lists, removed)
        lists.append(system_lists)
    if repeats is not None:
        documents = _documents_of_rows(table, groups, labels, repeats)
        lists = [settle_repeats(system_lists, documents, repeats) for system_lists in lists]
    # All rows of a list have one weight and one segment: those of its first row.
    weights = table.weights
    if weights is not None:
        refuse_several(table.columns["weight"], weights, groups, queries, table.origin)
        weights = weights[groups.first].astype(np.float64)
    segments: Sequence[object] | None = None
    if "segment" in table.columns:
        column = table.columns["segment"]
        refuse_several(column, keys(column, table.origin), groups, queries, table.origin)
        segments = select_values(column, groups.first)
        categories = category_order(column)
        if categories:
            segments = CategoryLabels.of(segments, categories)
    return TableLists(lists, queries, weights, segments, groups)


def _order_documents(
    table: PredictionTable,
    groups: Groups,
    queries: list[object],
    layout: Layout,
    by_id: bool,
    refuses: bool,
) -> Integers | None:
    """Refuse a document twice in a list. With by_id return the order of the ids, for ties."""
    column = table.columns["doc"]
    if table.ignored is None and not by_id:  # hashes of ids are faster than numbers
        marks = groups.together(fingerprints(column, table.origin))
        if _core.list_with_tie(marks, layout.starts, layout.stops) < 0:
            return None
    codes, first = _number_documents(table)
    codes = groups.together(codes)
    repeated = find_repeated(codes, layout.starts, layout.stops)
    if repeated is not None and refuses:
        list_number, place = repeated
        start = layout.starts[list_number]
        codes_of_list = codes[start : start + place + 1]
        first_place = int(np.flatnonzero(codes_of_list == codes_of_list[-1])[0])
        row, first_row = groups.order()[[start + place, start + first_place]]
        [document] = select_values(column, np.array([row]))
        remedies = 'duplicates="first" to keep the first row'
        if table.selected.found_doc:
            remedies = (
                f"{remedies}, run= with the column of the systems if the table holds several, or "
                f"doc=None if {describe(column.name)} does not identify documents"
            )
        raise ValueError(
            f"{table.origin.row(row)}: query {describe(queries[list_number])} has the document "
            f"{describe(document)} a second time, first in "
            f"{table.origin.row_beside(first_row, row)}; pass {remedies}"
        )
    if not by_id:
        return None
    ids = select_values(column, first)
    # The order of UTF-8 is that of the ids as text. Rows that are left out have codes from
    # len(ranks) on, and get 0.
    texts = np.array([str(identifier).encode() for identifier in ids])
    _, ranks = np.unique(texts, return_inverse=True)
    return np.append(ranks.astype(np.int64), 0)[np.minimum(codes, len(ranks))]


def _documents_of_rows(
    table: PredictionTable, groups: Groups, labels: Array, repeats: RepeatRules
) -> Array:
    """The number of the document of each row that stays, list by list; labels: of all rows."""
    if "doc" not in table.columns:
        raise ValueError(
            f'{table.origin.name}: duplicates="{repeats.policy}" needs the ids of documents; '
            "pass doc=, the name of a column without missing values"
        )
    documents = groups.together(_number_chunks(table, repeats))
    if repeats.document_of is not None:
        position = find_other_label(labels, documents, groups.sizes)
        if position is not None:
            row = groups.order()[position]
            [chunk] = select_values(table.columns["doc"], [row])
            raise ValueError(
                f"{table.origin.row(row)}: the chunk {describe(chunk)} has the label "
                f"{labels[position]:g}, and an earlier chunk of its document another one; "
                "documents= needs one label for each document"
            )
    if table.ignored is None:
        return documents
    return documents[~groups.together(table.ignored)]


def _number_chunks(table: PredictionTable, repeats: RepeatRules) -> Integers:
    """The number of the document of each row, whose id is that of a chunk if there are any."""
    codes, first = _number_documents(table)
    if repeats.document_of is None:
        return codes
    chunks = select_values(table.columns["doc"], first)
    numbers, _ = factorize(map(repeats.document_of, chunks))
    is_chunk = codes < len(first)  # rows that are left out have further numbers
    return np.where(is_chunk, numbers[np.minimum(codes, len(first) - 1)], codes)


def _number_documents(table: PredictionTable) -> tuple[Integers, Integers]:
    """The number of the document of each row, and the first row of each document.

    Rows that are left out have numbers of their own, since padding repeats its id.
    """
    column, ignored = table.columns["doc"], table.ignored
    if ignored is None:
        groups = group_rows(keys(column, table.origin))
        return groups.codes, groups.first
    rows = np.flatnonzero(~ignored)
    remaining, origin = select_rows(column, ~ignored, table.origin)
    groups = group_rows(keys(remaining, origin))
    codes = np.arange(len(ignored)) + len(groups.first)
    codes[rows] = groups.codes
    return codes, rows[groups.first]


def columns_by_system(score: object) -> dict[str, Any]:
    """The column of scores by the name of its system; {} if `score` is not several columns."""
    if isinstance(score, Mapping):
        columns = {str(name): column for name, column in score.items()}
    elif isinstance(score, (list, tuple)):
        columns = {str(column): column for column in score}
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
    frame: object, run: str, columns: Sequence[str], origin: Origin
) -> dict[str, Part]:
    """The rows of each system, in the order of the systems' first rows; `run` names the column."""
    opened = as_narwhals(in_memory(frame, (run, *columns), origin))
    [column] = select_columns(opened, [run], origin)
    refuse_missing(column, origin)
    groups = group_rows(keys(column, origin))
    texts = name_systems(select_values(column, groups.first), origin, run)
    order = groups.order()
    stops = np.cumsum(groups.sizes)
    parts = {}
    for name, stop, size in zip(texts, stops.tolist(), groups.sizes.tolist(), strict=True):
        rows = order[stop - size : stop]
        table = opened[rows.tolist(), list(dict.fromkeys(columns))].to_native()
        parts[name] = Part(table, rows, origin.name, origin.files)
    return parts


def name_systems(values: Sequence[object], origin: Origin, run: str) -> list[str]:
    """The names of systems as text, which must differ."""
    texts = list(map(str, values))
    repeat = first_repeat(texts)
    if repeat is not None:
        raise ValueError(
            f"{origin.name}: two systems in {describe(run)} are called {describe(texts[repeat])} "
            "as text"
        )
    if not texts:
        raise ValueError(
            f"{origin.name} has no rows, so {describe(run)} names no system; leave run= out to "
            "evaluate it"
        )
    return texts
