"""Check unpickled state before the core reads it: a damaged pickle is a ValueError."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .lists import LONGEST, Layout, check_rows, common_shape
from .sparse import Sparse, read_sparse

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .types import Array, JudgedLabels


def damaged(kind: str, what: str) -> NoReturn:
    """Raise the error for invalid state of an object of this kind."""
    raise ValueError(f"this pickle of a {kind} is damaged: {what}")


def column(value: object, dtype: DTypeLike, n: int | None, kind: str, name: str) -> Any:
    """Check a column of type dtype with n values (None: any number); return it contiguous."""
    if type(value) is not np.ndarray or value.dtype != dtype or value.ndim != 1:
        damaged(kind, f"{name} is not a column of {np.dtype(dtype)}")
    if n is not None and len(value) != n:
        damaged(kind, f"{name} has {len(value)} values, not {n}")
    return np.ascontiguousarray(value)


def bounds(value: Array, lists: int, last: int, kind: str, name: str) -> Any:
    """Check the starts of lists, followed by the end of the last list."""
    value = column(value, np.int64, lists + 1, kind, name)
    if value[0] != 0 or value[-1] != last or (value[1:] < value[:-1]).any():
        damaged(kind, f"{name} must rise from 0 to {last}")
    return value


def numbers(value: object, kind: str, name: str) -> Any:
    """Check an array of labels; return it contiguous and in native byte order."""
    if type(value) is not np.ndarray or value.dtype.kind not in "biuf" or value.itemsize > 8:
        damaged(kind, f"{name} is not an array of numbers")
    return np.ascontiguousarray(value.astype(value.dtype.newbyteorder("="), copy=False))


def truth_state(state: tuple[object, ...]) -> tuple[Any, ...]:
    """Check labels, layout, judged labels and shape of a Truth."""
    labels, layout, judged_labels, shape = state
    layout = _is(Layout, layout)
    if type(shape) is not tuple or len(shape) not in (1, 2):
        damaged("Truth", "its shape is not that of one list or of rows")
    if any(type(one) is not int or not 0 <= one < 2**63 for one in shape):
        damaged("Truth", "its shape has a value that is not a size")
    layout = _layout(layout, shape)
    if isinstance(labels, Sparse):
        labels = _sparse(labels, layout, shape)
    else:
        labels = numbers(labels, "Truth", "its labels")
        if labels.shape != shape:
            damaged("Truth", f"its labels have shape {labels.shape}, not {shape}")
    return (
        labels,
        layout,
        None if judged_labels is None else _judged(judged_labels, len(layout.starts)),
        shape,
    )


def _is(kind: type, value: object) -> Any:
    if type(value) is not kind:
        damaged("Truth", f"it has no {kind.__name__}")
    return value


def _layout(layout: Layout, shape: tuple[int, ...]) -> Layout:
    starts = column(layout.starts, np.int64, None, "Truth", "its starts")
    stops = column(layout.stops, np.int64, len(starts), "Truth", "its stops")
    n = shape[0]
    if len(shape) == 1:
        bounds_of_lists = np.append(starts, n)
        if (
            bounds_of_lists[0] != 0
            or (np.diff(bounds_of_lists) < 0).any()
            or not np.array_equal(bounds_of_lists[1:], stops)
        ):
            damaged("Truth", "its lists do not stand one after the other")
    elif len(starts) != n or not np.array_equal(starts, np.arange(n) * shape[1]):
        damaged("Truth", "its lists are not its rows")
    elif (stops < starts).any() or (stops - starts > shape[1]).any():
        damaged("Truth", "its lists are longer than its rows")
    if (stops - starts).max(initial=0) > LONGEST:
        damaged("Truth", "a list of it is too long")
    single: Any = layout.single
    if type(single) is not bool or (single and len(starts) != 1):
        damaged("Truth", "it is not one list")
    if layout.queries is not None and len(layout.queries) != len(starts):
        damaged("Truth", f"it has {len(layout.queries)} ids for {len(starts)} lists")
    order = layout.order
    if order is not None:
        order = column(order, np.int64, n, "Truth", "its order")
        if not np.array_equal(np.sort(order), np.arange(n)):
            damaged("Truth", "its order is no order of its documents")
    return layout._replace(starts=starts, stops=stops, order=order)


def _sparse(labels: Sparse, layout: Layout, shape: tuple[int, ...]) -> Sparse:
    columns: Any = labels.columns
    if type(columns) is not int or labels[4:] != (False, None, None):
        damaged("Truth", "its labels are not those of a matrix")
    result = read_sparse(labels[:3], "this pickle of a Truth is damaged: its labels")
    stored = result.indices[: int(result.indptr[-1])]
    if stored.max(initial=-1) >= columns:
        damaged("Truth", f"its labels have an index beyond {columns} columns")
    result = result._replace(columns=columns)
    if common_shape(result, None) != shape or len(result.indptr) != len(layout.starts) + 1:
        damaged("Truth", f"its labels are not of shape {shape}")
    check_rows(result, "y_true", layout, shape)
    return result


def _judged(judged_labels: object, lists: int) -> JudgedLabels:
    flat, starts, stops = _is(tuple, judged_labels)
    flat = numbers(flat, "Truth", "its judged labels")
    starts = column(starts, np.int64, lists, "Truth", "the starts of its judged labels")
    stops = column(stops, np.int64, lists, "Truth", "the stops of its judged labels")
    if flat.ndim != 1 or (starts < 0).any() or (stops < starts).any() or (stops > len(flat)).any():
        damaged("Truth", "its judged labels do not stand where they should")
    return flat, starts, stops
