"""What `bounds.pyx` needs of `lists.pyx`: a call's arrays, opened and checked, and its stop."""

from libc.stdint cimport int64_t

from .arrays cimport Buffer, LabelArray, Runs
from .plan cimport Plan
from .types cimport Fault, Ideal, Labels, LabelRuns, Task, Workspace


cdef class Stop:
    cdef int is_set


cdef struct CallLists:
    const char *x            # scores, NULL where the order is given
    bint single              # they are float32
    Labels labels            # in labels, label_runs, starts and stops, list 0 is the first of this call
    LabelRuns label_runs
    const int64_t *places    # of the rows of each list by rank, or NULL if they have no gaps
    const int64_t *starts
    const int64_t *stops
    Py_ssize_t n             # lists of this call
    Py_ssize_t index         # number of the first of them, for faults and random orders
    Py_ssize_t longest       # documents of one list; of counted ranks, hits of one list
    Py_ssize_t judged        # the same, with those that were not retrieved


cdef int raise_pending(const int *stop) except -1
cdef object fault_of(const Fault *f)
cdef Buffer open_call_lists(CallLists *call, Plan plan, object scores, LabelArray labels, Runs runs, const int64_t[::1] starts,
                            const int64_t[::1] stops, Py_ssize_t low, Py_ssize_t high, Py_ssize_t first_index, Py_ssize_t more,
                            const int64_t[::1] places=*)
cdef void write_values(const Task *task, const Ideal *ideal, Workspace *ws, double *out, Fault *f) noexcept nogil
