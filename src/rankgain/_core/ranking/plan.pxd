"""Plans, as the drivers take them."""

from libc.stdint cimport int64_t

from .types cimport Column, Task, Walk

cdef enum:
    # Documents of a list up to which the main thread ranks it itself. Longer lists go to another thread, while it waits for signals.
    LONGEST = 1 << 22
    SLOW_LONGEST = 1 << 13  # the same for slow walks
    HOLD_GIL_UP_TO = 1 << 12  # documents from which on releasing the GIL costs next to nothing


cdef class Plan:
    cdef Task task
    cdef list keep
    cdef Walk *walks
    cdef Column *columns
    cdef int64_t *cuts
    cdef double *rels
    cdef readonly bint zero_counts  # a document of label 0 counts, which sparse labels cannot serve
    cdef public bint notes_negative  # the short functions leave lists with negative labels to the general one, which warns
    cdef object table_size
    cdef Py_ssize_t longest  # of lists that the short functions take
    cdef fill_walk(self, Walk *w, tuple walk, list cuts, list rels, Py_ssize_t first_value)
    cdef fill_columns(self, dict walks, list columns)
