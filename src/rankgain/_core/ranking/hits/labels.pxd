"""Labels in their own dtype. The only place that knows label types."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..types cimport *
from ...simd.wide cimport wide_level, wide_as_float32

cdef enum LabelKind:
    L_INT8, L_UINT8, L_INT16, L_INT32, L_INT64, L_FLOAT32, L_FLOAT64

cdef enum:
    TRY_FLOATS_FROM = 24  # labels of a list from which on float32 is tried


cdef inline double label_at(const LabelView *view, Py_ssize_t i) noexcept nogil:
    if view.kind == L_FLOAT32:
        return (<const float *> view.data)[i]
    if view.kind == L_FLOAT64:
        return (<const double *> view.data)[i]
    if view.kind == L_INT64:
        return <double> (<const int64_t *> view.data)[i]
    if view.kind == L_INT32:
        return (<const int32_t *> view.data)[i]
    if view.kind == L_UINT8:
        return (<const uint8_t *> view.data)[i]
    if view.kind == L_INT8:
        return (<const int8_t *> view.data)[i]
    return (<const int16_t *> view.data)[i]


cdef inline Py_ssize_t label_size(int kind) noexcept nogil:
    if kind == L_INT8 or kind == L_UINT8:
        return 1
    if kind == L_INT16:
        return 2
    return 4 if kind == L_INT32 or kind == L_FLOAT32 else 8


ctypedef fused short_int:
    int8_t
    uint8_t
    int16_t


cdef inline void widen_narrow(const short_int *x, Py_ssize_t n, float *out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <float> x[i]


cdef inline Py_ssize_t widen_whole(const whole *x, Py_ssize_t n, double *out) noexcept nogil:
    """Returns the first position whose integer is beyond 2**53, or -1."""
    cdef Py_ssize_t i
    cdef uint64_t seen = 0
    for i in range(n):
        out[i] = <double> x[i]
        if whole is int64_t:
            seen |= <uint64_t> x[i] + 9007199254740992u  # -2**53 is moved to 0
    if seen >= 18014398509481984u:  # 2**54: a number may be outside of -2**53 .. 2**53 - 1
        for i in range(n):
            if out_of_range(<double> x[i], x[i] & 1):
                return i
    return -1


cdef inline bint narrow_whole(const whole *x, Py_ssize_t n, float *out) noexcept nogil:
    """Integers to float32; false if one is too large to be exact."""
    cdef Py_ssize_t i
    cdef uint64_t beyond = 0
    for i in range(n):
        beyond |= <uint64_t> <int64_t> x[i] + 16777216u  # -2**24 is moved to 0
        out[i] = <float> <int32_t> x[i]
    return beyond < 33554432u


cdef inline bint narrow_doubles(const double *x, Py_ssize_t n, float *out) noexcept nogil:
    """Doubles to float32; false if the value of one changes. A NaN may pass or not: `inspect` refuses it."""
    cdef double back[128]
    cdef const int64_t *bits = <const int64_t *> x
    cdef int64_t other
    cdef Py_ssize_t i, block, m
    if wide_level:
        return wide_as_float32(x, n, out)
    for block in range(0, n, 128):
        m = n - block if n - block < 128 else 128
        for i in range(m):
            out[block + i] = <float> x[block + i]
        for i in range(m):
            back[i] = <double> out[block + i]
        other = 0
        for i in range(m):
            other |= (<const int64_t *> back)[i] ^ bits[block + i]
        if other:
            return False
    return True


cdef inline bint out_of_range(double value, bint odd) noexcept nogil:
    # 2**53 + 1 rounds to 2**53, so an odd integer there is too large.
    return value > 9007199254740992.0 or value < -9007199254740992.0 or (odd and (value == 9007199254740992.0 or value == -9007199254740992.0))


cdef inline Py_ssize_t widen(LabelView *view, Py_ssize_t n, char *buffer) noexcept nogil:
    """Turn the view into float32, whose kernels are faster, if that holds all labels exactly, or float64, through `buffer`.

    Returns the first position of an integer beyond 2**53, or -1.
    """
    cdef const char *data = view.data
    cdef int kind = view.kind
    if kind == L_FLOAT32:
        return -1
    if n >= TRY_FLOATS_FROM and (
            kind == L_FLOAT64 and narrow_doubles(<const double *> data, n, <float *> buffer)
            or kind == L_INT64 and narrow_whole(<const int64_t *> data, n, <float *> buffer)
            or kind == L_INT32 and narrow_whole(<const int32_t *> data, n, <float *> buffer)):
        view.data = buffer
        view.kind = L_FLOAT32
        return -1
    if kind == L_FLOAT64:
        return -1
    view.data = buffer
    view.kind = L_FLOAT64 if kind == L_INT32 or kind == L_INT64 else L_FLOAT32
    if kind == L_INT64:
        return widen_whole(<const int64_t *> data, n, <double *> buffer)
    if kind == L_INT32:
        return widen_whole(<const int32_t *> data, n, <double *> buffer)
    if kind == L_INT8:
        widen_narrow(<const int8_t *> data, n, <float *> buffer)
    elif kind == L_UINT8:
        widen_narrow(<const uint8_t *> data, n, <float *> buffer)
    else:
        widen_narrow(<const int16_t *> data, n, <float *> buffer)
    return -1


cdef inline void fault(Fault *f, FaultCode code, Py_ssize_t doc, double value) noexcept nogil:
    if f.code == NO_FAULT:
        f.code = code
        f.doc = doc
        f.value = value


cdef inline void sparse_entries(
        const Labels *labels, Py_ssize_t row, Py_ssize_t n, bint keep_zero, Entries *entries, uint64_t *marks, Fault *f) noexcept nogil:
    """The stored entries of one list; stored zeros are dropped unless label 0 counts.

    Positions were checked before, but the array may belong to someone who changes it meanwhile: only those that were read here are
    relied on. `marks` has room for n bits.
    """
    cdef LabelView view
    cdef int64_t j
    cdef Py_ssize_t m = 0, pos, last = -1
    cdef double value
    cdef bint ascending = True
    cdef uint64_t mark
    view.data = labels.data
    view.kind = labels.kind
    entries.n = 0
    for j in range(labels.indptr[row], labels.indptr[row + 1]):
        pos = (<const int64_t *> labels.indices)[j] if labels.wide_indices else (<const int32_t *> labels.indices)[j]
        value = label_at(&view, j)
        ascending &= pos > last
        last = pos
        if pos < 0 or pos >= n:
            fault(f, BAD_INDEX, j - labels.indptr[row], <double> pos)
            break
        if not value - value == 0.0:
            fault(f, BAD_LABEL, pos, value)
        if view.kind == L_INT64 and out_of_range(value, (<const int64_t *> view.data)[j] & 1):
            fault(f, WIDE_INTEGER, pos, value)
        if value != 0.0 or keep_zero:
            if m == n:
                fault(f, REPEATED_INDEX, m, <double> pos)
                break
            entries.pos[m] = <uint32_t> pos
            entries.label[m] = value
            m += 1
    entries.n = m
    if not ascending and f.code == NO_FAULT:
        memset(marks, 0, (n // 64 + 1) * sizeof(uint64_t))
        for m in range(entries.n):
            mark = <uint64_t> 1 << (entries.pos[m] & 63)
            if marks[entries.pos[m] >> 6] & mark:
                fault(f, REPEATED_INDEX, m, entries.pos[m])
                break
            marks[entries.pos[m] >> 6] |= mark
