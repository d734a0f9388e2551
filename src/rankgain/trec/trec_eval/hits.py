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
    """Labels as the program's integers; from 2**63 on, which int64 does not hold, the largest."""
    is_large = labels >= 2.0**63
    integers = np.where(is_large, 0.0, labels).astype(np.int64)
    integers[is_large] = LARGEST
    return integers


def spread(spans: Integers) -> tuple[Integers, Integers]:
    """The number of the list, and the place, of each item; spans: first place and size of lists."""
    firsts, sizes = spans.T
    row = np.repeat(np.arange(len(sizes)), sizes)
    # All items are numbered in sequence. Item `starts[i]` is the first of list i, at firsts[i].
    starts = np.cumsum(sizes) - sizes
    places = np.arange(len(row)) + np.repeat(firsts - starts, sizes)
    return row, places


def logarithms(values: Numbers, function: Callable[[float], float] = math.log2) -> Floats:
    """The logarithm of each, as C has it, without an error: -inf of 0, NaN of negative numbers."""
    result = np.empty(len(values))
    for index, value in enumerate(values.tolist()):
        if value > 0:
            result[index] = function(value)
        else:
            result[index] = np.log(np.float64(value))
    return result


@lru_cache(2)
def log2_below(size: int) -> Floats:
    """The logarithms of 0 .. size - 1."""
    return logarithms(np.arange(size))


def take_log2(numbers: Numbers) -> Floats:
    """The logarithms of numbers, which mostly are small and whole."""
    integers = numbers.astype(np.int64)
    are_in_table = (integers == numbers) & (integers >= 0) & (integers < IN_TABLE)
    if not are_in_table.all():
        return logarithms(numbers)
    # Tables have sizes that are powers of two, so that few are made.
    size = 1 << int(integers.max(initial=0)).bit_length()
    return log2_below(size)[integers]


def powers(p: float, size: int) -> Floats:
    """Powers of p up to `size`, each the product of the one before."""
    return np.multiply.accumulate(np.append(1.0, np.full(size, p)))


def add(rows: Integers, terms: Numbers, n: int) -> Floats:
    """The sums of n lists, of terms in their order; rows: the list of each."""
    return np.bincount(rows, terms, n).astype(np.float64, copy=False)


class RunningSums:
    """The sums up to each term of each list, from 0 on; sizes: how many terms the lists have."""

    def __init__(self, terms: Numbers, sizes: Integers) -> None:
        # Each list has a 0 before its terms, the sum of none of them.
        stops = np.cumsum(sizes + 1)
        self.starts = stops - sizes - 1
        self.flat = np.zeros(len(terms) + len(sizes))
        is_term = np.ones(len(self.flat), bool)
        is_term[self.starts] = False
        self.flat[is_term] = terms
        self.total = np.empty(len(sizes))
        # List by list, since a sum over all lists, less what is before a list, rounds otherwise.
        for i, (start, stop) in enumerate(zip(self.starts.tolist(), stops.tolist(), strict=True)):
            sums = self.flat[start:stop]
            np.add.accumulate(sums, out=sums)
            self.total[i] = sums[-1]

    def first(self, counts: Integers, rows: Integers | slice = slice(None)) -> Floats:
        """The sums of so many terms of these lists."""
        sums: Floats = self.flat[self.starts[rows] + counts]
        return sums


class Documents:
    """Documents of n lists, by list and rank; all ranks and list sizes are below `width`."""

    def __init__(self, rows: Integers, ranks: Integers, n: int, width: int) -> None:
        self.row = rows  # the list of each document
        self.rank = ranks  # from 0
        self.n = n
        self.width = width
        self.sizes = np.bincount(rows, minlength=n)
        self.firsts = np.cumsum(self.sizes) - self.sizes
        self.number = np.arange(1, 1 + len(rows)) - self.firsts[rows]  # in the list, from 1
        self.keys = rows * width + ranks  # ascending, so that a list and rank can be searched for

    def select(self, mask: Mask) -> "Documents":
        """The documents of a mask."""
        return Documents(self.row[mask], self.rank[mask], self.n, self.width)

    def above(self, k: int | Integers, rows: Integers | None = None) -> Integers:
        """How many of them stand above rank k in each list, or in the lists `rows`."""
        if rows is None:
            rows = np.arange(self.n)
        first_keys = self.width * rows
        starts = np.searchsorted(self.keys, first_keys)
        ends = np.searchsorted(self.keys, first_keys + np.minimum(k, self.width))
        return ends - starts

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
        self.options = options
        self.n = len(spans)
        self.size = spans[:, 0]
        ranks_of_hits, labels_of_hits = hits
        row, places = spread(spans[:, 1:])
        rank = ranks_of_hits[places]
        label = as_integers(labels_of_hits[places])
        label[label < 0] = UNJUDGED
        if options.judged_only:
            # The others are removed, so a rank is the number of hits before it in the list.
            is_judged = label >= 0
            row = row[is_judged]
            label = label[is_judged]
            self.size = np.bincount(row, minlength=self.n)
            rank = np.arange(len(row)) - np.searchsorted(row, row)
        elif all_documents:
            starts = np.cumsum(self.size) - self.size
            places_of_hits = starts[row] + rank
            hit_labels = label
            label = np.full(int(self.size.sum()), NOT_IN_POOL)
            label[places_of_hits] = hit_labels
            row = np.repeat(np.arange(self.n), self.size)
            rank = np.arange(len(label)) - starts[row]
        longest = max(self.size.max(), judged_spans[:, 1].max(), level_spans[:, 1].max())
        self.label = label
        self.documents = Documents(row, rank, self.n, width=2 + int(longest))
        self.is_known = label >= 0
        self.is_relevant = label >= options.level
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
        precisions = relevant.number / (relevant.rank + 1)
        self.precisions = RunningSums(precisions, relevant.sizes)
        self.judged = judged
        self.level_spans = level_spans
        self.gained: dict[object, Gains] = {}

    def before(self, mask: Mask) -> Integers:
        """How many documents of a mask stand above each that is known and relevant."""
        # counts[i]: those before document i of all lists; less those before its list.
        counts: Integers = np.append(0, np.cumsum(mask))
        relevant_indices = np.flatnonzero(self.is_known & self.is_relevant)
        list_starts = self.documents.firsts[self.judged_relevant.row]
        before: Integers = counts[relevant_indices] - counts[list_starts]
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
    left = merge_sorted(entries[:half])
    right = merge_sorted(entries[half:])
    result = []
    while left and right:
        difference = left[0].gain - right[0].gain
        # A difference that is too large for an integer is below 0, as on x86.
        if 1.0 <= difference < 2147483648.0:
            result.append(right.pop(0))
        else:
            result.append(left.pop(0))
    return result + left + right


