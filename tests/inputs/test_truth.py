"""A Truth owns what it was made from: nothing that happens to the arrays afterwards reaches it."""

import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg

RNG = np.random.default_rng(3)
LABELS = RNG.integers(0, 4, (6, 20)) * (RNG.random((6, 20)) < 0.5)
SCORES = RNG.random(LABELS.shape)
NAMES = ["nDCG@5", "AP", "DCG", "R@3", "ERR"]
FORMS: dict[str, Any] = {
    "bytes": lambda: LABELS.astype(np.int8),
    "doubles": lambda: LABELS + 0.0,
    "fractions": lambda: LABELS / 2,
    "wide": lambda: LABELS * 1000,
}


def same(result: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, one in expected.items():
        np.testing.assert_array_equal(result[name], one, err_msg=name)


@pytest.mark.parametrize("form", FORMS)
def test_dense_labels_that_change_later(form: str) -> None:
    labels = FORMS[form]()
    if form == "wide":
        labels = labels / 1000.0 + 200 * (labels > 0)
        names = ["nDCG@5", "AP", "DCG"]
    else:
        names = NAMES
    expected = rg.evaluate_arrays(labels.copy(), SCORES, names)
    truth = rg.Truth(labels)
    labels[:] = 1
    result = rg.evaluate_arrays(truth, SCORES, names)
    same(dict(result.per_query), dict(expected.per_query))


def test_judged_group_and_lengths_that_change_later() -> None:
    judged = [np.append(row, [3, 3]) for row in LABELS]
    padded = np.array(judged)
    sizes = np.full(len(LABELS), LABELS.shape[1])
    expected = rg.ndcg(LABELS, SCORES, judged=judged)
    for form in (judged, padded):
        dense = rg.Truth(LABELS, lengths=sizes, judged=form)
        flat = rg.Truth(LABELS.reshape(-1), group=sizes, judged=form)
        twins = [pickle.loads(pickle.dumps(one)) for one in (dense, flat)]
        for one in form:
            one[:] = 0
        sizes[:] = 2
        for truth, scores in ((dense, SCORES), (flat, SCORES.reshape(-1))):
            np.testing.assert_array_equal(rg.ndcg(truth, scores), expected)
        assert twins == [dense, flat]
        for one, row in zip(form, LABELS, strict=True):
            one[:] = np.append(row, [3, 3])
        sizes[:] = LABELS.shape[1]


JUDGED: dict[str, Any] = {
    "rows of doubles": lambda: np.column_stack([LABELS, LABELS[:, 0] + 1.0]),
    "rows of bytes": lambda: np.column_stack([LABELS, LABELS[:, 0]]).astype(np.int8),
    "rows of objects": lambda: np.column_stack([LABELS, LABELS[:, 0]]).astype(object),
    "lists": lambda: [np.append(row, [3] * number) for number, row in enumerate(LABELS)],
}


@pytest.mark.parametrize("form", JUDGED)
def test_judged_labels_that_change_later_reach_no_use_of_the_truth(form: str) -> None:
    judged = JUDGED[form]()
    truth, twin = rg.Truth(LABELS, judged=judged), rg.Truth(LABELS, judged=JUDGED[form]())
    for row in judged:
        row[:] = 2
    assert pickle.dumps(truth) == pickle.dumps(twin)
    in_given_order = rg.conventions["rankgain"].replace(ideal="given")
    uses: list[Any] = [
        lambda owner: rg.explain(owner, SCORES, "nDCG", query=1),
        lambda owner: rg.evaluate_arrays(owner, SCORES, NAMES).to_dict(),
        lambda owner: rg.evaluate_arrays(owner, SCORES, NAMES, ignore=2).to_dict(),
        lambda owner: rg.evaluate_arrays(
            owner, SCORES, "nDCG", convention=in_given_order
        ).to_dict(),
    ]
    for use in uses:
        assert repr(use(truth)) == repr(use(twin))


def test_offsets_of_sparse_labels_are_not_shared() -> None:
    """What says where to read is copied at once, so that no other thread can move it."""
    data, indices, indptr = np.ones(3), np.arange(3), np.array([0, 2, 3])
    from rankgain.inputs.sparse import read_sparse

    read = read_sparse((data, indices, indptr), "y_true")
    assert not np.may_share_memory(read.indptr, indptr)


# ---- pickles of Truth, Qrels and Run


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


@pytest.mark.parametrize("name", [
    *("rows", "floats", "lengths", "flat", "mixed", "csr", "judged", "one"), *records(),
])  # fmt: skip
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_pickles_give_the_same_answers(name: str, protocol: int) -> None:
    original = {**truths(), **records()}[name]
    read = pickle.loads(pickle.dumps(original, protocol))
    assert type(read) is type(original)
    assert read == original
    if isinstance(original, rg.Truth):
        assert hash(read) == hash(original)
    assert answers(read) == answers(original)
    again = pickle.loads(pickle.dumps(read, protocol))
    assert again == original
