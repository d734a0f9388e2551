"""The ids of documents in arrays: checked, and as places in the order of their bytes, for ties."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import keep_trailing_nuls, refuse_foreign, refuse_sizes, split_rows
from .grouping import find_repeated
from .printable import describe, refuse_mixed_ids, to_python_str

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lists import Layout
    from .sparse import Sparse
    from .types import Array, Bools, Ids, Integers


def _fill_ids(ids: Any, mask: Bools, layout: Layout, shape: tuple[int, ...]) -> Any:
    """The ids, with an id of another document for those that are left out."""
    with suppress(ValueError):  # the caller refuses ids that have no array
        array = np.array(ids, object)
        if array.shape != shape:
            return ids
        # The mask is in the order of the lists, the ids are in that of the argument.
        by_position = mask
        if layout.order is not None:
            by_position = np.empty_like(mask)
            by_position[layout.order] = mask
        # An id from among the others, so that all together keep their type.
        flat = array.reshape(-1)
        flat[by_position] = 0 if mask.all() else flat[~by_position][0]
        filled = flat.reshape(shape)
        if filled.ndim == 1:
            return filled.tolist()
        return filled
    return ids


def _encode_ids(ids: Array) -> Array:
    """Ids as bytes of UTF-8, in which those of all types sort in one order.

    Bytes compare as code points do, and integers by their decimal digits.
    """
    if ids.dtype.kind == "S":
        return ids.ravel()
    encoded = []
    for identifier in map(to_python_str, ids.ravel().tolist()):
        if isinstance(identifier, bytes):
            encoded.append(identifier)
        else:
            encoded.append(str(identifier).encode())
    return keep_trailing_nuls(encoded, np.array(encoded, np.bytes_))


def id_order(
    ids: Ids | None, layout: Layout, like: object, removed: Sequence[Sparse] = ()
) -> Integers:
    """The place of each id among all ids, sorted as UTF-8; an id twice in a list is an error.

    removed: documents that are left out, whose ids are not read.
    """
    shape = tuple(getattr(like, "shape", ()))
    refuse_foreign(ids, "ids")
    rows = split_rows(ids, "ids") if len(shape) == 1 else None
    if rows is not None:
        sizes = np.fromiter(map(len, rows), np.int64, len(rows))
        refuse_sizes(sizes, layout.sizes, "ids", "y_true")
        ids = list(chain.from_iterable(rows))
    left_out = np.zeros(int(np.prod(shape)), bool)
    for positions in removed:
        left_out[positions.places(layout.starts)] = True
    if left_out.any():
        ids = _fill_ids(ids, left_out, layout, shape)
    flat: Any = ids
    sizes_of_rows: list[int] = []  # of nested lists
    if isinstance(ids, (list, tuple)) and ids and isinstance(ids[0], (list, tuple)):
        flat = list(chain.from_iterable(ids))
        sizes_of_rows = list(map(len, ids))

    def place_of(index: int) -> str:
        """The position of an id, for errors."""
        for row, size in enumerate(sizes_of_rows):
            if index < size:
                return f"ids[{row}][{index}]"
            index -= size
        return f"ids[{index}]"

    if isinstance(flat, (list, tuple)):
        refuse_mixed_ids(flat, place_of)
    try:
        array = np.asarray(ids)
        if array.dtype.kind == "f" and set(map(type, flat)) == {int}:
            # Integers of which some are from 2**63 on: NumPy makes floats of them, which are equal
            # for neighbouring ids.
            array = np.array(ids, object)
    except ValueError as error:
        raise ValueError(f"ids does not convert to an array: {error}") from None
    if isinstance(flat, (list, tuple)) and len(flat) == array.size:
        array = keep_trailing_nuls(flat, array.ravel()).reshape(array.shape)
    if array.shape != shape:
        raise ValueError(f"ids has shape {array.shape}, but the documents have shape {shape}")
    if array.dtype.kind == "O":
        if array.ndim == 2:
            sizes_of_rows = [shape[1]] * shape[0]
        refuse_mixed_ids(array.ravel().tolist(), place_of)
    if layout.order is not None:
        array = array[layout.order]
    if array.size and array.dtype.kind not in "iuUSO":
        raise TypeError(f"ids must hold strings or ints, not {array.dtype}")
    order = np.unique(_encode_ids(array), return_inverse=True)[1].astype(np.int64).ravel()
    # Documents that are left out have no id: each gets a place of its own, after all ids, so that
    # none counts as a repeat.
    order[left_out] = len(order) + np.arange(int(left_out.sum()))
    repeated = find_repeated(order, layout.starts, layout.stops)
    if repeated is not None:
        row, document = repeated
        repeat = array.ravel().tolist()[layout.starts[row] + document]
        raise ValueError(
            f"ids: list {row} has {describe(repeat)} twice (document {document}); keep one of them"
        )
    return order
