/* A few recommended ids beside relevant ones. */

/* Whether an id of a row of n, whose first vector has none twice, stands there twice: each of the others equals itself alone. They are
   read from the vectors: the row may change meanwhile. */
STEP int again_beyond_first(const ints *mine, const int rows, ptrdiff_t n) {
    tally equal = (tally){0};
    int32_t row[32];
    for (int r = 1; r < rows; r++) {
        store_ints(row + LANES * r, mine[r]);
        const ptrdiff_t end = n < LANES * (r + 1) ? n : LANES * (r + 1);
        for (ptrdiff_t i = LANES * r; i < end; i++) {
            const ints id = all_ints(row[i]);
            for (int q = 0; q <= r; q++) equal = tallied(equal, same_ints(mine[q], id));
        }
    }
    return n > LANES && total(equal) != n - LANES;
}

/* Where the wanted ids stand among those of a row of k (at most `rows` vectors, constant) that ends with padding of -1, in ascending
   order, and, if `match` is not NULL, which they are; returns how many. Both have room for LANES more. `length` is -1, and the rest is
   to be ignored, where an id is not below `ids` or follows padding; nothing is matched where one stands there twice. */
STEP ptrdiff_t match_row(const int32_t *row, const int rows, ptrdiff_t k, uint32_t ids, const int32_t *wanted, ptrdiff_t start,
                         ptrdiff_t stop, int64_t *position, int64_t *match, ptrdiff_t *length, int *twice) {
    const ints none = all_ints(-1), limit = all_ints((int32_t)(ids - 1));
    ints mine[32 / LANES], which[32 / LANES];
    mask found[32 / LANES];
    uint32_t held = 0, beyond_end = 0;
    ptrdiff_t hits = 0;
    for (int r = 0; r < rows; r++) {
        mine[r] = some_ints(row + LANES * r, k - LANES * r, none);
        which[r] = none;
        found[r] = (mask){0};
        held |= (~bits(same_ints(mine[r], none)) & first_bits(LANES)) << (LANES * r);
        beyond_end |= bits(beyond(mine[r], limit)) | bits(beyond(none, mine[r]));
    }
    *length = __builtin_popcount(held);
    if (held & (held + 1) || beyond_end) {
        *length = -1;
        return 0;
    }
    *twice = repeats(mine[0]) | again_beyond_first(mine, rows, *length);
    if (*twice) return 0; /* there may be more hits than wanted ids, and no room for them */
    for (ptrdiff_t j = start; j < stop; j++) {
        const ints id = all_ints(wanted[j]), this = all_ints((int32_t)(j - start));
        for (int r = 0; r < rows; r++) {
            const mask equal = same_ints(mine[r], id);
            found[r] |= equal;
            if (match != NULL) which[r] = chosen(equal, this, which[r]);
        }
    }
    for (int r = 0; r < rows; r++) {
        const uint32_t hit = bits(found[r]) & held >> (LANES * r);
        store_longs(position + hits, packed_ramp(hit) + LANES * r);
        if (match != NULL) store_longs(match + hits, (ints)packed((floats)which[r], hit) + (int32_t)start);
        hits += __builtin_popcount(hit);
    }
    return hits;
}

ALGORITHM ptrdiff_t ON(match)(const int32_t *row, ptrdiff_t k, uint32_t ids, const int32_t *wanted, ptrdiff_t start, ptrdiff_t stop,
                              int64_t *position, int64_t *match, ptrdiff_t *length, int *twice) {
    if (k <= LANES) return match_row(row, 1, k, ids, wanted, start, stop, position, match, length, twice);
    if (k <= 16) return match_row(row, 16 / LANES, k, ids, wanted, start, stop, position, match, length, twice);
    if (k <= 24 && LANES < 16) return match_row(row, 24 / LANES, k, ids, wanted, start, stop, position, match, length, twice);
    return match_row(row, 32 / LANES, k, ids, wanted, start, stop, position, match, length, twice);
}
