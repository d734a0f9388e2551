"""Match retrieved integer ids with relevant ids, the numbers of columns, into ranked Lists."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AnySet
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import _core
from .arrays import Ragged, integer_rows, is_row, pack, read_rows
from .lists import Judgments, Layout, Lists, UnmatchedIds, add_sizes, prepare
from .printable import count_of
from .relevant import (
    BEFORE_IDS,
    FILLING,
    OR_FIRST,
    OutOfColumns,
    cannot_be_columns,
    is_plain,
    read_relevant,
)
from .sparse import Sparse, find_shared, looks_sparse
from .tables.id_tables import is_table
from .truth import Truth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .types import Array, Integers

MAX_PADDED_CELLS = 1 << 26  # largest number of cells for padded lists


def read_column_numbers(retrieved: object, relevant: object) -> Array | Ragged | None:
    """Retrieved ids as rows of numbers of columns; None for others, matched by their hash."""
    if is_plain(relevant) and isinstance(retrieved, (list, tuple)):
        rows = integer_rows(retrieved)
        if rows is not None and rows.flat.min(initial=0) >= FILLING:
            return rows
    if not are_column_numbers(retrieved, relevant):
        return None
    ids: Array | Ragged = read_rows(retrieved, "retrieved", "an integer id, as those before are")
    return ids


def are_column_numbers(retrieved: object, relevant: object) -> bool:
    """Whether ids are numbers of columns: integers from 0 on, in lists without query ids."""
    if isinstance(retrieved, AnySet) or cannot_be_columns(retrieved):
        return False
    if isinstance(relevant, Truth) or looks_sparse(relevant):
        return True
    if isinstance(relevant, Mapping) or is_table(relevant):
        return False
    if not isinstance(retrieved, (list, tuple)):
        is_empty = isinstance(retrieved, np.ndarray) and retrieved.size == 0
        return not (is_empty and cannot_be_columns(relevant))
    rows = list(filter(is_row, retrieved)) or [retrieved]  # one list has no rows
    if not any(map(len, rows)):
        return not cannot_be_columns(relevant)
    # Numbers that are not integers are refused when the columns are read.
    for row in rows:
        if isinstance(row, (AnySet, Mapping)):  # refused where ids of any type are read
            return False
        is_of_ints = type(row) in (list, tuple) and set(map(type, row)) == {int}
        if is_of_ints and not (min(row) >= FILLING and max(row) < 2**63):
            return False
    return True


def read_topk(
    rows: Array | Ragged,
    relevant: object,
    gains: object,
    exclude: object = None,
    depth: float = math.inf,  # if all labels are equal, hits at later ranks may be left out
) -> tuple[Lists, int | None, UnmatchedIds | None]:
    """Lists of the hits, the number of ranks (None: all items), and ids if none is relevant."""
    ids = pad_rows(rows) if isinstance(rows, Ragged) else rows
    if ids.ndim == 1:  # of one user
        ids = ids.reshape(1, -1)
        relevant, gains, exclude = map(_as_lists_of_users, (relevant, gains, exclude))
    if ids.dtype.kind == "f" and np.isnan(ids).any():
        user, place = np.argwhere(np.isnan(ids))[0]
        raise ValueError(f"retrieved: list {user}, position {place} is NaN; every id must be known")
    ids = _sign_ids(ids, "retrieved")
    truth = read_relevant(relevant, gains)
    refuse_other_users(truth, len(ids), "relevant")
    if exclude is not None:
        ids, truth = _exclude_ids(ids, truth, exclude)
    width = int(ids.shape[1])
    table_size: int | None = width
    if truth.columns is not None and truth.columns <= width:
        table_size = None
    # All labels are usually the same positive number; else level is None.
    first_label = float(truth.data[0]) if len(truth.data) else 1.0
    level = None
    if 0.0 < first_label < 2.0**53 and _core.are_alike(truth.data):
        level = first_label
    stops, hits = _match_ids(ids, truth, level, depth)
    runs = None
    if isinstance(relevant, Truth) and relevant.judged_labels is not None:
        if exclude is not None:
            raise ValueError("exclude: leave the items out of the Truth's judged labels yourself")
        runs = relevant.runs
    layout = Layout(np.arange(len(ids), dtype=np.int64) * width, stops, False, None)
    lists = make_ranked(layout, hits, truth.data, truth.indptr, level, "relevant", runs)
    if len(hits.ranks):
        return lists, table_size, None
    filled = ids != -1
    has_both = filled.any(axis=1) & (np.diff(truth.indptr) > 0)
    if not has_both.any() or np.isin(ids[filled], truth.indices).any():
        return lists, table_size, None
    user = int(has_both.argmax())  # the first user with both
    relevant_ids = truth.indices[truth.indptr[user] : truth.indptr[user + 1]].tolist()
    return lists, table_size, UnmatchedIds(user, ids[user][filled[user]].tolist(), relevant_ids)


def _as_lists_of_users(argument: object) -> object:
    """The argument of one user as that of a list of one user."""
    if argument is None or looks_sparse(argument) or isinstance(argument, Truth):
        return argument
    return [argument]


class Hits(NamedTuple):
    """Retrieved ids that are relevant: those of list i from pointer[i] on, by rank."""

    ranks: Integers
    relevant: Integers  # the place of each among the relevant ids; of one level not needed
    pointer: Integers
    bits: NDArray[np.uint32] | None = None  # the ranks below 32 of each list


def make_ranked(
    layout: Layout,
    hits: Hits,
    labels: Array,
    indptr: Integers,
    level: float | None,
    name: str,
    runs: _core.Runs | None = None,
) -> Lists:
    """Lists of the hits by rank, beside all relevant labels: those of list i from indptr[i] on."""
    ranks = hits.ranks
    pointer = hits.pointer
    bits = None
    starts = indptr[:-1]
    stops = indptr[1:]
    if level is not None:
        if runs is None:
            # All labels of a list are one run, so run i is that of list i. Lists without labels
            # have no run, and then the numbers of the runs are counted.
            first = np.arange(len(indptr), dtype=np.int64)
            counts = np.diff(indptr)
            longest = int(counts.max(initial=0))
            if counts.size and not counts.min():
                filled = counts > 0
                np.cumsum(filled, out=first[1:])
                counts = counts[filled]
            runs = _core.Runs(first, np.full(len(counts), level), counts, longest)
        bits = hits.bits
        if bits is None:
            bits = np.zeros(len(layout.starts), np.uint32)
            _core.gather_bits(ranks, pointer, bits)
        hit_labels = np.full(len(ranks), level)
    else:
        if runs is None:
            runs = prepare(labels, starts, stops, name)
        hit_labels = labels[hits.relevant].astype(np.float64)
        # Ids with the label 0 are judged, but no hits.
        is_hit = hit_labels != 0
        if not is_hit.all():
            pointer = add_sizes(is_hit)[pointer]
            ranks = ranks[is_hit]
            hit_labels = hit_labels[is_hit]
    sparse = Sparse(hit_labels, ranks, pointer, None, ranked=True, rank_bits=bits)
    judged = labels, starts, stops
    judgments = Judgments(runs, labels_checked=True)
    return Lists(layout, sparse, None, judgments, judged_labels=judged, called=name)


def refuse_other_users(matrix: Sparse, users: int, name: str) -> None:
    """Refuse ids of another number of users than the retrieved ones."""
    if len(matrix.indptr) - 1 != users:
        matrix_lists = count_of(len(matrix.indptr) - 1, "list")
        raise ValueError(f"{name} has {matrix_lists}, but retrieved has {users}")


def _sign_ids(ids: Array, name: str) -> Array:
    """Ids as the core needs them: contiguous int32 or int64."""
    if ids.size == 0:
        ids = ids.astype(np.int64)  # an empty list has the dtype float64
    if ids.dtype.kind not in "iu":
        raise TypeError(
            f"an array in {name} must hold integer ids, not {ids.dtype}; for scores, call "
            "rankgain.evaluate_arrays"
        )
    if ids.dtype.itemsize < 4 or ids.dtype.kind == "u":
        if ids.dtype.itemsize == 8 and ids.size and ids.max() >= 2**63:
            raise OutOfColumns(f"{name} holds the id {ids.max()}: too large")
        ids = ids.astype(np.int64)
    return pack(ids, ids.dtype.newbyteorder("="))


def _match_ids(
    ids: Array, truth: Sparse, level: float | None, depth: float, name: str = "retrieved"
) -> tuple[Integers, Hits]:
    """Where the rows of retrieved ids end, and the hits; level: the label of all, or None."""
    users, width = ids.shape
    stops = np.empty(users, np.int64)
    pointer = np.zeros(users + 1, np.int64)
    columns = truth.columns
    if columns is None:
        columns = int(ids.max(initial=-1)) + 1
    requested = ids, truth.indices, truth.indptr, columns, stops, pointer
    depth = width if level is None else int(min(depth, width))
    # Up to MOST_AS_BITS ranks of a list are the bits of a number; deeper ones are written out.
    bits = None
    if width <= _core.MOST_AS_BITS:
        bits = np.empty(users, np.uint32)
        fault = _core.match_few(*requested, bits, depth)
    else:
        capacity = min(len(truth.indices), users * depth) + 1  # one more is written
        ranks = np.empty(capacity, np.int64)
        match = np.empty(capacity if level is None else 0, np.int64)
        fault = _core.match_many(*requested, ranks, match if level is None else None, depth)
    if fault is not None:
        kind, user, place = fault
        remedy = OR_FIRST if truth.columns is None and name == "retrieved" else ""
        if kind == "twice":
            # Equal ids are neighbours in a stable order, so each place but the first of an id
            # follows one with the same id. The -1 at the end of a row are not ids.
            order = np.argsort(ids[user], kind="stable")
            ascending = ids[user][order]
            is_repeat = (ascending[1:] == ascending[:-1]) & (ascending[1:] != FILLING)
            place = int(order[1:][is_repeat].min())
        identifier = ids[user, place]
        words = {
            "below": f"is {identifier}; ids must be at least 0, -1 only at the end of a row",
            "beyond": f"is {identifier}; ids must be in 0 .. {columns - 1}",
            "gap": BEFORE_IDS,
            "twice": f"has the id {identifier} a second time. Remove the repeat{remedy}",
        }
        if not columns:
            words["beyond"] = f"is {identifier}, but relevant has no columns, so no id is known"
        text = f"{name}: list {user}, position {place} {words[kind]}"
        if kind in ("below", "gap") and ids.min() < FILLING:
            raise OutOfColumns(text)
        raise ValueError(text)
    count = int(pointer[-1])
    if bits is None:
        return stops, Hits(ranks[:count].copy(), match[:count], pointer)
    ranks = np.empty(count, np.int64)
    _core.write_places(bits, pointer, ranks)
    match = np.empty(count if level is None else 0, np.int64)
    if level is None:
        _core.find_matches(*requested[:3], pointer, ranks, match)
    return stops, Hits(ranks, match, pointer, bits)


def pad_rows(ids: Ragged, name: str = "retrieved") -> Array:
    """Lists of different lengths as rows filled with -1."""
    users = len(ids.sizes)
    longest = int(ids.sizes.max(initial=0))
    if len(ids.flat) == users * longest:
        return ids.flat.reshape(users, longest)
    if users * longest > max(MAX_PADDED_CELLS, 8 * len(ids.flat)):
        raise ValueError(
            f"{name}: list {int(ids.sizes.argmax())} has {longest} ids, too many to fill the rows "
            f"of {users} users up to it; cut lists at the deepest cutoff"
        )
    flat = ids.flat
    if flat.dtype.kind == "u":  # unsigned integers have no -1
        flat = _sign_ids(flat, name)
    rows = np.full((users, longest), FILLING, flat.dtype)
    rows[np.arange(longest) < ids.sizes[:, None]] = flat
    return rows


def _exclude_ids(ids: Array, truth: Sparse, exclude: object) -> tuple[Array, Sparse]:
    """Remove the excluded ids of each list from retrieved and relevant ids."""
    # Matched once before the removal, so that errors name positions in the input.
    _match_ids(ids, truth, 1.0, 0)
    excluded_ids = read_relevant(exclude, name="exclude")
    users, width = ids.shape
    refuse_other_users(excluded_ids, users, "exclude")
    columns = excluded_ids.columns
    if columns is not None and truth.columns not in (None, columns):
        raise ValueError(f"exclude has {columns} items, but relevant has {truth.columns}")
    for name, items in (("retrieved", ids), ("relevant", truth.indices)):
        if columns is not None and items.max(initial=-1) >= columns:
            raise ValueError(f"exclude has {columns} items, but {name} has the id {items.max()}")
    _, hits = _match_ids(ids, excluded_ids, 1.0, math.inf)
    user_of_hit = np.repeat(np.arange(users), np.diff(hits.pointer))
    is_kept = np.ones(ids.shape, bool)
    is_kept[user_of_hit, hits.ranks] = False
    # Both masks have the same number of cells in a row, so the kept ids of a row move to its left
    # end in their order, and -1 fills the right end.
    kept_sizes = is_kept.sum(axis=1)
    is_filled = np.arange(width) < kept_sizes[:, None]
    remaining = np.full(ids.shape, FILLING, ids.dtype)
    remaining[is_filled] = ids[is_kept]
    stays = ~find_shared(truth.indptr, truth.indices, excluded_ids.indptr, excluded_ids.indices)
    indptr = add_sizes(stays)[truth.indptr]
    truth = truth._replace(data=truth.data[stays], indices=truth.indices[stays], indptr=indptr)
    return remaining, truth


def row_sizes(rows: Array, name: str) -> Integers:
    """The number of ids of each row before the -1 that pad it; an id twice is an error."""
    users, width = rows.shape
    indptr = np.zeros(users + 1, np.int64)
    no_ids = Sparse(np.zeros(0), np.zeros(0, np.int64), indptr, None)
    stops, _ = _match_ids(_sign_ids(rows, name), no_ids, 1.0, 0, name)
    sizes: Integers = stops - np.arange(users) * width
    return sizes


def count_common(rows: Array, other_rows: Array, names: tuple[str, str]) -> Integers:
    """The number of ids that a row of each matrix has in common; both are padded with -1."""
    largest = max(int(rows.max(initial=0)), int(other_rows.max(initial=0)))
    if largest < 2**63:  # a larger one would become negative
        counts = np.empty(len(rows), np.int64)
        packed = pack(rows, np.int64), pack(other_rows, np.int64)
        if _core.count_shared(*packed, largest + 1, counts):
            return counts
    indptr = add_sizes(row_sizes(other_rows, names[1]))
    other_ids = pack(other_rows[other_rows >= 0], np.int64)
    wanted = Sparse(np.zeros(0), other_ids, indptr, None)
    _, hits = _match_ids(_sign_ids(rows, names[0]), wanted, 1.0, math.inf, names[0])
    return np.diff(hits.pointer)
