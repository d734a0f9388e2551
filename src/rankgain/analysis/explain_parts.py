"""Explanations of measures of subtopics: what each rank adds, and which parts it covers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..engine.columns import MeasureColumns, fill_and_round
from ..engine.parts import without_parts
from ..inputs.lists import Judgments, Layout, Lists, add_sizes, prepare
from ..inputs.parts import ListParts, PartLabels
from ..inputs.sparse import Sparse
from ..measures.families import FAMILIES
from ..trec.by_query import Qrels
from .explanation import Contributions
from .ranks import ExplainRequest

if TYPE_CHECKING:
    from ..inputs.types import Floats, Integers


def explain_parts(
    qrels: Qrels, query: str, ranked: Contributions, request: ExplainRequest
) -> Contributions:
    """The explanation of a measure of subtopics for a query; ranked: its documents by rank."""
    family, settings = FAMILIES[request.name.lower()], request.settings
    parts = qrels._parts
    if parts is None:
        raise without_parts(family)
    if ranked.tied and settings.ties in ("average", "best", "worst"):
        first, last = ranked.tied[0]
        raise ValueError(
            f"{family.name}: the documents at ranks {first} and {last} have equal scores, and "
            f'ties="{settings.ties}" does not order them for measures of subtopics; choose another '
            'ties=, such as "id_descending"'
        )
    index = qrels._index[str(query)]
    documents = _numbers_of_documents(qrels, parts, index, ranked.documents)
    lists = _first_ranks(parts, index, documents)
    running: Floats = MeasureColumns([(family, settings)], lists).values(1)[:, 0]
    name = family.name
    if settings.k is not None:
        name = f"{family.name}@{settings.k}"
    fill_and_round(running, settings, name)
    covered, new = _names_of_parts(parts, index, documents, settings.rel)
    # The list cut after each rank has the value so far: a rank adds the difference of two.
    return Contributions(
        name,
        float(running[-1]),
        ranked.document,
        ranked.label,
        np.diff(running),
        running[1:],
        ranked.tied,
        ranked.settings,
        ranked.documents,
        ranked.unjudged,
        covered,
        new,
    )


def _numbers_of_documents(
    qrels: Qrels, parts: PartLabels, index: int, ranked: Sequence[str]
) -> Integers:
    """The judged document at each rank, or -1; a document counts where it is first."""
    first = int(parts.lists[index])
    judged = qrels.documents(qrels.queries[index])
    number_of = dict(zip(judged, itertools.count(first)))
    # A document that was found is taken out, so that a repeat of it counts as not judged.
    return np.array([number_of.pop(document, -1) for document in ranked], np.int64)


def _first_ranks(parts: PartLabels, index: int, documents: Integers) -> Lists:
    """The list of a query cut after each rank: the first is empty, the last is whole."""
    n = len(documents)
    # The list of length m holds the first counts[m] of the judged documents. All lists stand in one
    # array, list m from indptr[m]: the position less this start is the place in the list.
    ranks = np.flatnonzero(documents >= 0)
    counts = np.searchsorted(ranks, np.arange(n + 1))
    indptr = add_sizes(counts)
    places = np.arange(indptr[-1]) - np.repeat(indptr[:-1], counts)
    numbers = 1.0 + documents[ranks][places]
    starts = add_sizes(np.arange(n + 1))
    queries = np.full(n + 1, index)
    # All lists have the judgments of the query, each with the label 1: its parts have the labels.
    judged = np.ones(int(np.diff(parts.lists).max(initial=0)))
    first_judged = np.zeros(n + 1, np.int64)
    last_judged = np.full(n + 1, parts.lists[index + 1] - parts.lists[index])
    prepared = prepare(judged, first_judged, last_judged, "qrels")
    return Lists(
        Layout(starts[:-1], starts[1:], False, None),
        Sparse(numbers, ranks[places], indptr, None),
        judgments=Judgments(prepared, labels_checked=True),
        pool=True,
        parts=ListParts(parts, numbers, queries),
        called="qrels",
    )


def _names_of_parts(
    parts: PartLabels, index: int, documents: Integers, rel: float
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """The parts that the document of each rank covers, and those that none above it covers."""
    seen = set[str]()
    covered: list[tuple[str, ...]] = []
    new: list[tuple[str, ...]] = []
    for document in documents.tolist():
        names = []
        if document >= 0:  # judged
            labels = parts.labels_of(document, index)
            names = [name for name, label in labels.items() if label >= rel]
        covered.append(tuple(names))
        new.append(tuple(name for name in names if name not in seen))
        seen.update(names)
    return tuple(covered), tuple(new)
