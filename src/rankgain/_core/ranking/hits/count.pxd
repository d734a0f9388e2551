"""Counts of the scores above those of the hits, and of the scores equal to them."""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from ..types cimport *
from ...simd.wide cimport MOST_RANKS, wide_level, wide_ranks
from .select cimport any_nan, count_above
from .sort cimport descending32, descending64, sort_pairs
from .ties cimport in_blocks

cdef enum:
    COUNT_ENTRIES_UP_TO = 48  # hits up to which counting beats sorting
    COUNT_IN_LONG_LISTS_UP_TO = 128  # the same for wide vectors, lists of SORT_HITS_FROM and more, and rules that rank tied scores as a block
    SORT_HITS_FROM = 1024  # from here on sorting the hits first makes counting faster


cdef inline Py_ssize_t hits_to_count(Py_ssize_t n, const Task *task) noexcept nogil:
    """The number of hits up to which it costs less to count the n scores above them than to sort these.

    A rule that orders tied documents may have to sort after all, so that it does not pay to count for long.
    """
    if wide_level and n >= SORT_HITS_FROM and in_blocks(task.ties):
        return COUNT_IN_LONG_LISTS_UP_TO
    return COUNT_ENTRIES_UP_TO


cdef inline bint count_in_blocks(
        const real *x, Py_ssize_t n, const real *t, Py_ssize_t m, Py_ssize_t *greater, Py_ssize_t *equal, bint check) noexcept nogil:
    """The numbers of scores above and equal to each of m thresholds; t, greater and equal have room for 3 more.

    With `check` false for a NaN. A block of scores is checked and then counted, while it is in the first cache.
    """
    cdef Py_ssize_t block, length
    memset(greater, 0, (m + 3) * sizeof(Py_ssize_t))
    memset(equal, 0, (m + 3) * sizeof(Py_ssize_t))
    for block in range(0, n, 4096):
        length = min(n - block, <Py_ssize_t> 4096)
        if check and any_nan(x + block, length):
            return False
        count_above(x + block, length, t, m, greater, equal)
    return True


cdef inline bint count_by_numbers(
        const real *x, Py_ssize_t n, const real *t, Py_ssize_t m, Py_ssize_t *greater, Py_ssize_t *equal) noexcept nogil:
    """count_in_blocks for descending thresholds, by `wide_ranks`, which maps scores to 16-bit numbers.

    False if a score is NaN, if many tie, or if it would be slower.
    """
    cdef Py_ssize_t i = 0, group = MOST_RANKS
    cdef int counted  # 1: all thresholds of the group; 0: not possible; -1: try fewer thresholds
    if real is float:
        if wide_level == 0 or n < 96 * m:
            return False
        while i < m:
            group = min(group, m - i)
            counted = wide_ranks(x, n, t + i, <int> group, greater + i, equal + i)
            if counted > 0:
                i += group
            elif counted == 0 or n < 16384:
                return False
            else:
                group = (group + 1) >> 1
        return True
    else:
        return False


cdef inline bint count_distinct(
        const real *x, Py_ssize_t n, const real *score, bint few, Workspace *ws, bint *nan) noexcept nogil:
    """Count for up to COUNT_IN_LONG_LISTS_UP_TO entries of a long list, equal ones once.

    False for a NaN, or with `few` if it takes several passes.
    """
    cdef Py_ssize_t i, m = ws.entries.n
    cdef Py_ssize_t d = -1  # of the last distinct score
    cdef real t[COUNT_IN_LONG_LISTS_UP_TO + 3]
    cdef Py_ssize_t greater[COUNT_IN_LONG_LISTS_UP_TO + 3]
    cdef Py_ssize_t equal[COUNT_IN_LONG_LISTS_UP_TO + 3]
    cdef uint32_t *which = ws.slot
    cdef int bits = 32 if real is float else 64
    for i in range(m):
        if real is float:
            ws.keys[i] = descending32(score[i])
        else:
            ws.keys[i] = descending64(score[i])
        ws.order[i] = <uint32_t> i
    sort_pairs(ws.keys, ws.order, m, bits, ws.keys + m, ws.order + m)
    for i in range(m):
        if i == 0 or ws.keys[i] != ws.keys[i - 1]:
            d += 1
            t[d] = score[ws.order[i]]
        which[ws.order[i]] = <uint32_t> d
    d += 1
    if not count_by_numbers(x, n, <const real *> t, d, greater, equal):
        # One pass counts for four thresholds with vectors, or for one without them.
        if few and d > (4 if wide_level else 1):
            return False
        nan[0] = not count_in_blocks(x, n, <const real *> t, d, greater, equal, True)
        if nan[0]:
            return False
    for i in range(m):
        ws.greater[i] = greater[which[i]]
        ws.equal[i] = equal[which[i]]
    return True
