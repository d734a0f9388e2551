"""Judged labels in descending order, as runs of equal ones, and the numbers of relevant documents."""

from libc.stdint cimport int32_t, int64_t
from libc.math cimport INFINITY, nextafterf
from libc.string cimport memcpy

from ..types cimport *
from ..hits.labels cimport *
from ..hits.sort cimport sort_descending
from ..hits.select cimport is_shallow, select
from ...simd.wide cimport LEVELS_TOGETHER, wide_at_least, wide_below, wide_level, wide_levels, wide_top_bits

cdef enum:
    COUNT_LEVELS_UP_TO = 6  # distinct labels that are counted level by level before sorting is cheaper
    SORT_LABELS_UP_TO = 16  # labels that are sorted at once
    TRY_GRADES_ABOVE = 2  # passes over all labels above which counting the labels 0 to 4 in one pass is tried
    READ_FIRST = 32  # labels that are read first


cdef inline void add_run(Ideal *ideal, double level, int64_t count) noexcept nogil:
    if ideal.n_runs and ideal.level[ideal.n_runs - 1] == level:
        ideal.count[ideal.n_runs - 1] += count
        return
    ideal.level[ideal.n_runs] = level
    ideal.count[ideal.n_runs] = count
    ideal.n_runs += 1


cdef inline bint inspect(const real *x, Py_ssize_t n, double *largest, Fault *f) noexcept nogil:
    """The largest label; flags the first that is not finite, and returns whether one is negative.

    The bits of finite numbers from +0 on order as they do, and reductions of integers vectorise: other labels are read one by one.
    """
    cdef const int32_t *bits32 = <const int32_t *> x
    cdef const int64_t *wide = <const int64_t *> x
    cdef int32_t top = 0, signs = 0
    cdef int64_t wide_top = 0, wide_signs = 0
    cdef float single
    cdef Py_ssize_t i
    cdef bint plain, negative = False
    if real is float:
        if wide_level:
            top = signs = <int32_t> wide_top_bits(x, n)
        else:
            for i in range(n):
                top = bits32[i] if bits32[i] > top else top
                signs |= bits32[i]
        memcpy(&single, &top, sizeof(float))
        largest[0] = single
        plain = signs >= 0 and top < <int32_t> 0x7f800000
    else:
        for i in range(n):
            wide_top = wide[i] if wide[i] > wide_top else wide_top
            wide_signs |= wide[i]
        memcpy(largest, &wide_top, sizeof(double))
        plain = wide_signs >= 0 and wide_top < <int64_t> 0x7ff0000000000000
    if plain:
        return False
    largest[0] = x[0]
    for i in range(n):
        if not x[i] - x[i] == 0:
            fault(f, BAD_LABEL, i, x[i])
        negative |= x[i] < 0
        largest[0] = x[i] if x[i] > largest[0] else largest[0]
    return negative


cdef inline int64_t at_least(const real *x, Py_ssize_t n, real least) noexcept nogil:
    cdef int32_t c = 0
    cdef Py_ssize_t i
    if real is float:
        if wide_level:
            return wide_at_least(x, n, least)
    for i in range(n):
        c += x[i] >= least
    return c


cdef inline int64_t count_level(
        const real *x, Py_ssize_t n, real level, int64_t above, const Task *task, const int64_t *relevant) noexcept nogil:
    """The number of labels equal to `level`, if `above` are larger; counting stops when enough of the top level are seen."""
    cdef Py_ssize_t start, r
    cdef int64_t total = 0
    for r in range(task.n_rels):
        if task.rels[r] == level:
            return relevant[r] - above
    if above:
        return at_least(x, n, level) - above
    for start in range(0, n, 256):
        total += at_least(x + start, 256 if n - start > 256 else n - start, level)
        if total >= task.ideal_depth:
            break
    return total


cdef inline real next_level(const real *x, Py_ssize_t n, real level) noexcept nogil:
    """The largest label below `level`, or -inf."""
    cdef real best[16]
    cdef Py_ssize_t i, b
    cdef Py_ssize_t full = n >> 4
    cdef int j
    cdef real v
    if real is float:
        if wide_level:
            return wide_below(x, n, level)
    for j in range(16):
        best[j] = <real> -INFINITY
    for b in range(full):
        for j in range(16):
            v = x[16 * b + j]
            v = v if v < level else <real> -INFINITY
            best[j] = v if v > best[j] else best[j]
    for i in range(16 * full, n):
        if x[i] < level and x[i] > best[0]:
            best[0] = x[i]
    for j in range(1, 16):
        best[0] = best[j] if best[j] > best[0] else best[0]
    return best[0]


