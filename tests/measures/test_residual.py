"""RBP's residual: what the documents that nobody judged, retrieved or not, could still add."""

import pytest

import rankgain as rg


def residual(judged_ranks: list[int], n: int, p: float, k: int | None) -> float:
    """The weights of the ranks at which no judged document stands, those after the cutoff too."""
    depth = n if k is None else min(k, n)
    unjudged = sum((1 - p) * p**i for i in range(depth) if i not in judged_ranks)
    return unjudged + p**depth


def test_rbp_and_its_residual_reach_from_end_to_end() -> None:
    qrels = {"q": {"a": 1, "b": 0, "z": 1}}
    run = {"q": {"x": 5.0, "a": 4.0, "y": 3.0, "b": 2.0}}
    result = rg.evaluate(qrels, run, ["RBP", "RBPResidual"])
    low, high = rg.evaluate(qrels, run, "RBP", bounds="unjudged").bound_means["unjudged"]["RBP"]
    assert low == result.means["RBP"]
    assert high + 0.8**4 == pytest.approx(result.means["RBP"] + result.means["RBPResidual"])
