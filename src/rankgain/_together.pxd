"""The walks of _untied for several measures and cutoffs at once: a running value after each hit, from which every cutoff reads.

Same sums in the same order, hence the same bits. Hits come in eights, the last ones padded, and what a label is worth stands in a
table, so that hardly a branch depends on the list and the sums of different walks overlap.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t

from ._types cimport *


cdef inline bint take_few(const Hits *hits, Few *few) noexcept nogil:
    """Copy hits that are blocks of one; false where they are too many or a label is no small whole number."""
    cdef Py_ssize_t j, m = hits.n_blocks
    cdef bint other = False, known
    if m > FEW_HITS:
        return False
    few.n = (m + 7) & ~(<Py_ssize_t> 7)
    for j in range(m):
        few.label[j] = hits.label[j]
        known = 0.0 <= hits.label[j] < LEVELS_KNOWN
        few.level[j] = <int64_t> (hits.label[j] if known else 0.0)
        other |= not known or few.label[j] != <double> few.level[j]
        few.start[j] = hits.start[j]
        few.rank[j] = <double> (hits.start[j] + 1)
    for j in range(m, few.n):
        few.label[j] = 0.0
        few.level[j] = few.start[j] = 0
        few.rank[j] = INFINITY
    return not other


cdef inline void count_within(Few *few, const Task *task) noexcept nogil:
    """How many hits stand above each cutoff."""
    cdef Py_ssize_t c, b, j, n = few.n
    cdef int64_t h
    cdef double cut
    for c in range(task.n_cuts):
        h = 0
        cut = task.cuts[c]
        for b in range(0, n, 8):
            for j in range(8):
                h += few.rank[b + j] <= cut
        few.within[c] = h


cdef inline void count_seen(Few *few, double rel, double *seen) noexcept nogil:
    """Relevant documents among the first j hits."""
    cdef Py_ssize_t b, j, n = few.n
    cdef int32_t h = 0
    seen[0] = 0.0
    for b in range(0, n, 8):
        for j in range(b, b + 8):
            h += few.label[j] >= rel
            seen[j + 1] = h


cdef inline void run_dot(Few *few, const Walk *walk) noexcept nogil:
    cdef Py_ssize_t b, j, n = few.n
    cdef const double *weight = walk.weight.value
    cdef int64_t reach = walk.weight.n  # a deeper walk of the call may have later hits; no cutoff of this one reads beyond
    cdef double total = 0.0
    for b in range(0, n, 8):
        for j in range(b, b + 8):
            total += walk.worth[few.level[j]] * weight[few.start[j] if few.start[j] < reach else 0]
            few.running[j + 1] = total


cdef inline void run_prefix(Few *few, const double *seen) noexcept nogil:
    """A hit that is not relevant adds 0 times its share."""
    cdef Py_ssize_t b, j, n = few.n
    cdef double total = 0.0
    cdef double share[8]  # divided side by side
    for b in range(0, n, 8):
        for j in range(8):
            share[j] = (seen[b + j + 1] - seen[b + j]) * (seen[b + j + 1] / few.rank[b + j])
        for j in range(8):
            total += share[j]
            few.running[b + j + 1] = total


cdef inline void run_cascade(Few *few, const Walk *walk) noexcept nogil:
    cdef Py_ssize_t b, j, n = few.n
    cdef double total = 0.0, survive = 1.0, q
    for b in range(0, n, 8):
        for j in range(b, b + 8):
            q = walk.worth[few.level[j]]
            total += survive * (1.0 - q) / few.rank[j]
            survive *= q
            few.running[j + 1] = total


cdef inline void read_first(Few *few, const double *seen, const Walk *walk, double *out) noexcept nogil:
    cdef Py_ssize_t b = 0, c
    cdef double value = 1.0
    while b < few.n and seen[b + 1] == 0.0:
        b += 1
    if walk.shape == FIRST and b < few.n:
        value = 1.0 / few.rank[b]
    for c in range(walk.n_cuts):
        out[c] = value if seen[few.within[walk.cut_index[c]]] > 0.0 else 0.0


cdef inline void walk_few(Few *few, const Walk *walk, double *out) noexcept nogil:
    cdef const double *seen = few.seen[walk.rel_index]
    cdef const double *running = few.running
    cdef Py_ssize_t c
    if walk.shape == FIRST or walk.shape == ANY:
        read_first(few, seen, walk, out)
        return
    if walk.shape == DOT:
        run_dot(few, walk)
    elif walk.shape == PREFIX:
        run_prefix(few, seen)
    elif walk.shape == CASCADE:
        run_cascade(few, walk)
    else:
        running = seen
    for c in range(walk.n_cuts):
        out[c] = running[few.within[walk.cut_index[c]]]


cdef inline bint walk_together(const Task *task, const Hits *hits, Few *few, double *values) noexcept nogil:
    """All walks of the task that are `together`, over hits that do not tie; false where these hits are not for it."""
    cdef Py_ssize_t i
    if not take_few(hits, few):
        return False
    few.running[0] = 0.0
    count_within(few, task)
    for i in range(task.n_rels):
        count_seen(few, task.rels[i], few.seen[i])
    for i in range(task.n_walks):
        if task.walks[i].together:
            walk_few(few, &task.walks[i], values + task.walks[i].out)
    return True
