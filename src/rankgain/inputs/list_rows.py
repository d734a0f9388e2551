"""Tables with a row for each query, which holds its retrieved and its relevant ids as lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .answers import is_answer, plain, read_list
from .entries import Entries, are_entries, as_numbers
from .files import are_paths, read_json_lines
from .grouping import first_repeat
from .joined import split_ids
from .printable import count_of, describe, is_missing, list_names
from .tables.columns import choose_header, in_memory, select_series
from .tables.roles import QUERIES
from .tables.source import LINES, Files, find_files, open_table

if TYPE_CHECKING:
    from .types import Path

QUESTIONS = ("question_id", "question", "id")  # fields that name a query where no usual one does
SCORES = ("scores", "score")  # fields that may hold a list of the scores of the retrieved ids
Pair = tuple[Any, Any]


class Fields(NamedTuple):
    """The names of columns, or of the fields of JSON lines."""

    retrieved: str
    relevant: str
    run: str | None
    query: str | None = None
    score: str | None = None


def read_list_rows(source: object, fields: Fields) -> dict[str, Pair]:
    """Retrieved and relevant ids, by query if rows name it, of each system ("" without `run`)."""
    systems: dict[str, tuple[list[object], list[object], list[object]]] = {}
    first_place: dict[tuple[str, object], str] = {}  # of each query of each system
    kinds: dict[str, type] = {}  # of the values that name the systems
    query = fields.query
    score: str | None = None
    for place, record in _records(source, fields):
        if not systems:
            if query is None:
                query = _query_field(record)
            score = _score_field(record, fields)
            if query is None and fields.run is not None:
                raise ValueError(
                    f"{place}: no field names the query, by which systems are compared, such as "
                    f"query or question_id; there are {list_names(list(record))}"
                )
        score_here = _score_field(record, fields)
        if score != score_here:
            raise ValueError(
                f"{place}: some rows have {score or score_here}, others not; give all or none"
            )
        run_value = "" if fields.run is None else _field(record, fields.run, "run", place)
        system = str(run_value)
        if kinds.setdefault(system, type(run_value)) is not type(run_value):
            raise ValueError(
                f"{place}: two systems in {describe(fields.run)} are called {describe(system)} as "
                "text"
            )
        scores = None if score is None else _field(record, score, "score", place)
        ranked = _field(record, fields.retrieved, "retrieved", place)
        ids = _read_ranked(ranked, scores, place, score)
        judged = _read_judged(_field(record, fields.relevant, "relevant", place), place)
        name = None if query is None else _field(record, query, "query", place)
        if isinstance(name, (list, dict)):
            raise TypeError(f"{place}: {query} is {describe(name)}; ids must be text or integers")
        first = first_place.setdefault((system, name), place)
        if query is not None and first != place:
            repeated = f"the query {describe(name)}"
            remedy = "keep one, or pass run= with the field of the systems"
            if fields.run is not None:
                repeated = f"{repeated} of {describe(system)}"
                remedy = "keep one"
            raise ValueError(f"{place}: {repeated} comes a second time, first in {first}; {remedy}")
        names, rows, judgments = systems.setdefault(system, ([], [], []))
        names.append(name)
        rows.append(ids)
        judgments.append(judged)
    if not systems:
        raise ValueError("the table has no rows, so there is no list to evaluate")
    result: dict[str, Pair] = {}
    for system, (names, rows, judgments) in systems.items():
        if query is None:
            result[system] = rows, judgments
        else:
            rows_by_query = dict(zip(names, rows, strict=True))
            judgments_by_query = dict(zip(names, judgments, strict=True))
            result[system] = rows_by_query, judgments_by_query
    return result


def has_list_rows(source: object) -> bool:
    """Whether the first argument of a call is a table, or its paths."""
    kind = type(source)  # a lazy frame may compute its attribute
    is_table = any(hasattr(kind, attribute) for attribute in ("columns", "column_names", "scanner"))
    return is_table or are_paths(source)


def _query_field(names: Iterable[str]) -> str | None:
    """The field that names the query of a row."""
    fields = list(names)
    usual = QUERIES.matching(fields)
    if usual:
        return str(usual[0])
    for name in QUESTIONS:
        if name in fields:
            return name
    return None


def _score_field(record: Mapping[str, Any], fields: Fields) -> str | None:
    """The field with a list of scores: the one that is named, or one of a usual name."""
    if fields.score is not None:
        return fields.score
    several = record.get(SCORES[0])
    if _is_list(several) or not is_missing(several):
        return SCORES[0]
    # One number in "score" is that of the row, such as the quality of an answer.
    if _is_list(record.get(SCORES[1])):
        return SCORES[1]
    return None


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple)) or (getattr(value, "ndim", 0) == 1)


def _records(source: object, fields: Fields) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The place and the fields of each row."""
    if are_paths(source):
        source = files = find_files(cast("Path", source))
        if files.suffix in LINES:
            yield from _lines(files, fields)
            return
        if len(files.files) > 1:
            raise ValueError(
                f"{files.name}: lists of ids are read from JSON lines, or from one Parquet or CSV "
                "file"
            )
    frame, origin = open_table(source)
    header = choose_header(frame)
    # The requested columns and then the usual ones, each once.
    names: list[str] = []
    for argument, name in fields._asdict().items():
        if name is None:
            continue
        column = _column_of(name, header)
        if column is None:
            raise ValueError(_missing_field(origin.name, name, argument, header))
        names.append(column)
    for name in (_query_field(header), *SCORES):
        if name is not None and name in header:
            names.append(name)
    names = list(dict.fromkeys(names))
    series = select_series(in_memory(frame, names, origin), names)
    columns = [column.to_list() for column in series]
    fields_of_lists = (fields.retrieved, fields.relevant, fields.score or SCORES[0])
    for row_number, row in enumerate(zip(*columns, strict=True)):
        place = origin.row(row_number)
        record = dict(zip(names, row, strict=True))
        for name in fields_of_lists:  # a cell of CSV holds a list as text
            if isinstance(record.get(name), str):
                record[name] = split_ids(record[name], f"{place}: {name}")
        yield place, record


