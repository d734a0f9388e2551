"""Check unpickled state before the core reads it: a damaged pickle is a ValueError."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .arrays import as_array, integers, native_labels
from .lists import Layout, common_shape, lay_out
from .sparse import Sparse, read_sparse

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .types import Array, JudgedLabels, Places


def raise_damaged(kind: str, what: str) -> NoReturn:
    """Raise the error for invalid state of an object of this kind."""
    raise ValueError(f"this pickle of a {kind} is damaged: {what}")


def column(value: object, dtype: DTypeLike, n: int | None, kind: str, name: str) -> Any:
    """Check a column of type dtype with n values (None: any number); return it contiguous."""
    if type(value) is not np.ndarray or value.dtype != dtype or value.ndim != 1:
        raise_damaged(kind, f"{name} is not a column of {np.dtype(dtype)}")
    if n is not None and len(value) != n:
        raise_damaged(kind, f"{name} has {len(value)} values, not {n}")
    return np.ascontiguousarray(value)


def bounds(value: Array, lists: int, last: int, kind: str, name: str) -> Any:
    """Check the starts of lists, followed by the end of the last list."""
    value = column(value, np.int64, lists + 1, kind, name)
    if value[0] != 0 or value[-1] != last or (value[1:] < value[:-1]).any():
        raise_damaged(kind, f"{name} must rise from 0 to {last}")
    return value


def truth_state(
    labels: Any, layout: Any, judged_labels: Any, shape: Any
) -> tuple[Array | Sparse, Layout, JudgedLabels | None, tuple[int, ...]]:
    """The state of a Truth, made again by the rules for a new one."""
    if type(layout) is not Layout or type(shape) is not tuple:
        raise TypeError("it has no layout, or no shape")
    if any(type(one) is not int or not 0 <= one < 2**63 for one in shape) or not shape:
        raise ValueError("its shape has a value that is not a size")
    places: Places = {"group": None, "qid": None, "lengths": None}
    if layout.single is not True:
        places["group" if len(shape) == 1 else "lengths"] = layout.sizes
    result = lay_out(shape, **places)
    same = (np.array_equal(one, other) for one, other in zip(result[:2], layout[:2], strict=True))
    if result.single is not layout.single or not all(same):
        raise ValueError("its lists do not stand where they should")
    if layout.queries is not None and len(layout.queries) != len(result.starts):
        raise ValueError(f"it has {len(layout.queries)} ids for {len(result.starts)} lists")
    order = None if layout.order is None else integers(layout.order, "its order")
    if order is not None and not np.array_equal(np.sort(order), np.arange(shape[0])):
        raise ValueError("its order is no order of its documents")
    if isinstance(labels, Sparse):
        if type(labels.columns) is not int or labels[4:] != (False, None, None):
            raise ValueError("its labels are not those of a matrix")
        matrix = read_sparse(labels[:3], "its labels")._replace(columns=labels.columns)
        if matrix.indices[: int(matrix.indptr[-1])].max(initial=-1) >= labels.columns:
            raise ValueError(f"its labels have an index beyond {labels.columns} columns")
        labels = matrix
    else:
        labels = native_labels(as_array(labels, "its labels"))
    if common_shape(labels, None) != shape:
        raise ValueError(f"its labels are not of shape {shape}")
    if judged_labels is not None:
        flat, starts, stops = judged_labels
        flat = as_array(flat, "its judged labels")
        starts, stops = (integers(one, "its judged labels") for one in (starts, stops))
        ends = len(starts) == len(stops) and (starts <= stops).all() and (stops <= len(flat)).all()
        if flat.ndim != 1 or not ends:
            raise ValueError("its judged labels do not stand where they should")
        judged_labels = flat, starts, stops
    return labels, result._replace(queries=layout.queries, order=order), judged_labels, shape
