"""Chunks that stand for documents, and the searches of an agent as one ranking."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .ids import Paired, refuse_repeats, remove_filling
from .printable import describe
from .rankings import ranked_ids
from .ranks import RankedIds

# What `documents=` may be: chunk -> document, a function of a chunk, or a separator.
Documents: TypeAlias = Mapping[Any, Any] | Callable[[Any], Any] | str
Function: TypeAlias = Callable[[Any], Any]
ORDERS = ("in_order", "round_robin")
LISTS = (list, tuple, np.ndarray)


def read_documents(documents: Documents, *, as_text: bool = False) -> DocumentOf:
    """Read the argument `documents`; as_text: ids are text, also those of a mapping."""
    if isinstance(documents, str):
        if not documents:
            raise ValueError(
                'documents: the separator is empty; give the text between document and chunk, "#"'
            )
        return DocumentOf(_BeforeSeparator(documents))
    if isinstance(documents, Mapping):
        if as_text:
            documents = {str(chunk): document for chunk, document in documents.items()}
        return DocumentOf(_Entry(documents))
    if callable(documents):
        return DocumentOf(documents)
    raise TypeError(
        "documents must be a mapping chunk -> document, a function of a chunk's id, or a "
        f"separator such as '#', not {describe(documents)}"
    )


class DocumentOf:
    """The document of a chunk."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def __call__(self, chunk: object) -> object:
        """Return the document's id; anything but text or an integer is refused."""
        document: object = self._function(chunk)
        is_integer = isinstance(document, (int, np.integer)) and not isinstance(document, bool)
        if not isinstance(document, str) and not is_integer:
            raise TypeError(
                f"documents= gives {describe(document)} for the chunk {describe(chunk)}; a "
                "document's id is text or an integer"
            )
        return document

    def without_function(self, chunks: Iterable[Hashable]) -> DocumentOf:
        """The documents of these chunks as entries; a separator stays."""
        if isinstance(self._function, _BeforeSeparator):
            return self
        return DocumentOf(_Entry({chunk: self(chunk) for chunk in chunks}))

    def rank(self, chunks: Sequence[object]) -> object:
        """The documents of a ranking of chunks, each at the rank of its chunk."""
        documents = [self(chunk) for chunk in chunks]
        if isinstance(chunks, RankedIds):
            return RankedIds(documents, chunks.places)
        return documents


class _BeforeSeparator:
    """What stands before the last occurrence of a separator; an id without it stays."""

    def __init__(self, separator: str) -> None:
        self._separator = separator

    def __call__(self, chunk: object) -> str:
        if not isinstance(chunk, str):
            raise TypeError(
                f"documents={self._separator!r} separates ids that are text, but a chunk is "
                f"{describe(chunk)}; pass a mapping or a function"
            )
        document, separator, _ = chunk.rpartition(self._separator)
        if not separator:
            return chunk
        return document


class _Entry:
    """The entry of a chunk in a mapping."""

    def __init__(self, mapping: Mapping[object, object]) -> None:
        self._mapping = mapping

    def __call__(self, chunk: object) -> object:
        try:
            return self._mapping[chunk]
        except (KeyError, TypeError):
            raise ValueError(
                f"documents has no entry for the chunk {describe(chunk)}; add it, or pass a "
                "function if some ids are those of documents already"
            ) from None


def rank_documents(paired: Paired, document_of: DocumentOf, refuses_repeats: bool) -> Paired:
    """The lists with documents in the place of their retrieved chunks.

    refuses_repeats: a chunk that a list has twice is an error.
    """
    paired = remove_filling(paired)
    if refuses_repeats:
        refuse_repeats(paired)
    documents = [document_of.rank(row) for row in paired.retrieved]
    return paired._replace(retrieved=documents, of_documents=True)


# ---- searches of an agent


class Searches(NamedTuple):
    """One ranking for each query, and how many searches it is made of."""

    rankings: Mapping[object, list[object]] | Sequence[object]
    sizes: list[int]  # in the order of the rankings

    def sizes_of(self, queries: Sequence[object] | None) -> list[int]:
        """The number of searches of each query, 0 without any; None: of each list."""
        if queries is None:
            return self.sizes
        by_query = dict(zip(self.rankings, self.sizes, strict=True))
        return [by_query.get(query, 0) for query in queries]


def join_calls(retrieved: object, relevant: object, order: str) -> Searches:
    """Join the lists of each query, one for each search, to one list.

    "in_order": one search after the other. "round_robin": the first documents of all searches, then
    the second ones, and so on; a search that has ended is passed over.
    """
    if order not in ORDERS:
        raise ValueError(f"calls must be one of {ORDERS}, not {describe(order)}")
    sizes = []
    if isinstance(retrieved, Mapping):
        by_query = {}
        for query, calls in retrieved.items():
            lists = _lists_of_calls(calls, f"retrieved: query {describe(query)}")
            by_query[query] = _join(lists, order)
            sizes.append(len(lists))
        return Searches(by_query, sizes)
    if not isinstance(retrieved, (list, tuple)):
        raise TypeError(
            "calls= needs a list for each search, in a mapping query -> lists or a list of them, "
            f"not {describe(retrieved)}"
        )
    if _is_one_query(relevant):
        lists = _lists_of_calls(retrieved, "retrieved")
        return Searches(_join(lists, order), [len(lists)])
    rankings = []
    for index, calls in enumerate(retrieved):
        lists = _lists_of_calls(calls, f"retrieved: list {index}")
        rankings.append(_join(lists, order))
        sizes.append(len(lists))
    return Searches(rankings, sizes)


def are_systems_of_calls(retrieved: object) -> bool:
    """Whether these are rankings by system: mappings, or lists of queries, by name."""
    if not isinstance(retrieved, Mapping) or not retrieved:
        return False
    rankings = next(iter(retrieved.values()))
    if isinstance(rankings, Mapping):
        return True
    # The lists of the searches of one query are two deep; those of several queries are three deep.
    depth = 0
    while isinstance(rankings, (list, tuple)) and rankings:
        rankings = rankings[0]
        depth += 1
    return depth > 2


def _is_one_query(relevant: object) -> bool:
    """Whether relevant ids are those of one query."""
    if isinstance(relevant, Mapping):
        rows: Iterable[object] = relevant.values()
    elif isinstance(relevant, (list, tuple)):
        rows = relevant
    else:
        return isinstance(relevant, Set)
    return not any(isinstance(row, (*LISTS, Set, Mapping)) for row in rows)


def _lists_of_calls(calls: object, place: str) -> list[list[object]]:
    """The ids of each search of a query, best first."""
    if not isinstance(calls, (list, tuple)):
        raise TypeError(f"{place} is {describe(calls)}; calls= needs a list for each search")
    lists: list[list[object]] = []
    for number, found in enumerate(calls):
        if isinstance(found, (str, bytes)) or not isinstance(found, (*LISTS, Mapping)):
            raise TypeError(
                f"{place}, search {number} is {describe(found)}; calls= needs a list of ids for "
                "each search. For one list of ids for each query, remove calls="
            )
        lists.append(list(ranked_ids(found, f"{place}, search {number}")))
    return lists


def _join(lists: list[list[object]], order: str) -> list[object]:
    """One ranking of several."""
    if order == "in_order":
        return list(chain.from_iterable(lists))
    return list(_take_turns(lists))


def _take_turns(lists: list[list[object]]) -> Iterator[object]:
    for position in range(max(map(len, lists), default=0)):
        for found in lists:
            if position < len(found):
                yield found[position]
