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


def test_no_groups() -> None:
    data = made(5)
    rules = {"objective": "l2", "verbose": -1}
    bare = lightgbm.Dataset(data.x, data.y)
    with pytest.raises(ValueError, match=r"no groups.*Dataset\(group=sizes\)"):
        lightgbm.train(rules, bare, 1, valid_sets=[bare], feval=lightgbm_metric("RR"))
