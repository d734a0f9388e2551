/* Wide twins of a handful of primitives on float32, for x86-64 with gcc or clang. The plain path is Cython and complete
   without this file. Everything here compares, selects and counts; no gain is summed, so values cannot differ between paths.

   wide_level says which twin runs: 0 none, 1 AVX2, 2 AVX-512. It is set once, when the module is loaded. */

#ifndef RANKGAIN_WIDE_H
#define RANKGAIN_WIDE_H

#include <stddef.h>
#include <stdint.h>

static int wide_level = 0;

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,popcnt"))) static
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,popcnt"))) static

static int wide_best(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 2;
    return __builtin_cpu_supports("avx2") ? 1 : 0;
}

#define FETCH(address) __builtin_prefetch(address), __builtin_prefetch((address) + 16), __builtin_prefetch((address) + 32), __builtin_prefetch((address) + 48)

/* The first `left` (< 16) of 16 lanes. */
#define LANES(left) ((__mmask16)((1u << (left)) - 1))

/* 16 maxima of 4 for each block of 64; returns whether a NaN is among them. */
AVX512 int maxima_512(const float *x, ptrdiff_t blocks, float *out) {
    __mmask16 nan = 0;
    for (; blocks > 0; blocks--, x += 64, out += 16) {
        __m512 a = _mm512_loadu_ps(x), b = _mm512_loadu_ps(x + 16);
        __m512 c = _mm512_loadu_ps(x + 32), d = _mm512_loadu_ps(x + 48);
        nan |= _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q) | _mm512_cmp_ps_mask(c, d, _CMP_UNORD_Q);
        _mm512_storeu_ps(out, _mm512_max_ps(_mm512_max_ps(a, b), _mm512_max_ps(c, d)));
    }
    return nan != 0;
}

AVX2 int maxima_256(const float *x, ptrdiff_t blocks, float *out) {
    __m256 nan = _mm256_setzero_ps();
    for (; blocks > 0; blocks--, x += 64, out += 16)
        for (int j = 0; j < 16; j += 8) {
            __m256 a = _mm256_loadu_ps(x + j), b = _mm256_loadu_ps(x + 16 + j);
            __m256 c = _mm256_loadu_ps(x + 32 + j), d = _mm256_loadu_ps(x + 48 + j);
            nan = _mm256_or_ps(nan, _mm256_or_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q), _mm256_cmp_ps(c, d, _CMP_UNORD_Q)));
            _mm256_storeu_ps(out + j, _mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, d)));
        }
    return _mm256_movemask_ps(nan) != 0;
}

/* The maxima of 64 interleaved lanes; returns whether a NaN is among the values. */
AVX512 int lanes_512(const float *x, ptrdiff_t n, float *out) {
    const __m512 low = _mm512_set1_ps(-__builtin_inff());
    __m512 a = low, b = low, c = low, d = low;
    __mmask16 nan = 0;
    ptrdiff_t i = 0;
    for (; i + 64 <= n; i += 64) {
        __m512 p = _mm512_loadu_ps(x + i), q = _mm512_loadu_ps(x + i + 16);
        __m512 r = _mm512_loadu_ps(x + i + 32), s = _mm512_loadu_ps(x + i + 48);
        nan |= _mm512_cmp_ps_mask(p, q, _CMP_UNORD_Q) | _mm512_cmp_ps_mask(r, s, _CMP_UNORD_Q);
        a = _mm512_max_ps(a, p);
        b = _mm512_max_ps(b, q);
        c = _mm512_max_ps(c, r);
        d = _mm512_max_ps(d, s);
    }
    for (; i < n; i += 16) {
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        __m512 p = _mm512_mask_loadu_ps(low, valid, x + i);
        __m512 free = a; /* the tail takes a, b, c, d in turn */
        nan |= _mm512_cmp_ps_mask(p, p, _CMP_UNORD_Q);
        a = b;
        b = c;
        c = d;
        d = _mm512_max_ps(free, p);
    }
    _mm512_storeu_ps(out, a);
    _mm512_storeu_ps(out + 16, b);
    _mm512_storeu_ps(out + 32, c);
    _mm512_storeu_ps(out + 48, d);
    return nan != 0;
}

