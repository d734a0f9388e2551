"""Match rows of recommended integer ids with the relevant ids of each user."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from ..simd.wide cimport bits_trailing_zeros, wide_best, wide_level, wide_match
from .lists cimport raise_pending
from .watch cimport Watch, must_end, open_watch

from .. import simd

wide_level = simd.selected(wide_best())
cdef uint64_t FACTOR = <uint64_t> hash(b"rankgain ids upper") << 32 ^ <uint64_t> hash(b"rankgain ids lower") | 1

cdef enum:
    BITS_UP_TO = 32  # ids of a row whose places are bits of one number
    USERS_BETWEEN_LOOKS = 4096  # users between looks for signals
    WRITE_AT_ONCE = 4  # places that are written before it is known whether there are any
    MAX_TABLE_IDS = 4194304  # ids of a catalogue with an entry for each; beyond, ids are hashed
    LAST_STAMP = 65534  # the last even number of 16 bits
    ALL_PAIRS_UP_TO = 64  # ids of a list that are compared with each other

cdef uint64_t ANY_ID = <uint64_t> -1
cdef uint64_t END = <uint64_t> 1 << BITS_UP_TO  # so that some bit is found

cdef enum MatchFault:
    MATCHED, ID_BELOW, ID_BEYOND, GAP, TWICE

MOST_AS_BITS = BITS_UP_TO
MATCH_FAULTS = {ID_BELOW: "below", ID_BEYOND: "beyond", GAP: "gap", TWICE: "twice"}

ctypedef fused id_type:
    int32_t
    int64_t

ctypedef fused wanted_type:
    int32_t
    int64_t

# The lookup table of ids: a stamp or a slot for each id of a small catalogue, else a hash table of one user's ids.
cdef struct Lookup:
    uint16_t *stamp  # of each id the stamp of the last user that has it, if only ranks are requested; or NULL
    uint32_t stamped  # of the last user: this number for relevant ids, the next one for retrieved ids
    uint32_t *slot
    int64_t *mark  # of the positions of one user
    void *row  # a copy of the ids of one user: they are checked and looked up there, as another thread may change the array
    int bits  # of the hash table; 0: one slot per id
    uint64_t factor  # of the hash: odd, random and secret, so that ids that collide cannot be chosen
    uint64_t ids  # of the catalogue

# The places of relevant ids in rows of k, user by user.
cdef struct Matches:
    int64_t *stops  # where each row stops, without the padding of -1 at its end
    int64_t *pointer  # where a user's places begin among those of all
    uint32_t *rank_bits  # as bits, those below depth; or NULL: all as numbers
    Py_ssize_t depth  # places from here on are left out; repeats are looked for in the whole row
    int64_t *position
    int64_t *match  # which of the relevant ids that is; or NULL
    int fault
    Py_ssize_t at  # place of the fault


cdef inline uint64_t slot_of(int64_t key, const Lookup *lookup) noexcept nogil:
    """Multiplicative hashing by a random factor (Dietzfelbinger et al. 1997)."""
    return (<uint64_t> key * lookup.factor) >> (64 - lookup.bits)


cdef inline uint32_t few_ids(uint64_t ids) noexcept nogil:
    """What ids of 32 bits must be below."""
    return <uint32_t> ids if ids < 2147483648u else 2147483648u


cdef inline Py_ssize_t row_length(const id_type *row, Py_ssize_t k, uint64_t ids, int *fault, Py_ssize_t *at) noexcept nogil:
    """How many ids are before the padding of -1; flags ids that are not allowed.

    As an unsigned number, a negative id is large: one comparison finds both what is below 0 and what is too large.
    """
    cdef Py_ssize_t i, n = k
    cdef uint32_t few = few_ids(ids)
    cdef uint32_t beyond = 0
    while n > 0 and row[n - 1] == -1:
        n -= 1
    for i in range(n):
        if id_type is int32_t:
            beyond |= <uint32_t> row[i] >= few
        else:
            beyond |= <uint64_t> row[i] >= ids
    i = 0
    while beyond and <uint64_t> <int64_t> row[i] < ids:
        i += 1
    if beyond:
        if row[i] == -1:
            fault[0] = GAP
        elif row[i] < 0:
            fault[0] = ID_BELOW
        else:
            fault[0] = ID_BEYOND
        at[0] = i
    return n


cdef inline bint mark_by_slot(
        const id_type *row, Py_ssize_t n, const wanted_type *wanted, Py_ssize_t start, Py_ssize_t stop, uint32_t base,
        const Lookup *lookup) noexcept nogil:
    """Mark the positions of the wanted ids in a user's row; returns whether an id is in the row twice.

    The slot of an id holds base + position; slots below base are of earlier users. No branch depends on the result.
    """
    cdef Py_ssize_t i
    cdef uint32_t found
    cdef uint64_t id
    cdef uint32_t *slot = lookup.slot
    cdef int64_t *mark = lookup.mark
    cdef bint again = False
    for i in range(n):
        again |= slot[row[i]] >= base
        slot[row[i]] = base + <uint32_t> i
    for i in range(start, stop):
        id = <uint64_t> <int64_t> wanted[i]
        found = slot[id] if id < lookup.ids else 0
        mark[found - base if found >= base else n] = i + 1
    return again


cdef inline bint mark_by_stamp(
        const id_type *row, Py_ssize_t n, const wanted_type *wanted, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t depth,
        Lookup *lookup) noexcept nogil:
    """Marks of the first `depth` places: 1 for relevant ids. No branch depends on the result.

    Stamps have 16 bits, so that those of more ids stay in the cache; before they overflow, all are cleared. A relevant id gets the first
    of two stamps of this user, a retrieved one the second; so an id that has the second stamp already stands twice in the row.
    """
    cdef Py_ssize_t i
    cdef uint64_t id
    cdef uint16_t relevant, retrieved, last
    cdef uint16_t *stamp = lookup.stamp
    cdef int64_t *mark = lookup.mark
    cdef bint again = False
    if lookup.stamped == LAST_STAMP:
        memset(stamp, 0, (lookup.ids + 1) * sizeof(uint16_t))
        lookup.stamped = 0
    lookup.stamped += 2
    relevant = <uint16_t> lookup.stamped
    retrieved = <uint16_t> (lookup.stamped + 1)
    for i in range(start, stop):
        id = <uint64_t> <int64_t> wanted[i]
        stamp[id if id < lookup.ids else lookup.ids] = relevant
    for i in range(depth):
        last = stamp[row[i]]
        again |= last == retrieved
        mark[i] = last == relevant
        stamp[row[i]] = retrieved
    for i in range(depth, n):
        again |= stamp[row[i]] == retrieved
        stamp[row[i]] = retrieved
    return again


cdef inline bint mark_by_hash(
        const id_type *row, Py_ssize_t n, const wanted_type *wanted, Py_ssize_t start, Py_ssize_t stop,
        const Lookup *lookup) noexcept nogil:
    """The same with a hash table, which holds position + 1."""
    cdef uint64_t mask = (<uint64_t> 1 << lookup.bits) - 1, h
    cdef uint32_t *table = lookup.slot
    cdef Py_ssize_t i
    memset(table, 0, (<size_t> 1 << lookup.bits) * sizeof(uint32_t))
    for i in range(n):
        h = slot_of(row[i], lookup)
        while table[h]:
            if row[table[h] - 1] == row[i]:
                return True
            h = (h + 1) & mask
        table[h] = <uint32_t> i + 1
    for i in range(start, stop):
        h = slot_of(wanted[i], lookup)
        while table[h]:
            if row[table[h] - 1] == wanted[i]:
                lookup.mark[table[h] - 1] = i + 1
                break
            h = (h + 1) & mask
    return False


cdef inline int bits_of_table(Py_ssize_t n) noexcept nogil:
    """The bits of a hash table that n ids fill by half at most."""
    cdef int bits = 3
    while (<uint64_t> 1 << bits) < 2 * <uint64_t> n:
        bits += 1
    return bits


cdef bint open_lookup(Lookup *lookup, Py_ssize_t users, Py_ssize_t k, uint64_t ids, bint only_ranks) noexcept nogil:
    """A table of one entry per id where it stays small: a stamp, or a slot if slots can count the positions over all users."""
    memset(lookup, 0, sizeof(Lookup))
    lookup.factor = FACTOR
    lookup.ids = ids
    lookup.row = malloc((k + 1) * sizeof(int64_t))
    lookup.mark = <int64_t *> calloc(k + 1, sizeof(int64_t))
    if lookup.mark == NULL or lookup.row == NULL:
        return False
    if ids <= MAX_TABLE_IDS and only_ranks:
        lookup.stamp = <uint16_t *> calloc(ids + 1, sizeof(uint16_t))
        return lookup.stamp != NULL
    if ids <= MAX_TABLE_IDS and <double> (users + 1) * (k + 1) < 4294967296.0:
        lookup.slot = <uint32_t *> calloc(ids + 1, sizeof(uint32_t))
        return lookup.slot != NULL
    lookup.bits = bits_of_table(k)
    lookup.slot = <uint32_t *> malloc((<size_t> 1 << lookup.bits) * sizeof(uint32_t))
    return lookup.slot != NULL


cdef void close_lookup(Lookup *lookup) noexcept nogil:
    free(lookup.stamp)
    free(lookup.slot)
    free(lookup.mark)
    free(lookup.row)


cdef void match_user(const id_type *rows, Py_ssize_t k, Py_ssize_t u, const wanted_type *wanted, const int64_t *indptr, Lookup *lookup,
                     Matches *matches) noexcept nogil:
    """The places of a user's relevant ids, ascending: as bits, or as numbers, with which ids they are.

    The entry after a user's last match may be overwritten by a place that did not match, so the arrays have one entry more.
    """
    cdef id_type *row = <id_type *> lookup.row
    cdef int64_t *mark = lookup.mark
    cdef int64_t *position = matches.position
    cdef int64_t *match = matches.match
    cdef Py_ssize_t i, n, depth, at = matches.pointer[u]
    cdef uint32_t bits = 0
    cdef bint twice
    if k:  # a row of none may have no address
        memcpy(row, rows + u * k, k * sizeof(id_type))
    n = row_length(row, k, lookup.ids, &matches.fault, &matches.at)
    if matches.fault != MATCHED:
        return
    depth = min(n, matches.depth)
    if lookup.stamp != NULL:
        twice = mark_by_stamp(row, n, wanted, indptr[u], indptr[u + 1], depth, lookup)
    elif lookup.bits:
        twice = mark_by_hash(row, n, wanted, indptr[u], indptr[u + 1], lookup)
    else:
        twice = mark_by_slot(row, n, wanted, indptr[u], indptr[u + 1], <uint32_t> (u * k + 1), lookup)
    if matches.rank_bits != NULL:
        for i in range(depth):
            bits |= <uint32_t> (mark[i] != 0) << i
            at += mark[i] != 0
        matches.rank_bits[u] = bits
    elif match == NULL:
        for i in range(depth):
            position[at] = i
            at += mark[i] != 0
    else:
        for i in range(depth):  # marks hold the wanted id of a position, counted from 1
            position[at] = i
            match[at] = mark[i] - 1
            at += mark[i] != 0
    if lookup.stamp == NULL:
        memset(mark, 0, (n + 1) * sizeof(int64_t))  # the last one is of what was not found
    matches.stops[u] = u * k + n
    matches.pointer[u + 1] = at
    matches.fault = TWICE if twice else MATCHED


cdef object match_all(const id_type[:, ::1] recommended, const wanted_type[::1] wanted, const int64_t[::1] indptr, uint64_t ids, Matches *matches):
    """Returns None, or a fault, its user and its place. Users that the vector code does not handle are matched one by one."""
    cdef Py_ssize_t users = recommended.shape[0], k = recommended.shape[1], u = 0, n_matched
    cdef const id_type *rows = &recommended[0, 0] if users and k else NULL
    # Of no ids nothing is read, but a masked load from no address takes a thousand cycles.
    cdef const wanted_type *relevant = &wanted[0] if wanted.shape[0] else <const wanted_type *> &indptr[0]
    cdef Lookup lookup
    cdef Watch watch
    cdef bint opened, ended = False
    if users == 0:
        return None
    matches.fault = MATCHED
    matches.pointer[0] = 0
    open_watch(&watch, NULL)
    with nogil:
        opened = open_lookup(&lookup, users, k, ids, matches.match == NULL)
        while opened and not ended and u < users and matches.fault == MATCHED:
            n_matched = 0
            if id_type is int32_t and wanted_type is int32_t:
                if wide_level and matches.rank_bits != NULL:
                    n_matched = wide_match(rows + u * k, min(users - u, USERS_BETWEEN_LOOKS), k, matches.depth, few_ids(ids), relevant,
                                           &indptr[u], u * k, matches.stops + u, matches.rank_bits + u, matches.pointer + u)
            ended = must_end(&watch, 4 * k * (n_matched + 1), False)
            if n_matched == 0 and not ended:
                match_user(rows, k, u, relevant, &indptr[0], &lookup, matches)
            u += n_matched
            if n_matched == 0 and matches.fault == MATCHED:
                u += 1  # with a fault, u stays at its user
        close_lookup(&lookup)
    if not opened:
        raise MemoryError("no memory to match ids")
    if ended:
        raise_pending(NULL)
    return None if matches.fault == MATCHED else (MATCH_FAULTS[matches.fault], u, matches.at)


cdef int open_matches(Matches *matches, Py_ssize_t users, const int64_t[::1] indptr, int64_t[::1] stops, int64_t[::1] pointer) except -1:
    memset(matches, 0, sizeof(Matches))
    if indptr.shape[0] <= users or stops.shape[0] < users or pointer.shape[0] <= users:
        raise ValueError("arrays are too short for all users")
    matches.pointer = &pointer[0]
    if users:
        matches.stops = &stops[0]
    return 0


def match_few(const id_type[:, ::1] recommended, const wanted_type[::1] wanted, const int64_t[::1] indptr, uint64_t ids,
              int64_t[::1] stops, int64_t[::1] pointer, uint32_t[::1] rank_bits, Py_ssize_t depth):
    """The places, at most 32, of each user's relevant ids, as bits; returns None or (fault, user, place).

    ids: they are below it; stops: where each row stops in all of them, without the padding of -1 at its end; pointer: where a user's
    places begin among those of all; depth: places from there on are left out.
    """
    cdef Matches matches
    open_matches(&matches, recommended.shape[0], indptr, stops, pointer)
    if recommended.shape[1] > BITS_UP_TO or rank_bits.shape[0] < recommended.shape[0]:
        raise ValueError("rows are too long, or there is no room for their places")
    if recommended.shape[0]:
        matches.rank_bits = &rank_bits[0]
    matches.depth = max(0, min(depth, recommended.shape[1]))
    return match_all(recommended, wanted, indptr, ids, &matches)


def match_many(const id_type[:, ::1] recommended, const wanted_type[::1] wanted, const int64_t[::1] indptr, uint64_t ids,
               int64_t[::1] stops, int64_t[::1] pointer, int64_t[::1] position, int64_t[::1] match, Py_ssize_t depth):
    """The same for rows of any length, as numbers, and which of the relevant ids each is, unless `match` is None; one more of both than can
    match is written."""
    cdef Matches matches
    cdef Py_ssize_t room = position.shape[0]
    open_matches(&matches, recommended.shape[0], indptr, stops, pointer)
    if match is not None:
        room = min(room, match.shape[0])
    matches.depth = max(0, min(depth, recommended.shape[1]))
    if room <= min(wanted.shape[0], recommended.shape[0] * matches.depth):
        raise ValueError("there is no room for what matches")
    matches.position = &position[0]
    if match is not None:
        matches.match = &match[0]
    return match_all(recommended, wanted, indptr, ids, &matches)


cdef Py_ssize_t count_shared_ids(const int64_t *row, Py_ssize_t k, const int64_t *other, Py_ssize_t m, uint32_t base,
                                 const Lookup *lookup) noexcept nogil:
    """The number of ids that two rows share, or -1 if an id is twice in one of them, or is no id of the catalogue.

    Slots hold base for an id of the row, base + 1 for one of the other, and less for those of users before.
    """
    cdef int64_t *ids = <int64_t *> lookup.row
    cdef uint32_t *slot = lookup.slot
    cdef Py_ssize_t i, n, at, hits = 0
    cdef uint32_t side
    cdef int fault = MATCHED
    cdef bint again = False
    for side in range(2):
        n = m if side else k
        if n:
            memcpy(ids, other if side else row, n * sizeof(int64_t))
        n = row_length(ids, n, lookup.ids, &fault, &at)
        if fault != MATCHED:
            return -1
        for i in range(n):
            hits += slot[ids[i]] == base
            again |= slot[ids[i]] >= base + side
            slot[ids[i]] = base + side
    return -1 if again else hits


def count_shared(const int64_t[:, ::1] rows, const int64_t[:, ::1] others, uint64_t ids, int64_t[::1] counts):
    """How many ids each row shares with that of another matrix; False where match_many should look: at a fault, or at ids too many for a
    slot each. ids: they are below it, but for the -1 at the end of a row."""
    cdef Py_ssize_t users = rows.shape[0], k = rows.shape[1], m = others.shape[1], u = 0
    cdef Lookup lookup
    cdef Watch watch
    cdef bint opened, ended = False
    if others.shape[0] != users or counts.shape[0] != users:
        raise ValueError("there must be as many rows of both, and counts")
    if users == 0:
        return True
    open_watch(&watch, NULL)
    with nogil:
        opened = open_lookup(&lookup, users, max(k, m), ids, False)
        while opened and not lookup.bits and not ended and u < users:
            counts[u] = count_shared_ids(&rows[u, 0] if k else NULL, k, &others[u, 0] if m else NULL, m, <uint32_t> (2 * u + 1), &lookup)
            if counts[u] < 0:
                break
            ended = must_end(&watch, k + m, False)
            u += 1
        close_lookup(&lookup)
    if not opened:
        raise MemoryError("no memory to match ids")
    if ended:
        raise_pending(NULL)
    return u == users


cdef bint has_repeat_among_few(const wanted_type *ids, Py_ssize_t n) noexcept nogil:
    """Whether an id of a short list stands there twice: all pairs are compared, without a branch."""
    cdef Py_ssize_t i, j
    cdef wanted_type again = 0
    for i in range(1, n):
        for j in range(i):
            again |= ids[j] == ids[i]
    return again != 0


def find_list_with_repeat(const wanted_type[::1] ids, const int64_t[::1] indptr):
    """The first list with an id twice, or -1; list i has ids[indptr[i]:indptr[i + 1]]."""
    cdef Py_ssize_t lists = indptr.shape[0] - 1, i, size, longest = 0
    cdef const wanted_type *row
    cdef Lookup lookup
    cdef Watch watch
    cdef bint opened, ended = False, again = False
    for i in range(lists):
        if not 0 <= indptr[i] <= indptr[i + 1] <= ids.shape[0]:
            raise ValueError("indptr must not descend, or end beyond the ids")
        longest = max(longest, indptr[i + 1] - indptr[i])
    if longest < 2:
        return -1
    open_watch(&watch, NULL)
    i = 0
    with nogil:
        opened = open_lookup(&lookup, 0, longest, ANY_ID, False)
        while opened and not ended and not again and i < lists:
            size = indptr[i + 1] - indptr[i]
            if size > 1:
                row = &ids[indptr[i]]
                lookup.bits = bits_of_table(size)
                again = has_repeat_among_few(row, size) if size <= ALL_PAIRS_UP_TO else mark_by_hash(row, size, row, 0, 0, &lookup)
            ended = must_end(&watch, size, False)
            i += not again
        close_lookup(&lookup)
    if not opened:
        raise MemoryError("no memory to look for repeated ids")
    if ended:
        raise_pending(NULL)
    return i if again else -1


def write_places(const uint32_t[::1] rank_bits, const int64_t[::1] pointer, int64_t[::1] position):
    """The places of all users as numbers. Most have few, whose number no branch should guess."""
    cdef Py_ssize_t u, j, at = 0, room = position.shape[0]
    cdef uint64_t left
    if pointer.shape[0] <= rank_bits.shape[0]:
        raise ValueError("pointer is too short")
    for u in range(rank_bits.shape[0]):
        at = pointer[u]
        left = rank_bits[u]
        if not 0 <= at <= pointer[u + 1] <= room:
            raise ValueError("there is no room for the places")
        if room - at >= WRITE_AT_ONCE:
            for j in range(WRITE_AT_ONCE):
                position[at + j] = bits_trailing_zeros(left | END)
                left &= left - 1
            at += WRITE_AT_ONCE
        for at in range(at, pointer[u + 1]):
            position[at] = bits_trailing_zeros(left | END)
            left &= left - 1


def find_matches(const id_type[:, ::1] recommended, const wanted_type[::1] wanted, const int64_t[::1] indptr, const int64_t[::1] pointer,
                 const int64_t[::1] position, int64_t[::1] match):
    """Which of a user's relevant ids is at each place that was found."""
    cdef Py_ssize_t u, i, j, at
    cdef id_type id
    for u in range(recommended.shape[0]):
        for i in range(pointer[u], pointer[u + 1]):
            id = recommended[u, position[i]]
            at = indptr[u]
            for j in range(indptr[u], indptr[u + 1]):  # to the end, without a branch
                at = j if wanted[j] == id else at
            match[i] = at


