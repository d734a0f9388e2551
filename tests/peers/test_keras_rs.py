"""Beside Keras RS, in float32; scores are distinct, as it shuffles ties."""

import os
from typing import Any

import numpy as np
import pytest

from peers.groups import CASES, CUTOFFS, Groups, close, draw, ours

os.environ.setdefault("KERAS_BACKEND", "torch")
pytest.importorskip("torch", reason="torch is not installed")
metrics = pytest.importorskip("keras_rs.metrics", reason="keras-rs is not installed")
pytestmark = pytest.mark.filterwarnings("default")
GRADED = {"nDCG": "NDCG", "DCG": "DCG"}
BINARY = {
    "AP": "MeanAveragePrecision", "RR": "MeanReciprocalRank", "P": "PrecisionAtK", "R": "RecallAtK",
}  # fmt: skip


def theirs(kind: str, groups: Groups, k: int | None) -> float:
    """Return the mean over all groups, padded to one rectangle and masked."""
    shape = (len(groups.sizes), 40)
    labels, scores = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    mask = np.arange(shape[1]) < np.array(groups.sizes)[:, None]
    labels[mask] = groups.flat_labels
    scores[mask] = groups.flat_scores
    metric = getattr(metrics, kind)(k=k)
    return float(metric({"labels": labels, "mask": mask}, scores))


@pytest.mark.parametrize("case", CASES[:6])
@pytest.mark.parametrize(
    ("labels", "kinds"), [((0, 1, 2, 3), GRADED), ((0, 0.25, 1.5), GRADED), ((0, 1, 2), BINARY)]
)
def test_means(case: int, labels: tuple[float, ...], kinds: Any) -> None:
    groups = draw(case, labels, distinct=True)
    for name, kind in kinds.items():
        for k in (None, *CUTOFFS):
            measure = f"{name}@{k}" if k else name
            result = ours(groups, [measure], "keras_rs")
            close(result.means[measure], theirs(kind, groups, k), 5e-6)
