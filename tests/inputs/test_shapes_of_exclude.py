"""A matrix of what is left out has the shape of the lists, at every door that takes one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

USERS, ITEMS = 3, 5
LABELS = np.eye(USERS, ITEMS)
SCORES = np.random.default_rng(0).random((USERS, ITEMS))
MATRIX = sp.csr_matrix(LABELS)
IDS = np.argsort(-SCORES, axis=1)
ROWS = [[0], [1], [2]]
U, V = np.eye(USERS, 4), np.ones((ITEMS, 4))

DOORS: dict[str, Callable[[Any], Any]] = {
    "evaluate_arrays": lambda out: rg.evaluate_arrays(LABELS, SCORES, "RR", exclude=out),
    "sparse labels": lambda out: rg.evaluate_arrays(MATRIX, SCORES, "RR", exclude=out),
    "order given": lambda out: rg.evaluate_arrays(LABELS, None, "RR", exclude=out),
    "Truth": lambda out: rg.evaluate_arrays(rg.Truth(LABELS), SCORES, "RR", exclude=out),
    "sparse Truth": lambda out: rg.evaluate_arrays(rg.Truth(MATRIX), SCORES, "RR", exclude=out),
    "padded": lambda out: rg.evaluate_arrays(LABELS, SCORES, "RR", lengths=[5, 5, 5], exclude=out),
    "evaluate_models": lambda out: rg.evaluate_models(LABELS, {"a": SCORES}, "RR", exclude=out),
    "a function": lambda out: rg.ndcg(LABELS, SCORES, exclude=out),
    "one list": lambda out: rg.ndcg(LABELS[0], SCORES[0], exclude=out[: out.shape[0] - USERS + 1]),
    "evaluate_ids": lambda out: rg.evaluate_ids(IDS, MATRIX, "RR", exclude=out),
    "topk, lists": lambda out: rg.evaluate_ids(IDS, ROWS, "RR", exclude=out),
    "topk, Truth": lambda out: rg.evaluate_ids(IDS, rg.Truth(LABELS), "RR", exclude=out),
    "evaluate_scores": lambda out: rg.evaluate_scores(
        SCORES.__getitem__, MATRIX, "RR", exclude=out
    ),
    "scores, lists": lambda out: rg.evaluate_scores(SCORES.__getitem__, ROWS, "RR", exclude=out),
    "evaluate_factors": lambda out: rg.evaluate_factors(U, V, MATRIX, "RR", exclude=out),
    "factors, lists": lambda out: rg.evaluate_factors(U, V, ROWS, "RR", exclude=out),
}
WIDER_IS_FINE = {"topk, lists"}  # where nothing says how many items there are


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("shape", [(0, -1), (0, 1), (-1, 0), (1, 0), (0, 0)])
def test_another_shape_is_refused(door: str, shape: tuple[int, int]) -> None:
    out = sp.csr_matrix((USERS + shape[0], ITEMS + shape[1]))
    if shape == (0, 0) or (shape == (0, 1) and door in WIDER_IS_FINE):
        DOORS[door](out)
        return
    with pytest.raises(ValueError, match=r"exclude has \d+ (users|items|rows|columns)"):
        DOORS[door](out)


def test_an_id_beyond_what_is_left_out_is_named() -> None:
    out = sp.csr_matrix((1, 6))
    with pytest.raises(ValueError, match="exclude has 6 items, but relevant has the id 7"):
        rg.evaluate_ids([[0, 1]], [[7]], "RR", exclude=out)
    with pytest.raises(ValueError, match="exclude has 6 items, but retrieved has the id 8"):
        rg.evaluate_ids([[8, 1]], [[0]], "RR", exclude=out)