AVX2 int lanes_256(const float *x, ptrdiff_t n, float *out) {
    const __m256 low = _mm256_set1_ps(-__builtin_inff());
    __m256 best[8], nan = _mm256_setzero_ps();
    ptrdiff_t i = 0;
    int bad;
    for (int j = 0; j < 8; j++) best[j] = low;
    for (; i + 64 <= n; i += 64) {
        FETCH(x + i + n);
        for (int j = 0; j < 8; j += 2) {
            __m256 p = _mm256_loadu_ps(x + i + 8 * j), q = _mm256_loadu_ps(x + i + 8 * j + 8);
            nan = _mm256_or_ps(nan, _mm256_cmp_ps(p, q, _CMP_UNORD_Q));
            best[j] = _mm256_max_ps(best[j], p);
            best[j + 1] = _mm256_max_ps(best[j + 1], q);
        }
    }
    for (int j = 0; j < 8; j++) _mm256_storeu_ps(out + 8 * j, best[j]);
    bad = _mm256_movemask_ps(nan);
    for (; i < n; i++) {
        bad |= x[i] != x[i];
        out[i & 63] = x[i] > out[i & 63] ? x[i] : out[i & 63];
    }
    return bad != 0;
}

/* Integers that order as floats do, and their bisection for a bound that at least k of the n values reach. */
AVX512 float bound_512(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) {
    __m512i least = _mm512_set1_epi32(INT32_MAX), most = _mm512_set1_epi32(INT32_MIN);
    int32_t low, high;
    float bound;
    for (ptrdiff_t i = 0; i < n; i += 16) {
        __m512i key = _mm512_loadu_si512(x + i);
        key = _mm512_xor_si512(key, _mm512_and_si512(_mm512_srai_epi32(key, 31), _mm512_set1_epi32(INT32_MAX)));
        _mm512_storeu_si512(x + i, key);
        least = _mm512_min_epi32(least, key);
        most = _mm512_max_epi32(most, key);
    }
    low = _mm512_reduce_min_epi32(least);
    high = _mm512_reduce_max_epi32(most);
    while (low < high) {
        int32_t middle = (low >> 1) + (high >> 1) + ((low | high) & 1);
        const __m512i level = _mm512_set1_epi32(middle);
        ptrdiff_t count = 0;
        for (ptrdiff_t i = 0; i < n; i += 16)
            count += _mm_popcnt_u32(_mm512_cmpge_epi32_mask(_mm512_loadu_si512(x + i), level));
        if (count < k) {
            high = middle - 1;
        } else {
            low = middle;
            if (count <= k + slack) break;
        }
    }
    low ^= (low >> 31) & INT32_MAX;
    __builtin_memcpy(&bound, &low, 4);
    return bound;
}

AVX2 float bound_256(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) {
    __m256i least = _mm256_set1_epi32(INT32_MAX), most = _mm256_set1_epi32(INT32_MIN);
    int32_t low = INT32_MAX, high = INT32_MIN, lane[16];
    float bound;
    for (ptrdiff_t i = 0; i < n; i += 8) {
        __m256i key = _mm256_loadu_si256((const __m256i *)(x + i));
        key = _mm256_xor_si256(key, _mm256_and_si256(_mm256_srai_epi32(key, 31), _mm256_set1_epi32(INT32_MAX)));
        _mm256_storeu_si256((__m256i *)(x + i), key);
        least = _mm256_min_epi32(least, key);
        most = _mm256_max_epi32(most, key);
    }
    _mm256_storeu_si256((__m256i *)lane, least);
    _mm256_storeu_si256((__m256i *)(lane + 8), most);
    for (int j = 0; j < 8; j++) {
        low = lane[j] < low ? lane[j] : low;
        high = lane[8 + j] > high ? lane[8 + j] : high;
    }
    while (low < high) {
        int32_t middle = (low >> 1) + (high >> 1) + ((low | high) & 1);
        const __m256i level = _mm256_set1_epi32(middle);
        ptrdiff_t below = 0;
        for (ptrdiff_t i = 0; i < n; i += 8)
            below += _mm_popcnt_u32((unsigned)_mm256_movemask_ps(
                _mm256_castsi256_ps(_mm256_cmpgt_epi32(level, _mm256_loadu_si256((const __m256i *)(x + i))))));
        if (n - below < k) {
            high = middle - 1;
        } else {
            low = middle;
            if (n - below <= k + slack) break;
        }
    }
    low ^= (low >> 31) & INT32_MAX;
    __builtin_memcpy(&bound, &low, 4);
    return bound;
}

