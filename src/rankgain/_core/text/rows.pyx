"""Rows of qrels and runs, read from blocks of lines."""

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_Occurred
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcpy, memset

from .bytes.lines cimport (
    EMPTY_ID, END, HARD_NUMBER, NO_RANK, NO_RANK_OR_NO_TAG, NO_SCORE, NUL_BYTE, RANK, ROW, TOO_FEW, TOO_MANY, Row, Scan,
    fields_of_row, irregular_row, line_end, next_line, next_qrels_row, next_run_row,
)
from .bytes.table cimport Names, Store, add_name, append_bytes, append_word, release, reserve
from .bytes.words cimport GREATEST_POWER, LEAST_POWER, Powers, fill_hash_keys, same_bytes

import re

cdef extern from "Python.h":
    bint is_integer "PyIndex_Check"(object) noexcept

cdef Powers _powers
cdef bint _powers_filled = False


cdef Powers* powers():
    # Powers of five to 128 bits, rounded up where the reciprocal's error must lie above (Lemire 2021, section 6).
    global _powers_filled
    cdef int n
    cdef object base = 5, five, wide
    if _powers_filled:
        return &_powers
    for n in range(LEAST_POWER, GREATEST_POWER + 1):
        five = base ** abs(n)
        if n >= 0:
            wide = five << 128 >> five.bit_length()
        else:
            wide = (1 << (five - 1).bit_length() + 127) // five + (1 if n >= -27 else 0)
        _powers.five[2 * (n - LEAST_POWER)] = wide >> 64
        _powers.five[2 * (n - LEAST_POWER) + 1] = wide & 0xFFFFFFFFFFFFFFFF
    for n in range(23):
        _powers.ten[n] = 10.0 ** n
    for n in range(9):
        _powers.integer[n] = <uint64_t> _powers.ten[n]
    _powers_filled = True
    return &_powers


fill_hash_keys()


cdef double double_of(object value) except? -1.0:
    """A number as a double, or ValueError for an integer that is not exact as one: 2**53 + 1 would become 2**53."""
    cdef double number = value
    if EVERY_INTEGER <= abs(number) < INFINITY and is_integer(value) and int(value) != int(number):
        raise ValueError(f"a double does not hold {value}: scale it")
    return number


OTHER_IDS = ("UUID", "date", "datetime")  # types of ids that are their text


cdef bytes _id_bytes(object key):
    # The bytes by which ids are compared; integers as in a file.
    if isinstance(key, str):
        return key.encode("utf-8", "surrogateescape")
    if isinstance(key, bytes):
        return key
    if not isinstance(key, bool) and (hasattr(key, "__index__") or type(key).__name__ in OTHER_IDS):
        return str(key).encode()
    raise TypeError(f"an id must be a string or an integer, not {type(key).__name__}")


cdef class Memory:
    """Memory filled by compiled code, read through the buffer protocol."""

    def __dealloc__(self):
        release(&self.store)

    def __len__(self):
        return self.store.size

    def __getbuffer__(self, Py_buffer* view, int flags):
        PyBuffer_FillInfo(view, self, self.store.data, self.store.size, 1, flags)


cdef Memory taken(Store* store):
    # The contents of the store as an object of Python; the store is empty afterwards.
    cdef Memory memory = Memory()
    memory.store = store[0]
    memset(store, 0, sizeof(Store))
    return memory


cdef dict _ROW_ERRORS = {
    NO_RANK_OR_NO_TAG: "five fields, of which the last is a number: is the rank or the tag missing?",
    NO_SCORE: "five fields, the score is missing: a run has query, Q0, document, rank, score and tag",
    NO_RANK: "five fields, the rank is missing: a run has query, Q0, document, rank, score and tag",
    NUL_BYTE: "a NUL byte: this is not a text file",
    EMPTY_ID: "an empty field in place of an id",
}


# The fields of qrels and runs, and of the rows that other tools write.
cdef dict _FIELDS = {
    (True, 4): "qrels have four: query, iteration, document and label",
    (True, 3): "the first row has three: query, document and label",
    (True, 2): "the first row has two: query and document",
    (False, 6): "a run has six: query, Q0, document, rank, score and tag",
    (False, 4): "the first row has four: query, document, rank and score",
    (False, 3): "the first row has three: query, document and rank",
}


