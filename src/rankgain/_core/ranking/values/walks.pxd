"""The arithmetic of the measures: walks over hits in rank order, one value per cutoff; `shapes.pxd` calls them.

Tied documents enter as the exact expectation over their orders (McSherry and Najork 2008). A tie block has m documents at the
ranks s .. s+m-1 (from 0). Of these c are relevant, and h documents before the block are. The sum over a block goes up to the
rank e (exclusive), where the block or the cutoff k ends.
"""

from libc.stdint cimport int64_t

from ..types cimport *
from ..gain cimport gain_of, two_to


cdef inline double weight_sum(const WeightTable *w, int64_t s, int64_t e) noexcept nogil:
    """Sum of weights of ranks s .. e-1: directly up to 64 ranks, by differences of a compensated running sum beyond."""
    cdef double total = 0.0, whole_parts
    cdef int64_t r, first, last
    if e - s <= 64:
        for r in range(s, e):
            total += w.value[r]
        return total
    # The running sum is stored at ranks 64 * first and 64 * last, the outermost multiples of 64 inside the range. It is high + low, whose
    # parts are subtracted separately, so that no digits of low are lost. The ranks at both ends are added one by one.
    first = (s + 63) >> 6
    last = e >> 6
    for r in range(s, first << 6):
        total += w.value[r]
    for r in range(last << 6, e):
        total += w.value[r]
    whole_parts = (w.high[last] - w.high[first]) + (w.low[last] - w.low[first])
    return total + whole_parts


cdef inline Py_ssize_t run_end(const double *label, Py_ssize_t j, Py_ssize_t stop) noexcept nogil:
    """The end of the run of labels equal to that at j, in descending labels: a galloping search."""
    cdef double level = label[j]
    cdef Py_ssize_t step = 1
    # Steps double while the label is the same, and then halve down to 1, which finds the last such label.
    while j + step < stop and label[j + step] == level:
        j += step
        step *= 2
    while step > 0:
        if j + step < stop and label[j + step] == level:
            j += step
        step //= 2
    return j + 1


cdef inline bint one_gain(const Hits *hits, Py_ssize_t b, const GainRule *gain, double *each, double *total) noexcept nogil:
    """Whether all documents of a block have one gain; else the total gain, added up by label."""
    cdef Py_ssize_t j = hits.first[b], stop = hits.first[b + 1], run
    cdef double g
    cdef bint same = stop - j == hits.size[b]
    each[0] = gain_of(gain, hits.label[j])
    total[0] = 0.0
    while j < stop:
        run = j
        g = gain_of(gain, hits.label[j])
        same &= g == each[0]
        j = run_end(hits.label, j, stop)
        total[0] += g * <double> (j - run)
    return same


cdef inline double dot_block(const Hits *hits, Py_ssize_t b, const Walk *walk, double total, int64_t e) noexcept nogil:
    """total + mean gain of the block * sum of weight[rank] over its ranks below e: each document is at each rank equally often."""
    cdef double each, gains
    cdef int64_t r
    if one_gain(hits, b, &walk.gain, &each, &gains):
        for r in range(hits.start[b], e):
            total += each * walk.weight.value[r]
        return total
    return total + gains / <double> hits.size[b] * weight_sum(&walk.weight, hits.start[b], e)


