"""The look at the indices of a CSR matrix: is one out of bounds, do the rows ascend."""

from typing import Any

import numpy as np
import pytest

from rankgain import _core

KINDS = [np.int32, np.int64]


def looked(rows: list[list[int]], limit: int, kind: Any, spare: tuple[int, ...] = ()) -> Any:
    """What the core says; spare: what stands in memory behind the indices, and must not be read."""
    indptr = np.cumsum([0, *map(len, rows)])
    flat = np.array([one for row in rows for one in row] + list(spare), kind)
    return _core.check_indices(flat[: indptr[-1]], indptr, limit)


def expected(rows: list[list[int]], limit: int) -> tuple[bool, bool]:
    outside = any(not 0 <= one < limit for row in rows for one in row)
    return outside, all(row == sorted(set(row)) for row in rows)


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
        assert result == expected(rows, 9), rows
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
