"""Lists of different lengths: sequences of sequences, and the list columns of other libraries."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from .arrays import as_array, is_wide, refuse_foreign

if TYPE_CHECKING:
    from .types import Array


BOOLS, INTEGERS = 1, 2  # flags of the core for kinds of numbers


class Ragged(NamedTuple):
    """Lists of different lengths: all numbers in one array, and the size of each list."""

    flat: Any
    sizes: Any


def read_rows(value: object, name: str, what: str = "a number") -> Any:
    """An array of one or two dimensions, or Ragged if rows differ in length.

    what: the kind of value that is expected, for errors.
    """
    if type(value) is np.ndarray and value.dtype.kind != "O":
        return as_array(value, name)
    result = _of_awkward(value, name)
    if result is None:
        rows = rows_of(value, name)
        if rows is None:
            return as_array(value, name)
        result = _read(rows, name, what)
    if result is None:
        return as_array(value, name)
    width = int(result.sizes[0])
    if (result.sizes == width).all():
        return result.flat.reshape(len(result.sizes), width)
    return result


def rows_of(value: Any, name: str) -> Any:
    """The rows of a sequence of lists; None for other values."""
    if isinstance(value, np.ndarray):
        value = value.tolist() if value.dtype.kind == "O" and value.ndim == 1 else None
    elif not isinstance(value, (list, tuple)):
        value = _of_column(value)
    if value is None or not len(value) or not is_row(value[0]):
        return None
    for i, one in enumerate(value):
        if type(one) is not list and not is_row(one):
            raise TypeError(f"{name}: list {i} is {one!r}; give a list, an empty one for nothing")
    return value if type(value) is list else list(value)


def is_row(one: object) -> bool:
    """Whether a value is a list or an array of one dimension."""
    if isinstance(one, (list, tuple)):
        return True
    if isinstance(one, (str, bytes)) or not hasattr(one, "__len__"):
        return False
    return bool(getattr(one, "ndim", 1) == 1)


def _of_column(value: Any) -> Any:
    """The rows of a list column or of any other sequence; None for other values."""
    library = type(value).__module__.partition(".")[0]
    kind = str(getattr(value, "dtype", ""))
    if library == "pandas" and getattr(value, "ndim", 0) == 1:
        is_listed = kind == "object" or kind.startswith(("list", "large_list"))
        return value.tolist() if is_listed else None
    if library == "polars" and hasattr(value, "list") and kind.startswith(("List", "Array")):
        return value.to_list()
    if library == "pyarrow" and "list" in str(getattr(value, "type", "")):
        return value.to_pylist()
    is_sequence = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    return list(value) if is_sequence else None


def _of_awkward(value: Any, name: str) -> Ragged | None:
    """Convert an awkward array; None for other values."""
    if type(value).__module__.partition(".")[0] != "awkward" or value.ndim != 2:
        return None
    awkward: Any = sys.modules["awkward"]
    try:
        sizes = awkward.to_numpy(awkward.num(value), allow_missing=False)
        flat = awkward.to_numpy(awkward.flatten(value), allow_missing=False)
    except (ValueError, TypeError) as error:
        raise TypeError(
            f"{name}: an awkward array must hold lists of numbers alone, no None and no text; an "
            "empty list stands for nothing"
        ) from error
    return Ragged(as_array(flat, name), sizes.astype(np.int64)) if len(sizes) else None


def numbers_of(rows: list[Any], name: str) -> Ragged:
    """The numbers of rows that are lists."""
    result = _read(rows, name)
    if result is None:
        raise TypeError(f"{name} has lists where numbers should be")
    return result


def integer_rows(value: Any) -> Ragged | None:
    """The integers of a 2-D array or of lists of ints; None if there are other values."""
    if type(value) is np.ndarray:
        if value.ndim != 2 or not np.can_cast(value.dtype, np.int64) or value.dtype.kind == "b":
            return None
        return Ragged(value.astype(np.int64).reshape(-1), np.full(len(value), value.shape[1]))
    if type(value) not in (list, tuple) or not set(map(type, value)) <= {list, tuple}:
        return None
    flat, sizes, kinds, _, _ = _numbers(list(value))
    return Ragged(flat.astype(np.int64), sizes) if kinds == INTEGERS else None


def _numbers(rows: list[Any]) -> tuple[Any, Any, int, int, int]:
    """The numbers of lists as doubles, the sizes of the lists, and the kinds of numbers."""
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    flat = np.empty(int(sizes.sum()))
    return (flat, sizes, *_core.read_numbers(rows, flat))


def _read(rows: list[Any], name: str, what: str = "a number") -> Ragged | None:
    """The numbers of rows; None if rows are nested, for which `as_array` raises."""
    if not set(map(type, rows)) <= {list, tuple}:
        return _of_arrays(rows, name)
    flat, sizes, kinds, at, place = _numbers(rows)
    if kinds < 0:
        one = rows[at][place]
        refuse_foreign(one, f"{name}[{at}][{place}]")
        if is_row(one) or np.ndim(one):
            return None
        if not isinstance(one, (Number, np.number, np.bool_)):
            raise TypeError(f"{name}: list {at}, place {place} is {one!r}; it must be {what}")
        return _of_arrays(rows, name)
    if kinds == BOOLS:
        flat = flat.astype(bool)
    elif kinds in (INTEGERS, BOOLS | INTEGERS):
        flat = flat.astype(np.int64)  # none is beyond 2**53
    return Ragged(flat, sizes)


def _of_arrays(rows: list[Any], name: str) -> Ragged:
    """The numbers of rows of any type, each converted to an array."""
    for i, one in enumerate(rows):
        if type(one) is not np.ndarray:  # checked first, so that the error names the row
            refuse_foreign(one, f"{name}[{i}]")
    parts = [as_array(one, f"{name} (list {i})") for i, one in enumerate(rows)]
    for i, part in enumerate(parts):
        if part.ndim != 1:
            raise ValueError(f"{name} (list {i}) has {part.ndim} dimensions; it must have 1")
    sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    # The dtype of an empty list does not count.
    filled = [part for part in parts if len(part)] or parts[:1]
    kinds = {part.dtype for part in filled}
    if len(kinds) > 1 and np.result_type(*kinds).kind == "f":
        for i, part in enumerate(parts):
            if is_wide(part).any():
                raise ValueError(
                    f"{name} (list {i}) has integers beyond 2**53 beside numbers that are doubles; "
                    "give all lists in one type"
                )
    return Ragged(np.concatenate(filled), sizes)


def flattened(labels: Any, scores: Any, places: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Labels and scores of lists of different lengths, flat, and the sizes of the lists."""
    for name, value in places.items():
        if value is not None:
            raise ValueError(f"{name}: lists of different lengths need no {name}; leave it out")
    sizes = labels.sizes if isinstance(labels, Ragged) else scores.sizes
    for one, name in ((labels, "y_true"), (scores, "y_score")):
        if isinstance(one, np.ndarray):
            if one.ndim == 1:
                raise ValueError(
                    f"{name} is 1-D, but the other has {len(sizes)} lists; give lists of the same "
                    "lengths"
                )
            refuse_sizes(np.full(len(one), one.shape[1]), sizes, name)
        elif isinstance(one, Ragged):
            refuse_sizes(one.sizes, sizes, name)
    flat = [one.flat if isinstance(one, Ragged) else one for one in (labels, scores)]
    return flat[0], flat[1], sizes


def refuse_sizes(sizes: Array, wanted: Array, name: str, other: str = "y_true") -> None:
    """Refuse lists whose lengths differ, and name the first of them."""
    if len(sizes) != len(wanted):
        raise ValueError(f"{name} has {len(sizes)} lists, but {other} has {len(wanted)}")
    differ = np.flatnonzero(sizes != wanted)
    if differ.size:
        at = int(differ[0])
        raise ValueError(
            f"{name}: list {at} has {sizes[at]} documents, but that of {other} has {wanted[at]}"
        )
