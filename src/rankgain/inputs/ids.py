"""Retrieved and relevant ids of any type, paired by position or by user, and matched."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AnySet
from itertools import chain
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import is_wide
from .judged import one_level, prepare
from .kinds import describe, is_missing, kind_of, refuse_mixed
from .labelled import is_series
from .layouts import Layout, starts_of
from .lists import Lists
from .ragged import is_row, numbers_of
from .sparse import Sparse, looks_sparse, rank_bits_of

DUPLICATES = ("raise", "first")


class IdLists(NamedTuple):
    """The ids of many lists in the form of the argument, and the users of the lists."""

    name: str  # of the argument
    rows: list[Any]  # lists and tuples; of relevant ids also sets, and dicts id -> label
    users: list[Any] | None  # None: lists are paired by position
    single: bool  # the argument is one list


class Paired(NamedTuple):
    """Retrieved and relevant ids of the same lists."""

    rows: list[Any]
    wanted: list[Any]
    users: list[Any] | None
    retrieved: Any  # mask of the users with a list of retrieved ids
    others: list[Any]  # users with retrieved ids and without relevant ones
    names: tuple[str, str]


def read_ids(value: object, name: str, relevant: bool = False) -> IdLists:
    """Read lists of ids, one list, or a mapping of users to lists."""
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(
            f"{name} must hold lists of ids, not {type(value).__name__} ({describe(value)})"
        )
    if relevant and looks_sparse(value):
        raise TypeError(
            f"{name} is a sparse matrix, whose columns are ids from 0 on; give such ids as ints to "
            "evaluate_topk, or relevant ids as lists"
        )
    users = None
    if is_series(value):
        users = _labels_of_series(value)
    if isinstance(value, Mapping):
        rows = list(value.values())
        if relevant and rows and all(isinstance(one, (Number, np.number)) for one in rows):
            return IdLists(name, [dict(value)], None, True)
        users = list(value)
        refuse_mixed(users, lambda at: f"{name}: the id of list {at}")
    else:
        if relevant and isinstance(value, AnySet):
            return IdLists(name, [value], None, True)
        rows = _as_list(value, name)
        if rows and users is None and not is_row(rows[0]):
            return IdLists(name, [rows], None, True)
    return IdLists(name, rows, users, False)


def _labels_of_series(series: Any) -> list[Any] | None:
    """The index of a Series, which holds its users; None if it is pandas' default, 0 .. n-1."""
    labels = series.index.tolist()
    return None if labels == list(range(len(labels))) else labels


def _as_list(value: object, name: str) -> list[Any]:
    if isinstance(value, AnySet):
        raise TypeError(f"{name} is a set, which has no order; give a list, best first")
    for way in ("tolist", "to_list", "to_pylist"):
        if hasattr(value, way):
            value = getattr(value, way)()
            break
    if hasattr(value, "columns"):
        raise TypeError(
            f"{name}: no column of the {type(value).__name__} says whose ids these are, such as "
            "user_id or query_id; rename one so, or give lists of ids"
        )
    if not isinstance(value, Sequence):
        raise TypeError(f"{name} must hold lists of ids, not {type(value).__name__}")
    return value if type(value) is list else list(value)


def listed(one: object, name: str, at: int, relevant: bool) -> Any:
    """The ids of a list; an error names it. relevant: sets and dicts are allowed."""
    where = f"{name}: list {at}"
    if isinstance(one, tuple):
        return one
    if isinstance(one, (AnySet, Mapping)):
        if relevant:
            return one
        kind = "a dict; scores are what evaluate takes" if isinstance(one, Mapping) else "a set"
        raise TypeError(f"{where} is {kind}; give its ids as a list, best first")
    if not is_row(one):
        raise TypeError(f"{where} is {describe(one)}; give a list of ids, an empty one for none")
    return _as_list(one, where)


