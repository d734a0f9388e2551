"""Data frames, and CSV and Parquet files as frames: through narwhals, in the frame's own engine."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..arrays import EXACT
from ..files import PARQUET, opened
from ..printable import printable

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

    from ..types import Array, NarwhalsFrame

QUERIES = (
    *("query_id", "qid", "q_id", "queryid", "topic_id", "topic", "query"),
    *("user_id", "userid", "user"),
)
DOCUMENTS = (
    *("doc_id", "docno", "docid", "document_id", "doc", "document", "corpus_id"),
    *("item_id", "itemid", "item", "pid"),
)
LABELS = ("label", "relevance", "rel", "relevance_label", "rating", "gain")
SCORES = ("score", "sim", "similarity", "prediction", "pred")
WORDS = {"true": "1", "false": "0"}  # as CSV has what was bool


class Framed(NamedTuple):
    """What rows came from, as messages call it; named: columns may be named by from_frame."""

    name: str
    unit: str = "row"
    named: bool = True


def columns_of(frame: NarwhalsFrame, names: Sequence[str]) -> list[nw.Series[Any]]:
    """The columns of these names; a lazy frame computes no others."""
    import narwhals as nw

    selected = frame.select(*dict.fromkeys(names))
    table = selected.collect() if isinstance(selected, nw.LazyFrame) else selected
    return [table.get_column(name) for name in names]


def narwhals() -> Any:
    """The library, or an error that names the extra."""
    try:
        import narwhals
    except ImportError:
        raise ImportError(
            'data frames, CSV and Parquet need narwhals: pip install "rankgain[frames]"'
        ) from None
    return narwhals


def open_frame(source: object) -> tuple[Any, Framed]:
    """A frame, and what to call it."""
    nw = narwhals()
    if isinstance(source, (str, os.PathLike)):
        origin = Framed(printable(os.fspath(source)))
        return _of_file(os.fspath(source), origin), origin
    return nw.from_native(in_native_form(source)), Framed(f"the {type(source).__name__}")


def in_native_form(frame: Any) -> Any:
    """A frame whose numbers have this machine's byte order, and whose text is not in views."""
    if type(frame).__module__.partition(".")[0] == "pyarrow" and hasattr(frame, "columns"):
        return without_views(frame)
    if type(frame).__module__.partition(".")[0] != "pandas":
        return frame
    if not hasattr(frame, "columns"):
        raise TypeError(f"the {type(frame).__name__} is no table; give a data frame")
    if not frame.columns.is_unique:
        again = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"the DataFrame: two columns are called {again!r}; rename one of them")
    swapped = {
        name: kind.newbyteorder("=")
        for name, kind in frame.dtypes.items()
        if isinstance(kind, np.dtype) and not kind.isnative
    }
    return frame.astype(swapped) if swapped else frame


def without_views(table: pa.Table | pa.RecordBatch) -> Any:
    """The same table or batch with its columns of text views, which polars has, as large text."""
    import pyarrow

    types = pyarrow.types
    columns, changed = [], False
    for column in table.columns:
        kind = column.type
        if types.is_string_view(kind):
            column = column.cast(pyarrow.large_string())
        elif types.is_dictionary(kind) and types.is_string_view(kind.value_type):
            column = pyarrow.chunked_array(
                [_of_dictionary(one) for one in getattr(column, "chunks", [column])],
                pyarrow.large_string(),
            )
        changed |= column.type != kind
        columns.append(column)
    return pyarrow.Table.from_arrays(columns, table.schema.names) if changed else table


def _of_dictionary(column: pa.ChunkedArray) -> Any:
    """Its text; a dictionary of views cannot be decoded as it is."""
    import pyarrow

    words = column.dictionary.cast(pyarrow.large_string())
    return pyarrow.DictionaryArray.from_arrays(column.indices, words).dictionary_decode()


def _of_file(path: str, origin: Framed) -> Any:
    """The frame of a file; every engine has its own errors for a damaged one."""
    open(path, "rb").close()  # the usual error of a file that cannot be opened
    try:
        frame = _scan(path)
        frame.collect_schema()
    except Exception as error:
        words = " ".join(str(error).split())[:200]
        raise ValueError(f"{origin.name}: cannot be read: {words}") from error
    return frame


