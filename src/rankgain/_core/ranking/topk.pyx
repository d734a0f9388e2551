"""Recommended ids beside relevant ones."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from ..simd.wide cimport wide_best, wide_level
from .arrays cimport Buffer
from .hits.match cimport (
    GAP, ID_BELOW, ID_BEYOND, MATCHED, TWICE, Lookup, drop_zeros, id_type, labels_of, match_ids, wanted_type,
)
from .lists cimport raise_pending
from .types cimport LabelView
from .watch cimport Watch, must_end, open_watch

from .. import simd

wide_level = simd.chosen(wide_best())
cdef uint64_t FACTOR = <uint64_t> hash(b"rankgain ids upper") << 32 ^ <uint64_t> hash(b"rankgain ids lower") | 1

cdef enum:
    ENDED_AT_ONCE = -1

MATCH_FAULTS = {ID_BELOW: "below", ID_BEYOND: "beyond", GAP: "gap", TWICE: "twice"}


cdef bint open_lookup(Lookup *lookup, Py_ssize_t users, Py_ssize_t k, uint64_t ids) noexcept nogil:
    """A table of one slot per id where it stays small; its slots count positions over all users."""
    lookup.bits = 0
    lookup.factor = FACTOR
    lookup.ids = ids
    lookup.slot = NULL
    lookup.row = malloc((k + 1) * sizeof(int64_t))
    lookup.mark = <int64_t *> calloc(k + 1, sizeof(int64_t))
    if lookup.mark == NULL or lookup.row == NULL:
        return False
    if ids <= 4194304 and <double> (users + 1) * (k + 1) < 4294967296.0:
        lookup.slot = <uint32_t *> calloc(ids + 1, sizeof(uint32_t))
        return lookup.slot != NULL
    lookup.bits = 3
    while (1 << lookup.bits) < 2 * k:
        lookup.bits += 1
    lookup.slot = <uint32_t *> malloc((<size_t> 1 << lookup.bits) * sizeof(uint32_t))
    return lookup.slot != NULL


cdef Py_ssize_t match_users(const id_type *rows, Py_ssize_t users, Py_ssize_t k, const wanted_type *wanted, const int64_t *indptr,
                            const Lookup *lookup, int64_t *stops, int64_t *position, int64_t *match, int64_t *found_ptr, int *fault,
                            Py_ssize_t *at) noexcept nogil:
    """Returns the user with a fault, or the number of users."""
    cdef Py_ssize_t u, n, total = 0
    cdef Watch watch
    open_watch(&watch, NULL)
    for u in range(users):
        if must_end(&watch, 4 * k, False):
            return ENDED_AT_ONCE
        total += match_ids(rows + u * k, k, wanted, indptr[u], indptr[u + 1], <uint32_t> (u * k + 1), lookup,
                           position + total, match + total if match != NULL else NULL, &n, fault, at)
        if fault[0] != MATCHED:
            return u
        stops[u] = u * k + n
        found_ptr[u + 1] = total
    return users


def match_topk(const id_type[:, ::1] recommended, const wanted_type[::1] wanted, labels, const int64_t[::1] indptr, uint64_t ids,
               double level, Py_ssize_t room, int64_t[::1] stops, int64_t[::1] position, double[::1] found, int64_t[::1] found_ptr):
    """Where each user's relevant ids stand among the recommended; returns None or (fault, user, place).

    ids: they are below it; level: of all labels, if they are one number other than 0, else NaN; room: of position and found, 16
    more than can match.
    """
    cdef Py_ssize_t users = recommended.shape[0], k = recommended.shape[1], at = 0, u, i
    cdef int fault = MATCHED
    cdef Lookup lookup
    cdef LabelView view
    cdef Buffer data = Buffer(labels)
    cdef bint graded = level != level
    cdef int64_t *match = <int64_t *> malloc(room * sizeof(int64_t)) if graded else NULL
    view.data = <const char *> data.view.buf
    view.kind = data.kind
    if not open_lookup(&lookup, users, k, ids) or (graded and match == NULL):
        free(lookup.slot)
        free(lookup.mark)
        free(lookup.row)
        free(match)
        raise MemoryError("no memory to match ids")
    with nogil:
        u = match_users(&recommended[0, 0] if users and k else NULL, users, k, &wanted[0] if wanted.shape[0] else NULL, &indptr[0],
                        &lookup, &stops[0] if users else NULL, &position[0], match, &found_ptr[0], &fault, &at)
        if fault == MATCHED and not graded:
            for i in range(found_ptr[users]):
                found[i] = level
        elif fault == MATCHED and labels_of(&view, match, found_ptr[users], &found[0]):
            drop_zeros(users, &position[0], &found[0], &found_ptr[0])
        free(lookup.slot)
        free(lookup.mark)
        free(lookup.row)
        free(match)
    if u == ENDED_AT_ONCE:
        raise_pending(NULL)
    return None if fault == MATCHED else (MATCH_FAULTS[fault], u, at)
