"""Inside scikit-learn's cross-validation and searches, with and without metadata routing."""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.ltr import made

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.base import BaseEstimator  # noqa: E402
from sklearn.experimental import enable_halving_search_cv  # noqa: E402, F401
from sklearn.linear_model import LogisticRegression, Ridge  # noqa: E402
from sklearn.model_selection import (  # noqa: E402
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    cross_val_score,
)

from rankgain.integrations.sklearn import ranking_scorer  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
DATA = made(7, 60)
FOLDS = GroupKFold(5)


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


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


@pytest.mark.parametrize("search", [GridSearchCV, HalvingGridSearchCV])
def test_searches_with_a_column(search: Any) -> None:
    scorer = ranking_scorer("nDCG@10", groups="qid")
    result = search(Column(), {"alpha": [1.0, 1e6]}, scoring=scorer, cv=FOLDS, n_jobs=1)
    result.fit(frame(), DATA.y, groups=DATA.qid)
    assert 0.5 < result.best_score_ <= 1


@pytest.mark.usefixtures("routing")
def test_classifiers_are_scored_by_their_confidence() -> None:
    relevant = (DATA.y > 2).astype(int)
    model = LogisticRegression().fit(DATA.x, relevant)
    result = ranking_scorer("AUC")(model, DATA.x, relevant, groups=DATA.qid)
    expected = rg.auc(relevant, model.decision_function(DATA.x), qid=DATA.qid)
    assert result == np.nanmean(expected)


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


@pytest.mark.parametrize("measures", ["AP", ["AP", "RR"]])
def test_scorers_show_their_measure(measures: Any, routing: None) -> None:
    """scikit-learn before 1.8 names the function of a scorer in its repr, and in a search's."""
    scorers = ranking_scorer(measures)
    for name, scorer in scorers.items() if isinstance(scorers, dict) else [("AP", scorers)]:
        assert name in repr(scorer)
    search = GridSearchCV(Ridge(), {"alpha": [1.0]}, scoring=scorers, refit="AP")
    assert "GridSearchCV" in repr(search)


@pytest.mark.parametrize(("measure", "sign"), [("MR", -1), ("RR", 1)])
def test_a_greater_score_is_the_better_one(measure: str, sign: int) -> None:
    table = frame()
    model = Column().fit(table, DATA.y)
    expected = rg.evaluate_arrays(DATA.y, model.predict(table), measure, qid=table["qid"])
    score = ranking_scorer(measure, groups="qid")(model, table, DATA.y)
    assert score == sign * expected[measure]
