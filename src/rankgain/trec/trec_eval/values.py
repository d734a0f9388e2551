"""The measures of trec_eval in its order of operations: sums in rank order, a division per term.

Undefined values stay undefined (0/0); docs/reference/trec_eval.md lists them.
"""

import math
from collections.abc import Callable

import numpy as np

from ..rows import Floats, Integers
from ..stream import StreamedRun
from .hits import (
    NOT_IN_POOL,
    UNJUDGED,
    Numbers,
    QueryHits,
    RunningSums,
    add,
    logarithms,
    powers,
    take_log2,
)
from .options import LARGEST, MeasureRequest, Options

DOCUMENTS_PER_BLOCK = 1 << 18  # documents and judgments of lists that are evaluated together
EPSILON = 0.00001  # of infAP, and the least value of geometric means


def ndcg(hits: QueryHits, request: MeasureRequest) -> Floats:
    """The discounted gain over that of the ideal list."""
    gains = hits.gains(request)
    ideal = gains.ideal_dcg.total
    return np.where(ideal > 0, gains.dcg.total / ideal, 0.0)


def ndcg_rel(hits: QueryHits, request: MeasureRequest) -> Floats:
    """nDCG averaged over the ranks of documents with a gain; those not retrieved at the last."""
    gains = hits.gains(request)
    has_gain = gains.gain > 0
    gaining = hits.documents.select(has_gain)
    # nDCG down to the rank of each document with a gain.
    ideal_lengths = np.minimum(gaining.rank + 1, gains.last[gaining.row])
    ideal = gains.ideal_dcg.first(ideal_lengths, gaining.row)
    dcg = gains.dcg.first(hits.documents.number[has_gain], gaining.row)
    total = gaining.total(dcg / ideal)
    # The documents that were not retrieved count at the end of both lists.
    missing = gains.last - gaining.sizes
    total += missing * gains.dcg.total / gains.ideal_dcg.total
    return np.where(total > 0, total / gains.last, 0.0)


def r_ndcg(hits: QueryHits, request: MeasureRequest) -> Floats:
    """nDCG averaged over the ranks at which the ideal gain changes, and the last."""
    gains = hits.gains(request)
    # The ideal gain changes after a document if the next one has another gain, or if there is none.
    ideal_ranks = gains.ideal_place + 1
    is_last = ideal_ranks == gains.last[gains.ideal_row]
    changes = (np.diff(gains.ideal, append=math.inf) != 0) | is_last
    # The end of a list is one more rank if the list is longer than the ideal by two or more.
    longer = np.flatnonzero(hits.size > gains.last + 1)
    rows = np.append(gains.ideal_row[changes], longer)
    ends = np.append(ideal_ranks[changes], hits.size[longer])
    ideal = gains.ideal_dcg.first(np.minimum(ends, gains.last[rows]), rows)
    terms = gains.dcg.first(hits.documents.above(ends, rows), rows) / ideal
    is_defined = ideal > 0
    rows = rows[is_defined]
    total = add(rows, terms[is_defined], hits.n) / np.bincount(rows, minlength=hits.n)
    return np.where(hits.num_rel > 0, total, 0.0)


def normalize_gain(hits: QueryHits, request: MeasureRequest) -> Floats:
    """G: a gain is divided by more, the larger the possible gains above it.

    Sum of gain / log2(2 + cost - gained) over the sum of the ideal gains. Down to the rank of a
    document, gained is the sum of the gains, and cost that of the ideal gains, each at least 1.
    """
    gains = hits.gains(request)
    has_gain = gains.gain != 0
    gaining = hits.documents.select(has_gain)
    gain = gains.gain[has_gain]
    # A list of costs goes on with 1 to the last rank with a gain.
    lengths = gains.last.copy()
    has_gaining = gaining.sizes > 0
    last_gaining = (gaining.firsts + gaining.sizes)[has_gaining] - 1
    lengths[has_gaining] = np.maximum(lengths[has_gaining], gaining.rank[last_gaining] + 1)
    costs = np.ones(int(lengths.sum()))
    firsts = np.cumsum(lengths) - lengths
    costs[firsts[gains.ideal_row] + gains.ideal_place] = np.maximum(gains.ideal, 1.0)
    cost = RunningSums(costs, lengths).first(gaining.rank + 1, gaining.row)
    gained = RunningSums(gain, gaining.sizes).first(gaining.number, gaining.row)
    total = gaining.total(gain / take_log2(2 + cost - gained))
    ideal = add(gains.ideal_row, gains.ideal, hits.n)
    return np.where(ideal > 0, total / ideal, 0.0)


