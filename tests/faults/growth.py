"""How much memory of the process grows over many calls of each public function, refused ones too.

python growth.py CALLS [NAME ...]    prints the growth of each call in kB; status 1 above 1 MB
"""

import gc
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

import rankgain as rg

LIMIT = 1000  # kB
LABELS = np.array([[3, 0, 1, 0], [0, 2, 0, 1], [0, 0, 0, 1]])
SCORES = np.array([[0.5, 0.5, 0.2, 0.1], [0.9, 0.2, 0.2, 0.4], [0.1, 0.2, 0.3, 0.4]])
WRONG = np.array([[0.5, np.nan, 0.2, 0.1]] * 3)
QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
RUN = {"q1": {"a": 0.5, "c": 0.7}, "q2": {"c": 0.5, "b": 0.1}}
OTHER = {"q1": {"a": 0.9, "c": 0.7}, "q2": {"c": 0.1, "b": 0.1}}
RETRIEVED = [["a", "b", "c"], ["c", "a", "b"]]
RELEVANT = [{"a"}, {"b", "d"}]
FRAME = pa.table({"q": np.repeat([0, 1, 2], 4), "label": LABELS.ravel(), "score": SCORES.ravel()})
COLUMNS = {"query": "q", "label": "label", "score": "score"}
VECTORS = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.2], [0.3, 1.0], [0.5, 0.5]])
NUMBERS = [[0], [1, 2]]
RUNS = rg.evaluate_runs(QRELS, {"x": RUN, "y": OTHER}, ["AP"])
MODEL, PEOPLE = (
    rg.Evaluation({"AP": float(np.mean(values))}, {"AP": np.array(values)}, range(len(values)))
    for values in ([0.1, 0.5, 0.3, 0.2, 0.9, 0.4, 0.7], [0.2, 0.5, 0.2, 0.2, 0.8, 0.5])
)


def summed() -> Any:
    total = rg.Accumulator()
    total.add(MODEL)
    return rg.Accumulator.from_dict(total.to_dict())


def counted() -> Any:
    partial = rg.PartialRanks([0, 1], [0.5, 0.2], [1.0, 2.0])
    partial.add([0, 0, 1], [0.7, 0.5, 0.2])
    return partial.finish(["nDCG@10"])


def listed(y_true: Any, y_score: Any) -> float:
    return float(rg.ndcg(y_true, y_score, k=10))


CALLS: dict[str, Callable[[], Any]] = {
    name: lambda name=name: getattr(rg, name)(LABELS, SCORES)  # type: ignore[misc]
    for name in (
        "auc average_precision cg dcg err f1 hit_rate idcg ndcg precision r_precision rbp recall "
        "reciprocal_rank dcg_score ndcg_score"
    ).split()
}
for name in "coverage_error label_ranking_loss label_ranking_average_precision_score".split():
    CALLS[name] = lambda name=name: getattr(rg, name)(LABELS > 0, SCORES)  # type: ignore[misc]
