"""The documents of many lists in flat arrays, list by list, their gains, and sums in rank order.

Logarithms are those of C, by the module math: NumPy has its own.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from ..rows import Floats, Integers, Mask
from .options import LARGEST, MeasureRequest, Options

Numbers: TypeAlias = Floats | Integers

NOT_IN_POOL, UNJUDGED = -1, -2  # no judgment; one below 0, which says that nobody judged
# Up to here, given gains that are no whole numbers are sorted as in the program, whose table has
# every label.
MAX_TABLE_LABEL = 1024
IN_TABLE = 1 << 16  # whole numbers below have their logarithm in a table


def as_integers(labels: Floats) -> Integers:
    """Labels as the program's integers."""
    large = labels >= 2.0**63
    return np.where(large, LARGEST, np.where(large, 0.0, labels).astype(np.int64))


def spread(spans: Integers) -> tuple[Integers, Integers]:
    """The number of the list, and the place, of each item; spans: first place and size of lists."""
    firsts, sizes = spans.T
    row = np.repeat(np.arange(len(sizes)), sizes)
    return row, np.arange(len(row)) + np.repeat(firsts - np.cumsum(sizes) + sizes, sizes)


def logarithms(values: Numbers, function: Callable[[float], float] = math.log2) -> Floats:
    """The logarithm of each, as C has it, without an error."""
    return np.array(
        [function(x) if x > 0 else np.log(np.float64(x)) for x in values.tolist()], np.float64
    )


@lru_cache(2)
def log2_below(size: int) -> Floats:
    """The logarithms of 0 .. size - 1."""
    return logarithms(np.arange(size))


def take_log2(numbers: Numbers) -> Floats:
    """The logarithms of numbers, which mostly are small and whole."""
    places = numbers.astype(np.int64)
    if not ((places == numbers) & (places >= 0) & (places < IN_TABLE)).all():
        return logarithms(numbers)
    return log2_below(1 << int(places.max(initial=0)).bit_length())[places]


def powers(p: float, size: int) -> Floats:
    """Powers of p up to `size`, each the product of the one before."""
    return np.multiply.accumulate(np.append(1.0, np.full(size, p)))


def add(rows: Integers, terms: Numbers, n: int) -> Floats:
    """The sums of n lists, of terms in their order; rows: the list of each."""
    return np.bincount(rows, terms, n).astype(np.float64, copy=False)


class RunningSums:
    """The sums up to each term of each list, from 0 on; sizes: how many terms the lists have."""

    def __init__(self, terms: Numbers, sizes: Integers) -> None:
        stops = np.cumsum(sizes + 1)
        self.starts = stops - sizes - 1
        self.flat = np.zeros(len(terms) + len(sizes))
        is_term = np.ones(len(self.flat), bool)
        is_term[self.starts] = False
        self.flat[is_term] = terms
        self.total = np.empty(len(sizes))
        for i, (start, stop) in enumerate(zip(self.starts.tolist(), stops.tolist(), strict=True)):
            sums = self.flat[start:stop]
            self.total[i] = np.add.accumulate(sums, out=sums)[-1]

    def first(self, counts: Integers, rows: Integers | slice = slice(None)) -> Floats:
        """The sums of so many terms of these lists."""
        sums: Floats = self.flat[self.starts[rows] + counts]
        return sums


class Documents:
    """Documents by list and rank; all ranks and numbers of documents are below `width`."""

    def __init__(self, rows: Integers, ranks: Integers, n: int, width: int) -> None:
        self.row, self.rank, self.n, self.width = rows, ranks, n, width
        self.sizes = np.bincount(rows, minlength=n)
        self.keys = rows * width + ranks
        self.firsts = np.cumsum(self.sizes) - self.sizes
        self.number = np.arange(1, 1 + len(rows)) - self.firsts[rows]

    def select(self, mask: Mask) -> "Documents":
        """Some of them."""
        return Documents(self.row[mask], self.rank[mask], self.n, self.width)

    def above(self, k: int | Integers, rows: Integers | None = None) -> Integers:
        """How many of them stand above rank k in each list, or in these."""
        firsts = self.width * (np.arange(self.n) if rows is None else rows)
        ends = np.searchsorted(self.keys, firsts + np.minimum(k, self.width))
        return ends - np.searchsorted(self.keys, firsts)

    def total(self, terms: Numbers) -> Floats:
        """Sums of their terms, added by rank."""
        return add(self.row, terms, self.n)


