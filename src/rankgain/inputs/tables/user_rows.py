"""Tables with a row for each user: lists of ids, ids joined by blanks, a column for each place."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain, filterfalse, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from ..entries import Entries, as_numbers
from ..grouping import group_rows
from ..joined import as_impressions, split_ids
from ..printable import count_of, is_missing, list_names
from ..rankings import judged_ids, ranked_ids
from .columns import Column, Numbers, as_key, keys, refuse_missing, select_columns, select_values
from .roles import (
    DOCUMENTS,
    LABELS,
    ORDINARY_WORDS,
    QUERIES,
    RANKS,
    SCORES,
    choose_query,
    name_columns,
    name_users,
    normal_spelling,
    require,
)

if TYPE_CHECKING:
    from .source import Origin

PLACE = re.compile(r"(.*?)[_\-. ]?(\d+)", re.DOTALL)  # rec_1, item-0, top10
NUMBER_WORDS = frozenset(
    "score scores prob probability distance distances sim similarity weight rank label "
    "rating similarity similarities ranks positions position labels".split()
)
LIST_TYPES = ("List", "Array")
LISTS_OF_SCORES = (*SCORES.names, "scores", "similarities")
LISTS_OF_RANKS = (*RANKS.names, "ranks", "positions")


class RequestedColumns(Protocol):
    """The columns that the caller names."""

    @property
    def query(self) -> str | Sequence[str] | None: ...
    @property
    def doc(self) -> str | Sequence[str] | None: ...
    @property
    def label(self) -> str | None: ...
    @property
    def score(self) -> object: ...
    @property
    def rank(self) -> str | None: ...
    @property
    def takes_run(self) -> bool: ...


class OpenedTable(Protocol):
    """A table that was opened."""

    @property
    def frame(self) -> object: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def origin(self) -> Origin: ...


class UserTable(NamedTuple):
    """A table that was opened, and what the caller says about it."""

    frame: object
    names: list[str]
    origin: Origin
    query: str | Sequence[str] | None
    doc: str | Sequence[str] | None
    score: object
    rank: object
    is_ordered: bool  # a column of ranks or scores orders the rows
    is_truth: bool
    may_name_systems: bool  # with the argument run


class JoinedIds(list[Any]):
    """Lists of one text each, which is an id or several that are joined by blanks."""


def read_user_rows(
    opened: OpenedTable, requested: RequestedColumns, is_truth: bool
) -> tuple[list[Any], list[Any]] | None:
    """Users and their ids, of a table with a row for each user; None if it has one for each id."""
    names = opened.names
    is_ordered = requested.rank is not None or requested.score is not None
    if not is_truth:
        is_ordered |= bool(RANKS.matching(names) or SCORES.matching(names))
    elif LABELS.matching(names) or requested.label is not None:
        is_ordered = True
    table = UserTable(
        opened.frame,
        names,
        opened.origin,
        query=requested.query,
        doc=requested.doc,
        score=requested.score,
        rank=requested.rank,
        is_ordered=is_ordered,
        is_truth=is_truth,
        may_name_systems=requested.takes_run and not is_truth,
    )
    return _read(table)


def _read(table: UserTable) -> tuple[list[object], list[object]] | None:
    """The ids of each user; None if the table has a row for each id."""
    found = _find_ids(table)
    if found is None:
        return None
    queries = _find_users(table, found)
    columns = select_columns(table.frame, [*queries, *found], table.origin, queries)
    user_columns = columns[: len(queries)]
    id_columns = columns[len(queries) :]
    users = as_key(user_columns, table.origin)
    for column in user_columns:
        refuse_missing(column, table.origin)
    groups = group_rows(keys(users, table.origin))
    is_unique = len(groups.first) == len(groups.codes)
    is_text = len(found) == 1 and not holds_lists(id_columns[0])
    is_usual = found[0] in DOCUMENTS.matching(table.names)
    if is_text and not is_unique and is_usual:
        return None  # a row for each id
    is_joined = is_text and any(map(_is_joined, _values(id_columns[0])))
    if is_text and not is_joined and (table.doc is not None or not is_unique):
        return None
    if not is_unique:
        names = select_values(users, range(len(groups.codes)))
        is_first = np.zeros(len(names), bool)
        is_first[groups.first] = True
        row = int(is_first.argmin())  # the first one of a user that has an earlier row
        remedy = "keep one row for each"
        if table.may_name_systems:
            remedy = f"{remedy}, or name the column of the systems with run="
        raise ValueError(
            f"{table.origin.row(row)}: {names[row]!r} has a second row with a list of ids; {remedy}"
        )
    owners = name_users(select_values(users, range(len(groups.codes))), queries)
    if is_text and table.is_truth and is_usual:
        return owners, JoinedIds([cell] for cell in _values(id_columns[0]))
    if is_text and not is_joined:
        rows: list[object] = []
        for cell in _values(id_columns[0]):
            ids = [] if _is_absent(cell) else [cell]
            rows.append(ids)
    elif len(found) > 1:
        if table.doc is None and not table.is_truth:
            _refuse_other_orders(found, table)
        rows = _rows_of_places(id_columns, table)
    else:
        rows = _rows_of_lists(id_columns[0], table)
        if not table.is_truth:
            rows = _order(rows, table, found[0])
    return owners, _attach_labels(rows, table)


def _attach_labels(rows: list[Any], table: UserTable) -> list[object]:
    """Rows of ids; impressions with their labels, which only a truth holds."""
    if not all(isinstance(row, list) for row in rows):
        return rows
    labelled = as_impressions(rows)
    if labelled is None:
        return rows
    if not table.is_truth:
        first = next(row for row in rows if row)
        raise ValueError(
            f"{table.origin.name}: ids such as {first[0]!r} end in -0 or -1, as the labels of "
            "impressions do; they are the truth, and the ranking is missing"
        )
    return list(labelled)


def _find_ids(table: UserTable) -> list[str] | None:
    """The columns that hold the ids of each user; None if no column can."""
    if isinstance(table.doc, (list, tuple)):
        return [require(table.names, name, "doc", table.origin) for name in table.doc]
    usual = DOCUMENTS.matching(table.names)
    if table.doc is not None:
        usual = [require(table.names, table.doc, "doc", table.origin)]
    if usual:
        if _may_hold_several(table, usual[0]):
            return usual[:1]
        return None
    if isinstance(table.query, str):
        users = [table.query]
    else:
        users = list(table.query or _usual_users(table.names)[:1])
    taken = [*users, table.score, table.rank]
    other_columns = [name for name in table.names if name not in taken]
    places = _find_places(other_columns, table)
    in_places = set(chain.from_iterable(places))
    # Columns that hold several ids in a cell. Those that are named as numbers count only if no
    # other column has ids.
    single = []
    named_as_numbers = []
    for name in other_columns:
        if normal_spelling(name) in NUMBER_WORDS:
            named_as_numbers.append(name)
        elif name not in in_places and _may_hold_several(table, name):
            single.append(name)
    if not single and not places:
        single = [name for name in named_as_numbers if _is_text_of_ids(table, name)]
    if len(places) + len(single) > 1:
        alternatives = " and ".join(map(repr, [*places, *single]))
        raise ValueError(
            f"{table.origin.name}: {alternatives} may hold the ids of a user; pass doc= with the "
            "name of the column, or with the list of the columns in the order of their places"
        )
    if places:
        return places[0]
    if single:
        return single
    if len(other_columns) != 1 or len(table.names) != 2:
        return None
    # Two columns may be users and an id for each of them.
    [name] = other_columns
    if _may_hold_ids(name) or _is_text_without_numbers(table, name):
        return other_columns
    return None


def _find_users(table: UserTable, found: Sequence[str]) -> list[str]:
    """The columns that name the users."""
    if table.query is not None:
        return choose_query(table.names, table.query, table.origin).names
    other_columns = [name for name in table.names if name not in found]
    usual = _usual_users(other_columns)
    if usual:
        return usual[:1]
    if len(other_columns) == 1:
        return other_columns
    raise ValueError(
        f"{table.origin.name}: no query column found (looked for user_id, ...). Columns: "
        f"{list_names(table.names)}; {name_columns(table.names) or table.origin.hint('query')}"
    )


def _may_hold_ids(name: str) -> bool:
    """Whether the name of a column is not that of numbers, times or attributes."""
    for usual in (SCORES, RANKS, LABELS):
        if usual.matching([name]):
            return False
    words = set(normal_spelling(name).split("_"))
    return words.isdisjoint(NUMBER_WORDS) and words.isdisjoint(ORDINARY_WORDS - {"id", "ids"})


def _usual_users(names: Sequence[str]) -> list[str]:
    """The columns that usually name users or queries."""
    usual = QUERIES.matching(names)
    if usual:
        return usual
    return [name for name in names if normal_spelling(name) in ("id", "question_id")]


def _may_hold_several(table: UserTable, name: str) -> bool:
    """Whether a column holds lists, or texts with blanks where no other column orders rows."""
    [column] = select_columns(table.frame, [name], table.origin)
    if holds_lists(column):
        return True
    if isinstance(column, Numbers) or (table.is_ordered and name not in _numbers_by_name(table)):
        return False
    return any(map(_is_joined, _values(column)))


def _is_text_of_ids(table: UserTable, name: str) -> bool:
    """Whether a column with the name of numbers holds ids that are joined by blanks."""
    [column] = select_columns(table.frame, [name], table.origin)
    return not holds_lists(column) and any(map(_is_joined, _values(column)))


def _is_text_without_numbers(table: UserTable, name: str) -> bool:
    """Whether a column holds text, none of it a number: ids under the name of scores."""
    [column] = select_columns(table.frame, [name], table.origin)
    if isinstance(column, Numbers) or holds_lists(column):
        return False
    has_text = False
    for cell in filterfalse(_is_absent, _values(column)):
        if not isinstance(cell, str):
            return False
        with suppress(ValueError):
            float(cell)
            return False
        has_text = True
    return has_text


def _numbers_by_name(table: UserTable) -> list[str]:
    """Columns that would be scores or ranks by their names."""
    return [*SCORES.all_matching(table.names), *RANKS.all_matching(table.names)]


def holds_lists(column: Column) -> bool:
    """Whether the cells of a column are lists."""
    if isinstance(column, Numbers):
        return False
    if type(column.dtype).__name__ in LIST_TYPES or str(column.dtype).startswith(LIST_TYPES):
        return True
    if str(column.dtype) != "Object":
        return False
    first = next(filterfalse(_is_absent, column.to_list()), None)
    is_array = hasattr(first, "tolist") and getattr(first, "ndim", 0) == 1
    return is_array or isinstance(first, (list, tuple, Mapping))


def _values(column: Column) -> list[Any]:
    if isinstance(column, Numbers):
        return list(column.values.tolist())
    return column.to_list()  # type: ignore[no-any-return]


def _is_joined(cell: object) -> bool:
    return isinstance(cell, str) and (len(cell.split()) > 1 or cell.strip().startswith("["))


def _is_absent(value: object) -> bool:
    return is_missing(value) or (isinstance(value, str) and not value.strip())


def _rows_of_lists(column: Column, table: UserTable) -> list[object]:
    """The ids of each cell; an empty cell is an empty list."""
    rows: list[object] = []
    for row, cell in enumerate(_values(column)):
        if isinstance(cell, str):
            rows.append(split_ids(cell, f"{table.origin.row(row)}: {column.name}"))
        elif not isinstance(cell, Mapping) and _is_absent_list(cell):
            rows.append([])
        else:
            value = cell.tolist() if hasattr(cell, "tolist") else cell
            place = f"{table.origin.row(row)}: {column.name}"
            if not isinstance(value, (list, tuple, Mapping)):
                raise TypeError(f"{place} is {value!r}; give a list of ids")
            read_cell = judged_ids if table.is_truth else ranked_ids
            ids = read_cell(value, place)
            if not isinstance(ids, Mapping):
                ids = list(ids)
            rows.append(ids)
    return rows


def _name_order(table: UserTable, ids: str) -> tuple[str, bool] | None:
    """The column that may hold the scores or ranks of the column `ids`, and whether it has ranks.

    None if there is no such column.
    """
    if isinstance(table.score, str):
        return table.score, False
    if isinstance(table.rank, str):
        return table.rank, True
    for name in table.names:
        spelling = normal_spelling(name)
        if name != ids and spelling in (*LISTS_OF_SCORES, *LISTS_OF_RANKS):
            return name, spelling in LISTS_OF_RANKS
    return None


def _order(rows: list[Any], table: UserTable, ids: str) -> list[object]:
    """The ids of each user by the lists of scores or ranks, if there is a column of these."""
    ordering = _name_order(table, ids)
    if ordering is None:
        return rows
    name, holds_ranks = ordering
    [column] = select_columns(table.frame, [name], table.origin)
    if not holds_lists(column):
        return rows  # a number of each user
    result: list[object] = []
    for row, (found, numbers) in enumerate(zip(rows, _values(column), strict=True)):
        place = table.origin.row(row)
        if isinstance(numbers, (str, bytes)) or not hasattr(numbers, "__len__"):
            if len(found) and _is_absent_list(numbers):
                raise ValueError(
                    f"{place}: {name} is missing, but other rows have some; give each row a list, "
                    "or remove the column if the ids are in order"
                )
            if not _is_absent_list(numbers):
                raise TypeError(
                    f"{place}: {name} is {numbers!r:.40}; give a list with a number for each id"
                )
            numbers = []
        values = list(numbers)
        if len(values) != len(found):
            raise ValueError(
                f"{place} has {count_of(len(found), 'id')}, but {count_of(len(values), 'number')} "
                f"in {name}; give a number for each id"
            )
        scores = as_numbers(values, f"{place}: {name}")
        if any(map(is_missing, scores)):
            raise ValueError(f"{place}: {name} has a NaN; every number must be known")
        if holds_ranks:  # the smallest is the best
            scores = [-rank for rank in scores]
        result.append(Entries(found, scores).ranked())
    return result


def _is_absent_list(cell: Any) -> bool:
    return not hasattr(cell, "__len__") and is_missing(cell)


def _group_by_prefix(names: Sequence[str]) -> dict[str, dict[int, str]]:
    """Columns that end in a number, such as rec_1: by what stands before it, and by the number."""
    groups: dict[str, dict[int, str]] = {}
    for name in names:
        match = PLACE.fullmatch(str(name))
        if match is not None:
            groups.setdefault(match[1], {})[int(match[2])] = name
    return groups


def _refuse_other_orders(found: Sequence[str], table: UserTable) -> None:
    """Refuse columns of scores or ranks for each place that order a row otherwise than the places.

    found: the columns of ids in the order of their places.
    """
    numbers = []
    for name in found:
        match = PLACE.fullmatch(name)
        if match is not None:
            numbers.append(int(match[2]))
    for prefix, columns in _group_by_prefix(table.names).items():
        word = normal_spelling(prefix).strip("_")
        are_scores = word in SCORES.names
        if not are_scores and word not in RANKS.names:
            continue
        if sorted(columns) != numbers:
            continue
        names = [columns[number] for number in numbers]
        read = select_columns(table.frame, names, table.origin)
        # Scores must not rise from place to place, ranks must not fall.
        is_better = operator.gt if are_scores else operator.lt
        for row, cells in enumerate(zip(*map(_values, read), strict=True)):
            named_cells = zip(names, cells, strict=True)
            for (name_before, before), (name, value) in pairwise(named_cells):
                if _is_absent(before) or _is_absent(value):
                    break
                if is_better(value, before):
                    raise ValueError(
                        f"{table.origin.row(row)}: {name} is {value} and {name_before} {before}, "
                        f"so {prefix!r} orders the ids otherwise than their places; remove the "
                        f"columns {names[0]!r} to {names[-1]!r} if the places order them, or give "
                        "a row for each id"
                    )


def _find_places(names: Sequence[str], table: UserTable) -> list[list[str]]:
    """Groups of columns for the places 1, 2, 3 and so on, or 0, 1, 2, without those of numbers."""
    found = []
    for prefix, name_of_place in _group_by_prefix(names).items():
        places = sorted(name_of_place)
        first = places[0]
        is_whole = len(places) > 1 and places == list(range(first, first + len(places)))
        words = normal_spelling(prefix).split("_")
        if not is_whole or first not in (0, 1) or not NUMBER_WORDS.isdisjoint(words):
            continue
        in_order = [name_of_place[place] for place in places]
        columns = select_columns(table.frame, in_order, table.origin)
        if all(map(_holds_ids, columns)):
            found.append(in_order)
    return found


def _holds_ids(column: Column) -> bool:
    """Whether values may be ids: text, or whole numbers."""
    for value in filterfalse(_is_absent, _values(column)[:1000]):
        if isinstance(value, float) and not value.is_integer():
            return False
    return True


def _rows_of_places(columns: Sequence[Column], table: UserTable) -> list[object]:
    """The ids of each row up to the first place without one."""
    rows: list[object] = []
    for row, cells in enumerate(zip(*map(_values, columns), strict=True)):
        ids = list(map(_as_id, cells))
        absent = list(map(_is_absent, ids))
        size = len(ids)
        if True in absent:
            size = absent.index(True)
        if not all(absent[size:]):
            raise ValueError(
                f"{table.origin.row(row)}: {columns[size].name} has no id, but a later place has; "
                "ids may be missing only at the end"
            )
        rows.append(ids[:size])
    return rows


def _as_id(value: Any) -> object:
    """A whole number that is a float since other rows lack a value, as an integer."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value
