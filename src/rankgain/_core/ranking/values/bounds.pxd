"""Which documents of a list tie, and bounds of its measures over choices of unjudged documents with the top label."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.math cimport INFINITY, NAN
from libc.string cimport memcpy, memset

from ..types cimport *
from ..hits.labels cimport fault, sparse_entries
from .ideal cimport add_run, count_in_runs
from ..hits.sort cimport descending32, descending64, sort_packed, sort_pairs
from .finish cimport any_positive
from ..watch cimport must_end
from ...simd.wide cimport MARKS, MARK_FACTOR, wide_level, wide_marks
from ..lists cimport write_values
from .one_list cimport depth_of, ideal_of_runs


# --- ties

cdef inline uint32_t *sort_scores(const real *x, Py_ssize_t n, uint64_t *keys) noexcept nogil:
    """Sort keys that order as descending scores do, and the positions of their documents, which are returned.

    Equal scores have equal keys and stay in input order. `keys` holds 3 * n words: the sorted keys, space for the sort, positions.
    """
    cdef Py_ssize_t i
    cdef uint32_t *positions = <uint32_t *> (keys + 2 * n)
    if real is float:
        # A key of 32 bits leaves 32 bits for the position, so one number holds both.
        for i in range(n):
            keys[i] = <uint64_t> descending32(x[i]) << 32 | <uint64_t> i
        sort_packed(keys, n, keys + n)
        for i in range(n):
            positions[i] = <uint32_t> keys[i]
            keys[i] >>= 32
    else:
        for i in range(n):
            keys[i] = descending64(x[i])
            positions[i] = <uint32_t> i
        sort_pairs(keys, positions, n, 64, keys + n, positions + n)
    return positions


cdef inline void tied_documents(const real *x, Py_ssize_t n, uint64_t *keys, int64_t *out) noexcept nogil:
    """The number of tied documents of a list and the number of their tie blocks."""
    cdef Py_ssize_t start = 0, stop
    cdef int64_t documents = 0
    cdef int64_t blocks = 0
    sort_scores(x, n, keys)
    while start < n:
        stop = start + 1
        while stop < n and keys[stop] == keys[start]:
            stop += 1
        if stop - start > 1:
            documents += stop - start
            blocks += 1
        start = stop
    out[0] = documents
    out[1] = blocks


cdef enum:
    MARK_UP_TO = 2048  # documents up to which a table of MARKS is faster than a sort
    QUARTER_TABLE_UP_TO = 256  # documents for which a quarter of the table is enough, which fits the first cache
    MOST_SHARED = 128  # pairs of different scores with one mark, at most

# A mark is a hash of a score, of 15 bits. The table holds for each mark the document that had it last, as base + position. Each list has
# a base of its own, at least MARK_UP_TO above the one before. So entries below it are of earlier lists, and the table need not be cleared.
cdef struct Marked:
    uint32_t *table
    uint32_t base  # of the last list


cdef inline int tie_by_marks(const real *x, Py_ssize_t n, const uint32_t *mark, Marked *marked) noexcept nogil:
    """Whether two scores are equal, by their marks; -1 if too many share a mark.

    A score is compared with the last one before it that has its mark. If these two differ, which is by chance, they are kept in `late`
    and `early`. Two equal scores with another one of their mark between them are each in such a pair, the second in `late` and the
    first in `early`, so these are compared at the end.
    """
    cdef uint32_t *table = marked.table
    cdef uint32_t base, last, slot
    cdef int unused_bits = 2 if n <= QUARTER_TABLE_UP_TO else 0
    cdef real late[MOST_SHARED]
    cdef real early[MOST_SHARED]
    cdef real score, last_score
    cdef Py_ssize_t i, j, n_shared = 0
    cdef int equal = 0
    # Clear the table before bases overflow.
    if marked.base > <uint32_t> -1 - 2 * MARK_UP_TO:
        memset(table, 0, MARKS * sizeof(uint32_t))
        marked.base = 0
    marked.base += MARK_UP_TO
    base = marked.base
    for i in range(n):
        slot = mark[i] >> unused_bits
        last = table[slot]
        table[slot] = base + <uint32_t> i
        if last >= base:
            score = x[i]
            last_score = x[last - base]
            if score == last_score:
                return 1
            if n_shared == MOST_SHARED:
                return -1
            late[n_shared] = score
            early[n_shared] = last_score
            n_shared += 1
    for i in range(1, n_shared):
        for j in range(i):
            equal |= late[i] == early[j]
    return equal


cdef inline void mark_scores(const real *x, Py_ssize_t n, uint32_t *mark) noexcept nogil:
    """Marks of 15 bits: the upper bits of the product of the score's bits and a large odd factor (multiplicative hashing)."""
    cdef float single
    cdef double value
    cdef uint64_t bits
    cdef Py_ssize_t i
    if real is float:
        if wide_level:
            wide_marks(x, n, mark)
            return
        for i in range(n):
            single = x[i] + <float> 0.0  # -0.0 becomes 0.0, with which it ties
            memcpy(&mark[i], &single, 4)
            mark[i] = (mark[i] * MARK_FACTOR) >> 17
    else:
        for i in range(n):
            value = x[i] + 0.0
            memcpy(&bits, &value, 8)
            mark[i] = <uint32_t> ((bits * <uint64_t> 0x9e3779b97f4a7c15u) >> 49)


