"""What the other driver of sums needs of this one."""

from .superaccumulator cimport Sum

cdef tuple parts_of(Sum *s)
