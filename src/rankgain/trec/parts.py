"""Judgments of the parts of queries, from rows, nested dicts and columns to one row a document."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import pairwise
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .. import _core
from ..inputs.answers import has_label
from ..inputs.entries import parse_number
from ..inputs.files import Source, errors_in, find_suffix, line_text, name_source, parse_source
from ..inputs.grouping import factorize
from ..inputs.lists import add_sizes, reword_error
from ..inputs.parts import PartLabels, sort_names
from ..inputs.printable import describe, find_kind, refuse_equal_texts, refuse_results
from ..inputs.tables.columns import choose_header, in_memory, select_series
from ..inputs.tables.roles import require
from ..inputs.tables.source import open_frame
from .forms import NamedColumns, name_arguments, read_frame, read_id_column, read_json, read_numbers
from .repeats import first_rows
from .rows import (
    Floats,
    Integers,
    Mask,
    RecordRows,
    as_original_ids,
    collect,
    find_form,
    find_place,
    gather,
)

NO_PART = -1  # the number of the part of a row that only says that its document is judged
# Dicts, columns of frames, or files; a class of `inputs.tables` stands for frames in errors.
PartSource: TypeAlias = Any
NUMBERS = (int, float, np.number, np.bool_)
WITH_NAMES = ("str", "int")  # kinds of names of parts


class PartColumn(NamedTuple):
    """The part of the query that each row of the source judges."""

    names: list[str]
    numbers: Integers  # of each row: which name, or NO_PART
    importance: Floats | None = None  # of the part of each row


def read_diversity_rows(source: Source) -> tuple[RecordRows, PartColumn]:
    """Read TREC's diversity qrels: query, subtopic, document and label."""
    reader = _core.Rows(True, False, find_suffix(source) == ".tsv", True)
    parse_source(source, reader)
    rows = collect(reader.names_of_queries(), reader.columns())
    if reader.fields:
        raise ValueError(
            f"{name_source(source)}: subtopics=True: the rows have {reader.fields} fields, but "
            "diversity qrels have four: query, subtopic, document and label"
        )
    names = [name.decode("utf-8", "surrogateescape") for name in reader.names_of_subtopics()]
    numbers = np.asarray(reader.numbers_of_subtopics()).view(np.int64)
    return rows, PartColumn(names, numbers)


def read_part_frame(requested: NamedColumns) -> tuple[RecordRows, PartColumn, object]:
    """Read a data frame with a column of parts, and perhaps one of their weights."""
    frame, origin = open_frame(requested.frame)
    origin = name_arguments(origin, True)
    header = choose_header(frame)
    columns = [require(header, requested.subtopic, "subtopic", origin)]
    if requested.importance is not None:
        columns.append(require(header, requested.importance, "importance", origin))
    series = select_series(in_memory(frame, columns, origin), columns)
    texts = read_id_column(series[0], origin).to_list()
    weights = None if requested.importance is None else read_numbers(series[1], origin)
    numbers, names = factorize(texts)
    rows, source = read_frame(requested, True)
    return rows, PartColumn(names, numbers, weights), source


def holds_parts(source: Mapping[Any, object]) -> bool:
    """Whether a dict holds labels by part: query -> document -> part -> label."""
    for documents in source.values():
        if not isinstance(documents, Mapping):
            return False
        for labels in documents.values():
            if not isinstance(labels, Mapping):
                return False
            if labels:
                are_numbers = all(isinstance(label, NUMBERS) for label in labels.values())
                return are_numbers and not has_label(labels)
    return False


def read_parts(source: PartSource) -> tuple[RecordRows, PartColumn, Any]:
    """Read judgments with parts of any form; return also the source for errors."""
    if isinstance(source, NamedColumns):
        return read_part_frame(source)
    refuse_results(source, "qrels")
    form = find_form(source)
    if form == "rows":
        return *read_diversity_rows(source), source
    if form == "frame":
        is_path = isinstance(source, (str, os.PathLike))
        name = name_source(source) if is_path else f"the {type(source).__name__}"
        raise TypeError(
            f"subtopics=True: {name} is a table, whose column of subtopics must be named: "
            "rankgain.Qrels.from_frame(frame, subtopic=...)"
        )
    called = "qrels"
    if form == "json":
        called = name_source(source)
        source = read_json(source)
    if not isinstance(source, Mapping):
        raise TypeError(
            "subtopics=True: expected a file of diversity qrels or a dict query -> document -> "
            f"subtopic -> label, not {describe(source)}"
        )
    with errors_in(called):
        rows, column = read_nested(source)
    return rows, column, source


