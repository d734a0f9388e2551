"""From a walk's value to the measure's: divisors, and NaN where the measure is undefined."""

from libc.math cimport NAN
from libc.stdint cimport int64_t

from ..types cimport *
from .walks_blocks cimport cut_at_share


cdef inline double smaller(double a, double b) noexcept nogil:
    """NaN if b is NaN."""
    return a if a < b else b


cdef inline double of_everybody(const Column *column, double v, double relevant, double n) noexcept nogil:
    """Measures that are defined without relevant documents: counts, 1 minus a value, and shares of the documents above the cutoff."""
    cdef double items = smaller(column.k, n), d
    if column.finish == RELEVANT:
        return relevant
    if column.finish == ONE:
        return 1.0
    if column.finish == REST:
        return 1.0 - v
    d = items if column.divide_by_min or column.k > 9e307 else column.k
    if column.finish == OTHERS_OVER_ITEMS:
        v = items - v
    return v / d if d > 0.0 else NAN


cdef inline double of_set(Finish kind, double v, double relevant, double k, double n) noexcept nogil:
    """Divisors with the number of documents, without a cutoff."""
    cdef double d = smaller(relevant, k)
    if kind == R_OR_N:
        return d
    if kind == SET_AP:
        d = n * relevant
        v = v * v
    return v / d if d > 0.0 else NAN


cdef inline double of_ranks(const Column *column, double v, double listed, double relevant, double n) noexcept nogil:
    """Lift, and measures of the number v of documents that are not relevant above the `listed` relevant ones."""
    cdef double others = n - listed, d
    if column.finish == LIFT:
        d = <double> cut_at_share(column.share, n) if column.share > 0.0 else smaller(column.k, n)
        return v * n / (d * relevant) if d * relevant > 0.0 else NAN
    if listed <= 0.0 or listed < relevant:  # a relevant document that is not in the list has no rank
        return NAN
    if others <= 0.0 and (column.finish == CROSSED or column.finish >= EXPECTED_ABOVE):
        return NAN
    if column.finish == CROSSED:
        return v / (listed * others)
    if column.finish == MEAN_RANK:
        return 1.0 + v / listed
    if column.finish == EXPECTED_RANK:
        return 1.0 + others / 2.0
    if column.finish == OVER_EXPECTED_RANK:
        return (1.0 + v / listed) / (1.0 + others / 2.0)
    if column.finish == EXPECTED_ABOVE:
        return others / 2.0
    return 1.0 - 2.0 * v / (listed * others)


cdef inline bint any_positive(const Ideal *ideal) noexcept nogil:
    return ideal.n_runs > 0 and ideal.level[0] > 0.0


cdef inline void set_divisors(const Task *task, const int64_t *relevant, bint positive, double *values) noexcept nogil:
    cdef double *divisors = values + task.n_values
    cdef Py_ssize_t r
    divisors[BY_ONE] = 1.0
    divisors[BY_POSITIVE] = 1.0 if positive else NAN
    for r in range(task.n_rels):
        divisors[BY_RELEVANT + r] = <double> relevant[r] if relevant[r] > 0 else NAN


cdef inline double ratio(const Column *column, const double *values, double n) noexcept nogil:
    """Ratios: most measures."""
    cdef double v = values[column.value], d = values[column.divisor]
    if column.is_value:
        return v if d == d else NAN
    d = column.slope * d + (smaller(column.shift, n) if column.divide_by_min else column.shift)
    return smaller(column.limit, column.scale * v / d) if d > 0.0 else NAN


cdef inline double finish(const Column *column, const double *values, double relevant, double n, bint positive) noexcept nogil:
    """Measures that are not ratios."""
    cdef double v = values[column.value], d
    cdef double k = column.k
    if column.finish >= LIFT:
        return of_ranks(column, v, values[column.value + 1], relevant, n)
    if column.finish == OVER_NONZERO_IDEAL or column.finish == OVER_IDEAL_OR_1:
        d = values[column.divisor]
        if d == 0.0:
            return v if column.finish == OVER_IDEAL_OR_1 else NAN
        return smaller(column.limit, v / d) if d > 0.0 else v / d
    if column.finish == OVER_LARGEST:
        d = values[column.divisor]
        return v / (d if d > column.least else column.least) if d > 0.0 else NAN
    if column.finish == OVER_PAIRS:
        d = values[column.value + 1]
        return v / d if d > 0.0 else NAN
    if column.finish >= RELEVANT and column.finish <= OTHERS_OVER_ITEMS:
        return of_everybody(column, v, relevant, n)
    if column.finish == ITEMS:
        return smaller(k, n)
    if relevant <= 0.0:
        return NAN
    if column.finish == R_OR_K:
        return smaller(relevant, k)
    if column.finish >= R_OR_N:
        return of_set(column.finish, v, relevant, n if k > 9e307 else k, n)
    return v / smaller(relevant, k)


cdef inline bint finish_columns(
        const Task *task, double *values, const int64_t *relevant, double n, bint positive, double *out, Py_ssize_t step) noexcept nogil:
    """One row of the result; returns whether a value is undefined."""
    cdef const Column *column = task.columns
    cdef const Column *end = column + task.n_columns
    cdef bint undefined = False
    cdef double v
    set_divisors(task, relevant, positive, values)
    while column < end:
        if column.is_ratio:
            v = ratio(column, values, n)
        else:
            v = finish(column, values, <double> relevant[column.rel_index], n, positive)
        if v != v:
            undefined = True
        out[0] = v
        column += 1
        out += step
    return undefined
