# trec_eval 10's gain measures of one ranked list: dcg and its relatives, G, rank-biased precision.

from libc.math cimport log2
from libc.stdint cimport int64_t

from .measures cimport UNJUDGED, LevelGain, Parameters, Ranked

# The ideal ranking: the gain at each rank, level by level.
cdef struct Ideal:
    const LevelGain* gains
    int64_t level
    int64_t taken
    double gain


cdef inline void sort_gains(LevelGain* gains, int64_t count, LevelGain* spare) noexcept nogil:
    # The merge sort of C's library with trec_eval's comparison, which truncates the difference: gains less
    # than 1 apart keep their input order, and the result depends on how the halves are merged.
    cdef int64_t half = count // 2, a = 0, b = half, at = 0
    if count < 2:
        return
    sort_gains(gains, half, spare)
    sort_gains(gains + half, count - half, spare)
    while a < half and b < count:
        # Whether the difference, as an integer, is above 0; one too large for an integer is below 0, as on x86.
        if not 1.0 <= gains[a].gain - gains[b].gain < 2147483648.0:
            spare[at] = gains[a]
            a += 1
        else:
            spare[at] = gains[b]
            b += 1
        at += 1
    while a < half:
        spare[at] = gains[a]
        a += 1
        at += 1
    for a in range(at):
        gains[a] = spare[a]


cdef inline int64_t place_of(const Ranked* r, int64_t label) noexcept nogil:
    cdef int64_t low = 0, count = r.levels, half
    if label < 0:
        return label - UNJUDGED if label >= UNJUDGED else -1
    while count > 0:
        half = count >> 1
        if r.label[low + half] < label:
            low += half + 1
            count -= half + 1
        else:
            count = half
    return low + 2 if low < r.levels and r.label[low] == label else -1


cdef inline int64_t set_gains(const Ranked* r, const Parameters* p) noexcept nogil:
    # The gains given, then each label's own value, ascending; returns how many.
    cdef int64_t i, place, count = p.count
    for i in range(r.levels):
        r.gain_at[i + 2] = 0.0
    for i in range(p.count):
        place = place_of(r, p.integers[i])
        r.gains[i].place = place
        r.gains[i].gain = p.real[i]
        r.gains[i].count = 0
        if place >= 2 and r.gain_at[place] == 0.0:  # a label that is given twice: the first has the judgments
            r.gains[i].count = r.at_level[place - 2]
            r.gain_at[place] = 1.0
    for i in range(r.levels):
        if r.gain_at[i + 2] == 0.0:
            r.gains[count].place = i + 2
            r.gains[count].gain = <double> r.label[i]
            r.gains[count].count = r.at_level[i]
            count += 1
    if p.count:
        sort_gains(r.gains, count, r.gains + r.levels + p.count)
    place_gains(r, count)
    return count


cdef inline void place_gains(const Ranked* r, int64_t count) noexcept nogil:
    # The gain that sorts first, if a label is given twice.
    cdef int64_t i
    r.gain_at[0] = 0.0
    r.gain_at[1] = 0.0
    for i in range(count - 1, -1, -1):
        if r.gains[i].place >= 0:
            r.gain_at[r.gains[i].place] = r.gains[i].gain


cdef inline Ideal ideal_start(const Ranked* r, int64_t count) noexcept nogil:
    cdef Ideal ideal
    ideal.gains = r.gains
    ideal.level = count - 1
    ideal.taken = 0
    ideal.gain = r.gains[count - 1].gain if count > 0 else 0.0
    return ideal


cdef inline void ideal_next(Ideal* ideal) noexcept nogil:
    ideal.taken += 1
    while ideal.level >= 0 and ideal.taken > ideal.gains[ideal.level].count:
        ideal.taken = 1
        ideal.level -= 1
        ideal.gain = ideal.gains[ideal.level].gain if ideal.level >= 0 else 0.0


cdef inline double discounted(double gain, int64_t rank) noexcept nogil:
    return gain / log2(<double> (rank + 2))


