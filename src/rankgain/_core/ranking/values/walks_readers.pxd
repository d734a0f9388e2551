"""Walks that ask where a reader stops, and counts with a cutoff that depends on R.

No documents tie, except in walks that say so: hit b is at rank start[b], from 0.
"""

from libc.math cimport NAN, log2
from libc.stdint cimport int64_t

from ..types cimport *
from ..gain cimport gain_of
from .walks cimport walk_prefix
from .walks_blocks cimport cut_at_multiple, rank_of_cut, walk_first_documents


cdef inline double chance_to_continue(const Walk *walk, double rank, double gain, double gained) noexcept nogil:
    """C(i): the chance that a reader of rank i, counted from 1, goes on to rank i + 1. gained: up to and including rank i.

    INST, with the goal T (Bailey et al. 2015): ((i + T + t - 1) / (i + T + t))^2, t = T - gained
    BPM (Zhang et al. 2017): 1 until T is gained, then 0
    NERR8 to NERR11 (Azzopardi, Mackenzie and Moffat 2021): 1 - g times 1, i / (i + 1), p, or ((i + 2T - 1) / (i + 2T))^2
    """
    cdef double later, chance
    if walk.shape == BPM:
        return 1.0 if gained < walk.parameter else 0.0
    if walk.shape == NERR8:
        return 1.0 - gain
    if walk.shape == NERR9:
        return rank / (rank + 1.0) * (1.0 - gain)
    if walk.shape == NERR10:
        return walk.parameter * (1.0 - gain)
    # INST and NERR11, with `later` as i + T + t or i + 2T.
    if walk.shape == INST:
        later = rank + walk.parameter + (walk.parameter - gained)
    else:
        later = rank + walk.parameter + walk.parameter
    chance = (later - 1.0) / later * ((later - 1.0) / later)
    return chance if walk.shape == INST else chance * (1.0 - gain)


cdef inline void walk_user_model(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """The gain for each document read, under a chance C(i) to read on (Moffat et al. 2017).

    Sum of w(i) g(i) over sum of w(i), with w(1) = 1 and w(i + 1) = w(i) C(i), down to each cutoff; ranks below the list have no gain.
    """
    cdef double weight = 1.0, weights = 0.0, total = 0.0, gained = 0.0, gain
    cdef Py_ssize_t b = 0, c
    cdef int64_t rank = 0
    for c in range(walk.n_cuts):
        while rank < walk.cuts[c] and weight > 0.0:
            gain = 0.0
            if b < hits.n_blocks and hits.start[b] == rank:
                gain = gain_of(&walk.gain, hits.label[b])
                b += 1
            rank += 1
            weights += weight
            total += weight * gain
            gained += gain
            weight *= chance_to_continue(walk, <double> rank, gain, gained)
        out[c] = total / weights


cdef inline void walk_accuracy(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Pairs of a relevant and another document above the cutoff in the right order, over all of these; NaN without any."""
    cdef int64_t h = 0, others
    cdef int64_t above = 0  # pairs with the other document above the relevant one
    cdef Py_ssize_t b = 0, c
    for c in range(walk.n_cuts):
        while b < hits.n_blocks and hits.start[b] < walk.cuts[c]:
            if hits.label[b] >= walk.rel:
                above += hits.start[b] - h
                h += 1
            b += 1
        others = min(hits.n_docs, walk.cuts[c]) - h
        if others > 0 and h > 0:
            out[c] = 1.0 - <double> above / (<double> others * <double> h)
        else:
            out[c] = NAN


cdef inline void walk_prefix_at_r(const Hits *hits, const Walk *walk, int64_t relevant, double *out) noexcept nogil:
    """As walk_prefix, with R as the cutoff; documents may tie."""
    cdef Walk here = walk[0]
    here.shape = PREFIX
    here.n_cuts = 1
    here.cuts = &relevant
    out[0] = 0.0
    if relevant > 0:
        walk_prefix(hits, &here, out)


cdef inline void walk_precision_at_multiple(const Hits *hits, const Walk *walk, int64_t relevant, double *out) noexcept nogil:
    """Precision at a multiple of R, rounded up from a tenth on; documents may tie."""
    cdef double cut = cut_at_multiple(walk.parameter, relevant)
    walk_first_documents(hits, walk, rank_of_cut(cut), out)
    if cut > 0:
        out[0] /= <double> cut


cdef inline void walk_binary_g(const Hits *hits, const Walk *walk, double *out) noexcept nogil:
    """Sum over relevant documents of 1 / log2(2 + the number of other documents above)."""
    cdef int64_t h = 0
    cdef double total = 0.0
    cdef Py_ssize_t b
    for b in range(hits.n_blocks):
        if hits.label[b] >= walk.rel:
            total += 1.0 / log2(<double> (2 + hits.start[b] - h))
            h += 1
    out[0] = total
