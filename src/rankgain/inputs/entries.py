"""Entries of rankings and of judgments that hold more than an id: fields of a hit, and pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from numbers import Number
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from .printable import describe, list_names
from .tables.columns import WORDS
from .tables.roles import DOCUMENTS, LABELS, RANKS, SCORES, normal_spelling

# Fields that hold an id for certain. Other usual names of documents, such as "document", may also
# hold its text, so they count only if none of these is there.
DOCUMENT_FIELDS = (*DOCUMENTS.names, *DOCUMENTS.rarer)
IDS = frozenset(
    "_id id documentid doc_ids objectid chunk_id node_id passage_id point_id asin docno pid".split()
).union(name for name in DOCUMENT_FIELDS if name.endswith("id"))
NOUNS = tuple(name for name in DOCUMENT_FIELDS if name not in IDS)
SCORE_FIELDS = (*SCORES.names, "_score", "similarity_score", "relevance_score", "@search.score")
LABEL_FIELDS = (*LABELS.names, *LABELS.rarer, "judgment", "judgement", "value")
OF_ENGINE = ("_index", "_score", "_source")  # fields of hits of Elasticsearch and OpenSearch


class Entries(NamedTuple):
    """The ids of a list, and their labels or scores; None: the order is all that is known."""

    ids: list[object]
    numbers: list[object] | None

    def pairs(self, is_qrels: bool) -> list[tuple[object, object]]:
        """Ids with labels or scores: without labels each is 1, without scores ranks count down."""
        size = len(self.ids)
        numbers: Iterable[object]
        if self.numbers is not None:
            numbers = self.numbers
        elif is_qrels:
            numbers = [1] * size
        else:
            numbers = range(size, 0, -1)
        return list(zip(self.ids, numbers, strict=True))

    def ranked(self) -> list[object]:
        """The ids, best first; of equal scores the earlier is first."""
        if self.numbers is None:
            return self.ids
        # Python compares integers of any size exactly, also with floats, and a reversed sort keeps
        # the order of equal scores.
        scores: list[Any] = self.numbers
        best_first = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
        return [self.ids[index] for index in best_first]


def is_pair(value: object) -> bool:
    """Whether a value is an id and its score or label."""
    return isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[1], Number)


def are_entries(row: object) -> TypeGuard[Sequence[Mapping[str, object]]]:
    """Whether a row is a list of hits with fields."""
    return isinstance(row, (list, tuple)) and len(row) > 0 and isinstance(row[0], Mapping)


def are_pairs(row: object) -> TypeGuard[Sequence[tuple[object, object]]]:
    """Whether a row is a list of ids, each with its score or label."""
    return isinstance(row, (list, tuple)) and len(row) > 0 and all(map(is_pair, row))


def read_pairs(row: Sequence[tuple[object, object]], place: str) -> Entries:
    """Read pairs of an id and its number."""
    ids: list[object] = []
    numbers: list[object] = []
    for index, (identifier, number) in enumerate(row):
        if isinstance(identifier, (float, np.floating, Mapping, list)):
            raise TypeError(
                f"{place}, position {index} is {describe(row[index])}; a pair is (id, number), and "
                "an id is a string or an integer"
            )
        ids.append(identifier)
        numbers.append(number)
    return Entries(ids, _as_python_numbers(numbers))


def read_entries(row: Sequence[Mapping[str, object]], place: str, is_qrels: bool) -> Entries:
    """Read hits with fields: their ids, and their labels, or their scores or ranks if there are."""
    ids = []
    for index, entry in enumerate(row):
        if not isinstance(entry, Mapping):
            raise TypeError(
                f"{place}, position {index} is {describe(entry)}, but those before are objects "
                "with fields; give all in one form"
            )
        ids.append(read_id(entry, f"{place}, position {index}"))
    numbers = _labels(row, place) if is_qrels else _scores(row, place)
    return Entries(ids, numbers)


def read_id(entry: Mapping[str, object], place: str) -> object:
    """The id of a hit: of the field that names its document, by any of the usual names."""
    # From the last field to the first: of two fields with one normal spelling the first stays.
    fields = {normal_spelling(name): name for name in reversed(list(entry))}
    names = [name for spelling, name in fields.items() if spelling in IDS]
    names.reverse()
    if "_id" in fields and any(name in entry for name in OF_ENGINE):
        # Beside the id of an engine's hit, other fields are of the document that it has stored.
        names = [fields["_id"]]
    if not names:
        noun = next(filter(fields.__contains__, NOUNS), None)
        if noun is None:
            raise ValueError(
                f"{place}: no field names the document, such as doc_id, corpus_id or _id; there "
                f"are {list_names(entry)}"
            )
        names = [fields[noun]]
    identifier = entry[names[0]]
    if isinstance(identifier, Mapping):
        return read_id(identifier, place)
    if any(entry[name] != identifier for name in names[1:]):
        raise ValueError(
            f"{place}: {' and '.join(map(repr, names))} both may be the id of the document; give "
            f"the ids of one, such as [hit[{names[0]!r}] for hit in hits]"
        )
    if identifier is None or isinstance(identifier, (float, list, tuple)):
        raise TypeError(
            f"{place}: {names[0]} is {describe(identifier)}; an id is a string or an integer"
        )
    return identifier


class _Column(NamedTuple):
    """A field that all hits of a list have, and its value in each."""

    name: str
    values: list[Any]


def _column(
    row: Sequence[Mapping[str, object]], spellings: Sequence[str], place: str
) -> _Column | None:
    """The first field with one of these names; all hits have it, or none."""
    fields: dict[str, str] = {}
    for entry in row:
        for name in entry:
            fields[normal_spelling(name)] = name
    for spelling in spellings:
        if spelling not in fields:
            continue
        name = fields[spelling]
        values = [entry.get(name) for entry in row]
        is_missing = [value is None for value in values]
        if all(is_missing):
            continue
        if any(is_missing):
            raise ValueError(
                f"{place}, position {is_missing.index(True)} has no {name}, but other hits have; "
                "give it for all hits or for none"
            )
        return _Column(name, as_numbers(values, f"{place}: {name}"))
    return None


def _labels(row: Sequence[Mapping[str, object]], place: str) -> list[object] | None:
    labels = _column(row, LABEL_FIELDS, place)
    if labels is not None:
        return labels.values
    scores = _column(row, SCORE_FIELDS, place)
    if scores is None:
        return None
    if "corpus_id" in map(normal_spelling, row[0]):  # BEIR calls the field of its labels "score"
        return scores.values
    raise ValueError(
        f"{place}: these are scores of hits ({scores.name}), where labels belong; qrels come "
        "before the run"
    )


def _scores(row: Sequence[Mapping[str, object]], place: str) -> list[object] | None:
    """The scores, or the ranks negated; None if the order of the hits is the ranking."""
    scores = _column(row, SCORE_FIELDS, place)
    if scores is None:
        ranks = _column(row, RANKS.names, place)
        if ranks is None:
            return None
        return [-rank for rank in ranks.values]
    if normal_spelling(scores.name) == "_score":
        # An engine that sorts by a field, or ranks anew, returns its ranking in the order of the
        # hits, beside scores that do not fall.
        falls = all(a >= b for a, b in pairwise(scores.values))
        if not falls:
            return None
    return scores.values


def as_numbers(values: Iterable[object], name: str) -> list[Any]:
    """Numbers of Python; those that are all text are parsed, as in CSV files."""
    numbers = list(values)
    texts = [value for value in numbers if isinstance(value, str)]
    if len(texts) == len(numbers):
        return [parse_number(text, name) for text in texts]
    for value in numbers:
        if isinstance(value, str):
            continue
        if texts:
            raise TypeError(
                f"{name} is text in some places, such as {describe(texts[0])}, and "
                f"{describe(value)} in others; give all as numbers"
            )
        if not isinstance(value, (Number, np.number, np.bool_)):
            hint = ""
            if type(value) is dict and name.endswith("label"):
                hint = "; rankgain.evaluate reads labels by subtopic"
            raise TypeError(f"{name} must be a number, not {describe(value)}{hint}")
    return _as_python_numbers(numbers)


def _as_python_numbers(numbers: list[Any]) -> list[Any]:
    """Numbers without NumPy's types, whose negatives may wrap and whose comparisons may round."""
    if not any(issubclass(kind, np.generic) for kind in set(map(type, numbers))):
        return numbers
    return [number.item() if isinstance(number, np.generic) else number for number in numbers]


def parse_number(text: str, name: str) -> float:
    """The number that a text holds, spelled as other programs do; name: of it, for errors."""
    value = math.nan
    # Python also reads 1_0 and the digits of all scripts; other programs do not.
    if text.isascii() and "_" not in text:
        with suppress(ValueError):
            value = float(WORDS.get(text.strip().lower(), text))
    if math.isnan(value):
        raise TypeError(f"{name} must be a number, not {describe(text)}")
    # From 2**53 on, float64 lacks integers. Python compares an int with a float exactly.
    digits = text.strip().lstrip("+-")
    if abs(value) >= 2**53 and digits.isdigit() and int(digits) != abs(value):
        raise ValueError(
            f"{name} is {text}, which cannot be represented exactly as a float64; rescale it"
        )
    return value
