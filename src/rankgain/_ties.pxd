"""The order inside a tie block, for every policy but the average."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from ._types cimport *
from ._gain cimport gain_of
from ._sort cimport descending64


cdef inline uint64_t splitmix(uint64_t x) noexcept nogil:
    """The finalizer of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x ^ (x >> 30)) * <uint64_t> 0xbf58476d1ce4e5b9u
    x = (x ^ (x >> 27)) * <uint64_t> 0x94d049bb133111ebu
    return x ^ (x >> 31)


cdef inline uint64_t tie_key(const Task *task, const int64_t *tie_keys, Py_ssize_t index, uint32_t pos, double label) noexcept nogil:
    """Smaller stands first; equal keys stand in input order."""
    if task.ties == STABLE:
        return pos
    if task.ties == REVERSE:
        return ~<uint64_t> pos
    if task.ties == BEST:
        return descending64(gain_of(&task.tie_gain, label))
    if task.ties == WORST:
        return ~descending64(gain_of(&task.tie_gain, label))
    if task.ties == BY_KEY:
        return <uint64_t> tie_keys[pos]
    return splitmix(splitmix(task.seed + <uint64_t> 0x9e3779b97f4a7c15u * <uint64_t> (index + 1)) + pos)
