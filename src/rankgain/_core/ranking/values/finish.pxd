"""From a walk's value to the measure's: divisors, and NaN where the measure is undefined."""

from libc.math cimport NAN, log
from libc.stdint cimport int64_t

from ..hits.labels cimport fault
from ..types cimport *
from .walks_blocks cimport cut_at_share


cdef inline double smaller(double a, double b) noexcept nogil:
    """min(a, b), and NaN if b is NaN."""
    return a if a < b else b


cdef inline double over(double value, double divisor) noexcept nogil:
    """value / divisor, and NaN if the divisor is not positive."""
    return value / divisor if divisor > 0.0 else NAN


cdef inline bint any_positive(const Ideal *ideal) noexcept nogil:
    """Whether some label is positive; runs are in descending order of label."""
    return ideal.n_runs > 0 and ideal.level[0] > 0.0


cdef inline double cut_excess(double ratio, double limit) noexcept nogil:
    """The limit instead of a ratio that exceeds it by rounding alone: 2**31 roundings, one for each rank, are below a millionth.

    A larger excess stays. An ideal of the judged documents alone may be exceeded if one of them has a negative gain.
    """
    if limit < ratio <= limit * 1.000001:
        return limit
    return ratio


cdef inline double over_ideal(double value, double ideal, double limit) noexcept nogil:
    """value / ideal, without the excess of rounding over a positive ideal."""
    cdef double ratio = value / ideal
    if ideal > 0.0:
        return cut_excess(ratio, limit)
    return ratio


cdef inline double finish_mean_rank(Finish kind, double value, double listed, double relevant, double others) noexcept nogil:
    """Mean rank of the relevant documents, its expectation for a random order, and the ratio of both.

    value: for each relevant document the others above it, summed. listed: relevant documents of the list. relevant: all of them.
    A relevant document that is not in the list has no rank, so the mean is undefined.
    """
    cdef double mean_rank, expected_rank
    if listed <= 0.0 or listed < relevant:
        return NAN
    # Ranks are counted among the documents that are not relevant, from 1. In a random order half of these are above, on average.
    mean_rank = 1.0 + value / listed
    expected_rank = 1.0 + others / 2.0
    if kind == MEAN_RANK:
        return mean_rank
    if kind == EXPECTED_RANK:
        return expected_rank
    return mean_rank / expected_rank


cdef inline double finish_above(Finish kind, double value, double listed, double relevant, double others) noexcept nogil:
    """Expected number of other documents above a relevant one in a random order, or by how much the list does better.

    The latter is 1 - 2 * (pairs in the wrong order) / (all pairs): 1 for the best order, 0 for a random one, -1 for the worst.
    """
    cdef double pairs
    if listed <= 0.0 or listed < relevant:
        return NAN
    pairs = listed * others
    if not pairs > 0.0:
        return NAN
    if kind == EXPECTED_ABOVE:
        return others / 2.0
    return 1.0 - 2.0 * value / pairs


