/* How many values are above thresholds, equal to them, at least one, or of each level; and the largest. */

/* Add the numbers of values above and equal to each of four thresholds: of few values bits are counted, else lanes. */
ALGORITHM void wide_count_four(const float *x, ptrdiff_t n, const float *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    const floats none = all(__builtin_nanf("")); /* beyond the end: neither above nor equal */
    tally g[4], e[4];
    floats level[4];
    UNROLLED for (int q = 0; q < 4; q++) {
        g[q] = e[q] = (tally){0};
        level[q] = all(t[q]);
    }
    if (n < 4 * LANES) {
        for (ptrdiff_t i = 0; i < n; i += LANES) {
            const floats v = some(x + i, n - i, none);
            for (int q = 0; q < 4; q++) {
                greater[q] += __builtin_popcount(bits(above(v, level[q])));
                equal[q] += __builtin_popcount(bits(same(v, level[q])));
            }
        }
        return;
    }
    for (ptrdiff_t i = 0; i < n; i += LANES) {
        const floats v = some(x + i, n - i, none);
        for (int q = 0; q < 4; q++) {
            g[q] = tallied(g[q], above(v, level[q]));
            e[q] = tallied(e[q], same(v, level[q]));
        }
    }
    add_totals(g, greater);
    add_totals(e, equal);
}

/* count_four for doubles. */
ALGORITHM void wide_count_doubles(const double *x, ptrdiff_t n, const double *t, ptrdiff_t *greater, ptrdiff_t *equal) {
    longs g[4] = {{0}}, e[4] = {{0}};
    ptrdiff_t i = 0;
    for (; i + LANES / 2 <= n; i += LANES / 2) {
        const doubles v = load_doubles(x + i);
        for (int q = 0; q < 4; q++) {
            g[q] -= v > t[q];
            e[q] -= v == t[q];
        }
    }
    for (int q = 0; q < 4; q++) {
        for (int j = 0; j < LANES / 2; j++) {
            greater[q] += g[q][j];
            equal[q] += e[q][j];
        }
        for (ptrdiff_t r = i; r < n; r++) {
            greater[q] += x[r] > t[q];
            equal[q] += x[r] == t[q];
        }
    }
}

/* How many values are each of LEVELS_TOGETHER whole numbers from `first` on; returns how many are one of them. */
ALGORITHM ptrdiff_t wide_levels(const float *x, ptrdiff_t n, int first, int32_t *count) {
    tally here[LEVELS_TOGETHER];
    floats level[LEVELS_TOGETHER];
    ptrdiff_t i = 0, n_reached = 0;
    UNROLLED for (int q = 0; q < LEVELS_TOGETHER; q++) {
        here[q] = (tally){0};
        level[q] = all((float)(first + q));
    }
    for (; i + LANES <= n; i += LANES) {
        const floats v = load(x + i);
        UNROLLED for (int q = 0; q < LEVELS_TOGETHER; q++) here[q] = tallied(here[q], same(v, level[q]));
    }
    if (i < n) {
        const floats v = some(x + i, n - i, all(-1.0f));
        UNROLLED for (int q = 0; q < LEVELS_TOGETHER; q++) here[q] = tallied(here[q], same(v, level[q]));
    }
    UNROLLED for (int q = 0; q < LEVELS_TOGETHER; q++) {
        count[q] = (int32_t)total(here[q]);
        n_reached += count[q];
    }
    return n_reached;
}

/* How many values reach t. */
ALGORITHM ptrdiff_t wide_at_least(const float *x, ptrdiff_t n, float t) {
    const floats least = all(t), none = all(__builtin_nanf(""));
    ptrdiff_t i = 0;
    tally n_reached = {0};
    for (; i + 64 <= n; i += 64)
        for (int j = 0; j < 64; j += LANES) n_reached = tallied(n_reached, reaches(load(x + i + j), least));
    for (; i + LANES <= n; i += LANES) n_reached = tallied(n_reached, reaches(load(x + i), least));
    if (i < n) n_reached = tallied(n_reached, reaches(some(x + i, n - i, none), least));
    return total(n_reached);
}

/* The largest value below t, or -inf: four maxima side by side, as each waits for the one before. */
ALGORITHM float wide_below(const float *x, ptrdiff_t n, float t) {
    const floats limit = all(t), low = all(-__builtin_inff());
    floats best[4] = {low, low, low, low};
    float lane[LANES], top = -__builtin_inff();
    ptrdiff_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        UNROLLED
        for (int j = 0; j < 4; j++) {
            const floats v = load(x + i + LANES * j);
            best[j] = largest_where(above(limit, v), v, best[j]);
        }
    }
    for (; i < n; i += LANES) {
        const floats v = some(x + i, n - i, limit);
        best[0] = largest_where(above(limit, v), v, best[0]);
    }
    store(lane, largest(largest(best[0], best[1]), largest(best[2], best[3])));
    for (int j = 0; j < LANES; j++) top = lane[j] > top ? lane[j] : top;
    return top;
}

/* The largest bit pattern: below that of infinity if and only if all values are finite and at least +0. */
ALGORITHM uint32_t wide_top_bits(const float *x, ptrdiff_t n) {
    ptrdiff_t i = 0;
    ints best[2] = {{0}};
    uint32_t lane[LANES], top = 0;
    for (; i + 64 <= n; i += 64)
        for (int j = 0; j < 32 / LANES; j++)
            best[j & 1] = largest_bits(best[j & 1], largest_bits(load_ints(x + i + 2 * LANES * j), load_ints(x + i + 2 * LANES * j + LANES)));
    for (; i < n; i += LANES) best[0] = largest_bits(best[0], some_ints(x + i, n - i, (ints){0}));
    store_ints(lane, largest_bits(best[0], best[1]));
    for (int j = 0; j < LANES; j++) top = lane[j] > top ? lane[j] : top;
    return top;
}

/* A place in a table of 2**15 for each value, the same where values are equal. The output needs room for a vector more. */
ALGORITHM void wide_marks(const float *x, ptrdiff_t n, uint32_t *out) {
    for (ptrdiff_t i = 0; i < n; i += LANES) {
        const uints code = (uints)(some(x + i, n - i, all(0.0f)) + all(0.0f)); /* -0.0 equals 0.0 */
        store_ints(out + i, (ints)(code * MARK_FACTOR >> 17));
    }
}
