"""From scores and labels to hits in rank order: by counting, by sorting, or as given, with equal results."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from ..types cimport *
from ...simd.fetch cimport fetch_ahead
from ...simd.wide cimport bits_trailing_zeros
from .labels cimport L_FLOAT32, L_FLOAT64, fault, label_at
from .count cimport COUNT_ENTRIES_UP_TO, SORT_HITS_FROM, count_distinct, count_in_blocks, hits_to_count
from .select cimport TAKE_CANDIDATES_UP_TO, any_nan, first_nan, is_shallow, select
from .straddle cimport gather, keep_first_tied, straddling_block, tighten
from .sort cimport descending32, descending64, sort_descending, sort_packed, sort_pairs
from .ties cimport count_ties_above, draw_of_list, in_blocks, tie_key

cdef enum:
    TAKE_ALL_UP_TO = 32  # up to here every score is a candidate
    COUNT_HITS_UP_TO = 6  # hits up to which counting beats finding candidates
    COUNT_SPARSE_UP_TO = 12  # sparse hits up to which counting beats selecting


# --- which documents are hits, before they have ranks: positions, labels and scores

cdef inline void all_entries(const LabelView *view, Py_ssize_t n, bint zero_is_hit, Entries *entries) noexcept nogil:
    """The hits among the first n documents, with positions and labels."""
    cdef Py_ssize_t i, m = 0
    cdef double v
    for i in range(n):
        v = label_at(view, i)
        entries.pos[m] = <uint32_t> i
        entries.label[m] = v
        m += zero_is_hit or v != 0.0
    entries.n = m


cdef inline Py_ssize_t count_hits(const LabelView *view, Py_ssize_t n) noexcept nogil:
    """The number of labels other than 0, or 0 for integers, which are not counted.

    Integers remain only if `is_shallow` (see `run_list`). There the top of a list of more than TAKE_CANDIDATES_UP_TO documents is selected
    without asking for this number. In shorter lists 0 means that the hits are not gathered first.
    """
    cdef int32_t c = 0
    cdef Py_ssize_t i
    if view.kind == L_FLOAT32:
        for i in range(n):
            c += (<const float *> view.data)[i] != 0
        return c
    if view.kind == L_FLOAT64:
        for i in range(n):
            c += (<const double *> view.data)[i] != 0
        return c
    return 0


cdef inline void candidate_entries(
        const LabelView *view, const real *candidates, const uint32_t *position, Py_ssize_t n, bint zero_is_hit,
        Entries *entries, real *score) noexcept nogil:
    """The hits among n candidates, with labels and scores. Hits come at random, so there is no branch on them.

    candidates: their scores. position: where they are in the list, by which labels are found.
    """
    cdef Py_ssize_t i, m = 0
    cdef double v
    cdef uint32_t *pos = entries.pos
    cdef double *label = entries.label
    cdef const uint32_t *bits = <const uint32_t *> view.data
    cdef uint32_t document
    if view.kind == L_FLOAT32 and not zero_is_hit:
        for i in range(n):
            document = position[i]
            pos[m] = document
            score[m] = candidates[i]
            m += bits[document] << 1 != 0  # neither 0.0 nor -0.0
        for i in range(m):
            label[i] = (<const float *> view.data)[pos[i]]
    else:
        for i in range(n):
            v = label_at(view, position[i])
            pos[m] = position[i]
            label[m] = v
            score[m] = candidates[i]
            m += zero_is_hit or v != 0.0
    entries.n = m


cdef inline void entry_scores(const real *x, const Entries *entries, real *score) noexcept nogil:
    """score[i] = x[position of entry i]."""
    cdef Py_ssize_t i
    for i in range(entries.n):
        score[i] = x[entries.pos[i]]


cdef inline void keep_candidates(const real *candidates, Py_ssize_t m, Entries *entries, real *score) noexcept nogil:
    """Drop the sparse entries whose score is below every candidate's.

    At most m are kept: if another thread raises scores meanwhile, more may reach the lowest candidate than the buffers hold.
    """
    cdef Py_ssize_t i, count = 0
    cdef real low = candidates[0]
    for i in range(m):
        low = candidates[i] if candidates[i] < low else low
    for i in range(entries.n):
        if score[i] >= low and count < m:
            entries.pos[count] = entries.pos[i]
            entries.label[count] = entries.label[i]
            score[count] = score[i]
            count += 1
    entries.n = count


# --- by counting

cdef inline void rank_by_counting(int64_t depth, Workspace *ws) noexcept nogil:
    """Hits from the numbers of scores above and equal to each entry."""
    cdef Hits *hits = &ws.hits
    cdef Py_ssize_t *greater = ws.greater
    cdef Py_ssize_t *equal = ws.equal
    cdef double *label = ws.entries.label
    cdef uint64_t *taken = ws.keys
    cdef uint32_t *slot = ws.slot
    cdef Py_ssize_t i, entry, word
    cdef Py_ssize_t count = 0  # entries above the depth
    cdef Py_ssize_t last = 0  # their last rank
    cdef Py_ssize_t tied = 0
    cdef uint64_t left
    cdef int64_t rank
    for i in range(ws.entries.n):
        if greater[i] < depth and equal[i] > 0:  # 0: another thread has changed the score since
            label[count] = label[i]
            greater[count] = greater[i]
            equal[count] = equal[i]
            last = greater[i] if greater[i] > last else last
            tied |= equal[i] > 1
            count += 1
    # Few hits, hits far apart and tied hits are sorted.
    if count <= 4 or last >= 16 * count or tied:
        for i in range(count):
            ws.keys[i] = <uint64_t> greater[i]
            ws.order[i] = <uint32_t> i
        sort_pairs(ws.keys, ws.order, count, 32, ws.keys + count, ws.order + count)
        for i in range(count):
            entry = ws.order[i]
            add_hit(hits, i, greater[entry], equal[entry], label[entry])
        return
    # The others have distinct ranks, which are marked in a bitmap that is then read in order (a bucket sort).
    memset(taken, 0, ((last + 1) // 64 + 1) * sizeof(uint64_t))
    for i in range(count):
        slot[greater[i]] = <uint32_t> i
        taken[greater[i] >> 6] |= <uint64_t> 1 << (greater[i] & 63)
    count = 0
    for word in range((last + 1) // 64 + 1):
        left = taken[word]
        while left:
            rank = 64 * word + bits_trailing_zeros(left)
            hits.label[count] = label[slot[rank]]
            hits.start[count] = rank
            hits.size[count] = 1
            hits.first[count] = count
            left &= left - 1  # clears the lowest bit
            count += 1
    hits.first[count] = count
    hits.n_blocks = count


# --- by sorting

cdef inline bint sort_scores(const real *x, const uint32_t *position, Py_ssize_t n, Workspace *ws) noexcept nogil:
    """Sort positions by descending score, with keys that are equal if and only if scores are.

    Returns True if key and position are packed into ws.keys, the position in the low half (float32 scores), and False if they are
    in ws.keys and ws.order.
    """
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
    """Hits from a full sort of x[0..n), scores of the documents at `position` (NULL: at 0 .. n-1).

    A tie block remains one block, or is ordered by the tie rule, and each of its hits is then a block of its own.
    """
    cdef Hits *hits = &ws.hits
    cdef uint64_t *keys = ws.keys
    cdef uint64_t *spare = ws.keys + n
    cdef uint32_t *order = ws.order
    cdef double *label = hits.label
    cdef uint64_t same = 0, draw = draw_of_list(task, index)
    cdef Py_ssize_t i, j, stop, last, first, m = 0
    cdef bint is_hit, whole_block
    cdef bint zero_is_hit = task.zero_is_hit
    cdef bint packed = sort_scores(x, position, n, ws)
    cdef int shift = 32 if packed else 0  # of the score's key
    for i in range(1, n):
        same |= ((keys[i] ^ keys[i - 1]) >> shift) == 0
    if view != NULL and not same:
        write_untied_hits(view, ws, n if n < depth else depth, zero_is_hit, packed)
        return
    for i in range(n if packed else 0):
        order[i] = <uint32_t> keys[i]
        keys[i] >>= 32
    i = 0
    while i < n and i < depth:
        stop = i + 1
        while stop < n and keys[stop] == keys[i]:
            stop += 1
        whole_block = stop - i == 1 or in_blocks(task.ties)
        if not whole_block:
            for j in range(i, stop):
                spare[j - i] = tie_key(task, tie_keys, draw, order[j])
            sort_pairs(spare, order + i, stop - i, 64, spare + (stop - i), order + n)
        first = m
        last = stop if whole_block else min(stop, depth)
        for j in range(i, last):
            if view != NULL:
                label[m] = label_at(view, order[j])
                is_hit = zero_is_hit | (label[m] != 0.0)
            else:
                is_hit = ws.slot[order[j]] != 0
                label[m] = ws.entries.label[ws.slot[order[j]] - 1] if is_hit else 0.0
            if not whole_block and is_hit:
                begin_block(hits, j, 1, m)
            m += is_hit
        if whole_block and m > first:
            sort_descending(label + first, m - first, spare)
            begin_block(hits, i, stop - i, first)
        i = stop
    hits.first[hits.n_blocks] = m


# --- as given

cdef inline void rank_given(Workspace *ws, int64_t depth) noexcept nogil:
    """An entry's position is its rank."""
    cdef Hits *hits = &ws.hits
    cdef Entries *entries = &ws.entries
    cdef Py_ssize_t i, n = entries.n, m = 0
    cdef bint rises = True
    for i in range(1, n):
        rises &= entries.pos[i] > entries.pos[i - 1]
    if not rises:
        for i in range(n):
            ws.keys[i] = entries.pos[i]
            ws.order[i] = <uint32_t> i
            ws.scratch[i] = entries.label[i]
        sort_pairs(ws.keys, ws.order, n, 32, ws.keys + n, ws.order + n)
        for i in range(n):
            entries.pos[i] = <uint32_t> ws.keys[i]
            entries.label[i] = ws.scratch[ws.order[i]]
    while m < n and <int64_t> entries.pos[m] < depth:
        hits.label[m] = entries.label[m]
        hits.start[m] = entries.pos[m]
        hits.size[m] = 1
        hits.first[m] = m
        m += 1
    hits.first[m] = m
    hits.n_blocks = m


