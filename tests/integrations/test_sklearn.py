"""Inside scikit-learn's cross-validation and searches, with and without metadata routing."""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.ltr import made

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.base import BaseEstimator, clone  # noqa: E402
from sklearn.experimental import enable_halving_search_cv  # noqa: E402, F401
from sklearn.linear_model import LogisticRegression, Ridge  # noqa: E402
from sklearn.model_selection import (  # noqa: E402
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    cross_val_score,
    cross_validate,
)

from rankgain.integrations.sklearn import ranking_scorer  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
DATA = made(7, 60)
FOLDS = GroupKFold(5)


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def by_hand(estimator: Any, measure: str = "nDCG@10", **options: Any) -> list[float]:
    """The score of each fold, without scikit-learn's help."""
    result = []
    for train, test in FOLDS.split(DATA.x, DATA.y, DATA.qid):
        fitted = clone(estimator).fit(DATA.x[train], DATA.y[train])
        scores = fitted.predict(DATA.x[test])
        lists = {"qid": DATA.qid[test]}
        result.append(
            rg.evaluate_arrays(DATA.y[test], scores, measure, **lists, **options)[measure]
        )
    return result


class Column(BaseEstimator):
    """An estimator on a frame that leaves out the column of ids."""

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, X: Any, y: Any) -> "Column":
        self.model_ = Ridge(self.alpha).fit(X.drop(columns="qid").to_numpy(), y)
        return self

    def predict(self, X: Any) -> Any:
        return self.model_.predict(X.drop(columns="qid").to_numpy())


def frame() -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(DATA.x, columns=list("abcde")).assign(qid=DATA.qid)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("options", [{}, {"gain": "exp2"}, {"convention": "lightgbm"}])
def test_cross_validate_with_routed_groups(options: Any) -> None:
    result = cross_validate(
        Ridge(),
        DATA.x,
        DATA.y,
        cv=FOLDS,
        scoring=ranking_scorer("nDCG@10", **options),
        params={"groups": DATA.qid},
    )
    assert result["test_score"].tolist() == by_hand(Ridge(), **options)


def test_cross_validate_with_a_column() -> None:
    scorer = ranking_scorer("nDCG@10", groups="qid")
    call = {"cv": FOLDS, "scoring": scorer}
    result = cross_validate(Column(), frame(), DATA.y, groups=DATA.qid, **call)
    assert result["test_score"].tolist() == by_hand(Ridge())
    with sklearn.config_context(enable_metadata_routing=True):
        result = cross_validate(Column(), frame(), DATA.y, params={"groups": DATA.qid}, **call)
    assert result["test_score"].tolist() == by_hand(Ridge())


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("search", [GridSearchCV, HalvingGridSearchCV])
def test_searches_with_routed_groups(search: Any) -> None:
    result = search(
        Ridge(), {"alpha": [1.0, 1e6]}, scoring=ranking_scorer("nDCG@10"), cv=FOLDS
    ).fit(DATA.x, DATA.y, groups=DATA.qid)
    assert 0.5 < result.best_score_ <= 1
    if search is GridSearchCV:
        assert result.cv_results_["mean_test_score"].tolist() == [
            np.mean(by_hand(Ridge(alpha))) for alpha in (1.0, 1e6)
        ]


@pytest.mark.parametrize("search", [GridSearchCV, HalvingGridSearchCV])
def test_searches_with_a_column(search: Any) -> None:
    scorer = ranking_scorer("nDCG@10", groups="qid")
    result = search(Column(), {"alpha": [1.0, 1e6]}, scoring=scorer, cv=FOLDS, n_jobs=1)
    result.fit(frame(), DATA.y, groups=DATA.qid)
    assert 0.5 < result.best_score_ <= 1


def test_xgboost_s_ranker_both_ways() -> None:
    xgboost = pytest.importorskip("xgboost", reason="XGBoost is not installed")
    ranker = xgboost.XGBRanker(n_estimators=4, n_jobs=1, objective="rank:ndcg")
    column = ranking_scorer("nDCG@10", groups="qid")
    call = {"cv": FOLDS}
    one = cross_validate(ranker, frame(), DATA.y, groups=DATA.qid, scoring=column, **call)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = ranking_scorer("nDCG@10")
        ranker.set_fit_request(qid=True)
        params = {"groups": DATA.qid, "qid": DATA.qid}
        two = cross_validate(ranker, DATA.x, DATA.y, scoring=routed, params=params, **call)
    assert one["test_score"].tolist() == two["test_score"].tolist()
    assert len(set(one["test_score"])) == 5


def test_lightgbm_s_ranker_with_ids_of_lists() -> None:
    pytest.importorskip("lightgbm", reason="LightGBM is not installed")
    from rankgain.integrations.lightgbm import RankerOfIds

    rules = {"n_estimators": 4, "verbose": -1, "n_jobs": 1}
    with sklearn.config_context(enable_metadata_routing=True):
        result = cross_validate(
            RankerOfIds(**rules).set_fit_request(qid=True),
            DATA.x,
            DATA.y,
            cv=FOLDS,
            scoring=ranking_scorer("nDCG@10"),
            params={"groups": DATA.qid, "qid": DATA.qid},
            error_score="raise",
        )
    expected = []
    for train, test in FOLDS.split(DATA.x, DATA.y, DATA.qid):
        fitted = RankerOfIds(**rules).fit(DATA.x[train], DATA.y[train], qid=DATA.qid[train])
        scores = fitted.predict(DATA.x[test])
        expected.append(np.mean(rg.ndcg(DATA.y[test], scores, k=10, qid=DATA.qid[test])))
    np.testing.assert_allclose(result["test_score"], expected, rtol=1e-14)


