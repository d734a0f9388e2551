"""Beside Haystack's evaluators of retrieved documents."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.ids import draw_ids

haystack = pytest.importorskip("haystack", reason="haystack-ai is not installed")
evaluators = pytest.importorskip("haystack.components.evaluators")
pytestmark = pytest.mark.filterwarnings("default")


def documents(names: Any) -> Any:
    """Return documents of ids, with scores where there are labels."""
    labels = names.items() if isinstance(names, dict) else [(name, None) for name in names]
    return [haystack.Document(id=name, content=name, score=label) for name, label in labels]


def theirs(kind: Any, retrieved: Any, relevant: Any, **options: Any) -> Any:
    """Return Haystack's values and their mean."""
    evaluator = kind(document_comparison_field="id", **options)
    result = evaluator.run(
        ground_truth_documents=[documents(one) for one in relevant],
        retrieved_documents=[documents(one) for one in retrieved],
    )
    return result["individual_scores"], result["score"]


@pytest.mark.parametrize("case", CASES)
def test_every_query_and_means(case: int) -> None:
    retrieved, relevant = draw_ids(case)
    kinds = {
        "nDCG": (evaluators.DocumentNDCGEvaluator, {}),
        "AP": (evaluators.DocumentMAPEvaluator, {}),
        "RR": (evaluators.DocumentMRREvaluator, {}),
        "R": (evaluators.DocumentRecallEvaluator, {"mode": "multi_hit"}),
        "HitRate": (evaluators.DocumentRecallEvaluator, {"mode": "single_hit"}),
    }
    result = rg.evaluate_ids(retrieved, relevant, list(kinds), convention="haystack")
    for name, (kind, options) in kinds.items():
        scores, mean = theirs(kind, retrieved, relevant, **options)
        close(result.per_query[name], scores)
        close(result.means[name], mean)


@pytest.mark.parametrize("case", CASES)
def test_graded(case: int) -> None:
    retrieved, relevant = draw_ids(case)
    rng = np.random.default_rng(case)
    graded = [{name: float(rng.integers(1, 8)) / 2 for name in names} for names in relevant]
    result = rg.evaluate_ids(retrieved, graded, "nDCG", convention="haystack")
    scores, mean = theirs(evaluators.DocumentNDCGEvaluator, retrieved, graded)
    close(result.per_query["nDCG"], scores)
    close(result.means["nDCG"], mean)
