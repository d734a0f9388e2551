"""Real runs, learning-to-rank sets and recommendations against values computed elsewhere.

The data is no part of the project: RANKGAIN_DATA names its folder, and tests skip without it.
"""

import csv
import gzip
from collections import defaultdict

import numpy as np
import pytest

import rankgain as rg
from places import DATA
from sampling import sampled

RUNS = ("InexpC2", "SABIR03BASE", "UIUC03Rd1", "aplrob03a", "humR03dc")
TREC_NAMES = {
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "nDCG@1000": "ndcg_cut_1000",
    "AP": "map",
    "AP@100": "map_cut_100",
    "RR": "recip_rank",
    "RPrec": "Rprec",
    "P@10": "P_10",
    "R@100": "recall_100",
    "HitRate@5": "success_5",
}

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="no folder of real data")


def plain_rows(path):
    """The rows of a TREC file as lists of fields."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.split() for line in file]


@pytest.fixture(scope="module")
def judged():
    """The qrels as a dict of dicts."""
    qrels = defaultdict(dict)
    for query, _, document, label in plain_rows(DATA / "robust03" / "robust03_qrels.txt.gz"):
        qrels[query][document] = int(label)
    return dict(qrels)


@pytest.fixture(scope="module", params=RUNS)
def run(request):
    """A run's path, and the same as a dict of dicts."""
    path = DATA / "robust03" / f"input.{request.param}.gz"
    rows = defaultdict(dict)
    for query, _, document, _, score, _ in plain_rows(path):
        rows[query][document] = float(score)
    return request.param, path, dict(rows)