cdef str _place(Scan* scan, str reason):
    # "line 3: too few fields: '301 Q0'"; the function that opened the file puts its name before it.
    if scan.bad == NULL:
        return reason
    size = min(line_end(scan.bad) - scan.bad, 200)
    text = PyBytes_FromStringAndSize(<char*> scan.bad, size).decode("utf-8", "replace").rstrip()
    return f"line {scan.line}: {reason}: {text!r}"


cdef double hard_value(Scan* scan, Row* row, str what) except? -1.0:
    # A number that the fast path does not handle.
    cdef bytes text = PyBytes_FromStringAndSize(<char*> row.number, row.number_size)
    cdef double value
    if scan.as_trec_eval:
        value = _leading_integer(text) if what == "label" else _leading_number(text)
        if value == value:
            return value
    shown = text[:50].decode("utf-8", "replace")
    reason = f"expected a number as the {what}, got {shown!r}"
    if scan.line == 1 and shown[:1].isalpha():
        reason += " (if this line is a header, remove it)"
    if b"_" not in text:  # float() accepts more than a file should contain
        try:
            value = float(text)
            if value == value:
                return value
            reason = f"the {what} is NaN"
        except ValueError:
            pass
    raise ValueError(_place(scan, reason))


def _leading_integer(text):
    # C's atol: the digits that the text starts with, 0 if there are none.
    match = re.match(rb"([+-]?)0*([0-9]*)", text)
    digits = match[2][:20]  # Python refuses to read thousands, and these are too many for C
    return max(-(2**63), min(2**63 - 1, int(match[1] + b"0" + digits)))


def _leading_number(text):
    # C's atof: the longest number that the text starts with, 0 if there is none.
    match = re.match(rb"[+-]?0x[0-9a-f]*\.?[0-9a-f]*(p[+-]?[0-9]+)?", text, re.I)
    if match and re.search(rb"x\.?[0-9a-f]", match[0], re.I):
        try:
            return float.fromhex(match[0].decode())
        except OverflowError:
            return -INFINITY if text[:1] == b"-" else INFINITY
    match = re.match(rb"[+-]?(inf(inity)?|nan|([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?)", text, re.I)
    if match is None:
        return 0.0
    return float(match[0])


cdef int raise_full() except -1:
    # The exception of a signal handler, else a MemoryError.
    if PyErr_Occurred() == NULL:
        raise MemoryError
    return -1


