"""Convert array-likes to arrays that the core can read, without a copy if possible."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any

import numpy as np

from .kinds import describe, whole_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import DTypeLike

    from .types import Array


EXACT = 2**53  # a double holds every integer up to here


def as_array(value: Any, name: str) -> Any:
    """Convert to an ndarray of numbers with one or two dimensions; an error says what is wrong."""
    if type(value) is not np.ndarray:
        value = converted(value, name)
    if value.dtype.kind == "O":  # of Python objects
        for at, one in enumerate(value.ravel().tolist()):
            if not isinstance(one, (Number, np.number, np.bool_)):
                place = ", ".join(map(str, np.unravel_index(at, value.shape)))
                where = f"{name}[{place}]" if place else name
                raise TypeError(f"{where} is {describe(one)}; it must be a number")
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


def is_wide(values: Array) -> Any:
    """Mask of the integers beyond 2**53, which a double may not hold exactly."""
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8:
        return np.zeros(values.shape, bool)
    return (values > EXACT) | (values < -EXACT)


def refuse_rounded(values: Sequence[object] | Array, array: Array, name: str) -> None:
    """Refuse integers that NumPy rounded to doubles because the list has floats too."""
    if array.dtype.kind != "f" or (array.ndim == 1 and set(map(type, values)) <= {float}):
        return
    if (np.abs(array) < EXACT).all():
        return
    objects = np.array(values, object).ravel()
    for at in np.flatnonzero(np.isfinite(array) & (np.abs(array) >= EXACT)).tolist():
        exact = int(objects[at]) if isinstance(objects[at], Integral) else objects[at]
        if isinstance(exact, (int, Decimal)) and exact != float(array.flat[at]):
            place = ", ".join(map(str, np.unravel_index(at, array.shape)))
            raise ValueError(f"{name}[{place}]: a double does not hold {objects[at]}: scale it")


def converted(value: object, name: str) -> Any:
    """Convert to an ndarray of any type; an error says what is wrong."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(
            f"{name} is a masked array; fill it, or say how long lists are with lengths="
        )
    if is_sparse(value):
        raise TypeError(f"{name} is sparse and must be dense: give {name}.toarray()")
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{name} must be an array of numbers, not {type(value).__name__}")
    return plain_array(value, name)


def plain_array(value: Any, name: str) -> Any:
    """Convert an array of any library to an ndarray; an error says what is wrong."""
    if isinstance(value, np.ma.MaskedArray):
        if not np.ma.is_masked(value):
            return value.data
        at = int(np.ma.getmaskarray(value).ravel().argmax())
        raise TypeError(f"{name}: value {at} is masked; leave it out, or fill it")
    if isinstance(value, np.ndarray):
        return value
    refuse_foreign(value, name)
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
        for i, one in enumerate(value if isinstance(value, (list, tuple)) else ()):
            refuse_foreign(one, f"{name}[{i}]")
        # Error classes of other libraries may need more arguments than a message.
        kinds = (kind for kind in (TypeError, OverflowError) if isinstance(error, kind))
        raise next(kinds, ValueError)(
            f"{name} does not convert to an array of numbers with rows of one length: {error}"
        ) from error
    if isinstance(value, (list, tuple)):
        refuse_rounded(value, result, name)
        result = with_ends(value, result)
    return result


def with_ends(values: Sequence[object] | Array, array: Array) -> Any:
    """An array of texts; of objects if a text ends in NUL, which NumPy would remove."""
    if array.dtype.kind not in "US" or array.ndim != 1:
        return array
    if not any(isinstance(one, (str, bytes)) and one[-1:] in ("\0", b"\0") for one in values):
        return array
    exact = np.empty(len(values), object)
    exact[:] = [whole_text(one) for one in values]
    return exact


def refuse_foreign(value: object, name: str) -> None:
    """Refuse arrays of other libraries that NumPy cannot convert, with the remedy."""
    if getattr(value, "requires_grad", False) is True:
        raise TypeError(f"{name} requires grad; pass {name}.detach()")
    if any(kind.__name__ == "Tracer" for kind in type(value).__mro__):  # JAX's
        raise TypeError(
            f"{name} is traced by JAX and has no values yet; call this outside jit (and grad and "
            "vmap), on arrays that are computed"
        )
    kind = str(getattr(value, "dtype", ""))
    if "bfloat16" in kind or "float8" in kind:
        remedy = "float()" if hasattr(value, "float") else 'astype("float32")'
        raise TypeError(
            f"{name} holds {kind} values, which NumPy does not have; pass {name}.{remedy}"
        )


def is_sparse(value: object) -> bool:
    """Whether a value is a scipy.sparse matrix; scipy is not imported."""
    return hasattr(value, "tocsr") and hasattr(value, "nnz")


def packed(array: Array, dtype: DTypeLike) -> Any:
    """A contiguous and aligned array, as the core needs; ascontiguousarray does not align."""
    return np.require(array, dtype, ("C_CONTIGUOUS", "ALIGNED"))


def native_scores(scores: Array) -> Any:
    """Scores as native C-contiguous float32 or float64, without new ties."""
    dtype = scores.dtype
    if dtype.kind == "f" and dtype.itemsize in (4, 8):
        return packed(scores, dtype.newbyteorder("="))
    if dtype.kind == "f" and dtype.itemsize == 2:
        return packed(scores, np.float32)
    wide = packed(scores, np.float64)
    with np.errstate(invalid="ignore"):  # 2**63 - 1 becomes 2**63, which int64 does not hold
        exact = dtype.itemsize < 8 or bool(np.all(wide.astype(dtype) == scores))
    if not exact:
        # A double does not hold some value, so all are replaced by their place in the order.
        order = np.unique(scores, return_inverse=True)[1].reshape(scores.shape)
        order = order.astype(np.float64)
        if dtype.kind == "f":
            order[np.isnan(scores)] = np.nan
        return order
    return wide


def as_float32(scores: Array) -> Any:
    """Scores as float32; those beyond its range become infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32, copy=False)


def native_labels(labels: Array) -> Any:
    """Labels in the same dtype, native and C-contiguous."""
    if labels.dtype.kind == "f" and labels.dtype.itemsize > 8:
        return packed(labels, np.float64)
    return packed(labels, labels.dtype.newbyteorder("="))


def is_ready(array: Array, scores: bool) -> bool:
    """Whether the core can read the array without a copy."""
    dtype = array.dtype
    sizes = (4, 8) if scores else (1, 2, 4, 8)
    kinds = "f" if scores else "biuf"
    return bool(
        dtype.isnative
        and dtype.kind in kinds
        and dtype.itemsize in sizes
        and array.flags.c_contiguous
        and array.flags.aligned
    )


def integers(value: object, name: str, floor: int = 0) -> Any:
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
        at = int(np.flatnonzero(array < floor)[0])
        raise ValueError(f"{name}[{at}] is {array[at]}; it must be at least {floor}")
    return packed(array, np.int64)
