"""A cache limited by entries and bytes; the oldest entry is dropped first."""

from _thread import allocate_lock
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Values by key, at most `most` of them and at most `limit` bytes; safe between threads."""

    get: Callable[[K], V | None]

    def __init__(self, most: int, limit: int = 1 << 26) -> None:
        self._most, self._limit = most, limit
        self.nbytes = 0
        self._values: dict[K, V] = {}
        self._sizes: dict[K, int] = {}
        self._turn = allocate_lock()
        self.get = self._values.get  # the method of the dict, which saves a call

    def __len__(self) -> int:
        return len(self._values)

    def values(self) -> list[V]:
        """All cached values, the oldest first."""
        return list(self._values.values())

    def keep(self, key: K, value: V, size: int = 0) -> None:
        """Store a value of `size` bytes; skip it if size > limit."""
        if size > self._limit:
            return
        with self._turn:
            self.nbytes -= self._sizes.pop(key, 0)
            self._values.pop(key, None)
            while self._values and (
                len(self._values) >= self._most or self.nbytes + size > self._limit
            ):
                oldest = next(iter(self._values))
                del self._values[oldest]
                self.nbytes -= self._sizes.pop(oldest)
            self._values[key], self._sizes[key] = value, size
            self.nbytes += size

    def clear(self) -> None:
        """Drop all values."""
        with self._turn:
            self._values.clear()
            self._sizes.clear()
            self.nbytes = 0
