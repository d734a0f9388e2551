"""Inside LlamaIndex's RetrieverEvaluator."""

import asyncio
from typing import Any

import numpy as np
import pytest

import rankgain as rg

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed")
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.evaluation import RetrieverEvaluator
from llama_index.core.evaluation.retrieval.metrics import NDCG, AveragePrecision
from llama_index.core.schema import NodeWithScore, TextNode

from rankgain.integrations.llama_index import RankingMetric

pytestmark = pytest.mark.filterwarnings("default")
RETRIEVED = {"q1": ["a", "x", "b"], "q2": ["y", "z"]}
EXPECTED = {"q1": ["a", "b", "c"], "q2": ["z"]}


class Retriever(BaseRetriever):
    """Finds what the table says."""

    def _retrieve(self, query_bundle: Any) -> list[NodeWithScore]:
        return [
            NodeWithScore(node=TextNode(id_=one, text=one), score=1 / rank)
            for rank, one in enumerate(RETRIEVED[query_bundle.query_str], 1)
        ]


def test_inside_the_evaluator() -> None:
    names = ["nDCG@10", "AP", "RR", "P@2"]
    evaluator = RetrieverEvaluator(
        metrics=[RankingMetric(name) for name in names], retriever=Retriever()
    )
    result = [asyncio.run(evaluator.aevaluate(q, ids)) for q, ids in EXPECTED.items()]
    expected = rg.evaluate_ids(RETRIEVED, EXPECTED, names).to_dict()
    assert [one.metric_vals_dict for one in result] == [expected[q] for q in EXPECTED]


def test_it_is_right_where_the_host_is_wrong() -> None:
    """A repeated id is credited again there, and the ideal counts repeated expected ids."""
    call: dict[str, Any] = {"expected_ids": ["a", "b"], "retrieved_ids": ["a", "a", "b"]}
    assert AveragePrecision().compute(**call).score == 1.5
    assert NDCG().compute(**call).score == pytest.approx(1.3066, abs=1e-4)
    for measure, value in (("AP", 1.0), ("nDCG", 1.0)):
        with pytest.raises(ValueError, match="a second time"):
            RankingMetric(measure).compute(**call)
        assert RankingMetric(measure, duplicates="first").compute(**call).score == value
    call = {"expected_ids": ["a", "b", "c"], "retrieved_ids": ["a", "x", "b"]}
    ideal = sum(1 / np.log2(rank + 1) for rank in (1, 2, 3))
    assert NDCG().compute(**call).score == pytest.approx(1.5 / ideal)
    assert RankingMetric("nDCG").compute(**call).score == pytest.approx(1.5 / ideal)


@pytest.mark.skipif("llama_index" not in rg.conventions, reason="there is no such convention yet")
def test_the_convention_gives_the_host_s_number() -> None:
    call: dict[str, Any] = {"expected_ids": ["a", "b"], "retrieved_ids": ["a", "x", "b"]}
    for measure, host in (("AP", AveragePrecision()), ("nDCG", NDCG())):
        metric = RankingMetric(measure, convention="llama_index")
        assert metric.compute(**call).score == pytest.approx(host.compute(**call).score)
