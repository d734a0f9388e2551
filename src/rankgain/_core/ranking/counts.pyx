"""How many scores stand above those of the hits and equal to them: counted over rows in any order, or over a matrix of scores."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..simd.wide cimport wide_best, wide_level
from .arrays cimport Buffer
from .hits.count cimport count_by_numbers
from .hits.labels cimport L_FLOAT32
from .hits.select cimport any_nan, count_above, first_nan
from .hits.sort cimport descending32, descending64, sort_pairs
from .lists cimport raise_pending
from .types cimport real
from .watch cimport Watch, must_end, open_watch

from .. import simd

wide_level = simd.selected(wide_best())
cdef uint64_t FACTOR = <uint64_t> hash(b"rankgain places upper") << 32 ^ <uint64_t> hash(b"rankgain places lower") | 1

ctypedef fused item_type:
    int
    int64_t

cdef enum:
    COMPARE_UP_TO = 48  # thresholds of a list up to which comparing with each beats a search among them


# --- ids

cdef struct Slot:
    int64_t id
    int64_t place  # from 1; 0: free


cdef class Places:
    """Where each of some distinct integers stands among them. Immutable."""

    cdef Slot *slots
    cdef int bits
    cdef readonly Py_ssize_t n

    def __cinit__(self, const int64_t[::1] ids):
        cdef Py_ssize_t i, at, n = ids.shape[0]
        cdef bint twice = False
        self.n = n
        self.bits = 3
        while (<Py_ssize_t> 1 << self.bits) < 2 * n:
            self.bits += 1
        self.slots = <Slot *> calloc(<size_t> 1 << self.bits, sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError(f"no memory for {n} ids")
        with nogil:
            for i in range(n):
                at = slot_of(self.slots, self.bits, ids[i])
                twice |= self.slots[at].place != 0
                self.slots[at].id = ids[i]
                self.slots[at].place = i + 1
        if twice:
            raise ValueError("an id stands there twice")

    def __dealloc__(self):
        free(self.slots)

    def find(self, const int64_t[::1] ids, int64_t[::1] out):
        """The place of each id, from 0, or -1; returns how many have none."""
        cdef Py_ssize_t i, missing = 0, n = ids.shape[0]
        cdef int64_t place = -1
        if out.shape[0] != n:
            raise ValueError(f"{n} ids, but room for {out.shape[0]} places")
        with nogil:
            for i in range(n):
                if i == 0 or ids[i] != ids[i - 1]:
                    place = self.slots[slot_of(self.slots, self.bits, ids[i])].place - 1
                out[i] = place
                missing += place < 0
        return missing


cdef inline Py_ssize_t slot_of(const Slot *slots, int bits, int64_t id) noexcept nogil:
    """Where an id stands, or the free slot where it would."""
    cdef uint64_t code = <uint64_t> id * FACTOR
    cdef Py_ssize_t mask = (<Py_ssize_t> 1 << bits) - 1
    cdef Py_ssize_t at = <Py_ssize_t> ((code ^ (code >> 32)) * FACTOR >> (64 - bits))
    while slots[at].place != 0 and slots[at].id != id:
        at = (at + 1) & mask
    return at


# --- rows in any order

cdef inline Py_ssize_t levels_above(real score, const real *levels, Py_ssize_t n) noexcept nogil:
    """How many of n descending levels are above a score."""
    cdef Py_ssize_t low = 0, half
    while n > 0:
        half = n >> 1
        if levels[low + half] > score:
            low += half + 1
            n -= half + 1
        else:
            n = half
    return low


cdef void add_rows(const int64_t *lists, const real *scores, Py_ssize_t n, const int64_t *first, const double *levels,
                   int64_t *cells) noexcept nogil:
    cdef Py_ssize_t i, at, size
    cdef int64_t row
    cdef double score
    for i in range(n):
        row = lists[i]
        if row < 0:
            continue
        score = scores[i]
        size = first[row + 1] - first[row]
        at = levels_above(score, levels + first[row], size)
        cells[2 * (first[row] + at) + row + (at < size and levels[first[row] + at] == score)] += 1


def count_rows(const int64_t[::1] lists, scores, const int64_t[::1] first, const double[::1] levels, int64_t[::1] cells):
    """Count each score in its list (-1: none) by where it stands among the levels of that; returns the place of a NaN, or -1.

    List i has the descending levels first[i] .. first[i + 1] - 1 and, from 2 * first[i] + i on, cells for what is above the first
    one, equal to it, below it, and so on. Where there is a NaN, nothing is counted.
    """
    cdef Buffer s = Buffer(scores)
    cdef Py_ssize_t i, nan = -1, n = lists.shape[0], n_lists = first.shape[0] - 1
    cdef const char *x = <const char *> s.view.buf
    cdef int64_t *cell = &cells[0] if cells.shape[0] else NULL
    cdef int64_t low = 0, high = -1
    if s.n != n or n_lists < 0 or first[0] != 0 or first[n_lists] != levels.shape[0]:
        raise ValueError(f"{n} lists, {s.n} scores and {levels.shape[0]} levels do not agree")
    if cells.shape[0] != 2 * levels.shape[0] + n_lists:
        raise ValueError(f"{cells.shape[0]} cells for {levels.shape[0]} levels of {n_lists} lists")
    with nogil:
        for i in range(n_lists):
            low |= first[i + 1] - first[i]
        for i in range(n):
            high = lists[i] if lists[i] > high else high
    if low < 0 or high >= n_lists:
        raise IndexError(f"list {high} of {n_lists}")
    if n == 0:
        return -1
    with nogil:
        nan = first_nan(<const float *> x, n) if s.kind == L_FLOAT32 else first_nan(<const double *> x, n)
        if nan < 0 and s.kind == L_FLOAT32:
            add_rows(&lists[0], <const float *> x, n, &first[0], &levels[0] if levels.shape[0] else NULL, cell)
        elif nan < 0:
            add_rows(&lists[0], <const double *> x, n, &first[0], &levels[0] if levels.shape[0] else NULL, cell)
    return nan


# --- a matrix of scores

# Of one row: the scores of its hits, each once and descending, and which one each hit has.
cdef struct Thresholds:
    Py_ssize_t n
    char *level
    Py_ssize_t *above
    Py_ssize_t *equal
    uint64_t *keys
    unsigned int *order
    unsigned int *which


cdef bint open_thresholds(Thresholds *t, Py_ssize_t most) noexcept nogil:
    cdef size_t room = <size_t> most + 16
    t.keys = <uint64_t *> malloc((16 + 8 + 8 + 8 + 8 + 4) * room)
    t.above = <Py_ssize_t *> (t.keys + 2 * room)
    t.equal = t.above + room
    t.level = <char *> (t.equal + room)
    t.order = <unsigned int *> (t.level + 8 * room)
    t.which = t.order + 2 * room
    return t.keys != NULL


cdef void find_thresholds(const real *x, const item_type *items, Py_ssize_t m, Thresholds *t) noexcept nogil:
    cdef real *level = <real *> t.level
    cdef Py_ssize_t i
    cdef real score
    t.n = 0
    for i in range(m):
        score = x[items[i]]
        t.keys[i] = descending32(score) if real is float else descending64(score)
        t.order[i] = <unsigned int> i
    sort_pairs(t.keys, t.order, m, 32 if real is float else 64, t.keys + m, t.order + m)
    for i in range(m):
        score = x[items[t.order[i]]]
        if t.n == 0 or level[t.n - 1] != score:
            level[t.n] = score
            t.n += 1
        t.which[t.order[i]] = <unsigned int> (t.n - 1)


cdef void search_thresholds(const real *x, Py_ssize_t n, Thresholds *t) noexcept nogil:
    """Counts by a search for each score."""
    cdef const real *level = <const real *> t.level
    cdef Py_ssize_t i, low, left, above = 0
    for i in range(t.n + 1):
        t.above[i] = t.equal[i] = 0
    for i in range(n):
        low = levels_above(x[i], level, t.n)
        if low < t.n and level[low] == x[i]:
            t.equal[low] += 1
        else:
            t.above[low] += 1  # above level `low`, and not above the one before
    for i in range(t.n):
        left = t.above[i]
        above += left
        t.above[i] = above
        above += t.equal[i]


cdef bint count_thresholds(const real *x, Py_ssize_t n, Thresholds *t) noexcept nogil:
    """False for a NaN. A stretch at a time is looked at for one and counted, while it is in the first cache."""
    cdef const real *level = <const real *> t.level
    cdef Py_ssize_t at, length
    if t.n and t.n <= COMPARE_UP_TO and count_by_numbers(x, n, level, t.n, t.above, t.equal):
        return True
    if t.n > COMPARE_UP_TO:
        search_thresholds(x, n, t)
        return not any_nan(x, n)
    memset(t.above, 0, (t.n + 3) * sizeof(Py_ssize_t))
    memset(t.equal, 0, (t.n + 3) * sizeof(Py_ssize_t))
    for at in range(0, n, 4096):
        length = n - at if n - at < 4096 else 4096
        if any_nan(x + at, length):
            return False
        count_above(x + at, length, level, t.n, t.above, t.equal)
    return True


cdef void leave_out(const real *x, const item_type *items, Py_ssize_t m, Thresholds *t) noexcept nogil:
    """Subtract the counts of these items, by a search for each."""
    cdef const real *level = <const real *> t.level
    cdef uint64_t *left = t.keys  # done with: how many are above this level, and not above the one before
    cdef Py_ssize_t i, low, above = 0
    memset(left, 0, (t.n + 1) * sizeof(uint64_t))
    for i in range(m):
        low = levels_above(x[items[i]], level, t.n)
        if low < t.n and level[low] == x[items[i]]:
            t.equal[low] -= 1
            low += 1
        left[low] += 1
    for i in range(t.n):
        above += <Py_ssize_t> left[i]
        t.above[i] -= above


cdef Py_ssize_t count_lists(const real *x, Py_ssize_t rows, Py_ssize_t n, const int64_t *first, const item_type *items,
                            const int64_t *out_first, const item_type *out_items, Thresholds *t, int64_t *above, int64_t *equal,
                            Py_ssize_t *nan) noexcept nogil:
    """Returns the row with a NaN, -1 where a signal ends it, or the number of rows."""
    cdef Py_ssize_t i, j, m, out
    cdef Watch watch
    open_watch(&watch, NULL)
    for i in range(rows):
        out = out_first[i + 1] - out_first[i] if out_first != NULL else 0
        if must_end(&watch, n + out, False):
            return -1
        m = first[i + 1] - first[i]
        find_thresholds(x, items + first[i], m, t)
        if not count_thresholds(x, n, t):
            nan[0] = first_nan(x, n)
            return i
        if out:
            leave_out(x, out_items + out_first[i], out, t)
        for j in range(m):
            above[first[i] + j] = t.above[t.which[j]]
            equal[first[i] + j] = t.equal[t.which[j]]
        x += n
    return rows


cdef Py_ssize_t check_rows(const int64_t[::1] first, const item_type[::1] items, Py_ssize_t rows, Py_ssize_t n) except -1:
    """Nothing outside the arrays is read; returns the most items of a row."""
    cdef Py_ssize_t i, most = 0
    cdef bint falls = False, outside = False
    if first.shape[0] != rows + 1:
        raise IndexError(f"{first.shape[0] - 1} lists of items for {rows} rows")
    with nogil:
        for i in range(rows):
            falls |= first[i + 1] < first[i]
            most = first[i + 1] - first[i] if first[i + 1] - first[i] > most else most
        if rows and not falls and first[0] >= 0 and first[rows] <= items.shape[0]:
            for i in range(first[0], first[rows]):
                outside |= items[i] < 0 or items[i] >= n
        else:
            falls |= rows > 0
    if falls or outside:
        raise IndexError(f"lists of items that are not within {n} columns")
    return most


def count_matrix(const real[:, ::1] scores, const int64_t[::1] first, const item_type[::1] items, out_first,
                 const item_type[::1] out_items, int64_t[::1] above, int64_t[::1] equal):
    """For each hit, the scores of its row above it and equal to it; returns None, or (row, column) of a NaN.

    Row i has the hits items[first[i] : first[i + 1]]; above and equal lie as items do. out_first and out_items: those that do not
    count, or out_first None.
    """
    cdef Py_ssize_t rows = scores.shape[0], n = scores.shape[1], most, done = 0, nan = 0
    cdef const int64_t[::1] left = None
    cdef Thresholds t
    cdef bint opened
    most = check_rows(first, items, rows, n)
    if out_first is not None:
        left = out_first
        check_rows(left, out_items, rows, n)
    if above.shape[0] < items.shape[0] or equal.shape[0] < items.shape[0]:
        raise IndexError(f"room for {min(above.shape[0], equal.shape[0])} hits of {items.shape[0]}")
    if rows == 0 or n == 0:
        return None
    with nogil:
        opened = open_thresholds(&t, most)
        if opened:
            done = count_lists(&scores[0, 0], rows, n, &first[0], &items[0] if items.shape[0] else NULL, &left[0] if left is not None else NULL,
                               &out_items[0] if out_items.shape[0] else NULL, &t, &above[0] if above.shape[0] else NULL,
                               &equal[0] if equal.shape[0] else NULL, &nan)
        free(t.keys)  # and all else
    if not opened:
        raise MemoryError(f"no memory for {most} thresholds")
    if done < 0:
        raise_pending(NULL)
    return None if done == rows else (done, nan)