cdef inline void dcg(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t i
    set_gains(r, p)
    for i in range(r.ret):
        if r.gain_at[r.place[i]] != 0:
            out[0] += discounted(r.gain_at[r.place[i]], i)


cdef inline void ideal_dcg(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t i = 0
    cdef Ideal ideal = ideal_start(r, set_gains(r, p))
    while ideal.gain > 0.0:
        ideal_next(&ideal)
        if ideal.gain > 0.0:
            out[0] += discounted(ideal.gain, i)
        i += 1


cdef inline void ndcg(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef double result = 0.0, ideal_result = 0.0
    dcg(r, p, &result)
    ideal_dcg(r, p, &ideal_result)
    if ideal_result > 0.0:
        out[0] = result / ideal_result


cdef inline void ndcg_rel(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    # nDCG averaged over the ranks of documents with a gain; documents not retrieved count at the last rank.
    cdef int64_t i = 0, count = set_gains(r, p), relevant = 0, ideal_relevant = 0
    cdef Ideal ideal = ideal_start(r, count)
    cdef double gain, result = 0.0, ideal_result = 0.0, total = 0.0
    while i < r.ret or ideal.gain > 0.0:
        gain = r.gain_at[r.place[i]] if i < r.ret else 0.0
        if gain != 0:
            result += discounted(gain, i)
        if ideal.gain > 0.0:
            ideal_next(&ideal)
            if ideal.gain > 0.0:
                ideal_relevant += 1
                ideal_result += discounted(ideal.gain, i)
        if gain > 0:
            total += result / ideal_result
            relevant += 1
        i += 1
    total += <double> (ideal_relevant - relevant) * result / ideal_result
    if total > 0.0:
        out[0] = total / <double> ideal_relevant


cdef inline void r_ndcg(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    # nDCG averaged over the ranks at which the ideal gain changes, and the last.
    cdef int64_t i = 0, count = set_gains(r, p), changes = 0
    cdef Ideal ideal = ideal_start(r, count)
    cdef double gain, before = ideal.gain, result = 0.0, ideal_result = 0.0, total = 0.0
    cdef bint beyond = False
    if r.num_rel == 0:
        return
    while i < r.ret or ideal.gain > 0.0:
        gain = r.gain_at[r.place[i]] if i < r.ret else 0.0
        if ideal.gain > 0.0:
            ideal_next(&ideal)
            if before != ideal.gain:
                if ideal_result > 0.0:
                    total += result / ideal_result
                    changes += 1
                before = ideal.gain
        else:
            beyond = True
        if gain != 0:
            result += discounted(gain, i)
        if ideal.gain > 0.0:
            ideal_result += discounted(ideal.gain, i)
        i += 1
    if beyond and ideal_result > 0.0:
        total += result / ideal_result
        changes += 1
    out[0] = total / <double> changes


cdef inline void ndcg_at(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t c, i = 0, at = r.levels - 1, taken = 0
    cdef double total = 0.0
    for c in range(p.count):
        while i < r.ret and i < p.integers[c]:
            if r.rel[i] > 0:
                total += discounted(<double> r.rel[i], i)
            i += 1
        out[c] = total
    total = 0.0
    i = 0
    for c in range(p.count):
        while i < p.integers[c]:
            taken += 1
            while at >= 0 and r.label[at] > 0 and taken > r.at_level[at]:
                at -= 1
                taken = 1
            if at < 0 or r.label[at] <= 0:
                break
            total += discounted(<double> r.label[at], i)
            i += 1
        if total > 0.0:
            out[c] /= total


cdef inline void normalized_gain(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    # G: a gain is divided by more, the larger the possible gains above it.
    cdef int64_t i = 0, count = set_gains(r, p)
    cdef Ideal ideal = ideal_start(r, count)
    cdef double gain, gained = 0.0, cost = 0.0, total = 0.0, ideal_total = 0.0
    while i < r.ret or ideal.gain > 0.0:
        if ideal.gain > 0.0:
            ideal_next(&ideal)
            if ideal.gain > 0.0:
                ideal_total += ideal.gain
            cost += ideal.gain if ideal.gain >= 1.0 else 1.0
        else:
            cost += 1.0
        if i < r.ret:
            gain = r.gain_at[r.place[i]]
            gained += gain
            if gain != 0:
                total += gain / log2(2 + cost - gained)
        i += 1
    if ideal_total > 0.0:
        out[0] = total / ideal_total


cdef inline void rbp(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    # Gains divided by the largest one, as the author intended (the program never sets its bounds).
    cdef int64_t i, count = set_gains(r, p)
    cdef double gain, least = 0.0, greatest = 0.0, weight = 1.0, total = 0.0
    for i in range(count):
        least = min(least, r.gains[i].gain)
        greatest = max(greatest, r.gains[i].gain)
    if least < 0 or greatest > 1:
        for i in range(count):
            r.gains[i].gain = (r.gains[i].gain - least) / (greatest - least)
        place_gains(r, count)
    for i in range(r.ret):
        gain = r.gain_at[r.place[i]]
        if gain != 0:
            total += gain * weight
        weight = weight * p.p
    out[0] = (1.0 - p.p) * total


cdef inline void rbp_residual(const Ranked* r, const Parameters* p, double* out) noexcept nogil:
    cdef int64_t i, unjudged = 0
    cdef double weight = 1.0, total = 0.0
    for i in range(r.ret):
        if r.rel[i] < 0:
            unjudged += 1
            total += weight
        weight = weight * p.p
    if unjudged:
        out[0] = weight + (1 - p.p) * total