cdef inline void walk_dot(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """DCG and its kin: sum over documents above the cutoff of gain(label) * weight[rank]."""
    cdef double total = 0.0
    cdef Py_ssize_t b, c = 0
    cdef int64_t s, stop
    for b in range(hits.n_blocks):
        s = hits.start[b]
        stop = s + hits.size[b]
        while walk.cuts[c] <= s:
            out[c] = total
            c += 1
            if c == walk.n_cuts:
                return
        if stop - s == 1:
            total += gain_of(&walk.gain, hits.label[hits.first[b]]) * walk.weight.value[s]
            continue
        while walk.cuts[c] < stop:
            out[c] = dot_block(hits, b, walk, total, walk.cuts[c])
            c += 1
            if c == walk.n_cuts:
                return
        total = dot_block(hits, b, walk, total, stop)
    for c in range(c, walk.n_cuts):
        out[c] = total


cdef inline void walk_ideal(const Ideal *ideal, const Walk *walk, double *out) noexcept nogil:
    """The same sum for the ideal ranking, whose runs come in descending gain."""
    cdef double total = 0.0, g
    cdef const double *weight = walk.weight.value
    cdef Py_ssize_t i, c = 0
    cdef int64_t r = 0, stop, end
    for i in range(ideal.n_runs):
        g = gain_of(&walk.gain, ideal.level[i])
        stop = r + ideal.count[i]
        while True:
            end = stop if stop < walk.cuts[c] else walk.cuts[c]
            if g != 0.0:
                for r in range(r, end):
                    total += g * weight[r]
            r = end
            if r == stop:
                break
            out[c] = total
            c += 1
            if c == walk.n_cuts:
                return
    for c in range(c, walk.n_cuts):
        out[c] = total


cdef inline int64_t relevant_in(const Hits *hits, Py_ssize_t b, double rel) noexcept nogil:
    """The number of labels >= rel in a block, inside which labels descend."""
    cdef Py_ssize_t j = hits.first[b]
    while j < hits.first[b + 1] and hits.label[j] >= rel:
        j += 1
    return j - hits.first[b]


cdef inline void walk_count(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Expected number of relevant documents above each cutoff: h + c (k - s) / m where the cutoff k is inside a block."""
    cdef int64_t h = 0, c, s, m
    cdef Py_ssize_t b, k = 0
    for b in range(hits.n_blocks):
        s = hits.start[b]
        m = hits.size[b]
        while walk.cuts[k] <= s:
            out[k] = <double> h
            k += 1
            if k == walk.n_cuts:
                return
        c = relevant_in(hits, b, walk.rel)
        while walk.cuts[k] < s + m:
            out[k] = <double> h + <double> (c * (walk.cuts[k] - s)) / <double> m
            k += 1
            if k == walk.n_cuts:
                return
        h += c
    for k in range(k, walk.n_cuts):
        out[k] = <double> h


cdef inline double first_in_block(int64_t s, int64_t m, int64_t c, int64_t e) noexcept nogil:
    """Expected 1 / rank of the first relevant document of a block, if that is above e.

    Sum over t of C(m-t, c-1) / C(m, c) / (s+t): the chance that the first of c relevant documents is the t-th of m, over its rank.
    """
    cdef double p = <double> c / <double> m  # of t = 1
    cdef double total = 0.0
    cdef int64_t t
    for t in range(1, e - s + 1):
        total += p / <double> (s + t)
        if t == m:
            break
        # C(m-t-1, c-1) / C(m-t, c-1), the ratio of the next chance to this one.
        p *= <double> (m - t - c + 1) / <double> (m - t)
        if p <= 0.0:
            break
    return total


cdef inline double any_in_block(int64_t s, int64_t m, int64_t c, int64_t e) noexcept nogil:
    """Chance of a relevant document above e: 1 - C(m-t, c) / C(m, c), as t = e - s of the m documents are above it."""
    cdef double none = 1.0
    cdef int64_t i, t = e - s, fewer, more
    if t >= m:
        return 1.0
    # C(m-t, c) / C(m, c) is symmetric in c and t: a product of as many factors as the smaller of both.
    if c < t:
        fewer, more = c, t
    else:
        fewer, more = t, c
    for i in range(fewer):
        none *= <double> (m - more - i) / <double> (m - i)
        if none <= 0.0:
            return 1.0
    return 1.0 - none


cdef inline void walk_first(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Reciprocal rank: 1 / rank of the first relevant document; with ANY the hit rate: 1 if there is one above the cutoff.

    With FIRST_RANK and ANY_RANK the rank is s + 1 + level * (m - c), which counts a share of the others that tie with it.
    """
    cdef Py_ssize_t b, k
    cdef int64_t s, m, c, e
    cdef double rank
    for k in range(walk.n_cuts):
        out[k] = 0.0
    for b in range(hits.n_blocks):
        c = relevant_in(hits, b, walk.rel)
        if c == 0:
            continue
        s = hits.start[b]
        m = hits.size[b]
        rank = <double> (s + 1) + walk.parameter * <double> (m - c)
        for k in range(walk.n_cuts):
            e = s + m if walk.cuts[k] > s + m else walk.cuts[k]
            if walk.shape == FIRST_RANK or walk.shape == ANY_RANK:
                if rank <= <double> walk.cuts[k]:
                    out[k] = 1.0 if walk.shape == ANY_RANK else 1.0 / rank
            elif e > s:
                out[k] = any_in_block(s, m, c, e) if walk.shape == ANY else first_in_block(s, m, c, e)
        return


cdef inline double prefix_block(int64_t h, int64_t s, int64_t m, int64_t c, int64_t e) noexcept nogil:
    """Expected sum of precisions at the relevant ranks of a block: c/m * sum over t of (h + 1 + (t-1)(c-1)/(m-1)) / (s+t).

    The t-th document is relevant with the chance c/m, and then (t-1)(c-1)/(m-1) of those before it in the block are, on average.
    """
    cdef double total = 0.0
    cdef double step = 0.0  # relevant documents that each further document of the block is, on average
    cdef int64_t t
    if m > 1:
        step = <double> (c - 1) / <double> (m - 1)
    for t in range(1, e - s + 1):
        total += (<double> (h + 1) + <double> (t - 1) * step) / <double> (s + t)
    return total * (<double> c / <double> m)


cdef inline double prefix_over_hits(double above, int64_t h, int64_t s, int64_t m, int64_t c, int64_t t) noexcept nogil:
    """A block that straddles the cutoff after t of its m documents, with the divisor "relevant above the cutoff".

    Sum over j of P(j) * (above + j/t * sum over u of (h + 1 + (u-1)(j-1)/(t-1)) / (s+u)) / (h+j), with P(j) the chance of j
    relevant among the first t. P is built from its mode outwards by ratios and normalised, so nothing overflows.
    """
    cdef double reciprocals = 0.0, rising = 0.0, total = 0.0, mass = 0.0, p
    cdef int64_t u, j, low, high, mode
    # The sums over u do not depend on j: sum of 1 / (s+u), and of (u-1)/(t-1) / (s+u).
    for u in range(1, t + 1):
        reciprocals += 1.0 / <double> (s + u)
        rising += <double> (u - 1) / <double> (s + u)
    if t > 1:
        rising /= <double> (t - 1)
    # j is hypergeometric: at most c and t, and at least the c - (m-t) that do not fit below the cutoff. Its mode is (t+1)(c+1) / (m+2).
    low = max(c - (m - t), <int64_t> 0)
    high = min(c, t)
    mode = <int64_t> ((<double> (t + 1)) * <double> (c + 1) / <double> (m + 2))
    mode = min(max(mode, low), high)
    # From the mode upwards, then downwards, by P(j+1) / P(j) = (t-j)(c-j) / ((j+1)(m-t-c+j+1)).
    p = 1.0
    for j in range(mode, high + 1):
        mass += p
        total += p * hits_term(above, h, j, t, reciprocals, rising)
        p *= <double> (t - j) / <double> (j + 1) * (<double> (c - j) / <double> (m - t - c + j + 1))
    p = 1.0
    j = mode
    while j > low:
        p *= <double> j / <double> (t - j + 1) * (<double> (m - t - c + j) / <double> (c - j + 1))
        j -= 1
        mass += p
        total += p * hits_term(above, h, j, t, reciprocals, rising)
    return total / mass


cdef inline double hits_term(double above, int64_t h, int64_t j, int64_t t, double reciprocals, double rising) noexcept nogil:
    """(above + the sum of precisions in the block if j of its first t documents are relevant) / (h + j); 0 without relevant ones."""
    cdef double block_sum
    if h + j == 0:
        return 0.0
    block_sum = <double> j / <double> t * (<double> (h + 1) * reciprocals + <double> (j - 1) * rising)
    return (above + block_sum) / <double> (h + j)


cdef inline double over_hits(double total, int64_t h) noexcept nogil:
    """total / h, and 0 for h = 0."""
    return total / <double> h if h else 0.0


cdef inline void walk_prefix(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Average precision before its divisor: sum over relevant documents above the cutoff of (relevant so far) / rank.

    With PREFIX_OVER_HITS it is divided by the number of relevant documents above the cutoff.
    """
    cdef double total = 0.0
    cdef int64_t h = 0, c, s, m
    cdef Py_ssize_t b, k = 0
    cdef bint over = walk.shape == PREFIX_OVER_HITS
    for b in range(hits.n_blocks):
        s = hits.start[b]
        m = hits.size[b]
        while walk.cuts[k] <= s:
            out[k] = over_hits(total, h) if over else total
            k += 1
            if k == walk.n_cuts:
                return
        c = relevant_in(hits, b, walk.rel)
        if c == 0:
            continue
        while walk.cuts[k] < s + m:
            if over:
                out[k] = prefix_over_hits(total, h, s, m, c, walk.cuts[k] - s)
            else:
                out[k] = total + prefix_block(h, s, m, c, walk.cuts[k])
            k += 1
            if k == walk.n_cuts:
                return
        if m == 1:
            total += <double> (h + 1) / <double> (s + 1)
        else:
            total += prefix_block(h, s, m, c, s + m)
        h += c
    for k in range(k, walk.n_cuts):
        out[k] = over_hits(total, h) if over else total


cdef inline double chance_to_stay(double label, double scale) noexcept nogil:
    """Chance of a reader of ERR to read on after a document: 1 - (2**label - 1) / scale, where scale is 2**max_label."""
    return 1.0 - (two_to(label) - 1.0) / scale if label > 0 else 1.0


cdef inline double go_on(const Walk *walk, double label) noexcept nogil:
    """Chance to read on after a document: that of ERR, or with CASCADE_DECAY 1 - label, as the label is the chance to stop."""
    if walk.shape == CASCADE_DECAY:
        return 1.0 - label if label > 0 else 1.0
    return chance_to_stay(label, two_to(walk.max_label))


cdef inline double stopped(const Walk *walk, double chance, int64_t rank) noexcept nogil:
    """What a stop at a rank (from 1) adds: its chance / rank, or with CASCADE_DECAY its chance * weight[rank]."""
    if walk.shape == CASCADE_DECAY:
        return chance * walk.weight.value[rank - 1]
    return chance / <double> rank


cdef inline Py_ssize_t subset_means(const Hits *hits, Py_ssize_t b, const Walk *walk, int64_t most, double *mean, double *all_stay) noexcept nogil:
    """mean[t]: the mean of prod(stay) over all t-subsets of the documents that can stop, t = 0 .. most; returns their number.

    With S_t that mean over n documents, a further one, which the reader survives with the chance q, is in t of n+1 of the t-subsets:
    S_t <- ((n+1-t) S_t + t q S_(t-1)) / (n+1). From large t down, so that S_(t-1) is still that of n documents.
    """
    cdef Py_ssize_t j, n = 0
    cdef int64_t t
    cdef double q
    mean[0] = 1.0
    all_stay[0] = 1.0
    for j in range(hits.first[b], hits.first[b + 1]):
        q = go_on(walk, hits.label[j])
        if q >= 1.0:
            break
        all_stay[0] *= q
        t = min(n + 1, most)
        if t == n + 1:
            mean[t] = 0.0
        while t > 0:
            mean[t] = (<double> (n + 1 - t) * mean[t] + <double> t * q * mean[t - 1]) / <double> (n + 1)
            t -= 1
        n += 1
    return n


cdef inline void cascade_block(
        const Hits *hits, Py_ssize_t b, const Walk *walk, double *survive, double *total, Py_ssize_t *k, double *out,
        double *mean, double *chance) noexcept nogil:
    """Add survive * sum over t of (S_(t-1) - S_t) / (s+t), the expectation over all orders of a tie block.

    S_t is the mean of prod(1 - stop) over the first t documents. Of the m documents, a can stop the reader; chance[j] is the
    probability that j of these are among the first t, and mean[j] the mean of prod(1 - stop) over j of them. So S_t is the sum of
    chance[j] * mean[j].
    """
    cdef int64_t s = hits.start[b], m = hits.size[b], t, j
    cdef int64_t deepest, most  # documents of the block above the last cutoff; of these, such that can stop the reader
    cdef double all_stay, p, still_reading
    cdef double reading_before = 1.0
    cdef double inner = 0.0
    cdef Py_ssize_t a
    deepest = min(walk.cuts[walk.n_cuts - 1] - s, m)
    a = subset_means(hits, b, walk, deepest, mean, &all_stay)
    if a == 0:
        return
    most = min(a, deepest)
    for j in range(most + 1):
        chance[j] = 0.0
    chance[0] = 1.0
    for t in range(1, deepest + 1):
        while walk.cuts[k[0]] < s + t:
            out[k[0]] = total[0] + survive[0] * inner
            k[0] += 1
            if k[0] == walk.n_cuts:
                return
        # The t-th document is drawn from the m-t+1 documents left. With j that can stop among those before it, a-j of these can stop too.
        # From large j down, so that chance[j - 1] is still that of t - 1.
        still_reading = 0.0
        j = min(most, t)
        while j >= 0:
            p = 0.0
            if j < t:
                p = chance[j] * (1.0 - <double> (a - j) / <double> (m - t + 1))
            if j > 0:
                p += chance[j - 1] * (<double> (a - j + 1) / <double> (m - t + 1))
            chance[j] = p
            still_reading += p * mean[j]
            j -= 1
        inner += stopped(walk, reading_before - still_reading, s + t)
        reading_before = still_reading
    total[0] += survive[0] * inner
    survive[0] *= all_stay


cdef inline void walk_cascade(const Hits *hits, const Walk *walk, double *out, double *mean, double *chance) noexcept nogil:
    """ERR, and pFound with CASCADE_DECAY: the expectation of 1 / rank, or of decay**(rank - 1), at the rank where the reader stops.

    The sum over ranks r of value(r) * stop(r) * product over i < r of (1 - stop(i)) (Chapelle et al. 2009).
    """
    cdef double total = 0.0, survive = 1.0, q
    cdef Py_ssize_t b, k = 0
    cdef int64_t s
    for b in range(hits.n_blocks):
        s = hits.start[b]
        while walk.cuts[k] <= s:
            out[k] = total
            k += 1
            if k == walk.n_cuts:
                return
        if hits.size[b] == 1:
            q = go_on(walk, hits.label[hits.first[b]])
            total += stopped(walk, survive * (1.0 - q), s + 1)
            survive *= q
        else:
            cascade_block(hits, b, walk, &survive, &total, &k, out, mean, chance)
            if k == walk.n_cuts:
                return
    for k in range(k, walk.n_cuts):
        out[k] = total


cdef inline void walk_pairs(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """AUC: pairs of a relevant document above one that is not, tied pairs counted half; out[1] is the number of all pairs."""
    cdef int64_t h = 0, c, others, relevant = 0
    cdef int64_t others_above, others_tied, others_below
    cdef double total = 0.0
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        relevant += relevant_in(hits, b, walk.rel)
    others = hits.n_docs - relevant
    for b in range(hits.n_blocks):
        c = relevant_in(hits, b, walk.rel)
        if c == 0:
            continue
        others_above = hits.start[b] - h
        others_tied = hits.size[b] - c
        others_below = others - others_above - others_tied
        total += <double> c * <double> others_below + <double> c * <double> others_tied / 2.0
        h += c
    out[0] = total
    out[1] = <double> relevant * <double> others
