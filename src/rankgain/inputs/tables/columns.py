"""What the columns of a table mean: chosen by name, read, and checked; errors name the row."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, NoReturn, SupportsFloat, TypeAlias, cast

import numpy as np

from ..arrays import EXACT, is_wide
from ..axes import find_categories
from ..files import reading
from ..grouping import Groups, group_rows
from ..printable import describe, describe_name, refuse_wide_ids
from .source import (
    EAGER,
    LINES,
    Files,
    as_narwhals,
    folder_columns,
    in_native_form,
    in_polars,
    narwhals,
    read_content,
    refuse_other_values,
)
from .stream import names_of_all, one_table, read_batches, refuse_mixed_ids

if TYPE_CHECKING:
    import narwhals as nw

    from ..types import Array, Bools, Floats, Integers
    from .source import Origin


WORDS = {"true": "1", "false": "0"}  # how CSV files spell booleans


@dataclass(slots=True)
class Numbers:
    """A column of plain numbers, as most are, none missing or NaN; narwhals' cost much more."""

    name: str
    values: Array

    def __len__(self) -> int:
        return len(self.values)


Column: TypeAlias = "Numbers | nw.Series[Any]"
Key: TypeAlias = "Column | tuple[Column, ...]"
IN_MEMORY = ("DataFrame", "Table", "RecordBatch")
# Types of plain numbers: NumPy's letters; and words of polars and Arrow, whose bools are packed.
NUMPY_LETTERS = "?bhilqBHILQfd"
NUMBER_TYPES = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)}
NUMBER_TYPES |= {"float32", "float64", "float", "double"}


def find_names(value: Any) -> Any:
    """The names of the columns of a frame; none for other values."""
    kind = type(value)  # of which attributes are asked, as a lazy frame may compute its own
    if isinstance(value, (np.ndarray, list, tuple, dict)):
        return ()
    if hasattr(kind, "collect_schema") and not hasattr(kind, "get_column"):  # a lazy frame
        return value.collect_schema().names()
    if hasattr(kind, "scanner"):  # a data set of pyarrow
        return value.schema.names
    if hasattr(kind, "column_names"):
        names = value.column_names
    else:
        names = getattr(value, "columns", ())
    if callable(names):
        return ()
    if kind.__module__.partition(".")[0] == "pandas" and kind.__name__ == "DataFrame":
        # The levels of its index that have names are columns, too.
        levels = [name for name in value.index.names if name is not None]
        return [*levels, *names]
    return names


def choose_header(frame: object) -> list[Any]:
    """The names of the columns of a table; two with one name are an error."""
    if isinstance(frame, Files) and frame.frame is None:
        return names_of_all(frame)
    if isinstance(frame, Files):
        return choose_header(frame.frame)
    names = list(find_names(frame))
    if len(set(names)) < len(names):
        in_native_form(frame)  # refuses it
    return names


def select_columns(
    frame: object, names: Sequence[str], origin: Origin, same_type: Sequence[str] = ()
) -> list[Column]:
    """The columns with these names; a lazy frame computes no others.

    same_type: columns of one type in all parts, as in `in_memory`.
    """
    native = frame
    library = type(native).__module__.partition(".")[0]
    if library not in EAGER or type(native).__name__ not in IN_MEMORY:
        native = in_memory(frame, names, origin, same_type)
        library = type(native).__module__.partition(".")[0]
        if type(native).__name__ not in IN_MEMORY:
            library = ""
    columns: list[Column | None] = [_plain_numbers(native, library, name) for name in names]
    # The columns of other types are read together, and take the places that are still empty.
    empty = [place for place, column in enumerate(columns) if column is None]
    if empty:
        series = select_series(native, [names[place] for place in empty])
        for place, column in zip(empty, series, strict=True):
            columns[place] = column
    return cast("list[Column]", columns)


