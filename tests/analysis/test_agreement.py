"""`rankgain.agreement` beside scikit-learn, scipy and loops over resamples of queries."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg

Judgments = dict[str, dict[str, int]]


def draw(seed: int, queries: int = 20, labels: tuple[int, ...] = (0, 1, 2, 4)) -> tuple[Any, Any]:
    """Judgments of people, and a model's, which are often the same."""
    random = np.random.default_rng([seed, queries])
    model: Judgments = {}
    people: Judgments = {}
    for query in range(queries):
        documents = [f"d{number}" for number in range(random.integers(2, 12))]
        truth = random.choice(labels, len(documents))
        guess = np.where(random.random(len(truth)) < 0.6, truth, random.choice(labels, len(truth)))
        people[f"q{query}"] = dict(zip(documents, truth.tolist(), strict=True))
        model[f"q{query}"] = dict(zip(documents, guess.tolist(), strict=True))
        model[f"q{query}"]["only the model's"] = 1
    return model, people


def pairs_of(model: Judgments, people: Judgments) -> list[tuple[int, int]]:
    return [
        (model[query][document], label)
        for query, labels in people.items()
        for document, label in labels.items()
        if document in model.get(query, {})
    ]


def kappa_by_loops(pairs: list[tuple[int, int]], weights: Any) -> float:
    """1 - sum(w O) / sum(w E), cell by cell."""
    weigh: Callable[[int, int], float] = {
        None: lambda i, j: float(i != j),
        "linear": lambda i, j: abs(i - j),
        "quadratic": lambda i, j: (i - j) ** 2,
    }[weights]
    observed = sum(weigh(i, j) for i, j in pairs)
    expected = sum(weigh(i, j) for i, _ in pairs for _, j in pairs) / len(pairs)
    return 1 - observed / expected if expected else math.nan


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(4))
def test_kappa(seed: int, weights: Any) -> None:
    model, people = draw(seed, labels=(-1, 0, 1, 4))
    pairs = pairs_of(model, people)
    result = rg.agreement(model, people, weights=weights)
    assert result.kappa == pytest.approx(kappa_by_loops(pairs, weights), abs=1e-12)
    assert result.n == len(pairs)
    assert result.confusion == {pair: pairs.count(pair) for pair in set(pairs)}
    metrics = pytest.importorskip("sklearn.metrics")
    x, y = zip(*pairs, strict=True)
    expected = metrics.cohen_kappa_score(x, y, weights=weights, labels=range(-1, 5))
    assert result.kappa == pytest.approx(expected, abs=1e-12)


def test_queries_without_a_common_document_are_not_drawn() -> None:
    model, people = draw(1, queries=30)
    alone = {"p": {"x": 1}, **model}, {"p": {"y": 1}, **people}
    assert rg.agreement(*alone) == rg.agreement(model, people)
    assert rg.agreement(*alone).queries == 30


@pytest.mark.parametrize("weights", [None, "quadratic"])
def test_the_interval_draws_queries(weights: Any) -> None:
    model, people = draw(1, queries=30)
    by_query = [pairs_of(model, {query: labels}) for query, labels in people.items()]
    random = np.random.default_rng(0)
    values = []
    for _ in range(400):
        drawn = [pair for query in random.integers(0, 30, 30) for pair in by_query[query]]
        values.append(kappa_by_loops(drawn, weights))
    result = rg.agreement(model, people, weights=weights, level=0.9)
    low, high = np.quantile(values, [0.05, 0.95])
    assert result.low == pytest.approx(low, abs=0.03)
    assert result.high == pytest.approx(high, abs=0.03)
    assert rg.agreement(model, people, weights=weights, level=0.9) == result
    wider = rg.agreement(model, people, weights=weights, level=0.99)
    assert wider.low < result.low < result.kappa < result.high < wider.high


def systems_of(people: Judgments, n: int = 6) -> dict[str, Any]:
    """Systems that are better one after the other."""
    random = np.random.default_rng(0)
    return {
        f"s{system}": {
            query: {d: label + random.normal(0, 4 * (n - system)) for d, label in labels.items()}
            for query, labels in people.items()
        }
        for system in range(n)
    }


@pytest.mark.parametrize("measure", ["nDCG@10", "RR", "MR"])
def test_orders_of_systems(measure: str) -> None:
    stats = pytest.importorskip("scipy.stats")
    model, people = draw(3, queries=25)
    for labels in model.values():  # MR is undefined if a relevant document is not retrieved
        del labels["only the model's"]
    runs = systems_of(people)
    result = rg.agreement(model, people, runs=runs, measure=measure)
    means = [
        [rg.evaluate(qrels, run, measure).means[measure] for run in runs.values()]
        for qrels in (model, people)
    ]
    assert result.tau == pytest.approx(stats.kendalltau(*means).statistic, abs=1e-12)
    sign = -1 if measure == "MR" else 1
    scores = [dict(zip(runs, sign * np.array(x), strict=True)) for x in means]
    assert result.tau_ap == pytest.approx(rg.correlate(*scores, "tau_ap").value, abs=1e-12)
    for low, value, high in (
        (result.tau_low, result.tau, result.tau_high),
        (result.tau_ap_low, result.tau_ap, result.tau_ap_high),
    ):
        assert low is not None
        assert value is not None
        assert high is not None
        assert -1 <= low <= value <= high <= 1
