/* Each primitive of simd/ beside a plain loop, on inputs of every length up to some hundred; prints those that differ. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wide.h"

#define MOST 700
#define ROOM (MOST + 64)

static uint64_t state = 88172645463325252u;
static int failures = 0;

static uint32_t drawn(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % below;
}

static void check(const char *name, ptrdiff_t n, int holds) {
    if (holds) return;
    if (failures++ < 20) printf("%s of %td\n", name, n);
}

/* Scores: tied, spread, of both signs and zeros, with infinities; NaN where it is wanted. */
static void fill(float *x, ptrdiff_t n, int nan) {
    const int form = (int)drawn(4);
    for (ptrdiff_t i = 0; i < n; i++) {
        x[i] = form == 0 ? (float)drawn(5) : (float)((int)drawn(2000) - 1000) / (form == 1 ? 7.0f : 1e-3f);
        if (form == 3 && drawn(9) == 0) x[i] = drawn(2) ? INFINITY : -INFINITY;
        if (drawn(30) == 0) x[i] = drawn(2) ? -0.0f : 0.0f;
        if (nan && drawn(40) == 0) x[i] = NAN;
    }
}

static void select_some(const float *x, const float *label, ptrdiff_t n, float t) {
    static float copy[ROOM], value[ROOM], sets[64], out[ROOM];
    static uint32_t position[ROOM];
    struct ahead next = {{0, 0}, {0, 0}, 0};
    ptrdiff_t m = 0, size = 0, hits = 0, wanted = 0, full = (n + 15) & ~(ptrdiff_t)15, k = 1 + drawn((uint32_t)n), reach = 0;
    float top = -INFINITY, found = -INFINITY, bound;
    const ptrdiff_t kept = wide_collect(x, n, t, position, value, &next);
    for (ptrdiff_t i = 0; i < n; i++) {
        if (x[i] < t) continue;
        check("collect", n, m < kept && position[m] == (uint32_t)i && memcmp(value + m, x + i, 4) == 0);
        m++;
    }
    check("collect", n, m == kept);
    size = wide_pick(x, label, n, t, out, &hits);
    m = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        wanted += x[i] == t;
        if (x[i] != t || label[i] == 0) continue;
        check("pick", n, m < hits && out[m] == label[i]);
        m++;
    }
    check("pick", n, size == wanted && m == hits);
    wide_lanes(x, n, sets);
    for (ptrdiff_t i = 0; i < n; i++) top = x[i] > top ? x[i] : top;
    for (int j = 0; j < 64; j++) found = sets[j] > found ? sets[j] : found;
    check("lanes", n, found == top);
    for (int j = 0; j < 64; j++) {
        float one = -INFINITY;
        for (ptrdiff_t i = j; i < n; i += 64) one = x[i] > one ? x[i] : one;
        check("lanes", n, sets[j] == one);
    }
    for (ptrdiff_t i = 0; i < full; i++) {
        copy[i] = i < n ? x[i] : -INFINITY;
        if (copy[i] != copy[i]) copy[i] = 0;
    }
    memcpy(out, copy, sizeof(float) * (size_t)full);
    bound = wide_bound(out, full, k, 0);
    for (ptrdiff_t i = 0; i < full; i++) reach += copy[i] >= bound;
    check("bound", n, reach >= k);
    m = 0;
    for (ptrdiff_t i = 0; i < full; i++) m += copy[i] > bound;
    check("bound", n, reach == k || m < k);
}

static void maxima(const float *x, ptrdiff_t n) {
    float out[16 * (MOST / 64)];
    wide_maxima(x, n / 64, out);
    for (ptrdiff_t b = 0; b < n / 64; b++)
        for (int j = 0; j < 16; j++) {
            float one = x[64 * b + j];
            for (int i = 1; i < 4; i++) one = x[64 * b + 16 * i + j] > one ? x[64 * b + 16 * i + j] : one;
            check("maxima", n, out[16 * b + j] == one);
        }
}

