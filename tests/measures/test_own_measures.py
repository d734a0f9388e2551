"""`rankgain.measure`: functions of rankings have the values of the named measures they imitate."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg


def reciprocal_rank(ranking: Any) -> float:
    relevant = np.flatnonzero(ranking.labels >= 1)
    return 1 / (relevant[0] + 1) if len(relevant) else 0.0


def precision(ranking: Any, k: int) -> float:
    return float((ranking.labels[:k] >= 1).sum() / k)


def cumulated(labels: Any) -> float:
    gains = np.maximum(labels, 0)
    return float((gains / np.log2(np.arange(2, len(gains) + 2))).sum())


def normalised(ranking: Any, k: int) -> float:
    best = cumulated(ranking.ideal[:k])
    return cumulated(ranking.labels[:k]) / best if best else 0.0


OWN_RR = rg.measure("own RR", reciprocal_rank)
OWN_P = rg.measure("own P", precision, cutoff=True)
OWN_NDCG = rg.measure("own nDCG", normalised, cutoff=True)
OWN_RECALL = rg.measure(
    "own recall", lambda x: (x.labels >= 1).sum() / x.relevant() if x.relevant() else 0.0
)
PAIRS = {"own RR": "RR", "own P@5": "P@5", "own nDCG@7": "nDCG@7", "own recall": "R"}
MEASURES = [OWN_RR, OWN_P @ 5, OWN_NDCG @ 7, OWN_RECALL, *PAIRS.values()]


def assert_twins(evaluation: rg.Evaluation) -> None:
    for own, named in PAIRS.items():
        np.testing.assert_allclose(
            evaluation.per_query[own], evaluation.per_query[named], atol=1e-12, err_msg=own
        )
        assert evaluation.means[own] == pytest.approx(evaluation.means[named], abs=1e-12)


def draw_qrels_and_run(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    random = np.random.default_rng(seed)
    qrels, run = {}, {}
    for query in range(20):
        judged = random.choice(40, 12, replace=False)
        qrels[f"q{query}"] = {f"d{doc}": int(random.integers(-1, 3)) for doc in judged}
        retrieved = random.choice(40, 15, replace=False)
        if query < 18:
            run[f"q{query}"] = {f"d{doc}": float(random.integers(0, 6)) for doc in retrieved}
    return qrels, run


@pytest.mark.parametrize("ties", ["stable", "reverse", "random"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i8"])
def test_arrays_with_ties_that_a_rule_orders(ties: Any, dtype: str) -> None:
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, (30, 25))
    scores = random.integers(0, 5, labels.shape).astype(dtype)
    options: dict[str, Any] = {"ties": ties, "empty": 0.0, "seed": 7}
    assert_twins(rg.evaluate_arrays(labels, scores, MEASURES, **options))
    excluded = random.random(labels.shape) < 0.2
    assert_twins(rg.evaluate_arrays(labels, scores, MEASURES, exclude=excluded, **options))
    lengths = random.integers(0, 26, 30)
    assert_twins(rg.evaluate_arrays(labels, scores, MEASURES, lengths=lengths, **options))
    rows = random.permutation(np.repeat(np.arange(30), 25))
    flat = labels.ravel(), scores.ravel()
    assert_twins(rg.evaluate_arrays(*flat, MEASURES, qid=rows, **options))


@pytest.mark.parametrize("ties", ["id", "id_descending"])
def test_arrays_with_ids(ties: Any) -> None:
    random = np.random.default_rng(1)
    labels = random.integers(0, 3, (9, 12))
    scores = random.integers(0, 3, labels.shape).astype(float)
    ids = np.array([random.permutation(12) for _ in labels])
    assert_twins(rg.evaluate_arrays(labels, scores, MEASURES, ids=ids, ties=ties, empty=0.0))


def test_ids_in_rank_order() -> None:
    qrels, run = draw_qrels_and_run(5)
    ranked = {query: sorted(docs, key=lambda doc: -docs[doc]) for query, docs in run.items()}
    relevant = {q: [doc for doc, label in docs.items() if label > 0] for q, docs in qrels.items()}
    assert_twins(rg.evaluate_ids(ranked, relevant, MEASURES))


def test_ranks_with_gaps() -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    frame = pd.DataFrame(
        {"query": [1, 1, 2], "doc": ["a", "b", "c"], "rank": [2, 7, 4], "label": [1, 2, 1]}
    )
    assert_twins(rg.evaluate_frame(frame, MEASURES, rank="rank", empty=0.0))


def test_everything_that_takes_an_evaluation_takes_these(tmp_path: Path) -> None:
    qrels, run = draw_qrels_and_run(2)
    shuffled = {
        query: dict(zip(docs, [*docs.values()][::-1], strict=True)) for query, docs in run.items()
    }
    steps = rg.measure(
        "steps", lambda ranking: ranking.n - reciprocal_rank(ranking), better="lower"
    )
    measures = [steps, OWN_P @ 5, "P@5"]
    systems = rg.evaluate_runs(qrels, {"a": run, "b": shuffled}, measures)
    systems["a"].to_json(tmp_path / "a.json")
    stored = rg.Evaluation.read(tmp_path / "a.json")
    assert stored == systems["a"]
    assert stored.better == {"steps": "lower", "own P@5": "higher"}
    assert systems.compare(measures=["steps"]).rows[0].difference == pytest.approx(
        systems["a"].means["steps"] - systems["b"].means["steps"]
    )
    own, named = systems.compare(measures=["own P@5", "P@5"]).rows
    assert own.p == named.p
    assert systems["a"].interval("own P@5") == systems["a"].interval("P@5")
    best = systems.best("steps") if hasattr(systems, "best") else None
    assert best in (None, min(("a", "b"), key=lambda name: systems[name].means["steps"]))
    assert pickle.loads(pickle.dumps(systems["a"])) == systems["a"]


def test_what_a_function_raises_is_the_cause_of_the_error() -> None:
    def raise_key_error(_: Any) -> float:
        raise KeyError("x")

    words = "measure 'boom': list 0: the function raised KeyError: 'x'"
    with pytest.raises(ValueError, match=words) as caught:
        rg.evaluate_arrays([[1, 0]], [[2.0, 1.0]], rg.measure("boom", raise_key_error))
    assert isinstance(caught.value.__cause__, KeyError)
