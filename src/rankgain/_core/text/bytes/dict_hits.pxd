# Ranks of the judged documents of a dict of scores, by counting: only the judged ones are sorted.

from cpython.object cimport PyObject
from libc.stdint cimport int64_t

cdef extern from "Python.h":
    # Of borrowed references: counting them would write to every object that is read.
    bint is_float "PyFloat_Check"(PyObject *) noexcept nogil
    bint is_plain_integer "PyLong_CheckExact"(PyObject *) noexcept nogil
    bint is_plain_string "PyUnicode_CheckExact"(PyObject *) noexcept nogil
    double float_value "PyFloat_AsDouble"(PyObject *) noexcept
    double integer_value "PyLong_AsDouble"(PyObject *) except? -1.0
    PyObject *borrowed_item "PyDict_GetItemWithError"(object, PyObject *) except? NULL
    const char *utf8_of "PyUnicode_AsUTF8AndSize"(PyObject *, Py_ssize_t *) noexcept
    # Of plain strings and plain integers, which compare without errors.
    int compare_strings "PyUnicode_Compare"(PyObject *, PyObject *) noexcept
    bint compare_plain "PyObject_RichCompareBool"(PyObject *, PyObject *, int) noexcept

cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    #define own_dict PyDict_Copy
    #else
    #define own_dict Py_NewRef
    #endif
    """
    # A dict that no other thread changes while its references are borrowed. The GIL sees to that where there is one: no
    # Python code runs between the first and the last of them, and nothing lets go of the GIL. Without it, a critical
    # section would not do: a look-up may take the dict's lock again, and to wait for it suspends the section. So the dict
    # is copied there, which is atomic for other threads, and the copy owns the references.
    dict own_dict(dict)

cdef struct DictHit:
    double score
    double label
    PyObject* key          # the id, a reference borrowed from a dict or list that is kept meanwhile
    int64_t rank
    int64_t equal          # how many scores of the list are equal to this one


cdef inline bint is_id(bint integer, PyObject *key) noexcept nogil:
    return is_plain_integer(key) if integer else is_plain_string(key)


cdef inline int64_t thresholds_of(const DictHit* hits, int64_t size, double* thresholds, int64_t* first) noexcept nogil:
    # The distinct scores of the hits, descending, and the first hit of each; returns how many.
    cdef int64_t i, count = 0
    for i in range(size):
        if i == 0 or hits[i].score != hits[i - 1].score:
            thresholds[count] = hits[i].score
            first[count] = i
            count += 1
    first[count] = size
    return count


cdef inline int64_t first_below(double score, const double* thresholds, int64_t count) noexcept nogil:
    # The number of thresholds that are not below the score.
    cdef int64_t low = 0, half
    while count > 0:
        half = count >> 1
        if thresholds[low + half] >= score:
            low += half + 1
            count -= half + 1
        else:
            count = half
    return low


cdef enum:
    BUCKETS = 256

cdef struct Buckets:
    # Scores between the thresholds by linear steps: where in the thresholds to look for one.
    double greatest
    double scale
    int64_t[BUCKETS + 2] start


cdef inline int64_t bucket_of(const Buckets* buckets, double score) noexcept nogil:
    # Monotonous in the score, so thresholds and scores meet in the same bucket. Without a scale, infinity makes NaN of
    # the step, and that is the bucket of all.
    cdef double step = (buckets.greatest - score) * buckets.scale
    return BUCKETS if step >= BUCKETS else (<int64_t> step if step > 0.0 else 0)


cdef inline void fill_buckets(Buckets* buckets, const double* thresholds, int64_t count) noexcept nogil:
    cdef int64_t i, b = 0
    cdef double width = thresholds[0] - thresholds[count - 1]
    buckets.greatest = thresholds[0]
    buckets.scale = BUCKETS / width if 0.0 < width < 1e300 and width > 1e-290 else 0.0
    for i in range(count):
        while b <= bucket_of(buckets, thresholds[i]):
            buckets.start[b] = i
            b += 1
    while b < BUCKETS + 2:
        buckets.start[b] = count
        b += 1


cdef inline bint count_scores(
    const double* scores, int64_t size, const double* thresholds, int64_t count, int64_t* above, int64_t* equal,
    Buckets* buckets
) noexcept nogil:
    # For each threshold, how many scores are above it and how many equal it; whether any has more than one.
    cdef int64_t i, b, at, total = 0
    cdef bint tied = False
    for i in range(count + 1):
        above[i] = 0
        equal[i] = 0
    fill_buckets(buckets, thresholds, count)
    for i in range(size):
        b = bucket_of(buckets, scores[i])
        at = buckets.start[b]
        if buckets.start[b + 1] - at > 8:
            at += first_below(scores[i], thresholds + at, buckets.start[b + 1] - at)
        else:
            while at < count and thresholds[at] >= scores[i]:
                at += 1
        above[at] += 1
        if at > 0 and thresholds[at - 1] == scores[i]:
            equal[at - 1] += 1
    for i in range(count):
        total += above[i]
        above[i] = total
        tied |= equal[i] > 1
    return tied
