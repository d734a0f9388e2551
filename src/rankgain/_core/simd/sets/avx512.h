/* AVX-512: vectors of 16. A compare gives a bit for each lane. */

#define LANES 16
#define TOGETHER 2
#include "vectors.h"

typedef __mmask16 mask;
typedef ptrdiff_t tally;
typedef uint16_t lane_bits;
typedef int16_t counts __attribute__((vector_size(32))); /* half a vector: compares into vector registers run at twice the rate of those into masks */
typedef __m512i numbers;

STEP mask above(floats a, floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
STEP mask same(floats a, floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
STEP mask reaches(floats a, floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
STEP mask not_below(floats a, floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ); }
STEP mask beyond(ints a, ints b) { return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b); }
STEP uint32_t bits(mask a) { return a; }

STEP void bits_of_four(mask a, mask b, mask c, mask d, lane_bits *out) {
    const lane_bits masks[4] = {a, b, c, d};
    __builtin_memcpy(out, masks, sizeof(masks));
}

/* Which of 64 hold a bit. */
STEP uint64_t filled(const lane_bits *which) {
    const __m512i low = _mm512_loadu_si512(which), high = _mm512_loadu_si512(which + 32);
    return _mm512_test_epi16_mask(low, low) | (uint64_t)_mm512_test_epi16_mask(high, high) << 32;
}

STEP ints blended(mask which, ints a, ints b) { return (ints)_mm512_mask_mov_epi32((__m512i)b, which, (__m512i)a); }

STEP doubles widened(half_floats a) { return _mm512_cvtps_pd(a); }
STEP floats largest(floats a, floats b) { return _mm512_max_ps(a, b); }
STEP floats largest_where(mask which, floats a, floats b) { return _mm512_mask_max_ps(b, which, b, a); }
STEP ints largest_bits(ints a, ints b) { return (ints)_mm512_max_epu32((__m512i)a, (__m512i)b); }

STEP mask lanes_up_to(ptrdiff_t n) { return n < LANES ? (mask)((1u << n) - 1) : (mask)0xffff; }
STEP floats some(const float *x, ptrdiff_t left, floats rest) { return _mm512_mask_loadu_ps(rest, lanes_up_to(left), x); }
STEP ints some_ints(const void *x, ptrdiff_t left, ints rest) { return (ints)_mm512_mask_loadu_epi32((__m512i)rest, lanes_up_to(left), x); }

STEP ints packed_ramp(uint32_t which) {
    return (ints)_mm512_maskz_compress_epi32((mask)which, _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}
STEP floats packed(floats a, uint32_t which) { return _mm512_maskz_compress_ps((mask)which, a); }

STEP floats looked_up(const float *table, ints at) { return _mm512_i32gather_ps((__m512i)at, table, 4); }

STEP tally tallied(tally t, mask a) { return t + __builtin_popcount(a); }
STEP ptrdiff_t total(tally t) { return t; }
STEP void add_totals(const tally *t, ptrdiff_t *out) {
    for (int q = 0; q < 4; q++) out[q] += t[q];
}

STEP ints numbers_of(floats x, floats factor, floats offset) {
    return (ints)_mm512_cvtps_epi32(_mm512_min_ps(_mm512_fmadd_ps(x, factor, offset), _mm512_set1_ps(32767.0f)));
}

STEP numbers numbers_at(const float *x, floats factor, floats offset, mask *nan) {
    const floats low = load(x), high = load(x + 16);
    *nan |= _mm512_cmp_ps_mask(low, high, _CMP_UNORD_Q);
    return _mm512_packs_epi32((__m512i)numbers_of(low, factor, offset), (__m512i)numbers_of(high, factor, offset));
}

STEP counts all_counts(int16_t level) { return (counts)_mm256_set1_epi16(level); }

STEP counts count_above(numbers values, counts level) {
    const counts first = (counts)_mm512_castsi512_si256(values), second = (counts)_mm512_extracti64x4_epi64(values, 1);
    return (first > level) + (second > level);
}

STEP int32_t total_counts(counts a) {
    return _mm512_reduce_add_epi32(_mm512_zextsi256_si512(_mm256_madd_epi16((__m256i)a, _mm256_set1_epi16(1))));
}

STEP uint32_t at_level(numbers values, const struct grid *grid) {
    return _mm512_cmpeq_epi16_mask(values, _mm512_permutexvar_epi16(values, _mm512_loadu_si512(grid->slot)));
}

STEP void origins(numbers values, struct grid *grid) { _mm256_storeu_si256((__m256i *)grid->origin, _mm512_cvtepi16_epi8(values)); }
