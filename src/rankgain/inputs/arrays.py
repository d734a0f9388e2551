"""Array-likes as arrays that the core can read, without a copy if possible; lists of lists."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from .printable import count_of, describe, to_python_str

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .types import Array, Bools, Integers


EXACT = 2**53  # a double holds every integer up to here


def as_array(value: Any, name: str) -> Any:
    """Convert to an ndarray of numbers with one or two dimensions; an error says what is wrong."""
    if isinstance(value, Mapping):
        remedy = ""
        if name in ("y_true", "y_score"):
            remedy = "; for judgments and runs by query and document call rankgain.evaluate"
        raise TypeError(f"{name} must be an array of numbers, not a {type(value).__name__}{remedy}")
    if type(value) is not np.ndarray:
        value = convert_array(value, name)
    if value.dtype.kind == "V":  # types that NumPy itself does not have
        value = widen_small_floats(value)
    if value.dtype.kind == "O":  # of Python objects
        for index, element in enumerate(value.ravel().tolist()):
            if not isinstance(element, (Number, np.number, np.bool_)):
                place = name
                if value.ndim:
                    position = np.unravel_index(index, value.shape)
                    place = f"{name}[{', '.join(map(str, position))}]"
                raise TypeError(f"{place} is {describe(element)}; it must be a number")
        # NumPy chooses a type for the numbers, which may round large integers.
        values = value.tolist()
        value = np.array(values).reshape(value.shape)
        refuse_rounded(values, value, name)
    if value.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} holds {value.dtype} values; it must hold numbers (bool, int or float)"
        )
    if value.ndim not in (1, 2):
        raise ValueError(f"{name} has {value.ndim} dimensions; it must have 1 or 2")
    return value


def is_wide(values: Array) -> Bools:
    """Mask of the integers beyond 2**53, which a double may not hold exactly."""
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8:
        return np.zeros(values.shape, bool)
    # Not by np.abs, which leaves the smallest int64 negative.
    return (values > EXACT) | (values < -EXACT)


def refuse_rounded(values: Sequence[object] | Array, array: Array, name: str) -> None:
    """Refuse integers that NumPy rounded to doubles because the list has floats too."""
    if array.dtype.kind != "f" or (array.ndim == 1 and set(map(type, values)) <= {float}):
        return
    if (np.abs(array) < EXACT).all():
        return
    objects = np.array(values, object).ravel()
    is_large = np.isfinite(array) & (np.abs(array) >= EXACT)
    for index in np.flatnonzero(is_large).tolist():
        exact = objects[index]
        if isinstance(exact, Integral):
            exact = int(exact)  # NumPy's would be compared as doubles
        if isinstance(exact, (int, Decimal)) and exact != float(array.flat[index]):
            place = ", ".join(map(str, np.unravel_index(index, array.shape)))
            raise ValueError(
                f"{name}[{place}] is {objects[index]}, which cannot be represented exactly as a "
                "float64; rescale it"
            )


def convert_array(value: object, name: str) -> Array:
    """Convert to an ndarray of any type; an error says what is wrong."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(
            f"{name} is a masked array; fill it (labels with a value that ignore= names), or say "
            "how long lists are with lengths="
        )
    if is_sparse(value):
        raise TypeError(sparse_words(value, name))
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{name} must be an array of numbers, not {type(value).__name__}")
    return plain_array(value, name)


