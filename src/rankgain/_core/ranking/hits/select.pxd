"""Candidates for the top k: every score at or above a lower bound of the k-th largest, and little more.

A tournament of maxima: 64 scores give 16 maxima of 4, those give maxima of 16, and so on. The k-th largest of any
level is a lower bound of the k-th score, since its sets are disjoint. A second pass collects the scores from the bound on.
Vertical maxima of 16 lanes need no shuffles, and compilers turn these loops into vector code for any instruction set.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.math cimport INFINITY, nextafterf
from libc.string cimport memcpy

from ..types cimport *
from ...simd.fetch cimport ahead, fetch_ahead
from ...simd.wide cimport wide_bound, wide_collect, wide_count_doubles, wide_count_four, wide_lanes, wide_level, wide_maxima, wide_round


cdef enum:
    TAKE_CANDIDATES_UP_TO = 96  # documents that may all be candidates
    # Up to this many documents, a block that straddles the cutoff is always left out: reading all labels once, to add it at the end, takes
    # no longer than handling a few dozen candidates.
    READ_LABELS_UP_TO = 4096


cdef inline bint is_shallow(Py_ssize_t n, int64_t depth) noexcept nogil:
    """Whether a selection of the first `depth` of n scores or labels is faster than a pass that handles all of them."""
    return depth <= n // 8


cdef inline Py_ssize_t raise_level(const real *x, Py_ssize_t n, real *out) noexcept nogil:
    """One level of the tournament: n values to maxima of 4, and to 16 of the last n % 64; returns their number.

    Of 64 values, maximum j is that of values j, j + 16, j + 32 and j + 48.
    """
    cdef const real *four
    cdef real best[16]
    cdef real a, b
    cdef Py_ssize_t i, full = n >> 6
    cdef int j
    if real is float and wide_level:
        wide_maxima(<const float *> x, full, <float *> out)
    else:
        for i in range(full):
            four = x + 64 * i
            for j in range(16):
                a = four[j] if four[j] > four[j + 16] else four[j + 16]
                b = four[j + 32] if four[j + 32] > four[j + 48] else four[j + 48]
                out[16 * i + j] = a if a > b else b
    if n & 63 == 0:
        return 16 * full
    out += 16 * full
    for j in range(16):
        best[j] = <real> -INFINITY
    for i in range(64 * full, n & ~(<Py_ssize_t> 15), 16):
        for j in range(16):
            best[j] = x[i + j] if x[i + j] > best[j] else best[j]
    for j in range(16):
        out[j] = best[j]
    for i in range(n & ~(<Py_ssize_t> 15), n):
        out[i & 15] = x[i] if x[i] > out[i & 15] else out[i & 15]
    return 16 * full + 16


cdef inline Py_ssize_t first_nan(const real *x, Py_ssize_t n) noexcept nogil:
    """The position of the first NaN, or -1."""
    cdef Py_ssize_t i
    for i in range(n):
        if x[i] != x[i]:
            return i
    return -1


cdef inline bint any_nan(const real *x, Py_ssize_t n) noexcept nogil:
    """Whether a value is NaN. A NaN makes the sum NaN; so do infinities of both signs, and then each value is looked at."""
    cdef real trace[16]
    cdef real total = 0
    cdef Py_ssize_t b, i
    cdef int j
    if n >= 64:
        for j in range(16):
            trace[j] = 0
        for b in range(n >> 6):
            for j in range(16):
                trace[j] += (x[64 * b + j] + x[64 * b + j + 16]) + (x[64 * b + j + 32] + x[64 * b + j + 48])
        for i in range(n & ~(<Py_ssize_t> 63), n & ~(<Py_ssize_t> 15), 16):
            for j in range(16):
                trace[j] += x[i + j]
        for j in range(16):
            total += trace[j]
        for i in range(n & ~(<Py_ssize_t> 15), n):
            total += x[i]
        if total == total:
            return False
    return first_nan(x, n) >= 0


cdef inline void count_one(const real *x, Py_ssize_t n, real t, Py_ssize_t *greater, Py_ssize_t *equal) noexcept nogil:
    """Add the numbers of values above and equal to a threshold."""
    cdef int32_t g = 0, e = 0
    cdef int64_t wide_g = 0, wide_e = 0  # as wide as the compared values
    cdef Py_ssize_t i
    if real is float:
        for i in range(n):
            g += x[i] > t
            e += x[i] == t
    else:
        for i in range(n):
            wide_g += x[i] > t
            wide_e += x[i] == t
    greater[0] += g + wide_g
    equal[0] += e + wide_e


cdef inline void count_above(const real *x, Py_ssize_t n, const real *t, Py_ssize_t m, Py_ssize_t *greater, Py_ssize_t *equal) noexcept nogil:
    """For each of m thresholds add the numbers of values above and equal to it. t, greater and equal have room for 3 more."""
    cdef Py_ssize_t i
    if real is float:
        if wide_level:
            for i in range(0, m, 4):
                wide_count_four(x, n, t + i, greater + i, equal + i)
            return
    else:
        if wide_level:
            for i in range(0, m, 4):
                wide_count_doubles(x, n, t + i, greater + i, equal + i)
            return
    for i in range(m):
        count_one(x, n, t[i], greater + i, equal + i)


cdef inline real from_key(int64_t key, real like) noexcept nogil:
    """The value of a key of `kth_bound`: its bits, of which all but the sign are flipped if it is negative. `like` says only its type."""
    cdef real x
    cdef int32_t bits32
    cdef int64_t bits64
    if real is float:
        bits32 = <int32_t> key
        if bits32 < 0:
            bits32 ^= <int32_t> 0x7fffffff
        memcpy(&x, &bits32, 4)
    else:
        bits64 = key
        if bits64 < 0:
            bits64 ^= <int64_t> 0x7fffffffffffffff
        memcpy(&x, &bits64, 8)
    return x


cdef inline whole bisect_keys(const whole *keys, Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    """A key that at least k of n reach, and at most k + k // 8 + 2 unless more are equal to it."""
    cdef whole low = keys[0], high = keys[0], middle
    cdef Py_ssize_t i
    cdef int32_t c
    for i in range(n):
        low = keys[i] if keys[i] < low else low
        high = keys[i] if keys[i] > high else high
    while low < high:
        middle = (low >> 1) + (high >> 1) + ((low | high) & 1)  # rounded up, without overflow
        c = 0
        for i in range(n):
            c += keys[i] >= middle
        if c < k:
            high = middle - 1
        else:
            low = middle
            if c <= k + (k >> 3) + 2:
                break
    return low


