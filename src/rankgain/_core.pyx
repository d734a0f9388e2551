"""The compiled core: plans, weight tables, and the drivers that run lists without the GIL. Private; use rankgain's functions."""

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from libc.math cimport INFINITY, NAN, log, log2
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ._types cimport *
from ._labels cimport *
from ._lists cimport open_workspace, own_labels, run_list
from ._bounds cimport MARKS, HoleView, bound_ties, bound_unjudged, by_score, has_tie, tied_documents
from ._ideal cimport one_level, sparse_ideal
from ._wide cimport wide_best, wide_level
from ._topk cimport (
    GAP, ID_BELOW, ID_BEYOND, MATCHED, TWICE, Lookup, first_repeated, id_type, labels_of, match_by_hash, match_by_slot,
    row_length, wanted_type,
)

import os as _os


def _choose_simd():
    """The widest instruction set of this machine, or what RANKGAIN_SIMD says: plain, avx2 or avx512."""
    global wide_level
    wanted = _os.environ.get("RANKGAIN_SIMD", "")
    levels = {"plain": 0, "avx2": 1, "avx512": 2}
    if wanted and wanted not in levels:
        raise ImportError(f"RANKGAIN_SIMD must be plain, avx2 or avx512, not {wanted!r}")
    wide_level = min(wide_best(), levels.get(wanted, 2))  # no-cython-lint
    return ("plain", "avx2", "avx512")[wide_level]


SIMD = _choose_simd()

TIES = {"average": AVERAGE, "stable": STABLE, "reverse": REVERSE, "best": BEST, "worst": WORST, "random": RANDOM, "key": BY_KEY}
SHAPES = {
    "dot": DOT, "ideal": IDEAL_DOT, "count": COUNT, "count_at_r": COUNT_AT_R, "first": FIRST, "any": ANY,
    "prefix": PREFIX, "prefix_over_hits": PREFIX_OVER_HITS, "cascade": CASCADE, "pairs": PAIRS,
    "judged": JUDGED, "judged_dot": JUDGED_DOT, "nonrelevant": NONRELEVANT, "bpref": BPREF, "inferred": INFERRED, "interpolated": INTERPOLATED,
    "eleven_points": ELEVEN_POINTS, "r_ndcg": R_NDCG,
}
FINISHES = {
    "value": VALUE, "over_ideal": OVER_IDEAL, "over_nonzero_ideal": OVER_NONZERO_IDEAL, "over_ideal_or_1": OVER_IDEAL_OR_1,
    "over_k": OVER_K, "over_r": OVER_R, "over_r_or_k": OVER_R_OR_K, "f_beta": F_BETA,
    "if_relevant": IF_RELEVANT, "if_positive": IF_POSITIVE, "over_pairs": OVER_PAIRS, "items": ITEMS, "r_or_k": R_OR_K,
    "r_or_n": R_OR_N, "relevant": RELEVANT, "one": ONE, "rest": REST, "over_items": OVER_ITEMS, "others_over_items": OTHERS_OVER_ITEMS,
    "over_r_or_n": OVER_R_OR_N, "set_ap": SET_AP,
}
GAINS = {"linear": LINEAR, "exp2": EXP2, "binary": BINARY, "table": TABLE}
FAULTS = {
    NAN_SCORE: "nan_score", BAD_LABEL: "bad_label", NEGATIVE_LABEL: "label_negative", LABEL_ABOVE_MAX: "label_above_max",
    WIDE_INTEGER: "wide_integer", NO_GAIN: "no_gain", GAIN_OVERFLOW: "gain_overflow", FEWER_JUDGED: "fewer_judged",
    NO_MEMORY: "no_memory", BAD_INDEX: "bad_index",
}