def plain_array(value: Any, name: str) -> Array:
    """Convert an array of any library to an ndarray; an error says what is wrong."""
    if isinstance(value, np.ma.MaskedArray):
        if not np.ma.is_masked(value):
            return value.data
        index = int(np.ma.getmaskarray(value).ravel().argmax())
        raise TypeError(f"{name}: value {index} is masked; remove it, or fill it")
    if isinstance(value, np.ndarray):
        return np.asarray(value)  # a matrix stays one through every index
    refuse_foreign(value, name)
    value = widen_small_floats(value)
    device = None
    if hasattr(value, "__dlpack_device__"):
        with suppress(ValueError, TypeError, RuntimeError):  # the conversion will raise an error
            device = int(value.__dlpack_device__()[0])
    if device not in (None, 1, 3, 11, 13):  # DLPack: CPU and memory that the CPU can read
        raise TypeError(f"{name} is not in the memory of the CPU; move it there first")
    try:
        if device is not None and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        result = np.asarray(value)
    except (ValueError, TypeError, OverflowError, RuntimeError) as error:
        if isinstance(value, (list, tuple)):
            for i, row in enumerate(value):
                refuse_foreign(row, f"{name}[{i}]")
        # Error classes of other libraries may need more arguments than a message.
        kind: type[Exception] = ValueError
        if isinstance(error, TypeError):
            kind = TypeError
        elif isinstance(error, OverflowError):
            kind = OverflowError
        raise kind(
            f"{name} does not convert to an array of numbers with rows of one length: {error}"
        ) from error
    if isinstance(value, (list, tuple)):
        if result.dtype.kind == "f":
            result = _unsigned(value, result)
        refuse_rounded(value, result, name)
        result = keep_trailing_nuls(value, result)
    return result


def _unsigned(values: Sequence[object], array: Array) -> Array:
    """Integers of which some are from 2**63 on, which NumPy makes floats beside smaller ones."""
    if array.ndim != 1 or not array.size or not array.max() >= 2.0**63 or array.min() < 0:
        return array
    if not all(isinstance(value, Integral) for value in values):
        return array
    with suppress(OverflowError):  # of integers from 2**64 on
        return np.array([int(value) for value in values], np.uint64)  # type: ignore[call-overload]
    return array


def read_ids_of_rows(value: object, name: str) -> Array:
    """An array of ids; integers that no type of NumPy holds together are objects."""
    if isinstance(value, (list, tuple)) and set(map(type, value)) == {int}:
        low, high = min(value), max(value)
        fits_signed = low >= -(2**63) and high < 2**63
        fits_unsigned = low >= 0 and high < 2**64
        if not fits_signed and not fits_unsigned:
            return np.array(value, object)
    return plain_array(value, name)


def keep_trailing_nuls(values: Sequence[object] | Array, array: Array) -> Array:
    """An array of texts; of objects if a text ends in NUL, which NumPy would remove."""
    if array.dtype.kind not in "US" or array.ndim != 1:
        return array
    if not any(isinstance(text, (str, bytes)) and text[-1:] in ("\0", b"\0") for text in values):
        return array
    exact = np.empty(len(values), object)
    exact[:] = list(map(to_python_str, values))
    return exact


def refuse_gradients(value: object, name: str) -> None:
    """Refuse a tensor of torch that requires gradients, with the remedy."""
    if getattr(value, "requires_grad", False) is True:
        raise TypeError(f"{name} requires grad; pass {name}.detach()")


def refuse_foreign(value: object, name: str) -> None:
    """Refuse arrays of other libraries that NumPy cannot convert, with the remedy."""
    refuse_gradients(value, name)
    if any(kind.__name__ == "Tracer" for kind in type(value).__mro__):  # JAX's
        raise TypeError(
            f"{name} is traced by JAX and has no values yet; call this outside jit (and grad and "
            "vmap), on arrays that are computed"
        )


def widen_small_floats(value: object) -> object:
    """Arrays of 8-bit floats or bfloat16 as float32, which holds each of their values exactly."""
    dtype = str(getattr(value, "dtype", ""))
    if "bfloat16" not in dtype and "float8" not in dtype:
        return value
    if hasattr(value, "float"):  # of torch
        return value.float()
    return np.asarray(value).astype(np.float32)


def is_sparse(value: object) -> bool:
    """Whether a value is a scipy.sparse matrix, or a sparse tensor; neither library is imported."""
    return (hasattr(value, "tocsr") and hasattr(value, "nnz")) or is_sparse_tensor(value)


def is_sparse_tensor(value: object) -> bool:
    """Whether a value is a sparse tensor of torch."""
    return "sparse" in str(getattr(value, "layout", "")) and hasattr(value, "to_dense")


