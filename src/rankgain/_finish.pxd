"""From a walk's value to the measure's: divisors, and NaN where the measure is undefined."""

from libc.math cimport NAN

from ._types cimport *


cdef inline double smaller(double a, double b) noexcept nogil:
    return a if a < b else b


cdef inline double of_everybody(const Column *column, double v, double relevant, double n) noexcept nogil:
    """What does not ask for a relevant document: counts, what is left of 1, and shares of the documents above the cutoff."""
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
    """Divisors that hold the number of documents, where nothing is cut."""
    cdef double d = smaller(relevant, k)
    if kind == R_OR_N:
        return d
    if kind == SET_AP:
        d = n * relevant
        v = v * v
    return v / d if d > 0.0 else NAN


cdef inline double finish(const Column *column, const double *values, double relevant, double n, bint positive) noexcept nogil:
    cdef double v = values[column.value], d
    cdef double k = column.k
    if column.finish == VALUE:
        return v
    if column.finish >= OVER_IDEAL and column.finish <= OVER_IDEAL_OR_1:
        d = values[column.ideal]
        if not d > 0.0:
            if column.finish == OVER_IDEAL_OR_1 and d == 0.0:
                return v
            return v / d if d < 0.0 and column.finish != OVER_IDEAL else NAN
        v = v / d
        return 1.0 if column.clip and v > 1.0 else v
    if column.finish == OVER_PAIRS:
        d = values[column.value + 1]
        return v / d if d > 0.0 else NAN
    if column.finish == IF_POSITIVE:
        return v if positive else NAN
    if column.finish >= RELEVANT and column.finish <= OTHERS_OVER_ITEMS:
        return of_everybody(column, v, relevant, n)
    if column.finish == ITEMS:
        return smaller(k, n)
    if relevant <= 0.0:
        return NAN
    if column.finish == IF_RELEVANT:
        return v
    if column.finish == R_OR_K:
        return smaller(relevant, k)
    if column.finish >= R_OR_N:
        return of_set(column.finish, v, relevant, n if k > 9e307 else k, n)
    if column.finish == OVER_R:
        return v / relevant
    if column.finish == OVER_R_OR_K:
        return v / smaller(relevant, k)
    d = smaller(k, n) if column.divide_by_min or k > 9e307 else k
    if column.finish == F_BETA:
        return (1.0 + column.beta) * v / (column.beta * relevant + d)
    return v / d if d > 0.0 else NAN
