"""Objects that several threads use at once: the values of one thread, to the bit."""

import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.engine import columns, plan

THREADS, ROUNDS = 8, 6
NAMES = ["nDCG@10", "AP", "R@20", "RR"]


@pytest.fixture(autouse=True)
def _quick_switches() -> Iterator[None]:
    """Where there is a GIL, let the threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def bits(result: Any) -> Any:
    """What must be the same."""
    if isinstance(result, rg.Evaluation):
        return repr(result.means), {n: v.tobytes() for n, v in result.per_query.items()}
    return result


def calls() -> dict[str, Callable[[], Any]]:
    """Calls that share objects: each is made new, so that its first use is a shared one too."""
    rng = np.random.default_rng(6)
    labels = rng.integers(0, 3, (60, 90)) * (rng.random((60, 90)) < 0.2)
    scores = rng.integers(0, 50, (60, 90)) / 8
    judged = {f"q{i}": {f"d{j}": int(labels[i, j]) for j in range(40)} for i in range(60)}
    ranked = {f"q{i}": {f"d{j}": float(scores[i, j]) for j in range(60)} for i in range(60)}
    truth, qrels, run = rg.Truth(labels), rg.Qrels(judged), rg.Run(ranked)
    evaluation = rg.evaluate_arrays(labels, scores, NAMES)
    other = rg.evaluate_arrays(labels, -scores, NAMES)
    runs = rg.evaluate_runs(judged, {"a": ranked, "b": judged}, NAMES)
    segments = [i % 4 for i in range(60)]
    return {
        "Truth": lambda: rg.evaluate_arrays(truth, scores, NAMES),
        "Truth with bounds": lambda: rg.evaluate_arrays(truth, scores, NAMES, bounds="ties"),
        "Truth in threads": lambda: rg.evaluate_arrays(truth, scores, NAMES, threads=2),
        "Qrels and Run": lambda: rg.evaluate(qrels, run, NAMES, convention="trec"),
        "Qrels and a dict": lambda: rg.evaluate(qrels, ranked, NAMES, ties="average"),
        "dicts and a Run": lambda: rg.evaluate(judged, run, NAMES, ties="id"),
        "pickles": lambda: rg.evaluate(pickle.loads(pickle.dumps(qrels)), run, NAMES),
        "an evaluation": lambda: evaluation.to_json(),
        "segments": lambda: repr(evaluation.by(segments)),
        "two evaluations": lambda: rg.compare(
            {"a": evaluation, "b": other}, test="bootstrap", resamples=200
        ).to_json(),
        "several runs": lambda: rg.compare(runs, resamples=200).to_json(),
        "names": lambda: repr(rg.parse_measures(NAMES)),
    }


@pytest.mark.parametrize("name", calls())
def test_all_threads_at_one_call(name: str) -> None:
    expected = bits(calls()[name]())
    for _ in range(ROUNDS):
        plan._WEIGHT_TABLES.clear()
        columns.CALLS.clear()
        columns.PLANS.clear()
        call, barrier = calls()[name], Barrier(THREADS)

        def at_once(call: Callable[[], Any] = call, barrier: Barrier = barrier) -> Any:
            barrier.wait()
            return bits(call())

        with ThreadPoolExecutor(THREADS) as pool:
            results = [one.result() for one in [pool.submit(at_once) for _ in range(THREADS)]]
        assert all(result == expected for result in results)


def test_threads_at_different_calls() -> None:
    expected = {name: bits(call()) for name, call in calls().items()}
    shared, names = calls(), list(expected)
    barrier = Barrier(THREADS)

    def in_own_order(seed: int) -> dict[str, Any]:
        order = np.random.default_rng(seed).permutation(names)
        barrier.wait()
        return {name: bits(shared[name]()) for name in order}

    with ThreadPoolExecutor(THREADS) as pool:
        for results in pool.map(in_own_order, range(THREADS)):
            assert results == expected
