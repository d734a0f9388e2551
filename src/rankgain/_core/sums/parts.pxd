"""Sums as Python has whole numbers."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t

from .superaccumulator cimport DIGITS, LOWEST, Sum, carry


cdef inline tuple parts_of(Sum *s):
    """The digits that are not 0 as one whole number."""
    cdef uint8_t byte[4 * DIGITS + 8]
    cdef int i, j, low = 0
    carry(s)
    while low < DIGITS - 1 and s.digit[low] == 0:
        low += 1
    for i in range(low, DIGITS):
        for j in range(4 if i < DIGITS - 1 else 8):  # the last has the sign
            byte[4 * (i - low) + j] = (s.digit[i] >> (8 * j)) & 255
    whole = int.from_bytes(PyBytes_FromStringAndSize(<char *> byte, 4 * (DIGITS - low) + 4), "little", signed=True)
    return whole, 32 * low - LOWEST, s.special
