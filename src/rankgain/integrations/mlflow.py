"""mlflow: metrics for `mlflow.models.evaluate`, and scorers for `mlflow.genai.evaluate`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

import numpy as np

from .hosts import read_request, require

if TYPE_CHECKING:
    from ..measures.measure import Measure
    from .hosts import HostIdOptions


mlflow = require("mlflow")

Rows: TypeAlias = Iterable[Iterable[object]]


def ranking_metric(measure: str | Measure, **options: Unpack[HostIdOptions]) -> Any:
    """A metric for `extra_metrics` of `mlflow.models.evaluate`, model_type="retriever".

    Parameters
    ----------
    measure : str or Measure
        One: mlflow logs "nDCG_at_5/mean", "/variance" and "/p90", as it allows no "@" in names.
    options
        Of `rankgain.evaluate_ids`, such as `duplicates="first"` and `convention=`.

    Notes
    -----
    Predictions are the retrieved ids of each row, targets the relevant ones. Where a row is
    undefined, as with `empty="skip"`, its score is None, and the aggregated values skip it;
    if all are, there are none. A row that is text is an error, as ids are a list of texts.

    Examples
    --------
    >>> metric = ranking_metric("nDCG@5")
    >>> metric.eval_fn([["a", "x"]], [["a"]]).scores
    [1.0]
    """
    request = read_request(measure, options, single=True, ids=True)

    def rankgain(predictions: Rows, targets: Rows) -> object:
        retrieved = [_ids(ids, "predictions") for ids in predictions]
        relevant = [_ids(ids, "targets") for ids in targets]
        evaluation = request.of_ids(retrieved, relevant)
        values = evaluation.per_query[request.name]
        defined = values[~np.isnan(values)].tolist()
        aggregates = {}
        if defined:
            aggregates["mean"] = evaluation.means[request.name]
            aggregates["variance"] = float(np.var(defined))
            aggregates["p90"] = float(np.percentile(defined, 90))
        scores = list(map(_none_if_nan, values.tolist()))
        return mlflow.metrics.MetricValue(scores=scores, aggregate_results=aggregates)

    rules = {"greater_is_better": request.larger[0], "name": _name(request.labels[0])}
    return mlflow.models.make_metric(eval_fn=rankgain, **rules)


def ranking_scorer(
    measure: str | Measure,
    *,
    retrieved: str = "retrieved",
    relevant: str = "relevant",
    **options: Unpack[HostIdOptions],
) -> Any:
    """A scorer for `mlflow.genai.evaluate(scorers=[...])`: a number for each row, and their mean.

    Parameters
    ----------
    measure : str or Measure
        One: "nDCG@5" is "nDCG_at_5" there, as mlflow does not allow "@" in a name.
    retrieved, relevant : str
        The key of `outputs` that holds the retrieved ids, best first, and that of `expectations`
        with the relevant ones: a list, or a dict id -> label. Outputs that are not a dict are the
        ids.
    options
        Of `rankgain.evaluate_ids`, such as `duplicates="first"` and `convention=`.

    Notes
    -----
    A row that is undefined has the value None, and mlflow's mean leaves it out.

    Examples
    --------
    >>> score = ranking_scorer("RR", relevant="docs")
    >>> score(outputs={"retrieved": ["x", "a"]}, expectations={"docs": ["a"]})
    0.5
    """
    request = read_request(measure, options, single=True, ids=True)

    @mlflow.genai.scorers.scorer(name=_name(request.labels[0]), aggregations=["mean"])  # type: ignore[untyped-decorator]
    def rankgain(outputs: Iterable[object], expectations: Iterable[object]) -> float | None:
        ids = outputs
        if isinstance(outputs, dict):
            ids = _under(retrieved, outputs, "outputs")
        retrieved_ids = _ids(ids, "outputs")
        relevant_ids = _ids(_under(relevant, expectations, "expectations"), "expectations")
        evaluation = request.of_ids([retrieved_ids], [relevant_ids])
        return _none_if_nan(evaluation.means[request.name])

    return rankgain


def _ids(values: Iterable[object], name: str) -> list[object] | Mapping[object, object]:
    """A list of ids, or a mapping to labels; text would be taken for a list of its letters."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name}: expected a list of ids, not the text {values!r:.40}")
    if isinstance(values, Mapping):
        return values
    return list(values)


def _none_if_nan(value: float) -> float | None:
    """A value as mlflow takes it: None if it is undefined."""
    return None if math.isnan(value) else value


def _name(measure: str) -> str:
    """The name of a measure with characters that mlflow allows."""
    return re.sub(r"\W+", "_", measure.replace("@", "_at_")).replace("__", "_")


def _under(key: str, values: Iterable[object], name: str) -> Any:
    """The value under a key; an error names the keys that there are."""
    if not isinstance(values, dict) or key not in values:
        keys = ", ".join(map(repr, values)) if values else "none"
        raise ValueError(f"{name} has no key {key!r}; there are {keys}")
    return values[key]
