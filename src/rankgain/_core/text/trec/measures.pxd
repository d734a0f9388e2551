# trec_eval 10's measures of one ranked list, in its order of operations: sums in rank order, C's log2 and a
# division per term. Undefined values stay undefined (0/0); docs/reference/trec_eval.md lists them.

from libc.math cimport log, log2
from libc.stdint cimport int64_t

cdef enum:
    NOT_IN_POOL = -1       # no judgment
    UNJUDGED = -2          # in the pool (a negative label), not judged

cdef struct LevelGain:
    int64_t place          # of its label, -1 if no document can have it
    int64_t count
    double gain

cdef struct Ranked:
    int64_t* rel           # of each document, by rank
    int64_t* place         # of its label: its position among labels, from 2 on; else UNJUDGED or NOT_IN_POOL
    int64_t ret            # documents
    int64_t rel_ret        # relevant ones
    int64_t not_in_pool
    int64_t unjudged
    int64_t num_rel        # relevant in the qrels
    int64_t* label         # the labels from 0 on, ascending
    int64_t* at_level      # how many judgments each of them has
    int64_t levels         # how many labels there are
    int64_t level          # labels from here on are relevant
    int64_t collection     # documents in it
    LevelGain* gains       # room for every label and parameter, twice
    double* gain_at        # the gain of each place

cdef struct Parameters:
    const int64_t* integers   # cutoffs; or the labels that have their own gains
    const double* real     # fractions, coefficients; or those gains
    int64_t count
    double p

ctypedef void (*Calculate)(const Ranked*, const Parameters*, double*) noexcept nogil


cdef inline double ratio(int64_t part, int64_t total) noexcept nogil:
    return <double> part / <double> total


