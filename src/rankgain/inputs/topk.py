"""Match retrieved integer ids with relevant ids into ranked Lists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AnySet
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .arrays import (
    Ragged,
    as_array,
    integer_rows,
    is_wide,
    numbers_of,
    packed,
    plain_array,
    read_rows,
    refuse_sizes,
)
from .ids import FILLING, OR_FIRST, held
from .judged import one_level, prepare
from .labelled import refuse_other_order
from .lists import Layout, Lists, UnmatchedIds, starts_of
from .sparse import Sparse, looks_sparse, rank_bits_of, read_sparse
from .truth import Truth

if TYPE_CHECKING:
    from .types import Array, Integers, RankedIds


class OutOfColumns(ValueError):
    """Integers that are no numbers of columns; ids of any type are matched by their hash."""


MOST_PADDED = 1 << 26  # largest number of cells for padded lists


def read_topk(
    retrieved: RankedIds,
    relevant: object,
    gains: object,
    exclude: object = None,
    depth: float = math.inf,
) -> tuple[Lists, int | None, UnmatchedIds | None]:
    """Match retrieved and relevant ids.

    Returns Lists with the hits as sparse labels, the number of ranks (None if every item is
    retrieved), and example ids if no retrieved id is relevant. depth: if all labels are equal, hits
    at later ranks may be left out.
    """
    refuse_other_order(retrieved=retrieved, relevant=relevant, gains=gains, exclude=exclude)
    ids = read_rows(retrieved, "retrieved", "an integer id, as those before are")
    if isinstance(ids, Ragged):
        ids = padded(ids)
    if ids.ndim == 1:  # of one user
        ids = ids.reshape(1, -1)
        relevant, gains, exclude = (
            one if one is None or looks_sparse(one) or isinstance(one, Truth) else [one]
            for one in (relevant, gains, exclude)
        )
    ids = _signed(ids)
    truth = _for_users(relevant, gains, len(ids))
    if exclude is not None:
        # Matched once before the removal, so that errors name positions in the input.
        _matched(ids, truth, _columns(ids, truth), 1.0, 0)
        out = _for_users(exclude, None, len(ids), "exclude")
        _refuse_other_items(out, ids, truth)
        ids, truth = _excluding(ids, truth, out)
    width = int(ids.shape[1])
    reach = None if truth.columns is not None and truth.columns <= width else width
    # All labels are usually the same positive number; else level is None.
    first = float(truth.data[0]) if len(truth.data) else 1.0
    level = first if 0.0 < first < 2.0**53 and _core.are_alike(truth.data) else None
    runs = None if level is None else one_level(np.diff(truth.indptr), level)
    layout, labels = _matched(ids, truth, _columns(ids, truth), level, depth)
    if isinstance(relevant, Truth) and relevant.judged_labels is not None:
        if exclude is not None:
            raise ValueError("exclude: leave the items out of the Truth's judged labels yourself")
        runs = relevant.runs
    elif runs is None:
        runs = prepare(truth.data, truth.indptr[:-1], truth.indptr[1:], "relevant")
    judged_labels = truth.data, truth.indptr[:-1], truth.indptr[1:]
    lists = Lists(
        layout, labels, None, runs, True, None, None, judged_labels=judged_labels, called="relevant"
    )
    return lists, reach, None if len(labels.indices) else _unmatched(ids, truth)


def _unmatched(ids: Array, truth: Sparse) -> UnmatchedIds | None:
    """The ids of the first user with both, if no retrieved id is relevant for any user."""
    filled, wanted = ids != -1, np.diff(truth.indptr) > 0
    both = filled.any(axis=1) & wanted
    if not both.any() or np.isin(ids[filled], truth.indices).any():
        return None
    at = int(both.argmax())
    relevant = truth.indices[truth.indptr[at] : truth.indptr[at + 1]]
    return UnmatchedIds(at, ids[at][filled[at]].tolist(), relevant.tolist())


def _signed(ids: Array) -> Any:
    """Recommended ids as the core needs them: contiguous int32 or int64."""
    if ids.size == 0:
        ids = ids.astype(np.int64)  # an empty list has the dtype float64
    if ids.dtype.kind == "f" and np.isnan(ids).any():
        user, place = np.argwhere(np.isnan(ids))[0]
        raise ValueError(f"retrieved: list {user}, place {place} is NaN; every id must be known")
    if ids.dtype.kind not in "iu":
        raise TypeError(f"retrieved must hold int ids, not {ids.dtype}")
    if ids.dtype.itemsize < 4 or ids.dtype.kind == "u":
        if ids.dtype.itemsize == 8 and ids.size and ids.max() >= 2**63:
            raise OutOfColumns(f"retrieved holds the id {ids.max()}: too large")
        ids = ids.astype(np.int64)
    return packed(ids, ids.dtype.newbyteorder("="))


def _columns(ids: Array, truth: Sparse) -> int:
    """The number of items."""
    return int(ids.max(initial=-1)) + 1 if truth.columns is None else truth.columns


def _matched(
    ids: Array, truth: Sparse, columns: int, level: float | None, depth: float
) -> tuple[Layout, Sparse]:
    """The hits among the retrieved ids, by rank; level: the label of all, or None."""
    users, width = ids.shape
    stops, pointer = np.empty(users, np.int64), np.zeros(users + 1, np.int64)
    requested = ids, truth.indices, truth.indptr, columns, stops, pointer
    bits: Any = None
    remedy = OR_FIRST if truth.columns is None else ""
    if width <= _core.MOST_AS_BITS:
        bits = np.empty(users, np.uint32)
        depth = width if level is None else int(min(depth, width))
        fault = _core.match_few(*requested, bits, depth)
        _refuse_fault(fault, ids, columns, remedy=remedy)
        position = np.empty(int(pointer[-1]), np.int64)
        _core.write_places(bits, pointer, position)
        match = np.empty(len(position) if level is None else 0, np.int64)
        if level is None:
            _core.find_matches(*requested[:3], pointer, position, match)
    else:
        room = min(len(truth.indices), ids.size) + 1  # one more is written
        position, match = np.empty(room, np.int64), np.empty(room, np.int64)
        fault = _core.match_many(*requested, position, match)
        _refuse_fault(fault, ids, columns, remedy=remedy)
        position, match = position[: pointer[-1]].copy(), match[: pointer[-1]]
        bits = rank_bits_of(position, pointer)
    if level is None:
        result = truth.data[match].astype(np.float64)
        bits, relevant = None, result != 0
        if not relevant.all():
            position, result = position[relevant], result[relevant]
            pointer = np.append(0, np.cumsum(relevant))[pointer]
    else:
        result = np.full(len(position), level)
    starts = np.arange(users, dtype=np.int64) * width
    layout = Layout(starts, stops, False, None)
    return layout, Sparse(result, position, pointer, None, ranked=True, rank_bits=bits)


def _for_users(relevant: object, gains: object, users: int, name: str = "relevant") -> Sparse:
    """Relevant ids, checked to be those of `users` users."""
    truth = read_relevant(relevant, gains, name)
    if len(truth.indptr) - 1 != users:
        raise ValueError(f"{name} has {len(truth.indptr) - 1} users, but retrieved has {users}")
    return truth


def read_relevant(relevant: Any, gains: object = None, name: str = "relevant") -> Sparse:
    """Relevant ids per user with their labels."""
    if looks_sparse(relevant) or isinstance(relevant, Truth):
        if gains is not None:
            raise ValueError(f"gains: {name} holds its gains itself in this form; leave gains out")
        truth = _of_truth(relevant) if isinstance(relevant, Truth) else read_sparse(relevant, name)
    elif (rows := integer_rows(relevant)) is not None:
        truth = _of_rows(rows, gains, name)
    else:
        if isinstance(relevant, np.ma.MaskedArray):
            relevant = as_array(relevant, name)
        if hasattr(relevant, "tolist") or hasattr(relevant, "to_list"):  # a Series, or an array
            relevant = relevant.tolist() if hasattr(relevant, "tolist") else relevant.to_list()
        if isinstance(relevant, (str, bytes)) or not isinstance(relevant, Sequence):
            raise TypeError(
                f"{name} must be a scipy.sparse CSR matrix (users x items) or a sequence of arrays "
                f"of item ids, not {type(relevant).__name__}"
            )
        relevant, gains = _without_dicts(relevant, gains, name)
        rows = integer_rows(relevant)
        if rows is None:
            parts = [_ids(one, i, name) for i, one in enumerate(relevant)]
            sizes = np.array([len(part) for part in parts], np.int64)
            flat = np.concatenate(parts) if parts else np.zeros(0, np.int64)
            rows = Ragged(flat, sizes)
        truth = _of_rows(rows, gains, name)
    end = int(truth.indptr[-1])
    return Sparse(truth.data[:end], truth.indices[:end], truth.indptr, truth.columns)


def _of_truth(truth: Truth) -> Sparse:
    """The labels of a Truth that are not 0, as a sparse matrix of users and items."""
    labels = truth.labels
    if isinstance(labels, Sparse):
        return labels
    if truth.layout.single and not isinstance(labels, Sparse):
        labels = labels.reshape(1, -1)
    if labels.ndim != 2:
        raise ValueError("relevant: the Truth must be of labels of shape (users, items)")
    sizes = truth.layout.stops - truth.layout.starts
    users, items = np.nonzero((labels != 0) & (np.arange(labels.shape[1]) < sizes[:, None]))
    indptr = np.searchsorted(users, np.arange(len(labels) + 1))
    items = packed(items, np.int64)
    return Sparse(labels[users, items], items, indptr.astype(np.int64), labels.shape[1])


def padded(ids: Ragged, name: str = "retrieved") -> Any:
    """Lists of different lengths as rows filled with -1."""
    users, longest = len(ids.sizes), int(ids.sizes.max(initial=0))
    if len(ids.flat) == users * longest:
        return ids.flat.reshape(users, longest)
    if users * longest > max(MOST_PADDED, 8 * len(ids.flat)):
        raise ValueError(
            f"{name}: list {int(ids.sizes.argmax())} has {longest} ids, too many to fill the "
            f"rows of {users} users up to it; cut lists at the deepest cutoff"
        )
    flat = ids.flat
    if flat.dtype.kind == "u":  # unsigned integers have no -1
        flat = _signed(flat)
    rows = np.full((users, longest), FILLING, flat.dtype)
    rows[np.arange(longest) < ids.sizes[:, None]] = flat
    return rows


def _without_dicts(relevant: Any, gains: object, name: str) -> tuple[Any, Any]:
    """Sets as lists, and dicts id -> label as ids beside gains."""
    kinds = set(map(type, relevant))
    if any(issubclass(kind, Mapping) for kind in kinds):
        if gains is not None:
            raise ValueError(f"gains: dicts of {name} ids hold their gains; leave gains out")
        labelled = [one if isinstance(one, Mapping) else dict.fromkeys(one, 1) for one in relevant]
        if any(FILLING in one for one in labelled):
            raise OutOfColumns(f"{name} has a label for -1, which fills rows; leave it out")
        return [list(one) for one in labelled], [list(one.values()) for one in labelled]
    if any(issubclass(kind, AnySet) for kind in kinds):
        relevant = [list(one - {FILLING}) if isinstance(one, AnySet) else one for one in relevant]
    return relevant, gains


def _refuse_other_items(exclude: Sparse, ids: Array, truth: Sparse) -> None:
    """Refuse an exclusion matrix with fewer columns than there are items."""
    columns = exclude.columns
    if columns is None:
        return
    if truth.columns not in (None, columns):
        raise ValueError(f"exclude has {columns} items, but relevant has {truth.columns}")
    for name, items in (("retrieved", ids), ("relevant", truth.indices)):
        if items.max(initial=-1) >= columns:
            raise ValueError(f"exclude has {columns} items, but {name} has the id {items.max()}")


def _excluding(ids: Array, truth: Sparse, exclude: Sparse) -> tuple[Any, Sparse]:
    """Remove the excluded ids of each list from retrieved and relevant ids."""
    users, width = ids.shape
    pairs = np.repeat(np.arange(users), np.diff(exclude.indptr)), exclude.indices
    out = _among(np.repeat(np.arange(users), width), ids.reshape(-1), *pairs).reshape(ids.shape)
    out &= ids != -1
    ids = np.take_along_axis(ids, np.argsort(out, axis=1, kind="stable"), axis=1)
    ids[np.arange(width) >= width - out.sum(axis=1)[:, None]] = -1
    rows = np.repeat(np.arange(users), np.diff(truth.indptr))
    keep = ~_among(rows, truth.indices, *pairs)
    indptr = starts_of(keep)[truth.indptr]
    truth = truth._replace(data=truth.data[keep], indices=truth.indices[keep], indptr=indptr)
    return packed(ids, ids.dtype), truth


def _among(rows: Array, ids: Array, other_rows: Array, other_ids: Array) -> Any:
    """Mask of the pairs of list and id that are among the other pairs."""
    codes = np.unique(np.concatenate((ids, other_ids)), return_inverse=True)[1]
    span = int(codes.max(initial=0)) + 1
    return np.isin(codes[: len(ids)] + rows * span, codes[len(ids) :] + other_rows * span)


def _of_rows(ids: Ragged, gains: object, name: str) -> Sparse:
    """Relevant ids of lists, with their gains, by default 1."""
    flat, sizes = ids
    data = np.ones(len(flat)) if gains is None else _gains_of(gains, sizes)
    if flat.min(initial=0) < 0:
        data, flat, sizes = _without_filling(data, ids, name)
    try:
        return read_sparse((data, flat, starts_of(sizes)), name)
    except ValueError as error:
        if str(error).endswith("keep one of them"):
            raise ValueError(f"{error}{OR_FIRST}") from None
        raise


def _without_filling(data: Array, ids: Ragged, name: str) -> tuple[Any, Any, Any]:
    """The labels, the ids and the sizes of lists without the -1 at their ends."""
    flat, sizes = ids
    rows = np.repeat(np.arange(len(sizes)), sizes)
    if flat.min() < FILLING:
        row = rows[int(flat.argmin())]
        raise OutOfColumns(f"{name}: index {flat.min()} of list {row} is negative")
    filled = flat == FILLING
    before_id = filled[:-1] & ~filled[1:] & (rows[:-1] == rows[1:])
    if before_id.any():
        at = int(before_id.argmax())
        place = at - int(np.searchsorted(rows, rows[at]))
        raise ValueError(
            f"{name}: list {rows[at]}, place {place} is -1, but ids follow; -1 may stand only at "
            "the end of a row"
        )
    sizes = sizes - np.bincount(rows[filled], minlength=len(sizes))
    return data[~filled], flat[~filled], sizes


def _gains_of(gains: object, sizes: Integers) -> Any:
    """The gains of all relevant ids in one array; sizes: the number of ids of each list."""
    if not isinstance(gains, (Sequence, np.ndarray)) or isinstance(gains, (str, bytes)):
        raise TypeError(f"gains must be a sequence of arrays, not {type(gains).__name__}")
    result = numbers_of(list(held(gains)), "gains")
    refuse_sizes(result.sizes, sizes, "gains", "relevant")
    wide = is_wide(result.flat)
    wrong = np.flatnonzero(wide | ~np.isfinite(result.flat))
    if wrong.size:
        ends = np.cumsum(sizes)
        at = int(np.searchsorted(ends, wrong[0], side="right"))
        place = int(wrong[0]) - int(ends[at] - sizes[at])
        words = "a double does not hold it: scale it" if wide.any() else "gains must be finite"
        raise ValueError(f"gains: list {at}, place {place} is {result.flat[wrong[0]]}; {words}")
    return result.flat.astype(np.float64)


def _ids(one: object, user: int, name: str) -> Any:
    """The integer ids of a user."""
    array = plain_array(one, f"{name} (list {user})")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.ndim == 1 and array.dtype.kind in "US":
        raise TypeError(
            f"{name}: list {user}, place 0 is {array[0].item()!r}, but retrieved holds integers; "
            "ids of two types are never equal: give all in one"
        )
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(
            f"{name} (list {user}) must be a 1-D array of int ids, not {array.dtype} of shape "
            f"{array.shape}"
        )
    if array.dtype.kind == "u" and array.max() >= 2**63:
        raise OutOfColumns(f"{name} (list {user}) holds the id {array.max()}: too large")
    return array.astype(np.int64)


def _matched_rows(rows: Array, wanted: Array, sizes: Array, name: str) -> tuple[Any, Any]:
    """The number of ids of each row that are among its wanted ids, and the number before the -1.

    An id twice in a row, or below -1, is an error.
    """
    if rows.dtype.kind == "u" and rows.size and rows.max() >= 2**63:
        raise OutOfColumns(f"{name} holds the id {rows.max()}: too large")
    rows = packed(rows, np.int64)
    columns = max(int(rows.max(initial=-1)), int(wanted.max(initial=-1))) + 1
    stops, pointer = np.empty(len(rows), np.int64), np.zeros(len(rows) + 1, np.int64)
    room = min(len(wanted), rows.size) + 1
    places = np.empty(room, np.int64), np.empty(room, np.int64)
    fault = _core.match_many(rows, wanted, starts_of(sizes), columns, stops, pointer, *places)
    _refuse_fault(fault, rows, columns, name)
    return np.diff(pointer), stops - np.arange(len(rows)) * rows.shape[1]


def row_sizes(rows: Array, name: str) -> Any:
    """The number of ids of each row before the -1 that pad it; an id twice is an error."""
    return _matched_rows(rows, np.zeros(0, np.int64), np.zeros(len(rows), np.int64), name)[1]


def count_common(rows: Array, others: Array, names: tuple[str, str]) -> Any:
    """The number of ids that a row of each matrix has in common; both are padded with -1."""
    largest = max(int(rows.max(initial=0)), int(others.max(initial=0)))
    if largest < 2**63:  # a larger one would become negative
        counts = np.empty(len(rows), np.int64)
        if _core.count_shared(
            packed(rows, np.int64), packed(others, np.int64), largest + 1, counts
        ):
            return counts
    sizes = row_sizes(others, names[1])
    wanted = packed(others, np.int64)
    if wanted.min(initial=0) < 0:
        wanted = wanted[wanted >= 0]
    return _matched_rows(rows, wanted.reshape(-1), sizes, names[0])[0]


def _refuse_fault(
    fault: tuple[str, int, int] | None,
    ids: Array,
    columns: int,
    name: str = "retrieved",
    remedy: str = "",
) -> None:
    if fault is None:
        return
    kind, user, place = fault
    if kind == "twice":
        row = ids[user]
        order = np.argsort(row, kind="stable")
        again = order[1:][(row[order[1:]] == row[order[:-1]]) & (row[order[1:]] != -1)]
        place = int(again.min())  # the first place with an id that occurs earlier in the row
    words = {
        "below": f"is {ids[user, place]}; ids must be at least 0, -1 only at the end of a row",
        "beyond": f"is {ids[user, place]}; ids must be in 0 .. {columns - 1}"
        if columns
        else f"is {ids[user, place]}, but relevant has no columns, so no id is known",
        "gap": "is -1, but ids follow; -1 may stand only at the end of a row",
        "twice": f"has the id {ids[user, place]} a second time; give an id once{remedy}",
    }
    negative = kind in ("below", "gap") and ids.min() < FILLING
    raise (OutOfColumns if negative else ValueError)(
        f"{name}: list {user}, place {place} {words[kind]}"
    )