cdef inline uint32_t bit_of(const int64_t *position, int64_t j, int64_t end, int64_t last) noexcept nogil:
    """The entry at position j of a list that ends at `end`; the read may reach into the next list, up to `last`. There is no branch on it."""
    cdef int64_t rank = position[j if j < last else last]
    return <uint32_t> ((j < end) & (rank < BITS_UP_TO)) << (rank & (BITS_UP_TO - 1))


def gather_bits(const int64_t[::1] position, const int64_t[::1] pointer, uint32_t[::1] rank_bits):
    """The places below 32 of each user as bits."""
    cdef const int64_t *place = &position[0] if position.shape[0] else NULL
    cdef int64_t first, end, j, last = position.shape[0] - 1
    cdef Py_ssize_t u
    cdef uint32_t bits
    if pointer.shape[0] <= rank_bits.shape[0] or pointer[rank_bits.shape[0]] > position.shape[0]:
        raise ValueError("there are fewer places than pointer says")
    for u in range(rank_bits.shape[0] if place != NULL else 0):
        first = pointer[u]
        end = pointer[u + 1]
        bits = 0
        for j in range(first, first + WRITE_AT_ONCE):
            bits |= bit_of(place, j, end, last)
        for j in range(first + WRITE_AT_ONCE, end):
            bits |= bit_of(place, j, end, last)
        rank_bits[u] = bits
