"""Walks that do not average over the orders of a tie block: its documents share one rank, or no documents tie.

As in walks.pxd, a block has m documents at the ranks s .. s+m-1 (from 0). Of these c are relevant, and h before the block are.
"""

from libc.math cimport NAN, ceil, floor
from libc.stdint cimport int64_t

from ..types cimport *
from ..gain cimport gain_of, two_to
from .walks cimport chance_to_stay, over_hits, relevant_in, walk_count


cdef inline int64_t cut_at_share(double share, double n) noexcept nogil:
    """share * n, rounded up; a product that is a whole number up to rounding errors is that number.

    It is reduced by 4.44e-16 of itself, more than the roundings of the share and of the product add.
    """
    return <int64_t> ceil(share * n * (1.0 - 4.44e-16))


cdef inline double cut_at_multiple(double multiple, int64_t relevant) noexcept nogil:
    """multiple * R, rounded up from a tenth on."""
    return floor(multiple * <double> relevant + 0.9)


cdef inline int64_t rank_of_cut(double cut) noexcept nogil:
    """A cutoff as an integer: beyond 2**52, more than any list has documents, it could be too large for one."""
    return <int64_t> (cut if cut < 4503599627370496.0 else 4503599627370496.0)


cdef inline void walk_first_documents(const Hits *hits, const Walk *walk, int64_t cut, double *out) noexcept nogil:
    """Relevant documents above the one cutoff of the walk, a property of the list: R, or a share of its documents."""
    cdef Walk here = walk[0]
    here.n_cuts = 1
    here.cuts = &cut
    out[0] = 0.0
    if cut > 0:
        walk_count(hits, &here, out)


cdef inline void walk_prefix_at_end(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Average precision with a tie block as one rank: c (h + c) / (s + m)."""
    cdef double total = 0.0
    cdef int64_t h = 0, c
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        c = relevant_in(hits, b, walk.rel)
        h += c
        total += <double> c * (<double> h / <double> (hits.start[b] + hits.size[b]))
    out[0] = total


cdef inline void walk_last(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """The number of documents up to the end of the block of the last relevant one; 0 without one."""
    cdef Py_ssize_t b
    out[0] = 0.0
    for b in range(hits.n_blocks):
        if relevant_in(hits, b, walk.rel) > 0:
            out[0] = <double> (hits.start[b] + hits.size[b])


cdef inline void walk_above(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Documents not relevant above each relevant one, and a share of those that tie with it; out[1] is the number of relevant ones."""
    cdef double total = 0.0
    cdef int64_t h = 0, c
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        c = relevant_in(hits, b, walk.rel)
        total += <double> c * (<double> (hits.start[b] - h) + walk.parameter * <double> (hits.size[b] - c))
        h += c
    out[0] = total
    out[1] = <double> h


cdef inline double block_sum(int64_t h, int64_t first, int64_t j) noexcept nogil:
    """Relevant so far / rank, summed over j relevant documents from rank `first` (from 0) on, h before them."""
    cdef double total = 0.0
    cdef int64_t u
    for u in range(1, j + 1):
        total += <double> (h + u) / <double> (first + u)
    return total


cdef inline double extreme_over_hits(const Hits *hits, double rel, int64_t k, bint best) noexcept nogil:
    """Average precision over the relevant documents above k, in the best or the worst order of ties.

    The number of relevant documents of the block that are above k changes the divisor too, so every number is tried.
    """
    cdef double above = 0.0, value = 0.0, extreme = NAN
    cdef int64_t h = 0, c, j, s, m, t
    cdef int64_t start  # of the first relevant document, if these follow each other
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        s = hits.start[b]
        m = hits.size[b]
        if s >= k:
            break
        c = relevant_in(hits, b, rel)
        if s + m <= k:
            start = s if best else s + m - c
            above += block_sum(h, start, c)
            h += c
            continue
        # t documents of the block are above k. Of its c relevant ones these are j, as many as fit above, and at least those that do not
        # fit below.
        t = k - s
        for j in range(max(c - (m - t), <int64_t> 0), min(c, t) + 1):
            start = s if best else k - j
            value = over_hits(above + block_sum(h, start, j), h + j)
            if extreme != extreme or (best and value > extreme) or (not best and value < extreme):
                extreme = value
        return extreme
    return over_hits(above, h)


# --- without ties: hit b is at rank start[b]; the sums of walks.pxd in the same order, so the same bits

cdef inline void untied_dot(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """walk_dot: sum of gain * weight[rank]."""
    cdef double total = 0.0
    cdef Py_ssize_t b = 0, c
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            total += gain_of(&walk.gain, hits.label[b]) * walk.weight.value[hits.start[b]]
            b += 1
        out[c] = total


cdef inline void untied_count(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """walk_count: the number of relevant documents."""
    cdef int64_t h = 0
    cdef Py_ssize_t b = 0, c
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            h += hits.label[b] >= walk.rel
            b += 1
        out[c] = <double> h


cdef inline void untied_first(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """walk_first: 1 / rank of the first relevant document, or 1."""
    cdef Py_ssize_t b = 0, c
    cdef double value
    while b < hits.n_blocks and not hits.label[b] >= walk.rel:
        b += 1
    for c in range(walk.n_cuts):
        out[c] = 0.0
        if b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            value = 1.0 if walk.shape == ANY else 1.0 / <double> (hits.start[b] + 1)
            out[c] = value


cdef inline void untied_prefix(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """walk_prefix: sum of (relevant so far) / rank over relevant documents."""
    cdef double total = 0.0, share
    cdef int64_t h = 0
    cdef Py_ssize_t b = 0, c
    cdef bint over = walk.shape == PREFIX_OVER_HITS, relevant
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            relevant = hits.label[b] >= walk.rel
            h += relevant
            share = <double> h / <double> (hits.start[b] + 1)
            total += <double> relevant * share  # a product, as the processor cannot predict a branch on the label
            b += 1
        out[c] = over_hits(total, h) if over else total


cdef inline void untied_cascade(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """walk_cascade for ERR: sum of stop / rank * product of (1 - stop) over the documents above."""
    cdef double total = 0.0, survive = 1.0, stay, scale = two_to(walk.max_label)
    cdef Py_ssize_t b = 0, c
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            stay = chance_to_stay(hits.label[b], scale)
            total += survive * (1.0 - stay) / <double> (hits.start[b] + 1)
            survive *= stay
            b += 1
        out[c] = total
