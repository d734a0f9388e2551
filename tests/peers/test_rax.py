"""Beside rax, which computes in float32."""

from typing import Any

import numpy as np
import pytest

from peers.groups import CASES, CUTOFFS, Groups, close, draw, ours, sound

rax = pytest.importorskip("rax", reason="rax is not installed")
pytestmark = pytest.mark.filterwarnings("default")


def theirs(metric: Any, groups: Groups, k: int | None) -> Any:
    """Return the values of all groups, padded to one rectangle."""
    shape = (len(groups.sizes), 40)  # one shape, compiled once
    labels, scores = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    where = np.arange(shape[1]) < np.array(groups.sizes)[:, None]
    labels[where] = groups.flat_labels
    scores[where] = groups.flat_scores
    return metric(scores, labels, where=where, topn=k, reduce_fn=None)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("labels", [(0, 1, 2, 3), (0, 0.25, 1.5, 2.5), (-1, 0, 1)])
def test_every_group(case: int, labels: tuple[float, ...]) -> None:
    groups = sound(draw(case, labels), "exp2", (None, *CUTOFFS))
    metrics = {
        "nDCG": rax.ndcg_metric, "DCG": rax.dcg_metric, "AP": rax.ap_metric, "RR": rax.mrr_metric,
        "P": rax.precision_metric, "R": rax.recall_metric,
    }  # fmt: skip
    for name, metric in metrics.items():
        for k in (None, *CUTOFFS):
            measure = f"{name}@{k}" if k else name
            result = ours(groups, [measure], "rax")
            close(result.per_query[measure], theirs(metric, groups, k), 2e-6)


def test_a_score_of_minus_infinity_is_not_retrieved() -> None:
    labels = np.array([0, 1, 1, 0])
    scores = np.array([3.0, -np.inf, 1.0, -np.inf])
    groups = Groups([labels], [scores], np.ones(1))
    for name, metric in {
        "AP": rax.ap_metric,
        "RR": rax.mrr_metric,
        "R": rax.recall_metric,
        "nDCG": rax.ndcg_metric,
    }.items():
        result = ours(groups, [name], "rax")
        close(result.per_query[name], theirs(metric, groups, None), 1e-6)
