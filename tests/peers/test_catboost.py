"""Beside CatBoost's own ranking metrics."""

from typing import Any

import pytest

from peers.groups import CASES, CUTOFFS, Groups, close, draw, ours

catboost = pytest.importorskip("catboost", reason="CatBoost is not installed")
pytestmark = pytest.mark.filterwarnings("default")
GRADED = {"nDCG": "NDCG", "DCG": "DCG"}
BINARY = {"AP": "MAP", "RR": "MRR", "P": "PrecisionAt", "R": "RecallAt"}


def theirs(groups: Groups, metric: str, *, weighted: bool = False) -> float:
    """Return CatBoost's value of the groups."""
    from catboost.utils import eval_metric

    weight = groups.flat_weights if weighted else None
    return eval_metric(
        groups.flat_labels.astype(float),
        groups.flat_scores,
        metric,
        group_id=groups.qid,
        group_weight=weight,
        thread_count=1,
    )[0]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("names", "labels", "convention", "kind"), [
    *((GRADED, labels, *rules)
      for labels in ((0, 1, 2, 3), (0, 0.25, 0.5, 1.75), (-1.5, 0, 1, 2))
      for rules in (("catboost", ""), ("catboost-exp", ";type=Exp"))),
    *((BINARY, labels, "catboost", "") for labels in ((0, 1), (0, 0.5, 0.6, 2))),
])  # fmt: skip
def test_means(case: int, names: Any, labels: Any, convention: str, kind: str) -> None:
    groups = draw(case, labels)
    for name, metric in names.items():
        result = ours(groups, [f"{name}@{k}" for k in CUTOFFS], convention)
        expected = [theirs(groups, f"{metric}:top={k}{kind}") for k in CUTOFFS]
        close(list(result.means.values()), expected)


@pytest.mark.parametrize("case", CASES)
def test_without_a_cutoff(case: int) -> None:
    groups = draw(case)
    result = ours(groups, ["nDCG", "AP"], "catboost")
    close(list(result.means.values()), [theirs(groups, "NDCG"), theirs(groups, "MAP")])


@pytest.mark.parametrize("case", CASES)
def test_weights(case: int) -> None:
    groups = draw(case)
    for name, metric in (GRADED | BINARY).items():
        result = ours(groups, [f"{name}@5"], "catboost", weight=groups.weights)
        close(result.means[f"{name}@5"], theirs(groups, f"{metric}:top=5", weighted=True))


@pytest.mark.parametrize("case", CASES)
def test_reciprocal_discount(case: int) -> None:
    groups = draw(case)
    result = ours(groups, ["nDCG@5"], "catboost", discount="reciprocal")
    close(result.means["nDCG@5"], theirs(groups, "NDCG:top=5;denominator=Position"))


@pytest.mark.parametrize("case", CASES)
def test_pfound(case: int) -> None:
    groups = draw(case, (0, 0.25, 0.5, 1))
    for k in CUTOFFS:
        result = ours(groups, [f"PFound@{k}", f"PFound(decay=0.5)@{k}"], "catboost")
        expected = [theirs(groups, f"PFound:top={k}{more}") for more in ("", ";decay=0.5")]
        close(list(result.means.values()), expected, 1e-7)  # it has labels and decay in float32
