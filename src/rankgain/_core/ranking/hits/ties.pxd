"""The order inside a tie block, for every policy but the average: by a key of each document, or by what it is worth."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from ..types cimport *
from ..gain cimport gain_of


cdef inline uint64_t splitmix(uint64_t x) noexcept nogil:
    """The finalizer of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x ^ (x >> 30)) * <uint64_t> 0xbf58476d1ce4e5b9u
    x = (x ^ (x >> 27)) * <uint64_t> 0x94d049bb133111ebu
    return x ^ (x >> 31)


cdef inline bint in_blocks(Ties ties) noexcept nogil:
    """Whether tied documents are ranked as a block: averaged, or put in order afterwards by what they are worth."""
    return ties == AVERAGE or ties == BEST or ties == WORST


cdef inline uint64_t tie_key(const Task *task, const int64_t *tie_keys, Py_ssize_t index, uint32_t pos) noexcept nogil:
    """Smaller stands first; equal keys stand in input order."""
    if task.ties == STABLE:
        return pos
    if task.ties == REVERSE:
        return ~<uint64_t> pos
    if task.ties == BY_KEY:
        return <uint64_t> tie_keys[pos]
    return splitmix(splitmix(task.seed + <uint64_t> 0x9e3779b97f4a7c15u * <uint64_t> (index + 1)) + pos)


cdef inline bint count_ties_above(
        const real *x, Py_ssize_t m, const uint32_t *position, const real *score, const Task *task, const int64_t *tie_keys,
        Py_ssize_t index, int64_t depth, Workspace *ws) noexcept nogil:
    """Move each entry that ties below the documents that its policy puts above it; False where sorting costs less."""
    cdef Entries *entries = &ws.entries
    cdef Py_ssize_t e, i, tied = 0, keys = 0, above
    cdef uint32_t mine, other
    cdef uint64_t key, theirs
    cdef real s
    for e in range(entries.n):
        if ws.equal[e] > 1 and ws.greater[e] < depth:
            tied += 1
            keys += ws.equal[e]
    if task.ties != STABLE and task.ties != REVERSE and (keys > 2 * m or (tied > 12 and m > 256)):
        return False
    for e in range(entries.n):
        if ws.equal[e] == 1 or ws.greater[e] >= depth:
            continue
        s = score[e]
        mine = entries.pos[e]
        above = 0
        if task.ties == STABLE or task.ties == REVERSE:
            if position != NULL:
                for i in range(m):
                    above += x[i] == s and position[i] < mine
            else:
                for i in range(mine):
                    above += x[i] == s
            if task.ties == REVERSE:
                above = ws.equal[e] - 1 - above
        else:
            key = tie_key(task, tie_keys, index, mine)
            for i in range(m):
                if x[i] == s:
                    other = <uint32_t> i if position == NULL else position[i]
                    theirs = tie_key(task, tie_keys, index, other)
                    above += theirs < key or (theirs == key and other < mine)
        ws.greater[e] += above
        ws.equal[e] = 1
    return True


cdef inline Py_ssize_t sort_by_gain(double *label, Py_ssize_t m, const GainRule *gain) noexcept nogil:
    """Sort labels by descending gain; returns how many are worth at least 0, what other documents are worth."""
    cdef Py_ssize_t i, j, front = 0
    cdef double value, g
    for j in range(m):
        value = label[j]
        g = gain_of(gain, value)
        front += g >= 0.0
        i = j
        while i > 0 and gain_of(gain, label[i - 1]) < g:
            label[i] = label[i - 1]
            i -= 1
        label[i] = value
    return front


cdef inline void order_blocks(Hits *hits, const GainRule *gain, bint best) noexcept nogil:
    """Put each tie block into its best order, or into the reverse of that, in place; every hit is then a block of its own.

    From the last block to the first: the hits of block b stand at b or later, so no earlier block is written over.
    """
    cdef Py_ssize_t b = hits.n_blocks, i, j, m, front, low, high = hits.first[hits.n_blocks]
    cdef int64_t start, size, place
    cdef double *label
    cdef double swap
    hits.n_blocks = high
    hits.first[high] = high
    while b > 0:
        b -= 1
        low = hits.first[b]
        start = hits.start[b]
        size = hits.size[b]
        m = high - low
        label = hits.label + low
        front = sort_by_gain(label, m, gain) if size > 1 else 1
        if not best:
            for j in range(m // 2):
                swap = label[j]
                label[j] = label[m - 1 - j]
                label[m - 1 - j] = swap
        for j in range(m):
            i = j if best else m - 1 - j
            place = i if i < front else size - m + i
            hits.start[low + j] = start + (place if best else size - 1 - place)
            hits.size[low + j] = 1
            hits.first[low + j] = low + j
        high = low