cdef inline bint has_tie(const real *x, Py_ssize_t n, Marked *marked, uint64_t *keys) noexcept nogil:
    """Whether two scores are equal; `keys` holds 3 * n words and a vector more."""
    cdef int64_t counts[2]
    cdef uint32_t *mark = <uint32_t *> keys
    cdef int tied
    if n <= MARK_UP_TO:
        mark_scores(x, n, mark)
        tied = tie_by_marks(x, n, mark, marked)
        if tied >= 0:
            return tied
    tied_documents(x, n, keys, counts)
    return counts[0] > 0


# --- unjudged documents

# Holes are unjudged documents that might be relevant. Those of list i are at positions[indptr[i] .. indptr[i+1]-1] of it. The documents
# of all lists are numbered in rank order: document d is in the tie block that starts at rank block[d] and has size[d] documents.
cdef struct HoleView:
    const int64_t *indptr
    const int64_t *positions
    const int64_t *block
    const int64_t *size
    const int64_t *below  # the number of further ones of list i, at ranks that no measure uses
    double top_label  # the label that they might have
    bint is_cut_at_length  # the ideal has as many documents as the list
    bint counts_unjudged  # the ideal has the unjudged documents among its zeros


cdef inline void add_tops(const Ideal *judged, int64_t j, double top_label, int64_t space, bint counts_unjudged, Ideal *out) noexcept nogil:
    """The judged labels with j more of the top label, which none exceeds; only the best `space` of them.

    counts_unjudged: these j were among the zeros before, so as many zeros go.
    """
    cdef Py_ssize_t i
    cdef int64_t count, dropped
    cdef int64_t tops = j  # to be added to the first run
    cdef int64_t zeros_to_drop = j if counts_unjudged else 0
    out.n_runs = 0
    if j > 0 and (judged.n_runs == 0 or judged.level[0] != top_label):
        # No judged label is the top label, so the added ones are a run of their own.
        count = min(j, space)
        if count > 0:
            add_run(out, top_label, count)
        space -= count
        tops = 0
    for i in range(judged.n_runs):
        count = judged.count[i] + tops
        tops = 0
        if judged.level[i] == 0.0:
            dropped = min(count, zeros_to_drop)
            count -= dropped
            zeros_to_drop -= dropped
        count = min(count, space)
        if count > 0:
            add_run(out, judged.level[i], count)
        space -= count


cdef inline void add_entries(Entries *entries, const int64_t *extra, Py_ssize_t n_extra, double top_label) noexcept nogil:
    """Merge n_extra documents of the top label into the entries; both are in ascending order of positions.

    The merge goes from the end to the start, so that no entry is overwritten before it is moved.
    """
    cdef Py_ssize_t i = entries.n - 1
    cdef Py_ssize_t j = n_extra - 1
    cdef Py_ssize_t target = entries.n + n_extra - 1
    entries.n += n_extra
    while j >= 0:
        if i >= 0 and <int64_t> entries.pos[i] > extra[j]:
            entries.pos[target] = entries.pos[i]
            entries.label[target] = entries.label[i]
            i -= 1
        else:
            entries.pos[target] = <uint32_t> extra[j]
            entries.label[target] = top_label
            j -= 1
        target -= 1