cdef inline real kth_bound(const real *x, Py_ssize_t n, Py_ssize_t k, void *spare) noexcept nogil:
    """A value such that at least k of the n values are as large, and hardly more than k + k/8 if values are distinct.

    `spare` holds the keys of the values afterwards, integers as wide as these. It may be x itself.

    Bisection on integers that order as the values do: their reductions vectorise, those of floats do not. The bits of positive floats
    order as their values, those of negative ones the other way round, so all bits of these but the sign are flipped.
    """
    cdef int32_t *keys32 = <int32_t *> spare
    cdef int64_t *wide = <int64_t *> spare
    cdef Py_ssize_t i
    if real is float:
        for i in range(n):
            keys32[i] = (<const int32_t *> x)[i] ^ (((<const int32_t *> x)[i] >> 31) & <int32_t> 0x7fffffff)
        return from_key(bisect_keys(<const int32_t *> keys32, n, k), x[0])
    else:
        for i in range(n):
            wide[i] = (<const int64_t *> x)[i] ^ (((<const int64_t *> x)[i] >> 63) & <int64_t> 0x7fffffffffffffff)
        return from_key(bisect_keys(<const int64_t *> wide, n, k), x[0])


cdef inline real bound_of(const real *x, Py_ssize_t n, Py_ssize_t k, void *spare) noexcept nogil:
    """As kth_bound; `spare` has space for 16 values more than x."""
    cdef float *copy = <float *> spare
    cdef Py_ssize_t i, full = (n + 15) & ~(<Py_ssize_t> 15)
    if real is float:
        if wide_level:
            for i in range(n):
                copy[i] = x[i]
            for i in range(n, full):
                copy[i] = <float> -INFINITY
            return wide_bound(copy, full, k, (k >> 3) + 2)
    return kth_bound(x, n, k, spare)


cdef inline Py_ssize_t collect(
        const real *x, Py_ssize_t n, real t, bint above, uint32_t *position, real *candidates, ahead *next) noexcept nogil:
    """Positions and values from t on, or only above it, and every NaN; returns how many. An infinite t may be collected with those above."""
    cdef Py_ssize_t i, block, stop, count = 0
    cdef int32_t few
    cdef int64_t many  # as wide as the compared values
    if real is float:
        if wide_level:
            # "Above t" is "from the next larger float on".
            return wide_collect(x, n, nextafterf(t, INFINITY) if above else t, position, candidates, next)
    for block in range(0, n, 64):
        stop = block + 64 if block + 64 < n else n
        few = many = 0
        for i in range(block, stop):
            if real is float:
                few |= not x[i] < t
            else:
                many |= not x[i] < t
        for i in range(block, stop if few or many else block):
            candidates[count] = x[i]
            position[count] = <uint32_t> i
            count += not x[i] < t and not (above and x[i] == t)
    return count


