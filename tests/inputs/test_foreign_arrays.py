"""Arrays of other libraries: their values to the last bit, or an error with the remedy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg

L, S = [[3, 0, 2, 1]], [[0.1, 0.4, 0.3, 0.2]]


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    scores = jax.numpy.array(S)
    assert rg.ndcg(L, scores).tolist() == rg.ndcg(L, np.array(S, np.float32)).tolist()
    for call in (
        lambda s: rg.ndcg(L, s),
        lambda s: rg.ndcg(L, [s[0]]),
        lambda s: rg.evaluate_arrays(L, S, "AP", weight=s[0]).means["AP"],
    ):
        with pytest.raises(TypeError, match="outside jit"):
            jax.jit(call)(scores)
    with pytest.raises(TypeError, match="outside jit"):
        jax.grad(lambda s: rg.ndcg(L, s)[0])(scores)
    narrow = scores.astype("bfloat16")
    assert rg.dcg(narrow, narrow).tolist() == rg.dcg(*[narrow.astype("float32")] * 2).tolist()


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    scores = torch.tensor(S)
    assert rg.ndcg(L, scores).tolist() == rg.ndcg(L, np.array(S, np.float32)).tolist()
    for tensor, remedy in (
        (torch.tensor(S, requires_grad=True), r"y_score\.detach\(\)"),
        (torch.tensor(S, requires_grad=True) * 2, r"y_score\.detach\(\)"),
    ):
        with pytest.raises(TypeError, match=remedy):
            rg.ndcg(L, tensor)
        with pytest.raises(TypeError, match=remedy.replace("score", r"score\[0\]")):
            rg.ndcg(L, [tensor[0]])
    with pytest.raises(TypeError, match=r"not in the memory|does not convert"):
        rg.ndcg(L, torch.ones(1, 4, device="meta"))


def widened(seed: int, n: int = 400) -> tuple[Any, Any]:
    """Random bfloat16 values as their 16 bits, and as the float32 with these bits above zeros."""
    bits = np.random.default_rng(seed).integers(0, 2**15, (4, n // 4), np.uint16)
    bits = np.where((bits & 0x7F80) == 0x7F80, 0, bits)  # finite ones
    return bits.astype(np.uint16), (bits.astype(np.uint32) << 16).view(np.float32)


@pytest.mark.parametrize("seed", range(3))
def test_bfloat16_of_torch_is_widened_exactly(seed: int) -> None:
    torch = pytest.importorskip("torch")
    bits, values = widened(seed)
    labels = np.random.default_rng(seed).integers(0, 3, bits.shape)
    tensor = torch.from_numpy(bits.astype(np.int16)).view(torch.bfloat16)
    for ties in ("average", "stable"):
        expected = rg.ndcg(labels, values, ties=ties).tolist()
        assert rg.ndcg(labels, tensor, ties=ties).tolist() == expected
        assert rg.ndcg(list(labels), list(tensor), ties=ties).tolist() == expected
    assert rg.dcg(tensor.clamp(0, 9), values).tolist() == rg.dcg(values.clip(0, 9), values).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_bfloat16_of_ml_dtypes_is_widened_exactly(seed: int) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    bits, values = widened(seed)
    labels = np.random.default_rng(seed).integers(0, 3, bits.shape)
    narrow = bits.view(ml_dtypes.bfloat16)
    for ties in ("average", "stable"):
        expected = rg.ndcg(labels, values, ties=ties).tolist()
        assert rg.ndcg(labels, narrow, ties=ties).tolist() == expected
    with pytest.raises(ValueError, match="is NaN"):
        rg.ndcg([[1, 0]], np.array([[np.nan, 1]], ml_dtypes.bfloat16))
    for small in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
        scores = np.array(S, small)
        assert rg.ndcg(L, scores).tolist() == rg.ndcg(L, scores.astype(np.float64)).tolist()


# ---- matrices, memoryviews and rows of mixed integers are the arrays that they stand for


KINDS: dict[str, Callable[[Any], Any]] = {
    "memoryview": lambda rows: memoryview(np.array(rows)),
    "matrix": lambda rows: np.matrix(rows),
}
LABELS, SCORES = [[1, 0, 2], [0, 1, 0]], [[3.0, 2.0, 1.0], [1.0, 3.0, 2.0]]
IDS, WANTED = [[4, 2, 1], [3, 1, 0]], [[2, 1], [0, 4]]
MASK = [[False, True, False], [False, False, True]]
CALLS: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "arrays": lambda of: rg.ndcg(of(LABELS), of(SCORES)),
    "Truth": lambda of: rg.ndcg(rg.Truth(of(LABELS)), of(SCORES)),
    "judged": lambda of: rg.ndcg(LABELS, SCORES, judged=of([[1, 0, 2, 2], [0, 1, 0, 0]])),
    "exclude": lambda of: rg.ndcg(LABELS, SCORES, exclude=of(MASK)),
    "ids of ties": lambda of: rg.ndcg(LABELS, SCORES, ids=of(IDS)),
    "columns": lambda of: rg.evaluate_ids(of(IDS), of(WANTED), "nDCG@2").per_query["nDCG@2"],
    "ids": lambda of: rg.evaluate_ids(of(IDS), of(WANTED), "nDCG@2").per_query["nDCG@2"],
    "relevant": lambda of: rg.evaluate_ids(IDS, of(WANTED), "nDCG@2").per_query["nDCG@2"],
    "excluded ids": lambda of: rg.evaluate_ids(
        IDS, WANTED, "nDCG@2", exclude=of([[4], [3]])
    ).per_query["nDCG@2"],
    "neighbours": lambda of: rg.neighbor_recall(of(IDS), of(WANTED)),
    "catalogue": lambda of: rg.evaluate_catalogue(of(IDS), "Coverage", k=2, catalogue=range(9))[
        "Coverage"
    ],
    "factors": lambda of: rg.evaluate_factors(
        of(SCORES), of(np.eye(3)), [[0], [2]], "RR"
    ).per_query["RR"],
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", KINDS)
def test_as_arrays(kind: str, call: str) -> None:
    np.testing.assert_array_equal(CALLS[call](KINDS[kind]), CALLS[call](np.array))


BIG = 2**63
MIXED = [
    ([np.array([BIG], np.uint64), np.array([1])], [1.0, 1.0]),
    ([np.array([1]), np.array([BIG], np.uint64)], [0.0, 0.0]),
    ([np.array([BIG + 1, BIG], np.uint64), np.array([2, 1], np.int8)], [0.5, 0.5]),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("rows", "values"), MIXED)
def test_rows_of_unsigned_and_signed_ids(rows: Any, values: list[float]) -> None:
    expected = [[BIG], [1]]
    assert rg.evaluate_ids(rows, expected, "RR").per_query["RR"].tolist() == values
    turned = rg.evaluate_ids(expected, rows, "HitRate").per_query["HitRate"]
    assert turned.tolist() == [float(one > 0) for one in values]
