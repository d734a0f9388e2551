/* The largest of a list: maxima, a bound of the k-th, and what reaches it. */

/* 16 maxima of 4 for each block of 64. A NaN may come out as one, or be passed over: collect finds it. */
ALGORITHM void wide_maxima(const float *x, ptrdiff_t blocks, float *out) {
    for (; blocks > 0; blocks--, x += 64, out += 16)
        for (int j = 0; j < 16; j += LANES)
            store(out + j, largest(largest(load(x + j), load(x + 16 + j)), largest(load(x + 32 + j), load(x + 48 + j))));
}

/* The maxima of 64 disjoint sets, NaN passed over: where an operand is NaN, the second is the maximum. */
ALGORITHM void wide_lanes(const float *x, ptrdiff_t n, float *out) {
    const floats low = all(-__builtin_inff());
    floats best[64 / LANES];
    ptrdiff_t i = 0;
    for (int j = 0; j < 64 / LANES; j++) best[j] = low;
    for (; i + 64 <= n; i += 64)
        for (int j = 0; j < 64 / LANES; j++) best[j] = largest(load(x + i + LANES * j), best[j]);
    for (int j = 0; j < 64 / LANES; j++)
        if (i + LANES * j < n) best[j] = largest(some(x + i + LANES * j, n - i - LANES * j, low), best[j]);
    for (int j = 0; j < 64 / LANES; j++) store(out + LANES * j, best[j]);
}

/* The integer of the mean of two values, given and got as integers that order as floats do; `other` where it is not between them. */
STEP int32_t mean_key(int32_t low, int32_t high, int32_t other) {
    int32_t bits[2] = {low ^ ((low >> 31) & INT32_MAX), high ^ ((high >> 31) & INT32_MAX)};
    float value[2];
    __builtin_memcpy(value, bits, sizeof(value));
    value[0] = value[0] / 2 + value[1] / 2;
    __builtin_memcpy(bits, value, sizeof(float));
    bits[0] ^= (bits[0] >> 31) & INT32_MAX;
    return low < bits[0] && bits[0] <= high ? bits[0] : other;
}

/* Integers that order as floats do, and their bisection for a bound that at least k of the n values reach (n a multiple of 16). */
ALGORITHM float wide_bound(float *x, ptrdiff_t n, ptrdiff_t k, ptrdiff_t slack) {
    ints least = (ints){0}, most = least; /* of all bits turned round, or only the sign, as bits alone have an order */
    uint32_t lane[2][LANES], ends[2] = {0, 0};
    int32_t low, high;
    int guesses = 4; /* by value: between integers of two signs stand all exponents, of which most hold no score */
    float result;
    for (ptrdiff_t i = 0; i < n; i += LANES) {
        ints key = load_ints(x + i);
        key ^= (key >> 31) & INT32_MAX;
        store_ints(x + i, key);
        least = largest_bits(least, key ^ INT32_MAX);
        most = largest_bits(most, key ^ INT32_MIN);
    }
    store_ints(lane[0], least);
    store_ints(lane[1], most);
    for (int j = 0; j < LANES; j++)
        for (int end = 0; end < 2; end++) ends[end] = lane[end][j] > ends[end] ? lane[end][j] : ends[end];
    low = (int32_t)(ends[0] ^ INT32_MAX);
    high = (int32_t)(ends[1] ^ (uint32_t)INT32_MIN);
    while (low < high) {
        int32_t middle = (low >> 1) + (high >> 1) + ((low | high) & 1);
        if (low < 0 && high > 0 && guesses-- > 0) middle = mean_key(low, high, middle);
        tally below[16 / LANES] = {0};
        for (ptrdiff_t i = 0; i < n; i += 16)
            UNROLLED for (int j = 0; j < 16 / LANES; j++)
                below[j] = tallied(below[j], beyond(all_ints(middle), load_ints(x + i + LANES * j)));
        for (int j = 1; j < 16 / LANES; j++) below[0] += below[j];
        const ptrdiff_t count = n - total(below[0]);
        if (count < k) {
            high = middle - 1;
        } else {
            low = middle;
            if (count <= k + slack) break;
        }
    }
    low ^= (low >> 31) & INT32_MAX;
    __builtin_memcpy(&result, &low, 4);
    return result;
}

/* The chosen ones of a vector of values from `at` on, and where they stand. */
STEP int keep(floats x, ptrdiff_t at, uint32_t which, uint32_t *position, float *value) {
    const ints places = packed_ramp(which) + (int32_t)at;
    const floats values = packed(x, which); /* before anything is stored: the table of packing is then read once */
    store_ints(position, places);
    store(value, values);
    return __builtin_popcount(which);
}

