"""Data frames, and CSV and Parquet files as frames, read through narwhals in their own library."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..arrays import EXACT
from ..files import PARQUET, opened
from ..printable import printable

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

    from ..types import NarwhalsFrame


class UsualNames:
    """The usual names of a column, best first; the rarer ones count where none of the others is."""

    def __init__(self, names: str, rarer: str = "") -> None:
        self.names, self.rarer = names.split(), rarer.split()

    def fitting(self, columns: Iterable[Any]) -> list[Any]:
        """The columns with a usual name, best first."""
        spelled = [(normal_spelling(one), one) for one in columns]
        for usual in (self.names, self.rarer):
            fit = [pair for pair in spelled if pair[0] in usual]
            if fit:
                return [one for _, one in sorted(fit, key=lambda pair: usual.index(pair[0]))]
        return []


QUERIES = UsualNames(
    "query_id qid q_id queryid topic_id topic query user_id userid user",
    "uid customer_id customerid session_id sessionid",
)
DOCUMENTS = UsualNames(
    "doc_id docno docid document_id doc document corpus_id item_id itemid item pid",
    "iid movie_id movieid product_id productid article_id articleid track_id trackid book_id "
    "bookid asin",
)
LABELS = UsualNames("label relevance rel relevance_label rating gain", "grade target clicked")
SCORES = UsualNames("score sim similarity prediction pred")
RANKS = UsualNames("rank position")
MARKS = (";", "\t", "|", ",")  # what separates columns
MOST = 20  # names of columns in a message
WORDS = {"true": "1", "false": "0"}  # how CSV files spell booleans


class Framed(NamedTuple):
    """The source of rows, for messages; named: from_frame can name its columns."""

    name: str
    unit: str = "row"
    named: bool = True


def columns_of(frame: NarwhalsFrame, names: Sequence[str]) -> list[nw.Series[Any]]:
    """The columns with these names; a lazy frame computes no others."""
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
    """A frame, and its name for messages."""
    nw = narwhals()
    if isinstance(source, (str, os.PathLike)):
        origin = Framed(printable(os.fspath(source)))
        return _of_file(os.fspath(source), origin), origin
    return nw.from_native(in_native_form(source)), Framed(f"the {type(source).__name__}")


def in_native_form(frame: Any) -> Any:
    """A frame with numbers in native byte order and without string views."""
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
    """The same table or batch with string views, which polars makes, as large strings."""
    import pyarrow

    types = pyarrow.types
    columns, changed = [], False
    for column in table.columns:
        kind = column.type
        if types.is_string_view(kind):
            column = column.cast(pyarrow.large_string())
        elif types.is_dictionary(kind) and types.is_string_view(kind.value_type):
            chunks = []
            for one in getattr(column, "chunks", [column]):  # views cannot be decoded as they are
                words = one.dictionary.cast(pyarrow.large_string())
                text = pyarrow.DictionaryArray.from_arrays(one.indices, words)
                chunks.append(text.dictionary_decode())
            column = pyarrow.chunked_array(chunks, pyarrow.large_string())
        changed |= column.type != kind
        columns.append(column)
    return pyarrow.Table.from_arrays(columns, table.schema.names) if changed else table


def _of_file(path: str, origin: Framed) -> Any:
    """A file as a frame, by the first engine that is installed; all values of CSV are text."""
    from importlib.util import find_spec

    import narwhals as nw

    open(path, "rb").close()  # raises the usual error if the file cannot be opened
    try:
        if not path.lower().endswith(PARQUET):
            with opened(path) as stream:
                content = io.BytesIO(stream.read())
            frame = csv_frame(content, "\t" if ".tsv" in path[-8:].lower() else ",")
        elif find_spec("polars"):
            frame = nw.scan_parquet(path, backend="polars")
        else:
            frame = nw.read_parquet(path, backend="pyarrow" if find_spec("pyarrow") else "pandas")
        frame.collect_schema()
    except Exception as error:  # every engine has its own errors for a damaged file
        words = " ".join(str(error).split())[:200]
        raise ValueError(f"{origin.name}: cannot be read: {words}") from error
    return frame


def csv_frame(source: io.BytesIO, mark: str) -> Any:
    """CSV as a frame of text without empty lines."""
    header = source.readline().decode("utf-8-sig", "replace")
    names = next(csv.reader([header], delimiter=mark), [])
    again = next((one for one, count in Counter(names).items() if one and count > 1), None)
    if again is not None:
        raise ValueError(f"two columns are called {again!r}; rename one of them")
    others = [one for one in MARKS if one in header]
    if len(names) == 1 and others:
        raise ValueError(
            f"its columns are separated by {others[0]!r}, not by {mark!r}: write it with commas, "
            f"or pass a data frame, such as polars.read_csv(path, separator={others[0]!r})"
        )
    source.seek(0)
    try:
        return _by_engine(source, mark)
    except Exception:  # every engine has its own errors
        source.seek(0)
        refuse_ragged(io.TextIOWrapper(source, "utf-8-sig", "replace", newline=""), mark)
        raise


def refuse_ragged(lines: io.TextIOBase, mark: str) -> None:
    """Refuse CSV of which a row has more fields than the header; its line is named."""
    rows = csv.reader(lines, delimiter=mark)
    columns = len(next(rows, []))
    for row in rows:
        if len(row) > columns:
            raise ValueError(
                f"line {rows.line_num} has {len(row)} fields, the header has {columns}: "
                f"{mark.join(row)[:200]!r}"
            )


def _by_engine(source: io.BytesIO, mark: str) -> Any:
    """CSV as a frame, by the first engine that is installed."""
    from importlib.util import find_spec

    import narwhals as nw

    if find_spec("polars"):
        import polars

        result = polars.read_csv(source, separator=mark, infer_schema=False)
        blank = polars.all_horizontal(polars.all().is_null())
        return nw.from_native(result.filter(~blank) if result.width > 1 else result)
    if not find_spec("pyarrow"):
        options: Any = {"dtype": str, "keep_default_na": False, "na_values": [""]}
        return nw.read_csv(source, backend="pandas", separator=mark, **options)
    import pyarrow
    from pyarrow import csv as arrow

    parse = arrow.ParseOptions(delimiter=mark)
    with arrow.open_csv(source, parse_options=parse) as start:
        names = start.schema.names
    source.seek(0)
    text = arrow.ConvertOptions(
        column_types=dict.fromkeys(names, pyarrow.large_string()),
        null_values=[""],
        strings_can_be_null=True,
    )
    return nw.from_native(arrow.read_csv(source, parse_options=parse, convert_options=text))


def shown_names(names: Iterable[Any]) -> str:
    """The first column names for a message; pandas' names may be of any type."""
    first = [printable(str(name))[:100] for name in names]
    more = f" and {len(first) - MOST} more" if len(first) > MOST else ""
    return ", ".join(first[:MOST]) + more


