"""The measures of trec_eval in its order of operations: sums in rank order, a division per term.

Undefined values stay undefined (0/0); docs/reference/trec_eval.md lists them. Logarithms are those
of C, by the module math: NumPy has its own.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..rows import Floats, Integers
from .options import LARGEST, MeasureRequest, Options

Numbers: TypeAlias = Floats | Integers
Mask: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

NOT_IN_POOL, UNJUDGED = -1, -2  # no judgment; one below 0, which says that nobody judged
EPSILON = 0.00001  # of infAP, and the least value of geometric means
# Up to here, given gains that are no whole numbers are sorted as in the program, whose table has
# every label.
EVERY_LABEL = 1024


def whole(labels: Floats) -> Integers:
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


def take_log2(numbers: Integers) -> Floats:
    """The logarithms of small whole numbers."""
    return log2_below(1 << int(numbers.max(initial=0)).bit_length())[numbers]


def powers(p: float, size: int) -> Floats:
    """Powers of p up to `size`, each the product of the one before."""
    return np.multiply.accumulate(np.append(1.0, np.full(size, p)))


def running(terms: Numbers) -> Floats:
    """Sums up to each term, from 0 on."""
    return np.add.accumulate(np.append(0.0, terms))


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
        self.row, places = spread(spans[:, 1:])
        self.rank, self.label = hits[0][places], whole(hits[1][places])
        self.label[self.label < 0] = UNJUDGED
        if options.judged_only:
            self.row, self.label = self.row[self.label >= 0], self.label[self.label >= 0]
            self.size = np.bincount(self.row, minlength=self.n)
            self.rank = np.arange(len(self.row)) - np.searchsorted(self.row, self.row)
        elif all_documents:
            starts = np.cumsum(self.size) - self.size
            label = np.full(int(self.size.sum()), NOT_IN_POOL)
            label[starts[self.row] + self.rank] = self.label
            self.row, self.label = np.repeat(np.arange(self.n), self.size), label
            self.rank = np.arange(len(label)) - starts[self.row]
        self.bounds = np.searchsorted(self.row, np.arange(self.n + 1))
        self.known, self.relevant = self.label >= 0, self.label >= options.level
        self.judged_row, places = spread(judged_spans)
        self.judged, self.judged_starts = whole(judged[places]), judged_spans[:, 0]
        self.judged_place = places - judged_spans[self.judged_row, 0]
        enough = self.judged >= max(options.level, 0)
        self.num_rel = np.bincount(self.judged_row[enough], minlength=self.n)
        self.rel_ret = self.count(self.relevant & self.known)
        self.precision = self.running(self.relevant) / (self.rank + 1)
        self.levels = judged, level_spans
        self.gained: dict[object, list[GainedList]] = {}

    def running(self, which: Mask) -> Integers:
        """How many of these documents stand up to each, itself included, in its list."""
        total: Integers = np.append(0, np.cumsum(which))
        return total[1:] - total[self.bounds[self.row]]

    def count(self, which: Mask) -> Integers:
        """How many of these documents each list has."""
        return np.bincount(self.row[which], minlength=self.n)

    def total(self, values: Floats, which: Mask) -> Floats:
        """Sums of the values of these documents, added by rank."""
        return np.bincount(self.row[which], values[which], self.n).astype(np.float64, copy=False)

    def above(self, k: int | Integers) -> Integers:
        """Relevant documents above rank k."""
        return self.count(self.relevant & (self.rank < k))

    def gains(self, request: MeasureRequest) -> list["GainedList"]:
        """The gains of each list under the parameters of a measure."""
        key = request.cutoffs, request.numbers
        if key not in self.gained:
            judged, spans = self.levels
            bounds, result = self.bounds.tolist(), []
            for i, (first, size) in enumerate(spans.tolist()):
                labels = whole(judged[first : first + size])
                entries = read_entries(labels[labels >= 0], *key)
                one = slice(bounds[i], bounds[i + 1])
                result.append(
                    GainedList(self.rank[one], self.label[one], entries, int(self.size[i]))
                )
            self.gained[key] = result
        return self.gained[key]


class Entry(NamedTuple):
    """A label, its gain, and how many judgments have it."""

    label: int
    gain: float
    judgments: int


def read_entries(judged: Integers, labels: Sequence[int], gains: Sequence[float]) -> list[Entry]:
    """The gains of labels in the program's order, mostly ascending; the first of a label counts."""
    levels, sizes = np.unique(judged, return_counts=True)
    counts = dict(zip(levels.tolist(), sizes.tolist(), strict=True))
    if labels and judged[0] < EVERY_LABEL:
        counts = {label: counts.get(label, 0) for label in range(judged[0] + 1)}
    entries = [
        Entry(label, gain, 0 if label in labels[:i] else counts.get(label, 0))
        for i, (label, gain) in enumerate(zip(labels, gains, strict=True))
    ]
    entries += [Entry(one, float(one), n) for one, n in counts.items() if one not in labels]
    return merge_sorted(entries) if labels else entries


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


