"""Beside recommenders' ranking metrics on data frames."""

import math

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import draw_qrels

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
theirs = pytest.importorskip(
    "recommenders.evaluation.python_evaluation", reason="recommenders is not installed"
)
pytestmark = pytest.mark.filterwarnings("default")
COLUMNS = ["userID", "itemID"]
FILLS = pytest.mark.skipif(
    int(pandas.__version__.split(".")[0]) > 2, reason="recommenders fills nothing with pandas 3"
)


def frame(values: dict[str, dict[str, float]], name: str) -> pandas.DataFrame:
    """A row for each item of a user."""
    rows = [(user, item, value) for user, row in values.items() for item, value in row.items()]
    return pandas.DataFrame(rows, columns=[*COLUMNS, name])


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 5, 60])
def test_means(case: int, k: int) -> None:
    qrels, run = draw_qrels(case, distinct=True)
    qrels = {user: dict.fromkeys(items, 1) for user, items in qrels.items()}
    truth, predicted = frame(qrels, "rating"), frame(run, "prediction")
    names = {f"nDCG@{k}": theirs.ndcg_at_k, f"AP@{k}": theirs.map_at_k}
    names |= {f"P@{k}": theirs.precision_at_k, f"R@{k}": theirs.recall_at_k}
    result = rg.evaluate(qrels, run, list(names), convention="recommenders")
    for name, metric in names.items():
        close(result.means[name], metric(truth, predicted, k=k))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("kind", "gain"), [("raw", "linear"), ("exp", "exp2")])
def test_graded(case: int, kind: str, gain: str) -> None:
    qrels, run = draw_qrels(case, (1, 2, 3), distinct=True)
    qrels["3"] = dict.fromkeys(qrels["3"], 1)
    truth, predicted = frame(qrels, "rating"), frame(run, "prediction")
    for k in (1, 10):
        result = rg.evaluate(qrels, run, f"nDCG@{k}", convention="recommenders", gain=gain)
        close(result.means[f"nDCG@{k}"], theirs.ndcg_at_k(truth, predicted, k=k, score_type=kind))


@FILLS
@pytest.mark.parametrize("case", range(4))
def test_catalogue(case: int) -> None:
    """Its diversity by co-occurrence is of cosines of the items' columns of users."""
    rng = np.random.default_rng(case)
    users, items, k = 12, 24, 5
    matrix = (rng.random((users, items)) < 0.4).astype(int)
    matrix[np.arange(items) % users, np.arange(items)] = 1  # every item is known
    lists = np.array([rng.permutation(np.flatnonzero(row == 0))[:k] for row in matrix])
    train = pandas.DataFrame(np.argwhere(matrix), columns=COLUMNS)
    pairs = [(user, item) for user, row in enumerate(lists.tolist()) for item in row]
    shown = pandas.DataFrame(pairs, columns=COLUMNS)
    vectors = rng.normal(size=(items, 4))
    features = pandas.DataFrame({"itemID": range(items), "features": list(vectors)})
    names = ["Coverage", "Entropy", "Novelty", "ILD"]
    for known, by in (
        (matrix.T, {"item_sim_measure": "item_cooccurrence_count"}),
        (vectors, {"item_sim_measure": "item_feature_vector", "item_feature_df": features}),
    ):
        result = rg.evaluate_catalogue(
            lists, names, k=k, popularity=matrix.sum(axis=0), features=known
        )
        close(result["Coverage"], theirs.catalog_coverage(train, shown))
        close(result["Entropy"], theirs.distributional_coverage(train, shown) * math.log(2))
        close(result["Novelty"], theirs.novelty(train, shown))
        apart = theirs.user_diversity(train, shown, **by)["user_diversity"]
        close(result.per_query["ILD"], apart.to_numpy())
        close(result["ILD"], theirs.diversity(train, shown, **by))


@FILLS
@pytest.mark.parametrize("case", range(4))
def test_serendipity_of_items_that_are_alike_or_not(case: int) -> None:
    """Its similarity to what a user has had is 0 or 1 for one item of one category each."""
    rng = np.random.default_rng(case)
    users, items, k = 10, 12, 5
    category = np.arange(items) % 4
    had = rng.integers(0, items, users)
    lists = np.array([rng.permutation(np.delete(np.arange(items), one))[:k] for one in had])
    labels = rng.integers(0, 2, (users, items))
    baseline = [np.flatnonzero(category == category[one]).tolist() for one in had]
    relevant = [np.flatnonzero(row).tolist() for row in labels]
    rows = [(u, i, labels[u, i]) for u, row in enumerate(lists.tolist()) for i in row]
    shown = pandas.DataFrame(rows, columns=[*COLUMNS, "relevance"])
    train = pandas.DataFrame({"userID": range(users), "itemID": had})
    vectors = list(np.eye(4)[category])
    by = {
        "item_feature_df": pandas.DataFrame({"itemID": range(items), "features": vectors}),
        "item_sim_measure": "item_feature_vector",
        "col_relevance": "relevance",
    }
    result = rg.evaluate_catalogue(lists, "Serendipity", k=k, baseline=baseline, relevant=relevant)
    each = theirs.user_serendipity(train, shown, **by)["user_serendipity"]
    close(result.per_query["Serendipity"], each.to_numpy())
    close(result["Serendipity"], theirs.serendipity(train, shown, **by))
