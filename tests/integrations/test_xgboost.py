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


def test_several_measures_and_options() -> None:
    one, other = made(1), made(2)
    measures = ["nDCG@5", "AP", "P@3", "AUC", "RR@10", "nDCG(gain={0: 0, 1: 1, 2: 3, 3: 7, 4: 9})"]
    metric = xgboost_metric(measures, rel=2)
    booster, seen = train(metric, matrix(one), matrix(other))
    assert seen.keys() == {"ndcg@5", *metric.names}
    scores = booster.predict(matrix(other))
    result = rg.evaluate_arrays(other.y, scores, measures, group=other.sizes, rel=2)
    last = [seen[name][-1] for name in metric.names]
    np.testing.assert_allclose(last, list(result.means.values()), atol=6e-7)


def test_weights_can_be_left_out() -> None:
    one, other = made(1), made(2)
    weights = np.linspace(1, 2, len(other.sizes))
    metric = xgboost_metric("nDCG@5", weight=None)
    booster, seen = train(metric, matrix(one), matrix(other, weights))
    scores = booster.predict(matrix(other))
    expected = rg.ndcg(other.y, scores, k=5, group=other.sizes).mean()
    assert seen[metric.name][-1] == pytest.approx(expected, abs=6e-7)


@pytest.mark.parametrize(
    "measure", ["nDCG@5", "AP@5", "P@5", "AUC", "RR@5", "HitRate(per=item)@5", "infAP", "ERR@5"]
)
def test_early_stopping_maximises(measure: str) -> None:
    """The measure falls from the first round on, as what is learned is the opposite."""
    options = {"ties": "stable"} if measure == "infAP" else {}
    metric = xgboost_metric(measure, **options)
    one = made(3)
    upside_down = one._replace(y=4 - one.y)
    booster, seen = train(metric, matrix(one), matrix(upside_down), 30, early_stopping_rounds=4)
    values = seen[metric.name]
    assert booster.best_iteration == int(np.argmax(values))
    assert len(values) < 30
    assert booster.best_score == max(values)


@pytest.mark.parametrize("measure", ["Unjudged@5", "NumNonrelJudgedRet"])
def test_a_measure_where_less_is_better_goes_the_other_way(measure: str) -> None:
    class Falling:
        """Falls by a tenth in each round, as such a measure does in a training that works."""

        name = xgboost_metric(measure).name

        def __init__(self) -> None:
            self.calls = 0

        def __call__(self, predt: Any, dtrain: Any) -> tuple[str, float]:
            self.calls += 1
            return self.name, 9 - self.calls / 10

    one = matrix(made(3))
    booster, seen = train(Falling(), one, one, 10, early_stopping_rounds=2)
    assert len(seen[Falling.name]) == 10
    assert booster.best_iteration == 9


def test_best_iteration_of_the_ranking_example() -> None:
    one, other = matrix(example("train")), matrix(example("test"))
    metric = xgboost_metric("nDCG@10", convention="xgboost")
    ours, _ = train(metric, one, other, 60, early_stopping_rounds=5, eval_metric="ndcg@10")
    own, _ = train(None, one, other, 60, early_stopping_rounds=5, eval_metric="ndcg@10")
    assert ours.best_iteration == own.best_iteration
    assert ours.best_score == pytest.approx(own.best_score, abs=6e-7)


def test_cross_validation() -> None:
    metric = xgboost_metric(["nDCG@5", "RR"], convention="xgboost")
    result = xgboost.cv(
        PARAMETERS | {"eval_metric": "ndcg@5"},
        matrix(made(4)),
        6,
        nfold=3,
        custom_metric=metric,
        early_stopping_rounds=3,
        seed=1,
        as_pandas=False,
    )
    np.testing.assert_allclose(
        result["test-ndcg_rankgain@5-mean"], result["test-ndcg@5-mean"], atol=1e-6
    )
    assert len(result["test-pre_rankgain_RR@32-mean"]) == len(result["test-ndcg@5-std"])


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


def test_the_way_that_works_gives_a_ranker() -> None:
    data = made(6)
    booster, _ = train(xgboost_metric("RR"), matrix(data), matrix(data))
    ranker = xgboost.XGBRanker()
    ranker.load_model(booster.save_raw())
    np.testing.assert_array_equal(ranker.predict(data.x), booster.predict(matrix(data)))


@pytest.mark.parametrize(
    ("measures", "options", "error", "says"),
    [
        ("nDGC@10", {}, ValueError, "did you mean nDCG"),
        ("RR", {"gain": "exp2"}, TypeError, "gain is not an argument of any"),
        ("RR", {"group": [1]}, TypeError, "group"),
        ("nDCG", {"convention": "xgbost"}, ValueError, "did you mean 'xgboost'"),
    ],
)
def test_mistakes_are_errors_before_training(
    measures: Any, options: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        xgboost_metric(measures, **options)
