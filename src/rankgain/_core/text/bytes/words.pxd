# Reading text: fields, numbers and hashes of bytes, eight bytes at a time.
#
# Every block of text that comes here ends with a line feed and is followed by at least sixteen readable
# bytes, so two words may be loaded at any byte of it and every search for the end of a field stops.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

cdef extern from "../../simd/bits.h" nogil:
    uint64_t multiply "bits_multiply"(uint64_t a, uint64_t b, uint64_t *high) noexcept
    int leading_zeros "bits_leading_zeros"(uint64_t word) noexcept
    int trailing_zeros "bits_trailing_zeros"(uint64_t word) noexcept

cdef extern from "keys.h" nogil:
    uint64_t hash_keys[3]
    enum: HASH_KEYS

cdef enum:
    EXACT = 0          # a decimal number, converted as strtod would
    LONG = 1           # a decimal number that needs more digits or a wider exponent than is handled here
    NOT_A_DECIMAL = 2

cdef enum:
    LEAST_POWER = -342       # 10**-343 times any 64-bit integer is 0
    GREATEST_POWER = 308

cdef struct Powers:
    uint64_t[2 * 651] five      # 128 bits of 5**n, high word first, n from LEAST_POWER to GREATEST_POWER
    double[23] ten              # those powers of ten that a double holds exactly
    uint64_t[9] integer           # and the first of them as integers


cdef inline uint64_t load_word(const uint8_t* p) noexcept nogil:
    # The first byte is the lowest: compilers make one load of this on little-endian machines.
    return (<uint64_t> p[0] | <uint64_t> p[1] << 8 | <uint64_t> p[2] << 16 | <uint64_t> p[3] << 24
            | <uint64_t> p[4] << 32 | <uint64_t> p[5] << 40 | <uint64_t> p[6] << 48 | <uint64_t> p[7] << 56)


cdef inline int first_marked(uint64_t marks) noexcept nogil:
    # Number of bytes below the lowest byte whose top bit is set; marks has no other bits, and is not 0.
    return trailing_zeros(marks) >> 3


cdef inline bint is_blank(uint8_t c) noexcept nogil:
    # White space of the C locale but for the line feed.
    return c == 32 or c == 9 or (11 <= c <= 13)


cdef inline const uint8_t* field_end(const uint8_t* p) noexcept nogil:
    cdef uint64_t word, marks
    while True:
        word = load_word(p)
        # Bytes up to 32: adding 0x5f carries every larger one into its top bit.
        marks = ~(((word & <uint64_t> 0x7F7F7F7F7F7F7F7F) + <uint64_t> 0x5F5F5F5F5F5F5F5F) | word)
        marks &= <uint64_t> 0x8080808080808080
        if marks == 0:
            p += 8
            continue
        p += first_marked(marks)
        if p[0] == 10 or is_blank(p[0]):
            return p
        p += 1


cdef inline const uint8_t* next_field(const uint8_t* p) noexcept nogil:
    # The next field of this line, or its line feed.
    while is_blank(p[0]):
        p += 1
    return p


cdef inline const uint8_t* line_end(const uint8_t* p) noexcept nogil:
    cdef uint64_t word, marks
    while True:
        word = load_word(p) ^ <uint64_t> 0x0A0A0A0A0A0A0A0A
        marks = ~(((word & <uint64_t> 0x7F7F7F7F7F7F7F7F) + <uint64_t> 0x7F7F7F7F7F7F7F7F) | word)
        marks &= <uint64_t> 0x8080808080808080
        if marks != 0:
            return p + first_marked(marks)
        p += 8


cdef inline void fill_hash_keys():
    # From the secret of Python's hashes, so that they are constant in a process, and PYTHONHASHSEED sets them.
    cdef int i
    for i in range(HASH_KEYS):
        hash_keys[i] = <uint64_t> hash(b"rankgain upper %d" % i) << 32 ^ <uint64_t> hash(b"rankgain lower %d" % i)


cdef inline uint64_t load_half(const uint8_t* p) noexcept nogil:
    return <uint64_t> p[0] | <uint64_t> p[1] << 8 | <uint64_t> p[2] << 16 | <uint64_t> p[3] << 24


cdef inline uint64_t load_rest(const uint8_t* p, size_t size) noexcept nogil:
    # All of 1 to 8 bytes, none beyond them: halves and bytes may overlap, the size tells them apart.
    if size >= 4:
        return load_half(p) | load_half(p + size - 4) << 32
    return <uint64_t> p[0] | <uint64_t> p[size >> 1] << 8 | <uint64_t> p[size - 1] << 16


