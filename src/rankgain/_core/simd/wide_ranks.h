/* The ranks of up to 12 values among many. Included by wide.h where the instructions can be compiled.

   Values become 16-bit numbers first, by a linear function that saturates beyond the thresholds; so 32 are compared at once.
   The function never falls: a value whose number differs from a threshold's is above or below it as the numbers are. The few
   whose numbers are the same are looked at themselves. */

#ifndef RANKGAIN_WIDE_RANKS_H
#define RANKGAIN_WIDE_RANKS_H

struct grid {
    float factor, offset;
    int16_t level[16]; /* of each threshold, ascending or descending; those to spare are above every number */
    int16_t slot[32];  /* by the low bits: the only level that a number can equal */
    int8_t first[32];  /* which threshold that is, the first where some share a level */
};

struct doubt {
    float value[64];
    int16_t number[64];
    int n;
};

AVX512 inline __m512i wide_numbers_512(__m512 x, __m512 factor, __m512 offset) {
    return _mm512_cvtps_epi32(_mm512_min_ps(_mm512_fmadd_ps(x, factor, offset), _mm512_set1_ps(32767.0f)));
}

AVX512 inline __m512i numbers_512(__m512 low, __m512 high, __m512 factor, __m512 offset) {
    return _mm512_packs_epi32(wide_numbers_512(low, factor, offset), wide_numbers_512(high, factor, offset));
}

/* packs_epi32 takes four of each side in turn. */
static int packed_from(int lane) { return (lane >> 3) * 4 + (lane & 3) + (lane & 4) * 4; }

/* A function under which levels that differ have slots that differ; the low bits change from one factor to the next as if drawn. */
AVX512 int fit_512(struct grid *grid, const float *t, int m) {
    const __mmask16 some = LANES(m);
    const float low = t[0] < t[m - 1] ? t[0] : t[m - 1], high = t[0] < t[m - 1] ? t[m - 1] : t[0];
    const float middle = low / 2 + high / 2, finest = (middle < 0 ? -middle : middle) / 128 + 1e-30f;
    const float range = high - low > finest ? high - low : finest; /* beyond that a float has no digits, and the offset would be off */
    const __m512 all = _mm512_mask_loadu_ps(_mm512_set1_ps(low), some, t);
    __m512i level, slot;
    int left = 64;
    do {
        if (--left < 0) return 0;
        grid->factor = (61000.0f + 37.0f * (float)left) / range;
        grid->offset = -middle * grid->factor;
        level = wide_numbers_512(all, _mm512_set1_ps(grid->factor), _mm512_set1_ps(grid->offset));
        slot = _mm512_and_si512(level, _mm512_set1_epi32(31));
    } while (_mm512_cmpneq_epi32_mask(_mm512_conflict_epi32(slot), _mm512_conflict_epi32(level)));
    if (!(grid->factor > 0.0f && grid->factor - grid->factor == 0.0f && grid->offset - grid->offset == 0.0f)) return 0;
    level = _mm512_mask_mov_epi32(_mm512_set1_epi32(32767), some, level);
    _mm256_storeu_si256((__m256i *)grid->level, _mm512_cvtepi32_epi16(level));
    _mm512_storeu_si512(grid->slot, _mm512_set1_epi16(grid->level[0]));
    for (int q = m - 1; q >= 0; q--) {
        grid->slot[grid->level[q] & 31] = grid->level[q];
        grid->first[grid->level[q] & 31] = (int8_t)q;
    }
    return 1;
}

AVX512 void put_in_doubt(struct doubt *doubt, const float *x, __m512i numbers, __mmask32 same) {
    int16_t number[32];
    _mm512_storeu_si512(number, numbers);
    for (; same; same &= same - 1, doubt->n++) {
        int lane = __builtin_ctz(same);
        doubt->value[doubt->n] = x[packed_from(lane)];
        doubt->number[doubt->n] = number[lane];
    }
}

/* Look at the values in doubt themselves. */
static ptrdiff_t settle(struct doubt *doubt, const struct grid *grid, const float *t, int m, ptrdiff_t *greater, ptrdiff_t *equal) {
    const ptrdiff_t settled = doubt->n;
    for (int i = 0; i < doubt->n; i++)
        for (int q = grid->first[doubt->number[i] & 31]; q < m && grid->level[q] == doubt->number[i]; q++) {
            greater[q] += doubt->value[i] > t[q];
            equal[q] += doubt->value[i] == t[q];
        }
    doubt->n = 0;
    return settled;
}

