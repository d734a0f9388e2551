"""Which documents are hits, before they have ranks: positions, labels and scores."""

from libc.stdint cimport int32_t, uint32_t

from ..types cimport *
from .labels cimport L_FLOAT32, L_FLOAT64, label_at


cdef inline void all_entries(const LabelView *view, Py_ssize_t n, bint zero_is_hit, Entries *entries) noexcept nogil:
    cdef Py_ssize_t i, m = 0
    cdef double v
    for i in range(n):
        v = label_at(view, i)
        entries.pos[m] = <uint32_t> i
        entries.label[m] = v
        m += zero_is_hit or v != 0.0
    entries.n = m


cdef inline Py_ssize_t count_hits(const LabelView *view, Py_ssize_t n) noexcept nogil:
    """The number of labels other than 0, if counting is faster than listing them."""
    cdef int32_t c = 0
    cdef Py_ssize_t i
    if view.kind == L_FLOAT32:
        for i in range(n):
            c += (<const float *> view.data)[i] != 0
        return c
    if view.kind == L_FLOAT64:
        for i in range(n):
            c += (<const double *> view.data)[i] != 0
        return c
    return 0


cdef inline void candidate_entries(
        const LabelView *view, const real *candidates, const uint32_t *candidate, Py_ssize_t n, bint zero_is_hit,
        Entries *entries, real *score) noexcept nogil:
    """Hits come at random, so there is no branch on them."""
    cdef Py_ssize_t i, m = 0
    cdef double v
    cdef uint32_t *pos = entries.pos
    cdef double *label = entries.label
    cdef const uint32_t *bits = <const uint32_t *> view.data
    cdef uint32_t at
    if view.kind == L_FLOAT32 and not zero_is_hit:
        for i in range(n):
            at = candidate[i]
            pos[m] = at
            score[m] = candidates[i]
            m += bits[at] << 1 != 0  # neither 0.0 nor -0.0
        for i in range(m):
            label[i] = (<const float *> view.data)[pos[i]]
    else:
        for i in range(n):
            v = label_at(view, candidate[i])
            pos[m] = candidate[i]
            label[m] = v
            score[m] = candidates[i]
            m += zero_is_hit or v != 0.0
    entries.n = m


cdef inline void entry_scores(const real *x, const Entries *entries, real *score) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(entries.n):
        score[i] = x[entries.pos[i]]


cdef inline void keep_candidates(const real *candidates, Py_ssize_t m, Entries *entries, real *score) noexcept nogil:
    """Drop the sparse entries whose score is below every candidate's."""
    cdef Py_ssize_t i, count = 0
    cdef real low = candidates[0]
    for i in range(m):
        low = candidates[i] if candidates[i] < low else low
    for i in range(entries.n):
        if score[i] >= low:
            entries.pos[count] = entries.pos[i]
            entries.label[count] = entries.label[i]
            score[count] = score[i]
            count += 1
    entries.n = count
