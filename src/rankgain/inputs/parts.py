"""Labels of documents for the parts of a query: its subtopics, nuggets or pieces of evidence.

A document covers a part if its label for it is at least `rel`. The parts of all queries are
numbered together, so that a part is one number in the core.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import _core
from .lists import add_sizes

if TYPE_CHECKING:
    from .types import Bools, Floats, Integers

LEAST_DEPTH = 64  # ranks of an ideal ranking that are always computed


class Covered(NamedTuple):
    """What the judged documents cover with labels from some `rel` on."""

    indptr: Integers  # document i covers part[indptr[i] : indptr[i + 1]]
    part: Integers
    sizes: Floats  # how many parts of each query some document covers
    table: _core.Parts


class IdealRanking(NamedTuple):
    """The greedy ideal rankings of all queries, without documents that add nothing."""

    depth: int
    documents: Integers  # numbers of judged documents
    indptr: Integers  # of query i: documents[indptr[i] : indptr[i + 1]]


@dataclass(frozen=True, slots=True, eq=False)
class PartLabels:
    """Labels of the judged documents of all queries for the parts of their query. Immutable."""

    names: tuple[tuple[str, ...], ...]  # of the parts of each query
    first: Integers  # parts first[i] .. first[i + 1] - 1 are those of query i
    importance: Floats  # of each part
    lists: Integers  # judged documents lists[i] .. lists[i + 1] - 1 are those of query i
    by_id: Integers  # the judged documents, query by query, in each by descending id
    indptr: Integers  # document i has entries indptr[i] .. indptr[i + 1] - 1 of part and label
    part: Integers  # ascending for each document
    label: Floats
    # Cached: by rel, which documents cover which parts; by rel and alpha, the ideal rankings; gains
    # "by_document", and "descending" in each list.
    covered_by_rel: dict[float, Covered] = field(default_factory=dict, init=False)
    ideals: dict[tuple[float, float], IdealRanking] = field(default_factory=dict, init=False)
    cached_gains: dict[str, Floats] = field(default_factory=dict, init=False)

    def __reduce__(self) -> tuple[object, ...]:
        fields = (self.names, self.first, self.importance, self.lists, self.by_id)
        return PartLabels, (*fields, self.indptr, self.part, self.label)

    def covered(self, rel: float) -> Covered:
        """Which documents cover which parts."""
        if rel not in self.covered_by_rel:
            indptr = np.empty_like(self.indptr)
            part = np.empty_like(self.part)
            counts = np.zeros(int(self.first[-1]))
            n_kept = _core.select_covered(
                self.indptr, self.part, self.label, rel, indptr, part, counts
            )
            part = part[:n_kept].copy()
            # How many parts with a document stand before each part of the numbering.
            before = add_sizes(counts > 0)
            sizes = np.diff(before[self.first]).astype(np.float64)
            table = _core.Parts(indptr, part, counts)
            self.covered_by_rel[rel] = Covered(indptr, part, sizes, table)
        return self.covered_by_rel[rel]

    def ideal(self, rel: float, alpha: float, depth: int) -> IdealRanking:
        """The greedy ideal rankings, to the depth or deeper."""
        ideal = self.ideals.get((rel, alpha))
        if ideal is not None and ideal.depth >= depth:
            return ideal
        # The next power of two, so that a few growing depths do not each make a new ranking.
        depth = max(LEAST_DEPTH, 1 << (depth - 1).bit_length())
        covered = self.covered(rel)
        sizes = np.zeros(len(self.names), np.int64)
        documents = np.empty(len(self.by_id), np.int64)
        _core.rank_greedily(
            covered.indptr,
            covered.part,
            int(self.first[-1]),
            self.by_id,
            self.lists,
            alpha,
            depth,
            documents,
            sizes,
        )
        # The core writes the ranking of a query from its first judged document on. Only the
        # ranks that it filled are kept, so that the rankings follow each other.
        indptr = add_sizes(sizes)
        shift = np.repeat(self.lists[:-1] - indptr[:-1], sizes)
        places = np.arange(indptr[-1]) + shift
        ideal = IdealRanking(depth, documents[places], indptr)
        self.ideals[rel, alpha] = ideal
        return ideal

    def gains(self) -> Floats:
        """The sum of importance * label over the parts of each document; no label is below 0."""
        if "by_document" not in self.cached_gains:
            documents = np.repeat(np.arange(len(self.by_id)), np.diff(self.indptr))
            terms = self.importance[self.part] * np.maximum(self.label, 0.0)
            gains = np.bincount(documents, terms, len(self.by_id)).astype(np.float64)
            self.cached_gains["by_document"] = gains
        return self.cached_gains["by_document"]

    def select(self, stays: Bools, queries: Sequence[int]) -> PartLabels:
        """The labels of some documents, and of the queries that still have one."""
        # The parts of the remaining queries are numbered anew: kept_parts[new] is the old number
        # of a part, and moved[old] its new one.
        n_parts = np.diff(self.first)[queries]
        first = add_sizes(n_parts)
        shift = np.repeat(self.first[:-1][queries] - first[:-1], n_parts)
        new_numbers = np.arange(first[-1])
        kept_parts = new_numbers + shift
        moved = np.zeros(int(self.first[-1]), np.int64)
        moved[kept_parts] = new_numbers
        # Running counts of what stays are the new numbers of documents and the new bounds. A query
        # without a remaining document adds nothing, so its documents need no bound.
        new_document = add_sizes(stays)
        of_entry = np.repeat(stays, np.diff(self.indptr))
        new_entry = add_sizes(of_entry)
        ends = [0, *(index + 1 for index in queries)]
        by_id = self.by_id[stays[self.by_id]]
        starts = self.indptr[:-1][stays]
        return PartLabels(
            names=tuple(self.names[index] for index in queries),
            first=first,
            importance=self.importance[kept_parts],
            lists=new_document[self.lists[ends]],
            by_id=new_document[by_id],
            indptr=np.append(new_entry[starts], new_entry[-1]),
            part=moved[self.part[of_entry]],
            label=self.label[of_entry],
        )

    def labels_of(self, document: int, query: int) -> dict[str, float]:
        """The labels of one judged document by the names of the parts."""
        entries = slice(self.indptr[document], self.indptr[document + 1])
        parts = (self.part[entries] - self.first[query]).tolist()
        names = [self.names[query][part] for part in parts]
        return dict(zip(names, self.label[entries].tolist(), strict=True))


def parts_of_groups(
    documents: Sequence[Sequence[Hashable]], groups: Sequence[Sequence[Collection[Hashable]]]
) -> PartLabels:
    """The parts of lists whose relevant ids are groups: part j of a list is covered by group j.

    documents: the relevant ids of each list, each once; groups: those of each list, which may hold
    more ids.
    """
    by_id: list[int] = []
    indptr = [0]
    parts: list[int] = []
    n_parts = 0
    n_documents = 0
    for ids, of_list in zip(documents, groups, strict=True):
        of_document: dict[Hashable, list[int]] = {document: [] for document in ids}
        for number, group in enumerate(of_list):
            for document in dict.fromkeys(group):
                if document in of_document:
                    of_document[document].append(n_parts + number)
        for numbers in of_document.values():
            parts += numbers
            indptr.append(len(parts))
        # Ids are ordered by their bytes in UTF-8, as everywhere for ties.
        texts = [str(document).encode("utf-8", "surrogateescape") for document in ids]
        ascending = sorted(range(len(ids)), key=texts.__getitem__)
        by_id += [n_documents + index for index in reversed(ascending)]
        n_parts += len(of_list)
        n_documents += len(ids)
    sizes = list(map(len, groups))
    return PartLabels(
        names=tuple(tuple(map(str, range(size))) for size in sizes),
        first=add_sizes(sizes),
        importance=np.ones(n_parts),
        lists=add_sizes(list(map(len, documents))),
        by_id=np.array(by_id, np.int64),
        indptr=np.array(indptr, np.int64),
        part=np.array(parts, np.int64),
        label=np.ones(len(parts)),
    )


class ListParts(NamedTuple):
    """The judged documents in lists, beside their labels."""

    judged: PartLabels
    # The number of the judged document of each label of the lists, from 1; 0: it does not count.
    documents: Floats
    queries: Integers | None = None  # that of each list; None: all in their order


def sort_names(names: Iterable[str]) -> list[str]:
    """Names of parts in order: whole numbers by value, then texts."""

    def key(name: str) -> tuple[bool, int, str]:
        if name.isdecimal():
            return False, int(name), name
        return True, 0, name

    return sorted(names, key=key)
