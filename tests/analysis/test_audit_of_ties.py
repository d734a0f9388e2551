"""`audit` reports ties broken for or against the system, whichever convention does the same."""

from collections.abc import Callable

import numpy as np
import pytest

import rankgain as rg

Metric = Callable[..., float]
ERRORS = {1: ("ties for the system", "optimistic"), -1: ("ties against the system", "pessimistic")}


def make_metric(measure: str, favour: int) -> Metric:
    """A metric that ranks relevant documents first (1) or last (-1) among equal scores, or (0)
    keeps the order of the input.
    """

    def metric(labels: np.ndarray, scores: np.ndarray, k: int | None = None) -> float:
        if not (np.isfinite(scores).all() and np.isfinite(labels).all()):
            raise ValueError("a score or a label is not finite")
        relevant = np.asarray(labels) > 0
        order = np.lexsort((-favour * relevant.astype(int), -np.asarray(scores)))
        hits = relevant[order][:k]
        ranks = np.flatnonzero(hits) + 1
        if measure == "RR":
            return float(1 / ranks[0]) if len(ranks) else 0.0
        if measure == "P":
            return len(ranks) / (k or len(hits))
        precisions = np.arange(1, len(ranks) + 1) / ranks
        return float(precisions.sum() / relevant.sum()) if relevant.any() else 0.0

    return metric


@pytest.mark.parametrize("favour", [1, -1])
@pytest.mark.parametrize(
    ("measure", "k"), [("RR", 10), ("RR", None), ("AP", 10), ("AP", None), ("P", 5)]
)
def test_ties_for_and_against_the_system_are_errors(
    measure: str, k: int | None, favour: int
) -> None:
    result = rg.audit(make_metric(measure, favour), measure=measure, k=k)
    error, name = ERRORS[favour]
    assert result.errors == (error,)
    assert result.choices["ties"] == ("best" if favour == 1 else "worst")
    text = str(result)
    [line] = [line for line in text.splitlines() if line.startswith(f"{error}: ")]
    assert line.endswith(f'as in the convention "pykeen-{name}" for link prediction')
    example = result.examples[error]
    assert example.right is not None
    assert (example.value > example.right) == (favour == 1)
