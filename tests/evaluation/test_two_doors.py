"""What two doors make of the same lists, where labels are negative, left out or very large."""

import itertools
from typing import Any

import numpy as np
import pytest

import rankgain as rg


def test_bounds_of_an_ndcg_that_any_sum_of_0_makes_undefined_are_refused() -> None:
    with pytest.raises(ValueError, match="labels sum to 0"):
        rg.evaluate(
            {"q": {"a": -1, "b": 1}},
            {"q": {"c": 2.0, "a": 1.0, "b": 0.5}},
            "nDCG",
            bounds="unjudged",
            convention="torchmetrics",
        )


def test_a_label_of_0_for_what_is_dropped_must_not_be_relevant() -> None:
    for labels in ([-1, 1], rg.Truth([-1, 1])):
        with pytest.raises(ValueError, match=r"rel=0: .* torchmetrics documents scored at most"):
            rg.recall(labels, [-1.0, 1.0], convention="torchmetrics", rel=0)


def test_an_id_that_is_left_out_must_not_repeat_either() -> None:
    with pytest.raises(ValueError, match="retrieved: list 1, place 2 has the id 4 a second"):
        rg.evaluate_ids([[1, 2, 3], [5, 4, 4]], [[2], [5]], "RR", exclude=[[1], [4]])
    with pytest.raises(ValueError, match="retrieved: list 0, place 1 has the id 'a' a second"):
        rg.evaluate_ids([["a", "a", "b"]], [["b"]], "RR", exclude=[["a"]])
    result = rg.evaluate_ids([["a", "a", "b"]], [["b"]], "RR", exclude=[["a"]], duplicates="first")
    assert result["RR"] == 1.0


def test_models_have_ideals_in_the_given_order() -> None:
    rng = np.random.default_rng(5)
    scores, relevant = rng.random((4, 9)), [{1: 2, 4: 1, 7: 3}] * 4
    labels = np.zeros((4, 9))
    labels[:, [1, 4, 7]] = 2, 1, 3
    out = np.zeros((4, 9), bool)
    out[:, 0] = out[:, 4] = True
    for exclude, ties in itertools.product((None, out), ("stable", "average")):
        options: Any = {"exclude": exclude, "ties": ties, "convention": "spark"}
        model = rg.evaluate_scores(
            lambda users: scores[users], relevant, "nDCG", batch=3, **options
        )
        arrays = rg.evaluate_arrays(labels, scores, "nDCG", **options)
        assert model.per_query["nDCG"].tobytes() == arrays.per_query["nDCG"].tobytes()
