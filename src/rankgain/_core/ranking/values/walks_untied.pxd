"""The walks of walks.pxd for hits without ties: hit b is at rank start[b]. Same sums in the same order, so the same bits."""

from libc.stdint cimport int64_t

from ..types cimport *
from ..gain cimport gain_of
from .walks cimport over_hits


cdef inline bint are_untied(const Hits *hits) noexcept nogil:
    cdef int64_t documents = 0
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        documents += hits.size[b]
    return documents == hits.n_blocks


cdef inline void untied_dot(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    cdef double total = 0.0
    cdef Py_ssize_t b = 0, c
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            total += gain_of(&walk.gain, hits.label[b]) * walk.weight.value[hits.start[b]]
            b += 1
        out[c] = total


cdef inline void untied_count(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    cdef int64_t h = 0
    cdef Py_ssize_t b = 0, c
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            h += hits.label[b] >= walk.rel
            b += 1
        out[c] = <double> h


cdef inline void untied_first(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
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
    cdef double total = 0.0, share
    cdef int64_t h = 0
    cdef Py_ssize_t b = 0, c
    cdef bint over = walk.shape == PREFIX_OVER_HITS, relevant
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            relevant = hits.label[b] >= walk.rel
            h += relevant
            share = <double> h / <double> (hits.start[b] + 1)
            total += share if relevant else 0.0
            b += 1
        out[c] = over_hits(total, h) if over else total
