"""LlamaIndex: measures for its RetrieverEvaluator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from .hosts import read_request, require

if TYPE_CHECKING:
    from ..measures.measure import Measure
    from .hosts import HostIdOptions


host = require("llama_index.core.evaluation.retrieval.metrics_base", "llama-index")


class RankingMetric(host.BaseRetrievalMetric):  # type: ignore[name-defined]
    """A measure for `RetrieverEvaluator(metrics=[RankingMetric("nDCG@10")], retriever=...)`.

    Parameters
    ----------
    measure : str or Measure
        One; its name, or name=, is the key in the results.
    options
        Of `rankgain.evaluate_ids`, such as `duplicates="first"` and `convention=`.

    Notes
    -----
    An id that is retrieved twice is an error; with `duplicates="first"` the first one counts. A
    query without retrieved ids counts 0; one without expected ids is undefined and counts `empty=`.

    Examples
    --------
    >>> RankingMetric("AP").compute(expected_ids=["a", "b", "c"], retrieved_ids=["a", "x", "b"])
    RetrievalMetricResult(score=0.5555555555555555, metadata={})
    """

    request: Any
    metric_name: str

    def __init__(self, measure: str | Measure, **options: Unpack[HostIdOptions]) -> None:
        request = read_request(measure, options, single=True, ids=True)
        super().__init__(request=request, metric_name=request.labels[0])

    def compute(
        self,
        query: str | None = None,
        expected_ids: list[str] | None = None,
        retrieved_ids: list[str] | None = None,
        expected_texts: list[str] | None = None,
        retrieved_texts: list[str] | None = None,
        **kwargs: object,
    ) -> Any:
        """The value of one query; texts are ignored."""
        if expected_ids is None or retrieved_ids is None:
            raise ValueError("expected_ids and retrieved_ids must be lists of ids")
        evaluation = self.request.of_ids([retrieved_ids], [expected_ids])
        return host.RetrievalMetricResult(score=evaluation.means[self.request.name])
