"""Walks that read the list and its ideal ranking side by side. No documents tie: hit b is at rank start[b], from 0."""

from libc.math cimport INFINITY, NAN, log2
from libc.stdint cimport int64_t
from libc.stdlib cimport qsort

from ..types cimport *
from ..gain cimport gain_of
from .walks cimport go_on


# How far the ideal ranking has been read: down to `rank`, `used` documents of run `run` among them.
cdef struct IdealReader:
    const Ideal *ideal
    Py_ssize_t run
    int64_t used
    int64_t rank


cdef inline IdealReader read_ideal(const Ideal *ideal) noexcept nogil:
    cdef IdealReader reader
    reader.ideal = ideal
    reader.run = reader.used = reader.rank = 0
    return reader


cdef inline double next_gain(IdealReader *reader, const GainRule *gain) noexcept nogil:
    """The gain of the next document of the ideal ranking; 0 where no gain above 0 is left."""
    cdef const Ideal *ideal = reader.ideal
    cdef double value = 0.0
    if reader.run < ideal.n_runs:
        value = gain_of(gain, ideal.level[reader.run])
    reader.rank += 1
    if not value > 0.0:
        return 0.0
    reader.used += 1
    if reader.used == ideal.count[reader.run]:
        reader.run += 1
        reader.used = 0
    return value


cdef inline bint is_finite(double value) noexcept nogil:
    """Whether a number is neither infinite nor NaN, whose difference from themselves is NaN."""
    return value - value == 0.0


cdef inline int64_t gains_above_0(const Ideal *ideal, const GainRule *gain) noexcept nogil:
    """How many judged documents have a gain above 0; the runs come in descending gain."""
    cdef int64_t n = 0
    cdef Py_ssize_t i
    for i in range(ideal.n_runs):
        if not gain_of(gain, ideal.level[i]) > 0.0:
            break
        n += ideal.count[i]
    return n


cdef inline void walk_ideal_cascade(const Ideal *ideal, const Walk *walk, double *out) noexcept nogil:
    """The cascade of ERR over the ideal ranking."""
    cdef double total = 0.0, survive = 1.0, q
    cdef Py_ssize_t i, c = 0
    cdef int64_t rank = 0, stop
    for i in range(ideal.n_runs):
        q = go_on(walk, ideal.level[i])
        stop = rank + ideal.count[i]
        while rank < stop:
            if rank == walk.cuts[c]:
                out[c] = total
                c += 1
                if c == walk.n_cuts:
                    return
            rank += 1
            total += survive * (1.0 - q) / <double> rank
            survive *= q
    for c in range(c, walk.n_cuts):
        out[c] = total


cdef inline void walk_blended(const Hits *hits, const Ideal *ideal, const Walk *walk, double *out) noexcept nogil:
    """Sum over relevant ranks r of (relevant to r + beta cg(r)) / (r + beta ideal cg(r)), Sakai's blended ratio (2004)."""
    cdef IdealReader reader = read_ideal(ideal)
    cdef double total = 0.0, gained = 0.0, best = 0.0, gain
    cdef int64_t h = 0
    cdef Py_ssize_t b = 0, c
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            gain = gain_of(&walk.gain, hits.label[b])
            if gain > 0.0:
                h += 1
                gained += gain
                while reader.rank <= hits.start[b] and reader.run < ideal.n_runs:
                    best += next_gain(&reader, &walk.gain)
                total += (<double> h + walk.parameter * gained) / (<double> (hits.start[b] + 1) + walk.parameter * best)
            b += 1
        # A ratio of two infinities would be NaN, which means undefined.
        if is_finite(best) and is_finite(gained) and is_finite(walk.parameter * best) and is_finite(walk.parameter * gained):
            out[c] = total
        else:
            out[c] = INFINITY


cdef inline int compare_ranks(const void *a, const void *b) noexcept nogil:
    cdef double first = (<const double *> a)[0], second = (<const double *> b)[0]
    return (first > second) - (first < second)


cdef inline Py_ssize_t shared_ranks(const Hits *hits, const Ideal *ideal, double *ranks, int64_t *seen) noexcept nogil:
    """For each relevant document of the list, the depth from which on both the list and its ideal contain it, ascending; returns their
    number.

    The ideal: by descending label, of equal labels first what was retrieved, in the order of the list. seen: a counter for each run.
    """
    cdef int64_t place = 0, depth
    cdef Py_ssize_t b, i, n = 0, low, high, middle
    for i in range(ideal.n_runs):
        seen[i] = place  # the ideal rank of the next document of this label
        place += ideal.count[i]
    for b in range(hits.n_blocks):
        if not hits.label[b] > 0.0:
            continue
        # Binary search for the run of the label, in descending levels.
        low = 0
        high = ideal.n_runs
        while low < high:
            middle = (low + high) >> 1
            if ideal.level[middle] > hits.label[b]:
                low = middle + 1
            else:
                high = middle
        if low == ideal.n_runs:
            continue
        place = seen[low]
        seen[low] += 1
        depth = max(hits.start[b], place) + 1  # both contain it from the later of its two ranks on
        ranks[n] = <double> depth
        n += 1
    qsort(ranks, n, sizeof(double), compare_ranks)
    return n


