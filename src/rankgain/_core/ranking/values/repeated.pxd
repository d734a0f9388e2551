"""Values of repeated lists: with recommended ids, many users have their hits at the same ranks.

If all labels are equal, the values of a list depend only on the ranks of its hits, on how many documents are relevant and on how many
there are. A table keeps the values computed for these; a newer list replaces the older one in a slot.
"""

from libc.stdint cimport INT64_MAX, int64_t, uint32_t, uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memset

from ..types cimport Labels, LabelRuns, Task

cdef enum:
    MAX_RANK_BITS = 32  # ranks, from 0, with a bit each
    MAX_DOCUMENTS = 65534  # documents, relevant or not, at most; so no key is NO_KEY
    MIN_LISTS = 256  # lists from which on a table is used
    MAX_TABLE_BITS = 12
    MAX_TABLE_VALUES = 32768  # values of a table at most, so that it stays in the second cache
    KEYS_AT_ONCE = 128  # made at a time, in a separate loop, so that their memory accesses overlap
    NO_KEY = -1

cdef struct Repeated:
    uint64_t *key
    double *row  # width values a slot
    int bits  # 2**bits slots; 0: no table
    Py_ssize_t width
    double[MAX_RANK_BITS] level  # the label of all hits, MAX_RANK_BITS times
    int64_t[MAX_RANK_BITS] rank  # of the hits of one list
    uint32_t depth_bits  # ranks whose hits change values
    uint64_t[KEYS_AT_ONCE] next  # of some lists that follow, from a multiple of KEYS_AT_ONCE on


cdef inline void open_repeated(Repeated *repeated, const Task *task, const Labels *labels, Py_ssize_t longest, Py_ssize_t n_lists) noexcept nogil:
    """Make a table if it may save time and there is memory."""
    cdef size_t slots
    cdef Py_ssize_t i
    cdef int64_t other = 0  # as wide as the compared values
    cdef const double *label = <const double *> labels.data + labels.indptr[0]
    cdef Py_ssize_t hits = labels.indptr[n_lists] - labels.indptr[0]
    cdef int64_t depth = INT64_MAX if task.needs_r_depth else task.depth  # hits from here on do not count
    cdef bint may_repeat = n_lists >= MIN_LISTS and hits > 0 and labels.rank_bits != NULL
    repeated.depth_bits = <uint32_t> -1
    if depth < MAX_RANK_BITS:
        repeated.depth_bits = (<uint32_t> 1 << depth) - 1
    repeated.bits = 0
    if may_repeat and min(depth, longest) <= MAX_RANK_BITS:
        repeated.bits = MAX_TABLE_BITS
    while repeated.bits > 0 and (<Py_ssize_t> 1 << repeated.bits) * task.width > MAX_TABLE_VALUES:
        repeated.bits -= 1
    slots = <size_t> 1 << repeated.bits
    repeated.width = task.width
    repeated.key = NULL
    for i in range(MAX_RANK_BITS):
        repeated.level[i] = label[0] if hits > 0 else 0.0
    for i in range(hits if repeated.bits else 0):
        other |= label[i] != label[0]
    if repeated.bits and longest <= MAX_DOCUMENTS and not other:
        repeated.key = <uint64_t *> malloc(slots * (1 + task.width) * 8)
    repeated.row = <double *> (repeated.key + slots)
    if repeated.key == NULL:
        repeated.bits = 0
    else:
        memset(repeated.key, 0xFF, slots * sizeof(uint64_t))


cdef inline void find_keys(
        Repeated *repeated, const Labels *labels, const LabelRuns *label_runs, const int64_t *starts, const int64_t *stops,
        Py_ssize_t first, Py_ssize_t n_lists) noexcept nogil:
    """The keys of the next lists from `first` on, which determine their values; NO_KEY if these depend on more.

    From the lowest bit: 32 bits of the ranks of the hits, 16 of the number of relevant documents, 16 of the number of documents.
    """
    cdef Py_ssize_t i
    cdef int64_t run, n_runs, relevant, documents
    cdef uint64_t key
    for i in range(first, min(first + KEYS_AT_ONCE, n_lists)):
        run = label_runs.first[i]
        n_runs = label_runs.first[i + 1] - run
        documents = stops[i] - starts[i]
        relevant = label_runs.count[run] if n_runs else 0
        key = <uint64_t> NO_KEY
        if n_runs <= 1 and relevant <= MAX_DOCUMENTS and (n_runs == 0 or label_runs.level[run] == repeated.level[0]):
            key = labels.rank_bits[i] & repeated.depth_bits
            key |= <uint64_t> relevant << 32
            key |= <uint64_t> documents << 48
        repeated.next[i - first] = key


cdef inline Py_ssize_t slot_of(const Repeated *repeated, uint64_t key) noexcept nogil:
    """Multiplicative hashing; two keys in one slot only cost time."""
    return <Py_ssize_t> ((key * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - repeated.bits))


cdef inline bint take_repeated(const Repeated *repeated, uint64_t key, double *out, Py_ssize_t step) noexcept nogil:
    """Write the stored row of a list with this key; false if there is none."""
    cdef Py_ssize_t slot = slot_of(repeated, key), c
    if repeated.key[slot] != key:
        return False
    for c in range(repeated.width):
        out[c * step] = repeated.row[slot * repeated.width + c]
    return True


cdef inline void keep_row(Repeated *repeated, uint64_t key, const double *out, Py_ssize_t step) noexcept nogil:
    cdef Py_ssize_t slot = slot_of(repeated, key), c
    repeated.key[slot] = key
    for c in range(repeated.width):
        repeated.row[slot * repeated.width + c] = out[c * step]
