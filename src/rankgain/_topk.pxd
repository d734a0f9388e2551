"""Recommended ids against relevant ids: a small hash table per user, since ids may be anything up to 2**63."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

ctypedef fused id_type:
    int32_t
    int64_t

cdef enum MatchFault:
    MATCHED, ID_BELOW, ID_BEYOND, GAP, TWICE, RELEVANT_TWICE


cdef inline uint64_t slot_of(int64_t key, int bits) noexcept nogil:
    """Fibonacci hashing (Knuth, volume 3, 6.4)."""
    return (<uint64_t> key * <uint64_t> 0x9e3779b97f4a7c15u) >> (64 - bits)


cdef inline Py_ssize_t row_length(const id_type *row, Py_ssize_t k, int64_t columns, int *fault, Py_ssize_t *at) noexcept nogil:
    """How many ids stand before the padding of -1; flags what does not belong."""
    cdef Py_ssize_t i, n = k
    while n > 0 and row[n - 1] == -1:
        n -= 1
    for i in range(n):
        if row[i] < 0 or row[i] >= columns:
            fault[0] = GAP if row[i] == -1 else ID_BELOW if row[i] < 0 else ID_BEYOND
            at[0] = i
            return n
    return n


cdef inline Py_ssize_t match_row(const id_type *row, Py_ssize_t n, const int64_t *wanted, const double *label, Py_ssize_t m, uint32_t *table, int bits,
                                 int32_t *position, double *found, int *fault, Py_ssize_t *at) noexcept nogil:
    """Positions and labels of the wanted ids that stand in the row; returns how many. The table holds position + 1."""
    cdef uint64_t mask = (<uint64_t> 1 << bits) - 1, h
    cdef Py_ssize_t i, hits = 0
    memset(table, 0, (<size_t> 1 << bits) * sizeof(uint32_t))
    for i in range(n):
        h = slot_of(row[i], bits)
        while table[h]:
            if row[table[h] - 1] == row[i]:
                fault[0] = TWICE
                at[0] = i
                return 0
            h = (h + 1) & mask
        table[h] = <uint32_t> i + 1
    for i in range(m):
        h = slot_of(wanted[i], bits)
        while table[h]:
            if row[table[h] - 1] == wanted[i]:
                if label[i] != 0.0:
                    position[hits] = <int32_t> table[h] - 1
                    found[hits] = label[i]
                    hits += 1
                break
            h = (h + 1) & mask
    return hits