def is_nested_tensor(value: object) -> bool:
    """Whether a value is a nested tensor of torch, which has lists of different lengths."""
    return getattr(value, "is_nested", False) is True and hasattr(value, "unbind")


def sparse_words(value: Any, name: str) -> str:
    """The error for sparse values: in scores a few rows are made dense at a time."""
    rows = f"{name}[users].toarray()"
    if is_sparse_tensor(value):
        rows = f"{name}.to_sparse_coo().index_select(0, torch.as_tensor(users)).to_dense()"
    elif getattr(value, "format", "csr") != "csr":
        rows = f"{name}.tocsr()[users].toarray()"
    if name in ("retrieved", "recommended", "found", "exact"):
        problem = "a sparse matrix holds scores by item, not ids. For scores"
        relevant = "relevant"
    elif name == "y_score":
        problem = "scores must be dense. Labels come first: did you swap y_true and y_score? If not"
        relevant = "scipy.sparse.csr_matrix(y_true)"
    else:
        method = "to_dense" if is_sparse_tensor(value) else "toarray"
        return f"{name} is sparse and must be dense: give {name}.{method}()"
    return (
        f"{name} is sparse, but {problem}, rg.evaluate_scores(lambda users: {rows}, {relevant}, "
        "measures) makes a few rows dense at a time"
    )


def pack(array: Array, dtype: DTypeLike) -> Array:
    """A contiguous and aligned array, as the core needs; ascontiguousarray does not align."""
    return np.require(array, dtype, ("C_CONTIGUOUS", "ALIGNED"))


def native_scores(scores: Array) -> Array:
    """Scores as native C-contiguous float32 or float64, without new ties."""
    dtype = scores.dtype
    if dtype.kind == "f" and dtype.itemsize in (4, 8):
        return pack(scores, dtype.newbyteorder("="))
    if dtype.kind == "f" and dtype.itemsize == 2:
        return pack(scores, np.float32)
    # float64 holds every integer of up to 32 bits. Larger integers and long doubles fit if they
    # come back unchanged.
    wide = pack(scores, np.float64)
    if dtype.itemsize < 8:
        return wide
    with np.errstate(invalid="ignore"):  # 2**63 - 1 becomes 2**63, which int64 does not hold
        narrowed = wide.astype(dtype)
    if np.all(narrowed == scores):
        return wide
    # float64 cannot represent some value, so all are replaced by their position in the order.
    _, codes = np.unique(scores, return_inverse=True)
    order = codes.reshape(scores.shape).astype(np.float64)
    if dtype.kind == "f":
        order[np.isnan(scores)] = np.nan
    return order