def peer_values(judged, run):
    """What pytrec_eval finds, {query: {our name: value}}."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    families = {"ndcg", "ndcg_cut", "map", "map_cut", "recip_rank", "Rprec", "P", "recall"}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, families | {"success"})
    result = evaluator.evaluate(run)
    return {
        query: {ours: values[theirs] for ours, theirs in TREC_NAMES.items()}
        for query, values in result.items()
    }


def differences(evaluation, expected):
    """The largest difference of each measure over the queries."""
    assert set(evaluation.queries) == set(expected)
    return {
        name: max(
            abs(float(value) - expected[query][name])
            for query, value in zip(evaluation.queries, values, strict=True)
        )
        for name, values in evaluation.per_query.items()
    }


def cast(run):
    """The run with scores of single precision, as pytrec_eval holds them."""
    return {q: {d: float(np.float32(s)) for d, s in scores.items()} for q, scores in run.items()}


def test_real_runs_have_the_values_of_pytrec_eval(judged, run):
    name, path, rows = run
    expected = peer_values(judged, rows)
    narrow = rg.evaluate(judged, cast(rows), list(TREC_NAMES))
    assert max(differences(narrow, expected).values()) <= 1e-15
    for source in (path, rows):
        named = rg.evaluate(judged, source, list(TREC_NAMES), convention="pytrec_eval")
        assert named.per_query["AP"].tobytes() == narrow.per_query["AP"].tobytes()
        assert max(differences(named, expected).values()) <= 1e-15
    # Without the cast double scores break ties that single precision has in one of the runs.
    apart = max(differences(rg.evaluate(judged, path, list(TREC_NAMES)), expected).values())
    assert (apart > 1e-6) == (name == "InexpC2")
    if name != "InexpC2":
        assert apart <= 1e-15


# ---- learning to rank


@pytest.fixture(scope="module", params=["train", "test"])
def letor(request):
    """Labels, group sizes, and one feature as the score: many of its values are tied."""
    folder = DATA / "ltr"
    with gzip.open(folder / f"lightgbm.rank.{request.param}.gz", "rt", encoding="utf-8") as file:
        lines = [line.split() for line in file]
    features = [dict(field.split(":") for field in line[1:]) for line in lines]
    labels = np.array([float(line[0]) for line in lines])
    scores = np.array([float(row.get("100", 0)) for row in features])
    sizes = np.loadtxt(folder / f"lightgbm.rank.{request.param}.query", dtype=np.int64)
    return labels, scores, sizes


@pytest.mark.parametrize(("k", "gain"), sampled([1, 5, 10, None], ["linear", "exp2"], one_in=2))
def test_groups_have_the_values_of_scikit_learn(letor, gain, k):
    metrics = pytest.importorskip("sklearn.metrics")
    labels, scores, sizes = letor
    worth = np.exp2(labels) - 1 if gain == "exp2" else labels
    result = rg.ndcg(labels, scores, group=sizes, k=k, gain=gain)
    lists = (np.split(one, np.cumsum(sizes)[:-1]) for one in (worth, scores))
    expected = [
        metrics.ndcg_score([w], [s], k=k) if len(w) > 1 else float(w[0] > 0)
        for w, s in zip(*lists, strict=True)
    ]
    assert result == pytest.approx(expected, abs=1e-14)
    qid = np.repeat(np.arange(len(sizes)), sizes)
    assert rg.ndcg(labels, scores, qid=qid, k=k, gain=gain).tobytes() == result.tobytes()


# ---- recommendations


def test_recommendations_have_the_values_of_another_implementation():
    folder = DATA / "recsys"
    truth, ranked = defaultdict(dict), defaultdict(dict)
    with (folder / "lenskit.topn-java-truth.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            truth[row["user"]][int(row["item"])] = float(row["rating"])
    with gzip.open(folder / "lenskit.topn-java-recs.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            ranked[row["Algorithm"], row["user"]][int(row["rank"])] = int(row["item"])
    with (folder / "lenskit.topn-java-metrics.csv").open(encoding="utf-8") as file:
        expected = list(csv.DictReader(file))
    users = [(row["Algorithm"], row["user"]) for row in expected]
    recommended = [[items[rank] for rank in sorted(items)] for items in map(ranked.get, users)]
    result = rg.evaluate_ids(
        np.array(recommended),
        [list(truth[user]) for _, user in users],
        ["nDCG", "RR"],
        gains=[list(truth[user].values()) for _, user in users],
        # Its first two ranks are not discounted.
        discount=lambda rank: 1 / np.maximum(np.log2(rank), 1),
    )
    for name, column in (("nDCG", "Java.nDCG"), ("RR", "Java.RecipRank")):
        values = [float(row[column]) for row in expected]
        assert sum(value > 0 for value in values) > 50
        assert result.per_query[name] == pytest.approx(values, abs=1e-15)


def test_popularity_against_sparse_truth():
    sparse = pytest.importorskip("scipy.sparse")
    lines = gzip.decompress((DATA / "recsys" / "interactions.video.txt.gz").read_bytes())
    pairs = np.array(lines.split(), np.int64).reshape(-1, 2)
    users, items = pairs.T
    last = np.append(users[1:] != users[:-1], True)
    popularity = np.bincount(items[~last], minlength=items.max() + 1)
    requested = np.unique(users[last])[:500]
    shape = (users.max() + 1, items.max() + 1)
    ones = np.ones(len(users))
    truth = sparse.csr_matrix((ones[last], (users[last], items[last])), shape=shape)[requested]
    seen = sparse.csr_matrix((ones[~last], (users[~last], items[~last])), shape=shape)[requested]
    scores = np.broadcast_to(popularity, (len(requested), shape[1]))
    result = rg.hit_rate(truth, scores, k=20, exclude=seen, ties="worst")
    ranked = np.full((len(requested), 20), -1)
    for at in range(len(requested)):
        mine = np.where(seen[[at]].toarray()[0] > 0, -1, popularity)
        target = truth[[at]].indices
        # Worst: an item that is not the target goes first among equals.
        order = np.lexsort((np.isin(np.arange(shape[1]), target), -mine))
        ranked[at] = order[:20]
    listed = rg.evaluate_ids(ranked, truth, ["HitRate@20", "nDCG@20"])
    assert result.tobytes() == listed.per_query["HitRate@20"].tobytes()
    assert 0 < listed["HitRate@20"] < 1
    values = rg.ndcg(truth, scores, k=20, exclude=seen, ties="worst")
    assert values.tobytes() == listed.per_query["nDCG@20"].tobytes()
