"""Rows of integers as the core reads them: lists of Python integers, and arrays of one dtype."""

from typing import Any

import numpy as np
import pytest

from rankgain import _core

UNTOUCHED = 77


def read(rows: list[Any], size: int) -> list[int] | None:
    """The integers of lists; None if they are refused."""
    out = np.full(size + 2, UNTOUCHED)
    is_read = _core.read_integers(rows, out[:size])
    assert (out[size:] == UNTOUCHED).all()
    return out[:size].tolist() if is_read else None


def join(rows: list[Any], size: int, dtype: Any = np.int32) -> list[int] | None:
    """The integers of arrays; None if they are refused."""
    out = np.full(size + 2, UNTOUCHED, dtype)
    is_joined = _core.join_arrays(rows, np.ndarray, out[:size])
    assert (out[size:] == UNTOUCHED).all()
    return out[:size].tolist() if is_joined else None


def test_python_integers_of_64_bits_are_read() -> None:
    limits = [-(2**63), -(2**31) - 1, -1, 0, 2**31, 2**53 + 1, 2**63 - 1]
    assert read([limits, [], (4, 5)], 9) == [*limits, 4, 5]
    assert read([], 0) == []


@pytest.mark.parametrize(
    "value", [2**63, -(2**63) - 1, 2**70, True, 1.0, "1", None, np.int64(1), [1], object()]
)
def test_other_values_are_refused(value: object) -> None:
    assert read([[1, 2], [3, value]], 4) is None
    assert read([[1, 2], (value, 3)], 4) is None


def test_an_integer_of_a_class_of_its_own_is_refused() -> None:
    class Id(int):
        pass

    assert read([[Id(3)]], 1) is None


def test_lists_must_fill_the_array() -> None:
    assert read([[1, 2], [3]], 2) is None
    assert read([[1, 2], [3]], 4) is None
    assert read([[1, 2], {3}], 3) is None
    assert read([[1, 2], np.array([3])], 3) is None


def test_arrays_of_one_dtype_are_joined() -> None:
    columns = np.arange(12, dtype=np.int32).reshape(4, 3)
    rows = [columns[:, 1], columns[0], columns[2][::-1], np.zeros(0, np.int32), columns[3, :1]]
    assert join(rows, 11) == [1, 4, 7, 10, 0, 1, 2, 8, 7, 6, 9]
    limits = np.iinfo(np.int64)
    ends = [np.array([limits.min]), np.array([limits.max, -1])]
    assert join(ends, 3, np.int64) == [limits.min, limits.max, -1]


@pytest.mark.parametrize("row", [
    np.array([1, 2]), np.array([1, 2], np.uint32), np.array([1, 2], np.float32),
    np.array([1, 2], ">i4"), np.array([[1, 2]], np.int32), np.array(1, np.int32),
    np.ma.array([1, 2], dtype=np.int32), [1, 2], b"12345678",
])  # fmt: skip
def test_arrays_of_another_dtype_or_shape_are_refused(row: object) -> None:
    assert join([np.array([1, 2], np.int32), row], 4) is None


def test_arrays_must_fill_the_array() -> None:
    rows = [np.array([1, 2], np.int32), np.array([3], np.int32)]
    assert join(rows, 2) is None
    assert join(rows, 4) is None


def test_values_of_rows_are_counted() -> None:
    sizes = np.zeros(4, np.int64)
    rows: list[Any] = [[1], (), np.zeros(3), np.zeros((2, 5))]
    assert _core.count_values(rows, np.ndarray, sizes)
    assert sizes.tolist() == [1, 0, 3, 2]
    others: list[Any] = [{1}, {1: 2}, "ab", np.array(3), np.ma.array([1]), 5, None, range(3)]
    for other in others:
        assert not _core.count_values([[1], other], np.ndarray, sizes[:2])
    with pytest.raises(ValueError, match="size for each row"):
        _core.count_values(rows, np.ndarray, sizes[:3])


# ---- the indices of a CSR matrix: is one out of bounds, do the rows ascend


KINDS = [np.int32, np.int64]


def looked(rows: list[list[int]], limit: int, kind: Any, spare: tuple[int, ...] = ()) -> Any:
    """What the core says; spare: what stands in memory behind the indices, and must not be read."""
    indptr = np.cumsum([0, *map(len, rows)])
    flat = np.array([one for row in rows for one in row] + list(spare), kind)
    return _core.check_indices(flat[: indptr[-1]], indptr, limit)


@pytest.mark.parametrize("kind", KINDS)
def test_random_rows_are_seen_as_plain_python_sees_them(kind: Any) -> None:
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(3000):
        rows = [
            rng.integers(*rng.choice([[0, 9], [-1, 9], [0, 12]]), rng.integers(0, 5)).tolist()
            for _ in range(rng.integers(0, 6))
        ]
        if rng.integers(2):
            rows = [sorted(set(row)) for row in rows]
        result = looked(rows, 9, kind, (-1, 99))
        outside = any(not 0 <= one < 9 for row in rows for one in row)
        assert result == (outside, all(row == sorted(set(row)) for row in rows)), rows
        seen.add(result)
    assert len(seen) == 4  # no answer goes untried


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [-1, 50, 2**31 - 1, -(2**31)])
def test_one_index_out_of_bounds_is_seen_wherever_it_stands(wrong: int, kind: Any) -> None:
    for at in range(40):
        rows = [list(range(20)), [], list(range(20, 40))]
        rows[0 if at < 20 else 2][at % 20] = wrong
        assert looked(rows, 50, kind)[0]
    assert looked([list(range(20)), []], 20, kind) == (False, True)
    assert looked([[2**31 - 1]], 2**40, kind) == (False, True)  # a limit that int32 does not reach


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [1, 5, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (1 << 20) + 6])
def test_a_fall_at_any_place_of_a_long_row(kind: Any, place: int) -> None:
    """Falls are counted in blocks of 2**20; each pair of neighbours belongs to one of them."""
    n = (1 << 20) + 7
    row = np.arange(n, dtype=kind)
    assert _core.check_indices(row, np.array([0, n]), n) == (False, True)
    row[place] = row[place - 1]
    assert _core.check_indices(row, np.array([0, n]), n) == (False, False)
    assert _core.check_indices(row, np.array([0, place, n]), n) == (False, True)
