"""Beside implicit's ranking metrics, which count users without test items not at all."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close

sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
evaluation = pytest.importorskip("implicit.evaluation", reason="implicit is not installed")
pytestmark = pytest.mark.filterwarnings("default")


class Fixed:
    """A model that recommends what it was given."""

    def __init__(self, items: Any) -> None:
        self.items = items

    def recommend(self, users: Any, *_: Any, N: int, **__: Any) -> Any:
        return self.items[users, :N], np.zeros((len(users), N))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 3, 10])
def test_means(case: int, k: int) -> None:
    rng = np.random.default_rng(case)
    likes = (rng.random((40, 60)) < 0.1) * rng.random((40, 60))
    likes[rng.random(40) < 0.2] = 0
    truth = sparse.csr_matrix(likes)
    items = np.array([rng.permutation(60)[:10] for _ in range(40)], dtype=np.int32)
    theirs = evaluation.ranking_metrics_at_k(
        Fixed(items), sparse.csr_matrix(truth.shape), truth, K=k, show_progress=False
    )
    names = {"precision": f"P@{k}", "map": f"AP@{k}", "ndcg": f"nDCG@{k}"}
    result = rg.evaluate_ids(items, truth, list(names.values()), convention="implicit")
    for name, measure in names.items():
        close(result.means[measure], theirs[name])
    if k == 10:
        result = rg.evaluate_ids(items, truth, ["nDCG"], convention="implicit")
        close(result["nDCG"], theirs["ndcg"])
