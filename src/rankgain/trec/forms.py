"""Read qrels and runs that are not frames: files of rows, dicts, rows with names, JSON."""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import repeat
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from ..engine.notices import warn
from ..inputs.files import (
    BLOCK,
    BYTE_ORDER_MARK,
    JSON,
    PARQUET,
    damages,
    feed,
    line_text,
    name_of,
    one_of_each,
    opened,
    suffix_of,
)
from ..inputs.kinds import WITH_TEXT, describe, kind_of, refuse_twins
from ..inputs.tables.columns import QUERIES
from ..inputs.tables.source import Where
from .frames import FrameColumns, find_columns, read_frame
from .rows import RecordRows, as_original_ids, collect

if TYPE_CHECKING:
    from ..inputs.files import Source


Row = tuple[Any, Any, Any]  # query, document, number
AGAINST = 1  # pairs of rows with ranks against their scores were met, and none along them
LEAST_TIME = 1e7  # 20030101 as a number; seconds since 1970 are greater. Labels of qrels are small
ARRAYS = "; arrays of labels and scores are what evaluate_arrays takes"


def has_rows(path: Source) -> bool:
    """Whether a file with the suffix of CSV or TSV starts with a row instead of column names.

    Where a row of TREC has its label, rank or score, or in .tsv also where a row of three columns
    has its number, is a number; or there are two columns, and the first has not the name of one.
    """
    try:
        with opened(path) as stream:
            start = stream.read(BLOCK).removeprefix(BYTE_ORDER_MARK)
    except damages(OSError, ValueError):
        return False  # reading it raises the error
    lines = (line for line in start.splitlines() if line.strip() and not line.startswith(b"#"))
    first = next(lines, b"")
    tabs, least = first.split(b"\t"), 3
    if suffix_of(path) == ".tsv":
        least = 2
        if len(tabs) == 2 and not QUERIES.fitting([tabs[0].decode("utf-8", "replace")]):
            return True
    fields = [*first.split()[least:5], *tabs[least:5]]
    return first.count(b",") < 2 and any(map(_is_number, fields))


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def is_of_ranx(source: object) -> bool:
    """Whether a source is an object of ranx."""
    return type(source).__module__.partition(".")[0] == "ranx"


def is_framed(source: object) -> bool:
    """Whether a source is a data frame, or a file that is read as one."""
    if isinstance(source, (str, os.PathLike)):
        if str(os.fspath(source)).lower().endswith(PARQUET):
            return True
        return suffix_of(source) in (".csv", ".tsv") and not has_rows(source)
    kind = type(source)
    return hasattr(kind, "columns") or hasattr(kind, "column_names")


def read_records(
    source: Any, is_qrels: bool, duplicates: str = "raise", columns: FrameColumns | None = None
) -> tuple[RecordRows, Any, bool]:
    """Read qrels or a run; return the source for errors, and whether the second fields differ.

    columns: of the frame that the source then is.
    """
    if columns is not None or is_framed(source):
        return *read_frame(source, is_qrels, columns or FrameColumns()), False
    rows = _core.Rows(is_qrels, False, suffix_of(source) == ".tsv")
    origin, others = _fill(rows, source, is_qrels, duplicates)
    result = collect(rows.names_of_queries(), rows.columns())
    if rows.lines:
        if is_qrels:
            _refuse_times(rows, result, origin)
        elif rows.fields:
            result = _read_ranks(rows, result, origin)
        warn_of_lines(origin, rows.comment, rows.orders)
    if others:
        result = result._replace(original_ids=as_original_ids(result.queries, others))
    return result, origin, rows.iterations


def _fill(
    rows: _core.Rows, source: Any, is_qrels: bool, duplicates: str = "raise"
) -> tuple[Any, list[Any]]:
    """Read rows from a source other than a frame; return its name and the ids that are no text."""
    called = "qrels" if is_qrels else "run"
    if suffix_of(source) == ".json":
        source, called = _parsed(source), name_of(source)
    if isinstance(source, Mapping):
        return source, _add_mapping(rows, source, is_qrels, duplicates, called)
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        if suffix_of(source) not in JSON:
            feed(source, rows)
            return source, []
        origin = Where(name_of(source), "line", False)
        triples = _named(_json_lines(source, origin), is_qrels, origin)
        return Where(origin.name), _add_rows(rows, triples, origin)
    if isinstance(source, Iterable) and not isinstance(source, (bytes, np.ndarray)):
        origin = Where(f"the {type(source).__name__}", named=False)
        return origin, _add_rows(rows, _named(enumerate(source, 1), is_qrels, origin), origin)
    kind = "Qrels" if is_qrels else "Run"
    raise TypeError(
        f"{kind} cannot be read from {type(source).__name__}; give a path, a file, a dict of "
        "dicts or of lists, a data frame, or rows with names"
        f"{ARRAYS if _is_array(source) else ''}"
    )