def pair(retrieved: IdLists, relevant: IdLists) -> Paired:
    """Pair the lists of the same users, in the order of the relevant ids."""
    names = retrieved.name, relevant.name
    retrieved, relevant = _as_single(retrieved, relevant), _as_single(relevant, retrieved)
    if retrieved.single != relevant.single or (retrieved.users is None) != (relevant.users is None):
        shapes = [_shape_of(one) for one in (retrieved, relevant)]
        raise TypeError(
            f"{names[0]} is {shapes[0]}, but {names[1]} is {shapes[1]}; give both in one form"
        )
    if retrieved.users is None or relevant.users is None:
        sizes = len(retrieved.rows), len(relevant.rows)
        if sizes[0] != sizes[1]:
            raise ValueError(f"{names[0]} has {sizes[0]} lists, but {names[1]} has {sizes[1]}")
        return Paired(retrieved.rows, relevant.rows, None, np.ones(sizes[0], bool), [], names)
    kinds = [{kind_of(one): one for one in side.users or ()} for side in (retrieved, relevant)]
    if all(kinds) and not kinds[0].keys() & kinds[1].keys():
        a, b = (next(iter(kind.values())) for kind in kinds)
        raise TypeError(
            f"{names[0]} has users such as {a!r}, but {names[1]} such as {b!r}; give the users of "
            "both in one type"
        )
    by_user = dict(zip(retrieved.users, retrieved.rows, strict=True))
    for side in (retrieved, relevant):
        users = side.users or []
        if len(set(users)) < len(users):
            user = Counter(users).most_common(1)[0][0]
            raise ValueError(f"{side.name} has the user {user!r} twice; give one list each")
    rows = [by_user.get(user) for user in relevant.users]
    retrieved_users = np.array([row is not None for row in rows], bool)
    known = set(relevant.users)
    others = [user for user in retrieved.users if user not in known]
    rows = [() if row is None else row for row in rows]
    return Paired(rows, relevant.rows, relevant.users, retrieved_users, others, names)


def _as_single(one: IdLists, other: IdLists) -> IdLists:
    """An argument without lists, as one empty list if the other argument is one list."""
    if other.single and not one.single and one.users is None and not one.rows:
        return one._replace(rows=[[]], single=True)
    return one


def _shape_of(one: IdLists) -> str:
    if one.users is not None:
        return "lists by user"
    return "one list" if one.single else "lists without users"


class KindCheck:
    """The check that all ids of a call are of the kind of the first one."""

    def __init__(self, names: tuple[str, str]) -> None:
        self.names = names
        self.first: tuple[str, str, Any] | None = None

    def __call__(self, one: object, relevant: bool, at: int, place: int) -> None:
        """Refuse a value that is not an id, or that is of another kind than the first id."""
        name = self.names[relevant]
        where = f"{name}: list {at}, place {place}"
        if is_missing(one):
            raise ValueError(f"{where} is {one!r}; every id must be known")
        kind = kind_of(one)
        if isinstance(one, (bool, np.bool_, Number)) and kind != "int":
            raise TypeError(
                f"{where} is {describe(one)}; ids must be strings or integers, not {kind}"
            )
        try:
            hash(one)
        except TypeError:
            raise TypeError(
                f"{where} is {describe(one)}, of type {kind}, which is no id{_of_pair(one)}"
            ) from None
        if self.first is None:
            self.first = kind, name, one
        elif kind != self.first[0]:
            raise TypeError(
                f"{where} is {describe(one)} ({kind}), but {self.first[1]} holds ids such as "
                f"{self.first[2]!r} ({self.first[0]}); ids of two types are never equal: give "
                f"all in one{_of_pair(self.first[2]) or _of_pair(one)}"
            )


def _of_pair(one: object) -> str:
    """The remedy if the value is an id with its score or label."""
    if isinstance(one, (tuple, list)) and len(one) == 2 and isinstance(one[1], (Number, np.number)):
        return (
            "; of pairs (id, score) give the ids alone, best first, and of pairs (id, label) a "
            "dict id -> label"
        )
    return ""


