"""Arrays reach the core aligned, however they lie: it reads them as C does."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import memory
import rankgain as rg
from rankgain import _core

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

LABELS = np.array([[3, 0, 1, 0, 2], [0, 1, 0, 4, 0]])
SCORES = np.array([[0.1, 0.4, 0.2, 0.4, 0.5], [0.3, 0.1, 0.2, 0.5, 0.4]])


def misaligned(array: Any, dtype: str) -> Any:
    """The same values, one byte away from where their type belongs."""
    result = memory.misaligned(np.asarray(array).astype(dtype))
    assert not result.flags.aligned
    return result


def csr(dtype: str, dense: Any = LABELS) -> Any:
    matrix = sp.csr_matrix(dense)
    indices, indptr = (misaligned(part, "i4") for part in (matrix.indices, matrix.indptr))
    return misaligned(matrix.data, dtype), indices, indptr


CALLS: dict[str, Callable[[str], Any]] = {
    "dense": lambda dtype: rg.evaluate_arrays(
        misaligned(LABELS, dtype), misaligned(SCORES, dtype), ["nDCG", "AP"]
    ),
    "flat": lambda dtype: rg.evaluate_arrays(
        misaligned(LABELS.ravel(), dtype),
        misaligned(SCORES.ravel(), dtype),
        ["nDCG", "AP"],
        group=misaligned([5, 5], "i4"),
    ),
    "csr": lambda dtype: rg.evaluate_arrays(csr(dtype), misaligned(SCORES, dtype), ["nDCG", "AP"]),
    "Truth": lambda dtype: rg.ndcg(rg.Truth(misaligned(LABELS, dtype)), SCORES),
    "integer labels": lambda dtype: rg.ndcg(misaligned(LABELS, dtype), SCORES, gain="exp2"),
    "xgboost": lambda dtype: rg.ndcg(misaligned(LABELS, dtype), SCORES, convention="xgboost"),
    "lightgbm": lambda dtype: rg.ndcg(misaligned(LABELS, dtype), SCORES, convention="lightgbm"),
    "lightgbm, csr": lambda dtype: rg.ndcg(csr(dtype), SCORES, convention="lightgbm"),
    "judged": lambda dtype: rg.ndcg(LABELS, SCORES, judged=misaligned(LABELS, dtype)),
    "exclude": lambda dtype: rg.ndcg(
        LABELS, misaligned(SCORES, dtype), exclude=csr(dtype, LABELS == 1)
    ),
    "evaluate_ids": lambda dtype: rg.evaluate_ids(
        misaligned([[1, 0, 3], [3, 2, -1]], "i8"), csr(dtype), ["nDCG", "AP"]
    ),
    "evaluate_scores": lambda dtype: rg.evaluate_scores(
        lambda _: misaligned(SCORES, dtype), csr(dtype), ["nDCG", "AP"]
    ),
    "evaluate_factors": lambda dtype: rg.evaluate_factors(
        misaligned(SCORES, dtype), misaligned(LABELS, dtype), [[0], [1]], "AP"
    ),
    "PartialRanks": lambda dtype: counted(misaligned(SCORES.ravel(), dtype)),
    "weights": lambda dtype: rg.evaluate_arrays(
        LABELS, SCORES, "AP", weight=misaligned([1, 2], dtype)
    ),
}


def counted(scores: Any) -> Any:
    query = misaligned(np.repeat([4, 9], 5), "i8")
    partial = rg.PartialRanks(query, scores, misaligned(LABELS.ravel(), "f8"))
    partial.add(query, scores)
    return partial.finish("AP")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", CALLS)
def test_what_the_core_reads(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def watched(function: Any) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            for one in (*given, *named.values()):
                if isinstance(one, np.ndarray):
                    seen.append(one)
                    assert one.flags.aligned, function
            return function(*given, **named)

        return call

    for one in {*dir(_core)} - {"evaluate_plain"}:  # which looks itself
        function = getattr(_core, one)
        if callable(function) and not isinstance(function, type):
            monkeypatch.setattr(_core, one, watched(function))
    monkeypatch.setattr(_core, "LabelArray", watched(_core.LabelArray))
    CALLS[name](dtype)
    assert seen
