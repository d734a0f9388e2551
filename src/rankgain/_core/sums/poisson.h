/* How often lists stand in resamples: Poisson numbers of mean 1 that depend on (seed, id, replicate) alone.

   A key of 64 bits, mixed from seed and id, begins a SplitMix64 stream (Steele, Lea and Flood 2014); word p of it has replicate 2p
   in its low half and 2p + 1 in its high half. A half is a number of 0 .. 15 by the alias method (Walker 1977; Vose 1991): four bits
   choose a column, the other 28 between its two numbers. Chances are those of the Poisson distribution to 2**-32. */

#ifndef RANKGAIN_POISSON_H
#define RANKGAIN_POISSON_H

#include <stddef.h>
#include <stdint.h>

#define POISSON_GAMMA 0x9e3779b97f4a7c15u

static uint64_t poisson_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The bytes of an id as one number, equal on every machine: FNV-1a, mixed. */
static uint64_t poisson_code(const uint8_t *id, ptrdiff_t n) {
    uint64_t code = 0xcbf29ce484222325u;
    for (ptrdiff_t i = 0; i < n; i++) code = (code ^ id[i]) * 0x100000001b3u;
    return poisson_mix(code);
}

struct poisson {
    uint32_t below[16]; /* of 2**28: the column's own number */
    uint32_t other[16];
};

static void poisson_open(struct poisson *table) {
    /* 2**32 / (e k!), the first two made such that all sum to 2**32 */
    static const uint32_t chance[16] = {1580030170, 1580030170, 790015084, 263338361, 65834590, 13166918, 2194486, 313498,
                                        39187,      4354,       435,       40,        3,        0,        0,       0};
    int64_t left[16];
    for (int k = 0; k < 16; k++) {
        left[k] = chance[k];
        table->other[k] = (uint32_t)k;
    }
    for (int done = 0; done < 16; done++) { /* a column that is not full is filled up from one that has more */
        int small = -1, large = 0;
        for (int k = 0; k < 16; k++) {
            if (left[k] >= 0 && left[k] <= 1 << 28 && (small < 0 || left[k] < left[small])) small = k;
            if (left[k] > left[large]) large = k;
        }
        table->below[small] = (uint32_t)left[small];
        table->other[small] = (uint32_t)large;
        left[large] -= (1 << 28) - left[small];
        left[small] = -1;
    }
}

static double poisson_of(const struct poisson *table, uint32_t half) {
    const uint32_t column = half & 15, limit = table->below[column], other = table->other[column];
    return (double)(int32_t)(half >> 4 < limit ? column : other);
}

/* The numbers of n lists in the replicates 2p and 2p + 1. */
static void poisson_draw(const struct poisson *table, const uint64_t *keys, ptrdiff_t n, ptrdiff_t p, double *low, double *high) {
    for (ptrdiff_t i = 0; i < n; i++) {
        const uint64_t word = poisson_mix(keys[i] + ((uint64_t)p + 1) * POISSON_GAMMA);
        low[i] = poisson_of(table, (uint32_t)word);
        high[i] = poisson_of(table, (uint32_t)(word >> 32));
    }
}
#endif
