"""The core's matching of ids: what it finds, and that it writes to no place but its own."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from rankgain import _core
from rankgain.lists.topk import SPARE

UNTOUCHED = -7


def match(rows: Any, wanted: list[list[int]], labels: list[float]) -> tuple[Any, Any, Any, Any]:
    """The fault, the hits of each user, their labels, and what stands beyond the room given."""
    indptr = np.cumsum([0, *map(len, wanted)])
    ids = np.array([one for row in wanted for one in row], np.int32)
    room = min(len(ids), rows.size) + SPARE
    position, found = np.full(room + 64, UNTOUCHED), np.full(room + 64, float(UNTOUCHED))
    stops, pointer = np.zeros(len(rows), np.int64), np.zeros(len(rows) + 1, np.int64)
    level = labels[0] if labels and len(set(labels)) == 1 else np.nan
    fault = _core.match_topk(
        *(rows, ids, np.array(labels), indptr, 100, level, room, stops, position, found, pointer)
    )
    hits = [position[low:high].tolist() for low, high in pairwise(pointer)]
    return fault, hits, found[: pointer[-1]].tolist(), np.append(position[room:], found[room:])


@pytest.mark.parametrize("width", [1, 4, 7, 8, 9, 15, 16, 17, 20, 24, 25, 31, 32, 33])
@pytest.mark.parametrize("graded", [False, True])
def test_hits_are_those_of_plain_python(width: int, graded: bool) -> None:
    rng = np.random.default_rng(width)
    rows = np.array([rng.permutation(100)[:width] for _ in range(40)], np.int32)
    for row, length in zip(rows, rng.integers(0, width + 1, 40), strict=True):
        row[length:] = -1
    wanted = [rng.permutation(100)[: rng.integers(0, 40)].tolist() for _ in rows]
    wanted[3] = [one for one in rows[3].tolist() if one >= 0][::-1]
    labels = rng.integers(1, 4, sum(map(len, wanted))).astype(float) if graded else None
    values = [2.0] * sum(map(len, wanted)) if labels is None else labels.tolist()
    fault, hits, found, beyond = match(rows, wanted, values)
    label = iter(values)
    of = [{one: next(label) for one in row} for row in wanted]
    expected = [
        [at for at, one in enumerate(row) if one in mine]
        for row, mine in zip(rows.tolist(), of, strict=True)
    ]
    assert fault is None
    assert hits == expected
    assert found == [
        of[user][int(rows[user, at])] for user, places in enumerate(expected) for at in places
    ]
    assert (beyond == UNTOUCHED).all()


@pytest.mark.parametrize("width", [2, 8, 9, 16, 17, 20, 32, 33])
def test_more_hits_than_wanted_ids_are_written_nowhere(width: int) -> None:
    """An id that repeats would be found as often."""
    for first in range(width - 1):
        rows = np.arange(width, dtype=np.int32).reshape(1, -1).repeat(2, axis=0)
        rows[1, first:] = 50
        fault, _, _, beyond = match(rows, [[], [50]], [1.0])
        assert fault is not None
        assert fault[:2] == ("twice", 1)
        assert (beyond == UNTOUCHED).all()
