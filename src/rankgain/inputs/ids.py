"""Retrieved and relevant ids of any type, paired by position or by user, and matched."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, count
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import Ragged, is_wide, read_numbers
from .entries import is_pair
from .grouping import first_repeat
from .groups import GroupedIds
from .lists import Layout, Lists, add_sizes
from .parts import ListParts, parts_of_groups
from .printable import count_of, describe, find_kind, is_missing
from .ranks import RankedIds
from .relevant import OR_FIRST, IdLists, as_lists, cut_filling, is_id, labels_of_row, list_ids
from .tables.roles import UserIds
from .topk import Hits, make_ranked

if TYPE_CHECKING:
    from .types import Bools, Floats

UNITS = {"query": "queries", "user": "users"}  # the plural of what has a list
DUPLICATES = ("raise", "first", "in_place")


class Paired(NamedTuple):
    """Retrieved and relevant ids of the same lists."""

    retrieved: list[Any]
    relevant: list[Any]
    users: list[object] | None
    has_retrieved: Bools  # mask of the users with a list of retrieved ids
    without_relevant: list[object]  # users with retrieved ids and without relevant ones
    names: tuple[str, str]
    is_cut: bool = False  # the -1 that fill rows are gone already: those that are left are ids
    unit: str = "query"  # what has a list: a query, or a user
    of_documents: bool = False  # retrieved ids were chunks, which became documents


def number_ids(
    sides: Sequence[list[Any]],
    names: Sequence[str],
    first: int | None = None,  # ids of a row
    is_cut: bool = False,  # the -1 that fill rows are gone already
) -> tuple[list[Ragged], list[object]]:
    """Ids as numbers from 0 on, and the id of each number; an id twice in a row is refused."""
    if not is_cut:
        sides = cut_filling(sides, names)
    cut_sides = []
    flat_sides = []
    for rows in sides:
        cut_rows = [row[:first] for row in rows]
        cut_sides.append(cut_rows)
        flat_sides.append(list(chain.from_iterable(cut_rows)))
    kinds = set(map(type, chain.from_iterable(flat_sides)))
    if len(kinds) != 1 or not kinds <= {str, int}:
        _check_kinds(cut_sides, names)
    # Looking up an id that is not there yet gives it the next number.
    number_of: defaultdict[object, int] = defaultdict(count().__next__)
    result = []
    for rows, ids, name in zip(cut_sides, flat_sides, names, strict=True):
        sizes = list(map(len, rows))
        for number, distinct in enumerate(map(len, map(set, rows))):
            if distinct < sizes[number]:
                _refuse_repeated(rows[number], f"{name}: list {number}")
        numbers = np.fromiter(map(number_of.__getitem__, ids), np.int64, len(ids))
        result.append(Ragged(numbers, np.array(sizes, np.int64)))
    return result, list(number_of)


def _check_kinds(sides: Sequence[Sequence[Sequence[object]]], names: Sequence[str]) -> None:
    """Refuse values that are not ids, and ids of two kinds."""
    kind_check = KindCheck(names)
    last_type = None
    for side, rows in enumerate(sides):
        for number, row in enumerate(rows):
            for place, value in enumerate(row):
                if type(value) is not last_type:
                    kind_check(value, side, number, place)
                last_type = type(value)


def _refuse_repeated(row: Iterable[Hashable], place: str, remedy: str = "") -> None:
    """Refuse an id twice in a list; place: of the list; remedy: the end of the error."""
    ids = list(row)
    index = first_repeat(ids)
    if index is not None:
        raise ValueError(
            f"{place}, position {index} has the id {describe(ids[index])} a second time. Remove "
            f"the repeat{remedy}"
        )


def pair(retrieved: IdLists, relevant: IdLists) -> Paired:
    """Pair the lists of the same users, in the order of the relevant ids."""
    names = retrieved.name, relevant.name
    retrieved, relevant = as_single(retrieved, relevant), as_single(relevant, retrieved)
    relevant = _as_lists_of_one(relevant, retrieved)
    if retrieved.single != relevant.single or (retrieved.users is None) != (relevant.users is None):
        hint = ""
        could_be_searches = retrieved.name == "retrieved" and not retrieved.single
        if could_be_searches and relevant.users is not None and retrieved.users is None:
            hint = ', or pass calls="in_order" if these lists are the searches of a query'
        raise TypeError(
            f"{names[0]} is {_name_shape(retrieved)}, but {names[1]} is {_name_shape(relevant)}; "
            f"give both in the same form{hint}"
        )
    if retrieved.users is None or relevant.users is None:
        lists = len(retrieved.rows)
        if lists != len(relevant.rows):
            raise ValueError(
                f"{names[0]} has {count_of(lists, 'list')}, but {names[1]} has {len(relevant.rows)}"
            )
        return Paired(retrieved.rows, relevant.rows, None, np.ones(lists, bool), [], names)
    sides = retrieved, relevant
    has_users = any(isinstance(side.users, UserIds) for side in sides)
    unit = "user" if has_users or "recommended" in names else "query"
    user_kinds = _examples_by_kind(retrieved.users)
    relevant_kinds = _examples_by_kind(relevant.users)
    if user_kinds and relevant_kinds and user_kinds.keys().isdisjoint(relevant_kinds):
        user = next(iter(user_kinds.values()))
        relevant_user = next(iter(relevant_kinds.values()))
        raise TypeError(
            f"the {unit} ids differ in type: {names[0]} has {describe(user)}, and {names[1]} "
            f"{describe(relevant_user)}; use one type for both"
        )
    by_user = dict(zip(retrieved.users, retrieved.rows, strict=True))
    _refuse_repeated_users(retrieved.users, retrieved.name, unit)
    _refuse_repeated_users(relevant.users, relevant.name, unit)
    rows = list(map(by_user.get, relevant.users))
    has_retrieved = np.array([row is not None for row in rows], bool)
    rows = [() if row is None else row for row in rows]
    judged_users = set(relevant.users)
    without_relevant = [user for user in retrieved.users if user not in judged_users]
    return Paired(
        rows, relevant.rows, relevant.users, has_retrieved, without_relevant, names, unit=unit
    )


def _refuse_repeated_users(users: Sequence[Hashable], name: str, unit: str) -> None:
    if len(set(users)) < len(users):
        user = Counter(users).most_common(1)[0][0]
        raise ValueError(f"{name} has the {unit} {describe(user)} twice; give one list each")


def as_single(side: IdLists, counterpart: IdLists) -> IdLists:
    """Return `[]` as one empty list if the other argument is one list."""
    if counterpart.single and not side.single and side.users is None and not side.rows:
        return side._replace(rows=[[]], single=True)
    return side


def _as_lists_of_one(relevant: IdLists, retrieved: IdLists) -> IdLists:
    """One relevant id for each list or user, as one list or a dict, read as lists of one id."""
    if not relevant.single or retrieved.single or len(relevant.rows[0]) < 1:
        return relevant
    ids = relevant.rows[0]
    if isinstance(ids, Mapping):
        is_by_user = retrieved.users is not None and not ids.keys().isdisjoint(retrieved.users)
        if not is_by_user or not all(map(is_id, ids.values())):
            return relevant
        lists_of_one = [[identifier] for identifier in ids.values()]
        return relevant._replace(rows=lists_of_one, users=list(ids), single=False)
    is_listed = isinstance(ids, (list, tuple)) and all(map(is_id, ids))
    if retrieved.users is None and is_listed and len(ids) == len(retrieved.rows):
        lists_of_one = [[identifier] for identifier in ids]
        return relevant._replace(rows=lists_of_one, single=False)
    return relevant


def _name_shape(lists: IdLists) -> str:
    if lists.users is not None:
        return "lists by query or user"
    if lists.single:
        return "a single list"
    return "a list of lists"


SEVERAL_SYSTEMS = (  # the end of errors
    ". evaluate_catalogue evaluates one system: call it for each of them, or pass all to "
    'evaluate_ids with measures such as "Coverage@10"'
)


class KindCheck:
    """The check that all ids of a call are of the kind of the first one."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.first: tuple[str, str, object] | None = None

    def __call__(self, value: object, side: int, row: int, place: int) -> None:
        """Refuse a value that is not an id, or that is of another kind than the first id."""
        name = self.names[side]
        position = f"{name}: list {row}, position {place}"
        if is_missing(value):
            raise ValueError(f"{position} is {describe(value)}; ids must not be missing")
        kind = find_kind(value)
        is_number = isinstance(value, (bool, np.bool_, Number))
        is_array = hasattr(value, "tolist") and not isinstance(value, np.generic)
        if kind != "int" and (is_number or is_array):
            raise TypeError(
                f"{position} is {describe(value)}; ids must be strings or integers, not {kind}"
            )
        try:
            hash(value)
        except TypeError:
            raise TypeError(
                f"{position} is {describe(value)}; a {kind} cannot be an id"
                f"{_nested_hint(value, name, place) or _pair_hint(value)}"
            ) from None
        if self.first is None:
            self.first = kind, name, value
        elif kind != self.first[0]:
            first_kind, first_name, first_value = self.first
            hint = _pair_hint(first_value) or _pair_hint(value)
            raise TypeError(
                f"{position} is {describe(value)} ({kind}), but {first_name} holds ids such as "
                f"{describe(first_value)} ({first_kind}); ids of different types never match; "
                f"convert them to one type{hint}"
            )


