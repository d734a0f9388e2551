# Lines of qrels and run files: one call, one row; no object, no copy.
#
#     qrels   query  iteration  document  label
#     run     query  iteration  document  rank  score  tag
#
# or, if the first row is so, fewer fields (MS MARCO's and ColBERT's):
#
#     qrels   query  document  [label]
#     run     query  document  rank  [score]
#
# Tabs alone separate the fields of a line that they divide into as many as a row has, else any blanks do. The quick
# way reads rows with one kind of separator; the lines that it refuses are left to `irregular_row`.

from libc.math cimport floor
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from .words cimport (
    EXACT, NOT_A_DECIMAL, Powers, field_end, first_digits, first_marked, hash_bytes, is_blank, line_end, load_word, next_field,
    not_digits, plain_decimal, read_decimal,
)

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
    RANK = 9               # is not a whole number
    EMPTY_ID = 10

cdef enum:
    AGAINST = 1            # two rows of a query of which that with the better rank has the lower score
    ALONG = 2              # the higher score

cdef struct Row:
    const uint8_t* query
    const uint8_t* iteration
    const uint8_t* document
    const uint8_t* number
    uint32_t query_size
    uint32_t iteration_size
    uint32_t document_size
    uint32_t number_size
    bint same_query        # as the row before
    double value
    double rank            # of four fields, else set until a pair of rows is ALONG
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
    bint qrels             # else a run
    bint takes_fewer       # rows without an iteration may be read
    bint tsv               # three fields between tabs are such a row
    int fields             # of such rows; 0: rows of TREC
    int64_t comment        # the first line that is a comment, and a row but for its "#"
    uint64_t iteration     # hash of the last one
    bint iterations        # differ
    int orders             # which of AGAINST and ALONG were met
    uint64_t ranked        # hash of the query of the last row whose rank was compared
    double last_rank
    double last_value
    uint8_t separator      # after query and iteration; 0: not one
    Repeated start         # of a line, up to its document
    Repeated rest          # of a line after its score
    uint32_t query_size    # of start
    uint32_t tag_at        # in rest
    const uint8_t* tag     # of the last row
    uint32_t tag_size
    const Powers* powers


cdef inline void repeat(Repeated* repeated, const uint8_t* p, size_t size) noexcept nogil:
    # Remember `size` bytes, as two words with masks for the bytes that count; none if they are more than sixteen.
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
    # Whether the bytes at p are the remembered ones: the bits that differ, of both words, are none.
    return repeated.size != 0 and (
        ((load_word(p) & repeated.masks[0]) ^ repeated.words[0])
        | ((load_word(p + 8) & repeated.masks[1]) ^ repeated.words[1])
    ) == 0


cdef inline const uint8_t* document_of(Scan* scan, Row* row) noexcept nogil:
    # Passes query and iteration: the document of the next row, or its line feed; NULL at the end.
    cdef const uint8_t* p = scan.at
    if p < scan.stop and repeats(&scan.start, p) and p[scan.start.size] > 32:
        scan.bad = p
        scan.line += 1
        row.query = p
        row.query_size = scan.query_size
        row.same_query = True
        return p + scan.start.size
    return document_after(scan, row)


cdef inline const uint8_t* document_after(Scan* scan, Row* row) noexcept nogil:
    # As `document_of`, of a line whose start is no repetition; apart, so that compilers take the quick way inline.
    cdef const uint8_t* stop
    cdef const uint8_t* after
    cdef const uint8_t* p = next_line(scan)
    if p == NULL:
        return NULL
    stop = field_end(p)
    row.query = p
    row.query_size = <uint32_t> (stop - p)
    row.same_query = False
    scan.query_size = row.query_size
    row.iteration = next_field(stop)
    after = field_end(row.iteration)
    row.iteration_size = <uint32_t> (after - row.iteration)
    scan.separator = stop[0] if stop[0] == after[0] else 0
    stop = next_field(after)
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
            if scan.comment == 0 and not scan.as_trec_eval and is_hidden_row(scan):
                scan.comment = scan.line
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


cdef inline int next_qrels_row(Scan* scan, Row* row) noexcept nogil:
    cdef const uint8_t* p = document_of(scan, row)
    cdef const uint8_t* stop
    cdef const uint8_t* number
    cdef int64_t label = 0
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
    if stop[0] != scan.separator and not scan.as_trec_eval:
        return TOO_MANY
    stop = number + 1 if number[1] == 10 else field_end(number)
    p = next_field(stop)
    if p[0] != 10:
        return TOO_MANY
    if not row.same_query:
        set_iteration(scan, row)
    scan.at = p + 1
    row.line = scan.line
    scan.rows += 1
    row.number = number
    row.number_size = <uint32_t> (stop - number)
    if row.number_size == 1 and 48 <= number[0] <= 57:
        row.value = number[0] - 48
        return ROW
    if not scan.as_trec_eval:
        return set_number(scan, row, number, stop)
    p = number + (number[0] == 45)  # trec_eval's labels: the integer that the field starts with
    while p < stop and <uint32_t> p[0] - 48 <= 9 and p - number < 16:
        label = label * 10 + (p[0] - 48)
        p += 1
    row.value = <double> (-label if number[0] == 45 else label)
    return ROW if p == stop else HARD_NUMBER