# --- the choice

# The first row that fits a list says which of its scores are ranked; `ws.rankers` notes what was done.
#
#   plan            ranked scores                          taken if
#   given           none: positions are ranks              x is NULL
#   sparse, few     all of the list, by counting           sparse labels, n >= SORT_HITS_FROM, at most hits_to_count hits
#                                                          (12 if depth <= n / 8, and only if one pass counts them)
#   selected        candidates for `depth` ranks           n > 96, depth <= n / 8
#   gathered        all from a lower bound on              dense float labels, float32 scores, wide vectors, n > 32, depth <= n / 2,
#                                                          more than 6 hits
#   all             all of the list                        always
#
# These scores are counted or sorted. "Counted": a hit's rank is the number of scores above it. This is done if at most 48 hits or at
# most 96 scores are left, and for all scores of a list with n >= SORT_HITS_FROM if there are at most hits_to_count hits. If a tie rule
# would need too many keys for that, the scores are sorted after all (count_ties_above). "Sorted": all ranked scores are put in order.
#
# What the variables of `rank` may be together:
#
#   view == NULL       labels are sparse, and their entries are known from the start. `keep_first_tied` must not drop candidates then:
#                      `keep_candidates` keeps entries by score alone, so the entry of a dropped document that is tied at the bound would
#                      stay, and could be counted at a rank that is not its own
#   keeps_blocks       only for dense labels, as `straddling_block` reads the labels of its documents from `view`, and with ties="average",
#                      "best" or "worst": a tie block is ranked as a whole
#   position == NULL   all scores are ranked; else `to_rank` are candidates, and `position` has their positions in the list
#   straddles          only for selected scores, with keeps_blocks: the block across `depth` was left out (so m < depth), and is added at
#                      the end as one block
#   counted            the numbers above are known; before candidates are selected, only for sparse labels
#   has_nan            ends the function with an error

