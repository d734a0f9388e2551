"""Beside RecTools, whose ideal holds k documents for everybody."""

import math

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import draw_qrels

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
metrics = pytest.importorskip("rectools.metrics", reason="RecTools is not installed")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 5, 60])
def test_every_user(case: int, k: int) -> None:
    qrels, run = draw_qrels(case, distinct=True)
    qrels = {user: dict.fromkeys(docs, 1) for user, docs in qrels.items()}
    ranked = [
        (user, item, rank)
        for user, docs in run.items()
        for rank, item in enumerate(sorted(docs, key=lambda item: -docs[item]), 1)
    ]
    reco = pandas.DataFrame(ranked, columns=["user_id", "item_id", "rank"])
    pairs = [(user, item) for user, docs in qrels.items() for item in docs]
    truth = pandas.DataFrame(pairs, columns=["user_id", "item_id"])
    for convention, achievable in (("rectools", False), ("rectools-achievable", True)):
        theirs = {
            f"nDCG@{k}": metrics.NDCG(k, divide_by_achievable=achievable),
            f"AP@{k}": metrics.MAP(k),
            f"RR@{k}": metrics.MRR(k),
            f"HitRate@{k}": metrics.HitRate(k),
            f"P@{k}": metrics.Precision(k),
            f"R@{k}": metrics.Recall(k),
            f"F1@{k}": metrics.F1Beta(k),
        }
        result = rg.evaluate(qrels, run, list(theirs), convention=convention)
        for measure, metric in theirs.items():
            expected = metric.calc_per_user(reco, truth)
            assert set(result.queries) == set(expected.index)
            close(result.per_query[measure], [expected[user] for user in result.queries])
            close(result.means[measure], metric.calc(reco, truth))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 5, 60])
def test_catalogue(case: int, k: int) -> None:
    """RecTools' novelty counts users, ours interactions: the shares differ by a constant."""
    _, run = draw_qrels(case, distinct=True)
    lists = {user: sorted(docs, key=lambda item: -docs[item]) for user, docs in run.items()}
    ranked = [(u, i, rank) for u, items in lists.items() for rank, i in enumerate(items, 1)]
    reco = pandas.DataFrame(ranked, columns=["user_id", "item_id", "rank"])
    items = sorted(set(reco["item_id"]))
    pairs = [(user, item) for user in range(9) for at, item in enumerate(items) if at % 9 <= user]
    before = pandas.DataFrame(pairs, columns=["user_id", "item_id"])
    categories = {item: at % 3 for at, item in enumerate(items)}
    table = pandas.DataFrame({"category": categories})
    distance = metrics.distances.PairwiseHammingDistanceCalculator(table)
    names = ["Coverage", "Popularity", "Novelty", "ILD"]
    result = rg.evaluate_catalogue(
        lists,
        names,
        k=k,
        catalogue=[*items, "another"],
        popularity=before["item_id"].value_counts(),
        categories=categories,
    )
    share = metrics.CatalogCoverage(k, normalize=True).calc(reco, [*items, "another"])
    close(result["Coverage"], share)
    users = list(result.queries)
    popular = metrics.AvgRecPopularity(k).calc_per_user(reco, before)
    close(result.per_query["Popularity"], popular[users])
    novel = metrics.MeanInvUserFreq(k).calc_per_user(reco, before)[users]
    close(result.per_query["Novelty"], novel + math.log2(len(pairs) / 9))
    apart = metrics.IntraListDiversity(k, distance).calc_per_user(reco)[users]
    some = [min(k, len(lists[user])) > 1 for user in users]
    close(result.per_query["ILD"][some], apart[some])
