"""Evaluate lists without the GIL: values, label runs, and shorter functions for one list and for rows of a matrix."""

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from libc.math cimport INFINITY, NAN
from libc.stdint cimport INT64_MAX, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..simd.wide cimport bits_trailing_zeros, wide_best, wide_level
from .arrays cimport Buffer, LabelArray, Runs, kind_of
from .hits.labels cimport *
from .hits.ties cimport order_blocks
from .plan cimport HOLD_GIL_UP_TO, Plan
from .types cimport *
from .values.ideal cimport count_in_runs
from .values.one_list cimport open_workspace, ideal_of_runs, read_labels, run_list, run_ranked, value_hits
from .values.repeated cimport KEYS_AT_ONCE, NO_KEY, Repeated, find_keys, keep_row, open_repeated, take_repeated
from .watch cimport must_end, open_watch

from array import array

from .. import simd

wide_level = simd.selected(wide_best())
SIMD = simd.PATHS[wide_level]

FAULTS = {
    NAN_SCORE: "nan_score", BAD_LABEL: "bad_label", NEGATIVE_LABEL: "label_negative", LABEL_ABOVE_MAX: "label_above_max",
    WIDE_INTEGER: "wide_integer", GAIN_OVERFLOW: "gain_overflow", FEWER_JUDGED: "fewer_judged",
    BAD_INDEX: "bad_index", REPEATED_INDEX: "repeated_index", NO_WALK: "no_walk", NO_FINISH: "no_finish",
}

RANKERS = {
    BY_GIVEN: "given", BY_SELECT: "select", BY_GATHER: "gather", BY_COUNT: "count", BY_SORT: "sort", BY_STRADDLE: "straddle",
}

# What `evaluate` returns: some value is undefined, some dense label that this call checked is negative.
UNDEFINED, NEGATIVE = 1, 2


cdef object fault_of(const Fault *f):
    return FAULTS[f.code], f.list, f.doc, f.value


cdef void write_values(const Task *task, const Ideal *ideal, Workspace *ws, double *out, Fault *f) noexcept nogil:
    """`value_hits`, compiled once, here, for `bounds.pyx`."""
    value_hits(task, ideal, ws, out, f)


cdef void run_lists(const CallLists *call, const real *x, const Task *task, const int64_t *tie_keys, Workspace *ws, double *out,
                    Py_ssize_t row_step, Fault *f) noexcept nogil:
    """The lists of a call, whose scores are x.

    While one is evaluated, the one after the next is fetched; tiny lists, and the rest of a long one, the processor fetches by itself.
    """
    cdef const int64_t *starts = call.starts
    cdef const real *scores
    cdef const int64_t *keys
    cdef const int64_t *places
    cdef Py_ssize_t i, n, size = label_size(call.labels.kind)
    for i in range(call.n):
        n = call.stops[i + 2] - starts[i + 2] if i + 2 < call.n else 0
        ws.next.left[0] = ws.next.left[1] = 0
        if 128 <= n <= 4096:
            if call.labels.indices == NULL:
                ws.next.at[0] = call.labels.data + starts[i + 2] * size
                ws.next.left[0] = n * size
            if x != NULL:
                ws.next.at[1] = <const char *> (x + starts[i + 2])
                ws.next.left[1] = n * sizeof(real)
            ws.next.portion = (ws.next.left[0] + ws.next.left[1]) // 8
        scores = x + starts[i] if x != NULL else NULL
        keys = tie_keys + starts[i] if tie_keys != NULL else NULL
        places = call.places + starts[i] if call.places != NULL else NULL
        run_list(scores, call.stops[i] - starts[i], &call.labels, i, starts[i], call.index + i, task, &call.label_runs, keys, places, ws,
                 out + i * row_step, f)
        if f.code:
            return


