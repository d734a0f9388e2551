"""Sums over Poisson resamples of lists, exact and in any order.

Hanley and MacGibbon 2006; Chamandy et al. 2012.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..inputs.grouping import mix_words
from .exact import Exact, add_sums, cut_columns, cut_parts

if TYPE_CHECKING:
    from ..inputs.types import Floats

# 2**32 / (e k!), the first two made such that all add up to 2**32.
CHANCES = [1580030170, 1580030170, 790015084, 263338361, 65834590, 13166918, 2194486, 313498]
CHANCES += [39187, 4354, 435, 40, 3, 0, 0, 0]
FULL = 1 << 28  # a column of the table
STEP = np.uint64(0x9E3779B97F4A7C15)
TOGETHER = 64  # lists that are drawn at a time
LISTS_AT_A_TIME = 1 << 16  # lists that are cut in parts at a time
REPLICATES = 1 << 12  # that are added up at a time
SPARE = 4  # bits of a Poisson number

Values = tuple[Any, Any]  # of lists, and factors or None


def poisson_sums(
    columns: list[Values], codes: object, replicates: int, seed: int
) -> list[tuple[Exact, ...]]:
    """For each column its sum in each replicate, in which a list stands a Poisson number of times.

    That number depends on the list's code, the replicate and the seed alone.
    """
    table = _alias_table()
    keys = mix_words(codes ^ mix_words(np.array([seed], np.uint64)))
    result = [(Exact(),) * replicates] * len(columns)
    for at in range(0, len(keys), LISTS_AT_A_TIME):
        here = slice(at, at + LISTS_AT_A_TIME)
        stretch = [(x[here], None if y is None else y[here]) for x, y in columns]
        with np.errstate(all="ignore"):
            sums = _sums(stretch, keys[here], replicates, table)
        result = [add_sums(*both) for both in zip(result, sums, strict=True)]
    return result


def _sums(
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
                x, y = columns[j]
                uncut[j] = add_sums(
                    uncut[j], _repeat_sums(x[here], y if y is None else y[here], times)
                )
        for j, own in enumerate(np.split(sums, ends, axis=1)):
            cut = (Exact.total(map(float.as_integer_ratio, row)) for row in own.tolist())
            result[j].extend(uncut[j] if cuts[j] is None else cut)
    return list(map(tuple, result))


def _cut_column(x: Floats, y: Floats | None) -> Floats | None:
    """Rows that add up to the column; None where it cannot be cut."""
    if not (np.isfinite(x).all() and (y is None or np.isfinite(y).all())):
        return None
    columns = cut_columns(x, y)
    if columns is None:
        return None
    parts = [part for column in columns for part in cut_parts(column, SPARE)]
    return np.array(parts, np.float64).reshape(-1, len(x))


def _repeat_sums(x: Floats, y: Floats | None, times: Floats) -> tuple[Exact, ...]:
    """The sum of numbers that are not cut, each so many times, in each replicate."""
    return tuple(
        Exact.of(np.repeat(x, one), None if y is None else np.repeat(y, one))
        for one in times.astype(np.int64)
    )


def _alias_table() -> tuple[Any, Any]:
    """Poisson numbers of mean 1 by the alias method (Walker 1977; Vose 1991)."""
    left, below, other = CHANCES.copy(), [0] * 16, list(range(16))
    for _ in range(16):  # a column that is not full is filled up from one that has more
        small = min((k for k in range(16) if 0 <= left[k] <= FULL), key=left.__getitem__)
        large = max(range(16), key=left.__getitem__)
        below[small], other[small] = left[small], large
        left[large] -= FULL - left[small]
        left[small] = -1
    return np.array(below, np.uint32), np.array(other, np.uint8)


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
