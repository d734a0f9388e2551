"""Scores made a block of users at a time give the bits of all scores at once."""

import itertools
from typing import Any

import numpy as np
import pytest

import rankgain as rg

sparse = pytest.importorskip("scipy.sparse")

MEASURES = ["nDCG@10", "AP", "RR", "R@20", "AUC", "P@5"]


def truth(rng: Any, users: int, items: int, most: int) -> Any:
    dense = np.zeros((users, items))
    for row in dense:
        row[rng.choice(items, rng.integers(0, most + 1), False)] = rng.integers(1, 4)
    return sparse.csr_matrix(dense)


@pytest.mark.parametrize("users", [1, 17, 300])
def test_factors_are_their_product(users: int) -> None:
    """The blocks are those of one product each, so the same product has their bits."""
    rng = np.random.default_rng(users)
    u = rng.standard_normal((users, 9)).astype(np.float32)
    v = rng.standard_normal((1500, 9)).astype(np.float32)
    v[1000:1100] = v[:100]  # equal items tie, up to the rounding of the product
    bias = rng.standard_normal(1500).astype(np.float32)
    relevant, out = truth(rng, users, 1500, 12), truth(rng, users, 1500, 4)
    wide = np.hstack((u, np.ones((users, 1), np.float32))), np.hstack((v, bias[:, None]))
    for given, product in ((None, u @ v.T), (bias, wide[0] @ wide[1].T)):
        whole = rg.evaluate_arrays(relevant, product, MEASURES, exclude=out)
        result = rg.evaluate_factors(u, v, relevant, MEASURES, item_bias=given, exclude=out)
        assert result == whole


def test_bad_factors() -> None:
    u, v = np.ones((2, 3)), np.ones((4, 3))
    relevant = [[0], [3]]

    def refused(*arguments: Any, match: str, **options: Any) -> None:
        with pytest.raises((TypeError, ValueError), match=match):
            rg.evaluate_factors(*arguments, "AP", **options)

    refused(u, v[:, :2], relevant, match="user_factors has 3 factors, but item_factors has 2")
    refused(u[:1], v, relevant, match="relevant has 2 users, but user_factors 1")
    refused(
        u, v[:3], relevant, match="index 3 is out of range for list 1: item_factors has 3 items"
    )
    refused(u, v[0], relevant, match=r"item_factors must have shape \(rows, factors\)")
    refused(u, v * np.nan, relevant, match=r"item_factors\[0, 0\] is nan; it must be finite")
    refused(u * 1e30, v * 1e30, relevant, match="could overflow float32: scale the factors")
    refused(u, v, relevant, match=r"item_bias has shape \(3,\)", item_bias=np.ones(3))
    refused(
        u,
        v,
        relevant,
        match=r"exclude must be a scipy.sparse.*, not numbers \(int64\) of shape \(2, 1\)$",
        exclude=[[0], [1]],
    )
    refused(u, v, relevant, match="exclude has 1 user,", exclude=sparse.csr_matrix((1, 4)))
    words = "measure 'Coverage@2' is of the recommended items .* pass them to evaluate_catalogue"
    with pytest.raises(ValueError, match=words):
        rg.evaluate_factors(u, v, relevant, ["nDCG@2", "Coverage@2"])


def test_scores_that_a_function_returns_are_not_changed() -> None:
    scores, out = np.arange(12.0).reshape(3, 4), sparse.csr_matrix([[1, 1, 0, 0]] * 3)
    result = rg.evaluate_scores(lambda _: scores, [[2]] * 3, "RR", exclude=out)
    assert result.per_query["RR"].tolist() == [0.5] * 3
    assert scores.tolist() == np.arange(12.0).reshape(3, 4).tolist()


@pytest.mark.parametrize("empty", [0.25, "skip", 1.0])
@pytest.mark.parametrize("undefined", list(itertools.product([True, False], repeat=3)))
def test_blocks_with_and_without_undefined_users(undefined: tuple[bool, ...], empty: Any) -> None:
    scores = np.array([[0.5, 1.0]] * 3)
    relevant = [[] if is_undefined else [0] for is_undefined in undefined]
    whole, blocks = (
        rg.evaluate_scores(lambda users: scores[users], relevant, "nDCG", empty=empty, batch=batch)
        for batch in (3, 1)
    )
    assert blocks.counts == whole.counts
    assert repr(blocks.means) == repr(whole.means)
    assert blocks.per_query["nDCG"].tobytes() == whole.per_query["nDCG"].tobytes()


def test_no_users_and_no_items() -> None:
    assert len(rg.evaluate_scores(lambda users: np.ones((0, 3)), [], "AP")) == 0
    result = rg.evaluate_factors(np.ones((2, 3)), np.ones((0, 3)), [[], []], "AP")
    assert result.per_query["AP"].tolist() == [0.0, 0.0]


def test_the_array_of_users_is_a_copy() -> None:
    """A function may write to what it gets."""
    scores, users = np.random.default_rng(1).random((6, 4)), np.array([5, 2, 4])
    bad = scores.copy()
    bad[4] = np.nan

    def overwriting(values: Any, some: Any) -> Any:
        rows = values[some]
        some[:] = 0
        return rows

    result = rg.evaluate_scores(
        lambda some: overwriting(scores, some), [[1]] * 6, "RR", users=users
    )
    assert result == rg.evaluate_scores(lambda some: scores[some], [[1]] * 6, "RR", users=[5, 2, 4])
    assert users.tolist() == [5, 2, 4]