def _nested_hint(value: object, name: str, place: int) -> str:
    """The end of the error for a list at this place of a list of ids; name: of the argument."""
    if not isinstance(value, list):
        return ""
    # Lists may be searches only if they are all that a query has, so the first entry is one.
    is_scored = is_pair(value) and type(value[0]) is not type(value[1])
    if name == "retrieved" and place == 0 and not is_scored:
        return '; for several searches of a query pass calls="in_order" or "round_robin"'
    if name == "recommended":
        return SEVERAL_SYSTEMS
    return ""


def _pair_hint(value: object) -> str:
    """The end of the error if the value holds an id and more."""
    if isinstance(value, Mapping):
        return "; give the ids alone, such as [row['id'] for row in rows]"
    if not is_pair(value):
        return ""
    return (
        "; all entries of a list must be ids, or all of them pairs (id, score). For labels of "
        "relevant ids pass a dict id -> label"
    )


def match(paired: Paired, duplicates: str, grouped: GroupedIds | None = None) -> tuple[Lists, int]:
    """Lists of the hits by rank, and the length of the longest list of retrieved ids.

    grouped: what the relevant ids are groups of.
    """
    names = paired.names
    has_labels = False

    def read(row: object, relevant: bool, number: int) -> Any:
        """The ids of a row that is not a list; the core calls this."""
        nonlocal has_labels
        has_labels |= isinstance(row, Mapping)
        return list_ids(row, names[relevant], number, relevant)

    in_place = duplicates == "in_place"
    if duplicates == "first" and any(type(row) is RankedIds for row in paired.retrieved):
        paired = paired._replace(retrieved=[drop_repeated_ids(row) for row in paired.retrieved])
    core = _core.IdMatch(KindCheck(names), read, duplicates != "raise", in_place)
    fault = core.match(paired.retrieved, paired.relevant)
    if core.may_be_filled and not paired.is_cut:
        paired = remove_filling(paired)
        core = _core.IdMatch(KindCheck(names), read, duplicates != "raise", in_place)
        fault = core.match(paired.retrieved, paired.relevant)
    if fault is not None:
        _raise_duplicate(fault, paired)
    columns = (np.frombuffer(column, np.int64) for column in core.columns())
    hit_counts, sizes, relevant_counts, ranks, relevant_places, first_places = columns
    starts = add_sizes(sizes)
    indptr = add_sizes(relevant_counts)
    pointer = add_sizes(hit_counts)
    if has_labels:
        level = None
        labels = _flatten_labels(paired)
        if duplicates != "raise":
            labels = labels[first_places]
    else:
        level = 1.0
        labels = np.ones(int(indptr[-1]))
    layout = Layout(starts[:-1], starts[1:], False, paired.users)
    hits = Hits(ranks, relevant_places, pointer)
    lists = make_ranked(layout, hits, labels, indptr, level, names[1])
    if any(type(row) is RankedIds for row in paired.retrieved):
        lists = _with_places(lists, paired.retrieved)
    if grouped is not None:
        judged = parts_of_groups(paired.relevant, grouped.of_lists(paired.users))
        lists = lists.replace(parts=ListParts(judged, 1.0 + relevant_places.astype(np.float64)))
    return lists, int(lists.lengths.max(initial=0))


