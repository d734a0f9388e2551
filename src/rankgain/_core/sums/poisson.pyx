"""Sums over Poisson resamples of lists, exact and in any order (Hanley and MacGibbon 2006; Chamandy et al. 2012)."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..ranking.lists cimport raise_pending
from ..ranking.watch cimport Watch, must_end, open_watch
from ..simd.wide cimport wide_best, wide_level
from .blocks cimport SPLIT_BLOCK, split_dot, split_parts, split_products
from .exact cimport parts_of
from .superaccumulator cimport Sum, add, add_product

from .. import simd

cdef extern from "poisson.h" nogil:
    ctypedef struct poisson "struct poisson":
        pass
    uint64_t poisson_mix(uint64_t) noexcept
    uint64_t poisson_code(const uint8_t *id, Py_ssize_t n) noexcept
    void poisson_open(poisson *table) noexcept
    void poisson_draw(const poisson *table, const uint64_t *keys, Py_ssize_t n, Py_ssize_t p, double *low, double *high) noexcept

cdef enum:
    SPARE = 4  # bits of a Poisson number
    MOST = 4  # parts of a double, at most
    MOST_REPLICATES = 1000000
    MOST_SUMS = 1 << 15  # that are held at once: 18 MB
    FEWEST = 64  # replicates that a block of lists is cut in parts for

wide_level = simd.selected(wide_best())

cdef struct Column:
    const double *x
    const double *y  # factors, or NULL
    Sum *sums  # one for each replicate of a slice
    double parts[2 * MOST * SPLIT_BLOCK]  # of the block, and of what rounding took from its products
    int made[2]


def id_codes(const uint8_t[::1] ids not None, const int64_t[::1] starts not None, uint64_t[::1] codes not None):
    """A number of 64 bits for each id, the same in every process and on every machine."""
    cdef Py_ssize_t i
    cdef const uint8_t *base = &ids[0] if ids.shape[0] else NULL
    with nogil:
        for i in range(codes.shape[0]):
            codes[i] = poisson_code(base + starts[i], starts[i + 1] - starts[i])


cdef void lay_block(Column *c, Py_ssize_t first, Py_ssize_t n) noexcept nogil:
    """Cut the column's next lists in parts; made is 0 where they are added one by one."""
    cdef double product[SPLIT_BLOCK]
    cdef double lost[SPLIT_BLOCK]
    c.made[0] = c.made[1] = 0
    if c.y == NULL:
        c.made[0] = split_parts(c.x + first, n, SPARE, MOST, c.parts)
    elif split_products(c.x + first, c.y + first, n, product, lost):
        c.made[0] = split_parts(product, n, SPARE, MOST, c.parts)
        c.made[1] = split_parts(lost, n, SPARE, MOST, c.parts + MOST * SPLIT_BLOCK)
        if c.made[0] == 0 or c.made[1] == 0:  # all that is added one by one holds both
            c.made[0] = c.made[1] = 0


cdef void add_drawn(Column *c, Sum *s, const double *times, Py_ssize_t first, Py_ssize_t n) noexcept nogil:
    """Add the block's lists, each so many times."""
    cdef Py_ssize_t i
    cdef int j, which, _
    for which in range(2):
        for j in range(c.made[which]):
            add(s, split_dot(c.parts + (which * MOST + j) * SPLIT_BLOCK, times, n))
    if c.made[0] == 0:
        for i in range(n):
            for _ in range(<int> times[i]):
                if c.y == NULL:
                    add(s, c.x[first + i])
                else:
                    add_product(s, c.x[first + i], c.y[first + i])


cdef bint resample(Column *columns, Py_ssize_t n_columns, const uint64_t *codes, Py_ssize_t n, Py_ssize_t low, Py_ssize_t replicates,
                   uint64_t seed) noexcept nogil:
    """The replicates from `low` on, which is even; False where a signal ends it."""
    cdef uint64_t keys[SPLIT_BLOCK]
    cdef double times[2 * SPLIT_BLOCK]
    cdef poisson table
    cdef Watch watch
    cdef Py_ssize_t first, i, p, j, size
    open_watch(&watch, NULL)
    poisson_open(&table)
    seed = poisson_mix(seed)
    for first in range(0, n, 512):
        size = min(<Py_ssize_t> SPLIT_BLOCK, n - first)
        if must_end(&watch, size * replicates * (n_columns + 1), False):
            return False
        for i in range(size):
            keys[i] = poisson_mix(codes[first + i] ^ seed)
        for j in range(n_columns):
            lay_block(&columns[j], first, size)
        for p in range((replicates + 1) // 2):
            poisson_draw(&table, keys, size, low // 2 + p, times, times + SPLIT_BLOCK)
            for j in range(n_columns):
                add_drawn(&columns[j], columns[j].sums + 2 * p, times, first, size)
                if 2 * p + 1 < replicates:
                    add_drawn(&columns[j], columns[j].sums + 2 * p + 1, times + SPLIT_BLOCK, first, size)
    return True


def poisson_sums(list columns not None, const uint64_t[::1] codes not None, Py_ssize_t replicates, uint64_t seed):
    """For each column of (values, factors or None) its exact sum in each replicate, as `exact_parts` has it."""
    cdef Py_ssize_t i, j, low, here, step, n = codes.shape[0], count = len(columns)
    cdef const double[::1] x, y
    cdef Column *laid
    cdef Sum *sums
    cdef bint complete = True
    cdef list result = [[] for _ in range(count)]
    if replicates < 0 or replicates > MOST_REPLICATES:
        raise ValueError(f"replicates must be 0 .. {MOST_REPLICATES}, not {replicates}")
    step = max(<Py_ssize_t> FEWEST, MOST_SUMS // (count + 1) // 2 * 2)
    laid = <Column *> calloc(count + 1, sizeof(Column))
    sums = <Sum *> calloc(count * step + 1, sizeof(Sum))
    try:
        if laid == NULL or sums == NULL:
            raise MemoryError(f"no memory for {step} replicates of {count} columns")
        for j in range(count):
            x, y = columns[j]
            if x.shape[0] != n or (y is not None and y.shape[0] != n):
                raise ValueError(f"there are {n} ids, but a column of {x.shape[0]}")
            laid[j].x = &x[0] if n else NULL
            laid[j].y = &y[0] if y is not None and n else NULL
            laid[j].sums = sums + j * step
        for low in range(0, replicates, step):
            PyErr_CheckSignals()
            here = min(step, replicates - low)
            memset(sums, 0, count * step * sizeof(Sum))
            with nogil:
                if n:
                    complete = resample(laid, count, &codes[0], n, low, here, seed)
            if not complete:
                raise_pending(NULL)
            for j in range(count):
                (<list> result[j]).extend([parts_of(sums + j * step + i) for i in range(here)])
        return result
    finally:
        free(laid)
        free(sums)
