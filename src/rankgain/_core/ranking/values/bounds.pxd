"""Which documents of a list tie, and bounds of its measures over the possible labels of its unjudged documents."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.math cimport INFINITY, NAN
from libc.string cimport memcpy, memset

from ..types cimport *
from ..hits.labels cimport fault, sparse_entries
from .ideal cimport count_in_runs
from ..hits.sort cimport descending32, descending64, sort_packed, sort_pairs
from .finish cimport any_positive
from ..watch cimport must_end
from ...simd.wide cimport MARKS, MARK_FACTOR, wide_level, wide_marks
from ..lists cimport write_values
from .one_list cimport depth_of, ideal_of_runs


# --- ties

cdef inline uint32_t *sort_scores(const real *x, Py_ssize_t n, uint64_t *keys) noexcept nogil:
    """Keys by descending score, and positions, equal scores in input order; keys has room for 3 * n."""
    cdef Py_ssize_t i
    cdef uint32_t *positions = <uint32_t *> (keys + 2 * n)
    if real is float:
        # A key of 32 bits leaves room for the position below it.
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
    cdef Py_ssize_t i, stop
    sort_scores(x, n, keys)
    out[0] = out[1] = 0
    i = 0
    while i < n:
        stop = i + 1
        while stop < n and keys[stop] == keys[i]:
            stop += 1
        if stop - i > 1:
            out[0] += stop - i
            out[1] += 1
        i = stop


cdef enum:
    MARK_UP_TO = 2048  # documents up to which a table of MARKS is faster than a sort
    QUARTER_TABLE_UP_TO = 256  # documents for which a quarter of the table is enough, which fits the first cache
    MOST_SHARED = 128  # marks that different scores may share, at most

# By mark: which document had it last, above the number of its list. Lists come one after the other, and none clears the table.
cdef struct Marked:
    uint32_t *table
    uint32_t list


cdef inline int tie_by_marks(const real *x, Py_ssize_t n, const uint32_t *mark, Marked *marked) noexcept nogil:
    """Whether two scores are equal, by their marks; -1 if too many share one.

    A score is compared with the last one before it that has its mark. If these two differ, which is by chance, they are kept in `late`
    and `early`. Two equal scores with another one of their mark between them are each in such a pair, the second in `late` and the
    first in `early`, so these are compared at the end.
    """
    cdef uint32_t *table = marked.table
    cdef uint32_t base, last, slot
    cdef int unused = 2 if n <= QUARTER_TABLE_UP_TO else 0  # bits of a mark
    cdef real late[MOST_SHARED]
    cdef real early[MOST_SHARED]
    cdef Py_ssize_t i, j, m = 0
    cdef int equal = 0
    if marked.list > <uint32_t> -1 - 2 * MARK_UP_TO:
        memset(table, 0, MARKS * sizeof(uint32_t))
        marked.list = 0
    marked.list += MARK_UP_TO
    base = marked.list
    for i in range(n):
        slot = mark[i] >> unused
        last = table[slot]
        table[slot] = base + <uint32_t> i
        if last >= base:
            if x[i] == x[last - base]:
                return 1
            if m == MOST_SHARED:
                return -1
            late[m] = x[i]
            early[m] = x[last - base]
            m += 1
    for i in range(1, m):
        for j in range(i):
            equal |= late[i] == early[j]
    return equal


cdef inline bint has_tie(const real *x, Py_ssize_t n, Marked *marked, uint64_t *keys) noexcept nogil:
    """Whether two scores are equal; keys has room for 3 * n words and a vector more."""
    cdef int64_t counts[2]
    cdef uint32_t *mark = <uint32_t *> keys
    cdef int tied = -1
    cdef float single
    cdef double value
    cdef uint64_t code
    cdef Py_ssize_t i
    if n <= MARK_UP_TO:
        if real is float:
            if wide_level:
                wide_marks(x, n, mark)
            for i in range(0 if wide_level else n):
                single = x[i] + <float> 0.0  # -0.0 ties with 0.0
                memcpy(&mark[i], &single, 4)
                mark[i] = (mark[i] * MARK_FACTOR) >> 17
        else:
            for i in range(n):
                value = x[i] + 0.0
                memcpy(&code, &value, 8)
                mark[i] = <uint32_t> ((code * <uint64_t> 0x9e3779b97f4a7c15u) >> 49)
        tied = tie_by_marks(x, n, mark, marked)
    if tied >= 0:
        return tied
    tied_documents(x, n, keys, counts)
    return counts[0] > 0


# --- unjudged documents

# Holes: unjudged documents that might be relevant, of list i at positions[indptr[i] .. indptr[i+1]-1]. The documents of all lists are
# numbered through in rank order; number d is in the tie block that starts at rank block[d] and has size[d] documents.
cdef struct HoleView:
    const int64_t *indptr
    const int64_t *positions
    const int64_t *block
    const int64_t *size
    const int64_t *below  # the number of further ones of list i, at ranks that no measure uses
    double top_label  # the label that they might have
    bint is_cut_at_length  # the ideal has as many documents as the list
    bint counts_unjudged  # the ideal has the unjudged documents among its zeros


cdef inline void add_tops(const Ideal *judged, int64_t j, double top_label, int64_t room, bint counts_unjudged, Ideal *out) noexcept nogil:
    """The judged labels with j more of the top label, which none exceeds; only the best `room` of them.

    counts_unjudged: these j were among the zeros before.
    """
    cdef Py_ssize_t i, n = 0
    cdef int64_t count, less = j if counts_unjudged else 0
    if j > 0 and (judged.n_runs == 0 or judged.level[0] != top_label):
        out.level[0] = top_label
        out.count[0] = j if j < room else room
        room -= out.count[0]
        n = 1
        j = 0
    for i in range(judged.n_runs):
        count = judged.count[i] + (j if i == 0 else 0)
        if judged.level[i] == 0.0:
            count -= less
            less = 0
        out.level[n] = judged.level[i]
        out.count[n] = count if count < room else room
        room -= out.count[n]
        n += 1
    out.n_runs = n


cdef inline void add_entries(Entries *entries, const int64_t *extra, Py_ssize_t j, double top_label) noexcept nogil:
    """Merge j documents of the top label into the entries; both are in ascending order of positions."""
    cdef Py_ssize_t i = entries.n - 1, at = entries.n + j - 1, q = j - 1
    entries.n += j
    while q >= 0:
        if i >= 0 and <int64_t> entries.pos[i] > extra[q]:
            entries.pos[at] = entries.pos[i]
            entries.label[at] = entries.label[i]
            i -= 1
        else:
            entries.pos[at] = <uint32_t> extra[q]
            entries.label[at] = top_label
            q -= 1
        at -= 1


cdef inline void fold(const double *row, Py_ssize_t n, double *out) noexcept nogil:
    """Widen the intervals low, high by a row of values, and note which is undefined."""
    cdef Py_ssize_t i
    for i in range(n):
        if row[i] != row[i]:
            out[2 * n + i] = 1.0
            continue
        if not row[i] >= out[i]:
            out[i] = row[i]
        if not row[i] <= out[n + i]:
            out[n + i] = row[i]


# The sets of unjudged documents of one list that are tried: the first of them in rank order (way 0), or the last (way 1).
cdef struct Trial:
    const Labels *labels
    const HoleView *holes
    const Task *task
    Ideal judged
    const int64_t *extra  # the unjudged documents, `unjudged` of them
    int64_t unjudged
    bint tied  # some of them tie with others
    Py_ssize_t n
    Py_ssize_t at
    Py_ssize_t start


cdef inline void try_labels(
        const Trial *t, int way, int64_t hits, int64_t ideal, Workspace *ws, double *row, Fault *f) noexcept nogil:
    """Values of the measures with the top label for some unjudged documents: `hits` in the list, `ideal` in the ideal and in R."""
    cdef const Task *task = t.task
    cdef int64_t depth
    cdef Py_ssize_t i, pos
    if must_end(&ws.watch, t.n, task.slow):
        fault(f, ENDED, 0, 0.0)
        return
    sparse_entries(t.labels, t.at, t.n, task.zero_is_hit, &ws.entries, ws.keys, f)
    if f.code:
        return
    add_entries(&ws.entries, t.extra if way == 0 else t.extra + t.unjudged - hits, hits, t.holes.top_label)
    add_tops(&t.judged, ideal, t.holes.top_label, t.n if t.holes.is_cut_at_length else 1 << 62, t.holes.counts_unjudged, &ws.ideal)
    count_in_runs(&ws.ideal, task, ws.relevant)
    ws.hits.n_docs = t.n
    ws.hits.n_blocks = ws.hits.first[0] = 0
    depth = depth_of(task, ws)
    for i in range(ws.entries.n):
        pos = t.start + ws.entries.pos[i]
        if t.holes.block[pos] >= depth:
            break
        add_hit(&ws.hits, i, t.holes.block[pos], t.holes.size[pos], ws.entries.label[i])
    write_values(task, &ws.ideal, ws, row, f)


cdef inline void try_number(
        const Trial *t, int way, int64_t j, int64_t below, Workspace *ws, double *row, double *out, Fault *f) noexcept nogil:
    """Fold the values with j relevant unjudged documents, with none and with all of those below every cutoff.

    Where nothing else is relevant, one of those below is tried too.
    """
    cdef int64_t more = 0
    while True:
        try_labels(t, way, j, j + more, ws, row, f)
        if f.code:
            return
        fold(row, t.task.n_columns, out)
        if more == below:
            return
        more = below if more or j or any_positive(&t.judged) else 1


cdef inline bint is_inside(
        const Trial *t, int way, int64_t a, int64_t b, const int64_t *relevant, const double *row, const double *out) noexcept nogil:
    """Whether no number j of unjudged documents, a < j < b, widens an interval: the high ends in way 0, the low ones in way 1.

    row: in way 0 the values with the hits of b and the ideal and R of a, in way 1 those with the hits of a and the ideal and R of b.
    No j has a value beyond these. For a sum that is divided by R, there is a tighter bound, the row less `step` (or plus, in way 1):

    Let S_j be the sum with j hits and R_j, which is R_0 + j, the number of relevant documents. If each hit adds at least s, then
    S_j <= S_b - (b - j) s, and in way 0 the value is at most (S_b - (b - j) s) / R_j. The ratio of two linear functions of j is
    monotone, so it is largest at j = b, which was tried, or at j = a: S_b / R_a - (b - a) s / R_a, the row less `step`. In way 1 the
    value is at least (S_a + (j - a) s) / R_j, which is smallest at j = a, which was tried, or at j = b: S_a / R_b + (b - a) s / R_b.

    s is 1 for a count. For a sum of precisions, it is the precision at the deepest rank of such a hit with a others relevant. In way 0
    these others are above the hit. In way 1 they are below it, and the hit adds to the precision of each as much as its own rank would.
    """
    cdef const Column *column
    cdef Py_ssize_t i, n = t.task.n_columns
    cdef double step, precision = <double> (a + 1) / <double> (t.extra[t.unjudged - 1 if way else b - 1] + 1)
    for i in range(n):
        column = &t.task.columns[i]
        step = 0.0
        if column.steps and not t.tied:
            step = 1.0 if column.steps == BY_COUNT_OF_HITS else precision
            # Reduced by 1e-9, so that rounding does not make the bound too tight.
            step *= (1.0 - 1e-9) * <double> (b - a) / <double> relevant[column.rel_index]
        if not (row[i] + step >= out[i] if way else row[i] - step <= out[n + i]):
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
    cdef int64_t j, c = 0, position
    cdef double weight, total = 0.0, judged_below = 0.0, added_below = 0.0
    for i in range(judged.n):
        if judged.label[i] >= rel:
            c += 1
            total += <double> c * inverse_rank(t, judged.pos[i], k)
    first[0] = last[0] = total
    # From the last unjudged document to the first, so that all sums have positive terms only; `first` has its terms at first.
    i = judged.n - 1
    for j in range(1, t.unjudged + 1):
        position = t.extra[t.unjudged - j]
        while i >= 0 and <int64_t> judged.pos[i] > position:
            if judged.label[i] >= rel:
                c -= 1
                judged_below += inverse_rank(t, judged.pos[i], k)
            i -= 1
        weight = inverse_rank(t, position, k)
        last[j] = last[j - 1] + <double> (c + 1) * weight + judged_below + added_below
        first[t.unjudged - j + 1] = <double> (c + t.unjudged - j + 1) * weight + judged_below
        added_below += weight
    for j in range(1, t.unjudged + 1):
        first[j] += first[j - 1]


cdef inline bint try_precisions(
        const Trial *t, int64_t below, Workspace *ws, double *row, double *out, Fault *f) noexcept nogil:
    """Try the numbers whose values are the lowest or the highest up to rounding; false if the measures are not average precision.

    As in `try_number`, the `below` documents below every cutoff are in R or not. A precision is at most 1, and so is each mean of them,
    rounded or not: once a value is 1, no higher one is looked for.
    """
    cdef double *first = ws.scratch  # which walks of average precision do not use
    cdef double *last = first + t.unjudged + 1
    cdef const double *sums
    cdef const Column *column
    cdef double rel, relevant, low, high, slack = 1e-14 * <double> (t.n + 1)  # 20 times what rounding may change in sums of n positive terms
    cdef Py_ssize_t i
    cdef int64_t j
    cdef int way
    sparse_entries(t.labels, t.at, t.n, t.task.zero_is_hit, &ws.entries, ws.keys, f)
    if f.code or not has_summed_precisions(t, &ws.entries):
        return False
    try_number(t, 0, 0, below, ws, row, out, f)
    for i in range(t.task.n_columns):
        if f.code:
            break
        column = &t.task.columns[i]
        rel = t.task.rels[column.rel_index]
        sparse_entries(t.labels, t.at, t.n, t.task.zero_is_hit, &ws.entries, ws.keys, f)
        sum_precisions(t, &ws.entries, rel, column.k, first, last)
        count_in_runs(&t.judged, t.task, ws.relevant)
        relevant = <double> ws.relevant[column.rel_index]
        low, high = INFINITY, 0.0
        for way in range(2):
            sums = last if way else first
            for j in range(t.unjudged + 1):
                if relevant + j > 0.0 and sums[j] / (relevant + j) > high:
                    high = sums[j] / (relevant + j)
                if relevant + j + below > 0.0 and sums[j] / (relevant + j + below) < low:
                    low = sums[j] / (relevant + j + below)
        high *= 1.0 - slack
        low *= 1.0 + slack
        for way in range(2):
            sums = last if way else first
            for j in range(1, t.unjudged + 1):
                if sums[j] / (relevant + j + below) <= low or (
                        sums[j] / (relevant + j) >= high and not out[t.task.n_columns + i] == 1.0):
                    try_number(t, way, j, below, ws, row, out, f)
                    if f.code:
                        return True
    return True


cdef inline void bound_unjudged(
        Py_ssize_t n, const Labels *labels, Py_ssize_t at, Py_ssize_t start, Py_ssize_t index, const Task *task,
        const LabelRuns *label_runs, const HoleView *holes, Workspace *ws, double *row, double *out,
        Fault *f) noexcept nogil:
    """Low, high and whether undefined, over all sets of unjudged documents that might be relevant.

    Of all sets of j documents the first j in rank order are the best and the last j the worst: what moves a relevant document
    up moves no measure down. Those below every cutoff only add to the ideal and to R, in which each measure is monotone where
    it is defined: none of them and all are the extremes. Where measures also rise with every hit and fall with the ideal and R,
    the hits of b and the ideal of a are beyond all numbers a < j < b, which need not be tried if that is inside the interval. For
    average precision, the few numbers to try are known from sums.
    """
    cdef Trial t
    cdef int64_t below = holes.below[index], a, b, middle, low[64], high[64]
    cdef int way, open
    cdef bint rising
    cdef Py_ssize_t i
    t.labels, t.holes, t.task, t.n, t.at, t.start = labels, holes, task, n, at, start
    t.judged = ideal_of_runs(label_runs, at)
    t.extra = holes.positions + holes.indptr[index]
    t.unjudged = holes.indptr[index + 1] - holes.indptr[index]
    t.tied = False
    for i in range(t.unjudged):
        t.tied |= holes.size[start + t.extra[i]] > 1
    rising = task.rises and (t.judged.n_runs == 0 or t.judged.level[t.judged.n_runs - 1] >= 0.0)
    for i in range(task.n_columns):
        out[i] = out[task.n_columns + i] = NAN
        out[2 * task.n_columns + i] = 0.0
    f.list = index
    if try_precisions(&t, below, ws, row, out, f) or f.code:
        return
    for way in range(2):
        low[0], high[0] = way, t.unjudged - way
        if low[0] <= high[0]:
            try_number(&t, way, low[0], below, ws, row, out, f)
        if low[0] < high[0] and not f.code:
            try_number(&t, way, high[0], below, ws, row, out, f)
        open = 1
        while open > 0 and not f.code:
            open -= 1
            a, b = low[open], high[open]
            if b - a < 2:
                continue
            if rising:
                try_labels(&t, way, a if way else b, b + below if way else a, ws, row, f)
                if f.code or is_inside(&t, way, a, b, ws.relevant, row, out):
                    continue
            middle = a + (b - a) // 2
            try_number(&t, way, middle, below, ws, row, out, f)
            low[open], high[open] = a, middle
            low[open + 1], high[open + 1] = middle, b
            open += 2