/* Positions and values at or above t, in order; both outputs need room for 16 more. Candidates come at random, so nothing
   branches on them. Meanwhile the scores of the next list are fetched, which mostly lie behind these. */
AVX512 ptrdiff_t collect_512(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value) {
    const __m512 least = _mm512_set1_ps(t);
    __m512i at = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    ptrdiff_t kept = 0, i = 0;
    __mmask16 keep;
    for (; i + 16 <= n; i += 16, at = _mm512_add_epi32(at, _mm512_set1_epi32(16))) {
        keep = _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i), least, _CMP_GE_OQ);
        __builtin_prefetch(x + i + n);
        _mm512_storeu_si512(position + kept, _mm512_maskz_compress_epi32(keep, at));
        kept += _mm_popcnt_u32(keep);
    }
    if (i < n) {
        __mmask16 valid = LANES(n - i);
        keep = _mm512_mask_cmp_ps_mask(valid, _mm512_maskz_loadu_ps(valid, x + i), least, _CMP_GE_OQ);
        _mm512_storeu_si512(position + kept, _mm512_maskz_compress_epi32(keep, at));
        kept += _mm_popcnt_u32(keep);
    }
    for (i = 0; i < kept; i++) value[i] = x[position[i]];
    return kept;
}

AVX2 ptrdiff_t collect_256(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value) {
    const __m256 least = _mm256_set1_ps(t);
    ptrdiff_t kept = 0, i = 0;
    for (; i + 32 <= n; i += 32) {
        unsigned keep = 0;
        for (int j = 0; j < 4; j++)
            keep |= (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(x + i + 8 * j), least, _CMP_GE_OQ)) << (8 * j);
        for (; keep; keep &= keep - 1) {
            position[kept] = (uint32_t)i + (uint32_t)__builtin_ctz(keep);
            value[kept] = x[position[kept]];
            kept++;
        }
    }
    for (; i < n; i++)
        if (x[i] >= t) {
            position[kept] = (uint32_t)i;
            value[kept++] = x[i];
        }
    return kept;
}

/* For each of m thresholds (m <= 12) add the number of values above it; returns how many values equal one of them, each
   threshold counted once a value, or -1 where a NaN is among the values. Every equality is found by one look-up: a shift sends
   the thresholds to different slots of 32, and a value can only equal the threshold of its own slot. */
AVX512 int slots_512(const float *t, int m, float *slot) {
    uint32_t bits[12];
    __builtin_memcpy(bits, t, 4 * (size_t)m);
    for (int shift = 0; shift < 28; shift++) {
        uint32_t used = 0;
        int q = 0;
        for (int j = 0; j < 32; j++) slot[j] = __builtin_nanf("");
        for (; q < m; q++) {
            uint32_t at = (bits[q] >> shift) & 31;
            if ((used >> at & 1) && slot[at] != t[q]) break;
            used |= 1u << at;
            slot[at] = t[q];
        }
        if (q == m) return shift;
    }
    return -1;
}

