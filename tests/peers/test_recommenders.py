"""Beside recommenders' ranking metrics on data frames."""

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import draw_qrels

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
theirs = pytest.importorskip(
    "recommenders.evaluation.python_evaluation", reason="recommenders is not installed"
)
pytestmark = pytest.mark.filterwarnings("default")
COLUMNS = ["userID", "itemID", "rating"]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 5, 60])
def test_means(case: int, k: int) -> None:
    qrels, run = draw_qrels(case, distinct=True)
    qrels = {user: dict.fromkeys(items, 1) for user, items in qrels.items()}
    rows = [
        [(u, i, v) for u, items in one.items() for i, v in items.items()] for one in (qrels, run)
    ]
    truth = pandas.DataFrame(rows[0], columns=COLUMNS)
    predicted = pandas.DataFrame(rows[1], columns=[*COLUMNS[:2], "prediction"])
    names = {
        f"nDCG@{k}": theirs.ndcg_at_k,
        f"AP@{k}": theirs.map_at_k,
        f"P@{k}": theirs.precision_at_k,
        f"R@{k}": theirs.recall_at_k,
    }
    result = rg.evaluate(qrels, run, list(names), convention="recommenders")
    for name, metric in names.items():
        close(result.means[name], metric(truth, predicted, k=k))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("kind", "gain"), [("raw", "linear"), ("exp", "exp2")])
def test_graded(case: int, kind: str, gain: str) -> None:
    qrels, run = draw_qrels(case, (1, 2, 3), distinct=True)
    qrels["3"] = dict.fromkeys(qrels["3"], 1)
    rows = [
        [(u, i, v) for u, items in one.items() for i, v in items.items()] for one in (qrels, run)
    ]
    truth = pandas.DataFrame(rows[0], columns=COLUMNS)
    predicted = pandas.DataFrame(rows[1], columns=[*COLUMNS[:2], "prediction"])
    for k in (1, 10):
        result = rg.evaluate(qrels, run, f"nDCG@{k}", convention="recommenders", gain=gain)
        close(result.means[f"nDCG@{k}"], theirs.ndcg_at_k(truth, predicted, k=k, score_type=kind))
