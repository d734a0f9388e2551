"""RBP's residual: what the documents that nobody judged, retrieved or not, could still add."""

import numpy as np
import pytest

import rankgain as rg


def residual(judged_ranks: list[int], n: int, p: float, k: int | None) -> float:
    """The weights of the ranks at which no judged document stands, those after the cutoff too."""
    depth = n if k is None else min(k, n)
    unjudged = sum((1 - p) * p**i for i in range(depth) if i not in judged_ranks)
    return unjudged + p**depth


@pytest.mark.parametrize("k", [None, 1, 3, 9])
@pytest.mark.parametrize("p", [0.5, 0.95])
def test_residual_is_the_weight_of_what_nobody_judged(k: int | None, p: float) -> None:
    qrels = {"q": {"a": 1, "b": 0, "z": 2}, "r": {"c": 0}, "s": {"d": 1}}
    run = {"q": {"x": 5.0, "a": 4.0, "y": 3.0, "b": 2.0}, "r": {"x": 1.0, "y": 0.5}}
    name = f"RBPResidual(p={p})" + ("" if k is None else f"@{k}")
    result = rg.evaluate(qrels, run, name)
    expected = [residual([1, 3], 4, p, k), residual([], 2, p, k), 1.0]
    np.testing.assert_allclose(result.per_query[name], expected, rtol=1e-14)
    assert result.means[name] == pytest.approx(sum(expected) / 3)


def test_rbp_and_its_residual_reach_from_end_to_end() -> None:
    qrels = {"q": {"a": 1, "b": 0, "z": 1}}
    run = {"q": {"x": 5.0, "a": 4.0, "y": 3.0, "b": 2.0}}
    result = rg.evaluate(qrels, run, ["RBP", "RBPResidual"])
    low, high = rg.evaluate(qrels, run, "RBP", bounds="unjudged").bound_means["unjudged"]["RBP"]
    assert low == result.means["RBP"]
    assert high + 0.8**4 == pytest.approx(result.means["RBP"] + result.means["RBPResidual"])
