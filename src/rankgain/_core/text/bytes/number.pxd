# Decimal numbers: text to double, bit for bit as C's strtod.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from .words cimport EXACT, LONG, NOT_A_DECIMAL, Powers, first_marked, is_blank, load_word, nearest_double

cdef struct Digits:
    uint64_t value        # of the first 19 significant digits
    int count             # of significant digits seen
    int64_t dropped       # digits before the point that value does not hold
    int64_t after         # digits after the point that value holds


cdef inline uint64_t not_digits(uint64_t word) noexcept nogil:
    # Marks the bytes that are not digits.
    cdef uint64_t value = word ^ <uint64_t> 0x3030303030303030
    return (
        ((value & <uint64_t> 0x7F7F7F7F7F7F7F7F) + <uint64_t> 0x7676767676767676) | value
    ) & <uint64_t> 0x8080808080808080


cdef inline uint64_t eight_digit_value(uint64_t word) noexcept nogil:
    # Pairs, then fours, then eight digits: the first byte is the highest digit.
    word = (word & <uint64_t> 0x0F0F0F0F0F0F0F0F) * 2561 >> 8
    word = (word & <uint64_t> 0x00FF00FF00FF00FF) * 6553601 >> 16
    return (word & <uint64_t> 0x0000FFFF0000FFFF) * <uint64_t> 42949672960001 >> 32


cdef inline uint64_t first_digits(uint64_t word, int count) noexcept nogil:
    # Of 0 to 8 bytes: the rest is shifted out, in two steps as one of 64 means nothing.
    cdef int half = 32 - 4 * count
    return eight_digit_value((word << half) << half)


cdef inline const uint8_t* digit_run(const uint8_t* p, uint64_t* value, const Powers* powers) noexcept nogil:
    # Reads all digits from p on; the value overflows beyond 19 digits.
    cdef uint64_t word = load_word(p), marks = not_digits(word)
    cdef int count
    while marks == 0:
        value[0] = value[0] * 100000000 + eight_digit_value(word)
        p += 8
        word = load_word(p)
        marks = not_digits(word)
    count = first_marked(marks)
    value[0] = value[0] * powers.integer[count] + first_digits(word, count)
    return p + count


cdef inline const uint8_t* fraction_run(const uint8_t* p, uint64_t* value, const Powers* powers) noexcept nogil:
    # As digit_run; but most fractions have 8 to 16 digits, in no order: how many must not be a branch.
    cdef uint64_t word = load_word(p), marks = not_digits(word)
    cdef int count
    if marks != 0:
        count = first_marked(marks)
        value[0] = value[0] * powers.integer[count] + first_digits(word, count)
        return p + count
    value[0] = value[0] * 100000000 + eight_digit_value(word)
    p += 8
    word = load_word(p)
    marks = not_digits(word)
    count = first_marked(marks) if marks != 0 else 8
    value[0] = value[0] * powers.integer[count] + first_digits(word, count)
    if count == 8 and <uint32_t> p[8] - 48 <= 9:
        return digit_run(p + 8, value, powers)
    return p + count


cdef inline const uint8_t* plain_decimal(const uint8_t* p, const Powers* powers, double* value) noexcept nogil:
    # A field that is a decimal number of at most 19 digits without exponent: its end; NULL if it is not.
    cdef bint negative = p[0] == 45, point
    cdef uint64_t digits = 0
    cdef const uint8_t* first = p + negative
    cdef const uint8_t* stop = digit_run(first, &digits, powers)
    cdef int64_t count, after = 0
    point = stop[0] == 46
    if point:
        after = stop - first
        stop = fraction_run(stop + 1, &digits, powers)
        after = stop - first - 1 - after
    count = stop - first - point
    if count < 1 or count > 19 or not (stop[0] == 10 or is_blank(stop[0])):
        return NULL
    if digits == 0:
        value[0] = 0.0
    elif digits >> 43 == 0:
        # Exact for up to 53 bits; but one way for all scores of 15 to 17 digits is faster.
        value[0] = <double> digits / powers.ten[after]
    elif not nearest_double(digits, <int> -after, powers, value):
        return NULL
    if negative:
        value[0] = -value[0]
    return stop


cdef inline const uint8_t* read_digits(const uint8_t* p, const uint8_t* stop, Digits* digits, bint fraction) noexcept nogil:
    # Any number of digits, of which the first 19 are kept.
    cdef uint32_t digit
    while p < stop:
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
        # The exact value lies between these two; if both round to one double, so does it.
        if not nearest_double(digits.value + 1, <int> power, powers, &other) or other != value[0]:
            return LONG
    if negative:
        value[0] = -value[0]
    return EXACT
