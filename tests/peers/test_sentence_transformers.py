"""Beside sentence-transformers' InformationRetrievalEvaluator, which drops empty queries."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import draw_qrels

evaluation = pytest.importorskip(
    "sentence_transformers.sentence_transformer.evaluation",
    reason="sentence-transformers is not installed",
)
pytestmark = pytest.mark.filterwarnings("default")
KS = [1, 3, 10, 60]
NAMES = {
    "nDCG": "ndcg@k", "RR": "mrr@k", "AP": "map@k", "HitRate": "accuracy@k", "P": "precision@k",
    "R": "recall@k",
}  # fmt: skip


def theirs(relevant: dict[str, set[str]], run: dict[str, dict[str, float]]) -> Any:
    """Return the means of the evaluator's own loop."""
    queries = dict.fromkeys(relevant, "text")
    corpus = {f"d{i:03d}": "text" for i in range(120)}
    kinds = ("mrr", "ndcg", "accuracy", "precision_recall", "map")
    evaluator = evaluation.InformationRetrievalEvaluator(
        queries, corpus, relevant, **{f"{kind}_at_k": KS for kind in kinds}
    )
    hits = [
        [{"corpus_id": name, "score": score} for name, score in run[query].items()]
        for query in evaluator.queries_ids
    ]
    return evaluator.compute_metrics(hits)


@pytest.mark.parametrize("case", CASES)
def test_means(case: int) -> None:
    qrels, run = draw_qrels(case, (0, 1), one_sided=False)
    relevant = {q: {d for d, label in docs.items() if label} for q, docs in qrels.items()}
    expected = theirs(relevant, run)
    measures = [f"{name}@{k}" for name in NAMES for k in KS]
    result = rg.evaluate(qrels, run, measures, convention="sentence_transformers")
    for name, key in NAMES.items():
        close([result.means[f"{name}@{k}"] for k in KS], [expected[key][k] for k in KS])


def test_the_published_case() -> None:
    qrels = {"q1": {"d1": 1, "d3": 1, "d9": 1}, "q2": {"d2": 1}, "q3": {"d5": 1}}
    run = {
        "q1": {"d3": 0.9, "d2": 0.8, "d1": 0.8, "d4": 0.1},
        "q2": {"d9": 0.5, "d2": 0.5},
        "q3": {"d1": 0.3, "d2": 0.2},
    }
    measures = ["nDCG@3", "RR@10", "AP@3", "HitRate@1", "P@3", "R@3"]
    result = rg.evaluate(qrels, run, measures, convention="sentence_transformers")
    expected = [0.5884535456628739, 2 / 3, 5 / 9, 2 / 3, 1 / 3, 5 / 9]
    np.testing.assert_allclose(list(result.means.values()), expected, rtol=1e-14)
