"""Read qrels and runs of other forms than rows and frames: dicts, rows with names, JSON."""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import repeat
from numbers import Number
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from ..inputs.files import (
    damages,
    find_suffix,
    name_source,
    one_of_each,
    open_source,
    read_json_lines,
)
from ..inputs.kinds import WITH_TEXT, describe, find_kind, refuse_twins
from ..inputs.tables.source import Where
from .frames import NamedColumns, find_columns
from .rows import RecordRows, as_original_ids, collect

if TYPE_CHECKING:
    from ..inputs.files import Source


Row = tuple[Any, Any, Any]  # query, document, number
TEXTS = ("str", "str")  # the kinds of two ids of text
ARRAYS = "; arrays of labels and scores are what evaluate_arrays takes"


def is_of_ranx(source: object) -> bool:
    """Whether a source is an object of ranx."""
    return type(source).__module__.partition(".")[0] == "ranx"


def read_objects(source: Any, is_qrels: bool, duplicates: str) -> tuple[RecordRows, Any]:
    """Read a dict, rows with names or JSON; return also the source for errors."""
    called = "qrels" if is_qrels else "run"
    reader = _core.Rows(is_qrels, False, False)
    if find_suffix(source) == ".json":
        source, called = _parse_json(source), name_source(source)
    if isinstance(source, Mapping):
        others = _add_mapping(reader, source, is_qrels, duplicates, called)
    elif isinstance(source, (str, os.PathLike)):
        origin = Where(name_source(source), "line", False)
        lines = read_json_lines(source, origin.name)
        others = _add_rows(reader, _read_named(lines, is_qrels, origin), origin)
        source = Where(origin.name)
    elif isinstance(source, Iterable) and not isinstance(source, (bytes, np.ndarray)):
        origin = Where(f"the {type(source).__name__}", named=False)
        others = _add_rows(reader, _read_named(enumerate(source, 1), is_qrels, origin), origin)
        source = origin
    else:
        raise TypeError(
            f"{'Qrels' if is_qrels else 'Run'} cannot be read from {type(source).__name__}; give a "
            "path, a file, a dict of dicts or of lists, a data frame, or rows with names"
            f"{ARRAYS if _is_array(source) else ''}"
        )
    rows = collect(reader.names_of_queries(), reader.columns())
    return rows._replace(original_ids=as_original_ids(rows.queries, others)), source


def _is_array(value: object) -> bool:
    """Whether a value is an array, a list or a number, as for `evaluate_arrays`."""
    return isinstance(value, (Number, np.generic, list, tuple)) or hasattr(value, "__array__")


def _parse_json(path: Source) -> Any:
    """Read a JSON file with a dict of dicts."""
    try:
        with open_source(path) as stream, io.TextIOWrapper(stream, "utf-8-sig") as text:
            result = json.load(text, object_pairs_hook=one_of_each)
    except damages(ValueError, RecursionError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the system
            raise
        raise ValueError(f"{name_source(path)}: not JSON: {error}") from None
    if not isinstance(result, dict):
        raise ValueError(f"{name_source(path)}: expected an object query -> document -> number")
    return result


def _read_named(
    items: Iterable[tuple[int, Any]], is_qrels: bool, origin: Where
) -> Iterator[tuple[int, Row]]:
    """Read rows with names: named tuples, objects or dicts."""
    names: list[str] = []
    kind: type | None = None
    get: Callable[[Any], Any] = tuple
    for number, item in items:
        if type(item) is not kind:
            kind, fields = type(item), item
            if not isinstance(item, Mapping):
                read = getattr(item, "_asdict", None)
                fields = getattr(item, "__dict__", None) if read is None else read()
            if not isinstance(fields, Mapping) or not (fields or fields is item):
                raise TypeError(
                    f"{origin.name}, {origin.unit} {number}: expected a row with names, such as "
                    f"query_id, doc_id and {'relevance' if is_qrels else 'score'}, not "
                    f"{describe(item)}"
                    f"{ARRAYS if _is_array(item) else ''}"
                )
            if not names:
                names = find_columns(list(fields), NamedColumns(), is_qrels, origin)[:3]
            get = itemgetter(*names) if fields is item else attrgetter(*names)
        try:
            yield number, get(item)
        except (KeyError, AttributeError):
            has = item if isinstance(item, Mapping) else dir(item)
            missing = next(name for name in names if name not in has)
            raise ValueError(
                f"{origin.name}, {origin.unit} {number}: {missing!r} is missing"
            ) from None


def _add_rows(rows: _core.Rows, items: Iterable[tuple[int, Row]], origin: Where) -> list[Any]:
    """Add rows, those of one query that follow each other at once; return ids that are no text."""
    others = []
    first: tuple[str, str] | None = None
    last: Any = None
    pairs: list[tuple[Any, Any]] = []
    numbers: list[int] = []
    for number, (query, document, value) in items:
        kinds = TEXTS
        if type(query) is not str or type(document) is not str:
            kinds = find_kind(query), find_kind(document)
        if first is None:
            first = kinds
        elif kinds != first:  # 7 and "7" would become equal
            at = int(kinds[0] == first[0])
            raise TypeError(
                f"{origin.name}, {origin.unit} {number}: the {('query', 'document')[at]} "
                f"{(query, document)[at]!r} is {kinds[at]}, those before are {first[at]}; ids of "
                "two types are never equal: give all in one"
            )
        if numbers and type(query) in (str, int) and query == last:
            pairs.append((document, value))
            numbers.append(number)
            continue
        _add_query(rows, last, pairs, numbers, origin)
        last, pairs, numbers = query, [(document, value)], [number]
        if not isinstance(query, str):
            others.append(query)
    _add_query(rows, last, pairs, numbers, origin)
    return others


def _add_query(
    rows: _core.Rows, query: Any, pairs: list[tuple[Any, Any]], numbers: list[int], origin: Where
) -> None:
    """Add the rows of one query; numbers: of the rows in their source, for errors."""
    if not pairs:
        return
    try:
        rows.add(query, pairs)
    except (TypeError, ValueError, OverflowError):
        for number, (document, value) in zip(numbers, pairs, strict=True):
            try:
                rows.add(query, [(document, value)])
            except (TypeError, ValueError, OverflowError) as error:
                kind = TypeError if isinstance(error, TypeError) else ValueError
                is_number = isinstance(value, (Number, np.number, np.bool_))
                words = f"a label or score must be a number, not {describe(value)}"
                raise kind(
                    f"{origin.name}, {origin.unit} {number}: {error if is_number else words}"
                ) from None
        raise


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
            pairs = _read_listed(f"{name}: query {query!r}", documents, is_qrels, duplicates)
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


def _read_listed(where: str, ids: object, is_qrels: bool, duplicates: str) -> list[tuple[Any, int]]:
    """Read a set or list of ids: relevant ones, or a ranking, best first."""
    if isinstance(ids, Set) and not is_qrels:
        raise TypeError(f"{where}: a set has no order; give a list, best first")
    if isinstance(ids, np.ndarray) and ids.ndim == 1:
        ids = ids.tolist()
    if not isinstance(ids, (Set, list, tuple)):
        kind = type(ids).__name__
        raise TypeError(f"{where}: expected a dict of documents or a list of ids, not {kind}")
    for document in ids:
        if find_kind(document) not in WITH_TEXT:
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
