"""A few primitives in wide vectors, most of them on float32; each is called only where wide_level is above 0."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from .fetch cimport ahead

cdef extern from "bits.h" nogil:
    int bits_trailing_zeros(uint64_t word) noexcept

cdef extern from "wide.h" nogil:
    int wide_level
    enum: MOST_RANKS
    enum: LEVELS_TOGETHER
    enum: MARKS
    uint32_t MARK_FACTOR
    int wide_best() noexcept
    void wide_maxima(const float *x, Py_ssize_t blocks, float *out) noexcept
    void wide_lanes(const float *x, Py_ssize_t n, float *out) noexcept
    float wide_bound(float *x, Py_ssize_t n, Py_ssize_t k, Py_ssize_t slack) noexcept
    Py_ssize_t wide_collect(const float *x, Py_ssize_t n, float t, uint32_t *position, float *value, ahead *next) noexcept
    Py_ssize_t wide_pick(const float *x, const float *label, Py_ssize_t n, float t, float *out, Py_ssize_t *hits) noexcept
    Py_ssize_t wide_levels(const float *x, Py_ssize_t n, int first, int32_t *count) noexcept
    int wide_ranks(const float *x, Py_ssize_t n, const float *t, int m, Py_ssize_t *greater, Py_ssize_t *equal) noexcept
    void wide_count_four(const float *x, Py_ssize_t n, const float *t, Py_ssize_t *greater, Py_ssize_t *equal) noexcept
    void wide_count_doubles(const double *x, Py_ssize_t n, const double *t, Py_ssize_t *greater, Py_ssize_t *equal) noexcept
    void wide_round(const double *x, Py_ssize_t n, float *out) noexcept
    Py_ssize_t wide_match(const int32_t *rows, Py_ssize_t users, Py_ssize_t k, Py_ssize_t depth, uint32_t ids, const int32_t *wanted,
                          const int64_t *indptr, int64_t start, int64_t *stops, uint32_t *places, int64_t *pointer) noexcept
    bint wide_as_float32(const double *x, Py_ssize_t n, float *out) noexcept
    uint32_t wide_top_bits(const float *x, Py_ssize_t n) noexcept
    Py_ssize_t wide_at_least(const float *x, Py_ssize_t n, float t) noexcept
    float wide_below(const float *x, Py_ssize_t n, float t) noexcept
    Py_ssize_t wide_outside(const double *x, const double *y, Py_ssize_t n, double low, double high, double *out) noexcept
    void wide_marks(const float *x, Py_ssize_t n, uint32_t *out) noexcept