class Gains:
    """The gains of documents, those of the ideal lists, best first, and running sums of both."""

    def __init__(self, hits: QueryHits, labels: Sequence[int], gains: Sequence[float]) -> None:
        documents = hits.documents
        if labels:
            self._read(hits, labels, gains)
        else:
            self._read_labels(hits)
        self.last = np.bincount(self.ideal_row, minlength=hits.n)  # length of each ideal list
        firsts = np.cumsum(self.last) - self.last
        self.ideal_place = np.arange(len(self.ideal)) - firsts[self.ideal_row]
        # DCG: a gain at rank r, from 0, is divided by log2(r + 2).
        discounted = self.gain / take_log2(documents.rank + 2)
        self.dcg = RunningSums(discounted, documents.sizes)
        ideal_discounted = self.ideal / take_log2(self.ideal_place + 2)
        self.ideal_dcg = RunningSums(ideal_discounted, self.last)

    def _read_labels(self, hits: QueryHits) -> None:
        """Use the labels as gains; those of ideal lists are above 0, and descend."""
        rows, places = spread(hits.level_spans)
        labels = as_integers(hits.judged[places])
        has_ideal_gain = labels > 0
        self.ideal_row = rows[has_ideal_gain]
        self.ideal = labels[has_ideal_gain].astype(np.float64)
        self.has_gain = hits.label >= 0
        self.gain = np.maximum(hits.label, 0).astype(np.float64)
        self.least = np.zeros(hits.n)
        highest_labels = as_integers(hits.judged[hits.level_spans[:, 0]])
        self.greatest = np.maximum(highest_labels, 0).astype(np.float64)

    def _read(self, hits: QueryHits, labels: Sequence[int], gains: Sequence[float]) -> None:
        """Read the gains that a measure is given."""
        self.has_gain = np.zeros(len(hits.label), bool)
        self.gain = np.zeros(len(hits.label))
        self.least = np.zeros(hits.n)
        self.greatest = np.zeros(hits.n)
        ideal: list[tuple[int, float, int]] = []  # list, gain, and how many judgments have it
        stops = (hits.documents.firsts + hits.documents.sizes).tolist()
        for i, (first, size) in enumerate(hits.level_spans.tolist()):
            judged = as_integers(hits.judged[first : first + size])
            entries = merge_sorted(_gain_table(judged, labels, gains))  # mostly ascending
            all_gains = [0.0, *(entry.gain for entry in entries)]
            self.least[i] = min(all_gains)
            self.greatest[i] = max(all_gains)
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
        # Each judgment with a gain is a document of the ideal list.
        table = np.array(ideal, np.float64).reshape(-1, 3)
        counts = table[:, 2].astype(np.int64)
        self.ideal_row = np.repeat(table[:, 0].astype(np.int64), counts)
        self.ideal = np.repeat(table[:, 1], counts)


def _gain_table(judged: Integers, labels: Sequence[int], gains: Sequence[float]) -> list[Entry]:
    """The program's table of gains for a list: the given labels first, then its other labels.

    A label that is given twice has its judgments in the first entry. Labels without a given gain
    are their own gain.
    """
    levels, sizes = np.unique(judged[judged >= 0], return_counts=True)
    counts = dict(zip(levels.tolist(), sizes.tolist(), strict=True))
    if judged[0] < MAX_TABLE_LABEL:
        # Every label up to the highest has an entry, judged or not.
        counts = {label: counts.get(label, 0) for label in range(judged[0] + 1)}
    entries = []
    for index, (label, gain) in enumerate(zip(labels, gains, strict=True)):
        judgments = counts.get(label, 0)
        if label in labels[:index]:
            judgments = 0
        entries.append(Entry(label, gain, judgments))
    for label, judgments in counts.items():
        if label not in labels:
            entries.append(Entry(label, float(label), judgments))
    return entries