def read_nested(source: Mapping[Any, Any]) -> tuple[RecordRows, PartColumn]:
    """Read labels by query, document and part."""
    reader = _core.Rows(True, False, False)
    names = _PartNames()
    numbers: list[int] = []
    refuse_equal_texts(source, "the queries")
    for query, documents in source.items():
        place = f"query {describe(query)}"
        if not isinstance(documents, Mapping):
            raise TypeError(
                f"{place}: expected a dict document -> subtopic -> label, not {describe(documents)}"
            )
        refuse_equal_texts(documents, f"{place}: the documents")
        pairs: list[tuple[object, object]] = []
        for document, labels in documents.items():
            if not isinstance(labels, Mapping):
                raise TypeError(
                    f"{place}, document {describe(document)}: expected labels by subtopic, not "
                    f"{describe(labels)}; give each document a dict subtopic -> label"
                )
            for name, label in labels.items():
                if type(label) is not int and not (type(label) is float and isfinite(label)):
                    label = read_label(label, name, f"{place}, document {describe(document)}")
                numbers.append(names.number(name, place))
                pairs.append((document, label))
            if not labels:  # judged, and for no part
                numbers.append(NO_PART)
                pairs.append((document, 0.0))
        if pairs:
            try:
                reader.add(query, pairs)
            except OverflowError:
                raise ValueError(f"{place}: a label is too large") from None
            except (TypeError, ValueError) as error:
                reword_error(error, f"{place}: {error}")
                raise
    refuse_equal_texts(names.as_given, "the subtopics")
    rows = collect(reader.names_of_queries(), reader.columns())
    other_ids = [query for query in source if not isinstance(query, str)]
    rows = rows._replace(original_ids=as_original_ids(rows.queries, other_ids))
    return rows, PartColumn(list(names.as_text), np.array(numbers, np.int64))


class _PartNames:
    """The names of parts as they are met, and as text, each with its number."""

    def __init__(self) -> None:
        self.as_given: dict[object, int] = {}
        self.as_text: dict[str, int] = {}

    def number(self, name: object, place: str) -> int:
        """The number of a name, which is text or an integer."""
        if type(name) in (str, int) and name in self.as_given:
            return self.as_given[name]
        text = name_of_part(name, place)
        number = self.as_text.setdefault(text, len(self.as_text))
        self.as_given[name] = number
        return number


def read_label(label: object, name: object, place: str) -> float:
    """A label, as a number or its text."""
    value = label
    if isinstance(label, str):
        value = parse_number(label, f"{place}: a label")
    if not isinstance(value, NUMBERS):
        raise TypeError(
            f"{place}, subtopic {describe(name)}: a label must be a number, not {describe(label)}"
        )
    if not isfinite(value):
        raise ValueError(f"{place}, subtopic {describe(name)}: a label must be finite, not {value}")
    return value  # type: ignore[return-value]  # numbers of NumPy are read as they are


def name_of_part(name: object, place: str) -> str:
    """The name of a part as text."""
    if find_kind(name) not in WITH_NAMES or name == "":
        raise TypeError(
            f"{place}: the name of a subtopic must be text or an integer, not {describe(name)}"
        )
    return str(name)


