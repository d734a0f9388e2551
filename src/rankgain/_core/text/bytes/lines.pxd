# Lines of qrels and run files: one call, one row; no object, no copy.
#
#     qrels   query  iteration  document  label
#     run     query  iteration  document  rank  score  tag  [anything]

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from .words cimport (
    EXACT, NOT_A_DECIMAL, Powers, field_end, line_end, load_word, next_field,
)
from .number cimport plain_decimal, read_decimal

cdef enum:
    ROW = 0
    END = 1                # no further complete line in this block
    TOO_FEW = 2            # fields
    TOO_MANY = 3
    NO_RANK_OR_NO_TAG = 4  # five fields that read both ways
    NO_SCORE = 5
    NO_RANK = 6
    HARD_NUMBER = 7        # a row, but its number is left to the caller
    NUL_BYTE = 8

cdef struct Row:
    const uint8_t* query
    const uint8_t* document
    const uint8_t* number
    uint32_t query_size
    uint32_t document_size
    uint32_t number_size
    bint same_query        # as the row before
    double value
    int64_t line           # counted from 1

cdef struct Repeated:
    # Up to sixteen bytes that the next line probably has at the same place.
    uint64_t[2] words
    uint64_t[2] masks
    uint32_t size          # 0: none known

cdef struct Scan:
    const uint8_t* at      # first byte of the next line
    const uint8_t* stop    # after the last line feed
    const uint8_t* bad     # first byte of the line that an error is about
    int64_t line           # lines passed
    int64_t rows           # rows found
    bint as_trec_eval      # refuse only the rows that trec_eval refuses
    Repeated start         # of a line, up to its document
    Repeated rest          # of a line after its score
    uint32_t query_size    # of start
    uint32_t tag_at        # in rest
    const uint8_t* tag     # of the last row
    uint32_t tag_size
    const Powers* powers


cdef inline void repeat(Repeated* repeated, const uint8_t* p, size_t size) noexcept nogil:
    repeated.size = 0
    if size == 0 or size > 16:
        return
    repeated.size = <uint32_t> size
    repeated.masks[0] = ~<uint64_t> 0 if size >= 8 else ~(~<uint64_t> 0 << (8 * size))
    repeated.masks[1] = 0
    if size > 8:
        repeated.masks[1] = ~<uint64_t> 0 >> (8 * (16 - size))
    repeated.words[0] = load_word(p) & repeated.masks[0]
    repeated.words[1] = load_word(p + 8) & repeated.masks[1]


cdef inline bint repeats(const Repeated* repeated, const uint8_t* p) noexcept nogil:
    return repeated.size != 0 and (
        ((load_word(p) & repeated.masks[0]) ^ repeated.words[0])
        | ((load_word(p + 8) & repeated.masks[1]) ^ repeated.words[1])
    ) == 0


cdef inline const uint8_t* document_of(Scan* scan, Row* row) noexcept nogil:
    # Passes query and iteration: the document of the next row, or its line feed; NULL at the end.
    cdef const uint8_t* p = scan.at
    cdef const uint8_t* stop
    if p < scan.stop and repeats(&scan.start, p) and p[scan.start.size] > 32:
        scan.bad = p
        scan.line += 1
        row.query = p
        row.query_size = scan.query_size
        row.same_query = True
        return p + scan.start.size
    p = next_line(scan)
    if p == NULL:
        return NULL
    stop = field_end(p)
    row.query = p
    row.query_size = <uint32_t> (stop - p)
    row.same_query = False
    scan.query_size = row.query_size
    stop = next_field(field_end(next_field(stop)))
    repeat(&scan.start, p, stop - p if p == scan.at else 0)
    return stop


cdef inline const uint8_t* next_line(Scan* scan) noexcept nogil:
    # First field of the next line that has one, NULL at the end.
    cdef const uint8_t* p
    while scan.at < scan.stop:
        scan.bad = scan.at
        scan.line += 1
        p = next_field(scan.at)
        if p[0] == 10:
            scan.at = p + 1
        elif p[0] == 35:
            scan.at = line_end(p) + 1
        else:
            return p
    return NULL


