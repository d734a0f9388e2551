"""A sum that is never rounded: every double and every product of two has its place in it (Neal, arXiv:1505.05571).

The sum is that of digit[i] * 2**(32 i - LOWEST). Digits have 64 bits, of which numbers fill 32, so that carries may wait.
"""

from libc.math cimport ldexp
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memset

cdef enum:
    DIGITS = 136
    LOWEST = 2148  # 2**-2148 is the square of the smallest double
    SMALLEST = 1074  # the place of 2**-1074, the smallest double
    WAITING = 1 << 28  # additions until carries must be taken
    INFINITE = 2047  # the exponent of what is not finite

cdef struct Sum:
    int64_t digit[DIGITS]
    Py_ssize_t waiting
    double special  # the sum of all that is not finite, else 0


cdef inline void clear(Sum *s) noexcept nogil:
    memset(s, 0, sizeof(Sum))


cdef inline void carry(Sum *s) noexcept nogil:
    """Bring all digits but the last, which has the sign, into 0 .. 2**32-1."""
    cdef int i
    cdef int64_t over
    for i in range(DIGITS - 1):
        over = s.digit[i] >> 32
        s.digit[i] -= over * (<int64_t> 1 << 32)
        s.digit[i + 1] += over
    s.waiting = 0


cdef inline void add_mantissa(Sum *s, uint64_t mantissa, int place, bint negative) noexcept nogil:
    """Add whole * 2**(place - LOWEST)."""
    cdef int64_t *digit = s.digit + (place >> 5)
    cdef int shift = place & 31
    cdef int64_t low = (mantissa << shift) & <uint64_t> 0xffffffff
    cdef int64_t middle = (mantissa >> (32 - shift)) & <uint64_t> 0xffffffff
    cdef int64_t high = (mantissa >> 32) >> (32 - shift)
    if negative:
        low, middle, high = -low, -middle, -high
    digit[0] += low
    digit[1] += middle
    digit[2] += high
    s.waiting += 1
    if s.waiting >= WAITING:
        carry(s)


cdef inline uint64_t taken_apart(double x, int *exponent, bint *negative) noexcept nogil:
    """The whole number m with |x| = m * 2**(exponent - 1075)."""
    cdef uint64_t bits
    memcpy(&bits, &x, 8)
    negative[0] = bits >> 63
    exponent[0] = (bits >> 52) & 2047
    bits &= (<uint64_t> 1 << 52) - 1
    if exponent[0]:
        return bits | <uint64_t> 1 << 52
    exponent[0] = 1
    return bits


cdef inline void add(Sum *s, double x) noexcept nogil:
    cdef int exponent
    cdef bint negative
    cdef uint64_t mantissa = taken_apart(x, &exponent, &negative)
    if exponent == INFINITE:
        s.special += x
    elif mantissa:
        add_mantissa(s, mantissa, exponent - 1075 + LOWEST, negative)


cdef inline void add_product(Sum *s, double x, double y) noexcept nogil:
    """Add x * y, halves of 27 bits by halves."""
    cdef int a, b, place
    cdef bint below, under
    cdef uint64_t m = taken_apart(x, &a, &below), n = taken_apart(y, &b, &under), half = (<uint64_t> 1 << 27) - 1
    if a == INFINITE or b == INFINITE:
        s.special += x * y
        return
    if m == 0 or n == 0:
        return
    place = a + b - 2 * 1075 + LOWEST
    below ^= under
    add_mantissa(s, (m & half) * (n & half), place, below)
    add_mantissa(s, (m >> 27) * (n & half) + (m & half) * (n >> 27), place + 27, below)
    add_mantissa(s, (m >> 27) * (n >> 27), place + 54, below)


cdef inline uint64_t bits_from(const Sum *s, int place) noexcept nogil:
    """64 bits of digits that were carried."""
    cdef const int64_t *digit = s.digit + (place >> 5)
    cdef int shift = place & 31
    cdef uint64_t low = <uint64_t> digit[0] | <uint64_t> digit[1] << 32
    return low >> shift | <uint64_t> digit[2] << 1 << (63 - shift)


cdef inline bint is_more_than_half(const Sum *s, int place) noexcept nogil:
    """Whether there is a bit below a place."""
    cdef int i
    for i in range(place >> 5):
        if s.digit[i]:
            return True
    return s.digit[place >> 5] & ((<int64_t> 1 << (place & 31)) - 1) != 0


cdef inline double rounded(Sum *s) noexcept nogil:
    """The nearest double, of two the even one; the digits become those of the magnitude."""
    cdef int i, top, place
    cdef bint negative
    cdef uint64_t mantissa
    cdef double value
    if s.special != 0.0:
        return s.special
    carry(s)
    negative = s.digit[DIGITS - 1] < 0
    if negative:
        for i in range(DIGITS):
            s.digit[i] = -s.digit[i]
        carry(s)
    top = DIGITS - 1
    while top >= 0 and s.digit[top] == 0:
        top -= 1
    if top < 0:
        return 0.0
    place = 32 * top - 52
    while s.digit[top] >> (place + 53 - 32 * top):  # the place of the leading bit, less 52
        place += 1
    place = max(place, <int> SMALLEST)
    mantissa = bits_from(s, place)
    if bits_from(s, place - 1) & 1 and (mantissa & 1 or is_more_than_half(s, place - 1)):
        mantissa += 1
    value = ldexp(<double> mantissa, place - LOWEST)
    return -value if negative else value
