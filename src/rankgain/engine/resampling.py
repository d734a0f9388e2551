"""Resamples of lists: drawn with replacement for a bootstrap, or each a Poisson number of times.

Columns are cut into parts of few bits each, so that counts times values add without rounding: the
sums have the same bits whatever matrix product computes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..inputs.grouping import mix_words
from .exact import Exact, add_sums, cut_columns, cut_parts

if TYPE_CHECKING:
    from ..inputs.types import Floats


BLOCK = 256  # lists of a block, one of which a random byte selects
SETS = 128  # of draws at a time: larger products start threads that wait for each other
DRAWN_LISTS = 1 << 16  # lists that are drawn at a time, if there are at most BLOCK
ROOM = 1 << 22  # counts of draws, by set and block, at a time: 32 MB
SHARED = 32  # resamples that share one set of draws
MANY = 10_000  # lists from which on resamples share draws

# Of Poisson numbers: 2**32 / (e k!), the first two made such that all add up to 2**32.
CHANCES = [1580030170, 1580030170, 790015084, 263338361, 65834590, 13166918, 2194486, 313498]
CHANCES += [39187, 4354, 435, 40, 3, 0, 0, 0]
FULL = 1 << 28  # a column of the table
STEP = np.uint64(0x9E3779B97F4A7C15)
TOGETHER = 64  # lists that are drawn at a time
LISTS_AT_A_TIME = 1 << 16  # lists that are cut in parts at a time
REPLICATES = 1 << 12  # that are added up at a time
SPARE = 4  # bits of a Poisson number

Values = tuple[Any, Any]  # of lists, and factors or None


def resample(columns: list[Any], resamples: int, seed: int | tuple[int, int]) -> Any:
    """Sums of each column over as many lists as there are, drawn with replacement.

    The counts of lists are drawn in two steps: the number of draws in each block of lists, then the
    lists of the block. With many lists, several resamples share one set of draws: the lists are in
    a random order, and each resample shifts the counts by another part of that order. So each by
    itself is a resample as drawn singly, and they vary independently.
    """
    values, n = np.array(columns, np.float64), len(columns[0])
    # The upper and the lower bits: n values of either add exactly, in any order. A third part, only
    # where it is needed, has what is below 2**-70 or so of a column's maximum.
    bits = np.finfo(np.float64).nmant + 1 - n.bit_length()
    cut = bits - np.frexp(np.abs(values).max(axis=1, keepdims=True))[1]
    upper = np.ldexp(np.rint(np.ldexp(values, cut)), -cut)
    lower = np.ldexp(np.rint(np.ldexp(values - upper, cut + bits)), -cut - bits)
    rest = values - upper - lower
    parts = [upper, lower, rest] if rest.any() else [upper, lower]
    add = _few if n <= BLOCK else _many
    sums = add(np.concatenate(parts), resamples, np.random.default_rng(seed))
    return np.add.reduce(sums.reshape(len(parts), len(columns), -1))


def _many(columns: Floats, resamples: int, draw: np.random.Generator) -> Any:
    """Sums of more than BLOCK lists."""
    n = columns.shape[1]
    served = SHARED if n >= MANY else 1
    order = draw.permutation(n)
    around = [np.concatenate((one[order], one[order])) for one in columns]
    shifts = [i * (n // served) for i in range(served)]
    sizes = [min(BLOCK, n - first) for first in range(0, n, BLOCK)]
    sets = -(-resamples // served)
    result = np.empty((len(columns), served, sets))
    step = max(1, min(SETS, ROOM // (n // BLOCK + 1)))
    for low in range(0, sets, step):
        count = min(step, sets - low)
        hits = draw.multinomial(n, np.array(sizes) / n, size=count)
        sums = np.zeros((count, len(around) * served))  # by column and shift
        for at, size in enumerate(sizes):
            first, lists = at * BLOCK, np.repeat(np.arange(0, count * size, size), hits[:, at])
            if size == BLOCK:  # a random byte is a place in it
                words = draw.integers(0, 2**64, -(-len(lists) // 8), np.uint64)
                lists += words.astype("<u8", copy=False).view(np.uint8)[: len(lists)]
            else:
                lists += draw.integers(0, size, len(lists))
            times = np.bincount(lists, minlength=count * size).reshape(count, size)
            values = [one[first + at : first + at + size] for one in around for at in shifts]
            sums += times.astype(np.float64) @ np.array(values).T
        result[:, :, low : low + count] = sums.T.reshape(len(around), served, count)
    return result.reshape(len(columns), -1)[:, :resamples]


def _few(columns: Floats, resamples: int, draw: np.random.Generator) -> Any:
    """Sums of at most BLOCK lists; they do not depend on the number of columns."""
    n = columns.shape[1]
    sums = np.empty((len(columns), resamples))
    step = max(64, DRAWN_LISTS // n)
    for first in range(0, resamples, step):
        stop = min(first + step, resamples)
        places = draw.integers(0, n, (stop - first, n), np.uint8).astype(np.int64)
        places += np.arange(0, (stop - first) * n, n)[:, np.newaxis]
        counts = np.bincount(places.ravel(), minlength=(stop - first) * n)
        times = counts.reshape(stop - first, n).astype(np.float64)
        np.matmul(columns, times.T, out=sums[:, first:stop])
    return sums


def poisson_sums(
    columns: list[Values], codes: object, replicates: int, seed: int
) -> list[tuple[Exact, ...]]:
    """For each column its sum in each replicate, in which a list stands a Poisson number of times.

    That number depends on the list's code, the replicate and the seed alone (Hanley and MacGibbon
    2006; Chamandy et al. 2012).
    """
    # Poisson numbers of mean 1 by the alias method (Walker 1977; Vose 1991).
    left, below, other = CHANCES.copy(), [0] * 16, list(range(16))
    for _ in range(16):  # a column that is not full is filled up from one that has more
        small = min((k for k in range(16) if 0 <= left[k] <= FULL), key=left.__getitem__)
        large = max(range(16), key=left.__getitem__)
        below[small], other[small] = left[small], large
        left[large] -= FULL - left[small]
        left[small] = -1
    table = np.array(below, np.uint32), np.array(other, np.uint8)
    keys = mix_words(codes ^ mix_words(np.array([seed], np.uint64)))
    result = [(Exact(),) * replicates] * len(columns)
    for at in range(0, len(keys), LISTS_AT_A_TIME):
        here = slice(at, at + LISTS_AT_A_TIME)
        stretch = [(x[here], None if y is None else y[here]) for x, y in columns]
        with np.errstate(all="ignore"):
            sums = _poisson_sums(stretch, keys[here], replicates, table)
        result = [add_sums(*both) for both in zip(result, sums, strict=True)]
    return result


def _poisson_sums(
    columns: list[Values], keys: Any, replicates: int, table: tuple[Any, Any]
) -> list[tuple[Exact, ...]]:
    cuts = [_cut_column(x, y) for x, y in columns]
    parts = np.concatenate([one for one in cuts if one is not None] or [np.zeros((0, len(keys)))])
    ends = np.cumsum([0 if one is None else len(one) for one in cuts])[:-1]
    result: list[list[Exact]] = [[] for _ in columns]
    for low in range(0, replicates, REPLICATES):
        count = min(REPLICATES, replicates - low)
        sums = np.zeros((count, len(parts)))
        uncut = [(Exact(),) * count] * len(columns)
        for at in range(0, len(keys), TOGETHER):
            here = slice(at, at + TOGETHER)
            times = _draws(keys[here], low, count, table)
            sums += times @ parts[:, here].T  # no addition rounds, nor does a fused one
            for j in (j for j, cut in enumerate(cuts) if cut is None):
                some = [one[here] for one in columns[j] if one is not None]
                repeats = times.astype(np.int64)
                repeated = (Exact.of(*(np.repeat(x, one) for x in some)) for one in repeats)
                uncut[j] = add_sums(uncut[j], tuple(repeated))
        for j, own in enumerate(np.split(sums, ends, axis=1)):
            cut = (Exact.total(map(float.as_integer_ratio, row)) for row in own.tolist())
            result[j].extend(uncut[j] if cuts[j] is None else cut)
    return list(map(tuple, result))


def _cut_column(x: Floats, y: Floats | None) -> Floats | None:
    """Rows that add up to the column; None where it cannot be cut."""
    columns = cut_columns(x, y)
    if columns is None:
        return None
    parts = [part for column in columns for part in cut_parts(column, SPARE)]
    return np.array(parts, np.float64).reshape(-1, len(x))


def _draws(keys: Any, low: int, count: int, table: tuple[Any, Any]) -> Floats:
    """How often each list stands in each replicate from `low`, an even one, on: a row for each."""
    counter = np.arange(low // 2 + 1, (low + count) // 2 + 2, dtype=np.uint64)[:, None]
    words = mix_words(keys + counter * STEP)
    halves = words.astype("<u8", copy=False).view("<u4").reshape(len(words), len(keys), 2)
    column = (halves & np.uint32(15)).astype(np.intp)
    below, other = table
    times = np.where(halves >> np.uint32(4) < below.take(column), column, other.take(column))
    by_replicate = times.transpose(0, 2, 1).reshape(-1, len(keys))
    return np.asarray(by_replicate[:count], np.float64)
