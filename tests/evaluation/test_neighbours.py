"""Recall of approximate nearest neighbours, against its definition and that of ann-benchmarks."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from containers import BY_USER, FORMS, UNIQUE
from rankgain import _core


def draw(seed: int, queries: int = 12, ids: int = 30, width: int = 15) -> dict[str, Any]:
    """Points on a grid, so that distances tie, and an index that misses some."""
    rng = np.random.default_rng(seed)
    distances = rng.integers(0, 6, (queries, ids)) / 4
    order = np.argsort(distances, axis=1, kind="stable")
    exact = order[:, :width]
    noisy = np.argsort(distances + rng.random((queries, ids)), axis=1, kind="stable")
    result = noisy[:, : width - 3]
    return {
        "found": result,
        "exact": exact,
        "found_distances": np.take_along_axis(distances, result, axis=1),
        "exact_distances": np.take_along_axis(distances, exact, axis=1),
    }


@pytest.mark.parametrize("k", [1, 5, 10])
def test_the_definition_of_ann_benchmarks(k: int) -> None:
    """Its `get_recall_values`: distances up to the k-th true one plus epsilon, over k."""
    data = draw(7)
    epsilon = 1e-3
    expected = [
        sum(d <= true[k - 1] + epsilon for d in result[:k]) / k
        for result, true in zip(data["found_distances"], data["exact_distances"], strict=True)
    ]
    value = rg.neighbor_recall(**data, k=k, tolerance=epsilon)
    np.testing.assert_array_equal(value, expected)


FILLED = [[3, 1, -1, -1], [4, 5, 6, 7], [-1, -1, -1, -1], [8, -1]]


@pytest.mark.parametrize("form", [f for f in FORMS if f not in (*BY_USER, *UNIQUE)])
def test_what_fills_rows_is_no_neighbour(form: str) -> None:
    rows = FILLED if form not in ("an array", "a tensor", "a frame") else FILLED[:3]
    exact = [[1, 2, 3, -1], [-1, -1, -1, -1], [1, 2, 3, 4], [-1, -1]][: len(rows)]
    value = rg.neighbor_recall(FORMS[form](rows), FORMS[form](exact), 4)
    np.testing.assert_array_equal(value, [2 / 3, np.nan, 0.0, np.nan][: len(rows)])
    nan = np.nan  # beside what fills a row
    near = [[0.5, 1.0, 2.0, nan], [nan] * 4, [1.0, 2.0, 3.0, 4.0], [1.0, nan]][: len(rows)]
    value = rg.neighbor_recall(
        FORMS[form](rows), FORMS[form](exact), 1, exact_distances=near,
        found_distances=[[0.5, 1.0, nan, nan], [0.0] * 4, [nan] * 4, [1.0, nan]][: len(rows)],
    )  # fmt: skip
    np.testing.assert_array_equal(value, [1.0, np.nan, 0.0, np.nan][: len(rows)])
    value = rg.neighbor_recall(FORMS[form](rows), FORMS[form](exact), 3, exact_distances=near)
    np.testing.assert_array_equal(value, [2 / 3, np.nan, 0.0, np.nan][: len(rows)])


def test_distances_of_no_list_are_refused_by_name() -> None:
    assert rg.neighbor_recall([[2**64, 1]], [[1, 2**64]], 1).tolist() == [0.0]


@pytest.mark.parametrize("factor", [1, 3, 5_000_000, 2**57])
@pytest.mark.parametrize("kind", [np.int64, np.uint64])
@pytest.mark.parametrize("widths", [(7, 7), (3, 9), (9, 3), (0, 4), (33, 40)])
def test_ids_of_every_size_and_rows_of_every_width(factor: int, kind: Any, widths: Any) -> None:
    """Ids are in no, some or all rows, and a row has some of the row before."""
    rng = np.random.default_rng(2)
    sides = []
    for width in widths:
        rows = np.argsort(rng.random((30, 45)), axis=1)[:, :width] * factor
        sides.append(rows.astype(kind))
    result, exact = sides
    expected = [len({*a} & {*b}) / max(len(b), 1) for a, b in zip(*sides, strict=True)]
    np.testing.assert_allclose(rg.neighbor_recall(result, exact, 99), expected, rtol=1e-15)
    if kind == np.int64 and min(widths):  # -1 at the end
        result[3:, -1], exact[::2, 1:] = -1, -1
        expected = [
            len({*a[a >= 0]} & {*b[b >= 0]}) / (b >= 0).sum() for a, b in zip(*sides, strict=True)
        ]
        np.testing.assert_allclose(rg.neighbor_recall(result, exact, 99), expected, rtol=1e-15)


def test_the_core_counts_rows_that_match_in_number() -> None:
    rows, counts = np.zeros((2, 1), np.int64), np.zeros(2, np.int64)
    assert _core.count_shared(rows, rows, 1, counts)
    assert counts.tolist() == [1, 1]
    assert not _core.count_shared(rows, rows, 0, counts)
    assert not _core.count_shared(rows, rows, 2**23, counts)  # a slot each would be too many
    assert _core.count_shared(rows[:0], rows[:0], 1, counts[:0])
