"""Retrieved and relevant ids of any type, paired by position or by user, and matched."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import Ragged, is_wide, read_numbers
from .entries import is_pair
from .groups import GroupedIds
from .lists import Layout, Lists, add_sizes
from .parts import ListParts, parts_of_groups
from .printable import describe, find_kind, is_missing
from .ranks import RankedIds
from .relevant import OR_FIRST, IdLists, as_lists, is_id, list_ids, without_filling
from .topk import Hits, make_ranked

DUPLICATES = ("raise", "first", "in_place")


class Paired(NamedTuple):
    """Retrieved and relevant ids of the same lists."""

    retrieved: list[Any]
    relevant: list[Any]
    users: list[Any] | None
    has_retrieved: Any  # mask of the users with a list of retrieved ids
    without_relevant: list[Any]  # users with retrieved ids and without relevant ones
    names: tuple[str, str]
    is_cut: bool = False  # the -1 that fill rows are gone already: those that are left are ids


def code_ids(
    sides: Sequence[list[Any]],
    names: Sequence[str],
    first: int | None = None,  # ids of a row
    is_cut: bool = False,  # the -1 that fill rows are gone already
) -> tuple[list[Ragged], list[Any]]:
    """Ids as numbers from 0 on, and the id of each number; an id twice in a row is refused."""
    cut_sides = sides if is_cut else without_filling(sides, names)
    sides = [[row[:first] for row in rows] for rows in cut_sides]
    every = [list(chain.from_iterable(rows)) for rows in sides]
    if len(kinds := set(map(type, chain.from_iterable(every)))) != 1 or not kinds <= {str, int}:
        check, last = KindCheck(names), None
        places = (
            (one, of, at, place)
            for of, rows in enumerate(sides)
            for at, row in enumerate(rows)
            for place, one in enumerate(row)
        )
        for one, *position in places:
            if type(one) is not last:
                check(one, *position)
            last = type(one)
    code_of: defaultdict[Any, int] = defaultdict(count().__next__)
    result = []
    for rows, ids, name in zip(sides, every, names, strict=True):
        sizes = list(map(len, rows))
        for at, n in enumerate(map(len, map(set, rows))):
            if n < sizes[at]:
                place = next(i for i, one in enumerate(rows[at]) if one in rows[at][:i])
                raise ValueError(
                    f"{name}: list {at}, place {place} has the id {describe(rows[at][place])} a "
                    "second time; give an id once"
                )
        codes = np.fromiter(map(code_of.__getitem__, ids), np.int64, len(ids))
        result.append(Ragged(codes, np.array(sizes, np.int64)))
    return result, list(code_of)


def pair(retrieved: IdLists, relevant: IdLists) -> Paired:
    """Pair the lists of the same users, in the order of the relevant ids."""
    names = retrieved.name, relevant.name
    retrieved, relevant = _as_single(retrieved, relevant), _as_single(relevant, retrieved)
    relevant = _one_for_each(relevant, retrieved)
    if retrieved.single != relevant.single or (retrieved.users is None) != (relevant.users is None):
        shapes = [_name_shape(one) for one in (retrieved, relevant)]
        hint = ""
        if relevant.users is not None and retrieved.users is None and not retrieved.single:
            hint = ', or pass calls="in_order" if these lists are the searches of a query'
        raise TypeError(
            f"{names[0]} is {shapes[0]}, but {names[1]} is {shapes[1]}; give both in the same form"
            f"{hint}"
        )
    if retrieved.users is None or relevant.users is None:
        sizes = len(retrieved.rows), len(relevant.rows)
        if sizes[0] != sizes[1]:
            raise ValueError(f"{names[0]} has {sizes[0]} lists, but {names[1]} has {sizes[1]}")
        return Paired(retrieved.rows, relevant.rows, None, np.ones(sizes[0], bool), [], names)
    kinds = [{find_kind(one): one for one in side.users or ()} for side in (retrieved, relevant)]
    if all(kinds) and not kinds[0].keys() & kinds[1].keys():
        a, b = (next(iter(kind.values())) for kind in kinds)
        raise TypeError(
            f"{names[0]} has users such as {describe(a)}, but {names[1]} has {describe(b)}; use "
            "one type for the users of both"
        )
    by_user = dict(zip(retrieved.users, retrieved.rows, strict=True))
    for side in (retrieved, relevant):
        users = side.users or []
        if len(set(users)) < len(users):
            user = Counter(users).most_common(1)[0][0]
            raise ValueError(f"{side.name} has the user {describe(user)} twice; give one list each")
    rows = [by_user.get(user) for user in relevant.users]
    retrieved_users = np.array([row is not None for row in rows], bool)
    known = set(relevant.users)
    others = [user for user in retrieved.users if user not in known]
    rows = [() if row is None else row for row in rows]
    return Paired(rows, relevant.rows, relevant.users, retrieved_users, others, names)


def _as_single(one: IdLists, other: IdLists) -> IdLists:
    """Return `[]` as one empty list if the other argument is one list."""
    if other.single and not one.single and one.users is None and not one.rows:
        return one._replace(rows=[[]], single=True)
    return one


def _one_for_each(relevant: IdLists, retrieved: IdLists) -> IdLists:
    """One relevant id for each list or user, as one list or a dict, read as lists of one id."""
    if not relevant.single or retrieved.single or len(relevant.rows[0]) < 1:
        return relevant
    ids = relevant.rows[0]
    if isinstance(ids, Mapping):
        is_by_user = retrieved.users is not None and not ids.keys().isdisjoint(retrieved.users)
        if not is_by_user or not all(map(is_id, ids.values())):
            return relevant
        return relevant._replace(
            rows=[[one] for one in ids.values()], users=list(ids), single=False
        )
    is_listed = isinstance(ids, (list, tuple)) and all(map(is_id, ids))
    if retrieved.users is None and is_listed and len(ids) == len(retrieved.rows):
        return relevant._replace(rows=[[one] for one in ids], single=False)
    return relevant


def _name_shape(one: IdLists) -> str:
    if one.users is not None:
        return "lists by user"
    return "one list" if one.single else "lists without users"


class KindCheck:
    """The check that all ids of a call are of the kind of the first one."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.first: tuple[str, str, Any] | None = None

    def __call__(self, one: object, of: int, at: int, place: int) -> None:
        """Refuse a value that is not an id, or that is of another kind than the first id."""
        name = self.names[of]
        where = f"{name}: list {at}, place {place}"
        if is_missing(one):
            raise ValueError(f"{where} is {describe(one)}; ids must not be missing")
        kind = find_kind(one)
        if kind != "int" and (
            isinstance(one, (bool, np.bool_, Number))
            or (hasattr(one, "tolist") and not isinstance(one, np.generic))
        ):
            raise TypeError(
                f"{where} is {describe(one)}; ids must be strings or integers, not {kind}"
            )
        try:
            hash(one)
        except TypeError:
            raise TypeError(
                f"{where} is {describe(one)}; a {kind} has no hash, so it is no id{_pair_hint(one)}"
            ) from None
        if self.first is None:
            self.first = kind, name, one
        elif kind != self.first[0]:
            raise TypeError(
                f"{where} is {describe(one)} ({kind}), but {self.first[1]} holds ids such as "
                f"{describe(self.first[2])} ({self.first[0]}); ids of two types are never equal: "
                f"give all ids in one type{_pair_hint(self.first[2]) or _pair_hint(one)}"
            )


