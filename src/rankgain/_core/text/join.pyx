"""Qrels and runs joined by id: the canonical order of lists (score descending, id descending), an index of their ids, and the join."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from ..ranking.hits.sort cimport descending64, sort_descending as sort_labels, sort_packed
from .bytes.table cimport enter, find, is_interrupted, slots_for
from .bytes.words cimport equal_bytes, fill_hash_keys, hash_bytes, trailing_zeros
from .rows cimport raise_full

fill_hash_keys()


cdef uint8_t[16] NO_BYTES  # where all ids are empty

cdef enum:
    MANY = 100000          # documents: a pass over so many may take a hundredth of a second

cdef struct Item:
    uint64_t key           # ascending for descending scores
    int64_t row

cdef struct Ids:
    const uint8_t* bytes
    const int64_t* starts


cdef Ids ids_of(const uint8_t[::1] ids, const int64_t[::1] starts):
    cdef Ids names
    names.bytes = &ids[0] if ids.shape[0] else &NO_BYTES[0]
    names.starts = &starts[0]
    return names


cdef int64_t longest_list(const int64_t[::1] lists) noexcept:
    cdef int64_t i, most = 0
    for i in range(lists.shape[0] - 1):
        most = max(most, lists[i + 1] - lists[i])
    return most


cdef void* allocate(size_t size) except NULL:
    cdef void* memory = malloc(size + 1)
    if memory == NULL:
        raise MemoryError
    return memory


# --- the order of a list

cdef inline int compare_ids(Ids ids, int64_t a, int64_t b) noexcept nogil:
    # As bytes; an id comes before one that it is the beginning of.
    cdef int64_t a_size = ids.starts[a + 1] - ids.starts[a]
    cdef int64_t b_size = ids.starts[b + 1] - ids.starts[b]
    cdef int order = memcmp(ids.bytes + ids.starts[a], ids.bytes + ids.starts[b], min(a_size, b_size))
    if order:
        return order
    return (a_size > b_size) - (a_size < b_size)


cdef inline bint precedes(const Item* a, const Item* b, Ids ids) noexcept nogil:
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


cdef inline void merge(const Item* a, const Item* a_stop, const Item* b, const Item* b_stop, Item* out, Ids ids) noexcept nogil:
    while a < a_stop and b < b_stop:
        if precedes(b, a, ids):
            out[0] = b[0]
            b += 1
        else:
            out[0] = a[0]
            a += 1
        out += 1
    memcpy(out, a, (a_stop - a) * sizeof(Item))
    memcpy(out + (a_stop - a), b, (b_stop - b) * sizeof(Item))


cdef inline bint sort_rows(const double* scores, int64_t* rows, int64_t size, Ids ids, Item* items) noexcept nogil:
    # Merge sort, stable, so that equal documents keep the order of the file. items has space for 2 * size. False if interrupted.
    cdef Item* source = items
    cdef Item* target = items + size
    cdef Item item
    cdef int64_t i, j, middle, stop, width = 8
    # Runs of eight by insertion, then runs of twice the width by merging pairs of them.
    for i in range(size):
        item.key = descending64(scores[rows[i]])
        item.row = rows[i]
        j = i
        while j & 7 and precedes(&item, &source[j - 1], ids):
            source[j] = source[j - 1]
            j -= 1
        source[j] = item
    while width < size:
        i = 0
        while i < size:
            middle = min(i + width, size)
            stop = min(i + 2 * width, size)
            merge(source + i, source + middle, source + middle, source + stop, target + i, ids)
            i += 2 * width
        if size > MANY and is_interrupted():
            return False
        source, target = target, source
        width *= 2
    for i in range(size):
        rows[i] = source[i].row
    return True


def order_lists(
    const double[::1] scores, const uint8_t[::1] ids, const int64_t[::1] id_starts, const int64_t[::1] lists, int64_t[::1] order
):
    """Sort the row numbers in `order`, list by list, into canonical order; return whether any moved."""
    cdef Ids names = ids_of(ids, id_starts)
    cdef int64_t i, size, done = 0
    cdef bint moved = False, stopped = False
    cdef Item* items
    if order.shape[0] == 0:
        return False
    items = <Item*> allocate(2 * longest_list(lists) * sizeof(Item))
    with nogil:
        for i in range(lists.shape[0] - 1):
            size = lists[i + 1] - lists[i]
            if size > 1 and not is_canonical(&scores[0], &order[lists[i]], size, names):
                moved = True
                stopped = not sort_rows(&scores[0], &order[lists[i]], size, names, items)
            done += size
            if not stopped and done > MANY:
                stopped = is_interrupted()
                done = 0
            if stopped:
                break
    free(items)
    if stopped:
        raise_full()
    return moved


def gather_ids(const uint8_t[::1] ids, const int64_t[::1] id_starts, const int64_t[::1] order, uint8_t[::1] out, int64_t[::1] out_starts):
    """Copy the ids in the order given."""
    cdef int64_t i, size, at = 0
    out_starts[0] = 0
    for i in range(order.shape[0]):
        size = id_starts[order[i] + 1] - id_starts[order[i]]
        if size:
            memcpy(&out[at], &ids[id_starts[order[i]]], size)
        at += size
        out_starts[i + 1] = at


def table_starts(const int64_t[::1] lists, int64_t[::1] starts):
    """Compute the first slot of each list's table; return the number of slots."""
    cdef int64_t i
    starts[0] = 0
    for i in range(lists.shape[0] - 1):
        starts[i + 1] = starts[i] + <int64_t> slots_for(lists[i + 1] - lists[i])
    return starts[lists.shape[0] - 1]


