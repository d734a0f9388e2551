"""Lists through the kernels for bounds, and which documents tie."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from ..simd.wide cimport MARKS, wide_best, wide_level
from .arrays cimport Buffer, LabelArray, Runs
from .lists cimport Frame, Stop, fault_of, open_fault, open_frame, open_room, raise_pending
from .plan cimport Plan
from .types cimport *
from .values.bounds cimport HoleView, Marked, bound_ties, bound_unjudged, by_score, has_tie, tied_documents
from .watch cimport open_watch

from .. import simd

wide_level = simd.selected(wide_best())


cdef class Holes:
    """Unjudged documents that might be relevant, of lists in rank order; the fields are those of HoleView."""

    cdef HoleView view
    cdef const int64_t[::1] indptr, positions, block, size, below
    cdef readonly Py_ssize_t most  # of one list

    def __cinit__(self, const int64_t[::1] indptr, const int64_t[::1] positions, const int64_t[::1] block, const int64_t[::1] size,
                  const int64_t[::1] below, double top, bint returned, bint inside):
        cdef Py_ssize_t i
        for i in range(1, indptr.shape[0]):
            self.most = max(self.most, indptr[i] - indptr[i - 1] + below[i - 1])
        self.indptr, self.positions, self.block, self.size, self.below = indptr, positions, block, size, below
        self.view.below = &below[0] if below.shape[0] else NULL
        self.view.indptr = &indptr[0]
        self.view.positions = &positions[0] if positions.shape[0] else NULL
        self.view.block = &block[0] if block.shape[0] else NULL
        self.view.size = &size[0] if size.shape[0] else NULL
        self.view.top = top
        self.view.returned = returned
        self.view.inside = inside


cdef void bound_lists(const real *x, const Frame *m, const Task *task, const HoleView *holes, Workspace *ws, Hits *spare, double *row,
                      double *out, Fault *f) noexcept nogil:
    cdef Py_ssize_t i, n, start
    for i in range(m.n):
        start = m.starts[i]
        n = m.stops[i] - start
        if holes == NULL:
            bound_ties(x + start if x != NULL else NULL, n, &m.labels, i, start, m.index + i, task, &m.prepared, ws, spare, out, f)
        else:
            bound_unjudged(n, &m.labels, i, start, m.index + i, task, &m.prepared, holes, ws, row, out, f)
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
          Runs runs, double[:, ::1] out, Py_ssize_t low, Py_ssize_t high, Py_ssize_t first_index=0, Holes holes=None, Stop stop=None):
    """Bounds of the lists low .. high-1, as `evaluate` takes them; three rows of columns for each list.

    Of a plan that averages ties: the expectation, the worst and the best value over all orders of ties. With `holes` low,
    high, and 1.0 where undefined, over all labels of the unjudged documents. Returns None or (fault, list, document, value).
    """
    cdef Frame frame
    cdef Workspace ws
    cdef Fault f
    cdef Buffer _kept
    cdef Room room
    cdef const HoleView *where = &holes.view if holes is not None else NULL
    cdef const int *stop_flag = &stop.is_set if stop is not None else NULL
    if high <= low or plan.task.n_columns == 0:
        return None
    _kept = open_frame(&frame, plan, scores, labels, runs, starts, stops, low, high, first_index, holes.most if holes is not None else 0)
    if frame.labels.sizes != NULL:
        raise ValueError("hits whose ranks were counted have no bounds")
    frame.labels.ranked = False  # blocks are put into other orders here, so hits are copied
    room = Room(frame.longest, plan.task.n_columns)
    if not open_room(&ws, frame.longest, frame.judged, &plan.task):
        raise MemoryError(f"no memory for a list of {frame.longest} documents")
    open_fault(&f)
    open_watch(&ws.watch, stop_flag)
    with nogil:
        if frame.single:
            bound_lists(<const float *> frame.x, &frame, &plan.task, where, &ws, &room.hits, room.row, &out[0, 0], &f)
        else:
            bound_lists(<const double *> frame.x, &frame, &plan.task, where, &ws, &room.hits, room.row, &out[0, 0], &f)
        free(ws.block)
    if f.code == ENDED:
        raise_pending(stop_flag)
    return None if f.code == NO_FAULT else fault_of(&f)


cdef uint64_t *room_for_keys(const int64_t[::1] starts, const int64_t[::1] stops) except NULL:
    """Three words for each document of the longest list, and room for a vector more."""
    cdef Py_ssize_t i, longest = 0
    cdef uint64_t *keys
    for i in range(starts.shape[0]):
        longest = max(longest, stops[i] - starts[i])
    keys = <uint64_t *> malloc(8 * (3 * longest + 8))
    if keys == NULL:
        raise MemoryError(f"no memory for a list of {longest} documents")
    return keys


def count_ties(const real[::1] scores, const int64_t[::1] starts, const int64_t[::1] stops, int64_t[:, ::1] out):
    """Per list the number of documents with a tied score, and the number of different tied scores."""
    cdef uint64_t *keys = room_for_keys(starts, stops)
    cdef const real *x = &scores[0] if scores.shape[0] else NULL
    cdef Py_ssize_t i
    with nogil:
        for i in range(starts.shape[0]):
            tied_documents(x + starts[i], stops[i] - starts[i], keys, &out[i, 0])
        free(keys)


def list_with_tie(const real[::1] scores, const int64_t[::1] starts, const int64_t[::1] stops):
    """The first list with a tie, or -1."""
    cdef Marked marked
    cdef uint64_t *keys = room_for_keys(starts, stops)
    cdef const real *x = &scores[0] if scores.shape[0] else NULL
    cdef Py_ssize_t i
    marked.list = 0
    marked.table = <uint32_t *> calloc(MARKS, sizeof(uint32_t))
    if marked.table == NULL:
        free(keys)
        raise MemoryError("no memory for a table of marks")
    with nogil:
        for i in range(starts.shape[0]):
            if has_tie(x + starts[i], stops[i] - starts[i], &marked, keys):
                break
        else:
            i = -1
        free(marked.table)
        free(keys)
    return i


def rank_lists(const real[::1] scores, const int64_t[::1] starts, const int64_t[::1] stops, int64_t[::1] out):
    """The documents of each list by descending score, equal ones in input order, one list after the other."""
    cdef uint64_t *keys = room_for_keys(starts, stops)
    cdef Py_ssize_t i, n, at = 0
    with nogil:
        for i in range(starts.shape[0]):
            n = stops[i] - starts[i]
            if n > 0:
                by_score(&scores[starts[i]], n, keys, <uint32_t *> (keys + 2 * n), &out[at])
                at += n
        free(keys)
