"""Beside pytorch-ignite's recommender metrics, which leave users without hits out."""

from typing import Any

import pytest

from peers.groups import CASES, Groups, close, draw, ours

torch = pytest.importorskip("torch", reason="torch is not installed")
rec_sys = pytest.importorskip("ignite.metrics.rec_sys", reason="pytorch-ignite is not installed")
hit_rate = pytest.importorskip("ignite.metrics.rec_sys.hitrate")
ndcg = pytest.importorskip("ignite.metrics.rec_sys.ndcg")
pytestmark = pytest.mark.filterwarnings("default")
KS = [1, 3, 10, 100]


def theirs(metric: Any, groups: Groups) -> Any:
    """Return the means over groups, which come one at a time as they have different lengths."""
    for labels, scores in zip(groups.labels, groups.scores, strict=True):
        metric.update((
            torch.tensor(scores, dtype=torch.float32)[None],
            torch.tensor(labels, dtype=torch.float32)[None],
        ))  # fmt: skip
    return metric.compute()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("labels", [(0, 1, 2, 3), (0, 0.5, 1, 2.5), (-1, 0, 1)])
def test_ndcg(case: int, labels: tuple[float, ...]) -> None:
    groups = draw(case, labels)
    result = ours(groups, [f"nDCG@{k}" for k in KS], "ignite")
    close(list(result.means.values()), theirs(ndcg.NDCG(KS), groups), 2e-6)
    linear = ours(groups, [f"nDCG@{k}" for k in KS], "ignite", gain="linear", empty=0.0)
    metric = ndcg.NDCG(KS, ignore_zero_hits=False, gain_function="linear_rank")
    close(list(linear.means.values()), theirs(metric, groups), 2e-6)


@pytest.mark.parametrize("case", CASES)
def test_hit_rate(case: int) -> None:
    groups = draw(case, (0, 0, 0, 1), distinct=True, low=5)
    result = ours(groups, ["HitRate@1", "HitRate@5"], "ignite")
    close(list(result.means.values()), theirs(hit_rate.HitRate([1, 5]), groups), 2e-6)
