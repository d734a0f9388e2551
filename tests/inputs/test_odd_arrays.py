"""Matrices, memoryviews and rows of mixed integers: as the plain arrays that they stand for."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg

KINDS: dict[str, Callable[[Any], Any]] = {
    "memoryview": lambda rows: memoryview(np.array(rows)),
    "matrix": lambda rows: np.matrix(rows),
}
LABELS, SCORES = [[1, 0, 2], [0, 1, 0]], [[3.0, 2.0, 1.0], [1.0, 3.0, 2.0]]
IDS, WANTED = [[4, 2, 1], [3, 1, 0]], [[2, 1], [0, 4]]
MASK = [[False, True, False], [False, False, True]]
CALLS: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "arrays": lambda of: rg.ndcg(of(LABELS), of(SCORES)),
    "Truth": lambda of: rg.ndcg(rg.Truth(of(LABELS)), of(SCORES)),
    "judged": lambda of: rg.ndcg(LABELS, SCORES, judged=of([[1, 0, 2, 2], [0, 1, 0, 0]])),
    "exclude": lambda of: rg.ndcg(LABELS, SCORES, exclude=of(MASK)),
    "ids of ties": lambda of: rg.ndcg(LABELS, SCORES, ids=of(IDS)),
    "columns": lambda of: rg.evaluate_ids(of(IDS), of(WANTED), "nDCG@2").per_query["nDCG@2"],
    "ids": lambda of: rg.evaluate_ids(of(IDS), of(WANTED), "nDCG@2").per_query["nDCG@2"],
    "relevant": lambda of: rg.evaluate_ids(IDS, of(WANTED), "nDCG@2").per_query["nDCG@2"],
    "excluded ids": lambda of: rg.evaluate_ids(
        IDS, WANTED, "nDCG@2", exclude=of([[4], [3]])
    ).per_query["nDCG@2"],
    "neighbours": lambda of: rg.neighbor_recall(of(IDS), of(WANTED)),
    "catalogue": lambda of: rg.evaluate_catalogue(of(IDS), "Coverage", k=2, catalogue=range(9))[
        "Coverage"
    ],
    "factors": lambda of: rg.evaluate_factors(
        of(SCORES), of(np.eye(3)), [[0], [2]], "RR"
    ).per_query["RR"],
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", KINDS)
def test_as_arrays(kind: str, call: str) -> None:
    np.testing.assert_array_equal(CALLS[call](KINDS[kind]), CALLS[call](np.array))


def test_gains_in_a_memoryview() -> None:
    result = rg.evaluate_ids(IDS, WANTED, "DCG@2", gains=memoryview(np.array([[3, 1], [1, 2]])))
    assert result.per_query["DCG@2"].tolist() == pytest.approx([3 / np.log2(3), 0.0])


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("name", ["qid", "group", "k"])
def test_a_matrix_where_one_dimension_belongs_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be one-dimensional"):
        rg.ndcg([1, 0], [2.0, 1.0], **{name: np.matrix([[1, 1]])})  # type: ignore[arg-type]


BIG = 2**63
MIXED = [
    ([np.array([BIG], np.uint64), np.array([1])], [1.0, 1.0]),
    ([np.array([1]), np.array([BIG], np.uint64)], [0.0, 0.0]),
    ([np.array([BIG + 1, BIG], np.uint64), np.array([2, 1], np.int8)], [0.5, 0.5]),
]


@pytest.mark.parametrize(("rows", "values"), MIXED)
def test_rows_of_unsigned_and_signed_ids(rows: Any, values: list[float]) -> None:
    expected = [[BIG], [1]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for door in (rg.evaluate_ids, rg.evaluate_ids):
            assert door(rows, expected, "RR").per_query["RR"].tolist() == values
            turned = door(expected, rows, "HitRate").per_query["HitRate"]
            assert turned.tolist() == [float(one > 0) for one in values]
