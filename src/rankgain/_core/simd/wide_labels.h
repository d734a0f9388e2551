/* What the ideal asks of dense labels. Included by wide.h where the instructions can be compiled. */

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

/* Doubles to floats; 0 as soon as one is not the same there, NaN included. */
AVX512 int narrow_512(const double *x, ptrdiff_t n, float *out) {
    for (ptrdiff_t i = 0; i < n;) {
        const ptrdiff_t stop = n - i < 128 ? n : i + 128;
        __mmask8 other = 0;
        for (; i < stop; i += 8) {
            const __mmask8 valid = n - i < 8 ? (__mmask8)LANES(n - i) : (__mmask8)0xff;
            const __m512d wide = _mm512_maskz_loadu_pd(valid, x + i);
            const __m256 narrow = _mm512_cvtpd_ps(wide);
            other |= _mm512_cmp_pd_mask(_mm512_cvtps_pd(narrow), wide, _CMP_NEQ_UQ);
            _mm256_mask_storeu_ps(out + i, valid, narrow);
        }
        if (other) return 0;
    }
    return 1;
}

AVX2 int narrow_256(const double *x, ptrdiff_t n, float *out) {
    for (ptrdiff_t i = 0; i < n;) {
        const ptrdiff_t stop = n - i < 128 ? n : i + 128;
        __m256d other = _mm256_setzero_pd();
        int rest = 0;
        for (; i + 4 <= stop; i += 4) {
            const __m256d wide = _mm256_loadu_pd(x + i);
            const __m128 narrow = _mm256_cvtpd_ps(wide);
            other = _mm256_or_pd(other, _mm256_cmp_pd(_mm256_cvtps_pd(narrow), wide, _CMP_NEQ_UQ));
            _mm_storeu_ps(out + i, narrow);
        }
        for (; i < stop; i++) {
            out[i] = (float)x[i];
            rest |= !((double)out[i] == x[i]);
        }
        if (rest || _mm256_movemask_pd(other)) return 0;
    }
    return 1;
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

/* Labels as whole numbers, ranks from 0 in 32 bits and from 1 as doubles, in eights, the last ones padded as values/walks_together.pxd says; returns
   whether every label is a whole number below `levels`. */
AVX512 int whole_512(const double *label, const int64_t *start, ptrdiff_t n, int levels, int32_t *level, int32_t *place, double *rank) {
    __mmask8 other = 0;
    for (ptrdiff_t i = 0; i < n; i += 8) {
        const __mmask8 valid = n - i < 8 ? (__mmask8)LANES(n - i) : (__mmask8)0xff;
        const __m512d value = _mm512_maskz_loadu_pd(valid, label + i);
        const __m256i whole = _mm512_cvttpd_epi32(value);
        const __m256i at = _mm512_cvtepi64_epi32(_mm512_maskz_loadu_epi64(valid, start + i));
        other |= _mm512_cmp_pd_mask(_mm512_cvtepi32_pd(whole), value, _CMP_NEQ_UQ);
        other |= _mm256_cmpge_epu32_mask(whole, _mm256_set1_epi32(levels));
        _mm256_storeu_si256((__m256i *)(level + i), whole);
        _mm256_storeu_si256((__m256i *)(place + i), at);
        _mm512_storeu_pd(rank + i, _mm512_mask_cvtepi32_pd(_mm512_set1_pd(__builtin_inf()), valid, _mm256_add_epi32(at, _mm256_set1_epi32(1))));
    }
    return other == 0;
}

/* How many of n ranks, ascending, are below a cutoff. */
AVX512 ptrdiff_t within_512(const int32_t *place, ptrdiff_t n, int32_t cut) {
    const __m512i limit = _mm512_set1_epi32(cut);
    ptrdiff_t within = 0;
    for (ptrdiff_t i = 0; i < n; i += 16)
        within += _mm_popcnt_u32(_mm512_mask_cmplt_epi32_mask(n - i < 16 ? LANES(n - i) : (__mmask16)0xffff, _mm512_loadu_si512(place + i), limit));
    return within;
}

AVX512 void within_all_512(const int32_t *place, ptrdiff_t n, const int32_t *cut, ptrdiff_t cuts, ptrdiff_t *within) {
    for (ptrdiff_t c = 0; c < cuts; c++) within[c] = within_512(place, n, cut[c]);
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