cdef inline void rank_candidates(
        const real *to_rank, const uint32_t *position, Py_ssize_t m, Py_ssize_t n, const LabelView *view, const Task *task,
        const int64_t *tie_keys, Py_ssize_t index, int64_t depth, bint counted, Workspace *ws) noexcept nogil:
    """Hits from m of the n scores, among which are all documents that can rank above `depth`.

    counted: ws.greater and ws.equal have the numbers of scores above and equal to each entry's.
    """
    cdef Py_ssize_t i
    if counted and not in_blocks(task.ties):
        counted = count_ties_above(to_rank, m, position, <const real *> ws.scratch, task, tie_keys, index, depth, ws)
    ws.rankers |= BY_COUNT if counted else BY_SORT
    if counted:
        rank_by_counting(depth, ws)
    else:
        if view == NULL:
            memset(ws.slot, 0, n * sizeof(uint32_t))
            for i in range(ws.entries.n):
                ws.slot[ws.entries.pos[i]] = <uint32_t> i + 1
        rank_by_sorting(to_rank, position, m, view, task, tie_keys, index, depth, ws)


cdef inline void rank(
        const real *x, Py_ssize_t n, const LabelView *view, const Task *task, const int64_t *tie_keys,
        Py_ssize_t index, int64_t depth, Workspace *ws, Fault *f) noexcept nogil:
    """Rank one list: fill ws.hits with the hits above `depth`. See the table above for the plans and what the variables may be.

    x: the scores, or NULL if the order is given. view: the labels, or NULL for sparse ones, whose entries are in ws.entries.
    """
    cdef real *score = <real *> ws.scratch
    cdef real *candidates = <real *> ws.candidates
    cdef const real *to_rank = x
    cdef const uint32_t *position = NULL
    cdef Py_ssize_t m = n
    cdef bint has_nan = False, counted = False, straddles = False
    cdef bint keeps_blocks = view != NULL and in_blocks(task.ties)
    cdef Py_ssize_t most_counted = hits_to_count(n, task)
    cdef Py_ssize_t most_sparse = COUNT_SPARSE_UP_TO if is_shallow(n, depth) else most_counted
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
    # For few sparse hits of a long list, count before anything else. If only the top is needed, counting must beat a selection.
    if view == NULL and SORT_HITS_FROM <= n and 0 < ws.entries.n <= most_sparse:
        entry_scores(x, &ws.entries, score)
        counted = count_distinct(x, n, <const real *> score, is_shallow(n, depth), ws, &has_nan)
    # Select candidates for the first ranks. Many of them are ties at the bound: leave out those that cannot rank, or their whole block.
    if not counted and not has_nan and n > TAKE_CANDIDATES_UP_TO and is_shallow(n, depth):
        ws.rankers |= BY_SELECT
        m = select(x, n, depth, ws.maxima, candidates, ws.candidate_positions, &bound, keeps_blocks, &straddles, &has_nan, &ws.next)
        fetch_ahead(&ws.next)
        to_rank = candidates
        position = ws.candidate_positions
        if m > 2 * depth + TAKE_CANDIDATES_UP_TO and not has_nan:
            m = tighten(candidates, m, depth, 2 * depth + TAKE_CANDIDATES_UP_TO, keeps_blocks, &bound, &straddles, ws)
        if m > 2 * depth and view != NULL and not has_nan and not in_blocks(task.ties) and task.ties != BY_KEY:
            m = keep_first_tied(x, n, depth, bound, task, index, candidates, m, ws)
    # The entries with their scores: of the candidates, or of the whole list.
    if has_nan or counted:
        pass
    elif view == NULL:
        entry_scores(x, &ws.entries, score)
        if position != NULL:
            keep_candidates(<const real *> candidates, m, &ws.entries, score)
    elif position != NULL:
        candidate_entries(view, <const real *> candidates, position, m, task.zero_is_hit, &ws.entries, score)
    elif n > TAKE_ALL_UP_TO and depth <= n // 2 and count_hits(view, n) > COUNT_HITS_UP_TO and gather(x, n, depth, candidates, ws, &m, &has_nan):
        ws.rankers |= BY_GATHER
        to_rank = candidates
        position = ws.candidate_positions
        candidate_entries(view, <const real *> candidates, position, m, task.zero_is_hit, &ws.entries, score)
    elif n > TAKE_CANDIDATES_UP_TO and count_hits(view, n) > most_counted:
        ws.entries.n = n  # too many to be counted below: none is filled in, as their labels are looked up when the list is sorted
    else:
        all_entries(view, n, task.zero_is_hit, &ws.entries)
        entry_scores(x, &ws.entries, score)
    # Candidates were looked at for NaN already. Few hits of a long list, here of dense labels, are counted in the same pass.
    if position == NULL and not counted and not has_nan:
        if SORT_HITS_FROM <= n and 0 < ws.entries.n <= most_counted:
            counted = count_distinct(x, n, <const real *> score, False, ws, &has_nan)
        else:
            has_nan = any_nan(x, n)
    if has_nan:
        fault(f, NAN_SCORE, max(first_nan(x, n), <Py_ssize_t> 0), 0.0)  # it is gone if another thread has changed it since
        return
    # Count if it costs less than to sort.
    if not counted and (ws.entries.n <= COUNT_ENTRIES_UP_TO or m <= TAKE_CANDIDATES_UP_TO):
        count_in_blocks(to_rank, m, <const real *> score, ws.entries.n, ws.greater, ws.equal, False)
        counted = True
    fetch_ahead(&ws.next)
    rank_candidates(to_rank, position, m, n, view, task, tie_keys, index, depth, counted, ws)
    fetch_ahead(&ws.next)
    if straddles:
        ws.rankers |= BY_STRADDLE
        straddling_block(x, n, bound, view, task.zero_is_hit, m, ws)
