"""A LightGBM ranker's own ndcg and scikit-learn's of its scores, explained to the last digit."""

import gzip
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.groups import close
from places import DATA

lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
pytestmark = pytest.mark.filterwarnings("default")
LTR = DATA / "ltr"


def read(name: str) -> tuple[Any, Any, list[int]]:
    """Return features, labels and group sizes of one LIBSVM file."""
    with gzip.open(LTR / f"lightgbm.rank.{name}.gz", "rt") as file:
        rows = [line.split() for line in file]
    sizes = [int(line) for line in (LTR / f"lightgbm.rank.{name}.query").read_text().split()]
    features = np.zeros((len(rows), 301))
    for row, (_, *pairs) in enumerate(rows):
        for pair in pairs:
            column, value = pair.split(":")
            features[row, int(column)] = float(value)
    return features, np.array([float(row[0]) for row in rows]), sizes


@pytest.mark.skipif(not LTR.exists(), reason="the data of RANKGAIN_LTR are not here")
def test_a_booster_s_ndcg_becomes_scikit_learn_s() -> None:
    features, labels, sizes = read("train")
    train = lightgbm.Dataset(features, labels, group=sizes)
    x, y, groups = read("test")
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
