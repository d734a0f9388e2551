"""Beside PyKEEN's ranks of the true entity, the best and the worst that ties allow."""

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close, draw_scores

torch = pytest.importorskip("torch", reason="torch is not installed")
ranks = pytest.importorskip("pykeen.evaluation.ranks", reason="pykeen is not installed")
ranking = pytest.importorskip("pykeen.metrics.ranking")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["optimistic", "pessimistic"])
def test_means(case: int, kind: str) -> None:
    rng = np.random.default_rng(case)
    scores = np.array([draw_scores(rng, 30) for _ in range(40)], np.float32)
    true = rng.integers(0, 30, 40)
    labels = np.zeros((40, 30), int)
    labels[np.arange(40), true] = 1
    theirs = ranks.Ranks.from_scores(
        true_score=torch.tensor(scores[np.arange(40), true])[:, None],
        all_scores=torch.tensor(scores),
    )
    of_true = getattr(theirs, kind).numpy()
    measures = ["RR", "HitRate@1", "HitRate@3", "HitRate@10"]
    result = rg.evaluate_arrays(labels, scores, measures, convention=f"pykeen-{kind}")
    close(result.per_query["RR"], 1 / of_true)
    close(result.means["RR"], ranking.InverseHarmonicMeanRank()(of_true))
    for k in (1, 3, 10):
        close(result.means[f"HitRate@{k}"], ranking.HitsAtK(k)(of_true))
