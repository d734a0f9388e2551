"""Beside scikit-learn's ndcg_score and dcg_score."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, CUTOFFS, Groups, close, draw, ours
from sampling import sampled

metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")


def theirs(score: Any, groups: Groups, **arguments: Any) -> list[float]:
    pairs = zip(groups.labels, groups.scores, strict=True)
    return [score([labels], [scores], **arguments) for labels, scores in pairs]


@pytest.mark.parametrize(("labels", "case"), sampled([(0, 1, 2, 3), (0, 0.25, 0.5, 1.75)], CASES))
def test_every_list(case: int, labels: tuple[float, ...]) -> None:
    groups = draw(case, labels, low=2)  # it refuses one column
    for name, score in (("nDCG", metrics.ndcg_score), ("DCG", metrics.dcg_score)):
        for k in (None, *CUTOFFS):
            measure = f"{name}@{k}" if k else name
            result = ours(groups, [measure], "sklearn")
            expected = theirs(score, groups, k=k)
            close(result.per_query[measure], expected)
            close(result.means[measure], np.mean(expected))


@pytest.mark.parametrize("case", sampled(CASES, one_in=2))
def test_negative_labels_and_another_base_of_dcg(case: int) -> None:
    groups = draw(case, (-1, 0, 0.5, 2), low=2)
    for k in (None, 3):
        options: Any = {"convention": "sklearn", "discount": "log", "log_base": 10}
        options |= {"k": k} if k else {}
        value = rg.dcg(groups.flat_labels, groups.flat_scores, group=groups.sizes, **options)
        close(value, theirs(metrics.dcg_score, groups, k=k, log_base=10))


@pytest.mark.parametrize("case", CASES)
def test_mean_of_rows_by_weight(case: int) -> None:
    rng = np.random.default_rng(case)
    labels = rng.integers(0, 4, (30, 25))
    labels[3] = 0
    scores = rng.integers(0, 6, (30, 25)) / 4
    weight = rng.random(30)
    expected = metrics.ndcg_score(labels, scores, k=10, sample_weight=weight)
    result = rg.evaluate_arrays(labels, scores, ["nDCG@10"], weight=weight, convention="sklearn")
    close(result.means["nDCG@10"], expected)


@pytest.mark.parametrize("case", CASES)
def test_float32_scores_tie_in_float32(case: int) -> None:
    groups = draw(case, low=2)
    scores = [one.astype(np.float32) for one in groups.scores]
    narrow = Groups(groups.labels, scores, groups.weights)
    result = ours(narrow, ["nDCG@5"], "sklearn")
    close(result.per_query["nDCG@5"], theirs(metrics.ndcg_score, narrow, k=5))


def test_a_negative_label_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        metrics.ndcg_score([[1, -1]], [[1.0, 2.0]])
    with pytest.raises(ValueError, match="negative"):
        rg.ndcg([1, -1], [1.0, 2.0], convention="sklearn")


@pytest.mark.parametrize("case", sampled(CASES, one_in=2))
def test_roc_auc(case: int) -> None:
    groups = draw(case, (0, 1), low=2)
    values = rg.auc(groups.flat_labels, groups.flat_scores, group=groups.sizes)
    for labels, scores, value in zip(groups.labels, groups.scores, values, strict=True):
        if len(set(labels)) == 2:
            close(value, metrics.roc_auc_score(labels, scores))
        else:
            assert np.isnan(value)


@pytest.mark.parametrize("case", CASES)
def test_grouped_auc_and_average_precision(case: int) -> None:
    groups = draw(case, (0, 1), low=2)
    pairs = list(zip(groups.labels, groups.scores, strict=True))
    both = [pair for pair in pairs if 0 < np.sum(pair[0]) < len(pair[0])]
    areas = [metrics.roc_auc_score(*pair) for pair in both]
    for weight, counts in (
        (None, None),
        ("documents", [len(labels) for labels, _ in both]),
        ("positives", [np.sum(labels) for labels, _ in both]),
    ):
        value = rg.gauc(groups.flat_labels, groups.flat_scores, group=groups.sizes, weight=weight)
        close(value, np.average(areas, weights=counts))
    result = rg.evaluate_arrays(groups.flat_labels, groups.flat_scores, "PRAUC", group=groups.sizes)
    some = [np.sum(labels) > 0 for labels in groups.labels]
    expected = [metrics.average_precision_score(*pair) for pair in pairs if np.sum(pair[0])]
    close(result.per_query["PRAUC"][some], expected)
