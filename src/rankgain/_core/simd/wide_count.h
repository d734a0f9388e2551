/* How many values are above thresholds, equal to them, or of each level. Included by wide.h where the instructions can be compiled. */

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
    for (ptrdiff_t i = 0; i < n; i += 8) { /* compares into vector registers run at twice the rate of those into masks */
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

/* The same for doubles. */
AVX512 void count_doubles_512(const double *x, ptrdiff_t n, const double *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    const __m512i one = _mm512_set1_epi64(1);
    __m512i g[4], e[4];
    __m512d level[4];
    for (int q = 0; q < 4; q++) {
        g[q] = e[q] = _mm512_setzero_si512();
        level[q] = _mm512_set1_pd(t[q]);
    }
    for (ptrdiff_t i = 0; i < n; i += 8) {
        const __mmask8 valid = n - i < 8 ? (__mmask8)LANES(n - i) : (__mmask8)0xff;
        const __m512d v = _mm512_maskz_loadu_pd(valid, x + i);
        for (int q = 0; q < 4; q++) {
            g[q] = _mm512_mask_add_epi64(g[q], _mm512_mask_cmp_pd_mask(valid, v, level[q], _CMP_GT_OQ), g[q], one);
            e[q] = _mm512_mask_add_epi64(e[q], _mm512_mask_cmp_pd_mask(valid, v, level[q], _CMP_EQ_OQ), e[q], one);
        }
    }
    for (int q = 0; q < 4; q++) {
        greater[q] += _mm512_reduce_add_epi64(g[q]);
        equal[q] += _mm512_reduce_add_epi64(e[q]);
    }
}

AVX2 void count_doubles_256(const double *x, ptrdiff_t n, const double *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    for (int q = 0; q < 4; q++) {
        const __m256d level = _mm256_set1_pd(t[q]);
        __m256i g = _mm256_setzero_si256(), e = g;
        int64_t lane[8];
        ptrdiff_t i = 0;
        for (; i + 4 <= n; i += 4) {
            const __m256d v = _mm256_loadu_pd(x + i);
            g = _mm256_sub_epi64(g, _mm256_castpd_si256(_mm256_cmp_pd(v, level, _CMP_GT_OQ)));
            e = _mm256_sub_epi64(e, _mm256_castpd_si256(_mm256_cmp_pd(v, level, _CMP_EQ_OQ)));
        }
        _mm256_storeu_si256((__m256i *)lane, g);
        _mm256_storeu_si256((__m256i *)(lane + 4), e);
        for (int j = 0; j < 4; j++) {
            greater[q] += lane[j];
            equal[q] += lane[4 + j];
        }
        for (; i < n; i++) {
            greater[q] += x[i] > t[q];
            equal[q] += x[i] == t[q];
        }
    }
}

AVX2 void count_four_256(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    __m256i g[4], e[4];
    __m256 level[4];
    ptrdiff_t i = 0;
    if (n < 32) {
        const __m256i ramp = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        for (; i < n; i += 8) {
            const __m256i valid = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(n - i)), ramp);
            const unsigned some = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(valid));
            const __m256 v = _mm256_maskload_ps(x + i, valid);
            for (int q = 0; q < 4; q++) {
                const __m256 least = _mm256_set1_ps(t[q]);
                greater[q] += _mm_popcnt_u32(some & (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v, least, _CMP_GT_OQ)));
                equal[q] += _mm_popcnt_u32(some & (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v, least, _CMP_EQ_OQ)));
            }
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
