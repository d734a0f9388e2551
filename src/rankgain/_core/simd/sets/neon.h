/* NEON, which every 64-bit ARM has: vectors of 4. */

#define LANES 4
#define TOGETHER 1 /* twice 32 numbers do not fit into the registers beside twelve thresholds */
#include "vectors.h"

typedef int16x8_t counts;
typedef struct {
    int16x8_t part[4];
} numbers;

STEP mask above(floats a, floats b) { return a > b; }
STEP mask same(floats a, floats b) { return a == b; }
STEP mask reaches(floats a, floats b) { return a >= b; }
STEP mask not_below(floats a, floats b) { return ~(a < b); }
STEP uint32_t bits(mask a) { return (uint32_t)vaddvq_s32((int32x4_t)(a & (ints){1, 2, 4, 8})); }

/* The bits of four, one after another. */
STEP void bits_of_four(mask a, mask b, mask c, mask d, lane_bits *out) {
    const uint16x8_t low = vuzp1q_u16((uint16x8_t)a, (uint16x8_t)b), high = vuzp1q_u16((uint16x8_t)c, (uint16x8_t)d);
    const uint8x16_t weight = {1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
    uint8x16_t each = vuzp1q_u8((uint8x16_t)low, (uint8x16_t)high) & weight;
    each = vpaddq_u8(each, each);
    each = vpaddq_u8(each, each);
    __builtin_memcpy(out, &each, 4);
}

/* A bit for each byte of 0 or -1. */
static inline uint32_t bits_of_bytes(uint8x16_t a) {
    const uint8x16_t each = a & (uint8x16_t){1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return (uint32_t)vaddv_u8(vget_low_u8(each)) | (uint32_t)vaddv_u8(vget_high_u8(each)) << 8;
}

/* Which of 64 hold a bit. */
STEP uint64_t filled(const lane_bits *which) {
    uint64_t joined_bits = 0;
    for (int i = 0; i < 64; i += 16) joined_bits |= (uint64_t)bits_of_bytes(vld1q_u8(which + i) != 0) << i;
    return joined_bits;
}

STEP ints blended(mask which, ints a, ints b) { return (which & a) | (~which & b); }

STEP doubles widened(half_floats a) { return __builtin_convertvector(a, doubles); }
STEP floats largest(floats a, floats b) { return (floats)blended(a > b, (ints)a, (ints)b); }
STEP floats largest_where(mask which, floats a, floats b) { return largest((floats)blended(which, (ints)a, (ints)b), b); }
STEP ints largest_bits(ints a, ints b) { return (ints)vmaxq_u32((uint32x4_t)a, (uint32x4_t)b); }

STEP floats some(const float *x, ptrdiff_t left, floats rest) {
    if (left >= LANES) return load(x);
    for (int i = 0; i < left; i++) rest[i] = x[i];
    return rest;
}

STEP ints some_ints(const void *x, ptrdiff_t left, ints rest) { return (ints)some((const float *)x, left, (floats)rest); }
STEP ints few_ints(const int32_t *x, ptrdiff_t left, ints rest) { return some_ints(x, left, rest); }
STEP ints lane_numbers(void) { return (ints){0, 1, 2, 3}; }

STEP ints packed_ramp(uint32_t which) { return (ints)vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(packing[which])))); }

STEP floats packed(floats a, uint32_t which) {
    const ints at = packed_ramp(which) * 0x04040404 + 0x03020100; /* the bytes of each lane */
    return (floats)vqtbl1q_u8((uint8x16_t)a, (uint8x16_t)at);
}

STEP int32_t total(ints a) { return vaddvq_s32((int32x4_t)a); }

/* Add the totals of four. */
STEP void add_totals(const tally *t, ptrdiff_t *out) {
    const int32x4_t low = vpaddq_s32((int32x4_t)t[0], (int32x4_t)t[1]), high = vpaddq_s32((int32x4_t)t[2], (int32x4_t)t[3]);
    const int32x4_t each = vpaddq_s32(low, high);
    for (int q = 0; q < 4; q++) out[q] += each[q];
}

STEP uint32_t joined(ints a) {
    const int32x2_t both = vorr_s32(vget_low_s32((int32x4_t)a), vget_high_s32((int32x4_t)a));
    return (uint32_t)(vget_lane_s32(both, 0) | vget_lane_s32(both, 1));
}

STEP ints repeated(ints a) {
    return (a == (ints)vextq_s32((int32x4_t)a, (int32x4_t)a, 1)) | (a == (ints)vextq_s32((int32x4_t)a, (int32x4_t)a, 2));
}

STEP ints numbers_of(floats x, floats factor, floats offset) {
    return (ints)vcvtnq_s32_f32(vfmaq_f32((float32x4_t)offset, (float32x4_t)x, (float32x4_t)factor));
}

STEP numbers numbers_at(const float *x, floats factor, floats offset, mask *nan) {
    numbers values;
    for (int i = 0; i < 4; i++) {
        const floats low = load(x + 8 * i), high = load(x + 8 * i + 4);
        *nan |= (low != low) | (high != high);
        values.part[i] = vqmovn_high_s32(vqmovn_s32((int32x4_t)numbers_of(low, factor, offset)), (int32x4_t)numbers_of(high, factor, offset));
    }
    return values;
}

STEP counts all_counts(int16_t level) { return vdupq_n_s16(level); }

STEP counts count_above(numbers values, counts level) {
    counts above = (counts){0};
    for (int i = 0; i < 4; i++) above += (counts)vcgtq_s16(values.part[i], level);
    return above;
}

STEP int32_t total_counts(counts a) { return vaddlvq_s16(a); }

/* Bytes whose place is the place of their number. */
STEP uint8x16_t low_bytes(numbers values, int i) { return vuzp1q_u8((uint8x16_t)values.part[2 * i], (uint8x16_t)values.part[2 * i + 1]); }

STEP uint32_t at_level(numbers values, const struct grid *grid) {
    const uint8x16x2_t level = {{vld1q_u8(grid->high), vld1q_u8(grid->high + 16)}};
    uint32_t joined_bits = 0;
    for (int i = 0; i < 2; i++) {
        const uint8x16_t high = vuzp2q_u8((uint8x16_t)values.part[2 * i], (uint8x16_t)values.part[2 * i + 1]);
        joined_bits |= bits_of_bytes(high == vqtbl2q_u8(level, low_bytes(values, i) & vdupq_n_u8(31))) << (16 * i);
    }
    return joined_bits;
}

STEP void origins(numbers values, struct grid *grid) {
    vst1q_u8(grid->origin, low_bytes(values, 0));
    vst1q_u8(grid->origin + 16, low_bytes(values, 1));
}
