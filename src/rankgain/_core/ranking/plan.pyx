"""Plans: the walks, weights, gains and columns of a call; the words of rows and settings as numbers of the core."""

from libc.math cimport INFINITY, log, log2
from libc.stdint cimport INT64_MAX, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

from .gain cimport gain_of
from .types cimport *

TIES = words_of_ties()
SHAPES = words_of_shapes()
FINISHES = words_of_finishes()
# Finishes that are ratios, or values that may be undefined, with the divisor: a value that follows those of the walks, or None for that of the ideal's walk.
RATIOS = {
    VALUE: BY_ONE, IF_POSITIVE: BY_POSITIVE, IF_RELEVANT: BY_RELEVANT, OVER_R: BY_RELEVANT, OVER_K: BY_RELEVANT, F_BETA: BY_RELEVANT,
    OVER_IDEAL: None, OVER_WEIGHTS: BY_ONE,
}
# Shapes whose value no further hit lowers and no larger ideal or R raises. Those that end by R (`ends_by_r`) are not among them: with a
# larger R they go deeper, and their value may rise.
RISING = ("dot", "count", "first", "any", "prefix", "prefix_at_end", "cascade", "cascade_decay", "interpolated", "eleven_points")
# Finishes that, for a given value of the walk, no larger ideal or R raises.
FALLING = ("value", "over_ideal", "over_ideal_labels", "over_ideal_cascade", "over_nonzero_ideal", "over_ideal_or_1", "over_weights", "over_k",
           "over_r", "over_r_or_k", "over_r_or_n", "f_beta", "if_relevant", "if_positive")
TWO_VALUES = ("pairs", "above")  # shapes whose walks write a second value behind the first: all pairs, or the relevant documents of the list
# Cutoffs of walks besides those of the rows. No list is so long that the last two end it.
cdef int64_t NO_CUTOFF = INT64_MAX
cdef int64_t SECOND_VALUE = INT64_MAX - 1  # reserves a second slot among the values of a walk
cdef int64_t MAX_CUTOFF = INT64_MAX - 2  # of a row
GAINS = {"linear": LINEAR, "exp2": EXP2, "binary": BINARY, "table": TABLE, "scaled": SCALED}