def _flatten_labels(paired: Paired) -> Floats:
    """The labels of all relevant ids: 1 for ids without one."""
    name = paired.names[1]
    labels = read_numbers(list(map(labels_of_row, paired.relevant)), f"{name} (labels)").flat
    wide = is_wide(labels)
    if wide.any():
        label = labels[int(wide.argmax())]
        raise ValueError(
            f"{name}: the label {label} cannot be represented exactly as a float64; rescale it"
        )
    return labels.astype(np.float64)


def drop_repeated_ids(
    row: Sequence[object], cut: int | None = None, in_place: bool = False
) -> list[object]:
    """The ids of a row, each once; cut: of its first places; in_place: repeats take places."""
    if type(row) is not RankedIds:
        return list(dict.fromkeys(list(row)[:cut]))
    seen = set()
    kept = []
    for identifier, place in zip(row, row.rank_places(), strict=True):
        is_first = identifier not in seen
        seen.add(identifier)
        kept.append(is_first and (cut is None or place < cut))
    return row.kept(kept, moves_up=not in_place)


def _with_places(lists: Lists, rows: Sequence[Sequence[object]]) -> Lists:
    """Lists of hits by rank with the places of their documents, of which some tie.

    Hits become documents with scores, so that the tie rule of the measure applies. Documents are
    ordered by the text of their ids where the rule needs it.
    """
    shared: list[int] = []  # the place of each document; tied ones share it
    places: list[int] = []
    for row in rows:
        if type(row) is RankedIds:
            shared += row.places
            places += row.rank_places()
        else:
            shared += range(len(row))
            places += range(len(row))
    # The position of each document in its list, which is its place if the ranks have no gaps.
    positions = np.arange(len(places)) - np.repeat(lists.layout.starts, lists.layout.sizes)
    ranked = np.array(places, np.int64)
    has_gaps = (ranked != positions).any()
    # The order of UTF-8 is that of the ids as text.
    texts = np.array([str(identifier).encode() for identifier in chain.from_iterable(rows)])
    _, order = np.unique(texts, return_inverse=True)
    return lists.replace(
        labels=lists.stored._replace(ranked=False, rank_bits=None),
        scores=-1.0 - np.array(shared, np.float64),
        order=order.astype(np.int64),
        of_ranks=True,
        places=ranked if has_gaps else None,
    )


