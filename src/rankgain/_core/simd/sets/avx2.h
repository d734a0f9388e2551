/* AVX2: vectors of 8. */

#define LANES 8
#define TOGETHER 2 /* times 32 numbers are compared, for each time that their counts are loaded and stored */
#include "vectors.h"

typedef int16_t counts __attribute__((vector_size(32)));
typedef struct {
    __m256i part[2];
} numbers;

STEP mask above(floats a, floats b) { return (mask)_mm256_cmp_ps(a, b, _CMP_GT_OQ); }
STEP mask same(floats a, floats b) { return (mask)_mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
STEP mask reaches(floats a, floats b) { return (mask)_mm256_cmp_ps(a, b, _CMP_GE_OQ); }
STEP mask not_below(floats a, floats b) { return (mask)_mm256_cmp_ps(a, b, _CMP_NLT_UQ); }
STEP uint32_t bits(mask a) { return (uint32_t)_mm256_movemask_ps((__m256)a); }

/* The bits of four, one after another: bytes are packed by halves of a vector, hence in another order. */
STEP void bits_of_four(mask a, mask b, mask c, mask d, lane_bits *out) {
    const __m256i each = _mm256_packs_epi16(_mm256_packs_epi32((__m256i)a, (__m256i)b), _mm256_packs_epi32((__m256i)c, (__m256i)d));
    const ints order = (ints){0, 4, 1, 5, 2, 6, 3, 7};
    const int joined_bits = _mm256_movemask_epi8(_mm256_permutevar8x32_epi32(each, (__m256i)order));
    __builtin_memcpy(out, &joined_bits, 4);
}

/* Which of 64 hold a bit. */
STEP uint64_t filled(const lane_bits *which) {
    const __m256i low = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)which), _mm256_setzero_si256());
    const __m256i high = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(which + 32)), _mm256_setzero_si256());
    return ~((uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32);
}

STEP ints blended(mask which, ints a, ints b) { return (ints)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)which); }

STEP doubles widened(half_floats a) { return _mm256_cvtps_pd(a); }
STEP floats largest(floats a, floats b) { return _mm256_max_ps(a, b); }
STEP floats largest_where(mask which, floats a, floats b) { return largest((floats)blended(which, (ints)a, (ints)b), b); }
STEP ints largest_bits(ints a, ints b) { return (ints)_mm256_max_epu32((__m256i)a, (__m256i)b); }

STEP ints lane_numbers(void) { return (ints){0, 1, 2, 3, 4, 5, 6, 7}; }
STEP ints lanes_up_to(ptrdiff_t n) { return all_ints((int32_t)n) > lane_numbers(); }

/* The next values, `rest` beyond the end of a list. */
STEP floats some(const float *x, ptrdiff_t left, floats rest) {
    if (left >= LANES) return load(x);
    const ints active = lanes_up_to(left);
    return _mm256_blendv_ps(rest, _mm256_maskload_ps(x, (__m256i)active), (__m256)active);
}

STEP ints some_ints(const void *x, ptrdiff_t left, ints rest) { return (ints)some((const float *)x, left, (floats)rest); }

/* The same without a branch, for lengths that nothing foretells. */
STEP ints few_ints(const int32_t *x, ptrdiff_t left, ints rest) {
    const ints active = lanes_up_to(left);
    return blended(active, (ints)_mm256_maskload_epi32(x, (__m256i)active), rest);
}

/* Which lanes come first when those of `which` are packed, and these lanes. */
STEP ints packed_ramp(uint32_t which) { return (ints)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(packing + which))); }
STEP floats packed(floats a, uint32_t which) { return _mm256_permutevar8x32_ps(a, (__m256i)packed_ramp(which)); }

