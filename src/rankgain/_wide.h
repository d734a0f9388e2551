/* Wide twins of a handful of primitives on float32, for x86-64 with gcc or clang. The plain path is Cython and complete
   without this file. Everything here compares, selects and counts; no gain is summed, so values cannot differ between paths.

   wide_level says which twin runs: 0 none, 1 AVX2, 2 AVX-512. It is set once, when the module is loaded. */

#ifndef RANKGAIN_WIDE_H
#define RANKGAIN_WIDE_H

#include <stddef.h>
#include <stdint.h>

static int wide_level = 0;

/* What is wanted soon: the labels and the scores of the next list. */
struct ahead {
    const char *at[2];
    ptrdiff_t left[2];
};

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LITTLE_ENDIAN_HALVES 0
#else
#define LITTLE_ENDIAN_HALVES 1
#endif

#if defined(__GNUC__) || defined(__clang__)
#define FETCH_LINE(address) __builtin_prefetch(address)
#else
#define FETCH_LINE(address) ((void)(address))
#endif

/* Ask for a few more cache lines. A core holds some twenty requests; one beyond waits, and what follows with it. */
static void fetch_ahead(struct ahead *ahead) {
    ptrdiff_t lines = 18;
    for (int which = 0; which < 2; which++) {
        for (; ahead->left[which] > 0 && lines > 0; lines--) {
            FETCH_LINE(ahead->at[which]);
            ahead->at[which] += 64;
            ahead->left[which] -= 64;
        }
    }
}

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

/* The first `left` (< 16) of 16 lanes. */
#define LANES(left) ((__mmask16)((1u << (left)) - 1))

/* 16 maxima of 4 for each block of 64. A NaN may come out as one, or be passed over: collect finds it. */
AVX512 void maxima_512(const float *x, ptrdiff_t blocks, float *out) {
    for (; blocks > 0; blocks--, x += 64, out += 16) {
        __m512 a = _mm512_loadu_ps(x), b = _mm512_loadu_ps(x + 16);
        __m512 c = _mm512_loadu_ps(x + 32), d = _mm512_loadu_ps(x + 48);
        _mm512_storeu_ps(out, _mm512_max_ps(_mm512_max_ps(a, b), _mm512_max_ps(c, d)));
    }
}

AVX2 void maxima_256(const float *x, ptrdiff_t blocks, float *out) {
    for (; blocks > 0; blocks--, x += 64, out += 16)
        for (int j = 0; j < 16; j += 8) {
            __m256 a = _mm256_loadu_ps(x + j), b = _mm256_loadu_ps(x + 16 + j);
            __m256 c = _mm256_loadu_ps(x + 32 + j), d = _mm256_loadu_ps(x + 48 + j);
            _mm256_storeu_ps(out + j, _mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, d)));
        }
}

/* The maxima of 64 interleaved lanes, NaN passed over: where an operand is NaN, the second is the maximum. */
AVX512 void lanes_512(const float *x, ptrdiff_t n, float *out) {
    const __m512 low = _mm512_set1_ps(-__builtin_inff());
    __m512 a = low, b = low, c = low, d = low;
    ptrdiff_t i = 0;
    for (; i + 64 <= n; i += 64) {
        a = _mm512_max_ps(_mm512_loadu_ps(x + i), a);
        b = _mm512_max_ps(_mm512_loadu_ps(x + i + 16), b);
        c = _mm512_max_ps(_mm512_loadu_ps(x + i + 32), c);
        d = _mm512_max_ps(_mm512_loadu_ps(x + i + 48), d);
    }
    for (; i < n; i += 16) {
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        __m512 free = a; /* the tail takes a, b, c, d in turn */
        a = b;
        b = c;
        c = d;
        d = _mm512_max_ps(_mm512_mask_loadu_ps(low, valid, x + i), free);
    }
    _mm512_storeu_ps(out, a);
    _mm512_storeu_ps(out + 16, b);
    _mm512_storeu_ps(out + 32, c);
    _mm512_storeu_ps(out + 48, d);
}