def as_float32(scores: Array) -> Array:
    """Scores as float32; those beyond its range become infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32, copy=False)


# What labels of types that the core does not read are widened to.
WIDER = {"f2": "f4", "f12": "f8", "f16": "f8", "u2": "i4", "u4": "i8", "u8": "i8"}


def native_labels(labels: Array) -> Array:
    """Labels in a type that the core reads, native and C-contiguous."""
    kind = labels.dtype.str[1:]
    if kind == "u8":  # beyond 2**53 labels are refused, whatever they are
        labels = np.minimum(labels, np.uint64(2**63 - 1))
    return pack(labels, WIDER.get(kind) or labels.dtype.newbyteorder("="))


def integers(value: object, name: str, floor: int = 0) -> Integers:
    """A 1-D int64 array with values >= floor."""
    array = plain_array(value, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not of shape {array.shape}")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold ints, not {array.dtype}")
    if array.dtype.itemsize == 8 and array.dtype.kind == "u" and array.max() >= 2**63:
        raise ValueError(f"{name}[{int(array.argmax())}] is {array.max()}: too large")
    if array.min() < floor:
        index = int(np.flatnonzero(array < floor)[0])
        raise ValueError(f"{name}[{index}] is {array[index]}; it must be at least {floor}")
    return pack(array, np.int64)


BOOLS, INTEGERS = 1, 2  # flags of the core for kinds of numbers


class Ragged(NamedTuple):
    """Lists of different lengths: all numbers in one array, and the size of each list."""

    flat: Array
    sizes: Integers


def read_rows(value: Any, name: str, kind: str = "a number") -> Any:
    """An array of one or two dimensions, or Ragged if rows differ in length; kind: for errors."""
    if type(value) is np.ndarray and value.dtype.kind != "O":
        return as_array(value, name)
    if type(value).__module__.partition(".")[0] == "awkward" and value.ndim == 2 and len(value):
        awkward = sys.modules["awkward"]
        try:
            sizes = awkward.to_numpy(awkward.num(value), allow_missing=False)
            flat = awkward.to_numpy(awkward.flatten(value), allow_missing=False)
        except (ValueError, TypeError) as error:
            raise TypeError(
                f"{name}: an awkward array must hold lists of numbers alone, no None and no text; "
                "an empty list stands for nothing"
            ) from error
        result: Ragged | None = Ragged(as_array(flat, name), sizes.astype(np.int64))
    else:
        rows = split_rows(value, name)
        result = None if rows is None else _read(rows, name, kind)
    if result is None:
        return as_array(value, name)
    width = int(result.sizes[0])
    if (result.sizes == width).all():
        return result.flat.reshape(len(result.sizes), width)
    return result


def split_rows(value: Any, name: str) -> list[Any] | None:
    """The rows of a sequence of lists; None for other values."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind != "O" or value.ndim != 1:
            return None
    elif not isinstance(value, (list, tuple)):  # a list column, or any other sequence
        library = type(value).__module__.partition(".")[0]
        kind = str(getattr(value, "dtype", ""))
        if is_nested_tensor(value):
            value = list(value.unbind())
        elif library == "pandas" and getattr(value, "ndim", 0) == 1:
            if kind != "object" and not kind.startswith(("list", "large_list")):
                return None
            value = value.tolist()
        elif library == "polars" and hasattr(value, "list") and kind.startswith(("List", "Array")):
            value = value.to_list()
        elif library == "pyarrow" and "list" in str(getattr(value, "type", "")):
            value = value.to_pylist()
        elif isinstance(value, Sequence) and not isinstance(value, (str, bytes, memoryview)):
            value = list(value)
        else:
            return None
    if not len(value) or not is_row(value[0]):
        return None
    for i, row in enumerate(value):
        if type(row) is not list and not is_row(row):
            raise TypeError(
                f"{name}: list {i} is {describe(row)}; give a list, an empty one for nothing"
            )
    if type(value) is list:
        return value
    return list(value)


def is_row(value: object) -> bool:
    """Whether a value is a list or an array of one dimension."""
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
        return False
    return bool(getattr(value, "ndim", 1) == 1)


def read_numbers(rows: list[Any], name: str) -> Ragged:
    """The numbers of rows that are lists."""
    result = _read(rows, name)
    if result is None:
        raise TypeError(f"{name} has lists where numbers should be")
    return result


def integer_rows(value: Any) -> Ragged | None:
    """The integers of a 2-D array, of lists of ints, or of arrays of one dtype; None for others.

    They are of 32 or 64 bits. Lists without any value are not known to hold integers.
    """
    if type(value) is np.ndarray:
        if value.ndim != 2 or not _fits_int64(value.dtype):
            return None
        flat = value.reshape(-1)
        sizes = np.full(len(value), value.shape[1])
    elif type(value) in (list, tuple):
        rows = list(value)
        sizes = np.empty(len(value), np.int64)
        if not _core.count_values(rows, np.ndarray, sizes) or not sizes.any():
            return None
        dtype = getattr(rows[0], "dtype", None)
        if dtype is None:
            flat = np.empty(int(sizes.sum()), np.int64)
            is_read = _core.read_integers(rows, flat)
        elif type(value) is list and _fits_int64(dtype):
            flat = np.empty(int(sizes.sum()), dtype)
            is_read = _core.join_arrays(rows, np.ndarray, flat)
        else:  # a tuple of arrays may be a sparse matrix: its data, indices and indptr
            return None
        if not is_read:
            return None
    else:
        return None
    return Ragged(pack(flat, np.int32 if flat.dtype == np.int32 else np.int64), sizes)


