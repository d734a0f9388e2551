"""Places of the core that one value alone reaches: last elements, signs, least divisors, zeros."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from rankgain import _core
from rankgain.inputs.grouping import group_rows

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")


@pytest.mark.parametrize("n", [97, 100, 128, 1000])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("ties", ["average", "best", "worst", "stable", "reverse"])
def test_all_scores_tie_but_one(n: int, dtype: str, ties: str) -> None:
    """Wherever the one stands, in the last place too."""
    for at in (0, 1, 31, 32, 33, n // 2, n - 2, n - 1):
        labels, scores = np.zeros(n), np.zeros(n, dtype)
        labels[[3, at]] = 1
        scores[at] = 1
        for k in (1, 3):
            found = rg.ndcg(labels, scores, k=k, ties=ties)
            expected = reference.ndcg(labels.tolist(), scores.tolist(), k=k, ties=ties)
            assert found == pytest.approx(float(expected), rel=1e-13), (at, k)
        scores[at] = -1
        found = rg.recall(labels, scores, k=3, ties=ties)
        expected = reference.recall(labels.tolist(), scores.tolist(), k=3, ties=ties)
        assert found == pytest.approx(float(expected), rel=1e-13), at


GAINS: list[dict[int, float]] = [{0: 0, 1: -1, 2: 3}, {0: 0, 1: -1, 2: -3}, {0: 0, 1: 2, 2: -1}]


@pytest.mark.parametrize("ties", ["best", "worst"])
@pytest.mark.parametrize("gain", GAINS)
def test_hits_that_are_worth_less_than_nothing(ties: str, gain: dict[int, float]) -> None:
    """In their best order they stand below the documents that are worth nothing."""
    for labels in ([1, 0, 0], [0, 0, 1], [1, 1, 0], [1, 2, 0], [2, 0, 1, 1], [1], [1, 2]):
        for scores in ([1] * len(labels), [2] + [1] * (len(labels) - 1)):
            worth = [gain[label] for label in labels]
            for k in (1, 2, 3):
                value = rg.dcg(labels, scores, k=k, gain=gain, ties=ties)
                # In the best order of ties gains descend, in the worst they ascend.
                sign = 1 if ties == "best" else -1
                order = sorted(range(len(worth)), key=lambda i: (-scores[i], -sign * worth[i]))
                terms = [worth[i] / np.log2(rank + 2) for rank, i in enumerate(order[:k])]
                assert value == pytest.approx(sum(terms), abs=1e-14), (labels, scores, k)


@pytest.mark.parametrize("dtype", "u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8".split())
@pytest.mark.parametrize("form", ["Truth", "array"])
@pytest.mark.parametrize("scores", ["f4", "f8"])
def test_the_largest_labels_of_a_type_among_candidates(dtype: str, form: str, scores: str) -> None:
    largest = 2**15 if dtype[0] == "f" else int(min(np.iinfo(dtype).max, 2**50))
    y_score = np.arange(120).astype(scores)
    for label in {largest, largest // 2}:
        labels = np.zeros((2, 120), dtype)
        labels[:, -1], labels[1, 60] = label, largest
        truth = rg.Truth(labels) if form == "Truth" else labels
        rows = np.array([y_score, y_score])
        assert rg.dcg(truth, rows, k=1, gain="linear").tolist() == [label, label]
        assert rg.ndcg(truth, rows, k=1, gain="linear").tolist() == [1.0, label / largest]


@pytest.mark.parametrize("labels", [[0.5, 0, 0], [0.5, 0.25, 0], [0.5, 3, 0], [1, 0, 0]])
@pytest.mark.parametrize("p", [0.5, 0.8])
def test_graded_rbp_divides_by_1_at_least(labels: list[float], p: float) -> None:
    value = rg.rbp(labels, [3, 2, 1], gain="linear", rel=0.1, p=p)
    weights = [(1 - p) * p**rank for rank in range(3)]
    total = sum(weight * label for weight, label in zip(weights, labels, strict=True))
    assert value == pytest.approx(total / max(1, *labels), rel=1e-14)
    for scale, divisor in ((0.5, 1.0), (4.0, 4.0)):  # or by the largest gain of a table
        table = {0: 0.0, 0.25: 0.2 * scale, 0.5: 0.4 * scale, 1: 0.5 * scale, 3: scale}
        value = rg.rbp(labels, [3, 2, 1], gain=table, rel=0.1, p=p)
        total = sum(weight * table[label] for weight, label in zip(weights, labels, strict=True))
        assert value == pytest.approx(total / divisor, rel=1e-14)


@pytest.mark.parametrize("measure", ["ndcg", "idcg", "dcg"])
@pytest.mark.parametrize("labels", [[1025, 0], [0, 1025], [1025, 1], [1025] * 90])
@pytest.mark.parametrize("k", [1, 2, None])
def test_a_sum_that_overflows_anywhere_is_refused(measure: str, labels: Any, k: Any) -> None:
    """Also of the ideal alone, where what stands above the cutoff is worth little."""
    scores = np.arange(len(labels))
    for one in (scores, scores[::-1].copy()):
        if measure == "dcg" and k == 1 and labels[int(one.argmax())] < 1025:
            continue
        with pytest.raises(ValueError, match="gain"):
            getattr(rg, measure)(labels, one, k=k, gain="exp2")
    if measure == "ndcg":
        with pytest.raises(ValueError, match="gain"):
            rg.ndcg([1, 0], [1, 2], k=k, judged=[1, 1025], gain="exp2")


@pytest.mark.parametrize("hits", [0, 1, 47, 48, 49, 60, 199])
@pytest.mark.parametrize("items", [200, 5000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_nan_is_found_whatever_the_number_of_hits(hits: int, items: int, dtype: Any) -> None:
    rng = np.random.default_rng(hits)
    for at in (0, 63, items - 1):
        scores = rng.random((3, items)).astype(dtype)
        scores[1, at] = np.nan
        relevant = sp.lil_matrix((3, items))
        relevant[1, rng.permutation(items)[:hits]] = 1
        relevant[2, 5] = 1
        with pytest.raises(ValueError, match=rf"user 1, item {at} is NaN"):
            rg.evaluate_scores(scores.__getitem__, relevant.tocsr(), "AP")


KEYS: list[list[int]] = [
    [0, 10**12, 0],
    [10**12, 0, 10**12, 0],
    [0, -(10**12), 0, 1],
    [-1, 0, 2**62, -1, -(2**62)],
    [7, 7, 10**12, 0],
]


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_rows_are_numbered_by_keys_far_apart(keys: list[int], dtype: Any) -> None:
    """By a hash, whose table begins empty: 0 is a key as any other."""
    if dtype is np.int32:
        keys = [int(np.sign(key)) * (abs(key) % 2**30) for key in keys]
        keys = [key * 3 for key in keys if abs(key) < 2**28] + [0, 2**30, 0]
    wanted = [[*dict.fromkeys(keys)].index(key) for key in keys]
    groups = group_rows(np.array(keys, dtype))
    assert groups.codes.tolist() == wanted
    assert groups.sizes.tolist() == np.bincount(wanted).tolist()
    assert groups.adjacent is (wanted == sorted(wanted))


def test_a_first_user_0_among_large_ones() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"user": [0, 10**12, 0], "item": ["a", "b", "c"], "rank": [1, 1, 2]}
    ).rename(columns={"user": "user_id", "item": "item_id"})
    wanted = pandas.DataFrame({"user_id": [0, 10**12], "item_id": ["c", "b"]})
    assert rg.evaluate_ids(frame, wanted, "RR").to_dict() == {0: {"RR": 0.5}, 10**12: {"RR": 1.0}}


def test_counts_beyond_a_byte_are_counted() -> None:
    """Of one cell, whatever holds it on the way."""
    first, levels = np.array([0, 1]), np.array([0.5])
    for count in (1, 255, 256, 300, 70_000):
        cells = np.zeros(3, np.int64)
        _core.count_rows(np.zeros(count, np.int64), np.full(count, 0.9), first, levels, cells)
        assert cells.tolist() == [count, 0, 0]
