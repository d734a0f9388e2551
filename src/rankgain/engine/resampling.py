"""Bootstrap of a mean: lists drawn with replacement, many resamples at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ..inputs.types import Floats


BLOCK = 256  # lists that one random byte tells apart
SETS = 128  # of draws at a time: products of more start threads, which wait for each other
DRAWN = 1 << 16  # lists that are drawn at a time where there are few
ROOM = 1 << 22  # numbers of draws, by set and block, at a time: 32 MB
SHARED = 32  # resamples that one set of draws serves
MANY = 10_000  # lists from which on draws are shared
KINDS = ("mean", "sum", "geometric")  # of Shares


class Shares(NamedTuple):
    """What each list adds to a mean, which is the sum of the numerators over that of the divisors.

    kind: "mean"; "sum", where nothing is divided; "geometric", where numerators are logarithms.
    """

    kind: str
    numerators: Any
    divisors: Any  # None: 1 each


def resampled(columns: list[Any], resamples: int, seed: int | tuple[int, int]) -> Any:
    """Sums of each column over as many lists as there are, drawn with replacement.

    How often each list is drawn is counted in two steps: first how many draws fall into each block
    of lists, then which lists of the block they are. Of many lists, a set of draws serves several
    resamples: in each of them a list has the count of another place, far away, in one random order
    of all lists. So each is a resample as if drawn alone, and they vary independently.
    """
    n = len(columns[0])
    if n <= BLOCK:
        return _few(np.array(columns), resamples, np.random.default_rng(seed))
    served = SHARED if n >= MANY else 1
    draw = np.random.default_rng(seed)
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
    """Sums of few lists, which are counted at once; the same whatever the number of columns."""
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
    """n places among `size` of a block, at random."""
    if size < BLOCK:
        return draw.integers(0, size, n)
    words = draw.integers(0, 2**64, -(-n // 8), np.uint64)
    return words.astype("<u8", copy=False).view(np.uint8)[:n]