cdef inline void widen_intervals(const double *row, Py_ssize_t n, double *out) noexcept nogil:
    """Widen the interval of each measure by its value in `row`, and note which values are undefined.

    out: n low ends, n high ends, NaN at first, and n times 1.0 where some value is undefined.
    """
    cdef double *low = out
    cdef double *high = out + n
    cdef double *undefined = out + 2 * n
    cdef Py_ssize_t i
    for i in range(n):
        if row[i] != row[i]:
            undefined[i] = 1.0
            continue
        # Comparisons with NaN are false, so the first value replaces it.
        if not row[i] >= low[i]:
            low[i] = row[i]
        if not row[i] <= high[i]:
            high[i] = row[i]


# The unjudged documents of one list are tried in two ways: the first of them in rank order are relevant, or the last ones.
cdef enum:
    FIRST_ONES = 0
    LAST_ONES = 1

# What all trials of a list have in common.
cdef struct Trial:
    const Labels *labels
    const HoleView *holes
    const Task *task
    Ideal judged
    const int64_t *extra  # positions of the unjudged documents, ascending
    int64_t unjudged  # their number
    bint tied  # some of them tie with others
    Py_ssize_t n  # documents of the list
    Py_ssize_t list_row  # of the list in `labels`
    Py_ssize_t start  # of the list among the documents of all lists


cdef inline void read_judged(const Trial *t, Workspace *ws, Fault *f) noexcept nogil:
    """The judged documents of the list as entries."""
    sparse_entries(t.labels, t.list_row, t.n, t.task.zero_is_hit, &ws.entries, ws.keys, f)


cdef inline void try_labels(
        const Trial *t, int way, int64_t hits, int64_t ideal, Workspace *ws, double *row, Fault *f) noexcept nogil:
    """Values of the measures with the top label for some unjudged documents: `hits` in the list, `ideal` in the ideal and in R."""
    cdef const Task *task = t.task
    cdef const HoleView *holes = t.holes
    cdef const int64_t *relevant = t.extra
    cdef int64_t depth
    cdef int64_t ideal_length = t.n if holes.is_cut_at_length else <int64_t> 1 << 62  # else it has no end
    cdef Py_ssize_t i, document
    if must_end(&ws.watch, t.n, task.slow):
        fault(f, ENDED, 0, 0.0)
        return
    read_judged(t, ws, f)
    if f.code:
        return
    if way == LAST_ONES:
        relevant += t.unjudged - hits
    add_entries(&ws.entries, relevant, hits, holes.top_label)
    add_tops(&t.judged, ideal, holes.top_label, ideal_length, holes.counts_unjudged, &ws.ideal)
    count_in_runs(&ws.ideal, task, ws.relevant)
    # The order is known, so hits get the rank and the size of their tie block.
    ws.hits.n_docs = t.n
    ws.hits.n_blocks = ws.hits.first[0] = 0
    depth = depth_of(task, ws)
    for i in range(ws.entries.n):
        document = t.start + ws.entries.pos[i]
        if holes.block[document] >= depth:
            break
        add_hit(&ws.hits, i, holes.block[document], holes.size[document], ws.entries.label[i])
    write_values(task, &ws.ideal, ws, row, f)


cdef inline void try_number(
        const Trial *t, int way, int64_t j, int64_t below, Workspace *ws, double *row, double *out, Fault *f) noexcept nogil:
    """Widen the intervals by the values with j relevant unjudged documents, with none and with all of those below every cutoff.

    If no other label is positive, one of those below is tried too: the first positive label may make a measure defined.
    """
    cdef bint has_positive = j > 0 or any_positive(&t.judged)
    cdef int64_t relevant_below = 0
    while True:
        try_labels(t, way, j, j + relevant_below, ws, row, f)
        if f.code:
            return
        widen_intervals(row, t.task.n_columns, out)
        if relevant_below == below:
            return
        if has_positive or relevant_below > 0:
            relevant_below = below
        else:
            relevant_below = 1


