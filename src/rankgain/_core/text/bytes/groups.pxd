# Runs read as a stream: the rows of one query are collected, ranked, joined, and dropped.

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from .id_lists cimport (
    Ids, Item, JoinScratch, compare_ids, is_canonical, join_list, join_scratch_fit, join_scratch_free, sort_hits,
    sort_rows,
)
from .lines cimport Row
from .table cimport Store, append_word, copy_id, enter, is_time_to_ask, release, reserve, slots_for

cdef struct Group:
    # Documents of one query, in input order.
    Store ids
    Store starts           # int64; the first is 0
    Store scores           # double
    int64_t size
    int64_t room           # documents that scores and starts hold
    int64_t query          # number of the query in the qrels, -1 if it has no judgments

cdef struct Scratch:
    Store order            # int64
    Store items            # Item, twice the documents
    Store rank_of          # int64, of each row
    Store slots            # uint64
    Store hits             # int64
    JoinScratch join

cdef struct Judgments:
    # The judged documents of one query, if any.
    Ids ids                # starts point at its first document
    int64_t size
    const double* labels
    const uint64_t* codes

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
    group.room = 2 * group.size + 1000
    return reserve(&group.scores, group.room * 8) and reserve(&group.starts, group.room * 8)


cdef inline void scratch_free(Scratch* scratch) noexcept nogil:
    release(&scratch.order)
    release(&scratch.items)
    release(&scratch.rank_of)
    release(&scratch.slots)
    release(&scratch.hits)
    join_scratch_free(&scratch.join)


cdef inline bint scratch_fit(Scratch* scratch, int64_t documents, uint64_t slots, int64_t judged) noexcept nogil:
    return (
        reserve(&scratch.order, documents * 8) and reserve(&scratch.rank_of, documents * 8)
        and reserve(&scratch.slots, slots * 8) and reserve(&scratch.hits, judged * 8)
        and join_scratch_fit(&scratch.join, judged, documents)
    )


cdef inline bint rank_rows(Group* group, Scratch* scratch, Ids ids) noexcept nogil:
    # The rows in canonical order, and the rank of each; False if there is no memory, or if interrupted.
    cdef const double* scores = <const double*> group.scores.data
    cdef int64_t* order = <int64_t*> scratch.order.data
    cdef int64_t* rank_of = <int64_t*> scratch.rank_of.data
    cdef int64_t r
    for r in range(group.size):
        order[r] = r
    if not is_canonical(scores, order, group.size, ids):
        if not reserve(&scratch.items, 2 * group.size * sizeof(Item)):
            return False
        if not sort_rows(scores, order, group.size, ids, <Item*> scratch.items.data):
            return False
    for r in range(group.size):
        rank_of[order[r]] = r
    return True


cdef inline int64_t fill_table(Scratch* scratch, Ids ids, int64_t ranks, uint64_t mask) noexcept nogil:
    # The rows of the first ranks; returns the row of the least id that is there twice, or -1; -2 if interrupted.
    cdef const int64_t* order = <const int64_t*> scratch.order.data
    cdef uint64_t* slots = <uint64_t*> scratch.slots.data
    cdef int64_t r, repeated = -1
    memset(slots, 0, (mask + 1) * 8)
    for r in range(ranks):
        if enter(slots, mask, ids.bytes, ids.starts, order[r]) >= 0 and (repeated < 0 or compare_ids(ids, order[r], repeated) < 0):
            repeated = order[r]
        if is_time_to_ask(r):
            return -2
    return repeated


cdef inline int64_t look_up(
    Group* group, Scratch* scratch, const Judgments* judged, int64_t limit, FoundHits* hits, int64_t* repeated
) noexcept nogil:
    # Appends the judged documents among the first limit ranks to hits; returns how many documents were
    # ranked, -1 if there is no memory, or if interrupted. repeated: the row of the least id that is there twice, or -1.
    cdef int64_t i, count, ranks = limit if limit < group.size else group.size
    cdef uint64_t mask = slots_for(ranks) - 1
    cdef int64_t* packed
    cdef const int64_t* rank_of
    cdef Ids ids
    ids.bytes = group.ids.data
    ids.starts = <const int64_t*> group.starts.data
    if not scratch_fit(scratch, group.size, mask + 1, judged.size) or not rank_rows(group, scratch, ids):
        return -1
    repeated[0] = fill_table(scratch, ids, ranks, mask)
    if repeated[0] == -2:
        return -1
    packed = <int64_t*> scratch.hits.data
    rank_of = <const int64_t*> scratch.rank_of.data
    count = join_list(
        judged.ids, 0, judged.size, judged.codes, ids, 0, <const uint64_t*> scratch.slots.data, mask, &scratch.join, packed
    )
    for i in range(count):
        packed[i] = rank_of[packed[i] >> 32] << 32 | (packed[i] & <int64_t> 0xFFFFFFFF)
    count = sort_hits(packed, count, ranks, &scratch.join)
    if not reserve(&hits.ranks, count * 8) or not reserve(&hits.labels, count * 8):
        return -1
    for i in range(count):
        (<int64_t*> (hits.ranks.data + hits.ranks.size))[i] = packed[i] >> 32
        (<double*> (hits.labels.data + hits.labels.size))[i] = judged.labels[packed[i] & <int64_t> 0xFFFFFFFF]
    hits.ranks.size += count * 8
    hits.labels.size += count * 8
    return ranks