cdef inline double finish(const Column *column, const double *values, double relevant, double n, Fault *f) noexcept nogil:
    """Measures that are not ratios: one branch for each finish, by its name.

    relevant: R, the relevant documents, retrieved or not. n: the documents of the list. NaN means undefined.
    """
    cdef Finish kind = column.finish
    cdef double value = values[column.value]
    cdef double divisor = values[column.divisor]
    cdef bint has_cutoff = column.k <= 9e307  # else k is infinite
    cdef double top = smaller(column.k, n)  # documents above the cutoff
    cdef double cutoff = column.k if has_cutoff else n
    cdef double items = cutoff
    # Walks of two values (TWO_VALUES of plan.pyx) write the second one behind the first: that of `walk_above` is the number of relevant
    # documents in the list. For other walks it is a number that is not used.
    cdef double second = values[column.value + 1]
    cdef double listed = second
    cdef double others = n - listed
    if column.divide_by_min:
        items = top
    if kind == OVER_NONZERO_IDEAL:
        return NAN if divisor == 0.0 else over_ideal(value, divisor, column.limit)
    elif kind == OVER_IDEAL_OR_1:
        return value if divisor == 0.0 else over_ideal(value, divisor, column.limit)
    elif kind == OVER_LARGEST:
        if divisor > 0.0:
            return value / (divisor if divisor > column.least else column.least)
        return NAN
    elif kind == OVER_PAIRS:
        return over(value, second)  # the second value of `walk_pairs` is the number of all pairs
    elif kind == RELEVANT:  # defined without relevant documents, as those down to ITEMS
        return relevant
    elif kind == ONE:
        return 1.0
    elif kind == REST:
        return 1.0 - value
    elif kind == OVER_ITEMS:
        return over(value, items)
    elif kind == OTHERS_OVER_ITEMS:
        return over(top - value, items)
    elif kind == ITEMS:
        return top
    elif kind == R_OR_K:
        return smaller(relevant, column.k) if relevant > 0.0 else NAN
    elif kind == OVER_R_OR_K:
        return over(value, smaller(relevant, column.k))
    elif kind == R_OR_N:
        return smaller(relevant, cutoff) if relevant > 0.0 else NAN
    elif kind == OVER_R_OR_N:
        return over(value, smaller(relevant, cutoff))
    elif kind == SET_AP:
        # Precision times recall of the whole list: (v / n) * (v / R).
        return over(value * value, n * relevant)
    elif kind == LIFT:
        # Precision above the cutoff over the share of relevant documents in the list: (v / top) / (R / n).
        if column.share > 0.0:
            top = <double> cut_at_share(column.share, n)
        return over(value * n, top * relevant)
    elif kind == CROSSED:
        # A relevant document that is not in the list ranks below all the others.
        return over(value + (relevant - listed) * others, relevant * others)
    elif kind == MEAN_RANK or kind == EXPECTED_RANK or kind == OVER_EXPECTED_RANK:
        return finish_mean_rank(kind, value, listed, relevant, others)
    elif kind == EXPECTED_ABOVE or kind == OVER_EXPECTED_ABOVE:
        return finish_above(kind, value, listed, relevant, others)
    elif kind == LESS_OTHERS:
        return value - (n - value)
    elif kind == LOG_ODDS:
        # Each count of the odds is raised by 1, so that neither is 0. A list without documents has no odds.
        return log((1.0 + value) / (1.0 + relevant - value)) if n > 0.0 else 0.0
    fault(f, NO_FINISH, 0, <double> kind)
    return NAN


cdef inline bint finish_columns(
        const Task *task, double *values, const int64_t *relevant, double n, bint positive, double *out, Py_ssize_t step,
        Fault *f) noexcept nogil:
    """One row of the result; returns whether a value is undefined. Most measures are ratios.

    values: of the walks, `task.n_values` numbers, and space for the divisors BY_ONE, BY_POSITIVE and BY_RELEVANT behind them.
    """
    cdef const Column *column = task.columns
    cdef const Column *end = column + task.n_columns
    cdef double *divisors = values + task.n_values
    cdef bint undefined = False
    cdef Py_ssize_t r
    cdef double value, divisor, shift
    divisors[BY_ONE] = 1.0
    divisors[BY_POSITIVE] = 1.0 if positive else NAN
    for r in range(task.n_rels):
        divisors[BY_RELEVANT + r] = <double> relevant[r] if relevant[r] > 0 else NAN
    while column < end:
        value = values[column.value]
        divisor = values[column.divisor]
        if column.is_value:
            if divisor != divisor:
                value = NAN
        elif column.is_ratio:
            # scale * value / (slope * divisor + shift). With slope 0 a NaN divisor still makes the value undefined, as 0 * NaN is NaN.
            shift = smaller(column.shift, n) if column.divide_by_min else column.shift
            divisor = column.slope * divisor + shift
            value = cut_excess(column.scale * value / divisor, column.limit) if divisor > 0.0 else NAN
        else:
            value = finish(column, values, <double> relevant[column.rel_index], n, f)
        if value != value:
            undefined = True
        out[0] = value
        column += 1
        out += step
    return undefined
