"""The greedy ideal ranking of documents that cover parts of a query."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

cdef struct Group:
    double gain  # of its documents when it was last computed; it never rises
    int64_t next  # place of its next document, in the order of the documents
    int64_t stop


cdef struct Search:
    const int64_t *indptr
    const int64_t *part
    const int64_t *document  # list by list, those that cover the same parts next to each other, of these the greatest id first
    const int64_t *id_rank  # of each document
    Group *heap  # the group of the greatest gain at the root; of equal gains that whose next document has the greatest id
    int64_t n_groups
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


cdef inline double gain_of_document(const Search *s, int64_t document) noexcept nogil:
    cdef double gain = 0.0
    cdef int64_t i
    for i in range(s.indptr[document], s.indptr[document + 1]):
        gain += s.of_part[s.part[i]]
    return gain


cdef inline bint comes_before(const Search *s, const Group *a, const Group *b) noexcept nogil:
    if a.gain != b.gain:
        return a.gain > b.gain
    return s.id_rank[s.document[a.next]] > s.id_rank[s.document[b.next]]


cdef inline void sift_down(Search *s, int64_t at) noexcept nogil:
    """Move the group at a place of the heap down to where it belongs."""
    cdef Group moved = s.heap[at]
    cdef int64_t child = 2 * at + 1
    while child < s.n_groups:
        if child + 1 < s.n_groups and comes_before(s, &s.heap[child + 1], &s.heap[child]):
            child += 1
        if not comes_before(s, &s.heap[child], &moved):
            break
        s.heap[at] = s.heap[child]
        at, child = child, 2 * child + 1
    s.heap[at] = moved


cdef void group_documents(Search *s, int64_t start, int64_t stop) noexcept nogil:
    """Make the heap of a list, whose documents are start .. stop - 1 of the order."""
    cdef int64_t i, j, document
    s.n_groups = 0
    for i in range(start, stop):
        document = s.document[i]
        if i > start and covers_same(s, document, s.document[i - 1]):
            s.heap[s.n_groups - 1].stop = i + 1
            continue
        for j in range(s.indptr[document], s.indptr[document + 1]):
            s.of_part[s.part[j]] = 1.0
        s.heap[s.n_groups].gain = <double> (s.indptr[document + 1] - s.indptr[document])
        s.heap[s.n_groups].next = i
        s.heap[s.n_groups].stop = i + 1
        s.n_groups += 1
    for i in range(s.n_groups // 2 - 1, -1, -1):
        sift_down(s, i)


cdef int64_t take_documents(Search *s, int64_t depth, int64_t *out) noexcept nogil:
    """Write the documents of the heap, best first, until `depth` or until none adds anything; returns their number.

    Gains never rise, so a group at the root whose gain is still the same is the best one (Minoux 1978).
    """
    cdef Group *root = s.heap
    cdef int64_t n = 0, document, i
    cdef double gain
    while n < depth and s.n_groups > 0:
        document = s.document[root.next]
        gain = gain_of_document(s, document)
        if gain != root.gain:
            root.gain = gain
            sift_down(s, 0)
            continue
        if gain == 0.0:
            break
        out[n] = document
        n += 1
        for i in range(s.indptr[document], s.indptr[document + 1]):
            s.of_part[s.part[i]] *= s.left
        root.next += 1
        if root.next == root.stop:
            s.n_groups -= 1
            s.heap[0] = s.heap[s.n_groups]
        sift_down(s, 0)
    return n


def rank_greedily(const int64_t[::1] indptr not None, const int64_t[::1] part not None, Py_ssize_t n_parts, const int64_t[::1] document not None,
                  const int64_t[::1] lists not None, const int64_t[::1] id_rank not None, double alpha, int64_t depth,
                  int64_t[::1] out not None, int64_t[::1] sizes not None):
    """Write the greedy ideal ranking of each list to out[lists[i]:], and its length, at most `depth`, to sizes[i].

    Each rank has the document whose gain is greatest after those above it, of equal ones that with the greatest id. document: the judged
    documents list by list, in each those that cover the same parts next to each other, of these the greatest id first.
    """
    cdef Search s
    cdef Py_ssize_t i, n_lists = lists.shape[0] - 1
    cdef int64_t longest = 1
    for i in range(n_lists):
        longest = max(longest, lists[i + 1] - lists[i])
    if document.shape[0] == 0 or part.shape[0] == 0:
        sizes[:] = 0
        return
    s.heap = <Group *> malloc(longest * sizeof(Group))
    s.of_part = <double *> malloc((n_parts + 1) * sizeof(double))
    s.indptr, s.part, s.document, s.id_rank = &indptr[0], &part[0], &document[0], &id_rank[0]
    s.left = 1.0 - alpha
    try:
        if s.heap == NULL or s.of_part == NULL:
            raise MemoryError(f"no memory for a list of {longest} judged documents")
        with nogil:
            for i in range(n_lists):
                group_documents(&s, lists[i], lists[i + 1])
                sizes[i] = take_documents(&s, depth, &out[0] + lists[i])
    finally:
        free(s.heap)
        free(s.of_part)
