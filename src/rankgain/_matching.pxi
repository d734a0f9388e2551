# Recommended ids beside relevant ones.

MATCH_FAULTS = {ID_BELOW: "below", ID_BEYOND: "beyond", GAP: "gap", TWICE: "twice"}


cdef bint open_lookup(Lookup *lookup, Py_ssize_t users, Py_ssize_t k, uint64_t ids) noexcept nogil:
    """A table of one slot per id where it stays small; its slots count positions over all users."""
    lookup.bits = 0
    lookup.ids = ids
    if ids <= 4194304 and <double> (users + 1) * (k + 1) < 4294967296.0:
        lookup.slot = <uint32_t *> calloc(ids + 1, sizeof(uint32_t))
        return lookup.slot != NULL
    lookup.bits = 3
    while (1 << lookup.bits) < 2 * k:
        lookup.bits += 1
    lookup.slot = <uint32_t *> malloc((<size_t> 1 << lookup.bits) * sizeof(uint32_t))
    return lookup.slot != NULL


cdef Py_ssize_t match_users(const id_type *rows, Py_ssize_t users, Py_ssize_t k, const wanted_type *wanted, const LabelView *labels,
                            const int64_t *indptr, const Lookup *lookup, int64_t *lengths, int32_t *position, int32_t *match,
                            double *found, int64_t *found_ptr, int *fault, Py_ssize_t *at) noexcept nogil:
    """Returns the user with a fault, or the number of users."""
    cdef Py_ssize_t u, n, m, hits, total = 0
    cdef bint twice = False
    for u in range(users):
        n = row_length(rows + u * k, k, lookup.ids, fault, at)
        m = indptr[u + 1] - indptr[u]
        if fault[0] == MATCHED:
            hits = match_ids(rows + u * k, n, wanted + indptr[u], m, <uint32_t> (u * k + 1), lookup, position + total, match, &twice)
        if twice:
            fault[0] = TWICE
        if fault[0] != MATCHED:
            return u
        lengths[u] = n
        total += labels_of(labels, indptr[u], hits, position + total, match, found + total)
        found_ptr[u + 1] = total
    return users


def match_topk(const id_type[:, ::1] recommended, const wanted_type[::1] wanted, labels, const int64_t[::1] indptr, uint64_t ids,
               Py_ssize_t most, int64_t[::1] lengths, int32_t[::1] position, double[::1] found, int64_t[::1] found_ptr):
    """Where each user's relevant ids stand among the recommended; returns None or (fault, user, place).

    ids: they are below it; most: relevant ids of one user. position and found have room for `most` more than can match.
    """
    cdef Py_ssize_t users = recommended.shape[0], k = recommended.shape[1], at = 0, u
    cdef int fault = MATCHED
    cdef Lookup lookup
    cdef LabelView view
    cdef Buffer data = Buffer(labels)
    cdef int32_t *match = <int32_t *> malloc((most + 1) * sizeof(int32_t))
    view.data = <const char *> data.view.buf
    view.kind = data.kind
    if match == NULL or not open_lookup(&lookup, users, k, ids):
        free(match)
        raise MemoryError("no memory to match ids")
    with nogil:
        u = match_users(&recommended[0, 0] if users and k else NULL, users, k, &wanted[0] if wanted.shape[0] else NULL, &view, &indptr[0],
                        &lookup, &lengths[0] if users else NULL, &position[0], match, &found[0], &found_ptr[0], &fault, &at)
        free(lookup.slot)
        free(match)
    return None if fault == MATCHED else (MATCH_FAULTS[fault], u, at)
