"""Read dicts of dicts without making objects; ranks of the judged documents come from counting, and only these are sorted."""

from cpython.dict cimport PyDict_Next
from cpython.exc cimport PyErr_Clear
from cpython.object cimport Py_LT, PyObject
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ..ranking.hits.sort cimport descending64, sort_descending, sort_pairs
from .bytes.table cimport Store, append_bytes, append_word, release, reserve
from .rows cimport EVERY_INTEGER, double_of, taken

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
    # Monotone in the score, so a score is in the bucket of the thresholds that equal it. With the scale 0, all are in
    # bucket 0: the step is 0, or NaN for an infinite score, which is not above 0 either.
    cdef double step = (buckets.greatest - score) * buckets.scale
    if step >= BUCKETS:
        return BUCKETS
    return <int64_t> step if step > 0.0 else 0


cdef inline bint count_scores(
    const double* scores, int64_t size, const double* thresholds, int64_t count, int64_t* above, int64_t* equal,
    Buckets* buckets
) noexcept nogil:
    # For each threshold, how many scores are above it and how many equal it; returns whether any has more than one. The
    # thresholds descend. above[j] first counts the scores above threshold j that are not above the one before it; the
    # running sums of these are the numbers above.
    cdef int64_t i, b = 0, at, total = 0
    cdef double width = thresholds[0] - thresholds[count - 1]
    cdef bint tied = False
    memset(above, 0, (count + 1) * 8)
    memset(equal, 0, (count + 1) * 8)
    buckets.greatest = thresholds[0]
    buckets.scale = BUCKETS / width if 0.0 < width < 1e300 and width > 1e-290 else 0.0
    for i in range(count):
        while b <= bucket_of(buckets, thresholds[i]):
            buckets.start[b] = i
            b += 1
    while b < BUCKETS + 2:
        buckets.start[b] = count
        b += 1
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

cdef enum Ties:
    BY_ID_DESCENDING, BY_ID, BY_PLACE, BY_PLACE_DESCENDING
    IN_BLOCKS  # tied documents share the first rank of their block
    UNTIED     # hits with equal scores are not handled here

cdef enum:
    DOCUMENTS, HITS, JUDGMENTS, RANKS, LABELS, JUDGED, SIZES, N_COLUMNS

cdef enum Order:
    BY_SCORE, BY_LABEL, BY_RANK

TIES = {
    "id_descending": BY_ID_DESCENDING, "id": BY_ID, "stable": BY_PLACE, "reverse": BY_PLACE_DESCENDING, "blocks": IN_BLOCKS,
    "none": UNTIED,
}