class QueryHits:
    """The judged documents of some lists, by list and rank.

    With `all_documents` the others are here, too: their label is -1.

    spans: of each list, how many documents are ranked, the first hit, and how many hits; judged:
    labels, whose places are, by list, in judged_spans, and in level_spans those for its gains.
    """

    def __init__(
        self,
        options: Options,
        spans: Integers,
        hits: tuple[Integers, Floats],
        judged: Floats,
        judged_spans: Integers,
        level_spans: Integers,
        all_documents: bool,
    ) -> None:
        self.options, self.n, self.size = options, len(spans), spans[:, 0]
        row, places = spread(spans[:, 1:])
        rank, label = hits[0][places], as_integers(hits[1][places])
        label[label < 0] = UNJUDGED
        if options.judged_only:
            row, label = row[label >= 0], label[label >= 0]
            self.size = np.bincount(row, minlength=self.n)
            rank = np.arange(len(row)) - np.searchsorted(row, row)
        elif all_documents:
            starts = np.cumsum(self.size) - self.size
            labels = np.full(int(self.size.sum()), NOT_IN_POOL)
            labels[starts[row] + rank] = label
            row, label = np.repeat(np.arange(self.n), self.size), labels
            rank = np.arange(len(label)) - starts[row]
        width = 2 + int(max(self.size.max(), judged_spans[:, 1].max(), level_spans[:, 1].max()))
        self.label, self.documents = label, Documents(row, rank, self.n, width)
        self.is_known, self.is_relevant = label >= 0, label >= options.level
        self.known = self.documents.select(self.is_known)
        self.relevant = self.documents.select(self.is_relevant)
        self.judged_relevant = self.documents.select(self.is_known & self.is_relevant)
        self.rel_ret = self.judged_relevant.sizes
        judged_row, places = spread(judged_spans)
        judgments = as_integers(judged[places])
        enough = judgments >= max(options.level, 0)
        self.num_rel = np.bincount(judged_row[enough], minlength=self.n)
        self.num_known = np.bincount(judged_row[judgments >= 0], minlength=self.n)
        relevant = self.relevant
        self.precisions = RunningSums(relevant.number / (relevant.rank + 1), relevant.sizes)
        self.judged, self.level_spans = judged, level_spans
        self.gained: dict[object, Gains] = {}

    def before(self, mask: Mask) -> Integers:
        """How many of these documents stand above each that is known and relevant."""
        total: Integers = np.append(0, np.cumsum(mask))
        relevant_indices = np.flatnonzero(self.is_known & self.is_relevant)
        before: Integers = (
            total[relevant_indices] - total[self.documents.firsts[self.judged_relevant.row]]
        )
        return before

    def gains(self, request: MeasureRequest) -> "Gains":
        """The gains under the parameters of a measure."""
        key = request.cutoffs, request.numbers
        if key not in self.gained:
            self.gained[key] = Gains(self, *key)
        return self.gained[key]


class Entry(NamedTuple):
    """A label, its gain, and how many judgments have it."""

    label: int
    gain: float
    judgments: int


def merge_sorted(entries: list[Entry]) -> list[Entry]:
    """The merge sort of C's library with trec_eval's comparison, which truncates the difference.

    Gains less than 1 apart keep their order, so the result depends on how the halves are merged.
    """
    half = len(entries) // 2
    if half == 0:
        return entries
    a, b, result = merge_sorted(entries[:half]), merge_sorted(entries[half:]), []
    while a and b:
        # A difference that is too large for an integer is below 0, as on x86.
        after = 1.0 <= a[0].gain - b[0].gain < 2147483648.0
        result.append((b if after else a).pop(0))
    return result + a + b


