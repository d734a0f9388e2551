/* A few recommended ids beside relevant ones. Included by _wide.h where the instructions can be compiled. */

#ifndef RANKGAIN_WIDE_MATCH_H
#define RANKGAIN_WIDE_MATCH_H

/* Which of up to 32 ids equal one. */
AVX512 inline uint32_t equal_512(__m512i low, __m512i high, __mmask16 some, __mmask16 rest, int32_t id) {
    __m512i same = _mm512_set1_epi32(id);
    return _mm512_mask_cmpeq_epi32_mask(some, low, same) | (uint32_t)_mm512_mask_cmpeq_epi32_mask(rest, high, same) << 16;
}

/* Where the wanted ids stand among the n (at most 32) of a row, in ascending order, and which they are; returns how many. */
AVX512 ptrdiff_t match_512(const int32_t *row, ptrdiff_t n, const int32_t *wanted, ptrdiff_t start, ptrdiff_t stop, int64_t *position, int64_t *match, int *twice) {
    const __mmask16 some = n < 16 ? LANES(n) : (__mmask16)0xffff, rest = n <= 16 ? 0 : n < 32 ? LANES(n - 16) : (__mmask16)0xffff;
    const __m512i low = _mm512_maskz_loadu_epi32(some, row), high = _mm512_maskz_loadu_epi32(rest, row + 16);
    int64_t which[33];
    const __m512i among_low = _mm512_conflict_epi32(low), among_high = _mm512_conflict_epi32(high);
    __mmask16 again = _mm512_mask_test_epi32_mask(some, among_low, among_low) | _mm512_mask_test_epi32_mask(rest, among_high, among_high);
    uint32_t found = 0;
    ptrdiff_t hits = 0;
    for (ptrdiff_t i = 16; i < n; i++) again |= _mm512_cmpeq_epi32_mask(low, _mm512_set1_epi32(row[i]));
    *twice = again != 0;
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
