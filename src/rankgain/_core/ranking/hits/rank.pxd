"""From scores and labels to hits in rank order: by counting, by sorting, or as given, with equal results."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.math cimport INFINITY
from libc.string cimport memset

from ..types cimport *
from ...simd.fetch cimport fetch_ahead
from .labels cimport L_FLOAT32, fault, label_at
from .entries cimport all_entries, candidate_entries, count_hits, entry_scores, keep_candidates
from .count cimport COUNT_ENTRIES_UP_TO, SORT_HITS_FROM, count_distinct, count_in_blocks
from .select cimport TAKE_CANDIDATES_UP_TO, any_nan, first_nan, select
from .straddle cimport gather, keep_first_tied, straddling_block, tighten
from .sort cimport descending32, descending64, sort_descending, sort_packed, sort_pairs
from .ties cimport count_ties_above, draw_of_list, in_blocks, tie_key

cdef extern from "../../simd/bits.h" nogil:
    int bits_trailing_zeros(uint64_t word) noexcept

cdef enum:
    TAKE_ALL_UP_TO = 32  # up to here every score is a candidate
    COUNT_HITS_UP_TO = 6  # hits up to which counting beats finding candidates
    COUNT_SPARSE_UP_TO = 12  # sparse hits up to which counting beats selecting


# --- by counting

cdef inline void begin_block(Hits *hits, int64_t start, int64_t size, Py_ssize_t first) noexcept nogil:
    hits.start[hits.n_blocks] = start
    hits.size[hits.n_blocks] = size
    hits.first[hits.n_blocks] = first
    hits.n_blocks += 1


cdef inline void order_hits(Workspace *ws, Py_ssize_t m) noexcept nogil:
    """Write m entries with counted ranks to ws.hits: by rank, inside a block by descending label."""
    cdef Hits *hits = &ws.hits
    cdef Py_ssize_t i, j, e, block = 0
    cdef double label
    for i in range(m):
        ws.keys[i] = <uint64_t> ws.greater[i]
        ws.order[i] = <uint32_t> i
    sort_pairs(ws.keys, ws.order, m, 32, ws.keys + m, ws.order + m)
    for i in range(m):
        e = ws.order[i]
        label = ws.entries.label[e]
        if i == 0 or ws.keys[i] != ws.keys[i - 1]:
            begin_block(hits, ws.greater[e], ws.equal[e], i)
            block = i
        j = i
        while j > block and hits.label[j - 1] < label:
            hits.label[j] = hits.label[j - 1]
            j -= 1
        hits.label[j] = label
    hits.first[hits.n_blocks] = m


cdef inline void place_hits(Workspace *ws, Py_ssize_t m, Py_ssize_t ranks) noexcept nogil:
    """As `order_hits`, if no hit ties: ranks are marked in a bit map, which is then read in order."""
    cdef Hits *hits = &ws.hits
    cdef Py_ssize_t i, word, h = 0
    cdef uint64_t left
    cdef uint64_t *taken = ws.keys
    cdef uint32_t *slot = ws.slot
    cdef const Py_ssize_t *greater = ws.greater
    cdef int64_t rank
    memset(taken, 0, (ranks // 64 + 1) * sizeof(uint64_t))
    for i in range(m):
        slot[greater[i]] = <uint32_t> i
        taken[greater[i] >> 6] |= <uint64_t> 1 << (greater[i] & 63)
    for word in range(ranks // 64 + 1):
        left = taken[word]
        while left:
            rank = 64 * word + bits_trailing_zeros(left)
            hits.label[h] = ws.entries.label[slot[rank]]
            hits.start[h] = rank
            hits.size[h] = 1
            hits.first[h] = h
            left &= left - 1
            h += 1
    hits.first[h] = h
    hits.n_blocks = h


cdef inline void rank_by_counting(int64_t depth, Workspace *ws) noexcept nogil:
    """Hits from the numbers of scores above and equal to each entry."""
    cdef Entries *entries = &ws.entries
    cdef Py_ssize_t *greater = ws.greater
    cdef Py_ssize_t *equal = ws.equal
    cdef double *label = entries.label
    cdef Py_ssize_t i, count = 0, last = 0, tied = 0
    for i in range(entries.n):
        if greater[i] < depth:
            label[count] = label[i]
            greater[count] = greater[i]
            equal[count] = equal[i]
            last = greater[i] if greater[i] > last else last
            tied |= equal[i] > 1
            count += 1
    if count > 4 and last < 16 * count and not tied:
        place_hits(ws, count, last + 1)
    else:
        order_hits(ws, count)


# --- by sorting

cdef inline double hit_label(const LabelView *view, const Workspace *ws, uint32_t pos, bint zero_is_hit, bint *is_hit) noexcept nogil:
    """The label of a document, from a dense list or (view NULL) through the slots of the sparse entries."""
    cdef double label = 0.0
    if view != NULL:
        label = label_at(view, pos)
        is_hit[0] = zero_is_hit or label != 0.0
    else:
        is_hit[0] = ws.slot[pos] != 0
        if is_hit[0]:
            label = ws.entries.label[ws.slot[pos] - 1]
    return label


cdef inline void add_block(
        const LabelView *view, const Task *task, Workspace *ws, Py_ssize_t start, Py_ssize_t size, Py_ssize_t n,
        Py_ssize_t *m) noexcept nogil:
    """Add the hits of a tie block that stays one block, by descending label."""
    cdef Hits *hits = &ws.hits
    cdef Py_ssize_t i, c = m[0]
    cdef bint is_hit
    for i in range(start, start + size):
        hits.label[c] = hit_label(view, ws, ws.order[i], task.zero_is_hit, &is_hit)
        c += is_hit
    if c > m[0]:
        sort_descending(hits.label + m[0], c - m[0], ws.keys + n)
        begin_block(hits, start, size, m[0])
    m[0] = c


cdef inline void resolve_block(
        const LabelView *view, const Task *task, const int64_t *tie_keys, Py_ssize_t index, Workspace *ws,
        Py_ssize_t start, Py_ssize_t size, Py_ssize_t n, int64_t depth, Py_ssize_t *m) noexcept nogil:
    """Order a tie block by the tie rule; each hit is then one block."""
    cdef Hits *hits = &ws.hits
    cdef uint64_t *keys = ws.keys + n
    cdef uint64_t draw = draw_of_list(task, index)
    cdef Py_ssize_t i
    cdef double label
    cdef bint is_hit
    for i in range(size):
        keys[i] = tie_key(task, tie_keys, draw, ws.order[start + i])
    sort_pairs(keys, ws.order + start, size, 64, keys + size, ws.order + n)
    for i in range(size):
        if start + i >= depth:
            break
        label = hit_label(view, ws, ws.order[start + i], task.zero_is_hit, &is_hit)
        if is_hit:
            hits.label[m[0]] = label
            begin_block(hits, start + i, 1, m[0])
            m[0] += 1


cdef inline bint sort_scores(const real *x, const uint32_t *position, Py_ssize_t n, Workspace *ws) noexcept nogil:
    """Positions by descending score with keys that are equal where scores tie: packed into ws.keys, the position in the low
    half (returns True), or apart in ws.keys and ws.order."""
    cdef Py_ssize_t i
    cdef uint64_t *keys = ws.keys
    if real is float:
        if position == NULL:
            for i in range(n):
                keys[i] = (<uint64_t> descending32(x[i]) << 32) | <uint64_t> i
        else:
            for i in range(n):
                keys[i] = (<uint64_t> descending32(x[i]) << 32) | position[i]
        sort_packed(ws.keys, n, ws.keys + n)
        return True
    else:
        for i in range(n):
            ws.order[i] = <uint32_t> i if position == NULL else position[i]
            ws.keys[i] = descending64(x[i])
        sort_pairs(ws.keys, ws.order, n, 64, ws.keys + n, ws.order + n)
        return False


cdef inline bint any_ties(const uint64_t *keys, Py_ssize_t n, int shift) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t same = 0
    for i in range(1, n):
        same |= ((keys[i] ^ keys[i - 1]) >> shift) == 0
    return same != 0


cdef inline void unpack(Workspace *ws, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        ws.order[i] = <uint32_t> ws.keys[i]
        ws.keys[i] >>= 32


cdef inline void write_untied_hits(const LabelView *view, Workspace *ws, Py_ssize_t n, bint zero_is_hit, bint packed) noexcept nogil:
    """Without ties each hit is one block. Hits come at random, so the loop has no branch on them."""
    cdef Hits *hits = &ws.hits
    cdef Py_ssize_t i, m = 0
    cdef double label
    cdef const float *labels32 = <const float *> view.data
    cdef const uint64_t *keys = ws.keys
    cdef double *labels = hits.label
    cdef int64_t *start = hits.start
    cdef int64_t *size = hits.size
    cdef Py_ssize_t *first = hits.first
    if packed and view.kind == L_FLOAT32 and not zero_is_hit:
        for i in range(n):
            labels[m] = labels32[<uint32_t> keys[i]]
            start[m] = i
            m += labels32[<uint32_t> keys[i]] != 0
    else:
        for i in range(n):
            label = label_at(view, <uint32_t> keys[i] if packed else ws.order[i])
            labels[m] = label
            start[m] = i
            m += zero_is_hit or label != 0.0
    for i in range(m):
        size[i] = 1
        first[i] = i
    first[m] = m
    hits.n_blocks = m


cdef inline void rank_by_sorting(
        const real *x, const uint32_t *position, Py_ssize_t n, const LabelView *view, const Task *task,
        const int64_t *tie_keys, Py_ssize_t index, int64_t depth, Workspace *ws) noexcept nogil:
    """A full order of x[0..n), which stand at `position` in the list (NULL: at 0 .. n-1)."""
    cdef Hits *hits = &ws.hits
    cdef Py_ssize_t i, stop, m = 0
    cdef double label
    cdef bint is_hit
    cdef bint packed = sort_scores(x, position, n, ws)
    if view != NULL and not any_ties(ws.keys, n, 32 if packed else 0):
        write_untied_hits(view, ws, n if n < depth else depth, task.zero_is_hit, packed)
        return
    if packed:
        unpack(ws, n)
    i = 0
    while i < n and i < depth:
        stop = i + 1
        while stop < n and ws.keys[stop] == ws.keys[i]:
            stop += 1
        if stop - i == 1:
            label = hit_label(view, ws, ws.order[i], task.zero_is_hit, &is_hit)
            if is_hit:
                hits.label[m] = label
                begin_block(hits, i, 1, m)
                m += 1
        elif in_blocks(task.ties):
            add_block(view, task, ws, i, stop - i, n, &m)
        else:
            resolve_block(view, task, tie_keys, index, ws, i, stop - i, n, depth, &m)
        i = stop
    hits.first[hits.n_blocks] = m


cdef inline void fill_slots(Workspace *ws, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    memset(ws.slot, 0, n * sizeof(uint32_t))
    for i in range(ws.entries.n):
        ws.slot[ws.entries.pos[i]] = <uint32_t> i + 1


# --- as given

cdef inline bint ascending(const Entries *entries) noexcept nogil:
    cdef Py_ssize_t i
    cdef bint rises = True
    for i in range(1, entries.n):
        rises &= entries.pos[i] > entries.pos[i - 1]
    return rises


cdef inline void sort_entries(Workspace *ws) noexcept nogil:
    """By position."""
    cdef Entries *entries = &ws.entries
    cdef Py_ssize_t i, n = entries.n
    for i in range(n):
        ws.keys[i] = entries.pos[i]
        ws.order[i] = <uint32_t> i
        ws.scratch[i] = entries.label[i]
    sort_pairs(ws.keys, ws.order, n, 32, ws.keys + n, ws.order + n)
    for i in range(n):
        entries.pos[i] = <uint32_t> ws.keys[i]
        entries.label[i] = ws.scratch[ws.order[i]]


cdef inline void rank_given(Workspace *ws, int64_t depth) noexcept nogil:
    """An entry's position is its rank."""
    cdef Hits *hits = &ws.hits
    cdef const Entries *entries = &ws.entries
    cdef Py_ssize_t m = 0
    if not ascending(entries):
        sort_entries(ws)
    while m < entries.n and <int64_t> entries.pos[m] < depth:
        hits.label[m] = entries.label[m]
        hits.start[m] = entries.pos[m]
        hits.size[m] = 1
        hits.first[m] = m
        m += 1
    hits.first[m] = m
    hits.n_blocks = m


