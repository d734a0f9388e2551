"""Tables of retrieved or relevant ids: a row for each id of a user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ..grouping import Groups, first_repeat, group_rows
from ..lists import add_sizes
from ..printable import describe, list_names
from ..ranks import (
    RankedIds,
    RankLikeScores,
    RankScale,
    describe_rank_like,
    find_scale,
    rank_rows,
)
from .columns import (
    Column,
    Key,
    as_key,
    choose_header,
    collect,
    find_names,
    keys,
    numbers,
    refuse_missing,
    select_columns,
    select_values,
)
from .roles import (
    DOCUMENTS,
    LABELS,
    QUERIES,
    RANKS,
    SCORES,
    CheckedKeys,
    ColumnNames,
    KeyColumns,
    choose,
    choose_document,
    choose_query,
    find_leftovers,
    keep_columns_in,
    leave_to_companions,
    may_hold_labels,
    name_columns,
    name_users,
    no_header,
    refuse_split_lists,
    refuse_unnamed_labels,
    require,
    scores_as_labels,
)
from .source import Origin, is_stream, is_table_path, open_table
from .user_rows import read_user_rows

if TYPE_CHECKING:
    from ..types import Array, Integers


@dataclass(frozen=True, slots=True)
class IdTable:
    """A table with a row for each id, and the columns that the caller names."""

    frame: object
    requested: ColumnNames


def is_frame(value: object) -> bool:
    """Whether a value is a frame of any columns."""
    return isinstance(value, IdTable) or bool(len(find_names(value)))


def is_table(value: object) -> bool:
    """Whether a value is a frame with a row for each id: its columns have names.

    A frame whose columns are 0 to n - 1, as NumPy's arrays become, is a matrix. Polars calls such
    columns column_0 to column_n-1.
    """
    if isinstance(value, (list, tuple)):
        return _has_rows(value, ColumnNames())
    if isinstance(value, IdTable) or is_table_path(value) or is_stream(value):
        return True
    names = list(find_names(value))
    if not names or isinstance(value, str):
        return False
    places = list(range(len(names)))
    if names == places or names == list(map(str, places)):
        return False
    return names != list(map("column_{}".format, places))


def as_id_table(value: object, requested: ColumnNames) -> Any:
    """A frame with its named columns; other values as they are."""
    if isinstance(value, IdTable):
        return value
    if isinstance(value, (list, tuple)) and not _has_rows(value, requested):
        return value
    if not isinstance(value, (list, tuple)) and not is_table(value):
        return value
    return IdTable(value, requested)


def _has_rows(value: object, requested: ColumnNames) -> bool:
    """Whether a value is a list of rows with names, which name a query and a document."""
    if not (isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping)):
        return False
    names = [name for name in value[0] if isinstance(name, str)]
    has_query = requested.query in names or bool(QUERIES.matching(names))
    return has_query and (requested.doc in names or bool(DOCUMENTS.matching(names)))


class IdColumns(NamedTuple):
    """The columns of a table of ids by role, and those that are left over."""

    query: KeyColumns
    doc: KeyColumns
    last: str | None  # of ranks, scores or labels


class OpenedIds(NamedTuple):
    """A table of ids that was opened."""

    frame: object
    names: list[str]
    origin: Origin
    requested: ColumnNames


def _open_ids(value: Any, name: str, is_truth: bool) -> OpenedIds:
    """Open a table of ids; a truth or a baseline may lack the columns that are named."""
    requested = ColumnNames()
    if isinstance(value, IdTable):
        requested = value.requested
        value = value.frame
    if requested.rank is not None and requested.score is not None:
        raise ValueError("score and rank both say what orders the ids; give one of them")
    frame, origin = open_table(value)
    names = choose_header(frame)
    origin = origin._replace(name=name)
    if is_truth or name == "baseline":
        requested, origin = keep_columns_in(names, requested, origin)
    else:
        companion_names = partial(_columns_of, requested.companions)
        requested, origin = leave_to_companions(names, requested, companion_names, origin)
    return OpenedIds(frame, names, origin, requested)


def _columns_of(tables: Sequence[object]) -> set[str]:
    """The names of the columns of all these tables; a stream can be opened only once."""
    names: set[str] = set()
    for table in tables:
        if not is_stream(table):
            frame, _ = open_table(table)
            names.update(choose_header(frame))
    return names


def with_companions(columns: ColumnNames, values: Iterable[object]) -> ColumnNames:
    """The names of columns, with the other tables of a call, which may have what one lacks."""
    if columns.query is None and columns.doc is None:
        return columns
    tables = []
    for value in values:
        if isinstance(value, IdTable):
            tables.append(value.frame)
        elif value is not None and is_table(value):
            tables.append(value)
    return columns._replace(companions=tuple(tables))


def _collect_ids(
    opened: OpenedIds, columns: IdColumns, may_hold_systems: bool
) -> tuple[Key, Column, Column | None]:
    """The columns of the users, of their ids, and the last one; leftovers are looked at."""
    last = [] if columns.last is None else [columns.last]
    leftovers = find_leftovers(opened.names, columns.query, columns.doc, last, may_hold_systems)
    names = [*columns.query.names, *columns.doc.names, *last]
    read = select_columns(opened.frame, [*names, *leftovers.names], opened.origin)
    chosen = read[: len(names)]
    unchosen = read[len(names) :]
    for column in chosen:
        refuse_missing(column, opened.origin)
    n_keys = len(columns.query.names)
    users = as_key(chosen[:n_keys], opened.origin)
    items = chosen[n_keys]
    if leftovers.names:
        leftover_columns = dict(zip(leftovers.names, unchosen, strict=True))
        groups = group_rows(keys(users, opened.origin))
        checked_keys = CheckedKeys(users, columns.query.names, items, groups)
        refuse_split_lists(leftovers, leftover_columns, checked_keys, opened.origin)
    if not last:
        return users, items, None
    return users, items, chosen[n_keys + 1]


def count_interactions(frame: object, name: str) -> dict[object, int]:
    """The number of interactions of each item.

    A frame with users has a row for each interaction. A frame of two columns, items and numbers,
    has the numbers of interactions.
    """
    opened = _open_ids(frame, name, True)
    names, origin = opened.names, opened.origin
    doc = choose_document(names, opened.requested.doc, origin)
    other_columns = [column for column in names if column != doc.names[0]]
    has_users = opened.requested.query is not None or bool(QUERIES.matching(names))
    has_counts = not has_users and len(other_columns) == 1
    count_names = other_columns if has_counts else []
    items, *counts = collect(opened.frame, [*doc.names, *count_names], origin)
    groups = group_rows(keys(items, origin))
    values = groups.sizes.tolist()
    if counts:
        values = numbers(counts[0], origin).tolist()
        if len(values) > len(groups.first):
            is_first = np.zeros(len(values), bool)
            is_first[groups.first] = True
            row = int(is_first.argmin())
            [item] = select_values(items, [row])
            raise ValueError(
                f"{origin.row(row)}: {name} has the item {describe(item)} a second time; keep one "
                "row for each item"
            )
    return dict(zip(select_values(items, groups.first), values, strict=True))


def distinct_items(frame: object, name: str) -> list[object]:
    """The items of a frame, each once."""
    opened = _open_ids(frame, name, True)
    doc = choose_document(opened.names, opened.requested.doc, opened.origin)
    [items] = collect(opened.frame, doc.names, opened.origin)
    return select_values(items, group_rows(keys(items, opened.origin)).first)


def read_retrieved_frame(
    frame: object, name: str, scale: RankScale | None = None
) -> tuple[list[object], list[list[object]], str | None]:
    """Users, their ids, best first, by rank or else by score, and a note where these disagree.

    Lists whose ranks have ties or gaps are RankedIds. scale: of the ranks of the whole table, of
    which the frame is a part.
    """
    opened = _open_ids(frame, name, False)
    names, origin, requested = opened.names, opened.origin, opened.requested
    if not requested.takes_run:
        origin = origin._replace(run_hint="select the rows of one system, or remove the column")
        opened = opened._replace(origin=origin)
    of_users = read_user_rows(opened, requested, False)
    if of_users is not None:
        return *of_users, None
    last, by_rank = _choose_order(opened)
    query = choose_query(names, requested.query, origin)
    columns = IdColumns(query, choose_document(names, requested.doc, origin), last)
    may_hold_systems = requested.run is None and "run" not in requested.ruled_out
    users, items, ranks = _collect_ids(opened, columns, may_hold_systems)
    order = numbers(cast("Column", ranks), origin)
    groups = group_rows(keys(users, origin))
    if by_rank:
        scale = scale or find_scale(order, last, origin.row)
        ascending = order
    elif order.dtype.kind == "f":  # scores, which descend
        ascending = 0.0 - order
    else:
        # ~x is -x - 1, which no integer overflows, and also fits unsigned ones.
        ascending = ~order
    rows = np.lexsort((ascending, groups.codes))  # stable
    owners = name_users(select_values(users, groups.first), query.names)
    lists = _split_by_user(select_values(items, rows), groups)
    note = None
    if not by_rank:
        evidence = RankLikeScores()
        bounds = add_sizes(groups.sizes)
        evidence.add(order[groups.order()], bounds[:-1], bounds[1:])
        if evidence.found:
            remedy = f"if {last!r} holds ranks, pass rank={last!r}"
            note = f"{origin.name}: {describe_rank_like(remedy)}"
        return owners, lists, note
    if scale is not None:
        _mark_places(lists, ascending[rows], groups, scale)
    scores = SCORES.matching(names)
    if requested.rank is None and scores:
        row = _find_rise(opened, scores[0], rows, groups)
        if row is not None:
            user = owners[groups.codes[row]]
            note = (
                f"{origin.name} has the columns {describe(last)} and {describe(scores[0])}, whose "
                f"orders disagree for {describe(user)}: {describe(last)} was used; pass "
                f"rank={last!r} or score={scores[0]!r}"
            )
    return owners, lists, note


def _find_rise(opened: OpenedIds, score: str, rows: Integers, groups: Groups) -> int | None:
    """The first row, by rank, whose score is below that of the next row of its user; or None.

    rows: the numbers of the rows, user by user, by rank.
    """
    try:
        [column] = collect(opened.frame, [score], opened.origin)
        values = numbers(column, opened.origin)[rows]
    except (TypeError, ValueError):  # the column does not hold numbers
        return None
    is_same_user = np.diff(groups.codes[rows]) == 0
    rises = (values[1:] > values[:-1]) & is_same_user
    if not rises.any():
        return None
    return int(rows[int(rises.argmax())])


def _choose_order(opened: OpenedIds) -> tuple[str, bool]:
    """The column that orders the ids of a user, and whether it holds ranks."""
    names, origin, requested = opened.names, opened.origin, opened.requested
    if requested.rank is not None or (requested.score is None and RANKS.matching(names)):
        return choose(names, requested.rank, "rank", RANKS, origin), True
    if requested.score is None and not SCORES.matching(names):
        raise ValueError(
            f"{origin.name}: no rank or score column found (looked for rank, score, ...). Columns: "
            f"{list_names(names)}; {name_columns(names) or 'pass rank= or score='}"
            f"{no_header(names)}"
        )
    return choose(names, requested.score, "score", SCORES, origin), False


def read_rank_scale(frame: object, requested: ColumnNames, origin: Origin) -> RankScale | None:
    """Where the ranks of a table of retrieved ids start; None if it has no column of ranks."""
    opened = OpenedIds(frame, choose_header(frame), origin, requested)
    if requested.rank is None and not RANKS.matching(opened.names):
        return None
    column, by_rank = _choose_order(opened)
    if not by_rank:
        return None
    [ranks] = collect(frame, [column], origin)
    return find_scale(numbers(ranks, origin), ranks.name, origin.row)


def _mark_places(lists: list[list[object]], ranks: Array, groups: Groups, scale: RankScale) -> None:
    """Make RankedIds of the lists whose ranks, list by list, have ties or gaps."""
    bounds = add_sizes(groups.sizes)
    ranked = rank_rows(ranks, bounds[:-1], bounds[1:], scale)
    # Running counts of the rows whose place is not their number in the list. Where the counts at
    # the two ends of a list differ, it has ties or gaps.
    places = ranked.place[ranked.block]
    differs = add_sizes(places != ranked.number)
    for index in np.flatnonzero(np.diff(differs[bounds])).tolist():
        of_list = places[bounds[index] : bounds[index + 1]].tolist()
        lists[index] = RankedIds(lists[index], of_list)


def read_relevant_frame(
    frame: object, name: str, has_labels: bool = True
) -> tuple[list[object], list[object]]:
    """Users and their relevant ids, with labels if there is a column of labels.

    has_labels: False for ids that need no labels, such as those to exclude.
    """
    opened = _open_ids(frame, name, True)
    names, origin, requested = opened.names, opened.origin, opened.requested
    of_users = read_user_rows(opened, requested, True)
    if of_users is not None:
        return of_users
    query = choose_query(names, requested.query, origin)
    doc = choose_document(names, requested.doc, origin)
    label = _choose_label(opened, query, doc) if has_labels else None
    users, items, labels = _collect_ids(opened, IdColumns(query, doc, label), False)
    groups = group_rows(keys(users, origin))
    rows = groups.order()
    lists: list[Any] = _split_by_user(select_values(items, rows), groups)
    owners = name_users(select_values(users, groups.first), query.names)
    if labels is not None:
        values = _split_by_user(numbers(labels, origin)[rows].tolist(), groups)
        for index, ids in enumerate(lists):
            lists[index] = dict(zip(ids, values[index], strict=True))
            repeat = first_repeat(ids)
            if repeat is not None:
                raise ValueError(
                    f"{name}: {describe(owners[index])} has the id {describe(ids[repeat])} in two "
                    "rows; keep one of them"
                )
    elif has_labels and requested.label is None and "label" not in requested.ruled_out:
        free = [name for name in names if name not in (*query.names, *doc.names)]
        candidates = list(filter(may_hold_labels, free))
        if candidates:
            read = select_columns(opened.frame, candidates, origin)
            columns = dict(zip(candidates, read, strict=True))
            refuse_unnamed_labels(candidates, columns, users, items, origin)
    return owners, lists


def _choose_label(opened: OpenedIds, query: KeyColumns, doc: KeyColumns) -> str | None:
    """The column of labels: that which is named, or one of a usual name; None: there is none."""
    names, requested = opened.names, opened.requested
    if requested.label is not None:
        return require(names, requested.label, "label", opened.origin)
    if "label" in requested.ruled_out:
        return None
    free = [name for name in names if name not in (*query.names, *doc.names)]
    if LABELS.matching(free):
        return choose(free, None, "label", LABELS, opened.origin)
    return next(iter(scores_as_labels(names)), None)


def _split_by_user(values: list[Any], groups: Groups) -> list[list[object]]:
    """The values of each user."""
    bounds = add_sizes(groups.sizes).tolist()
    return [values[start:stop] for start, stop in pairwise(bounds)]