def collapse(
    rows: RecordRows, column: PartColumn, source: PartSource, duplicates: str
) -> tuple[RecordRows, PartLabels]:
    """One row for each document, with its largest label, and its labels for the parts."""
    ordered = gather(rows)
    all_rows = np.arange(len(rows.values))
    of_source = all_rows if rows.order is None else rows.order
    # Of each document the first row is kept; its number is that of the kept rows before it.
    first = first_rows(ordered)
    if first is None:
        first = all_rows
    is_kept = first == all_rows
    kept = np.flatnonzero(is_kept)
    document = (np.cumsum(is_kept) - 1)[first]
    lists = np.searchsorted(kept, rows.lists).astype(np.int64)

    # Number the parts of all queries together: by query, and in each by the order of the names.
    # The key query * size + name sorts in this way, and its remainder is the name.
    in_order = sort_names(column.names)
    place = {name: index for index, name in enumerate(in_order)}
    places = np.array([place[name] for name in column.names] or [0], np.int64)
    queries = np.repeat(np.arange(len(rows.queries)), np.diff(rows.lists))
    numbers = column.numbers[of_source]
    entries = np.flatnonzero(numbers != NO_PART)
    size = max(len(in_order), 1)
    keys = queries[entries] * size + places[numbers[entries]]
    distinct, part = np.unique(keys, return_inverse=True)
    starts = np.searchsorted(distinct, np.arange(len(rows.queries) + 1) * size)
    names = [in_order[index] for index in (distinct % size).tolist()]

    # The judgments by document and part; of several of one pair, in the order of the source.
    order = np.lexsort((part, document[entries]))
    entries, part = entries[order], part[order]
    labels = ordered.values[entries]
    is_first = np.ones(len(entries), bool)
    is_first[1:] = (np.diff(document[entries]) != 0) | (np.diff(part) != 0)
    judgment = _Judgments(rows, source, of_source, entries, is_first)
    if not is_first.all():
        if duplicates == "raise":
            judgment.refuse_unequal(labels, [names[index] for index in part.tolist()])
        labels = _keep_label(labels, is_first, duplicates)
    else:
        labels = labels[is_first]
    # The label of a document is the largest of its labels for parts, or 0 if it has none.
    pair_documents = document[entries[is_first]]
    largest = np.zeros(len(kept))
    firsts = np.flatnonzero(np.diff(pair_documents, prepend=-1))  # of each document
    largest[pair_documents[firsts]] = np.maximum.reduceat(labels, firsts)
    values = rows.values.copy()
    values[of_source[kept]] = largest

    id_order = np.arange(len(kept))
    result = rows._replace(order=of_source[kept], lists=lists, values=values)
    documents = gather(result)
    _core.order_lists(np.zeros(len(kept)), documents.ids, documents.id_starts, lists, id_order)
    importance = np.ones(len(distinct))
    if column.importance is not None:
        weights = column.importance[of_source][entries]
        judgment.refuse_changing(weights, part, [names[index] for index in part.tolist()])
        importance[part] = weights
    names_of_query = tuple(tuple(names[a:b]) for a, b in pairwise(starts.tolist()))
    parts = PartLabels(
        names_of_query,
        starts.astype(np.int64),
        importance,
        lists,
        id_order,
        add_sizes(np.bincount(pair_documents, minlength=len(kept))),
        part[is_first].astype(np.int64),
        labels,
    )
    return result, parts


def _keep_label(labels: Floats, is_first: Mask, duplicates: str) -> Floats:
    """One label for each pair of document and part, of judgments sorted by these."""
    starts = np.flatnonzero(is_first)
    if duplicates == "best":
        largest: Floats = np.maximum.reduceat(labels, starts)
        return largest
    if duplicates == "mean":
        sizes = np.diff(np.append(starts, len(labels)))
        means: Floats = np.add.reduceat(labels, starts) / sizes
        return means
    if duplicates == "last":
        starts = np.append(starts[1:], len(labels)) - 1
    chosen: Floats = labels[starts]  # equal ones are one, or the first
    return chosen


