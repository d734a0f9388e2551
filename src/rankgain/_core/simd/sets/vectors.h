/* What every set of instructions has, given LANES (floats of a vector) and TARGET (the compiler's attribute). */

#define ALGORITHM TARGET static
#define STEP TARGET __attribute__((always_inline)) static inline

typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t ints __attribute__((vector_size(4 * LANES)));
typedef uint32_t uints __attribute__((vector_size(4 * LANES)));
typedef double doubles __attribute__((vector_size(4 * LANES)));
typedef int64_t longs __attribute__((vector_size(4 * LANES)));
typedef float half_floats __attribute__((vector_size(2 * LANES)));
typedef ints mask; /* of a comparison: lanes of 0 and -1 */
typedef ints tally;
typedef uint8_t lane_bits;

STEP floats load(const float *x) {
    floats a;
    __builtin_memcpy(&a, x, sizeof(a));
    return a;
}

STEP doubles load_doubles(const double *x) {
    doubles a;
    __builtin_memcpy(&a, x, sizeof(a));
    return a;
}

STEP ints load_ints(const void *x) { return (ints)load((const float *)x); }
STEP void store(void *out, floats a) { __builtin_memcpy(out, &a, sizeof(a)); }
STEP void store_ints(void *out, ints a) { __builtin_memcpy(out, &a, sizeof(a)); }

STEP floats all(float x) { return x - (floats){0}; }
STEP ints all_ints(int32_t x) { return x - (ints){0}; }

STEP mask beyond(ints a, ints b) { return a > b; }
STEP tally tallied(tally t, mask a) { return t - a; }

/* The first lanes, as bits. */
STEP uint32_t first_bits(ptrdiff_t n) { return n < LANES ? (1u << n) - 1 : (1u << LANES) - 1; }

STEP half_floats narrowed(doubles a) { return __builtin_convertvector(a, half_floats); }
STEP void store_half(float *out, half_floats a) { __builtin_memcpy(out, &a, sizeof(a)); }
