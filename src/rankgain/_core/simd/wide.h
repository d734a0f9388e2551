/* Wide vectors for a handful of primitives, with gcc or clang. The plain path is Cython and complete without this file. Everything
   here compares, converts, selects or counts, so values cannot differ between paths.

   The algorithms (select.h, count.h, ranks.h, match.h) are written once and compiled for each set of instructions, whose file in
   sets/ has what compilers have no common form for. wide_level says which of them runs, as the place in PATHS of simd/__init__.py: 0 none.
   It is set once, when the module is loaded. */

#ifndef RANKGAIN_WIDE_H
#define RANKGAIN_WIDE_H

#include <stddef.h>
#include <stdint.h>

#include "fetch.h"

static int wide_level = 0;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LITTLE_ENDIAN_HALVES 0
#else
#define LITTLE_ENDIAN_HALVES 1
#endif

#define AVX2_LEVEL 1
#define AVX512_LEVEL 2
#define NEON_LEVEL 3
#define MARKS (1 << 15) /* places of the table in which equal scores meet */
#define MARK_FACTOR 0x9e3779b1u
#define LEVELS_TOGETHER 5 /* whole numbers counted in one pass: most labels are 0 to 4 */
#define MOST_RANKS 12 /* thresholds at a time: more do not fit into the registers */

/* How thresholds and values become 16-bit numbers (ranks.h). */
struct grid {
    float factor, offset;
    int16_t level[16];  /* of each threshold, ascending or descending; those to spare are above every number */
    int16_t slot[32];   /* by the low bits: the only level that a number can equal */
    uint8_t high[32];   /* the high halves of these */
    uint8_t seven[32];  /* their low seven bits */
    uint16_t low[16];   /* 127 */
    int8_t first[32];   /* which threshold that is, the first where some share a level */
    uint8_t origin[32]; /* where the value of each bit of at_level stands */
};

#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__aarch64__))

/* How many values stand before the first cache line that begins in a list, where a vector is as long as a line: a load across two
   costs two. */
static inline ptrdiff_t before_line(const float *x, ptrdiff_t n, int lanes) {
    return lanes < 16 || n < 512 ? 0 : (ptrdiff_t)((-(uintptr_t)x & 63) >> 2);
}

/* By the lanes that are kept, as bits: which they are, one in each byte. */
static uint64_t packing[256];

static void fill_packing(void) {
    for (int which = 0; which < 256; which++) {
        packing[which] = 0;
        for (int lane = 7; lane >= 0; lane--)
            if (which >> lane & 1) packing[which] = packing[which] << 8 | (uint64_t)lane;
    }
}

#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

/* A loop over vectors that gcc unrolls before it chooses where they live: beside one that is left, they live in memory. */
#ifdef __clang__
#define UNROLLED
#define BY_TWOS
#else
#define UNROLLED _Pragma("GCC unroll 16")
#define BY_TWOS _Pragma("GCC unroll 2")
#endif

#include "words.h"

#ifdef __x86_64__

#define TARGET __attribute__((target("avx2,fma,bmi,popcnt")))
#define ON(name) name##_avx2
#include "sets/avx2.h"
#include "count.h"
#include "match.h"
#include "ranks.h"
#include "select.h"
#undef LANES
#undef TOGETHER
#undef TARGET
#undef ON

#define TARGET __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,popcnt")))
#define ON(name) name##_eights /* vectors of 8 here too */
#include "sets/avx2.h"
#include "count.h"
#undef LANES
#undef TOGETHER
#undef ON
#define ON(name) name##_avx512
#include "sets/avx512.h"
#include "count.h"
#include "ranks.h"
#include "select.h"

#define BY_LEVEL(name, ...) (wide_level == AVX512_LEVEL ? name##_avx512(__VA_ARGS__) : name##_avx2(__VA_ARGS__))

/* Comparing into vector registers goes at twice the rate of comparing into masks. */
static void count_four_avx512(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    if (n <= 16)
        count_few_avx512(x, n, t, greater, equal);
    else
        count_many_eights(x, n, t, greater, equal);
}

#define match_avx512 match_avx2 /* wider vectors gain nothing for some twenty ids */

static int wide_best(void) {
    fill_packing();
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return AVX512_LEVEL;
    return AVX2_LEVEL;
}

#else

#define TARGET
#define ON(name) name##_neon
#include "sets/neon.h"
#include "count.h"
#include "match.h"
#include "ranks.h"
#include "select.h"

#define BY_LEVEL(name, ...) name##_neon(__VA_ARGS__)

static int wide_best(void) {
    fill_packing();
    return NEON_LEVEL;
}

#endif

#else /* never called: wide_level stays 0 */

#define BY_LEVEL(name, ...) 0

static int wide_best(void) { return 0; }

#endif

#define wide_maxima(...) BY_LEVEL(maxima, __VA_ARGS__)
#define wide_lanes(...) BY_LEVEL(lanes, __VA_ARGS__)
#define wide_bound(...) BY_LEVEL(bound, __VA_ARGS__)
#define wide_collect(...) BY_LEVEL(collect, __VA_ARGS__)
#define wide_pick(...) BY_LEVEL(pick, __VA_ARGS__)
#define wide_hits(...) BY_LEVEL(hits, __VA_ARGS__)
#define wide_levels(...) BY_LEVEL(levels, __VA_ARGS__)
#define wide_ranks(...) BY_LEVEL(ranks, __VA_ARGS__)
#define wide_count_four(...) BY_LEVEL(count_four, __VA_ARGS__)
#define wide_count_doubles(...) BY_LEVEL(count_doubles, __VA_ARGS__)
#define wide_round(...) BY_LEVEL(round, __VA_ARGS__)
#define wide_as_float32(...) BY_LEVEL(as_float32, __VA_ARGS__)
#define wide_match(...) BY_LEVEL(match, __VA_ARGS__)
#define wide_top_bits(...) BY_LEVEL(top_bits, __VA_ARGS__)
#define wide_at_least(...) BY_LEVEL(at_least, __VA_ARGS__)
#define wide_below(...) BY_LEVEL(below, __VA_ARGS__)
#define wide_outside(...) BY_LEVEL(outside, __VA_ARGS__)
#define wide_marks(...) BY_LEVEL(marks, __VA_ARGS__)

#endif
