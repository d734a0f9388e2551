"""The walks of walks_untied for several measures and cutoffs at once: a running value after each hit, from which every cutoff reads.

Same sums in the same order, hence the same bits. Hits come in eights, the last ones padded, and what a label is worth stands in a
table, so that hardly a branch depends on the list and the sums of different walks overlap.
"""

from libc.math cimport INFINITY
from libc.stdint cimport INT32_MAX, int32_t, int64_t

from ..types cimport *


cdef inline void open_few(Few *few) noexcept nogil:
    cdef Py_ssize_t j
    few.running[0] = 0.0
    for j in range(FEW_HITS + 1):
        few.ramp[j] = j


cdef inline bint take_few(const Hits *hits, Few *few) noexcept nogil:
    """Copy hits that are blocks of one; false where they are too many, or a label is no small whole number."""
    cdef Py_ssize_t j, m = hits.n_blocks
    cdef const double *label = hits.label
    cdef const int64_t *start = hits.start
    cdef const int64_t *bits = <const int64_t *> label
    cdef int32_t *level = few.level
    cdef int32_t *place = few.start
    cdef double *rank = few.rank
    cdef double back[FEW_HITS]
    cdef int64_t other = 0
    cdef int32_t beyond = 0
    if m > FEW_HITS:
        return False
    few.n = (m + 7) & ~(<Py_ssize_t> 7)
    few.deepest = start[m - 1] if m else 0
    if few.deepest >= INT32_MAX:
        return False
    for j in range(m):
        level[j] = <int32_t> (label[j] if -1.0 < label[j] < LEVELS_KNOWN else -1.0)
    for j in range(m):
        back[j] = level[j]
    for j in range(m):
        other |= (<const int64_t *> back)[j] ^ bits[j]
    for j in range(m):
        beyond |= level[j] & ~(LEVELS_KNOWN - 1)
    for j in range(m):
        place[j] = <int32_t> start[j]
    for j in range(m):
        rank[j] = place[j] + 1
    for j in range(m, few.n):
        level[j] = place[j] = 0
        rank[j] = INFINITY
    return other == 0 and beyond == 0


cdef inline void count_within(Few *few, Py_ssize_t m, const Task *task) noexcept nogil:
    """How many of m hits stand above each cutoff. The padding stands at 0, above every one."""
    cdef Py_ssize_t c, b, j, n = few.n
    cdef int32_t h, cut
    for c in range(task.n_cuts):
        h = <int32_t> (m - n)
        cut = task.cuts[c]
        for b in range(0, n, 8):
            for j in range(8):
                h += few.start[b + j] < cut
        few.within[c] = h


cdef inline const double *count_seen(Few *few, double rel, bint zero_is_hit, double *seen) noexcept nogil:
    """Relevant documents among the first j hits."""
    cdef Py_ssize_t b, j, n = few.n
    cdef int32_t h = 0, least = 0
    if rel > 0.0:
        least = LEVELS_KNOWN if rel > LEVELS_KNOWN else <int32_t> rel
        least += least < rel
    if least <= 1 and not zero_is_hit:
        return few.ramp
    seen[0] = 0.0
    for b in range(0, n, 8):
        for j in range(b, b + 8):
            h += few.level[j] >= least
            seen[j + 1] = h
    return seen


cdef inline void run_dot(Few *few, const Walk *walk) noexcept nogil:
    cdef Py_ssize_t b, j, n = few.n
    cdef const double *weight = walk.weight.value
    cdef int64_t reach = walk.weight.n  # a deeper walk of the call may have later hits; no cutoff of this one reads beyond
    cdef bint deeper = few.deepest >= reach
    cdef double total = 0.0
    for b in range(0, n, 8):
        for j in range(b, b + 8):
            total += walk.worth[few.level[j]] * weight[0 if deeper and few.start[j] >= reach else few.start[j]]
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
    cdef const double *seen = few.relevant[walk.rel_index]
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
    count_within(few, hits.n_blocks, task)
    for i in range(task.n_rels):
        few.relevant[i] = count_seen(few, task.rels[i], task.zero_is_hit, few.seen[i])
    for i in range(task.n_walks):
        if task.walks[i].together:
            walk_few(few, &task.walks[i], values + task.walks[i].out)
    return True
