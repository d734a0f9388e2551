"""Walks over the parts of queries that the hits cover. Each hit has a rank of its own: the caller lets no tie come."""

from libc.stdint cimport int64_t

from ..types cimport *


cdef inline int64_t document_of_hit(const Hits *hits, const PartTable *parts, Py_ssize_t b) noexcept nogil:
    """The number of the judged document at block b; -1 if it covers nothing."""
    cdef int64_t document = <int64_t> hits.label[hits.first[b]] - 1
    return document if document < parts.n_documents else -1


cdef inline void reset_parts(const Hits *hits, const PartTable *parts, double value, double *of_part) noexcept nogil:
    """Set the numbers of all parts that some hit covers."""
    cdef int64_t document, i
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        document = document_of_hit(hits, parts, b)
        if document >= 0:
            for i in range(parts.indptr[document], parts.indptr[document + 1]):
                of_part[parts.part[i]] = value


cdef inline void walk_part_dot(const Hits *hits, const Walk *walk, double *of_part, double *out) noexcept nogil:
    """Sum over ranks of weight * gain, the gain of novelty-biased measures (Clarke and others 2008).

    The gain of a document is the sum over the parts that it covers of (1 - alpha) ** (documents above that cover the part).
    of_part[p] is what part p adds the next time.
    """
    cdef const PartTable *parts = &walk.parts
    cdef double total = 0.0, gain, left = 1.0 - walk.parameter
    cdef int64_t document, i
    cdef Py_ssize_t b, k = 0
    reset_parts(hits, parts, 1.0, of_part)
    for b in range(hits.n_blocks):
        while walk.cuts[k] <= hits.start[b]:
            out[k] = total
            k += 1
            if k == walk.n_cuts:
                return
        document = document_of_hit(hits, parts, b)
        if document < 0:
            continue
        gain = 0.0
        for i in range(parts.indptr[document], parts.indptr[document + 1]):
            gain += of_part[parts.part[i]]
            of_part[parts.part[i]] *= left
        total += gain * walk.weight.value[hits.start[b]]
    for k in range(k, walk.n_cuts):
        out[k] = total


cdef inline void walk_part_prefix(const Hits *hits, const Walk *walk, double *of_part, double *out) noexcept nogil:
    """Sum over the parts of the average precision of the documents that cover the part (Agrawal and others 2009).

    of_part[p] is the number of documents so far that cover part p.
    """
    cdef const PartTable *parts = &walk.parts
    cdef double total = 0.0, shares
    cdef int64_t document, part, i
    cdef Py_ssize_t b, k = 0
    reset_parts(hits, parts, 0.0, of_part)
    for b in range(hits.n_blocks):
        while walk.cuts[k] <= hits.start[b]:
            out[k] = total
            k += 1
            if k == walk.n_cuts:
                return
        document = document_of_hit(hits, parts, b)
        if document < 0:
            continue
        shares = 0.0
        for i in range(parts.indptr[document], parts.indptr[document + 1]):
            part = parts.part[i]
            of_part[part] += 1.0
            shares += of_part[part] / parts.covering[part]
        total += shares / <double> (hits.start[b] + 1)
    for k in range(k, walk.n_cuts):
        out[k] = total
