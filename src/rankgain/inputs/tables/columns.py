"""Columns of long tables in their own types: found by name, checked, and numbered by value."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import is_wide, refuse_rounded
from ..grouping import group_rows
from ..kinds import describe
from ..labelled import is_series
from .frames import (
    UsualNames,
    columns_of,
    in_native_form,
    narwhals,
    parsed,
    refuse_missing,
    shown_names,
    without_views,
)

if TYPE_CHECKING:
    import narwhals as nw

    from ..types import Array, HasStream, Integers, NarwhalsFrame

KNOWN = ("pandas", "polars", "pyarrow")  # frames that are read as they are


def open_table(source: object) -> tuple[Any, str]:
    """A frame that narwhals knows or that streams Arrow data, and its name for messages."""
    nw = narwhals()
    name = f"the {type(source).__name__}"
    library = type(source).__module__.partition(".")[0]
    if hasattr(source, "__arrow_c_stream__") and library not in (*KNOWN, "narwhals"):
        return nw.from_native(_streamed(source, name)), name
    try:
        return nw.from_native(in_native_form(source)), name
    except TypeError:
        if hasattr(source, "__arrow_c_stream__") and not is_series(source):
            return nw.from_native(_streamed(source, name)), name
        raise TypeError(
            f"{name} is no table; give a frame of pandas, polars or pyarrow, an object with "
            "__arrow_c_stream__, or the path of a file; evaluate_batches takes a pyarrow dataset"
        ) from None


def _streamed(source: HasStream, name: str) -> Any:
    """The table that an object streams through Arrow's C interface."""
    from importlib.util import find_spec

    if find_spec("polars"):  # pyarrow cannot select rows of string views
        import polars

        return polars.DataFrame(source)
    if find_spec("pyarrow"):
        import pyarrow

        return without_views(pyarrow.RecordBatchReader.from_stream(source).read_all())
    raise ImportError(f"{name} streams Arrow's batches, which needs pyarrow or polars")


def require(names: Sequence[str], name: object, argument: str, table: str) -> str:
    """The name of a column, which must be there."""
    if not isinstance(name, str):
        raise TypeError(f"{argument} must be the name of a column, not {describe(name)}")
    if name not in names:
        raise ValueError(
            f"{table}: no column {name!r} ({argument}=); there are {shown_names(names)}"
        )
    return name


def choose(names: Sequence[str], name: object, argument: str, usual: UsualNames, table: str) -> str:
    """The column with this name, or the only column with one of the usual names.

    If two columns fit, that is an error. argument: the argument that names the column; if there is
    none, the column in words.
    """
    if name is not None:
        return require(names, name, argument, table)
    fit = sorted(usual.fitting(names), key=names.index)
    if len(fit) == 1:
        return str(fit[0])
    wanted, which, remedy = argument, "rename one of them", "rename it so"
    if argument.isidentifier():
        wanted = f"{argument}="
        which, remedy = f"say which with {wanted}", f"name it with {wanted}"
    if fit:
        raise ValueError(f"{table}: {' and '.join(map(repr, fit))} both fit; {which}")
    raise ValueError(
        f"{table}: no column for {wanted}, such as {usual.names[0]}; there are "
        f"{shown_names(names)}; {remedy}"
    )


def collect(frame: NarwhalsFrame, names: Sequence[str], table: str) -> list[nw.Series[Any]]:
    """The columns with these names; a missing value is an error."""
    columns = columns_of(frame, names)
    for column in columns:
        refuse_nulls(column, table)
    return columns


def refuse_nulls(column: nw.Series[Any], table: str) -> None:
    """Refuse a column in which a value is missing, or NaN."""
    refuse_missing(column, table)
    if column.dtype.is_float():
        bad = column.to_numpy()
        if bad.size and np.isnan(np.min(bad)):
            row = int(np.isnan(bad).argmax()) + 1
            raise ValueError(f"{table}, row {row}: {column.name} is NaN")


