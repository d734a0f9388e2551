/* A few recommended ids beside relevant ones. */

/* Where the wanted ids stand among those of a row of k (at most `rows` vectors, constant) that ends with padding of -1, in ascending
   order, and, if `match` is not NULL, which they are; returns how many. `length` is -1, and the rest is to be ignored, where an id is
   not below `ids` or follows padding. */
STEP ptrdiff_t match_row(const int32_t *row, const int rows, ptrdiff_t k, uint32_t ids, const int32_t *wanted, ptrdiff_t start,
                         ptrdiff_t stop, int64_t *position, int64_t *match, ptrdiff_t *length, int *twice) {
    const ints none = all_ints(-1), limit = all_ints((int32_t)(ids - 1));
    ints mine[32 / LANES], which[32 / LANES];
    mask found[32 / LANES];
    uint32_t held = 0, beyond_end = 0, hit = 0;
    int32_t at[32];
    int again = 0;
    ptrdiff_t hits = 0, n;
    for (int r = 0; r < rows; r++) {
        mine[r] = some_ints(row + LANES * r, k - LANES * r, none);
        which[r] = none;
        found[r] = (mask){0};
        held |= (~bits(same_ints(mine[r], none)) & first_bits(LANES)) << (LANES * r);
        beyond_end |= bits(beyond(mine[r], limit)) | bits(beyond(none, mine[r]));
        again |= repeats(mine[r]);
    }
    n = *length = __builtin_popcount(held);
    if (held & (held + 1) || beyond_end) {
        *length = -1;
        return 0;
    }
    for (int r = 0; r + 1 < rows; r++)
        for (ptrdiff_t i = LANES * (r + 1); i < n; i++) found[r] |= same_ints(mine[r], all_ints(row[i]));
    for (int r = 0; r + 1 < rows; r++) {
        again |= bits(found[r]) != 0;
        found[r] = (mask){0};
    }
    *twice = again;
    if (match == NULL) {
        for (ptrdiff_t j = start; j < stop; j++) {
            const ints id = all_ints(wanted[j]);
            for (int r = 0; r < rows; r++) found[r] |= same_ints(mine[r], id);
        }
    } else {
        for (ptrdiff_t j = start; j < stop; j++) {
            const ints id = all_ints(wanted[j]), this = all_ints((int32_t)(j - start));
            for (int r = 0; r < rows; r++) {
                const mask equal = same_ints(mine[r], id);
                found[r] |= equal;
                which[r] = chosen(equal, this, which[r]);
            }
        }
        for (int r = 0; r < rows; r++) store_ints(at + LANES * r, which[r]);
    }
    for (int r = 0; r < rows; r++) hit |= bits(found[r]) << (LANES * r);
    for (hit &= held; hit; hit &= hit - 1, hits++) {
        position[hits] = __builtin_ctz(hit);
        if (match != NULL) match[hits] = start + at[position[hits]];
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
