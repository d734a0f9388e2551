"""The order inside a tie block, under every tie rule but the average: by a key or by the gain of each document."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ..types cimport *
from ..gain cimport gain_of

cdef enum:
    LOOK_UP_TO = 16  # keys drawn for each document; beyond, sorting costs less


cdef inline uint64_t splitmix(uint64_t x) noexcept nogil:
    """The finalizer of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x ^ (x >> 30)) * <uint64_t> 0xbf58476d1ce4e5b9u
    x = (x ^ (x >> 27)) * <uint64_t> 0x94d049bb133111ebu
    return x ^ (x >> 31)


cdef inline bint in_blocks(Ties ties) noexcept nogil:
    """Whether tied documents are ranked as a block, to be averaged or ordered by gain afterwards."""
    return ties == AVERAGE or ties == BEST or ties == WORST


cdef inline uint64_t draw_of_list(const Task *task, Py_ssize_t index) noexcept nogil:
    """The part of the random order that is common to all documents of a list.

    The factor is the step of SplitMix64, SPLITMIX_STEP of inputs/grouping.py: `_random_keys` of engine/rankings.py draws the same.
    """
    return splitmix(task.seed + <uint64_t> 0x9e3779b97f4a7c15u * <uint64_t> (index + 1))


cdef inline uint64_t tie_key(const Task *task, const int64_t *tie_keys, uint64_t draw, uint32_t pos) noexcept nogil:
    """The key of a document: smaller keys come first, equal keys in input order."""
    if task.ties == STABLE:
        return pos
    if task.ties == REVERSE:
        return ~<uint64_t> pos
    if task.ties == BY_KEY:
        return <uint64_t> tie_keys[pos]  # keys of the caller are at least 0
    return splitmix(draw + pos)


cdef inline bint is_tied(const Workspace *ws, Py_ssize_t e, int64_t depth) noexcept nogil:
    return ws.equal[e] > 1 and ws.greater[e] < depth


cdef inline Py_ssize_t count_before(const real *x, Py_ssize_t m, const uint32_t *position, real s, uint32_t pos) noexcept nogil:
    """The number of documents of score s before a position."""
    cdef int32_t few = 0
    cdef int64_t many = 0  # as wide as the compared values
    cdef Py_ssize_t i
    if position == NULL:
        for i in range(<Py_ssize_t> pos):
            if real is float:
                few += x[i] == s
            else:
                many += x[i] == s
    else:
        for i in range(m):
            if real is float:
                few += (x[i] == s) & (<int32_t> position[i] < <int32_t> pos)
            else:
                many += (x[i] == s) & (position[i] < pos)
    return few + many


cdef inline bint count_ties_above(
        const real *x, Py_ssize_t m, const uint32_t *position, const real *score, const Task *task, const int64_t *tie_keys,
        Py_ssize_t index, int64_t depth, Workspace *ws) noexcept nogil:
    """Add to the rank of each tied entry the tied documents that the tie rule, which gives each document a key, puts above it.

    False, with nothing done, if sorting costs less.
    """
    cdef bint by_place = task.ties == STABLE or task.ties == REVERSE
    cdef Py_ssize_t e, i, equal, above, keys = 0
    cdef uint32_t *places = ws.slot
    cdef uint32_t pos, other
    cdef uint64_t key, other_key, draw = draw_of_list(task, index)
    for e in range(ws.entries.n):
        if is_tied(ws, e, depth):
            keys += ws.equal[e]
    if not by_place and keys > LOOK_UP_TO * m:
        return False
    for e in range(ws.entries.n):
        if not is_tied(ws, e, depth):
            continue
        pos = ws.entries.pos[e]
        above = equal = 0
        if by_place:
            above = count_before(x, m, position, score[e], pos)
            if task.ties == REVERSE:
                above = ws.equal[e] - 1 - above
        else:
            key = tie_key(task, tie_keys, draw, pos)
            for i in range(m):  # without a branch for each
                places[equal] = <uint32_t> i
                equal += x[i] == score[e]
            for i in range(equal):
                other = places[i] if position == NULL else position[places[i]]
                other_key = tie_key(task, tie_keys, draw, other)
                above += (other_key < key) | ((other_key == key) & (other < pos))
        # It stays inside its block even if another thread changes the scores.
        ws.greater[e] += max(min(above, ws.equal[e] - 1), <Py_ssize_t> 0)
        ws.equal[e] = 1
    return True


cdef inline void order_blocks(const Hits *hits, const GainRule *gain, bint best, Hits *out) noexcept nogil:
    """Put each tie block into its best order, or into the reverse of that; every hit is then a block of its own."""
    cdef Py_ssize_t b, i, j, m, front, low, n_hits = hits.first[hits.n_blocks]
    cdef int64_t start, size, place
    cdef double *label
    cdef double swap, value, g
    memcpy(out.label, hits.label, n_hits * sizeof(double))
    out.n_docs = hits.n_docs
    out.n_blocks = n_hits
    for b in range(hits.n_blocks):
        low = hits.first[b]
        start = hits.start[b]
        size = hits.size[b]
        m = hits.first[b + 1] - low
        label = out.label + low
        # The documents of the block that are not hits have gain 0, so hits with a negative gain go behind them: all but the first
        # `front` ones.
        front = 0 if size > 1 else 1
        for j in range(m if size > 1 else 0):  # by descending gain
            value = label[j]
            g = gain_of(gain, value)
            front += g >= 0.0
            i = j
            while i > 0 and gain_of(gain, label[i - 1]) < g:
                label[i] = label[i - 1]
                i -= 1
            label[i] = value
        if not best:
            for j in range(m // 2):
                swap = label[j]
                label[j] = label[m - 1 - j]
                label[m - 1 - j] = swap
        # Hit i of the best order is at place i of the block, or behind the documents that are not hits. The worst order is the reverse:
        # there hit j is hit m - 1 - j of the best one, and places count from the end.
        for j in range(m):
            i = j if best else m - 1 - j
            place = i if i < front else size - m + i
            out.start[low + j] = start + (place if best else size - 1 - place)
    for j in range(n_hits):
        out.size[j] = 1
        out.first[j] = j
    out.first[n_hits] = n_hits