def numbers(column: nw.Series[Any], table: str, *, text: bool = False) -> Any:
    """The numbers of a column in their own type; text: parse them, as the file has only text."""
    import narwhals as nw

    kind = column.dtype
    if text and kind == nw.String:
        return parsed(column, table)
    if kind in (nw.Categorical, nw.Enum) and len(column):
        categories = np.array(column.to_list())
        if categories.dtype.kind in "biuf":  # categories of numbers
            return categories
    if kind in (nw.Object, nw.Int128, nw.UInt128) or kind.is_decimal():
        values = column.to_list()
        for row, one in enumerate(values):
            if not isinstance(one, (Number, np.number, np.bool_)):
                raise TypeError(
                    f"{table}, row {row + 1}: {column.name} must be a number, not {describe(one)}"
                )
        result = np.array(values)
        if result.dtype.kind == "O":  # Decimal, or integers of more than 64 bits
            result = result.astype(np.float64)
        refuse_rounded(values, result, f"{table}: {column.name}")
        return result
    if not (kind.is_numeric() or kind == nw.Boolean):
        if not len(column):
            return np.zeros(0)
        raise TypeError(
            f"{table}: column {column.name!r} must hold numbers, but it is {kind}, such as "
            f"{column[0]!r} in row 1"
        )
    return np.ascontiguousarray(column.to_numpy())


def refuse_infinite(values: Array, column: str, table: str) -> None:
    """Refuse a label that is infinite, by its row."""
    if (
        values.dtype.kind == "f"
        and values.size
        and not np.isfinite([values.min(), values.max()]).all()
    ):
        row = int(np.isinf(values).argmax())
        raise ValueError(f"{table}, row {row + 1}: {column} is {values[row]}; it must be finite")


def refuse_wide(values: Array, column: str, table: str) -> None:
    """Refuse an integer that a double does not hold, by its row."""
    wide = is_wide(values)
    if wide.any():
        row = int(wide.argmax())
        raise ValueError(
            f"{table}, row {row + 1}: {column} is {values[row]}, which a double does not hold: "
            "scale it"
        )


def keys(column: nw.Series[Any]) -> Any:
    """Integers that are equal where the values of a column are."""
    import narwhals as nw

    kind = column.dtype
    if kind in (nw.Int128, nw.UInt128) or kind.is_decimal():  # types that NumPy does not have
        column = column.cast(nw.String)
        kind = column.dtype
    native = column.to_native()
    if kind.is_integer() or kind == nw.Boolean or kind.is_float():
        return np.ascontiguousarray(column.to_numpy())
    if column.implementation.is_polars() and kind != nw.Object:
        import polars

        native = native.cast(polars.Categorical) if kind == nw.String else native
        return np.ascontiguousarray(native.to_physical().to_numpy())
    if column.implementation.is_pyarrow():
        import pyarrow

        if isinstance(native, pyarrow.ChunkedArray):
            native = native.combine_chunks()
        if isinstance(native, pyarrow.ChunkedArray):  # without a chunk it stays as it is
            return np.zeros(0, np.int64)
        return native.dictionary_encode().indices.to_numpy()
    import pandas

    try:
        return np.ascontiguousarray(pandas.factorize(native)[0])
    except TypeError:
        raise TypeError(
            f"column {column.name!r} holds {type(column[0]).__name__} values, which are no ids"
        ) from None


def fingerprints(column: nw.Series[Any]) -> Any:
    """A double for each value: the same for equal values, and hardly ever for others."""
    from importlib.util import find_spec

    import narwhals as nw

    kind, native = column.dtype, column.to_native()
    if kind.is_integer() or kind.is_float() or kind == nw.Boolean:
        return np.ascontiguousarray(column.to_numpy(), np.float64)
    if kind == nw.String and find_spec("polars"):  # the fastest hashes of text
        import polars

        if column.implementation.is_pandas():
            stored = native.array  # as Arrow, in a recent pandas
            is_arrow = hasattr(stored, "__arrow_array__")
            native = stored.__arrow_array__() if is_arrow else native.to_numpy()
        native = polars.Series(native)
        if native.dtype == polars.String:
            return (native.hash().to_numpy() >> np.uint64(11)).astype(np.float64)
    return group_rows(keys(column)).codes.astype(np.float64)


def values_at(column: nw.Series[Any], rows: Integers | Sequence[int]) -> list[Any]:
    """The values of some rows as Python objects."""
    result: list[Any] = column[rows].to_list()
    return result
