"""Inside XGBoost's training, early stopping and cross-validation."""

import json
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.ltr import Ltr, example, made
from places import ROOT

xgboost = pytest.importorskip("xgboost", reason="XGBoost is not installed")
from rankgain.integrations.xgboost import xgboost_metric  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
PARAMETERS = {"objective": "rank:ndcg", "nthread": 1, "seed": 1, "max_depth": 3}


def matrix(data: Ltr, weights: Any = None) -> Any:
    made = xgboost.DMatrix(data.x, data.y)
    made.set_group(data.sizes)
    if weights is not None:
        made.set_weight(weights)
    return made


def train(metric: Any, train_on: Any, valid: Any, rounds: int = 8, **more: Any) -> Any:
    """The booster, and what was recorded of the validation set."""
    seen: dict[str, Any] = {}
    own = {"eval_metric": more.pop("eval_metric", "ndcg@5")}
    booster = xgboost.train(
        PARAMETERS | own,
        train_on,
        rounds,
        evals=[(train_on, "train"), (valid, "valid")],
        custom_metric=metric,
        evals_result=seen,
        verbose_eval=False,
        **more,
    )
    return booster, seen["valid"]


@pytest.mark.parametrize("weighted", [False, True])
def test_a_training_run_records_the_host_s_own_numbers(weighted: bool) -> None:
    one, other = made(1), made(2)
    weights = np.random.default_rng(0).integers(4, 13, len(other.sizes)) / 4 + 1
    metric = xgboost_metric("nDCG@5", convention="xgboost")
    assert metric.name == "ndcg_rankgain@5"
    _, seen = train(metric, matrix(one), matrix(other, weights if weighted else None))
    np.testing.assert_allclose(seen[metric.name], seen["ndcg@5"], atol=1e-6)


def test_best_iteration_of_the_ranking_example() -> None:
    one, other = matrix(example("train")), matrix(example("test"))
    metric = xgboost_metric("nDCG@10", convention="xgboost")
    ours, _ = train(metric, one, other, 60, early_stopping_rounds=5, eval_metric="ndcg@10")
    own, _ = train(None, one, other, 60, early_stopping_rounds=5, eval_metric="ndcg@10")
    assert ours.best_iteration == own.best_iteration
    assert ours.best_score == pytest.approx(own.best_score, abs=6e-7)


def test_no_groups() -> None:
    data = made(5)
    bare = xgboost.DMatrix(data.x, data.y)
    settings = {"objective": "reg:squarederror"}
    with pytest.raises(ValueError, match=r"no groups.*qid=, or call set_group"):
        xgboost.train(settings, bare, 1, evals=[(bare, "a")], custom_metric=xgboost_metric("RR"))


@pytest.mark.parametrize("name", ["XGBRanker", "XGBRegressor"])
def test_the_classes_for_scikit_learn_are_refused_with_the_way_that_works(name: str) -> None:
    pytest.importorskip("sklearn")
    data = made(6)
    more = {"qid": data.qid, "eval_qid": [data.qid]} if name == "XGBRanker" else {}
    model = getattr(xgboost, name)(n_estimators=1, eval_metric=xgboost_metric("RR"))
    with pytest.raises(TypeError, match=r"weights the values by the sizes.*custom_metric="):
        model.fit(data.x, data.y, eval_set=[(data.x, data.y)], **more)


@pytest.mark.parametrize(
    ("measure", "name", "expected"),
    [("nDCG@5", "by: trec", "pre_rankgain_by=trec"), ("MR", "rank", "rankgain_rank")],
)
def test_a_name_for_the_records(measure: str, name: str, expected: str) -> None:
    metric = xgboost_metric(measure, name=name)
    assert metric.name == expected
    one = matrix(made(1))
    assert train(metric, one, one, 1)[1].keys() == {"ndcg@5", expected}
    with pytest.raises(ValueError, match=r"expected one measure, not RR, AP"):
        xgboost_metric(["RR", "AP"], name="both")


WORKER = """
import json, sys
import numpy as np, xgboost
sys.path[:0] = {paths!r}
from integrations.ltr import made
from integrations.test_xgboost import PARAMETERS, parts
from rankgain.integrations.xgboost import xgboost_metric
rank, workers, settings = int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
with xgboost.collective.CommunicatorContext(**settings, dmlc_task_id=str(rank)):
    part = parts(workers)[xgboost.collective.get_rank()]
    data = xgboost.DMatrix(part.x, part.y)
    data.set_group(part.sizes)
    if len(part.sizes):
        data.set_weight(np.arange(1.0, len(part.sizes) + 1))
    metric, seen = xgboost_metric(["nDCG@5", "GMAP", "HitRate(per=item)@3"]), {{}}
    booster = xgboost.train(
        PARAMETERS, data, 2, evals=[(data, "valid")], custom_metric=metric, evals_result=seen,
        verbose_eval=False,
    )
    print(json.dumps([seen["valid"][name][-1] for name in metric.names]))
    print(json.dumps(booster.predict(data, output_margin=True).tolist()))
"""


def parts(workers: int) -> list[Ltr]:
    """Lists on workers, of which one has ten, and with three one has none."""
    data = made(9)
    ends = [0, 10, len(data.sizes), len(data.sizes)][: workers + 1]
    rows = [0, *np.cumsum(data.sizes)]
    return [
        Ltr(data.x[rows[a] : rows[b]], data.y[rows[a] : rows[b]], data.sizes[a:b])
        for a, b in pairwise(ends)
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="its tracker does not run on Windows")
def test_several_workers_record_the_mean_over_all_lists() -> None:
    from xgboost.tracker import RabitTracker

    workers = 2
    tracker = RabitTracker(host_ip="127.0.0.1", n_workers=workers)
    tracker.start()
    settings = json.dumps(tracker.worker_args())
    code = WORKER.format(paths=[str(ROOT / "tests"), str(ROOT / "tests" / "oracle")])
    command = [sys.executable, "-W", "ignore", "-c", code]
    running = [
        subprocess.Popen(
            [*command, str(rank), str(workers), settings], stdout=subprocess.PIPE, text=True
        )
        for rank in range(workers)
    ]
    result = [
        [json.loads(line) for line in one.communicate(timeout=120)[0].splitlines()[-2:]]
        for one in running
    ]
    assert result[0][0] == result[1][0]
    shares = {len(part.y): part for part in parts(workers)}
    shares = [shares[len(scores)] for _, scores in result]
    want = rg.evaluate_arrays(
        np.concatenate([part.y for part in shares]),
        np.concatenate([scores for _, scores in result]),
        ["nDCG@5", "GMAP", "HitRate(per=item)@3"],
        group=np.concatenate([part.sizes for part in shares]),
        weight=np.concatenate([np.arange(1.0, len(part.sizes) + 1) for part in shares]),
    )
    np.testing.assert_allclose(result[0][0], list(want.means.values()), atol=6e-7)


def test_documents_whose_labels_are_padding_are_left_out() -> None:
    labels = np.array([1, -1, 0, 0, 1, -1.0])
    scores = np.array([0.2, 0.9, 0.1, 0.5, 0.6, 0.7])
    data = xgboost.DMatrix(scores[:, None], label=labels, group=np.array([3, 3]))
    # Without the padding the relevant documents stand at ranks 1 and 1.
    assert xgboost_metric("RR", ignore=-1)(scores, data)[1] == 1.0
