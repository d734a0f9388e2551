"""One list from its labels and scores to its row of the result."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.math cimport INFINITY
from libc.stdlib cimport malloc
from libc.string cimport memcpy

from ..types cimport *
from ..hits.labels cimport *
from .ideal cimport count_in_runs, dense_ideal, sparse_ideal
from ..hits.count cimport COUNT_IN_LONG_LISTS_UP_TO
from ..hits.rank cimport rank
from ..hits.select cimport is_shallow
from ..hits.ties cimport order_blocks
from .walks cimport *
from .shapes cimport take_walk
from .walks_blocks cimport cut_at_multiple, extreme_over_hits, rank_of_cut
from ..watch cimport must_end, open_watch
from ...simd.fetch cimport fetch_rest
from .finish cimport any_positive, finish_columns


cdef inline char *carve(char **cursor, Py_ssize_t size) noexcept nogil:
    """The next `size` bytes of a block; buffers start at multiples of 64 bytes, so that two meet in at most one line of the cache."""
    cdef char *start = cursor[0]
    cursor[0] += (size + 63) & ~(<Py_ssize_t> 63)
    return start


cdef inline Py_ssize_t place_buffers(Workspace *ws, char *block, Py_ssize_t n, Py_ssize_t judged, const Task *task) noexcept nogil:
    """Set the address of every buffer in `block`; returns the size that they need together."""
    cdef char *cursor = block
    cdef Py_ssize_t runs = (n if n > judged else judged) + 2
    ws.block = block
    ws.next.left[0] = ws.next.left[1] = ws.next.portion = 0
    ws.step = 1
    ws.wide = carve(&cursor, 8 * n)
    ws.scratch = <double *> carve(&cursor, 8 * (2 * n + 256))
    ws.keys = <uint64_t *> carve(&cursor, 8 * (3 * n + 1))
    ws.order = <uint32_t *> carve(&cursor, 4 * 2 * n)
    ws.candidates = carve(&cursor, 8 * (n + 64))
    ws.candidate_positions = <uint32_t *> carve(&cursor, 4 * (n + 64))
    ws.maxima = carve(&cursor, 8 * (n // 2 + 512) if n >= 64 else 0)
    ws.entries.pos = <uint32_t *> carve(&cursor, 4 * (n + 16))
    ws.entries.label = <double *> carve(&cursor, 8 * (n + 16))
    # At most COUNT_IN_LONG_LISTS_UP_TO hits are counted, and 3 more for vectors; where candidates are counted, there are fewer.
    ws.greater = <Py_ssize_t *> carve(&cursor, 8 * (COUNT_IN_LONG_LISTS_UP_TO + 3))
    ws.equal = <Py_ssize_t *> carve(&cursor, 8 * (COUNT_IN_LONG_LISTS_UP_TO + 3))
    ws.slot = <uint32_t *> carve(&cursor, 4 * (n + 64))
    ws.hits.label = <double *> carve(&cursor, 8 * (n + 1))
    ws.hits.start = <int64_t *> carve(&cursor, 8 * (n + 1))
    ws.hits.size = <int64_t *> carve(&cursor, 8 * (n + 1))
    ws.hits.first = <Py_ssize_t *> carve(&cursor, 8 * (n + 1))
    ws.ordered.label = <double *> ws.candidates
    ws.ordered.start = <int64_t *> ws.keys
    ws.ordered.size = ws.ordered.start + n
    ws.ordered.first = <Py_ssize_t *> (ws.ordered.size + n)
    ws.ideal.level = <double *> carve(&cursor, 8 * runs)
    ws.ideal.count = <int64_t *> carve(&cursor, 8 * runs)
    ws.by_gain.level = <double *> carve(&cursor, 8 * runs)
    ws.by_gain.count = <int64_t *> carve(&cursor, 8 * runs)
    ws.values = <double *> carve(&cursor, 8 * (task.n_values + BY_RELEVANT + task.n_rels))
    ws.of_part = <double *> carve(&cursor, 8 * task.n_parts)
    ws.relevant = <int64_t *> carve(&cursor, 8 * (task.n_rels + 1))
    ws.listed = <int64_t *> carve(&cursor, 8 * (task.n_rels + 1))
    return cursor - block


cdef inline bint open_workspace(Workspace *ws, Py_ssize_t n, Py_ssize_t judged, const Task *task) noexcept nogil:
    cdef Py_ssize_t size = place_buffers(ws, NULL, n, judged, task)
    cdef char *block = <char *> malloc(size)
    if block == NULL:
        return False
    place_buffers(ws, block, n, judged, task)
    open_watch(&ws.watch, NULL)
    ws.ideal.n_runs = 0
    ws.hits.untied = ws.undefined = ws.negative = False
    ws.rankers = 0
    return True


cdef inline void take_walks(const Task *task, const Hits *hits, bint is_untied, const Ideal *ideal, Workspace *ws, Fault *f) noexcept nogil:
    cdef Py_ssize_t i
    cdef double last
    cdef const Walk *walk
    for i in range(task.n_walks):
        walk = &task.walks[i]
        if not take_walk(hits, ideal, walk, is_untied, ws):
            fault(f, NO_WALK, 0, <double> walk.shape)
        # What overflows at one cutoff does so at those below it.
        if reads_ideal(walk.shape) and ws.values[walk.out + walk.n_cuts - 1] == INFINITY:
            fault(f, GAIN_OVERFLOW, 0, INFINITY)
        if walk.shape == DOT or walk.shape == IDEAL_DOT:
            last = ws.values[walk.out + walk.n_cuts - 1]  # a sum that overflowed stays infinite
            if not last - last == 0.0:
                fault(f, GAIN_OVERFLOW, 0, last)


cdef inline void read_labels(
        const Labels *labels, Py_ssize_t row, Py_ssize_t start, Py_ssize_t n, const Task *task, LabelView *view, Workspace *ws,
        Fault *f) noexcept nogil:
    """The entries of a list of sparse labels, or a view of dense ones; if they were not checked before, their ideal, and R for each `rel`."""
    cdef Py_ssize_t bad
    if labels.indices != NULL:
        sparse_entries(labels, row, n, task.zero_is_hit, &ws.entries, ws.keys, f)
        if f.code == NO_FAULT and not labels.checked:
            sparse_ideal(&ws.entries, n, task, ws, &ws.ideal, f)
        return
    view.kind = labels.kind
    view.data = labels.data + start * label_size(labels.kind)
    if labels.checked:
        return
    bad = widen(view, n, ws.wide)
    if bad >= 0:
        fault(f, WIDE_INTEGER, bad, 0.0)
    if view.kind == L_FLOAT32:
        ws.negative |= dense_ideal(<const float *> view.data, n, task, ws, &ws.ideal, f)
    else:
        ws.negative |= dense_ideal(<const double *> view.data, n, task, ws, &ws.ideal, f)


cdef inline void refuse_fewer(const Task *task, const Workspace *ws, Fault *f) noexcept nogil:
    """A list cannot hold more relevant documents than were judged relevant."""
    cdef Py_ssize_t r
    for r in range(task.n_rels):
        if ws.listed[r] > ws.relevant[r]:
            fault(f, FEWER_JUDGED, ws.listed[r], <double> ws.relevant[r])


cdef inline Ideal ideal_of_runs(const LabelRuns *label_runs, Py_ssize_t row) noexcept nogil:
    """The ideal of the list in this row of the label runs, which were made once for many calls."""
    cdef Ideal ideal
    cdef int64_t first = label_runs.first[row]
    ideal.n_runs = label_runs.first[row + 1] - first
    ideal.level = <double *> label_runs.level + first
    ideal.count = <int64_t *> label_runs.count + first
    return ideal


cdef inline int64_t depth_of(const Task *task, const Workspace *ws) noexcept nogil:
    """The depth of the ranking: the deepest cutoff, or R where a measure needs it."""
    cdef int64_t depth = task.depth, wanted
    cdef Py_ssize_t r
    if task.needs_r_depth:
        for r in range(task.n_rels):
            wanted = rank_of_cut(cut_at_multiple(task.r_multiple, ws.relevant[r]))
            depth = wanted if wanted > depth else depth
    return depth


cdef inline void value_extreme(const Task *task, const Ideal *ideal, bint best, Workspace *ws, double *out, Fault *f) noexcept nogil:
    """Write the values of the best or the worst order of the tied documents."""
    cdef const Walk *walk
    cdef Py_ssize_t i, k
    order_blocks(&ws.hits, &task.tie_gain, best, &ws.ordered)
    take_walks(task, &ws.ordered, True, ideal, ws, f)
    # ties="best" and "worst" are orders, by gain. Only bounds ask for the extreme value, which another order may have.
    for i in range(task.n_walks if task.extremes else 0):
        walk = &task.walks[i]
        for k in range(walk.n_cuts if walk.shape == PREFIX_OVER_HITS else 0):
            ws.values[walk.out + k] = extreme_over_hits(&ws.hits, walk.rel, walk.cuts[k], best)
    write_columns(task, ideal, ws, out, f)


cdef inline void write_columns(const Task *task, const Ideal *ideal, Workspace *ws, double *out, Fault *f) noexcept nogil:
    fetch_rest(&ws.next)
    ws.undefined |= finish_columns(task, ws.values, ws.relevant, <double> ws.hits.n_docs, any_positive(ideal), out, ws.step, f)


cdef inline void value_hits(const Task *task, const Ideal *ideal, Workspace *ws, double *out, Fault *f) noexcept nogil:
    """Write the values of a list from its hits, its ideal and the counts in `ws.relevant`."""
    cdef bint is_untied = ws.hits.untied
    cdef int64_t documents = 0
    cdef Py_ssize_t i
    for i in range(0 if is_untied else ws.hits.n_blocks):
        documents += ws.hits.size[i]
    is_untied |= documents == ws.hits.n_blocks
    if not is_untied and (task.extremes or task.ties == BEST or task.ties == WORST):
        # With `extremes`, the tie rule is AVERAGE, so the first of the two is the worst order.
        value_extreme(task, ideal, task.ties == BEST, ws, out, f)
        if task.extremes:
            value_extreme(task, ideal, True, ws, out + task.n_columns * ws.step, f)
        return
    take_walks(task, &ws.hits, is_untied, ideal, ws, f)
    write_columns(task, ideal, ws, out, f)
    for i in range(task.n_columns if task.extremes else 0):
        out[(task.n_columns + i) * ws.step] = out[i * ws.step]


cdef inline void run_ranked(
        Py_ssize_t n, const Labels *labels, Py_ssize_t row, const Task *task, const Ideal *ideal, Workspace *ws, double *out,
        Fault *f) noexcept nogil:
    """Write the values of a list whose hits are stored in rank order, with an ideal from label runs. Where ranks were counted, hits of
    the same rank are a block."""
    cdef Hits *hits = &ws.hits
    cdef const double *label = <const double *> labels.data
    cdef const int64_t *start = <const int64_t *> labels.indices
    cdef int64_t depth, j, last = -1
    cdef Py_ssize_t r, m = 0
    count_in_runs(ideal, task, ws.relevant)
    depth = depth_of(task, ws)
    hits.n_docs = n
    if labels.sizes != NULL:
        for r in range(task.n_rels):
            ws.listed[r] = 0
            for j in range(labels.indptr[row], labels.indptr[row + 1]):
                ws.listed[r] += label[j] >= task.rels[r]
        refuse_fewer(task, ws, f)
        hits.n_blocks = hits.first[0] = 0
        for j in range(labels.indptr[row], labels.indptr[row + 1]):
            if start[j] < last or labels.sizes[j] < 1 or labels.sizes[j] > n - start[j]:
                fault(f, BAD_INDEX, j - labels.indptr[row], <double> start[j])
            if f.code or start[j] >= depth:
                break
            if label[j] != 0.0 or task.zero_is_hit:
                last = start[j]
                add_hit(hits, m, last, labels.sizes[j], label[j])
                m += 1
        if f.code:
            return
    else:
        hits.label = <double *> label + labels.indptr[row]
        hits.start = <int64_t *> start + labels.indptr[row]
        hits.n_blocks = labels.indptr[row + 1] - labels.indptr[row]
        while hits.n_blocks > 0 and hits.start[hits.n_blocks - 1] >= depth:
            hits.n_blocks -= 1
    value_hits(task, ideal, ws, out, f)


cdef inline void move_to_places(const int64_t *places, Py_ssize_t n, int64_t depth, Hits *hits) noexcept nogil:
    """Move hits that were ranked among the n rows of their list to the places of these rows.

    places[i] is the place, from 0, of the row with i rows before it; places rise, and those of a tie block follow each other. So blocks
    keep their order and their sizes, and only their starts change. A hit above the depth may move below it, and is dropped there.
    """
    cdef Py_ssize_t b
    hits.n_docs = places[n - 1] + 1 if n > 0 else 0
    for b in range(hits.n_blocks):
        hits.start[b] = places[hits.start[b]]
    while hits.n_blocks > 0 and hits.start[hits.n_blocks - 1] >= depth:
        hits.n_blocks -= 1


cdef inline void run_list(
        const real *x, Py_ssize_t n, const Labels *labels, Py_ssize_t row, Py_ssize_t start, Py_ssize_t index,
        const Task *task, const LabelRuns *label_runs, const int64_t *tie_keys, const int64_t *places, Workspace *ws, double *out,
        Fault *f) noexcept nogil:
    """Write the values of a list of scores and labels: check, rank, walk, finish.

    row: of the list in sparse labels and label runs. start: of its documents in dense labels. index: its number among all lists, for faults
    and random orders. places: of its documents by rank, or NULL if they have no gaps.
    """
    cdef LabelView view
    cdef LabelView *dense = &view if labels.indices == NULL else NULL
    cdef Ideal known_ideal
    cdef const Ideal *ideal = &ws.ideal
    cdef int64_t depth
    f.list = index
    if must_end(&ws.watch, n, task.slow):
        fault(f, ENDED, 0, 0.0)
        return
    read_labels(labels, row, start, n, task, &view, ws, f)
    if label_runs.first != NULL:
        known_ideal = ideal_of_runs(label_runs, row)
        ideal = &known_ideal
        if labels.checked:
            count_in_runs(ideal, task, ws.relevant)
        else:
            memcpy(ws.listed, ws.relevant, task.n_rels * sizeof(int64_t))
            count_in_runs(ideal, task, ws.relevant)
            refuse_fewer(task, ws, f)
    if f.code:
        return
    depth = depth_of(task, ws)
    # `read_labels` has converted unchecked labels. Checked ones are converted at once if many of them will be read.
    if dense != NULL and labels.checked and not is_shallow(n, depth):
        widen(dense, n, ws.wide)
    rank(x, n, dense, task, tie_keys, index, depth, ws, f)
    if f.code:
        return
    if places != NULL:
        move_to_places(places, n, depth, &ws.hits)
    value_hits(task, ideal, ws, out, f)
