"""Every ranker finds the hits that plain Python finds, and every ranker is seen to run."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import rankers
import rankgain as rg
from rankgain import _core
from rankgain.inputs.truth import read_lists
from sampling import sampled

POLICIES = ("average", "stable", "reverse", "best", "worst", "random", "id", "id_descending")
LABEL_TYPES = ("f4", "f8", "f2", "i1", "i2", "i4", "i8", "u1", "u4", "u8", "?")
LENGTHS = (1, 2, 7, 31, 33, 64, 96, 97, 130, 257, 400, 1023, 1025, 1500, 2600, 4500)
HITS = (0.0, 0.004, 0.03, 0.3, 1.0)
SPREADS = (1, 2, 5, 30, 10**6)  # so many different scores
WHOLE = 1 << 62


def cutoff(rng: random.Random, n: int) -> int | None:
    """A shallow one, one in the upper half, about the whole list, or none."""
    return rng.choice([1, 3, 10, 20, n // 8, n // 4, n // 2, n - 1, n, 3 * n, None]) or None


def one_list(rng: random.Random, dtype: Any) -> tuple[Any, Any]:
    """Labels and scores of one list, with few ties or many, few hits or many."""
    n, share, spread = rng.choice(LENGTHS), rng.choice(HITS), rng.choice(SPREADS)
    top = 1 if dtype == "?" else 4
    labels = [rng.randint(1, top) if rng.random() < share else 0 for _ in range(n)]
    scores = [(rng.randrange(spread) - spread // 3) / 8 for _ in range(n)]
    if rng.random() < 0.2:
        extremes = (float("inf"), float("-inf"), -0.0, 0.0)
        scores = [rng.choice(extremes) if rng.random() < 0.3 else score for score in scores]
    if rng.random() < 0.1:
        scores.sort(reverse=rng.random() < 0.5)
    kind = rng.choice(["f4", "f8"])
    if kind == "f8" and rng.random() < 0.5:  # many doubles are one float
        scores = [1.0 + score * 2.0**-30 if abs(score) < 1e9 else score for score in scores]
    return np.array(labels, dtype), np.array(scores, kind)


def compare(rng: random.Random, labels: Any, scores: Any, ties: str, sparse: bool) -> set[str]:
    """One list under one policy; returns the rankers that ran."""
    n = len(labels)
    k, seed = cutoff(rng, n), rng.randrange(1 << 64)
    ids = [f"{rng.randrange(10**9)}-{i}" for i in range(n)] if "id" in ties else None
    # The binary gain of a rel of 0 makes a hit of every document, which sparse labels refuse.
    zeros = not sparse and rng.random() < 0.2
    name = "DCG" if k is None else f"DCG@{k}"
    given = {"gain": "binary", "rel": 0} if zeros else {}
    y_true: Any = labels
    if sparse:
        at = rng.sample(np.flatnonzero(labels).tolist(), int((labels != 0).sum()))
        y_true = labels[at], np.array(at, np.int64), np.array([0, len(at)])
        scores, ids = scores[None], None if ids is None else [ids]
    used, hits = rankers.found_in(y_true, scores, name, ids=ids, ties=ties, seed=seed, **given)
    depth = WHOLE if k is None else k
    plain = [float(label) for label in labels.tolist()]
    expected = rankers.wanted(
        plain,
        scores.ravel().tolist(),
        depth,
        ties=ties,
        ids=ids[0] if sparse and ids else ids,
        seed=seed,
        zeros=zeros,
    )
    if zeros and ties in ("best", "worst"):  # by gain, and all have the same one
        hits, expected = ranks_of(hits), ranks_of(expected)
    context = (
        f"{n} {labels.dtype} {scores.dtype} {name} {ties} sparse={sparse} zeros={zeros} {used}"
    )
    assert rankers.above(hits, depth) == expected, context
    return used


def ranks_of(blocks: list[rankers.Block]) -> list[rankers.Block]:
    return [(start, size, [1.0] * len(labels)) for start, size, labels in blocks]


@pytest.mark.parametrize(("sparse", "ties"), sampled([False, True], POLICIES, one_in=3))
def test_hits_are_those_of_the_definition(ties: str, sparse: bool) -> None:
    rng = random.Random(f"{ties} {sparse}")
    seen: Counter[str] = Counter()
    for i in range(120):
        labels, scores = one_list(rng, LABEL_TYPES[i % len(LABEL_TYPES)])
        seen.update(compare(rng, labels, scores, ties, sparse))
    expected = {"select", "count", "sort"}
    if not sparse and ties in ("average", "best", "worst"):
        expected.add("straddle")
    if not sparse and _core.SIMD != "plain":
        expected.add("gather")
    assert {ranker for ranker, times in seen.items() if times > 2} == expected


def test_all_rankers_are_known() -> None:
    every = {"given", "select", "gather", "count", "sort", "straddle"}
    assert set(_core.RANKERS.values()) == every


def test_matched_ids_are_read_where_they_are_stored() -> None:
    from rankgain.inputs.topk import read_topk

    lists, *_ = read_topk(np.array([[4, 2, 7], [1, 3, -1]]), [[2, 9], [3, 1]], [[2, 1], [3, 1]])
    assert rankers.found(lists, "DCG@3", 0) == (set(), [(1, 1, [2.0])])
    assert rankers.found(lists, "DCG@3", 1) == (set(), [(0, 1, [1.0]), (1, 1, [3.0])])


@pytest.mark.parametrize("n", [100, 200, 1500, 5000])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sparse_labels_at_the_edge_of_few_ranks(n: int, dtype: str) -> None:
    """A hit whose score is that of the lowest candidate is one; so is one that ties with it."""
    scores = np.arange(n, 0, -1, dtype=dtype)
    for k in (1, 2, 5, n // 8):
        for at in (k - 1, k):
            # Hits enough that they are not counted at once, and all but one of them far below.
            places = np.array([at, *range(n - 60, n)])
            data = np.ones(len(places)), places, np.array([0, len(places)])
            assert rg.recall(data, scores[None], k=k)[0] == (at < k) / len(places)
            used, hits = rankers.found_in(data, scores[None], f"R@{k}")
            assert "select" in used
            assert rankers.above(hits, k) == ([(at, 1, [1.0])] if at < k else [])


def test_a_fault_is_told() -> None:
    lists = read_lists([1.0, 0.0], [np.nan, 1.0])
    with pytest.raises(AssertionError, match="nan_score"):
        rankers.found(lists, "DCG")


SHAPES = {
    "even": lambda rng, n: rng.random(n),
    "normal": lambda rng, n: rng.normal(size=n),
    "exponential": lambda rng, n: rng.exponential(size=n),
    "one far away": lambda rng, n: np.append(rng.random(n - 1), 1e30),
    "two clusters": lambda rng, n: rng.integers(0, 2, n) + rng.random(n) * 1e-3,
    "some tie": lambda rng, n: np.round(rng.random(n), 2),
    "all tie but one": lambda rng, n: np.append(np.ones(n - 1), 2.0),
    "neighbours": lambda rng, n: 1 + rng.permutation(n) * 2.0**-23,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_full_order_is_stable(shape):
    rng = np.random.default_rng(7)
    for n in [*range(2, 70), 127, 128, 129, 255, 256, 257, 400, 511, 512, 513, 900]:
        scores = SHAPES[shape](rng, n).astype(np.float32)
        labels = rng.permutation(n) + 1.0
        ranked = labels[np.argsort(-scores, kind="stable")]
        expected = (ranked / np.log2(np.arange(n) + 2)).sum()
        assert rg.dcg(labels, scores, ties="stable", gain="linear") == pytest.approx(
            expected, 1e-14
        )
