/* What the ideal asks of dense labels. Included by _wide.h where the instructions can be compiled. */

#ifndef RANKGAIN_WIDE_LABELS_H
#define RANKGAIN_WIDE_LABELS_H

/* The largest bit pattern: below that of infinity if and only if all labels are finite and at least +0. */
AVX512 uint32_t top_bits_512(const float *x, ptrdiff_t n) {
    ptrdiff_t i = before_line(x, n);
    __m512i a = _mm512_maskz_loadu_epi32(LANES(i), x), b = a;
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
    ptrdiff_t i = before_line(x, n);
    ptrdiff_t total = _mm_popcnt_u32(_mm512_mask_cmp_ps_mask(LANES(i), _mm512_maskz_loadu_ps(LANES(i), x), least, _CMP_GE_OQ));
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

/* The candidates whose label is not 0: positions, labels and scores, in order. The outputs need room for 16 more. */
AVX512 ptrdiff_t hits_512(const float *label, const uint32_t *candidate, const float *score, ptrdiff_t n, uint32_t *position, double *hit, float *kept) {
    ptrdiff_t m = 0;
    for (ptrdiff_t i = 0; i < n; i += 16) {
        const __mmask16 valid = n - i < 16 ? LANES(n - i) : (__mmask16)0xffff;
        const __m512i at = _mm512_maskz_loadu_epi32(valid, candidate + i);
        const __m512 all = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), valid, at, label, 4);
        const __mmask16 mine = _mm512_cmp_ps_mask(all, _mm512_setzero_ps(), _CMP_NEQ_UQ);
        const __m512 labels = _mm512_maskz_compress_ps(mine, all);
        _mm512_storeu_si512(position + m, _mm512_maskz_compress_epi32(mine, at));
        _mm512_storeu_pd(hit + m, _mm512_cvtps_pd(_mm512_castps512_ps256(labels)));
        _mm512_storeu_pd(hit + m + 8, _mm512_cvtps_pd(_mm512_extractf32x8_ps(labels, 1)));
        _mm512_storeu_ps(kept + m, _mm512_maskz_compress_ps(mine, _mm512_maskz_loadu_ps(valid, score + i)));
        m += _mm_popcnt_u32(mine);
    }
    return m;
}

#endif
