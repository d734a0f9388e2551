"""What a label is worth."""

from libc.math cimport exp2, NAN

from ._types cimport *


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


cdef inline double gain_of(const GainRule *g, double label) noexcept nogil:
    if label < g.floor:
        return 0.0
    if g.kind == LINEAR:
        return label
    if g.kind == BINARY:
        return 1.0 if label >= g.rel else 0.0
    if g.kind == EXP2:
        return exp2(label) - 1.0
    return table_gain(g, label)
