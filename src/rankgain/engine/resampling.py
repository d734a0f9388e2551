"""Bootstrap of a mean: lists drawn with replacement, many resamples at a time.

A column is cut into two of few bits each, so that counts times values add without rounding: the
sums have the same bits whatever matrix product computes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ..inputs.types import Array, Floats


BLOCK = 256  # lists of a block, one of which a random byte selects
SETS = 128  # of draws at a time: larger products start threads that wait for each other
DRAWN = 1 << 16  # lists that are drawn at a time, if there are at most BLOCK
ROOM = 1 << 22  # counts of draws, by set and block, at a time: 32 MB
SHARED = 32  # resamples that share one set of draws
MANY = 10_000  # lists from which on resamples share draws
KINDS = ("mean", "sum", "geometric")  # of Shares


class Shares(NamedTuple):
    """What each list adds to a mean: the sum of numerators is divided by the sum of divisors.

    kind: "mean"; "sum", which is not divided; "geometric", whose numerators are logarithms.
    """

    kind: str
    numerators: Any
    divisors: Any = None  # None: 1 each

    def at(self, places: Array) -> Shares:
        """Some of the lists, in this order."""
        return Shares(self.kind, *(None if one is None else one[places] for one in self[1:]))


def resample(columns: list[Any], resamples: int, seed: int | tuple[int, int]) -> Any:
    """Sums of each column over as many lists as there are, drawn with replacement.

    The counts of lists are drawn in two steps: the number of draws in each block of lists, then the
    lists of the block. With many lists, several resamples share one set of draws: the lists are in
    a random order, and each resample shifts the counts by another part of that order. So each by
    itself is a resample as drawn singly, and they vary independently.
    """
    n = len(columns[0])
    parts = _parts(np.array(columns, np.float64))
    if n <= BLOCK:
        sums = _few(np.concatenate(parts), resamples, np.random.default_rng(seed))
    else:
        sums = _many(np.concatenate(parts), resamples, np.random.default_rng(seed))
    return np.add.reduce(sums.reshape(len(parts), len(columns), -1))


def _parts(columns: Floats) -> list[Any]:
    """The upper and the lower bits of columns: n values of either add exactly, in any order.

    A third part, only where it is needed, has what is below 2**-70 or so of a column's maximum.
    """
    bits = np.finfo(np.float64).nmant + 1 - columns.shape[1].bit_length()
    cut = bits - np.frexp(np.abs(columns).max(axis=1, keepdims=True))[1]
    upper = np.ldexp(np.rint(np.ldexp(columns, cut)), -cut)
    lower = np.ldexp(np.rint(np.ldexp(columns - upper, cut + bits)), -cut - bits)
    rest = columns - upper - lower
    return [upper, lower, rest] if rest.any() else [upper, lower]


def _many(columns: Floats, resamples: int, draw: np.random.Generator) -> Any:
    """Sums of more than BLOCK lists."""
    n = columns.shape[1]
    served = SHARED if n >= MANY else 1
    order = draw.permutation(n)
    around = [np.concatenate((one[order], one[order])) for one in columns]
    shifts = [i * (n // served) for i in range(served)]
    sets = -(-resamples // served)
    sums = np.empty((len(columns), served, sets))
    step = max(1, min(SETS, ROOM // (n // BLOCK + 1)))
    for first in range(0, sets, step):
        stop = min(first + step, sets)
        sums[:, :, first:stop] = _sums(around, n, shifts, stop - first, draw)
    return sums.reshape(len(columns), -1)[:, :resamples]


def _few(columns: Floats, resamples: int, draw: np.random.Generator) -> Any:
    """Sums of at most BLOCK lists; they do not depend on the number of columns."""
    n = columns.shape[1]
    sums = np.empty((len(columns), resamples))
    step = max(64, DRAWN // n)
    for first in range(0, resamples, step):
        stop = min(first + step, resamples)
        places = draw.integers(0, n, (stop - first, n), np.uint8).astype(np.int64)
        places += np.arange(0, (stop - first) * n, n)[:, np.newaxis]
        counts = np.bincount(places.ravel(), minlength=(stop - first) * n)
        times = counts.reshape(stop - first, n).astype(np.float64)
        np.matmul(columns, times.T, out=sums[:, first:stop])
    return sums


def _sums(
    around: list[Any], n: int, shifts: list[int], sets: int, draw: np.random.Generator
) -> Any:
    """Sums by column, shift and set of draws."""
    firsts = range(0, n, BLOCK)
    sizes = [min(BLOCK, n - first) for first in firsts]
    hits = draw.multinomial(n, np.array(sizes) / n, size=sets)
    sums = np.zeros((sets, len(around) * len(shifts)))
    for at, (first, size) in enumerate(zip(firsts, sizes, strict=True)):
        lists = np.repeat(np.arange(0, sets * size, size), hits[:, at])
        lists += _places(size, len(lists), draw)
        counts = np.bincount(lists, minlength=sets * size).reshape(sets, size)
        values = [one[first + shift : first + shift + size] for one in around for shift in shifts]
        sums += counts.astype(np.float64) @ np.array(values).T
    return sums.T.reshape(len(around), len(shifts), sets)


def _places(size: int, n: int, draw: np.random.Generator) -> Any:
    """n random places in a block of `size` lists."""
    if size < BLOCK:
        return draw.integers(0, size, n)
    words = draw.integers(0, 2**64, -(-n // 8), np.uint64)
    return words.astype("<u8", copy=False).view(np.uint8)[:n]
