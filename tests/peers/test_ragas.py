"""Beside ragas' context precision and recall, by verdicts and by ids."""

import asyncio
from typing import Any

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.ids import draw_ids

metrics = pytest.importorskip("ragas.metrics", reason="ragas is not installed")
samples = pytest.importorskip("ragas.dataset_schema")
schema = pytest.importorskip("ragas.metrics._context_precision")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("case", CASES)
def test_context_precision_is_average_precision_over_the_hits(case: int) -> None:
    retrieved, relevant = draw_ids(case)
    result = rg.evaluate_ids(retrieved, relevant, "AP", convention="ragas")
    scores = [
        metrics.LLMContextPrecisionWithReference._calculate_average_precision(
            None, [schema.Verification(reason="", verdict=int(one in expected)) for one in names]
        )
        for names, expected in zip(retrieved, relevant, strict=True)
    ]
    close(result.per_query["AP"], scores, 1e-9)  # it adds 1e-10 to the divisor


@pytest.mark.parametrize("case", CASES)
def test_by_ids(case: int) -> None:
    retrieved, relevant = draw_ids(case, low=1)
    result = rg.evaluate_ids(retrieved, relevant, ["P", "R"], convention="ragas")

    def scores(metric: Any) -> list[float]:
        return [
            asyncio.run(
                metric._single_turn_ascore(
                    samples.SingleTurnSample(
                        retrieved_context_ids=names, reference_context_ids=expected
                    ),
                    None,
                )
            )
            for names, expected in zip(retrieved, relevant, strict=True)
        ]

    close(result.per_query["P"], scores(metrics.IDBasedContextPrecision()))
    close(result.per_query["R"], scores(metrics.IDBasedContextRecall()))
