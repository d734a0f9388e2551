"""Tables with a row for each query, which holds its retrieved and its relevant ids as lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .files import are_paths, read_json_lines
from .ids import is_pair
from .printable import describe, is_missing, list_names
from .tables.columns import choose_header, in_memory, select_series
from .tables.roles import QUERIES
from .tables.source import LINES, Files, find_files, open_table

if TYPE_CHECKING:
    from .types import Path

QUESTIONS = ("question_id", "question", "id")  # fields that name a query where no usual one does
SCORES = "scores"  # the field with the scores of the retrieved ids, if there is one
Pair = tuple[Any, Any]


class Fields(NamedTuple):
    """The names of columns, or of the fields of JSON lines."""

    retrieved: str
    relevant: str
    run: str | None


def read_list_rows(source: object, fields: Fields) -> dict[str, Pair]:
    """Retrieved and relevant ids, by query if rows name it, of each system ("" without `run`)."""
    systems: dict[str, tuple[list[Any], list[Any], list[Any]]] = {}
    query, known, scored = None, dict[Pair, str](), False
    kinds: dict[str, type] = {}  # of the values that name the systems
    for place, record in _records(source, fields):
        if not systems:
            query, scored = _query_field(record), _has_scores(record)
            if query is None and fields.run is not None:
                raise ValueError(
                    f"{place}: no field names the query, by which systems are compared, such as "
                    f"query or question_id; there are {list_names(list(record))}"
                )
        if scored != _has_scores(record):
            raise ValueError(f"{place}: some rows have {SCORES}, others not; give all or none")
        of_run = "" if fields.run is None else _field(record, fields.run, "run", place)
        system = str(of_run)
        if kinds.setdefault(system, type(of_run)) is not type(of_run):
            raise ValueError(
                f"{place}: two systems in {describe(fields.run)} are called {describe(system)} as "
                "text"
            )
        ids = _read_ranked(_field(record, fields.retrieved, "retrieved", place), record, place)
        judged = _read_judged(_field(record, fields.relevant, "relevant", place), place)
        name = None if query is None else _field(record, query, "query", place)
        if isinstance(name, (list, dict)):
            raise TypeError(f"{place}: {query} is {describe(name)}; ids must be text or integers")
        first = known.setdefault((system, name), place)
        if query is not None and first != place:
            of = "" if fields.run is None else f" of {describe(system)}"
            raise ValueError(
                f"{place}: the query {describe(name)}{of} comes a second time, first in {first}; "
                + ("keep one" if of else "keep one, or name the field of the systems with run=")
            )
        columns = systems.setdefault(system, ([], [], []))
        for column, value in zip(columns, (name, ids, judged), strict=True):
            column.append(value)
    if not systems:
        raise ValueError("the table has no rows, so there is no list to evaluate")
    if query is None:
        return {system: (rows, judged) for system, (_, rows, judged) in systems.items()}
    return {
        system: (dict(zip(names, rows, strict=True)), dict(zip(names, judged, strict=True)))
        for system, (names, rows, judged) in systems.items()
    }


def has_list_rows(source: object) -> bool:
    """Whether the first argument of a call is a table, or its paths."""
    kind = type(source)  # a lazy frame may compute its attribute
    is_table = any(hasattr(kind, one) for one in ("columns", "column_names", "scanner"))
    return is_table or are_paths(source)


def _query_field(names: Iterable[str]) -> str | None:
    """The field that names the query of a row."""
    known = list(names)
    return next(iter([*QUERIES.matching(known), *(one for one in QUESTIONS if one in known)]), None)


def _has_scores(record: Mapping[str, Any]) -> bool:
    """Whether a row has scores: a missing value, such as pandas' NaN, is none."""
    return not is_missing(record.get(SCORES))