class GainedList:
    """The gains of one list, those of the ideal list, best first, and running sums of both."""

    def __init__(self, ranks: Integers, labels: Integers, entries: list[Entry], size: int) -> None:
        self.ranks, self.labels, self.entries, self.size = ranks, labels, entries, size
        self.gains = self.gains_by(entries)
        counts, ideal = [], []
        for _, gain, count in reversed(entries if entries[-1].gain > 0 else []):
            if count and gain <= 0:
                break
            ideal.append(gain)
            counts.append(count)
        self.ideal = np.repeat(ideal, counts) if ideal else np.empty(0)
        self.dcg = running(self.gains / take_log2(ranks + 2))
        self.ideal_dcg = running(self.ideal / take_log2(np.arange(2, len(self.ideal) + 2)))

    def gains_by(self, entries: list[Entry]) -> Floats:
        """The gain of each document."""
        gain_of = {one.label: one.gain for one in reversed(entries)}
        levels = np.array(sorted(gain_of))
        gains = np.array([gain_of[level] for level in levels.tolist()])
        at = np.searchsorted(levels, self.labels)
        at[at == len(levels)] = 0
        return np.where(levels[at] == self.labels, gains[at], 0.0)


def ndcg(one: GainedList) -> float:
    """The discounted gain over that of the ideal list."""
    ideal = one.ideal_dcg[-1]
    return float(one.dcg[-1] / ideal) if ideal > 0 else 0.0


def ndcg_rel(one: GainedList) -> float:
    """nDCG averaged over the ranks of documents with a gain; those not retrieved at the last."""
    last, gain = len(one.ideal), one.gains > 0
    ideal = one.ideal_dcg[np.minimum(one.ranks[gain] + 1, last)]
    total = running(one.dcg[1:][gain] / ideal)[-1]
    total += (last - np.count_nonzero(gain)) * one.dcg[-1] / one.ideal_dcg[-1]
    return float(total / last) if total > 0 else 0.0


def r_ndcg(one: GainedList) -> float:
    """nDCG averaged over the ranks at which the ideal gain changes, and the last."""
    last = len(one.ideal)
    ends = 1 + np.flatnonzero(np.diff(one.ideal, append=math.inf))
    if one.size > last + 1:
        ends = np.append(ends, one.size)
    ideal = one.ideal_dcg[np.minimum(ends, last)]
    values = one.dcg[np.searchsorted(one.ranks, ends)][ideal > 0] / ideal[ideal > 0]
    return float(running(values)[-1] / np.float64(len(values)))


def normalize_gain(one: GainedList) -> float:
    """G: a gain is divided by more, the larger the possible gains above it."""
    rest = max(0, int(one.ranks.max(initial=-1)) + 1 - len(one.ideal))
    costs = np.cumsum(np.append(np.maximum(one.ideal, 1.0), np.ones(rest)))
    gain = one.gains != 0
    gains, cost = one.gains[gain], costs[one.ranks[gain]]
    total = running(gains / logarithms(2 + cost - np.cumsum(gains)))[-1]
    ideal = running(one.ideal)[-1]
    return float(total / ideal) if ideal > 0 else 0.0


def rank_biased_precision(hits: QueryHits, request: MeasureRequest) -> list[float]:
    """Gains divided by the largest, as the author intended (the program never sets its bounds)."""
    weights, result = powers(request.p, int(hits.size.max())), []
    for one in hits.gains(request):
        gains, all_gains = one.gains, [0.0, *(entry.gain for entry in one.entries)]
        least, greatest = min(all_gains), max(all_gains)
        if least < 0 or greatest > 1:
            width = greatest - least
            scaled = [entry._replace(gain=(entry.gain - least) / width) for entry in one.entries]
            gains = one.gains_by(scaled)
        total = running(gains * weights[one.ranks])[-1]
        result.append(float((1.0 - request.p) * total))
    return result


def rbp_residual(hits: QueryHits, request: MeasureRequest) -> Floats:
    """What the documents that nobody judged, and those below the last, could add."""
    weights, result = powers(request.p, int(hits.size.max())), np.zeros(hits.n)
    for i, size in enumerate(hits.size.tolist()):
        one = slice(hits.bounds[i], hits.bounds[i + 1])
        unjudged = np.ones(size, bool)
        unjudged[hits.rank[one][hits.known[one]]] = False
        if unjudged.any():
            total = running(weights[:size][unjudged])[-1]
            result[i] = weights[size] + (1 - request.p) * total
    return result


