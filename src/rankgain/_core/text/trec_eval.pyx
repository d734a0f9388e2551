"""The measures of trec_eval over ranked lists."""

from libc.stdint cimport INT64_MAX, int64_t
from libc.stdlib cimport calloc, free

from .trec.gains cimport (
    dcg, ideal_dcg, ndcg, ndcg_at, ndcg_rel, normalized_gain, place_of, r_ndcg, rbp, rbp_residual,
)
from .trec.measures cimport (
    NOT_IN_POOL, UNJUDGED, Calculate, LevelGain, Parameters, Ranked, average_precision, average_precision_at,
    binary_g, bpref, eleven_point, inferred_ap, iprec_at_recall, log_average_precision, log_bpref,
    num_nonrel_judged_ret, num_rel, num_rel_ret, num_ret, precision_at, r_precision,
    r_precision_multiples, recall_at, reciprocal_rank, relative_precision_at, set_f, set_map,
    set_precision, set_recall, set_relative_precision, success_at, unjudged_at, utility, yaap,
)
from .bytes.table cimport Store, is_interrupted, release, reserve_items
from .rows cimport raise_full


cdef dict _MEASURES = {}


cdef _register(name, Calculate calculate):
    _MEASURES[name] = <size_t> <void *> calculate


_register("num_ret", num_ret)
_register("num_rel", num_rel)
_register("num_rel_ret", num_rel_ret)
_register("map", average_precision)
_register("gm_map", log_average_precision)
_register("Rprec", r_precision)
_register("bpref", bpref)
_register("recip_rank", reciprocal_rank)
_register("iprec_at_recall", iprec_at_recall)
_register("P", precision_at)
_register("recall", recall_at)
_register("infAP", inferred_ap)
_register("gm_bpref", log_bpref)
_register("Rprec_mult", r_precision_multiples)
_register("utility", utility)
_register("11pt_avg", eleven_point)
_register("binG", binary_g)
_register("G", normalized_gain)
_register("dcg", dcg)
_register("ideal_dcg", ideal_dcg)
_register("ndcg", ndcg)
_register("ndcg_rel", ndcg_rel)
_register("Rndcg", r_ndcg)
_register("ndcg_cut", ndcg_at)
_register("map_cut", average_precision_at)
_register("relative_P", relative_precision_at)
_register("success", success_at)
_register("set_P", set_precision)
_register("set_relative_P", set_relative_precision)
_register("set_recall", set_recall)
_register("set_map", set_map)
_register("set_F", set_f)
_register("num_nonrel_judged_ret", num_nonrel_judged_ret)
_register("yaap", yaap)
_register("rbp", rbp)
_register("rbp_resid", rbp_residual)
_register("unj", unjudged_at)


# Up to here, gains that are given and no whole numbers sort as in the program, which has every label in its table.
cdef enum:
    EVERY_LABEL = 1024
    SOME_WORK = 4000000    # steps: a few hundredths of a second


cdef inline int64_t _whole_label(double label) noexcept nogil:
    if label >= 9223372036854775808.0:
        return INT64_MAX
    return <int64_t> label


