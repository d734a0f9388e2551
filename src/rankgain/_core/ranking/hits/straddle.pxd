"""Many candidates for few ranks: a tighter bound, or a tie block across the cutoff, which is not ordered.

To average over ties, or to take the best or the worst order, only the start of a block, its size and the labels of its documents are needed.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.math cimport INFINITY, nextafterf, sqrt
from libc.string cimport memset

from ..types cimport *
from ...simd.wide cimport LEVELS_TOGETHER, wide_collect, wide_level, wide_levels, wide_pick
from .labels cimport L_FLOAT32, label_at, label_size, widen
from .select cimport bound_of, count_one
from .sort cimport sort_descending
from .ties cimport draw_of_list, splitmix

cdef enum:
    COUNT_GRADES_BELOW = 35  # whole numbers, from 0 on, that are counted rather than sorted; a multiple of LEVELS_TOGETHER


cdef inline Py_ssize_t keep(real *candidates, Py_ssize_t m, real t, bint above, Workspace *ws) noexcept nogil:
    """Keep the candidates at or above t, or only those above; returns their number."""
    cdef uint32_t *position = ws.candidate_positions
    cdef float *value = <float *> ws.keys
    cdef Py_ssize_t i, count = 0
    cdef real x
    if real is float:
        if wide_level:
            if above and t == INFINITY:
                return 0
            count = wide_collect(candidates, m, nextafterf(t, INFINITY) if above else t, ws.order, value, &ws.next)
            for i in range(count):
                position[i] = position[ws.order[i]]
                candidates[i] = value[i]
            return count
    for i in range(m):
        x = candidates[i]
        candidates[count] = x
        position[count] = position[i]
        count += x > t or (not above and x == t)
    return count


cdef inline Py_ssize_t tighten(
        real *candidates, Py_ssize_t m, Py_ssize_t depth, Py_ssize_t few, bint keeps_blocks, real *bound, bint *straddles,
        Workspace *ws) noexcept nogil:
    """Drop candidates beyond the first `depth` until few are left; returns how many.

    If tie blocks are kept whole, the block of score `bound` that straddles `depth` is left out, and `straddles` is set.
    """
    cdef Py_ssize_t above, equal
    while m > few:
        above = equal = 0
        count_one(<const real *> candidates, m, bound[0], &above, &equal)
        if above < depth:  # the bound is the score at `depth` itself
            straddles[0] = keeps_blocks
            return keep(candidates, m, bound[0], True, ws) if keeps_blocks else m
        m = keep(candidates, m, bound[0], True, ws)
        if m > few:
            bound[0] = bound_of(<const real *> candidates, m, depth, ws.keys)
            m = keep(candidates, m, bound[0], False, ws)
    return m


cdef inline Py_ssize_t add_tied(
        const real *x, Py_ssize_t n, real t, const Task *task, uint64_t draw, uint64_t limit, Py_ssize_t room, Py_ssize_t equal,
        real *candidates, uint32_t *position) noexcept nogil:
    """The documents with score t that the tie rule puts first: at most `room` by position, or those with keys up to `limit`.

    There were `equal` of them. If another thread writes the scores meanwhile, fewer may be found, and never more.
    """
    cdef bint from_end = task.ties == REVERSE
    cdef Py_ssize_t i, count = 0
    cdef Py_ssize_t start = n - 1 if from_end else 0
    cdef Py_ssize_t step = -1 if from_end else 1
    if task.ties == RANDOM:
        for i in range(n):
            if count == equal:
                break
            candidates[count] = t
            position[count] = <uint32_t> i
            count += (x[i] == t) & (splitmix(draw + <uint64_t> i) <= limit)
        return count
    i = start
    while count < room and 0 <= i < n:
        if x[i] == t:
            candidates[count] = t
            position[count] = <uint32_t> i
            count += 1
        i += step
    return count


cdef inline Py_ssize_t keep_first_tied(
        const real *x, Py_ssize_t n, Py_ssize_t depth, real t, const Task *task, Py_ssize_t index, real *candidates, Py_ssize_t m,
        Workspace *ws) noexcept nogil:
    """Of the documents with score t, if their block straddles `depth`, keep as candidates those that the tie rule puts first.

    The rule is by position or at random. With a document, all that the rule puts before it are kept, so that no rank changes.
    Returns the number of candidates.
    """
    cdef uint64_t draw = draw_of_list(task, index)
    cdef Py_ssize_t above = 0, equal = 0, room, count
    cdef double fraction
    cdef uint64_t limit
    count_one(<const real *> candidates, m, t, &above, &equal)
    if above >= depth or above + equal <= depth:
        return m
    room = depth - above
    above = keep(candidates, m, t, True, ws)
    # The fraction of random keys below the limit: `room` of them and four standard deviations more, which is nearly always enough. The limit is
    # that fraction of the largest double below 2**64.
    fraction = (<double> room + 4.0 * sqrt(<double> room) + 4.0) / <double> equal
    limit = <uint64_t> (fraction * 18446744073709549568.0) if fraction < 1.0 else ~<uint64_t> 0
    count = add_tied(x, n, t, task, draw, limit, room, equal, candidates + above, ws.candidate_positions + above)
    if count < room:  # hardly ever
        count = add_tied(x, n, t, task, draw, ~<uint64_t> 0, room, equal, candidates + above, ws.candidate_positions + above)
    return above + count


cdef inline void write_sorted(const float *x, Py_ssize_t n, double *out, uint64_t *keys) noexcept nogil:
    """Labels in descending order; graded ones are counted level by level."""
    cdef int32_t count[COUNT_GRADES_BELOW]
    cdef int32_t _c
    cdef int level = 0
    cdef Py_ssize_t i, position = 0, left = n
    memset(count, 0, sizeof(count))
    while level < COUNT_GRADES_BELOW and left > 0:
        left -= wide_levels(x, n, level, count + level)
        level += LEVELS_TOGETHER
    if left == 0:
        for level in range(COUNT_GRADES_BELOW - 1, -1, -1):
            for _c in range(count[level]):
                out[position] = level
                position += 1
        return
    for i in range(n):
        out[i] = x[i]
    sort_descending(out, n, keys)


cdef inline void straddling_block(
        const real *x, Py_ssize_t n, real t, const LabelView *view, bint zero_is_hit, int64_t start, Workspace *ws) noexcept nogil:
    """Add the block of all documents with score t, which starts at rank `start`."""
    cdef Hits *hits = &ws.hits
    cdef Py_ssize_t b = hits.n_blocks, c = 0, size = 0
    cdef double *label = hits.label + hits.first[b]
    cdef LabelView labels = view[0]
    cdef float *flag = <float *> ws.keys
    cdef int32_t *taken = <int32_t *> ws.keys
    cdef const float *labels32
    cdef Py_ssize_t i, above = 0
    cdef double v
    if label_size(labels.kind) < 4:
        widen(&labels, n, ws.wide)
    labels32 = <const float *> labels.data
    if wide_level and labels.kind == L_FLOAT32 and not zero_is_hit:
        if real is float:
            size = wide_pick(x, labels32, n, t, <float *> ws.scratch, &c)
        else:
            for i in range(n):
                flag[i] = x[i] == t
            size = wide_pick(flag, labels32, n, 1.0, <float *> ws.scratch, &c)
        write_sorted(<const float *> ws.scratch, c, label, ws.keys)
    else:
        count_one(x, n, t, &above, &size)
        if labels.kind == L_FLOAT32 and not zero_is_hit:
            for i in range(n):  # a separate loop, which compilers vectorise
                taken[i] = (x[i] == t) & (labels32[i] != 0)
            for i in range(n):
                label[c] = labels32[i]
                c += taken[i]
        else:
            for i in range(n):
                v = label_at(&labels, i)
                label[c] = v
                c += (x[i] == t) & (zero_is_hit | (v != 0.0))
        size = max(c, size)  # another thread may have changed x since
        sort_descending(label, c, ws.keys)
    if c:
        begin_block(hits, start, size, hits.first[b])
        hits.first[b + 1] = hits.first[b] + c


cdef inline bint gather(
        const real *x, Py_ssize_t n, Py_ssize_t depth, real *candidates, Workspace *ws, Py_ssize_t *m, bint *nan) noexcept nogil:
    """Scores that reach a bound of the one at `depth`, if it is too deep for maxima, and every NaN; false without wide vectors."""
    cdef Py_ssize_t i
    cdef int32_t unordered = 0
    if real is float:
        if wide_level == 0:
            return False
        m[0] = wide_collect(x, n, bound_of(x, n, depth, ws.keys), ws.candidate_positions, candidates, &ws.next)
        for i in range(m[0]):
            unordered |= candidates[i] != candidates[i]
        nan[0] = unordered
        return True
    else:
        return False
