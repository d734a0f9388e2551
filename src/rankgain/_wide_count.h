/* How many values are above thresholds, equal to them, or of each level. Included by _wide.h where the instructions can be compiled. */

#ifndef RANKGAIN_WIDE_COUNT_H
#define RANKGAIN_WIDE_COUNT_H

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

#endif