def _is_array(value: object) -> bool:
    """Whether a value is an array, a list or a number, as for `evaluate_arrays`."""
    return isinstance(value, (Number, np.generic, list, tuple)) or hasattr(value, "__array__")


def _parsed(path: Source) -> Any:
    """Read a JSON file with a dict of dicts."""
    try:
        with opened(path) as stream, io.TextIOWrapper(stream, "utf-8-sig") as text:
            result = json.load(text, object_pairs_hook=one_of_each)
    except damages(ValueError, RecursionError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the system
            raise
        raise ValueError(f"{name_of(path)}: not JSON: {error}") from None
    if not isinstance(result, dict):
        raise ValueError(f"{name_of(path)}: expected an object query -> document -> number")
    return result


def _lines(path: Any, origin: Where) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, with their numbers."""
    try:
        with opened(path) as stream, io.TextIOWrapper(stream, "utf-8-sig") as text:
            for number, line in enumerate(text, 1):
                if line.strip():
                    yield number, line.strip()
    except damages(ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the system
            raise
        raise ValueError(f"{origin.name}: cannot be read: {error}") from error


def _json_lines(path: Source, origin: Where) -> Iterator[tuple[int, Any]]:
    for number, line in _lines(path, origin):
        try:
            yield number, json.loads(line, object_pairs_hook=one_of_each)
        except (ValueError, RecursionError) as error:
            raise ValueError(
                f"{origin.name}, line {number}: not JSON: {error}: {line[:200]!r}"
            ) from None


def _named(
    items: Iterable[tuple[int, Any]], is_qrels: bool, origin: Where
) -> Iterator[tuple[int, Row]]:
    """Read rows with names: named tuples, objects or dicts."""
    names: list[str] = []
    for number, item in items:
        fields: Any = item
        if not isinstance(item, Mapping):
            fields = item._asdict() if hasattr(item, "_asdict") else getattr(item, "__dict__", None)
        if not isinstance(fields, Mapping) or not (fields or fields is item):
            raise TypeError(
                f"{origin.name}, {origin.unit} {number}: expected a row with names, such as "
                f"query_id, doc_id and {'relevance' if is_qrels else 'score'}, not "
                f"{describe(item)}"
                f"{ARRAYS if _is_array(item) else ''}"
            )
        if not names:
            names = find_columns(list(fields), FrameColumns(), is_qrels, origin)
        try:
            yield number, (fields[names[0]], fields[names[1]], fields[names[2]])
        except KeyError as missing:
            raise ValueError(
                f"{origin.name}, {origin.unit} {number}: {missing} is missing"
            ) from None


def _add_rows(rows: _core.Rows, items: Iterable[tuple[int, Row]], origin: Where) -> list[Any]:
    """Add rows one by one; return the query ids that are no text."""
    others = []
    first: tuple[Any, Any] | None = None
    for number, (query, document, value) in items:
        kinds = kind_of(query), kind_of(document)
        if first is None:
            first = kinds
        elif kinds != first:  # 7 and "7" would become equal
            at = int(kinds[0] == first[0])
            raise TypeError(
                f"{origin.name}, {origin.unit} {number}: the {('query', 'document')[at]} "
                f"{(query, document)[at]!r} is {kinds[at]}, those before are {first[at]}; ids of "
                "two types are never equal: give all in one"
            )
        try:
            rows.add(query, [(document, value)])
        except (TypeError, ValueError, OverflowError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            is_number = isinstance(value, (Number, np.number, np.bool_))
            words = (
                error if is_number else f"a label or score must be a number, not {describe(value)}"
            )
            raise kind(f"{origin.name}, {origin.unit} {number}: {words}") from None
        if not isinstance(query, str):
            others.append(query)
    return others


def _add_mapping(
    rows: _core.Rows, source: Mapping[Any, Any], is_qrels: bool, duplicates: str, name: str
) -> list[Any]:
    """Read a dict of dicts, or of lists or sets of ids; name: of it, for errors."""
    number = "label" if is_qrels else "score"
    refuse_twins(source, f"{name}: the queries")
    for query, documents in source.items():
        if isinstance(documents, Mapping):
            pairs: Any = documents.items()
        else:
            pairs = _listed(f"{name}: query {query!r}", documents, is_qrels, duplicates)
        if not pairs and is_qrels:
            continue
        try:
            rows.add(query, pairs)
        except OverflowError:
            raise ValueError(f"{name}: query {query!r}: a {number} is too large") from None
        except (TypeError, ValueError) as error:
            words = f": {error}"
            for document, value in pairs:
                try:
                    is_number = not math.isnan(value)
                except (TypeError, OverflowError):
                    is_number = False
                if not is_number:
                    words = f", document {document!r}: a {number} must be a number, not {value!r}"
                    break
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{name}: query {query!r}{words}") from None
    return [query for query in source if not isinstance(query, str)]


def _listed(where: str, ids: object, is_qrels: bool, duplicates: str) -> list[tuple[Any, int]]:
    """Read a set or list of ids: relevant ones, or a ranking, best first."""
    if isinstance(ids, Set) and not is_qrels:
        raise TypeError(f"{where}: a set has no order; give a list, best first")
    if isinstance(ids, np.ndarray) and ids.ndim == 1:
        ids = ids.tolist()
    if not isinstance(ids, (Set, list, tuple)):
        kind = type(ids).__name__
        raise TypeError(f"{where}: expected a dict of documents or a list of ids, not {kind}")
    for document in ids:
        if kind_of(document) not in WITH_TEXT:
            raise TypeError(
                f"{where}: an id must be a string or an integer, not {describe(document)}"
            )
    if not is_qrels and duplicates == "raise" and len(set(ids)) < len(ids):
        listed = list(ids)
        document = next(one for at, one in enumerate(listed) if one in listed[:at])
        raise ValueError(
            f"{where}: document {document!r} comes twice; "
            f'rankgain.Run(source, duplicates="first") or "in_place" takes it'
        )
    return list(zip(ids, repeat(1) if is_qrels else range(len(ids), 0, -1)))  # noqa: B905


def warn_of_lines(source: Source, comment: int, orders: int) -> None:
    """Warn of a comment that may be a row, and of ranks against the scores."""
    if comment:
        warn(
            f"{name_of(source)}, line {comment} begins with # and is left out as a comment, but it "
            "has the fields of a row; a query id that begins with # can be read from a dict or a "
            f"data frame{line_text(source, comment)}"
        )
    if orders == AGAINST:
        warn(
            f"{name_of(source)}: in every query the ranks run against the scores, and the higher "
            "score comes first: if the scores are distances, negate them"
        )


def _refuse_times(reader: _core.Rows, rows: RecordRows, source: Source) -> None:
    """Refuse a log of user, item, rating and time: its rows have the shape of qrels."""
    if not reader.iterations and reader.fields != 3:
        return
    times = np.flatnonzero(rows.values >= LEAST_TIME)
    if len(times) < 2 or 2 * len(times) < len(rows.values):
        return
    line = rows.line(int(times[0]))
    names, shape = "user, item, rating and time", "query, iteration, document and label"
    label, apart = "rating", ", and the second differs from row to row"
    if reader.fields:
        names, shape = "user, item and time", "query, document and label"
        label, apart = "...", ""
    raise ValueError(
        f"{name_of(source)}, line {line}: this looks like a log of {names}, not like qrels of "
        f"{shape}: the last field holds times{apart}; read it as a data frame with names of the "
        'columns, and give rankgain.Qrels.from_frame(frame, query="user", document="item", '
        f'label="{label}"){line_text(source, line)}'
    )


def _read_ranks(reader: _core.Rows, rows: RecordRows, source: Source) -> RecordRows:
    """Check ranks, which must be 1, 2, 3 and so on, or 0, 1, 2 and so on, in each query.

    Return the rows; ranks in place of scores are negated.
    """
    ranks = rows.values if reader.fields == 3 else np.asarray(reader.ranks()).view(np.float64)
    sizes = np.diff(rows.lists)
    lists = np.repeat(np.arange(len(sizes)), sizes)
    order = np.arange(len(ranks)) if rows.order is None else rows.order
    order = order[np.lexsort((ranks[order], lists))]
    ordered = ranks[order]
    firsts = np.repeat((ordered[rows.lists[:-1]] > 0).astype(np.int64), sizes)
    again = np.append(False, (ordered[1:] == ordered[:-1]) & (lists[1:] == lists[:-1]))
    stops = np.repeat(sizes, sizes) + firsts
    wrong = again | (ordered % 1 != 0) | (ordered < firsts) | (ordered >= stops)
    if not wrong.any():
        return rows._replace(values=0.0 - ranks) if reader.fields == 3 else rows
    at = int((again if again.any() else wrong).nonzero()[0][0])
    line, query = rows.line(int(order[at])), rows.queries[lists[at]]
    shape, remedy = "three columns of a run are query, document and rank", "scores need a header"
    if reader.fields == 4:
        shape = "four columns of a run are query, document, rank and score"
        remedy = "are the qrels and the run exchanged? Else give a header"
    second = " a second time" if again[at] else ""
    raise ValueError(
        f"{name_of(source)}, line {line}: {shape}, and the ranks of a query are 1, 2, 3 and so on "
        f"(or 0, 1, 2), but {query!r} has {ordered[at]:g}{second}; {remedy}, or TREC's form"
        f"{line_text(source, line)}"
    )