cdef inline void num_ret(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    out[0] = <double> r.ret


cdef inline void num_rel(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    out[0] = <double> r.num_rel


cdef inline void num_rel_ret(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    out[0] = <double> r.rel_ret


cdef inline void num_nonrel_judged_ret(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    out[0] = <double> r.ret - r.not_in_pool - r.unjudged - r.rel_ret


cdef inline double sum_of_precisions(const Ranked* r) noexcept nogil:
    cdef int64_t i, relevant = 0
    cdef double total = 0.0
    for i in range(r.ret):
        if r.rel[i] >= r.level:
            relevant += 1
            total += ratio(relevant, i + 1)
    return total


cdef inline void average_precision(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef double total = sum_of_precisions(r)
    if total > 0.0:
        out[0] = total / <double> r.num_rel


cdef inline void log_average_precision(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    average_precision(r, p, out)
    out[0] = log(out[0] if out[0] > 0.00001 else 0.00001)


cdef inline void yaap(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef double total = sum_of_precisions(r)
    out[0] = log((1.0 + total) / (1.0 + <double> r.num_rel - total))


cdef inline int64_t relevant_upto(const Ranked* r, int64_t start, int64_t stop) noexcept nogil:
    cdef int64_t i, relevant = 0
    for i in range(start, stop if stop < r.ret else r.ret):
        relevant += r.rel[i] >= r.level
    return relevant


cdef inline void r_precision(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    if r.ret != 0 and r.num_rel != 0:
        out[0] = ratio(relevant_upto(r, 0, r.num_rel), r.num_rel)


cdef inline void bpref(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t j, above = 0, nonrelevant = 0, least
    cdef double total = 0.0
    for j in range(r.levels):
        if r.label[j] < r.level:
            nonrelevant += r.at_level[j]
    least = nonrelevant if nonrelevant < r.num_rel else r.num_rel
    for j in range(r.ret):
        if r.rel[j] < 0:
            continue
        if r.rel[j] < r.level:
            above += 1
        elif above > 0:
            total += 1.0 - ratio(above if above < r.num_rel else r.num_rel, least)
        else:
            total += 1.0
    if r.num_rel:
        total /= <double> r.num_rel
    out[0] = total


cdef inline void log_bpref(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    bpref(r, p, out)
    out[0] = log(out[0] if out[0] > 0.00001 else 0.00001)


cdef inline void reciprocal_rank(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t i
    for i in range(r.ret):
        if r.rel[i] >= r.level:
            out[0] = ratio(1, i + 1)
            return


cdef inline int64_t recall_point(double fraction, int64_t num_rel) noexcept nogil:
    return <int64_t> (fraction * num_rel + 0.5)


cdef inline int64_t multiple_of_r(double multiple, int64_t num_rel) noexcept nogil:
    return <int64_t> (multiple * num_rel + 0.9)


cdef inline int64_t last_reached(const Ranked* r, const Parameters* p) noexcept nogil:
    cdef int64_t cut = p.count - 1
    while cut >= 0 and recall_point(p.real[cut], r.num_rel) > r.rel_ret:
        cut -= 1
    return cut


cdef inline void interpolated(const Ranked* r, const Parameters* p, double* out, bint averaged) noexcept nogil:
    # From the last rank up, the greatest precision so far; averaged: summed in out[0], else one value a cutoff.
    cdef int64_t i, cut = last_reached(r, p), relevant = r.rel_ret
    cdef double precision, best = ratio(r.rel_ret, r.ret)
    i = r.ret
    while i > 0 and relevant > 0:
        precision = ratio(relevant, i)
        if best < precision:
            best = precision
        if r.rel[i - 1] >= r.level:
            while cut >= 0 and relevant == recall_point(p.real[cut], r.num_rel):
                out[0 if averaged else cut] += best
                cut -= 1
            relevant -= 1
        i -= 1
    while cut >= 0:
        out[0 if averaged else cut] += best
        cut -= 1


cdef inline void iprec_at_recall(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    interpolated(r, p, out, False)


cdef inline void eleven_point(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    interpolated(r, p, out, True)
    out[0] /= <double> p.count


cdef inline void r_precision_multiples(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t i, cut = p.count - 1, relevant = r.rel_ret
    while cut >= 0 and multiple_of_r(p.real[cut], r.num_rel) > r.ret:
        out[cut] = ratio(r.rel_ret, multiple_of_r(p.real[cut], r.num_rel))
        cut -= 1
    i = r.ret
    while i > 0 and relevant > 0:
        while cut >= 0 and i == multiple_of_r(p.real[cut], r.num_rel):
            out[cut] = ratio(relevant, i)
            cut -= 1
        relevant -= r.rel[i - 1] >= r.level
        i -= 1


cdef inline void precision_at(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t c, at = 0, relevant = 0
    for c in range(p.count):
        relevant += relevant_upto(r, at, p.integers[c])
        at = p.integers[c]
        out[c] = ratio(relevant, at)


cdef inline void recall_at(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t c, at = 0, relevant = 0
    for c in range(p.count if r.num_rel != 0 else 0):
        relevant += relevant_upto(r, at, p.integers[c])
        at = p.integers[c]
        out[c] = ratio(relevant, r.num_rel)


cdef inline void relative_precision_at(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t c, at = 0, relevant = 0
    for c in range(p.count if r.num_rel != 0 else 0):
        relevant += relevant_upto(r, at, p.integers[c])
        at = p.integers[c]
        out[c] = ratio(relevant, at if at < r.num_rel else r.num_rel)


cdef inline void success_at(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t c, at = 0, relevant = 0
    for c in range(p.count):
        relevant += relevant_upto(r, at, p.integers[c])
        at = p.integers[c]
        out[c] = 1.0 if relevant else 0.0


cdef inline void unjudged_at(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t c, i = 0, unjudged = 0
    for c in range(p.count):
        while i < r.ret and i < p.integers[c]:
            unjudged += r.rel[i] < 0
            i += 1
        out[c] = ratio(unjudged, p.integers[c])


cdef inline void average_precision_at(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t c, i = 0, relevant = 0
    cdef double total = 0.0
    for c in range(p.count if r.num_rel != 0 else 0):
        while i < r.ret and i < p.integers[c]:
            if r.rel[i] >= r.level:
                relevant += 1
                total += ratio(relevant, i + 1)
            i += 1
        out[c] = total / <double> r.num_rel


cdef inline void inferred_ap(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t j, nonrelevant = 0, relevant = 0, unjudged = 0
    cdef double total = 0.0, above, epsilon = 0.00001
    for j in range(r.ret):
        if r.rel[j] == NOT_IN_POOL:
            continue
        if r.rel[j] == UNJUDGED:
            unjudged += 1
        elif r.rel[j] < r.level:
            nonrelevant += 1
        else:
            relevant += 1
            if j == 0:
                total += 1.0
                continue
            above = <double> j
            total += 1.0 / (above + 1.0) + (above / (above + 1.0)) * (
                <double> (relevant - 1 + nonrelevant + unjudged) / above
            ) * ((<double> (relevant - 1) + epsilon) / (<double> (relevant - 1 + nonrelevant) + 2 * epsilon))
    if r.num_rel:
        total /= <double> r.num_rel
    out[0] = total


cdef inline void utility(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    out[0] = (
        p.real[0] * <double> r.rel_ret + p.real[1] * <double> (r.ret - r.rel_ret)
        + p.real[2] * <double> (r.num_rel - r.rel_ret)
        + p.real[3] * <double> (r.collection + r.rel_ret - r.ret - r.num_rel)
    )


cdef inline void set_precision(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    if r.ret:
        out[0] = ratio(r.rel_ret, r.ret)


cdef inline void set_relative_precision(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    if r.ret and r.num_rel:
        out[0] = ratio(r.rel_ret, r.ret if r.ret < r.num_rel else r.num_rel)


cdef inline void set_recall(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    if r.num_rel:
        out[0] = ratio(r.rel_ret, r.num_rel)


cdef inline void set_map(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    if r.ret and r.num_rel:
        out[0] = <double> r.rel_ret * <double> r.rel_ret / (<double> r.ret * <double> r.num_rel)


cdef inline void set_f(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef double precision, recall, x = p.real[0]
    if r.rel_ret:
        precision = ratio(r.rel_ret, r.ret)
        recall = ratio(r.rel_ret, r.num_rel)
        out[0] = (x + 1.0) * precision * recall / (x * precision + recall)


cdef inline void binary_g(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t i, relevant = 0
    cdef double total = 0.0
    for i in range(r.ret):
        if r.rel[i] >= r.level:
            relevant += 1
            total += 1.0 / log2(<double> (3 + i - relevant))
    if relevant:
        out[0] = total / <double> r.num_rel
