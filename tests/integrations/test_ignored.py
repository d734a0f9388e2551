"""Options of adapters that name padding: documents with these labels are left out."""

import numpy as np
import pytest

LABELS = np.array([1, -1, 0, 0, 1, -1.0])
SCORES = np.array([0.2, 0.9, 0.1, 0.5, 0.6, 0.7])
SIZES = np.array([3, 3])  # without the padding the relevant documents stand at ranks 1 and 1


def test_lightgbm():
    pytest.importorskip("lightgbm")
    from rankgain.integrations.lightgbm import lightgbm_metric

    metric = lightgbm_metric("RR", ignore=-1)
    assert metric(LABELS, SCORES, None, SIZES) == ("rankgain RR", 1.0, True)


def test_xgboost():
    xgboost = pytest.importorskip("xgboost")
    from rankgain.integrations.xgboost import xgboost_metric

    data = xgboost.DMatrix(SCORES[:, None], label=LABELS, group=SIZES)
    assert xgboost_metric("RR", ignore=-1)(SCORES, data)[1] == 1.0


def test_scikit_learn():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.base import BaseEstimator

    from rankgain.integrations.sklearn import ranking_scorer

    class FirstColumn(BaseEstimator):
        def predict(self, X):
            return X[:, 0]

    with sklearn.config_context(enable_metadata_routing=True):
        scorer = ranking_scorer("RR", ignore=[-1])
        groups = np.repeat([0, 1], SIZES)
        assert scorer(FirstColumn(), SCORES[:, None], LABELS, groups=groups) == 1.0
