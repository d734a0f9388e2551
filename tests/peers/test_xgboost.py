"""Beside XGBoost's own ndcg, map and pre."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, CUTOFFS, Groups, close, draw, ours
from sampling import sampled

xgboost = pytest.importorskip("xgboost", reason="XGBoost is not installed")
pytestmark = pytest.mark.filterwarnings("default")


def theirs(groups: Groups, metric: str, *, weighted: bool = False, **parameters: Any) -> float:
    """Return XGBoost's value of the groups, whose scores are base margins, in float32."""
    rows = np.zeros((len(groups.flat_labels), 1))
    data = xgboost.DMatrix(rows, groups.flat_labels, base_margin=groups.flat_scores)
    data.set_group(groups.sizes)
    if weighted:
        data.set_weight(groups.weights)
    objective = "rank:ndcg" if metric.startswith("ndcg") else "rank:map"
    settings = {"objective": objective, "eval_metric": metric, "nthread": 1, **parameters}
    booster = xgboost.train(settings, data, num_boost_round=0)
    return float(booster.eval(data).rpartition(":")[2])


@pytest.mark.parametrize("case", sampled(CASES, one_in=6))
@pytest.mark.parametrize("convention", ["xgboost", "xgboost-"])
@pytest.mark.parametrize(
    ("name", "metric", "labels"),
    [("nDCG", "ndcg", (0, 1, 2, 3)), ("AP", "map", (0, 1)), ("P", "pre", (0, 1))],
)
def test_means(
    case: int, convention: str, name: str, metric: str, labels: tuple[float, ...]
) -> None:
    groups = draw(case, labels, high=60)  # beyond the 32 that a metric without @k stops at
    end = "-" if convention == "xgboost-" else ""
    result = ours(groups, [name, *(f"{name}@{k}" for k in CUTOFFS)], convention)
    metrics = [metric + end, *(f"{metric}@{k}{end}" for k in CUTOFFS)]
    close(list(result.means.values()), [theirs(groups, one) for one in metrics])


@pytest.mark.parametrize("case", sampled(CASES))
@pytest.mark.parametrize("convention", ["xgboost", "xgboost-"])
def test_weights(case: int, convention: str) -> None:
    end = "-" if convention == "xgboost-" else ""
    for name, metric, labels in (("nDCG", "ndcg", (0, 1, 2, 3)), ("AP", "map", (0, 1))):
        groups = draw(case, labels)
        groups = Groups(groups.labels, groups.scores, groups.weights + 1)  # else it stops above 1
        result = ours(groups, [f"{name}@5"], convention, weight=groups.weights)
        their_mean = theirs(groups, f"{metric}@5{end}", weighted=True)
        close(result.means[f"{name}@5"], their_mean)


@pytest.mark.parametrize("case", CASES)
def test_linear_gain_takes_any_label(case: int) -> None:
    groups = draw(case, (0, 0.25, 0.5, 2.5))
    linear = {"gain": "linear", "negative": "keep", "labels": "any", "largest_label": None}

    result = ours(groups, ["nDCG@5"], rg.conventions["xgboost"].replace(**linear))
    close(result.means["nDCG@5"], theirs(groups, "ndcg@5", ndcg_exp_gain=False), 1e-6)


def test_without_a_cutoff_it_stops_at_rank_32() -> None:
    groups = Groups([np.eye(40)[34]], [np.arange(40.0, 0, -1)], np.ones(1))
    assert theirs(groups, "ndcg") == 0
    assert ours(groups, ["nDCG"], "xgboost").means["nDCG@32"] == 0
    close(ours(groups, ["nDCG@40"], "xgboost").means["nDCG@40"], theirs(groups, "ndcg@40"))


@pytest.mark.parametrize("labels", [(0, 32), (0, -1), (0, 0.5)])
def test_labels_that_it_refuses(labels: tuple[float, ...]) -> None:
    groups = draw(0, labels)
    with pytest.raises(xgboost.core.XGBoostError):
        theirs(groups, "ndcg")
    with pytest.raises(ValueError, match="label"):
        ours(groups, ["nDCG@3"], "xgboost")