/* Positions and values that are not below t, in order, hence every NaN too; both outputs need room for 16 more. */
ALGORITHM ptrdiff_t wide_collect(const float *x, ptrdiff_t n, float t, uint32_t *position, float *value, struct ahead *next) {
    const floats least = all(t);
    lane_bits masks[64];
    ptrdiff_t i = 0, m = 0;
    while (n - i >= 16 * LANES) { /* up to 64 vectors, then only those that hold something */
        int blocks = n - i < 64 * LANES ? (int)((n - i) / LANES) : 64, b = 0;
        uint64_t left;
        for (; b + 4 <= blocks; b += 4) {
            const float *four = x + i + LANES * b;
            bits_of_four(not_below(load(four), least), not_below(load(four + LANES), least), not_below(load(four + 2 * LANES), least),
                         not_below(load(four + 3 * LANES), least), masks + b);
        }
        for (; b < blocks; b++) masks[b] = (lane_bits)bits(not_below(load(x + i + LANES * b), least));
        for (; b < 64; b++) masks[b] = 0;
        fetch_ahead(next);
        for (left = filled(masks); left; left &= left - 1) {
            const ptrdiff_t at = i + LANES * (b = __builtin_ctzll(left));
            m += keep(load(x + at), at, masks[b], position + m, value + m);
        }
        i += LANES * blocks;
    }
    for (; i < n; i += LANES) {
        const floats v = some(x + i, n - i, least);
        m += keep(v, i, first_bits(n - i) & bits(not_below(v, least)), position + m, value + m);
    }
    return m;
}

/* The labels other than 0 where a value is at a level; returns how many values are. */
STEP int pick_some(floats x, floats label, floats level, float *out, ptrdiff_t *hits) {
    const uint32_t equal_lanes = bits(same(x, level)), hit = equal_lanes & ~bits(same(label, all(0.0f)));
    store(out + *hits, packed(label, hit));
    *hits += __builtin_popcount(hit);
    return __builtin_popcount(equal_lanes);
}

/* The labels other than 0 of the values that equal t; returns how many values do. `out` needs room for 16 more. */
ALGORITHM ptrdiff_t wide_pick(const float *x, const float *label, ptrdiff_t n, float t, float *out, ptrdiff_t *hits) {
    const floats level = all(t);
    ptrdiff_t i = 0, size = 0, m = 0;
    for (; i + LANES <= n; i += LANES) size += pick_some(load(x + i), load(label + i), level, out, &m);
    if (i < n) size += pick_some(some(x + i, n - i, all(__builtin_nanf(""))), some(label + i, n - i, all(0.0f)), level, out, &m);
    *hits = m;
    return size;
}

/* Doubles rounded to floats, which never turns their order round. */
ALGORITHM void wide_round(const double *x, ptrdiff_t n, float *out) {
    ptrdiff_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        store_half(out + i, narrowed(load_doubles(x + i)));
        store_half(out + i + LANES / 2, narrowed(load_doubles(x + i + LANES / 2)));
    }
    for (; i < n; i++) out[i] = (float)x[i];
}

/* Doubles to floats; 0 as soon as one is not the same there. */
ALGORITHM int wide_as_float32(const double *x, ptrdiff_t n, float *out) {
    for (ptrdiff_t i = 0; i < n;) {
        const ptrdiff_t stop = n - i < 128 ? n : i + 128;
        longs other = {0};
        int differs = 0;
        for (; i + LANES / 2 <= stop; i += LANES / 2) {
            const doubles wide = load_doubles(x + i);
            const half_floats half = narrowed(wide);
            other |= (longs)widened(half) ^ (longs)wide;
            store_half(out + i, half);
        }
        for (; i < stop; i++) {
            out[i] = (float)x[i];
            differs |= (double)out[i] != x[i];
        }
        for (int j = 0; j < LANES / 2; j++) differs |= other[j] != 0;
        if (differs) return 0;
    }
    return 1;
}

/* The differences x - y below `low` or above `high`, in order; the output needs room for a vector more. */
ALGORITHM ptrdiff_t wide_outside(const double *x, const double *y, ptrdiff_t n, double low, double high, double *out) {
    const doubles least = low - (doubles){0}, most = high - (doubles){0};
    ptrdiff_t i = 0, m = 0;
    for (; i + LANES / 2 <= n; i += LANES / 2) {
        const doubles d = load_doubles(x + i) - load_doubles(y + i);
        const uint32_t which = bits(beyond((ints){0}, (ints)((d < least) | (d > most)))); /* two bits for each */
        store(out + m, packed((floats)d, which));
        m += __builtin_popcount(which) / 2;
    }
    for (; i < n; i++) {
        out[m] = x[i] - y[i];
        m += out[m] < low || out[m] > high;
    }
    return m;
}
