"""Blocks of doubles into exact sums: cut in two parts, and number by number where that is not all."""

from .superaccumulator cimport Sum, add, add_product

cdef extern from "split.h" nogil:
    enum:
        SPLIT_BLOCK
        SPLIT_FITS
        SPLIT_BEYOND
    ctypedef struct levels "struct levels":
        double bound
    int split_sums(const double *x, Py_ssize_t n, const levels *at, double *sums) noexcept
    bint split_levels(double top, int spare, levels *at) noexcept
    double split_rest(double x, const levels *at) noexcept
    double split_largest(const double *x, Py_ssize_t n) noexcept
    int split_parts(const double *x, Py_ssize_t n, int spare, int most, double *parts) noexcept
    double split_dot(const double *x, const double *times, Py_ssize_t n) noexcept
    bint split_products(const double *x, const double *y, Py_ssize_t n, double *product, double *lost) noexcept


cdef inline void add_block(Sum *s, const double *x, Py_ssize_t n, levels *at) noexcept nogil:
    """Add at most SPLIT_BLOCK numbers, cut as those before where that fits."""
    cdef double sums[2]
    cdef Py_ssize_t i
    cdef int status = split_sums(x, n, at, sums)
    if status != SPLIT_FITS:
        status = split_sums(x, n, at, sums) if split_levels(split_largest(x, n), 0, at) else <int> SPLIT_BEYOND
    if status == SPLIT_BEYOND:
        for i in range(n):
            add(s, x[i])
        return
    add(s, sums[0])
    add(s, sums[1])
    if status != SPLIT_FITS:
        for i in range(n):
            add(s, split_rest(x[i], at))


cdef inline void add_all(Sum *s, const double *x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef levels at
    split_levels(1.0, 0, &at)
    for i in range(0, n, 512):
        add_block(s, x + i, min(<Py_ssize_t> SPLIT_BLOCK, n - i), &at)


cdef inline void add_products(Sum *s, const double *x, const double *y, Py_ssize_t n) noexcept nogil:
    """Add x * y, and what rounding takes from each product."""
    cdef Py_ssize_t i, j, size
    cdef levels at, below
    cdef double product[SPLIT_BLOCK]
    cdef double lost[SPLIT_BLOCK]
    split_levels(1.0, 0, &at)
    split_levels(1e-16, 0, &below)
    for i in range(0, n, 512):
        size = min(<Py_ssize_t> SPLIT_BLOCK, n - i)
        if split_products(x + i, y + i, size, product, lost):
            add_block(s, product, size, &at)
            add_block(s, lost, size, &below)
        else:
            for j in range(i, i + size):
                add_product(s, x[j], y[j])
