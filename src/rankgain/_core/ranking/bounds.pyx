"""Bounds of lists over choices of unjudged documents with the top label, and which documents tie."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..simd.wide cimport MARKS, wide_best, wide_level
from .arrays cimport Buffer, LabelArray, Runs
from .lists cimport CallLists, Stop, fault_of, open_call_lists, raise_pending
from .plan cimport Plan
from .types cimport *
from .values.bounds cimport HoleView, Marked, bound_unjudged, has_tie, sort_scores, tied_documents
from .values.one_list cimport open_workspace
from .watch cimport open_watch

from array import array

from .. import simd

wide_level = simd.selected(wide_best())


cdef class Holes:
    """Unjudged documents that might be relevant, of lists in rank order; the fields are those of HoleView."""

    cdef HoleView view
    cdef const int64_t[::1] indptr, positions, block, size, below
    cdef readonly Py_ssize_t most  # of one list

    def __cinit__(self, const int64_t[::1] indptr, const int64_t[::1] positions, const int64_t[::1] block, const int64_t[::1] size,
                  const int64_t[::1] below, double top_label, bint is_cut_at_length, bint counts_unjudged):
        cdef Py_ssize_t i
        for i in range(1, indptr.shape[0]):
            self.most = max(self.most, indptr[i] - indptr[i - 1] + below[i - 1])
        self.indptr, self.positions, self.block, self.size, self.below = indptr, positions, block, size, below
        self.view.below = &below[0] if below.shape[0] else NULL
        self.view.indptr = &indptr[0]
        self.view.positions = &positions[0] if positions.shape[0] else NULL
        self.view.block = &block[0] if block.shape[0] else NULL
        self.view.size = &size[0] if size.shape[0] else NULL
        self.view.top_label = top_label
        self.view.is_cut_at_length = is_cut_at_length
        self.view.counts_unjudged = counts_unjudged


def bound(Plan plan not None, scores, LabelArray labels not None, const int64_t[::1] starts, const int64_t[::1] stops,
          Runs runs, double[:, ::1] out, Py_ssize_t low, Py_ssize_t high, Py_ssize_t first_index, Holes holes not None, Stop stop=None):
    """Bounds of the lists low .. high-1, as `evaluate` takes them, over all choices of unjudged documents with the top label: of each
    list three values for each column, low, high, and 1.0 where undefined. Returns None or (fault, list, document, value)."""
    cdef CallLists call
    cdef Workspace ws
    cdef Fault f
    cdef Buffer _kept
    cdef Py_ssize_t i
    cdef double[::1] row = array("d", [0.0] * (plan.task.n_columns + 1))
    cdef const int *stop_flag = &stop.is_set if stop is not None else NULL
    if high <= low or plan.task.n_columns == 0:
        return None
    _kept = open_call_lists(&call, plan, scores, labels, runs, starts, stops, low, high, first_index, holes.most)
    if call.labels.sizes != NULL:
        raise ValueError("hits whose ranks were counted have no bounds")
    if not open_workspace(&ws, call.longest, call.judged, &plan.task):
        raise MemoryError(f"no memory for a list of {call.longest} documents")
    memset(&f, 0, sizeof(Fault))
    open_watch(&ws.watch, stop_flag)
    with nogil:
        for i in range(call.n):
            bound_unjudged(call.stops[i] - call.starts[i], &call.labels, i, call.starts[i], call.index + i, &plan.task,
                           &call.label_runs, &holes.view, &ws, &row[0], &out[i, 0], &f)
            if f.code:
                break
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
    marked.base = 0
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
    cdef uint32_t *positions
    cdef Py_ssize_t i, j, n, at = 0
    with nogil:
        for i in range(starts.shape[0]):
            n = stops[i] - starts[i]
            if n > 0:
                positions = sort_scores(&scores[starts[i]], n, keys)
                for j in range(n):
                    out[at + j] = positions[j]
                at += n
        free(keys)
