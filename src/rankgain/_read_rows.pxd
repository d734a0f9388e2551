# Lines of qrels and run files: one call, one row; no object, no copy.
#
#     qrels   query  iteration  document  label
#     run     query  iteration  document  rank  score  tag  [anything]

from libc.stdint cimport int64_t, uint8_t, uint32_t

from ._read cimport EXACT, LONG, NOT_A_DECIMAL, Powers, field_end, is_blank, line_end, next_field
from ._read_number cimport read_decimal

cdef enum:
    ROW = 0
    END = 1                # no further complete line in this block
    TOO_FEW = 2            # fields
    TOO_MANY = 3
    NO_RANK_OR_NO_TAG = 4  # five fields that read both ways
    HARD_NUMBER = 5        # a row, but its number is left to the caller
    NUL_BYTE = 6

cdef struct Row:
    const uint8_t* query
    const uint8_t* document
    const uint8_t* number
    uint32_t query_size
    uint32_t document_size
    uint32_t number_size
    double value
    int64_t line           # counted from 1

cdef struct Scan:
    const uint8_t* at      # first byte of the next line
    const uint8_t* stop    # after the last line feed
    const uint8_t* bad     # first byte of the line that an error is about
    int64_t line           # lines passed
    int64_t rows           # rows found
    bint as_trec_eval      # what it refuses, and nothing else
    const uint8_t* tag     # of the last row
    uint32_t tag_size
    const Powers* powers


cdef inline const uint8_t* next_line(Scan* scan, bint blank_before_comment) noexcept nogil:
    # First field of the next line that has one, NULL at the end.
    cdef const uint8_t* p
    while scan.at < scan.stop:
        scan.bad = scan.at
        scan.line += 1
        p = next_field(scan.at)
        if p[0] == 10:
            scan.at = p + 1
        elif p[0] == 35 and (blank_before_comment or p == scan.at):
            scan.at = line_end(p) + 1
        else:
            return p
    return NULL


cdef inline int set_number(Scan* scan, Row* row, const uint8_t* number, const uint8_t* stop) noexcept nogil:
    row.number = number
    row.number_size = <uint32_t> (stop - number)
    row.line = scan.line
    scan.rows += 1
    if read_decimal(number, stop, scan.powers, &row.value) == EXACT:
        return ROW
    return HARD_NUMBER


cdef inline int set_label(Scan* scan, Row* row, const uint8_t* number, const uint8_t* stop) noexcept nogil:
    # trec_eval's labels: the integer that the field starts with.
    cdef int64_t value = 0
    cdef const uint8_t* p = number
    if p < stop and p[0] == 45:
        p += 1
    while p < stop and <uint32_t> p[0] - 48 <= 9 and p - number < 16:
        value = value * 10 + (p[0] - 48)
        p += 1
    row.number = number
    row.number_size = <uint32_t> (stop - number)
    row.line = scan.line
    scan.rows += 1
    row.value = <double> (-value if number[0] == 45 else value)
    return ROW if p == stop else HARD_NUMBER


cdef inline int next_qrels_row(Scan* scan, Row* row) noexcept nogil:
    cdef const uint8_t* p = next_line(scan, True)
    cdef const uint8_t* stop
    cdef const uint8_t* number
    if p == NULL:
        return END
    stop = field_end(p)
    row.query = p
    row.query_size = <uint32_t> (stop - p)
    p = next_field(field_end(next_field(stop)))
    if p[0] == 10:
        return TOO_FEW
    stop = field_end(p)
    row.document = p
    row.document_size = <uint32_t> (stop - p)
    number = next_field(stop)
    if number[0] == 10:
        return TOO_FEW
    stop = field_end(number)
    p = next_field(stop)
    if p[0] != 10:
        return TOO_MANY
    scan.at = p + 1
    if scan.as_trec_eval:
        return set_label(scan, row, number, stop)
    return set_number(scan, row, number, stop)


cdef inline int next_run_row(Scan* scan, Row* row) noexcept nogil:
    cdef const uint8_t* p = next_line(scan, True)
    cdef const uint8_t* stop
    cdef const uint8_t* rank
    cdef const uint8_t* rank_stop
    cdef const uint8_t* number
    if p == NULL:
        return END
    stop = field_end(p)
    row.query = p
    row.query_size = <uint32_t> (stop - p)
    p = next_field(field_end(next_field(stop)))
    if p[0] == 10:
        return TOO_FEW
    stop = field_end(p)
    row.document = p
    row.document_size = <uint32_t> (stop - p)
    rank = next_field(stop)
    rank_stop = field_end(rank)
    number = next_field(rank_stop)
    if number[0] == 10:
        return TOO_FEW
    stop = field_end(number)
    p = next_field(stop)
    if p[0] == 10:
        return run_row_without_rank(scan, row, rank, rank_stop, number, stop)
    scan.tag = p
    stop_of_tag = field_end(p)
    scan.tag_size = <uint32_t> (stop_of_tag - p)
    scan.at = (stop_of_tag if stop_of_tag[0] == 10 else line_end(stop_of_tag)) + 1
    return set_number(scan, row, number, stop)


cdef inline int run_row_without_rank(
    Scan* scan, Row* row, const uint8_t* number, const uint8_t* number_stop, const uint8_t* tag, const uint8_t* tag_stop
) noexcept nogil:
    # Five fields: the rank is missing if the last one cannot be the score.
    cdef double value = 0.0
    if scan.as_trec_eval:
        return TOO_FEW
    if read_decimal(tag, tag_stop, scan.powers, &value) != NOT_A_DECIMAL:
        return NO_RANK_OR_NO_TAG
    scan.tag = tag
    scan.tag_size = <uint32_t> (tag_stop - tag)
    scan.at = line_end(tag_stop) + 1
    return set_number(scan, row, number, number_stop)