AVX512 __attribute__((always_inline)) inline ptrdiff_t above_512(
    const float *x, ptrdiff_t n, const float *t, const int m, const float *slot, int shift, ptrdiff_t *greater) {
    const __m512i one = _mm512_set1_epi32(1);
    const __m512 low = _mm512_loadu_ps(slot), high = _mm512_loadu_ps(slot + 16);
    const __m128i by = _mm_cvtsi32_si128(shift);
    __m512 level[12];
    __m512i count[12], same = _mm512_setzero_si512();
    __mmask16 nan = 0;
    for (int q = 0; q < m; q++) {
        level[q] = _mm512_set1_ps(t[q]);
        count[q] = _mm512_setzero_si512();
    }
    for (ptrdiff_t i = 0; i < n; i += 16) {
        /* lanes beyond the end compare as -inf, which is above nothing, and are no match */
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        __m512 v = _mm512_mask_loadu_ps(_mm512_set1_ps(-__builtin_inff()), valid, x + i);
        __m512 mine = _mm512_permutex2var_ps(low, _mm512_srl_epi32(_mm512_castps_si512(v), by), high);
        nan |= _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
        same = _mm512_mask_add_epi32(same, _mm512_mask_cmp_ps_mask(valid, v, mine, _CMP_EQ_OQ), same, one);
        for (int q = 0; q < m; q++)
            count[q] = _mm512_mask_add_epi32(count[q], _mm512_cmp_ps_mask(v, level[q], _CMP_GT_OQ), count[q], one);
    }
    if (nan) return -1;
    for (int q = 0; q < m; q++) greater[q] += _mm512_reduce_add_epi32(count[q]);
    return _mm512_reduce_add_epi32(same);
}

AVX512 ptrdiff_t ranks_512(const float *x, ptrdiff_t n, const float *t, int m, const float *slot, int shift, ptrdiff_t *greater) {
    switch ((m + 1) / 2) {
    case 1: return above_512(x, n, t, 2, slot, shift, greater);
    case 2: return above_512(x, n, t, 4, slot, shift, greater);
    case 3: return above_512(x, n, t, 6, slot, shift, greater);
    case 4: return above_512(x, n, t, 8, slot, shift, greater);
    case 5: return above_512(x, n, t, 10, slot, shift, greater);
    default: return above_512(x, n, t, 12, slot, shift, greater);
    }
}

/* Add the numbers of values above and equal to each of four thresholds. */
AVX512 void count_four_512(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    const __m512i one = _mm512_set1_epi32(1);
    __m512i g[4], e[4];
    __m512 level[4];
    for (int q = 0; q < 4; q++) {
        g[q] = e[q] = _mm512_setzero_si512();
        level[q] = _mm512_set1_ps(t[q]);
    }
    for (ptrdiff_t i = 0; i < n; i += 16) {
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        __m512 v = _mm512_maskz_loadu_ps(valid, x + i);
        for (int q = 0; q < 4; q++) {
            __mmask16 above = _mm512_mask_cmp_ps_mask(valid, v, level[q], _CMP_GT_OQ);
            __mmask16 same = _mm512_mask_cmp_ps_mask(valid, v, level[q], _CMP_EQ_OQ);
            g[q] = _mm512_mask_add_epi32(g[q], above, g[q], one);
            e[q] = _mm512_mask_add_epi32(e[q], same, e[q], one);
        }
    }
    for (int q = 0; q < 4; q++) {
        greater[q] += _mm512_reduce_add_epi32(g[q]);
        equal[q] += _mm512_reduce_add_epi32(e[q]);
    }
}