cdef class DictJoin:
    """Joins labels with dicts of scores, query by query; no id is hashed again, and no string is made.

    All ids are strings, or all are integers. ties: the order of equal scores, by id or by the place in the dict; or
    "blocks": how many documents share a rank is written to the sizes; or "none": a tie with a hit is not handled here.
    """

    cdef Buckets buckets
    cdef Store[N_COLUMNS] column
    cdef Store hits, counts, scores, keys, judged_keys, judged_labels, order
    cdef const double[::1] known_labels
    cdef bint of_integers, single
    cdef Ties ties

    def __cinit__(self, bint of_integers=False, bint single=False, ties="id_descending", const double[::1] known_labels=None):
        self.of_integers = of_integers
        self.ties = TIES[ties]
        self.single = single  # scores are compared in single precision
        self.known_labels = known_labels

    def __dealloc__(self):
        cdef int i
        release(&self.hits)
        release(&self.counts)
        release(&self.scores)
        release(&self.keys)
        release(&self.judged_keys)
        release(&self.judged_labels)
        release(&self.order)
        for i in range(N_COLUMNS):
            release(&self.column[i])

    def add(self, dict judged, dict documents):
        """Add a query: labels, and scores (None: not in the run). False: the dicts are not of the kind that is handled here."""
        cdef double *labels
        cdef Py_ssize_t i, size
        judged = own_dict(judged)
        size = len(judged)
        if documents is not None:
            documents = own_dict(documents)
        if not self._read(judged, &self.judged_keys, &self.judged_labels):
            return False
        labels = <double *> self.judged_labels.data
        for i in range(size):
            if not -INFINITY < labels[i] < INFINITY:
                return False
        if not self._join(documents, size):
            return False
        if not reserve(&self.order, 16 * size):
            raise MemoryError
        sort_descending(labels, size, <uint64_t *> self.order.data)
        if not append_bytes(&self.column[JUDGED], labels, size * 8) or not append_word(&self.column[JUDGMENTS], size):
            raise MemoryError
        return True

    def add_known(self, list ids, Py_ssize_t first, dict documents):
        """Add a query as `add` does; its judged ids are checked, and their labels are stored from `first` on."""
        cdef Py_ssize_t i, size = len(ids)
        if not reserve(&self.judged_keys, size * sizeof(void *)) or not reserve(&self.judged_labels, size * 8):
            raise MemoryError
        for i in range(size):
            (<PyObject **> self.judged_keys.data)[i] = <PyObject *> ids[i]
            (<double *> self.judged_labels.data)[i] = self.known_labels[first + i]
        if documents is not None:
            documents = own_dict(documents)
        return self._join(documents, size)

    def reads(self, dict documents):
        """Whether these scores, of a query without judgments, are of the kind that is handled here."""
        documents = own_dict(documents)
        return self._read(documents, &self.keys, &self.scores)

    def columns(self):
        """Return (documents of each query or -1, hits, judgments, ranks, labels of hits, labels of all, sizes), and keep nothing."""
        cdef int i
        return [taken(&self.column[i]) for i in range(N_COLUMNS)]

    cdef bint _join(self, dict documents, Py_ssize_t size) except -1:
        # No Python code may run from the first borrowed reference to the last (see own_dict): all keys are plain, so looking
        # one up runs none. The walk fetches all of the dict before it is read.
        cdef int64_t count = 0, i
        cdef PyObject *score
        cdef PyObject **keys = <PyObject **> self.judged_keys.data
        cdef DictHit *hits
        if not reserve(&self.hits, size * sizeof(DictHit)):
            raise MemoryError
        hits = <DictHit *> self.hits.data
        if documents is not None:
            if not self._read(documents, &self.keys, &self.scores):
                return False
            for i in range(size):
                score = borrowed_item(documents, keys[i])
                if score == NULL:
                    continue
                if not _read_plain(score, &hits[count].score):
                    return False
                if self.single:
                    hits[count].score = <float> hits[count].score
                hits[count].label = (<double *> self.judged_labels.data)[i]
                hits[count].key = keys[i]
                hits[count].rank = 0
                count += 1
            if self.single:
                for i in range(len(documents)):
                    (<double *> self.scores.data)[i] = <float> (<double *> self.scores.data)[i]
            if count and not self._rank(len(documents), count):
                return False
        for i in range(count):
            if not append_word(&self.column[RANKS], hits[i].rank) or not append_bytes(&self.column[LABELS], &hits[i].label, 8):
                raise MemoryError
            if self.ties == IN_BLOCKS and not append_word(&self.column[SIZES], hits[i].equal):
                raise MemoryError
        if not append_word(&self.column[DOCUMENTS], -1 if documents is None else len(documents)) or not append_word(&self.column[HITS], count):
            raise MemoryError
        return True

    cdef bint _read(self, dict numbers, Store *key_store, Store *number_store) except -1:
        # References first, then the objects: the processor fetches many floats at a time.
        cdef PyObject *key
        cdef PyObject *value
        cdef Py_ssize_t at = 0, i, n = 0, size = len(numbers)
        cdef PyObject **keys
        cdef PyObject **values
        cdef double *read
        if not reserve(number_store, size * 8) or not reserve(key_store, 2 * size * sizeof(void *)):
            raise MemoryError
        keys = <PyObject **> key_store.data
        values = keys + size
        read = <double *> number_store.data
        while n < size and PyDict_Next(numbers, &at, &key, &value):
            keys[n] = key
            values[n] = value
            n += 1
        if n < size:
            return False
        for i in range(size):
            if not (is_plain_integer(keys[i]) if self.of_integers else is_plain_string(keys[i])):
                return False
            if not _read_plain(values[i], &read[i]) or read[i] != read[i]:
                return False
        return True

    cdef bint _rank(self, Py_ssize_t size, int64_t count) except -1:
        cdef DictHit *hits = <DictHit *> self.hits.data
        cdef double *thresholds
        cdef int64_t *first
        cdef int64_t *above
        cdef int64_t *equal
        cdef int64_t i, t, distinct = 0
        cdef bint tied
        if not reserve(&self.counts, 4 * (count + 1) * 8):
            raise MemoryError
        thresholds = <double *> self.counts.data
        first = <int64_t *> (thresholds + count + 1)
        above = first + count + 1
        equal = above + count + 1
        self._sort(count, BY_SCORE)
        for i in range(count):  # the distinct scores of the hits, descending, and the first hit of each
            if i == 0 or hits[i].score != hits[i - 1].score:
                thresholds[distinct] = hits[i].score
                first[distinct] = i
                distinct += 1
        first[distinct] = count
        tied = count_scores(<double *> self.scores.data, size, thresholds, distinct, above, equal, &self.buckets)
        for t in range(distinct):
            for i in range(first[t], first[t + 1]):
                hits[i].rank = above[t]
                hits[i].equal = equal[t]
        if not tied:
            return True
        if self.ties == UNTIED:
            return False
        if self.ties == IN_BLOCKS:
            self._sort(count, BY_LABEL)
            self._sort(count, BY_SCORE)
        elif self._rank_ties(size, thresholds, distinct, first, equal, above):
            self._sort(count, BY_RANK)
        else:
            return False
        return True

    cdef int _sort(self, int64_t count, Order by) except -1:
        # Stable, by descending score or label, or ascending rank: keys with positions are moved, and then each hit once.
        cdef DictHit *hits = <DictHit *> self.hits.data
        cdef DictHit *copy
        cdef uint64_t *key
        cdef uint32_t *pos
        cdef int64_t i
        if not reserve(&self.order, count * (sizeof(DictHit) + 2 * 8 + 2 * 4)):
            raise MemoryError
        copy = <DictHit *> self.order.data
        key = <uint64_t *> (copy + count)
        pos = <uint32_t *> (key + 2 * count)
        for i in range(count):
            if by == BY_RANK:
                key[i] = <uint64_t> hits[i].rank
            elif by == BY_SCORE:
                key[i] = descending64(hits[i].score)
            else:
                key[i] = descending64(hits[i].label)
            pos[i] = <uint32_t> i
        sort_pairs(key, pos, count, 64, key + count, pos + count)
        memcpy(copy, hits, count * sizeof(DictHit))
        for i in range(count):
            hits[i] = copy[pos[i]]
        return 0

    cdef bint _rank_ties(
        self, int64_t size, const double *thresholds, int64_t distinct, const int64_t *first, const int64_t *equal,
        int64_t *counts
    ) except -1:
        # The hits of a block are sorted by id, so that each document of the block is soon found among them. Code points
        # compare as the bytes of UTF-8 do. counts: of each hit, documents before it and not before (BY_ID: after) its
        # neighbour; or of each block, at its first hit, documents so far.
        cdef DictHit *hits = <DictHit *> self.hits.data
        cdef const double *scores = <const double *> self.scores.data
        cdef PyObject **keys = <PyObject **> self.keys.data
        cdef bint by_id = self.ties == BY_ID or self.ties == BY_ID_DESCENDING
        cdef int64_t i, at, low, j, before
        if by_id and self.of_integers:  # as text, 9 is above 10
            return False
        for at in range(distinct):
            if equal[at] > 1:
                sort_by_id(hits + first[at], first[at + 1] - first[at], self.of_integers)
        memset(counts, 0, first[distinct] * 8)
        for i in range(size):
            at = first_below(scores[i], thresholds, distinct) - 1
            if at < 0 or thresholds[at] != scores[i] or equal[at] < 2:
                continue
            if by_id and utf8_of(keys[i], NULL) == NULL:  # escaped bytes are above all code points
                PyErr_Clear()
                return False
            low = place_of_id(hits + first[at], first[at + 1] - first[at], self.of_integers, keys[i])
            if not by_id:
                before = counts[first[at]]
                if low >= 0:
                    hits[first[at] + low].rank += before if self.ties == BY_PLACE else equal[at] - 1 - before
                counts[first[at]] += 1
                continue
            j = first[at] + (low if low >= 0 else -1 - low)  # hits of the block from here on are not below the id
            if self.ties == BY_ID_DESCENDING:
                if j > first[at]:
                    counts[j - 1] += 1
                continue
            j += low >= 0
            if j < first[at + 1]:
                counts[j] += 1
        for at in range(distinct if by_id else 0):  # the counts of a block up to each hit, or from it on
            before = 0
            for i in range(first[at + 1] - first[at]):
                j = first[at] + i if self.ties == BY_ID else first[at + 1] - 1 - i
                before += counts[j]
                hits[j].rank += before
        return True


