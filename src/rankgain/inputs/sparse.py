"""Sparse labels and exclusions in CSR form; they are never made dense and never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .. import _core
from .arrays import (
    Ragged,
    as_array,
    integers,
    is_sparse,
    is_sparse_tensor,
    native_labels,
    pack,
    plain_array,
    read_rows,
    refuse_sizes,
)
from .grouping import first_repeat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .lists import Layout
    from .types import Array, Bools, Integers


# Scores, labels, starts, stops and the order of ids of some lists.
Chunk: TypeAlias = "tuple[Array | None, Array | Sparse, Integers, Integers, Integers | None]"


class Sparse(NamedTuple):
    """List i has data[indptr[i]:indptr[i+1]] at the positions indices[indptr[i]:indptr[i+1]]."""

    data: Array
    indices: Integers
    indptr: Integers
    columns: int | None
    ranked: bool = False  # positions are ascending ranks, of 64 bits, labels doubles other than 0
    # How many documents share each rank, if ranks are counted; labels of one rank descend.
    sizes: Integers | None = None
    rank_bits: NDArray[np.uint32] | None = None  # bits of the ranks below 32 of each list's hits

    @property
    def values(self) -> Array:
        """The labels of all entries."""
        return self.data[: int(self.indptr[-1])]

    def places(self, starts: Integers) -> Integers:
        """The position of each entry among the documents of all lists; starts: of the lists."""
        start_of_list = np.repeat(starts, np.diff(self.indptr))
        return start_of_list + self.indices[: int(self.indptr[-1])]


def find_shared(indptr: Integers, ids: Array, other_indptr: Integers, other_ids: Array) -> Bools:
    """Mask of the ids that are also among the other ids of the same list."""
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    other_rows = np.repeat(np.arange(len(other_indptr) - 1), np.diff(other_indptr))
    # A key is equal for equal ids of one list: the number of the id, and that of the list.
    all_ids = np.concatenate((ids, other_ids))
    _, codes = np.unique(all_ids, return_inverse=True)
    span = int(codes.max(initial=0)) + 1
    own_keys = codes[: len(ids)] + rows * span
    other_keys = codes[len(ids) :] + other_rows * span
    other_keys.sort()  # faster than np.isin, which hashes
    # A key is present if the places before and after its equals differ.
    first = np.searchsorted(other_keys, own_keys, "left")
    last = np.searchsorted(other_keys, own_keys, "right")
    return first < last


def looks_sparse(value: object) -> bool:
    """scipy.sparse, or a tuple of exactly data, indices and indptr as arrays."""
    if is_sparse(value):
        return True
    if type(value) is not tuple or len(value) != 3:
        return False
    return all(isinstance(part, np.ndarray) and part.ndim == 1 for part in value)


def read_sparse(value: Any, name: str) -> Sparse:
    """Read a scipy sparse matrix or its (data, indices, indptr), and check indices and indptr."""
    columns = None
    if is_sparse_tensor(value):
        value = _csr_of_tensor(value, name)
    elif is_sparse(value):
        if len(value.shape) != 2:
            raise ValueError(f"{name} has {len(value.shape)} dimensions; it must have 2")
        columns = int(value.shape[1])
        if value.format != "csr":
            value = value.tocsr()
        value = (value.data, value.indices, value.indptr)
    if len(value) == 4:
        *value, columns = value
    data, indices, indptr = value
    data = native_labels(as_array(data, f"{name} (its data)"))
    if np.asarray(indices).dtype.kind not in "iu":
        raise TypeError(f"{name}: its indices must be ints, not {np.asarray(indices).dtype}")
    input_indices = indices = np.asarray(indices)
    if indices.dtype != np.int32 or not indices.flags.c_contiguous or not indices.flags.aligned:
        indices = pack(indices, np.int64)
    # A copy, so that no other thread can change which memory the core reads.
    indptr = integers(indptr, f"{name}.indptr").copy()
    if len(indptr) == 0 or indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any():
        raise ValueError(f"{name}.indptr must start at 0 and not decrease")
    if int(indptr[-1]) > min(len(data), len(indices)):
        raise ValueError(
            f"{name}.indptr ends at {int(indptr[-1])}, but there are {len(data)} data and "
            f"{len(indices)} indices"
        )
    result = Sparse(data, indices, indptr, columns)
    stored = indices[: indptr[-1]]
    if stored.size == 0:
        return result
    limit = np.iinfo(np.int64).max if columns is None else columns
    outside, ascending = _core.check_indices(stored, indptr, limit)
    if outside:
        wrong = np.flatnonzero((stored < 0) | (stored >= limit))
        if wrong.size:  # it is empty if another thread has changed the indices meanwhile
            position = int(wrong[0])
            row = int(np.searchsorted(indptr, position, side="right")) - 1
            expected = "be at least 0" if columns is None else f"be in 0 .. {columns - 1}"
            raise ValueError(
                f"{name}: index {input_indices[position]} is out of range for list {row}; it must "
                f"{expected}"
            )
    if not ascending:
        refuse_repeated(result, name)
    return result


def _csr_of_tensor(tensor: Any, name: str) -> tuple[object, object, object, int]:
    """The data, indices and indptr of a sparse tensor of torch, and its number of columns."""
    if len(tensor.shape) != 2:
        raise ValueError(f"{name} has {len(tensor.shape)} dimensions; it must have 2")
    if "sparse_csr" not in str(tensor.layout):
        tensor = tensor.to_sparse_csr()
    data = plain_array(tensor.values(), name)
    indices = plain_array(tensor.col_indices(), name)
    indptr = plain_array(tensor.crow_indices(), name)
    return data, indices, indptr, int(tensor.shape[1])


def read_excluded(exclude: object, layout: Layout | None = None, shape: object = None) -> Sparse:
    """Read exclusions: CSR with a row for each list, or a mask of the documents or of a matrix."""
    if looks_sparse(exclude):
        return read_sparse(exclude, "exclude")
    mask = read_rows(exclude, "exclude")
    if isinstance(mask, Ragged) and layout is not None:
        refuse_sizes(mask.sizes, layout.sizes, "exclude")
        mask = mask.flat
    if isinstance(mask, Ragged) or mask.dtype != bool:
        found = "lists of different lengths"
        if not isinstance(mask, Ragged):
            found = f"numbers ({mask.dtype}) of shape {mask.shape}"
        raise TypeError(
            "exclude must be a scipy.sparse CSR matrix (or its data, indices and indptr) with one "
            "row per list, or an array of True and False in the shape of the documents, not "
            f"{found}"
        )
    is_other_shape = shape is not None and mask.shape != shape
    if is_other_shape or (shape is None and mask.ndim != 2):
        raise ValueError(f"exclude has shape {mask.shape}, but the documents {shape or '2-D'}")
    if layout is None:
        starts = np.arange(len(mask)) * mask.shape[1]
        stops = starts + mask.shape[1]
    else:
        starts, stops = layout.starts, layout.stops
        if layout.order is not None:
            mask = mask[layout.order]
    columns = mask.shape[1] if mask.ndim == 2 else None
    return sparse_positions(np.flatnonzero(mask), starts, stops)._replace(columns=columns)


def sparse_positions(cells: Integers, starts: Integers, stops: Integers) -> Sparse:
    """The documents at some cells of flat arrays, as positions in their lists."""
    if not len(starts):
        return Sparse(np.zeros(0, np.int8), np.zeros(0, np.int64), np.zeros(1, np.int64), None)
    # The list of a cell is the last one that starts at it or before it.
    rows = np.searchsorted(starts, cells, side="right") - 1
    inside = cells < stops[rows]  # cells beyond `lengths` do not count
    cells = cells[inside]
    rows = rows[inside]
    indptr = np.searchsorted(rows, np.arange(len(starts) + 1)).astype(np.int64)
    data = np.ones(len(cells), np.int8)
    return Sparse(data, cells - starts[rows], indptr, None)


def refuse_repeated(sparse: Sparse, name: str, remedy: str = "") -> None:
    """Refuse an index twice in a list."""
    row = _core.find_list_with_repeat(sparse.indices, sparse.indptr)
    if row >= 0:
        indices = sparse.indices[sparse.indptr[row] : sparse.indptr[row + 1]].tolist()
        index = indices[first_repeat(indices) or 0]
        raise ValueError(f"{name}: list {row} has index {index} twice; keep one of them{remedy}")


def select_rows(sparse: Sparse, low: int, high: int) -> Sparse:
    """Lists low .. high-1, rebased."""
    first = int(sparse.indptr[low])
    stop = int(sparse.indptr[high])
    data = sparse.data[first:stop]
    indices = sparse.indices[first:stop]
    indptr = sparse.indptr[low : high + 1] - first
    return sparse._replace(data=data, indices=indices, indptr=indptr)


def listed_documents(starts: Integers, stops: Integers, exclude: Sparse) -> Bools:
    """Mask of the documents of lists in flat arrays, without the excluded ones."""
    end = int(stops.max(initial=0))
    if len(starts) and starts[0] == 0 and (starts[1:] == stops[:-1]).all():
        listed = np.ones(end, bool)
    else:
        # The number of lists that are open at a cell: +1 where one starts, -1 where it stops.
        changes = np.bincount(starts, minlength=end + 1) - np.bincount(stops, minlength=end + 1)
        listed = np.cumsum(changes)[:end] > 0
    listed[exclude.places(starts)] = False
    return listed


def take_rows(sparse: Sparse, rows: Integers) -> Sparse:
    """The lists with these numbers, in this order."""
    starts = sparse.indptr[:-1][rows]
    sizes = np.diff(sparse.indptr)[rows]
    indptr = np.concatenate(([0], np.cumsum(sizes)))
    # All entries of a list move by the same distance, from its old start to its new one.
    moves = np.repeat(starts - indptr[:-1], sizes)
    entries = np.arange(indptr[-1]) + moves
    data, indices = sparse.data[entries], sparse.indices[entries]
    return sparse._replace(data=data, indices=indices, indptr=indptr)


def keep_entries(sparse: Sparse, mask: Bools) -> Sparse:
    """The lists with some of their entries."""
    if mask.all():
        return sparse
    kept_before = np.concatenate(([0], np.cumsum(mask)))
    indptr = kept_before[sparse.indptr]
    # Arrays of the caller may be longer than the entries.
    data = sparse.data[: len(mask)][mask]
    indices = sparse.indices[: len(mask)][mask]
    return sparse._replace(data=data, indices=indices, indptr=indptr)


def remove_excluded(chunk: Chunk, exclude: Sparse) -> Chunk:
    """Remove the excluded documents from a chunk."""
    scores, labels, starts, stops, order = chunk
    keep = listed_documents(starts, stops, exclude)
    end = len(keep)
    removed = np.flatnonzero(~keep)

    def place(positions: Array) -> Integers:
        """Positions of documents, or ends of lists, after the removal."""
        # They move down by the number of removed documents before them.
        return positions - np.searchsorted(removed, positions)

    if isinstance(labels, Sparse):
        documents = labels.places(starts)
        remaining = keep[documents]
        data = labels.data[: len(documents)][remaining]
        indptr = np.concatenate(([0], np.cumsum(remaining)))[labels.indptr]
        list_starts = np.repeat(place(starts), np.diff(indptr))
        indices = place(documents[remaining]) - list_starts
        labels = Sparse(data, indices.astype(np.int64), indptr, None)
    else:
        labels = labels[:end][keep]
    if scores is not None:
        scores = scores[:end][keep]
    if order is not None:
        order = order[:end][keep]
    return scores, labels, place(starts), place(stops), order