cdef class Weights:
    """What the ranks are worth, with a compensated running sum at every 64th rank. Immutable."""

    cdef WeightTable table
    cdef double *value
    cdef double *sum
    cdef double *high
    cdef double *low

    def __cinit__(self, const double[::1] values):
        cdef Py_ssize_t n = values.shape[0], r
        cdef double total = 0.0, rest = 0.0, y, t
        self.value = <double *> malloc((n + 1) * sizeof(double))
        self.sum = <double *> malloc((n + 1) * sizeof(double))
        self.high = <double *> malloc((n // 64 + 2) * sizeof(double))
        self.low = <double *> malloc((n // 64 + 2) * sizeof(double))
        if self.value == NULL or self.sum == NULL or self.high == NULL or self.low == NULL:
            raise MemoryError(f"no memory for {n} weights")
        for r in range(n + 1):
            self.sum[r] = total
            if r % 64 == 0:
                self.high[r // 64] = total
                self.low[r // 64] = rest
            if r < n:
                # Neumaier 1974: what the addition loses is kept in `rest`.
                y = values[r]
                self.value[r] = y
                t = total + y
                rest += (total - t) + y if total >= y else (y - t) + total
                total = t
        self.table.value = self.value
        self.table.n = n
        self.table.sum = self.sum
        self.table.high = self.high
        self.table.low = self.low

    def __dealloc__(self):
        free(self.value)
        free(self.sum)
        free(self.high)
        free(self.low)

    def __len__(self):
        return self.table.n


def fill_log_weights(double[::1] out, double base):
    """1 / log2(rank + 1), or log(base) / log(rank + 1): from C's logarithm, which no dispatch of numpy's changes."""
    cdef Py_ssize_t r
    for r in range(out.shape[0]):
        if base == 2.0:
            out[r] = 1.0 / log2(<double> (r + 2))
        else:
            out[r] = log(base) / log(<double> (r + 2))


def fill_geometric_weights(double[::1] out, double p):
    """(1 - p) * p**(rank - 1), by a running product."""
    cdef Py_ssize_t r
    cdef double power = 1.0
    for r in range(out.shape[0]):
        out[r] = (1.0 - p) * power
        power *= p


cdef class Gain:
    """What a label is worth. Immutable."""

    cdef GainRule rule
    cdef readonly str kind
    cdef object keep

    def __cinit__(self, str kind, double rel=1.0, double floor=-INFINITY, const double[::1] labels=None, const double[::1] gains=None):
        cdef Py_ssize_t i
        self.kind = kind
        self.keep = (labels, gains)
        self.rule.kind = GAINS[kind]
        self.rule.rel = rel
        self.rule.floor = floor
        self.rule.monotone = True
        self.rule.zero_counts = kind == "binary" and rel <= 0 and floor <= 0
        self.rule.n = 0
        if kind == "table":
            self.rule.n = labels.shape[0]
            self.rule.labels = &labels[0] if self.rule.n else NULL
            self.rule.gains = &gains[0] if self.rule.n else NULL
            for i in range(self.rule.n):
                if labels[i] >= floor:
                    self.rule.zero_counts |= labels[i] == 0 and gains[i] != 0
                    self.rule.monotone &= i == 0 or gains[i] >= gains[i - 1]
                    self.rule.monotone &= labels[i] < 0 or gains[i] >= 0
                    self.rule.monotone &= labels[i] > 0 or gains[i] <= 0
        if self.rule.zero_counts:
            self.rule.monotone = False

    @property
    def monotone(self):
        return bool(self.rule.monotone)

    @property
    def zero_counts(self):
        return bool(self.rule.zero_counts)


cdef class Plan:
    """All that one call asks of every list, laid out for the kernels. Immutable, shared between threads.

    rows: (shape, finish, gain, weights, rel, max_label, k, beta, divide_by_min, own) with k None for no cutoff. Rows that walk
    the hits alike share one walk, whatever their cutoffs. own is None or (judged, recall, rounding) of a Walk, judged None
    where documents that are judged and not relevant need not be seen.
    """

    cdef Task task
    cdef list keep
    cdef Walk *walks
    cdef Column *columns
    cdef int64_t *cuts
    cdef double *rels
    cdef bint zero_counts
    cdef readonly object reach

    def __cinit__(self, rows, str ties="average", uint64_t seed=0, Gain tie_gain=None, bint refuse_negative=False,
                  double max_label=INFINITY, reach=None, extra_rel=None):
        cdef Task *t = &self.task
        self.keep = [tie_gain]
        self.reach = reach
        t.ties = TIES[ties]
        t.seed = seed
        t.refuse_negative = refuse_negative
        t.max_label = max_label
        if tie_gain is not None:
            t.tie_gain = tie_gain.rule
        else:
            t.tie_gain.kind = LINEAR
            t.tie_gain.floor = -INFINITY
        walks, columns = group_walks(rows)
        self.lay_walks(walks, extra_rel)
        self.lay_columns(columns, walks)

    cdef lay_walks(self, list walks, extra_rel):
        cdef Task *t = &self.task
        cdef Walk *w
        cdef Gain gain
        cdef Weights weights
        cdef Py_ssize_t at = 0
        asked = {rel for rel in (*[walk.rel for walk in walks], extra_rel) if rel is not None}
        rels = sorted(asked | {walk.judged for walk in walks if walk.shape == "bpref"})
        self.zero_counts = any(rel <= 0 for rel in asked)
        self.walks = <Walk *> calloc(len(walks) + 1, sizeof(Walk))
        self.cuts = <int64_t *> malloc((sum([len(walk.cuts) for walk in walks]) + 1) * sizeof(int64_t))
        self.rels = <double *> malloc((len(rels) + 1) * sizeof(double))
        if self.walks == NULL or self.cuts == NULL or self.rels == NULL:
            raise MemoryError("no memory for the plan")
        for i, rel in enumerate(rels):
            self.rels[i] = rel
        t.depth = 1
        t.ideal_depth = 1
        for i, walk in enumerate(walks):
            w = &self.walks[i]
            w.shape = SHAPES[walk.shape]
            w.rel = 1.0 if walk.rel is None else walk.rel
            w.rel_index = 0 if walk.rel is None else rels.index(walk.rel)
            w.max_label = walk.max_label
            w.judged = 0.0 if walk.judged is None else walk.judged
            w.judged_index = rels.index(walk.judged) if walk.shape == "bpref" else 0
            w.recall, w.rounding = walk.recall, walk.rounding
            t.zero_is_hit |= walk.judged is not None
            w.n_cuts = len(walk.cuts)
            w.cuts = self.cuts + at
            w.out = at
            for k in walk.cuts:
                self.cuts[at] = k
                at += 1
            if walk.gain is not None:
                gain = walk.gain
                w.gain = gain.rule
                self.zero_counts |= gain.rule.zero_counts
                self.keep.append(gain)
            if walk.weights is not None:
                weights = walk.weights
                w.weight = weights.table
                self.keep.append(weights)
            if w.shape == IDEAL_DOT:
                t.needs_ideal = True
                t.needs_full_ideal |= not w.gain.monotone
                t.ideal_depth = max(t.ideal_depth, max(walk.cuts))
            elif w.shape == COUNT_AT_R:
                t.needs_r_depth = True
            else:
                t.depth = max(t.depth, max(walk.cuts))
            if w.shape == R_NDCG:
                t.needs_ideal = True
                t.needs_full_ideal |= not w.gain.monotone
                t.ideal_depth = INT64_MAX
        t.zero_is_hit |= self.zero_counts
        if t.needs_full_ideal:
            t.ideal_depth = INT64_MAX
        t.n_walks = len(walks)
        t.walks = self.walks
        t.n_values = at + 1
        t.n_rels = len(rels)
        t.rels = self.rels

    cdef lay_columns(self, list columns, list walks):
        cdef Column *c
        self.columns = <Column *> calloc(len(columns) + 1, sizeof(Column))
        if self.columns == NULL:
            raise MemoryError("no memory for the plan")
        for i, (row, walk, cut, ideal, ideal_cut) in enumerate(columns):
            c = &self.columns[i]
            c.finish = FINISHES[row[1]]
            c.value = self.walks[walk].out + cut
            if ideal is not None:
                c.ideal = self.walks[ideal].out + ideal_cut
                c.clip = row[2].kind != "table"
            c.rel_index = self.walks[walk].rel_index
            c.k = INFINITY if row[6] is None else float(row[6])
            c.beta = row[7] * row[7]
            c.divide_by_min = row[8]
        self.task.n_columns = len(columns)
        self.task.columns = self.columns

    def __dealloc__(self):
        free(self.walks)
        free(self.columns)
        free(self.cuts)
        free(self.rels)

    @property
    def n_columns(self):
        return self.task.n_columns

    @property
    def zero_is_hit(self):
        """Whether a document of label 0 counts, which sparse labels cannot serve."""
        return bool(self.zero_counts)


class _Walk:
    """Rows that differ in their cutoff alone."""

    def __init__(self, shape, gain, weights, rel, max_label, own):
        self.shape, self.gain, self.weights, self.rel, self.max_label = shape, gain, weights, rel, max_label
        self.judged, self.recall, self.rounding = own or (None, 0.0, 0.0)
        self.cuts = set()


def group_walks(rows):
    """The distinct walks of the rows, and for each row (row, walk, cut, ideal walk, ideal cut)."""
    walks = {}

    def join(shape, row):
        key = (shape, *row[2:6], row[9])
        walk = walks.setdefault(key, _Walk(*key))
        walk.cuts.add(cutoff(row))
        if shape == "pairs":
            walk.cuts.add(INT64_MAX - 1)  # its second value, the number of pairs
        return key

    joined = [(row, join(row[0], row), join("ideal", row) if row[1] in ("over_ideal", "over_nonzero_ideal", "over_ideal_or_1") else None) for row in rows]
    order = {key: i for i, key in enumerate(walks)}
    place = {}
    for key, walk in walks.items():
        walk.cuts = sorted(walk.cuts)
        place[key] = {cut: i for i, cut in enumerate(walk.cuts)}
    columns = []
    for row, key, ideal in joined:
        columns.append((
            row, order[key], 0 if row[0] == "pairs" else place[key][cutoff(row)],
            None if ideal is None else order[ideal], None if ideal is None else place[ideal][cutoff(row)],
        ))
    return list(walks.values()), columns


def cutoff(row):
    return INT64_MAX if row[6] is None else min(row[6], INT64_MAX - 2)


cdef int kind_of(const Py_buffer *b) noexcept:
    """The LabelKind of a buffer's items, or -1."""
    cdef const char *f = b.format
    cdef Py_ssize_t size = b.itemsize
    if f == NULL:
        return -1
    if f[0] == b"@" or f[0] == b"=":
        f += 1
    if f[0] == 0 or f[1] != 0:
        return -1
    if f[0] == b"f" and size == 4:
        return L_FLOAT32
    if f[0] == b"d" and size == 8:
        return L_FLOAT64
    if f[0] == b"e":
        return L_FLOAT16
    if f[0] == b"?" and size == 1:
        return L_UINT8
    if f[0] == b"b" or f[0] == b"h" or f[0] == b"i" or f[0] == b"l" or f[0] == b"q":
        return L_INT8 if size == 1 else L_INT16 if size == 2 else L_INT32 if size == 4 else L_INT64
    if f[0] == b"B" or f[0] == b"H" or f[0] == b"I" or f[0] == b"L" or f[0] == b"Q":
        return L_UINT8 if size == 1 else L_UINT16 if size == 2 else L_UINT32 if size == 4 else L_UINT64
    return -1


cdef class Buffer:
    """A C-contiguous buffer with items of a known kind."""

    cdef Py_buffer view
    cdef bint held
    cdef int kind
    cdef Py_ssize_t n

    def __cinit__(self, source):
        PyObject_GetBuffer(source, &self.view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
        self.held = True
        self.kind = kind_of(&self.view)
        if self.kind < 0:
            raise TypeError(f"no label kind: {self.view.format}")
        self.n = self.view.len // self.view.itemsize

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.view)


cdef class LabelArray:
    """Labels of many lists: dense (flat, beside the scores) or sparse with indptr and indices."""

    cdef Labels labels
    cdef Buffer data
    cdef Buffer indices
    cdef const int64_t[::1] indptr

    def __cinit__(self, data, indices=None, const int64_t[::1] indptr=None, bint checked=False):
        self.data = Buffer(data)
        self.labels.data = <const char *> self.data.view.buf
        self.labels.kind = self.data.kind
        self.labels.checked = checked
        if indices is not None:
            self.indices = Buffer(indices)
            self.indptr = indptr
            self.labels.indices = <const char *> self.indices.view.buf
            self.labels.wide_indices = self.indices.kind == L_INT64
            self.labels.indptr = &indptr[0]
            if self.labels.indices == NULL:
                self.labels.indices = <const char *> &indptr[0]  # sparse, though nothing is stored


cdef class Runs:
    """Complete runs of judged labels per list, prepared once."""

    cdef Prepared prepared
    cdef readonly object first, level, count
    cdef const int64_t[::1] first_view, count_view
    cdef const double[::1] level_view
    cdef readonly Py_ssize_t longest

    def __cinit__(self, first, level, count, Py_ssize_t longest):
        self.first, self.level, self.count, self.longest = first, level, count, longest
        self.first_view, self.level_view, self.count_view = first, level, count
        self.prepared.first = &self.first_view[0]
        self.prepared.level = &self.level_view[0] if self.level_view.shape[0] else NULL
        self.prepared.count = &self.count_view[0] if self.count_view.shape[0] else NULL


cdef inline void want_next(const real *x, const Labels *labels, const int64_t *starts, const int64_t *stops, Py_ssize_t n_lists,
                           Py_ssize_t i, Workspace *ws) noexcept nogil:
    """Let list i be fetched while the one before it is evaluated. The stretches of a long list come by themselves."""
    cdef Py_ssize_t n = stops[i] - starts[i] if i < n_lists else 0
    ws.next.left[0] = ws.next.left[1] = 0
    if n == 0 or n > 2048:
        return
    if labels.indices == NULL:
        ws.next.at[0] = labels.data + starts[i] * label_size(labels.kind)
        ws.next.left[0] = n * label_size(labels.kind)
    if x != NULL:
        ws.next.at[1] = <const char *> (x + starts[i])
        ws.next.left[1] = n * sizeof(real)


cdef void run_lists(const real *x, const Labels *labels, const int64_t *starts, const int64_t *stops, Py_ssize_t n_lists,
                    Py_ssize_t first_index, const Task *task, const Prepared *prepared, const int64_t *tie_keys,
                    Workspace *ws, double *out, Py_ssize_t row_step, Fault *f) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n_lists):
        want_next(x, labels, starts, stops, n_lists, i + 1, ws)
        run_list(x + starts[i] if x != NULL else NULL, stops[i] - starts[i], labels, i, starts[i], first_index + i, task, prepared,
                 tie_keys + starts[i] if tie_keys != NULL else NULL, ws, out + i * row_step, f)
        if f.code:
            return


def evaluate(Plan plan not None, scores, LabelArray labels not None, const int64_t[::1] starts, const int64_t[::1] stops,
             Runs runs, const int64_t[::1] tie_keys, double[:, :] out, Py_ssize_t low, Py_ssize_t high, Py_ssize_t first_index=0):
    """Evaluate lists low .. high-1 into the rows of out; returns None or (fault, list, document, value).

    scores: flat C-contiguous float32 or float64, or None where the order is given. List `low` of these arrays is list
    first_index + low of all, which is how `runs` counts.
    """
    cdef Workspace ws
    cdef Fault f
    cdef Labels mine = labels.labels
    cdef Prepared prepared
    cdef Buffer s = None
    cdef const char *x = NULL
    cdef Py_ssize_t i, longest = 0, n = high - low, judged
    cdef const int64_t *ties = &tie_keys[0] if tie_keys is not None and tie_keys.shape[0] else NULL
    cdef Py_ssize_t row_step = out.strides[0] // <Py_ssize_t> sizeof(double)
    cdef bint single
    if n <= 0 or plan.task.n_columns == 0:
        return None
    if scores is not None:
        s = Buffer(scores)
        x = <const char *> s.view.buf
        if x == NULL or s.n == 0:
            x = <const char *> &starts[0]
    single = s is not None and s.kind == L_FLOAT32
    f.code = NO_FAULT
    f.list = f.doc = 0
    f.value = 0.0
    prepared.first = NULL
    if runs is not None:
        prepared = runs.prepared
        prepared.first += first_index + low
    if mine.indices != NULL:
        mine.indptr += low
    for i in range(low, high):
        longest = max(longest, stops[i] - starts[i])
    judged = runs.longest if runs is not None else longest
    with nogil:
        if not open_workspace(&ws, longest, judged, &plan.task):
            f.code = NO_MEMORY
        else:
            ws.step = out.strides[1] // <Py_ssize_t> sizeof(double)
            if single:
                run_lists(<const float *> x, &mine, &starts[low], &stops[low], n, first_index + low, &plan.task, &prepared, ties, &ws,
                          &out[0, 0], row_step, &f)
            else:
                run_lists(<const double *> x, &mine, &starts[low], &stops[low], n, first_index + low, &plan.task, &prepared, ties, &ws,
                          &out[0, 0], row_step, &f)
            free(ws.block)
    if f.code == NO_FAULT:
        return None
    if f.code == NO_MEMORY:
        raise MemoryError(f"no memory for a list of {longest} documents")
    return FAULTS[f.code], f.list, f.doc, f.value


cdef class Holes:
    """Unjudged documents that might be relevant, of lists that stand in rank order; HoleView says what is what."""

    cdef HoleView view
    cdef const int64_t[::1] indptr, positions, block, size

    def __cinit__(self, const int64_t[::1] indptr, const int64_t[::1] positions, const int64_t[::1] block, const int64_t[::1] size,
                  double top, bint returned):
        self.indptr, self.positions, self.block, self.size = indptr, positions, block, size
        self.view.indptr = &indptr[0]
        self.view.positions = &positions[0] if positions.shape[0] else NULL
        self.view.block = &block[0] if block.shape[0] else NULL
        self.view.size = &size[0] if size.shape[0] else NULL
        self.view.top = top
        self.view.returned = returned


cdef void bound_lists(const real *x, const Labels *labels, const int64_t *starts, const int64_t *stops, Py_ssize_t n_lists,
                      Py_ssize_t first_index, const Task *task, const Prepared *prepared, const HoleView *holes, Workspace *ws,
                      Hits *spare, double *row, double *out, Fault *f) noexcept nogil:
    cdef Py_ssize_t i, n
    for i in range(n_lists):
        n = stops[i] - starts[i]
        if holes == NULL:
            bound_ties(x + starts[i] if x != NULL else NULL, n, labels, i, starts[i], first_index + i, task, prepared, ws, spare, out, f)
        else:
            bound_unjudged(n, labels, i, starts[i], first_index + i, task, prepared, holes, ws, row, out, f)
        out += 3 * task.n_columns
        if f.code:
            return


cdef class Room:
    """Memory for the hits of one more order of a list, and for a row of values."""

    cdef Hits hits
    cdef double *row
    cdef void *block

    def __cinit__(self, Py_ssize_t n, Py_ssize_t columns):
        self.block = malloc(8 * (4 * (n + 2) + columns))
        if self.block == NULL:
            raise MemoryError(f"no memory for a list of {n} documents")
        self.hits.label = <double *> self.block
        self.hits.start = <int64_t *> self.block + (n + 2)
        self.hits.size = self.hits.start + (n + 2)
        self.hits.first = <Py_ssize_t *> self.hits.size + (n + 2)
        self.row = <double *> self.block + 4 * (n + 2)

    def __dealloc__(self):
        free(self.block)


def bound(Plan plan not None, scores, LabelArray labels not None, const int64_t[::1] starts, const int64_t[::1] stops,
          Runs runs, double[:, ::1] out, Py_ssize_t low, Py_ssize_t high, Py_ssize_t first_index=0, Holes holes=None):
    """Bounds of the lists low .. high-1, as `evaluate` takes them; three rows of columns for each list.

    Of a plan that averages ties: the expectation, the worst and the best value over all orders of ties. With `holes` low,
    high, and 1.0 where undefined, over all labels of the unjudged documents. Returns None or (fault, list, document, value).
    """
    cdef Workspace ws
    cdef Fault f
    cdef Labels mine = labels.labels
    cdef Prepared prepared
    cdef Buffer s = None
    cdef const char *x = NULL
    cdef const HoleView *where = &holes.view if holes is not None else NULL
    cdef bint single
    cdef Room room
    cdef Py_ssize_t i, longest = 0, n = high - low
    if n <= 0 or plan.task.n_columns == 0:
        return None
    if scores is not None:
        s = Buffer(scores)
        x = <const char *> s.view.buf
        if x == NULL or s.n == 0:
            x = <const char *> &starts[0]
    single = s is not None and s.kind == L_FLOAT32
    f.code = NO_FAULT
    f.list = f.doc = 0
    f.value = 0.0
    prepared.first = NULL
    if runs is not None:
        prepared = runs.prepared
        prepared.first += first_index + low
    if mine.indices != NULL:
        mine.indptr += low
    for i in range(low, high):
        longest = max(longest, stops[i] - starts[i])
    room = Room(longest, plan.task.n_columns)
    if not open_workspace(&ws, longest, max(longest, runs.longest if runs is not None else 0), &plan.task):
        raise MemoryError(f"no memory for a list of {longest} documents")
    with nogil:
        if single:
            bound_lists(<const float *> x, &mine, &starts[low], &stops[low], n, first_index + low, &plan.task, &prepared, where, &ws,
                        &room.hits, room.row, &out[0, 0], &f)
        else:
            bound_lists(<const double *> x, &mine, &starts[low], &stops[low], n, first_index + low, &plan.task, &prepared, where, &ws,
                        &room.hits, room.row, &out[0, 0], &f)
        free(ws.block)
    return None if f.code == NO_FAULT else (FAULTS[f.code], f.list, f.doc, f.value)


def count_ties(scores, const int64_t[::1] starts, const int64_t[::1] stops, int64_t[:, ::1] out):
    """Per list the documents whose score another one has too, and the different scores of these."""
    cdef Buffer s = Buffer(scores)
    cdef const char *x = <const char *> s.view.buf
    cdef bint single = s.kind == L_FLOAT32
    cdef uint64_t *keys
    cdef Py_ssize_t i, n, longest = 0
    for i in range(starts.shape[0]):
        longest = max(longest, stops[i] - starts[i])
    keys = <uint64_t *> malloc(8 * (3 * longest + 1))
    if keys == NULL:
        raise MemoryError(f"no memory for a list of {longest} documents")
    with nogil:
        for i in range(starts.shape[0]):
            n = stops[i] - starts[i]
            if single:
                tied_documents(<const float *> x + starts[i], n, keys, &out[i, 0])
            else:
                tied_documents(<const double *> x + starts[i], n, keys, &out[i, 0])
        free(keys)


def list_with_tie(scores, const int64_t[::1] starts, const int64_t[::1] stops):
    """The first list in which two documents have one score, or -1."""
    cdef Buffer s = Buffer(scores)
    cdef const char *x = <const char *> s.view.buf
    cdef bint single = s.kind == L_FLOAT32, tie = False
    cdef uint64_t marks[MARKS]
    cdef uint64_t *keys
    cdef Py_ssize_t i, n, longest = 0
    for i in range(starts.shape[0]):
        longest = max(longest, stops[i] - starts[i])
    keys = <uint64_t *> malloc(8 * (3 * longest + 1))
    if keys == NULL:
        raise MemoryError(f"no memory for a list of {longest} documents")
    with nogil:
        for i in range(starts.shape[0]):
            n = stops[i] - starts[i]
            if single:
                tie = has_tie(<const float *> x + starts[i], n, marks, keys)
            else:
                tie = has_tie(<const double *> x + starts[i], n, marks, keys)
            if tie:
                break
        free(keys)
    return i if tie else -1


def rank_lists(scores, const int64_t[::1] starts, const int64_t[::1] stops, int64_t[::1] out):
    """The documents of each list by descending score, equal ones in input order, one list after the other."""
    cdef Buffer s = Buffer(scores)
    cdef const char *x = <const char *> s.view.buf
    cdef bint single = s.kind == L_FLOAT32
    cdef uint64_t *keys
    cdef Py_ssize_t i, n, longest = 0, at = 0
    for i in range(starts.shape[0]):
        longest = max(longest, stops[i] - starts[i])
    keys = <uint64_t *> malloc(8 * (3 * longest + 1))
    if keys == NULL:
        raise MemoryError(f"no memory for a list of {longest} documents")
    with nogil:
        for i in range(starts.shape[0]):
            n = stops[i] - starts[i]
            if n == 0:
                continue
            if single:
                by_score(<const float *> x + starts[i], n, keys, <uint32_t *> (keys + 2 * n), &out[at])
            else:
                by_score(<const double *> x + starts[i], n, keys, <uint32_t *> (keys + 2 * n), &out[at])
            at += n
        free(keys)


def prepare(LabelArray labels not None, const int64_t[::1] starts, const int64_t[::1] stops, int64_t[::1] first, double[::1] level, int64_t[::1] count):
    """Check the labels of every list and write them as complete descending runs; returns None or a fault."""
    cdef Task task
    cdef Workspace ws
    cdef Fault f
    cdef LabelView view
    cdef Py_ssize_t i, j, n, longest = 0, at = 0, n_lists = starts.shape[0]
    memset(&task, 0, sizeof(Task))
    task.needs_ideal = task.needs_full_ideal = True
    task.ideal_depth = INT64_MAX
    task.max_label = INFINITY
    f.code = NO_FAULT
    f.list = f.doc = 0
    for i in range(n_lists):
        longest = max(longest, stops[i] - starts[i])
    if not open_workspace(&ws, longest, longest, &task):
        raise MemoryError(f"no memory for a list of {longest} labels")
    with nogil:
        for i in range(n_lists):
            f.list = i
            n = stops[i] - starts[i]
            if labels.labels.indices != NULL:
                sparse_entries(&labels.labels, i, n, False, &ws.entries, &f)
                if f.code == NO_FAULT:
                    sparse_ideal(&ws.entries, n, &task, &ws, &ws.ideal, &f)
            else:
                view.kind = labels.labels.kind
                view.data = labels.labels.data + starts[i] * label_size(view.kind)
                if not one_level(&view, n, &ws.ideal):
                    own_labels(&view, n, &task, &ws, &f)
            if f.code:
                break
            for j in range(ws.ideal.n_runs):
                level[at] = ws.ideal.level[j]
                count[at] = ws.ideal.count[j]
                at += 1
            first[i + 1] = at
        free(ws.block)
    return None if f.code == NO_FAULT else (FAULTS[f.code], f.list, f.doc, f.value)


def evaluate_one(Plan plan not None, y_true, y_score, double empty):
    """One list of plain arrays and one column, or None where the general way must look."""
    cdef Py_buffer t, s
    cdef Labels labels
    cdef Prepared prepared
    cdef Workspace ws
    cdef Fault f
    cdef Py_ssize_t n
    cdef double value = NAN
    cdef int kind
    try:
        PyObject_GetBuffer(y_true, &t, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
    except (BufferError, ValueError):  # strided, or of a type that buffers do not know
        return None
    try:
        PyObject_GetBuffer(y_score, &s, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
    except (BufferError, ValueError):
        PyBuffer_Release(&t)
        return None
    f.code = NO_FAULT
    labels.kind = kind_of(&t)
    kind = kind_of(&s)
    if <size_t> t.buf % t.itemsize or <size_t> s.buf % s.itemsize:
        f.code = NO_MEMORY
    if t.ndim != 1 or s.ndim != 1 or t.shape[0] != s.shape[0] or labels.kind < 0 or (kind != L_FLOAT32 and kind != L_FLOAT64):
        f.code = NO_MEMORY
    n = t.shape[0] if t.ndim == 1 else 0
    if f.code == NO_FAULT and 0 < n and (plan.reach is None or n <= plan.reach) and open_workspace(&ws, n, n, &plan.task):
        labels.data = <const char *> t.buf
        labels.indices = NULL
        labels.checked = False
        prepared.first = NULL
        if kind == L_FLOAT32:
            run_list(<const float *> s.buf, n, &labels, 0, 0, 0, &plan.task, &prepared, NULL, &ws, &value, &f)
        else:
            run_list(<const double *> s.buf, n, &labels, 0, 0, 0, &plan.task, &prepared, NULL, &ws, &value, &f)
        free(ws.block)
    else:
        f.code = NO_MEMORY
    PyBuffer_Release(&t)
    PyBuffer_Release(&s)
    if f.code != NO_FAULT:
        return None
    return empty if value != value else value


MATCH_FAULTS = {ID_BELOW: "below", ID_BEYOND: "beyond", GAP: "gap", TWICE: "twice"}


cdef bint open_lookup(Lookup *lookup, Py_ssize_t users, Py_ssize_t k, int64_t ids) noexcept nogil:
    """A table of one slot per id where it stays small; its slots count positions over all users."""
    lookup.bits = 0
    lookup.ids = <uint64_t> ids
    if ids <= 4194304 and <double> (users + 1) * (k + 1) < 4294967296.0:
        lookup.slot = <uint32_t *> calloc(ids + 1, sizeof(uint32_t))
        return lookup.slot != NULL
    lookup.bits = 3
    while (1 << lookup.bits) < 2 * k:
        lookup.bits += 1
    lookup.slot = <uint32_t *> malloc((<size_t> 1 << lookup.bits) * sizeof(uint32_t))
    return lookup.slot != NULL


cdef Py_ssize_t match_users(const id_type *rows, Py_ssize_t users, Py_ssize_t k, const wanted_type *wanted, const LabelView *labels,
                            const int64_t *indptr, const Lookup *lookup, int64_t *lengths, int32_t *position, int32_t *match,
                            double *found, int64_t *found_ptr, int *fault, Py_ssize_t *at) noexcept nogil:
    """Returns the user with a fault, or the number of users."""
    cdef Py_ssize_t u, n, m, hits, total = 0
    cdef bint twice = False
    for u in range(users):
        n = row_length(rows + u * k, k, lookup.ids, fault, at)
        m = indptr[u + 1] - indptr[u]
        if fault[0] == MATCHED and lookup.bits:
            hits = match_by_hash(rows + u * k, n, wanted + indptr[u], m, lookup, position + total, match, &twice)
        elif fault[0] == MATCHED:
            hits = match_by_slot(rows + u * k, n, wanted + indptr[u], m, <uint32_t> (u * k + 1), lookup, position + total, match, &twice)
        if twice:
            fault[0] = TWICE
            at[0] = first_repeated(rows + u * k, n)
        if fault[0] != MATCHED:
            return u
        lengths[u] = n
        total += labels_of(labels, indptr[u], hits, position + total, match, found + total)
        found_ptr[u + 1] = total
    return users


def match_topk(const id_type[:, ::1] recommended, const wanted_type[::1] wanted, labels, const int64_t[::1] indptr, int64_t ids,
               Py_ssize_t most, int64_t[::1] lengths, int32_t[::1] position, double[::1] found, int64_t[::1] found_ptr):
    """Where each user's relevant ids stand among the recommended; returns None or (fault, user, place).

    ids: they are below it; most: relevant ids of one user. position and found have room for `most` more than can match.
    """
    cdef Py_ssize_t users = recommended.shape[0], k = recommended.shape[1], at = 0, u
    cdef int fault = MATCHED
    cdef Lookup lookup
    cdef LabelView view
    cdef Buffer data = Buffer(labels)
    cdef int32_t *match = <int32_t *> malloc((most + 1) * sizeof(int32_t))
    view.data = <const char *> data.view.buf
    view.kind = data.kind
    if match == NULL or not open_lookup(&lookup, users, k, ids):
        free(match)
        raise MemoryError("no memory to match ids")
    with nogil:
        u = match_users(&recommended[0, 0] if users and k else NULL, users, k, &wanted[0] if wanted.shape[0] else NULL, &view, &indptr[0],
                        &lookup, &lengths[0] if users else NULL, &position[0], match, &found[0], &found_ptr[0], &fault, &at)
        free(lookup.slot)
        free(match)
    return None if fault == MATCHED else (MATCH_FAULTS[fault], u, at)


# ==== Reading: qrels, runs and their join ====

import re

cimport cython

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_Next
from cpython.exc cimport PyErr_Clear
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcpy, memset

from ._read cimport EXACT, GREATEST_POWER, LEAST_POWER, Powers, hash_bytes, same_bytes
from ._read_lists cimport (
    Ids, Item, JoinScratch, index_list, is_canonical, join_list, join_scratch_free, join_scratch_init, longest_list, sort_hits,
    sort_labels, sort_rows,
)
from ._read_number cimport plain_decimal, read_decimal
from ._read_rows cimport (
    END, HARD_NUMBER, NO_RANK_OR_NO_TAG, NUL_BYTE, ROW, TOO_FEW, TOO_MANY, Row, Scan, line_end,
    next_qrels_row, next_run_row,
)
from ._read_dicts cimport (
    Buckets, DictHit, borrowed_item, compare_strings, count_scores, first_below, float_value, integer_value, is_float,
    is_id, is_plain_integer, sort_hits_by_rank, sort_hits_by_score, thresholds_of, utf8_of,
)
from ._read_gains cimport (
    dcg, ideal_dcg, ndcg, ndcg_at, ndcg_rel, normalized_gain, r_ndcg, rbp, rbp_residual,
)
from ._read_measures cimport (
    NOT_IN_POOL, UNJUDGED, Calculate, LevelGain, Parameters, Ranked, average_precision, average_precision_at,
    binary_g, bpref, eleven_point, inferred_ap, iprec_at_recall, log_average_precision, log_bpref,
    num_nonrel_judged_ret, num_rel, num_rel_ret, num_ret, precision_at, r_precision,
    r_precision_multiples, recall_at, reciprocal_rank, relative_precision_at, set_f, set_map,
    set_precision, set_recall, set_relative_precision, success_at, unjudged_at, utility, yaap,
)
from ._read_stream cimport (
    FoundHits, Group, Judgments, Scratch, group_add, group_clear, group_free, group_init, look_up, scratch_free,
)
from ._read_table cimport (
    Names, Store, add_name, append_bytes, append_word, find, find_name, names_free, names_init,
    release, reserve, slot_value, slots_for,
)

cdef Powers _powers
cdef bint _powers_filled = False


cdef void _fill_powers():
    # Powers of five to 128 bits, rounded up where the reciprocal's error must lie above (Lemire 2021, section 6).
    global _powers_filled
    cdef int n
    cdef object base = 5, five, wide
    if _powers_filled:
        return
    for n in range(LEAST_POWER, GREATEST_POWER + 1):
        five = base ** abs(n)
        if n >= 0:
            wide = five << 128 >> five.bit_length()
        else:
            wide = (1 << (five - 1).bit_length() + 127) // five + (1 if n >= -27 else 0)
        _powers.five[2 * (n - LEAST_POWER)] = wide >> 64
        _powers.five[2 * (n - LEAST_POWER) + 1] = wide & 0xFFFFFFFFFFFFFFFF
    for n in range(23):
        _powers.ten[n] = 10.0 ** n
    for n in range(9):
        _powers.whole[n] = <uint64_t> _powers.ten[n]
    _powers_filled = True


def decimal(bytes text):
    """Return the double of a decimal number as the readers convert it, for tests."""
    cdef bytes padded = text + b"\n" + bytes(16)
    cdef const uint8_t* p = padded
    cdef double value = 0.0
    _fill_powers()
    if plain_decimal(p, &_powers, &value) == p + len(text):
        return value
    if read_decimal(p, p + len(text), &_powers, &value) == EXACT:
        return value
    return _hard_number(text)


cdef double _hard_number(bytes text) except? -1.0:
    # float() takes more than a file should hold.
    cdef double value
    if b"_" in text:
        raise ValueError("not a number")
    try:
        value = float(text)
    except ValueError:
        raise ValueError("not a number") from None
    if value != value:
        raise ValueError("NaN")
    return value


cdef bytes _id_bytes(object key):
    # The bytes by which ids compare; integers as they would stand in a file.
    if isinstance(key, str):
        return key.encode("utf-8", "surrogateescape")
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key).encode()
    if isinstance(key, bytes):
        return key
    raise TypeError(f"an id must be a string or an integer, not {type(key).__name__}")


cdef class Memory:
    """Memory filled by compiled code, read through the buffer protocol."""

    cdef Store store

    def __dealloc__(self):
        release(&self.store)

    def __len__(self):
        return self.store.size

    def __getbuffer__(self, Py_buffer* view, int flags):
        PyBuffer_FillInfo(view, self, self.store.data, self.store.size, 1, flags)

    cdef void take(self, Store* store) noexcept:
        self.store = store[0]
        memset(store, 0, sizeof(Store))


cdef dict _ROW_ERRORS = {
    TOO_FEW: "too few fields",
    TOO_MANY: "too many fields",
    NO_RANK_OR_NO_TAG: "five fields, of which the last is a number: is the rank or the tag missing?",
    NUL_BYTE: "a NUL byte: this is no text file",
}


cdef str _place(Scan* scan, str reason):
    # "line 3: too few fields: '301 Q0'"; the file's name is put before it by who opened it.
    if scan.bad == NULL:
        return reason
    size = min(line_end(scan.bad) - scan.bad, 200)
    text = PyBytes_FromStringAndSize(<char*> scan.bad, size).decode("utf-8", "replace").rstrip()
    return f"line {scan.line}: {reason}: {text!r}"


cdef double _value(Scan* scan, Row* row, str what) except? -1.0:
    # A number that the fast path leaves alone.
    cdef bytes text = PyBytes_FromStringAndSize(<char*> row.number, row.number_size)
    cdef double value
    if scan.as_trec_eval:
        value = _leading_integer(text) if what == "label" else _leading_number(text)
        if value == value:
            return value
    try:
        return _hard_number(text)
    except ValueError as error:
        raise ValueError(_place(scan, f"{error} in place of a {what}")) from None


def _leading_integer(text):
    # C's atol: the digits that the text starts with, 0 if there are none.
    found = re.match(rb"[+-]?[0-9]+", text)
    return max(-(2**63), min(2**63 - 1, int(found[0]))) if found else 0


def _leading_number(text):
    # C's atof: the longest number that the text starts with, 0 if there is none.
    found = re.match(rb"[+-]?0x[0-9a-f]*\.?[0-9a-f]*(p[+-]?[0-9]+)?", text, re.I)
    if found and re.search(rb"x\.?[0-9a-f]", found[0], re.I):
        return float.fromhex(found[0].decode())
    found = re.match(rb"[+-]?(inf(inity)?|nan|([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?)", text, re.I)
    return float(found[0]) if found else 0.0


cdef _finish_block(Scan* scan, int status, bint full):
    if full:
        raise MemoryError
    if status == END:
        return
    if scan.as_trec_eval:
        raise ValueError(f"Malformed line {scan.rows + 1}")
    raise ValueError(_place(scan, _ROW_ERRORS[status]))


cdef list _all_names(const Names* names):
    cdef const int64_t* starts = <const int64_t*> names.starts.data
    cdef int64_t i
    return [
        PyBytes_FromStringAndSize(<char*> names.bytes.data + starts[i], starts[i + 1] - starts[i])
        for i in range(names.count)
    ]


cdef class Rows:
    """The rows of a qrels file or a run as columns, filled block by block."""

    cdef Store ids, starts, values, runs, gaps
    cdef Names names
    cdef Scan scan
    cdef Row row
    cdef int64_t last, gap
    cdef bint qrels, full
    cdef bytes tag

    def __cinit__(self, bint qrels, bint as_trec_eval=False):
        memset(&self.scan, 0, sizeof(Scan))
        _fill_powers()
        self.scan.powers = &_powers
        self.scan.as_trec_eval = as_trec_eval
        self.qrels = qrels
        self.last = -1
        self.tag = b""
        if not names_init(&self.names) or not append_word(&self.starts, 0):
            raise MemoryError

    def __dealloc__(self):
        names_free(&self.names)
        release(&self.ids)
        release(&self.starts)
        release(&self.values)
        release(&self.runs)
        release(&self.gaps)

    def feed(self, const uint8_t[::1] block, Py_ssize_t size):
        """Take the lines of block[:size], which ends with a line feed; sixteen more bytes must be readable."""
        cdef int status
        if size == 0:
            return
        self.scan.at = &block[0]
        self.scan.stop = self.scan.at + size
        while True:
            with nogil:
                status = self._fill()
            if status != HARD_NUMBER:
                break
            self.row.value = _value(&self.scan, &self.row, "label" if self.qrels else "score")
            self._append()
        _finish_block(&self.scan, status, self.full)
        if self.scan.tag != NULL:
            self.tag = PyBytes_FromStringAndSize(<char*> self.scan.tag, self.scan.tag_size)
            self.scan.tag = NULL

    cdef int _fill(self) noexcept nogil:
        cdef int status
        if memchr(self.scan.at, 0, self.scan.stop - self.scan.at) != NULL:
            self.scan.bad = NULL
            return NUL_BYTE
        while not self.full:
            status = next_qrels_row(&self.scan, &self.row) if self.qrels else next_run_row(&self.scan, &self.row)
            if status != ROW:
                return status
            self._append()
        return END

    cdef void _append(self) noexcept nogil:
        cdef Row* row = &self.row
        cdef const int64_t* starts = <const int64_t*> self.names.starts.data
        if not row.same_query and (self.last < 0 or not same_bytes(
            self.names.bytes.data + starts[self.last], starts[self.last + 1] - starts[self.last],
            row.query, row.query_size,
        )):
            self.last = add_name(&self.names, row.query, row.query_size)
            self.full = self.last < 0
            self.full |= not append_word(&self.runs, self.scan.rows - 1) or not append_word(&self.runs, self.last)
        if row.line - self.scan.rows != self.gap:
            self.gap = row.line - self.scan.rows
            self.full |= not append_word(&self.gaps, self.scan.rows - 1) or not append_word(&self.gaps, self.gap)
        self.full |= not (
            append_bytes(&self.ids, row.document, row.document_size)
            and append_word(&self.starts, self.ids.size)
            and append_bytes(&self.values, &row.value, 8)
        )

    def add(self, query_id, dict documents):
        """Take the documents of one query from a dict of numbers."""
        cdef bytes id, query = _id_bytes(query_id), padded = query + bytes(8)
        self.row.query = padded
        self.row.query_size = <uint32_t> len(query)
        if add_name(&self.names, self.row.query, self.row.query_size) < 0:
            raise MemoryError
        for key, value in documents.items():
            id = _id_bytes(key)
            self.row.document = id
            self.row.document_size = <uint32_t> len(id)
            self.row.same_query = False
            self.row.value = value
            if self.row.value != self.row.value:
                raise ValueError(f"query {query_id!r}, document {key!r}: the number is NaN")
            self.scan.rows += 1
            self.row.line = self.scan.rows
            self._append()
            if self.full:
                raise MemoryError

    def names_of_queries(self):
        """The query ids in the order in which they first came, as bytes."""
        return _all_names(&self.names)

    def columns(self):
        """Give away (ids, starts, values, runs, gaps, tag): a run is the first row of adjacent rows of a query, and its number."""
        cdef Memory ids = Memory(), starts = Memory(), values = Memory(), runs = Memory(), gaps = Memory()
        ids.take(&self.ids)
        starts.take(&self.starts)
        values.take(&self.values)
        runs.take(&self.runs)
        gaps.take(&self.gaps)
        return ids, starts, values, runs, gaps, self.tag


def order_lists(
    const double[::1] scores, const uint8_t[::1] ids, const int64_t[::1] id_starts, const int64_t[::1] lists, int64_t[::1] order
):
    """Bring the rows that order holds, list by list, into canonical order; return whether any moved."""
    cdef Ids names
    cdef int64_t i, size, longest = 0
    cdef bint moved = False
    cdef Item* items
    if order.shape[0] == 0:
        return False
    names.bytes = &ids[0]
    names.starts = &id_starts[0]
    for i in range(lists.shape[0] - 1):
        longest = max(longest, lists[i + 1] - lists[i])
    items = <Item*> malloc(2 * longest * sizeof(Item) + 1)
    if items == NULL:
        raise MemoryError
    with nogil:
        for i in range(lists.shape[0] - 1):
            size = lists[i + 1] - lists[i]
            if size > 1 and not is_canonical(&scores[0], &order[lists[i]], size, names):
                moved = True
                sort_rows(&scores[0], &order[lists[i]], size, names, items)
    free(items)
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
    """Where the table of each list starts, in slots; return the number of slots."""
    cdef int64_t i
    starts[0] = 0
    for i in range(lists.shape[0] - 1):
        starts[i + 1] = starts[i] + <int64_t> slots_for(lists[i + 1] - lists[i])
    return starts[lists.shape[0] - 1]


def index_lists(
    const uint8_t[::1] ids, const int64_t[::1] id_starts, const int64_t[::1] lists, uint64_t[::1] slots, const int64_t[::1] starts
):
    """Fill the tables (zeros) of all lists; return None, or (row, earlier row) of a repeated document.

    Of a repeated document the first row is in the table.
    """
    cdef Ids names
    cdef int64_t i, entry, other = 0, first = -1, earlier = -1
    if lists.shape[0] < 2 or id_starts.shape[0] < 2:
        return None
    names.bytes = &ids[0]
    names.starts = &id_starts[0]
    with nogil:
        for i in range(lists.shape[0] - 1):
            entry = index_list(names, lists[i], lists[i + 1] - lists[i], &slots[starts[i]], starts[i + 1] - starts[i] - 1, &other)
            if entry >= 0 and first < 0:
                first = lists[i] + entry
                earlier = lists[i] + other
    return None if first < 0 else (first, earlier)


def first_repeat(const uint8_t[::1] ids, const int64_t[::1] id_starts, const int64_t[::1] lists):
    """Return None, or (row, earlier row) of a document that a list holds twice."""
    cdef Ids names
    cdef int64_t i, entry = -1, other = 0, n = lists.shape[0] - 1
    cdef uint64_t mask
    cdef uint64_t *slots
    if n < 1 or id_starts.shape[0] < 2:
        return None
    names.bytes = &ids[0]
    names.starts = &id_starts[0]
    slots = <uint64_t *> malloc(slots_for(longest_list(&lists[0], n)) * 8)
    if slots == NULL:
        raise MemoryError
    with nogil:
        for i in range(n):
            mask = slots_for(lists[i + 1] - lists[i]) - 1
            memset(slots, 0, (mask + 1) * 8)
            entry = index_list(names, lists[i], lists[i + 1] - lists[i], slots, mask, &other)
            if entry >= 0:
                break
    free(slots)
    return None if entry < 0 else (lists[i] + entry, lists[i] + other)


def mark_repeats(const uint8_t[::1] ids, const int64_t[::1] id_starts, const int64_t[::1] lists, uint8_t[::1] repeated):
    """Mark the rows whose document stood in an earlier row of its list."""
    cdef int64_t i, j, size, place
    cdef uint64_t code, mask
    cdef uint64_t* slots
    if repeated.shape[0] == 0:
        return
    for i in range(lists.shape[0] - 1):
        mask = slots_for(lists[i + 1] - lists[i]) - 1
        slots = <uint64_t*> calloc(mask + 1, 8)
        if slots == NULL:
            raise MemoryError
        with nogil:
            for j in range(lists[i], lists[i + 1]):
                size = id_starts[j + 1] - id_starts[j]
                code = hash_bytes(&ids[0] + id_starts[j], size)
                place = find(slots, mask, code, &ids[0], &id_starts[0], &ids[0] + id_starts[j], size)
                repeated[j] = place >= 0
                if place < 0:
                    slots[-1 - place] = slot_value(code, j)
        free(slots)


def sort_descending(double[::1] values, const int64_t[::1] lists):
    """Sort each list."""
    cdef int64_t i
    with nogil:
        for i in range(lists.shape[0] - 1):
            if lists[i + 1] > lists[i]:
                sort_labels(&values[lists[i]], lists[i + 1] - lists[i])


def hash_ids(const uint8_t[::1] ids, const int64_t[::1] id_starts, uint64_t[::1] codes):
    """The hash of every id."""
    cdef int64_t i
    with nogil:
        for i in range(codes.shape[0]):
            codes[i] = hash_bytes(&ids[0] + id_starts[i], id_starts[i + 1] - id_starts[i])


def join_lists(tuple judged, tuple run, const int64_t[::1] list_of, tuple out):
    """Write the judged documents that each list holds as CSR rows; return how many there are.

    judged: ids, their starts, lists, hashes, labels; run: ids, their starts, lists, tables, where each table
    starts; list_of: the list of each judged query in the run, or -1; out: indptr, indices, labels.
    """
    cdef const uint8_t[::1] judged_ids = judged[0], ids = run[0]
    cdef const int64_t[::1] judged_starts = judged[1], judged_lists = judged[2]
    cdef const uint64_t[::1] codes = judged[3], slots = run[3]
    cdef const double[::1] labels = judged[4]
    cdef const int64_t[::1] id_starts = run[1], lists = run[2], tables = run[4]
    cdef int64_t[::1] indptr = out[0], indices = out[1]
    cdef double[::1] data = out[2]
    cdef Ids theirs, ours
    cdef JoinScratch scratch
    cdef int64_t q, r, j, count, at = 0
    cdef bint empty = judged_ids.shape[0] == 0 or ids.shape[0] == 0
    memset(&ours, 0, sizeof(Ids))
    memset(&theirs, 0, sizeof(Ids))
    if not empty:
        theirs.bytes = &judged_ids[0]
        theirs.starts = &judged_starts[0]
        ours.bytes = &ids[0]
        ours.starts = &id_starts[0]
    if not join_scratch_init(
        &scratch, longest_list(&judged_lists[0], judged_lists.shape[0] - 1), longest_list(&lists[0], lists.shape[0] - 1)
    ):
        join_scratch_free(&scratch)
        raise MemoryError
    indptr[0] = 0
    with nogil:
        for q in range(list_of.shape[0]):
            r = list_of[q]
            if r >= 0 and not empty:
                count = join_list(theirs, judged_lists[q], judged_lists[q + 1], &codes[0], ours, lists[r],
                                  &slots[tables[r]], tables[r + 1] - tables[r] - 1, &scratch, &indices[at])
                count = sort_hits(&indices[at], count, lists[r + 1] - lists[r], &scratch)
                for j in range(at, at + count):
                    data[j] = labels[judged_lists[q] + (indices[j] & <int64_t> 0xFFFFFFFF)]
                    indices[j] >>= 32
                at += count
            indptr[q + 1] = at
    join_scratch_free(&scratch)
    return at


cdef class RunStream:
    """Ranks the documents of a run and looks them up in qrels as it is read, one query at a time.

    A query whose rows come back after another's cannot be ranked in one pass: its number is in `again`, and a
    second stream with only=again takes the rows of those, and holds them all.
    """

    cdef Names names, others   # queries with judgments, and without
    cdef Scan scan
    cdef Row row
    cdef Store last            # id of the query that rows are of
    cdef Group *groups
    cdef Group *group          # where they go, NULL if nowhere
    cdef int64_t *group_of     # of each query when there are several, or -1
    cdef int64_t count, limit
    cdef Scratch scratch
    cdef FoundHits hits
    cdef const uint8_t[::1] ids
    cdef const int64_t[::1] id_starts, lists
    cdef const double[::1] labels
    cdef int64_t[:, ::1] found
    cdef bint full, single
    cdef readonly bytes tag
    cdef readonly dict repeated
    cdef readonly set again

    def __init__(self, list queries, tuple judged, int64_t[:, ::1] found, int64_t limit, bint as_trec_eval, bint single=False, only=()):
        # found gets for each query: documents ranked (-1: not in the run), first hit, number of hits.
        cdef int64_t g = 0
        _fill_powers()
        self.scan.powers = &_powers
        self.scan.as_trec_eval = as_trec_eval
        if not names_init(&self.names) or not names_init(&self.others):
            raise MemoryError
        for query in queries:
            padded = query + bytes(8)
            if add_name(&self.names, padded, len(query)) < 0:
                raise MemoryError
        self.ids, self.id_starts, self.lists, self.labels = judged
        if not join_scratch_init(&self.scratch.join, longest_list(&self.lists[0], self.lists.shape[0] - 1), 0):
            raise MemoryError
        self.found = found
        self.limit = limit
        self.single = single
        self.tag = b""
        self.repeated = {}
        self.again = set()
        self.groups = <Group *> calloc(max(1, len(only)), sizeof(Group))
        if self.groups == NULL:
            raise MemoryError
        self.count = max(1, len(only))
        for g in range(self.count):
            if not group_init(&self.groups[g]):
                raise MemoryError
        if only:
            self.group_of = <int64_t *> malloc(len(queries) * 8)
            if self.group_of == NULL:
                raise MemoryError
            memset(self.group_of, 0xFF, len(queries) * 8)
            for g, q in enumerate(only):
                self.group_of[<int64_t> q] = g
                self.groups[g].query = q

    def __dealloc__(self):
        cdef int64_t g
        for g in range(self.count):
            group_free(&self.groups[g])
        free(self.groups)
        free(self.group_of)
        names_free(&self.names)
        names_free(&self.others)
        scratch_free(&self.scratch)
        release(&self.last)
        release(&self.hits.ranks)
        release(&self.hits.labels)

    def feed(self, const uint8_t[::1] block, Py_ssize_t size):
        """Take the lines of block[:size], which ends with a line feed; sixteen more bytes must be readable."""
        cdef int status
        if size == 0:
            return
        self.scan.at = &block[0]
        self.scan.stop = self.scan.at + size
        while True:
            with nogil:
                status = self._fill()
            if status != HARD_NUMBER:
                break
            self.row.value = _value(&self.scan, &self.row, "score")
            self._take()
        _finish_block(&self.scan, status, self.full)
        if self.scan.tag != NULL:
            self.tag = PyBytes_FromStringAndSize(<char*> self.scan.tag, self.scan.tag_size)
            self.scan.tag = NULL

    def finish(self):
        """Rank what is left; return the ranks and labels of all hits, and the ids of queries without judgments."""
        cdef Memory ranks = Memory(), labels = Memory()
        cdef int64_t g
        with nogil:
            for g in range(self.count):
                self._close(&self.groups[g])
        if self.full:
            raise MemoryError
        ranks.take(&self.hits.ranks)
        labels.take(&self.hits.labels)
        return ranks, labels, _all_names(&self.others)

    @property
    def rows(self):
        """How many rows were read."""
        return self.scan.rows

    cdef int _fill(self) noexcept nogil:
        cdef int status
        if memchr(self.scan.at, 0, self.scan.stop - self.scan.at) != NULL:
            self.scan.bad = NULL
            return NUL_BYTE
        while not self.full:
            status = next_run_row(&self.scan, &self.row)
            if status != ROW:
                return status
            self._take()
        return END

    cdef void _take(self) noexcept nogil:
        if not self.row.same_query and (
            self.scan.rows == 1
            or not same_bytes(self.last.data, self.last.size, self.row.query, self.row.query_size)
        ):
            self._turn()
        if self.single:
            self.row.value = <float> self.row.value
        if self.group != NULL and not group_add(self.group, &self.row):
            self.full = True

    cdef void _turn(self) noexcept nogil:
        # The rows of another query begin.
        cdef int64_t query = find_name(&self.names, self.row.query, self.row.query_size), others = self.others.count
        self.last.size = 0
        self.full |= not append_bytes(&self.last, self.row.query, self.row.query_size)
        if query < 0:
            self.full |= add_name(&self.others, self.row.query, self.row.query_size) < 0
        if self.group_of != NULL:
            self.group = NULL if query < 0 or self.group_of[query] < 0 else &self.groups[self.group_of[query]]
            return
        self._close(&self.groups[0])
        self.group = NULL
        if query >= 0 and self.found[query, 0] >= 0 or (
            query < 0 and self.others.count == others and not self.scan.as_trec_eval
        ):
            with gil:
                self.again.add(query)
        elif query >= 0 or not self.scan.as_trec_eval:
            # Without judgments, only repeated documents are looked for.
            self.group = &self.groups[0]
            self.group.query = query

    cdef void _close(self, Group *group) noexcept nogil:
        cdef Judgments judged
        cdef int64_t repeated = -1, first, ranked, q = group.query
        cdef const int64_t *starts = <const int64_t *> group.starts.data
        if group.size == 0:
            return
        first = self.hits.ranks.size // 8
        memset(&judged, 0, sizeof(Judgments))
        if q >= 0:
            judged.ids.bytes = &self.ids[0]
            judged.ids.starts = &self.id_starts[self.lists[q]]
            judged.size = self.lists[q + 1] - self.lists[q]
            judged.labels = &self.labels[self.lists[q]]
        ranked = look_up(group, &self.scratch, &judged, self.limit, &self.hits, &repeated)
        self.full |= ranked < 0
        if q >= 0:
            self.found[q, 0] = ranked
            self.found[q, 1] = first
            self.found[q, 2] = self.hits.ranks.size // 8 - first
        if repeated >= 0:
            with gil:
                self.repeated[q] = PyBytes_FromStringAndSize(
                    <char*> group.ids.data + starts[repeated], starts[repeated + 1] - starts[repeated]
                )
        group_clear(group)


cdef dict _MEASURES = {}


cdef _register(name, Calculate calculate):
    _MEASURES[name] = <size_t> <void *> calculate


_register("num_ret", num_ret)
_register("num_rel", num_rel)
_register("num_rel_ret", num_rel_ret)
_register("map", average_precision)
_register("gm_map", log_average_precision)
_register("Rprec", r_precision)
_register("bpref", bpref)
_register("recip_rank", reciprocal_rank)
_register("iprec_at_recall", iprec_at_recall)
_register("P", precision_at)
_register("recall", recall_at)
_register("infAP", inferred_ap)
_register("gm_bpref", log_bpref)
_register("Rprec_mult", r_precision_multiples)
_register("utility", utility)
_register("11pt_avg", eleven_point)
_register("binG", binary_g)
_register("G", normalized_gain)
_register("dcg", dcg)
_register("ideal_dcg", ideal_dcg)
_register("ndcg", ndcg)
_register("ndcg_rel", ndcg_rel)
_register("Rndcg", r_ndcg)
_register("ndcg_cut", ndcg_at)
_register("map_cut", average_precision_at)
_register("relative_P", relative_precision_at)
_register("success", success_at)
_register("set_P", set_precision)
_register("set_relative_P", set_relative_precision)
_register("set_recall", set_recall)
_register("set_map", set_map)
_register("set_F", set_f)
_register("num_nonrel_judged_ret", num_nonrel_judged_ret)
_register("yaap", yaap)
_register("rbp", rbp)
_register("rbp_resid", rbp_residual)
_register("unj", unjudged_at)


cdef class RankedLists:
    """trec_eval's measures of the lists that a stream found, one list at a time."""

    cdef Ranked ranked
    cdef Store rel, at_level, gains
    cdef Parameters *parameters
    cdef Calculate *calculate
    cdef int64_t *width
    cdef int64_t measures, spare
    cdef bint judged_only
    cdef list arrays

    def __init__(self, list measures, int64_t level, int64_t collection, bint judged_only):
        # measures: (name, whole numbers, real numbers, p, number of values) of each.
        cdef const int64_t[::1] whole
        cdef const double[::1] real
        cdef int64_t m
        self.ranked.level = level
        self.ranked.collection = collection
        self.judged_only = judged_only
        self.measures = len(measures)
        self.parameters = <Parameters *> calloc(self.measures + 1, sizeof(Parameters))
        self.calculate = <Calculate *> calloc(self.measures + 1, sizeof(Calculate))
        self.width = <int64_t *> calloc(self.measures + 1, 8)
        if self.parameters == NULL or self.calculate == NULL or self.width == NULL:
            raise MemoryError
        self.arrays = measures
        for m in range(self.measures):
            name, whole, real, p, width = measures[m]
            self.calculate[m] = <Calculate> <void *> <size_t> _MEASURES[name]
            self.parameters[m].count = max(whole.shape[0], real.shape[0])
            self.parameters[m].whole = &whole[0] if whole.shape[0] else NULL
            self.parameters[m].real = &real[0] if real.shape[0] else NULL
            self.parameters[m].p = p
            self.width[m] = width
            self.spare = max(self.spare, self.parameters[m].count)

    def __dealloc__(self):
        free(self.parameters)
        free(self.calculate)
        free(self.width)
        release(&self.rel)
        release(&self.at_level)
        release(&self.gains)

    def evaluate(
        self, const int64_t[::1] order, const int64_t[:, ::1] found, const int64_t[::1] ranks, const double[::1] labels,
        const double[::1] judged, const int64_t[::1] judged_lists, double[:, ::1] out,
    ):
        """Write the values of the queries into the rows of out (zeros), in the order given.

        found: documents ranked, first hit, hits; judged: all labels of each query, descending. Returns how many
        queries were done: the program ends at one without a label from 0 on, unless another came before it.
        """
        cdef int64_t i, q
        cdef int status = 0
        cdef const double *none = NULL
        with nogil:
            for i in range(order.shape[0]):
                q = order[i]
                status = self._lay(
                    found[q, 0], &ranks[0] + found[q, 1] if found[q, 2] else NULL,
                    &labels[0] + found[q, 1] if found[q, 2] else none, found[q, 2],
                    &judged[judged_lists[q]], judged_lists[q + 1] - judged_lists[q],
                )
                if status:
                    break
                if out.shape[1] > 0:
                    self._calculate(&out[q, 0])
            else:
                i = order.shape[0]
        if status == 2:
            raise MemoryError
        return i

    cdef int _lay(
        self, int64_t ranked, const int64_t *ranks, const double *labels, int64_t hits, const double *judged, int64_t size
    ) noexcept nogil:
        # 1 if the program ends here, 2 if there is no memory.
        cdef int64_t i, rank, label, at = 0, greatest = <int64_t> judged[0]
        cdef int64_t *rel
        cdef int64_t *at_level
        cdef Ranked *r = &self.ranked
        r.num_rel = 0
        if greatest >= 0:
            self.at_level.size = 0
            if not reserve(&self.at_level, (greatest + 1) * 8):
                return 2
            memset(self.at_level.data, 0, (greatest + 1) * 8)
            r.levels = greatest + 1
            at_level = <int64_t *> self.at_level.data
            r.at_level = at_level
            for i in range(size):
                label = <int64_t> judged[i]
                if label < 0:
                    break
                at_level[label] += 1
                r.num_rel += label >= r.level
        elif r.levels == 0:
            return 1
        self.rel.size = 0
        self.gains.size = 0
        if not reserve(&self.rel, max(ranked, 0) * 8 + 8) or not reserve(&self.gains, 2 * (r.levels + self.spare + 1) * sizeof(LevelGain)):
            return 2
        r.gains = <LevelGain *> self.gains.data
        rel = <int64_t *> self.rel.data
        r.rel = rel
        r.rel_ret = 0
        r.unjudged = 0
        for i in range(hits):
            rank = ranks[i]
            label = <int64_t> labels[i]
            if label < 0:
                label = UNJUDGED
                r.unjudged += 1
                if self.judged_only:
                    continue
            else:
                r.rel_ret += label >= r.level
            if self.judged_only:
                rel[at] = label
                at += 1
                continue
            while at < rank:
                rel[at] = NOT_IN_POOL
                at += 1
            rel[at] = label
            at += 1
        while not self.judged_only and at < ranked:
            rel[at] = NOT_IN_POOL
            at += 1
        r.ret = at if self.judged_only else ranked
        r.not_in_pool = 0 if self.judged_only else ranked - hits
        if self.judged_only:
            r.unjudged = 0
        return 0

    cdef void _calculate(self, double *out) noexcept nogil:
        cdef int64_t m, at = 0
        for m in range(self.measures):
            self.calculate[m](&self.ranked, &self.parameters[m], &out[at])
            at += self.width[m]


cdef class DictJoin:
    """Joins labels with dicts of scores, query by query; no id is hashed anew, no string made.

    All ids are strings, or all are integers.
    """

    cdef Buckets buckets
    cdef Store hits, thresholds, above, equal, scores, keys, judged_keys, judged_labels
    cdef Store ranks, labels, judged, documents, hit_counts, judged_counts
    cdef const double[::1] known_labels
    cdef bint of_integers, single

    def __cinit__(self, bint of_integers=False, bint single=False, const double[::1] known_labels=None):
        self.of_integers = of_integers
        self.single = single  # scores are compared in single precision
        self.known_labels = known_labels

    def __dealloc__(self):
        release(&self.hits)
        release(&self.thresholds)
        release(&self.above)
        release(&self.equal)
        release(&self.scores)
        release(&self.keys)
        release(&self.judged_keys)
        release(&self.judged_labels)
        release(&self.ranks)
        release(&self.labels)
        release(&self.judged)
        release(&self.documents)
        release(&self.hit_counts)
        release(&self.judged_counts)

    def add(self, dict judged, dict documents):
        """Take a query: labels, and scores (None: not in the run). False: not of the kind that is handled here."""
        with cython.critical_section(judged, documents):
            return self._take_judged(judged) and self._join(documents, len(judged)) and self._keep_judged(len(judged))

    def add_known(self, list ids, Py_ssize_t first, dict documents):
        """Take a query as `add` does, whose judged ids are as they should be; their labels are known from `first` on."""
        cdef Py_ssize_t i, size = len(ids)
        if not reserve(&self.judged_keys, size * sizeof(void *)) or not reserve(&self.judged_labels, size * 8):
            raise MemoryError
        for i in range(size):
            (<PyObject **> self.judged_keys.data)[i] = <PyObject *> ids[i]
            (<double *> self.judged_labels.data)[i] = self.known_labels[first + i]
        with cython.critical_section(documents):
            return self._join(documents, size)

    def reads(self, dict documents):
        """Whether these scores, of a query without judgments, are of the kind that is handled here."""
        with cython.critical_section(documents):
            return self._take_scores(documents)

    def columns(self):
        """Give away (documents of each query or -1, hits, judgments, ranks, labels of hits, labels of all)."""
        cdef list columns = [Memory() for _ in range(6)]
        (<Memory> columns[0]).take(&self.documents)
        (<Memory> columns[1]).take(&self.hit_counts)
        (<Memory> columns[2]).take(&self.judged_counts)
        (<Memory> columns[3]).take(&self.ranks)
        (<Memory> columns[4]).take(&self.labels)
        (<Memory> columns[5]).take(&self.judged)
        return columns

    cdef bint _join(self, dict documents, Py_ssize_t size) except -1:
        # No Python code may run from the first borrowed reference to the last. The walk brings all of the dict
        # near before it is looked into.
        cdef int64_t count = 0, i
        cdef DictHit *hits
        if not reserve(&self.hits, size * sizeof(DictHit)):
            raise MemoryError
        if documents is not None:
            if not self._take_scores(documents) or not self._look_up(documents, size, &count):
                return False
            if count and not self._rank(len(documents), count):
                return False
        hits = <DictHit *> self.hits.data
        for i in range(count):
            if not append_word(&self.ranks, hits[i].rank) or not append_bytes(&self.labels, &hits[i].label, 8):
                raise MemoryError
        if not append_word(&self.documents, -1 if documents is None else len(documents)) or not append_word(&self.hit_counts, count):
            raise MemoryError
        return True

    cdef bint _keep_judged(self, Py_ssize_t size) except -1:
        cdef double *labels = <double *> self.judged_labels.data
        sort_labels(labels, size)
        if not append_bytes(&self.judged, labels, size * 8) or not append_word(&self.judged_counts, size):
            raise MemoryError
        return True

    cdef bint _take_judged(self, dict judged) except -1:
        cdef PyObject *key
        cdef PyObject *value
        cdef Py_ssize_t at = 0, n = 0, size = len(judged)
        cdef double *labels
        cdef PyObject **keys
        if not reserve(&self.judged_keys, size * sizeof(void *)) or not reserve(&self.judged_labels, size * 8):
            raise MemoryError
        labels = <double *> self.judged_labels.data
        keys = <PyObject **> self.judged_keys.data
        while PyDict_Next(judged, &at, &key, &value):
            if n == size or not is_id(self.of_integers, key) or not _read_plain(value, &labels[n]):
                return False
            if not -INFINITY < labels[n] < INFINITY:
                return False
            keys[n] = key
            n += 1
        return n == size

    cdef bint _look_up(self, dict documents, Py_ssize_t size, int64_t *count) except -1:
        # All keys are plain, so looking one up runs no Python code.
        cdef PyObject *score
        cdef PyObject **keys = <PyObject **> self.judged_keys.data
        cdef double *labels = <double *> self.judged_labels.data
        cdef DictHit *hits = <DictHit *> self.hits.data
        cdef Py_ssize_t i
        for i in range(size):
            score = borrowed_item(documents, keys[i])
            if score == NULL:
                continue
            if not _read_plain(score, &hits[count[0]].score):
                return False
            if self.single:
                hits[count[0]].score = <float> hits[count[0]].score
            hits[count[0]].label = labels[i]
            hits[count[0]].key = keys[i]
            count[0] += 1
        return True

    cdef bint _take_scores(self, dict documents) except -1:
        # References first, then what they refer to: the processor fetches many floats at a time.
        cdef PyObject *key
        cdef PyObject *value
        cdef Py_ssize_t at = 0, i, n = 0, size = len(documents)
        cdef PyObject **keys
        cdef PyObject **values
        cdef double *scores
        cdef double score
        if not reserve(&self.scores, size * 8) or not reserve(&self.keys, 2 * size * sizeof(void *)):
            raise MemoryError
        keys = <PyObject **> self.keys.data
        values = keys + size
        scores = <double *> self.scores.data
        while PyDict_Next(documents, &at, &key, &value):
            if n == size:
                return False
            keys[n] = key
            values[n] = value
            n += 1
        if n < size:
            return False
        for i in range(size):
            if not is_id(self.of_integers, keys[i]):
                return False
            if not is_float(values[i]):
                if not _read_plain(values[i], &scores[i]):
                    return False
                continue
            score = float_value(values[i])
            if score != score:
                return False
            scores[i] = score
        if self.single:
            for i in range(size):
                scores[i] = <float> scores[i]
        return True

    cdef bint _rank(self, Py_ssize_t size, int64_t count) except -1:
        cdef DictHit *hits = <DictHit *> self.hits.data
        cdef double *thresholds
        cdef int64_t *above
        cdef int64_t *equal
        cdef int64_t i, t = 0, distinct, room = (count + 1) * 8
        cdef bint tied
        if not reserve(&self.thresholds, room) or not reserve(&self.above, room) or not reserve(&self.equal, room):
            raise MemoryError
        thresholds = <double *> self.thresholds.data
        above = <int64_t *> self.above.data
        equal = <int64_t *> self.equal.data
        sort_hits_by_score(hits, count)
        distinct = thresholds_of(hits, count, thresholds)
        tied = count_scores(<double *> self.scores.data, size, thresholds, distinct, above, equal, &self.buckets)
        for i in range(count):
            t += i > 0 and hits[i].score != hits[i - 1].score
            hits[i].rank = above[t]
        if tied:
            if not self._rank_ties(size, count, thresholds, distinct, equal):
                return False
            sort_hits_by_rank(hits, count)
        return True

    cdef bint _rank_ties(
        self, int64_t size, int64_t count, const double *thresholds, int64_t distinct, const int64_t *equal
    ) except -1:
        # Among equal scores, by descending id: code points compare as the bytes of UTF-8 do.
        cdef DictHit *hits = <DictHit *> self.hits.data
        cdef const double *scores = <const double *> self.scores.data
        cdef PyObject **keys = <PyObject **> self.keys.data
        cdef int64_t *first = <int64_t *> self.above.data  # was used; now the first hit of each threshold
        cdef int64_t i, at = 0, j
        if self.of_integers:  # as text 9 stands above 10
            return False
        for i in range(count):
            if i == 0 or hits[i].score != hits[i - 1].score:
                first[at] = i
                at += 1
        first[distinct] = count
        for i in range(size):
            at = first_below(scores[i], thresholds, distinct) - 1
            if at < 0 or thresholds[at] != scores[i] or equal[at] < 2:
                continue
            if not is_utf8(keys[i]):  # escaped bytes stand above all code points
                return False
            for j in range(first[at], first[at + 1]):
                hits[j].rank += compare_strings(keys[i], hits[j].key) > 0
        return True


def plain_numbers(dict numbers):
    """The same numbers as floats; TypeError or OverflowError where one is none."""
    cdef double number
    cdef dict plain = {}
    for key, value in numbers.items():
        number = value
        plain[key] = number
    return plain


cdef bint is_utf8(PyObject *text):
    if utf8_of(text, NULL) != NULL:
        return True
    PyErr_Clear()
    return False


cdef bint _read_plain(PyObject *value, double *number) except -1:
    # A number whose reading runs no Python code.
    if is_float(value):
        number[0] = float_value(value)
        return True
    if is_plain_integer(value):
        number[0] = integer_value(value)
        return True
    return False
