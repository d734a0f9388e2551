"""Beside mteb's retrieval scores: pytrec_eval's values, means to five decimals."""

import numpy as np
import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.qrels import draw_qrels

theirs = pytest.importorskip("mteb._evaluators.retrieval_metrics", reason="mteb is not installed")
pytestmark = pytest.mark.filterwarnings("default")
KS = [1, 5, 100]
NAMES = {
    "nDCG": ("ndcg", "NDCG"),
    "AP": ("map", "MAP"),
    "R": ("recall", "Recall"),
    "P": ("precision", "P"),
    "HitRate": ("hit_rate", "HitRate"),
}


@pytest.mark.parametrize("case", CASES)
def test_means(case: int) -> None:
    qrels, run = draw_qrels(case)
    run = {query: docs for query, docs in run.items() if query in qrels}  # else mrr stops
    expected = theirs.calculate_retrieval_scores(run, qrels, KS)
    measures = [f"{name}@{k}" for name in (*NAMES, "RR") for k in KS]
    result = rg.evaluate(qrels, run, measures, convention="mteb")
    for name, (field, key) in NAMES.items():
        means = [result.means[f"{name}@{k}"] for k in KS]
        assert means == [getattr(expected, field)[f"{key}@{k}"] for k in KS]
    means = [result.means[f"RR@{k}"] for k in KS]
    assert means == [round(expected.mrr[f"MRR@{k}"], 5) for k in KS]


@pytest.mark.parametrize("case", CASES)
def test_capped_recall(case: int) -> None:
    qrels, run = draw_qrels(case, distinct=True)  # it compares scores in double precision
    run = {query: docs for query, docs in run.items() if query in qrels}
    values = theirs.recall_cap(qrels, run, KS)
    measures = [f"R(divisor=min)@{k}" for k in KS]
    result = rg.evaluate(qrels, run, measures, convention="mteb", empty=np.nan)
    at = [list(run).index(query) for query in result.queries]
    for k in KS:
        ordered = np.array(values[f"R_cap_at_{k}"], np.float64)[at]
        close(result.per_query[f"R(divisor=min)@{k}"], ordered)