def _fits_int64(dtype: np.dtype[Any]) -> bool:
    """Whether all values of a dtype are integers that int64 holds."""
    return dtype.kind in "iu" and np.can_cast(dtype, np.int64)


def _numbers(rows: list[Any]) -> tuple[Array, Integers, int, int, int]:
    """The numbers of lists as doubles, the sizes of the lists, and the kinds of numbers."""
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    flat = np.empty(int(sizes.sum()))
    return (flat, sizes, *_core.read_numbers(rows, flat))


def _read(rows: list[Any], name: str, kind: str = "a number") -> Ragged | None:
    """The numbers of rows; None if rows are nested, for which `as_array` raises."""
    if not set(map(type, rows)) <= {list, tuple}:
        return _of_arrays(rows, name)
    flat, sizes, kinds, row_index, column = _numbers(rows)
    if kinds < 0:
        number = rows[row_index][column]
        refuse_foreign(number, f"{name}[{row_index}][{column}]")
        if is_row(number) or np.ndim(number):
            return None
        if not isinstance(number, (Number, np.number, np.bool_)):
            raise TypeError(
                f"{name}: list {row_index}, position {column} is {describe(number)}; it must be "
                f"{kind}"
            )
        # A number that the core does not read: NumPy's, a Decimal, or an integer from 2**53 on.
        return _of_arrays(rows, name)
    if kinds == BOOLS:
        flat = flat.astype(bool)
    elif kinds in (INTEGERS, BOOLS | INTEGERS):
        flat = flat.astype(np.int64)  # none is beyond 2**53
    return Ragged(flat, sizes)


def _of_arrays(rows: list[Any], name: str) -> Ragged:
    """The numbers of rows of any type, each converted to an array."""
    for i, row in enumerate(rows):
        if type(row) is not np.ndarray:  # checked first, so that the error names the row
            refuse_foreign(row, f"{name}[{i}]")
    parts = [as_array(row, f"{name} (list {i})") for i, row in enumerate(rows)]
    for i, part in enumerate(parts):
        if part.ndim != 1:
            raise ValueError(f"{name} (list {i}) has {part.ndim} dimensions; it must have 1")
    sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    # The dtype of an empty list does not count.
    filled = [part for part in parts if len(part)] or parts[:1]
    dtypes = {part.dtype for part in filled}
    if len(dtypes) < 2 or np.result_type(*dtypes).kind != "f":
        return Ragged(np.concatenate(filled), sizes)
    # NumPy joins int64 and uint64 as float64; uint64 holds all of these if none is negative.
    are_integers = all(dtype.kind in "biu" for dtype in dtypes)
    if are_integers and min(map(np.min, filled)) >= 0:
        filled = [part.astype(np.uint64) for part in filled]
        return Ragged(np.concatenate(filled), sizes)
    for i, part in enumerate(parts):
        if is_wide(part).any():
            raise ValueError(
                f"{name} (list {i}) has integers beyond 2**53 beside numbers that are doubles; "
                "give all lists in one type"
            )
    return Ragged(np.concatenate(filled), sizes)


def refuse_sizes(
    sizes: Array, wanted: Array, name: str, other_name: str = "y_true", noun: str = "document"
) -> None:
    """Refuse lists whose lengths differ, and name the first of them."""
    if len(sizes) != len(wanted):
        raise ValueError(
            f"{name} has {count_of(len(sizes), 'list')}, but {other_name} has {len(wanted)}"
        )
    differ = np.flatnonzero(sizes != wanted)
    if differ.size:
        index = int(differ[0])
        raise ValueError(
            f"{name}: list {index} has {count_of(sizes[index], noun)}, but list {index} of "
            f"{other_name} has {wanted[index]}"
        )