cdef int64_t index_list(
    uint64_t* table, bint clear, Ids names, int64_t first, int64_t stop, uint8_t* repeated, int64_t* done
) noexcept nogil:
    # Fill a table; return the first row whose document an earlier one has, else -1, and -2 if interrupted.
    cdef int64_t row, before, again = -1
    cdef uint64_t mask = slots_for(stop - first) - 1
    if clear:
        memset(table, 0, (mask + 1) * 8)
    for row in range(first, stop):
        before = enter(table, mask, names.bytes, names.starts + first, row - first)
        if before >= 0 and again < 0:
            again = row
        if repeated != NULL:
            repeated[row] = before >= 0
        if (row - first) & 0xFFFFF == 0xFFFFF and is_interrupted():  # some hundredths of a second
            return -2
    done[0] += stop - first
    if done[0] > MANY:
        done[0] = 0
        if is_interrupted():
            return -2
    return again


def index_lists(
    const uint8_t[::1] ids, const int64_t[::1] id_starts, const int64_t[::1] lists, uint64_t[::1] slots=None,
    const int64_t[::1] starts=None, uint8_t[::1] repeated=None
):
    """Return None, or the first row whose document is in an earlier row of its list; all these are marked in `repeated`.

    slots: the tables (zeros) of all lists, which are filled, and starts: the first slot of each. Of a repeated document
    the first row is in the table.
    """
    cdef Ids names = ids_of(ids, id_starts)
    cdef int64_t i, again = -1, first = -1, done = 0, n = lists.shape[0] - 1
    cdef uint64_t* spare = NULL
    cdef uint64_t* table
    cdef uint8_t* marks = &repeated[0] if repeated is not None and repeated.shape[0] else NULL
    if n < 1 or id_starts.shape[0] < 2:
        return None
    if slots is None:
        spare = <uint64_t*> allocate(slots_for(longest_list(lists)) * 8)
    with nogil:
        for i in range(n):
            table = spare if slots is None else &slots[starts[i]]
            again = index_list(table, slots is None, names, lists[i], lists[i + 1], marks, &done)
            if again == -2:
                break
            if first < 0:
                first = again
    free(spare)
    if again == -2:
        raise_full()
    return None if first < 0 else first


def sort_descending(double[::1] values, const int64_t[::1] lists):
    """Sort each list."""
    cdef uint64_t *keys = <uint64_t *> allocate(16 * longest_list(lists))
    cdef int64_t i
    with nogil:
        for i in range(lists.shape[0] - 1):
            if lists[i + 1] > lists[i]:
                sort_labels(&values[lists[i]], lists[i + 1] - lists[i], keys)
        free(keys)


def hash_ids(const uint8_t[::1] ids, const int64_t[::1] id_starts, uint64_t[::1] codes):
    """The hash of every id."""
    cdef Ids names = ids_of(ids, id_starts)
    cdef int64_t i
    with nogil:
        for i in range(codes.shape[0]):
            codes[i] = hash_bytes(names.bytes + id_starts[i], id_starts[i + 1] - id_starts[i])


# --- the join

cdef struct JoinScratch:
    # Room for the judged documents of the longest list, and for the ranks of the longest list of a run.
    uint64_t* seen         # the first slot of each; then, of the likely ones: position of the first byte << 8 | first byte
    int64_t* likely        # number among the judged << 32 | position in the list, where hashes agree
    int64_t* size          # of the likely, in bytes
    uint64_t* marks        # a bit for each rank
    uint32_t* number_at    # number among the judged of each rank that is marked


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


