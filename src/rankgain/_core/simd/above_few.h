/* How many of a stretch of floats are above and equal to up to five thresholds, for AVX2: where there are no masks, counting what
   is equal costs as much as counting what is above, and hardly any value is equal.

   Three of the bits of a value say which of the thresholds alone it can equal (`slot`), so that one comparison does for all; blocks
   that hold an equal one are looked at again. Compares and counts alone: values cannot differ between paths. */

#ifndef RANKGAIN_ABOVE_FEW_H
#define RANKGAIN_ABOVE_FEW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FEW_LEVELS 5

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#include <immintrin.h>

/* The first of the bits by which m thresholds differ, with the threshold of each slot; -1 where there are none. */
static int distinct_bits(const float *t, int m, float *slot) {
    uint32_t bits[FEW_LEVELS];
    memcpy(bits, t, (size_t)m * 4);
    for (int shift = 0; shift < 27; shift++) { /* the sign is not among them: -0.0 equals 0.0 */
        unsigned seen = 0;
        int q = 0;
        for (; q < m && !(seen >> (bits[q] >> shift & 7) & 1); q++) seen |= 1u << (bits[q] >> shift & 7);
        if (q < m) continue;
        for (int i = 0; i < 8; i++) slot[i] = __builtin_nanf("");
        for (q = 0; q < m; q++) slot[bits[q] >> shift & 7] = t[q];
        return shift;
    }
    return -1;
}

__attribute__((target("avx2,popcnt"))) static int above_few(const float *x, ptrdiff_t n, const float *t, int m, ptrdiff_t *greater,
                                                            ptrdiff_t *equal) {
    float slot[8];
    const int shift = distinct_bits(t, m, slot);
    __m256 level[FEW_LEVELS], which;
    __m256i count[FEW_LEVELS], bits;
    ptrdiff_t i = 0;
    if (shift < 0) return 0;
    which = _mm256_loadu_ps(slot);
    bits = _mm256_set1_epi32(shift);
    for (int q = 0; q < FEW_LEVELS; q++) {
        level[q] = _mm256_set1_ps(q < m ? t[q] : __builtin_inff());
        count[q] = _mm256_setzero_si256();
    }
    while (i + 8 <= n) {
        const ptrdiff_t start = i, stop = n - i > 256 ? i + 256 : i + ((n - i) & ~(ptrdiff_t)7);
        __m256 same = _mm256_setzero_ps();
        for (; i < stop; i += 8) {
            const __m256 v = _mm256_loadu_ps(x + i);
            const __m256i at = _mm256_srlv_epi32(_mm256_castps_si256(v), bits);
            for (int q = 0; q < FEW_LEVELS; q++)
                count[q] = _mm256_sub_epi32(count[q], _mm256_castps_si256(_mm256_cmp_ps(v, level[q], _CMP_GT_OQ)));
            same = _mm256_or_ps(same, _mm256_cmp_ps(v, _mm256_permutevar8x32_ps(which, at), _CMP_EQ_OQ));
        }
        if (_mm256_movemask_ps(same))
            for (ptrdiff_t r = start; r < stop; r += 8)
                for (int q = 0; q < m; q++)
                    equal[q] += _mm_popcnt_u32((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(x + r), level[q], _CMP_EQ_OQ)));
    }
    for (int q = 0; q < m; q++) {
        int32_t lane[8];
        _mm256_storeu_si256((__m256i *)lane, count[q]);
        for (int j = 0; j < 8; j++) greater[q] += lane[j];
        for (ptrdiff_t r = i; r < n; r++) {
            greater[q] += x[r] > t[q];
            equal[q] += x[r] == t[q];
        }
    }
    return 1;
}

#else /* never called */

static int above_few(const float *x, ptrdiff_t n, const float *t, int m, ptrdiff_t *greater, ptrdiff_t *equal) { return 0; }

#endif
#endif
