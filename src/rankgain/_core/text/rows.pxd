"""The declarations of the reader of rows that streams and joins use."""

from libc.stdint cimport int64_t

from .bytes.lines cimport Row, Scan
from .bytes.table cimport Names, Store


cdef class Memory:
    cdef Store store


cdef class Rows:
    cdef Scan scan
    cdef Row row
    cdef bint full             # or interrupted
    cdef readonly int64_t lines, rows, comment   # these as in the scan, after each block
    cdef readonly int fields, orders
    cdef readonly bint iterations
    cdef readonly bytes tag
    cdef Store ids, starts, values, runs, gaps, read_ranks
    cdef bint keeps_subtopics
    cdef Names subtopics       # second fields of qrels
    cdef Store subtopic_numbers
    cdef int64_t subtopic      # number of that of the last row
    cdef Names names
    cdef int64_t last, gap, held, capacity
    cdef readonly int64_t complete   # rows before the last run
    cdef int _fill(self) noexcept nogil
    cdef int _reread(self) noexcept nogil
    cdef void _take(self) noexcept nogil
    cdef bint _grow(self) noexcept nogil


cdef extern from *:
    """
    #define EVERY_INTEGER 9007199254740992.0  /* below 2**53 */
    """
    const double EVERY_INTEGER

cdef Memory taken(Store* store)
cdef double double_of(object value) except? -1.0
cdef int raise_full() except -1
