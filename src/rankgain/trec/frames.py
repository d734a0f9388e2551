"""Rows of qrels and runs from data frames, and from files that are read as frames."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.notices import warn
from ..inputs.grouping import encode_texts
from ..inputs.kinds import WITH_TEXT, find_kind, refuse_twins
from ..inputs.lists import add_sizes
from ..inputs.printable import list_names
from ..inputs.tables.columns import (
    DOCUMENTS,
    LABELS,
    QUERIES,
    RANKS,
    SCORES,
    choose_header,
    in_memory,
    numbers,
    refuse_missing,
    refuse_wide,
    require,
    scores_as_labels,
    select_series,
    starts_of_runs,
)
from ..inputs.tables.source import Where, open_frame
from .rows import RecordRows, as_original_ids, collect, sort_rows

if TYPE_CHECKING:
    import narwhals as nw


class NamedColumns(NamedTuple):
    """A frame, and names of its columns; None: search for the usual spellings.

    of_ranks: the numbers are ranks in place of scores: smaller is better.
    """

    frame: object = None
    query: str | None = None
    document: str | None = None
    number: str | None = None
    of_ranks: bool = False


def read_frame(named: NamedColumns, is_qrels: bool) -> tuple[RecordRows, Where]:
    """The rows of a frame, grouped by query, and the name of the frame for errors."""
    frame, origin = open_frame(named.frame)
    import narwhals as nw  # after open_frame, whose error names the extra

    header = choose_header(frame)
    result = find_columns(header, named, is_qrels, origin)
    searched = not (is_qrels or named.of_ranks or named.number)
    result += RANKS.fitting(header)[:1] if searched else []
    columns = select_series(in_memory(frame, result, origin), result)
    queries, documents, scores, *ranks = columns
    values = _numbers(scores, origin)
    if named.of_ranks:
        values = 0.0 - values
    ids, starts = _join_ids(_ids(documents, origin))
    runs, names = _queries(_ids(queries, origin))
    rows = collect(names, (ids, starts, values, np.ascontiguousarray(runs.ravel()), ()))
    if ranks:
        _warn_of_ranks(rows, ranks[0], scores.name, origin)
    others: list[Any] = []
    if queries.dtype.is_integer() or queries.dtype in (nw.Categorical, nw.Object):
        others = [one for one in queries.unique().to_list() if not isinstance(one, str)]
    return rows._replace(original_ids=as_original_ids(rows.queries, others)), origin


def _warn_of_ranks(rows: RecordRows, ranks: "nw.Series[Any]", score: str, origin: Where) -> None:
    """Warn if a column of ranks orders the documents of a list in another way than the scores."""
    try:
        values = _numbers(ranks, origin)
    except (TypeError, ValueError):  # no ranks
        return
    ordered = sort_rows(rows)
    values = values if ordered.order is None else values[ordered.order]
    rises = np.append(np.diff(values) >= 0, True)
    rises[rows.lists[1:-1] - 1] = True  # at the end of each list
    if not rises.all():
        query = rows.queries[int(np.searchsorted(rows.lists, rises.argmin(), side="right")) - 1]
        warn(
            f"{origin.name} has the columns {ranks.name!r} and {score!r}, whose orders disagree "
            f"for {query!r}: {score!r} was taken, and of equal scores the greater id comes first; "
            f"Run.from_frame(frame, rank={ranks.name!r}) takes the ranks, score={score!r} the "
            "scores without this warning"
        )


def find_columns(
    names: Sequence[str], named: NamedColumns, is_qrels: bool, origin: Where
) -> list[str]:
    """Find the three columns: by the name in `named`, else by the first usual spelling."""
    number, spellings = ("label", LABELS) if is_qrels else ("score", SCORES)
    number = "rank" if named.of_ranks else number
    result: list[str] = []
    for column, role, usual in zip(
        named[1:4], ("query", "document", number), (QUERIES, DOCUMENTS, spellings), strict=True
    ):
        if column is not None:
            result.append(require(names, column, role, origin))
            continue
        known = usual.fitting(names)
        if role == "label" and not known:
            known = scores_as_labels(names, result, origin.named)
        if not known:
            records = "Qrels" if is_qrels else "Run"
            by_name = f"name it with rankgain.{records}.from_frame(frame, {role}=...)"
            remedy = by_name if origin.named else "rename one so"
            if origin.named and role == "score":
                remedy += ", or the ranks with rank=..."
            elif role == "score" and RANKS.fitting(names):
                remedy += ', or give ranks in a frame, with Run.from_frame(frame, rank="rank")'
            raise ValueError(
                f"{origin.name}: no column for {role}, such as {usual.names[0]}; there are "
                f"{list_names(names)}; {remedy}"
            )
        result.append(known[0])
    return result


def refuse_one_column(source: object) -> None:
    """Refuse a frame that is both qrels and run if one column would be label and score."""
    frame, origin = open_frame(source)
    names, nothing = choose_header(frame), NamedColumns()
    labels = find_columns(names, nothing, True, origin)[2]
    if labels == find_columns(names, nothing, False, origin)[2]:
        raise ValueError(
            f"{origin.name} is given as qrels and as run, and its column {labels!r} would be both "
            "label and score; name the labels with Qrels.from_frame(label=...)"
        )


def _ids(column: "nw.Series[Any]", origin: Where) -> "nw.Series[Any]":
    """Convert a column of ids to text."""
    import narwhals as nw

    refuse_missing(column, origin)
    kind = column.dtype
    if kind == nw.Object:
        wrong = [one for one in column.to_list() if find_kind(one) not in WITH_TEXT]
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


def _numbers(column: "nw.Series[Any]", origin: Where) -> Any:
    """Convert a column of labels or scores to doubles."""
    refuse_missing(column, origin)
    values = numbers(column, origin._replace(text=True))
    refuse_wide(values, column.name, origin)
    return values.astype(np.float64)


def _join_ids(column: "nw.Series[Any]") -> tuple[Any, Any]:
    """The UTF-8 bytes of all ids one after the other, and where each starts."""
    buffers = _arrow_buffers(column)
    if buffers is not None:
        return buffers
    if not (column.implementation.is_polars() and len(column)):
        return encode_texts(column.to_list())
    text = column.to_native().str
    data = text.join("").item().encode()
    return np.frombuffer(data, np.uint8), add_sizes(text.len_bytes().to_numpy())


def _arrow_buffers(column: "nw.Series[Any]") -> tuple[Any, Any] | None:
    """Bytes and starts from Arrow buffers; None if the text is stored in another way."""
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
    strings = native.cast(pyarrow.large_string())
    if isinstance(strings, pyarrow.ChunkedArray):
        strings = strings.combine_chunks()
    if isinstance(strings, pyarrow.ChunkedArray):  # without a chunk it stays as it is
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    _, starts, data = strings.buffers()
    places = np.frombuffer(starts, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    text = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    return text[places[0] : places[-1]], places - places[0]


def _queries(column: "nw.Series[Any]") -> tuple[Any, list[bytes]]:
    """Runs of rows of one query, as pairs of first row and number of the query; the queries."""
    if not len(column):
        return np.empty((0, 2), np.int64), []
    rows = starts_of_runs(column)
    numbers: dict[str, int] = {}
    firsts = column.gather_every(1) if len(rows) == len(column) else column[rows]
    codes = [numbers.setdefault(name, len(numbers)) for name in firsts.to_list()]
    names = [name.encode("utf-8", "surrogateescape") for name in numbers]
    return np.column_stack((rows, np.array(codes, np.int64))), names
