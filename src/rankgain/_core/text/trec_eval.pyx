"""The measures of trec_eval over ranked lists."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from .bytes.gains cimport (
    dcg, ideal_dcg, ndcg, ndcg_at, ndcg_rel, normalized_gain, r_ndcg, rbp, rbp_residual,
)
from .bytes.measures cimport (
    NOT_IN_POOL, UNJUDGED, Calculate, LevelGain, Parameters, Ranked, average_precision, average_precision_at,
    binary_g, bpref, eleven_point, inferred_ap, iprec_at_recall, log_average_precision, log_bpref,
    num_nonrel_judged_ret, num_rel, num_rel_ret, num_ret, precision_at, r_precision,
    r_precision_multiples, recall_at, reciprocal_rank, relative_precision_at, set_f, set_map,
    set_precision, set_recall, set_relative_precision, success_at, unjudged_at, utility, yaap,
)
from .bytes.table cimport Store, release, reserve

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


cdef class RankedLists:
    """trec_eval's measures of the lists that a stream found, one list at a time."""

    cdef Ranked ranked
    cdef Store rel, at_level, gains
    cdef Parameters *parameters
    cdef Calculate *calculate
    cdef int64_t *width
    cdef int64_t measures, spare
    cdef bint judged_only
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

    def __dealloc__(self):
        free(self.parameters)
        free(self.calculate)
        free(self.width)
        release(&self.rel)
        release(&self.at_level)
        release(&self.gains)

    def evaluate(
        self, const int64_t[::1] order, const int64_t[:, ::1] found, const int64_t[::1] ranks, const double[::1] labels,
        const double[::1] judged, const int64_t[::1] judged_lists, double[:, ::1] out,
    ):
        """Write the values of the queries into the rows of out (zeros), in the order given.

        found: documents ranked, first hit, hits; judged: all labels of each query, descending. Returns how many
        queries were done: the program ends at one without a label from 0 on, unless another came before it.
        """
        cdef int64_t i, q
        cdef int status = 0
        cdef const double *none = NULL
        with nogil:
            for i in range(order.shape[0]):
                q = order[i]
                status = self._lay(
                    found[q, 0], &ranks[0] + found[q, 1] if found[q, 2] else NULL,
                    &labels[0] + found[q, 1] if found[q, 2] else none, found[q, 2],
                    &judged[judged_lists[q]], judged_lists[q + 1] - judged_lists[q],
                )
                if status:
                    break
                if out.shape[1] > 0:
                    self._calculate(&out[q, 0])
            else:
                i = order.shape[0]
        if status == 2:
            raise MemoryError
        return i

    cdef int _lay(
        self, int64_t ranked, const int64_t *ranks, const double *labels, int64_t hits, const double *judged, int64_t size
    ) noexcept nogil:
        # 1 if the program ends here, 2 if there is no memory.
        cdef int64_t i, rank, label, at = 0, greatest = <int64_t> judged[0]
        cdef int64_t *rel
        cdef int64_t *at_level
        cdef Ranked *r = &self.ranked
        r.num_rel = 0
        if greatest >= 0:
            self.at_level.size = 0
            if not reserve(&self.at_level, (greatest + 1) * 8):
                return 2
            memset(self.at_level.data, 0, (greatest + 1) * 8)
            r.levels = greatest + 1
            at_level = <int64_t *> self.at_level.data
            r.at_level = at_level
            for i in range(size):
                label = <int64_t> judged[i]
                if label < 0:
                    break
                at_level[label] += 1
                r.num_rel += label >= r.level
        elif r.levels == 0:
            return 1
        self.rel.size = 0
        self.gains.size = 0
        if not reserve(&self.rel, max(ranked, 0) * 8 + 8) or not reserve(&self.gains, 2 * (r.levels + self.spare + 1) * sizeof(LevelGain)):
            return 2
        r.gains = <LevelGain *> self.gains.data
        rel = <int64_t *> self.rel.data
        r.rel = rel
        r.rel_ret = 0
        r.unjudged = 0
        for i in range(hits):
            rank = ranks[i]
            label = <int64_t> labels[i]
            if label < 0:
                label = UNJUDGED
                r.unjudged += 1
                if self.judged_only:
                    continue
            else:
                r.rel_ret += label >= r.level
            if self.judged_only:
                rel[at] = label
                at += 1
                continue
            while at < rank:
                rel[at] = NOT_IN_POOL
                at += 1
            rel[at] = label
            at += 1
        while not self.judged_only and at < ranked:
            rel[at] = NOT_IN_POOL
            at += 1
        r.ret = at if self.judged_only else ranked
        r.not_in_pool = 0 if self.judged_only else ranked - hits
        if self.judged_only:
            r.unjudged = 0
        return 0

    cdef void _calculate(self, double *out) noexcept nogil:
        cdef int64_t m, at = 0
        for m in range(self.measures):
            self.calculate[m](&self.ranked, &self.parameters[m], &out[at])
            at += self.width[m]
