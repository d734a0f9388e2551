"""What documents cover of the parts of a query, and the greedy ideal ranking of the documents."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    FEW_GROUPS = 64  # up to this number, looking at the gain of each group is faster than keeping a heap of them


# The documents of a list that cover the same parts, from the greatest id to the least.
cdef struct Group:
    double gain  # of its documents when it was last computed; it never rises
    int64_t next  # its next document: a place in the order of the documents, -1 if there is none
    int64_t last  # its last document


cdef struct Search:
    const int64_t *indptr
    const int64_t *part
    const int64_t *document  # list by list, in each by descending id
    Group *groups
    int64_t n_groups
    int64_t *chain  # the place of the next document of the same group
    int64_t *table  # hash table: 1 + the number of a group, or 0
    uint64_t table_size  # a power of two
    double *of_part  # what each part adds the next time
    double left  # of that, after each document: 1 - alpha


cdef inline bint covers_same(const Search *s, int64_t a, int64_t b) noexcept nogil:
    """Whether two documents cover the same parts."""
    cdef int64_t i, n = s.indptr[a + 1] - s.indptr[a]
    if n != s.indptr[b + 1] - s.indptr[b]:
        return False
    for i in range(n):
        if s.part[s.indptr[a] + i] != s.part[s.indptr[b] + i]:
            return False
    return True


cdef inline uint64_t hash_parts(const Search *s, int64_t document) noexcept nogil:
    """The hash of the parts that a document covers: FNV-1a over whole numbers; at last the high bits are mixed into the low ones, which the table uses."""
    cdef uint64_t code = 0xCBF29CE484222325
    cdef int64_t i
    for i in range(s.indptr[document], s.indptr[document + 1]):
        code = (code ^ <uint64_t> s.part[i]) * <uint64_t> 0x100000001B3
    return code ^ code >> 32


cdef inline double gain_of_document(const Search *s, int64_t document) noexcept nogil:
    cdef double gain = 0.0
    cdef int64_t i
    for i in range(s.indptr[document], s.indptr[document + 1]):
        gain += s.of_part[s.part[i]]
    return gain


cdef inline bint comes_before(const Group *a, const Group *b) noexcept nogil:
    """Whether a group has the greater gain, or of equal ones the next document with the greater id: its place is the smaller one."""
    return a.gain > b.gain or (a.gain == b.gain and a.next < b.next)


cdef inline void sift_down(Search *s, int64_t place) noexcept nogil:
    """Move the group at a place of the heap down to where it belongs."""
    cdef Group moved = s.groups[place]
    cdef int64_t child = 2 * place + 1
    while child < s.n_groups:
        if child + 1 < s.n_groups and comes_before(&s.groups[child + 1], &s.groups[child]):
            child += 1
        if not comes_before(&s.groups[child], &moved):
            break
        s.groups[place] = s.groups[child]
        place, child = child, 2 * child + 1
    s.groups[place] = moved


cdef void group_documents(Search *s, int64_t start, int64_t stop) noexcept nogil:
    """Make the groups of a list, whose documents are start .. stop - 1 of the order; those that cover nothing are in none."""
    cdef int64_t i, j, document
    cdef uint64_t slot
    cdef Group *group
    s.n_groups = 0
    s.table_size = 16
    while s.table_size < 2 * <uint64_t> (stop - start):
        s.table_size *= 2
    memset(s.table, 0, s.table_size * sizeof(int64_t))
    for i in range(start, stop):
        document = s.document[i]
        if s.indptr[document] == s.indptr[document + 1]:
            continue
        s.chain[i] = -1
        slot = hash_parts(s, document) & (s.table_size - 1)
        while s.table[slot] and not covers_same(s, document, s.document[s.groups[s.table[slot] - 1].next]):
            slot = (slot + 1) & (s.table_size - 1)
        if s.table[slot]:
            group = &s.groups[s.table[slot] - 1]
            s.chain[group.last] = i
            group.last = i
            continue
        group = &s.groups[s.n_groups]
        group.gain = <double> (s.indptr[document + 1] - s.indptr[document])
        group.next = group.last = i
        s.n_groups += 1
        s.table[slot] = s.n_groups
        for j in range(s.indptr[document], s.indptr[document + 1]):
            s.of_part[s.part[j]] = 1.0
    if s.n_groups > FEW_GROUPS:
        for i in range(s.n_groups // 2 - 1, -1, -1):
            sift_down(s, i)


cdef inline void find_best_of_few(Search *s) noexcept nogil:
    """Move the group that comes before all others to the front. Gains never rise, so a lower one need not be computed again."""
    cdef Group best
    cdef int64_t i, place = 0
    s.groups[0].gain = gain_of_document(s, s.document[s.groups[0].next])
    for i in range(1, s.n_groups):
        if s.groups[i].gain < s.groups[place].gain:
            continue
        s.groups[i].gain = gain_of_document(s, s.document[s.groups[i].next])
        if comes_before(&s.groups[i], &s.groups[place]):
            place = i
    best = s.groups[place]
    s.groups[place] = s.groups[0]
    s.groups[0] = best


cdef inline void find_best_in_heap(Search *s) noexcept nogil:
    """The same, by a heap in which the group at the root may be out of place.

    Gains never rise, so old ones are upper bounds: a group at the root whose gain is still the same comes before all others, tied ones
    too (Minoux 1978).
    """
    cdef double gain
    sift_down(s, 0)
    while True:
        gain = gain_of_document(s, s.document[s.groups[0].next])
        if gain == s.groups[0].gain:
            return
        s.groups[0].gain = gain
        sift_down(s, 0)


cdef int64_t take_documents(Search *s, int64_t depth, int64_t *out) noexcept nogil:
    """Write the documents of the groups, best first, until `depth` or until none adds anything; returns their number."""
    cdef Group *best = s.groups
    cdef int64_t n = 0, document, i
    while n < depth and s.n_groups > 0:
        if s.n_groups > FEW_GROUPS:
            find_best_in_heap(s)
        else:
            find_best_of_few(s)
        if best.gain == 0.0:
            break
        document = s.document[best.next]
        out[n] = document
        n += 1
        for i in range(s.indptr[document], s.indptr[document + 1]):
            s.of_part[s.part[i]] *= s.left
        best.next = s.chain[best.next]
        if best.next < 0:
            s.n_groups -= 1
            best[0] = s.groups[s.n_groups]
    return n


def rank_greedily(const int64_t[::1] indptr not None, const int64_t[::1] part not None, Py_ssize_t n_parts, const int64_t[::1] document not None,
                  const int64_t[::1] lists not None, double alpha, int64_t depth, int64_t[::1] out not None, int64_t[::1] sizes not None):
    """Write the greedy ideal ranking of each list to out[lists[i]:], and its length, at most `depth`, to sizes[i].

    Each rank has the document whose gain is greatest after those above it, of equal ones that with the greatest id. Documents that cover
    the same parts have equal gains, so only the first of each such group is looked at. document: the judged documents list by list, in
    each by descending id.
    """
    cdef Search s
    cdef Py_ssize_t i, n_lists = lists.shape[0] - 1
    cdef int64_t longest = 8
    for i in range(n_lists):
        longest = max(longest, lists[i + 1] - lists[i])
    if document.shape[0] == 0 or part.shape[0] == 0:
        sizes[:] = 0
        return
    s.groups = <Group *> malloc(longest * sizeof(Group))
    s.table = <int64_t *> malloc(4 * longest * sizeof(int64_t))
    s.chain = <int64_t *> malloc(document.shape[0] * sizeof(int64_t))
    s.of_part = <double *> malloc((n_parts + 1) * sizeof(double))
    s.indptr, s.part, s.document = &indptr[0], &part[0], &document[0]
    s.left = 1.0 - alpha
    try:
        if s.groups == NULL or s.table == NULL or s.chain == NULL or s.of_part == NULL:
            raise MemoryError(f"no memory for a list of {longest} judged documents")
        with nogil:
            for i in range(n_lists):
                group_documents(&s, lists[i], lists[i + 1])
                sizes[i] = take_documents(&s, depth, &out[0] + lists[i])
    finally:
        free(s.groups)
        free(s.table)
        free(s.chain)
        free(s.of_part)


def select_covered(const int64_t[::1] indptr not None, const int64_t[::1] part not None, const double[::1] label not None, double rel,
                   int64_t[::1] kept_indptr not None, int64_t[::1] kept_part not None, double[::1] covering not None):
    """Copy the parts for which documents have a label of at least `rel`, count the documents of each, and return how many were copied.

    Document i has the labels indptr[i] .. indptr[i + 1] - 1. covering: zeros, to which the numbers of documents are added.
    """
    cdef Py_ssize_t i, n_documents = indptr.shape[0] - 1
    cdef int64_t entry, n = 0
    cdef bint covers
    if kept_indptr.shape[0] != indptr.shape[0] or kept_part.shape[0] != part.shape[0] or label.shape[0] != part.shape[0]:
        raise ValueError("arrays differ in length")
    with nogil:
        kept_indptr[0] = 0
        for i in range(n_documents):
            for entry in range(indptr[i], indptr[i + 1]):
                # Each part is written, and the next overwrites it unless it is covered: there is no branch to mispredict.
                covers = label[entry] >= rel
                kept_part[n] = part[entry]
                covering[part[entry]] += <double> covers
                n += covers
            kept_indptr[i + 1] = n
    return n