def _records(source: object, fields: Fields) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The place and the fields of each row."""
    if are_paths(source):
        source = files = find_files(cast("Path", source))
        if files.suffix in LINES:
            yield from _lines(files, fields)
            return
        if files.where.text or len(files.files) > 1:
            raise ValueError(
                f"{files.name}: lists of ids are read of JSON lines, or of one Parquet file"
            )
    frame, where = open_table(source)
    header = choose_header(frame)
    query = _query_field(header)
    usual = [*([] if query is None else [query]), *([SCORES] if SCORES in header else [])]
    needed = [*fields[:2], *usual, *([] if fields.run is None else [fields.run])]
    names = [one for one in dict.fromkeys(needed) if one in header]
    for argument, name in fields._asdict().items():
        if name is not None and name not in header:
            raise ValueError(_absent(where.name, name, argument, header))
    columns = [one.to_list() for one in select_series(in_memory(frame, names, where), names)]
    for at, row in enumerate(zip(*columns, strict=True)):
        yield where.row(at), dict(zip(names, row, strict=True))


def _lines(files: Files, fields: Fields) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of JSON lines."""
    for file in files.files:
        for number, record in read_json_lines(file.path, file.name):
            place = f"{file.name}, line {number}"
            if not isinstance(record, dict):
                raise ValueError(f"{place} is no JSON object: {describe(record)}")
            for name in fields[:2]:
                value = record.get(name)
                if isinstance(value, dict) and None in value.values():
                    raise ValueError(f"{place}: {name} has null for an id; give a number")
            yield place, record


def _field(record: Mapping[str, Any], name: str, argument: str, place: str) -> Any:
    """The value of a field, which must be there."""
    if name not in record:
        raise ValueError(_absent(place, name, argument, list(record)))
    value = record[name]
    value = value.tolist() if hasattr(value, "tolist") else value
    if value is None or (not isinstance(value, (list, tuple, dict)) and is_missing(value)):
        raise ValueError(f"{place}: {name} has no value")
    return value


def _absent(place: str, name: str, argument: str, known: Sequence[Any]) -> str:
    remedy = f"; name it with {argument}=" if argument != "query" else ""
    return (
        f"{place}: no field {describe(name)} ({argument}=); there are {list_names(known)}{remedy}"
    )


def _read_ranked(ids: Any, record: Mapping[str, Any], place: str) -> list[Any]:
    """Ids, best first: as they are, or by their scores; equal scores stay in their order."""
    scores = record.get(SCORES) if _has_scores(record) else None
    pairs = list(ids.items()) if isinstance(ids, dict) else ids
    if not isinstance(pairs, (list, tuple)):
        raise TypeError(f"{place}: retrieved is {describe(ids)}; give a list of ids, best first")
    if isinstance(ids, dict) or (pairs and all(map(is_pair, pairs))):
        if scores is not None:
            raise ValueError(f"{place}: retrieved holds scores, and so does {SCORES}; give one")
        ids, scores = [one for one, _ in pairs], [score for _, score in pairs]
    if scores is None:
        return list(ids)
    scores = scores.tolist() if hasattr(scores, "tolist") else scores
    if not isinstance(scores, (list, tuple)):
        raise TypeError(
            f"{place}: {SCORES} is {describe(scores)}; give a list with a score for each id"
        )
    if len(scores) != len(ids):
        raise ValueError(f"{place}: there are {len(ids)} ids, but {len(scores)} scores")
    for score in scores:
        if not isinstance(score, Number) or math.isnan(cast("float", score)):
            raise ValueError(f"{place}: a score is {describe(score)}; it must be a number")
    return [ids[at] for at in sorted(range(len(ids)), key=lambda at: scores[at], reverse=True)]


def _read_judged(ids: Any, place: str) -> Any:
    """Relevant ids as a list, or with labels as a dict."""
    if isinstance(ids, dict):  # a frame has the keys of all rows in each
        return {one: label for one, label in ids.items() if label is not None}
    if not isinstance(ids, (list, tuple)):
        raise TypeError(f"{place}: relevant is {describe(ids)}; give a list of ids")
    if ids and all(map(is_pair, ids)):
        if len({one for one, _ in ids}) < len(ids):
            raise ValueError(f"{place}: relevant has an id twice; give an id once")
        return dict(map(tuple, ids))
    return list(ids)