AVX2 void lanes_256(const float *x, ptrdiff_t n, float *out) {
    __m256 best[8];
    ptrdiff_t i = 0;
    for (int j = 0; j < 8; j++) best[j] = _mm256_set1_ps(-__builtin_inff());
    for (; i + 64 <= n; i += 64)
        for (int j = 0; j < 8; j++) best[j] = _mm256_max_ps(_mm256_loadu_ps(x + i + 8 * j), best[j]);
    for (int j = 0; j < 8; j++) _mm256_storeu_ps(out + 8 * j, best[j]);
    for (; i < n; i++) out[i & 63] = x[i] > out[i & 63] ? x[i] : out[i & 63];
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

/* The chosen ones of 16 values, and where they stand. */
AVX512 inline int pack_512(const float *x, ptrdiff_t at, __mmask16 mine, uint32_t *position, float *value) {
    const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_storeu_si512(position, _mm512_maskz_compress_epi32(mine, _mm512_add_epi32(ramp, _mm512_set1_epi32((int)at))));
    _mm512_storeu_ps(value, _mm512_maskz_compress_ps(mine, _mm512_maskz_loadu_ps(mine, x + at)));
    return _mm_popcnt_u32(mine);
}

/* Which of 32 masks hold something. */
AVX512 inline uint64_t nonzero_512(const uint16_t *mask) {
    __m512i all = _mm512_loadu_si512(mask);
    return _cvtmask32_u32(_mm512_test_epi16_mask(all, all));
}

/* Positions and values that are not below t, in order, hence every NaN too; both outputs need room for 16 more. */
AVX512 ptrdiff_t collect_512(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value) {
    const __m512 least = _mm512_set1_ps(t);
    uint16_t keep[64];
    ptrdiff_t kept = 0, i = 0;
    while (n - i >= 256) { /* up to 64 vectors, then only those that hold something */
        int blocks = n - i < 1024 ? (int)((n - i) >> 4) : 64, b = 0;
        uint64_t some;
        for (; b < blocks; b++) keep[b] = _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i + 16 * b), least, _CMP_NLT_UQ);
        for (; b < 64; b++) keep[b] = 0;
        some = nonzero_512(keep) | nonzero_512(keep + 32) << 32;
        for (; some; some &= some - 1) {
            b = __builtin_ctzll(some);
            kept += pack_512(x, i + 16 * b, keep[b], position + kept, value + kept);
        }
        i += 16 * blocks;
    }
    for (; i < n; i += 16) {
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        __mmask16 mine = _mm512_mask_cmp_ps_mask(valid, _mm512_maskz_loadu_ps(valid, x + i), least, _CMP_NLT_UQ);
        kept += pack_512(x, i, mine, position + kept, value + kept);
    }
    return kept;
}

AVX2 ptrdiff_t collect_256(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value) {
    const __m256 least = _mm256_set1_ps(t);
    ptrdiff_t kept = 0, i = 0;
    for (; i + 32 <= n; i += 32) {
        unsigned keep = 0;
        for (int j = 0; j < 4; j++)
            keep |= (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(x + i + 8 * j), least, _CMP_NLT_UQ)) << (8 * j);
        for (; keep; keep &= keep - 1) {
            position[kept] = (uint32_t)i + (uint32_t)__builtin_ctz(keep);
            value[kept] = x[position[kept]];
            kept++;
        }
    }
    for (; i < n; i++)
        if (!(x[i] < t)) {
            position[kept] = (uint32_t)i;
            value[kept++] = x[i];
        }
    return kept;
}

/* The labels other than 0 of the values that equal t; returns how many values do. `out` needs room for 16 more. */
AVX512 ptrdiff_t pick_512(const float *x, const float *label, ptrdiff_t n, float t, float *out, ptrdiff_t *hits) {
    const __m512 level = _mm512_set1_ps(t);
    ptrdiff_t size = 0;
    *hits = 0;
    for (ptrdiff_t i = 0; i < n; i += 16) {
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        __mmask16 same = _mm512_mask_cmp_ps_mask(valid, _mm512_maskz_loadu_ps(valid, x + i), level, _CMP_EQ_OQ);
        __m512 mine = _mm512_maskz_loadu_ps(same, label + i);
        __mmask16 hit = _mm512_cmp_ps_mask(mine, _mm512_setzero_ps(), _CMP_NEQ_UQ);
        _mm512_storeu_ps(out + *hits, _mm512_maskz_compress_ps(hit, mine));
        size += _mm_popcnt_u32(same);
        *hits += _mm_popcnt_u32(hit);
    }
    return size;
}

