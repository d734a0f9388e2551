"""From a walk's value to the measure's: divisors, and NaN where the measure is undefined."""

from libc.math cimport NAN, log
from libc.stdint cimport int64_t

from ..hits.labels cimport fault
from ..types cimport *
from .walks_blocks cimport cut_at_share


cdef inline double smaller(double a, double b) noexcept nogil:
    """min(a, b), and NaN if b is NaN."""
    return a if a < b else b


cdef inline double over(double v, double d) noexcept nogil:
    """v / d, and NaN where the divisor is not positive."""
    return v / d if d > 0.0 else NAN


cdef inline bint any_positive(const Ideal *ideal) noexcept nogil:
    return ideal.n_runs > 0 and ideal.level[0] > 0.0


cdef inline double finish(const Column *column, const double *values, double relevant, double n, Fault *f) noexcept nogil:
    """Measures that are not ratios: one branch for each finish, by its name."""
    cdef double v = values[column.value], d = values[column.divisor]
    cdef double top = smaller(column.k, n)  # documents above the cutoff
    cdef double items = top if column.divide_by_min or column.k > 9e307 else column.k
    cdef double listed = values[column.value + 1], others = n - listed  # relevant documents, whose ranks count, and the others
    cdef bint unranked = listed <= 0.0 or listed < relevant  # a relevant document that is not in the list has no rank
    cdef double pairs = 0.0 if unranked else listed * others
    cdef Finish kind = column.finish
    if kind == OVER_NONZERO_IDEAL:
        return NAN if d == 0.0 else smaller(column.limit, v / d) if d > 0.0 else v / d
    elif kind == OVER_IDEAL_OR_1:
        return v if d == 0.0 else smaller(column.limit, v / d) if d > 0.0 else v / d
    elif kind == OVER_LARGEST:
        return v / (d if d > column.least else column.least) if d > 0.0 else NAN
    elif kind == OVER_PAIRS:
        return over(v, listed)
    elif kind == RELEVANT:  # defined without relevant documents, as those down to ITEMS
        return relevant
    elif kind == ONE:
        return 1.0
    elif kind == REST:
        return 1.0 - v
    elif kind == OVER_ITEMS:
        return over(v, items)
    elif kind == OTHERS_OVER_ITEMS:
        return over(top - v, items)
    elif kind == ITEMS:
        return top
    elif kind == R_OR_K:
        return smaller(relevant, column.k) if relevant > 0.0 else NAN
    elif kind == OVER_R_OR_K:
        return over(v, smaller(relevant, column.k))
    elif kind == R_OR_N:
        return smaller(relevant, n if column.k > 9e307 else column.k) if relevant > 0.0 else NAN
    elif kind == OVER_R_OR_N:
        return over(v, smaller(relevant, n if column.k > 9e307 else column.k))
    elif kind == SET_AP:
        return over(v * v, n * relevant)
    elif kind == LIFT:
        return over(v * n, (<double> cut_at_share(column.share, n) if column.share > 0.0 else top) * relevant)
    elif kind == CROSSED:  # a relevant document that is not in the list ranks below all the others
        return over(v + (relevant - listed) * others, relevant * others)
    elif kind == MEAN_RANK:
        return NAN if unranked else 1.0 + v / listed
    elif kind == EXPECTED_RANK:
        return NAN if unranked else 1.0 + others / 2.0
    elif kind == OVER_EXPECTED_RANK:
        return NAN if unranked else (1.0 + v / listed) / (1.0 + others / 2.0)
    elif kind == EXPECTED_ABOVE:
        return others / 2.0 if pairs > 0.0 else NAN
    elif kind == OVER_EXPECTED_ABOVE:
        return 1.0 - 2.0 * v / pairs if pairs > 0.0 else NAN
    elif kind == LESS_OTHERS:
        return v - (n - v)
    elif kind == LOG_ODDS:  # a list without documents has no odds
        return log((1.0 + v) / (1.0 + relevant - v)) if n > 0.0 else 0.0
    fault(f, NO_FINISH, 0, <double> kind)
    return NAN


cdef inline bint finish_columns(
        const Task *task, double *values, const int64_t *relevant, double n, bint positive, double *out, Py_ssize_t step,
        Fault *f) noexcept nogil:
    """One row of the result; returns whether a value is undefined. Most measures are ratios."""
    cdef const Column *column = task.columns
    cdef const Column *end = column + task.n_columns
    cdef double *divisors = values + task.n_values
    cdef bint undefined = False
    cdef Py_ssize_t r
    cdef double v, d
    divisors[BY_ONE] = 1.0
    divisors[BY_POSITIVE] = 1.0 if positive else NAN
    for r in range(task.n_rels):
        divisors[BY_RELEVANT + r] = <double> relevant[r] if relevant[r] > 0 else NAN
    while column < end:
        v, d = values[column.value], values[column.divisor]
        if column.is_value:
            v = v if d == d else NAN
        elif column.is_ratio:
            d = column.slope * d + (smaller(column.shift, n) if column.divide_by_min else column.shift)
            v = smaller(column.limit, column.scale * v / d) if d > 0.0 else NAN
        else:
            v = finish(column, values, <double> relevant[column.rel_index], n, f)
        if v != v:
            undefined = True
        out[0] = v
        column += 1
        out += step
    return undefined