class Gains:
    """The gains of documents, those of the ideal lists, best first, and running sums of both."""

    def __init__(self, hits: QueryHits, labels: Sequence[int], gains: Sequence[float]) -> None:
        documents = hits.documents
        if labels:
            self._read(hits, labels, gains)
        else:
            rows, places = spread(hits.level_spans)
            ideal = as_integers(hits.judged[places])
            self.ideal_row, self.ideal = rows[ideal > 0], ideal[ideal > 0].astype(np.float64)
            self.has_gain, self.gain = hits.label >= 0, np.maximum(hits.label, 0).astype(np.float64)
            self.least = np.zeros(hits.n)
            highest = as_integers(hits.judged[hits.level_spans[:, 0]])
            self.greatest = np.maximum(highest, 0).astype(np.float64)
        self.last = np.bincount(self.ideal_row, minlength=hits.n)
        firsts = np.cumsum(self.last) - self.last
        self.ideal_place = np.arange(len(self.ideal)) - firsts[self.ideal_row]
        self.dcg = RunningSums(self.gain / take_log2(documents.rank + 2), documents.sizes)
        self.ideal_dcg = RunningSums(self.ideal / take_log2(self.ideal_place + 2), self.last)

    def _read(self, hits: QueryHits, labels: Sequence[int], gains: Sequence[float]) -> None:
        """Read the gains that a measure is given."""
        self.has_gain, self.gain = np.zeros(len(hits.label), bool), np.zeros(len(hits.label))
        self.least, self.greatest = np.zeros(hits.n), np.zeros(hits.n)
        ideal: list[tuple[int, float, int]] = []  # list, gain, and how many judgments have it
        stops = (hits.documents.firsts + hits.documents.sizes).tolist()
        for i, (first, size) in enumerate(hits.level_spans.tolist()):
            judged = as_integers(hits.judged[first : first + size])
            entries = merge_sorted(_gain_table(judged, labels, gains))  # mostly ascending
            all_gains = [0.0, *(entry.gain for entry in entries)]
            self.least[i], self.greatest[i] = min(all_gains), max(all_gains)
            documents = slice(hits.documents.firsts[i], stops[i])
            # The first entry of a label counts, so it is written last.
            for label, gain, _ in reversed(entries):
                mask = hits.label[documents] == label
                self.gain[documents][mask] = gain
                self.has_gain[documents][mask] = True
            if entries[-1].gain <= 0:
                continue
            for _, gain, judgments in reversed(entries):
                if judgments and gain <= 0:
                    break
                ideal.append((i, gain, judgments))
        table = np.array(ideal, np.float64).reshape(-1, 3)
        rows, self.ideal, _ = np.repeat(table, table[:, 2].astype(np.int64), axis=0).T
        self.ideal_row = rows.astype(np.int64)


def _gain_table(judged: Integers, labels: Sequence[int], gains: Sequence[float]) -> list[Entry]:
    """The program's table of gains for a list: the given labels first, then its other labels.

    A label that is given twice has its judgments in the first entry. Labels without a given gain
    are their own gain.
    """
    levels, sizes = np.unique(judged[judged >= 0], return_counts=True)
    counts = dict(zip(levels.tolist(), sizes.tolist(), strict=True))
    if judged[0] < MAX_TABLE_LABEL:
        counts = {label: counts.get(label, 0) for label in range(judged[0] + 1)}
    entries = []
    for index, (label, gain) in enumerate(zip(labels, gains, strict=True)):
        is_repeated = label in labels[:index]
        entries.append(Entry(label, gain, 0 if is_repeated else counts.get(label, 0)))
    for label, judgments in counts.items():
        if label not in labels:
            entries.append(Entry(label, float(label), judgments))
    return entries