def join_lists(
    tuple judged, tuple run, const int64_t[::1] queries, const int64_t[::1] list_of, const int64_t[::1] ranks, tuple out
):
    """Write the judged documents of each list as CSR rows; return their number, and a row as `index_lists` does.

    judged: ids, their starts, lists, hashes, labels; run: ids, their starts, lists, tables, where each table starts;
    without tables they are made, one at a time; queries: numbers of judged ones, or -1; list_of: the list of each in the
    run, or -1; ranks: of the documents, None if they are in this order; out: indptr, indices, labels.
    """
    cdef const uint8_t[::1] judged_ids = judged[0], ids = run[0]
    cdef const int64_t[::1] judged_starts = judged[1], judged_lists = judged[2]
    cdef const uint64_t[::1] codes = judged[3], slots = run[3]
    cdef const double[::1] labels = judged[4]
    cdef const int64_t[::1] id_starts = run[1], lists = run[2], tables = run[4]
    cdef int64_t[::1] indptr = out[0], indices = out[1]
    cdef double[::1] data = out[2]
    cdef Ids theirs = ids_of(judged_ids, judged_starts), ours = ids_of(ids, id_starts)
    cdef JoinScratch scratch
    cdef int64_t i, q, r, j, count, at = 0, again = -1, repeated = -1, done = 0
    cdef const uint64_t* table
    cdef int64_t most_judged = longest_list(judged_lists), most = longest_list(lists), words = most // 64 + 1
    cdef int64_t spare_slots = slots_for(most) if slots is None else 0
    cdef uint64_t* spare
    scratch.seen = <uint64_t*> allocate(8 * (3 * most_judged + words + spare_slots) + 4 * most)
    scratch.likely = <int64_t*> scratch.seen + most_judged
    scratch.size = scratch.likely + most_judged
    scratch.marks = <uint64_t*> scratch.size + most_judged
    spare = scratch.marks + words
    scratch.number_at = <uint32_t*> (spare + spare_slots)
    with nogil:
        for i in range(queries.shape[0]):
            q = queries[i]
            r = list_of[i]
            indptr[i] = at
            if r < 0 or id_starts.shape[0] < 2:
                continue
            table = spare if slots is None else &slots[tables[r]]
            if slots is None:
                again = index_list(spare, True, ours, lists[r], lists[r + 1], NULL, &done)
                if again == -2:
                    break
                if repeated < 0:
                    repeated = again
            if q < 0 or judged_starts.shape[0] < 2:
                continue
            count = join_list(theirs, judged_lists[q], judged_lists[q + 1], &codes[0], ours, lists[r], table,
                              slots_for(lists[r + 1] - lists[r]) - 1, &scratch, &indices[at])
            if ranks is not None:
                for j in range(at, at + count):
                    indices[j] = ranks[lists[r] + (indices[j] >> 32)] << 32 | (indices[j] & <int64_t> 0xFFFFFFFF)
            count = sort_hits(&indices[at], count, lists[r + 1] - lists[r], &scratch)
            for j in range(at, at + count):
                data[j] = labels[judged_lists[q] + (indices[j] & <int64_t> 0xFFFFFFFF)]
                indices[j] >>= 32
            at += count
    indptr[queries.shape[0]] = at
    free(scratch.seen)
    if again == -2:
        raise_full()
    return at, None if repeated < 0 else repeated


def share_ranks(
    const double[::1] scores, const int64_t[::1] starts, const int64_t[::1] stops, const int64_t[::1] indptr, int64_t[::1] indices,
    double[::1] labels, int64_t[::1] sizes
):
    """Give hits at ascending ranks the first rank of their tie block and its size, with labels that descend; return whether any ties."""
    cdef uint64_t *keys = <uint64_t *> allocate(16 * longest_list(indptr))
    cdef int64_t i, j, first, low, stop
    cdef bint tied = False
    for i in range(starts.shape[0]):
        j = indptr[i]
        while j < indptr[i + 1]:
            first, low = j, starts[i] + indices[j]
            stop = low + 1
            while low > starts[i] and scores[low - 1] == scores[low]:
                low -= 1
            while stop < stops[i] and scores[stop] == scores[low]:
                stop += 1
            while j < indptr[i + 1] and starts[i] + indices[j] < stop:
                indices[j], sizes[j] = low - starts[i], stop - low
                j += 1
            tied |= stop - low > 1
            if j - first > 1:
                sort_labels(&labels[first], j - first, keys)
    free(keys)
    return bool(tied)
