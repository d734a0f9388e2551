"""Inputs are never written to, and nothing is kept of them."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import strategies
from rankgain.engine import columns, plan

RNG = np.random.default_rng(2)
LABELS = RNG.integers(0, 4, (6, 20)).astype(np.float32)
SCORES = RNG.integers(0, 8, (6, 20)).astype(np.float32)
JUDGED = np.concatenate([LABELS, np.ones((6, 2), np.float32)], axis=1)
UNSORTED = (np.array([1, 2, 3, 1]), np.array([7, 2, 19, 0]), np.array([0, 2, 2, 4, 4, 4, 4]))
NAMES = list(strategies.NAMES.values())
Arrays = list[Any]


def calls() -> dict[str, tuple[Callable[..., Any], Arrays]]:
    """Named calls, each with all the arrays that it is given."""
    flat = [LABELS.ravel(), SCORES.ravel()]
    sizes, qid = np.full(6, 20), np.repeat(np.arange(6), 20)
    made: dict[str, tuple[Callable[..., Any], Arrays]] = {
        "group": (lambda y, s, g: rg.ndcg(y, s, group=g), [*flat, sizes]),
        "qid": (lambda y, s, q: rg.ndcg(y, s, qid=q), [*flat, qid]),
        "lengths": (lambda y, s, n: rg.ndcg(y, s, lengths=n), [LABELS, SCORES, sizes - 3]),
        "judged": (lambda y, s, j: rg.ndcg(y, s, judged=j), [LABELS, SCORES, JUDGED]),
        "CSR": (lambda s, *y: rg.ndcg(y, s), [SCORES, *UNSORTED]),
        "exclude": (lambda y, s, *x: rg.ndcg(y, s, exclude=x), [LABELS, SCORES, *UNSORTED]),
        "given order": (rg.ndcg, [LABELS]),
        "discount": (lambda y, s, w: rg.dcg(y, s, discount=w), [LABELS, SCORES, 1.0 / qid[20:]]),
        "gain": (lambda y, s, t: rg.cg(y, s, gain=t), [LABELS, SCORES, np.arange(4.0)]),
        "Truth": (lambda y, s: rg.ndcg(rg.Truth(y), s), [LABELS, SCORES]),
        "evaluate": (lambda y, s: rg.evaluate_arrays(y, s, NAMES), [LABELS, SCORES]),
        "top k": (
            lambda r, *y: rg.evaluate_ids(r, y, ["nDCG@3"]),
            [np.argsort(-SCORES)[:, :5], *UNSORTED],
        ),
        "ids": (
            lambda y, s, i: rg.ndcg(y, s, ids=i, ties="id"),
            [LABELS, SCORES, np.tile(np.arange(10, 30), (6, 1))],
        ),
        "threads": (lambda y, s: rg.ndcg(y, s, threads=3), [LABELS, SCORES]),
    }
    for measure in strategies.MEASURES:
        made[measure] = (getattr(rg, measure), [LABELS, SCORES])
        made[f"{measure}, worst"] = (
            lambda y, s, m=measure: getattr(rg, m)(y, s, ties="worst"),
            [LABELS, SCORES],
        )
    return made


CALLS = calls()
EVERY = pytest.mark.parametrize("name", CALLS)


@EVERY
@pytest.mark.parametrize("dtype", ["as given", "float64", "byte-swapped"])
def test_inputs_are_not_written_to(name: str, dtype: str) -> None:
    function, arrays = CALLS[name]
    arrays = [a.copy() for a in arrays]
    if dtype == "float64":
        arrays = [a.astype(np.float64) if a.dtype == np.float32 else a for a in arrays]
    elif dtype == "byte-swapped":
        arrays = [a.astype(a.dtype.newbyteorder()) for a in arrays]
    before = [(a.tobytes(), a.dtype, a.shape, a.strides) for a in arrays]
    function(*arrays)
    assert [(a.tobytes(), a.dtype, a.shape, a.strides) for a in arrays] == before
    for a in arrays:
        a.flags.writeable = False
    function(*arrays)  # needs no permission to write


def test_scipy_matrices_stay_unsorted() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_array(UNSORTED, shape=(6, 20))
    indices = matrix.indices.copy()
    assert not matrix.has_sorted_indices
    rg.ndcg(matrix, SCORES, exclude=matrix.copy(), judged=matrix)
    rg.evaluate_ids(np.argsort(-SCORES)[:, :5], matrix, ["nDCG@3"])
    np.testing.assert_array_equal(matrix.indices, indices)
    assert not matrix.has_sorted_indices


def test_lists_and_arguments_are_not_changed() -> None:
    labels, scores, k, table = [2, 0, 1], [1.0, 3.0, 2.0], [5, 1, 5], {2: 3, 0: 0, 1: 1}
    rg.ndcg(labels, scores, k=k, gain=table)
    assert (labels, scores, k) == ([2, 0, 1], [1.0, 3.0, 2.0], [5, 1, 5])
    assert list(table) == [2, 0, 1]
    names = ["AP", "nDCG@10"]
    rg.evaluate_arrays([labels], [scores], names)
    assert names == ["AP", "nDCG@10"]


def test_results_are_not_views_of_inputs() -> None:
    first = rg.ndcg(LABELS, SCORES)
    first[:] = 7
    assert (rg.ndcg(LABELS, SCORES) <= 1).all()
    assert not np.shares_memory(first, SCORES)


def test_values_of_an_evaluation_cannot_be_unlocked() -> None:
    result = rg.evaluate_arrays(LABELS, SCORES, ["nDCG@3", "AP"])
    for values in result.per_query.values():
        with pytest.raises(ValueError, match="WRITEABLE"):
            values.flags.writeable = True


def test_an_evaluation_does_not_share_the_values_it_is_made_of() -> None:
    values = np.array([0.25, 0.5])
    read_only = np.array([0.25, 0.5])
    read_only.flags.writeable = False
    columns = {"AP": values, "RR": read_only}
    result = rg.Evaluation({"AP": 0.375, "RR": 0.375}, columns, range(2))
    values[:] = 7
    read_only.flags.writeable = True
    read_only[:] = 7
    for name in columns:
        assert result.per_query[name].tolist() == [0.25, 0.5]


@pytest.mark.slow
@EVERY
def test_no_reference_is_kept(name: str) -> None:
    function, arrays = CALLS[name]
    arrays = [a.copy() for a in arrays]
    function(*arrays)
    gc.collect()
    before = [sys.getrefcount(a) for a in arrays]
    for _ in range(1000):
        function(*arrays)
    gc.collect()
    assert [sys.getrefcount(a) for a in arrays] == before


def bad_calls() -> list[Callable[[], Any]]:
    scores = SCORES.copy()
    scores[3, 4] = np.nan
    return [
        lambda: rg.ndcg(LABELS, scores),
        lambda: rg.ndcg(-LABELS, SCORES),
        lambda: rg.ndcg(LABELS, SCORES[:, 1:]),
        lambda: rg.ndcg(LABELS, SCORES, k=0),
        lambda: rg.ndcg(LABELS.ravel(), SCORES.ravel(), group=[5]),
        lambda: rg.evaluate_arrays(LABELS, SCORES, ["no such measure"]),
    ]


def test_memory_does_not_grow() -> None:
    """1,000 calls of every kind leave no allocation behind, failing ones neither."""

    def all_calls() -> None:
        for name, (function, arrays) in CALLS.items():
            if not name.endswith("worst"):
                function(*arrays)
        for call in bad_calls():
            with pytest.raises(ValueError, match=r"\w"):
                call()

    # What other tests left there was allocated unseen: taking its place would look like growth.
    for store in (columns.CALLS, columns.PLANS, plan._WEIGHT_TABLES):
        store.clear()
    tracemalloc.start()
    try:
        for _ in range(3):
            all_calls()
        gc.collect()
        before, blocks = tracemalloc.get_traced_memory()[0], sys.getallocatedblocks()
        for _ in range(30):
            all_calls()
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
        assert after - before < 20_000
        assert sys.getallocatedblocks() - blocks < 200
    finally:
        tracemalloc.stop()


def test_names_asked_before_with_other_arguments() -> None:
    """What names and arguments came to is kept: neither may stand for another."""
    names, labels, scores = ["DCG@2", "P@2", "AP"], [[3, 1, 0]], [[0.2, 0.3, 0.1]]
    first = rg.evaluate_arrays(labels, scores, names).means
    for _ in range(2):
        assert rg.evaluate_arrays(labels, scores, names).means == first
        assert rg.evaluate_arrays(labels, scores, names, rel=2).means["P@2"] == 0.5
        other = rg.evaluate_arrays(labels, scores, names, gain="exp2").means
        assert other["DCG@2"] != first["DCG@2"]
        assert rg.evaluate_arrays(labels, scores, tuple(reversed(names))).means == first
        strict = rg.conventions["rankgain"].replace(rel=3)
        assert rg.evaluate_arrays(labels, scores, names, convention=strict).means["AP"] == 0.5
        with pytest.raises((TypeError, ValueError), match="rel"):
            rg.evaluate_arrays(labels, scores, names, rel=True)
