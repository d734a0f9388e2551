"""Values of repeated lists: with recommended ids, many users have their hits at the same ranks.

Where every label is one number, the values of a list are those of the ranks of its hits, of how many documents are relevant and
of how many there are. What was computed for these stands in a table, whose slots forget the list before.
"""

from libc.stdint cimport INT64_MAX, int64_t, uint32_t, uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memset

from ..types cimport Labels, Prepared, Task

cdef enum:
    REACH = 32  # ranks, from 0, with a bit each
    MOST = 65534  # documents, relevant or not, at most; so no key is NO_KEY
    FEWEST = 256  # lists from which on a table is used
    MOST_VALUES = 32768  # values of a table at most, so that it stays in the second cache
    KEYS_AT_ONCE = 128  # made at a time, in a separate loop, so that their memory accesses overlap
    NO_KEY = -1

cdef struct Repeated:
    uint64_t *key
    double *row  # width values a slot
    int bits  # 2**bits slots; 0: no table
    Py_ssize_t width
    double[REACH] level  # the label of all hits, REACH times
    int64_t[REACH] rank  # of the hits of one list
    uint32_t depth_bits  # ranks whose hits change values
    uint64_t[KEYS_AT_ONCE] next  # of some lists that follow, from a multiple of KEYS_AT_ONCE on


cdef inline void open_repeated(Repeated *known, const Task *task, const Labels *labels, Py_ssize_t longest, Py_ssize_t n_lists) noexcept nogil:
    """Make a table if it may save time and there is memory."""
    cdef size_t slots
    cdef Py_ssize_t i
    cdef int64_t other = 0  # as wide as the compared values
    cdef const double *label = <const double *> labels.data + labels.indptr[0]
    cdef Py_ssize_t hits = labels.indptr[n_lists] - labels.indptr[0]
    cdef int64_t depth = INT64_MAX if task.needs_r_depth else task.depth  # hits from here on do not count
    known.depth_bits = (<uint32_t> 1 << depth) - 1 if depth < REACH else <uint32_t> -1
    known.bits = 12 if n_lists >= FEWEST and hits > 0 and labels.rank_bits != NULL and min(depth, longest) <= REACH else 0
    while known.bits > 0 and (<Py_ssize_t> 1 << known.bits) * task.width > MOST_VALUES:
        known.bits -= 1
    slots = <size_t> 1 << known.bits
    known.width = task.width
    known.key = NULL
    for i in range(REACH):
        known.level[i] = label[0] if hits > 0 else 0.0
    for i in range(hits if known.bits else 0):
        other |= label[i] != label[0]
    if known.bits and longest <= MOST and not other:
        known.key = <uint64_t *> malloc(slots * (1 + task.width) * 8)
    known.row = <double *> (known.key + slots)
    if known.key == NULL:
        known.bits = 0
    else:
        memset(known.key, 0xFF, slots * sizeof(uint64_t))


cdef inline void find_keys(
        Repeated *known, const Labels *labels, const Prepared *prepared, const int64_t *starts, const int64_t *stops,
        Py_ssize_t first, Py_ssize_t n_lists) noexcept nogil:
    """The keys of the next lists from `first` on, which determine their values; NO_KEY where these depend on more."""
    cdef Py_ssize_t i
    cdef int64_t at, runs, relevant
    for i in range(first, min(first + KEYS_AT_ONCE, n_lists)):
        at, runs = prepared.first[i], prepared.first[i + 1] - prepared.first[i]
        relevant = prepared.count[at] if runs else 0
        if runs > 1 or relevant > MOST or (runs and prepared.level[at] != known.level[0]):
            known.next[i - first] = <uint64_t> NO_KEY
        else:
            known.next[i - first] = labels.rank_bits[i] & known.depth_bits | <uint64_t> relevant << 32 | <uint64_t> (stops[i] - starts[i]) << 48


cdef inline Py_ssize_t slot_of(const Repeated *known, uint64_t key) noexcept nogil:
    """Multiplicative hashing; two keys in one slot only cost time."""
    return <Py_ssize_t> ((key * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - known.bits))


cdef inline bint take_repeated(const Repeated *known, uint64_t key, double *out, Py_ssize_t step) noexcept nogil:
    """Write the stored row of a list with this key; false if there is none."""
    cdef Py_ssize_t slot = slot_of(known, key), c
    if known.key[slot] != key:
        return False
    for c in range(known.width):
        out[c * step] = known.row[slot * known.width + c]
    return True


cdef inline void keep_row(Repeated *known, uint64_t key, const double *out, Py_ssize_t step) noexcept nogil:
    cdef Py_ssize_t slot = slot_of(known, key), c
    known.key[slot] = key
    for c in range(known.width):
        known.row[slot * known.width + c] = out[c * step]