def rank_biased_precision(hits: QueryHits, request: MeasureRequest) -> Floats:
    """Gains divided by the largest, as the author intended (the program never sets its bounds)."""
    gains = hits.gains(request)
    row = hits.documents.row
    lowest = gains.least[row]
    highest = gains.greatest[row]
    # Gains that are not between 0 and 1 are scaled to it; a document without a gain has none.
    scaled = np.where(gains.has_gain, (gains.gain - lowest) / (highest - lowest), 0.0)
    is_wide = (lowest < 0) | (highest > 1)
    gain = np.where(is_wide, scaled, gains.gain)
    weights = powers(request.p, int(hits.size.max()))[hits.documents.rank]
    return (1.0 - request.p) * add(row, gain * weights, hits.n)


def rbp_residual(hits: QueryHits, request: MeasureRequest) -> Floats:
    """What the documents that nobody judged, and those below the last, could add.

    With n documents, those below add at most the sum of (1 - p) p^r from r = n on, which is p^n.
    """
    weights = powers(request.p, int(hits.size.max()))
    result = np.zeros(hits.n)
    judged_ranks = np.split(hits.known.rank, hits.known.firsts[1:])
    for i, size in enumerate(hits.size.tolist()):
        unjudged = np.ones(size, bool)
        unjudged[judged_ranks[i]] = False
        if unjudged.any():
            weights_of_unjudged = weights[:size][unjudged]
            total = np.add.accumulate(weights_of_unjudged)[-1]
            result[i] = weights[size] + (1 - request.p) * total
    return result


def bpref(hits: QueryHits, _: object) -> Floats:
    """How many documents that are judged not relevant stand above relevant ones."""
    row = hits.judged_relevant.row
    above = hits.before(hits.is_known & ~hits.is_relevant)
    num_nonrel = hits.num_known - hits.num_rel
    limit = np.minimum(num_nonrel, hits.num_rel)
    terms = 1.0 - np.minimum(above, hits.num_rel[row]) / limit[row]
    total = hits.judged_relevant.total(np.where(above > 0, terms, 1.0))
    return np.where(hits.num_rel > 0, total / hits.num_rel, total)


def reciprocal_rank(hits: QueryHits, _: object) -> Floats:
    """Of the first relevant document."""
    first = hits.relevant.select(hits.relevant.number == 1)
    return first.total(1 / (first.rank + 1))


def interpolate(hits: QueryHits, request: MeasureRequest) -> list[Floats]:
    """The greatest precision from where a share of the relevant documents is reached."""
    relevant = hits.relevant
    ends = relevant.firsts + relevant.sizes
    # The program numbers the relevant documents from the last one, which has the number rel_ret.
    later = ends[relevant.row] - 1 - np.arange(len(relevant.row))
    number = hits.rel_ret[relevant.row] - later
    precision = np.append(number / (relevant.rank + 1), 0.0)
    result = []
    for share in request.numbers:
        point = (share * hits.num_rel + 0.5).astype(np.int64)
        # The greatest precision of the documents that are number `point` or later. `reduceat` takes
        # the maxima of starts .. ends - 1 and, between these, of ends .. starts, which are dropped.
        starts = ends - np.maximum(hits.rel_ret - np.maximum(point, 1) + 1, 0)
        borders = np.column_stack((starts, ends)).ravel()
        best = np.maximum.reduceat(precision, borders)[::2]
        best = np.where(starts < ends, best, hits.rel_ret / hits.size)
        result.append(np.where(point > hits.rel_ret, 0.0, best))
    return result


def inferred_ap(hits: QueryHits, _: object) -> Floats:
    """Average precision where the pool was judged in part."""
    documents = hits.judged_relevant
    # Documents above each relevant one: all, and those that are relevant, judged, or in the pool.
    above = documents.rank.astype(float)
    before = documents.number - 1
    judged = before + hits.before(hits.is_known & ~hits.is_relevant)
    pool = judged + hits.before(hits.label == UNJUDGED)
    # The expected precision at its rank, if the judged documents are a sample of the pool.
    share_relevant = (before + EPSILON) / (judged + 2 * EPSILON)
    terms = 1.0 / (above + 1.0) + (above / (above + 1.0)) * (pool / above) * share_relevant
    total = documents.total(np.where(above == 0, 1.0, terms))
    return np.where(hits.num_rel > 0, total / hits.num_rel, total)


