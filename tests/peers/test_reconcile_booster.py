"""A LightGBM ranker's own ndcg and scikit-learn's of its scores, explained to the last digit."""

import numpy as np
import pytest

import rankgain as rg
from integrations.ltr import example
from peers.groups import close

lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
pytestmark = pytest.mark.filterwarnings("default")


def test_a_booster_s_ndcg_becomes_scikit_learn_s() -> None:
    features, labels, sizes = example("train")
    train = lightgbm.Dataset(features, labels, group=sizes)
    x, y, groups = example("test")
    test = train.create_valid(x, y, group=groups)
    settings = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "verbose": -1}
    settings |= {"num_leaves": 4, "num_threads": 1}
    booster = lightgbm.train(settings, train, 5, [test])
    own = booster.best_score["valid_0"]["ndcg@10"]
    scores = booster.predict(x)
    lists = zip(*(np.split(one, np.cumsum(groups)[:-1]) for one in (y, scores)), strict=True)
    theirs = np.mean([metrics.ndcg_score([a], [b], k=10) for a, b in lists])
    result = rg.reconcile(y, scores, "lightgbm", "sklearn", measure="nDCG@10", group=groups)
    close(result.means, (own, theirs))
    close(sum(step.change for step in result.steps), theirs - own)
    assert {"gain", "ties"} <= {step.fields[0] for step in result.steps if step.lists}
