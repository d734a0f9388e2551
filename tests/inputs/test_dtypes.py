"""The same bits from every dtype, memory order and kind of array-like."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import strategies
from grids import KS, LABELS, SCORES, asked, same_bits

EVERY = pytest.mark.parametrize("measure", strategies.MEASURES)


@EVERY
@pytest.mark.parametrize("dtype", strategies.SCORE_DTYPES)
def test_score_dtypes(measure: str, dtype: str) -> None:
    scores = (np.abs(SCORES) * 2).astype(dtype)
    expected = getattr(rg, measure)(LABELS, scores.astype(np.float64), **asked(measure))
    same_bits(getattr(rg, measure)(LABELS, scores, **asked(measure)), expected)


@EVERY
@pytest.mark.parametrize("view", strategies.VIEWS)
def test_memory(measure: str, view: str, tmp_path: Path) -> None:
    turn = strategies.VIEWS[view]
    function = getattr(rg, measure)
    expected = function(LABELS, SCORES, **asked(measure))
    for label_dtype, score_dtype in (("i8", "f8"), ("f4", "f4"), ("i2", "f2"), ("f8", "i4")):
        labels, scores = LABELS.astype(label_dtype), (SCORES * 2).astype(score_dtype)
        turned = turn(labels, tmp_path), turn(scores, tmp_path)
        same_bits(function(*turned, **asked(measure)), expected, (label_dtype, score_dtype))
        flat = turn(labels.ravel(), tmp_path), turn(scores.ravel(), tmp_path)
        sizes = turn(np.full(9, 30), tmp_path)
        same_bits(function(*flat, group=sizes, **asked(measure)), expected)
        same_bits(function(turned[0][0], turned[1][0], **asked(measure)), expected[0])


def test_rows_of_one_memory() -> None:
    scores = strategies.broadcast(SCORES, Path())
    same_bits(rg.ndcg(LABELS, scores, k=KS), rg.ndcg(LABELS, scores.copy(), k=KS))


class Wrapped:
    """Anything with __array__."""

    def __init__(self, inside: Any) -> None:
        self.inside = inside

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.inside if dtype is None else self.inside.astype(dtype)


class Capsule:
    """Anything with DLPack on the CPU."""

    def __init__(self, inside: Any) -> None:
        self.inside = inside

    def __dlpack__(self, **options: Any) -> Any:
        return self.inside.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.inside.__dlpack_device__()


@pytest.mark.parametrize("wrap", [Wrapped, Capsule, memoryview, tuple], ids=lambda w: w.__name__)
def test_array_likes(wrap: Any) -> None:
    expected = rg.ndcg(LABELS[0], SCORES[0], k=KS)
    same_bits(rg.ndcg(wrap(LABELS[0]), wrap(SCORES[0]), k=KS), expected)


@pytest.mark.parametrize("docs", [40, 70, 300, 2000])
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "f2", "f4", "i8", "f8"])
def test_truth_in_bytes(docs: int, dtype: str) -> None:
    rng = np.random.default_rng(docs)
    scores = rng.standard_normal((10, docs))
    labels = (rng.integers(0, 5, scores.shape) * (rng.random(scores.shape) < 0.3)).astype(dtype)
    truth = rg.Truth(labels)
    assert truth.labels.itemsize == 1
    assert not np.may_share_memory(truth.labels, labels)
    for k in (3, docs // 10, docs // 4, None):
        for function in (rg.ndcg, rg.average_precision, rg.dcg):
            expected = function(labels, scores, k=k)
            same_bits(function(truth, scores, k=k), expected, k)
            narrow = function(truth, scores.astype(np.float32), k=k)
            same_bits(narrow, function(labels, scores.astype(np.float32), k=k), k)
    tied = np.round(scores)
    for function in (rg.ndcg, rg.reciprocal_rank):
        same_bits(function(truth, tied, k=3), function(labels, tied, k=3))
    same_bits(rg.r_precision(truth, scores), rg.r_precision(labels, scores))
    if dtype != "u1":
        labels = labels - np.ones(1, dtype)
        for k in (3, docs // 10, None):
            same_bits(rg.dcg(rg.Truth(labels), scores, k=k), rg.dcg(labels, scores, k=k), k)


@pytest.mark.parametrize("other", [0.5, 128, -129, 300, 2.0**40])
def test_truth_of_what_bytes_do_not_hold(other: float) -> None:
    labels = np.zeros((3, 100))
    labels[1, ::7], labels[2, 4] = 2, other
    truth, scores = rg.Truth(labels), np.random.default_rng(0).random(labels.shape)
    assert truth.labels.dtype == labels.dtype
    same_bits(rg.dcg(truth, scores, k=10), rg.dcg(labels, scores, k=10))


@pytest.mark.parametrize("beyond", [np.nan, np.inf, 0.5, 257, 1000, 3e9])
@pytest.mark.parametrize("gain", ["linear", {0: 0, 1: 1, 2: 5}])
def test_nothing_looks_beyond_lengths(beyond: float, gain: Any) -> None:
    labels = np.full((2, 80), beyond)
    labels[0, :70], labels[1, :9] = np.arange(70) % 3, 1
    scores = np.random.default_rng(0).random(labels.shape)
    sizes = [70, 9]
    result = rg.ndcg(rg.Truth(labels, lengths=sizes), scores, k=5, gain=gain)
    same_bits(result, rg.ndcg(labels, scores, k=5, gain=gain, lengths=sizes))
    flat = [a[0, :70].tolist() + a[1, :9].tolist() for a in (labels, scores)]
    same_bits(result, rg.ndcg(*flat, k=5, gain=gain, group=sizes))


# ---- integers beyond 2**53: kept apart, or refused, never made equal in silence


TOP = 2**53  # a double holds TOP and TOP + 2, and makes TOP + 1 one of them
PAIRS = [(TOP, TOP + 1), (-TOP - 1, -TOP), (TOP + 1, TOP + 2), (10**18, 10**18 + 1)]
PAIRS.append((2**63 - 2, 2**63 - 1))  # the latter is rounded to what no int64 holds
PAIRS.append((2**63, 2**63 + 1))  # of uint64


@pytest.mark.parametrize("scores", PAIRS)
def test_neighbouring_scores_do_not_tie(scores: tuple[int, int]) -> None:
    expected = rg.reciprocal_rank([[0, 1]], np.array([scores]))
    assert expected.tolist() == [1.0]
    for given in ([list(scores)], (scores,), np.array([scores], object)):
        assert rg.reciprocal_rank([[0, 1]], given).tolist() == [1.0]
    ragged = rg.reciprocal_rank([[0, 1], [1]], [list(scores), [0]])
    assert ragged.tolist() == [1.0, 1.0]


# Ways to give ids beside a number of each, which is a score, or a rank where the name says so.
BESIDE_IDS: dict[str, Callable[[list[str], Any, str], Any]] = {
    "pairs": lambda ids, numbers, _: {"q": list(zip(ids, numbers, strict=True))},
    "dict": lambda ids, numbers, _: {"q": dict(zip(ids, numbers, strict=True))},
    "hits": lambda ids, numbers, name: {
        "q": [{"id": i, name: number} for i, number in zip(ids, numbers, strict=True)]
    },
    "an answer": lambda ids, numbers, name: {
        "q": {"hits": [{"id": i, name: number} for i, number in zip(ids, numbers, strict=True)]}
    },
    "cells of lists": lambda ids, numbers, name: pytest.importorskip("pandas").DataFrame(
        {"user": ["q"], "items": [ids], f"{name}s": [numbers]}
    ),
    "rows": lambda ids, numbers, name: pytest.importorskip("pandas").DataFrame(
        {"user": ["q"] * len(ids), "item": ids, name: numbers}
    ),
}


def reciprocal_rank(door: str, relevant: str, numbers: Any, name: str = "score") -> float:
    """Of one relevant id among a, b, and so on, beside their scores or ranks."""
    source = BESIDE_IDS[door](list("abcdef")[: len(numbers)], numbers, name)
    return rg.evaluate_ids(source, {"q": [relevant]}, "RR")["RR"]


@pytest.mark.parametrize("scores", PAIRS)
@pytest.mark.parametrize("door", BESIDE_IDS)
@pytest.mark.parametrize("make", [list, np.array], ids=["Python", "NumPy"])
def test_neighbouring_scores_beside_ids_do_not_tie(
    scores: tuple[int, int], door: str, make: Any
) -> None:
    assert reciprocal_rank(door, "b", make(list(scores))) == 1.0
    assert reciprocal_rank(door, "a", make(list(scores))) == 0.5
    assert reciprocal_rank(door, "a", make(list(scores)[::-1])) == 1.0
    for name, place in zip("abc", (2, 1, 3), strict=True):  # equal ones keep their order
        assert reciprocal_rank(door, name, make([*scores, scores[0]])) == 1 / place


@pytest.mark.parametrize(
    "dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("door", ["hits", "an answer", "cells of lists", "rows"])
def test_ranks_of_every_dtype_are_the_same_places(dtype: str, first: int, door: str) -> None:
    ranks = np.array([3, 1, 0, 2], dtype) + np.array(first, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, place in zip("abcd", (4, 2, 1, 3), strict=True):
            assert reciprocal_rank(door, name, ranks, "rank") == 1 / place
        run = {"q": BESIDE_IDS["hits"](list("abcd"), ranks, "rank")["q"]}
        assert rg.evaluate({"q": {"c": 1}}, run, "RR")["RR"] == 1.0


@pytest.mark.parametrize("number", [float("nan"), np.float32("nan"), np.float64("nan")])
@pytest.mark.parametrize("door", BESIDE_IDS)
def test_a_number_beside_an_id_that_is_nan_is_refused(number: Any, door: str) -> None:
    for numbers in ([number, 1.0], [1.0, number], [number]):
        with pytest.raises(ValueError, match=r"NaN|no value"):
            reciprocal_rank(door, "a", numbers)


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8", "f8"])
@pytest.mark.parametrize("low", [2**24, 2**31 - 2])
def test_scores_that_float32_would_make_equal_do_not_tie(dtype: str, low: int) -> None:
    scores = np.array([[low, low + 1]], dtype)
    flat = scores.ravel()
    frame = pytest.importorskip("pandas").DataFrame(
        {"query": ["q", "q"], "doc": ["a", "b"], "label": [1, 0], "score": flat}
    )
    # The relevant document is at rank 2; on a tie its value would be the mean of both ranks.
    assert rg.reciprocal_rank([[1, 0]], scores).tolist() == [0.5]
    assert rg.reciprocal_rank(rg.Truth([1, 0]), flat) == 0.5
    assert rg.reciprocal_rank([[1, 0], [1]], [flat, flat[:1]]).tolist() == [0.5, 1.0]
    beside_ignored = rg.evaluate_arrays([[1, 0, -1]], scores[:, [0, 1, 1]], "RR", ignore=-1)
    assert beside_ignored["RR"] == 0.5
    rows = frame.iloc[[0, 1, 1]].assign(doc=["a", "b", "c"], label=[1, 0, -1])
    assert rg.evaluate_frame(frame, "RR")["RR"] == 0.5
    assert rg.evaluate_frame(rows, "RR", ignore=-1)["RR"] == 0.5
    retrieved = frame.drop(columns="label")
    assert rg.evaluate_ids(retrieved, {"q": ["a"]}, "RR")["RR"] == 0.5
    assert rg.evaluate(rg.Qrels({"q": {"a": 1}}), rg.Run.from_frame(frame), "RR")["RR"] == 0.5


def test_numbers_that_a_double_holds_are_taken() -> None:
    run = {"q": {"a": TOP, "b": 2**70, "c": float("inf"), "d": np.int64(TOP + 2)}}
    result = rg.evaluate({"q": {"a": 1}}, run, "RR")
    assert result.means["RR"] == 0.25
