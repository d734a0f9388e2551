# Decimal numbers: text to double, bit for bit as C's strtod.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from ._read cimport EXACT, LONG, NOT_A_DECIMAL, Powers, load_word, nearest_double

cdef struct Digits:
    uint64_t value        # of the first 19 significant digits
    int count             # of significant digits seen
    int64_t dropped       # digits before the point that value does not hold
    int64_t after         # digits after the point that value holds


cdef inline bint eight_digits(uint64_t word) noexcept nogil:
    return ((word & <uint64_t> 0xF0F0F0F0F0F0F0F0)
            | (((word + <uint64_t> 0x0606060606060606) & <uint64_t> 0xF0F0F0F0F0F0F0F0) >> 4)
            ) == <uint64_t> 0x3333333333333333


cdef inline uint64_t eight_digit_value(uint64_t word) noexcept nogil:
    # Pairs, then fours, then eight digits: the first byte is the highest digit.
    word = (word & <uint64_t> 0x0F0F0F0F0F0F0F0F) * 2561 >> 8
    word = (word & <uint64_t> 0x00FF00FF00FF00FF) * 6553601 >> 16
    return (word & <uint64_t> 0x0000FFFF0000FFFF) * <uint64_t> 42949672960001 >> 32


cdef inline const uint8_t* read_digits(const uint8_t* p, const uint8_t* stop, Digits* digits, bint fraction) noexcept nogil:
    cdef uint64_t word
    cdef uint32_t digit
    while p < stop:
        if stop - p >= 8 and 0 < digits.count <= 11:
            word = load_word(p)
            if eight_digits(word):
                digits.value = digits.value * 100000000 + eight_digit_value(word)
                digits.count += 8
                if fraction:
                    digits.after += 8
                p += 8
                continue
        digit = <uint32_t> p[0] - 48
        if digit > 9:
            return p
        if digits.count < 19:
            digits.value = digits.value * 10 + digit
            if digits.value != 0:
                digits.count += 1
            if fraction:
                digits.after += 1
        else:
            if digits.count < 1000:
                digits.count += 1
            if not fraction:
                digits.dropped += 1
        p += 1
    return p


cdef inline const uint8_t* read_exponent(const uint8_t* p, const uint8_t* stop, int64_t* exponent) noexcept nogil:
    # p stands after the "e"; NULL if no digits follow.
    cdef bint negative = False
    cdef int64_t value = 0
    if p < stop and (p[0] == 45 or p[0] == 43):
        negative = p[0] == 45
        p += 1
    if p >= stop or <uint32_t> p[0] - 48 > 9:
        return NULL
    while p < stop and <uint32_t> p[0] - 48 <= 9:
        if value < 100000:
            value = value * 10 + (p[0] - 48)
        p += 1
    exponent[0] += -value if negative else value
    return p


cdef inline double small_power(uint64_t digits, int power, const Powers* powers) noexcept nogil:
    # Both factors are exact in a double, so the one rounding is the right one (Clinger 1990).
    if power < 0:
        return <double> digits / powers.ten[-power]
    return <double> digits * powers.ten[power]


cdef inline int read_decimal(const uint8_t* p, const uint8_t* stop, const Powers* powers, double* value) noexcept nogil:
    cdef Digits digits
    cdef const uint8_t* first
    cdef int64_t power = 0
    cdef bint negative = False
    cdef double other = 0.0
    if p < stop and (p[0] == 45 or p[0] == 43):
        negative = p[0] == 45
        p += 1
    first = p
    digits.value = 0
    digits.count = 0
    digits.dropped = 0
    digits.after = 0
    p = read_digits(p, stop, &digits, False)
    if p < stop and p[0] == 46:
        first += 1
        p = read_digits(p + 1, stop, &digits, True)
    if p <= first:
        return NOT_A_DECIMAL
    if p < stop and (p[0] == 101 or p[0] == 69):
        p = read_exponent(p + 1, stop, &power)
    if p != stop:
        return NOT_A_DECIMAL
    power += digits.dropped - digits.after
    if digits.value == 0:
        value[0] = 0.0
    elif digits.count <= 19 and digits.value >> 53 == 0 and -22 <= power <= 22:
        value[0] = small_power(digits.value, <int> power, powers)
    elif power < -400 or power > 400 or not nearest_double(digits.value, <int> power, powers, value):
        return LONG
    elif digits.count > 19:
        # The digits left out lie between these two: where both round alike, so do they.
        if not nearest_double(digits.value + 1, <int> power, powers, &other) or other != value[0]:
            return LONG
    if negative:
        value[0] = -value[0]
    return EXACT