def _pair_hint(one: object) -> str:
    """The end of the error if the value holds an id and more."""
    if isinstance(one, list):
        return '; for several searches of a query pass calls="in_order" or "round_robin"'
    if isinstance(one, Mapping):
        return "; give the ids alone, such as [row['id'] for row in rows]"
    if not is_pair(one):
        return ""
    return (
        "; for pairs (id, score) give only the ids, best first; for pairs (id, label) give a dict "
        "id -> label"
    )


def match(paired: Paired, duplicates: str, grouped: GroupedIds | None = None) -> tuple[Lists, int]:
    """Lists of the hits by rank, and the length of the longest list of retrieved ids.

    grouped: what the relevant ids are groups of.
    """
    names, has_labels = paired.names, False

    def read(row: object, relevant: bool, at: int) -> Any:
        """The ids of a row that is not a list; the core calls this."""
        nonlocal has_labels
        has_labels |= isinstance(row, Mapping)
        return list_ids(row, names[relevant], at, relevant)

    in_place = duplicates == "in_place"
    if duplicates == "first" and any(type(row) is RankedIds for row in paired.retrieved):
        paired = paired._replace(retrieved=[unique_ids(row) for row in paired.retrieved])
    core = _core.IdMatch(KindCheck(names), read, duplicates != "raise", in_place)
    fault = core.match(paired.retrieved, paired.relevant)
    if core.may_be_filled and not paired.is_cut:
        paired = drop_filling(paired)
        core = _core.IdMatch(KindCheck(names), read, duplicates != "raise", in_place)
        fault = core.match(paired.retrieved, paired.relevant)
    if fault is not None:
        _raise_duplicate(fault, paired)
    columns = (np.frombuffer(one, np.int64) for one in core.columns())
    hit_counts, sizes, counts, ranks, relevant_at, once = columns
    starts, indptr, pointer = map(add_sizes, (sizes, counts, hit_counts))
    labels = np.ones(int(indptr[-1]))
    if has_labels:  # 1 for ids without a label
        rows = [
            list(one.values()) if isinstance(one, Mapping) else [1] * len(one)
            for one in paired.relevant
        ]
        labels = read_numbers(rows, f"{names[1]} (labels)").flat
        wide = is_wide(labels)
        if wide.any():
            label = labels[int(wide.argmax())]
            raise ValueError(f"{names[1]}: a double does not hold the label {label}; scale it")
        labels = labels.astype(np.float64)
        labels = labels if duplicates == "raise" else labels[once]
    layout = Layout(starts[:-1], starts[1:], False, paired.users)
    hits, level = Hits(ranks, relevant_at, pointer), None if has_labels else 1.0
    lists = make_ranked(layout, hits, labels, indptr, level, names[1])
    if any(type(row) is RankedIds for row in paired.retrieved):
        lists = _with_places(lists, paired.retrieved)
    if grouped is not None:
        judged = parts_of_groups(paired.relevant, grouped.of_lists(paired.users))
        lists = lists.having(parts=ListParts(judged, 1.0 + relevant_at.astype(np.float64)))
    return lists, int(lists.lengths.max(initial=0))


