"""mteb: nAUC, which says how well the scores of a query predict its value."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .. import Evaluation

Floats = NDArray[np.float64]
RATES = np.linspace(0, 1, 11)[:-1]  # shares of the queries that are left out: 0 to 0.9


def nauc(evaluation: Evaluation, run: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """{"nAUC_nDCG@10_max": ..., "nAUC_nDCG@10_std": ..., "nAUC_nDCG@10_diff1": ...} and so on.

    A query's confidence is its highest score, the standard deviation of its scores, or the highest
    minus the second. The means over queries, with more and more tenths of the least confident left
    out, are a curve. nAUC is (area - flat) / (best - flat): 1 if confidence orders the queries as
    the measure does, 0 if it says nothing, NaN if all values are equal. Queries of equal confidence
    take their mean. A query without documents has confidence 0, and the difference is 0 for a
    single document. The source is arXiv 2402.12997, as mteb implements it.

    >>> import rankgain as rg
    >>> run = {"q": {"a": 0.9, "b": 0.1}, "r": {"a": 0.5, "b": 0.4}}
    >>> result = rg.evaluate({"q": {"a": 1}, "r": {"b": 1}}, run, "nDCG@10", convention="mteb")
    >>> nauc(result, run)["nAUC_nDCG@10_max"]
    1.0
    """
    for query in evaluation.queries:
        if query not in run:
            raise ValueError(
                f"query {query!r} of the evaluation is not in run: pass the run that was "
                "evaluated, with {} for a query without documents"
            )
    rows = np.zeros((len(evaluation.queries), 3))
    for row, query in zip(rows, evaluation.queries, strict=True):
        scores = np.fromiter(run[query].values(), np.float64)
        if scores.size:
            descending = np.sort(scores)[::-1]
            gap = 0.0
            if len(scores) > 1:
                gap = descending[0] - descending[1]
            row[:] = descending[0], scores.std(), gap
    result = {}
    for measure, values in evaluation.per_query.items():
        # Without an order of the queries the curve is flat at the mean of all, over the same rates.
        best = _area(values, values)
        flat = values.mean() * RATES[-1]
        for name, confidence in zip(("max", "std", "diff1"), rows.T, strict=True):
            normalised = np.nan  # all values are equal
            if values.min() != values.max():
                normalised = (_area(confidence, values) - flat) / (best - flat)
            result[f"nAUC_{measure}_{name}"] = float(normalised)
    return result


def _area(confidence: Floats, values: Floats) -> float:
    """The area under the curve of the means of queries that are confident enough."""
    _, group, sizes = np.unique(confidence, return_inverse=True, return_counts=True)
    means = np.repeat(np.bincount(group, values) / sizes, sizes)  # by ascending confidence
    # At each rate the mean of the queries that are left, of which there is always one.
    left_out = np.round(RATES * len(means)).astype(int)
    starts = np.minimum(left_out, len(means) - 1)
    curve = [means[start:].mean() for start in starts]
    return float(np.trapezoid(curve, RATES))
