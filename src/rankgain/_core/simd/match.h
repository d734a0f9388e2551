/* A few recommended ids beside relevant ones. */

/* Not 0 where an id stands twice in a row of k, of which the last vectors hold eight places that may be beyond its end. */
STEP ints repeated_among(const ints *lanes, const int rows, const int32_t *row, ptrdiff_t k) {
    ints again = repeated(lanes[0]);
    UNROLLED for (int r = 1; r < rows; r++) {
        const ptrdiff_t full = LANES * (r + 1), end = full <= LANES * rows - 8 || full < k ? full : k;
        again |= repeated(lanes[r]);
        for (ptrdiff_t i = LANES * r; i < end; i++)
            UNROLLED for (int q = 0; q < r; q++) again |= lanes[q] == all_ints(row[i]);
    }
    return again;
}

/* At which of the first `depth` places of a row the wanted ids stand, as bits. No branch depends on how many are wanted, up to
   16, or on which are found. */
STEP uint32_t places_of(const int32_t *row, ptrdiff_t depth, const int32_t *wanted, ptrdiff_t n) {
    uint32_t result = 0;
    do {
        ints few[16 / LANES], place[16 / LANES], bit = all_ints(1);
        for (int q = 0; q < 16 / LANES; q++) {
            few[q] = few_ints(wanted + LANES * q, n - LANES * q, all_ints(-2));
            place[q] = (ints){0};
        }
        BY_TWOS for (ptrdiff_t i = 0; i < depth; i++) {
            for (int q = 0; q < 16 / LANES; q++) place[q] = blended(few[q] == all_ints(row[i]), bit, place[q]);
            bit = (ints)((uints)bit << 1);
        }
        for (int q = 1; q < 16 / LANES; q++) place[0] |= place[q];
        result |= joined(place[0]);
        wanted += 16;
        n -= 16;
    } while (__builtin_expect(n > 0, 0));
    return result;
}

/* Where the wanted ids of each user stand in the first `depth` places of rows of k (at most `rows` vectors, constant), the sums of how
   many do so, and where the rows, the first of which is at `start`, stop before padding of -1. Returns the first user whose row has an id
   not below `ids`, one that follows padding, or one twice; else the number of users. What is compared may be read twice: if it changes
   meanwhile, other places are found, but no more than there are. */
STEP ptrdiff_t match_rows(const int32_t *row, const int rows, ptrdiff_t users, ptrdiff_t k, ptrdiff_t depth, uint32_t ids,
                          const int32_t *wanted, const int64_t *indptr, int64_t start, int64_t *stops, uint32_t *places, int64_t *pointer) {
    const ints none = all_ints(-1), limit = all_ints((int32_t)(ids - 1));
    for (ptrdiff_t u = 0; u < users; u++, row += k) {
        ints lanes[32 / LANES], wrong = (ints){0};
        uint32_t held = 0;
        for (int r = 0; r < rows; r++) {
            lanes[r] = some_ints(row + LANES * r, k - LANES * r, none);
            const ints padding = lanes[r] == none;
            held |= (~bits(padding) & first_bits(LANES)) << (LANES * r);
            wrong |= (lanes[r] > limit) | (lanes[r] < none);
            lanes[r] ^= padding & (lane_numbers() + LANES * r); /* so that none is like another, or like an id */
        }
        wrong |= repeated_among(lanes, rows, row, k);
        if ((held & (held + 1)) | bits(wrong)) return u;
        stops[u] = start + u * k + __builtin_popcount(held);
        places[u] = places_of(row, depth, wanted + indptr[u], indptr[u + 1] - indptr[u]);
        pointer[u + 1] = pointer[u] + __builtin_popcount(places[u]);
    }
    return users;
}

ALGORITHM ptrdiff_t wide_match(const int32_t *rows, ptrdiff_t users, ptrdiff_t k, ptrdiff_t depth, uint32_t ids, const int32_t *wanted,
                              const int64_t *indptr, int64_t start, int64_t *stops, uint32_t *places, int64_t *pointer) {
    if (k <= 8) return match_rows(rows, 8 / LANES, users, k, depth, ids, wanted, indptr, start, stops, places, pointer);
    if (k <= 16) return match_rows(rows, 16 / LANES, users, k, depth, ids, wanted, indptr, start, stops, places, pointer);
    if (k <= 24) return match_rows(rows, 24 / LANES, users, k, depth, ids, wanted, indptr, start, stops, places, pointer);
    return match_rows(rows, 32 / LANES, users, k, depth, ids, wanted, indptr, start, stops, places, pointer);
}
