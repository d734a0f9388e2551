"""Beside LensKit, whose first two ranks are undiscounted."""

from typing import Any

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.ids import draw_ids

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
data = pytest.importorskip("lenskit.data", reason="lenskit is not installed")
metrics = pytest.importorskip("lenskit.metrics")
ranking = pytest.importorskip("lenskit.metrics.ranking._map")
pytestmark = pytest.mark.filterwarnings("default")


def collection(lists: dict[str, list[str]], *, ordered: bool) -> Any:
    """Return LensKit's form of lists by user."""
    made = data.ItemListCollection(["user_id"])
    for user, items in lists.items():
        made.add(data.ItemList(item_ids=items, ordered=ordered), user_id=user)
    return made


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 3, 10])
def test_every_user_and_means(case: int, k: int) -> None:
    retrieved, relevant = draw_ids(case, low=10, empty=False)
    kinds = {
        f"nDCG@{k}": metrics.NDCG(k),
        f"DCG@{k}": metrics.DCG(k),
        f"RR@{k}": metrics.RecipRank(k),
        f"HitRate@{k}": metrics.Hit(k),
        f"P@{k}": metrics.Precision(k),
        f"R@{k}": metrics.Recall(k),
        f"AP@{k}": ranking.AveragePrecision(k),
        f"rbp@{k}": metrics.RBP(k),
    }
    _compare(kinds, retrieved, relevant)


@pytest.mark.parametrize("case", CASES)
def test_short_lists_and_none(case: int) -> None:
    retrieved, relevant = draw_ids(case, empty=False)
    kinds = {
        "nDCG@10": metrics.NDCG(10),
        "nDCG": metrics.NDCG(),
        "RR": metrics.RecipRank(),
        "P@10": metrics.Precision(10),
        "R@10": metrics.Recall(10),
        "R": metrics.Recall(),
    }
    _compare(kinds, retrieved, relevant)


def test_users_without_test_items_count_0() -> None:
    kinds = {"nDCG@3": metrics.NDCG(3), "RR@3": metrics.RecipRank(3), "HitRate@3": metrics.Hit(3)}
    _compare(kinds, [["a", "b"], ["a"]], [["b"], []])


def _compare(kinds: Any, retrieved: Any, relevant: Any) -> None:
    users = [f"u{at:02d}" for at in range(len(retrieved))]
    analysis = metrics.RunAnalysis()
    for metric in kinds.values():
        analysis.add_metric(metric)
    measured = analysis.measure(
        collection(dict(zip(users, retrieved, strict=True)), ordered=True),
        collection(dict(zip(users, relevant, strict=True)), ordered=False),
    )
    lists, summary = measured.list_metrics(), measured.list_summary()
    result = rg.evaluate_ids(retrieved, relevant, list(kinds), convention="lenskit")
    for (name, metric), values in zip(kinds.items(), result.per_query.values(), strict=True):
        theirs = [lists.loc[user, metric.label] for user in users]
        close(values, theirs)
        close(result[name], summary.loc[metric.label, "mean"])
