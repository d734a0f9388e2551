# Runs as they stream by: the rows of one query are gathered, ranked, looked up, and forgotten.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ._read cimport compare_bytes, hash_bytes
from ._read_lists cimport Ids, Item, is_canonical_here, sort_rows
from ._read_rows cimport Row
from ._read_table cimport (
    Store, append_bytes, append_word, copy_id, find, release, reserve, slot_value, slots_for,
)

cdef struct Group:
    # Documents of one query, as they came.
    Store ids
    Store starts           # int64; the first is 0
    Store scores           # double
    int64_t size
    int64_t room           # documents that scores and starts hold
    int64_t query          # number of the query in the qrels, -1 if it has no judgments

cdef struct Scratch:
    Store order            # int64
    Store items            # Item, twice the documents
    Store slots            # uint64

cdef struct Table:
    # The judgments of one query; all NULL where there are none.
    Ids ids                # starts point at its first document
    const uint64_t* slots
    uint64_t mask
    const double* labels

cdef struct FoundHits:
    Store ranks            # int64, from 0
    Store labels           # double


cdef inline bint group_init(Group* group) noexcept nogil:
    memset(group, 0, sizeof(Group))
    group.query = -1
    return append_word(&group.starts, 0)


cdef inline void group_clear(Group* group) noexcept nogil:
    group.ids.size = 0
    group.size = 0


cdef inline void group_free(Group* group) noexcept nogil:
    release(&group.ids)
    release(&group.starts)
    release(&group.scores)


cdef inline bint group_add(Group* group, const Row* row) noexcept nogil:
    if group.size == group.room and not group_grow(group):
        return False
    if group.ids.size + row.document_size > group.ids.room and not reserve(&group.ids, row.document_size):
        return False
    copy_id(group.ids.data + group.ids.size, row.document, row.document_size)
    group.ids.size += row.document_size
    (<double*> group.scores.data)[group.size] = row.value
    group.size += 1
    (<int64_t*> group.starts.data)[group.size] = group.ids.size
    return True


cdef inline bint group_grow(Group* group) noexcept nogil:
    # A size of 0 would let the arrays be moved without their contents.
    group.scores.size = group.size * 8
    group.starts.size = (group.size + 1) * 8
    group.room = 2 * group.size + 1000
    return reserve(&group.scores, group.room * 8) and reserve(&group.starts, group.room * 8)


cdef inline void scratch_free(Scratch* scratch) noexcept nogil:
    release(&scratch.order)
    release(&scratch.items)
    release(&scratch.slots)


cdef inline const int64_t* ranked(Group* group, Scratch* scratch, Ids ids) noexcept nogil:
    # The rows in canonical order; NULL if there is no memory.
    cdef const double* scores = <const double*> group.scores.data
    cdef int64_t* order
    cdef int64_t i
    if not reserve(&scratch.order, group.size * 8):
        return NULL
    order = <int64_t*> scratch.order.data
    for i in range(group.size):
        order[i] = i
    if not is_canonical_here(scores, group.size, ids):
        if not reserve(&scratch.items, 2 * group.size * sizeof(Item)):
            return NULL
        sort_rows(scores, order, group.size, ids, <Item*> scratch.items.data)
    return order


cdef inline int64_t look_up(
    Group* group, Scratch* scratch, const Table* judged, int64_t limit, FoundHits* hits, int64_t* repeated
) noexcept nogil:
    # Appends the judged documents among the first limit ranks to hits; returns how many documents were
    # ranked, -1 if there is no memory. repeated: the row of the least id that stands there twice, or -1.
    cdef const int64_t* order
    cdef const uint8_t* id
    cdef int64_t r, row, size, at
    cdef uint64_t code, mask = slots_for(group.size) - 1
    cdef uint64_t* slots
    cdef Ids ids
    ids.bytes = group.ids.data
    ids.starts = <const int64_t*> group.starts.data
    order = ranked(group, scratch, ids)
    repeated[0] = -1
    if order == NULL or not reserve(&scratch.slots, (mask + 1) * 8):
        return -1
    slots = <uint64_t*> scratch.slots.data
    memset(slots, 0, (mask + 1) * 8)
    if limit > group.size:
        limit = group.size
    for r in range(limit):
        row = order[r]
        id = ids.bytes + ids.starts[row]
        size = ids.starts[row + 1] - ids.starts[row]
        code = hash_bytes(id, size)
        at = find(slots, mask, code, ids.bytes, ids.starts, id, size)
        if at >= 0:
            if repeated[0] < 0 or compare_bytes(
                id, size, ids.bytes + ids.starts[repeated[0]], ids.starts[repeated[0] + 1] - ids.starts[repeated[0]]
            ) < 0:
                repeated[0] = row
            continue
        slots[-1 - at] = slot_value(code, row)
        if judged.slots == NULL:
            continue
        at = find(judged.slots, judged.mask, code, judged.ids.bytes, judged.ids.starts, id, size)
        if at >= 0 and not (
            append_word(&hits.ranks, r) and append_bytes(&hits.labels, &judged.labels[at], 8)
        ):
            return -1
    return limit
