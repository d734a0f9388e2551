"""Exact sums of doubles, and of products of two; logarithms."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport log
from libc.stdint cimport uint8_t

from ..simd.wide cimport wide_best, wide_level
from .blocks cimport add_all, add_products
from .superaccumulator cimport DIGITS, LOWEST, Sum, carry, clear, rounded

from .. import simd

wide_level = simd.selected(wide_best())


cdef void fill(Sum *s, const double[::1] values, const double[::1] factors) noexcept nogil:
    cdef Py_ssize_t n = values.shape[0]
    clear(s)
    if n == 0:
        return
    if factors is None:
        add_all(s, &values[0], n)
    else:
        add_products(s, &values[0], &factors[0], n)


cdef inline object check_lengths(const double[::1] values, const double[::1] factors):
    if factors is not None and factors.shape[0] != values.shape[0]:
        raise ValueError(f"{values.shape[0]} values have {factors.shape[0]} factors")


def exact_sum(const double[::1] values not None, const double[::1] factors=None):
    """The sum of values, or of values * factors, rounded once."""
    cdef Sum s
    cdef double total
    check_lengths(values, factors)
    with nogil:
        fill(&s, values, factors)
        total = rounded(&s)
    return total


def exact_parts(const double[::1] values not None, const double[::1] factors=None):
    """The same, not rounded: (whole, exponent, special) of whole * 2**exponent + special."""
    cdef Sum s
    check_lengths(values, factors)
    with nogil:
        fill(&s, values, factors)
    return parts_of(&s)


cdef tuple parts_of(Sum *s):
    """The digits that are not 0 as one whole number."""
    cdef uint8_t byte[4 * DIGITS + 8]
    cdef int i, j, low = 0
    carry(s)
    while low < DIGITS - 1 and s.digit[low] == 0:
        low += 1
    for i in range(low, DIGITS):
        for j in range(4 if i < DIGITS - 1 else 8):  # the last has the sign
            byte[4 * (i - low) + j] = (s.digit[i] >> (8 * j)) & 255
    integer = int.from_bytes(PyBytes_FromStringAndSize(<char *> byte, 4 * (DIGITS - low) + 4), "little", signed=True)
    return integer, 32 * low - LOWEST, s.special


def take_logarithms(double[::1] values not None):
    """Natural logarithms in place, by C's function: numpy's has other last bits with AVX-512 than with AVX2."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(values.shape[0]):
            values[i] = log(values[i])