def normal_spelling(name: object) -> str:
    """A column name in lower case, with underscores for blanks and hyphens.

    RecBole writes the type after the name: user_id:token, rating:float.
    """
    text = str(name).strip().lower().removesuffix(":token").removesuffix(":float")
    return text.replace("-", "_").replace(" ", "_")


def scores_as_labels(
    columns: Sequence[Any], ids: Sequence[Any] = (), in_table: bool = False
) -> list[Any]:
    """The column `score`, where it holds the labels of judgments, as BEIR's qrels have them.

    That is beside BEIR's names of ids, or in a table that has no others than it and those of ids.
    """
    by_spelling = {normal_spelling(one): one for one in reversed(columns)}
    score = [by_spelling[name] for name in ("score",) if name in by_spelling]
    is_of_beir = {"query_id", "corpus_id"} <= by_spelling.keys()
    return score if is_of_beir or (in_table and {*columns} == {*ids, *score}) else []


def refuse_missing(column: nw.Series[Any], table: str) -> None:
    """Refuse a column in which a value is missing."""
    if column.null_count():
        row = int(column.is_null().to_numpy().argmax()) + 1
        raise ValueError(f"{table}, row {row}: {column.name} has no value")


def parsed(column: nw.Series[Any], name: str) -> Any:
    """Parse numbers: by the engine, or if that fails one by one; name: the table, for errors."""
    import narwhals as nw

    try:
        result = np.array(column.cast(nw.Float64).to_numpy(), np.float64)
    except Exception:  # every engine has its own errors
        result = np.array([np.nan])
    if not np.isnan(result).any():
        for row in np.flatnonzero(np.isfinite(result) & (np.abs(result) >= EXACT)).tolist():
            text = column[row].strip()
            if text.removeprefix("-").isdigit() and int(text) != int(result[row]):
                raise ValueError(
                    f"{name}, row {row + 1}: {column.name} is {text}, which a double does not "
                    "hold: scale it"
                )
        return result
    texts = column.to_list()
    values = np.empty(len(texts))
    for row, text in enumerate(texts):
        try:
            # Python also reads 1_0 and the digits of all scripts, other programs do not.
            is_usual = text.isascii() and "_" not in text
            values[row] = float(WORDS.get(text.lower(), text) if is_usual else "nan")
        except ValueError:
            values[row] = np.nan
        if values[row] != values[row]:
            raise ValueError(f"{name}, row {row + 1}: {column.name} is not a number: {text!r}")
    return values