def remove_filling(paired: Paired) -> Paired:
    """The same lists without the -1 that fill rows."""
    if paired.is_cut:
        return paired
    rows = [as_lists(paired.retrieved, paired.names[0], relevant=False)]
    rows.append(as_lists(paired.relevant, paired.names[1]))
    retrieved, relevant = cut_filling(rows, paired.names)
    return paired._replace(retrieved=retrieved, relevant=relevant, is_cut=True)


def _raise_duplicate(fault: tuple[bool, int, int], paired: Paired) -> None:
    relevant, number, _ = fault
    name = paired.names[relevant]
    rows = paired.relevant if relevant else paired.retrieved
    ids = list_ids(rows[number], name, number, relevant)  # of a tensor as numbers, to compare them
    place = f"{name}: list {number}"
    if paired.users is not None:
        place = f"{place} (id {describe(paired.users[number])})"
    remedy = OR_FIRST if paired.names[0] == "retrieved" else ""
    _refuse_repeated(ids, place, remedy)


def refuse_repeats(paired: Paired) -> None:
    """Refuse an id that a list of retrieved ids has twice."""
    for number, row in enumerate(paired.retrieved):
        if len(set(row)) < len(row):
            _raise_duplicate((False, number, 0), paired)


def exclude_ids(paired: Paired, exclude: IdLists, duplicates: str = "raise") -> Paired:
    """The same lists without the excluded ids of each."""
    if (exclude.users is None) != (paired.users is None):
        raise TypeError(
            f"exclude is {_name_shape(exclude)}, but {paired.names[0]} is not; give both in the "
            "same form"
        )
    excluded = as_lists(exclude.rows, "exclude")
    if exclude.users is None or paired.users is None:
        lists = len(paired.retrieved)
        if len(excluded) != lists:
            raise ValueError(
                f"exclude has {count_of(len(excluded), 'list')}, but there are {lists}"
            )
    else:
        _refuse_repeated_users(exclude.users, "exclude", paired.unit)
        by_user = dict(zip(exclude.users, excluded, strict=True))
        excluded = [by_user.get(user, ()) for user in paired.users]
        refuse_unlike_kinds(exclude.users, paired.users, f"exclude has {UNITS[paired.unit]}")
    rows = as_lists(paired.retrieved, paired.names[0], relevant=False)
    relevant = as_lists(paired.relevant, paired.names[1])
    rows, relevant, excluded = cut_filling((rows, relevant, excluded), (*paired.names, "exclude"))
    if duplicates == "raise":  # before ids are excluded, so that errors name places in the input
        refuse_repeats(paired._replace(retrieved=rows))
    refuse_unlike_kinds(chain.from_iterable(excluded), chain.from_iterable(rows), "exclude has ids")
    return paired._replace(
        retrieved=_remove_ids(rows, excluded), relevant=_remove_ids(relevant, excluded), is_cut=True
    )


