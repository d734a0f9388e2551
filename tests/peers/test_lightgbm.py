"""Beside LightGBM's own ndcg and map."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, CUTOFFS, Groups, close, draw, ours

lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
pytestmark = pytest.mark.filterwarnings("default")


def theirs(
    groups: Groups, metric: str, ks: Any = CUTOFFS, *, weighted: bool = False, **parameters: Any
) -> list[float]:
    """Return LightGBM's value of the groups at each cutoff; the scores are initial scores."""
    rows = np.zeros((len(groups.flat_labels), 1))
    quiet = {"verbose": -1, "feature_pre_filter": False, **parameters}
    data = lightgbm.Dataset(
        rows,
        groups.flat_labels,
        group=groups.sizes,
        init_score=groups.flat_scores,
        weight=groups.flat_weights if weighted else None,
        params=quiet,
    )
    booster = lightgbm.Booster(
        {"objective": "lambdarank", "metric": metric, "eval_at": list(ks), **quiet}, data
    )
    return [value for _, _, value, _ in booster.eval_train()]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "metric", "labels"), [
    ("nDCG", "ndcg", (0, 1, 2, 3)), ("nDCG", "ndcg", (0, 1, 29, 30)), ("AP", "map", (0, 1, 2, 3)),
])  # fmt: skip
def test_means(case: int, name: str, metric: str, labels: tuple[int, ...]) -> None:
    groups = draw(case, labels)
    result = ours(groups, [f"{name}@{k}" for k in CUTOFFS], "lightgbm")
    close(list(result.means.values()), theirs(groups, metric))


@pytest.mark.parametrize("case", CASES)
def test_weights_leave_out_those_of_empty_groups(case: int) -> None:
    groups = draw(case)
    for name, metric in (("nDCG", "ndcg"), ("AP", "map")):
        names = [f"{name}@{k}" for k in CUTOFFS]
        result = ours(groups, names, "lightgbm", weight=groups.weights)
        close(list(result.means.values()), theirs(groups, metric, weighted=True))


def test_an_empty_group_counts_1_whatever_its_weight() -> None:
    labels, scores = [np.array([1, 0]), np.array([0, 0])], [np.array([2.0, 1.0])] * 2
    groups = Groups(labels, scores, np.array([0.125, 0.125]))
    result = ours(groups, ["nDCG@2"], "lightgbm", weight=groups.weights)
    assert result.means["nDCG@2"] == pytest.approx(4.5)
    close(theirs(groups, "ndcg", (2,), weighted=True), [4.5])


@pytest.mark.parametrize("case", CASES)
def test_another_gain_table(case: int) -> None:
    groups = draw(case)
    table = [0.0, 1.0, 5.0, 7.5]
    result = ours(groups, [f"nDCG@{k}" for k in CUTOFFS], "lightgbm", gain=table)
    their_table = ",".join(map(str, table))
    close(list(result.means.values()), theirs(groups, "ndcg", label_gain=their_table))


@pytest.mark.parametrize("labels", [(0, 31), (0, -1), (0, 0.5)])
def test_labels_that_it_refuses(labels: tuple[float, ...]) -> None:
    groups = draw(0, labels)
    with pytest.raises(lightgbm.basic.LightGBMError):
        theirs(groups, "ndcg")
    with pytest.raises(ValueError, match="label"):
        ours(groups, ["nDCG@3"], "lightgbm")


def test_a_custom_metric() -> None:
    """The labels that a Dataset hands out have an explicit byte order."""
    rng = np.random.default_rng(4)
    rows, labels, sizes = rng.random((400, 3)), rng.integers(0, 4, 400), np.full(20, 20)
    data = lightgbm.Dataset(rows, labels, group=sizes, params={"verbose": -1})

    def feval(scores: Any, given: Any) -> tuple[str, float, bool]:
        result = rg.ndcg(
            given.get_label(), scores, group=given.get_group(), k=5, convention="lightgbm"
        )
        return "ours", float(result.mean()), True

    seen: dict[str, Any] = {}
    lightgbm.train(
        {"objective": "lambdarank", "metric": "ndcg", "eval_at": [5], "verbose": -1, "seed": 1},
        data,
        num_boost_round=5,
        valid_sets=[data],
        feval=feval,
        callbacks=[lightgbm.record_evaluation(seen)],
    )
    close(seen["training"]["ours"], seen["training"]["ndcg@5"])