def _lines(files: Files, fields: Fields) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of JSON lines."""
    for file in files.files:
        for number, record in read_json_lines(file.path, file.name):
            place = f"{file.name}, line {number}"
            if not isinstance(record, dict):
                raise ValueError(f"{place} is not a JSON object: {describe(record)}")
            for name in fields[:2]:
                value = record.get(name)
                if isinstance(value, dict) and None in value.values():
                    raise ValueError(f"{place}: {name} has null for an id; give a number")
            yield place, record


def _column_of(name: str, header: Sequence[object]) -> str | None:
    """The column with this name, or with the longest start of it up to a dot; None: there is none.

    "outputs.ids" is the field ids of the objects in the column outputs.
    """
    while name not in header:
        name, dot, _ = name.rpartition(".")
        if not dot:
            return None
    return name


def _follow_path(value: Any, path: str) -> Any:
    """The value at a path of names; of a list of objects, a list of their values."""
    for name in path.split("."):
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, (list, tuple)) and not value:
            value = []  # of no object
        elif are_entries(value) and all(name in entry for entry in value):
            value = [entry[name] for entry in value]
        else:
            raise KeyError(name)
    return value


def _field(record: Mapping[str, Any], name: str, argument: str, place: str) -> Any:
    """The value of a field, which must be there."""
    column = _column_of(name, list(record))
    if column is None:
        raise ValueError(_missing_field(place, name, argument, list(record)))
    value = record[column]
    if column != name:
        try:
            value = _follow_path(value, name.removeprefix(f"{column}."))
        except KeyError as error:
            raise ValueError(
                f"{place}: no field {name!r} ({argument}=); {error.args[0]!r} is not in it, but "
                f"{describe(value)}"
            ) from None
    if hasattr(value, "tolist"):
        value = value.tolist()
    if is_missing(value):
        raise ValueError(f"{place}: {name} has no value")
    return value


def _missing_field(place: str, name: str, argument: str, fields: Sequence[Any]) -> str:
    """The error for a field that a row does not have."""
    from difflib import get_close_matches  # imported only for the error

    words = f"{place}: no field {describe(name)} ({argument}=); there are {list_names(fields)}"
    matches = get_close_matches(name, [str(field) for field in fields], n=1)
    if matches:
        return f"{words}; did you mean {matches[0]!r}?"
    if argument == "query":
        return words
    return f"{words}; pass {argument}="


def _read_ranked(ids: Any, scores: Any, place: str, field: str | None) -> list[object]:
    """Ids, best first: as they are, or by their scores; equal scores stay in their order."""
    ids = plain(ids)
    if isinstance(ids, dict) and not is_answer(ids):
        entries: Entries | None = Entries(list(ids), list(ids.values()))
    else:
        entries = read_list(ids, f"{place}: retrieved", is_qrels=False)
    if entries is not None:
        ids = entries.ids
        if entries.numbers is not None:
            if scores is not None:
                raise ValueError(f"{place}: retrieved holds scores, and so does {field}; give one")
            scores = entries.numbers
    if not isinstance(ids, (list, tuple)):
        raise TypeError(f"{place}: retrieved is {describe(ids)}; give a list of ids, best first")
    if scores is None:
        return list(ids)
    if not isinstance(scores, (list, tuple)):
        raise TypeError(f"{place}: the scores are {describe(scores)}; give a list of numbers")
    if len(scores) != len(ids):
        counts = f"{count_of(len(ids), 'id')}, but {count_of(len(scores), 'score')}"
        raise ValueError(f"{place} has {counts}; give a score for each id")
    # Numbers as text, if all are, are read and refused by as_numbers.
    is_text = all(isinstance(score, str) for score in scores)
    if not is_text:
        for score in scores:
            if not isinstance(score, Number) or math.isnan(cast("float", score)):
                raise ValueError(f"{place}: a score is {describe(score)}; it must be a number")
    return Entries(list(ids), as_numbers(scores, f"{place}: a score")).ranked()


def _read_judged(ids: object, place: str) -> list[object] | dict[object, object]:
    """Relevant ids as a list, or with labels as a dict."""
    if isinstance(ids, dict) and not is_answer(ids):
        # A column of structs has the keys of all rows in each row, with None for absent ones.
        labels = {identifier: label for identifier, label in ids.items() if label is not None}
        if any(isinstance(label, str) for label in labels.values()):
            numbers = as_numbers(labels.values(), f"{place}: a label")
            return dict(zip(labels, numbers, strict=True))
        return labels
    entries = read_list(ids, f"{place}: relevant", is_qrels=True)
    if entries is None:
        if not isinstance(ids, (list, tuple)):
            raise TypeError(f"{place}: relevant is {describe(ids)}; give a list of ids")
        return list(ids)
    if entries.numbers is None:
        return entries.ids
    if first_repeat(entries.ids) is not None:
        raise ValueError(f"{place}: relevant has an id twice; give an id once")
    return dict(zip(entries.ids, entries.numbers, strict=True))