cdef inline int set_number(Scan* scan, Row* row, const uint8_t* number, const uint8_t* stop) noexcept nogil:
    row.number = number
    row.number_size = <uint32_t> (stop - number)
    if read_decimal(number, stop, scan.powers, &row.value) == EXACT:
        return ROW
    return HARD_NUMBER


cdef inline int set_label(Row* row, const uint8_t* number, const uint8_t* stop) noexcept nogil:
    # trec_eval's labels: the integer that the field starts with.
    cdef int64_t value = 0
    cdef const uint8_t* p = number
    if p < stop and p[0] == 45:
        p += 1
    while p < stop and <uint32_t> p[0] - 48 <= 9 and p - number < 16:
        value = value * 10 + (p[0] - 48)
        p += 1
    row.value = <double> (-value if number[0] == 45 else value)
    return ROW if p == stop else HARD_NUMBER


cdef inline int next_qrels_row(Scan* scan, Row* row) noexcept nogil:
    cdef const uint8_t* p = document_of(scan, row)
    cdef const uint8_t* stop
    cdef const uint8_t* number
    if p == NULL:
        return END
    if p[0] == 10:
        return TOO_FEW
    stop = field_end(p)
    row.document = p
    row.document_size = <uint32_t> (stop - p)
    number = next_field(stop)
    if number[0] == 10:
        return TOO_FEW
    stop = number + 1 if number[1] == 10 else field_end(number)
    p = next_field(stop)
    if p[0] != 10:
        return TOO_MANY
    scan.at = p + 1
    row.line = scan.line
    scan.rows += 1
    row.number = number
    row.number_size = <uint32_t> (stop - number)
    if row.number_size == 1 and 48 <= number[0] <= 57:
        row.value = number[0] - 48
        return ROW
    if scan.as_trec_eval:
        return set_label(row, number, stop)
    return set_number(scan, row, number, stop)


cdef inline int next_run_row(Scan* scan, Row* row) noexcept nogil:
    cdef const uint8_t* p = document_of(scan, row)
    cdef const uint8_t* stop
    cdef const uint8_t* rank
    cdef const uint8_t* rank_stop
    cdef const uint8_t* number
    cdef int status = ROW
    if p == NULL:
        return END
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
    row.line = scan.line
    stop = plain_decimal(number, scan.powers, &row.value)
    if stop == NULL:
        stop = field_end(number)
        status = set_number(scan, row, number, stop)
    if repeats(&scan.rest, stop):
        scan.tag = stop + scan.tag_at
        scan.at = stop + scan.rest.size
        scan.rows += 1
        return status
    p = next_field(stop)
    if p[0] == 10:
        return five_fields(scan, rank, rank_stop, number, stop)
    set_rest(scan, p, stop)
    return status


cdef inline void set_rest(Scan* scan, const uint8_t* tag, const uint8_t* number_stop) noexcept nogil:
    # The tag, and what may follow it.
    cdef const uint8_t* stop = field_end(tag)
    scan.tag = tag
    scan.tag_size = <uint32_t> (stop - tag)
    scan.tag_at = <uint32_t> (tag - number_stop)
    scan.at = (stop if stop[0] == 10 else line_end(stop)) + 1
    scan.rows += 1
    repeat(&scan.rest, number_stop, scan.at - number_stop)


cdef inline int five_fields(
    const Scan* scan, const uint8_t* fourth, const uint8_t* fourth_stop, const uint8_t* last, const uint8_t* last_stop
) noexcept nogil:
    # The kind of error. A rank read as a score would reverse the ranking, so such a row is an error.
    cdef double value = 0.0
    if scan.as_trec_eval:
        return TOO_FEW
    if read_decimal(last, last_stop, scan.powers, &value) != NOT_A_DECIMAL:
        return NO_RANK_OR_NO_TAG
    if read_decimal(fourth, fourth_stop, scan.powers, &value) == NOT_A_DECIMAL:
        return NO_SCORE
    while fourth < fourth_stop and <uint32_t> fourth[0] - 48 <= 9:
        fourth += 1
    return NO_SCORE if fourth == fourth_stop else NO_RANK
