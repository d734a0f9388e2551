"""Judged labels in padded rows: zeros that do not count change no value, by any way in."""

import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg

sparse = pytest.importorskip("scipy.sparse")

Y, S = np.array([[1.0, 0, 0], [2, 1, 0]]), np.array([[3.0, 2, 1], [3, 2, 1]])


def padded(lists: Any, columns: int) -> Any:
    result = np.zeros((len(lists), columns))
    for row, one in zip(result, lists, strict=True):
        row[: len(one)] = one
    return result


DOORS = {
    "arrays": lambda measure, judged, **options: rg.evaluate_arrays(
        Y, S, measure, judged=judged, **options
    )[measure],
    "Truth": lambda measure, judged, **options: rg.evaluate_arrays(
        rg.Truth(Y, judged=judged), S, measure, **options
    )[measure],
    "stored Truth": lambda measure, judged, **options: rg.evaluate_arrays(
        pickle.loads(pickle.dumps(rg.Truth(Y, judged=judged))), S, measure, **options
    )[measure],
    "models": lambda measure, judged, **options: rg.evaluate_models(
        Y, {"one": S}, measure, judged=judged, **options
    )["one"][measure],
}
FILLED = {
    "one more column": lambda lists: padded(lists, max(map(len, lists)) + 1),
    "CSR": lambda lists: sparse.csr_matrix(padded(lists, max(map(len, lists)))),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("fill", FILLED)
@pytest.mark.parametrize(("measure", "lists", "options"), [
    ("IDCG", [[1.0], [2, 1, 1]], {}),  # no label is negative
    ("IDCG(gain=binary)", [[1.0], [2, 1, -1]], {}),  # of gain 0, as padding
    ("DCG", [[1.0], [2, 1, -1]], {}),  # no ideal
    ("DCG", [[1.0], [2, 1, 1]], {"gain": {0: 0.5, 1: 1, 2: 2}}),
    ("R", [[1.0], [2, 1, -1]], {}),
    ("nDCG", [[1.0], [2, 1, -1]], {"convention": "ranx"}),  # negative labels count as 0
    ("nDCG", [[1.0], [2, 1, -1]], {"convention": "torchmetrics"}),  # the list's ideal
    ("IDCG", [[1.0, -1], [2, 1]], {}),  # the list with a negative label fills its row
])  # fmt: skip
def test_zeros_that_do_not_count_change_nothing(
    measure: str, lists: Any, options: Any, door: str, fill: str
) -> None:
    filled = padded(lists, max(map(len, lists))) if lists[0][-1] < 0 else FILLED[fill](lists)
    exact = [np.array(one) for one in lists]
    assert DOORS[door](measure, filled, **options) == DOORS[door](measure, exact, **options)


def test_a_truth_knows_exact_judgments() -> None:
    exact = [np.array([1.0, 0, 0]), np.array([2.0, 1, 0, 0])]
    for door in DOORS.values():
        assert door("Bpref", exact) == rg.evaluate_arrays(Y, S, "Bpref", judged=exact)["Bpref"]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("measure", ["NCG", "Q", "Compat"])
def test_negative_labels_have_no_gain_where_the_gain_is_the_label(measure: str, door: str) -> None:
    lists = [[1.0, -1], [2, 1, -1]]
    exact = [np.array(one) for one in lists]
    assert DOORS[door](measure, padded(lists, 4)) == DOORS[door](measure, exact)
