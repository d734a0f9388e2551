"""Beside PyKEEN's ranks of the true entity, the best and the worst that ties allow."""

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close, draw_scores

torch = pytest.importorskip("torch", reason="torch is not installed")
ranks = pytest.importorskip("pykeen.evaluation.ranks", reason="pykeen is not installed")
ranking = pytest.importorskip("pykeen.metrics.ranking")
KINDS = ("optimistic", "realistic", "pessimistic")
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


@pytest.mark.parametrize("case", CASES)
def test_filtered_ranks_of_several_candidates(case: int) -> None:
    """Known true entities are NaN to PyKEEN, and `exclude=` here."""
    rng = np.random.default_rng(case)
    scores = np.array([draw_scores(rng, 30) for _ in range(40)], np.float32)
    order = np.argsort(rng.random((40, 30)), axis=1)
    true, known = order[:, 0], [row[1 : 1 + rng.integers(0, 9)] for row in order]
    filtered = scores.copy()
    for row, ids in zip(filtered, known, strict=True):
        row[ids] = np.nan
    theirs = ranks.Ranks.from_scores(
        true_score=torch.tensor(scores[np.arange(40), true])[:, None],
        all_scores=torch.tensor(filtered),
    )
    sizes = np.array([len(ids) for ids in known])
    exclude = np.ones(sizes.sum()), np.concatenate(known), np.append(0, np.cumsum(sizes))
    truth = np.ones(40), true, np.arange(41)
    names = [f"{name}(rank={kind})" for name in ("MR", "RR") for kind in KINDS]
    names += [f"HitRate(rank={kind})@{k}" for kind in KINDS for k in (1, 3, 10)]
    result = rg.evaluate_arrays(truth, scores, [*names, "AMR", "AMRI"], exclude=exclude)
    for kind in KINDS:
        of_true = getattr(theirs, kind).numpy().astype(np.float64)
        close(result.per_query[f"MR(rank={kind})"], of_true)
        close(result.means[f"MR(rank={kind})"], ranking.ArithmeticMeanRank()(of_true))
        close(result.means[f"RR(rank={kind})"], ranking.InverseHarmonicMeanRank()(of_true))
        for k in (1, 3, 10):
            close(result.means[f"HitRate(rank={kind})@{k}"], ranking.HitsAtK(k)(of_true))
    both = theirs.realistic.numpy().astype(np.float64), 30 - sizes
    close(result.means["AMR"], ranking.AdjustedArithmeticMeanRank()(*both))
    close(result.means["AMRI"], ranking.AdjustedArithmeticMeanRankIndex()(*both))