cdef inline void set_iteration(Scan* scan, const Row* row) noexcept nogil:
    cdef uint64_t code = hash_bytes(row.iteration, row.iteration_size)
    scan.iterations |= scan.rows != 0 and code != scan.iteration
    scan.iteration = code


cdef inline int next_run_row(Scan* scan, Row* row) noexcept nogil:
    cdef const uint8_t* p = document_of(scan, row)
    cdef const uint8_t* stop
    cdef const uint8_t* rank
    cdef const uint8_t* rank_stop
    cdef const uint8_t* number
    cdef uint64_t word, marks
    cdef int status = ROW, digits = 0
    if p == NULL:
        return END
    if p[0] == 10:
        return TOO_FEW
    stop = field_end(p)
    row.document = p
    row.document_size = <uint32_t> (stop - p)
    rank = next_field(stop)
    if scan.as_trec_eval:
        rank_stop = field_end(rank)
    else:
        word = load_word(rank)
        marks = not_digits(word)
        if marks == 0:
            return RANK
        digits = first_marked(marks)
        rank_stop = rank + digits
        if digits == 0 or rank_stop[0] != scan.separator or stop[0] != scan.separator:
            return RANK
        if scan.orders & ALONG == 0:
            row.rank = <double> first_digits(word, digits)
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
    else:
        p = next_field(stop)
        if p[0] == 10 or (next_field(field_end(p))[0] != 10 and not scan.as_trec_eval):
            return TOO_FEW
        set_rest(scan, p, field_end(p), stop)
    if scan.orders & ALONG == 0 and status == ROW and not scan.as_trec_eval:
        compare_rank(scan, row)
    return status


cdef inline void set_rest(Scan* scan, const uint8_t* tag, const uint8_t* tag_stop, const uint8_t* number_stop) noexcept nogil:
    # The tag, and what may follow it.
    scan.tag = tag
    scan.tag_size = <uint32_t> (tag_stop - tag)
    scan.tag_at = <uint32_t> (tag - number_stop)
    scan.at = line_end(tag_stop) + 1
    scan.rows += 1
    repeat(&scan.rest, number_stop, scan.at - number_stop)


cdef inline void compare_rank(Scan* scan, const Row* row) noexcept nogil:
    # With the row before, if it is of this query: does the better rank have the higher score?
    cdef uint64_t query = hash_bytes(row.query, row.query_size)
    cdef bint better_rank = row.rank < scan.last_rank
    cdef bint lower_score = row.value < scan.last_value
    if query == scan.ranked and row.rank != scan.last_rank and row.value != scan.last_value:
        scan.orders |= AGAINST if better_rank == lower_score else ALONG
    scan.ranked = query
    scan.last_rank = row.rank
    scan.last_value = row.value


# Rows that the quick way does not read, and errors.

ctypedef const uint8_t* Place

cdef struct Fields:
    Place[7] start
    Place[7] stop
    int count              # of all; those after the seventh are not stored


cdef inline void split(const uint8_t* p, bint at_tabs, Fields* fields) noexcept nogil:
    # The fields of a line: between tabs, without the blanks at their ends, or between blanks.
    cdef const uint8_t* stop
    cdef const uint8_t* after
    fields.count = 0
    while True:
        if at_tabs:
            stop = p
            while stop[0] != 10 and stop[0] != 9:
                stop += 1
        else:
            p = next_field(p)
            if p[0] == 10:
                return
            stop = p
            while stop[0] != 10 and not is_blank(stop[0]):
                stop += 1
        after = stop
        if fields.count < 7:
            while p < stop and is_blank(p[0]):
                p += 1
            while stop > p and is_blank((stop - 1)[0]):
                stop -= 1
            fields.start[fields.count] = p
            fields.stop[fields.count] = stop
        fields.count += 1
        if after[0] == 10:
            return
        p = after + 1


cdef inline bint is_number(const Scan* scan, const Fields* fields, int at, bint whole) noexcept nogil:
    cdef double value = 0.0
    if read_decimal(fields.start[at], fields.stop[at], scan.powers, &value) == NOT_A_DECIMAL:
        return False
    return not whole or value == floor(value)