@pytest.mark.parametrize("groups", ["groups", "qid"])
def test_several_measures_are_a_mapping(groups: str) -> None:
    measures = ["nDCG@10", "RR", "MR"]
    routed = groups == "groups"
    with sklearn.config_context(enable_metadata_routing=routed):
        scoring = ranking_scorer(measures, groups=groups, rel=2)
        assert [*scoring] == measures
        result = cross_validate(
            Column(),
            frame(),
            DATA.y,
            cv=FOLDS,
            scoring=scoring,
            **({"params": {"groups": DATA.qid}} if routed else {"groups": DATA.qid}),
        )
    for measure, sign in zip(measures, (1, 1, -1), strict=True):
        expected = [sign * one for one in by_hand(Ridge(), measure, rel=2)]
        assert result[f"test_{measure}"].tolist() == expected


def test_halving_cuts_lists_unless_the_resource_is_of_the_model() -> None:
    """By default it draws rows, as the page says: then most lists have lost documents."""
    xgboost = pytest.importorskip("xgboost", reason="XGBoost is not installed")
    seen: list[Any] = []

    def whole(estimator: Any, X: Any, y: Any) -> float:
        sizes = np.bincount(X["qid"], minlength=len(DATA.sizes))
        seen.append((sizes[sizes > 0] == DATA.sizes[sizes > 0]).all())
        return scorer(estimator, X, y)

    scorer = ranking_scorer("nDCG@10", groups="qid")
    of_model = {"resource": "n_estimators", "max_resources": 8, "min_resources": 2}
    ranker = xgboost.XGBRanker(n_jobs=1)
    searches: list[Any] = [(Column(), {"alpha": [1, 2, 3, 4]}, {})]
    searches += [(ranker, {"max_depth": [1, 2, 3, 4]}, of_model)]
    for estimator, grid, resource in searches:
        seen.clear()
        result = HalvingGridSearchCV(estimator, grid, scoring=whole, cv=GroupKFold(3), **resource)
        result.fit(frame(), DATA.y, groups=DATA.qid)
        assert all(seen) == bool(resource)


@pytest.mark.usefixtures("routing")
def test_classifiers_are_scored_by_their_confidence() -> None:
    relevant = (DATA.y > 2).astype(int)
    model = LogisticRegression().fit(DATA.x, relevant)
    result = ranking_scorer("AUC")(model, DATA.x, relevant, groups=DATA.qid)
    expected = rg.auc(relevant, model.decision_function(DATA.x), qid=DATA.qid)
    assert result == np.nanmean(expected)


@pytest.mark.usefixtures("routing")
def test_where_less_is_better_the_score_is_negative() -> None:
    model = Ridge().fit(DATA.x, DATA.y)
    one = ranking_scorer("NumNonrelJudgedRet")(model, DATA.x, DATA.y, groups=DATA.qid)
    assert one < 0


@pytest.mark.usefixtures("routing")
def test_scorers_pickle() -> None:
    model = Ridge().fit(DATA.x, DATA.y)
    scorer = ranking_scorer("nDCG", gain="exp2")
    again = pickle.loads(pickle.dumps(scorer))
    values = [one(model, DATA.x, DATA.y, groups=DATA.qid) for one in (scorer, again)]
    assert values[0] == values[1]
    column = pickle.loads(pickle.dumps(ranking_scorer("RR", groups="qid")))
    assert column(Column().fit(frame(), DATA.y), frame(), DATA.y) > 0


def test_without_groups_the_way_is_named() -> None:
    model = Ridge().fit(DATA.x, DATA.y)
    both = r'enable_metadata_routing=True.*params=\{"groups": groups\}.*groups="qid"'
    for measures in ("RR", ["RR", "AP"]):
        with pytest.raises(RuntimeError, match=both):
            cross_val_score(model, DATA.x, DATA.y, scoring=ranking_scorer(measures))
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = ranking_scorer("RR")
        with pytest.raises(ValueError, match=both):
            scorer(model, DATA.x, DATA.y)
    with pytest.raises(ValueError, match="X has no column 'qid'"):
        ranking_scorer("RR", groups="qid")(model, DATA.x, DATA.y)
    with pytest.raises(ValueError, match="X has no column 'user'"):
        ranking_scorer("RR", groups="user")(model, frame(), DATA.y)


def test_mistakes_are_errors_at_once() -> None:
    with pytest.raises(ValueError, match="did you mean nDCG"):
        ranking_scorer("nDGC@10", groups="qid")
    with pytest.raises(ValueError, match="expected one measure"):
        ranking_scorer("nDCG@5,10", groups="qid")


@pytest.mark.parametrize("measures", ["AP", ["AP", "RR"]])
def test_scorers_show_their_measure(measures: Any, routing: None) -> None:
    """scikit-learn before 1.8 names the function of a scorer in its repr, and in a search's."""
    scorers = ranking_scorer(measures)
    for name, scorer in scorers.items() if isinstance(scorers, dict) else [("AP", scorers)]:
        assert name in repr(scorer)
    search = GridSearchCV(Ridge(), {"alpha": [1.0]}, scoring=scorers, refit="AP")
    assert "GridSearchCV" in repr(search)
