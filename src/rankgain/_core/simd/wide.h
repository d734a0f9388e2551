/* Wide twins of a handful of primitives, for x86-64 with gcc or clang. The plain path is Cython and complete
   without this file. Everything here compares, converts, selects and counts; no gain is summed, so values cannot differ between paths.

   wide_level says which twin runs: 0 none, 1 AVX2, 2 AVX-512. It is set once, when the module is loaded. */

#ifndef RANKGAIN_WIDE_H
#define RANKGAIN_WIDE_H

#include <stddef.h>
#include <stdint.h>

static int wide_level = 0;

#define MOST_RANKS 12 /* thresholds at a time: more do not fit into the registers */

/* What is wanted soon: the labels and the scores of a list to come. */
struct ahead {
    const char *at[2];
    ptrdiff_t left[2];
    ptrdiff_t portion;
};

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LITTLE_ENDIAN_HALVES 0
#else
#define LITTLE_ENDIAN_HALVES 1
#endif

#if defined(__GNUC__) || defined(__clang__)
#define FETCH_LINE(address) __builtin_prefetch(address)
#define FETCH_INTO_SECOND(address) __builtin_prefetch(address, 0, 2)
#else
#define FETCH_LINE(address) ((void)(address))
#define FETCH_INTO_SECOND(address) ((void)(address))
#endif

/* Ask for some more cache lines, into the second cache. A processor holds some twenty requests to memory and drops what is
   beyond, so they are made in small portions all the time that another list is worked on, but not just before a pass over it,
   whose own requests would wait behind them. Lines past the end belong to the list that follows, or are ignored. */
static inline void fetch_ahead(struct ahead *ahead) {
    for (ptrdiff_t left = ahead->portion; left > 0; left -= 512) {
        const int which = ahead->left[0] <= 0;
        const char *at;
        if (ahead->left[which] <= 0) return;
        at = ahead->at[which];
        FETCH_INTO_SECOND(at);
        FETCH_INTO_SECOND(at + 64);
        FETCH_INTO_SECOND(at + 128);
        FETCH_INTO_SECOND(at + 192);
        FETCH_INTO_SECOND(at + 256);
        FETCH_INTO_SECOND(at + 320);
        FETCH_INTO_SECOND(at + 384);
        FETCH_INTO_SECOND(at + 448);
        ahead->at[which] = at + 512;
        ahead->left[which] -= 512;
    }
}

/* What is not yet asked for. */
static inline void fetch_rest(struct ahead *ahead) {
    ahead->portion = (ahead->left[0] > 0 ? ahead->left[0] + 512 : 0) + ahead->left[1];
    fetch_ahead(ahead);
}

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,popcnt"))) static
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,popcnt"))) static

static int wide_best(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 2;
    return __builtin_cpu_supports("avx2") ? 1 : 0;
}

/* The first `left` (< 16) of 16 lanes. */
#define LANES(left) ((__mmask16)((1u << (left)) - 1))

/* How many values stand before the first cache line that begins in a list: a load across two lines costs two. */
static ptrdiff_t before_line(const float *x, ptrdiff_t n) { return n < 512 ? 0 : (ptrdiff_t)((-(uintptr_t)x & 63) >> 2); }

#include "wide_select.h"
#include "wide_count.h"
#include "wide_ranks.h"
#include "wide_labels.h"
#include "wide_match.h"

#define WIDE(name, ...) (wide_level == 2 ? name##_512(__VA_ARGS__) : name##_256(__VA_ARGS__))