/* Count the numbers above each of m levels (m constant) until the end, or until many values are in doubt; returns how far it came, or
   -1 for a NaN. At most 2^18 values: of 32 a lane counts 2, in 16 bits. */
AVX512 __attribute__((always_inline)) inline ptrdiff_t above_512(const float *x, ptrdiff_t n, const struct grid *grid, const int m,
                                                                    ptrdiff_t *greater, struct doubt *doubt) {
    const __m512 factor = _mm512_set1_ps(grid->factor), offset = _mm512_set1_ps(grid->offset);
    const __m512i slot = _mm512_loadu_si512(grid->slot);
    __m256i level[MOST_RANKS], count[MOST_RANKS];
    __mmask16 nan = 0;
    ptrdiff_t i = 0;
    for (int q = 0; q < m; q++) {
        level[q] = _mm256_set1_epi16(grid->level[q]);
        count[q] = _mm256_setzero_si256();
    }
    for (; i < n && doubt->n <= 32; i += 32) {
        __m512 low, high;
        if (n - i >= 32) {
            low = _mm512_loadu_ps(x + i);
            high = _mm512_loadu_ps(x + i + 16);
        } else { /* what is beyond the end is below every threshold */
            const __m512 least = _mm512_set1_ps(-__builtin_inff());
            low = _mm512_mask_loadu_ps(least, n - i < 16 ? LANES(n - i) : (__mmask16)0xffff, x + i);
            high = _mm512_mask_loadu_ps(least, n - i < 16 ? 0 : LANES(n - i - 16), x + i + 16);
        }
        FETCH_LINE(x + i + 1024);
        FETCH_LINE(x + i + 1040);
        nan |= _mm512_cmp_ps_mask(low, high, _CMP_UNORD_Q);
        __m512i numbers = numbers_512(low, high, factor, offset);
        __m256i first = _mm512_castsi512_si256(numbers), second = _mm512_extracti64x4_epi64(numbers, 1);
        for (int q = 0; q < m; q++) /* into vector registers: twice the rate of compares into masks */
            count[q] = _mm256_sub_epi16(count[q], _mm256_add_epi16(_mm256_cmpgt_epi16(first, level[q]), _mm256_cmpgt_epi16(second, level[q])));
        __mmask32 same = _mm512_cmpeq_epi16_mask(numbers, _mm512_permutexvar_epi16(numbers, slot));
        if (same) put_in_doubt(doubt, x + i, numbers, same);
    }
    for (int q = 0; q < m; q++)
        greater[q] += _mm512_reduce_add_epi32(_mm512_zextsi256_si512(_mm256_madd_epi16(count[q], _mm256_set1_epi16(1))));
    return nan ? -1 : i < n ? i : n;
}

AVX512 ptrdiff_t above_some_512(const float *x, ptrdiff_t n, const struct grid *grid, int m, ptrdiff_t *greater, struct doubt *doubt) {
    switch ((m + 1) / 2) {
    case 1: return above_512(x, n, grid, 2, greater, doubt);
    case 2: return above_512(x, n, grid, 4, greater, doubt);
    case 3: return above_512(x, n, grid, 6, greater, doubt);
    case 4: return above_512(x, n, grid, 8, greater, doubt);
    case 5: return above_512(x, n, grid, 10, greater, doubt);
    default: return above_512(x, n, grid, 12, greater, doubt);
    }
}

/* The numbers of values above and equal to each of m thresholds; greater has room for one more. Returns 1, or 0 where so many values
   tie or come so close to a threshold that this is not the way, or where one is NaN, or -1 where fewer thresholds, closer
   to each other, may do. */
AVX512 int ranks_512(const float *x, ptrdiff_t n, const float *t, int m, ptrdiff_t *greater, ptrdiff_t *equal) {
    struct grid grid;
    struct doubt doubt;
    ptrdiff_t done = 0, settled = 0, ties = 0, part;
    doubt.n = 0;
    for (int q = 0; q < m; q++) greater[q] = equal[q] = 0;
    greater[m] = 0;
    if (!fit_512(&grid, t, m)) return m > 1 ? -1 : 0;
    while (done < n) {
        ptrdiff_t length = n - done < 262144 ? n - done : 262144;
        part = above_some_512(x + done, length, &grid, m, greater, &doubt);
        if (part < 0) return 0;
        done += part;
        settled += settle(&doubt, &grid, t, m, greater, equal);
        if (settled > done / 64 + 32) {
            for (int q = 0; q < m; q++) ties += equal[q];
            return m > 1 && ties < settled / 2 ? -1 : 0;
        }
    }
    return 1;
}

#endif