def in_memory(
    frame: object, names: Iterable[str], origin: Origin, same_type: Sequence[str] = ()
) -> object:
    """A frame as it is; of other sources these columns.

    same_type: columns that must have one type in all parts of the source.
    """
    native: Any = frame
    unique = list(dict.fromkeys(names))
    if isinstance(frame, Files):
        if frame.frame is None:
            return in_polars(one_table(list(read_batches(frame, unique, same_type))))
        native = frame.frame
        if frame.suffix in LINES:
            file = frame.files[0]
            with file.reading():
                refuse_mixed_ids(lambda: read_content(file).getvalue(), native, unique, file.name)
    with reading(origin.name):
        if hasattr(native, "scanner"):  # a data set of pyarrow
            return native.to_table(columns=unique)
        if hasattr(native, "with_format"):  # one of Hugging Face
            return native.select_columns(unique).with_format("arrow")[:]
        if hasattr(native, "collect"):
            native = native.select(*unique).collect()
    if isinstance(frame, Files):
        for name, value in folder_columns(frame.files[0].path).items():
            if name in unique:
                values = native.get_column(name).unique(maintain_order=True).to_list()
                refuse_other_values(name, values, value, origin.name)
    if hasattr(native, "to_native"):  # narwhals' frame
        return native.to_native()
    return native


def select_series(frame: object, names: Sequence[str]) -> list[nw.Series[Any]]:
    """The columns with these names as narwhals has them; a lazy frame computes no others."""
    opened = as_narwhals(frame)
    if hasattr(opened, "collect"):
        opened = opened.select(*dict.fromkeys(names)).collect()
    result = []
    for column in map(opened.get_column, names):
        if opened.implementation.is_pyarrow() and str(column.dtype).startswith("Categorical"):
            native = column.to_native()
            if not all(_has_one_code_each(chunk.dictionary) for chunk in native.chunks):
                decoded = native.cast(native.type.value_type)
                column = narwhals().from_native(decoded, series_only=True).alias(column.name)
        result.append(column)
    return result


def _has_one_code_each(values: Any) -> bool:
    """Whether the values of a dictionary of Arrow differ, and none is missing."""
    return not values.null_count and len(values.unique()) == len(values)


def _plain_numbers(frame: Any, library: str, name: str) -> Numbers | None:
    """A column of plain numbers; None if it is another one."""
    if library == "pyarrow":
        position = frame.schema.get_field_index(name)  # -1 for a name that is there twice
        column = frame.column(max(position, 0))
        is_plain = position >= 0 and str(column.type) in NUMBER_TYPES and not column.null_count
    elif library == "polars":
        column = frame.get_column(name)
        is_plain = str(column.dtype).lower() in NUMBER_TYPES and not column.null_count()
    elif library == "pandas":
        column = frame[name]
        kind = column.dtype
        is_plain = isinstance(kind, np.dtype) and kind.isnative and kind.char in NUMPY_LETTERS
    else:
        return None
    if not is_plain:
        return None
    values = column.to_numpy()
    # The minimum is NaN if any number is.
    if values.dtype.kind == "f" and values.size and np.isnan(values.min()):
        return None
    return Numbers(name, values)


def collect(frame: object, names: Sequence[str], origin: Origin) -> list[Column]:
    """The columns with these names; a missing value is an error."""
    columns = select_columns(frame, names, origin)
    for column in columns:
        refuse_missing(column, origin)
    return columns


def refuse_missing(column: Column, origin: Origin) -> None:
    """Refuse a column in which a value is missing, or NaN."""
    if isinstance(column, Numbers):
        return
    if column.null_count():
        row = int(column.is_null().to_numpy().argmax())
        raise ValueError(f"{origin.row(row)}: {describe_name(column.name)} has no value")
    if column.dtype.is_float():
        values = column.to_numpy()
        if values.size and np.isnan(np.min(values)):
            row = int(np.isnan(values).argmax())
            raise ValueError(f"{origin.row(row)}: {describe_name(column.name)} is NaN")


LISTS_IN_ROWS = (  # the end of errors
    "a row for each document is needed; in Python, rankgain.evaluate_ids evaluates lists of ids"
)


def numbers(column: Column, origin: Origin) -> Array:
    """The numbers of a column in their own type; those of text are parsed if `origin` says so."""
    if isinstance(column, Numbers):
        return np.ascontiguousarray(column.values)
    import narwhals as nw

    kind = column.dtype
    if kind == nw.String and (origin.text or len(column)):
        return _parse_texts(column, origin)
    if kind in (nw.Categorical, nw.Enum) and len(column):
        categories = np.array(column.to_list())
        if categories.dtype.kind in "biuf":  # categories of numbers
            return categories
    if kind in (nw.Object, nw.Int128, nw.UInt128) or kind.is_decimal():
        return _numbers_of_objects(column, origin)
    if not (kind.is_numeric() or kind == nw.Boolean):
        if not len(column):
            return np.zeros(0)
        [example] = select_values(column, [0])
        remedy = ""
        if kind in (nw.List, nw.Array):
            remedy = f"; {LISTS_IN_ROWS}"
        raise TypeError(
            f"{origin.name}: column {describe(column.name)} must hold numbers, not {kind}, such as "
            f"{describe(example)}{remedy}"
        )
    return np.ascontiguousarray(column.to_numpy())