static void wide_maxima(const float *x, ptrdiff_t blocks, float *out) { WIDE(maxima, x, blocks, out); }
static void wide_lanes(const float *x, ptrdiff_t n, float *out) { WIDE(lanes, x, n, out); }
static float wide_bound(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) { return WIDE(bound, x, n, k, slack); }
static ptrdiff_t wide_collect(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value, struct ahead *next) {
    return WIDE(collect, x, n, t, position, value, next);
}
static ptrdiff_t wide_pick(const float *x, const float *label, ptrdiff_t n, float t, float *out, ptrdiff_t *hits) {
    return pick_512(x, label, n, t, out, hits);
}
static int wide_levels(const float *x, ptrdiff_t n, int32_t *count) { return levels_512(x, n, count); }
static int wide_ranks(const float *x, ptrdiff_t n, const float *t, int m, ptrdiff_t *greater, ptrdiff_t *equal) {
    return ranks_512(x, n, t, m, greater, equal);
}
static void wide_count_four(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    WIDE(count_four, x, n, t, greater, equal);
}
static void wide_count_doubles(const double *x, ptrdiff_t n, const double *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    WIDE(count_doubles, x, n, t, greater, equal);
}
static void wide_round(const double *x, ptrdiff_t n, float *out) { WIDE(round, x, n, out); }
static ptrdiff_t wide_match(const int32_t *row, ptrdiff_t k, uint32_t ids, const int32_t *wanted, ptrdiff_t start, ptrdiff_t stop,
                            int64_t *position, int64_t *match, ptrdiff_t *length, int *twice) {
    return match_512(row, k, ids, wanted, start, stop, position, match, length, twice);
}
static int wide_narrow(const double *x, ptrdiff_t n, float *out) { return WIDE(narrow, x, n, out); }
static uint32_t wide_top_bits(const float *x, ptrdiff_t n) { return WIDE(top_bits, x, n); }
static ptrdiff_t wide_at_least(const float *x, ptrdiff_t n, float t) { return WIDE(at_least, x, n, t); }
static float wide_below(const float *x, ptrdiff_t n, float t) { return WIDE(below, x, n, t); }
static void wide_within(const int32_t *place, ptrdiff_t n, const int32_t *cut, ptrdiff_t cuts, ptrdiff_t *within) {
    within_all_512(place, n, cut, cuts, within);
}
static int wide_whole(const double *label, const int64_t *start, ptrdiff_t n, int levels, int32_t *level, int32_t *place, double *rank) {
    return whole_512(label, start, n, levels, level, place, rank);
}
static ptrdiff_t wide_hits(const float *label, const uint32_t *candidate, const float *score, ptrdiff_t n, uint32_t *position, double *hit,
                           float *kept) {
    return hits_512(label, candidate, score, n, position, hit, kept);
}

#else /* never called: wide_level stays 0 */

static int wide_best(void) { return 0; }
static void wide_maxima(const float *x, ptrdiff_t blocks, float *out) {}
static void wide_lanes(const float *x, ptrdiff_t n, float *out) {}
static float wide_bound(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) { return 0; }
static ptrdiff_t wide_collect(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value, struct ahead *next) { return 0; }
static ptrdiff_t wide_pick(const float *x, const float *label, ptrdiff_t n, float t, float *out, ptrdiff_t *hits) { return 0; }
static int wide_levels(const float *x, ptrdiff_t n, int32_t *count) { return 0; }
static int wide_ranks(const float *x, ptrdiff_t n, const float *t, int m, ptrdiff_t *greater, ptrdiff_t *equal) { return 0; }
static void wide_count_four(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {}
static void wide_count_doubles(const double *x, ptrdiff_t n, const double *t, ptrdiff_t *greater, ptrdiff_t *equal) {}
static void wide_round(const double *x, ptrdiff_t n, float *out) {}
static ptrdiff_t wide_match(const int32_t *row, ptrdiff_t k, uint32_t ids, const int32_t *wanted, ptrdiff_t start, ptrdiff_t stop,
                            int64_t *position, int64_t *match, ptrdiff_t *length, int *twice) {
    return 0;
}
static int wide_narrow(const double *x, ptrdiff_t n, float *out) { return 0; }
static uint32_t wide_top_bits(const float *x, ptrdiff_t n) { return 0; }
static ptrdiff_t wide_at_least(const float *x, ptrdiff_t n, float t) { return 0; }
static float wide_below(const float *x, ptrdiff_t n, float t) { return 0; }
static void wide_within(const int32_t *place, ptrdiff_t n, const int32_t *cut, ptrdiff_t cuts, ptrdiff_t *within) {}
static int wide_whole(const double *label, const int64_t *start, ptrdiff_t n, int levels, int32_t *level, int32_t *place, double *rank) {
    return 0;
}
static ptrdiff_t wide_hits(const float *label, const uint32_t *candidate, const float *score, ptrdiff_t n, uint32_t *position, double *hit,
                           float *kept) {
    return 0;
}

#endif
#endif