AVX2 void count_four_256(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    __m256i g[4], e[4];
    __m256 level[4];
    ptrdiff_t i = 0;
    if (n < 32) {
        for (int q = 0; q < 4; q++)
            for (i = 0; i < n; i++) {
                greater[q] += x[i] > t[q];
                equal[q] += x[i] == t[q];
            }
        return;
    }
    for (int q = 0; q < 4; q++) {
        g[q] = e[q] = _mm256_setzero_si256();
        level[q] = _mm256_set1_ps(t[q]);
    }
    for (; i + 8 <= n; i += 8) {
        __m256 v = _mm256_loadu_ps(x + i);
        for (int q = 0; q < 4; q++) {
            g[q] = _mm256_sub_epi32(g[q], _mm256_castps_si256(_mm256_cmp_ps(v, level[q], _CMP_GT_OQ)));
            e[q] = _mm256_sub_epi32(e[q], _mm256_castps_si256(_mm256_cmp_ps(v, level[q], _CMP_EQ_OQ)));
        }
    }
    for (int q = 0; q < 4; q++) {
        int32_t lane[16];
        _mm256_storeu_si256((__m256i *)lane, g[q]);
        _mm256_storeu_si256((__m256i *)(lane + 8), e[q]);
        for (int j = 0; j < 8; j++) {
            greater[q] += lane[j];
            equal[q] += lane[8 + j];
        }
        for (ptrdiff_t r = i; r < n; r++) {
            greater[q] += x[r] > t[q];
            equal[q] += x[r] == t[q];
        }
    }
}

/* The largest bit pattern: below that of infinity if and only if all labels are finite and at least +0. */
AVX512 uint32_t top_bits_512(const float *x, ptrdiff_t n) {
    __m512i a = _mm512_setzero_si512(), b = a;
    ptrdiff_t i = 0;
    for (; i + 64 <= n; i += 64) {
        FETCH(x + i + n);
        a = _mm512_max_epu32(a, _mm512_max_epu32(_mm512_loadu_si512(x + i), _mm512_loadu_si512(x + i + 16)));
        b = _mm512_max_epu32(b, _mm512_max_epu32(_mm512_loadu_si512(x + i + 32), _mm512_loadu_si512(x + i + 48)));
    }
    for (; i < n; i += 16)
        a = _mm512_max_epu32(a, _mm512_maskz_loadu_epi32(n - i < 16 ? LANES(n - i) : (__mmask16)0xffff, x + i));
    return _mm512_reduce_max_epu32(_mm512_max_epu32(a, b));
}

AVX2 uint32_t top_bits_256(const float *x, ptrdiff_t n) {
    __m256i a = _mm256_setzero_si256(), b = a;
    uint32_t lane[8], top = 0;
    ptrdiff_t i = 0;
    for (; i + 16 <= n; i += 16) {
        a = _mm256_max_epu32(a, _mm256_loadu_si256((const __m256i *)(x + i)));
        b = _mm256_max_epu32(b, _mm256_loadu_si256((const __m256i *)(x + i + 8)));
    }
    _mm256_storeu_si256((__m256i *)lane, _mm256_max_epu32(a, b));
    for (int j = 0; j < 8; j++) top = lane[j] > top ? lane[j] : top;
    for (; i < n; i++) {
        uint32_t bits;
        __builtin_memcpy(&bits, x + i, 4);
        top = bits > top ? bits : top;
    }
    return top;
}

/* How many values reach t. */
AVX512 ptrdiff_t at_least_512(const float *x, ptrdiff_t n, float t) {
    const __m512 least = _mm512_set1_ps(t);
    ptrdiff_t i = 0, total = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t a = _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i), least, _CMP_GE_OQ);
        uint64_t b = _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i + 16), least, _CMP_GE_OQ);
        uint64_t c = _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i + 32), least, _CMP_GE_OQ);
        uint64_t d = _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i + 48), least, _CMP_GE_OQ);
        total += _mm_popcnt_u64(a | b << 16 | c << 32 | d << 48);
    }
    for (; i < n; i += 16) {
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        total += _mm_popcnt_u32(_mm512_mask_cmp_ps_mask(valid, _mm512_maskz_loadu_ps(valid, x + i), least, _CMP_GE_OQ));
    }
    return total;
}

AVX2 ptrdiff_t at_least_256(const float *x, ptrdiff_t n, float t) {
    const __m256 least = _mm256_set1_ps(t);
    __m256i count = _mm256_setzero_si256();
    int32_t lane[8];
    ptrdiff_t i = 0, total = 0;
    for (; i + 8 <= n; i += 8)
        count = _mm256_sub_epi32(count, _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(x + i), least, _CMP_GE_OQ)));
    _mm256_storeu_si256((__m256i *)lane, count);
    for (int j = 0; j < 8; j++) total += lane[j];
    for (; i < n; i++) total += x[i] >= t;
    return total;
}