cdef inline bint is_inside(
        const Trial *t, int way, int64_t a, int64_t b, const int64_t *relevant, const double *row, const double *out) noexcept nogil:
    """Whether no number j of unjudged documents, a < j < b, widens an interval: its high end for the first ones, its low end for the last.

    row: from `try_labels`, which has left its R in `relevant`: for the first ones the values with the hits of b and the ideal and R of a,
    for the last ones those with the hits of a and the ideal and R of b, those below every cutoff included. No j has a value beyond these. For
    a sum that is divided by R, there is a tighter bound, the row less `step` (plus `step` for the last ones):

    Let S_j be the sum with j hits and R_j, which is R_0 + j, the number of relevant documents. For the last ones R_0 has the documents
    below every cutoff too, as the lowest values are those with the largest R. If each hit adds at least s, then
    S_j <= S_b - (b - j) s, and for the first ones the value is at most (S_b - (b - j) s) / R_j. The ratio of two linear functions of j
    is monotone, so it is largest at j = b, which was tried, or at j = a: S_b / R_a - (b - a) s / R_a, the row less `step`. For the last
    ones the value is at least (S_a + (j - a) s) / R_j, which is smallest at j = a, which was tried, or at j = b:
    S_a / R_b + (b - a) s / R_b.

    s is 1 for a count. For a sum of precisions it is (a + 1) / deepest, where `deepest` is the deepest rank of such a hit. For the first
    ones a relevant documents are above the hit, so its own precision is at least that. For the last ones its own precision is at least
    1 / deepest, and each of the a relevant ones below it gains 1 / (its rank), which is at least 1 / deepest.
    """
    cdef const Column *column
    cdef const double *low = out
    cdef const double *high = out + t.task.n_columns
    cdef int64_t deepest = t.extra[t.unjudged - 1 if way == LAST_ONES else b - 1] + 1  # rank of such a hit
    cdef double precision = <double> (a + 1) / <double> deepest
    cdef double step
    cdef bint inside
    cdef Py_ssize_t i
    for i in range(t.task.n_columns):
        column = &t.task.columns[i]
        step = 0.0
        if column.steps and not t.tied:
            step = 1.0 if column.steps == BY_COUNT_OF_HITS else precision
            # Reduced by 1e-9, so that rounding does not make the bound too tight.
            step *= (1.0 - 1e-9) * <double> (b - a) / <double> relevant[column.rel_index]
        if way == LAST_ONES:
            inside = row[i] + step >= low[i]
        else:
            inside = row[i] - step <= high[i]
        if not inside:
            return False
    return True


# --- average precision: the sums for all numbers of relevant unjudged documents in one pass

cdef inline bint has_summed_precisions(const Trial *t, const Entries *judged) noexcept nogil:
    """Whether all measures are average precision, and neither ties nor labels keep `sum_precisions` from computing it."""
    cdef const Column *column
    cdef double rel
    cdef Py_ssize_t i
    if t.tied or t.holes.is_cut_at_length:
        return False
    for i in range(t.task.n_columns):
        column = &t.task.columns[i]
        rel = t.task.rels[column.rel_index]
        if column.steps != BY_PRECISION or rel <= 0.0 or rel > t.holes.top_label:
            return False
    for i in range(judged.n):
        if t.holes.size[t.start + judged.pos[i]] > 1:
            return False
    return True


cdef inline double inverse_rank(const Trial *t, int64_t position, double k) noexcept nogil:
    """1 / rank of a document, and 0 below the cutoff."""
    cdef double rank = <double> (t.holes.block[t.start + position] + 1)
    return 1.0 / rank if rank <= k else 0.0


