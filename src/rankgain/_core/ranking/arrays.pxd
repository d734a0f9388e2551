"""Arrays as the kernels read them."""

from libc.stdint cimport int64_t, uint32_t

from .types cimport Labels, LabelRuns

cdef int kind_of(const Py_buffer *b) noexcept


cdef class Buffer:
    cdef Py_buffer view
    cdef int kind
    cdef Py_ssize_t n


cdef class LabelArray:
    cdef Labels labels
    cdef Buffer data
    cdef Buffer indices
    cdef const int64_t[::1] indptr, sizes
    cdef const uint32_t[::1] rank_bits


cdef class Runs:
    cdef LabelRuns label_runs
    cdef readonly object first, level, count
    cdef const int64_t[::1] first_view, count_view
    cdef const double[::1] level_view
    cdef readonly Py_ssize_t longest