static void count(const float *x, ptrdiff_t n) {
    float t[MOST_RANKS], below = -INFINITY, limit = x[drawn((uint32_t)n)];
    double wide[ROOM], levels[4];
    ptrdiff_t greater[MOST_RANKS + 1] = {0}, equal[MOST_RANKS] = {0}, reach = 0;
    int32_t by_level[LEVELS_TOGETHER];
    const int first = (int)drawn(3), m = 1 + (int)drawn(MOST_RANKS);
    uint32_t bits, top = 0, marks[ROOM];
    int counted;
    for (int q = 0; q < 4; q++) t[q] = x[drawn((uint32_t)n)];
    wide_count_four(x, n, t, greater, equal);
    for (int q = 0; q < 4; q++) {
        for (ptrdiff_t i = 0; i < n; i++) greater[q] -= x[i] > t[q], equal[q] -= x[i] == t[q];
        check("count_four", n, greater[q] == 0 && equal[q] == 0);
        greater[q] = equal[q] = 0;
        levels[q] = t[q];
    }
    for (ptrdiff_t i = 0; i < n; i++) wide[i] = x[i] * (drawn(3) ? 1.0 : 1.0 + 1e-12);
    wide_count_doubles(wide, n, levels, greater, equal);
    for (int q = 0; q < 4; q++) {
        for (ptrdiff_t i = 0; i < n; i++) greater[q] -= wide[i] > levels[q], equal[q] -= wide[i] == levels[q];
        check("count_doubles", n, greater[q] == 0 && equal[q] == 0);
    }
    reach = wide_levels(x, n, first, by_level);
    for (int q = 0; q < LEVELS_TOGETHER; q++)
        for (ptrdiff_t i = 0; i < n; i++) by_level[q] -= x[i] == (float)(first + q), reach -= x[i] == (float)(first + q);
    for (int q = 0; q < LEVELS_TOGETHER; q++) check("levels", n, by_level[q] == 0 && reach == 0);
    reach = wide_at_least(x, n, limit);
    for (ptrdiff_t i = 0; i < n; i++) {
        reach -= x[i] >= limit;
        below = x[i] < limit && x[i] > below ? x[i] : below;
        memcpy(&bits, x + i, 4);
        top = bits > top ? bits : top;
    }
    check("at_least", n, reach == 0);
    check("below", n, wide_below(x, n, limit) == below);
    check("top_bits", n, wide_top_bits(x, n) == top);
    wide_marks(x, n, marks);
    for (ptrdiff_t i = 1; i < n; i++) check("marks", n, marks[i] < MARKS && (x[i] != x[i - 1] || marks[i] == marks[i - 1]));
    for (int q = 0; q < m; q++) t[q] = x[drawn((uint32_t)n)];
    for (int q = 1; q < m; q++) /* ranks wants them in order */
        for (int r = q; r > 0 && t[r] > t[r - 1]; r--) {
            const float other = t[r];
            t[r] = t[r - 1];
            t[r - 1] = other;
        }
    counted = wide_ranks(x, n, t, m, greater, equal);
    for (int q = 0; counted == 1 && q < m; q++) {
        for (ptrdiff_t i = 0; i < n; i++) greater[q] -= x[i] > t[q], equal[q] -= x[i] == t[q];
        check("ranks", n, greater[q] == 0 && equal[q] == 0);
    }
}

/* Ranks of long lists, whose counts go beyond 16 bits; returns how often they were counted so. */
static int long_ranks(void) {
    static float x[1 << 20];
    const ptrdiff_t n = 1 << 20;
    float t[3] = {.5f, .25f, -1.0f};
    ptrdiff_t greater[4], equal[3];
    for (ptrdiff_t i = 0; i < n; i++) x[i] = (float)drawn(3);
    const int counted = wide_ranks(x, n, t, 3, greater, equal);
    for (int q = 0; counted == 1 && q < 3; q++) {
        for (ptrdiff_t i = 0; i < n; i++) greater[q] -= x[i] > t[q], equal[q] -= x[i] == t[q];
        check("ranks of a long list", n, greater[q] == 0 && equal[q] == 0);
    }
    return counted == 1;
}