cdef void run_ranked_lists(const CallLists *call, const Task *task, Workspace *ws, double *out, Py_ssize_t row_step, Fault *f) noexcept nogil:
    """Lists whose hits are stored in rank order; values of repeated lists are copied."""
    cdef const Labels *labels = &call.labels
    cdef const LabelRuns *label_runs = &call.label_runs
    cdef Repeated repeated
    cdef Ideal ideal
    cdef Py_ssize_t i, n
    cdef Hits *hits = &ws.hits
    cdef uint64_t left, key = <uint64_t> NO_KEY
    open_repeated(&repeated, task, labels, call.longest, call.n)
    for i in range(call.n):
        if repeated.bits:
            if i % KEYS_AT_ONCE == 0:
                if must_end(&ws.watch, KEYS_AT_ONCE, False):
                    fault(f, ENDED, 0, 0.0)
                    break
                find_keys(&repeated, labels, label_runs, call.starts, call.stops, i, call.n)
            key = repeated.next[i % KEYS_AT_ONCE]
            # A stored row needs neither f.list nor ws.undefined: it had no fault, and set `undefined` when it was computed.
            if key != <uint64_t> NO_KEY and take_repeated(&repeated, key, out + i * row_step, ws.step):
                continue
        n = call.stops[i] - call.starts[i]
        f.list = call.index + i
        if must_end(&ws.watch, n, task.slow):
            fault(f, ENDED, 0, 0.0)
            break
        ideal = ideal_of_runs(label_runs, i)
        if key == <uint64_t> NO_KEY:
            run_ranked(n, labels, i, task, &ideal, ws, out + i * row_step, f)
        else:
            count_in_runs(&ideal, task, ws.relevant)
            # The bits of the key are the ranks of its hits, so the stored hits are not read.
            left = <uint32_t> key
            hits.n_docs = n
            hits.n_blocks = 0
            hits.label = repeated.level
            hits.start = repeated.rank
            while left:
                repeated.rank[hits.n_blocks] = bits_trailing_zeros(left)
                left &= left - 1
                hits.n_blocks += 1
            value_hits(task, &ideal, ws, out + i * row_step, f)
            keep_row(&repeated, key, out + i * row_step, ws.step)
        if f.code:
            break
    free(repeated.key)


cdef class Stop:
    """A signal to calls in other threads to end at their next list."""

    def set(self):
        self.is_set = True


cdef int raise_pending(const int *stop) except -1:
    """Always raise: InterruptedError if the call was stopped, else what the handler of the signal raised."""
    if stop != NULL and stop[0]:
        raise InterruptedError("stopped")
    return -1  # with the exception that stands


cdef int64_t deepest_place(LabelArray labels, const int64_t[::1] starts, const int64_t[::1] stops, const int64_t[::1] places, Py_ssize_t low,
                           Py_ssize_t high) except -1:
    """Check that the places of each list rise from 0 or more, so that none is outside of a table of weights; returns the deepest, from 1."""
    cdef Py_ssize_t i, j
    cdef int64_t last, deepest = 0
    if labels.labels.sizes != NULL:
        raise ValueError("hits whose ranks were counted have their places already")
    for i in range(low, high):
        if stops[i] > places.shape[0]:
            raise IndexError(f"list {i} is {starts[i]} .. {stops[i]} of {places.shape[0]} places")
        last = -1
        for j in range(starts[i], stops[i]):
            if places[j] <= last:
                raise IndexError(f"list {i}: place {places[j]} follows place {last}")
            last = places[j]
        deepest = max(deepest, last + 1)
    return deepest


