"""Beside BEIR's evaluation, which passes most measures to pytrec_eval and rounds means."""

import copy

import pytest

import rankgain as rg
from peers.groups import CASES
from peers.qrels import draw_qrels

evaluation = pytest.importorskip("beir.retrieval.evaluation", reason="beir is not installed")
pytestmark = pytest.mark.filterwarnings("default")
KS = [1, 5, 100]


@pytest.mark.parametrize("case", CASES)
def test_means(case: int) -> None:
    qrels, run = draw_qrels(case)
    tables = evaluation.EvaluateRetrieval.evaluate(qrels, copy.deepcopy(run), KS)
    for table, theirs, name in zip(
        tables, ("NDCG", "MAP", "Recall", "P"), ("nDCG", "AP", "R", "P"), strict=True
    ):
        measures = [f"{name}@{k}" for k in KS]
        result = rg.evaluate(qrels, run, measures, convention="beir")
        assert list(result.means.values()) == [table[f"{theirs}@{k}"] for k in KS]


@pytest.mark.parametrize("case", CASES)
def test_its_own_measures_divide_by_all_judged_queries(case: int) -> None:
    qrels, run = draw_qrels(case)
    run = {query: docs for query, docs in run.items() if query in qrels}  # else it stops
    for kind, name, theirs in (("mrr", "RR", "MRR"), ("top_k_accuracy", "HitRate", "Accuracy")):
        table = evaluation.EvaluateRetrieval.evaluate_custom(qrels, run, KS, kind)
        result = rg.evaluate(qrels, run, [f"{name}@{k}" for k in KS], convention="beir")
        assert list(result.means.values()) == [table[f"{theirs}@{k}"] for k in KS]