class _Judgments(NamedTuple):
    """Judgments sorted by document and part, and where they stand in the source, for errors."""

    rows: RecordRows
    source: PartSource
    of_source: Integers  # the source row of each row, list by list
    entries: Integers  # the row of each judgment, list by list
    is_first: Mask  # of its document and part

    def refuse_unequal(self, labels: Floats, names: list[str]) -> None:
        """Refuse two labels of one document for one part."""
        # Judgments of one document and part follow each other, so neighbours are compared.
        differs = ~self.is_first
        differs[1:] &= np.diff(labels) != 0
        if not differs.any():
            return
        second = int(differs.argmax())
        query, document = self._ids(second)
        pair = f"{labels[second - 1]:g} and {labels[second]:g}"
        subtopic = f"subtopic {describe(names[second])} of query {describe(query)}"
        problem = f"document {describe(document)} has the labels {pair} for {subtopic}"
        remedy = (
            'remove one, or choose with duplicates="first", "last", "best" or "mean" of '
            "rankgain.Qrels"
        )
        raise ValueError(f"{self._place(second)}{problem}; {remedy}{self._text(second)}")

    def refuse_changing(self, values: Floats, part: Integers, names: list[str]) -> None:
        """Refuse a weight that is not a number of at least 0, or two of one part."""
        order = np.argsort(self.of_source[self.entries])  # the rows as they stand in the source
        bad = ~(np.isfinite(values) & (values >= 0))[order]
        if bad.any():
            index = int(order[bad.argmax()])
            raise ValueError(
                f"{self._place(index)}importance: the weight of subtopic {describe(names[index])} "
                f"is {values[index]:g}; it must be a finite number of at least 0"
            )
        # Each weight is compared with that of the first row of its part.
        _, first, numbers = np.unique(part[order], return_index=True, return_inverse=True)
        expected = values[order][first][numbers]
        differs = expected != values[order]
        if differs.any():
            place = int(differs.argmax())
            index = int(order[place])
            query, _ = self._ids(index)
            pair = f"{expected[place]:g} and {values[index]:g}"
            raise ValueError(
                f"{self._place(index)}importance: subtopic {describe(names[index])} of query "
                f"{describe(query)} has the weights {pair}; give a subtopic one weight"
            )

    def _ids(self, index: int) -> tuple[str, str]:
        row = int(self.entries[index])
        rows = gather(self.rows)
        query = rows.queries[int(np.searchsorted(rows.lists, row, side="right")) - 1]
        data = rows.ids[rows.id_starts[row] : rows.id_starts[row + 1]].tobytes()
        return query, data.decode("utf-8", "replace")

    def _line(self, index: int) -> int:
        return self.rows.line(int(self.of_source[self.entries[index]]))

    def _place(self, index: int) -> str:
        if isinstance(self.source, Mapping):
            return "qrels: "
        name, place = find_place(self.source, self._line(index))
        return f"{name}, {place}: "

    def _text(self, index: int) -> str:
        if isinstance(self.source, Mapping):
            return ""
        return line_text(self.source, self._line(index))


def read_importance(importance: object, parts: PartLabels, queries: tuple[str, ...]) -> Floats:
    """The weight of each part, from a mapping query -> part -> weight."""
    if not isinstance(importance, Mapping):
        raise TypeError(
            "importance must be the name of a column or a mapping query -> subtopic -> weight, "
            f"not {describe(importance)}"
        )
    by_query = {str(query): weights for query, weights in importance.items()}
    result: list[float] = []
    for query, names in zip(queries, parts.names, strict=True):
        weights = by_query.get(query)
        if not isinstance(weights, Mapping):
            problem = "is missing" if weights is None else "is not a dict subtopic -> weight"
            raise ValueError(f"importance: query {describe(query)} {problem}")
        by_name = {str(name): weight for name, weight in weights.items()}
        for name in names:
            place = f"importance: subtopic {describe(name)} of query {describe(query)}"
            if name not in by_name:
                raise ValueError(f"{place} is missing; give each subtopic a weight")
            weight = by_name[name]
            if not _is_weight(weight):
                raise ValueError(
                    f"{place} has the weight {describe(weight)}; it must be a finite number of at "
                    "least 0"
                )
            result.append(float(weight))
    return np.array(result, np.float64)


def _is_weight(value: object) -> bool:
    """Whether a value is a finite number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        return False
    return isfinite(value) and bool(value >= 0)