cdef Buffer open_call_lists(CallLists *call, Plan plan, object scores, LabelArray labels, Runs runs, const int64_t[::1] starts,
                            const int64_t[::1] stops, Py_ssize_t low, Py_ssize_t high, Py_ssize_t first_index, Py_ssize_t more,
                            const int64_t[::1] places=None):
    """Check that the lists of a call, at least one, are inside its arrays, and fill `call`, which the kernels read; returns the object
    that owns the scores. more: documents beyond those of the arrays that the ideal of a list may have."""
    cdef Buffer s = Buffer(scores) if scores is not None else None
    cdef Py_ssize_t i, n = s.n if s is not None else INT64_MAX
    cdef Py_ssize_t documents = 0, entries = 0  # of the longest list
    cdef Py_ssize_t judged = runs.longest if runs is not None else 0
    cdef int64_t deepest = 0
    if low < 0 or high > starts.shape[0] or high > stops.shape[0]:
        raise IndexError(f"lists {low} .. {high - 1} of {starts.shape[0]}")
    if labels.indices is None:
        n = min(n, labels.data.n)
    elif high >= labels.indptr.shape[0]:
        raise IndexError(f"list {high - 1} of {labels.indptr.shape[0] - 1} rows of labels")
    if runs is not None and first_index + high >= runs.first_view.shape[0]:
        raise IndexError(f"list {first_index + high - 1} of {runs.first_view.shape[0] - 1} judged ones")
    for i in range(low, high):
        documents = max(documents, stops[i] - starts[i])
        if starts[i] < 0 or stops[i] < starts[i] or stops[i] > n:
            raise IndexError(f"list {i} is {starts[i]} .. {stops[i]} of {n} documents")
    call.places = NULL
    if places is not None:
        deepest = deepest_place(labels, starts, stops, places, low, high)
        call.places = &places[0] if places.shape[0] else NULL
    deepest = max(documents, judged, deepest) + more
    if plan.table_size is not None and deepest > plan.table_size:
        raise IndexError(f"weights of {plan.table_size} ranks for {deepest}")
    if labels.labels.sizes != NULL:
        if runs is None:
            raise ValueError("hits whose ranks were counted need their judged labels")
        for i in range(low, high):
            entries = max(entries, labels.indptr[i + 1] - labels.indptr[i])
        call.longest = entries  # workspaces need space for hits only
    else:
        call.longest = documents
    call.judged = max(call.longest, judged)
    call.x = NULL
    call.single = s is not None and s.kind == L_FLOAT32
    if s is not None:
        call.x = <const char *> s.view.buf if s.n else <const char *> &starts[0]  # NULL is for no scores
    call.labels = labels.labels
    if call.labels.indices != NULL:
        call.labels.indptr += low
    if call.labels.rank_bits != NULL:
        call.labels.rank_bits += low
    call.label_runs.first = NULL
    if runs is None:  # the ideal and R come with the check of the labels
        call.labels.checked = call.labels.ranked = False
    else:
        call.label_runs = runs.label_runs
        call.label_runs.first += first_index + low
    call.starts = &starts[low]
    call.stops = &stops[low]
    call.n = high - low
    call.index = first_index + low
    return s


cdef void run_call_lists(const CallLists *call, const Task *task, const int64_t *tie_keys, Workspace *ws, double *out, Py_ssize_t row_step,
                         Fault *f) noexcept nogil:
    cdef Py_ssize_t i
    # The hits are read where they are stored, and no list has ties: `first` and `size` are the same for all lists of the call, and are filled
    # only here. `label` and `start` will point to the stored hits.
    if call.labels.ranked and call.labels.sizes == NULL and call.places == NULL:
        ws.hits.untied = True
        for i in range(call.longest + 1):
            ws.hits.first[i] = i
            ws.hits.size[i] = 1
    if call.labels.ranked and call.label_runs.first != NULL and call.places == NULL:
        run_ranked_lists(call, task, ws, out, row_step, f)
    elif call.single:
        run_lists(call, <const float *> call.x, task, tie_keys, ws, out, row_step, f)
    else:
        run_lists(call, <const double *> call.x, task, tie_keys, ws, out, row_step, f)


cdef const int64_t *open_tie_keys(const int64_t[::1] tie_keys, const int64_t[::1] stops, Py_ssize_t low, Py_ssize_t high) except? NULL:
    """The keys by which ties are broken, or NULL for none; the lists must be inside of them, too."""
    cdef Py_ssize_t i
    if tie_keys is None or tie_keys.shape[0] == 0:
        return NULL
    for i in range(low, high):
        if stops[i] > tie_keys.shape[0]:
            raise IndexError(f"list {i} ends at {stops[i]}, but there are {tie_keys.shape[0]} tie keys")
    return &tie_keys[0]