def _parse_texts(column: nw.Series[Any], origin: Origin) -> Array:
    """The numbers that a column of text holds."""
    import narwhals as nw

    # The engine parses the column at once. What it does not read as a number is parsed value by
    # value.
    try:
        result = np.array(column.cast(nw.Float64).to_numpy(), np.float64)
    except Exception:  # every engine has its own errors
        result = np.array([np.nan])
    if not np.isnan(result).any():
        _refuse_rounded(column, result, origin)
        return result
    result = np.empty(len(column))
    for row, text in enumerate(column.to_list()):
        result[row] = np.nan
        # Python also reads 1_0 and the digits of all scripts, other programs do not.
        if text.isascii() and "_" not in text:
            with suppress(ValueError):
                result[row] = float(WORDS.get(text.lower(), text))
        if np.isnan(result[row]):
            error = ValueError if origin.text else TypeError
            raise error(
                f"{origin.row(row)}: {describe_name(column.name)} is not a number: {describe(text)}"
            )
    _refuse_rounded(column, result, origin)
    return result


def _numbers_of_objects(column: nw.Series[Any], origin: Origin) -> Array:
    """The numbers of a column of Python objects, decimals or integers of 128 bits."""
    values = column.to_list()
    for row, value in enumerate(values):
        if not isinstance(value, (Number, np.number, np.bool_)):
            raise TypeError(
                f"{origin.row(row)}: {describe_name(column.name)} must be a number, not "
                f"{describe(value)}"
            )
    result = np.array(values)
    if result.dtype.kind == "O":  # Decimal, or integers of more than 64 bits
        try:
            result = result.astype(np.float64)
        except OverflowError:
            _refuse_too_large(column.name, values, origin)
    _refuse_rounded(column, result, origin)
    return result


def label_values(column: Column, origin: Origin) -> Array | None:
    """The numbers or truth values of a column as doubles, NaN if missing; None for other types."""
    if isinstance(column, Numbers):
        return column.values.astype(np.float64)
    import narwhals as nw

    kind = column.dtype
    if origin.text and kind == nw.String:
        result = np.full(len(column), np.nan)
        for row, text in enumerate(column.to_list()):
            if text is None:
                continue
            try:
                result[row] = float(WORDS.get(text.lower(), text))
            except ValueError:
                return None
        return result
    if kind == nw.Object:
        result = np.full(len(column), np.nan)
        for row, value in enumerate(column.to_list()):
            if value is None:
                continue
            if not isinstance(value, (bool, np.bool_)):
                return None
            result[row] = value
        return result
    if not (kind.is_numeric() or kind == nw.Boolean) or kind.is_decimal():
        return None
    return np.array(column.cast(nw.Float64).to_numpy(), np.float64)


def _refuse_too_large(name: str, values: Iterable[SupportsFloat], origin: Origin) -> NoReturn:
    """Raise an error for the first number that is larger than any float64."""
    for row, value in enumerate(values):
        try:
            float(value)
        except OverflowError:
            raise ValueError(
                f"{origin.row(row)}: {name} is {describe(value)}, which is too large for a "
                "float64; rescale it"
            ) from None
    raise AssertionError("no value is too large")


def _refuse_rounded(column: nw.Series[Any], result: Array, origin: Origin) -> None:
    """Refuse integers and decimals that became other doubles."""
    if result.dtype.kind != "f":
        return
    for row in np.flatnonzero(np.isinf(result)).tolist():
        text = column[row]
        if isinstance(text, str) and not text.strip().lower().lstrip("+-").startswith("inf"):
            raise ValueError(
                f"{origin.row(row)}: {describe_name(column.name)} is {describe(text)}, which is "
                "too large for a float64; rescale it"
            )
    for row in np.flatnonzero(np.isfinite(result) & (np.abs(result) >= EXACT)).tolist():
        exact = column[row]
        if isinstance(exact, str):
            text = exact.strip()
            if not text.lstrip("+-").isdigit():
                continue
            exact = int(text)
        if isinstance(exact, (Integral, Decimal)) and exact != int(result[row]):
            _raise_rounded(column.name, exact, row, origin)


