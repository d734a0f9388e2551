/* What processors have as one instruction and C has no word for: 128-bit products, and counts of zeros. */

#ifndef RANKGAIN_BITS_H
#define RANKGAIN_BITS_H

#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER) && defined(_M_X64)

#include <intrin.h>

static __inline uint64_t bits_multiply(uint64_t a, uint64_t b, uint64_t *high) { return _umul128(a, b, high); }

static __inline int bits_leading_zeros(uint64_t word) {
    unsigned long at;
    _BitScanReverse64(&at, word);
    return 63 - (int)at;
}

static __inline int bits_trailing_zeros(uint64_t word) {
    unsigned long at;
    _BitScanForward64(&at, word);
    return (int)at;
}

#elif defined(__SIZEOF_INT128__)

/* 64 x 64 -> 128 bits. */
static inline uint64_t bits_multiply(uint64_t a, uint64_t b, uint64_t *high) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
}

/* The word is not 0. */
static inline int bits_leading_zeros(uint64_t word) { return __builtin_clzll(word); }

static inline int bits_trailing_zeros(uint64_t word) { return __builtin_ctzll(word); }

#else

/* By halves. */
static uint64_t bits_multiply(uint64_t a, uint64_t b, uint64_t *high) {
    uint64_t low_mask = 0xFFFFFFFF, a0 = a & low_mask, a1 = a >> 32, b0 = b & low_mask, b1 = b >> 32;
    uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0;
    uint64_t middle = (p00 >> 32) + (p01 & low_mask) + (p10 & low_mask);
    *high = a1 * b1 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
    return (p00 & low_mask) | (middle << 32);
}

/* From the exponent of its upper bits as a double, which is exact; the word is not 0. */
static int bits_leading_zeros(uint64_t word) {
    int count = 1022 + 64;
    double value;
    uint64_t bits;
    if (word >> 32 == 0) {
        count += 32;
        word <<= 32;
    }
    value = (double)(int64_t)(word >> 11);
    memcpy(&bits, &value, 8);
    return count - 11 - (int)(bits >> 52);
}

static int bits_trailing_zeros(uint64_t word) { return 63 - bits_leading_zeros(word & (0 - word)); }

#endif

#endif
