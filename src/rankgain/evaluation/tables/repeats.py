"""Detect queries that occur twice in a stream, with eight bytes for each query."""

from typing import Any

import numpy as np

from ..sums.columns import codes_of


class Repeats:
    """The queries so far: integers themselves, or 64-bit hashes of texts.

    They are kept in sorted arrays, merged as they double. Two texts with one hash are taken for one
    query: a chance of n * n / 2**65 among n queries, one in ten million for two million of them.
    """

    def __init__(self) -> None:
        self._sorted: list[Any] = []

    def add(self, ids: list[Any]) -> int | None:
        """Add complete queries; return the place of the first one seen before, or None."""
        if not ids:
            return None
        codes = codes_of(ids) if isinstance(ids[0], str) else _numbers(ids)
        order = np.argsort(codes, kind="stable")
        ascending = codes[order]
        again = [order[1:][ascending[1:] == ascending[:-1]]]
        for known in self._sorted:
            if ascending[0] <= known[-1] and ascending[-1] >= known[0]:
                at = np.searchsorted(known, codes)
                is_known = known[np.minimum(at, len(known) - 1)] == codes
                again.append(np.flatnonzero(is_known))
        places = np.concatenate(again)
        if places.size:
            return int(places.min())
        self._sorted.append(ascending)
        while len(self._sorted) > 1 and 2 * len(self._sorted[-1]) >= len(self._sorted[-2]):
            last = self._sorted.pop()
            both = np.concatenate((self._sorted.pop(), last))
            both.sort(kind="stable")
            self._sorted.append(both)
        return None


def _numbers(ids: list[int]) -> Any:
    """Integers as int64; those from 2**63 on wrap around, and no two become equal."""
    if max(ids) < 2**63:
        return np.array(ids, np.int64)
    return np.array(ids, np.uint64).view(np.int64)
