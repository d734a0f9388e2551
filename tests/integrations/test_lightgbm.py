"""Inside LightGBM's training, early stopping, cross-validation and scikit-learn class."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.ltr import Ltr, example, made

lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
from rankgain.integrations.lightgbm import RankerOfIds, lightgbm_metric  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
PARAMETERS = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [5], "verbose": -1}
PARAMETERS |= {"num_threads": 1, "seed": 1, "num_leaves": 7, "min_data_in_leaf": 5}


def dataset(data: Ltr, reference: Any = None, weight: Any = None) -> Any:
    return lightgbm.Dataset(
        data.x, data.y, group=data.sizes, reference=reference, weight=weight, free_raw_data=False
    )


def train(feval: Any, one: Any, other: Any, rounds: int = 8, **more: Any) -> Any:
    seen: dict[str, Any] = {}
    callbacks = [lightgbm.record_evaluation(seen), *more.pop("callbacks", ())]
    booster = lightgbm.train(
        PARAMETERS | more, one, rounds, valid_sets=[other], feval=feval, callbacks=callbacks
    )
    return booster, seen["valid_0"]


@pytest.mark.parametrize("weighted", [False, True])
def test_a_training_run_records_the_host_s_own_numbers(weighted: bool) -> None:
    one, other = made(1), made(2)
    weights = None
    if weighted:
        weights = np.random.default_rng(0).integers(4, 13, len(other.y)) / 8
    data = dataset(one)
    metric = lightgbm_metric("nDCG@5", convention="lightgbm")
    assert metric.names == ["rankgain nDCG@5"]
    _, seen = train(metric, data, dataset(other, data, weights))
    np.testing.assert_allclose(
        seen["rankgain nDCG@5"], seen["ndcg@5"], rtol=1e-6 * weighted + 1e-14
    )


def test_weights_can_be_left_out_and_options_reach_the_measures() -> None:
    one, other = made(1), made(2)
    data = dataset(one)
    measures = ["nDCG@5", "RR", "AP(rel=3)"]
    metric = lightgbm_metric(measures, weight=None, rel=2)
    booster, seen = train(metric, data, dataset(other, data, np.linspace(1, 2, len(other.y))))
    scores = booster.predict(other.x, num_iteration=8)
    result = rg.evaluate_arrays(other.y, scores, measures, group=other.sizes, rel=2)
    assert [seen[name][-1] for name in metric.names] == list(result.means.values())


def test_best_iteration_of_the_ranking_example() -> None:
    one, other = example("train"), example("test")
    best = {}
    for metric in (None, lightgbm_metric("nDCG@10", convention="lightgbm")):
        data = dataset(one)
        rules = {"eval_at": [10], "num_leaves": 31, "min_data_in_leaf": 20}
        stop = lightgbm.early_stopping(5, verbose=False)
        if metric is not None:
            rules["metric"] = "None"
        booster, seen = train(metric, data, dataset(other, data), 60, callbacks=[stop], **rules)
        (values,) = seen.values()
        best[metric is None] = booster.best_iteration, max(values)
    assert best[True][0] == best[False][0]
    assert best[True][1] == pytest.approx(best[False][1], rel=1e-14)


def test_the_number_of_the_ranking_example() -> None:
    one, other = example("train"), example("test")
    data = dataset(one)
    metric = lightgbm_metric("nDCG@10", convention="lightgbm")
    _, seen = train(metric, data, dataset(other, data), 3, eval_at=[10])
    np.testing.assert_allclose(seen["rankgain nDCG@10"], seen["ndcg@10"], rtol=1e-15)


def test_a_measure_where_less_is_better_goes_the_other_way() -> None:
    data = made(1)
    result = lightgbm_metric(["nDCG@5", "NumNonrelJudgedRet"])(
        data.y, data.x[:, 0], None, data.sizes
    )
    assert [larger for _, _, larger in result] == [True, False]


def test_cross_validation_of_another_objective_needs_folds_of_groups() -> None:
    model_selection = pytest.importorskip("sklearn.model_selection")
    data = made(4)
    rules = {"objective": "l2", "metric": "None", "verbose": -1, "num_threads": 1}
    metric = lightgbm_metric("nDCG@5")
    with pytest.raises(ValueError, match=r"cuts lists in two.*GroupKFold"):
        lightgbm.cv(rules, dataset(data), 3, stratified=False, feval=metric)
    folds = model_selection.GroupKFold(3)
    result = lightgbm.cv(rules, dataset(data), 3, folds=folds, feval=metric)
    assert result["valid rankgain nDCG@5-mean"][-1] > 0.5


@pytest.mark.parametrize("form", ["array", "list", "texts", "series"])
def test_the_ranker_of_ids_trains_on_the_groups(form: str) -> None:
    pytest.importorskip("sklearn")
    one, other = made(1), made(2)
    rules = {"n_estimators": 5, "verbose": -1, "n_jobs": 1}
    expected = lightgbm.LGBMRanker(**rules).fit(one.x, one.y, group=one.sizes).predict(other.x)
    forms = {"array": np.asarray, "list": list, "texts": lambda ids: [f"q{one}" for one in ids]}
    if form == "series":
        forms[form] = pytest.importorskip("pandas").Series
    ids = [forms[form](data.qid) for data in (one, other)]
    ranker = RankerOfIds(**rules).fit(
        one.x,
        one.y,
        qid=ids[0],
        eval_set=[(other.x, other.y)],
        eval_qid=[ids[1]],
        eval_metric=lightgbm_metric("nDCG@5", name="mine"),
    )
    np.testing.assert_array_equal(ranker.predict(other.x), expected)
    seen = ranker.evals_result_["valid_0"]["rankgain mine"][-1]
    assert seen == rg.ndcg(other.y, expected, k=5, group=other.sizes).mean()


def test_the_ranker_of_ids_refuses_lists_that_come_back() -> None:
    pytest.importorskip("sklearn")
    one = made(1)
    with pytest.raises(ValueError, match=rf"qid: the id 0 appears again in row {len(one.y) - 1}"):
        RankerOfIds().fit(one.x, one.y, qid=[*one.qid[:-1], 0])
    with pytest.raises(ValueError, match=r"eval_qid\[1\]: the id 'a' appears again in row 2"):
        RankerOfIds().fit(one.x, one.y, qid=one.qid, eval_qid=[one.qid, ["a", "b", "a"]])
    with pytest.raises(ValueError, match=r"qid must be an id for each row, not of shape \(\)"):
        RankerOfIds().fit(one.x, one.y, qid=3)


@pytest.mark.parametrize(("ids", "words"), [
    ([1.0, float("nan")], r"\[1\] is nan; give each row the id of its list"),
    (np.array([1.0, np.nan]), r"\[1\] is nan; give each row the id of its list"),
    (["a", None], r"\[1\] is None; give each row the id of its list"),
    ([float("nan"), None], r"\[0\] is nan; give each row the id of its list"),
    (np.array([None, np.nan], object), r"\[0\] is None; give each row the id of its list"),
    (np.array(["NaT", "NaT"], "M8[D]"), r"\[0\] is NaT; give each row the id of its list"),
    ([2.0**53 - 1, 2.0**53], r"\[1\] is the float .*; give ids as integers or text"),
    (np.array([0.0, 2.0**24], np.float32), r"\[1\] is the float .*; give ids as integers"),
    (np.array([2.0**53, 2.0**54]), r"\[0\] is the float .*; give ids as integers or text"),
    (np.array([-1e300, 5.0]), r"\[0\] is the float .*; give ids as integers or text"),
    (np.array([3, 2.0**60], object), r"\[1\] is the float .*; give ids as integers or text"),
])  # fmt: skip
def test_the_ranker_of_ids_refuses_rows_without_an_id(ids: Any, words: str) -> None:
    pytest.importorskip("sklearn")
    X = [[0.0], [1.0]]
    with pytest.raises(ValueError, match=f"^qid{words}"):
        RankerOfIds().fit(X, [0, 1], qid=ids)
    good = {"qid": [0, 0], "eval_set": [(X, [0, 1])]}
    with pytest.raises(ValueError, match=rf"^eval_qid\[0\]{words}"):
        RankerOfIds().fit(X, [0, 1], **good, eval_qid=[ids])


def test_no_groups() -> None:
    data = made(5)
    rules = {"objective": "l2", "verbose": -1}
    bare = lightgbm.Dataset(data.x, data.y)
    with pytest.raises(ValueError, match=r"no groups.*Dataset\(group=sizes\)"):
        lightgbm.train(rules, bare, 1, valid_sets=[bare], feval=lightgbm_metric("RR"))


def test_a_second_measure_as_an_option_is_refused() -> None:
    with pytest.raises(TypeError, match="metric is not an option here: the measure is the first"):
        lightgbm_metric("nDCG@10", metric="x")  # type: ignore[call-arg]
