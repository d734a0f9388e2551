"""Differences between resampled totals of pairs of systems, of which none is kept: how many are far apart, and their tails."""

from libc.math cimport fabs
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc


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
            x, y, far, count = &totals[a[i], 0], &totals[b[i], 0], least[i], 0
            for j in range(n):
                count += fabs(x[j] - y[j]) >= far
            reached[i] += count


def find_tails(
    const double[:, ::1] means,
    const int64_t[::1] a,
    const int64_t[::1] b,
    Py_ssize_t low,
    Py_ssize_t high,
    const double[:, ::1] around,
    double[:, ::1] out,
):
    """The differences of each pair of rows that stand at `low`, `low + 1`, `high`, `high + 1` in ascending order.

    Only those beyond `around`, a guess of where the tails begin, are ordered; where it was wrong, all are.
    """
    cdef Py_ssize_t i, j, n = means.shape[1], below, above
    cdef const double *x
    cdef const double *y
    cdef double left, right, d
    cdef double *small = <double *> malloc(16 * (n + 1))
    cdef double *large = small + n
    if small == NULL:
        raise MemoryError(f"no memory for {n} resamples")
    with nogil:
        for i in range(a.shape[0]):
            x, y = &means[a[i], 0], &means[b[i], 0]
            left, right, below, above = around[i, 0], around[i, 1], 0, 0
            for j in range(n):  # without branches: what is not kept is written over
                d = x[j] - y[j]
                small[below] = d
                below += d < left
                large[above] = d
                above += d > right
            if below < low + 2:
                below = subtract(x, y, n, small)
            two_at(small, below, low, &out[i, 0])
            if above < n - high:
                above = subtract(x, y, n, large)
            two_at(large, above, high - (n - above), &out[i, 2])
    free(small)


cdef Py_ssize_t subtract(const double *x, const double *y, Py_ssize_t n, double *out) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        out[j] = x[j] - y[j]
    return n


cdef void two_at(double *x, Py_ssize_t n, Py_ssize_t place, double *out) noexcept nogil:
    """The values at `place` and after it in ascending order; the last one twice. Reorders (Hoare's FIND, 1961)."""
    cdef Py_ssize_t first = 0, last = n - 1, i, j
    cdef double pivot, least
    while first < last:
        pivot, i, j = x[place], first, last
        while i <= j:
            while x[i] < pivot:
                i += 1
            while pivot < x[j]:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if j < place:
            first = i
        if place < i:
            last = j
    out[0] = out[1] = x[place]
    if place + 1 < n:
        least = x[place + 1]
        for i in range(place + 2, n):
            if x[i] < least:
                least = x[i]
        out[1] = least