static void doubles_of(const float *x, ptrdiff_t n) {
    double a[ROOM], b[ROOM], out[ROOM];
    float single[ROOM];
    ptrdiff_t m = 0, kept;
    int same = 1;
    const int exact = (int)drawn(2);
    for (ptrdiff_t i = 0; i < n; i++) {
        a[i] = exact ? x[i] : x[i] * (1.0 + 1e-9 * (drawn(50) == 0));
        b[i] = (double)drawn(5);
        same &= (double)(float)a[i] == a[i];
    }
    wide_round(a, n, single);
    for (ptrdiff_t i = 0; i < n; i++) check("round", n, single[i] == (float)a[i]);
    check("as_float32", n, (wide_as_float32(a, n, single) != 0) == same);
    for (ptrdiff_t i = 0; same && i < n; i++) check("as_float32", n, single[i] == (float)a[i]);
    kept = wide_outside(a, b, n, -1.0, 3.0, out);
    for (ptrdiff_t i = 0; i < n; i++) {
        if (!(a[i] - b[i] < -1.0 || a[i] - b[i] > 3.0)) continue;
        check("outside", n, m < kept && out[m] == a[i] - b[i]);
        m++;
    }
    check("outside", n, m == kept);
}

static void match(void) {
    int32_t row[32], wanted[64];
    const ptrdiff_t k = 1 + drawn(32), depth = 1 + drawn((uint32_t)k), n = drawn(40);
    const ptrdiff_t held = drawn(4) ? k : 1 + drawn((uint32_t)k); /* the caller looks again at rows that hold nothing */
    const int64_t indptr[2] = {0, n};
    int64_t stop = -1, pointer[2] = {5, -1};
    uint32_t place = 0, expected = 0;
    int wrong = 0;
    for (ptrdiff_t i = 0; i < k; i++) row[i] = i < held ? (int32_t)(2 * i + drawn(2)) : -1;
    for (ptrdiff_t i = 0; i < n; i++) wanted[i] = (int32_t)drawn(70);
    if (held > 1 && drawn(4) == 0) row[drawn((uint32_t)held)] = row[drawn((uint32_t)held)];
    if (held && drawn(8) == 0) row[drawn((uint32_t)held)] = drawn(2) ? 64 : -2;
    for (ptrdiff_t i = 0; i < k; i++) {
        wrong |= row[i] >= 64 || row[i] < -1 || (i > 0 && row[i] >= 0 && row[i - 1] == -1);
        for (ptrdiff_t j = 0; j < i; j++) wrong |= row[i] >= 0 && row[i] == row[j];
        for (ptrdiff_t j = 0; i < depth && j < n; j++) expected |= (uint32_t)(row[i] == wanted[j]) << i;
    }
    const ptrdiff_t done = wide_match(row, 1, k, depth, 64, wanted, indptr, 100, &stop, &place, pointer);
    check("match", k, done == !wrong);
    if (!wrong) check("match", k, place == expected && stop == 100 + held && pointer[1] == 5 + __builtin_popcount(expected));
}

int main(void) {
    static float x[ROOM + 16], label[ROOM + 16];
    if (wide_best() == 0) return puts("no vectors") * 0 + 77;
    for (int round = 0; round < 3; round++)
        for (ptrdiff_t n = 1; n <= MOST; n++) {
            const ptrdiff_t at = drawn(16); /* any place of a cache line */
            fill(x + at, n, 0);
            for (ptrdiff_t i = 0; i < n; i++) label[at + i] = (float)(drawn(3) ? drawn(5) : 0);
            maxima(x + at, n);
            count(x + at, n);
            doubles_of(x + at, n);
            select_some(x + at, label + at, n, x[at + drawn((uint32_t)n)]);
            fill(x + at, n, 1);
            select_some(x + at, label + at, n, drawn(2) ? 0.0f : -3.0f);
        }
    for (int i = 0; i < 20000; i++) match();
    check("ranks of a long list are counted", 0, long_ranks());
    return failures != 0;
}