def unique_ids(row: Sequence[object], cut: int | None = None, in_place: bool = False) -> list[Any]:
    """The ids of a row, each once; cut: of its first places; in_place: repeats take places."""
    if type(row) is not RankedIds:
        return list(dict.fromkeys(list(row)[:cut]))
    first = {one: at for at, one in reversed(list(enumerate(row)))}
    places = row.rank_places()
    once = [
        first[one] == at and (cut is None or place < cut)
        for at, (one, place) in enumerate(zip(row, places, strict=True))
    ]
    return row.kept(once, moves_up=not in_place)


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
    documents = np.arange(len(places)) - np.repeat(lists.layout.starts, lists.layout.sizes)
    ranked = np.array(places, np.int64)
    sparse = lists.stored._replace(ranked=False, rank_bits=None)
    texts = [str(one).encode() for row in rows for one in row]
    order = np.unique(np.array(texts), return_inverse=True)[1].astype(np.int64)
    return lists.having(
        labels=sparse,
        scores=-1.0 - np.array(shared, np.float64),
        order=order,
        of_ranks=True,
        places=None if (ranked == documents).all() else ranked,
    )


def drop_filling(paired: Paired) -> Paired:
    """The same lists without the -1 that fill rows."""
    if paired.is_cut:
        return paired
    rows = [as_lists(paired.retrieved, paired.names[0], relevant=False)]
    rows.append(as_lists(paired.relevant, paired.names[1]))
    retrieved, relevant = without_filling(rows, paired.names)
    return paired._replace(retrieved=retrieved, relevant=relevant, is_cut=True)


def _raise_duplicate(fault: tuple[bool, int, int], paired: Paired) -> None:
    relevant, at, place = fault
    duplicate = list((paired.relevant if relevant else paired.retrieved)[at])[place]
    whose = "" if paired.users is None else f" (id {describe(paired.users[at])})"
    remedy = OR_FIRST if paired.names[0] == "retrieved" else ""
    raise ValueError(
        f"{paired.names[relevant]}: list {at}{whose}, place {place} has the id "
        f"{describe(duplicate)} a second time; give an id once{remedy}"
    )


def refuse_repeats(paired: Paired) -> None:
    """Refuse an id that a list of retrieved ids has twice."""
    for index, row in enumerate(paired.retrieved):
        if len(set(row)) < len(row):
            ids = list(row)
            place = next(place for place, one in enumerate(ids) if one in ids[:place])
            _raise_duplicate((False, index, place), paired)


def excluding(paired: Paired, exclude: IdLists, duplicates: str = "raise") -> Paired:
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
            raise ValueError(f"exclude has {len(excluded)} lists, but there are {lists}")
    else:
        by_user = dict(zip(exclude.users, excluded, strict=True))
        excluded = [by_user.get(user, ()) for user in paired.users]
        refuse_other_kinds(exclude.users, paired.users, "exclude has users")
    rows = as_lists(paired.retrieved, paired.names[0], relevant=False)
    relevant = as_lists(paired.relevant, paired.names[1])
    rows, relevant, excluded = without_filling(
        (rows, relevant, excluded), (*paired.names, "exclude")
    )
    if duplicates == "raise":  # checked before ids are excluded
        refuse_repeats(paired._replace(retrieved=rows))
    refuse_other_kinds(chain.from_iterable(excluded), chain.from_iterable(rows), "exclude has ids")
    return paired._replace(
        retrieved=_without(rows, excluded), relevant=_without(relevant, excluded), is_cut=True
    )


def refuse_other_kinds(ids: Iterable[object], others: Iterable[object], words: str) -> None:
    """Refuse ids of a kind that the others do not have; words: the start of the error."""
    first_kinds, other_kinds = (
        {find_kind(one): one for one in {type(one): one for one in side}.values()}
        for side in (ids, others)
    )
    other = [one for kind, one in first_kinds.items() if kind not in other_kinds]
    if other and other_kinds:
        raise TypeError(
            f"{words} such as {describe(other[0])}, but the lists have "
            f"{describe(next(iter(other_kinds.values())))}; use one type for both"
        )


def _without(rows: Sequence[Any], excluded: Sequence[Any]) -> list[Any]:
    """The ids of each list, with their labels if there are any, without the excluded ids."""
    remaining: list[Any] = []
    for row, ids in zip(rows, map(set, excluded), strict=True):
        if type(row) is RankedIds:
            remaining.append(row.kept([one not in ids for one in row]))
        elif isinstance(row, Mapping):
            remaining.append({one: label for one, label in row.items() if one not in ids})
        else:
            remaining.append([one for one in row if one not in ids])
    return remaining