cdef object _row_error(Scan* scan, int status):
    if scan.as_trec_eval:
        return ValueError(f"Malformed line {scan.rows + 1}")
    if status in _ROW_ERRORS:
        return ValueError(_place(scan, _ROW_ERRORS[status]))
    line = PyBytes_FromStringAndSize(<char*> scan.bad, line_end(scan.bad) - scan.bad)
    fields = line.split(None, 12)
    if status == RANK:
        names = "query, document, rank" if scan.fields else "query, Q0, document, rank, score and tag"
        by_tabs = line.split(b"\t")
        if len(by_tabs) != (scan.fields or 6):
            by_tabs = line.split()
        rank_index = 2 if scan.fields else 3
        by_tabs.append(b"")  # so that there is one after the rank
        rank_and_score = by_tabs[rank_index : rank_index + 2]
        rank, score = [field.strip().decode("utf-8", "replace") for field in rank_and_score]
        remedy = "separate the fields by tabs if an id holds blanks"
        if not scan.fields and score.isdecimal() and re.fullmatch(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", rank, re.I):
            remedy = "are rank and score exchanged?"
        reason = f"the rank is {rank[:50]!r}, which is not a whole number: the fields are {names}; {remedy}"
        return ValueError(_place(scan, reason))
    reason, other = "too few fields", 4
    if status == TOO_MANY:
        reason, other = "too many fields", 6
    if len(fields) == other and not scan.fields and scan.rows == 0:  # all lines before are blank
        looks_like = "a run" if scan.qrels else "qrels"
        reason = f"{other} fields, like {looks_like}. Did you swap qrels and run? Line"
    else:
        count = len(fields) if len(fields) <= 12 else "more than twelve"
        shape = _FIELDS[bool(scan.qrels), fields_of_row(scan)]
        reason += f": {count}, but {shape}"
        if status == TOO_MANY:
            reason += "; if an id holds blanks, separate the fields by tabs"
    return ValueError(_place(scan, reason))


cdef list list_names(const Names* names, int64_t first):
    cdef const int64_t* starts = <const int64_t*> names.starts.data
    cdef int64_t i
    return [
        PyBytes_FromStringAndSize(<char*> names.bytes.data + starts[i], starts[i + 1] - starts[i])
        for i in range(first, names.count)
    ]


cdef class Rows:
    """The rows of a qrels file or a run as columns, filled block by block."""

    def __cinit__(self, bint qrels, bint as_trec_eval=False, bint tsv=False, bint keeps_subtopics=False):
        self.keeps_subtopics = keeps_subtopics
        self.scan.powers = powers()
        self.tag = b""
        self.scan.as_trec_eval = as_trec_eval
        self.scan.qrels = qrels
        self.scan.takes_fewer = not as_trec_eval
        self.scan.tsv = tsv
        self.last = -1
        self.names.mask = 63
        self.names.slots = <uint64_t*> calloc(self.names.mask + 1, 8)
        if self.names.slots == NULL or not append_word(&self.names.starts, 0) or not append_word(&self.starts, 0):
            raise MemoryError
        if keeps_subtopics:
            self.subtopics.mask = 63
            self.subtopics.slots = <uint64_t*> calloc(self.subtopics.mask + 1, 8)
            if self.subtopics.slots == NULL or not append_word(&self.subtopics.starts, 0):
                raise MemoryError

    def __dealloc__(self):
        free(self.names.slots)
        release(&self.names.bytes)
        release(&self.names.starts)
        release(&self.ids)
        release(&self.starts)
        release(&self.values)
        release(&self.runs)
        release(&self.gaps)
        release(&self.read_ranks)
        free(self.subtopics.slots)
        release(&self.subtopics.bytes)
        release(&self.subtopics.starts)
        release(&self.subtopic_numbers)

    def feed(self, const uint8_t[::1] block, Py_ssize_t size):
        """Read the lines of block[:size], which ends with a line feed; sixteen more bytes must be readable."""
        cdef int status
        if size == 0:
            return
        if not 0 < size <= block.shape[0] - 16 or block[size - 1] != 10:
            raise ValueError("a block must end with a line feed, and sixteen bytes must follow")
        self.scan.at = &block[0]
        self.scan.stop = self.scan.at + size
        if memchr(self.scan.at, 0, size) != NULL:
            self.scan.bad = NULL
            raise _row_error(&self.scan, NUL_BYTE)
        while True:
            with nogil:
                status = self._fill()
            if status != HARD_NUMBER:
                break
            self.row.value = hard_value(&self.scan, &self.row, "label" if self.scan.qrels else "score")
            self._take()
        if self.full:
            raise_full()
        if status != END:
            raise _row_error(&self.scan, status)
        self.lines = self.scan.line
        self.rows = self.scan.rows
        self.comment = self.scan.comment
        self.fields = self.scan.fields
        self.iterations = self.scan.iterations
        self.orders = self.scan.orders
        if self.scan.tag != NULL:
            self.tag = PyBytes_FromStringAndSize(<char*> self.scan.tag, self.scan.tag_size)
            self.scan.tag = NULL

    cdef int _fill(self) noexcept nogil:
        # Read rows until the block ends, a row is wrong, or a number needs Python; returns which.
        cdef Scan* scan = &self.scan
        cdef bint qrels = scan.qrels, fewer = scan.fields != 0
        cdef int status
        while not self.full:
            if fewer:
                status = END if next_line(scan) == NULL else TOO_FEW
            elif qrels:
                status = next_qrels_row(scan, &self.row)
            else:
                status = next_run_row(scan, &self.row)
            if status > END and status != HARD_NUMBER and not scan.as_trec_eval:
                status = self._reread()
                fewer = scan.fields != 0
            if status != ROW:
                return status
            self._take()
        return END

    cdef int _reread(self) noexcept nogil:
        # Read the row that the quick way refused: a method, so that compilers leave it out of the loop.
        return irregular_row(&self.scan, &self.row)

    cdef void _take(self) noexcept nogil:
        # Store the row that was read.
        cdef Row* row = &self.row
        cdef const int64_t* starts = <const int64_t*> self.names.starts.data
        cdef size_t at = 0
        if not row.same_query and (self.last < 0 or not same_bytes(
            self.names.bytes.data + starts[self.last], starts[self.last + 1] - starts[self.last],
            row.query, row.query_size,
        )):
            self.last = add_name(&self.names, row.query, row.query_size)
            self.full = self.last < 0
            self.full |= not append_word(&self.runs, self.held) or not append_word(&self.runs, self.last)
            self.complete = self.held
        if row.line - self.scan.rows != self.gap:
            self.gap = row.line - self.scan.rows
            self.full |= not append_word(&self.gaps, self.scan.rows - 1) or not append_word(&self.gaps, self.gap)
        if self.held == self.capacity and not self._grow() or not reserve(&self.ids, row.document_size):
            self.full = True
            return
        if self.scan.at == NULL:
            memcpy(self.ids.data + self.ids.size, row.document, row.document_size)
        else:  # in a block, after which words can be read, as they can be written after the id, into the padding
            while at < row.document_size:
                memcpy(self.ids.data + self.ids.size + at, row.document + at, 8)
                at += 8
        self.ids.size += row.document_size
        (<double*> self.values.data)[self.held] = row.value
        self.held += 1
        (<int64_t*> self.starts.data)[self.held] = self.ids.size
        if self.scan.fields == 4:
            self.full |= not append_bytes(&self.read_ranks, &row.rank, 8)
        if self.keeps_subtopics and self.scan.fields == 0:
            if not row.same_query:  # else the row begins as the last one
                self.subtopic = add_name(&self.subtopics, row.iteration, row.iteration_size)
            self.full |= self.subtopic < 0 or not append_word(&self.subtopic_numbers, self.subtopic)

    cdef bint _grow(self) noexcept nogil:
        # The sizes of these two are set where they are taken.
        self.capacity = 2 * self.held + 1000
        self.values.size = self.held * 8
        self.starts.size = (self.held + 1) * 8
        return reserve(&self.values, (self.capacity - self.held) * 8) and reserve(&self.starts, (self.capacity - self.held) * 8)

    def add(self, query_id, documents):
        """Read the documents of one query from pairs of document and number."""
        cdef bytes id, query = _id_bytes(query_id), padded = query + bytes(8)
        self.row.query = padded
        self.row.query_size = <uint32_t> len(query)
        if add_name(&self.names, self.row.query, self.row.query_size) < 0:
            raise MemoryError
        for key, value in documents:
            id = _id_bytes(key)
            self.row.document = id
            self.row.document_size = <uint32_t> len(id)
            self.row.same_query = False
            if isinstance(value, float):
                self.row.value = value
            else:
                try:
                    self.row.value = double_of(value)
                except ValueError as error:
                    raise ValueError(f"document {key!r}: {error}") from None
            if self.row.value != self.row.value:
                raise ValueError(f"query {query_id!r}, document {key!r}: the number is NaN")
            self.scan.rows += 1
            self.row.line = self.scan.rows
            self._take()
            if self.full:
                raise MemoryError

    def names_of_queries(self, int64_t first=0):
        """The query ids in the order of their first rows, as bytes, without the `first`."""
        return list_names(&self.names, first)

    def names_of_subtopics(self):
        """The second fields of qrels, if they are kept, in the order of their first rows, as bytes."""
        return list_names(&self.subtopics, 0)

    def numbers_of_subtopics(self):
        """The number of the second field of each row."""
        return taken(&self.subtopic_numbers)

    def ranks(self):
        """The ranks of rows of four fields."""
        return taken(&self.read_ranks)

    def columns(self, bint complete=False):
        """Return (ids, starts, values, runs, gaps): a run is the first of adjacent rows of a query, and the number of the query.

        Nothing is kept; or, of `complete` queries, the rows of the last run.
        """
        cdef int64_t i, size = self.held, first = size
        cdef Memory ids = taken(&self.ids), starts = taken(&self.starts), values = taken(&self.values), runs = taken(&self.runs)
        cdef const int64_t* places = <const int64_t*> starts.store.data
        if complete:
            first = self.complete
            runs.store.size -= 16
        values.store.size = first * 8
        starts.store.size = (first + 1) * 8
        ids.store.size = places[first]
        self.held = self.complete = 0
        self.capacity = size if complete else 0  # as much as before
        if not (
            reserve(&self.ids, places[size] if complete else 0) and reserve(&self.values, self.capacity * 8)
            and reserve(&self.starts, self.capacity * 8 + 8) and append_word(&self.starts, 0)
        ):
            raise MemoryError
        if first < size and not (append_word(&self.runs, 0) and append_word(&self.runs, self.last)):
            raise MemoryError
        for i in range(first, size):
            if self.held == self.capacity and not self._grow():
                raise MemoryError
            if not append_bytes(&self.ids, ids.store.data + places[i], places[i + 1] - places[i]):
                raise MemoryError
            (<double*> self.values.data)[self.held] = (<const double*> values.store.data)[i]
            self.held += 1
            (<int64_t*> self.starts.data)[self.held] = self.ids.size
        return ids, starts, values, runs, taken(&self.gaps)
