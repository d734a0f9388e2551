"""Beside OGB's MRR and hits of the true edge, whose rank is the middle of those that ties allow."""

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close, draw_scores

torch = pytest.importorskip("torch", reason="torch is not installed")
ogb = pytest.importorskip("ogb.linkproppred", reason="ogb is not installed")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("case", CASES)
def test_ranks_of_the_true_edge(case: int) -> None:
    rng = np.random.default_rng(case)
    scores = np.array([draw_scores(rng, 30) for _ in range(40)], np.float32)
    labels = np.eye(30, dtype=int)[rng.integers(0, 30, 40)]
    positive, others = scores[labels == 1], scores[labels == 0].reshape(40, 29)
    theirs = ogb.Evaluator("ogbl-citation2").eval(
        {"y_pred_pos": torch.tensor(positive), "y_pred_neg": torch.tensor(others)}
    )
    names = {f"HitRate(rank=realistic)@{k}": f"hits@{k}_list" for k in (1, 3, 10)}
    names["RR(rank=realistic)"] = "mrr_list"  # in single precision
    result = rg.evaluate_arrays(labels, scores, list(names))
    for name, key in names.items():
        close(result.per_query[name], theirs[key].numpy(), 1e-7)


def test_arrays_are_an_error_there() -> None:
    with pytest.raises(TypeError):
        ogb.Evaluator("ogbl-citation2").eval(
            {"y_pred_pos": np.ones(1), "y_pred_neg": np.ones((1, 3))}
        )