cdef inline void add_sorted_runs(Ideal *ideal, const double *x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        add_run(ideal, x[i], 1)


cdef inline bint is_short(Py_ssize_t n, int64_t depth) noexcept nogil:
    """Whether the top of n labels is selected instead of sorting all."""
    return n >= 64 and is_shallow(n, depth)


cdef inline void sorted_runs(const real *x, Py_ssize_t n, int64_t depth, bint all_labels, Workspace *ws, Ideal *ideal) noexcept nogil:
    """Runs by ordering: the positive labels, or with `all_labels` every one; only the top where `depth` is small."""
    cdef double *levels = ws.scratch
    cdef real *candidates = <real *> ws.candidates
    cdef Py_ssize_t i, m = 0, c
    cdef bint nan, straddles
    cdef real bound
    ideal.n_runs = 0
    if is_short(n, depth):
        c = select(x, n, depth, ws.maxima, candidates, ws.candidate_positions, &bound, False, &straddles, &nan, &ws.next)
        x = candidates
        n = c
    for i in range(n):
        levels[m] = x[i]
        m += all_labels or x[i] > 0
    sort_descending(levels, m, ws.keys)
    add_sorted_runs(ideal, levels, m)


cdef inline bint count_grades(const float *x, Py_ssize_t n, const Task *task, Workspace *ws, Ideal *ideal) noexcept nogil:
    """Runs and counts of labels that are 0 to 4, in one pass; false if there are other labels, or if all seem to be 0 and 1."""
    cdef int32_t count[LEVELS_TOGETHER]
    cdef Py_ssize_t few = min(n, <Py_ssize_t> READ_FIRST), r
    cdef int level
    cdef int least = 0 if task.needs_full_ideal else 1  # the least label that gets a run
    if wide_levels(x, few, 0, count) < few or count[0] + count[1] == few:
        return False
    if few < n and wide_levels(x, n, 0, count) < n:
        return False
    for level in range(LEVELS_TOGETHER - 1, -1, -1):
        if count[level] and level >= least:
            add_run(ideal, level, count[level])
        for r in range(task.n_rels):
            if level >= task.rels[r]:
                ws.relevant[r] += count[level]
    return True


cdef inline bint dense_ideal(const real *x, Py_ssize_t n, const Task *task, Workspace *ws, Ideal *ideal, Fault *f) noexcept nogil:
    """Runs of one list's own labels, the counts per rel, and the checks of its labels.

    Returns whether some label is negative.
    """
    cdef double largest = 0
    cdef bint negative, all_labels
    cdef real level, least
    cdef int64_t covered = 0, c
    cdef Py_ssize_t r, i
    cdef bint selects = is_short(n, task.ideal_depth)  # then labels can be selected instead
    cdef Py_ssize_t passes = task.n_rels  # over all labels, without `count_grades`
    ideal.n_runs = 0
    for r in range(task.n_rels):
        ws.relevant[r] = 0
    if n == 0:
        return False
    if real is float:
        # All labels are read once for each rel, and about twice to count levels for a deep ideal.
        if task.needs_ideal and task.ideal_depth > n // 16:
            passes += 2
        if wide_level and passes > TRY_GRADES_ABOVE and task.max_label >= LEVELS_TOGETHER - 1:
            if count_grades(x, n, task, ws, ideal):
                return False
    negative = inspect(x, n, &largest, f)
    for i in range(n if largest > task.max_label else 0):
        if x[i] > task.max_label:
            fault(f, LABEL_ABOVE_MAX, i, x[i])
    for i in range(n if negative and task.refuse_negative else 0):
        if x[i] < 0:
            fault(f, NEGATIVE_LABEL, i, x[i])
    for r in range(task.n_rels):
        if task.rels[r] <= largest:
            least = <real> task.rels[r]
            if real is float and least < task.rels[r]:
                least = nextafterf(least, INFINITY)
            ws.relevant[r] = at_least(x, n, least)
    if not task.needs_ideal:
        if largest > 0:
            add_run(ideal, largest, 1)  # only whether one label is positive matters
        return negative
    all_labels = negative or task.needs_full_ideal
    level = <real> largest
    while level > 0 or (all_labels and level > -INFINITY):
        # Levels are counted one by one as long as COUNT_LEVELS_UP_TO of them, of the mean size so far, would reach the depth.
        if ideal.n_runs == COUNT_LEVELS_UP_TO or n <= SORT_LABELS_UP_TO or (
                selects and covered * COUNT_LEVELS_UP_TO < ideal.n_runs * task.ideal_depth):
            sorted_runs(x, n, task.ideal_depth, all_labels, ws, ideal)
            break
        c = count_level(x, n, level, covered, task, ws.relevant)
        add_run(ideal, level, c)
        covered += c
        if covered >= task.ideal_depth or covered >= n:
            break
        level = next_level(x, n, level)
    return negative


cdef inline void sparse_ideal(const Entries *entries, Py_ssize_t n, const Task *task, Workspace *ws, Ideal *ideal, Fault *f) noexcept nogil:
    """The same from the stored labels; the n - entries others are 0."""
    cdef Py_ssize_t i, r
    cdef int64_t zeros = n - entries.n
    cdef double v
    for r in range(task.n_rels):
        ws.relevant[r] = 0
    for i in range(entries.n):
        v = entries.label[i]
        if v < 0 and task.refuse_negative:
            fault(f, NEGATIVE_LABEL, entries.pos[i], v)
        if v > task.max_label:
            fault(f, LABEL_ABOVE_MAX, entries.pos[i], v)
        ws.scratch[i] = v
        for r in range(task.n_rels):
            ws.relevant[r] += v >= task.rels[r]
    for r in range(task.n_rels):
        if task.rels[r] <= 0:
            ws.relevant[r] += zeros
    sort_descending(ws.scratch, entries.n, ws.keys)
    ideal.n_runs = 0
    i = 0
    while i < entries.n and ws.scratch[i] > 0:
        add_run(ideal, ws.scratch[i], 1)
        i += 1
    if zeros and (task.needs_full_ideal or i < entries.n):
        add_run(ideal, 0.0, zeros)
    add_sorted_runs(ideal, ws.scratch + i, entries.n - i)


cdef inline void count_in_runs(const Ideal *ideal, const Task *task, int64_t *relevant) noexcept nogil:
    """R per rel from complete runs."""
    cdef Py_ssize_t r, i
    for r in range(task.n_rels):
        relevant[r] = 0
        for i in range(ideal.n_runs):
            if ideal.level[i] < task.rels[r]:
                break
            relevant[r] += ideal.count[i]
