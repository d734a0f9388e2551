"""The core's matching of ids: what it finds, and that it writes to no place but its own."""

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from rankgain import _core

UNTOUCHED = 77
ITEMS = 100
WIDTHS = [1, 4, 7, 8, 9, 15, 16, 17, 20, 24, 25, 31, 32, 33]
TYPES = [(np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int32), (np.int64, np.int64)]


def flat(expected: list[list[int]], kind: Any) -> tuple[Any, Any]:
    indptr = np.cumsum([0, *map(len, expected)])
    return np.array([one for row in expected for one in row], kind), indptr


def match(
    rows: Any,
    expected: list[list[int]],
    kind: Any = np.int32,
    depth: int = 64,
    ids_below: int = ITEMS,
) -> Any:
    """The fault, the hits of each user, which relevant id each is, and how long the rows are."""
    ids, indptr = flat(expected, kind)
    users, width = rows.shape
    stops, pointer = np.full(users + 3, UNTOUCHED), np.full(users + 3, UNTOUCHED)
    requested = rows, ids, indptr, ids_below, stops[:users], pointer[: users + 1]
    if width <= _core.MOST_AS_BITS:
        bits = np.full(users + 3, UNTOUCHED, np.uint32)
        fault = _core.match_few(*requested, bits[:users], depth)
        assert (bits[users:] == UNTOUCHED).all()
        if fault is not None:
            return fault, None, None, None
        position, which = (np.full(pointer[users] + 8, UNTOUCHED) for _ in range(2))
        room = position[: pointer[users]]
        _core.write_places(bits[:users], pointer, room)
        _core.find_matches(rows, ids, indptr, pointer, room, which)
        again = np.zeros(users, np.uint32)
        _core.gather_bits(room, pointer, again)
        assert (again == bits[:users]).all()
        beyond = pointer[users]
    else:
        beyond = min(len(ids), rows.size) + 1
        position, which = (np.full(beyond + 8, UNTOUCHED) for _ in range(2))
        only_ranks, indptr_of_ranks = position.copy(), pointer.copy()
        of_ranks = *requested[:5], indptr_of_ranks[: users + 1]
        fault_of_ranks = _core.match_many(*of_ranks, only_ranks[:beyond], None, depth)
        fault = _core.match_many(*requested, position[:beyond], which[:beyond], depth)
        assert fault == fault_of_ranks
        assert (only_ranks[beyond:] == UNTOUCHED).all()
        if fault is None:
            assert (indptr_of_ranks == pointer).all()
            end = pointer[users]
            assert (only_ranks[:end] == position[:end]).all()
    assert (np.concatenate((position[beyond:], which[beyond:])) == UNTOUCHED).all()
    assert (stops[users:] == UNTOUCHED).all()
    if fault is not None:
        return fault, None, None, None
    bounds = list(pairwise(pointer[: users + 1]))
    result = [[one[low:high].tolist() for low, high in bounds] for one in (position, which)]
    return fault, *result, (stops[:users] - np.arange(users) * width).tolist()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("types", TYPES)
def test_hits_are_those_of_plain_python(width: int, types: tuple[Any, Any]) -> None:
    rng = np.random.default_rng(width)
    rows = np.array([rng.permutation(ITEMS)[:width] for _ in range(60)], types[0])
    lengths = rng.integers(0, width + 1, 60)
    for row, length in zip(rows, lengths, strict=True):
        row[length:] = -1
    expected = [rng.permutation(ITEMS)[: rng.integers(0, 40)].tolist() for _ in rows]
    expected[3] = [one for one in rows[3].tolist() if one >= 0][::-1]
    expected[4], expected[5] = [], rng.permutation(ITEMS).tolist()
    fault, hits, which, sizes = match(rows, expected, types[1])
    assert fault is None
    assert sizes == lengths.tolist()
    assert hits == [
        [at for at, one in enumerate(row) if one in mine]
        for row, mine in zip(rows.tolist(), expected, strict=True)
    ]
    first = 0
    for row, mine, places, matches in zip(rows.tolist(), expected, hits, which, strict=True):
        assert matches == [first + mine.index(row[at]) for at in places]
        first += len(mine)


