"""Beside mlflow's retrieval metrics, whose ideal is as short as what was retrieved."""

from typing import Any

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.ids import draw_ids

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
theirs = pytest.importorskip("mlflow.metrics.metric_definitions", reason="mlflow is not installed")
pytestmark = pytest.mark.filterwarnings("default")


def values(name: str, k: int, retrieved: Any, relevant: Any) -> Any:
    """Return mlflow's values and their mean."""
    metric = getattr(theirs, f"_{name}_at_k_eval_fn")(k)
    result = metric(pandas.Series(retrieved), pandas.Series(relevant))
    return result.scores, result.aggregate_results["mean"]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 3, 10, 30])
def test_every_query_and_means(case: int, k: int) -> None:
    retrieved, relevant = draw_ids(case)
    for name, measure in (("ndcg", "nDCG"), ("precision", "P"), ("recall", "R")):
        result = rg.evaluate_ids(retrieved, relevant, f"{measure}@{k}", convention="mlflow")
        scores, mean = values(name, k, retrieved, relevant)
        close(result.per_query[f"{measure}@{k}"], scores, 1e-6)
        close(result.means[f"{measure}@{k}"], mean, 1e-6)


def test_one_hit_of_five_relevant_is_perfect() -> None:
    retrieved, relevant = [["a"]], [["a", "b", "c", "d", "e"]]
    assert values("ndcg", 5, retrieved, relevant)[0] == [1.0]
    assert rg.evaluate_ids(retrieved, relevant, "nDCG@5", convention="mlflow")["nDCG@5"] == 1
    assert rg.evaluate_ids(retrieved, relevant, "nDCG@5")["nDCG@5"] < 0.34
