"""What two doors make of the same lists, where labels are negative, left out or very large."""

import itertools
import random
from typing import Any

import numpy as np
import pytest

import rankgain as rg

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

SCORES = np.array([[4.0, 3, 2, 1, 0], [1, 2, 3, 4, 5]], np.float32)
LABELS = np.array([[-1, 2.0, 0, 0, 0], [0, 0, 3, 1, 0]])
RELEVANT = [{0: -1.0, 1: 2.0}, {2: 3.0, 3: 1.0}]
KEEPING = ("rankgain", "catboost", "torchmetrics")


def counted(measure: str, convention: str) -> Any:
    rows, columns = np.nonzero(LABELS)
    partial = rg.PartialRanks(rows, SCORES[rows, columns], LABELS[rows, columns])
    for part in (slice(0, 4), slice(4, 10)):
        partial.add(np.repeat([0, 1], 5)[part], SCORES.reshape(-1)[part])
    return partial.finish(measure, convention=convention)


@pytest.mark.parametrize("convention", KEEPING)
@pytest.mark.parametrize("measure", ["IDCG", "IDCG@3", "IDCG@4"])
def test_documents_of_label_0_stand_above_negative_ones_in_a_counted_ideal(
    measure: str, convention: str
) -> None:
    expected = rg.evaluate_arrays(LABELS, SCORES, measure, convention=convention).per_query[measure]
    result = counted(measure, convention).per_query[measure]
    assert result.tolist() == expected.tolist()
    made = rg.evaluate_scores(lambda users: SCORES[users], RELEVANT, measure, convention=convention)
    assert made.per_query[measure].tolist() == expected.tolist()


def test_a_truth_with_lengths_names_no_item_beyond_them() -> None:
    names = ["RR", "R@2", "nDCG@2"]
    beyond = rg.Truth([[1, 0, 9]], lengths=[2])
    result = rg.evaluate_ids([[2, 0]], beyond, names)
    assert result.means == rg.evaluate_ids([[2, 0]], rg.Truth([[1, 0, 0]]), names).means
    assert result["RR"] == 0.5


COUNTS = ["Judged@1", "Unjudged@1", "Judged(divisor=k)@3", "RBPResidual@2", "NumNonrelJudgedRet@1"]


@pytest.mark.parametrize("measure", [*COUNTS, "nDCG@2", "AP"])
@pytest.mark.parametrize("convention", ["rankgain", "catboost", "trec"])
def test_tie_bounds_are_reached_where_judged_labels_are_negative(
    measure: str, convention: str
) -> None:
    rng = random.Random(f"{measure} {convention}")
    some = [0, 1, 2] if measure == "nDCG@2" else [-1, -1, 0, 1, 2]
    for _ in range(25):
        docs = [f"d{i}" for i in range(rng.randint(2, 4))]
        judged = {one: rng.choice(some) for one in docs if rng.random() < 0.7}
        judged["z"] = 1
        scores = {one: float(rng.randrange(2)) for one in docs}
        given: Any = {"convention": convention}
        result = rg.evaluate({"q": judged}, {"q": scores}, measure, bounds="ties", **given)
        (key,) = result.means
        values = []
        for order in itertools.permutations(docs):
            if any(scores[a] < scores[b] for a, b in itertools.pairwise(order)):
                continue
            run = {one: -float(at) for at, one in enumerate(order)}
            one = rg.evaluate({"q": judged}, {"q": run}, measure, **given)
            values.append(one.per_query[key][0])
        ends = result.bounds["ties"][key][0]
        np.testing.assert_allclose(ends, [min(values), max(values)], rtol=0, atol=1e-12)


@pytest.mark.parametrize("measure", ["IDCG", "nDCG", "nDCG@2", "CG@2", "AP"])
@pytest.mark.parametrize("convention", ["rankgain", "catboost", "sklearn", "ranx", "trec"])
def test_bounds_over_unjudged_documents_are_reached(measure: str, convention: str) -> None:
    rng = random.Random(f"{measure} {convention}")
    for _ in range(25):
        docs = [f"d{i}" for i in range(rng.randint(1, 4))]
        rng.shuffle(docs)
        some = [0, 1, 2] if measure.startswith("nDCG") else [-2, -1, 0, 1, 2]
        judged = {one: rng.choice(some) for one in docs if rng.random() < 0.6}
        judged["elsewhere"] = rng.choice([1, 3])  # the top label, though it is not retrieved
        run = {one: -float(at) for at, one in enumerate(docs)}
        given: Any = {"convention": convention, "rel": 1}
        result = rg.evaluate({"q": judged}, {"q": run}, measure, bounds="unjudged", **given)
        (key,) = result.means
        holes = [one for one in docs if one not in judged]
        values = []
        for tops in itertools.product([False, True], repeat=len(holes)):
            new = {one: max(judged.values()) for one, top in zip(holes, tops, strict=True) if top}
            one = rg.evaluate({"q": judged | new}, {"q": run}, measure, **given)
            values.append(one.per_query[key][0])
        ends = result.bounds["unjudged"][key][0]
        np.testing.assert_allclose(ends, [min(values), max(values)], rtol=0, atol=1e-9)


