# Memory that grows, and open-addressing tables over ids that lie one after another in it.

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy

from .words cimport hash_bytes, same_bytes

cdef enum:
    PADDING = 8            # bytes after the last id that reading by words may touch


cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"() noexcept


cdef inline bint is_interrupted() noexcept nogil:
    # If true, the exception is set: the loop ends, and its caller raises it (`raise_full`).
    with gil:
        return check_signals() != 0


cdef struct Store:
    uint8_t* data
    size_t size            # bytes in use
    size_t capacity        # bytes allocated, but for the padding


cdef inline bint reserve(Store* store, size_t more) noexcept nogil:
    # Make space for more bytes; False if there is no memory.
    cdef size_t capacity
    cdef uint8_t* data
    if more > (~<size_t> 0 >> 2) - store.size:  # half as much again is allocated
        return False
    if store.data != NULL and store.size + more <= store.capacity:
        return True
    capacity = store.size + more
    capacity += capacity // 2 + 64
    data = <uint8_t*> realloc(store.data, capacity + PADDING)
    if data == NULL:
        return False
    store.data = data
    store.capacity = capacity
    return True


cdef inline bint append_bytes(Store* store, const void* data, size_t size) noexcept nogil:
    if not reserve(store, size):
        return False
    memcpy(store.data + store.size, data, size)
    store.size += size
    return True


cdef inline bint append_word(Store* store, int64_t value) noexcept nogil:
    return append_bytes(store, &value, 8)


cdef inline void release(Store* store) noexcept nogil:
    free(store.data)
    store.data = NULL
    store.size = 0
    store.capacity = 0


# A slot holds the upper half of a hash and, below it, 1 + the number of an entry; 0 is empty.

cdef inline uint64_t slots_for(uint64_t entries) noexcept nogil:
    # A power of two, at most two thirds full.
    cdef uint64_t slots = 4
    while slots * 2 < entries * 3:
        slots *= 2
    return slots


cdef inline int64_t find(
    const uint64_t* slots, uint64_t mask, uint64_t code, const uint8_t* ids, const int64_t* starts,
    const uint8_t* id, size_t size
) noexcept nogil:
    # Number of the entry with these bytes; if there is none, -1 - its slot.
    cdef uint64_t place = code & mask
    cdef uint64_t slot
    cdef int64_t entry
    while True:
        slot = slots[place]
        if slot == 0:
            return -1 - <int64_t> place
        if (slot ^ code) >> 32 == 0:
            entry = <int64_t> (slot & <uint64_t> 0xFFFFFFFF) - 1
            if same_bytes(ids + starts[entry], starts[entry + 1] - starts[entry], id, size):
                return entry
        place = (place + 1) & mask


cdef inline uint64_t slot_value(uint64_t code, int64_t entry) noexcept nogil:
    return (code >> 32 << 32) | <uint64_t> (entry + 1)


cdef inline int64_t enter(uint64_t* slots, uint64_t mask, const uint8_t* ids, const int64_t* starts, int64_t entry) noexcept nogil:
    # Put an entry into the table, which has space for it; returns the earlier entry with the same bytes, or -1.
    cdef const uint8_t* id = ids + starts[entry]
    cdef size_t size = starts[entry + 1] - starts[entry]
    cdef uint64_t code = hash_bytes(id, size)
    cdef int64_t at = find(slots, mask, code, ids, starts, id, size)
    if at < 0:
        slots[-1 - at] = slot_value(code, entry)
        return -1
    return at


cdef struct Names:
    # Distinct names in the order of their first use.
    Store bytes
    Store starts           # int64, one more than there are names
    int64_t count
    uint64_t* slots
    uint64_t mask


cdef inline int64_t add_name(Names* names, const uint8_t* name, size_t size) noexcept nogil:
    # Number of this name, added if it is new; -1 if there is no memory.
    cdef uint64_t* slots
    cdef uint64_t code = hash_bytes(name, size)
    cdef int64_t i, at = find(names.slots, names.mask, code, names.bytes.data, <int64_t*> names.starts.data, name, size)
    if at >= 0:
        return at
    names.slots[-1 - at] = slot_value(code, names.count)
    if not append_bytes(&names.bytes, name, size) or not append_word(&names.starts, names.bytes.size):
        return -1
    names.count += 1
    if <uint64_t> names.count * 3 > (names.mask + 1) * 2:
        slots = <uint64_t*> calloc(2 * (names.mask + 1), 8)
        if slots == NULL:
            return -1
        names.mask = names.mask * 2 + 1
        for i in range(names.count):
            enter(slots, names.mask, names.bytes.data, <const int64_t*> names.starts.data, i)
        free(names.slots)
        names.slots = slots
    return names.count - 1
