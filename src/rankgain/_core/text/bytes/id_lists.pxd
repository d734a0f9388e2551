# Lists of documents: their canonical order (score descending, id descending), an index of their ids,
# and the join of judged documents with it.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ...ranking.hits.sort cimport descending64, sort_packed
from .words cimport compare_bytes, equal_bytes, trailing_zeros
from .table cimport Store, find, is_interrupted, release, reserve

cdef enum:
    MANY = 100000          # documents: a pass over so many may take a hundredth of a second

cdef struct Item:
    uint64_t key           # ascending for descending scores
    int64_t row

cdef struct Ids:
    const uint8_t* bytes
    const int64_t* starts


cdef inline int compare_ids(Ids ids, int64_t a, int64_t b) noexcept nogil:
    return compare_bytes(ids.bytes + ids.starts[a], ids.starts[a + 1] - ids.starts[a],
                         ids.bytes + ids.starts[b], ids.starts[b + 1] - ids.starts[b])


cdef inline bint stands_before(const Item* a, const Item* b, Ids ids) noexcept nogil:
    if a.key != b.key:
        return a.key < b.key
    return compare_ids(ids, a.row, b.row) > 0


cdef inline bint is_canonical(const double* scores, const int64_t* rows, int64_t size, Ids ids) noexcept nogil:
    cdef int64_t i
    cdef double above, below
    for i in range(1, size):
        above = scores[rows[i - 1]]
        below = scores[rows[i]]
        if above < below or (above == below and compare_ids(ids, rows[i - 1], rows[i]) < 0):
            return False
    return True


cdef inline void insert_sort(Item* items, int64_t size, Ids ids) noexcept nogil:
    cdef int64_t i, j
    cdef Item item
    for i in range(1, size):
        item = items[i]
        j = i
        while j > 0 and stands_before(&item, &items[j - 1], ids):
            items[j] = items[j - 1]
            j -= 1
        items[j] = item


cdef inline void merge(const Item* a, const Item* a_stop, const Item* b, const Item* b_stop, Item* out, Ids ids) noexcept nogil:
    while a < a_stop and b < b_stop:
        if stands_before(b, a, ids):
            out[0] = b[0]
            b += 1
        else:
            out[0] = a[0]
            a += 1
        out += 1
    memcpy(out, a, (a_stop - a) * sizeof(Item))
    memcpy(out + (a_stop - a), b, (b_stop - b) * sizeof(Item))


cdef inline bint sort_rows(const double* scores, int64_t* rows, int64_t size, Ids ids, Item* items) noexcept nogil:
    # items has room for 2 * size; stable, so that equal documents keep the order of the file. False if interrupted.
    cdef Item* source = items
    cdef Item* target = items + size
    cdef Item* other
    cdef int64_t i, middle, stop, width = 8
    for i in range(size):
        source[i].key = descending64(scores[rows[i]])
        source[i].row = rows[i]
    i = 0
    while i < size:
        insert_sort(source + i, width if i + width < size else size - i, ids)
        i += width
    while width < size:
        i = 0
        while i < size:
            middle = i + width if i + width < size else size
            stop = i + 2 * width if i + 2 * width < size else size
            merge(source + i, source + middle, source + middle, source + stop, target + i, ids)
            i += 2 * width
        if size > MANY and is_interrupted():
            return False
        other = source
        source = target
        target = other
        width *= 2
    for i in range(size):
        rows[i] = source[i].row
    return True


cdef struct JoinScratch:
    # Room for the judged documents of the longest list, and for the ranks of the longest list of a run.
    uint64_t* seen         # the first slot of each; then, of the likely ones: position of the first byte << 8 | first byte
    int64_t* likely        # number among the judged << 32 | position in the list, where hashes agree
    int64_t* size          # of the likely, in bytes
    uint64_t* marks        # a bit for each rank
    uint32_t* number_at    # number among the judged of each rank that is marked
    Store of_judged        # the memory that the first three point into
    Store of_ranks         # and the others