def _raise_rounded(name: str, value: object, row: int, origin: Origin) -> NoReturn:
    raise ValueError(
        f"{origin.row(row)}: {name} is {value}, which cannot be represented exactly as a float64; "
        "rescale it"
    )


def refuse_wide(values: Array, name: str, origin: Origin) -> None:
    """Refuse an integer that a double does not hold."""
    wide = is_wide(values)
    if wide.any():
        row = int(wide.argmax())
        _raise_rounded(name, values[row], row, origin)


def refuse_infinite(values: Array, name: str, origin: Origin) -> None:
    """Refuse a number that is infinite."""
    if values.dtype.kind != "f" or not values.size:
        return
    if not (math.isfinite(values.min()) and math.isfinite(values.max())):
        row = int(np.isinf(values).argmax())
        raise ValueError(f"{origin.row(row)}: {name} is {values[row]}; it must be finite")


def _refuse_wide_ids(column: Column, values: Array, origin: Origin | None) -> None:
    if origin is not None:
        refuse_wide_ids(values, lambda row: f"{origin.row(row)}: {describe_name(column.name)}")


def split_struct(column: Column, origin: Origin) -> list[Column]:
    """The fields of a column of structs, which are a key of several columns; else the column."""
    if isinstance(column, Numbers):
        return [column]
    import narwhals as nw

    kind = column.dtype
    if not isinstance(kind, nw.Struct):
        return [column]
    fields: list[Column] = []
    for field in kind.fields:
        inner = column.struct.field(field.name).alias(f"{column.name}.{field.name}")
        refuse_missing(inner, origin)
        fields += split_struct(inner, origin)
    return fields


def is_nested(column: nw.Series[Any]) -> bool:
    """Whether a column holds structs or lists."""
    import narwhals as nw

    return isinstance(column.dtype, (nw.Struct, nw.List, nw.Array))


def as_key(columns: Sequence[Column], origin: Origin) -> Key:
    """The key of lists: a column, or a tuple of several."""
    fields = []
    for column in columns:
        fields += split_struct(column, origin)
    if len(fields) == 1:
        return fields[0]
    return tuple(fields)


def keys(column: Key, origin: Origin | None = None) -> Array:
    """Numbers that are equal where the values of a column are, or those of several columns.

    origin: of ids, among which floats of 2**53 and more are refused; None: these are accepted.
    """
    if isinstance(column, Numbers):
        _refuse_wide_ids(column, column.values, origin)
        return np.ascontiguousarray(column.values)
    import narwhals as nw

    if isinstance(column, tuple):
        result = np.zeros(len(column[0]), np.int64)
        for field in column:
            # Of codes a and b < n, a * n + b is equal only for equal pairs. Numbered anew after
            # each field, the codes stay below the number of rows and cannot overflow.
            groups = group_rows(keys(field, origin))
            pairs = result * len(groups.first) + groups.codes
            result = group_rows(pairs).codes.astype(np.int64)
        return result
    kind = column.dtype
    if isinstance(kind, nw.Struct):
        raise TypeError(
            f"column {describe(column.name)} holds structs, which are not ids; select a field, as "
            f"polars' unnest({column.name!r}) does"
        )
    if isinstance(kind, (nw.List, nw.Array)):
        raise TypeError(
            f"column {describe(column.name)} holds lists, which are not ids; give one id in each "
            "row"
        )
    if kind in (nw.Int128, nw.UInt128) or kind.is_decimal():  # types that NumPy does not have
        column = column.cast(nw.String)
        kind = column.dtype
    native = column.to_native()
    if kind.is_integer() or kind == nw.Boolean or kind.is_float():
        values = np.ascontiguousarray(column.to_numpy())
        _refuse_wide_ids(column, values, origin)
        return values
    if column.implementation.is_polars() and kind != nw.Object:
        import polars

        if kind == nw.String:
            native = native.cast(polars.Categorical)
        return np.ascontiguousarray(native.to_physical().to_numpy())
    if column.implementation.is_pyarrow():
        import pyarrow

        native = native.combine_chunks()
        if isinstance(native, pyarrow.ChunkedArray):  # without a chunk it stays as it is
            return np.zeros(0, np.int64)
        codes: Array = native.dictionary_encode().indices.to_numpy()
        return codes
    import pandas

    try:
        return np.ascontiguousarray(pandas.factorize(native)[0])
    except TypeError:
        raise TypeError(
            f"column {describe(column.name)} holds values of the type "
            f"{_unhashable_type(column.to_list())}, which are not ids; make one column of text or "
            "integers of them"
        ) from None