@pytest.mark.parametrize("types", TYPES)
@pytest.mark.parametrize("depth", [0, 1, 5, 16, 17])
@pytest.mark.parametrize("more", [0, 30])
def test_hits_from_a_depth_on_are_left_out(depth: int, types: tuple[Any, Any], more: int) -> None:
    first = [3, 1, 4, 15, 9, 2, 6, 53, 58, 97, 93, 23, 84, 62, 64, 33, 83]
    unused = [item for item in range(ITEMS) if item not in first]
    rows = np.array([first + unused[:more]], types[0])
    hits = match(rows, [[97, 83, 3, 2]], types[1], depth)[1]
    assert hits == [[at for at in (0, 5, 9, 16) if at < depth]]


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("depth", [0, 1, 20, 40])
def test_an_id_twice_is_seen_behind_the_depth(depth: int, kind: Any) -> None:
    for first, second in [(0, 39), (19, 20), (20, 21), (38, 39)]:
        rows = np.arange(80, dtype=kind).reshape(2, 40)
        rows[1, second] = rows[1, first]
        assert match(rows, [[1], [79]], depth=depth)[0][:2] == ("twice", 1)


@pytest.mark.parametrize("ids_below", [4194304, 4194305, 2**40])
@pytest.mark.parametrize("width", [10, 40])
def test_ids_of_a_table_and_ids_that_are_hashed(ids_below: int, width: int) -> None:
    """Beyond 4,194,304 ids there is no entry for each."""
    rows = np.array([[ids_below - 1, *range(width - 1)], [*range(width - 1), ids_below - 1]])
    expected = [[ids_below - 1, 5, ids_below, 2**50], [ids_below - 1, ids_below + 1]]
    _, hits, *_ = match(rows, expected, np.int64, ids_below=ids_below)
    assert hits == [[0, 6], [width - 1]]
    rows[1, 3] = ids_below
    assert match(rows, expected, np.int64, ids_below=ids_below)[0] == ("beyond", 1, 3)
    rows[1, 3] = ids_below - 1
    assert match(rows, expected, np.int64, ids_below=ids_below)[0][:2] == ("twice", 1)