def average_precision(hits: QueryHits) -> Floats:
    """The precisions at the relevant documents over their number."""
    total = hits.total(hits.precision, hits.relevant)
    return np.where(total > 0, total / hits.num_rel, 0.0)


def yaap(hits: QueryHits) -> Floats:
    """The odds of the sum of precisions, as a logarithm."""
    total = hits.total(hits.precision, hits.relevant)
    return logarithms((1.0 + total) / (1.0 + hits.num_rel - total), math.log)


def geometric(values: Floats) -> Floats:
    """Logarithms of values that are not too small."""
    return logarithms(np.where(values > EPSILON, values, EPSILON), math.log)


def bpref(hits: QueryHits) -> Floats:
    """How many documents that are judged not relevant stand above relevant ones."""
    above = hits.running(hits.known & ~hits.relevant)
    known = np.bincount(hits.judged_row[hits.judged >= 0], minlength=hits.n)
    least = np.minimum(known - hits.num_rel, hits.num_rel)[hits.row]
    terms = 1.0 - np.minimum(above, hits.num_rel[hits.row]) / least
    total = hits.total(np.where(above > 0, terms, 1.0), hits.relevant & hits.known)
    return np.where(hits.num_rel > 0, total / hits.num_rel, total)


def reciprocal_rank(hits: QueryHits) -> Floats:
    """Of the first relevant document."""
    first = hits.relevant & (hits.running(hits.relevant) == 1)
    return hits.total(1 / (hits.rank + 1), first)


def interpolate(hits: QueryHits, request: MeasureRequest) -> list[Floats]:
    """The greatest precision from where a share of the relevant documents is reached."""
    order = np.flatnonzero(hits.relevant)
    rows, ranks = hits.row[order], hits.rank[order]
    ends = np.searchsorted(rows, np.arange(hits.n), side="right")
    number = hits.rel_ret[rows] - (ends[rows] - 1 - np.arange(len(rows)))  # counted from the last
    precision = np.append(number / (ranks + 1), 0.0)
    result = []
    for share in request.numbers:
        point = (share * hits.num_rel + 0.5).astype(np.int64)
        starts = ends - np.maximum(hits.rel_ret - np.maximum(point, 1) + 1, 0)
        best = np.maximum.reduceat(precision, np.column_stack((starts, ends)).ravel())[::2]
        best = np.where(starts < ends, best, hits.rel_ret / hits.size)
        result.append(np.where(point > hits.rel_ret, 0.0, best))
    return result


def eleven_point(hits: QueryHits, request: MeasureRequest) -> Floats:
    """The mean of these precisions, added from the last on."""
    total = np.zeros(hits.n)
    for values in reversed(interpolate(hits, request)):
        total += values
    return total / np.float64(len(request.numbers))


def inferred_ap(hits: QueryHits) -> Floats:
    """Average precision where the pool was judged in part."""
    relevant = hits.relevant & hits.known
    above, before = hits.rank.astype(float), hits.running(relevant) - 1
    judged = before + hits.running(hits.known & ~hits.relevant)
    pool = judged + hits.running(hits.label == UNJUDGED)
    terms = 1.0 / (above + 1.0) + (above / (above + 1.0)) * (pool / above) * (
        (before + EPSILON) / (judged + 2 * EPSILON)
    )
    total = hits.total(np.where(above == 0, 1.0, terms), relevant)
    return np.where(hits.num_rel > 0, total / hits.num_rel, total)


def ndcg_cut(hits: QueryHits, request: MeasureRequest) -> list[Floats]:
    """nDCG of labels above 0."""
    gains, result = hits.label / take_log2(hits.rank + 2), []
    ideal_gains = hits.judged / take_log2(hits.judged_place + 2)
    for k in request.cutoffs:
        total = hits.total(gains, (hits.label > 0) & (hits.rank < k))
        which = (hits.judged > 0) & (hits.judged_place < k)
        ideal = np.bincount(hits.judged_row[which], ideal_gains[which], hits.n)
        result.append(np.where(ideal > 0, total / ideal, total))
    return result


def precision_at_multiple(hits: QueryHits, multiple: float) -> Floats:
    """Precision at a multiple of the number of relevant documents."""
    k = (multiple * hits.num_rel + 0.9).astype(np.int64)
    below = hits.count(hits.relevant & (hits.rank >= k[hits.row]))
    return np.where(k > 0, np.maximum(hits.rel_ret - below, 0) / k, 0.0)