def _scan(path: str) -> Any:
    """A frame of a file, by the first engine that is installed; all of CSV is text."""
    from importlib.util import find_spec

    import narwhals as nw

    if path.lower().endswith(PARQUET):
        if find_spec("polars"):
            return nw.scan_parquet(path, backend="polars")
        return nw.read_parquet(path, backend="pyarrow" if find_spec("pyarrow") else "pandas")
    with opened(path) as stream:
        return csv_frame(io.BytesIO(stream.read()), "\t" if ".tsv" in path[-8:].lower() else ",")


def csv_frame(source: io.BytesIO, mark: str) -> Any:
    """A frame of CSV that is all text, by the first engine that is installed; no line is empty."""
    from importlib.util import find_spec

    import narwhals as nw

    _refuse_same_names(source.readline(), mark)
    source.seek(0)
    if find_spec("polars"):
        import polars

        result = polars.read_csv(source, separator=mark, infer_schema=False)
        blank = polars.all_horizontal(polars.all().is_null())
        return nw.from_native(result.filter(~blank) if result.width > 1 else result)
    if find_spec("pyarrow"):
        return _csv_by_arrow(source, mark)
    return nw.read_csv(
        source, backend="pandas", separator=mark, dtype=str, keep_default_na=False, na_values=[""]
    )


def _refuse_same_names(header: bytes, mark: str) -> None:
    names = next(csv.reader([header.decode("utf-8-sig", "replace")], delimiter=mark), [])
    again = next((one for one in names if one and names.count(one) > 1), None)
    if again is not None:
        raise ValueError(f"two columns are called {again!r}; rename one of them")


def _csv_by_arrow(source: io.BytesIO, mark: str) -> Any:
    import narwhals as nw
    import pyarrow
    from pyarrow import csv

    parse = csv.ParseOptions(delimiter=mark)
    with csv.open_csv(source, parse_options=parse) as start:
        names = start.schema.names
    source.seek(0)
    text = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pyarrow.large_string()),
        null_values=[""],
        strings_can_be_null=True,
    )
    return nw.from_native(csv.read_csv(source, parse_options=parse, convert_options=text))


def shown_names(names: Iterable[Any]) -> str:
    """Column names in a message; those of pandas may be no text."""
    return ", ".join(map(str, names))


def normal_spelling(name: str) -> str:
    return str(name).strip().lower().replace("-", "_").replace(" ", "_")


def refuse_missing(column: nw.Series[Any], table: str) -> None:
    """Refuse a column in which a value is missing."""
    if column.null_count():
        row = int(column.is_null().to_numpy().argmax()) + 1
        raise ValueError(f"{table}, row {row}: {column.name} has no value")


def parsed(column: nw.Series[Any], name: str) -> Any:
    """Numbers that are text: by the engine, or one by one to find a bad one; name: of the table."""
    import narwhals as nw

    try:
        result = np.array(column.cast(nw.Float64).to_numpy(), np.float64)
    except Exception:  # every engine has its own errors
        result = np.array([np.nan])
    if not np.isnan(result).any():
        _refuse_rounded_texts(column, result, name)
        return result
    texts = column.to_list()
    values = np.empty(len(texts))
    for row, text in enumerate(texts):
        try:
            values[row] = float(WORDS.get(text.lower(), text) if _is_plain(text) else "nan")
        except ValueError:
            values[row] = np.nan
        if values[row] != values[row]:
            raise ValueError(f"{name}, row {row + 1}: {column.name} is not a number: {text!r}")
    return values


def _is_plain(text: str) -> bool:
    """Whether others read the same number: Python takes 1_0 and the digits of all scripts."""
    return text.isascii() and "_" not in text


def _refuse_rounded_texts(column: nw.Series[Any], values: Array, name: str) -> None:
    """Refuse an integer that is another one as a double, by its row."""
    for row in np.flatnonzero(np.isfinite(values) & (np.abs(values) >= EXACT)).tolist():
        text = column[row].strip()
        if text.removeprefix("-").isdigit() and int(text) != int(values[row]):
            raise ValueError(
                f"{name}, row {row + 1}: {column.name} is {text}, which a double does not hold: "
                "scale it"
            )