def evaluate(Plan plan not None, scores, LabelArray labels not None, const int64_t[::1] starts, const int64_t[::1] stops,
             Runs runs, const int64_t[::1] tie_keys, double[:, :] out, Py_ssize_t low, Py_ssize_t high, Py_ssize_t first_index=0,
             Stop stop=None, const int64_t[::1] places=None, Py_ssize_t offset=0):
    """Evaluate lists low .. high-1 into the rows of out; returns flags (UNDEFINED, NEGATIVE), or (fault, list, document, value).

    scores: flat C-contiguous float32 or float64, or None where the order is given. List `low` of these arrays is list
    first_index + low of all, which is how `runs` counts. places: beside the scores, of the rows of each list by rank, from 0 and rising;
    None: they have no gaps. offset: lists of the call before all of these; faults and random orders of ties count from there.
    """
    cdef const int *stop_flag = &stop.is_set if stop is not None else NULL
    cdef CallLists call
    cdef Workspace ws
    cdef Fault f
    cdef Buffer _kept
    cdef const int64_t *ties
    if high <= low or plan.task.n_columns == 0:
        return 0
    _kept = open_call_lists(&call, plan, scores, labels, runs, starts, stops, low, high, first_index, 0, places)
    ties = open_tie_keys(tie_keys, stops, low, high)
    call.index += offset
    memset(&f, 0, sizeof(Fault))
    if not open_workspace(&ws, call.longest, call.judged, &plan.task):
        raise MemoryError(f"no memory for a list of {call.longest} documents")
    open_watch(&ws.watch, stop_flag)
    ws.step = out.strides[1] // <Py_ssize_t> sizeof(double)
    with nogil:
        run_call_lists(&call, &plan.task, ties, &ws, &out[0, 0], out.strides[0] // <Py_ssize_t> sizeof(double), &f)
        free(ws.block)
    if f.code == ENDED:
        raise_pending(stop_flag)
    if f.code:
        return fault_of(&f)
    return UNDEFINED * ws.undefined | NEGATIVE * ws.negative


def hits(Plan plan not None, scores, LabelArray labels not None, const int64_t[::1] starts, const int64_t[::1] stops,
         Runs runs, const int64_t[::1] tie_keys, Py_ssize_t index):
    """For tests: the rankers that list `index` goes through (none where its hits are stored in rank order) and its hits, or a fault."""
    cdef CallLists call
    cdef Workspace ws
    cdef Fault f
    cdef Buffer _kept = open_call_lists(&call, plan, scores, labels, runs, starts, stops, index, index + 1, 0, 0)
    cdef const int64_t *ties = open_tie_keys(tie_keys, stops, index, index + 1)
    cdef double[::1] out = array("d", [0.0] * (plan.task.width + 1))
    cdef Py_ssize_t b, j
    memset(&f, 0, sizeof(Fault))
    if not open_workspace(&ws, call.longest, call.judged, &plan.task):
        raise MemoryError(f"no memory for a list of {call.longest} documents")
    try:
        run_call_lists(&call, &plan.task, ties, &ws, &out[0], 1, &f)
        if f.code:
            return fault_of(&f)
        if plan.task.ties == BEST or plan.task.ties == WORST:
            order_blocks(&ws.hits, &plan.task.tie_gain, plan.task.ties == BEST, &ws.ordered)
            ws.hits = ws.ordered
        # Of each block the first rank from 0, the documents and the labels of the hits.
        return [name for bit, name in RANKERS.items() if ws.rankers & bit], [
            (ws.hits.start[b], ws.hits.size[b], [ws.hits.label[j] for j in range(ws.hits.first[b], ws.hits.first[b + 1])])
            for b in range(ws.hits.n_blocks)
        ]
    finally:
        free(ws.block)


def prepare(LabelArray labels not None, const int64_t[::1] starts, const int64_t[::1] stops, int64_t[::1] first, double[::1] level, int64_t[::1] count):
    """Check the labels of every list and write them as complete descending runs; returns None or a fault."""
    cdef Task task
    cdef Workspace ws
    cdef Fault f
    cdef LabelView view
    cdef Py_ssize_t i, j, n, longest = 0, n_runs = 0, n_lists = starts.shape[0]
    memset(&task, 0, sizeof(Task))
    task.needs_ideal = task.needs_full_ideal = True
    task.ideal_depth = INT64_MAX
    task.max_label = INFINITY
    memset(&f, 0, sizeof(Fault))
    for i in range(n_lists):
        longest = max(longest, stops[i] - starts[i])
    if not open_workspace(&ws, longest, longest, &task):
        raise MemoryError(f"no memory for a list of {longest} labels")
    with nogil:
        for i in range(n_lists):
            f.list = i
            n = stops[i] - starts[i]
            if must_end(&ws.watch, n, False):
                fault(&f, ENDED, 0, 0.0)
                break
            read_labels(&labels.labels, i, starts[i], n, &task, &view, &ws, &f)
            if f.code:
                break
            for j in range(ws.ideal.n_runs):
                level[n_runs] = ws.ideal.level[j]
                count[n_runs] = ws.ideal.count[j]
                n_runs += 1
            first[i + 1] = n_runs
        free(ws.block)
    if f.code == ENDED:
        raise_pending(NULL)
    return None if f.code == NO_FAULT else fault_of(&f)


cdef bint plain_pair(y_true, y_score, int ndim, Plan plan, Py_buffer *t, Py_buffer *s, Labels *labels, int *kind) except -1:
    """Take the buffers of labels and scores; False for others than the core reads as they are."""
    if plan.task.n_columns != 1:
        return False
    try:
        PyObject_GetBuffer(y_true, t, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
        PyObject_GetBuffer(y_score, s, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
    except (BufferError, ValueError):  # strided, or of a type without a buffer format
        return False
    labels.kind = kind_of(t)
    labels.data = <const char *> t.buf
    labels.indices = NULL
    labels.checked = labels.ranked = False
    kind[0] = kind_of(s)
    if labels.kind < 0 or (kind[0] != L_FLOAT32 and kind[0] != L_FLOAT64) or not t.ndim == s.ndim == ndim:
        return False
    # Items of other kinds may have no size.
    if <size_t> t.buf % t.itemsize or <size_t> s.buf % s.itemsize or not t.shape[0] == s.shape[0] > 0:
        return False
    return 0 < t.shape[ndim - 1] == s.shape[ndim - 1] <= plan.longest


cdef FaultCode run_plain(const Py_buffer *s, int kind, const Labels *labels, Py_ssize_t rows, Py_ssize_t n, const Task *task,
                         double *out, bint *negative) noexcept nogil:
    """Evaluate rows of one length; returns the code of a fault, or NO_FAULT."""
    cdef CallLists call
    cdef Workspace ws
    cdef Fault f
    cdef Py_ssize_t i
    cdef int64_t *bounds = <int64_t *> malloc((rows + 1) * sizeof(int64_t))
    memset(&call, 0, sizeof(CallLists))
    call.x = <const char *> s.buf
    call.single = kind == L_FLOAT32
    call.labels = labels[0]
    call.label_runs.first = NULL
    call.places = NULL
    call.starts = bounds
    call.stops = bounds + 1
    call.n = rows
    call.index = 0
    f.code = NO_MEMORY
    if bounds != NULL and open_workspace(&ws, n, n, task):
        f.code = NO_FAULT
        for i in range(rows + 1):
            bounds[i] = i * n
        run_call_lists(&call, task, NULL, &ws, out, 1, &f)
        negative[0] = ws.negative
        free(ws.block)
    free(bounds)
    return f.code


def evaluate_plain(Plan plan not None, y_true, y_score, double empty, double[::1] out=None):
    """The value of one list of plain arrays, or rows of a matrix into `out`, of one column, in this thread; None if the general
    function must be used."""
    cdef Py_buffer t, s
    cdef Labels labels
    cdef FaultCode code = NO_MEMORY  # unless a list is run: then the general function is used, as after any fault
    cdef double value = NAN
    cdef double *values = &value
    cdef Py_ssize_t i, rows = 1
    cdef int kind = -1
    cdef bint negative = False
    memset(&t, 0, sizeof(Py_buffer))
    memset(&s, 0, sizeof(Py_buffer))
    try:
        if not plain_pair(y_true, y_score, 1 if out is None else 2, plan, &t, &s, &labels, &kind):
            return None
        if out is not None and out.shape[0] == t.shape[0]:
            values, rows = &out[0], t.shape[0]
        if t.ndim == 1 and t.shape[0] <= HOLD_GIL_UP_TO:
            code = run_plain(&s, kind, &labels, 1, t.shape[0], &plan.task, values, &negative)
        elif out is None or values != &value:
            with nogil:
                code = run_plain(&s, kind, &labels, rows, t.shape[t.ndim - 1], &plan.task, values, &negative)
    finally:
        PyBuffer_Release(&t)  # nothing, where nothing was taken
        PyBuffer_Release(&s)
    if code == ENDED:
        raise_pending(NULL)
    if code != NO_FAULT or (negative and plan.notes_negative):
        return None
    for i in range(rows):
        values[i] = empty if values[i] != values[i] else values[i]
    return values[0]
