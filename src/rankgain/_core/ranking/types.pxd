"""The data that the stages hand to each other. No stage knows more than the structs of its neighbours."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from .watch cimport Watch
from ..simd.fetch cimport ahead

ctypedef fused real:
    float
    double

ctypedef fused whole:
    int32_t
    int64_t

cdef enum Ties:
    AVERAGE, STABLE, REVERSE, BEST, WORST, RANDOM, BY_KEY

cdef inline dict words_of_ties():
    return {"average": AVERAGE, "stable": STABLE, "reverse": REVERSE, "best": BEST, "worst": WORST, "random": RANDOM, "key": BY_KEY}

cdef enum FaultCode:
    NO_FAULT, NAN_SCORE, BAD_LABEL, NEGATIVE_LABEL, LABEL_ABOVE_MAX, WIDE_INTEGER, GAIN_OVERFLOW, FEWER_JUDGED, NO_MEMORY, BAD_INDEX,
    REPEATED_INDEX, NO_WALK, NO_FINISH, ENDED

# doc: the document; of BAD_INDEX the stored entry, of REPEATED_INDEX the entry among those kept (without zeros);
# of FEWER_JUDGED the relevant documents of the list, and value: those judged.
cdef struct Fault:
    FaultCode code
    Py_ssize_t list
    Py_ssize_t doc
    double value

# Labels in the caller's form: dense, beside the scores, or sparse (indices not NULL): list i holds entries indptr[i] .. indptr[i+1]-1.
cdef struct Labels:
    const char *data
    int kind
    const char *indices
    bint wide_indices
    const int64_t *indptr
    Py_ssize_t columns  # sparse: an index must be below it
    bint checked  # labels were checked before (Truth): no pass over all of them
    bint ranked  # sparse: double labels other than 0 at int64 ranks in ascending order, where the order is given
    const uint32_t *rank_bits  # or NULL: the ranks below 32 of each list's hits, as bits
    const int64_t *sizes  # not NULL: hits are ranked, too, and sizes[j] documents share the rank of hit j; labels may be 0, and descend there

# One list's dense labels, readable at any position.
cdef struct LabelView:
    const char *data
    int kind

# Hits that have no rank yet: position in the list and label.
cdef struct Entries:
    Py_ssize_t n
    uint32_t *pos
    double *label

# Hits in rank order; the narrow waist. Inside a tie block by descending label.
cdef struct Hits:
    Py_ssize_t n_docs
    Py_ssize_t n_blocks
    double *label
    int64_t *start  # block b: ranks start .. start+size-1 (from 0)
    int64_t *size
    Py_ssize_t *first  # its hits are first[b] .. first[b+1]-1
    bint untied  # every block is known to be one document, which need not be checked; then `run_call_lists` has filled `first` and `size`

cdef inline void begin_block(Hits *hits, int64_t start, int64_t size, Py_ssize_t first) noexcept nogil:
    hits.start[hits.n_blocks] = start
    hits.size[hits.n_blocks] = size
    hits.first[hits.n_blocks] = first
    hits.n_blocks += 1

cdef inline void add_hit(Hits *hits, Py_ssize_t i, int64_t start, int64_t size, double label) noexcept nogil:
    """Hit i comes to the last block, or begins one at another rank; inside a block labels descend."""
    if hits.n_blocks == 0 or hits.start[hits.n_blocks - 1] != start:
        begin_block(hits, start, size, i)
    hits.first[hits.n_blocks] = i + 1
    while i > hits.first[hits.n_blocks - 1] and hits.label[i - 1] < label:
        hits.label[i] = hits.label[i - 1]
        i -= 1
    hits.label[i] = label

# Judged labels, descending, as runs of equal ones; complete or as deep as the plan asks. No run is empty. Truncated labels may give several
# runs of one label, one after the other.
cdef struct Ideal:
    Py_ssize_t n_runs
    double *level
    int64_t *count

cdef struct WeightTable:
    const double *value
    Py_ssize_t n
    const double *high  # running sum at every 64th rank, as an unevaluated sum high + low
    const double *low

# What documents cover, of judgments of the parts of queries: document i covers part[indptr[i]] .. part[indptr[i + 1] - 1], ascending.
# Parts of all queries are numbered together. The label of a hit is the number of its document plus 1.
cdef struct PartTable:
    const int64_t *indptr
    const int64_t *part
    const double *covering  # judged documents that cover each part
    Py_ssize_t n_documents
    Py_ssize_t n_parts

cdef enum GainKind:
    LINEAR, EXP2, BINARY, TABLE, SCALED

cdef struct GainRule:
    GainKind kind
    double rel  # binary: labels >= rel have the gain 1; scaled: the label that has the gain 0
    double top  # scaled: the label that has the gain 1
    double floor  # labels below have the gain 0
    const double *labels  # table: ascending
    const double *gains
    Py_ssize_t n
    bint monotone  # under the floor, it does not decrease with the label, and label 0 has the gain 0
    bint zero_counts  # label 0 has a gain other than 0

cdef enum Shape:
    DOT, IDEAL_DOT, COUNT, COUNT_AT_R, FIRST, ANY, PREFIX, PREFIX_OVER_HITS, CASCADE, PAIRS,
    JUDGED, NONRELEVANT, BPREF, INFERRED, INTERPOLATED, ELEVEN_POINTS, R_NDCG, JUDGED_DOT,
    PREFIX_AT_END, LAST, ABOVE, FIRST_RANK, ANY_RANK, COUNT_AT_SHARE, CASCADE_DECAY,
    BPM, INST, NERR8, NERR9, NERR10, NERR11, ACCURACY, OVERLAP, OVERLAP_OF_WEIGHTS, BLENDED, IDEAL_CASCADE, PREFIX_AT_R, PRECISION_AT_MULTIPLE,
    BINARY_G, G, NDCG_AT_HITS, PART_DOT, PART_PREFIX

cdef inline dict words_of_shapes():
    """The words by which rows of measures ask for a walk."""
    return {
        "dot": DOT, "ideal": IDEAL_DOT, "count": COUNT, "count_at_r": COUNT_AT_R, "first": FIRST, "any": ANY,
        "prefix": PREFIX, "prefix_over_hits": PREFIX_OVER_HITS, "cascade": CASCADE, "pairs": PAIRS,
        "judged": JUDGED, "judged_dot": JUDGED_DOT, "nonrelevant": NONRELEVANT, "bpref": BPREF, "inferred": INFERRED, "interpolated": INTERPOLATED,
        "eleven_points": ELEVEN_POINTS, "r_ndcg": R_NDCG, "prefix_at_end": PREFIX_AT_END, "last": LAST, "above": ABOVE, "first_rank": FIRST_RANK,
        "any_rank": ANY_RANK, "count_at_share": COUNT_AT_SHARE, "cascade_decay": CASCADE_DECAY,
        "bpm": BPM, "inst": INST, "nerr8": NERR8, "nerr9": NERR9, "nerr10": NERR10, "nerr11": NERR11, "accuracy": ACCURACY,
        "overlap": OVERLAP, "overlap_of_weights": OVERLAP_OF_WEIGHTS, "blended": BLENDED, "ideal_cascade": IDEAL_CASCADE,
        "prefix_at_r": PREFIX_AT_R, "precision_at_multiple": PRECISION_AT_MULTIPLE, "binary_g": BINARY_G, "g": G, "ndcg_at_hits": NDCG_AT_HITS,
        "part_dot": PART_DOT, "part_prefix": PART_PREFIX,
    }

cdef inline bint reads_ideal(Shape shape) noexcept nogil:
    return shape == IDEAL_DOT or shape == IDEAL_CASCADE or shape == BLENDED or reads_whole_ideal(shape)

cdef inline bint reads_whole_ideal(Shape shape) noexcept nogil:
    return shape == R_NDCG or shape == OVERLAP or shape == OVERLAP_OF_WEIGHTS or shape == G or shape == NDCG_AT_HITS

cdef inline bint is_of_ideal(Shape shape) noexcept nogil:
    """Whether a walk reads no document of the list."""
    return shape == IDEAL_DOT or shape == IDEAL_CASCADE

cdef inline bint ends_by_r(Shape shape) noexcept nogil:
    """Whether the number of relevant documents says how deep a walk goes."""
    return shape == COUNT_AT_R or shape == PREFIX_AT_R or shape == PRECISION_AT_MULTIPLE

cdef inline bint is_user_model(Shape shape) noexcept nogil:
    return shape == BPM or shape == INST or shape == NERR8 or shape == NERR9 or shape == NERR10 or shape == NERR11

cdef inline bint is_slow(Shape shape) noexcept nogil:
    """Whether a walk takes time that grows with the square of a tie block; of PREFIX_OVER_HITS only `extreme_over_hits` does."""
    return shape == CASCADE or shape == CASCADE_DECAY or shape == PREFIX_OVER_HITS

# One walk over the hits, with all its cutoffs.
cdef struct Walk:
    Shape shape
    GainRule gain
    WeightTable weight
    PartTable parts
    double rel
    int rel_index
    double max_label
    double judged  # labels from here on are judged; those below are in the pool only
    int judged_index  # of their number, among the rels
    double parameter  # by shape: a level of recall, a share of the list, the share of a tie block that counts as above, or the measure's parameter
    double rounding  # added to the level of recall times R before the fraction is cut; below 0: rounded up
    Py_ssize_t n_cuts
    const int64_t *cuts  # ascending
    Py_ssize_t out  # index of its first value

cdef enum Finish:
    VALUE, OVER_IDEAL, OVER_NONZERO_IDEAL, OVER_IDEAL_OR_1, OVER_LARGEST, OVER_K, OVER_R, OVER_R_OR_K, F_BETA, IF_RELEVANT,
    IF_POSITIVE, OVER_PAIRS, ITEMS, R_OR_K, RELEVANT, ONE, REST, OVER_ITEMS, OTHERS_OVER_ITEMS, R_OR_N, OVER_R_OR_N, SET_AP,
    LIFT, CROSSED, MEAN_RANK, EXPECTED_RANK, OVER_EXPECTED_RANK, EXPECTED_ABOVE, OVER_EXPECTED_ABOVE, OVER_WEIGHTS, LESS_OTHERS, LOG_ODDS

cdef inline dict words_of_finishes():
    return {
        "value": VALUE, "over_ideal": OVER_IDEAL, "over_nonzero_ideal": OVER_NONZERO_IDEAL, "over_ideal_or_1": OVER_IDEAL_OR_1, "over_largest": OVER_LARGEST,
        "over_k": OVER_K, "over_r": OVER_R, "over_r_or_k": OVER_R_OR_K, "f_beta": F_BETA,
        "if_relevant": IF_RELEVANT, "if_positive": IF_POSITIVE, "over_pairs": OVER_PAIRS, "items": ITEMS, "r_or_k": R_OR_K,
        "r_or_n": R_OR_N, "relevant": RELEVANT, "one": ONE, "rest": REST, "over_items": OVER_ITEMS, "others_over_items": OTHERS_OVER_ITEMS,
        "over_r_or_n": OVER_R_OR_N, "set_ap": SET_AP, "lift": LIFT, "crossed": CROSSED, "mean_rank": MEAN_RANK, "expected_rank": EXPECTED_RANK,
        "over_expected_rank": OVER_EXPECTED_RANK, "expected_above": EXPECTED_ABOVE, "over_expected_above": OVER_EXPECTED_ABOVE,
        "over_ideal_cascade": OVER_IDEAL, "over_ideal_labels": OVER_IDEAL, "over_weights": OVER_WEIGHTS, "less_others": LESS_OTHERS, "log_odds": LOG_ODDS,
    }

# One column of the result. A ratio is scale * value / (slope * divisor + shift), with min(shift, n) if `divide_by_min`, and cut at
# limit. It is NaN unless what it is divided by is above 0. With slope 0, the divisor only says whether the value is defined, as
# 0 * NaN is NaN. For example, OVER_R has slope 1 and shift 0; OVER_K slope 0 and shift k; F_BETA slope beta * beta and shift k;
# OVER_WEIGHTS slope 0 and shift `least`.
cdef struct Column:
    Finish finish
    bint is_ratio
    bint is_value  # the value itself, but NaN if the divisor is NaN
    int rel_index
    bint divide_by_min  # min(k, n) instead of k
    Py_ssize_t value  # index into the values
    Py_ssize_t divisor
    double scale
    double slope
    double shift
    double limit
    double least  # OVER_LARGEST: the least divisor; OVER_WEIGHTS: the divisor, the sum of the weights above the cutoff
    double k  # infinity: no cutoff
    double share  # of the list, instead of a cutoff; 0: none
    int steps  # what a relevant document adds to a sum over R, or 0: another ratio

cdef enum:
    BY_COUNT_OF_HITS = 1
    BY_PRECISION = 2  # at its rank, at least

# Values of a list that follow those of its walks: what columns divide by.
cdef enum:
    BY_ONE  # 1
    BY_POSITIVE  # 1, or NaN if no label is positive
    BY_RELEVANT  # R of a value of rel, or NaN if R is 0: one for each rel

# What a call computes for every list.
cdef struct Task:
    Ties ties
    uint64_t seed
    GainRule tie_gain
    bint extremes  # of tied documents the worst and the best order give a row of values each; with the rule AVERAGE only
    bint zero_is_hit
    bint refuse_negative
    bint needs_ideal
    bint needs_full_ideal
    bint needs_r_depth
    double r_multiple  # then the ranking is as deep as this multiple of R, rounded up from a tenth on
    bint rises  # no measure falls with a further hit, and none rises with the ideal and R (RISING, FALLING)
    bint slow  # some walk takes time that grows with the square of a tie block
    double max_label  # infinity: unchecked
    int64_t depth  # of the ranking
    int64_t ideal_depth
    Py_ssize_t n_rels
    const double *rels
    Py_ssize_t n_walks
    const Walk *walks
    Py_ssize_t n_values
    Py_ssize_t n_parts  # of all queries, where a walk reads parts
    Py_ssize_t n_columns
    Py_ssize_t width  # numbers that are written for a list
    const Column *columns

# Complete runs of the judged labels of many lists, made once for many calls: list i has runs first[i] .. first[i+1]-1. None is empty. As in
# `Ideal`, several runs may have one label.
cdef struct LabelRuns:
    const int64_t *first
    const double *level
    const int64_t *count

# The rankers that a list goes through, as bits. Only tests read them.
cdef enum:
    BY_GIVEN = 1
    BY_SELECT = 2
    BY_GATHER = 4
    BY_COUNT = 8
    BY_SORT = 16
    BY_STRADDLE = 32

# Buffers of one thread, each as long as its longest list needs. Most serve several stages in turn. Walks may write to `scratch`, `by_gain`
# and `of_part` only: under the tie rules "best" and "worst" and for bounds of ties, they read `ordered`, which lies in `keys` and `candidates`.
cdef struct Workspace:
    char *block
    Watch watch  # ends the call after Ctrl-C
    ahead next  # addresses of the next list, to be fetched into the caches during this one
    Py_ssize_t step  # from one column of the result to the next
    char *wide  # labels widened to float or double
    double *scratch  # 2 * n + 256: scores of entries, then sorted labels, then what a walk writes; for bounds, sums of precisions
    uint64_t *keys  # 3 * n + 1, as `ordered.first` has n + 1 entries
    uint32_t *order  # 2 * n
    char *candidates  # scores of the candidates
    uint32_t *candidate_positions  # in the list
    char *maxima
    Entries entries
    Py_ssize_t *greater  # of the entries, where they are counted
    Py_ssize_t *equal
    uint32_t *slot
    Hits hits
    Hits ordered  # the same with the tied documents in one order, in the memory of `keys` and `candidates`
    Ideal ideal
    Ideal by_gain
    double *values
    double *of_part  # a number for each part, of the walks over parts
    bint undefined  # some value of the lists so far is
    bint negative  # some dense label of the lists so far is, if they were not checked before
    int rankers  # of the last list
    int64_t *relevant  # per rel: R
    int64_t *listed  # per rel: relevant in the list itself