cdef inline bint join_scratch_fit(JoinScratch* scratch, int64_t judged, int64_t documents) noexcept nogil:
    cdef int64_t words = documents // 64 + 1
    if not reserve(&scratch.of_judged, 3 * judged * 8) or not reserve(&scratch.of_ranks, words * 8 + documents * 4):
        return False
    scratch.seen = <uint64_t*> scratch.of_judged.data
    scratch.likely = <int64_t*> scratch.seen + judged
    scratch.size = scratch.likely + judged
    scratch.marks = <uint64_t*> scratch.of_ranks.data
    scratch.number_at = <uint32_t*> (scratch.marks + words)
    return True


cdef inline void join_scratch_free(JoinScratch* scratch) noexcept nogil:
    release(&scratch.of_judged)
    release(&scratch.of_ranks)


cdef inline int64_t longest_list(const int64_t* lists, int64_t count) noexcept nogil:
    cdef int64_t i, most = 0
    for i in range(count):
        most = max(most, lists[i + 1] - lists[i])
    return most


cdef inline int64_t join_list(
    Ids judged, int64_t first, int64_t stop, const uint64_t* codes, Ids run, int64_t run_first,
    const uint64_t* slots, uint64_t mask, JoinScratch* scratch, int64_t* hits
) noexcept nogil:
    # For each judged document of the list: its position in the list << 32 | its number among the judged ones.
    # One kind of access at a time, so that the processor waits for many of them at once.
    cdef int64_t i, j, at, size, likely = 0, count = 0
    cdef uint64_t code, place, slot
    cdef const uint8_t* id
    cdef const int64_t* starts
    for i in range(stop - first):
        scratch.seen[i] = slots[codes[first + i] & mask]
    for i in range(stop - first):
        code = codes[first + i]
        place = code & mask
        slot = scratch.seen[i]
        while slot != 0 and (slot ^ code) >> 32 != 0:
            place = (place + 1) & mask
            slot = slots[place]
        scratch.likely[likely] = i << 32 | (<int64_t> (slot & <uint64_t> 0xFFFFFFFF) - 1)
        likely += slot != 0
    for j in range(likely):
        starts = run.starts + run_first + (scratch.likely[j] & <int64_t> 0xFFFFFFFF)
        scratch.seen[j] = starts[0] << 8
        scratch.size[j] = starts[1] - starts[0]
    for j in range(likely):
        scratch.seen[j] |= run.bytes[scratch.seen[j] >> 8 if scratch.size[j] else 0]
    for j in range(likely):
        i = first + (scratch.likely[j] >> 32)
        at = scratch.likely[j] & <int64_t> 0xFFFFFFFF
        id = judged.bytes + judged.starts[i]
        size = judged.starts[i + 1] - judged.starts[i]
        if scratch.size[j] != size or size and (
            <uint8_t> scratch.seen[j] != id[0] or not equal_bytes(run.bytes + (scratch.seen[j] >> 8), id, size)
        ):
            at = find(slots, mask, codes[i], run.bytes, run.starts + run_first, id, size)
            if at < 0:
                continue
        hits[count] = at << 32 | (i - first)
        count += 1
    return count


cdef inline int64_t sort_hits(int64_t* hits, int64_t count, int64_t documents, JoinScratch* scratch) noexcept nogil:
    # By position: many are marked in a bit map and read in order, few are sorted. Returns how many: two judgments of one document may
    # become one.
    cdef int64_t i, w, at = 0, words = (documents + 63) >> 6
    cdef uint64_t mark
    if words > 4 * count:
        sort_packed(<uint64_t*> hits, count, scratch.seen)
        return count
    memset(scratch.marks, 0, <size_t> words << 3)
    for i in range(count):
        scratch.marks[hits[i] >> 38] |= <uint64_t> 1 << (hits[i] >> 32 & 63)
        scratch.number_at[hits[i] >> 32] = <uint32_t> (hits[i] & <int64_t> 0xFFFFFFFF)
    for w in range(words):
        mark = scratch.marks[w]
        while mark != 0:
            i = w << 6 | trailing_zeros(mark)
            hits[at] = i << 32 | scratch.number_at[i]
            at += 1
            mark &= mark - 1
    return at
