/* The ranks of up to 12 values among many.

   Values become 16-bit numbers first, by a linear function that saturates beyond the thresholds; so many are compared at once.
   The function never falls: a value whose number differs from a threshold's is above or below it as the numbers are. The few
   whose numbers are the same are looked at themselves. */

/* A function under which levels that differ have slots that differ; the low bits change from one factor to the next as if drawn. */
ALGORITHM int fit(struct grid *grid, const float *t, int m) {
    const float low = t[0] < t[m - 1] ? t[0] : t[m - 1], high = t[0] < t[m - 1] ? t[m - 1] : t[0];
    const float middle = low / 2 + high / 2, finest = (middle < 0 ? -middle : middle) / 128 + 1e-30f;
    const float range = high - low > finest ? high - low : finest; /* beyond that a float has no digits, and the offset would be off */
    float thresholds[16], ramp[32];
    int32_t level[16];
    uint32_t clash = 1;
    mask nan = {0};
    for (int q = 0; q < 16; q++) thresholds[q] = q < m ? t[q] : low;
    for (int left = 64; clash && left > 0; left--) {
        uint32_t taken = 0;
        grid->factor = (61000.0f + 37.0f * (float)(left - 1)) / range;
        grid->offset = -middle * grid->factor;
        for (int q = 0; q < 16; q += LANES) store_ints(level + q, numbers_of(load(thresholds + q), all(grid->factor), all(grid->offset)));
        clash = 0;
        for (int q = 0; q < m; q++) {
            const uint32_t slot = (uint32_t)(q == 0 || level[q] != level[q - 1]) << (level[q] & 31);
            clash |= taken & slot;
            taken |= slot;
        }
    }
    if (clash || !(grid->factor > 0.0f && grid->factor - grid->factor == 0.0f && grid->offset - grid->offset == 0.0f)) return 0;
    for (int q = 0; q < 16; q++) grid->level[q] = (int16_t)(q < m ? level[q] : 32767);
    for (int i = 0; i < 32; i++) {
        grid->slot[i] = grid->level[0];
        grid->first[i] = 0; /* of no level: it differs from the first one, and settles nothing */
        ramp[i] = (float)i;
    }
    for (int q = m - 1; q >= 0; q--) {
        grid->slot[grid->level[q] & 31] = grid->level[q];
        grid->first[grid->level[q] & 31] = (int8_t)q;
    }
    for (int i = 0; i < 16; i++) grid->low[i] = 127;
    for (int i = 0; i < 32; i++) {
        grid->high[i] = (uint8_t)((uint16_t)grid->slot[i] >> 8);
        grid->seven[i] = (uint8_t)(grid->slot[i] & 127);
    }
    origins(numbers_at(ramp, all(1.0f), all(0.0f), &nan), grid);
    return 1;
}

/* Look at the values themselves whose numbers may be levels; returns how many these are. */
ALGORITHM ptrdiff_t settle(const float *x, uint32_t doubt, const struct grid *grid, const float *t, int m, ptrdiff_t *greater, ptrdiff_t *equal) {
    ptrdiff_t settled = 0;
    for (; doubt; doubt &= doubt - 1, settled++) {
        const float v = x[grid->origin[__builtin_ctz(doubt)]];
        const int number = numbers_of(all(v), all(grid->factor), all(grid->offset))[0];
        int q = grid->first[number & 31];
        for (; q < m && grid->level[q] == number; q++) {
            greater[q] += v > t[q];
            equal[q] += v == t[q];
        }
    }
    return settled;
}

/* Count the numbers above each of m levels (m constant) until the end, or until many values are settled; returns how far it came, or
   -1 for a NaN. At most 2^17 values: of 32 a lane counts up to 4, in 16 bits. */
