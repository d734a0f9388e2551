"""Integers beyond 2**53 through every door: kept apart, or refused, never made equal in silence."""

import numpy as np
import pytest

import rankgain as rg

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

TOP = 2**53  # a double holds TOP and TOP + 2, and makes TOP + 1 one of them
PAIRS = [(TOP, TOP + 1), (-TOP - 1, -TOP), (TOP + 1, TOP + 2), (10**18, 10**18 + 1)]
PAIRS.append((2**63 - 2, 2**63 - 1))  # the latter is rounded to what no int64 holds


@pytest.mark.parametrize("scores", PAIRS)
def test_neighbouring_scores_do_not_tie(scores: tuple[int, int]) -> None:
    expected = rg.reciprocal_rank([[0, 1]], np.array([scores]))
    assert expected.tolist() == [1.0]
    for given in ([list(scores)], (scores,), np.array([scores], object)):
        assert rg.reciprocal_rank([[0, 1]], given).tolist() == [1.0]
    ragged = rg.reciprocal_rank([[0, 1], [1]], [list(scores), [0]])
    assert ragged.tolist() == [1.0, 1.0]


def test_numbers_that_a_double_holds_are_taken() -> None:
    run = {"q": {"a": TOP, "b": 2**70, "c": float("inf"), "d": np.int64(TOP + 2)}}
    result = rg.evaluate({"q": {"a": 1}}, run, "RR")
    assert result.means["RR"] == 0.25


@pytest.mark.parametrize("label", [TOP + 1, -TOP - 1])
def test_labels_beside_ids(label: int) -> None:
    with pytest.raises(ValueError, match=f"the label {label} cannot be represented exactly"):
        rg.evaluate_ids([["a", "b"]], [{"a": label, "b": 1}], "DCG")
    with pytest.raises(ValueError, match=f"gains: list 0, place 1 is {label}; it cannot be"):
        rg.evaluate_ids([[1, 2]], [[1, 2]], "DCG", gains=[[1, label]])
    with pytest.raises(ValueError, match="2\\*\\*53"):
        rg.dcg([[1, label]], [[2, 1]])


@pytest.mark.parametrize("dtype", ["i8", "u8"])
def test_labels_of_users_whose_scores_are_made(dtype: str) -> None:
    relevant = sp.csr_matrix(np.array([[1, 0], [0, TOP + 1]], dtype))
    words = r"relevant: list {}, document 1 is an integer beyond 2\*\*53"
    factors = np.ones((2, 2), np.float32)
    with pytest.raises(ValueError, match=words.format(1)):
        rg.evaluate_factors(factors, factors, relevant, "DCG")
    with pytest.raises(ValueError, match=words.format(r"0 \(id 1\)")):
        rg.evaluate_scores(lambda users: factors[users], relevant, "DCG", users=[1])


def test_integers_beside_a_fraction_in_one_list() -> None:
    wide = 2**60 + 1
    with pytest.raises(ValueError, match=rf"y_score \(list 0\)\[1\] is {wide}, which cannot be"):
        rg.reciprocal_rank([[0, 1, 0], [1, 0]], [[2**60, wide, 0.5], [1, 2]])
    with pytest.raises(ValueError, match=rf"y_score\[0\] is {wide}, which cannot be represented"):
        rg.reciprocal_rank([0, 1], [wide, 0.5])
    with pytest.raises(ValueError, match=f"{wide}, which cannot be represented"):
        rg.evaluate_ids([["a"]], [{"a": wide, "b": 0.5}], "DCG")
    assert rg.reciprocal_rank([0, 1], [2**60, 0.5]) == 0.5