cdef inline Py_ssize_t select_values(
        const real *x, Py_ssize_t n, Py_ssize_t k, real *maxima, real *candidates, uint32_t *position, real *bound, bint keeps_blocks,
        bint *straddles, bint *nan, ahead *next) noexcept nogil:
    """Collect the values above a lower bound of the k-th: from 64 lanes of wide vectors for a small k, else from a tournament.

    At least k values reach the bound. So if fewer than k are above it, it is the k-th score itself. What equals it is then collected too,
    unless tie blocks are kept whole. In that case the values equal to it are left out, as one straddling block that `straddling_block` adds
    at the end by reading all labels once. In lists of more than READ_LABELS_UP_TO documents, this is done only if the block seems large, as
    then its documents would cost more as candidates: if at least seven eighths of the maxima reach the bound.
    """
    cdef Py_ssize_t n_maxima = 64, m, i, n_reaching = 0
    cdef int32_t unordered = 0
    cdef real *top = maxima
    if real is float and k <= 24 and wide_level:
        wide_lanes(<const float *> x, n, <float *> maxima)
    else:
        n_maxima = raise_level(x, n, maxima)
        while n_maxima >= 16 * k and n_maxima >= 128:
            top += n_maxima
            n_maxima = raise_level(<const real *> (top - n_maxima), n_maxima, top)
    fetch_ahead(next)
    fetch_ahead(next)
    if real is float and wide_level:
        bound[0] = wide_bound(<float *> top, n_maxima, k, (k >> 3) + 2)  # which writes the keys in place, too
    else:
        bound[0] = kth_bound(<const real *> top, n_maxima, k, top)
    fetch_ahead(next)
    m = collect(x, n, bound[0], True, position, candidates, next)
    for i in range(m):
        unordered |= candidates[i] != candidates[i]
    nan[0] = unordered
    if m < k:
        for i in range(n_maxima if keeps_blocks and n > READ_LABELS_UP_TO else 0):  # `top` holds the keys of the maxima now
            if real is float:
                n_reaching += from_key((<const int32_t *> top)[i], bound[0]) >= bound[0]
            else:
                n_reaching += from_key((<const int64_t *> top)[i], bound[0]) >= bound[0]
        straddles[0] = keeps_blocks and (n <= READ_LABELS_UP_TO or 8 * n_reaching >= 7 * n_maxima)
        if not straddles[0]:
            m = collect(x, n, bound[0], False, position, candidates, next)
    return m


cdef inline double smallest(const double *x, Py_ssize_t n) noexcept nogil:
    """The smallest value, by 8 lanes, which compilers vectorise."""
    cdef double low[8]
    cdef Py_ssize_t i
    cdef int j
    for j in range(8):
        low[j] = INFINITY
    for i in range(0, n & ~(<Py_ssize_t> 7), 8):
        for j in range(8):
            low[j] = x[i + j] if x[i + j] < low[j] else low[j]
    for i in range(n & ~(<Py_ssize_t> 7), n):
        low[i & 7] = x[i] if x[i] < low[i & 7] else low[i & 7]
    for j in range(1, 8):
        low[0] = low[j] if low[j] < low[0] else low[0]
    return low[0]


cdef inline Py_ssize_t select(
        const real *x, Py_ssize_t n, Py_ssize_t k, void *maxima, real *candidates, uint32_t *position, real *bound, bint keeps_blocks,
        bint *straddles, bint *nan, ahead *next) noexcept nogil:
    """Every score at or above a lower bound of the k-th largest: values into `candidates`, positions into `position`; returns how many.

    If tie blocks are kept whole, they may be fewer than k, and `straddles` is set: the bound is then the k-th score, whose block is left out.
    Needs 64 <= n and k <= n / 8. `maxima` holds n // 2 + 512 values; `candidates` and `position` hold n + 64.

    Doubles are rounded to floats, which keeps the order: the candidates are those from the smallest one whose float reaches the bound.
    Where many doubles are one float, that is too much, and the doubles hold a tournament of their own.
    """
    cdef float *rounded = <float *> candidates + ((n + 79) & ~(<Py_ssize_t> 15))
    cdef float level
    cdef int64_t other = 0, same = 0
    cdef Py_ssize_t i, m, above = 0, equal = 0
    if real is float:
        return select_values(x, n, k, <float *> maxima, candidates, position, bound, keeps_blocks, straddles, nan, next)
    else:
        if keeps_blocks and x[0] == x[31] and x[0] == x[63]:
            for i in range(n):
                other |= x[i] != x[0]
            if not other:  # all scores are one
                bound[0] = x[0]
                straddles[0] = True
                return 0
        # Among the first 32 scores: neighbours that differ, but are one float.
        for i in range(31):
            same += (<double> <float> x[i] == <double> <float> x[i + 1]) & (x[i] != x[i + 1])
        if same > 2:
            return select_values(x, n, k, <double *> maxima, candidates, position, bound, keeps_blocks, straddles, nan, next)
        if wide_level:
            wide_round(x, n, rounded)
        else:
            for i in range(n):
                rounded[i] = <float> x[i]
        fetch_ahead(next)
        m = select_values(rounded, n, k, <float *> maxima, <float *> candidates, position, &level, False, straddles, nan, next)
        for i in range(m):
            candidates[i] = x[position[i]]
        bound[0] = smallest(candidates, m)
        if m > 2 * k + TAKE_CANDIDATES_UP_TO and not nan[0]:
            count_one(<const double *> candidates, m, bound[0], &above, &equal)
            if above >= k:
                return select_values(x, n, k, <double *> maxima, candidates, position, bound, keeps_blocks, straddles, nan, next)
        return m