def ndcg_cut(hits: QueryHits, request: MeasureRequest) -> list[Floats]:
    """nDCG of labels above 0."""
    gains = hits.gains(request._replace(cutoffs=()))
    result = []
    for k in request.cutoffs:
        total = gains.dcg.first(hits.documents.above(k))
        ideal = gains.ideal_dcg.first(np.minimum(gains.last, k))
        result.append(np.where(ideal > 0, total / ideal, total))
    return result


def precision_at_multiple(hits: QueryHits, multiple: float) -> Floats:
    """Precision at a multiple of the number of relevant documents."""
    k = (multiple * hits.num_rel + 0.9).astype(np.int64)
    below = hits.relevant.sizes - hits.relevant.above(k)
    return np.where(k > 0, np.maximum(hits.rel_ret - below, 0) / k, 0.0)


def utility(hits: QueryHits, request: MeasureRequest) -> Floats:
    """A coefficient for each combination of retrieved and relevant."""
    a, b, c, d = request.numbers
    only_retrieved = hits.size - hits.rel_ret
    only_relevant = hits.num_rel - hits.rel_ret
    neither = hits.options.collection + hits.rel_ret - hits.size - hits.num_rel
    total: Floats = a * hits.rel_ret + b * only_retrieved + c * only_relevant + d * neither
    return total


def average_precision(hits: QueryHits, _: object) -> Floats:
    """The sum of precisions at relevant documents over the number of relevant documents."""
    total = hits.precisions.total
    return np.where(total > 0, total / hits.num_rel, 0.0)


def set_average_precision(hits: QueryHits, _: object) -> Floats:
    """Precision times recall of the whole list."""
    product = hits.size * 1.0 * hits.num_rel
    value = hits.rel_ret * 1.0 * hits.rel_ret / product
    return np.where(hits.size * hits.num_rel > 0, value, 0.0)


def set_relative_precision(hits: QueryHits, _: object) -> Floats:
    """Relevant documents over the most that a list of this length can hold."""
    return np.where(hits.size > 0, over_relevant(hits, hits.rel_ret, hits.size), 0.0)


def yaap(hits: QueryHits, _: object) -> Floats:
    """The logarithm of the odds of the sum of precisions."""
    total = hits.precisions.total
    odds = (1.0 + total) / (1.0 + hits.num_rel - total)
    return logarithms(odds, math.log)


def eleven_points(hits: QueryHits, request: MeasureRequest) -> Floats:
    """The mean of the interpolated precisions, added from the last on."""
    total = np.zeros(hits.n)
    for precision in reversed(interpolate(hits, request)):
        total += precision
    return total / len(request.numbers)


def set_f(hits: QueryHits, request: MeasureRequest) -> Floats:
    """Precision and recall in one: (x + 1) P R / (x P + R)."""
    x = request.numbers[0]
    precision = hits.rel_ret / hits.size
    recall = hits.rel_ret / hits.num_rel
    value = (x + 1.0) * precision * recall / (x * precision + recall)
    return np.where(hits.rel_ret > 0, value, 0.0)


def binary_g(hits: QueryHits, _: object) -> Floats:
    """G of gains of 0 and 1."""
    relevant = hits.relevant
    total = relevant.total(1.0 / take_log2(3 + relevant.rank - relevant.number))
    return np.where(relevant.sizes > 0, total / hits.num_rel, 0.0)


def over_relevant(hits: QueryHits, count: Numbers, limit: int | Integers = LARGEST) -> Floats:
    """A part of the relevant documents, or of `limit`."""
    return np.where(hits.num_rel > 0, count / np.minimum(hits.num_rel, limit), 0.0)


