"""Rows in any order, brought together by a key."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from ..ranking.types cimport whole
from ..simd.fetch cimport fetch_line

ctypedef fused cell:
    uint8_t
    uint16_t
    uint32_t
    uint64_t

cdef uint64_t FACTOR = <uint64_t> hash(b"rankgain keys upper") << 32 ^ <uint64_t> hash(b"rankgain keys lower") | 1

cdef enum:
    NO_MEMORY = -1
    CHANGED = -2  # another thread writes to the keys
    MOST = 2147483646  # keys that fit 32-bit numbers
    SOON = 24  # rows from now on

cdef struct Table:
    # Open addressing by a secret factor of the process (Dietzfelbinger et al. 1997); slots hold the number of a key + 1.
    uint32_t *slot
    int64_t *key  # by number
    int64_t size
    int bits


cdef bint grow(Table *table) noexcept nogil:
    """Double the table, and put all keys into their new slots."""
    cdef uint64_t h, mask
    cdef int64_t i
    cdef uint32_t *slot
    cdef int64_t *key
    cdef int bits = table.bits + 1
    key = <int64_t *> realloc(table.key, (<size_t> 1 << bits) // 2 * sizeof(int64_t))
    if key == NULL:
        return False
    table.key = key
    slot = <uint32_t *> calloc(<size_t> 1 << bits, sizeof(uint32_t))
    if slot == NULL:
        return False
    mask = (<uint64_t> 1 << bits) - 1
    for i in range(table.size):
        h = (<uint64_t> table.key[i] * FACTOR) >> (64 - bits)
        while slot[h]:
            h = (h + 1) & mask
        slot[h] = <uint32_t> i + 1
    free(table.slot)
    table.slot = slot
    table.bits = bits
    return True


cdef inline uint64_t slot_of(const Table *table, int64_t key) noexcept nogil:
    """The slot that holds the number of a key, or the free one where it would be."""
    cdef uint64_t mask = (<uint64_t> 1 << table.bits) - 1, h = (<uint64_t> key * FACTOR) >> (64 - table.bits)
    while table.slot[h] and table.key[table.slot[h] - 1] != key:
        h = (h + 1) & mask
    return h


cdef inline int64_t number_of(Table *table, int64_t key) noexcept nogil:
    """The number of a key; a new key gets the next number."""
    cdef uint64_t h = slot_of(table, key)
    if table.slot[h]:
        return <int64_t> table.slot[h] - 1
    if 2 * (table.size + 1) > <int64_t> (<uint64_t> 1 << table.bits):
        if table.size >= MOST or not grow(table):
            return NO_MEMORY
        return number_of(table, key)
    table.key[table.size] = key
    table.size += 1
    table.slot[h] = <uint32_t> table.size
    return table.size - 1


cdef int64_t number_by_hash(const whole *keys, int64_t n, int32_t *codes, int64_t *changes) noexcept nogil:
    """Number the keys by a hash table; a key that follows itself is not looked up again. Returns the number of different keys."""
    cdef Table table
    cdef int64_t i, number = NO_MEMORY
    cdef whole last = 0
    memset(&table, 0, sizeof(Table))
    table.bits = 9
    if grow(&table):
        for i in range(n):
            if i + SOON < n:
                fetch_line(&table.slot[(<uint64_t> <int64_t> keys[i + SOON] * FACTOR) >> (64 - table.bits)])
            if i == 0 or keys[i] != last:
                last = keys[i]
                number = number_of(&table, last)
                if number < 0:
                    break
                changes[0] += 1
            codes[i] = <int32_t> number
    free(table.slot)
    free(table.key)
    return NO_MEMORY if number < 0 else table.size


cdef int64_t number_by_slot(
    const whole *keys, int64_t n, int64_t low, uint64_t span, int32_t *codes, int64_t *changes
) noexcept nogil:
    """The same by a table with a slot for each number from `low` to `low` + `span`."""
    cdef int32_t *slot = <int32_t *> calloc(span + 1, sizeof(int32_t))
    cdef int64_t i, size = 0, runs = 0
    cdef uint64_t at
    cdef int32_t code = 0, before = 0
    if slot == NULL:
        return NO_MEMORY
    for i in range(n):
        at = <uint64_t> keys[i] - <uint64_t> low
        if at > span:
            size = CHANGED
            break
        code = slot[at]
        if code == 0:
            size += 1
            slot[at] = code = <int32_t> size
        runs += code != before
        before = code
        codes[i] = code - 1
    changes[0] = runs
    free(slot)
    return size


def number_keys(const whole[::1] keys, int32_t[::1] codes):
    """Number the keys from 0 in the order of their first rows; returns the number of different keys, and of runs of equal keys."""
    cdef int64_t i, n = keys.shape[0], size, changes = 0
    cdef whole low, high
    cdef uint64_t span
    if codes.shape[0] != n:
        raise ValueError("keys and codes differ in length")
    if n == 0:
        return 0, 0
    with nogil:
        low = high = keys[0]
        for i in range(n):
            low = keys[i] if keys[i] < low else low
            high = keys[i] if keys[i] > high else high
        span = <uint64_t> <int64_t> high - <uint64_t> <int64_t> low
        if span < <uint64_t> MOST and span <= <uint64_t> n + 65536:
            size = number_by_slot(&keys[0], n, low, span, &codes[0], &changes)
        else:
            size = number_by_hash(&keys[0], n, &codes[0], &changes)
    if size == NO_MEMORY:
        raise MemoryError("no memory to bring rows together")
    if size == CHANGED:
        raise RuntimeError("the ids were changed while they were read")
    return size, changes


def survey_codes(const int32_t[::1] codes, int64_t[::1] first, int64_t[::1] sizes):
    """The first row of each code and its number of rows; codes come in the order of their numbers."""
    cdef int64_t i, size = first.shape[0], n_groups = 0
    cdef int32_t code
    with nogil:
        for i in range(size):
            sizes[i] = 0
        for i in range(codes.shape[0]):
            code = codes[i]
            if code == n_groups and n_groups < size:
                first[n_groups] = i
                n_groups += 1
            if 0 <= code < size:
                sizes[code] += 1


def survey_runs(const int32_t[::1] codes, int64_t[::1] first, int64_t[::1] sizes):
    """The same if the rows of each code are adjacent: code i is the i-th run."""
    cdef int64_t i, n = codes.shape[0], size = first.shape[0], run = 0
    if size == 0:
        return
    with nogil:
        first[0] = 0
        for i in range(1, n):
            if codes[i] != codes[i - 1]:
                sizes[run] = i - first[run]
                if run + 1 < size:
                    run += 1
                    first[run] = i
        sizes[run] = n - first[run]


def scatter_rows(const cell[::1] values, const int32_t[::1] codes, int64_t[::1] place, cell[::1] out):
    """Write each row's value to the next place of its code; `place` has the first place of each, and is changed."""
    cdef int64_t i, at, n = codes.shape[0], size = place.shape[0], n_out = out.shape[0]
    cdef int32_t code
    if values.shape[0] != n:
        raise ValueError("values and codes differ in length")
    with nogil:
        for i in range(n):
            if i + 2 * SOON < n:
                fetch_line(&place[0] + codes[i + 2 * SOON])
                if 0 <= codes[i + SOON] < size:
                    fetch_line(&out[0] + place[codes[i + SOON]])
            code = codes[i]
            if not 0 <= code < size:
                continue
            at = place[code]
            place[code] = at + 1
            if 0 <= at < n_out:
                out[at] = values[i]


cdef class Places:
    """The position of each of several distinct integers. Immutable."""

    cdef Table table

    def __cinit__(self, const int64_t[::1] ids):
        cdef Py_ssize_t i
        cdef int64_t number = 0
        self.table.bits = 3
        if not grow(&self.table):
            raise MemoryError("no memory for ids")
        for i in range(ids.shape[0]):
            number = number_of(&self.table, ids[i])
            if number == NO_MEMORY:
                raise MemoryError(f"no memory for {ids.shape[0]} ids")
            if number < i:
                raise ValueError("an id stands there twice")

    def __dealloc__(self):
        free(self.table.slot)
        free(self.table.key)

    def find(self, const int64_t[::1] ids, int64_t[::1] out):
        """The position of each id, from 0, or -1 if it is unknown; returns how many are unknown."""
        cdef Py_ssize_t i, missing = 0, n = ids.shape[0]
        cdef int64_t place = -1
        if out.shape[0] != n:
            raise ValueError(f"{n} ids, but space for {out.shape[0]} places")
        with nogil:
            for i in range(n):
                if i == 0 or ids[i] != ids[i - 1]:
                    place = <int64_t> self.table.slot[slot_of(&self.table, ids[i])] - 1
                out[i] = place
                missing += place < 0
        return missing