/* The largest value below t, or -inf. */
AVX512 float below_512(const float *x, ptrdiff_t n, float t) {
    const __m512 limit = _mm512_set1_ps(t);
    __m512 best = _mm512_set1_ps(-__builtin_inff());
    for (ptrdiff_t i = 0; i < n; i += 16) {
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        __m512 v = _mm512_maskz_loadu_ps(valid, x + i);
        best = _mm512_mask_max_ps(best, _mm512_mask_cmp_ps_mask(valid, v, limit, _CMP_LT_OQ), best, v);
    }
    return _mm512_reduce_max_ps(best);
}

AVX2 float below_256(const float *x, ptrdiff_t n, float t) {
    const __m256 limit = _mm256_set1_ps(t), least = _mm256_set1_ps(-__builtin_inff());
    __m256 best = least;
    float lane[8], top = -__builtin_inff();
    ptrdiff_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 v = _mm256_loadu_ps(x + i);
        best = _mm256_max_ps(best, _mm256_blendv_ps(least, v, _mm256_cmp_ps(v, limit, _CMP_LT_OQ)));
    }
    _mm256_storeu_ps(lane, best);
    for (int j = 0; j < 8; j++) top = lane[j] > top ? lane[j] : top;
    for (; i < n; i++) top = x[i] < t && x[i] > top ? x[i] : top;
    return top;
}

#define WIDE(name, ...) (wide_level == 2 ? name##_512(__VA_ARGS__) : name##_256(__VA_ARGS__))

static int wide_maxima(const float *x, ptrdiff_t blocks, float *out) { return WIDE(maxima, x, blocks, out); }
static int wide_lanes(const float *x, ptrdiff_t n, float *out) { return WIDE(lanes, x, n, out); }
static float wide_bound(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) { return WIDE(bound, x, n, k, slack); }
static ptrdiff_t wide_collect(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value) {
    return WIDE(collect, x, n, t, position, value);
}
static int wide_slots(const float *t, int m, float *slot) { return wide_level == 2 ? slots_512(t, m, slot) : -1; }
static ptrdiff_t wide_ranks(const float *x, ptrdiff_t n, const float *t, int m, const float *slot, int shift, ptrdiff_t *greater) {
    return ranks_512(x, n, t, m, slot, shift, greater);
}
static void wide_count_four(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    WIDE(count_four, x, n, t, greater, equal);
}
static uint32_t wide_top_bits(const float *x, ptrdiff_t n) { return WIDE(top_bits, x, n); }
static ptrdiff_t wide_at_least(const float *x, ptrdiff_t n, float t) { return WIDE(at_least, x, n, t); }
static float wide_below(const float *x, ptrdiff_t n, float t) { return WIDE(below, x, n, t); }

#else /* never called: wide_level stays 0 */

static int wide_best(void) { return 0; }
static int wide_maxima(const float *x, ptrdiff_t blocks, float *out) { return 0; }
static int wide_lanes(const float *x, ptrdiff_t n, float *out) { return 0; }
static float wide_bound(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) { return 0; }
static ptrdiff_t wide_collect(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value) { return 0; }
static int wide_slots(const float *t, int m, float *slot) { return -1; }
static ptrdiff_t wide_ranks(const float *x, ptrdiff_t n, const float *t, int m, const float *slot, int shift, ptrdiff_t *greater) {
    return -1;
}
static void wide_count_four(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {}
static uint32_t wide_top_bits(const float *x, ptrdiff_t n) { return 0; }
static ptrdiff_t wide_at_least(const float *x, ptrdiff_t n, float t) { return 0; }
static float wide_below(const float *x, ptrdiff_t n, float t) { return 0; }

#endif
#endif
