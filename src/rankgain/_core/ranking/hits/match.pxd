"""Recommended ids against relevant ids, user by user."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

ctypedef fused id_type:
    int32_t
    int64_t

ctypedef fused wanted_type:
    int32_t
    int64_t

cdef enum MatchFault:
    MATCHED, ID_BELOW, ID_BEYOND, GAP, TWICE

# The lookup table of ids: one slot per id of a small catalogue, else a hash table of one user's ids.
cdef struct Lookup:
    uint32_t *slot
    int64_t *mark  # of the positions of one user
    void *row  # a copy of the ids of one user: they are checked and looked up there, as another thread may change the array
    int bits  # of the hash table; 0: one slot per id
    uint64_t factor  # of the hash: odd, random and secret, so that ids that collide cannot be chosen
    uint64_t ids  # of the catalogue


cdef inline uint64_t slot_of(int64_t key, const Lookup *lookup) noexcept nogil:
    """Multiplicative hashing by a random factor (Dietzfelbinger et al. 1997)."""
    return (<uint64_t> key * lookup.factor) >> (64 - lookup.bits)


cdef inline uint32_t few_ids(uint64_t ids) noexcept nogil:
    """What ids of 32 bits must be below."""
    return <uint32_t> ids if ids < 2147483648u else 2147483648u


cdef inline Py_ssize_t row_length(const id_type *row, Py_ssize_t k, uint64_t ids, int *fault, Py_ssize_t *at) noexcept nogil:
    """How many ids stand before the padding of -1; flags what does not belong."""
    cdef Py_ssize_t i, n = k
    cdef uint32_t few = few_ids(ids)
    cdef uint32_t beyond = 0
    while n > 0 and row[n - 1] == -1:
        n -= 1
    for i in range(n):
        if id_type is int32_t:
            beyond |= <uint32_t> row[i] >= few
        else:
            beyond |= <uint64_t> row[i] >= ids
    i = 0
    while beyond and <uint64_t> <int64_t> row[i] < ids:
        i += 1
    if beyond:
        fault[0] = GAP if row[i] == -1 else ID_BELOW if row[i] < 0 else ID_BEYOND
        at[0] = i
    return n


cdef inline bint mark_by_slot(
        const id_type *row, Py_ssize_t n, const wanted_type *wanted, Py_ssize_t start, Py_ssize_t stop, uint32_t base,
        const Lookup *lookup) noexcept nogil:
    """Slots hold base + position; those below base are of earlier users. No branch depends on the result."""
    cdef Py_ssize_t i
    cdef uint32_t here
    cdef uint64_t id
    cdef uint32_t *slot = lookup.slot
    cdef int64_t *mark = lookup.mark
    cdef bint again = False
    for i in range(n):
        again |= slot[row[i]] >= base
        slot[row[i]] = base + <uint32_t> i
    for i in range(start, stop):
        id = <uint64_t> <int64_t> wanted[i]
        here = slot[id] if id < lookup.ids else 0
        mark[here - base if here >= base else n] = i + 1
    return again


cdef inline bint mark_by_hash(
        const id_type *row, Py_ssize_t n, const wanted_type *wanted, Py_ssize_t start, Py_ssize_t stop,
        const Lookup *lookup) noexcept nogil:
    """The table holds position + 1."""
    cdef uint64_t mask = (<uint64_t> 1 << lookup.bits) - 1, h
    cdef uint32_t *table = lookup.slot
    cdef Py_ssize_t i
    memset(table, 0, (<size_t> 1 << lookup.bits) * sizeof(uint32_t))
    for i in range(n):
        h = slot_of(row[i], lookup)
        while table[h]:
            if row[table[h] - 1] == row[i]:
                return True
            h = (h + 1) & mask
        table[h] = <uint32_t> i + 1
    for i in range(start, stop):
        h = slot_of(wanted[i], lookup)
        while table[h]:
            if row[table[h] - 1] == wanted[i]:
                lookup.mark[table[h] - 1] = i + 1
                break
            h = (h + 1) & mask
    return False


cdef inline Py_ssize_t take_marks(int64_t *mark, Py_ssize_t n, int64_t *position, int64_t *match) noexcept nogil:
    """Marks hold the wanted id of a position, counted from 1; they are cleared. Returns how many there are."""
    cdef Py_ssize_t i, hits = 0
    for i in range(n):
        position[hits] = i
        if match != NULL:
            match[hits] = mark[i] - 1
        hits += mark[i] != 0
        mark[i] = 0
    mark[n] = 0  # of what was not found
    return hits


cdef inline Py_ssize_t match_ids(
        const id_type *row, Py_ssize_t k, const wanted_type *wanted, Py_ssize_t start, Py_ssize_t stop, uint32_t base,
        const Lookup *lookup, int64_t *position, int64_t *match, int64_t *length, int *fault, Py_ssize_t *at) noexcept nogil:
    """Positions of the ids wanted[start:stop] that stand in the row, ascending, and which they are, if asked; returns how many. What
    stands behind the last is written to, unless it is place k."""
    cdef bint twice = False
    cdef id_type *row_copy = <id_type *> lookup.row
    if k:  # a row of none may have no address
        memcpy(row_copy, row, k * sizeof(id_type))
    length[0] = row_length(row_copy, k, lookup.ids, fault, at)
    if fault[0] != MATCHED:
        return 0
    if lookup.bits:
        twice = mark_by_hash(row_copy, length[0], wanted, start, stop, lookup)
    else:
        twice = mark_by_slot(row_copy, length[0], wanted, start, stop, base, lookup)
    fault[0] = TWICE if twice else MATCHED
    return take_marks(lookup.mark, length[0], position, match)
