"""Sorts of keys, of keys with positions, and of values."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ..types cimport *


cdef inline uint32_t descending32(float x) noexcept nogil:
    """A key that is smaller for a larger x; -0.0 and 0.0 share one.

    The bits of a negative float, its sign bit among them, grow as it falls. Those of a positive one grow with it, so all but the sign
    are flipped.
    """
    cdef uint32_t bits
    x = x + <float> 0.0  # -0.0 becomes 0.0
    memcpy(&bits, &x, 4)
    return bits if bits >> 31 else ~(bits | <uint32_t> 0x80000000u)


cdef inline uint64_t descending64(double x) noexcept nogil:
    """descending32 of 64 bits."""
    cdef uint64_t bits
    x = x + 0.0
    memcpy(&bits, &x, 8)
    return bits if bits >> 63 else ~(bits | (<uint64_t> 1 << 63))


cdef inline void radix_sort(uint64_t *key, uint32_t *pos, Py_ssize_t n, int bits, uint64_t *spare_key, uint32_t *spare_pos) noexcept nogil:
    """Stable sort by the low `bits` bits of the key, one byte a pass, of pairs or (pos NULL) of keys alone.

    Bytes that are equal in all keys are skipped.
    """
    cdef uint32_t count[256]
    cdef uint64_t differ = 0
    cdef uint64_t *from_key = key
    cdef uint64_t *to_key = spare_key
    cdef uint32_t *from_pos = pos
    cdef uint32_t *to_pos = spare_pos
    cdef Py_ssize_t i
    cdef int shift, digit
    cdef uint32_t total, c
    for i in range(1, n):
        differ |= key[i] ^ key[0]
    for shift in range(0, bits, 8):
        if (differ >> shift) & 255 == 0:
            continue
        memset(count, 0, sizeof(count))
        for i in range(n):
            count[(from_key[i] >> shift) & 255] += 1
        # From counts to places: the first key with a digit comes after all keys with smaller digits.
        total = 0
        for digit in range(256):
            c = count[digit]
            count[digit] = total
            total += c
        for i in range(n):
            digit = (from_key[i] >> shift) & 255
            c = count[digit]
            count[digit] = c + 1
            to_key[c] = from_key[i]
            if pos != NULL:
                to_pos[c] = from_pos[i]
        from_key, to_key = to_key, from_key
        from_pos, to_pos = to_pos, from_pos
    if from_key != key:
        memcpy(key, from_key, n * sizeof(uint64_t))
        if pos != NULL:
            memcpy(pos, from_pos, n * sizeof(uint32_t))


cdef inline void sort_pairs(uint64_t *key, uint32_t *pos, Py_ssize_t n, int bits, uint64_t *spare_key, uint32_t *spare_pos) noexcept nogil:
    """Sort by (key, pos), where positions ascend or keys are distinct: by insertion if few, else by radix, which is stable."""
    cdef Py_ssize_t i, j
    cdef uint64_t k
    cdef uint32_t p
    if n > 24:
        radix_sort(key, pos, n, bits, spare_key, spare_pos)
        return
    for i in range(1, n):
        k = key[i]
        p = pos[i]
        j = i
        while j > 0 and (key[j - 1] > k or (key[j - 1] == k and pos[j - 1] > p)):
            key[j] = key[j - 1]
            pos[j] = pos[j - 1]
            j -= 1
        key[j] = k
        pos[j] = p


cdef enum:
    INSERT_UP_TO = 16  # keys up to which insertion is faster
    SPREAD_UP_TO = 256  # keys up to which one level of as many buckets is enough


cdef inline void insert_sorted(const uint64_t *source, Py_ssize_t n, uint64_t *key) noexcept nogil:
    """Stable insertion sort by the high 32 bits, from `source` into `key`, which may be the same."""
    cdef Py_ssize_t i, j
    cdef uint64_t k
    for i in range(n):
        k = source[i]
        j = i
        while j > 0 and key[j - 1] >> 32 > k >> 32:
            key[j] = key[j - 1]
            j -= 1
        key[j] = k


cdef inline float value_of(uint64_t key) noexcept nogil:
    """The value whose descending32 is the high half of a key."""
    cdef uint32_t bits = <uint32_t> (key >> 32)
    cdef float x
    bits = bits if bits >> 31 else 0x7FFFFFFFu - bits
    memcpy(&x, &bits, 4)
    return x


cdef inline bint sort_spread(uint64_t *key, Py_ssize_t n, uint64_t *spare) noexcept nogil:
    """sort_packed of keys whose values spread over their range: into buckets of equal width, then by insertion.

    Returns False, and leaves the keys unchanged, if all values are equal or some are infinite, if a bucket gets too many, or if most of
    eight keys fall into a sixteenth of the buckets, as with values of different orders of magnitude.
    """
    cdef uint32_t count[SPREAD_UP_TO]
    cdef int32_t bucket[SPREAD_UP_TO]
    cdef uint32_t total = 0, c, most = 0
    cdef uint64_t least = key[0], greatest = least
    cdef int32_t crowd[16]
    cdef int32_t crowded = 0
    cdef float top, factor
    cdef Py_ssize_t i, at
    for i in range(n):
        least = key[i] if key[i] < least else least
        greatest = key[i] if key[i] > greatest else greatest
    top = value_of(least)
    # Just below the number of buckets, so that the lowest value gets the last one.
    factor = <float> 255.99 / (top - value_of(greatest))
    if not 0.0 < factor < INFINITY:
        return False
    memset(crowd, 0, sizeof(crowd))
    for i in range(8):
        at = <int32_t> ((top - value_of(key[i * n // 8])) * factor) >> 4
        crowd[at] += 1
        crowded = crowd[at] if crowd[at] > crowded else crowded
    if crowded > 5:
        return False
    for i in range(n):
        bucket[i] = <int32_t> ((top - value_of(key[i])) * factor)
    memset(count, 0, sizeof(count))
    for i in range(n):
        count[bucket[i]] += 1
    for i in range(SPREAD_UP_TO):
        c = count[i]
        count[i] = total
        total += c
        most = c if c > most else most
    if most > INSERT_UP_TO:
        return False
    for i in range(n):
        spare[count[bucket[i]]] = key[i]
        count[bucket[i]] += 1
    insert_sorted(spare, n, key)
    return True


cdef inline void sort_packed(uint64_t *key, Py_ssize_t n, uint64_t *spare) noexcept nogil:
    """Stable sort by the high 32 bits, a descending32: by insertion if few, into buckets if the values are spread, or a byte at a time."""
    cdef uint32_t count[4][256]
    cdef uint32_t total, c
    cdef uint64_t *source = key
    cdef uint64_t *target = spare
    cdef uint64_t differ = 0, k
    cdef Py_ssize_t i
    cdef int digit, p, shift
    if n <= INSERT_UP_TO:
        insert_sorted(key, n, key)
        return
    if n <= SPREAD_UP_TO and sort_spread(key, n, spare):
        return
    memset(count, 0, sizeof(count))
    for i in range(n):
        k = key[i]
        differ |= k ^ key[0]
        count[0][(k >> 32) & 255] += 1
        count[1][(k >> 40) & 255] += 1
        count[2][(k >> 48) & 255] += 1
        count[3][k >> 56] += 1
    for p in range(4):
        shift = 32 + 8 * p
        if (differ >> shift) & 255 == 0:
            continue
        total = 0
        for digit in range(256):
            c = count[p][digit]
            count[p][digit] = total
            total += c
        for i in range(n):
            k = source[i]
            digit = (k >> shift) & 255
            c = count[p][digit]
            count[p][digit] = c + 1
            target[c] = k
        source, target = target, source
    if source != key:
        memcpy(key, source, n * sizeof(uint64_t))


cdef inline void sort_descending(double *x, Py_ssize_t n, uint64_t *keys) noexcept nogil:
    """Sort values; `keys` holds 2 * n.

    Up to 32 values are sorted by insertion. Whole numbers from 0 to 31, as most graded labels, are counted. For others integers of the
    same order are sorted, without a branch per comparison.
    """
    cdef uint32_t count[2][32]  # two, since equal labels follow each other and an addition waits for the one before
    cdef uint32_t _c
    cdef uint64_t bits
    cdef Py_ssize_t i, j
    cdef int level
    cdef double v
    if n <= 32:
        for i in range(1, n):
            v = x[i]
            j = i
            while j > 0 and x[j - 1] < v:
                x[j] = x[j - 1]
                j -= 1
            x[j] = v
        return
    memset(count, 0, sizeof(count))
    for i in range(n):
        level = <int> x[i] if 0.0 <= x[i] < 32.0 else -1
        if <double> level != x[i] or level < 0:
            break
        count[i & 1][level] += 1
    else:
        j = 0
        for level in range(31, -1, -1):
            for _c in range(count[0][level] + count[1][level]):
                x[j] = level
                j += 1
        return
    for i in range(n):
        keys[i] = descending64(x[i])
    radix_sort(keys, NULL, n, 64, keys + n, NULL)
    for i in range(n):
        bits = keys[i] if keys[i] >> 63 else (~keys[i]) & ~(<uint64_t> 1 << 63)
        memcpy(x + i, &bits, 8)
