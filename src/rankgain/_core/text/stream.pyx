"""Runs that are ranked while they are read."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from .bytes.groups cimport (
    FoundHits, Group, Judgments, Scratch, group_add, group_clear, group_free, group_init, look_up, scratch_free,
)
from .bytes.table cimport (
    Names, Store, add_name, append_bytes, find_name, names_free, names_init, release,
)
from .bytes.words cimport hash_keys, same_bytes
from .rows cimport Reader, all_names, raise_full, share_keys, taken

share_keys(hash_keys)


cdef class RunStream(Reader):
    """Ranks the documents of a run and looks them up in qrels as it is read, one query at a time.

    A query whose rows come back after another's cannot be ranked in one pass: its number is in `again`, and a
    second stream with only=again takes the rows of those, and holds them all.
    """

    cdef Names names, others   # queries with judgments, and without
    cdef Store last            # id of the query of the latest rows
    cdef Group *groups
    cdef Group *group          # the group of these rows, NULL if there is none
    cdef int64_t *group_of     # of each query when there are several, or -1
    cdef int64_t count, limit
    cdef Scratch scratch
    cdef FoundHits hits
    cdef const uint8_t[::1] ids
    cdef const int64_t[::1] id_starts, lists
    cdef const double[::1] labels
    cdef const uint64_t[::1] codes
    cdef int64_t[:, ::1] hit_spans
    cdef bint single
    cdef readonly dict repeated
    cdef readonly set again

    def __init__(self, list queries, tuple judged, int64_t[:, ::1] hit_spans, int64_t limit, bint as_trec_eval, bint single=False, only=()):
        # judged: ids, their starts, lists, labels, hashes. Written to `hit_spans` for each query: documents ranked
        # (-1: not in the run), first hit, number of hits.
        cdef int64_t g = 0
        self.scan.as_trec_eval = as_trec_eval
        if not names_init(&self.names) or not names_init(&self.others):
            raise MemoryError
        for query in queries:
            padded = query + bytes(8)
            if add_name(&self.names, padded, len(query)) < 0:
                raise MemoryError
        self.ids, self.id_starts, self.lists, self.labels, self.codes = judged
        self.hit_spans = hit_spans
        self.limit = limit
        self.single = single
        self.repeated = {}
        self.again = set()
        self.groups = <Group *> calloc(max(1, len(only)), sizeof(Group))
        if self.groups == NULL:
            raise MemoryError
        self.count = max(1, len(only))
        for g in range(self.count):
            if not group_init(&self.groups[g]):
                raise MemoryError
        if only:
            self.group_of = <int64_t *> malloc(len(queries) * 8)
            if self.group_of == NULL:
                raise MemoryError
            memset(self.group_of, 0xFF, len(queries) * 8)
            for g, q in enumerate(only):
                self.group_of[<int64_t> q] = g
                self.groups[g].query = q

    def __dealloc__(self):
        cdef int64_t g
        for g in range(self.count):
            group_free(&self.groups[g])
        free(self.groups)
        free(self.group_of)
        names_free(&self.names)
        names_free(&self.others)
        scratch_free(&self.scratch)
        release(&self.last)
        release(&self.hits.ranks)
        release(&self.hits.labels)

    def finish(self):
        """Rank the remaining rows; return the ranks and labels of all hits, and the ids of queries without judgments."""
        cdef int64_t g
        with nogil:
            for g in range(self.count):
                self._close(&self.groups[g])
                if self.full:
                    break
        if self.full:
            raise_full()
        return taken(&self.hits.ranks), taken(&self.hits.labels), all_names(&self.others)

    @property
    def rows(self):
        """The number of rows read."""
        return self.scan.rows

    cdef void _take(self) noexcept nogil:
        if not self.row.same_query and (
            self.scan.rows == 1
            or not same_bytes(self.last.data, self.last.size, self.row.query, self.row.query_size)
        ):
            self._turn()
        if self.single:
            self.row.value = <float> self.row.value
        if self.group != NULL and not group_add(self.group, &self.row):
            self.full = True

    cdef void _turn(self) noexcept nogil:
        # The rows of another query begin.
        cdef int64_t query = find_name(&self.names, self.row.query, self.row.query_size), others = self.others.count
        self.last.size = 0
        self.full |= not append_bytes(&self.last, self.row.query, self.row.query_size)
        if query < 0:
            self.full |= add_name(&self.others, self.row.query, self.row.query_size) < 0
        if self.group_of != NULL:
            self.group = NULL if query < 0 or self.group_of[query] < 0 else &self.groups[self.group_of[query]]
            return
        self._close(&self.groups[0])
        self.group = NULL
        if self.full:
            return
        if query >= 0 and self.hit_spans[query, 0] >= 0 or (
            query < 0 and self.others.count == others and not self.scan.as_trec_eval
        ):
            with gil:
                self.again.add(query)
        elif query >= 0 or not self.scan.as_trec_eval:
            # Without judgments, only repeated documents matter.
            self.group = &self.groups[0]
            self.group.query = query

    cdef void _close(self, Group *group) noexcept nogil:
        cdef Judgments judged
        cdef int64_t repeated = -1, first, ranked, q = group.query
        cdef const int64_t *starts = <const int64_t *> group.starts.data
        if group.size == 0:
            return
        first = self.hits.ranks.size // 8
        memset(&judged, 0, sizeof(Judgments))
        if q >= 0:
            judged.ids.bytes = &self.ids[0]
            judged.ids.starts = &self.id_starts[self.lists[q]]
            judged.size = self.lists[q + 1] - self.lists[q]
            judged.labels = &self.labels[self.lists[q]]
            judged.codes = &self.codes[self.lists[q]]
        ranked = look_up(group, &self.scratch, &judged, self.limit, &self.hits, &repeated)
        if ranked < 0:
            self.full = True
            return
        if q >= 0:
            self.hit_spans[q, 0] = ranked
            self.hit_spans[q, 1] = first
            self.hit_spans[q, 2] = self.hits.ranks.size // 8 - first
        if repeated >= 0:
            with gil:
                self.repeated[q] = PyBytes_FromStringAndSize(
                    <char*> group.ids.data + starts[repeated], starts[repeated + 1] - starts[repeated]
                )
        group_clear(group)
