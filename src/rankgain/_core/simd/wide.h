/* Wide vectors for a handful of primitives, with gcc or clang. The plain path is Cython and complete without this file. Everything
   here compares, converts, selects or counts, so values cannot differ between paths.

   The algorithms (select.h, count.h, ranks.h, match.h) are written once for the sets of instructions, AVX2 and NEON, whose files in
   sets/ have what compilers have no common form for. wide_level says which of them runs, as the place in PATHS of simd/__init__.py: 0 none.
   It is set once, when the module is loaded. */

#ifndef RANKGAIN_WIDE_H
#define RANKGAIN_WIDE_H

#include <stddef.h>
#include <stdint.h>

#include "fetch.h"

static int wide_level = 0;

#define AVX2_LEVEL 1
#define NEON_LEVEL 2
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

/* By the lanes that are kept, as bits: which they are, one in each byte. */
static uint64_t packing[256];

static void fill_packing(void) {
    for (int which = 0; which < 256; which++) {
        packing[which] = 0;
        for (int lane = 7; lane >= 0; lane--)
            if (which >> lane & 1) packing[which] = packing[which] << 8 | (uint64_t)lane;
    }
}

/* A loop over vectors that gcc unrolls before it chooses where they live: beside one that is left, they live in memory. */
#ifdef __clang__
#define UNROLLED
#define BY_TWOS
#else
#define UNROLLED _Pragma("GCC unroll 16")
#define BY_TWOS _Pragma("GCC unroll 2")
#endif

#ifdef __x86_64__
#include <immintrin.h>
#define TARGET __attribute__((target("avx2,fma,bmi,popcnt")))
#include "sets/avx2.h"
#else
#include <arm_neon.h>
#define TARGET
#include "sets/neon.h"
#endif

#include "count.h"
#include "match.h"
#include "ranks.h"
#include "select.h"

static int wide_best(void) {
    fill_packing();
#ifdef __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? AVX2_LEVEL : 0;
#else
    return NEON_LEVEL;
#endif
}

#else /* never called: wide_level stays 0 */

#define wide_maxima(...) 0
#define wide_lanes(...) 0
#define wide_bound(...) 0
#define wide_collect(...) 0
#define wide_pick(...) 0
#define wide_levels(...) 0
#define wide_ranks(...) 0
#define wide_count_four(...) 0
#define wide_count_doubles(...) 0
#define wide_round(...) 0
#define wide_as_float32(...) 0
#define wide_match(...) 0
#define wide_top_bits(...) 0
#define wide_at_least(...) 0
#define wide_below(...) 0
#define wide_outside(...) 0
#define wide_marks(...) 0

static int wide_best(void) { return 0; }

#endif

#endif
