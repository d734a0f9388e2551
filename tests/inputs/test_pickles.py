"""Pickles of Truth, Qrels and Run give the answers of what was pickled."""

import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg


def truths() -> dict[str, Any]:
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[1, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 1]])
    judged = [[1, 2, 1], [3, 3], [1, 1]]
    return {
        "rows": rg.Truth(dense),
        "floats": rg.Truth(dense + 0.5),
        "lengths": rg.Truth(dense, lengths=[4, 2, 0]),
        "flat": rg.Truth(dense.ravel(), group=[5, 3, 4]),
        "mixed": rg.Truth(dense.ravel(), qid=[1, 2, 3] * 4),
        "csr": rg.Truth(sparse.csr_matrix(dense)),
        "judged": rg.Truth(dense, judged=judged),
        "one": rg.Truth([1, 0, 2]),
    }


def records() -> dict[str, Any]:
    qrels = {"q1": {"a": 2, "b": 0, "ccc": 1}, "q2": {"d": 1}, "q3": {"a": 1, "e": 3}}
    run = {"q1": {"b": 0.9, "a": 0.8, "x": 0.8}, "q2": {"d": 1.0, "e": 2.0}, "q3": {"f": 1.0}}
    return {
        "qrels": rg.Qrels(qrels),
        "numbered": rg.Qrels(dict(enumerate(qrels.values()))),
        "run": rg.Run(run),
        "ordered run": rg.Run({query: list(docs) for query, docs in run.items()}),
    }


def answers(result: Any) -> Any:
    """All that can be asked of it."""
    if isinstance(result, rg.Truth):
        rng = np.random.default_rng(0)
        scores = rng.random(result.shape)
        some = [rg.evaluate_arrays(result, scores, ["nDCG@2", "AP", "RBP"])]
        some.append(rg.evaluate_arrays(result, np.ones(result.shape), ["RR"], ties="stable"))
        return [(one.to_json(), list(one.queries)) for one in some], result == result, len(result)
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"d": 1}, "q3": {"a": 1}, "0": {"a": 1}, "2": {"e": 1}}
    pair = (result, qrels) if isinstance(result, rg.Qrels) else (qrels, result)
    some = [rg.evaluate(*pair, ["nDCG@2", "AP", "Bpref"], ties=ties) for ties in ("id", "stable")]
    return [(one.to_json(), list(one.queries)) for one in some], result.to_dict(), repr(result)


@pytest.mark.parametrize("name", [*truths(), *records()])
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_pickles_give_the_same_answers(name: str, protocol: int) -> None:
    original = {**truths(), **records()}[name]
    read = pickle.loads(pickle.dumps(original, protocol))
    assert type(read) is type(original)
    assert read == original
    assert answers(read) == answers(original)
    again = pickle.loads(pickle.dumps(read, protocol))
    assert again == original


def test_records_equal_no_other_type() -> None:
    assert rg.Qrels({"q": {"a": 1}}).__eq__(3) is NotImplemented
