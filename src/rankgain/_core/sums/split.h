/* Doubles cut in two parts whose sums round nothing away: Rump, Ogita and Oishi, "Accurate floating-point summation" (2008).

   Adding and subtracting 1.5 * 2**p leaves of a double what it has from 2**(p-52) up. Of SPLIT_BLOCK such parts, none larger than
   2**(p-8), every sum is exact, in any order. So lanes may add up side by side, and all paths give the same bits. */

#ifndef RANKGAIN_SPLIT_H
#define RANKGAIN_SPLIT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../simd/wide.h"

/* The sums of both parts of n numbers, and whether that is all of them. */
static int split_sums(const double *x, ptrdiff_t n, const struct levels *levels, double *sums) {
    const double first = levels->first, second = levels->second, bound = levels->bound;
    if (wide_level && n == SPLIT_BLOCK) return wide_split(x, levels, sums);
    double high = 0, low = 0;
    int beyond = 0, leaves = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        double part = (x[i] + first) - first, left = x[i] - part;
        beyond |= !(fabs(x[i]) <= bound);
        high += part;
        part = (left + second) - second;
        low += part;
        leaves |= left != part;
    }
    sums[0] = high;
    sums[1] = low;
    return beyond ? SPLIT_BEYOND : leaves ? SPLIT_LEAVES : SPLIT_FITS;
}

/* Where to cut numbers up to `top`, whose sums have `spare` bits more than those of a block; 0 where that cannot be. */
static int split_levels(double top, int spare, struct levels *levels) {
    int exponent = -900;
    if (!(top < 1e300)) return 0;
    if (top > 1e-270) frexp(top, &exponent);
    levels->bound = ldexp(1.0, exponent);
    levels->first = ldexp(1.5, exponent + 8 + spare);
    levels->second = ldexp(1.5, exponent - 37 + 2 * spare); /* what is left is at most 2**(exponent - 45 + spare) */
    return 1;
}

/* What both parts leave. */
static double split_rest(double x, const struct levels *levels) {
    x -= (x + levels->first) - levels->first;
    return x - ((x + levels->second) - levels->second);
}

static double split_largest(const double *x, ptrdiff_t n) {
    double top = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        double one = fabs(x[i]);
        if (one > top) top = one;
    }
    return top;
}

/* Products, and what rounding took from each (Dekker 1971); 0 where some rounding is no double. */
static int split_products(const double *x, const double *y, ptrdiff_t n, double *product, double *lost) {
    int exact = 1;
    for (ptrdiff_t i = 0; i < n; i++) {
        double a = 134217729.0 * x[i], b = 134217729.0 * y[i], p = x[i] * y[i];
        double high = a - (a - x[i]), other = b - (b - y[i]), low = x[i] - high, rest = y[i] - other;
        product[i] = p;
        lost[i] = low * rest - (((p - high * other) - low * other) - high * rest);
        exact &= (fabs(p) > 1e-270) | (x[i] == 0) | (y[i] == 0);
        exact &= (fabs(x[i]) < 1e140) & (fabs(y[i]) < 1e140);
    }
    return exact;
}

/* The parts of n numbers, one after the other, SPLIT_BLOCK apart, with room for sums of 2**spare times as many; at most `most`.
   Returns how many there are, or 0 where they are not all of the numbers. */
static int split_parts(const double *x, ptrdiff_t n, int spare, int most, double *parts) {
    struct levels levels;
    double left[SPLIT_BLOCK];
    int exponent, leaves = 1, made = 0;
    if (!split_levels(split_largest(x, n), spare, &levels)) return 0;
    frexp(levels.bound, &exponent);
    memcpy(left, x, n * sizeof(double));
    while (leaves && made < most) {
        const double cut = ldexp(1.5, exponent + 7 + spare - made * (45 - spare));
        double *part = parts + made * SPLIT_BLOCK;
        leaves = 0;
        for (ptrdiff_t i = 0; i < n; i++) {
            part[i] = (left[i] + cut) - cut;
            left[i] -= part[i];
            leaves |= left[i] != 0; /* NaN is not */
        }
        made++;
    }
    return leaves ? 0 : made;
}

/* The sum of x * times, exact for parts and whole times below 2**spare. */
static double split_dot(const double *x, const double *times, ptrdiff_t n) {
    double sum = 0;
    if (wide_level && n == SPLIT_BLOCK) return wide_dot(x, times);
    for (ptrdiff_t i = 0; i < n; i++) sum += x[i] * times[i];
    return sum;
}
#endif
