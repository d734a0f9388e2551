"""Judgments of chunks by the pieces of evidence that they cover, from spans of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ..inputs.printable import describe, find_kind

Number: TypeAlias = int | float
Span: TypeAlias = "tuple[str, Number, Number]"  # a document, and a half-open part of it
Chunks: TypeAlias = "Mapping[str, Mapping[str, tuple[str, float, float]]]"
Evidence: TypeAlias = "Mapping[str, Sequence[tuple[str, float, float]]]"
EXAMPLE = '(document, start, end), such as ("report", 0, 120)'


def judge_chunks(
    chunks_by_query: Chunks, evidence_by_query: Evidence, min_overlap: float
) -> dict[str, dict[str, dict[str, int]]]:
    """Labels of the chunks of each query for its pieces of evidence: 1 if the chunk covers it.

    A piece that no chunk covers is covered by a judged document of its own, which no run has, so
    that it counts as a part that was not found.
    """
    if not is_number(min_overlap) or not 0 < min_overlap <= 1:
        raise ValueError(f"min_overlap must be above 0 and at most 1, not {min_overlap!r}")
    for name, value in (("retrieved", chunks_by_query), ("evidence", evidence_by_query)):
        if not isinstance(value, Mapping):
            raise TypeError(f"{name} must be a mapping of queries, not {describe(value)}")
    documents_with_chunks = documents_of_chunks(chunks_by_query)
    result: dict[str, dict[str, dict[str, int]]] = {}
    for query, pieces in evidence_by_query.items():
        place = f"evidence: query {describe(query)}"
        chunks = spans_of_chunks(query, chunks_by_query.get(query, {}))
        spans = spans_of_pieces(pieces, place)
        for index, (document, _, _) in enumerate(spans):
            if document not in documents_with_chunks:
                raise ValueError(
                    f"{place}, piece {index}: no chunk in retrieved is of the document "
                    f"{describe(document)}; check that the ids match, or add the document's chunks "
                    "to retrieved (also those that no query retrieves)"
                )
        result[query] = _judge_query(chunks, spans, min_overlap)
    return result


def _judge_query(
    chunks: dict[str, Span], pieces: list[Span], min_overlap: float
) -> dict[str, dict[str, int]]:
    """The labels of the chunks of one query, by piece."""
    labels: dict[str, dict[str, int]] = {chunk: {} for chunk in chunks}
    for index, (document, start, end) in enumerate(pieces):
        is_covered = False
        for chunk, (of_document, first, last) in chunks.items():
            if of_document != document:
                continue
            # The length of the intersection of two spans; below 0 if they are apart.
            overlap = min(end, last) - max(start, first)
            covers = overlap / (end - start) >= min_overlap
            labels[chunk][str(index)] = int(covers)
            is_covered |= covers
        if not is_covered:
            missing = f"{document}[{start}:{end}]"
            while missing in labels:
                missing += "'"
            labels[missing] = {str(index): 1}
    return labels


def documents_of_chunks(chunks_by_query: Chunks) -> set[str]:
    """The documents of all chunks."""
    documents: set[str] = set()
    for query, chunks in chunks_by_query.items():
        for document, _, _ in spans_of_chunks(query, chunks).values():
            documents.add(document)
    return documents


def spans_of_chunks(query: object, chunks: object) -> dict[str, Span]:
    """The spans of the chunks of a query."""
    if not isinstance(chunks, Mapping):
        raise TypeError(
            f"retrieved: query {describe(query)}: expected a dict chunk -> (document, start, end), "
            f"not {describe(chunks)}"
        )
    spans = {}
    for chunk, span in chunks.items():
        place = f"retrieved: query {describe(query)}, chunk {describe(chunk)}"
        spans[chunk] = read_span(span, place)
    return spans


def spans_of_pieces(pieces: object, place: str) -> list[Span]:
    """The spans of the pieces of evidence of a query."""
    if isinstance(pieces, str) or not isinstance(pieces, Iterable):
        raise TypeError(f"{place}: expected a list of {EXAMPLE}, not {describe(pieces)}")
    return [read_span(piece, f"{place}, piece {i}") for i, piece in enumerate(pieces)]


def read_span(value: object, place: str) -> Span:
    """A document, start and end."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
        raise TypeError(f"{place}: expected {EXAMPLE}, not {describe(value)}")
    document, start, end = value
    if find_kind(document) not in ("str", "int"):
        raise TypeError(
            f"{place}: the document must be text or an integer, not {describe(document)}"
        )
    for name, number in (("start", start), ("end", end)):
        if not is_number(number):
            raise TypeError(f"{place}: the {name} must be a number, not {describe(number)}")
    if not end > start:
        raise ValueError(f"{place}: the span ends at {end}, but it starts at {start}")
    return document, start, end


def is_number(value: object) -> bool:
    """Whether a value is a finite number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        return False
    return bool(np.isfinite(value))