# By name: the values of all lists, a row for each column; or those of one cutoff or number.
VALUES: dict[str, Callable[[QueryHits, MeasureRequest], Numbers | list[Floats]]] = {
    "num_ret": lambda hits, _: hits.size,
    "num_rel": lambda hits, _: hits.num_rel,
    "num_rel_ret": lambda hits, _: hits.rel_ret,
    "num_nonrel_judged_ret": lambda hits, _: hits.known.sizes - hits.rel_ret,
    "map": average_precision,
    "Rprec": lambda hits, _: over_relevant(hits, hits.relevant.above(hits.num_rel)),
    "bpref": bpref,
    "recip_rank": reciprocal_rank,
    "infAP": inferred_ap,
    "binG": binary_g,
    "set_P": lambda hits, _: np.where(hits.size > 0, hits.rel_ret / hits.size, 0.0),
    "set_relative_P": set_relative_precision,
    "set_recall": lambda hits, _: over_relevant(hits, hits.rel_ret),
    "set_map": set_average_precision,
    "yaap": yaap,
    "iprec_at_recall": interpolate,
    "11pt_avg": eleven_points,
    "utility": utility,
    "ndcg_cut": ndcg_cut,
    "set_F": set_f,
    "G": normalize_gain,
    "dcg": lambda hits, request: hits.gains(request).dcg.total,
    "ideal_dcg": lambda hits, request: hits.gains(request).ideal_dcg.total,
    "ndcg": ndcg,
    "ndcg_rel": ndcg_rel,
    "Rndcg": r_ndcg,
    "rbp": rank_biased_precision,
    "rbp_resid": rbp_residual,
}
BY_CUTOFF = {
    "P": lambda hits, k: hits.relevant.above(k) / k,
    "recall": lambda hits, k: over_relevant(hits, hits.relevant.above(k)),
    "relative_P": lambda hits, k: over_relevant(hits, hits.relevant.above(k), k),
    "success": lambda hits, k: hits.relevant.above(k) > 0,
    "map_cut": lambda hits, k: over_relevant(hits, hits.precisions.first(hits.relevant.above(k))),
    "unj": lambda hits, k: (np.minimum(hits.size, k) - hits.known.above(k)) / k,
    "Rprec_mult": precision_at_multiple,
}


def calculate(
    options: Options,
    measures: list[MeasureRequest],
    judged: Floats,
    judged_lists: Integers,
    result: StreamedRun,
    order: list[int],
) -> tuple[Floats, int]:
    """Return the values, one row per query of the qrels, and how many queries were done."""
    spans = result.lists.copy()
    missing = spans[:, 0] < 0
    # trec_eval puts one unjudged document into a missing list.
    spans[missing] = (min(1, options.max_documents), 0, 0)
    names: list[str] = []
    for request in measures:
        names += request.names
    values = np.zeros((len(spans), len(names)))
    firsts = judged_lists[:-1][order]
    stops = judged_lists[1:][order]
    spans = spans[order]
    is_labelled = judged[firsts] > -1
    if not is_labelled[:1].any():
        return values, 0
    lists = np.column_stack((firsts, stops - firsts))
    # A later list without a label from 0 on has the gains of the one before. `source` is, for each
    # list, the last labelled one up to it.
    source = np.maximum.accumulate(np.where(is_labelled, np.arange(len(order)), 0))
    levels = lists[source]
    # With a level or a gain below 0 the program counts the documents that are not in the pool.
    all_documents = options.level < 0
    for request in measures:
        if request.measure.takes == "pairs" and NOT_IN_POOL in request.cutoffs:
            all_documents = True
    # A block of lists ends where the sum of their documents passes a multiple of the limit.
    work = np.cumsum(spans[:, 0] + lists[:, 1]) // DOCUMENTS_PER_BLOCK
    borders = 1 + np.flatnonzero(np.diff(work))
    hits_of_run = result.ranks, result.labels
    for block in np.split(np.arange(len(order)), borders):
        hits = QueryHits(
            options, spans[block], hits_of_run, judged, lists[block], levels[block], all_documents
        )
        with np.errstate(all="ignore"):
            columns = [_values_of(hits, request) for request in measures]
        values[np.array(order)[block]] = np.concatenate(columns).T if columns else 0.0
    # trec_eval removes the effect of that document from these measures.
    for column, name in enumerate(names):
        if name in ("num_ret", "utility", "rbp_resid") or name.startswith("unj"):
            values[missing, column] = 0.0
    return values, len(order)


def _values_of(hits: QueryHits, request: MeasureRequest) -> Floats:
    """The values of a measure: a row for each cutoff or number, a column for each list."""
    name = request.measure.name
    if name in BY_CUTOFF:
        function = BY_CUTOFF[name]
        parameters = request.cutoffs or request.numbers
        return np.array([function(hits, parameter) for parameter in parameters])
    function_of_lists = VALUES[name.removeprefix("gm_")]
    values = np.asarray(function_of_lists(hits, request), np.float64)
    if name.startswith("gm_"):  # logarithms of values that are not too small
        raised = np.where(values > EPSILON, values, EPSILON)
        values = logarithms(raised, math.log)
    return np.atleast_2d(values)
