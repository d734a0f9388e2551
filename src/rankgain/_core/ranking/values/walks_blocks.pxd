"""Walks that do not average over the orders of a tie block: its documents share one rank.

As in walks.pxd, a block stands at ranks s .. s+m-1 (from 0), c of its m documents are relevant, h are relevant before it.
"""

from libc.math cimport ceil
from libc.stdint cimport int64_t

from ..types cimport *
from .walks cimport relevant_in, walk_count


cdef inline int64_t cut_at_share(double share, double n) noexcept nogil:
    """share * n, rounded up; a product that is a whole number up to rounding errors is that number."""
    return <int64_t> ceil(share * n * (1.0 - 4.44e-16))


cdef inline void walk_at_share(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Relevant documents above a cutoff that is a share of the list."""
    cdef Walk here = walk[0]
    cdef int64_t cut = cut_at_share(walk.level, <double> hits.n_docs)
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
        total += <double> c * (<double> (hits.start[b] - h) + walk.level * <double> (hits.size[b] - c))
        h += c
    out[0] = total
    out[1] = <double> h


cdef inline void walk_rank(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """1 / rank of the first relevant document, or (ANY_RANK) 1; its rank counts a share of the others that tie with it."""
    cdef Py_ssize_t b, k
    cdef int64_t c
    cdef double rank
    for k in range(walk.n_cuts):
        out[k] = 0.0
    for b in range(hits.n_blocks):
        c = relevant_in(hits, b, walk.rel)
        if c == 0:
            continue
        rank = <double> (hits.start[b] + 1) + walk.level * <double> (hits.size[b] - c)
        for k in range(walk.n_cuts):
            if rank <= <double> walk.cuts[k]:
                out[k] = 1.0 if walk.shape == ANY_RANK else 1.0 / rank
        return