STEP int32_t total(ints a) {
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128((__m256i)a), _mm256_extracti128_si256((__m256i)a, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    return _mm_cvtsi128_si32(sum) + _mm_extract_epi32(sum, 1);
}

/* Add the totals of four. */
STEP void add_totals(const tally *t, ptrdiff_t *out) {
    const __m256i low = _mm256_hadd_epi32((__m256i)t[0], (__m256i)t[1]), high = _mm256_hadd_epi32((__m256i)t[2], (__m256i)t[3]);
    const __m256i each = _mm256_hadd_epi32(low, high);
    const __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(each), _mm256_extracti128_si256(each, 1));
    __m256i *four = (__m256i *)out;
    _mm256_storeu_si256(four, _mm256_add_epi64(_mm256_loadu_si256(four), _mm256_cvtepi32_epi64(sum)));
}

STEP uint32_t joined(ints a) {
    __m128i both = _mm_or_si128(_mm256_castsi256_si128((__m256i)a), _mm256_extracti128_si256((__m256i)a, 1));
    both = _mm_or_si128(both, _mm_shuffle_epi32(both, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(both) | (uint32_t)_mm_extract_epi32(both, 1);
}

/* Not 0 where two lanes are equal: beside those 1 to 4 places on, by shuffles that take one step everywhere. */
STEP ints repeated(ints a) {
    const __m256i lanes = (__m256i)a, halves = _mm256_permute2x128_si256(lanes, lanes, 1);
    return (a == (ints)_mm256_alignr_epi8(halves, lanes, 4)) | (a == (ints)_mm256_alignr_epi8(halves, lanes, 8)) |
           (a == (ints)_mm256_alignr_epi8(halves, lanes, 12)) | (a == (ints)halves);
}

STEP ints numbers_of(floats x, floats factor, floats offset) {
    return (ints)_mm256_cvtps_epi32(_mm256_min_ps(_mm256_fmadd_ps(x, factor, offset), _mm256_set1_ps(32767.0f)));
}

/* 32 values as numbers of 16 bits, in an order of their own; notes a NaN. */
STEP numbers numbers_at(const float *x, floats factor, floats offset, mask *nan) {
    numbers values;
    for (int i = 0; i < 2; i++) {
        const floats low = load(x + 16 * i), high = load(x + 16 * i + 8);
        *nan |= (mask)_mm256_cmp_ps(low, high, _CMP_UNORD_Q);
        values.part[i] = _mm256_packs_epi32((__m256i)numbers_of(low, factor, offset), (__m256i)numbers_of(high, factor, offset));
    }
    return values;
}

STEP counts all_counts(int16_t level) { return (counts)_mm256_set1_epi16(level); }

STEP counts count_above(numbers values, counts level) { return ((counts)values.part[0] > level) + ((counts)values.part[1] > level); }

STEP int32_t total_counts(counts a) { return total((ints)_mm256_madd_epi16((__m256i)a, _mm256_set1_epi16(1))); }

/* Seven bits of each: as places in tables of 16, only the lower four count. */
STEP __m256i low_bytes(numbers values, const struct grid *grid) {
    const __m256i low = _mm256_loadu_si256((const __m256i *)grid->low); /* from memory: gcc 12 makes a constant anew each time */
    return _mm256_packus_epi16(_mm256_and_si256(values.part[0], low), _mm256_and_si256(values.part[1], low));
}

/* What a table of 32 has for the low five bits of each. */
STEP __m256i by_slot(const uint8_t *table, __m256i low) {
    const __m256i few = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
    const __m256i many = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table + 16)));
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(few, low), _mm256_shuffle_epi8(many, low), _mm256_slli_epi16(low, 3));
}

/* Which numbers may be a level: in all bits but one those of the only level that their low five bits allow. */
STEP uint32_t at_level(numbers values, const struct grid *grid) {
    const __m256i high = _mm256_packus_epi16(_mm256_srli_epi16(values.part[0], 8), _mm256_srli_epi16(values.part[1], 8));
    const __m256i low = low_bytes(values, grid);
    const __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi8(high, by_slot(grid->high, low)), _mm256_cmpeq_epi8(low, by_slot(grid->seven, low)));
    return (uint32_t)_mm256_movemask_epi8(equal);
}

/* Where the value of each bit of at_level stands, if the values are 0, 1, .. 31. */
STEP void origins(numbers values, struct grid *grid) { _mm256_storeu_si256((__m256i *)grid->origin, low_bytes(values, grid)); }