STEP ptrdiff_t count_numbers(const float *x, ptrdiff_t n, const struct grid *grid, const int m, const float *t, int wanted, ptrdiff_t *greater,
                             ptrdiff_t *equal, ptrdiff_t *settled) {
    const floats factor = all(grid->factor), offset = all(grid->offset);
    counts level[MOST_RANKS], count[MOST_RANKS];
    const ptrdiff_t enough = *settled + 32;
    mask nan = {0};
    ptrdiff_t i = 0;
    float tail[32 * TOGETHER];
    for (int q = 0; q < m; q++) {
        level[q] = all_counts(grid->level[q]);
        count[q] = all_counts(0);
    }
    for (; i < n && *settled <= enough; i += 32 * TOGETHER) {
        const float *here = x + i;
        numbers these[TOGETHER];
        uint32_t doubt[TOGETHER], any = 0;
        if (n - i < 32 * TOGETHER) { /* what is beyond the end is below every threshold */
            for (int j = 0; j < 32 * TOGETHER; j++) tail[j] = j < n - i ? here[j] : -__builtin_inff();
            here = tail;
        }
        for (int part = 0; part < 2 * TOGETHER; part++) FETCH_LINE(x + i + 1024 + 16 * part);
        for (int part = 0; part < TOGETHER; part++) these[part] = numbers_at(here + 32 * part, factor, offset, &nan);
        for (int q = 0; q < m; q++) {
            counts above = count_above(these[0], level[q]); /* -1 for each */
            for (int part = 1; part < TOGETHER; part++) above += count_above(these[part], level[q]);
            count[q] -= above;
        }
        for (int part = 0; part < TOGETHER; part++) any |= doubt[part] = at_level(these[part], grid);
        if (__builtin_expect(any != 0, 0))
            for (int part = 0; part < TOGETHER; part++) *settled += settle(here + 32 * part, doubt[part], grid, t, wanted, greater, equal);
    }
    for (int q = 0; q < m; q++) greater[q] += total_counts(count[q]);
    return bits(nan) ? -1 : i < n ? i : n;
}

ALGORITHM ptrdiff_t wide_count_some(const float *x, ptrdiff_t n, const struct grid *grid, const float *t, int m, ptrdiff_t *greater,
                                   ptrdiff_t *equal, ptrdiff_t *settled) {
    switch ((m + 1) / 2) {
    case 1: return count_numbers(x, n, grid, 2, t, m, greater, equal, settled);
    case 2: return count_numbers(x, n, grid, 4, t, m, greater, equal, settled);
    case 3: return count_numbers(x, n, grid, 6, t, m, greater, equal, settled);
    case 4: return count_numbers(x, n, grid, 8, t, m, greater, equal, settled);
    case 5: return count_numbers(x, n, grid, 10, t, m, greater, equal, settled);
    default: return count_numbers(x, n, grid, 12, t, m, greater, equal, settled);
    }
}

/* The numbers of values above and equal to each of m thresholds; greater has room for one more. Returns 1, or 0 where so many values
   tie or come so close to a threshold that this is not the way, or where one is NaN, or -1 where fewer thresholds, closer
   to each other, may do. */
ALGORITHM int wide_ranks(const float *x, ptrdiff_t n, const float *t, int m, ptrdiff_t *greater, ptrdiff_t *equal) {
    struct grid grid;
    ptrdiff_t done = 0, settled = 0, ties = 0;
    for (int q = 0; q < m; q++) greater[q] = equal[q] = 0;
    greater[m] = 0;
    if (!fit(&grid, t, m)) return m > 1 ? -1 : 0;
    while (done < n) {
        const ptrdiff_t length = n - done < 131072 ? n - done : 131072;
        const ptrdiff_t part = wide_count_some(x + done, length, &grid, t, m, greater, equal, &settled);
        if (part < 0) return 0;
        done += part;
        if (settled > done / 64 + 32) {
            for (int q = 0; q < m; q++) ties += equal[q];
            return m > 1 && ties < settled / 2 ? -1 : 0;
        }
    }
    return 1;
}
