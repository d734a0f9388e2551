"""Values of lists like one before: of recommended ids, many users have their hits at the same ranks.

Where every label is one number, the values of a list are those of the ranks of its hits, of how many documents are relevant and
of how many there are. What was computed for these stands in a table, whose slots forget the list before.
"""

from libc.math cimport NAN
from libc.stdint cimport INT64_MAX, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..types cimport Ideal, Labels, Task

cdef enum:
    REACH = 32  # ranks from 0 that a key has room for
    MOST = 65534  # documents, relevant or not; a key of ones alone is none
    FEWEST = 256  # lists that are worth a table
    ROOM = 32768  # values of a table at most, so that it stays in the second cache

cdef struct Repeated:
    uint64_t *key
    double *row  # n_columns values a slot
    int bits  # 2**bits slots; 0: no table
    Py_ssize_t n_columns
    double level  # the label of all, NaN before the first one
    int64_t depth  # hits from here on change nothing
    int64_t hits  # of all lists; what is read of one may be of the next


cdef inline void open_repeated(Repeated *known, const Task *task, const Labels *labels, Py_ssize_t n_lists) noexcept nogil:
    """Make a table where it may gain, if there is memory."""
    cdef size_t slots
    cdef bint gains = n_lists >= FEWEST and labels.sizes == NULL and labels.indptr[n_lists] > 0
    known.bits = 12
    while known.bits > 0 and (<Py_ssize_t> 1 << known.bits) * task.n_columns > ROOM:
        known.bits -= 1
    slots = <size_t> 1 << known.bits
    known.n_columns = task.n_columns
    known.level = NAN
    known.hits = labels.indptr[n_lists]
    known.depth = INT64_MAX if task.needs_r_depth else task.depth
    known.key = <uint64_t *> malloc(slots * (1 + task.n_columns) * 8) if known.bits and gains else NULL
    known.row = <double *> (known.key + slots)
    if known.key == NULL:
        known.bits = 0
    else:
        memset(known.key, 0xFF, slots * sizeof(uint64_t))


cdef inline void close_repeated(Repeated *known) noexcept nogil:
    free(known.key)


cdef inline bint add_hit(const Repeated *known, const Labels *labels, int64_t j, int64_t end, uint64_t *ranks) noexcept nogil:
    """Note hit j of a list that ends at `end`; false where a key cannot hold it. Nothing branches on what it is."""
    cdef int64_t here = j if j < known.hits else known.hits - 1
    cdef int64_t rank = (<const int64_t *> labels.indices)[here]
    cdef bint counts = (j < end) & (rank < known.depth)
    ranks[0] |= <uint64_t> counts << (rank & (REACH - 1))
    return (not counts) | ((rank < REACH) & ((<const double *> labels.data)[here] == known.level))


cdef inline bint ranks_of(const Repeated *known, const Labels *labels, Py_ssize_t at, uint64_t *ranks) noexcept nogil:
    """The ranks of the hits as bits, where they fit. Most lists have few hits, whose number no branch should guess."""
    cdef int64_t first = labels.indptr[at], end = labels.indptr[at + 1], j
    cdef bint fits = True
    ranks[0] = 0
    for j in range(first, first + 4):
        fits &= add_hit(known, labels, j, end, ranks)
    for j in range(first + 4, end):
        fits &= add_hit(known, labels, j, end, ranks)
    return fits


cdef inline bint key_of(Repeated *known, const Labels *labels, const Ideal *ideal, Py_ssize_t at, Py_ssize_t n, uint64_t *key) noexcept nogil:
    """What the values of a list are a function of; false where it is not these few numbers."""
    cdef int64_t relevant = 0
    if known.bits == 0 or n > MOST or ideal.n_runs > 1:
        return False
    if ideal.n_runs:
        if known.level != known.level:
            known.level = ideal.level[0]
        relevant = ideal.count[0]
        if ideal.level[0] != known.level or relevant > MOST:
            return False
    if not ranks_of(known, labels, at, key):
        return False
    key[0] |= <uint64_t> relevant << 32 | <uint64_t> n << 48
    return True


cdef inline Py_ssize_t slot_of(const Repeated *known, uint64_t key) noexcept nogil:
    """Multiplicative hashing; a slot that two keys share costs time alone."""
    return <Py_ssize_t> ((key * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - known.bits))


cdef inline bint take_repeated(const Repeated *known, uint64_t key, double *out, Py_ssize_t step) noexcept nogil:
    """Write the row of a list like this one; false where there was none."""
    cdef Py_ssize_t slot = slot_of(known, key), c
    if known.key[slot] != key:
        return False
    for c in range(known.n_columns):
        out[c * step] = known.row[slot * known.n_columns + c]
    return True


cdef inline void keep_row(Repeated *known, uint64_t key, const double *out, Py_ssize_t step) noexcept nogil:
    cdef Py_ssize_t slot = slot_of(known, key), c
    known.key[slot] = key
    for c in range(known.n_columns):
        known.row[slot * known.n_columns + c] = out[c * step]