def utility(hits: QueryHits, request: MeasureRequest) -> Floats:
    """A coefficient for each combination of retrieved and relevant."""
    a, b, c, d = request.numbers
    others = hits.options.collection + hits.rel_ret - hits.size - hits.num_rel
    result: Floats = (
        a * hits.rel_ret
        + b * (hits.size - hits.rel_ret)
        + c * (hits.num_rel - hits.rel_ret)
        + d * others
    )
    return result


def set_f(hits: QueryHits, request: MeasureRequest) -> Floats:
    """Precision and recall in one."""
    x, precision, recall = request.numbers[0], hits.rel_ret / hits.size, hits.rel_ret / hits.num_rel
    value = (x + 1.0) * precision * recall / (x * precision + recall)
    return np.where(hits.rel_ret > 0, value, 0.0)


def binary_g(hits: QueryHits) -> Floats:
    """G of gains of 0 and 1."""
    terms = 1.0 / take_log2(3 + hits.rank - hits.running(hits.relevant))
    total = hits.total(terms, hits.relevant)
    return np.where(hits.count(hits.relevant) > 0, total / hits.num_rel, 0.0)


def over_relevant(hits: QueryHits, part: Numbers, most: int | Integers = LARGEST) -> Floats:
    """A part of the relevant documents, or of `most`."""
    return np.where(hits.num_rel > 0, part / np.minimum(hits.num_rel, most), 0.0)


# Of all lists, by name; those of one column, of a column for each cutoff or number, and of gains.
COLUMNS: dict[str, Callable[[QueryHits], Any]] = {
    "num_ret": lambda hits: hits.size,
    "num_rel": lambda hits: hits.num_rel,
    "num_rel_ret": lambda hits: hits.rel_ret,
    "num_nonrel_judged_ret": lambda hits: hits.count(hits.known) - hits.rel_ret,
    "map": average_precision,
    "gm_map": lambda hits: geometric(average_precision(hits)),
    "Rprec": lambda hits: over_relevant(hits, hits.above(hits.num_rel[hits.row])),
    "bpref": bpref,
    "gm_bpref": lambda hits: geometric(bpref(hits)),
    "recip_rank": reciprocal_rank,
    "infAP": inferred_ap,
    "binG": binary_g,
    "set_P": lambda hits: np.where(hits.size > 0, hits.rel_ret / hits.size, 0.0),
    "set_relative_P": lambda hits: np.where(
        hits.size > 0, over_relevant(hits, hits.rel_ret, hits.size), 0.0
    ),
    "set_recall": lambda hits: over_relevant(hits, hits.rel_ret),
    "set_map": lambda hits: np.where(
        hits.size * hits.num_rel > 0,
        hits.rel_ret * 1.0 * hits.rel_ret / (hits.size * 1.0 * hits.num_rel),
        0.0,
    ),
    "yaap": yaap,
}
BY_CUTOFF: dict[str, Callable[[QueryHits, Any], Any]] = {
    "P": lambda hits, k: hits.above(k) / k,
    "recall": lambda hits, k: over_relevant(hits, hits.above(k)),
    "relative_P": lambda hits, k: over_relevant(hits, hits.above(k), k),
    "success": lambda hits, k: hits.above(k) > 0,
    "map_cut": lambda hits, k: over_relevant(
        hits, hits.total(hits.precision, hits.relevant & (hits.rank < k))
    ),
    "unj": lambda hits, k: (
        (np.minimum(hits.size, k) - hits.count(hits.known & (hits.rank < k))) / k
    ),
    "Rprec_mult": precision_at_multiple,
}
BY_PARAMETERS: dict[str, Callable[[QueryHits, MeasureRequest], Any]] = {
    "iprec_at_recall": interpolate,
    "11pt_avg": eleven_point,
    "utility": utility,
    "ndcg_cut": ndcg_cut,
    "set_F": set_f,
    "rbp": rank_biased_precision,
    "rbp_resid": rbp_residual,
}
OF_GAINS: dict[str, Callable[[GainedList], float]] = {
    "G": normalize_gain,
    "dcg": lambda one: float(one.dcg[-1]),
    "ideal_dcg": lambda one: float(one.ideal_dcg[-1]),
    "ndcg": ndcg,
    "ndcg_rel": ndcg_rel,
    "Rndcg": r_ndcg,
}


def make_columns(hits: QueryHits, request: MeasureRequest) -> Any:
    """The values of a measure, a row for each column."""
    name = request.measure.name
    if name in COLUMNS:
        return COLUMNS[name](hits)
    if name in BY_CUTOFF:
        return [BY_CUTOFF[name](hits, one) for one in request.cutoffs or request.numbers]
    if name in BY_PARAMETERS:
        return BY_PARAMETERS[name](hits, request)
    values = np.array([OF_GAINS[name](one) for one in hits.gains(request)])
    return np.where(hits.num_rel > 0, values, 0.0) if name == "Rndcg" else values