cdef class Weights:
    """The weights of ranks, with a compensated running sum at every 64th rank. Immutable."""

    cdef WeightTable table

    def __cinit__(self, const double[::1] values):
        cdef Py_ssize_t n = values.shape[0], parts = n // 64 + 1, r
        cdef double total = 0.0, lost = 0.0, weight, new_total
        cdef double *value = <double *> malloc((n + 2 * parts) * sizeof(double))
        cdef double *high = value + n
        cdef double *low = high + parts
        if value == NULL:
            raise MemoryError(f"no memory for {n} weights")
        self.table.value = value
        self.table.high = high
        self.table.low = low
        self.table.n = n
        for r in range(n + 1):
            if r % 64 == 0:
                high[r // 64] = total
                low[r // 64] = lost
            if r < n:
                # Neumaier 1974: the digits that an addition loses, of the smaller number, are kept in `lost`.
                # Absolute values are not compared, because weights are never negative.
                weight = values[r]
                value[r] = weight
                new_total = total + weight
                if total >= weight:
                    lost += (total - new_total) + weight
                else:
                    lost += (weight - new_total) + total
                total = new_total

    def __dealloc__(self):
        free(<void *> self.table.value)

    def __len__(self):
        return self.table.n

    @property
    def nbytes(self):
        return 16 * self.table.n + 4096  # at least the memory of the table, which is 8.25 * n and a bit; caches add these up


cdef class Parts:
    """Which parts of the queries the judged documents cover. Immutable.

    Document i covers part[indptr[i]] .. part[indptr[i + 1] - 1], ascending; covering: how many documents cover each part.
    """

    cdef PartTable table
    cdef const int64_t[::1] indptr, part
    cdef const double[::1] covering

    def __cinit__(self, const int64_t[::1] indptr not None, const int64_t[::1] part not None, const double[::1] covering not None):
        cdef Py_ssize_t i, n = covering.shape[0]
        if indptr.shape[0] < 1 or indptr[indptr.shape[0] - 1] != part.shape[0]:
            raise ValueError("indptr ends with the number of parts that documents cover")
        for i in range(part.shape[0]):
            if part[i] < 0 or part[i] >= n:
                raise IndexError(f"part {part[i]} of {n}")
        self.indptr, self.part, self.covering = indptr, part, covering
        self.table.indptr = &indptr[0]
        self.table.part = &part[0] if part.shape[0] else NULL
        self.table.covering = &covering[0] if n else NULL
        self.table.n_documents = indptr.shape[0] - 1
        self.table.n_parts = n


def take_logarithms(double[::1] values not None, bint binary=False):
    """Natural or binary logarithms in place, by C's functions: numpy's have other last bits with AVX-512 than with AVX2."""
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        values[i] = log2(values[i]) if binary else log(values[i])


def sum_parts(const double[::1] values not None, double level):
    """The sum of the upper parts of numbers and the sum of their lower parts, cut at a level as `engine/exact.py` computes it.

    Adding the level rounds the low bits of a number away; subtracting it again is exact and leaves the upper part.
    """
    cdef double upper = 0.0, lower = 0.0, part
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        part = (values[i] + level) - level
        upper += part
        lower += values[i] - part
    return upper, lower


cdef class Gain:
    """A rule for the gains of labels. Immutable.

    "scaled": 0 up to the label rel, 1 from the label top on, and in between by the distance from rel.
    """

    cdef GainRule rule
    cdef readonly str kind
    cdef readonly bint monotone, zero_counts
    cdef object keep

    def __cinit__(self, str kind, double rel=1.0, double floor=-INFINITY, const double[::1] labels=None, const double[::1] gains=None,
                  double top=1.0):
        cdef Py_ssize_t i
        cdef double gain, gain_before = -INFINITY
        self.kind = kind
        self.keep = (labels, gains)
        self.rule.kind = GAINS[kind]
        self.rule.rel = rel
        self.rule.top = top
        self.rule.floor = floor
        # From a floor below 0 on, the gain of a label or of 2**label - 1 is negative, but labels below the floor have the gain 0.
        self.monotone = kind not in ("linear", "exp2") or floor == -INFINITY or floor >= 0
        self.zero_counts = kind == "binary" and rel <= 0 and floor <= 0
        self.rule.n = 0
        if kind == "table":
            self.rule.n = labels.shape[0]
            self.rule.labels = &labels[0] if self.rule.n else NULL
            self.rule.gains = &gains[0] if self.rule.n else NULL
            for i in range(self.rule.n):
                # A gain is monotone if it does not fall with the label, and is on the same side of 0 as the label.
                gain = gains[i] if labels[i] >= floor else 0.0
                self.zero_counts |= labels[i] == 0 and gain != 0
                self.monotone &= gain >= gain_before
                self.monotone &= labels[i] < 0 or gain >= 0
                self.monotone &= labels[i] > 0 or gain <= 0
                gain_before = gain
        self.monotone &= not self.zero_counts
        self.rule.monotone, self.rule.zero_counts = self.monotone, self.zero_counts

    def of(self, const double[::1] labels):
        """The gains of labels; NaN for a label that a table lacks."""
        cdef Py_ssize_t i
        cdef double[::1] gains = np.empty(labels.shape[0])
        for i in range(labels.shape[0]):
            gains[i] = gain_of(&self.rule, labels[i])
        return np.asarray(gains)


cdef class PlanRow:
    """One measure of a plan. Immutable.

    shape, finish : keys of SHAPES and FINISHES.
    gain, weights : of the sum, or None.
    rel : the least label that is relevant; None if relevant documents need not be counted.
    k : the cutoff, or None.
    judged : the least label that is judged; None if documents that are judged and not relevant need not be seen.
    level, rounding : of a Walk.
    parts : what documents cover, of walks over parts, or None.
    unit_weights, least : with the finish "over_largest", weights of 1, with which the ideal's first gain is read, and the least divisor;
        with "over_weights", least is the sum of the weights above the cutoff.
    """

    cdef readonly str shape, finish
    cdef readonly Gain gain
    cdef readonly Weights weights
    cdef Weights unit_weights
    cdef Parts parts
    cdef readonly object rel, k, judged
    cdef readonly double max_label, level
    cdef double beta, rounding, least
    cdef bint divide_by_min
    cdef readonly bint reads_ideal  # by the walk; a finish may read it, too

    def __cinit__(self, str shape not None, str finish not None, Gain gain=None, Weights weights=None, rel=None, double max_label=0.0, k=None,
                  double beta=1.0, bint divide_by_min=False, judged=None, double level=0.0, double rounding=0.0,
                  Weights unit_weights=None, double least=0.0, Parts parts=None):
        self.shape = shape
        self.finish = finish
        self.reads_ideal = reads_ideal(SHAPES[shape])
        self.gain = gain
        self.weights = weights
        self.parts = parts
        self.rel = rel
        self.k = k
        self.judged = judged
        self.max_label = max_label
        self.beta = beta
        self.divide_by_min = divide_by_min
        self.level = level
        self.rounding = rounding
        self.unit_weights = unit_weights
        self.least = least

    cdef tuple walk(self, str shape, Weights weights):
        """What rows have in common that share a walk."""
        return shape, self.gain, weights, self.rel, self.max_label, self.judged, self.level, self.rounding, self.parts


cdef class Plan:
    """All that one call asks of every list, laid out for the kernels, and shared between threads.

    Immutable, but for `notes_negative`, which is set before a plan is shared.

    rows: of PlanRow. Rows that walk the hits alike share one walk, whatever their cutoffs.
    """

    def __cinit__(self, rows, str ties="average", uint64_t seed=0, Gain tie_gain=None, bint refuse_negative=False,
                  double max_label=INFINITY, table_size=None, extra_rel=None, bint extremes=False):
        cdef Task *t = &self.task
        cdef Py_ssize_t n_values = 0  # of the walks so far
        self.keep = [tie_gain]
        self.table_size = table_size
        t.ties = TIES[ties]
        t.seed = seed
        t.refuse_negative = refuse_negative
        t.extremes = extremes
        t.max_label = max_label
        if tie_gain is not None:
            t.tie_gain = tie_gain.rule
        else:
            t.tie_gain.kind = LINEAR
            t.tie_gain.floor = -INFINITY
        walks, columns = group_walks(rows)
        requested = {extra_rel}
        judged_levels = set()
        for shape, _, _, rel, _, judged, *_ in walks:
            requested.add(rel)
            if shape == "bpref":  # which needs the number of judged documents, too
                judged_levels.add(judged)
        requested.discard(None)
        rels = sorted(requested | judged_levels)
        self.zero_counts = any(rel <= 0 for rel in requested)
        n_cuts = sum([len(cuts) for cuts in walks.values()])
        self.walks = <Walk *> calloc(len(walks) + 1, sizeof(Walk))
        self.cuts = <int64_t *> malloc((n_cuts + 1) * sizeof(int64_t))
        self.rels = <double *> malloc((len(rels) + 1) * sizeof(double))
        if self.walks == NULL or self.cuts == NULL or self.rels == NULL:
            raise MemoryError("no memory for the plan")
        for i, rel in enumerate(rels):
            self.rels[i] = rel
        t.depth = 1
        t.ideal_depth = 1
        for i, (walk, cuts) in enumerate(walks.items()):
            self.fill_walk(&self.walks[i], walk, cuts, rels, n_values)
            n_values += len(cuts)
        t.zero_is_hit |= self.zero_counts
        if t.needs_full_ideal:
            t.ideal_depth = INT64_MAX
        t.n_walks = len(walks)
        t.walks = self.walks
        t.n_values = n_values + 1  # one more, as `finish` reads a second value behind each walk, of the last one too
        t.n_rels = len(rels)
        t.rels = self.rels
        self.fill_columns(walks, columns)
        self.longest = min(SLOW_LONGEST if t.slow else LONGEST, LONGEST if table_size is None else table_size)

    cdef fill_walk(self, Walk *w, tuple walk, list cuts, list rels, Py_ssize_t first_value):
        """One walk, whose values and cutoffs start at number `first_value`, and what it needs of the ranking and of the ideal."""
        cdef Task *t = &self.task
        cdef int64_t deepest = max(cuts)
        cdef Gain gain
        cdef Weights weights
        cdef Parts parts
        shape, gain, weights, rel, w.max_label, judged, w.parameter, w.rounding, parts = walk
        w.shape = SHAPES[shape]
        w.rel = 1.0 if rel is None else rel
        w.rel_index = 0 if rel is None else rels.index(rel)
        w.judged = 0.0 if judged is None else judged
        w.judged_index = rels.index(judged) if shape == "bpref" else 0
        t.zero_is_hit |= judged is not None
        w.n_cuts = len(cuts)
        w.cuts = self.cuts + first_value
        w.out = first_value
        for i, k in enumerate(cuts):
            self.cuts[first_value + i] = k
        if gain is not None:
            w.gain = gain.rule
            self.zero_counts |= gain.rule.zero_counts
        if weights is not None:
            w.weight = weights.table
        if parts is not None:
            w.parts = parts.table
            t.n_parts = max(t.n_parts, parts.table.n_parts)
        self.keep += gain, weights, parts
        t.slow |= is_slow(w.shape)
        if reads_ideal(w.shape):
            t.needs_ideal = True
            t.needs_full_ideal |= gain is not None and not w.gain.monotone
            t.ideal_depth = max(t.ideal_depth, INT64_MAX if reads_whole_ideal(w.shape) else deepest)
        if ends_by_r(w.shape):
            t.needs_r_depth = True
            t.r_multiple = max(t.r_multiple, w.parameter if w.shape == PRECISION_AT_MULTIPLE else 1.0)
        elif not is_of_ideal(w.shape):
            t.depth = max(t.depth, deepest)

    cdef fill_columns(self, dict walks, list columns):
        """One column of the result for each row: where its value and its divisor are, and how they are combined (see `Column`)."""
        cdef Column *c
        cdef Walk *w
        cdef PlanRow row
        self.columns = <Column *> calloc(len(columns) + 1, sizeof(Column))
        if self.columns == NULL:
            raise MemoryError("no memory for the plan")
        self.task.rises = True
        order = {walk: i for i, walk in enumerate(walks)}
        for i, (row, walk, cut, ideal, ideal_cut) in enumerate(columns):
            c = &self.columns[i]
            w = &self.walks[order[walk]]
            c.finish = FINISHES[row.finish]
            c.value = w.out
            # Of two values the first is needed: SECOND_VALUE is below NO_CUTOFF, the only cutoff of such rows, and so its slot comes first.
            if row.shape not in TWO_VALUES:
                c.value += walks[walk].index(cut)
            c.rel_index = w.rel_index
            c.k = INFINITY if row.k is None else float(row.k)
            c.divide_by_min = row.divide_by_min
            c.limit = INFINITY
            c.share = row.level if row.shape == "count_at_share" else 0.0
            c.least = row.least
            if row.finish == "over_r" and row.shape == "count":
                c.steps = BY_COUNT_OF_HITS
            elif row.finish == "over_r" and row.shape == "prefix":
                c.steps = BY_PRECISION
            if ideal is not None:
                c.divisor = self.walks[order[ideal]].out + walks[ideal].index(ideal_cut)
                c.limit = INFINITY if row.gain is not None and row.gain.kind == "table" else 1.0
            c.is_ratio = c.finish in RATIOS
            c.is_value = c.finish == VALUE or c.finish == IF_POSITIVE or c.finish == IF_RELEVANT
            c.scale = c.slope = 1.0  # value / divisor
            if c.finish in RATIOS and c.finish != OVER_IDEAL:
                c.divisor = self.task.n_values + RATIOS[c.finish]
                if RATIOS[c.finish] == BY_RELEVANT:
                    c.divisor += c.rel_index
            if c.finish == OVER_WEIGHTS:  # value / row.least
                c.shift = row.least
                c.slope = 0.0
            if c.finish == OVER_K or c.finish == F_BETA:
                c.shift = c.k
                c.divide_by_min |= c.k == INFINITY  # then n
            if c.finish == OVER_K:  # value / k, NaN with the divisor, R
                c.slope = 0.0
            if c.finish == F_BETA:  # (1 + beta**2) * value / (beta**2 * R + k)
                c.slope = row.beta * row.beta
                c.scale = 1.0 + row.beta * row.beta
            self.task.rises &= row.shape in RISING and row.finish in FALLING and (row.gain is None or row.gain.rule.monotone)
        self.task.n_columns = len(columns)
        self.task.width = 2 * len(columns) if self.task.extremes else len(columns)
        self.task.columns = self.columns

    def __dealloc__(self):
        free(self.walks)
        free(self.columns)
        free(self.cuts)
        free(self.rels)

    @property
    def width(self):
        return self.task.width

    @property
    def nbytes(self):
        """Of the tables that it holds."""
        tables = {id(table): table for table in self.keep if isinstance(table, Weights)}
        return sum([table.nbytes for table in tables.values()])

    @property
    def long_list(self):
        """From how many documents on one list may take so long that the main thread should only wait for it."""
        return SLOW_LONGEST if self.task.slow else LONGEST


cdef tuple group_walks(rows):
    """The cutoffs of the distinct walks of the rows, and for each row (row, walk, cutoff, ideal walk, its cutoff)."""
    cdef PlanRow row
    cdef dict walks = {}
    columns = []
    for row in rows:
        key = row.walk(row.shape, row.weights)
        cut = NO_CUTOFF if row.k is None else min(row.k, MAX_CUTOFF)
        cuts = walks.setdefault(key, set())
        cuts.add(cut)
        ideal = ideal_cut = None
        if row.shape in TWO_VALUES:
            cuts.add(SECOND_VALUE)
        if row.finish == "over_largest":  # the ideal's first gain
            ideal = row.walk("ideal", row.unit_weights)
            ideal_cut = 1
        elif row.finish == "over_ideal_cascade":
            ideal = row.walk("ideal_cascade", None)
            ideal_cut = cut
        elif row.finish in ("over_ideal", "over_nonzero_ideal", "over_ideal_or_1", "over_ideal_labels"):
            ideal = row.walk("ideal", row.weights)
            ideal_cut = cut
        if ideal is not None:
            walks.setdefault(ideal, set()).add(ideal_cut)
        columns.append((row, key, cut, ideal, ideal_cut))
    return {key: sorted(cuts) for key, cuts in walks.items()}, columns
