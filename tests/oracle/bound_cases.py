"""The measures of the tests of bounds, beside the oracle, and random runs."""

from typing import Any

import numpy as np
import pytest

import reference

NAMES = {
    "nDCG@3": ("ndcg", {"k": 3}),
    "nDCG(gain=exp2)@5": ("ndcg", {"k": 5, "gain": "exp2"}),
    "nDCG": ("ndcg", {}),
    "DCG@2": ("dcg", {"k": 2}),
    "IDCG@4": ("idcg", {"k": 4}),
    "CG@3": ("cg", {"k": 3}),
    "AP": ("average_precision", {}),
    "AP@3": ("average_precision", {"k": 3}),
    "AP(divisor=min)@4": ("average_precision", {"k": 4, "divisor": "min"}),
    "AP(rel=2)@4": ("average_precision", {"k": 4, "rel": 2}),
    "RR@3": ("reciprocal_rank", {"k": 3}),
    "HitRate@2": ("hit_rate", {"k": 2}),
    "P@3": ("precision", {"k": 3}),
    "P(divisor=min)@9": ("precision", {"k": 9, "divisor": "min"}),
    "R@3": ("recall", {"k": 3}),
    "R(divisor=min)@2": ("recall", {"k": 2, "divisor": "min"}),
    "F1@3": ("f1", {"k": 3}),
    "RPrec": ("r_precision", {}),
    "RBP(p=0.6)@4": ("rbp", {"k": 4, "p": 0.6}),
    "RBP(gain=linear,p=0.6)@4": ("rbp", {"k": 4, "p": 0.6, "gain": "linear"}),
    "ERR@4": ("err", {"k": 4}),
    "AUC": ("auc", {}),
}
OVER_HITS = {"AP(divisor=hits)@3": ("average_precision", {"k": 3, "divisor": "hits"})}
EVERY = pytest.mark.parametrize("name", [*NAMES, *OVER_HITS])


def values_of(name: str, choices: Any) -> list[float]:
    """The oracle's defined values of (labels, scores, judged, ties)."""
    function, arguments = (NAMES | OVER_HITS)[name]
    measure = getattr(reference, function)
    result = []
    for labels, scores, judged, ties in choices:
        value = measure(labels, scores, judged=judged, ties=ties, **arguments)
        if value is not None:
            result.append(float(value))
    return result


def close(result: Any, expected: Any) -> None:
    np.testing.assert_allclose(result, expected, rtol=1e-13, atol=1e-15)