cdef inline void walk_overlap(
        const Hits *hits, const Ideal *ideal, const Walk *walk, double *ranks, int64_t *seen, double *out) noexcept nogil:
    """Rank-biased overlap of the list with its ideal (Clarke, Vtyurina and Smucker 2021), over that of the ideal with itself, or
    (OVERLAP_OF_WEIGHTS) over the sum of the weights; NaN where nothing is relevant.

    Overlap: sum over ranks i of p^(i - 1) * (documents that both have down to i) / i, down to the end of the longer of the two.
    """
    cdef double total = 0.0, best = 0.0, weights = 0.0, weight = 1.0
    cdef int64_t relevant = 0, i, end
    cdef Py_ssize_t run, n, shared = 0
    for run in range(ideal.n_runs):
        if ideal.level[run] > 0.0:
            relevant += ideal.count[run]
    out[0] = NAN
    if relevant == 0:
        return
    n = shared_ranks(hits, ideal, ranks, seen)
    end = max(hits.n_docs, relevant)
    i = 0
    while i < end and weight > 0.0:
        i += 1
        while shared < n and ranks[shared] <= <double> i:
            shared += 1
        total += weight * <double> shared / <double> i
        best += weight * <double> min(i, relevant) / <double> i
        weights += weight
        weight *= walk.parameter
    out[0] = total / (best if walk.shape == OVERLAP else weights)


cdef inline void walk_g(const Hits *hits, const Ideal *ideal, const Walk *walk, double *out) noexcept nogil:
    """trec_eval's G: sum of g / log2(2 + cost - gained), over the sum of the ideal's gains; NaN where nothing has a gain.

    cost: the sum of max(1, ideal gain) down to the rank of g. gained: the sum of the gains down to it.
    """
    cdef IdealReader reader = read_ideal(ideal)
    cdef double total = 0.0, gained = 0.0, cost = 0.0, best = 0.0, gain
    cdef Py_ssize_t b, i
    for i in range(ideal.n_runs):
        gain = gain_of(&walk.gain, ideal.level[i])
        if gain > 0.0:
            best += gain * <double> ideal.count[i]
    for b in range(hits.n_blocks):
        gain = gain_of(&walk.gain, hits.label[b])
        if gain == 0.0:
            continue
        gained += gain
        while reader.rank <= hits.start[b] and reader.run < ideal.n_runs:
            gain = next_gain(&reader, &walk.gain)
            cost += gain if gain > 1.0 else 1.0
        if reader.rank <= hits.start[b]:  # the ideal has ended; each further rank costs 1
            cost += <double> (hits.start[b] + 1 - reader.rank)
            reader.rank = hits.start[b] + 1
        total += gain_of(&walk.gain, hits.label[b]) / log2(2.0 + cost - gained)
    if not is_finite(best) or not is_finite(gained):
        out[0] = INFINITY
    else:
        out[0] = total / best if best > 0.0 else NAN


cdef inline void walk_ndcg_at_hits(const Hits *hits, const Ideal *ideal, const Walk *walk, double *out) noexcept nogil:
    """nDCG averaged over the ranks of the documents with a gain; those that are not retrieved stand at the end.

    NaN where nothing has a gain, infinity where gains overflow.
    """
    cdef IdealReader reader = read_ideal(ideal)
    cdef int64_t last = gains_above_0(ideal, &walk.gain), found = 0
    cdef double total = 0.0, dcg = 0.0, best = 0.0, gain
    cdef Py_ssize_t b
    if last == 0:
        out[0] = NAN
        return
    for b in range(hits.n_blocks):
        gain = gain_of(&walk.gain, hits.label[b])
        dcg += gain * walk.weight.value[hits.start[b]]
        if gain > 0.0:
            while reader.rank <= hits.start[b] and reader.rank < last:
                best += next_gain(&reader, &walk.gain) * walk.weight.value[reader.rank - 1]
            total += dcg / best
            found += 1
    while reader.rank < last:
        best += next_gain(&reader, &walk.gain) * walk.weight.value[reader.rank - 1]
    total += <double> (last - found) * dcg / best
    if not is_finite(best) or not is_finite(dcg):
        out[0] = INFINITY
    else:
        out[0] = total / <double> last if total > 0.0 else 0.0