cdef inline void sum_precisions(
        const Trial *t, const Entries *judged, double rel, double k, double *first, double *last) noexcept nogil:
    """The sums of precisions above the cutoff k: first[j] if the first j unjudged documents are relevant, last[j] if the last j are.

    A further relevant document adds the precision at its own rank, and 1 / rank to the precision of each relevant document below it.
    With c judged relevant documents above the added one, which is at rank r,

        first[j] = first[j - 1] + (c + j) / r + (sum of 1 / rank over judged relevant documents below it)
        last[j] = last[j - 1] + (c + 1) / r + (the same sum, and over the last j - 1 unjudged documents, which are below it too)
    """
    cdef Py_ssize_t i
    cdef int64_t j, position
    cdef int64_t c = 0
    cdef int64_t number  # of the added document among the unjudged ones, from 1
    cdef double weight
    cdef double total = 0.0
    cdef double judged_below = 0.0
    cdef double added_below = 0.0
    for i in range(judged.n):
        if judged.label[i] >= rel:
            c += 1
            total += <double> c * inverse_rank(t, judged.pos[i], k)
    first[0] = last[0] = total
    # From the last unjudged document to the first, so that all sums have positive terms only. `first` gets its terms, to be added up below.
    i = judged.n - 1
    for j in range(1, t.unjudged + 1):
        number = t.unjudged - j + 1
        position = t.extra[number - 1]
        while i >= 0 and <int64_t> judged.pos[i] > position:
            if judged.label[i] >= rel:
                c -= 1
                judged_below += inverse_rank(t, judged.pos[i], k)
            i -= 1
        weight = inverse_rank(t, position, k)
        last[j] = last[j - 1] + <double> (c + 1) * weight + judged_below + added_below
        first[number] = <double> (c + number) * weight + judged_below
        added_below += weight
    for j in range(1, t.unjudged + 1):
        first[j] += first[j - 1]


cdef inline void find_extremes(
        const double *sums, int64_t unjudged, double relevant, int64_t below, double *low, double *high) noexcept nogil:
    """Widen low and high by the average precisions sums[j] / R, with the largest R for low and the smallest for high.

    relevant: the judged relevant documents. R is `relevant` + j, and up to `below` more.
    """
    cdef double value
    cdef int64_t j
    for j in range(unjudged + 1):
        if relevant + j > 0.0:
            value = sums[j] / (relevant + j)
            high[0] = value if value > high[0] else high[0]
        if relevant + j + below > 0.0:
            value = sums[j] / (relevant + j + below)
            low[0] = value if value < low[0] else low[0]


cdef inline bint try_precisions(
        const Trial *t, int64_t below, Workspace *ws, double *row, double *out, Fault *f) noexcept nogil:
    """Try the numbers whose values are the lowest or the highest up to rounding; false if the measures are not average precision.

    As in `try_number`, the `below` documents below every cutoff are in R or not. A precision is at most 1, and so is each mean of them,
    rounded or not: once a value is 1, no higher one is looked for.
    """
    cdef double *first = ws.scratch  # which walks of average precision do not use
    cdef double *last = first + t.unjudged + 1
    cdef const double *sums
    cdef const double *highest = out + t.task.n_columns
    cdef const Column *column
    cdef double rel, relevant, low, high
    # 20 times what rounding may change in sums of n positive terms.
    cdef double slack = 1e-14 * <double> (t.n + 1)
    cdef bint may_be_lowest, may_be_highest
    cdef Py_ssize_t i
    cdef int64_t j
    cdef int way
    read_judged(t, ws, f)
    if f.code or not has_summed_precisions(t, &ws.entries):
        return False
    try_number(t, FIRST_ONES, 0, below, ws, row, out, f)
    for i in range(t.task.n_columns):
        if f.code:
            break
        column = &t.task.columns[i]
        rel = t.task.rels[column.rel_index]
        read_judged(t, ws, f)
        sum_precisions(t, &ws.entries, rel, column.k, first, last)
        count_in_runs(&t.judged, t.task, ws.relevant)
        relevant = <double> ws.relevant[column.rel_index]
        low = INFINITY
        high = 0.0
        find_extremes(first, t.unjudged, relevant, below, &low, &high)
        find_extremes(last, t.unjudged, relevant, below, &low, &high)
        high *= 1.0 - slack
        low *= 1.0 + slack
        for way in range(2):
            sums = last if way == LAST_ONES else first
            for j in range(1, t.unjudged + 1):
                may_be_lowest = sums[j] / (relevant + j + below) <= low
                may_be_highest = sums[j] / (relevant + j) >= high and highest[i] != 1.0
                if may_be_lowest or may_be_highest:
                    try_number(t, way, j, below, ws, row, out, f)
                    if f.code:
                        return True
    return True