cdef class RankedLists:
    """trec_eval's measures of the lists that a stream found, one list at a time."""

    cdef Ranked ranked
    cdef Store rel, place, label, at_level, gains, gain_at
    cdef Parameters *parameters
    cdef Calculate *calculate
    cdef int64_t *width
    cdef int64_t measures, spare
    cdef bint judged_only, given_gains
    cdef list arrays

    def __init__(self, list measures, int64_t level, int64_t collection, bint judged_only):
        # measures: (name, whole numbers, real numbers, p, number of values) of each.
        cdef const int64_t[::1] whole
        cdef const double[::1] real
        cdef int64_t m
        self.ranked.level = level
        self.ranked.collection = collection
        self.judged_only = judged_only
        self.measures = len(measures)
        self.parameters = <Parameters *> calloc(self.measures + 1, sizeof(Parameters))
        self.calculate = <Calculate *> calloc(self.measures + 1, sizeof(Calculate))
        self.width = <int64_t *> calloc(self.measures + 1, 8)
        if self.parameters == NULL or self.calculate == NULL or self.width == NULL:
            raise MemoryError
        self.arrays = measures
        for m in range(self.measures):
            name, whole, real, p, width = measures[m]
            self.calculate[m] = <Calculate> <void *> <size_t> _MEASURES[name]
            self.parameters[m].count = max(whole.shape[0], real.shape[0])
            self.parameters[m].whole = &whole[0] if whole.shape[0] else NULL
            self.parameters[m].real = &real[0] if real.shape[0] else NULL
            self.parameters[m].p = p
            self.width[m] = width
            self.spare = max(self.spare, self.parameters[m].count)
            self.given_gains |= whole.shape[0] > 0 and real.shape[0] > 0

    def __dealloc__(self):
        free(self.parameters)
        free(self.calculate)
        free(self.width)
        release(&self.rel)
        release(&self.place)
        release(&self.label)
        release(&self.at_level)
        release(&self.gains)
        release(&self.gain_at)

    def evaluate(
        self, const int64_t[::1] order, const int64_t[:, ::1] found, const int64_t[::1] ranks, const double[::1] labels,
        const double[::1] judged, const int64_t[::1] judged_lists, double[:, ::1] out,
    ):
        """Write the values of the queries into the rows of out (zeros), in the order given.

        found: documents ranked, first hit, hits; judged: all labels of each query, descending. Returns how many
        queries were done: the program ends at one without a label from 0 on, unless another came before it.
        """
        cdef int64_t i, q, work = 0
        cdef int status = 0
        cdef const double *none = NULL
        with nogil:
            for i in range(order.shape[0]):
                q = order[i]
                status = self._lay_labels(&judged[judged_lists[q]], judged_lists[q + 1] - judged_lists[q])
                if status:
                    break
                status = self._lay(
                    found[q, 0], &ranks[0] + found[q, 1] if found[q, 2] else NULL,
                    &labels[0] + found[q, 1] if found[q, 2] else none, found[q, 2],
                )
                if status:
                    break
                if out.shape[1] > 0:
                    self._calculate(&out[q, 0])
                work += (found[q, 0] + judged_lists[q + 1] - judged_lists[q]) * (self.measures + 1)
                if work > SOME_WORK:
                    work = 0
                    if is_interrupted():
                        status = 2
                        break
            else:
                i = order.shape[0]
        if status == 2:
            raise_full()
        return i

    cdef int _lay_labels(self, const double *judged, int64_t size) noexcept nogil:
        # The labels of the judgments, which descend. 1 if the program ends here, 2 if there is no memory.
        cdef Ranked *r = &self.ranked
        cdef int64_t i, label, levels, greatest = _whole_label(judged[0])
        cdef bint every = self.given_gains and 0 <= greatest < EVERY_LABEL
        r.num_rel = 0
        if greatest >= 0:
            self.label.size = 0
            self.at_level.size = 0
            levels = max(size, EVERY_LABEL if every else 0)
            if not reserve_items(&self.label, levels, 8) or not reserve_items(&self.at_level, levels, 8):
                return 2
            r.label = <int64_t *> self.label.data
            r.at_level = <int64_t *> self.at_level.data
            levels = 0
            for i in range(size - 1, -1, -1):
                label = _whole_label(judged[i])
                if label < 0:
                    continue
                levels = self._next_label(label, levels, every)
                r.num_rel += label >= r.level
            r.levels = levels
        elif r.levels == 0:
            return 1
        self.gains.size = 0
        self.gain_at.size = 0
        if not reserve_items(&self.gains, 2 * (r.levels + self.spare), sizeof(LevelGain)) or not reserve_items(&self.gain_at, r.levels + 2, 8):
            return 2
        r.gains = <LevelGain *> self.gains.data
        r.gain_at = <double *> self.gain_at.data
        return 0

    cdef int64_t _next_label(self, int64_t label, int64_t levels, bint every) noexcept nogil:
        # Count a judgment with a label not below those before it; returns how many labels there are now.
        cdef int64_t *labels = <int64_t *> self.label.data
        cdef int64_t *counts = <int64_t *> self.at_level.data
        while levels == 0 or labels[levels - 1] < label:
            labels[levels] = levels if every else label
            counts[levels] = 0
            levels += 1
        counts[levels - 1] += 1
        return levels

    cdef int _lay(self, int64_t ranked, const int64_t *ranks, const double *labels, int64_t hits) noexcept nogil:
        # The documents by rank. 2 if there is no memory.
        cdef int64_t i, label, at = 0
        cdef Ranked *r = &self.ranked
        self.rel.size = 0
        self.place.size = 0
        if not reserve_items(&self.rel, max(ranked, 0), 8) or not reserve_items(&self.place, max(ranked, 0), 8):
            return 2
        r.rel = <int64_t *> self.rel.data
        r.place = <int64_t *> self.place.data
        r.rel_ret = 0
        r.unjudged = 0
        for i in range(hits):
            label = _whole_label(labels[i])
            if label < 0:
                label = UNJUDGED
                r.unjudged += 1
                if self.judged_only:
                    continue
            else:
                r.rel_ret += label >= r.level
            at = self._put(label, at, at if self.judged_only else ranks[i])
        if not self.judged_only:
            self._put_others(at, ranked)
        r.ret = at if self.judged_only else ranked
        r.not_in_pool = 0 if self.judged_only else ranked - hits
        if self.judged_only:
            r.unjudged = 0
        return 0

    cdef int64_t _put(self, int64_t label, int64_t at, int64_t rank) noexcept nogil:
        # Documents without a judgment up to the rank, then this one; returns the next rank.
        self._put_others(at, rank)
        (<int64_t *> self.rel.data)[rank] = label
        (<int64_t *> self.place.data)[rank] = place_of(&self.ranked, label)
        return rank + 1

    cdef void _put_others(self, int64_t at, int64_t stop) noexcept nogil:
        cdef int64_t i
        for i in range(at, stop):
            (<int64_t *> self.rel.data)[i] = NOT_IN_POOL
            (<int64_t *> self.place.data)[i] = place_of(&self.ranked, NOT_IN_POOL)

    cdef void _calculate(self, double *out) noexcept nogil:
        cdef int64_t m, at = 0
        for m in range(self.measures):
            self.calculate[m](&self.ranked, &self.parameters[m], &out[at])
            at += self.width[m]
