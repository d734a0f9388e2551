"""Lists of objects: ids of any kind, matched by their hashes, and by equality where those are equal; and numbers."""

from cython cimport final
from cpython.buffer cimport PyBUF_CONTIG, PyBUF_FORMAT, PyBUF_STRIDED_RO, PyBuffer_Release, PyBuffer_ToContiguous, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals, PyErr_Clear
from cpython.object cimport Py_EQ, PyObject
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset, strcmp

from ..simd.fetch cimport fetch_line

cdef extern from "Python.h":
    # Of borrowed references: counting them would write to every object that is read.
    PyObject *borrowed_at "PyList_GetItem"(PyObject *, Py_ssize_t) except NULL
    PyObject *type_of "(PyObject *) Py_TYPE"(PyObject *) noexcept
    Py_ssize_t hash_of "PyObject_Hash"(PyObject *) except? -1
    ctypedef Py_ssize_t (*hash_function "hashfunc")(PyObject *) except? -1
    ctypedef struct type_object "PyTypeObject":
        pass
    void *slot_of "PyType_GetSlot"(type_object *, int) except NULL
    int HASH "Py_tp_hash"
    bint are_equal "PyObject_RichCompareBool"(PyObject *, PyObject *, int) except -1
    bint is_list "PyList_CheckExact"(PyObject *) noexcept
    Py_ssize_t size_of "PyList_Size"(PyObject *) except -1

cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    #define FREE_THREADED 1
    #else
    #define FREE_THREADED 0
    #endif
    """
    bint FREE_THREADED

cdef uint64_t FACTOR = <uint64_t> hash(b"rankgain names upper") << 32 ^ <uint64_t> hash(b"rankgain names lower") | 1

cdef uint64_t HASH_OF_FILLING = <uint64_t> <Py_ssize_t> hash(-1)

cdef enum:
    BLOCK = 4  # lists whose ids are fetched before they are compared
    MOST = 1073741823  # ids of a list
    BETWEEN_LOOKS = 1 << 17  # slots, some milliseconds

cdef struct Table:
    # Retrieved ids of one list, then the relevant ids that were not retrieved: open addressing by a secret factor of the process
    # (Dietzfelbinger et al. 1997).
    PyObject **ids  # by place
    uint64_t *hashes
    uint32_t *slot  # place + 1
    int bits  # 2**bits slots
    int capacity  # bits that there is memory for
    Py_ssize_t work  # slots and lists since the last look for signals


cdef int open_table(Table *table, PyObject **ids, Py_ssize_t n) except -1:
    """Make space for a list; nothing is in the table yet. What is cleared depends on this list, not on longer ones before.

    Three of four slots stay empty, so that the first one decides nearly always, and the processor guesses it.
    """
    cdef int bits = 5
    cdef void *memory
    if n > MOST:
        raise ValueError(f"a list of {n} ids is too long")
    while <Py_ssize_t> (<uint64_t> 1 << bits) < 4 * n:
        bits += 1
    if bits > table.capacity:
        memory = realloc(table.slot, (<size_t> 1 << bits) * sizeof(uint32_t))
        if memory != NULL:
            table.slot = <uint32_t *> memory
            memory = realloc(table.hashes, (<size_t> 1 << bits) // 4 * sizeof(uint64_t))
        if memory == NULL:
            raise MemoryError("no memory to match ids")
        table.hashes = <uint64_t *> memory
        table.capacity = bits
    table.bits = bits
    memset(table.slot, 0, (<size_t> 1 << bits) * sizeof(uint32_t))
    table.ids = ids
    return 0


cdef inline Py_ssize_t find(Table *table, PyObject *id, uint64_t code, Py_ssize_t add) except -2:
    """The place of an id, or -1; then it is put in at the place `add`."""
    cdef uint64_t mask = (<uint64_t> 1 << table.bits) - 1, h = code >> (64 - table.bits)
    cdef Py_ssize_t place
    table.work += 1
    while table.slot[h]:
        place = <Py_ssize_t> table.slot[h] - 1
        if table.hashes[place] == code and (id == table.ids[place] or are_equal(id, table.ids[place], Py_EQ)):
            return place
        table.work += 1
        h = (h + 1) & mask
    table.ids[add] = id
    table.slot[h] = <uint32_t> add + 1
    table.hashes[add] = code
    return -1


@final
cdef class Column:
    """A growing column of 64-bit words."""

    cdef int64_t *data
    cdef Py_ssize_t size, capacity

    def __dealloc__(self):
        free(self.data)

    cdef int reserve(self, Py_ssize_t more) except -1:
        cdef int64_t *data
        if self.size + more > self.capacity:
            data = <int64_t *> realloc(self.data, 2 * (self.size + more) * sizeof(int64_t))
            if data == NULL:
                raise MemoryError("no memory to match ids")
            self.data, self.capacity = data, 2 * (self.size + more)
        return 0

    cdef inline void add(self, int64_t value) noexcept:
        self.data[self.size] = value
        self.size += 1

    cdef bytearray taken(self):
        return PyByteArray_FromStringAndSize(<char *> self.data, self.size * sizeof(int64_t))


@final
cdef class IdMatch:
    """The ranks of the relevant ids of each list among its retrieved ones.

    check(id, relevant, list, place) is called where the type of an id is not that of the one before, and raises where
    the two cannot be equal. listed(row, relevant, list) makes a list of a row that is none.
    """

    cdef Table table
    cdef Column positions, matches, hits, sizes, unique, counts
    cdef Column ids, marks, codes
    cdef object check, listed
    cdef type kind  # of the last id
    cdef hash_function hash  # of that type
    cdef list held  # what keeps the ids of a block alive
    cdef Py_ssize_t[2 * BLOCK] length  # of the lists of a block
    cdef bint keep_first, in_place, owned
    cdef readonly bint may_be_filled  # an id has the hash of -1
    cdef Py_ssize_t before  # relevant ids so far
    cdef readonly Py_ssize_t n_unique  # those without repeats

    def __cinit__(self, check, listed, bint keep_first, bint in_place=False):
        self.positions, self.matches, self.hits = Column(), Column(), Column()
        self.sizes, self.unique, self.counts = Column(), Column(), Column()
        self.ids, self.marks, self.codes = Column(), Column(), Column()
        self.check, self.listed, self.keep_first, self.in_place = check, listed, keep_first, in_place
        self.held = []

    def __dealloc__(self):
        free(self.table.hashes)
        free(self.table.slot)

    def match(self, list rows, list wanted):
        """Take all lists; returns None, or of an id that is in a list twice (whether a relevant one, list, place)."""
        cdef Py_ssize_t first, i, j, at, n_retrieved, n_relevant, place, n
        cdef PyObject **ids
        if FREE_THREADED:
            rows, wanted = list(rows), list(wanted)
        n = min(len(rows), len(wanted))
        PyErr_CheckSignals()
        for first in range(0, n, BLOCK):
            self._hold(rows, wanted, first, min(n, first + BLOCK))
            ids = <PyObject **> self.ids.data
            for i in range(min(n, first + BLOCK) - first):
                at = first + i
                n_retrieved = self.length[2 * i]
                n_relevant = self.length[2 * i + 1]
                place = self.marks.capacity
                self.marks.reserve(n_retrieved)
                if self.marks.capacity > place:
                    memset(self.marks.data, 0, self.marks.capacity * sizeof(int64_t))
                self.codes.reserve(n_retrieved + n_relevant)
                self.positions.reserve(n_retrieved)
                self.matches.reserve(n_retrieved)
                self.unique.reserve(n_relevant if self.keep_first else 0)
                self.hits.reserve(1)
                self.sizes.reserve(1)
                self.counts.reserve(1)
                self._hash(ids, n_retrieved + n_relevant, n_retrieved, at)
                open_table(&self.table, ids, n_retrieved + n_relevant)
                place = self._take_retrieved(ids, n_retrieved)
                if place >= 0:
                    return False, at, place
                place = self._take_relevant(ids, n_retrieved, n_relevant)
                if place >= 0:
                    return True, at, place
                place = self.positions.size
                for j in range(n_retrieved):  # the hits in rank order, without a guess at any; their marks are taken away
                    self.positions.data[place] = j
                    self.matches.data[place] = self.marks.data[j] - 1
                    place += self.marks.data[j] != 0
                    self.marks.data[j] = 0
                self.hits.add(place - self.positions.size)
                self.positions.size = self.matches.size = place
                ids += n_retrieved + n_relevant
                self.table.work += 1
                self._look()
        return None

    def columns(self):
        """Of each list the numbers of hits, of retrieved and of relevant ids; ranks of the hits from 0, and the index of each among the
        relevant ids without repeats; the indices of those (none if no repeats were looked for). All as bytes of 64-bit integers."""
        return (self.hits.taken(), self.sizes.taken(), self.counts.taken(), self.positions.taken(), self.matches.taken(),
                self.unique.taken())

    cdef int _hold(self, list rows, list wanted, Py_ssize_t low, Py_ssize_t high) except -1:
        """Gather the ids of a block, and let the processor fetch them ahead.

        Lists and ids are borrowed. Between here and their last use no Python code may run that could let go of them: none
        does for strings and integers; for others `_own` sees to it.
        """
        cdef Py_ssize_t i, j, k, n, soon = min(len(rows), len(wanted))
        cdef PyObject *row
        cdef PyObject *id
        cdef bint copied = FREE_THREADED or not (self.kind is str or self.kind is int)
        self.owned = False
        if self.held:
            self.held = []
        for i in range(2 * (high - low)):  # before anything is borrowed, as it may run Python code
            row = borrowed_at(<PyObject *> (wanted if i & 1 else rows), low + (i >> 1))
            if copied and is_list(row):
                self.held.append(list(<object> row))
            elif not is_list(row):
                self.held.append(list(self.listed(<object> row, i & 1 == 1, low + (i >> 1))))
        self.ids.size = k = 0
        for i in range(2 * (high - low)):
            row = borrowed_at(<PyObject *> (wanted if i & 1 else rows), low + (i >> 1))
            if copied or not is_list(row):
                row = borrowed_at(<PyObject *> self.held, k)
                k += 1
            n = size_of(row)
            if low + (i >> 1) + BLOCK < soon:
                fetch_line(borrowed_at(<PyObject *> (wanted if i & 1 else rows), low + (i >> 1) + BLOCK))
            self.length[i] = n
            self.ids.reserve(n)
            for j in range(n):
                id = borrowed_at(row, j)
                fetch_line(id)
                fetch_line(<char *> id + 32)  # the hash of a string is often on the next line
                self.ids.data[self.ids.size + j] = <int64_t> id
            self.ids.size += n
        return 0

    cdef int _own(self) except -1:
        """Hold the ids of the block, as Python code may run from now on."""
        cdef Py_ssize_t i
        if not self.owned:
            for i in range(self.ids.size):  # one by one: a new list may let the garbage collector run
                self.held.append(<object> <PyObject *> self.ids.data[i])
            self.owned = True
        return 0

    cdef inline int _look(self) except -1:
        """Let handlers of signals run where much was done since the last time."""
        if self.table.work >= BETWEEN_LOOKS:
            self.table.work = 0
            self._own()
            PyErr_CheckSignals()
        return 0

    cdef int _hash(self, PyObject **ids, Py_ssize_t n, Py_ssize_t n_retrieved, Py_ssize_t at) except -1:
        """Hashes of the retrieved ids of a list, then of its relevant ones."""
        cdef Py_ssize_t i
        cdef uint64_t code
        cdef bint plain
        for i in range(n):
            self._look()
            self.table.work += 1
            if type_of(ids[i]) != <PyObject *> self.kind:
                self._own()
                self.check(<object> ids[i], i >= n_retrieved, at, i - n_retrieved if i >= n_retrieved else i)
                self.kind = type(<object> ids[i])
                plain = self.kind is str or self.kind is int
                self.hash = <hash_function> slot_of(<type_object *> self.kind, HASH) if plain else hash_of
            code = <uint64_t> self.hash(ids[i])
            self.may_be_filled |= code == HASH_OF_FILLING
            code *= FACTOR
            self.codes.data[i] = <int64_t> code
        return 0

    cdef Py_ssize_t _take_retrieved(self, PyObject **ids, Py_ssize_t n) except -2:
        """Put the ids into the table; the place of one that is there already, or -1."""
        cdef Py_ssize_t i, unique = 0
        for i in range(n):
            self._look()
            if find(&self.table, ids[i], <uint64_t> self.codes.data[i], unique) < 0 or self.in_place:
                unique += 1
            elif not self.keep_first:
                return i
        self.sizes.add(unique)
        return -1

    cdef Py_ssize_t _take_relevant(self, PyObject **ids, Py_ssize_t n_retrieved, Py_ssize_t n) except -2:
        """Mark what of the relevant ids is retrieved; the place of one that is there twice, or -1."""
        cdef Py_ssize_t retrieved = self.sizes.data[self.sizes.size - 1], i, place, end = retrieved, first = self.n_unique
        for i in range(n):
            self._look()
            place = find(&self.table, ids[n_retrieved + i], <uint64_t> self.codes.data[n_retrieved + i], end)
            if place < 0:
                end += 1
            elif place < retrieved and self.marks.data[place] == 0:
                self.marks.data[place] = self.n_unique + 1
            elif self.keep_first:
                continue
            else:
                return i
            if self.keep_first:
                self.unique.add(self.before + i)
            self.n_unique += 1
        self.before += n
        self.counts.add(self.n_unique - first)
        return -1


# --- numbers

cdef extern from "Python.h":
    bint is_float "PyFloat_Check"(object) noexcept
    bint is_bool "PyBool_Check"(object) noexcept
    bint is_plain_integer "PyLong_CheckExact"(object) noexcept
    double float_value "PyFloat_AsDouble"(object) noexcept
    double integer_value "PyLong_AsDouble"(object) except? -1.0
    int64_t int64_value "PyLong_AsLongLongAndOverflow"(PyObject *, int *overflow) noexcept  # of a Python integer it raises nothing
    bint is_tuple "PyTuple_CheckExact"(PyObject *) noexcept
    PyObject *tuple_item "PyTuple_GetItem"(PyObject *, Py_ssize_t) except NULL
    Py_ssize_t tuple_size "PyTuple_Size"(PyObject *) except -1
    Py_ssize_t length_of "PyObject_Size"(PyObject *) noexcept  # -1 with an error that is set

cdef enum:
    NO_NUMBER = 0
    BOOLS = 1
    INTEGERS = 2
    FLOATS = 4

cdef double EXACT = 9007199254740992.0  # integers up to here are exact doubles; 2**53 + 1 becomes 2**53


def read_numbers(list rows, double[::1] out):
    """Write the numbers of all rows one after the other.

    Returns the kinds of numbers that there are (1 bools, 2 integers, 4 floats; -1: read it in another way) and, of the
    first that is no plain number or that `out` has no place for, the list and the place in it.
    """
    cdef Py_ssize_t i = 0, j = 0, at = 0, n_out = out.shape[0]
    cdef int kind, kinds = 0
    for i in range(len(rows)):
        j = 0
        for number in rows[i]:
            kind = NO_NUMBER  # also of an integer that is not exact as a double
            if at == n_out:
                pass
            elif is_float(number):
                out[at] = float_value(number)
                kind = FLOATS
            elif is_plain_integer(number):
                try:
                    out[at] = integer_value(number)
                    kind = INTEGERS if -EXACT < out[at] < EXACT else NO_NUMBER
                except OverflowError:
                    pass
            elif is_bool(number):
                out[at] = number is True
                kind = BOOLS
            if kind == NO_NUMBER:
                return -1, i, j
            kinds |= kind
            at += 1
            j += 1
    if at < n_out:  # a list is shorter than it was
        return -1, i, j
    return kinds, 0, 0


def count_values(list rows, type array_type, int64_t[::1] sizes):
    """Write the number of values of each row; returns whether all rows are lists, tuples or arrays of this type with a dimension."""
    cdef Py_ssize_t i
    cdef PyObject *row
    if sizes.shape[0] != len(rows):
        raise ValueError("there must be a size for each row")
    for i in range(sizes.shape[0]):
        row = borrowed_at(<PyObject *> rows, i)
        if not is_list(row) and not is_tuple(row) and type_of(row) != <PyObject *> array_type:
            return False
        sizes[i] = length_of(row)
        if sizes[i] < 0:  # an array without a dimension has no length
            PyErr_Clear()
            return False
    return True


def read_integers(list rows, int64_t[::1] out):
    """Write the integers of lists and tuples one after the other.

    Returns whether all rows are such and together fill `out`, and all values are Python integers of 64 bits.
    """
    cdef Py_ssize_t i, j, size, start = 0
    cdef PyObject *row
    cdef PyObject *value
    cdef bint in_list
    cdef int overflow = 0
    for i in range(len(rows)):
        owned_row = rows[i]
        if FREE_THREADED and is_list(<PyObject *> owned_row):
            owned_row = tuple(owned_row)  # another thread may change the list
        row = <PyObject *> owned_row
        in_list = is_list(row)
        if not in_list and not is_tuple(row):
            return False
        size = size_of(row) if in_list else tuple_size(row)
        if size > out.shape[0] - start:
            return False
        for j in range(size):  # values are borrowed: nothing here runs Python code
            value = borrowed_at(row, j) if in_list else tuple_item(row, j)
            if type_of(value) != <PyObject *> int:
                return False
            out[start + j] = int64_value(value, &overflow)
            if overflow:
                return False
        start += size
    return start == out.shape[0]


def join_arrays(list rows, type array_type, out):
    """Copy arrays of one dimension one after the other.

    Returns whether all rows are of this type, have the item type of `out`, and together fill it.
    """
    cdef Py_buffer joined, row
    cdef Py_ssize_t i, end, start = 0
    cdef bint fits = True
    PyObject_GetBuffer(out, &joined, PyBUF_CONTIG | PyBUF_FORMAT)
    try:
        end = joined.len
        for i in range(len(rows)):
            array = rows[i]
            if type_of(<PyObject *> array) != <PyObject *> array_type:
                return False
            PyObject_GetBuffer(array, &row, PyBUF_STRIDED_RO | PyBUF_FORMAT)
            fits = row.ndim == 1 and row.len <= end - start and strcmp(row.format, joined.format) == 0
            if fits and row.strides[0] == row.itemsize:
                memcpy(<char *> joined.buf + start, row.buf, row.len)
            elif fits:
                PyBuffer_ToContiguous(<char *> joined.buf + start, &row, row.len, b"C")
            start += row.len
            PyBuffer_Release(&row)
            if not fits:
                return False
    finally:
        PyBuffer_Release(&joined)
    return start == end