/* How many values are 0, 1, .. 31; returns whether all are. */
AVX512 int levels_512(const float *x, ptrdiff_t n, int32_t *count) {
    ptrdiff_t left = n;
    for (int level = 0; level < 32; level++) count[level] = 0;
    for (int level = 0; level < 32 && left > 0; level++) {
        const __m512 this = _mm512_set1_ps((float)level);
        for (ptrdiff_t i = 0; i < n; i += 16) {
            __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
            count[level] += _mm_popcnt_u32(_mm512_mask_cmp_ps_mask(valid, _mm512_maskz_loadu_ps(valid, x + i), this, _CMP_EQ_OQ));
        }
        left -= count[level];
    }
    return left == 0;
}

/* For each of m thresholds (m <= 12) add the number of values above it; returns how many values equal one of them or are NaN.
   Every equality is found by one look-up: a shift sends the thresholds to different slots of 32, and a value can only equal the
   threshold of its own slot. */
AVX512 int slots_512(const float *t, int m, float *slot) {
    uint32_t bits[12];
    __builtin_memcpy(bits, t, 4 * (size_t)m);
    for (int shift = 0; shift < 28; shift++) {
        uint32_t used = 0;
        int q = 0;
        for (int j = 0; j < 32; j++) slot[j] = t[0]; /* which has a slot of its own */
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

/* How many values equal the threshold in their slot, or are NaN. */
AVX512 ptrdiff_t matches_512(const float *x, ptrdiff_t n, const float *slot, int shift) {
    const __m512 low = _mm512_loadu_ps(slot), high = _mm512_loadu_ps(slot + 16);
    const __m128i by = _mm_cvtsi32_si128(shift);
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < n; i += 16) {
        __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        __m512 v = _mm512_maskz_loadu_ps(valid, x + i);
        __m512 mine = _mm512_permutex2var_ps(low, _mm512_srl_epi32(_mm512_castps_si512(v), by), high);
        count += _mm_popcnt_u32(_mm512_mask_cmp_ps_mask(valid, v, mine, _CMP_EQ_UQ));
    }
    return count;
}

/* Add the number of values above each of m thresholds (m constant, at most 6: more do not fit into 16 registers). Compares into
   vector registers run at twice the rate of those into masks. */
AVX2 __attribute__((always_inline)) inline void above_256(const float *x, ptrdiff_t n, const float *t, const int m, ptrdiff_t *greater,
                                                             const float *next, int step) {
    __m256 level[6];
    __m256i count[6];
    ptrdiff_t i = 0;
    for (int q = 0; q < m; q++) {
        level[q] = _mm256_set1_ps(t[q]);
        count[q] = _mm256_setzero_si256();
    }
    for (; i + 8 <= n; i += 8) {
        __m256 v = _mm256_loadu_ps(x + i);
        FETCH_LINE(next);
        next += step;
        for (int q = 0; q < m; q++)
            count[q] = _mm256_sub_epi32(count[q], _mm256_castps_si256(_mm256_cmp_ps(v, level[q], _CMP_GT_OQ)));
    }
    for (int q = 0; q < m; q++) {
        int32_t lane[8];
        _mm256_storeu_si256((__m256i *)lane, count[q]);
        for (int j = 0; j < 8; j++) greater[q] += lane[j];
        for (ptrdiff_t r = i; r < n; r++) greater[q] += x[r] > t[q];
    }
}

AVX2 void above_few_256(const float *x, ptrdiff_t n, const float *t, int m, ptrdiff_t *greater, const float *next, int step) {
    switch (m) {
    case 1: above_256(x, n, t, 1, greater, next, step); break;
    case 2: above_256(x, n, t, 2, greater, next, step); break;
    case 3: above_256(x, n, t, 3, greater, next, step); break;
    case 4: above_256(x, n, t, 4, greater, next, step); break;
    case 5: above_256(x, n, t, 5, greater, next, step); break;
    default: above_256(x, n, t, 6, greater, next, step);
    }
}

AVX512 ptrdiff_t ranks_512(const float *x, ptrdiff_t n, const float *t, int m, const float *slot, int shift, ptrdiff_t *greater) {
    int first = m > 6 ? m / 2 : m;
    int step = m > 6 ? 4 : 8; /* meanwhile as many values that are counted next are fetched */
    above_few_256(x, n, t, first, greater, x + n, step);
    if (m > first) above_few_256(x, n, t + first, m - first, greater + first, x + n + n / 2, step);
    return matches_512(x, n, slot, shift);
}

/* Add the numbers of values above and equal to each of four thresholds. */
AVX512 void count_four_512(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    if (n <= 16) { /* counting bits is quicker than adding up lanes */
        const __mmask16 some = n < 16 ? LANES(n) : (__mmask16)0xffff;
        const __m512 v = _mm512_maskz_loadu_ps(some, x);
        for (int q = 0; q < 4; q++) {
            greater[q] += _mm_popcnt_u32(_mm512_mask_cmp_ps_mask(some, v, _mm512_set1_ps(t[q]), _CMP_GT_OQ));
            equal[q] += _mm_popcnt_u32(_mm512_mask_cmp_ps_mask(some, v, _mm512_set1_ps(t[q]), _CMP_EQ_OQ));
        }
        return;
    }
    const __m256 none = _mm256_set1_ps(__builtin_nanf("")); /* beyond the end: neither above nor equal */
    __m256i g[4], e[4];
    __m256 level[4];
    for (int q = 0; q < 4; q++) {
        g[q] = e[q] = _mm256_setzero_si256();
        level[q] = _mm256_set1_ps(t[q]);
    }
    for (ptrdiff_t i = 0; i < n; i += 8) { /* into vector registers: see above_256 */
        __m256 v = n - i < 8 ? _mm256_mask_loadu_ps(none, (__mmask8)LANES(n - i), x + i) : _mm256_loadu_ps(x + i);
        for (int q = 0; q < 4; q++) {
            g[q] = _mm256_sub_epi32(g[q], _mm256_castps_si256(_mm256_cmp_ps(v, level[q], _CMP_GT_OQ)));
            e[q] = _mm256_sub_epi32(e[q], _mm256_castps_si256(_mm256_cmp_ps(v, level[q], _CMP_EQ_OQ)));
        }
    }
    for (int q = 0; q < 4; q++) {
        greater[q] += _mm512_reduce_add_epi32(_mm512_zextsi256_si512(g[q]));
        equal[q] += _mm512_reduce_add_epi32(_mm512_zextsi256_si512(e[q]));
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

static void wide_maxima(const float *x, ptrdiff_t blocks, float *out) { WIDE(maxima, x, blocks, out); }
static void wide_lanes(const float *x, ptrdiff_t n, float *out) { WIDE(lanes, x, n, out); }
static float wide_bound(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) { return WIDE(bound, x, n, k, slack); }
static ptrdiff_t wide_collect(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value) {
    return WIDE(collect, x, n, t, position, value);
}
static ptrdiff_t wide_pick(const float *x, const float *label, ptrdiff_t n, float t, float *out, ptrdiff_t *hits) {
    return pick_512(x, label, n, t, out, hits);
}
static int wide_levels(const float *x, ptrdiff_t n, int32_t *count) { return levels_512(x, n, count); }
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
static void wide_maxima(const float *x, ptrdiff_t blocks, float *out) {}
static void wide_lanes(const float *x, ptrdiff_t n, float *out) {}
static float wide_bound(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) { return 0; }
static ptrdiff_t wide_collect(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value) { return 0; }
static ptrdiff_t wide_pick(const float *x, const float *label, ptrdiff_t n, float t, float *out, ptrdiff_t *hits) { return 0; }
static int wide_levels(const float *x, ptrdiff_t n, int32_t *count) { return 0; }
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
