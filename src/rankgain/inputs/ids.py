"""Retrieved and relevant ids of any type, paired by position or by user, and matched."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AnySet
from itertools import chain, count
from numbers import Integral, Number
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import Ragged, is_row, is_wide, numbers_of
from .judged import one_level, prepare
from .kinds import describe, is_missing, kind_of, refuse_mixed
from .labelled import is_series
from .lists import Layout, Lists, starts_of
from .sparse import Sparse, looks_sparse, rank_bits_of
from .tables.lists import is_table, read_relevant_frame, read_retrieved_frame

DUPLICATES = ("raise", "first", "in_place")
OR_FIRST = ', or say duplicates="first" or "in_place"'  # the end of errors
FILLING = -1  # what stands after the last id of a row of integers


class IdLists(NamedTuple):
    """The ids of many lists in the form of the argument, and the users of the lists."""

    name: str  # of the argument
    rows: list[Any]  # lists and tuples; of relevant ids also sets, and dicts id -> label
    users: list[Any] | None  # None: lists are paired by position
    single: bool  # the argument is one list
    note: str | None = None  # what to warn about


class Paired(NamedTuple):
    """Retrieved and relevant ids of the same lists."""

    retrieved: list[Any]
    relevant: list[Any]
    users: list[Any] | None
    has_retrieved: Any  # mask of the users with a list of retrieved ids
    without_relevant: list[Any]  # users with retrieved ids and without relevant ones
    names: tuple[str, str]


def held(value: Any) -> Any:
    """Iterators and views of dicts as lists, also as rows, and frames of integers as arrays."""
    once: Any = (Iterator, MappingView)
    if hasattr(value, "to_numpy") and hasattr(value, "columns") and not are_not_columns(value):
        return value.to_numpy()
    if isinstance(value, memoryview):
        return np.asarray(value)
    if isinstance(value, once):
        value = list(value)
    if isinstance(value, dict) and any(
        issubclass(kind, once) for kind in map(type, value.values())
    ):
        return dict(zip(value, held(value.values()), strict=True))
    if type(value) in (list, tuple) and any(issubclass(kind, once) for kind in map(type, value)):
        return [list(one) if isinstance(one, once) else one for one in value]
    return value


def without_filling(rows: Sequence[list[Any]], names: Sequence[str]) -> list[list[Any]]:
    """The rows of some arguments without the -1 that fill their ends: the one rule for -1.

    -1 fills rows where all ids are integers and none is below it; else it is an id like others. In
    a set it may stand anywhere.
    """
    every = [one for side in rows for one in side]
    first = next(chain.from_iterable(every), None)
    try:
        is_filled = isinstance(first, Integral) and min(chain.from_iterable(every)) == FILLING
    except (TypeError, ValueError):  # ids of two types, which are refused later
        is_filled = False
    kinds = set(map(type, chain.from_iterable(every))) if is_filled else {str}
    if not all(issubclass(kind, Integral) for kind in kinds):
        return list(rows)
    return [
        [_cut(row, name, at) for at, row in enumerate(side)]
        for side, name in zip(rows, names, strict=True)
    ]


def _cut(row: Any, name: str, at: int) -> Any:
    """A row up to its last id."""
    if FILLING not in row:
        return row
    if isinstance(row, AnySet):
        return row - {FILLING}
    if isinstance(row, Mapping):
        raise ValueError(f"{name}: list {at} has a label for -1, which fills rows; leave it out")
    end = len(row)
    while end and row[end - 1] == FILLING:
        end -= 1
    if FILLING in row[:end]:
        raise ValueError(
            f"{name}: list {at}, place {row.index(FILLING)} is -1, but ids follow; -1 may stand "
            "only at the end of a row"
        )
    return row[:end]


def read_ids(value: object, name: str, relevant: bool = False) -> IdLists:
    """Read lists of ids, one list, a mapping of users to lists, or a frame with a row for each."""
    if is_table(value):
        read = read_relevant_frame if relevant else read_retrieved_frame
        named, lists, *note = read(value, name)
        return IdLists(name, lists, named, False, *note)
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(
            f"{name} must hold lists of ids, not {type(value).__name__} ({describe(value)})"
        )
    if relevant and looks_sparse(value):
        raise TypeError(
            f"{name} is a sparse matrix, so its ids are numbers of columns from 0 on; give the "
            f"retrieved ids as such ints too, or {name} as lists of ids"
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


def rows_as_lists(side: IdLists, relevant: bool = False) -> list[Any]:
    """Each row as a list of ids, best first; of relevant ids also sets and dicts."""
    return _as_lists(side.rows, side.name, relevant)


def coded(
    sides: Sequence[list[Any]], names: Sequence[str], first: int | None = None
) -> tuple[list[Ragged], list[Any]]:
    """The ids of some arguments as numbers from 0 on, and the id of each number.

    first: how many ids of a row count, as if others were not there. An id twice is refused.
    """
    sides = [[row[:first] for row in rows] for rows in without_filling(sides, names)]
    every = [list(chain.from_iterable(rows)) for rows in sides]
    if len(kinds := set(map(type, chain.from_iterable(every)))) != 1 or not kinds <= {str, int}:
        _check_kinds(sides, names)
    code_of: defaultdict[Any, int] = defaultdict(count().__next__)
    result = []
    for rows, ids, name in zip(sides, every, names, strict=True):
        sizes = list(map(len, rows))
        for at, n in enumerate(map(len, map(set, rows))):
            if n < sizes[at]:
                place = next(i for i, one in enumerate(rows[at]) if one in rows[at][:i])
                raise ValueError(
                    f"{name}: list {at}, place {place} has the id {rows[at][place]!r} a second "
                    "time; give an id once"
                )
        codes = np.fromiter(map(code_of.__getitem__, ids), np.int64, len(ids))
        result.append(Ragged(codes, np.array(sizes, np.int64)))
    return result, list(code_of)


def _check_kinds(sides: Sequence[list[Any]], names: Sequence[str]) -> None:
    """Refuse what is no id, and ids of two kinds."""
    check, last = KindCheck(names), None
    for of, rows in enumerate(sides):
        for at, row in enumerate(rows):
            for place, one in enumerate(row):
                if type(one) is not last:
                    check(one, of, at, place)
                last = type(one)


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
            f"{name}: the {type(value).__name__} has no column of users or queries, such as "
            "user_id or query_id; rename a column, or give lists of ids"
        )
    if not isinstance(value, Sequence):
        raise TypeError(f"{name} must hold lists of ids, not {type(value).__name__}")
    return value if type(value) is list else list(value)


def listed(one: object, name: str, at: int, relevant: bool) -> Any:
    """Return the ids of one list; errors name it. relevant: sets and dicts are allowed."""
    where = f"{name}: list {at}"
    if isinstance(one, tuple):
        return one
    if isinstance(one, (AnySet, Mapping)):
        if relevant:
            return one
        kind = "a dict (evaluate takes scores by id)" if isinstance(one, Mapping) else "a set"
        raise TypeError(f"{where} is {kind}; give its ids as a list, best first")
    if not is_row(one):
        raise TypeError(f"{where} is {describe(one)}; give a list of ids, which may be empty")
    return _as_list(one, where)


def pair(retrieved: IdLists, relevant: IdLists) -> Paired:
    """Pair the lists of the same users, in the order of the relevant ids."""
    names = retrieved.name, relevant.name
    retrieved, relevant = _as_single(retrieved, relevant), _as_single(relevant, retrieved)
    if retrieved.single != relevant.single or (retrieved.users is None) != (relevant.users is None):
        shapes = [_shape_of(one) for one in (retrieved, relevant)]
        raise TypeError(
            f"{names[0]} is {shapes[0]}, but {names[1]} is {shapes[1]}; give both in the same form"
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
            f"{names[0]} has users such as {a!r}, but {names[1]} has {b!r}; use one type for the "
            "users of both"
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
    """Return `[]` as one empty list if the other argument is one list."""
    if other.single and not one.single and one.users is None and not one.rows:
        return one._replace(rows=[[]], single=True)
    return one


def _shape_of(one: IdLists) -> str:
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
            raise ValueError(f"{where} is {one!r}; ids must not be missing")
        kind = kind_of(one)
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
                f"{self.first[2]!r} ({self.first[0]}); ids of two types are never equal: give "
                f"all ids in one type{_pair_hint(self.first[2]) or _pair_hint(one)}"
            )


def _pair_hint(one: object) -> str:
    """The end of the error if the value is a pair of an id and its score or label."""
    if isinstance(one, (tuple, list)) and len(one) == 2 and isinstance(one[1], (Number, np.number)):
        return (
            "; for pairs (id, score) give only the ids, best first; for pairs (id, label) give a "
            "dict id -> label"
        )
    return ""


def match(paired: Paired, duplicates: str) -> tuple[Lists, int]:
    """Lists of the hits by rank, and the length of the longest list of retrieved ids."""
    names, has_labels = paired.names, False

    def read(row: object, relevant: bool, at: int) -> Any:
        """The ids of a row that is not a list; the core calls this."""
        nonlocal has_labels
        has_labels |= isinstance(row, Mapping)
        return listed(row, names[relevant], at, relevant)

    in_place = duplicates == "in_place"
    core = _core.IdMatch(KindCheck(names), read, duplicates != "raise", in_place)
    fault = core.match(paired.retrieved, paired.relevant)
    if core.may_be_filled:
        paired = paired_without_filling(paired)
        core = _core.IdMatch(KindCheck(names), read, duplicates != "raise", in_place)
        fault = core.match(paired.retrieved, paired.relevant)
    if fault is not None:
        _raise_duplicate(fault, paired)
    n_hits, n_relevant = core.totals()
    position, relevant_at = np.empty(n_hits, np.int64), np.empty(n_hits, np.int64)
    # The relevant ids without duplicates; None if there are none to remove.
    remaining = None if duplicates == "raise" else np.empty(n_relevant, np.int64)
    hit_counts, sizes, counts = (np.empty(len(paired.retrieved), np.int64) for _ in range(3))
    core.write(position, relevant_at, hit_counts, sizes, remaining, counts)
    starts, relevant_starts, hit_starts = map(starts_of, (sizes, counts, hit_counts))
    labels, hit_labels = np.ones(n_relevant), np.ones(n_hits)
    if has_labels:
        labels = _labels(paired) if remaining is None else _labels(paired)[remaining]
        hit_labels = labels[relevant_at]
        runs = prepare(labels, relevant_starts[:-1], relevant_starts[1:], names[1])
    else:
        runs = one_level(counts, 1.0)
    if not hit_labels.all():  # a label of 0 is not relevant
        hit_starts = np.append(0, np.cumsum(hit_labels != 0))[hit_starts]
        position, hit_labels = position[hit_labels != 0], hit_labels[hit_labels != 0]
    layout = Layout(starts[:-1], starts[1:], False, paired.users)
    bits = None if has_labels else rank_bits_of(position, hit_starts)
    sparse = Sparse(hit_labels, position, hit_starts, None, ranked=True, rank_bits=bits)
    judged_labels = labels, relevant_starts[:-1], relevant_starts[1:]
    lists = Lists(
        layout, sparse, None, runs, True, None, None, judged_labels=judged_labels, called=names[1]
    )
    return lists, int(sizes.max(initial=0))


def paired_without_filling(paired: Paired) -> Paired:
    """The same lists without the -1 that fill rows."""
    rows = [_as_lists(paired.retrieved, paired.names[0], relevant=False)]
    rows.append(_as_lists(paired.relevant, paired.names[1]))
    retrieved, relevant = without_filling(rows, paired.names)
    return paired._replace(retrieved=retrieved, relevant=relevant)


def _labels(paired: Paired) -> Any:
    """The labels of all relevant ids; 1 for ids without a label."""
    rows = [
        list(one.values()) if isinstance(one, Mapping) else [1] * len(one)
        for one in paired.relevant
    ]
    labels = numbers_of(rows, f"{paired.names[1]} (labels)").flat
    wide = is_wide(labels)
    if wide.any():
        label = labels[int(wide.argmax())]
        raise ValueError(f"{paired.names[1]}: a double does not hold the label {label}; scale it")
    return labels.astype(np.float64)


def _raise_duplicate(fault: tuple[bool, int, int], paired: Paired) -> None:
    relevant, at, place = fault
    duplicate = list((paired.relevant if relevant else paired.retrieved)[at])[place]
    whose = "" if paired.users is None else f" (id {paired.users[at]!r})"
    remedy = OR_FIRST if paired.names[0] == "retrieved" else ""
    raise ValueError(
        f"{paired.names[relevant]}: list {at}{whose}, place {place} has the id {duplicate!r} a "
        f"second time; give an id once{remedy}"
    )


def excluding(paired: Paired, exclude: IdLists, duplicates: str = "raise") -> Paired:
    """The same lists without the excluded ids of each."""
    if (exclude.users is None) != (paired.users is None):
        raise TypeError(
            f"exclude is {_shape_of(exclude)}, but {paired.names[0]} is not; give both in the same "
            "form"
        )
    excluded = _as_lists(exclude.rows, "exclude")
    if exclude.users is None or paired.users is None:
        lists = len(paired.retrieved)
        if len(excluded) != lists:
            raise ValueError(f"exclude has {len(excluded)} lists, but there are {lists}")
    else:
        by_user = dict(zip(exclude.users, excluded, strict=True))
        excluded = [by_user.get(user, ()) for user in paired.users]
        refuse_other_kinds(exclude.users, paired.users, "exclude has users")
    rows = _as_lists(paired.retrieved, paired.names[0], relevant=False)
    relevant = _as_lists(paired.relevant, paired.names[1])
    rows, relevant, excluded = without_filling(
        (rows, relevant, excluded), (*paired.names, "exclude")
    )
    for at, row in enumerate(rows if duplicates == "raise" else ()):
        if len(set(row)) < len(row):  # checked before ids are excluded
            ids = list(row)
            place = next(i for i, one in enumerate(ids) if one in ids[:i])
            _raise_duplicate((False, at, place), paired._replace(retrieved=rows))
    refuse_other_kinds(chain.from_iterable(excluded), chain.from_iterable(rows), "exclude has ids")
    return paired._replace(
        retrieved=_without(rows, excluded), relevant=_without(relevant, excluded)
    )


def _as_lists(rows: list[Any], name: str, relevant: bool = True) -> list[Any]:
    """Each row as a list of ids, or for relevant ids as a set or dict."""
    return [
        one if type(one) is list else listed(one, name, i, relevant) for i, one in enumerate(rows)
    ]


def refuse_other_kinds(ids: Iterable[Any], others: Iterable[Any], words: str) -> None:
    """Refuse ids of a kind that the others do not have; words: the start of the error."""
    first_kinds, other_kinds = (
        {kind_of(one): one for one in {type(one): one for one in side}.values()}
        for side in (ids, others)
    )
    other = [one for kind, one in first_kinds.items() if kind not in other_kinds]
    if other and other_kinds:
        raise TypeError(
            f"{words} such as {other[0]!r}, but the lists have "
            f"{next(iter(other_kinds.values()))!r}; use one type for both"
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


def are_not_columns(value: object) -> bool:
    """Whether ids cannot be numbers of columns: text, objects, lists by user, or a frame."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "UST" or (
            value.dtype.kind == "O" and value.size > 0 and are_not_columns(value.tolist())
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
                return are_not_columns(getattr(value, way)())
        return hasattr(value, "tolist") and are_not_columns(np.asarray(value))
    first = next((one for row in value if is_row(row) for one in row), None)
    if first is None:
        first = next((one for one in value if not is_row(one)), None)
    return first is not None and not isinstance(first, (Number, np.number, np.bool_))


def with_labels(relevant: IdLists, gains: Any) -> IdLists:
    """Relevant ids with the labels of `gains`, which has the same form."""
    rows = _as_lists(relevant.rows, relevant.name)
    if relevant.users is not None or any(isinstance(one, Mapping) for one in rows):
        raise ValueError(
            "gains is for relevant ids in lists; here relevant must hold dicts id -> label"
        )
    labels = [gains] if relevant.single else list(gains)
    if len(labels) != len(rows):
        raise ValueError(f"gains has {len(labels)} lists, but relevant has {len(rows)}")
    labelled, cut = [], without_filling([rows], [relevant.name])[0]
    for i, (ids, remaining, values) in enumerate(zip(rows, cut, labels, strict=True)):
        if len(ids) != len(values):
            raise ValueError(f"gains: list {i} has {len(values)} labels, but relevant {len(ids)}")
        ids, values = remaining, values[: len(remaining)]
        labelled.append(dict(zip(ids, values, strict=True)))
        if len(labelled[-1]) < len(ids):
            raise ValueError(f"relevant: list {i} has an id twice; give an id once")
    return relevant._replace(rows=labelled)
