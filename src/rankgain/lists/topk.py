"""Recommended ids beside relevant ids, as lists whose order is given."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .arrays import EXACT, as_array, packed, plain_array
from .judged import prepare
from .layouts import Layout
from .lists import Lists
from .sparse import Sparse, looks_sparse, read_sparse


def read_topk(recommended: Any, relevant: Any, gains: Any) -> tuple[Lists, int | None]:
    """Match ids and lay the hits out as sparse labels; also how many ranks there are, None where
    these hold all items."""
    ids = as_array(recommended, "recommended")
    if ids.ndim != 2:
        raise ValueError(f"recommended must have shape (users, k), not {ids.shape}")
    if ids.dtype.kind not in "iu":
        raise TypeError(f"recommended must hold int ids, not {ids.dtype}")
    if ids.dtype.itemsize < 4 or ids.dtype.kind == "u":
        if ids.dtype.itemsize == 8 and ids.size and ids.max() >= 2**63:
            raise ValueError(f"recommended holds the id {ids.max()}: too large")
        ids = ids.astype(np.int64)
    ids = packed(ids, ids.dtype.newbyteorder("="))
    truth = read_relevant(relevant, gains)
    if len(truth.indptr) - 1 != len(ids):
        raise ValueError(
            f"relevant has {len(truth.indptr) - 1} users, but recommended has {len(ids)}"
        )
    columns = truth.columns
    reach = None if columns is not None and columns <= ids.shape[1] else int(ids.shape[1])
    if columns is None:
        columns = int(ids.max(initial=-1)) + 1
    runs = _one_level(truth)
    layout, labels = _matched(ids, truth, columns, np.nan if runs is None else _first(truth))
    if runs is None:
        runs = prepare(truth.data, truth.indptr[:-1], truth.indptr[1:], "relevant")
    given = truth.data, truth.indptr[:-1], truth.indptr[1:]
    return Lists(layout, labels, None, runs, True, None, None, given=given), reach


def _first(truth: Sparse) -> float:
    return float(truth.data[0]) if len(truth.data) else 1.0


def _matched(ids: Any, truth: Sparse, columns: int, level: float) -> tuple[Layout, Sparse]:
    """The hits among the recommended, by rank; level: of all labels, or NaN."""
    users = len(ids)
    room = min(len(truth.indices), ids.size) + 1  # the last place is written to and left
    stops, pointer = np.empty(users, np.int64), np.zeros(users + 1, np.int64)
    position, found = np.empty(room, np.int64), np.empty(room)
    fault = _core.match_topk(
        *(ids, truth.indices, truth.data, truth.indptr, columns, level, room),
        *(stops, position, found, pointer),
    )
    if fault is not None:
        _raise_fault(fault, ids, columns)
    starts = np.arange(users, dtype=np.int64) * ids.shape[1]
    return Layout(starts, stops, False, None), Sparse(found, position, pointer, None, ranked=True)


def _one_level(truth: Sparse) -> Any:
    """The ideals where all labels are one positive number, as they mostly are; else None."""
    label = _first(truth)
    data = truth.data
    if not 0.0 < label <= 2.0**53 or (data.size and not data.min() == data.max() == label):
        return None
    sizes = np.diff(truth.indptr)
    first, counts = np.arange(len(sizes) + 1, dtype=np.int64), sizes
    if sizes.size and not sizes.min():
        some = sizes > 0
        np.cumsum(some, out=first[1:])
        counts = sizes[some]
    return _core.Runs(first, np.full(len(counts), label), counts, int(sizes.max(initial=0)))


def read_relevant(relevant: Any, gains: Any = None) -> Sparse:
    """Relevant ids per user with their labels."""
    if looks_sparse(relevant):
        if gains is not None:
            raise ValueError("gains: a sparse matrix of relevant items holds its gains itself")
        truth = read_sparse(relevant, "relevant")
    elif isinstance(relevant, (str, bytes)) or not isinstance(relevant, (Sequence, np.ndarray)):
        raise TypeError(
            "relevant must be a scipy.sparse CSR matrix (users x items) or a sequence of arrays of "
            f"item ids, not {type(relevant).__name__}"
        )
    else:
        truth = _from_arrays(relevant, gains)
    end = int(truth.indptr[-1])
    return Sparse(truth.data[:end], truth.indices[:end], truth.indptr, truth.columns)


def _from_arrays(relevant: Any, gains: Any) -> Sparse:
    parts = [_ids(one, i) for i, one in enumerate(relevant)]
    sizes = np.array([len(part) for part in parts], np.int64)
    indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    indices = np.concatenate(parts) if parts else np.zeros(0, np.int64)
    if gains is None:
        data = np.ones(len(indices))
    else:
        if not isinstance(gains, (Sequence, np.ndarray)) or isinstance(gains, (str, bytes)):
            raise TypeError(f"gains must be a sequence of arrays, not {type(gains).__name__}")
        values = [as_array(one, f"gains (list {i})") for i, one in enumerate(gains)]
        if len(values) != len(parts):
            raise ValueError(f"gains has {len(values)} lists, but relevant has {len(parts)}")
        for i, (a, b) in enumerate(zip(values, parts, strict=True)):
            if a.shape != b.shape:
                raise ValueError(f"gains (list {i}) has shape {a.shape}, but relevant {b.shape}")
            if not np.isfinite(a).all():
                at = int(np.argmin(np.isfinite(a)))
                raise ValueError(f"gains: list {i}, place {at} is {a[at]}; gains must be finite")
            if a.dtype.kind in "iu" and a.size and max(a.max(), -int(a.min())) > EXACT:
                raise ValueError(
                    f"gains: list {i} has integers beyond 2**53, which float64 does not hold"
                )
        data = np.concatenate(values).astype(np.float64) if values else np.zeros(0)
    return read_sparse((data, indices, indptr), "relevant")


def _ids(one: Any, user: int) -> Any:
    array = plain_array(one, f"relevant (list {user})")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(
            f"relevant (list {user}) must be a 1-D array of int ids, not {array.dtype} of shape "
            f"{array.shape}"
        )
    if array.dtype.kind == "u" and array.max() >= 2**63:
        raise ValueError(f"relevant (list {user}) holds the id {array.max()}: too large")
    return array.astype(np.int64)


def _first_repeated(row: Any) -> int:
    """Return the first place whose id stood before; -1 only fills the end."""
    order = np.argsort(row, kind="stable")
    again = order[1:][(row[order[1:]] == row[order[:-1]]) & (row[order[1:]] != -1)]
    return int(again.min())


def _raise_fault(fault: tuple[str, int, int], ids: Any, columns: int) -> None:
    kind, user, place = fault
    if kind == "twice":
        place = _first_repeated(ids[user])
    words = {
        "below": f"is {ids[user, place]}; ids must be at least 0, -1 only at the end of a row",
        "beyond": f"is {ids[user, place]}; ids must be in 0 .. {columns - 1}",
        "gap": "is -1, but ids follow; -1 may stand only at the end of a row",
        "twice": f"has the id {ids[user, place]} a second time; recommend an item once",
    }
    raise ValueError(f"recommended: list {user}, place {place} {words[kind]}")
