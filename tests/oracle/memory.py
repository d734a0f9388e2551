"""The same values elsewhere in memory, and dense labels as a sparse matrix has them."""

from typing import Any

import numpy as np


def read_only(array: Any) -> Any:
    array = array.copy()
    array.flags.writeable = False
    return array


def strided(array: Any) -> Any:
    wide = np.zeros((*array.shape[:-1], 3 * array.shape[-1]), array.dtype)
    wide[..., 1::3] = array
    return wide[..., 1::3]


def backwards(array: Any) -> Any:
    return array[..., ::-1].copy()[..., ::-1]


def byte_swapped(array: Any) -> Any:
    return array.astype(array.dtype.newbyteorder())


def misaligned(array: Any) -> Any:
    view = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


def subclass(array: Any) -> Any:
    return np.array(array, copy=True).view(type("Sub", (np.ndarray,), {}))


def nested_lists(array: Any) -> Any:
    return array.tolist()


def misplaced(values: Any, offset: int) -> Any:
    """The same values, beginning anywhere in a cache line, between values that must not be seen."""
    room = np.full(len(values) + 128, np.nan if values.dtype.kind == "f" else 99, values.dtype)
    start = (-room.ctypes.data // values.itemsize) % (64 // values.itemsize) + offset
    room[start : start + len(values)] = values
    return room[start : start + len(values)]


def csr(labels: Any, index: Any = np.int64) -> tuple[Any, Any, Any]:
    """The labels other than 0 as data, indices and indptr, as scipy.sparse stores them."""
    rows, columns = np.nonzero(labels)
    indptr = np.searchsorted(rows, np.arange(len(labels) + 1))
    return labels[rows, columns], columns.astype(index), indptr.astype(index)