CALLS |= {
    "top_k_accuracy_score": lambda: rg.top_k_accuracy_score([0, 1, 3], SCORES, labels=range(4)),
    "gauc": lambda: rg.gauc(LABELS.ravel(), SCORES.ravel(), group=[4, 4, 4]),
    "neighbor_recall": lambda: rg.neighbor_recall([[1, 2, 3]], [[3, 4, 1]], 3),
    "parse_measure": lambda: rg.parse_measure("nDCG(gain=exp2)@10"),
    "parse_measures": lambda: rg.parse_measures(["nDCG@10", "AP"]),
    "evaluate": lambda: rg.evaluate(QRELS, RUN, ["nDCG@10", "AP"]),
    "evaluate_arrays": lambda: rg.evaluate_arrays(LABELS, SCORES, ["nDCG@10", "AP"]),
    "evaluate_batches": lambda: rg.evaluate_batches([FRAME], ["AP"], **COLUMNS),
    "evaluate_catalogue": lambda: rg.evaluate_catalogue(RETRIEVED, ["Coverage"], k=2, catalogue=9),
    "evaluate_counts": lambda: rg.evaluate_counts([("q", "a", 1, 0, 1, 2, True)], ["AP"]),
    "evaluate_factors": lambda: rg.evaluate_factors(*VECTORS, NUMBERS, ["AP"]),
    "evaluate_frame": lambda: rg.evaluate_frame(FRAME, ["AP"], **COLUMNS),
    "evaluate_ids": lambda: (
        rg.evaluate_ids(RETRIEVED, RELEVANT, ["nDCG@10", "R@2"]),
        rg.evaluate_ids([[1, 2], [3, 4]], NUMBERS, ["R@2"]),
    ),
    "evaluate_models": lambda: rg.evaluate_models(LABELS, {"a": SCORES, "b": -SCORES}, ["AP"]),
    "evaluate_runs": lambda: rg.evaluate_runs(QRELS, {"x": RUN, "y": OTHER}, ["AP"]),
    "evaluate_scores": lambda: rg.evaluate_scores(
        lambda users: SCORES[users], [[0], [1], [3]], ["AP"], users=range(3)
    ),
    "compare": lambda: rg.compare(RUNS, test="t"),
    "corrected_mean": lambda: rg.corrected_mean(MODEL, PEOPLE, "AP"),
    "explain": lambda: rg.explain(LABELS[0], SCORES[0]),
    "judge_next": lambda: rg.judge_next(QRELS, {"x": RUN}, "AP", 1),
    "reconcile": lambda: rg.reconcile(LABELS, SCORES, "rankgain", "sklearn", measure="nDCG@3"),
    "reconcile_runs": lambda: rg.reconcile_runs(QRELS, RUN, "trec", "ranx", measure="nDCG@3"),
    "audit": lambda: rg.audit(listed),
    "agreement": lambda: rg.agreement(QRELS, QRELS, runs={"x": RUN, "y": OTHER}),
    "correlate": lambda: rg.correlate(RUN, RUN, "rbo"),
    "measure": lambda: rg.evaluate(QRELS, RUN, rg.measure("documents", lambda ranking: ranking.n)),
    "pool": lambda: rg.compare(rg.pool({"first": RUNS, "second": RUNS}), test="t"),
    "power": lambda: rg.power(RUNS, "AP", n=50),
    "Accumulator": summed,
    "PartialRanks": counted,
    "Truth": lambda: rg.ndcg(rg.Truth(LABELS), SCORES),
    "Qrels, Run": lambda: rg.evaluate(rg.Qrels(QRELS), rg.Run(RUN), ["AP"]),
}
# Refused: in Python, in the core, and by the reader of ids.
REFUSED: dict[str, Callable[[], Any]] = {
    "k of 0": lambda: rg.ndcg(LABELS, SCORES, k=0),
    "NaN": lambda: rg.evaluate_arrays(LABELS, WRONG, ["AP"]),
    "shapes": lambda: rg.ndcg(LABELS, SCORES[:, 1:]),
    "sizes": lambda: rg.ndcg(LABELS.ravel(), SCORES.ravel(), group=[5]),
    "a name": lambda: rg.evaluate_arrays(LABELS, SCORES, ["no such measure"]),
    "an id twice": lambda: rg.evaluate_ids([["a", "a"]], [{"a"}], ["AP"]),
    "a label": lambda: rg.evaluate({"q": {"a": "x"}}, {"q": {"a": 1.0}}, ["AP"]),
    "damaged sums": lambda: rg.Accumulator.from_dict({"version": 1}),
}
# These take milliseconds a call: fewer of them.
SLOW = {
    "agreement": 300, "audit": 1000, "power": 10, "judge_next": 10, "compare": 10,
    "reconcile_runs": 3,
}  # fmt: skip


def resident() -> int:
    """Memory of the process in kB."""
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * 4


def refused(call: Callable[[], Any]) -> Callable[[], Any]:
    def with_error() -> None:
        try:
            call()
        except (TypeError, ValueError):
            return
        raise AssertionError("not refused")

    return with_error


def growth(call: Callable[[], Any], calls: int) -> int:
    """Memory in kB that is there after these calls and was not after a tenth of them."""
    for _ in range(max(calls // 10, 1)):
        call()
    gc.collect()
    before = resident()
    for _ in range(calls):
        call()
    gc.collect()
    return resident() - before


def main(calls: int, names: list[str]) -> int:
    warnings.simplefilter("ignore")
    worst = 0
    for name, call in (CALLS | {name: refused(call) for name, call in REFUSED.items()}).items():
        if names and name not in names:
            continue
        n = max(calls // SLOW.get(name, 1), 1)
        start = time.perf_counter()
        grown = growth(call, n)
        worst = max(worst, grown)
        print(
            f"{name:40} {n:9} calls {grown:6} kB {time.perf_counter() - start:7.1f} s", flush=True
        )
    return worst > LIMIT


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
