"""Arrays as the kernels read them."""

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint32_t
from libc.string cimport memcmp

from .hits.labels cimport *
from .types cimport *

import sys

cdef char OWN_ORDER = ord("<" if sys.byteorder == "little" else ">")


cdef int kind_of(const Py_buffer *b) noexcept:
    """The LabelKind of a buffer's items, or -1."""
    cdef const char *f = b.format
    cdef Py_ssize_t size = b.itemsize
    if f == NULL:
        return -1
    # An explicit byte order that is the machine's own is native.
    if f[0] == b"@" or f[0] == b"=" or f[0] == OWN_ORDER:
        f += 1
    if f[0] == 0 or f[1] != 0:
        return -1
    if f[0] == b"f" and size == 4:
        return L_FLOAT32
    if f[0] == b"d" and size == 8:
        return L_FLOAT64
    if (f[0] == b"?" or f[0] == b"B") and size == 1:
        return L_UINT8
    if f[0] == b"b" or f[0] == b"h" or f[0] == b"i" or f[0] == b"l" or f[0] == b"q":
        # The size of int and long depends on the platform.
        if size == 1:
            return L_INT8
        if size == 2:
            return L_INT16
        if size == 4:
            return L_INT32
        return L_INT64
    return -1


cdef class Buffer:
    """A C-contiguous buffer with items of a known kind."""

    def __cinit__(self, source):
        PyObject_GetBuffer(source, &self.view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
        self.kind = kind_of(&self.view)
        if self.kind < 0:
            raise TypeError(f"no label kind: {self.view.format}")
        self.n = self.view.len // self.view.itemsize

    def __dealloc__(self):
        PyBuffer_Release(&self.view)


cdef class LabelArray:
    """Labels of many lists: dense (flat, beside the scores) or sparse with indptr and indices."""

    def __cinit__(self, data, indices=None, const int64_t[::1] indptr=None, bint checked=False, bint ranked=False,
                  const int64_t[::1] sizes=None, const uint32_t[::1] rank_bits=None):
        self.data = Buffer(data)
        self.labels.data = <const char *> self.data.view.buf
        self.labels.kind = self.data.kind
        self.labels.checked = checked
        if indices is not None:
            self.indices = Buffer(indices)
            self.indptr = indptr
            self.labels.indices = <const char *> self.indices.view.buf
            self.labels.wide_indices = self.indices.kind == L_INT64
            self.labels.ranked = ranked and checked and self.labels.wide_indices and self.data.kind == L_FLOAT64
            self.labels.indptr = &indptr[0]
            if self.labels.indices == NULL:
                self.labels.indices = <const char *> &indptr[0]  # sparse, though nothing is stored
        if rank_bits is not None and self.labels.ranked and rank_bits.shape[0]:
            if rank_bits.shape[0] < indptr.shape[0] - 1:
                raise ValueError("rank_bits are those of each list")
            self.rank_bits = rank_bits
            self.labels.rank_bits = &rank_bits[0]
        if sizes is not None:
            if not self.labels.ranked or not sizes.shape[0] == self.data.n == self.indices.n >= indptr[indptr.shape[0] - 1]:
                raise ValueError("sizes of tie blocks need checked float64 labels at int64 ranks, one of each")
            self.sizes = sizes
            self.labels.sizes = &sizes[0] if sizes.shape[0] else &indptr[0]


cdef class Runs:
    """Complete runs of the judged labels of each list, made once for many calls."""

    def __cinit__(self, first, level, count, Py_ssize_t longest):
        self.first, self.level, self.count, self.longest = first, level, count, longest
        self.first_view, self.level_view, self.count_view = first, level, count
        self.label_runs.first = &self.first_view[0]
        self.label_runs.level = &self.level_view[0] if self.level_view.shape[0] else NULL
        self.label_runs.count = &self.count_view[0] if self.count_view.shape[0] else NULL


def check_indices(const whole[::1] indices, const int64_t[::1] indptr, int64_t limit):
    """Whether an index of a CSR matrix is outside 0 .. limit - 1, and whether the indices of every row ascend.

    If they ascend, the first and the last index of each row decide the former.
    """
    cdef const whole *x = &indices[0] if indices.shape[0] else NULL
    cdef Py_ssize_t i, block, block_stop, n = indices.shape[0]
    cdef int64_t first, stop
    cdef int64_t falls = 0  # indices not above the one before them
    cdef int64_t last_index = limit - 1
    cdef whole rises, other = 0, last
    cdef bint outside = False
    if whole is int32_t:
        last_index = min(last_index, <int64_t> INT32_MAX)
    last = <whole> last_index
    with nogil:
        # Counted in lanes as wide as the indices are, in blocks, so that a count does not overflow.
        for block in range(1, n, 1 << 20):
            block_stop = min(n, block + (1 << 20))
            rises = 0
            for i in range(block, block_stop):
                rises += x[i] > x[i - 1]
            falls += block_stop - block - rises
        # Where a row begins, its first index may be below the last one of the row before.
        for i in range(indptr.shape[0] - 1):
            first = indptr[i]
            stop = indptr[i + 1]
            if 0 <= first < stop <= n:
                falls -= first > 0 and x[first] <= x[first - 1]
                outside |= x[first] < 0 or x[stop - 1] >= limit
        if falls:
            for i in range(n):
                other |= (x[i] < 0) | (x[i] > last)
            outside = other != 0
    return bool(outside), falls == 0


def are_alike(values):
    """Whether all numbers of an array have the same bits."""
    cdef Buffer buffer = Buffer(values)
    cdef const char *first = <const char *> buffer.view.buf
    return buffer.n < 2 or memcmp(first, first + buffer.view.itemsize, buffer.view.len - buffer.view.itemsize) == 0


def are_small_and_whole(const real[::1] values, double most):
    """Whether every value is a whole number from -end to min(most, end), where end is 2**22 in float32 and 2**51 in float64. Larger
    whole numbers give False too; the caller then checks them one by one."""
    cdef double end = 2.0 ** 22 if real is float else 2.0 ** 51
    # Floating-point numbers from 2 * end to 4 * end are 1 apart, so adding 3 * end rounds a number within `end` to a whole one.
    cdef real large = <real> (3 * end), least = <real> -end, high = <real> min(most, end), x
    cdef int32_t other = 0
    cdef int64_t wide_other = 0  # as wide as the compared values
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        x = values[i]
        if real is float:
            other |= ((x + large) - large != x) | (x > high) | (x < least)
        else:
            wide_other |= ((x + large) - large != x) | (x > high) | (x < least)
    return not (other or wide_other)