def match(paired: Paired, duplicates: str) -> tuple[Lists, int]:
    """The hits by rank, as lists whose order is given; also the length of the longest list."""
    names, has_labels = paired.names, False

    def read(row: object, relevant: bool, at: int) -> Any:
        """The ids of a row that is not a list; the core calls this."""
        nonlocal has_labels
        has_labels |= isinstance(row, Mapping)
        return listed(row, names[relevant], at, relevant)

    core = _core.IdMatch(KindCheck(names), read, duplicates == "first")
    fault = core.match(paired.rows, paired.wanted)
    if fault is not None:
        _raise_twice(fault, paired)
    hits, relevant = core.totals()
    position, which = np.empty(hits, np.int64), np.empty(hits, np.int64)
    # The relevant ids without duplicates; None if there are none to remove.
    remaining = np.empty(relevant, np.int64) if duplicates == "first" else None
    hit_counts, sizes, counts = (np.empty(len(paired.rows), np.int64) for _ in range(3))
    core.write(position, which, hit_counts, sizes, remaining, counts)
    ends, wanted, pointer = (starts_of(one) for one in (sizes, counts, hit_counts))
    data, result = np.ones(relevant), np.ones(hits)
    if has_labels:
        data = _labels(paired) if remaining is None else _labels(paired)[remaining]
        result = data[which]
        runs = prepare(data, wanted[:-1], wanted[1:], names[1])
    else:
        runs = one_level(counts, 1.0)
    if not result.all():  # a label of 0 is not relevant
        pointer = np.append(0, np.cumsum(result != 0))[pointer]
        position, result = position[result != 0], result[result != 0]
    layout = Layout(ends[:-1], ends[1:], False, paired.users)
    bits = None if has_labels else rank_bits_of(position, pointer)
    sparse = Sparse(result, position, pointer, None, ranked=True, rank_bits=bits)
    judged_labels = data, wanted[:-1], wanted[1:]
    lists = Lists(
        layout, sparse, None, runs, True, None, None, judged_labels=judged_labels, called=names[1]
    )
    return lists, int(sizes.max(initial=0))


def _labels(paired: Paired) -> Any:
    """The labels of all relevant ids; 1 for ids without a label."""
    rows = [
        list(one.values()) if isinstance(one, Mapping) else [1] * len(one) for one in paired.wanted
    ]
    labels = numbers_of(rows, f"{paired.names[1]} (labels)").flat
    wide = is_wide(labels)
    if wide.any():
        label = labels[int(wide.argmax())]
        raise ValueError(f"{paired.names[1]}: a double does not hold the label {label}; scale it")
    return labels.astype(np.float64)


def _raise_twice(fault: tuple[bool, int, int], paired: Paired) -> None:
    relevant, at, place = fault
    again = list((paired.wanted if relevant else paired.rows)[at])[place]
    whose = "" if paired.users is None else f" (of {paired.users[at]!r})"
    first = ', or duplicates="first"' if paired.names[0] == "retrieved" else ""
    raise ValueError(
        f"{paired.names[relevant]}: list {at}{whose}, place {place} has the id {again!r} a second "
        f"time; give an id once{first}"
    )


def excluding(paired: Paired, exclude: IdLists, duplicates: str = "raise") -> Paired:
    """The same lists without the excluded ids of each."""
    if (exclude.users is None) != (paired.users is None):
        raise TypeError(
            f"exclude is {_shape_of(exclude)}, but {paired.names[0]} is not; give both in one form"
        )
    excluded = _as_lists(exclude.rows, "exclude")
    if exclude.users is None or paired.users is None:
        if len(excluded) != len(paired.rows):
            raise ValueError(f"exclude has {len(excluded)} lists, but there are {len(paired.rows)}")
    else:
        by_user = dict(zip(exclude.users, excluded, strict=True))
        excluded = [by_user.get(user, ()) for user in paired.users]
        _refuse_other_kinds(exclude.users, paired.users, "exclude has users")
    rows = _as_lists(paired.rows, paired.names[0], relevant=False)
    wanted = _as_lists(paired.wanted, paired.names[1])
    for at, row in enumerate(rows if duplicates == "raise" else ()):
        if len(set(row)) < len(row):  # checked before either of them is removed
            ids = list(row)
            place = next(i for i, one in enumerate(ids) if one in ids[:i])
            _raise_twice((False, at, place), paired._replace(rows=rows))
    _refuse_other_kinds(chain.from_iterable(excluded), chain.from_iterable(rows), "exclude has ids")
    return paired._replace(rows=_without(rows, excluded), wanted=_without(wanted, excluded))


