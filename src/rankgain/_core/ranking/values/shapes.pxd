"""The walk of each shape, and the walks that no other one needs: of trec_eval's other measures, in its order of operations.

Hits include judged documents that are not relevant if a walk needs them (`judged` of a Walk). Tied documents enter as the exact
expectation where that has a closed form. The other walks (inferred, interpolated, eleven points, RnDCG) are only called without
ties: the caller refuses them.
"""

from libc.stdint cimport int64_t
from libc.math cimport INFINITY, NAN

from ..types cimport *
from ..gain cimport gain_of
from .walks cimport *
from .walks_blocks cimport *
from .walks_beside_ideal cimport *
from .walks_readers cimport *
from .walks_parts cimport *


cdef inline void walk_judged(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Expected number of judged documents above each cutoff."""
    cdef Walk here = walk[0]
    here.rel = walk.judged
    walk_count(hits, &here, out)


cdef inline void walk_judged_dot(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Sum over judged documents above each cutoff of weight[rank]; of a tie block c/m of the sum of its weights."""
    cdef double total = 0.0
    cdef int64_t s, m, c
    cdef Py_ssize_t b, k = 0
    for b in range(hits.n_blocks):
        s = hits.start[b]
        m = hits.size[b]
        c = relevant_in(hits, b, walk.judged)
        while walk.cuts[k] < s + m:
            if walk.cuts[k] > s:
                out[k] = total + <double> c / <double> m * weight_sum(&walk.weight, s, walk.cuts[k])
            else:
                out[k] = total
            k += 1
            if k == walk.n_cuts:
                return
        total += <double> c / <double> m * weight_sum(&walk.weight, s, s + m)
    for k in range(k, walk.n_cuts):
        out[k] = total


cdef inline void walk_nonrelevant(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Expected number of documents above each cutoff that are judged and not relevant."""
    cdef Walk here = walk[0]
    cdef double relevant = 0.0
    cdef Py_ssize_t k
    walk_judged(hits, walk, out)
    here.n_cuts = 1
    for k in range(walk.n_cuts):
        here.cuts = &walk.cuts[k]
        walk_count(hits, &here, &relevant)
        out[k] -= relevant


cdef inline double preferred(int64_t above, int64_t inside, int64_t relevant, int64_t nonrelevant) noexcept nogil:
    """1 - min(a, R) / min(N, R) of a relevant document with a judged nonrelevant ones above it, in a block with `inside` of these.

    It is averaged over a = above .. above + inside, which are equally likely over the orders of the tied documents. `rising` of
    these a are below R; they are summed as an arithmetic series, the others are R each.
    """
    cdef int64_t least = min(nonrelevant, relevant)
    cdef int64_t rising
    cdef double below_r, at_r, total
    if above + inside == 0:
        return 1.0
    if inside == 0:
        return 1.0 - <double> min(above, relevant) / <double> least
    rising = min(max(relevant - above, <int64_t> 0), inside + 1)
    below_r = <double> rising * <double> above + <double> rising * <double> (rising - 1) / 2.0
    at_r = <double> (inside + 1 - rising) * <double> relevant
    total = below_r + at_r
    return 1.0 - total / (<double> (inside + 1) * <double> least)


cdef inline void walk_bpref(const Hits *hits, const Walk *walk, int64_t relevant, int64_t nonrelevant, double *out) noexcept nogil:
    """Sum over relevant documents of 1 - min(a, R) / min(N, R), a the judged nonrelevant ones above (Buckley and Voorhees 2004)."""
    cdef int64_t above = 0, c, inside
    cdef double total = 0.0
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        c = relevant_in(hits, b, walk.rel)
        inside = relevant_in(hits, b, walk.judged) - c
        if c:
            total += <double> c * preferred(above, inside, relevant, nonrelevant)
        above += inside
    out[0] = total


cdef inline void walk_inferred(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """infAP: sum over relevant documents of the expected precision at their rank (Yilmaz and Aslam 2006).

    At rank k it is 1/k + (k-1)/k * (judged or in the pool above)/(k-1) * (relevant + e) / (relevant + nonrelevant + 2e), the counts
    being those above and e = 0.00001.
    """
    cdef int64_t relevant = 0, nonrelevant = 0, unjudged = 0
    cdef double total = 0.0, above, label, epsilon = 0.00001
    cdef double in_pool, share_relevant  # of the documents above: the share in the pool, and of these the relevant share
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        label = hits.label[hits.first[b]]
        if label < walk.judged:
            unjudged += 1
            continue
        if label < walk.rel:
            nonrelevant += 1
            continue
        above = <double> hits.start[b]
        if above == 0.0:
            total += 1.0
        else:
            in_pool = <double> (relevant + nonrelevant + unjudged) / above
            share_relevant = (<double> relevant + epsilon) / (<double> (relevant + nonrelevant) + 2 * epsilon)
            total += 1.0 / (above + 1.0) + (above / (above + 1.0)) * in_pool * share_relevant
        relevant += 1
    out[0] = total


cdef inline int64_t documents_at(double recall, double rounding, int64_t relevant) noexcept nogil:
    """The number h of relevant documents from which on recall is at the level: the smallest h with h / R >= level.

    With a rounding of 0 or more it is level * R + rounding, truncated, as in trec_eval.
    """
    cdef int64_t h
    if rounding >= 0.0:
        return <int64_t> (recall * <double> relevant + rounding)
    # The product is rounded, so its neighbours are checked by the quotient that recall is.
    h = <int64_t> (recall * <double> relevant)
    while h > 0 and <double> (h - 1) / <double> relevant >= recall:
        h -= 1
    while h < relevant and <double> h / <double> relevant < recall:
        h += 1
    return h


cdef inline void walk_interpolated(const Hits *hits, const Walk *walk, int64_t relevant, double *out) noexcept nogil:
    """The greatest precision at the rank where recall is at the level, or at a later one."""
    cdef int64_t wanted = documents_at(walk.parameter, walk.rounding, relevant), h = 0
    cdef double precision
    cdef Py_ssize_t b
    out[0] = 0.0
    for b in range(hits.n_blocks):
        if hits.label[hits.first[b]] < walk.rel:
            continue
        h += 1
        precision = <double> h / <double> (hits.start[b] + 1)
        if h >= wanted and precision > out[0]:
            out[0] = precision


cdef inline void walk_eleven_points(const Hits *hits, const Walk *walk, int64_t relevant, double *out) noexcept nogil:
    """Mean of the interpolated precisions at recall 0.0, 0.1, .. 1.0, summed from 1.0 down."""
    cdef int64_t h = 0
    cdef int level = 10
    cdef double total = 0.0, best = 0.0, precision
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        h += hits.label[hits.first[b]] >= walk.rel
    # From the last relevant document up, `best` is the greatest precision at its rank or a later one. Levels of recall beyond the
    # retrieved documents have the precision 0.
    b = hits.n_blocks
    while level >= 0 and documents_at(level / 10.0, walk.rounding, relevant) > h:
        level -= 1
    while b > 0:
        b -= 1
        if hits.label[hits.first[b]] < walk.rel:
            continue
        precision = <double> h / <double> (hits.start[b] + 1)
        best = precision if precision > best else best
        while level >= 0 and documents_at(level / 10.0, walk.rounding, relevant) == h:
            total += best
            level -= 1
        h -= 1
    while level >= 0:
        total += best
        level -= 1
    out[0] = total / 11.0


cdef inline double dcg_upto(const Hits *hits, const Walk *walk, double total, int64_t stop, Py_ssize_t *b) noexcept nogil:
    """Go on with a DCG from block b to the ranks below `stop`."""
    while b[0] < hits.n_blocks and hits.start[b[0]] < stop:
        total += gain_of(&walk.gain, hits.label[hits.first[b[0]]]) * walk.weight.value[hits.start[b[0]]]
        b[0] += 1
    return total


cdef inline void walk_r_ndcg(const Hits *hits, const Ideal *ideal, const Walk *walk, double *out) noexcept nogil:
    """RnDCG: the mean of DCG@r / IDCG@r over the ranks r at which the gain of the ideal ranking falls.

    The whole list is one more such rank if it goes on for two ranks or more. NaN if nothing has a gain, infinity if gains overflow.
    """
    cdef double g, dcg = 0.0, best = 0.0, total = 0.0
    cdef int64_t r = 0, stop = 0, falls = 0
    cdef Py_ssize_t i = 0, b = 0
    while i < ideal.n_runs:
        g = gain_of(&walk.gain, ideal.level[i])
        if not g > 0.0:
            break
        while i < ideal.n_runs and gain_of(&walk.gain, ideal.level[i]) == g:
            stop += ideal.count[i]
            i += 1
        while r < stop:
            best += g * walk.weight.value[r]
            r += 1
        dcg = dcg_upto(hits, walk, dcg, stop, &b)
        total += dcg / best
        falls += 1
    if falls and hits.n_docs > r + 1:
        dcg = dcg_upto(hits, walk, dcg, hits.n_docs, &b)
        total += dcg / best
        falls += 1
    if not best - best == 0.0 or not dcg - dcg == 0.0:
        out[0] = INFINITY
    else:
        out[0] = total / <double> falls if falls else NAN


cdef inline const Ideal *runs_by_gain(const Ideal *ideal, const GainRule *gain, Workspace *ws) noexcept nogil:
    """The runs in descending order of gain, by insertion; for a monotone gain that is the order of their labels."""
    cdef Py_ssize_t i, j
    cdef double g
    if gain.monotone:
        return ideal
    ws.by_gain.n_runs = ideal.n_runs
    for i in range(ideal.n_runs):
        g = gain_of(gain, ideal.level[i])
        j = i
        while j > 0 and gain_of(gain, ws.by_gain.level[j - 1]) < g:
            ws.by_gain.level[j] = ws.by_gain.level[j - 1]
            ws.by_gain.count[j] = ws.by_gain.count[j - 1]
            j -= 1
        ws.by_gain.level[j] = ideal.level[i]
        ws.by_gain.count[j] = ideal.count[i]
    return &ws.by_gain


cdef inline bint take_untied_walk(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """The faster walk that a frequent shape has for lists without ties; False if the shape has none."""
    if walk.shape == DOT:
        untied_dot(hits, walk, out)
    elif walk.shape == COUNT:
        untied_count(hits, walk, out)
    elif walk.shape == FIRST or walk.shape == ANY:
        untied_first(hits, walk, out)
    elif walk.shape == PREFIX or walk.shape == PREFIX_OVER_HITS:
        untied_prefix(hits, walk, out)
    elif walk.shape == CASCADE:
        untied_cascade(hits, walk, out)
    else:
        return False
    return True


cdef inline bint take_walk(const Hits *hits, const Ideal *ideal, const Walk *walk, bint is_untied, Workspace *ws) noexcept nogil:
    """The walk of a shape into its values; False if the shape has none."""
    cdef double *out = ws.values + walk.out
    cdef int64_t relevant = ws.relevant[walk.rel_index]
    if is_untied and take_untied_walk(hits, walk, out):
        return True
    if walk.shape == DOT:
        walk_dot(hits, walk, out)
    elif walk.shape == IDEAL_DOT:
        walk_ideal(runs_by_gain(ideal, &walk.gain, ws), walk, out)
    elif walk.shape == COUNT:
        walk_count(hits, walk, out)
    elif walk.shape == COUNT_AT_R:
        walk_first_documents(hits, walk, relevant, out)
    elif walk.shape == COUNT_AT_SHARE:
        walk_first_documents(hits, walk, cut_at_share(walk.parameter, <double> hits.n_docs), out)
    elif walk.shape == FIRST or walk.shape == ANY or walk.shape == FIRST_RANK or walk.shape == ANY_RANK:
        walk_first(hits, walk, out)
    elif walk.shape == LAST:
        walk_last(hits, walk, out)
    elif walk.shape == PREFIX or walk.shape == PREFIX_OVER_HITS:
        walk_prefix(hits, walk, out)
    elif walk.shape == PREFIX_AT_END:
        walk_prefix_at_end(hits, walk, out)
    elif walk.shape == CASCADE or walk.shape == CASCADE_DECAY:
        walk_cascade(hits, walk, out, ws.scratch, ws.scratch + hits.first[hits.n_blocks] + 2)
    elif walk.shape == PAIRS:
        walk_pairs(hits, walk, out)
    elif walk.shape == ABOVE:
        walk_above(hits, walk, out)
    elif walk.shape == JUDGED:
        walk_judged(hits, walk, out)
    elif walk.shape == JUDGED_DOT:
        walk_judged_dot(hits, walk, out)
    elif walk.shape == NONRELEVANT:
        walk_nonrelevant(hits, walk, out)
    elif walk.shape == BPREF:
        walk_bpref(hits, walk, relevant, ws.relevant[walk.judged_index] - relevant, out)
    elif walk.shape == INFERRED:
        walk_inferred(hits, walk, out)
    elif walk.shape == INTERPOLATED:
        walk_interpolated(hits, walk, relevant, out)
    elif walk.shape == ELEVEN_POINTS:
        walk_eleven_points(hits, walk, relevant, out)
    elif walk.shape == R_NDCG:
        walk_r_ndcg(hits, runs_by_gain(ideal, &walk.gain, ws), walk, out)
    elif walk.shape == PREFIX_AT_R:
        walk_prefix_at_r(hits, walk, relevant, out)
    elif walk.shape == PRECISION_AT_MULTIPLE:
        walk_precision_at_multiple(hits, walk, relevant, out)
    elif walk.shape == BINARY_G:
        walk_binary_g(hits, walk, out)
    elif walk.shape == ACCURACY:
        walk_accuracy(hits, walk, out)
    elif is_user_model(walk.shape):
        walk_user_model(hits, walk, out)
    elif walk.shape == IDEAL_CASCADE:
        walk_ideal_cascade(ideal, walk, out)
    elif walk.shape == BLENDED:
        walk_blended(hits, ideal, walk, out)
    elif walk.shape == OVERLAP or walk.shape == OVERLAP_OF_WEIGHTS:
        walk_overlap(hits, ideal, walk, ws.scratch, ws.by_gain.count, out)
    elif walk.shape == G:
        walk_g(hits, runs_by_gain(ideal, &walk.gain, ws), walk, out)
    elif walk.shape == NDCG_AT_HITS:
        walk_ndcg_at_hits(hits, runs_by_gain(ideal, &walk.gain, ws), walk, out)
    elif walk.shape == PART_DOT:
        walk_part_dot(hits, walk, ws.of_part, out)
    elif walk.shape == PART_PREFIX:
        walk_part_prefix(hits, walk, ws.of_part, out)
    else:
        return False
    return True