def test_bounds_of_an_ndcg_that_any_sum_of_0_makes_undefined_are_refused() -> None:
    with pytest.raises(ValueError, match="labels sum to 0"):
        rg.evaluate(
            {"q": {"a": -1, "b": 1}},
            {"q": {"c": 2.0, "a": 1.0, "b": 0.5}},
            "nDCG",
            bounds="unjudged",
            convention="torchmetrics",
        )


def test_ids_that_are_numbers_are_added_in_the_order_of_their_text() -> None:
    rng = np.random.default_rng(7)
    labels, scores = rng.integers(0, 3, 24), rng.random(24)
    qid = np.repeat([5, 8, 11, 100], 6)
    for convention in ("trec", "trec_eval", "pytrec_eval"):
        given: Any = {"convention": convention}
        whole = rg.evaluate_arrays(labels, scores, "nDCG", qid=qid, **given)
        parts = [
            rg.evaluate_arrays(labels[at], scores[at], "nDCG", qid=qid[at], **given)
            for at in (qid < 9, qid > 9)
        ]
        assert rg.Evaluation.merge(parts) == whole
        text = rg.evaluate_arrays(labels, scores, "nDCG", qid=qid.astype(str), **given)
        assert text.means == whole.means


def test_a_label_of_0_for_what_is_dropped_must_not_be_relevant() -> None:
    for labels in ([-1, 1], rg.Truth([-1, 1])):
        with pytest.raises(ValueError, match=r"rel=0: .* torchmetrics documents scored at most"):
            rg.recall(labels, [-1.0, 1.0], convention="torchmetrics", rel=0)


@pytest.mark.parametrize(
    "given", [{"convention": "xgboost"}, {"gain": {1: 1.0}}, {"convention": "lightgbm"}]
)
@pytest.mark.parametrize("label", [40.0, 0.5, np.nan, -1.0])
def test_labels_of_what_is_left_out_are_not_looked_at(label: float, given: Any) -> None:
    out = sp.csr_matrix([[1, 0, 0]])
    scores = np.array([[3, 2, 1]], np.float32)
    assert rg.ndcg([[label, 1, 0]], scores, exclude=out, **given).tolist() == [1.0]


def test_an_id_that_is_left_out_must_not_repeat_either() -> None:
    with pytest.raises(ValueError, match="retrieved: list 1, place 2 has the id 4 a second"):
        rg.evaluate_ids([[1, 2, 3], [5, 4, 4]], [[2], [5]], "RR", exclude=[[1], [4]])
    with pytest.raises(ValueError, match="retrieved: list 0, place 1 has the id 'a' a second"):
        rg.evaluate_ids([["a", "a", "b"]], [["b"]], "RR", exclude=[["a"]])
    result = rg.evaluate_ids([["a", "a", "b"]], [["b"]], "RR", exclude=[["a"]], duplicates="first")
    assert result["RR"] == 1.0


def test_a_mean_may_be_finite_where_the_sum_is_not() -> None:
    huge = 1.7e308
    result = rg.evaluate_arrays([[huge], [huge]], [[1], [1]], "CG")
    assert result["CG"] == huge
    total = rg.Accumulator()
    total.add(result)
    assert total.means == {"CG": huge}
    assert rg.Evaluation.merge([result, result])["CG"] == huge


def test_labels_of_models_are_called_by_their_own_argument() -> None:
    where = r"relevant: list 0, document 0 has the negative label -1"
    with pytest.raises(ValueError, match=where):
        rg.evaluate_scores(lambda users: np.array([[0.1, 0.2, 0.9]])[users], [{0: -1}], "nDCG")


def test_models_have_ideals_in_the_given_order() -> None:
    rng = np.random.default_rng(5)
    scores, relevant = rng.random((4, 9)), [{1: 2, 4: 1, 7: 3}] * 4
    labels = np.zeros((4, 9))
    labels[:, [1, 4, 7]] = 2, 1, 3
    out = np.zeros((4, 9), bool)
    out[:, 0] = out[:, 4] = True
    for exclude, ties in itertools.product((None, out), ("stable", "average")):
        options: Any = {"exclude": exclude, "ties": ties, "convention": "spark"}
        model = rg.evaluate_scores(
            lambda users: scores[users], relevant, "nDCG", batch=3, **options
        )
        arrays = rg.evaluate_arrays(labels, scores, "nDCG", **options)
        assert model.per_query["nDCG"].tobytes() == arrays.per_query["nDCG"].tobytes()
