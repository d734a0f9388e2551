"""Sums of values with random signs, from a counter-based generator that computes each sign alone.

The sign of a list in a flip is one bit of a 64-bit word that serves 64 flips:

    word(seed, list, w) = mix(mix(mix(seed) + list * G) + w * G),  G = 0x9E3779B97F4A7C15
    sign(seed, list, flip) = bit flip % 64 of word(seed, list, flip // 64): 1 is +, 0 is -

with the finaliser of SplitMix64 as `mix` (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014). The signs of eight lists in a flip are a byte, which selects one
of the 256 sums that these lists can have (Arlazarov, Dinic, Kronrod and Faradzhev, 1970). Each flip
is added by itself in the order of the lists, so that its bits depend on no block, thread or BLAS.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.threads import usable_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...inputs.types import Floats, Integers


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
WORD = 64  # flips per word
FLIPS = 1 << 13  # flips of a task: their sums fit the second-level cache
GROUPS = 16  # groups of eight lists whose bytes are computed at once
LARGE = 1 << 26  # signed values from which on threads share the flips


def mix(z: NDArray[np.uint64]) -> Any:
    """The finaliser of SplitMix64 for an array of words."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def random_bytes(seed: int, lists: Integers, first: int, stop: int) -> Any:
    """The signs of eight lists at a time in the flips first .. stop-1: bytes (groups, flips).

    A list is a bit, the first one the lowest; first is a multiple of WORD.
    """
    words = np.arange(first // WORD, -(-stop // WORD), dtype=np.uint64)
    keys = np.zeros((-(-len(lists) // 8), 8), np.uint64)
    start = mix(np.array([seed % 2**64], np.uint64))
    keys.ravel()[: len(lists)] = mix(start + np.asarray(lists).astype(np.uint64) * GOLDEN)
    by_list = mix(keys[:, :, np.newaxis] + words * GOLDEN).astype("<u8", copy=False).view(np.uint8)
    squares = np.ascontiguousarray(by_list.transpose(0, 2, 1)).view("<u8")
    for shift, mask in ((7, 0xAA00AA00AA00AA), (14, 0xCCCC0000CCCC), (28, 0xF0F0F0F0)):
        swapped = (squares ^ (squares >> np.uint64(shift))) & np.uint64(mask)
        squares ^= swapped ^ (swapped << np.uint64(shift))  # the bits of 8 lists x 8 flips, turned
    return (
        squares.astype("<u8", copy=False).view(np.uint8).reshape(len(keys), -1)[:, : stop - first]
    )


def all_bytes(lists: int, first: int, stop: int) -> Any:
    """The same for the patterns first .. stop-1 of all 2**lists patterns."""
    patterns = np.arange(first, stop, dtype=np.int64)
    return (patterns >> np.arange(0, lists, 8)[:, np.newaxis]).astype(np.uint8)


def flipped_sums(rows: Floats, lists: Integers, flips: int, seed: int | None) -> Any:
    """The sum of each row in each flip: (rows, flips). A row has a value for each list.

    lists: numbers of the lists, for their signs; seed None: all patterns of signs, in order.
    """
    result = np.zeros((len(rows), flips))
    task = partial(_add_flips, rows, lists, seed, result)
    starts = range(0, flips, FLIPS)
    if rows.size * flips < LARGE:
        list(map(task, starts))
    else:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(usable_threads(None)) as pool:
            list(pool.map(task, starts))
    return result


def _add_flips(rows: Floats, lists: Integers, seed: int | None, result: Floats, first: int) -> None:
    """Add the values of all lists with their signs, for the flips of one task."""
    sums = result[:, first : first + FLIPS]
    stop = first + sums.shape[1]
    taken = np.empty(stop - first)
    for at in range(0, len(lists), 8 * GROUPS):
        some = slice(at, at + 8 * GROUPS)
        if seed is None:
            chosen = all_bytes(len(lists), first, stop)
        else:
            chosen = random_bytes(seed, lists[some], first, stop)
        tables = _tables(rows[:, some])
        for group, places in enumerate(chosen.astype(np.intp)):
            for row, table in zip(sums, tables[:, group], strict=True):
                row += np.take(table, places, out=taken, mode="clip")


def _tables(rows: Floats) -> Any:
    """The 256 sums with signs of each eight values: (rows, groups, 256)."""
    values = np.zeros((len(rows), -(-rows.shape[1] // 8) * 8))
    values[:, : rows.shape[1]] = rows
    tables = np.zeros((len(rows), values.shape[1] // 8, 1))
    for one in np.moveaxis(values.reshape(len(rows), -1, 8), 2, 0)[..., np.newaxis]:
        tables = np.concatenate((tables - one, tables + one), axis=2)
    return tables
