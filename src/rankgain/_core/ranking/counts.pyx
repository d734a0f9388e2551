"""How many scores stand above those of the hits and equal to them: counted over rows in any order, or over a matrix of scores.

List i has the descending levels first[i] .. first[i + 1] - 1 and, from 2 * first[i] + i on, cells for what is above the first one,
equal to it, below it, and so on. Counts are added to the cells.
"""

from libc.stdint cimport int64_t

from ..simd.wide cimport wide_best, wide_level
from .hits.count cimport count_by_numbers, count_in_blocks
from .hits.select cimport any_nan, first_nan
from .lists cimport raise_pending
from .types cimport real
from .watch cimport Watch, must_end, open_watch

from .. import simd

wide_level = simd.selected(wide_best())

cdef enum:
    COMPARE_UP_TO = 48  # levels of a list up to which comparing with each beats a search among them


# --- rows in any order

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
    """Nothing outside the arrays is read or written; returns the number of lists."""
    cdef Py_ssize_t i, n = first.shape[0] - 1
    cdef int64_t low = 0
    if n < 0 or first[0] != 0 or first[n] != levels.shape[0]:
        raise ValueError(f"{n} lists and {levels.shape[0]} levels do not agree")
    if cells.shape[0] != 2 * levels.shape[0] + n:
        raise ValueError(f"{cells.shape[0]} cells for {levels.shape[0]} levels of {n} lists")
    with nogil:
        for i in range(n):
            low |= first[i + 1] - first[i]
    if low < 0:
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


# --- a matrix of scores

cdef bint count_row(const real *x, Py_ssize_t n, const double *levels, Py_ssize_t m, int64_t *cells) noexcept nogil:
    """False for a NaN."""
    cdef real level[COMPARE_UP_TO + 3]
    cdef Py_ssize_t above[COMPARE_UP_TO + 3]
    cdef Py_ssize_t equal[COMPARE_UP_TO + 3]
    cdef Py_ssize_t i, done = 0
    if m > COMPARE_UP_TO:
        if any_nan(x, n):
            return False
        for i in range(n):
            cells[cell_of(x[i], levels, m)] += 1
        return True
    for i in range(m):
        level[i] = <real> levels[i]
    if m == 0 or not count_by_numbers(x, n, <const real *> level, m, above, equal):
        if not count_in_blocks(x, n, <const real *> level, m, above, equal, True):
            return False
    for i in range(m):
        cells[2 * i] += above[i] - done
        cells[2 * i + 1] += equal[i]
        done = above[i] + equal[i]
    cells[2 * m] += n - done
    return True


def count_matrix(const real[:, ::1] scores, const int64_t[::1] first, const double[::1] levels, int64_t[::1] cells):
    """Count the scores of each row, a list; returns None, or (row, column) of the first NaN."""
    cdef Py_ssize_t i, rows = scores.shape[0], n = scores.shape[1], nan = -1
    cdef const double *level = &levels[0] if levels.shape[0] else NULL
    cdef bint ended = False
    cdef Watch watch
    if check_cells(first, levels, cells) != rows:
        raise ValueError(f"{first.shape[0] - 1} lists for {rows} rows")
    if rows == 0 or n == 0:
        return None
    open_watch(&watch, NULL)
    with nogil:
        for i in range(rows):
            ended = must_end(&watch, n, False)
            if ended:
                break
            if not count_row(&scores[i, 0], n, level + first[i], first[i + 1] - first[i], &cells[2 * first[i] + i]):
                nan = first_nan(&scores[i, 0], n)
                break
    if ended:
        raise_pending(NULL)
    return None if nan < 0 else (i, nan)