cdef inline bint is_row(const Scan* scan, const Fields* fields) noexcept nogil:
    # Whether there are numbers where a row of so many fields has them.
    cdef int n = fields.count
    if scan.qrels:
        return n == 2 or (n == 3 or n == 4) and is_number(scan, fields, n - 1, False)
    if n == 6:
        return is_number(scan, fields, 3, True) and is_number(scan, fields, 4, False)
    if n != 3 and n != 4:
        return False
    if not is_number(scan, fields, 2, n == 4) or not is_number(scan, fields, n - 1, False):
        return False
    return not is_q0(fields.start[1], fields.stop[1])


cdef inline bint is_q0(const uint8_t* start, const uint8_t* stop) noexcept nogil:
    # "Q0" or "q0", the second field of a row of TREC: 32 is the bit that makes a letter small.
    return stop - start == 2 and start[0] | 32 == 113 and start[1] == 48


cdef inline int fields_of_row(const Scan* scan) noexcept nogil:
    # The number of fields that a row has: that of the first row if it has fewer than TREC's.
    if scan.fields:
        return scan.fields
    return 4 if scan.qrels else 6


cdef inline bint is_hidden_row(const Scan* scan) noexcept nogil:
    # Whether a comment has the fields of a row.
    cdef Fields fields
    cdef int wanted = fields_of_row(scan)
    split(scan.bad, True, &fields)
    if fields.count != wanted:
        split(scan.bad, False, &fields)
    return fields.count == wanted > 2 and is_row(scan, &fields)


cdef inline int divide(Scan* scan, Fields* fields) noexcept nogil:
    # Splits a line into the fields of a row; the first row decides whether it has an iteration.
    cdef int wanted = fields_of_row(scan)
    cdef int by_tabs
    cdef bint decides = scan.takes_fewer and scan.rows == 0
    cdef const uint8_t* p
    split(scan.bad, True, fields)
    by_tabs = fields.count
    if by_tabs == wanted:
        return ROW
    if decides and scan.tsv and 3 <= by_tabs < wanted and is_row(scan, fields):
        scan.fields = by_tabs
        return ROW
    split(scan.bad, False, fields)
    if fields.count == wanted and (scan.qrels or scan.fields or is_number(scan, fields, 3, True)):
        return ROW
    if decides and fields.count < wanted and (fields.count > 2 or by_tabs == 2) and is_row(scan, fields):
        scan.fields = fields.count
        return ROW
    if fields.count == 5 and wanted == 6:  # a rank read as a score would reverse the ranking, so such a row is an error
        if is_number(scan, fields, 4, False):
            return NO_RANK_OR_NO_TAG
        p = fields.start[3]
        while p < fields.stop[3] and <uint32_t> p[0] - 48 <= 9:
            p += 1
        if p == fields.stop[3] or not is_number(scan, fields, 3, False):
            return NO_SCORE
        return NO_RANK
    if fields.count == wanted:
        return RANK
    return TOO_FEW if fields.count < wanted else TOO_MANY


cdef inline int irregular_row(Scan* scan, Row* row) noexcept nogil:
    cdef Fields fields
    cdef int n, at, status = divide(scan, &fields)
    if status != ROW:
        return status
    n = fields.count
    at = 1 if scan.fields else 2      # of the document
    row.query = fields.start[0]
    row.query_size = <uint32_t> (fields.stop[0] - fields.start[0])
    row.document = fields.start[at]
    row.document_size = <uint32_t> (fields.stop[at] - fields.start[at])
    row.same_query = False
    row.line = scan.line
    if row.query_size == 0 or row.document_size == 0:
        return EMPTY_ID
    if not scan.qrels and n != 3 and (
        not is_number(scan, &fields, at + 1, True)
        or read_decimal(fields.start[at + 1], fields.stop[at + 1], scan.powers, &row.rank) != EXACT
    ):
        return RANK
    if scan.qrels and scan.fields == 0:
        row.iteration = fields.start[1]
        row.iteration_size = <uint32_t> (fields.stop[1] - fields.start[1])
        set_iteration(scan, row)
    at = n - 1 if scan.qrels or scan.fields else 4
    row.value = 1.0
    if n > 2:
        status = set_number(scan, row, fields.start[at], fields.stop[at])
    scan.start.size = 0
    if n == 6:
        set_rest(scan, fields.start[5], fields.stop[5], fields.stop[4])
    else:
        scan.at = line_end(fields.stop[n - 1]) + 1
        scan.rows += 1
    if not scan.qrels and n != 3 and scan.orders & ALONG == 0 and status == ROW:
        compare_rank(scan, row)
    return status