cdef inline uint64_t fold(uint64_t a, uint64_t b) noexcept nogil:
    cdef uint64_t high = 0, low = multiply(a, b, &high)
    return high ^ low


cdef inline uint64_t hash_bytes(const uint8_t* p, size_t size) noexcept nogil:
    # Products of 128 bits, folded (wyhash, Wang Yi 2019). All factors are secret: without the key nobody can
    # choose ids with equal hashes, or learn that a factor is 0.
    cdef uint64_t value = hash_keys[0], last = hash_keys[1] ^ size
    while size > 8:
        value = fold(value ^ load_word(p), hash_keys[2])
        p += 8
        size -= 8
    if size > 0:
        value ^= load_rest(p, size)
    return fold(value, last)


cdef inline bint equal_bytes(const uint8_t* a, const uint8_t* b, size_t size) noexcept nogil:
    # Inline: ids are too short for a function call.
    while size > 8:
        if load_word(a) != load_word(b):
            return False
        a += 8
        b += 8
        size -= 8
    return size == 0 or load_rest(a, size) == load_rest(b, size)


cdef inline bint same_bytes(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size) noexcept nogil:
    return a_size == b_size and memcmp(a, b, a_size) == 0


cdef inline bint nearest_double(uint64_t digits, int power, const Powers* powers, double* value) noexcept nogil:
    # digits * 10**power, correctly rounded, by one or two multiplications with a 128-bit power of five
    # (D. Lemire, Number parsing at a gigabyte per second, Software: Practice and Experience 51, 2021).
    # False if the result is subnormal, overflows, or is not certain.
    cdef uint64_t low, high, more, mantissa, bits
    cdef int zeros, upper, shift
    cdef int64_t exponent
    if power < LEAST_POWER or power > GREATEST_POWER:
        return False
    zeros = leading_zeros(digits)
    digits <<= zeros
    low = multiply(digits, powers.five[2 * (power - LEAST_POWER)], &high)
    if high & 0x1FF == 0x1FF:
        multiply(digits, powers.five[2 * (power - LEAST_POWER) + 1], &more)
        low += more
        if low < more:
            high += 1
    if low == ~<uint64_t> 0 and (power < -27 or power > 55):
        return False
    upper = <int> (high >> 63)
    shift = upper + 9
    mantissa = high >> shift
    exponent = ((217706 * <int64_t> power) >> 16) + 63 + upper - zeros + 1023
    if exponent <= 0:
        return False
    if low <= 1 and -4 <= power <= 23 and mantissa & 3 == 1 and mantissa << shift == high:
        mantissa &= ~<uint64_t> 1      # exactly half way: to even
    mantissa = (mantissa + (mantissa & 1)) >> 1
    if mantissa >> 53:
        mantissa >>= 1
        exponent += 1
    if exponent >= 2047:
        return False
    bits = (mantissa & ~(<uint64_t> 1 << 52)) | <uint64_t> exponent << 52
    memcpy(value, &bits, 8)
    return True


# Decimal numbers: text to double, bit for bit as C's strtod.

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


cdef inline int read_decimal(const uint8_t* p, const uint8_t* stop, const Powers* powers, double* value) noexcept nogil:
    cdef Digits digits
    cdef const uint8_t* first
    cdef int64_t power = 0
    cdef bint negative = False, falls
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
        p += 1
        falls = p < stop and p[0] == 45
        p += falls or (p < stop and p[0] == 43)
        if p >= stop or <uint32_t> p[0] - 48 > 9:
            return NOT_A_DECIMAL
        while p < stop and <uint32_t> p[0] - 48 <= 9:
            if power < 100000:
                power = power * 10 + (p[0] - 48)
            p += 1
        power = -power if falls else power
    if p != stop:
        return NOT_A_DECIMAL
    power += digits.dropped - digits.after
    if digits.value == 0:
        value[0] = 0.0
    elif digits.count <= 19 and digits.value >> 53 == 0 and -22 <= power <= 22:
        # Both factors are exact in a double, so the one rounding is the right one (Clinger 1990).
        if power < 0:
            value[0] = <double> digits.value / powers.ten[-power]
        else:
            value[0] = <double> digits.value * powers.ten[power]
    elif power < -400 or power > 400 or not nearest_double(digits.value, <int> power, powers, value):
        return LONG
    elif digits.count > 19:
        # The exact value lies between these two; if both round to one double, so does it.
        if not nearest_double(digits.value + 1, <int> power, powers, &other) or other != value[0]:
            return LONG
    if negative:
        value[0] = -value[0]
    return EXACT
