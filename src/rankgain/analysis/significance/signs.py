"""Signs for randomisation tests, from a counter-based generator, which computes each sign alone.

The sign of a list in a flip is one bit of a 64-bit word that serves 64 flips:

    word(seed, list, w) = mix(mix(mix(seed) + list * G) + w * G),  G = 0x9E3779B97F4A7C15
    sign(seed, list, flip) = bit flip % 64 of word(seed, list, flip // 64): 1 is +, 0 is -

with the finaliser of SplitMix64 as `mix` (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014). The flips are therefore the same for any block size and any
number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...inputs.types import Integers


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
WORD = 64  # flips per word


def mix(z: NDArray[np.uint64]) -> Any:
    """The finaliser of SplitMix64 for an array of words."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def random_signs(seed: int, lists: Integers, first: int, stop: int) -> Any:
    """1 where a list keeps its sign in the flips first .. stop-1, else 0: bytes (lists, flips).

    first is a multiple of WORD.
    """
    words = np.arange(first // WORD, -(-stop // WORD), dtype=np.uint64)
    start = mix(np.array([seed % 2**64], np.uint64))
    keys = mix(start + np.asarray(lists).astype(np.uint64) * GOLDEN)
    result = mix(keys[:, np.newaxis] + words * GOLDEN)
    as_bytes = result.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=stop - first, bitorder="little")


def all_signs(lists: int, first: int, stop: int) -> Any:
    """The patterns first .. stop-1 of all 2**lists patterns: bytes (lists, patterns)."""
    patterns = np.arange(first, stop, dtype=np.int64)
    return (patterns >> np.arange(lists)[:, np.newaxis] & 1).astype(np.uint8)
