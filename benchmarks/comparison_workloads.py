"""The sides of the workloads on comparisons and intervals: vectorised NumPy, and ranx."""

from functools import partial
from typing import Any

import numpy as np

import data
import rankgain as rg
from measuring import Side, Sides


def _runs(lists: int, systems: int) -> tuple[Any, rg.Evaluations]:
    """Values of systems on lists, and these as evaluations."""
    rng = data.generator()
    table = np.clip(rng.beta(1, 2, (lists, 1)) + rng.normal(0, 0.1, (lists, systems)), 0, 1)
    runs = {
        f"s{at}": rg.Evaluation({"AP": float(column.mean())}, {"AP": column}, range(lists))
        for at, column in enumerate(table.T)
    }
    return table, rg.Evaluations(runs)


def _differences(found: rg.Comparison) -> Any:
    return np.array([row.difference for row in found.rows])


def _flips_against_first(table: Any, flips: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    differences = table[:, 1:] - table[:, :1]
    totals = np.abs(differences.sum(axis=0))
    reached = np.zeros(len(totals), np.int64)
    for first in range(0, flips, 10_000):
        count = min(10_000, flips - first)
        signs = rng.integers(0, 2, (count, len(table))) * 2.0 - 1
        reached += (np.abs(signs @ differences) >= totals * (1 - 1e-12)).sum(axis=0)
    return differences.mean(axis=0), (reached + 1) / (flips + 1)


def _flips_of_all(table: Any, flips: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    totals = (rng.integers(0, 2, (flips, len(table))) * 2.0 - 1) @ table
    observed = table.sum(axis=0)
    found = []
    for at in range(table.shape[1] - 1):
        far = np.abs(totals[:, at : at + 1] - totals[:, at + 1 :])
        found.append((far >= np.abs(observed[at] - observed[at + 1 :]) * (1 - 1e-12)).sum(axis=0))
    a, b = np.triu_indices(table.shape[1], 1)
    return (observed[a] - observed[b]) / len(table), (np.concatenate(found) + 1) / (flips + 1)


def against_a_baseline(lists: int, systems: int, flips: int) -> Sides:
    """p-values and bootstrap intervals of ours; of NumPy p-values alone."""
    table, runs = _runs(lists, systems)
    ours = partial(runs.compare, baseline="s0", resamples=flips)
    return {
        "rankgain": Side(ours, _differences),
        "NumPy": Side(partial(_flips_against_first, table, flips), lambda found: found[0]),
    }


def all_pairs(lists: int, systems: int, flips: int) -> Sides:
    table, runs = _runs(lists, systems)
    ours = partial(runs.compare, resamples=flips, correction=None)
    return {
        "rankgain": Side(ours, _differences),
        "NumPy": Side(partial(_flips_of_all, table, flips), lambda found: found[0]),
    }


def _middle(ends: Any) -> Any:
    return np.float64(sum(ends) / 2)


def _bootstrap(values: Any, resamples: int) -> Any:
    rng = np.random.default_rng(0)
    means = [values[rng.integers(0, len(values), len(values))].mean() for _ in range(resamples)]
    return np.quantile(means, [0.025, 0.975])


def bootstrap(lists: int, resamples: int) -> Sides:
    """Ends of intervals differ by chance, so their middles are compared."""
    values = data.generator().random(lists)
    found = rg.Evaluation({"AP": float(values.mean())}, {"AP": values}, range(lists))
    wide = 0.5 / np.sqrt(lists)
    return {
        "rankgain": Side(partial(found.interval, "AP", resamples=resamples), _middle, wide),
        "NumPy": Side(partial(_bootstrap, values, resamples), _middle, wide),
    }


def _trec(queries: int, runs: int) -> tuple[Any, Any]:
    rng = data.generator()
    documents = [f"d{at}" for at in range(100)]
    qrels = {
        f"q{at}": dict(zip(documents[:60:2], rng.integers(0, 3, 30).tolist(), strict=True))
        for at in range(queries)
    }
    found = {
        f"r{run}": {
            query: dict(zip(documents, rng.random(100).tolist(), strict=True)) for query in qrels
        }
        for run in range(runs)
    }
    return qrels, found


MEASURES = ["ndcg@10", "map", "mrr", "precision@5", "recall@100"]


def beside_ranx(queries: int, runs: int) -> Sides:
    """Evaluation and all pairs by the randomisation test, from dicts that are read."""
    qrels, dicts = _trec(queries, runs)
    judged = rg.Qrels(qrels)
    read = {name: rg.Run(one) for name, one in dicts.items()}

    def ours() -> rg.Comparison:
        return rg.evaluate_runs(judged, read, MEASURES).compare(resamples=1_000, correction="bh")

    sides: dict[str, Side | None] = {"rankgain": Side(ours, lambda found: np.float64(len(found)))}
    sides["ranx"] = None
    try:
        import ranx
    except ImportError:
        return sides
    theirs = ranx.Qrels(qrels), [ranx.Run(one, name=name) for name, one in dicts.items()]

    def ranx_compare() -> Any:
        return ranx.compare(*theirs, metrics=MEASURES, stat_test="fisher", n_permutations=1_000)

    pairs = runs * (runs - 1) / 2 * len(MEASURES)
    sides["ranx"] = Side(ranx_compare, lambda found: np.float64(pairs))
    return sides
