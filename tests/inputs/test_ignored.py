"""Documents that are left out by their labels: they have no rank, no judgment, and are not read."""

import math
import pickle

import numpy as np
import pytest

import rankgain as rg

sp = pytest.importorskip("scipy.sparse")


@pytest.mark.parametrize("convention", ["tf_ranking", "keras_rs"])
def test_conventions_that_leave_out_labels_below_0(convention):
    labels, scores = [[-1, 1.0, 0]], [[3, 1.0, 0]]
    for _ in range(2):  # the second call finds what the first one stored
        assert rg.evaluate_arrays(labels, scores, "DCG", convention=convention)["DCG"] == 1.0
        assert rg.dcg(np.array(labels), np.array(scores), convention=convention).tolist() == [1.0]
        assert rg.dcg(np.array(labels[0]), np.array(scores[0]), convention=convention) == 1.0
    qrels, run = {"q": {"a": -1, "b": 1}}, {"q": {"a": 3.0, "b": 1.0}}
    assert rg.evaluate(qrels, run, "RR", convention=convention, ties="stable")["RR"] == 1.0
    ids = rg.evaluate_ids([["a", "b"]], [{"a": -1, "b": 1}], "RR", convention=convention)
    assert ids["RR"] == 1.0
    shown = rg.explain(labels[0], scores[0], convention=convention)
    assert (shown.dcg, shown.ranking.document.tolist()) == (1.0, [1, 2])
    assert rg.explain(labels[0], scores[0], measure="RR", convention=convention).value == 1.0
    other = rg.conventions[convention].replace(ignore_below=None)
    difference = rg.reconcile(labels, scores, convention, other, measure="DCG")
    assert difference.steps[0].fields == ("ignore_below",)
    assert difference.steps[0].mean == pytest.approx(1 / math.log2(3))


def test_a_convention_for_models_that_score_all_items():
    score, relevant = (lambda users: np.array([[0.1, 0.9, 0.5]] * len(users))), [{0: 1, 1: -1}]
    call = {"convention": "keras_rs", "ties": "best"}
    assert rg.evaluate_scores(score, relevant, "RR", **call)["RR"] == 1 / 2
    without = rg.evaluate_scores(score, relevant, "RR", exclude=[[False, False, True]], **call)
    assert without["RR"] == 1.0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_label_is_ignored_in_the_precision_of_the_labels(dtype):
    labels = np.array([[0.1, 1, 0]], dtype)
    scores = [[3.0, 2.0, 1.0]]
    assert rg.evaluate_arrays(labels, scores, "RR", ignore=0.1)["RR"] == 1.0
    assert rg.evaluate_arrays(sp.csr_array(labels), scores, "RR", ignore=0.1)["RR"] == 1.0


@pytest.mark.filterwarnings("ignore")
def test_judged_labels_lose_them_too():
    # The ideal is of the labels 2 and 1: IDCG = 2 + 1 / log2(3).
    judged = [[2, 1, 7]]
    assert rg.idcg([[7, 1]], [[2, 1]], judged=judged, ignore=7).tolist() == [2 + 1 / math.log2(3)]
    padded = np.array([[2, 1, 7, 0], [7, 7, 3, 0]])
    expected = rg.ndcg([[1], [3]], [[1], [1]], judged=[[2, 1], [3]]).tolist()
    assert rg.ndcg([[7, 1], [3, 7]], None, judged=padded, ignore=7).tolist() == expected
    truth = rg.Truth([[7, 1], [3, 7]], judged=padded, ignore=7)
    assert rg.ndcg(truth, None).tolist() == expected
    assert rg.ndcg(pickle.loads(pickle.dumps(truth)), None).tolist() == expected


def test_sparse_labels():
    labels = sp.csr_matrix([[0, 7, 1], [7, 0, 2]])
    scores = [[1, 3, 2], [1, 3, 2]]
    assert rg.reciprocal_rank(labels, scores, ignore=7).tolist() == [1.0, 0.5]
    assert rg.reciprocal_rank(rg.Truth(labels, ignore=7), scores).tolist() == [1.0, 0.5]
    out = sp.csr_matrix([[0, 0, 0], [0, 1, 0]])
    assert rg.reciprocal_rank(labels, scores, ignore=7, exclude=out).tolist() == [1.0, 1.0]


def test_no_label_changes_nothing():
    for ignore in (None, [], (), set(), np.zeros(0), -5, np.array([-5.0]), np.float32(-5)):
        assert rg.ndcg([1, 0, 2], [1, 2, 0], ignore=ignore) == rg.ndcg([1, 0, 2], [1, 2, 0])


def test_other_functions_that_take_arrays():
    labels, scores = [-1, 1, 0, 1], [9.0, 3, 2, 1]
    qid = [1, 1, 1, 1]
    # AUC of 1 above 0 above 1 is 1/2.
    assert rg.gauc(labels, scores, qid=qid, ignore=-1) == 0.5
    shown = rg.explain(labels, scores, measure="AP", ignore=-1)
    assert (shown.document.tolist(), shown.value) == ([1, 2, 3], pytest.approx((1 + 2 / 3) / 2))
    shown = rg.explain(labels, scores, ignore=-1)
    assert shown.ideal.document.tolist() == [1, 3, 2]
    of_query = rg.explain([5, *labels], [1, *scores], qid=[0, *qid], query=1, ignore=-1)
    assert of_query.ranking.document.tolist() == [2, 3, 4]
    result = rg.reconcile(labels, scores, "sklearn", "trec", measure="nDCG", ignore=-1)
    assert [step.change for step in result.steps if step.change] == []


def test_a_truth_that_leaves_documents_out():
    truth = rg.Truth([[1, -1], [0, 1]], ignore=-1)
    assert repr(truth) == "<Truth: 2 lists, 3 documents>"
    assert truth == rg.Truth([[1, -1], [0, 1]], ignore=[-1])
    assert truth != rg.Truth([[1, 0], [0, 1]])
    restored = pickle.loads(pickle.dumps(truth))
    assert restored == truth
    assert hash(restored) == hash(truth)
    assert rg.reciprocal_rank(restored, [[1, 2], [2, 1]]).tolist() == [1.0, 0.5]


TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", ">i4", ">f8"]


@pytest.mark.parametrize("label_type", TYPES)
@pytest.mark.parametrize("score_type", ["f8", "f4", "f2", "i8", "i1"])
def test_types_are_as_without_the_documents(label_type, score_type):
    draw = np.random.default_rng(3)
    labels = draw.integers(-2, 4, (20, 9)).astype(label_type)
    scores = draw.integers(0, 9, (20, 9)).astype(score_type)
    rest = [row[row >= 0].astype(np.float64) for row in labels]
    rest_scores = [score[row >= 0] for row, score in zip(labels, scores, strict=True)]
    measures = ["nDCG@3", "AP", "RR", "P@4", "ERR", "AUC", "GAUC(weight=documents)"]
    expected = rg.evaluate_arrays(
        np.concatenate(rest), np.concatenate(rest_scores), measures, group=[*map(len, rest)]
    )
    result = rg.evaluate_arrays(labels, scores, measures, ignore=(-1, -2))
    for name in measures:
        np.testing.assert_array_equal(result.per_query[name], expected.per_query[name])
    by_truth = rg.evaluate_arrays(rg.Truth(labels, ignore=[-1]), scores, measures, ignore=[-2])
    assert by_truth.means == expected.means
    models = rg.evaluate_models(labels, {"a": scores}, measures, ignore={-1, -2})
    assert models["a"].means == expected.means
