"""Group rows by a key; groups are in the order of their first rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from .types import Array, Integers


def factorize(values: Iterable[Hashable]) -> tuple[Integers, list[Any]]:
    """The number of each value, and the distinct values, in the order of their first appearance."""
    number_of: defaultdict[Hashable, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(number_of.__getitem__, values), np.int64)
    return codes, list(number_of)


class Groups(NamedTuple):
    """The list of each row."""

    codes: Array  # the number of the list of each row
    first: Integers  # the first row of each list
    sizes: Integers
    adjacent: bool  # the rows of every list are adjacent already

    def together(self, values: Array) -> Array:
        """Reorder the values of rows list by list; inside a list the order stays."""
        if self.adjacent:
            return values
        if values.itemsize not in (1, 2, 4, 8):
            return values[np.argsort(self.codes, kind="stable")]
        bits = np.ascontiguousarray(values).view(f"u{values.itemsize}")
        out = np.empty_like(bits)
        starts = np.cumsum(self.sizes) - self.sizes
        _core.scatter_rows(bits, self.codes, starts, out)
        return out.view(values.dtype)

    def order(self) -> Integers:
        """The numbers of the rows, list by list."""
        return self.together(np.arange(len(self.codes)))


def group_rows(keys: Array) -> Groups:
    """Group rows with equal keys; keys: a 1-D array of integers or other values."""
    # The core reads int32 and int64. All others become integers that are equal for equal keys.
    if keys.dtype.kind in "SU":
        keys = np.unique(keys, return_inverse=True)[1]
    elif keys.dtype.kind == "f":
        keys = (keys + 0.0).astype(np.float64).view(np.int64)  # -0.0 is 0.0
    elif keys.dtype.kind not in "biu":
        keys = factorize(keys.tolist())[0]
    if keys.dtype.itemsize < 8 and keys.dtype != np.uint32:
        keys = np.ascontiguousarray(keys, np.int32)
    elif keys.dtype.kind == "u" and keys.dtype.itemsize == 8:
        keys = np.ascontiguousarray(keys, np.uint64).view(np.int64)
    keys = np.ascontiguousarray(keys, np.int32 if keys.dtype == np.int32 else np.int64)
    codes = np.empty(len(keys), np.int32)
    lists, runs = _core.number_keys(keys, codes)
    first = np.empty(lists, np.int64)
    sizes = np.empty(lists, np.int64)
    survey = _core.survey_runs if lists == runs else _core.survey_codes
    survey(codes, first, sizes)
    return Groups(codes, first, sizes, lists == runs)


def first_repeat(ids: Iterable[Hashable]) -> int | None:
    """The place of the first id that is in a list before; None if all differ."""
    seen = set()
    for place, identifier in enumerate(ids):
        if identifier in seen:
            return place
        seen.add(identifier)
    return None


def find_repeated(values: Array, starts: Array, stops: Array) -> tuple[int, int] | None:
    """The first list with a whole number >= 0 twice, and the place of the second in it; or None."""
    if not len(values) or values.max() > 2**53:  # a double may not hold larger integers
        values = np.unique(values, return_inverse=True)[1]
    list_number = _core.list_with_tie(values.astype(np.float64), starts, stops)
    if list_number < 0:
        return None
    row = values[starts[list_number] : stops[list_number]]
    _, firsts = np.unique(row, return_index=True)
    repeats = np.setdiff1d(np.arange(len(row)), firsts)
    return list_number, int(repeats[0])


def encode_texts(texts: list[str]) -> tuple[Array, Integers]:
    """Concatenate texts as UTF-8; return the bytes and the start of each text."""
    data = "".join(texts).encode("utf-8", "surrogateescape")
    if len(data) == sum(map(len, texts)):
        sizes = list(map(len, texts))
    else:
        sizes = [len(text.encode("utf-8", "surrogateescape")) for text in texts]
    return np.frombuffer(data, np.uint8), np.append(0, np.cumsum(sizes))


def hash_ids(queries: Sequence[object]) -> Array:
    """A 64-bit hash of each query id; an integer has the hash of its decimal text."""
    texts = [query if type(query) is str else str(query) for query in queries]
    data, starts = encode_texts(texts)
    sizes = np.diff(starts)
    longest_first = np.argsort(-sizes, kind="stable")
    starts = starts[longest_first]
    sizes = sizes[longest_first]
    # FNV-1a, then mixed: byte by byte for all texts that are so long, which come first.
    hashed = np.full(len(texts), 0xCBF29CE484222325, np.uint64)
    for offset in range(int(sizes.max(initial=0))):
        longer = int(np.searchsorted(-sizes, -offset))
        hashed[:longer] ^= data[starts[:longer] + offset]
        hashed[:longer] *= np.uint64(0x100000001B3)
    codes = np.empty(len(texts), np.uint64)
    codes[longest_first] = mix_words(hashed)
    return codes


# The step of SplitMix64 from one word to the next, the odd number near 2**64 / the golden ratio.
SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)


def mix_words(words: Array) -> Array:
    """Words of 64 bits through the finalizer of SplitMix64 (Steele, Lea and Flood 2014)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Array = words ^ (words >> np.uint64(31))
    return mixed


class Repeats:
    """The queries so far: integers, or 64-bit hashes of the others as text, in sorted arrays.

    Two texts with the same hash count as one query: a chance of n * n / 2**65 among n queries, one
    in ten million for two million queries.
    """

    def __init__(self) -> None:
        self._sorted: list[Array] = []

    def add(self, ids: list[Any]) -> int | None:
        """Add complete queries; return the place of the first one seen before, or None."""
        if not ids:
            return None
        if type(ids[0]) is not int:
            codes = hash_ids(ids)
        elif max(ids) < 2**63:
            codes = np.array(ids, np.int64)
        else:  # those from 2**63 on wrap around, and no two become equal
            codes = np.array(ids, np.uint64).view(np.int64)
        order = np.argsort(codes, kind="stable")
        ascending = codes[order]
        # In a stable order each equal but the first follows one with the same code.
        is_repeat = ascending[1:] == ascending[:-1]
        repeats = [order[1:][is_repeat]]
        for earlier in self._sorted:
            if ascending[0] <= earlier[-1] and ascending[-1] >= earlier[0]:
                positions = np.searchsorted(earlier, codes)
                nearest = earlier[np.minimum(positions, len(earlier) - 1)]
                repeats.append(np.flatnonzero(nearest == codes))
        places = np.concatenate(repeats)
        if places.size:
            return int(places.min())
        self._sorted.append(ascending)
        # As in a binary counter, arrays of like sizes are merged, so that there are few to search.
        while len(self._sorted) > 1 and 2 * len(self._sorted[-1]) >= len(self._sorted[-2]):
            smaller = self._sorted.pop()
            merged = np.concatenate((self._sorted.pop(), smaller))
            merged.sort(kind="stable")
            self._sorted.append(merged)
        return None
