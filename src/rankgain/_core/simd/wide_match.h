/* A few recommended ids beside relevant ones. Included by wide.h where the instructions can be compiled. */

#ifndef RANKGAIN_WIDE_MATCH_H
#define RANKGAIN_WIDE_MATCH_H

/* Which of up to 32 ids equal one. */
AVX512 inline uint32_t equal_512(__m512i low, __m512i high, __mmask16 some, __mmask16 rest, int32_t id) {
    __m512i same = _mm512_set1_epi32(id);
    return _mm512_mask_cmpeq_epi32_mask(some, low, same) | (uint32_t)_mm512_mask_cmpeq_epi32_mask(rest, high, same) << 16;
}

/* Where the wanted ids stand among those of a row of k (at most 32) that ends with padding of -1, in ascending order, and, if `match` is
   not NULL, which they are; returns how many. `length` is -1, and the rest is to be ignored, where an id is not below `ids` or follows padding. */
AVX512 ptrdiff_t match_512(const int32_t *row, ptrdiff_t k, uint32_t ids, const int32_t *wanted, ptrdiff_t start, ptrdiff_t stop,
                           int64_t *position, int64_t *match, ptrdiff_t *length, int *twice) {
    const __m512i none = _mm512_set1_epi32(-1), limit = _mm512_set1_epi32((int)ids);
    const __m512i low = _mm512_mask_loadu_epi32(none, k < 16 ? LANES(k) : (__mmask16)0xffff, row);
    const __m512i high = _mm512_mask_loadu_epi32(none, k <= 16 ? 0 : k < 32 ? LANES(k - 16) : (__mmask16)0xffff, row + 16);
    const __mmask16 some = _mm512_cmpneq_epi32_mask(low, none), rest = _mm512_cmpneq_epi32_mask(high, none);
    const uint32_t held = some | (uint32_t)rest << 16;
    const __m512i among_low = _mm512_conflict_epi32(low), among_high = _mm512_conflict_epi32(high);
    __mmask16 again = _mm512_mask_test_epi32_mask(some, among_low, among_low) | _mm512_mask_test_epi32_mask(rest, among_high, among_high);
    int64_t which[33];
    uint32_t found = 0;
    ptrdiff_t hits = 0;
    const ptrdiff_t n = *length = _mm_popcnt_u32(held);
    if (held & (held + 1) || (_mm512_mask_cmpge_epu32_mask(some, low, limit) | _mm512_mask_cmpge_epu32_mask(rest, high, limit))) {
        *length = -1;
        return 0;
    }
    for (ptrdiff_t i = 16; i < n; i++) again |= _mm512_cmpeq_epi32_mask(low, _mm512_set1_epi32(row[i]));
    *twice = again != 0;
    if (match == NULL) {
        for (ptrdiff_t j = start; j < stop; j++) found |= equal_512(low, high, some, rest, wanted[j]);
        for (; found; found &= found - 1) position[hits++] = __builtin_ctz(found);
        return hits;
    }
    for (ptrdiff_t j = start; j < stop; j++) {
        uint32_t same = equal_512(low, high, some, rest, wanted[j]);
        which[same ? __builtin_ctz(same) : 32] = j;
        found |= same;
    }
    for (; found; found &= found - 1, hits++) {
        position[hits] = __builtin_ctz(found);
        match[hits] = which[position[hits]];
    }
    return hits;
}

#endif
