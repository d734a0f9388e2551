"""Qrels and runs joined by id."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..ranking.hits.sort cimport sort_descending as sort_labels
from .bytes.id_lists cimport (
    MANY, Ids, Item, JoinScratch, is_canonical, join_list, join_scratch_fit, join_scratch_free, longest_list, sort_hits, sort_rows,
)
from .bytes.table cimport enter, is_interrupted, is_time_to_ask, slots_for
from .bytes.words cimport hash_bytes, hash_keys
from .rows cimport raise_full, share_keys

share_keys(hash_keys)


cdef uint8_t[16] NO_BYTES  # where all ids are empty


cdef Ids ids_of(const uint8_t[::1] ids, const int64_t[::1] starts):
    cdef Ids names
    names.bytes = &ids[0] if ids.shape[0] else &NO_BYTES[0]
    names.starts = &starts[0]
    return names


def order_lists(
    const double[::1] scores, const uint8_t[::1] ids, const int64_t[::1] id_starts, const int64_t[::1] lists, int64_t[::1] order
):
    """Sort the row numbers in `order`, list by list, into canonical order; return whether any moved."""
    cdef Ids names = ids_of(ids, id_starts)
    cdef int64_t i, size, longest, done = 0
    cdef bint moved = False, stopped = False
    cdef Item* items
    if order.shape[0] == 0:
        return False
    longest = longest_list(&lists[0], lists.shape[0] - 1)
    items = <Item*> malloc(2 * longest * sizeof(Item) + 1)
    if items == NULL:
        raise MemoryError
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
        if is_time_to_ask(row - first):
            return -2
    done[0] += stop - first
    if done[0] > MANY:
        done[0] = 0
        if is_interrupted():
            return -2
    return again


cdef uint64_t* spare_table(const int64_t[::1] lists) except NULL:
    # Memory for the table of the longest list.
    cdef uint64_t* table = <uint64_t*> malloc(slots_for(longest_list(&lists[0], lists.shape[0] - 1)) * 8)
    if table == NULL:
        raise MemoryError
    return table


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
    cdef uint8_t* marks = &repeated[0] if repeated is not None and repeated.shape[0] else NULL
    if n < 1 or id_starts.shape[0] < 2:
        return None
    if slots is None:
        spare = spare_table(lists)
    with nogil:
        for i in range(n):
            again = index_list(
                spare if slots is None else &slots[starts[i]], slots is None, names, lists[i], lists[i + 1], marks, &done
            )
            if again == -2:
                break
            if first < 0:
                first = again
    free(spare)
    if again == -2:
        raise_full()
    return None if first < 0 else first


cdef uint64_t* room_for_labels(const int64_t[::1] lists) except NULL:
    cdef uint64_t *keys = <uint64_t *> malloc(16 * longest_list(&lists[0], lists.shape[0] - 1) + 1)
    if keys == NULL:
        raise MemoryError
    return keys


def sort_descending(double[::1] values, const int64_t[::1] lists):
    """Sort each list."""
    cdef uint64_t *keys = room_for_labels(lists)
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


def join_lists(
    tuple judged, tuple run, const int64_t[::1] queries, const int64_t[::1] list_of, const int64_t[::1] ranks, tuple out
):
    """Write the judged documents of each list as CSR rows; return their number, and a row as `index_lists` does.

    judged: ids, their starts, lists, hashes, labels; run: ids, their starts, lists, tables, where each table starts;
    without tables they are made, one at a time; queries: numbers of judged ones, or -1; list_of: the list of each in the
    run, or -1; ranks: of the documents, None if they stand in this order; out: indptr, indices, labels.
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
    cdef uint64_t* spare = NULL
    if slots is None:
        spare = spare_table(lists)
    memset(&scratch, 0, sizeof(JoinScratch))
    if not join_scratch_fit(
        &scratch, longest_list(&judged_lists[0], judged_lists.shape[0] - 1), longest_list(&lists[0], lists.shape[0] - 1)
    ):
        join_scratch_free(&scratch)
        free(spare)
        raise MemoryError
    with nogil:
        for i in range(queries.shape[0]):
            q, r, indptr[i] = queries[i], list_of[i], at
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
    free(spare)
    join_scratch_free(&scratch)
    if again == -2:
        raise_full()
    return at, None if repeated < 0 else repeated


def share_ranks(
    const double[::1] scores, const int64_t[::1] starts, const int64_t[::1] stops, const int64_t[::1] indptr, int64_t[::1] indices,
    double[::1] labels, int64_t[::1] sizes
):
    """Give hits at ascending ranks the first rank of their tie block and its size, with labels that descend; return whether any ties."""
    cdef uint64_t *keys = room_for_labels(indptr)
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