@pytest.mark.parametrize("width", [3, 33])
def test_more_lists_than_stamps(width: int) -> None:
    """A stamp has 16 bits, and a list uses two; list 32,767 has the stamps of list 0 again."""
    lists, period = 2 * 32768 + 5, 32767
    rows = np.tile(np.arange(width), (lists, 1))
    relevant = np.ones(lists, np.int64)
    relevant[::3] = 99
    # Ids that are in no list between: retrieved in both, and relevant, then retrieved.
    rows[[0, period, 2 * period], 2] = 60
    relevant[4], rows[4 + period, 2] = 70, 70
    relevant[4 + period] = 99
    stops, pointer = np.empty(lists, np.int64), np.empty(lists + 1, np.int64)
    requested = rows, relevant, np.arange(lists + 1), ITEMS, stops, pointer
    is_hit = relevant == 1
    if width == 3:
        bits = np.empty(lists, np.uint32)
        assert _core.match_few(*requested, bits, width) is None
        assert (bits == 2 * is_hit).all()
    else:
        ranks = np.empty(lists + 1, np.int64)
        assert _core.match_many(*requested, ranks, None, width) is None
        assert (ranks[: pointer[-1]] == 1).all()
    assert (np.diff(pointer) == is_hit).all()


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("size", [2, 3, 9, 63, 64, 65, 200])
def test_the_first_list_with_a_repeat(size: int, kind: Any) -> None:
    limits = np.iinfo(kind)
    rng = np.random.default_rng(size)
    for first, second in [(0, 1), (0, size - 1), (size - 2, size - 1), (size // 2 - 1, size // 2)]:
        ids = rng.permutation(5 * size).astype(kind)
        ids[:2], ids[-1] = [limits.max, limits.min], -1
        indptr = np.array([0, 0, size, 2 * size, 2 * size, 3 * size, 5 * size])
        assert _core.find_list_with_repeat(ids, indptr) == -1
        ids[2 * size + second] = ids[2 * size + first]
        assert _core.find_list_with_repeat(ids, indptr) == 4
        ids[size + second] = ids[size + first]
        assert _core.find_list_with_repeat(ids, indptr) == 2


def test_ids_of_two_lists_are_not_repeats() -> None:
    assert _core.find_list_with_repeat(np.array([5, 5, 6, 6]), np.array([0, 1, 3, 4])) == -1
    assert _core.find_list_with_repeat(np.zeros(0, int), np.zeros(3, int)) == -1
    for indptr in ([0, 5], [2, 1], [-1, 2]):
        with pytest.raises(ValueError, match="indptr"):
            _core.find_list_with_repeat(np.arange(4), np.array(indptr))


@pytest.mark.parametrize("width", [2, 4, 5, 8, 9, 16, 17, 20, 24, 25, 32, 33])
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_an_id_twice_is_seen_wherever_it_stands(width: int, kind: Any) -> None:
    pairs = list(combinations(range(width), 2))
    rows = np.tile(np.arange(width, dtype=kind), (len(pairs), 1))
    for row, (first, second) in zip(rows, pairs, strict=True):
        row[second] = row[first]
    for row in rows:
        fault = match(np.array([np.arange(width), row], kind), [[], [50]])[0]
        assert fault is not None
        assert fault[:2] == ("twice", 1)


@pytest.mark.parametrize("width", [2, 8, 9, 17, 20, 33])
@pytest.mark.parametrize(
    ("wrong", "kind"), [(-2, "below"), (-(2**31), "below"), (100, "beyond"), (2**31 - 1, "beyond")]
)
def test_an_id_out_of_range_is_seen_wherever_it_stands(width: int, wrong: int, kind: str) -> None:
    for at in range(width):
        rows = np.tile(np.arange(width, dtype=np.int32), (2, 1))
        rows[1, at] = wrong
        assert match(rows, [[1], [1]])[0] == (kind, 1, at)
    for at in range(width - 1):
        rows = np.tile(np.arange(width, dtype=np.int32), (2, 1))
        rows[1, at] = -1
        assert match(rows, [[1], [1]])[0] == ("gap", 1, at)


def test_arrays_that_are_too_short_are_refused() -> None:
    rows, expected, indptr = np.zeros((2, 3), np.int32), np.zeros(4, np.int32), np.array([0, 2, 4])
    stops, pointer, bits = np.zeros(2, np.int64), np.zeros(3, np.int64), np.zeros(2, np.uint32)
    whole = rows, expected, indptr, ITEMS, stops, pointer, bits, 3
    for at in (2, 4, 5, 6):
        short = [one[:-1] if i == at else one for i, one in enumerate(whole)]  # type: ignore[index]
        with pytest.raises(ValueError, match=r"too short|no room"):
            _core.match_few(*short)
    with pytest.raises(ValueError, match="too long"):
        _core.match_few(np.zeros((2, 33), np.int32), *whole[1:])
    with pytest.raises(ValueError, match="no room"):
        _core.match_many(*whole[:6], np.zeros(4, np.int64), np.zeros(5, np.int64), 3)
    with pytest.raises(ValueError, match="no room"):
        _core.match_many(*whole[:6], np.zeros(5, np.int64), np.zeros(4, np.int64), 3)
    with pytest.raises(ValueError, match="no room"):
        _core.match_many(*whole[:6], np.zeros(4, np.int64), None, 3)
    of_five = np.zeros((2, 5), np.int32), np.zeros(9, np.int32), *whole[2:6]
    with pytest.raises(ValueError, match="no room"):  # 8 would do for 2 + 5
        _core.match_many(*of_five, np.zeros(8, np.int64), np.zeros(8, np.int64), 5)
    with pytest.raises(ValueError, match="no room"):
        _core.write_places(np.array([3, 0], np.uint32), np.array([0, 2, 2]), np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="fewer"):
        _core.gather_bits(np.zeros(1, np.int64), np.array([0, 1, 2]), bits)


@pytest.mark.parametrize("expected", [[], [3, 4]])
def test_rows_without_ids(expected: list[int]) -> None:
    """Their places are written, although there are none."""
    result = match(np.zeros((2, 0), np.int32), [expected, expected])
    assert result == (None, [[], []], [[], []], [0, 0])


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("width", WIDTHS)
def test_rows_beside_no_wanted_ids(kind: Any, width: int) -> None:
    rows = np.tile(np.arange(width, dtype=kind), (5, 1))
    rows[3, 1:] = -1
    lengths = [width, width, width, 1, width]
    assert match(rows, [[]] * 5, kind) == (None, [[]] * 5, [[]] * 5, lengths)


def test_rows_are_counted_where_there_are_no_lists() -> None:
    """Nothing has an address there: what checks addresses looks on."""
    nothing = np.zeros(0, np.int64)
    rows = np.full(3, -1)
    result = _core.count_rows(rows, np.array([3.0, 1, 2]), np.zeros(1, int), np.zeros(0), nothing)
    assert result == -1
