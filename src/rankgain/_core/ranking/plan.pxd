"""Weights, gains and plans, as the drivers take them."""

from libc.stdint cimport int64_t

from .types cimport Column, GainRule, Task, Walk, WeightTable

cdef enum:
    LONGEST = 1 << 22
    SLOW_LONGEST = 1 << 13
    HOLD_GIL_UP_TO = 1 << 12  # documents from which on releasing the GIL costs next to nothing


cdef class Weights:
    cdef WeightTable table
    cdef double *value
    cdef double *high
    cdef double *low


cdef class Gain:
    cdef GainRule rule
    cdef readonly str kind
    cdef object keep


cdef class PlanRow:
    cdef readonly str shape, finish
    cdef readonly Gain gain
    cdef readonly Weights weights
    cdef Weights first_rank
    cdef readonly object rel, k, judged
    cdef readonly double max_label, level
    cdef double beta, rounding, least
    cdef bint divide_by_min
    cdef tuple walk(self, str shape, Weights weights)
    cdef bint rises(self)
    cdef object cutoff(self)


cdef class Plan:
    cdef Task task
    cdef list keep
    cdef Walk *walks
    cdef Column *columns
    cdef int64_t *cuts
    cdef double *rels
    cdef bint zero_counts
    cdef object reach
    cdef Py_ssize_t longest  # of lists that the short functions take
    cdef lay_walks(self, dict walks, extra_rel)
    cdef lay_walk(self, Walk *w, tuple walk, list cuts, list rels, Py_ssize_t at)
    cdef lay_needs(self, const Walk *w, int64_t deepest)
    cdef lay_columns(self, list columns)
    cdef lay_ratio(self, Column *c, double beta_squared)
