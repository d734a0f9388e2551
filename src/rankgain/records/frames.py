"""Data frames, and CSV and Parquet files, as rows: through narwhals, in the frame's own engine."""

import csv
import io
import os
from collections.abc import Iterable, Sequence
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..lists.forms.arrays import EXACT, is_wide
from ..lists.kinds import refuse_twins
from ..lists.layouts import starts_of
from .arrow import without_views
from .files import PARQUET, opened
from .printable import printable
from .rows import Rows, as_given, collect, utf8_of

if TYPE_CHECKING:
    import narwhals as nw

QUERIES = (
    *("query_id", "qid", "q_id", "queryid", "topic_id", "topic", "query"),
    *("user_id", "userid", "user"),
)
DOCUMENTS = (
    *("doc_id", "docno", "docid", "document_id", "doc", "document", "corpus_id"),
    *("item_id", "itemid", "item", "pid"),
)
LABELS = ("label", "relevance", "rel", "relevance_label", "rating", "gain")
LAST_LABEL = "score"  # as BEIR's qrels have it: only beside a query and a document, and no more
SCORES = ("score", "sim", "similarity", "prediction", "pred")


WORDS = {"true": "1", "false": "0"}  # as CSV has what was bool


class Framed(NamedTuple):
    """What rows came from, as messages call it; named: columns may be named by from_frame."""

    name: str
    unit: str = "row"
    named: bool = True


class Columns(NamedTuple):
    """Names of the columns; None where they are to be found by the usual spellings.

    of_ranks: the numbers are ranks, and stand for scores: smaller is better.
    """

    query: str | None = None
    document: str | None = None
    number: str | None = None
    of_ranks: bool = False


def read_frame(source: Any, is_qrels: bool, named: Columns) -> tuple[Rows, Framed]:
    """The rows of a frame, those of a query together, and what to call it."""
    frame, origin = _opened(source)
    found = found_columns(frame.collect_schema().names(), named, is_qrels, origin)
    queries, documents, numbers = columns_of(frame, found)
    values = _numbers(numbers, origin)
    if named.of_ranks:
        values = 0.0 - values
    ids, starts = _joined(_ids(documents, origin))
    runs, names = _queries(_ids(queries, origin))
    rows = collect(names, (ids, starts, values, np.ascontiguousarray(runs.ravel()), ()))
    return rows._replace(given=as_given(rows.queries, _integers(queries))), origin


def columns_of(frame: Any, names: Sequence[str]) -> "list[nw.Series[Any]]":
    """The columns of these names; a lazy frame computes no others."""
    import narwhals as nw

    chosen = frame.select(*dict.fromkeys(names))
    table = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    return [table.get_column(name) for name in names]


def _opened(source: Any) -> tuple[Any, Framed]:
    """A frame, and what to call it."""
    try:
        import narwhals as nw
    except ImportError:
        raise ImportError(
            'data frames, CSV and Parquet need narwhals: pip install "rankgain[frames]"'
        ) from None
    if isinstance(source, (str, os.PathLike)):
        origin = Framed(printable(os.fspath(source)))
        return _of_file(os.fspath(source), origin), origin
    return nw.from_native(in_native_form(source)), Framed(f"the {type(source).__name__}")


def in_native_form(frame: Any) -> Any:
    """A frame whose numbers have this machine's byte order, and whose text is not in views."""
    if type(frame).__module__.partition(".")[0] == "pyarrow" and hasattr(frame, "schema"):
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

        found = polars.read_csv(source, separator=mark, infer_schema=False)
        blank = polars.all_horizontal(polars.all().is_null())
        return nw.from_native(found.filter(~blank) if found.width > 1 else found)
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


def _plain(name: str) -> str:
    return str(name).strip().lower().replace("-", "_").replace(" ", "_")


def found_columns(
    names: Sequence[str], named: Columns, is_qrels: bool, origin: Framed
) -> list[str]:
    """The three columns: those named, else the first of the usual spellings that is there."""
    number, spellings = ("label", LABELS) if is_qrels else ("score", SCORES)
    number = "rank" if named.of_ranks else number
    by_spelling = {_plain(name): name for name in reversed(names)}
    found = []
    for given, role, usual in zip(
        named[:3], ("query", "document", number), (QUERIES, DOCUMENTS, spellings), strict=True
    ):
        if given is not None:
            if given not in names:
                raise ValueError(
                    f"{origin.name}: no column {given!r} ({role}=); there are {shown_names(names)}"
                )
            found.append(given)
            continue
        known = [by_spelling[name] for name in usual if name in by_spelling]
        last = by_spelling.get(LAST_LABEL)
        if role == "label" and last is not None and {*names} == {*found, last}:
            known.append(last)
        if not known:
            remedy = f"name it with from_frame({role}=...)" if origin.named else "rename one so"
            if origin.named and role == "score":
                remedy += ", or ranks with rank=..."
            elif role == "score" and "rank" in by_spelling:
                remedy += ', or give ranks in a frame, with Run.from_frame(frame, rank="rank")'
            raise ValueError(
                f"{origin.name}: no column for {role}, such as {usual[0]}; there are "
                f"{shown_names(names)}; {remedy}"
            )
        found.append(known[0])
    return found


def refuse_one_column(source: Any) -> None:
    """Refuse a frame that is qrels and run at once if its scores would be its labels, too."""
    frame, origin = _opened(source)
    names, nothing = frame.collect_schema().names(), Columns()
    labels = found_columns(names, nothing, True, origin)[2]
    if labels == found_columns(names, nothing, False, origin)[2]:
        raise ValueError(
            f"{origin.name} is given as qrels and as run, and its column {labels!r} would be both "
            "label and score; name the labels with Qrels.from_frame(label=...)"
        )


