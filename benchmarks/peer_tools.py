"""The other tools, each in its own small function: a Side, or None where it is not installed.

A function prepares the tool's own input form outside the timed call. What a tool computes
differently under the same name is set to the common value here, and said beside it.
"""

import importlib
import importlib.util
from typing import Any

import numpy as np

from data import Floats, Recommendations
from measuring import Side


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def load(name: str) -> Any:
    """A peer's module as Any: most peers carry no types, and none is a dependency."""
    return importlib.import_module(name)


def sklearn_ndcg(labels: Floats, scores: Floats, k: int, *, ignore_ties: bool) -> Side | None:
    if not installed("sklearn"):
        return None
    metrics = load("sklearn.metrics")
    return Side(
        lambda: metrics.ndcg_score(labels, scores, k=k, ignore_ties=ignore_ties),
        values=lambda mean: np.float64(mean),
    )


def torch_ndcg(labels: Floats, scores: Floats, k: int) -> Side | None:
    """topk and gather on one thread, sharing NumPy's memory; torch works in float32."""
    if not installed("torch"):
        return None
    torch = load("torch")
    torch.set_num_threads(1)
    y, s = torch.from_numpy(labels), torch.from_numpy(scores)
    weight = 1 / torch.log2(torch.arange(2, k + 2, dtype=torch.float32))

    def call() -> Any:
        gains = torch.gather(y, 1, torch.topk(s, k, dim=1).indices)
        return (gains @ weight) / (torch.topk(y, k, dim=1).values @ weight)

    return Side(call, values=lambda tensor: tensor.numpy().astype(np.float64), tolerance=1e-5)


def catboost_ndcg(labels: Floats, scores: Floats, k: int) -> Side | None:
    """eval_metric on one thread; type=Base is the linear gain."""
    if not installed("catboost"):
        return None
    catboost = load("catboost.utils")
    y, s = labels.ravel(), scores.ravel()
    group = np.repeat(np.arange(len(labels)), labels.shape[1])
    metric = f"NDCG:top={k};type=Base"

    def call() -> Any:
        return catboost.eval_metric(y, s, metric, group_id=group, thread_count=1)

    return Side(call, values=lambda means: np.float64(means[0]), tolerance=1e-6)


def rectools_topk(data: Recommendations, k: int) -> Side | None:
    """Long frames; `divide_by_achievable` makes the ideal that of min(k, relevant) items."""
    if not installed("rectools"):
        return None
    pandas, metrics = load("pandas"), load("rectools.metrics")
    users, width = data.recommended.shape
    recommended = pandas.DataFrame(
        {
            "user_id": np.repeat(np.arange(users), width),
            "item_id": data.recommended.ravel(),
            "rank": np.tile(np.arange(1, width + 1), users),
        }
    )
    relevant = data.truth.tocoo()
    truth = pandas.DataFrame({"user_id": relevant.row, "item_id": relevant.col})
    wanted = {
        "nDCG": metrics.NDCG(k=k, divide_by_achievable=True),
        "HitRate": metrics.HitRate(k=k),
    }
    return Side(
        lambda: metrics.calc_metrics(wanted, recommended, truth),
        values=lambda means: np.array([means["nDCG"], means["HitRate"]]),
    )


def pytrec_eval_dicts(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], names: list[str]
) -> Side | None:
    """trec_eval 9.0.8 compiled into an extension; it walks the same dicts."""
    if not installed("pytrec_eval"):
        return None
    pytrec_eval = load("pytrec_eval")

    def values(results: Any) -> Any:
        return np.array([[results[query][name] for name in names] for query in sorted(results)])

    return Side(
        lambda: pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run),
        values,
    )


RANX_NAMES = {"nDCG@10": "ndcg@10", "AP": "map", "RR": "mrr", "P@10": "precision@10"}


def ranx_loaded(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], names: list[str]
) -> Side | None:
    """numba on ranx's own objects, one thread; compiled by a first call that is not timed."""
    if not installed("ranx"):
        return None
    ranx = load("ranx")
    own_qrels, own_run = ranx.Qrels(qrels), ranx.Run(run)
    metrics = [RANX_NAMES.get(name, name.replace("R@", "recall@")) for name in names]

    def call() -> Any:
        return ranx.evaluate(own_qrels, own_run, metrics, threads=1)

    call()

    def values(means: Any) -> Any:
        return np.array([means[name] for name in metrics] if len(metrics) > 1 else [means])

    return Side(call, values)