cdef int compare_ids(bint integer, PyObject *a, PyObject *b) noexcept:
    if not integer:
        return compare_strings(a, b)
    if compare_plain(a, b, Py_LT):
        return -1
    return compare_plain(b, a, Py_LT)


cdef void sort_by_id(DictHit* hits, int64_t size, bint integer) noexcept:
    # Ascending; Shell sort by Ciura's gaps.
    cdef int64_t[9] gaps = [1750, 701, 301, 132, 57, 23, 10, 4, 1]
    cdef int64_t g, i, j
    cdef DictHit hit
    for g in range(9):
        for i in range(gaps[g], size):
            hit = hits[i]
            j = i
            while j >= gaps[g] and compare_ids(integer, hits[j - gaps[g]].key, hit.key) > 0:
                hits[j] = hits[j - gaps[g]]
                j -= gaps[g]
            hits[j] = hit


cdef int64_t place_of_id(const DictHit* hits, int64_t size, bint integer, PyObject *id) noexcept:
    # The position of an id among those of hits in ascending order, or -1 minus the number of hits below it.
    cdef int64_t low = 0, half
    cdef int order
    while size > 0:
        half = size >> 1
        order = compare_ids(integer, hits[low + half].key, id)
        if order == 0:
            return low + half
        if order < 0:
            low += half + 1
            size -= half + 1
        else:
            size = half
    return -1 - low


def plain_numbers(dict numbers):
    """The same numbers as floats; an error if a value is not a number, or not exact as a double."""
    return {key: double_of(value) for key, value in numbers.items()}


cdef bint _read_plain(PyObject *value, double *number) except -1:
    # A number that is read without running Python code.
    if is_float(value):
        number[0] = float_value(value)
        return True
    if is_plain_integer(value):
        number[0] = integer_value(value)
        return -EVERY_INTEGER < number[0] < EVERY_INTEGER
    return False
