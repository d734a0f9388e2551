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
    from .types import Bools, Ids, Integers


def _fill_ids(ids: Any, mask: Bools, layout: Layout, shape: tuple[int, ...]) -> Any:
    """The ids, with an id of another document for those that are left out."""
    with suppress(ValueError):
        array = np.array(ids, object)
        if array.shape == shape:
            by_position = mask
            if layout.order is not None:
                by_position = np.empty_like(mask)
                by_position[layout.order] = mask
            flat = array.reshape(-1)
            flat[by_position] = flat[~by_position][0] if not mask.all() else 0
            return flat.reshape(shape).tolist() if array.ndim == 1 else flat.reshape(shape)
    return ids


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
    first: Any = ids[0] if isinstance(ids, (list, tuple)) and ids else None
    nested = isinstance(first, (list, tuple))
    flat: Any = list(chain.from_iterable(ids)) if nested else ids  # type: ignore[arg-type]

    def place_of(index: int) -> str:
        """The position of an id, for errors."""
        return "ids[{}][{}]".format(*divmod(index, len(first))) if nested else f"ids[{index}]"

    if isinstance(flat, (list, tuple)):
        refuse_mixed_ids(flat, place_of)
    try:
        array = np.asarray(ids)
        if array.dtype.kind == "f" and set(map(type, flat)) == {int}:
            array = np.array(ids, object)  # integers of which some are from 2**63 on
    except ValueError as error:
        raise ValueError(f"ids does not convert to an array: {error}") from None
    if isinstance(flat, (list, tuple)) and len(flat) == array.size:
        array = keep_trailing_nuls(flat, array.ravel()).reshape(array.shape)
    if array.shape != shape:
        raise ValueError(f"ids has shape {array.shape}, but the documents have shape {shape}")
    if array.dtype.kind == "O":
        refuse_mixed_ids(array.ravel().tolist(), place_of)
    if layout.order is not None:
        array = array[layout.order]
    if array.size and array.dtype.kind not in "iuUSO":
        raise TypeError(f"ids must hold strings or ints, not {array.dtype}")
    if array.dtype.kind == "S":
        text = array.ravel()
    else:
        exact = map(to_python_str, array.ravel().tolist())
        texts = []
        for identifier in exact:
            is_bytes = isinstance(identifier, bytes)
            texts.append(identifier if is_bytes else str(identifier).encode())
        text = keep_trailing_nuls(texts, np.array(texts, np.bytes_))
    order = np.unique(text, return_inverse=True)[1].astype(np.int64).ravel()
    order[left_out] = len(order) + np.arange(int(left_out.sum()))  # no two are equal
    repeated = find_repeated(order, layout.starts, layout.stops)
    if repeated is not None:
        row, document = repeated
        name = array.ravel().tolist()[layout.starts[row] + document]
        raise ValueError(
            f"ids: list {row} has {describe(name)} twice (document {document}); keep one of them"
        )
    return order
