"""How many scores are above those of the hits and equal to them, counted over rows in any order.

List i has the descending levels first[i] .. first[i + 1] - 1 and, from 2 * first[i] + i on, cells for what is above the first one,
equal to it, below it, and so on. Counts are added to the cells.
"""

from libc.stdint cimport int64_t

from .hits.select cimport first_nan
from .types cimport real


cdef inline Py_ssize_t cell_of(double score, const double *levels, Py_ssize_t n) noexcept nogil:
    """The cell of a score among those of n descending levels."""
    cdef Py_ssize_t low = 0, half, left = n
    while left > 0:
        half = left >> 1
        if levels[low + half] > score:
            low += half + 1
            left -= half + 1
        else:
            left = half
    if low < n and levels[low] == score:
        return 2 * low + 1
    return 2 * low


cdef Py_ssize_t check_cells(const int64_t[::1] first, const double[::1] levels, int64_t[::1] cells) except -1:
    """Refuse arrays that do not agree, so that nothing outside of them is read or written; returns the number of lists."""
    cdef Py_ssize_t i, n = first.shape[0] - 1
    cdef int64_t signs = 0  # below 0 if a size is
    if n < 0 or first[0] != 0 or first[n] != levels.shape[0]:
        raise ValueError(f"{n} lists and {levels.shape[0]} levels do not agree")
    if cells.shape[0] != 2 * levels.shape[0] + n:
        raise ValueError(f"{cells.shape[0]} cells for {levels.shape[0]} levels of {n} lists")
    with nogil:
        for i in range(n):
            signs |= first[i + 1] - first[i]
    if signs < 0:
        raise IndexError("levels of a list that end before they start")
    return n


def count_rows(const int64_t[::1] lists, const real[::1] scores, const int64_t[::1] first, const double[::1] levels, int64_t[::1] cells):
    """Count each score in its list (-1: none); returns the place of a NaN, where nothing is counted, or -1."""
    cdef Py_ssize_t i, nan, n = lists.shape[0], n_lists = check_cells(first, levels, cells)
    cdef const double *level = &levels[0] if levels.shape[0] else NULL
    cdef int64_t row, high = -1
    if scores.shape[0] != n:
        raise ValueError(f"{n} lists, but {scores.shape[0]} scores")
    with nogil:
        for i in range(n):
            high = lists[i] if lists[i] > high else high
    if high >= n_lists:
        raise IndexError(f"list {high} of {n_lists}")
    if n == 0:
        return -1
    with nogil:
        nan = first_nan(&scores[0], n)
        for i in range(n if nan < 0 else 0):
            row = lists[i]
            if 0 <= row < n_lists:
                cells[2 * first[row] + row + cell_of(scores[i], level + first[row], first[row + 1] - first[row])] += 1
    return nan
