"""Values of short lists against the oracle, which shares no code with the package."""

import math
from typing import Any

import rankgain as rg
import reference
from draws import Draws, Refused, outcome

MEASURES = ["cg", "dcg", "idcg", "ndcg", "precision", "recall", "f1", "r_precision"]
MEASURES += ["average_precision", "reciprocal_rank", "err", "auc"]
UNCUT = ("r_precision", "auc")
SCORES = [0.0, 1.0, 2.0, -1.0, 0.5, -0.0, float("inf"), float("-inf"), 1e-30]


def compare(data: bytes) -> None:
    """A measure of a list of up to seven documents, with any ties."""
    d = Draws(data)
    name, ties = d.pick(MEASURES), d.pick(["average", "stable", "reverse", "best", "worst"])
    n = d.below(8)
    labels, scores = [d.below(5) for _ in range(n)], [d.pick(SCORES) for _ in range(n)]
    options: dict[str, Any] = {}
    if name not in UNCUT and d.chance():
        options["k"] = 1 + d.below(9)
    if name in ("dcg", "ndcg", "cg", "idcg"):
        options["gain"] = d.pick(["linear", "exp2", "binary"])
        if d.chance(3) and name != "cg":
            options["discount"] = "reciprocal"
    elif name not in ("err",) and d.chance(3):
        options["rel"] = 2
    if name in ("precision", "recall", "f1") and "k" in options and d.chance(3):
        options["divisor"] = "min"
    result = outcome(
        lambda: getattr(rg, name)(labels, scores, ties=ties, **options, empty=math.nan)
    )
    expected = getattr(reference, name)(labels, scores, ties=ties, **options)
    if isinstance(result, Refused):
        raise AssertionError((name, labels, scores, options, result))
    if expected is None:
        assert result != result, (name, labels, scores, ties, options, result)
        return
    difference = abs(float(result) - float(expected))
    assert difference <= 1e-12 * max(1.0, abs(float(expected))), (
        *(name, labels, scores, ties, options),
        *(result, float(expected)),
    )