def _as_lists(rows: list[Any], name: str, relevant: bool = True) -> list[Any]:
    """Each row as a list of ids, or for relevant ids as a set or dict."""
    return [
        one if type(one) is list else listed(one, name, i, relevant) for i, one in enumerate(rows)
    ]


def _refuse_other_kinds(ids: Iterable[Any], others: Iterable[Any], words: str) -> None:
    """Refuse ids of a kind that the others do not have; words: the start of the error."""
    first_kinds, other_kinds = (
        {kind_of(one): one for one in {type(one): one for one in side}.values()}
        for side in (ids, others)
    )
    if first_kinds and other_kinds and not first_kinds.keys() <= other_kinds.keys():
        raise TypeError(
            f"{words} such as {next(iter(first_kinds.values()))!r}, but the lists such as "
            f"{next(iter(other_kinds.values()))!r}; give both in one type"
        )


def _without(rows: Sequence[Any], excluded: Sequence[Any]) -> list[Any]:
    """The ids of each list, with their labels if there are any, without the excluded ids."""
    remaining: list[Any] = []
    for row, ids in zip(rows, map(set, excluded), strict=True):
        if isinstance(row, Mapping):
            remaining.append({one: label for one, label in row.items() if one not in ids})
        else:
            remaining.append([one for one in row if one not in ids])
    return remaining


def are_other_ids(value: object) -> bool:
    """Whether the ids are anything but integers by position: text, by user, or in a frame."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "US" or (
            value.dtype.kind == "O" and value.size > 0 and are_other_ids(value.tolist())
        )
    if isinstance(value, Mapping) or hasattr(value, "collect_schema"):
        return True
    if hasattr(value, "columns"):  # a frame of pandas may be a matrix: a row of ids for each user
        is_pandas = type(value).__module__.partition(".")[0] == "pandas"
        return not is_pandas or any(isinstance(one, str) for one in value.columns)
    if is_series(value) and _labels_of_series(value):
        return True
    if not isinstance(value, Sequence):
        for way in ("to_list", "to_pylist"):  # list columns; arrays have neither
            if hasattr(value, way):
                return are_other_ids(getattr(value, way)())
        return hasattr(value, "tolist") and are_other_ids(np.asarray(value))
    first = next((one for row in value if is_row(row) for one in row), None)
    if first is None:
        first = next((one for one in value if not is_row(one)), None)
    return first is not None and not isinstance(first, (Number, np.number, np.bool_))


def with_labels(relevant: IdLists, gains: Any) -> IdLists:
    """Relevant ids with the labels of `gains`, which has the same form."""
    rows = _as_lists(relevant.rows, relevant.name)
    if relevant.users is not None or any(isinstance(one, Mapping) for one in rows):
        raise ValueError("gains: give labels in dicts id -> label")
    labels = [gains] if relevant.single else list(gains)
    if len(labels) != len(rows):
        raise ValueError(f"gains has {len(labels)} lists, but relevant has {len(rows)}")
    labelled = []
    for i, (ids, values) in enumerate(zip(rows, labels, strict=True)):
        if len(ids) != len(values):
            raise ValueError(f"gains: list {i} has {len(values)} labels, but relevant {len(ids)}")
        labelled.append(dict(zip(ids, values, strict=True)))
        if len(labelled[-1]) < len(ids):
            raise ValueError(f"relevant: list {i} has an id twice; give an id once")
    return relevant._replace(rows=labelled)