# --- the choice

cdef inline void fault_nan(const real *x, Py_ssize_t n, Fault *f) noexcept nogil:
    cdef Py_ssize_t i = first_nan(x, n)  # -1 if another thread has changed it since
    fault(f, NAN_SCORE, i if i >= 0 else 0, 0.0)


cdef inline void rank_candidates(
        const real *to_rank, const uint32_t *position, Py_ssize_t m, Py_ssize_t n, const LabelView *view, const Task *task,
        const int64_t *tie_keys, Py_ssize_t index, int64_t depth, bint counted, Workspace *ws) noexcept nogil:
    """Hits from m of the n scores, among which are all documents that can rank above `depth`."""
    if counted and not in_blocks(task.ties):
        counted = count_ties_above(to_rank, m, position, <const real *> ws.scratch, task, tie_keys, index, depth, ws)
    ws.rankers |= BY_COUNT if counted else BY_SORT
    if counted:
        rank_by_counting(depth, ws)
    else:
        if view == NULL:
            fill_slots(ws, n)
        rank_by_sorting(to_rank, position, m, view, task, tie_keys, index, depth, ws)


cdef inline void rank(
        const real *x, Py_ssize_t n, const LabelView *view, const Task *task, const int64_t *tie_keys,
        Py_ssize_t index, int64_t depth, Workspace *ws, Fault *f) noexcept nogil:
    """Fill ws.hits. `view` is NULL for sparse labels, whose entries stand in ws.entries; x is NULL where the order is given."""
    cdef real *score = <real *> ws.scratch
    cdef real *candidates = <real *> ws.candidates
    cdef const real *to_rank = x
    cdef const uint32_t *position = NULL
    cdef Py_ssize_t m = n
    cdef bint nan = False, counted = False, straddles = False
    cdef bint averaged = view != NULL and in_blocks(task.ties)
    cdef real bound = 0
    ws.hits.n_docs = n
    ws.hits.n_blocks = 0
    ws.hits.first[0] = 0
    ws.rankers = BY_GIVEN if x == NULL else 0
    if x == NULL:
        if view != NULL:
            all_entries(view, n if n < depth else depth, task.zero_is_hit, &ws.entries)
        rank_given(ws, depth)
        return
    if view == NULL and SORT_HITS_FROM <= n and 0 < ws.entries.n <= (COUNT_SPARSE_UP_TO if depth <= n // 8 else COUNT_ENTRIES_UP_TO):
        entry_scores(x, &ws.entries, score)
        counted = count_distinct(x, n, <const real *> score, depth <= n // 8, ws, &nan)
    if not counted and not nan and n > TAKE_CANDIDATES_UP_TO and depth <= n // 8:
        ws.rankers |= BY_SELECT
        m = select(x, n, depth, ws.maxima, candidates, ws.candidate, &bound, averaged, &straddles, &nan, &ws.next)
        fetch_ahead(&ws.next)
        to_rank = candidates
        position = ws.candidate
        if m > 2 * depth + TAKE_CANDIDATES_UP_TO and not nan:
            m = tighten(candidates, m, depth, 2 * depth + TAKE_CANDIDATES_UP_TO, averaged, &bound, &straddles, ws)
        if m > 2 * depth and view != NULL and not nan and not in_blocks(task.ties) and task.ties != BY_KEY:
            m = keep_first_tied(x, n, depth, bound, task, index, candidates, m, ws)
    if nan or counted:
        pass
    elif view == NULL:
        entry_scores(x, &ws.entries, score)
        if position != NULL:
            keep_candidates(<const real *> candidates, m, &ws.entries, score)
    elif position != NULL:
        candidate_entries(view, <const real *> candidates, position, m, task.zero_is_hit, &ws.entries, score)
    elif n > TAKE_ALL_UP_TO and depth <= n // 2 and count_hits(view, n) > COUNT_HITS_UP_TO and gather(x, n, depth, candidates, ws, &m, &nan):
        ws.rankers |= BY_GATHER
        to_rank = candidates
        position = ws.candidate
        candidate_entries(view, <const real *> candidates, position, m, task.zero_is_hit, &ws.entries, score)
    elif n > TAKE_CANDIDATES_UP_TO and count_hits(view, n) > COUNT_ENTRIES_UP_TO:
        ws.entries.n = n  # many entries: they are looked up in the sorted list
    else:
        all_entries(view, n, task.zero_is_hit, &ws.entries)
        entry_scores(x, &ws.entries, score)
    if position == NULL and not counted and not nan:
        if SORT_HITS_FROM <= n and 0 < ws.entries.n <= COUNT_ENTRIES_UP_TO:
            counted = count_distinct(x, n, <const real *> score, False, ws, &nan)
        else:
            nan = any_nan(x, n)
    if nan:
        fault_nan(x, n, f)
        return
    if not counted and (ws.entries.n <= COUNT_ENTRIES_UP_TO or m <= TAKE_CANDIDATES_UP_TO):
        count_in_blocks(to_rank, m, <const real *> score, ws.entries.n, ws.greater, ws.equal)
        counted = True
    fetch_ahead(&ws.next)
    rank_candidates(to_rank, position, m, n, view, task, tie_keys, index, depth, counted, ws)
    fetch_ahead(&ws.next)
    if straddles and m < depth:
        ws.rankers |= BY_STRADDLE
        straddling_block(x, n, bound, view, task.zero_is_hit, m, ws)
