"""Beside LlamaIndex's retrieval metrics, which cut nothing and refuse empty lists."""

import pytest

import rankgain as rg
from peers.groups import CASES, close
from peers.ids import draw_ids

metrics = pytest.importorskip(
    "llama_index.core.evaluation.retrieval.metrics", reason="llama-index-core is not installed"
)
pytestmark = pytest.mark.filterwarnings("default")
THEIRS = {
    "nDCG": metrics.NDCG, "AP": metrics.AveragePrecision, "RR": metrics.MRR,
    "HitRate": metrics.HitRate, "P": metrics.Precision, "R": metrics.Recall,
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_query(case: int) -> None:
    retrieved, relevant = draw_ids(case, low=1, empty=False)
    result = rg.evaluate_ids(retrieved, relevant, list(THEIRS), convention="llama_index")
    for name, kind in THEIRS.items():
        scores = [
            kind().compute("q", expected, given).score
            for given, expected in zip(retrieved, relevant, strict=True)
        ]
        close(result.per_query[name], scores)


def test_empty_lists_are_refused() -> None:
    for retrieved, relevant in ([["a"]], [[]]), ([[]], [["a"]]):
        with pytest.raises(ValueError, match="must be provided"):
            metrics.NDCG().compute("q", relevant[0], retrieved[0])
    with pytest.raises(ValueError, match="nDCG"):
        rg.evaluate_ids([["a"]], [[]], "nDCG", convention="llama_index")
    with pytest.raises(ValueError, match="retrieved has no list"):
        rg.evaluate_ids({"q": ["a"]}, {"q": ["a"], "r": ["b"]}, "nDCG", convention="llama_index")