def refuse_missing(column: "nw.Series[Any]", table: str) -> None:
    """Refuse a column in which a value is missing."""
    if column.null_count():
        row = int(column.is_null().to_numpy().argmax()) + 1
        raise ValueError(f"{table}, row {row}: {column.name} has no value")


def _ids(column: "nw.Series[Any]", origin: Framed) -> "nw.Series[Any]":
    """A column of ids as text."""
    import narwhals as nw

    refuse_missing(column, origin.name)
    kind = column.dtype
    if kind == nw.Object:
        wrong = [one for one in column.to_list() if not isinstance(one, (str, Integral))]
        if wrong:
            raise TypeError(f"{origin.name}: ids must be strings or integers, not {wrong[0]!r}")
        refuse_twins(column.to_list(), f"{origin.name}: in column {column.name!r}")
        return column.cast(nw.String)
    if kind == nw.String or not len(column):
        return column
    if kind.is_integer() or kind in (nw.Categorical, nw.Enum):
        return column.cast(nw.String)
    raise TypeError(
        f"{origin.name}: ids must be strings or integers, but column {column.name!r} is {kind}"
    )


def _integers(queries: "nw.Series[Any]") -> Iterable[int]:
    """The ids of queries that are integers."""
    import narwhals as nw

    if queries.dtype.is_integer() or queries.dtype in (nw.Categorical, nw.Object):
        return [int(one) for one in queries.unique().to_list() if isinstance(one, Integral)]
    return ()


def _numbers(column: "nw.Series[Any]", origin: Framed) -> Any:
    """A column of labels or scores in double precision."""
    import narwhals as nw

    refuse_missing(column, origin.name)
    kind = column.dtype
    if kind == nw.String:
        return parsed(column, origin.name)
    holds_numbers = kind.is_numeric() or kind == nw.Boolean
    if kind == nw.Object:
        holds_numbers = all(isinstance(one, Number) for one in column.to_list())
    if not holds_numbers and len(column):
        raise TypeError(f"{origin.name}: column {column.name!r} must hold numbers, not {kind}")
    given = np.array(column.to_list()) if kind == nw.Object else column.to_numpy()
    values = given.astype(np.float64)
    wide = is_wide(given)
    bad = wide | np.isnan(values)
    if bad.any():
        row = int(bad.argmax())
        what = "is an integer that a double does not hold" if wide[row] else "is not a number"
        raise ValueError(f"{origin.name}, row {row + 1}: {column.name} {what}: {column[row]!r}")
    return values


def parsed(column: "nw.Series[Any]", name: str) -> Any:
    """Numbers that are text: by the engine, or one by one to find a bad one; name: of the table."""
    import narwhals as nw

    try:
        found = np.array(column.cast(nw.Float64).to_numpy(), np.float64)
    except Exception:  # every engine has its own errors
        found = np.array([np.nan])
    if not np.isnan(found).any():
        _refuse_rounded_texts(column, found, name)
        return found
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


def _refuse_rounded_texts(column: "nw.Series[Any]", values: Any, name: str) -> None:
    """Refuse an integer that is another one as a double, by its row."""
    for row in np.flatnonzero(np.isfinite(values) & (np.abs(values) >= EXACT)).tolist():
        text = column[row].strip()
        if text.removeprefix("-").isdigit() and int(text) != int(values[row]):
            raise ValueError(
                f"{name}, row {row + 1}: {column.name} is {text}, which a double does not hold: "
                "scale it"
            )


def _joined(column: "nw.Series[Any]") -> tuple[Any, Any]:
    """The UTF-8 bytes of all ids one after the other, and where each starts."""
    buffers = _arrow_buffers(column)
    if buffers is not None:
        return buffers
    native = column.to_native()
    if column.implementation.is_polars() and len(column):
        sizes = native.str.len_bytes().to_numpy()
        data = native.str.join("").item().encode()
    else:
        return utf8_of(column.to_list())
    return np.frombuffer(data, np.uint8), starts_of(sizes)


def _arrow_buffers(column: "nw.Series[Any]") -> tuple[Any, Any] | None:
    """The bytes and starts as Arrow has them; None where text is kept in another way."""
    native = column.to_native()
    if column.implementation.is_pandas():
        native = getattr(native, "array", None)
        if not hasattr(native, "__arrow_array__") or not hasattr(native, "_pa_array"):
            return None
    elif not column.implementation.is_pyarrow():
        return None
    import pyarrow

    if not isinstance(native, pyarrow.ChunkedArray):
        native = pyarrow.array(native)
    whole = native.cast(pyarrow.large_string())
    if isinstance(whole, pyarrow.ChunkedArray):
        whole = whole.combine_chunks()
    if isinstance(whole, pyarrow.ChunkedArray):  # it has none
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    _, starts, data = whole.buffers()
    places = np.frombuffer(starts, np.int64)[whole.offset : whole.offset + len(whole) + 1]
    text = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    return text[places[0] : places[-1]], places - places[0]


def _queries(column: "nw.Series[Any]") -> tuple[Any, list[bytes]]:
    """Runs of rows of one query: pairs of first row and number of the query; and the queries."""
    if not len(column):
        return np.empty((0, 2), np.int64), []
    changed = (column != column.shift(1)).fill_null(True).to_numpy().astype(bool)
    changed[0] = True
    rows = np.flatnonzero(changed)
    numbers: dict[str, int] = {}
    firsts = column.gather_every(1) if len(rows) == len(column) else column.filter(changed.tolist())
    codes = [numbers.setdefault(name, len(numbers)) for name in firsts.to_list()]
    names = [name.encode("utf-8", "surrogateescape") for name in numbers]
    return np.column_stack((rows, np.array(codes, np.int64))), names
