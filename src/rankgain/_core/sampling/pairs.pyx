"""Differences between the resampled totals of two systems: how many are far apart, and their tails; nothing is stored."""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from ..simd.wide cimport wide_best, wide_level, wide_outside

from .. import simd

cdef enum:
    MORE = 8  # doubles of the longest vector

wide_level = simd.selected(wide_best())


def count_far(
    const double[:, ::1] totals, const int64_t[::1] a, const int64_t[::1] b, const double[::1] least, int64_t[::1] reached
):
    """Add to `reached`, for each pair of rows, in how many columns they are at least `least` apart."""
    cdef Py_ssize_t i, j, n = totals.shape[1]
    cdef const double *x
    cdef const double *y
    cdef double far
    cdef int64_t count
    with nogil:
        for i in range(a.shape[0]):
            x = &totals[a[i], 0]
            y = &totals[b[i], 0]
            far = least[i]
            count = 0
            for j in range(n):
                count += fabs(x[j] - y[j]) >= far
            reached[i] += count


def find_tails(
    const double[:, ::1] means, const int64_t[::1] a, const int64_t[::1] b, Py_ssize_t low, Py_ssize_t high, const double[:, ::1] around,
    double[:, ::1] out
):
    """The differences of each pair of rows at the positions `low` and `high` in ascending order.

    Only those beyond `around`, a guess of where the tails begin, are ordered; if it was wrong, all are.
    """
    cdef Py_ssize_t i, j, n = means.shape[1], m, below, last
    cdef const double *x
    cdef const double *y
    cdef double *tails = <double *> malloc(16 * (n + MORE))
    cdef double *ordered = tails + n + MORE
    if tails == NULL:
        raise MemoryError(f"no memory for {n} resamples")
    with nogil:
        for i in range(a.shape[0]):
            x = &means[a[i], 0]
            y = &means[b[i], 0]
            m = outside(x, y, n, around[i, 0], around[i, 1], tails)
            # Those of the lower tail go to the front, the others to the end: each is written to both places, and one of them moves on.
            below = 0
            last = m - 1
            for j in range(m):
                ordered[below] = ordered[last] = tails[j]
                below += tails[j] < around[i, 0]
                last -= not tails[j] < around[i, 0]
            # The guess holds if both positions are among the differences in the tails. n - m differences are between these.
            if below >= low + 1 and m - below >= n - high:
                out[i, 0] = select_at(ordered, below, low)
                out[i, 1] = select_at(ordered + below, m - below, high - (n - m) - below)
            else:
                outside(x, y, n, INFINITY, -INFINITY, tails)
                out[i, 0] = select_at(tails, n, low)
                out[i, 1] = select_at(tails, n, high)
    free(tails)


cdef inline Py_ssize_t outside(const double *x, const double *y, Py_ssize_t n, double left, double right, double *out) noexcept nogil:
    """The differences below left or above right, in order; the output needs space for MORE."""
    cdef Py_ssize_t j, m = 0
    if wide_level:
        return wide_outside(x, y, n, left, right, out)
    for j in range(n):  # without branches: an unwanted value is overwritten
        out[m] = x[j] - y[j]
        m += (out[m] < left) | (out[m] > right)
    return m


cdef double select_at(double *x, Py_ssize_t n, Py_ssize_t position) noexcept nogil:
    """The value at a position in ascending order. Reorders x (Hoare's FIND, 1961)."""
    cdef Py_ssize_t first = 0, last = n - 1, i, j
    cdef double pivot
    while first < last:
        pivot = x[position]
        i = first
        j = last
        while i <= j:
            while x[i] < pivot:
                i += 1
            while pivot < x[j]:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if j < position:
            first = i
        if position < i:
            last = j
    return x[position]
