"""Beside torchmetrics' retrieval measures, which hold scores and values in float32."""

from typing import Any

import numpy as np
import pytest

from peers.groups import CASES, CUTOFFS, Groups, close, draw, ours, sound

torch = pytest.importorskip("torch", reason="torch is not installed")
retrieval = pytest.importorskip("torchmetrics.retrieval", reason="torchmetrics is not installed")
pytestmark = pytest.mark.filterwarnings("default")
BINARY = {
    "AP": retrieval.RetrievalMAP, "RR": retrieval.RetrievalMRR, "P": retrieval.RetrievalPrecision,
    "R": retrieval.RetrievalRecall, "HitRate": retrieval.RetrievalHitRate,
}  # fmt: skip


def theirs(metric: Any, groups: Groups) -> float:
    """Return the value of the groups."""
    labels = torch.tensor(groups.flat_labels)
    scores = torch.tensor(groups.flat_scores, dtype=torch.float32)
    return float(metric(scores, labels, indexes=torch.tensor(groups.qid)))


def each(metric: Any, groups: Groups, **arguments: Any) -> list[float]:
    """Return the value of every single group."""
    one = [
        Groups([labels], [scores], np.ones(1))
        for labels, scores in zip(groups.labels, groups.scores, strict=True)
    ]
    return [theirs(metric(**arguments), group) for group in one]


def check_ndcg(groups: Groups, cutoffs: tuple[int | None, ...]) -> None:
    for k in cutoffs:
        measure = f"nDCG@{k}" if k else "nDCG"
        result = ours(groups, [measure], "torchmetrics")
        metric = retrieval.RetrievalNormalizedDCG
        close(result.per_query[measure], each(metric, groups, top_k=k), 1e-6)
        close(result.means[measure], theirs(metric(top_k=k), groups), 1e-6)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("labels", [(0, 1, 2, 3), (0, 0.25, 0.5, 1.75)])
def test_ndcg(case: int, labels: tuple[float, ...]) -> None:
    groups = draw(case, labels)
    check_ndcg(groups, (None, 1, 5, 100))


@pytest.mark.parametrize("case", CASES)
def test_negative_labels(case: int) -> None:
    groups = draw(case, (-1, 0, 0.5, 1, 2), high=6)
    groups.labels[0][:] = -1  # a negative ideal
    groups = sound(groups, "linear", (None, 2, 10))
    check_ndcg(groups, (None, 2, 10))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", BINARY)
def test_scores_up_to_0_miss_in_most_binary_measures(case: int, name: str) -> None:
    groups = draw(case, (0, 1), distinct=True)  # topk leaves the order of ties open
    low = [one - 0.5 * (i % 3) for i, one in enumerate(groups.scores)]
    groups = Groups(groups.labels, low, groups.weights)
    for k in CUTOFFS:
        result = ours(groups, [f"{name}@{k}"], "torchmetrics")
        make = BINARY[name]
        close(result.per_query[f"{name}@{k}"], each(make, groups, top_k=k), 1e-6)
        close(result.means[f"{name}@{k}"], theirs(make(top_k=k), groups), 1e-6)


@pytest.mark.parametrize("case", CASES)
def test_r_precision_and_auc(case: int) -> None:
    groups = draw(case, (0, 1), distinct=True)
    for name, make in (("RPrec", retrieval.RetrievalRPrecision), ("AUC", retrieval.RetrievalAUROC)):
        result = ours(groups, [name], "torchmetrics")
        close(result.per_query[name], each(make, groups), 1e-6)


@pytest.mark.parametrize(("action", "empty"), [("pos", 1.0), ("neg", 0.0), ("skip", "skip")])
def test_its_choices_for_empty_groups_and_adaptive_k(action: str, empty: Any) -> None:
    groups = draw(3)
    result = ours(groups, ["nDCG@5"], "torchmetrics", empty=empty)
    metric = retrieval.RetrievalNormalizedDCG(top_k=5, empty_target_action=action)
    close(result.means["nDCG@5"], theirs(metric, groups), 1e-6)
    groups = draw(3, (0, 1), distinct=True)
    result = ours(groups, ["P@10"], "torchmetrics", divisor="min")
    metric = retrieval.RetrievalPrecision(top_k=10, adaptive_k=True)
    close(result.means["P@10"], theirs(metric, groups), 1e-6)
