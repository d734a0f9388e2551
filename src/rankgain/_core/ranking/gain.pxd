"""The gain of a label."""

from libc.math cimport exp2, NAN
from libc.stdint cimport int64_t

from .types cimport *


cdef inline double table_gain(const GainRule *g, double label) noexcept nogil:
    """Binary search. A plan's tables have all labels that a document may have (`TableRequirements`); others would get NaN."""
    cdef Py_ssize_t low = 0, high = g.n, middle
    while low < high:
        middle = (low + high) >> 1
        if g.labels[middle] < label:
            low = middle + 1
        else:
            high = middle
    return g.gains[low] if low < g.n and g.labels[low] == label else NAN


cdef inline double two_to(double x) noexcept nogil:
    """2**x. Whole numbers, as most labels are, are shifted, which is exact as exp2 is, and faster."""
    cdef int64_t integer = <int64_t> x if 0.0 <= x <= 62.0 else -1
    if integer >= 0 and <double> integer == x:
        return <double> (<int64_t> 1 << integer)
    return exp2(x)


cdef inline double gain_of(const GainRule *g, double label) noexcept nogil:
    """The label, 2**label - 1, 1 from `rel` on, (label - rel) / (top - rel) in 0 .. 1, or an entry of a table; 0 below the floor."""
    if label < g.floor:
        return 0.0
    if g.kind == LINEAR:
        return label
    if g.kind == BINARY:
        return 1.0 if label >= g.rel else 0.0
    if g.kind == EXP2:
        return two_to(label) - 1.0
    if g.kind == SCALED:
        if label < g.rel:
            label = g.rel
        elif label > g.top:
            label = g.top
        return (label - g.rel) / (g.top - g.rel)
    if g.kind == TABLE:
        return table_gain(g, label)
    return NAN
