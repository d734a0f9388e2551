"""mlflow: metrics for `mlflow.models.evaluate`, and scorers for `mlflow.genai.evaluate`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import evaluate_ids
from .hosts import larger_is_better, requested_one, required

if TYPE_CHECKING:
    from ..measures.measure import Measure


mlflow = required("mlflow")


def ranking_metric(measure: str | Measure, **options: Any) -> Any:
    """A metric for `extra_metrics` of `mlflow.models.evaluate`, model_type="retriever".

    Parameters
    ----------
    measure : str or Measure
        One: mlflow logs "nDCG_at_5/mean", "/variance" and "/p90", as it takes no "@" in a name.
    options
        Of `rankgain.evaluate_ids`, such as `duplicates="first"` and `convention=`.

    Predictions are the retrieved ids of each row, targets the relevant ones. Where a row is
    undefined and `empty="skip"`, its score is nan, and the aggregated values leave it out.

    >>> metric = ranking_metric("nDCG@5")
    >>> metric.eval_fn([["a", "x"]], [["a"]]).scores
    [1.0]
    """
    request = requested_one(measure, options, evaluate_ids)

    def rankgain(predictions: Any, targets: Any) -> Any:
        evaluation = evaluate_ids(list(predictions), list(targets), measure, **options)
        values = evaluation.per_query[request.name]
        rest = values[~np.isnan(values)]
        total = {"mean": evaluation.means[request.name]}
        if len(rest):
            total |= {"variance": float(np.var(rest)), "p90": float(np.percentile(rest, 90))}
        return mlflow.metrics.MetricValue(scores=values.tolist(), aggregate_results=total)

    larger, name = larger_is_better(request.name), _name(request.name)
    return mlflow.models.make_metric(eval_fn=rankgain, greater_is_better=larger, name=name)


def ranking_scorer(
    measure: str | Measure,
    *,
    retrieved: str = "retrieved",
    relevant: str = "relevant",
    **options: Any,
) -> Any:
    """A scorer for `mlflow.genai.evaluate(scorers=[...])`: a number for each row, and their mean.

    Parameters
    ----------
    measure : str or Measure
        One: "nDCG@5" is "nDCG_at_5" there, as mlflow takes no "@" in a name.
    retrieved, relevant : str
        The key of `outputs` that holds the retrieved ids, best first, and that of `expectations`
        with the relevant ones: a list, or a dict id -> label. Outputs that are not a dict are the
        ids.
    options
        Of `rankgain.evaluate_ids`, such as `duplicates="first"` and `convention=`.

    >>> score = ranking_scorer("RR", relevant="docs")
    >>> score(outputs={"retrieved": ["x", "a"]}, expectations={"docs": ["a"]})
    0.5
    """
    request = requested_one(measure, options, evaluate_ids)

    @mlflow.genai.scorers.scorer(name=_name(request.name), aggregations=["mean"])  # type: ignore[untyped-decorator]
    def rankgain(outputs: Any, expectations: Any) -> float:
        ids = _under(retrieved, outputs, "outputs") if isinstance(outputs, dict) else outputs
        wanted = _under(relevant, expectations, "expectations")
        evaluation = evaluate_ids([list(ids)], [wanted], measure, **options)
        return float(evaluation.means[request.name])

    return rankgain


def _name(measure: str) -> str:
    """The name of a measure with characters that mlflow allows."""
    return re.sub(r"\W+", "_", measure.replace("@", "_at_")).replace("__", "_")


def _under(key: str, values: Any, name: str) -> Any:
    """The value under a key; an error names the keys that there are."""
    if not isinstance(values, dict) or key not in values:
        have = f"there are {', '.join(map(repr, values))}" if values else "there are none"
        raise ValueError(f"{name} has no key {key!r}; {have}")
    return values[key]