def _unhashable_type(values: Iterable[object]) -> str:
    """The name of the type of the first value that cannot be a key."""
    for value in values:
        try:
            hash(value)
        except TypeError:
            return type(value).__name__
    return "object"


def starts_of_runs(column: Key, origin: Origin | None = None) -> Integers:
    """The first row of each run of equal values; origin: as in `keys`."""
    if isinstance(column, tuple):
        return np.unique(np.concatenate([starts_of_runs(field, origin) for field in column]))
    if not len(column):
        return np.zeros(0, np.int64)
    if isinstance(column, Numbers) or column.dtype.is_integer():
        values = column.values if isinstance(column, Numbers) else column.to_numpy()
        _refuse_wide_ids(column, values, origin)
        # A run starts where a value differs from the one before it.
        changes = np.flatnonzero(values[1:] != values[:-1]) + 1
        return np.concatenate(([0], changes))
    changed = (column != column.shift(1)).fill_null(True).to_numpy().astype(bool)
    return np.flatnonzero(changed)


def fingerprints(column: Column, origin: Origin) -> Floats:
    """A double for each id: the same for equal ones, and hardly ever for others."""
    if isinstance(column, Numbers):
        _refuse_wide_ids(column, column.values, origin)
        return np.ascontiguousarray(column.values, np.float64)
    import narwhals as nw

    kind = column.dtype
    native = column.to_native()
    if kind.is_integer() or kind.is_float() or kind == nw.Boolean:
        values = column.to_numpy()
        _refuse_wide_ids(column, values, origin)
        return np.ascontiguousarray(values, np.float64)
    if kind == nw.String and find_spec("polars"):  # the fastest hashes of text
        import polars

        if column.implementation.is_pandas():
            stored = native.array
            if hasattr(stored, "__arrow_array__"):  # text of a recent pandas
                native = stored.__arrow_array__()
            else:
                native = native.to_numpy()
        native = polars.Series(native)
        if native.dtype == polars.String:
            # A double holds the upper 53 of the 64 bits.
            hashes: Floats = (native.hash().to_numpy() >> np.uint64(11)).astype(np.float64)
            return hashes
    return group_rows(keys(column, origin)).codes.astype(np.float64)


def select_rows(column: Column, selected: Bools, origin: Origin) -> tuple[Column, Origin]:
    """Some rows of a column, and their origin for errors."""
    rows = np.flatnonzero(selected)
    row_numbers = rows
    if origin.rows is not None:
        row_numbers = np.asarray(origin.rows)[rows]
    part = origin._replace(rows=row_numbers)
    if isinstance(column, Numbers):
        return Numbers(column.name, column.values[rows]), part
    return column[rows], part


def category_order(column: Column) -> list[object]:
    """The categories of a column in their order: of pandas' categoricals and polars' Enum."""
    if isinstance(column, Numbers):
        return []
    return find_categories(column.to_native())


def select_values(column: Key, rows: Integers | Sequence[int]) -> list[Any]:
    """The values of some rows as Python objects; of several columns, tuples."""
    if isinstance(column, tuple):
        fields = [select_values(field, rows) for field in column]
        return list(zip(*fields, strict=True))
    if isinstance(column, Numbers):
        return list(column.values[rows].tolist())
    if isinstance(rows, list):  # narwhals refuses a list of NumPy's integers
        rows = np.array(rows, np.int64)
    return list(column[rows].to_list())


def refuse_several(
    column: Column, values: Array, groups: Groups, queries: Sequence[object], origin: Origin
) -> None:
    """Refuse a column with several values, numbers or keys, in the rows of a list."""
    differs = np.flatnonzero(values != values[groups.first][groups.codes])
    if differs.size:
        row = int(differs[0])
        query = groups.codes[row]
        first_row = int(groups.first[query])
        first_value, value = map(describe, select_values(column, [first_row, row]))
        raise ValueError(
            f"{origin.row(row)}: {describe_name(column.name)} is {value}, but {first_value} in the "
            f"first row of {describe(queries[query])}; give all rows of a list the same value"
        )