cdef inline void bisect_numbers(
        const Trial *t, int way, int64_t below, bint rising, Workspace *ws, double *row, double *out, Fault *f) noexcept nogil:
    """Try numbers of relevant unjudged documents, the first ones or the last ones, until no other number can widen an interval.

    Ranges a .. b of numbers whose ends were tried are halved, depth first. A range halves 63 times at most, and each half leaves one
    waiting, so 64 places are enough.
    """
    cdef int64_t low[64]
    cdef int64_t high[64]
    cdef int64_t a, b, middle
    cdef int64_t hits, ideal
    cdef int waiting = 1
    # With no relevant document, and with all of them, both ways have the same labels.
    low[0] = 1 if way == LAST_ONES else 0
    high[0] = t.unjudged - 1 if way == LAST_ONES else t.unjudged
    if low[0] <= high[0]:
        try_number(t, way, low[0], below, ws, row, out, f)
    if low[0] < high[0] and not f.code:
        try_number(t, way, high[0], below, ws, row, out, f)
    while waiting > 0 and not f.code:
        waiting -= 1
        a = low[waiting]
        b = high[waiting]
        if b - a < 2:
            continue
        if rising:
            hits = a if way == LAST_ONES else b
            ideal = b + below if way == LAST_ONES else a
            try_labels(t, way, hits, ideal, ws, row, f)
            if f.code or is_inside(t, way, a, b, ws.relevant, row, out):
                continue
        middle = a + (b - a) // 2
        try_number(t, way, middle, below, ws, row, out, f)
        low[waiting] = a
        high[waiting] = middle
        low[waiting + 1] = middle
        high[waiting + 1] = b
        waiting += 2


cdef inline void bound_unjudged(
        Py_ssize_t n, const Labels *labels, Py_ssize_t list_row, Py_ssize_t start, Py_ssize_t index, const Task *task,
        const LabelRuns *label_runs, const HoleView *holes, Workspace *ws, double *row, double *out,
        Fault *f) noexcept nogil:
    """Low, high and whether undefined, over all sets of unjudged documents that might be relevant.

    Of all sets of j documents the first j in rank order are the best and the last j the worst: what moves a relevant document
    up moves no measure down. Those below every cutoff only add to the ideal and to R, in which each measure is monotone where
    it is defined: none of them and all are the extremes. Where measures also rise with every hit and fall with the ideal and R,
    the hits of b and the ideal of a are beyond all numbers a < j < b, which need not be tried if that is inside the interval. For
    average precision, the few numbers to try are known from sums.

    list_row: of the list among the lists of the call. index: of the list among all lists.
    """
    cdef Trial t
    cdef int64_t below = holes.below[index]
    cdef int way
    cdef bint rising
    cdef Py_ssize_t i
    t.labels = labels
    t.holes = holes
    t.task = task
    t.n = n
    t.list_row = list_row
    t.start = start
    t.judged = ideal_of_runs(label_runs, list_row)
    t.extra = holes.positions + holes.indptr[index]
    t.unjudged = holes.indptr[index + 1] - holes.indptr[index]
    t.tied = False
    for i in range(t.unjudged):
        t.tied |= holes.size[start + t.extra[i]] > 1
    # With a negative label, more relevant documents need not make the ideal larger.
    rising = task.rises and (t.judged.n_runs == 0 or t.judged.level[t.judged.n_runs - 1] >= 0.0)
    for i in range(task.n_columns):
        out[i] = out[task.n_columns + i] = NAN
        out[2 * task.n_columns + i] = 0.0
    f.list = index
    if try_precisions(&t, below, ws, row, out, f) or f.code:
        return
    for way in range(2):
        bisect_numbers(&t, way, below, rising, ws, row, out, f)
