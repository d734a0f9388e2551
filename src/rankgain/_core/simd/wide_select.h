/* The largest of a list: maxima, a bound of the k-th, and what reaches it. Included by wide.h where the instructions can be compiled. */

#ifndef RANKGAIN_WIDE_SELECT_H
#define RANKGAIN_WIDE_SELECT_H

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
    ptrdiff_t i = before_line(x, n);
    __m512 a = _mm512_max_ps(_mm512_mask_loadu_ps(low, LANES(i), x), low), b = low, c = low, d = low;
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

/* Doubles rounded to floats, which never turns their order round. */
AVX512 void round_512(const double *x, ptrdiff_t n, float *out) {
    ptrdiff_t i = 0;
    for (; i + 16 <= n; i += 16) {
        _mm256_storeu_ps(out + i, _mm512_cvtpd_ps(_mm512_loadu_pd(x + i)));
        _mm256_storeu_ps(out + i + 8, _mm512_cvtpd_ps(_mm512_loadu_pd(x + i + 8)));
    }
    for (; i < n; i++) out[i] = (float)x[i];
}

AVX2 void round_256(const double *x, ptrdiff_t n, float *out) {
    ptrdiff_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm_storeu_ps(out + i, _mm256_cvtpd_ps(_mm256_loadu_pd(x + i)));
        _mm_storeu_ps(out + i + 4, _mm256_cvtpd_ps(_mm256_loadu_pd(x + i + 4)));
    }
    for (; i < n; i++) out[i] = (float)x[i];
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
AVX512 ptrdiff_t collect_512(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value, struct ahead *next) {
    const __m512 least = _mm512_set1_ps(t);
    uint16_t keep[64];
    ptrdiff_t i = before_line(x, n), kept = 0;
    if (i > 0)
        kept = pack_512(x, 0, _mm512_mask_cmp_ps_mask(LANES(i), _mm512_maskz_loadu_ps(LANES(i), x), least, _CMP_NLT_UQ), position, value);
    while (n - i >= 256) { /* up to 64 vectors, then only those that hold something */
        int blocks = n - i < 1024 ? (int)((n - i) >> 4) : 64, b = 0;
        uint64_t some;
        for (; b < blocks; b++) keep[b] = _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i + 16 * b), least, _CMP_NLT_UQ);
        for (; b < 64; b++) keep[b] = 0;
        fetch_ahead(next);
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

AVX2 inline uint32_t reaching_256(const float *x, __m256 least) {
    uint32_t keep = 0;
    for (int j = 0; j < 4; j++)
        keep |= (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(x + 8 * j), least, _CMP_NLT_UQ)) << (8 * j);
    return keep;
}

AVX2 ptrdiff_t collect_256(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value, struct ahead *next) {
    const __m256 least = _mm256_set1_ps(t);
    uint32_t keep[64];
    ptrdiff_t kept = 0, i = 0;
    while (n - i >= 32) { /* one loop over all that is found: one over each word's bits would guess its end every time */
        int words = n - i < 2048 ? (int)((n - i) >> 5) : 64;
        uint64_t some = 0;
        for (int w = 0; w < words; w++) {
            keep[w] = reaching_256(x + i + 32 * w, least);
            some |= (uint64_t)(keep[w] != 0) << w;
        }
        fetch_ahead(next);
        while (some) {
            int w = __builtin_ctzll(some);
            position[kept] = (uint32_t)(i + 32 * w + __builtin_ctz(keep[w]));
            value[kept] = x[position[kept]];
            kept++;
            keep[w] &= keep[w] - 1;
            some &= ~((uint64_t)(keep[w] == 0) << w);
        }
        i += 32 * words;
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

#endif
