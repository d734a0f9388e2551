"""What `poisson.pyx` needs of `exact.pyx`."""

from .superaccumulator cimport Sum

cdef tuple parts_of(Sum *s)