def refuse_unlike_kinds(
    ids: Iterable[object], ids_of_lists: Iterable[object], subject: str
) -> None:
    """Refuse ids of a kind that the lists do not have; subject: the start of the error."""
    kinds, kinds_of_lists = _examples_by_kind(ids), _examples_by_kind(ids_of_lists)
    for kind, example in kinds.items():
        if kinds_of_lists and kind not in kinds_of_lists:
            example_of_lists = next(iter(kinds_of_lists.values()))
            raise TypeError(
                f"{subject} such as {describe(example)}, but the lists have "
                f"{describe(example_of_lists)}; use one type for both"
            )


def _examples_by_kind(ids: Iterable[object]) -> dict[str, object]:
    """An id of each kind."""
    by_type = {type(identifier): identifier for identifier in ids}
    return {find_kind(identifier): identifier for identifier in by_type.values()}


def _remove_ids(rows: Sequence[Any], excluded: Sequence[Any]) -> list[object]:
    """The ids of each list, with their labels if there are any, without the excluded ids."""
    remaining: list[object] = []
    for row, ids in zip(rows, map(set, excluded), strict=True):
        if type(row) is RankedIds:
            remaining.append(row.kept([identifier not in ids for identifier in row]))
        elif isinstance(row, Mapping):
            remaining.append({key: label for key, label in row.items() if key not in ids})
        else:
            remaining.append([identifier for identifier in row if identifier not in ids])
    return remaining
