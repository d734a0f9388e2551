"""The gain of a label."""

from libc.math cimport exp2, NAN
from libc.stdint cimport int64_t

from .types cimport *


cdef inline double table_gain(const GainRule *g, double label) noexcept nogil:
    """Binary search; NaN for a label that the table lacks."""
    cdef Py_ssize_t low = 0, high = g.n, middle
    while low < high:
        middle = (low + high) >> 1
        if g.labels[middle] < label:
            low = middle + 1
        else:
            high = middle
    return g.gains[low] if low < g.n and g.labels[low] == label else NAN


cdef inline double two_to(double x) noexcept nogil:
    """2**x; exact for whole numbers, as exp2 is, without calling it."""
    cdef int64_t integer = <int64_t> x if 0.0 <= x <= 62.0 else -1
    return <double> (<int64_t> 1 << integer) if integer >= 0 and <double> integer == x else exp2(x)


cdef inline double gain_of(const GainRule *g, double label) noexcept nogil:
    """The label, 2**label - 1, 1 from `rel` on, or an entry of a table; 0 for labels below the floor."""
    if label < g.floor:
        return 0.0
    if g.kind == LINEAR:
        return label
    if g.kind == BINARY:
        return 1.0 if label >= g.rel else 0.0
    if g.kind == EXP2:
        return two_to(label) - 1.0
    if g.kind == SCALED:
        label = g.rel if label < g.rel else (g.top if label > g.top else label)
        return (label - g.rel) / (g.top - g.rel)
    return table_gain(g, label) if g.kind == TABLE else NAN
