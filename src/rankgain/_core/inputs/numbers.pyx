"""Numbers of lists of lists, read without an array for each list."""

cdef extern from "Python.h":
    bint is_float "PyFloat_Check"(object) noexcept
    bint is_bool "PyBool_Check"(object) noexcept
    bint is_plain_integer "PyLong_CheckExact"(object) noexcept
    double float_value "PyFloat_AsDouble"(object) noexcept
    double integer_value "PyLong_AsDouble"(object) except? -1.0

cdef enum:
    NO_NUMBER = 0
    BOOLS = 1
    INTEGERS = 2
    FLOATS = 4
    WIDE = 8

cdef double EXACT = 9007199254740992.0  # integers up to here are exact doubles; 2**53 + 1 becomes 2**53


cdef int read_number(object one, double *out) except -1:
    """The kind of a number and its value; NO_NUMBER for other objects, which are read differently or refused."""
    if is_float(one):
        out[0] = float_value(one)
        return FLOATS
    if is_plain_integer(one):
        try:
            out[0] = integer_value(one)
        except OverflowError:
            return WIDE
        return INTEGERS if -EXACT < out[0] < EXACT else WIDE
    if is_bool(one):
        out[0] = one is True
        return BOOLS
    return NO_NUMBER


def read_numbers(list rows, double[::1] out):
    """Write the numbers of all rows one after the other.

    Returns the kinds of numbers that there are (1 bools, 2 integers, 4 floats; -1: read it in another way) and, of the
    first that is no plain number or that `out` has no place for, the list and the place in it.
    """
    cdef Py_ssize_t i = 0, j = 0, at = 0, room = out.shape[0]
    cdef int kind, kinds = 0
    for i in range(len(rows)):
        j = 0
        for one in rows[i]:
            kind = read_number(one, &out[at]) if at < room else NO_NUMBER
            if kind == NO_NUMBER or kind == WIDE:
                return -1, i, j
            kinds |= kind
            at += 1
            j += 1
    if at < room:  # a list is shorter than it was
        return -1, i, j
    return kinds, 0, 0
