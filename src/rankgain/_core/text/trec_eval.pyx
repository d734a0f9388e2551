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


# Up to here, given gains that are not whole numbers are sorted as in the program, whose table has every label.
cdef enum:
    EVERY_LABEL = 1024
    SOME_WORK = 4000000    # steps: a few hundredths of a second


cdef struct Measure:
    Calculate calculate
    Parameters parameters
    int64_t width          # values


cdef inline int64_t _whole_label(double label) noexcept nogil:
    if label >= 9223372036854775808.0:
        return INT64_MAX
    return <int64_t> label


cdef class RankedLists:
    """trec_eval's measures of the lists of a stream, one list at a time."""

    cdef Ranked ranked
    cdef Store documents, levels
    cdef Measure *measures
    cdef int64_t count, spare
    cdef bint judged_only, given_gains
    cdef list arrays

    def __init__(self, list measures, int64_t level, int64_t collection, bint judged_only):
        # measures: (name, whole numbers, real numbers, p, number of values) of each.
        cdef const int64_t[::1] integers
        cdef const double[::1] real
        cdef Measure *m
        self.ranked.level = level
        self.ranked.collection = collection
        self.judged_only = judged_only
        self.count = len(measures)
        self.measures = <Measure *> calloc(self.count + 1, sizeof(Measure))
        if self.measures == NULL:
            raise MemoryError
        self.arrays = measures
        for i, (name, integers, real, p, width) in enumerate(measures):
            m = &self.measures[i]
            m.calculate = <Calculate> <void *> <size_t> _MEASURES[name]
            m.parameters.count = max(integers.shape[0], real.shape[0])
            m.parameters.integers = &integers[0] if integers.shape[0] else NULL
            m.parameters.real = &real[0] if real.shape[0] else NULL
            m.parameters.p = p
            m.width = width
            self.spare = max(self.spare, m.parameters.count)
            self.given_gains |= integers.shape[0] > 0 and real.shape[0] > 0

    def __dealloc__(self):
        free(self.measures)
        release(&self.documents)
        release(&self.levels)

    def evaluate(
        self, const int64_t[::1] order, const int64_t[:, ::1] hit_spans, const int64_t[::1] ranks, const double[::1] labels,
        const double[::1] judged, const int64_t[::1] judged_lists, double[:, ::1] out,
    ):
        """Write the values of the queries into the rows of out (zeros), in the order given.

        hit_spans: documents ranked, first hit, hits; judged: all labels of each query, descending. Returns how many
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
                    hit_spans[q, 0], &ranks[0] + hit_spans[q, 1] if hit_spans[q, 2] else NULL,
                    &labels[0] + hit_spans[q, 1] if hit_spans[q, 2] else none, hit_spans[q, 2],
                )
                if status:
                    break
                if out.shape[1] > 0:
                    self._calculate(&out[q, 0])
                work += (hit_spans[q, 0] + judged_lists[q + 1] - judged_lists[q]) * (self.count + 1)
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
        cdef int64_t i, label, room, greatest = _whole_label(judged[0])
        cdef bint every = self.given_gains and 0 <= greatest < EVERY_LABEL
        r.num_rel = 0
        if greatest < 0:
            return r.levels == 0
        room = max(size, EVERY_LABEL if every else 0) + self.spare
        if not reserve_items(&self.levels, room + 2, 3 * 8 + 2 * sizeof(LevelGain)):
            return 2
        r.gains = <LevelGain *> self.levels.data
        r.label = <int64_t *> (r.gains + 2 * room)
        r.at_level = r.label + room
        r.gain_at = <double *> (r.at_level + room)
        r.levels = 0
        for i in range(size - 1, -1, -1):
            label = _whole_label(judged[i])
            if label >= 0:
                self._count_label(label, every)
                r.num_rel += label >= r.level
        return 0

    cdef void _count_label(self, int64_t label, bint every) noexcept nogil:
        # Of a judgment, not below those before it.
        cdef Ranked *r = &self.ranked
        while r.levels == 0 or r.label[r.levels - 1] < label:
            r.label[r.levels] = r.levels if every else label
            r.at_level[r.levels] = 0
            r.levels += 1
        r.at_level[r.levels - 1] += 1

    cdef int _lay(self, int64_t ranked, const int64_t *ranks, const double *labels, int64_t hits) noexcept nogil:
        # The documents by rank. 2 if there is no memory.
        cdef int64_t i, label, at = 0
        cdef Ranked *r = &self.ranked
        if not reserve_items(&self.documents, max(ranked, 0), 16):
            return 2
        r.rel = <int64_t *> self.documents.data
        r.place = r.rel + max(ranked, 0)
        r.rel_ret = 0
        r.unjudged = 0
        for i in range(ranked):
            r.rel[i] = NOT_IN_POOL
            r.place[i] = place_of(r, NOT_IN_POOL)
        for i in range(hits):
            label = _whole_label(labels[i])
            if label < 0:
                label = UNJUDGED
                r.unjudged += 1
                if self.judged_only:
                    continue
            else:
                r.rel_ret += label >= r.level
            at = at if self.judged_only else ranks[i]
            r.rel[at] = label
            r.place[at] = place_of(r, label)
            at += 1
        r.ret = at if self.judged_only else ranked
        r.not_in_pool = 0 if self.judged_only else ranked - hits
        if self.judged_only:
            r.unjudged = 0
        return 0

    cdef void _calculate(self, double *out) noexcept nogil:
        cdef int64_t i
        cdef Measure *m
        for i in range(self.count):
            m = &self.measures[i]
            m.calculate(&self.ranked, &m.parameters, out)
            out += m.width
