"""From the values of the lists to the mean, by the rules of a convention."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .convention import Convention
from .settings import Settings

LEAST = 0.00001  # trec_eval's smallest value of a geometric mean


def read_weights(weight: Any, n: int, queries: Any) -> Any:
    """One finite weight >= 0 per list, or None."""
    if weight is None:
        return None
    if isinstance(weight, Mapping):
        names = range(n) if queries is None else list(queries)
        missing = [name for name in names if name not in weight]
        if missing:
            raise ValueError(f"weight has no entry for query {missing[0]!r}")
        weight = [weight[name] for name in names]
    weights = np.asarray(weight)
    if weights.dtype.kind not in "biuf":
        raise TypeError(f"weight must hold numbers, not {weights.dtype}")
    if weights.shape != (n,):
        raise ValueError(f"weight has shape {weights.shape}, but there are {n} lists")
    weights = weights.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if bad.size:
        raise ValueError(
            f"weight: list {bad[0]} has {weights[bad[0]]}; weights must be finite and at least 0"
        )
    return weights


class Rule(NamedTuple):
    """How the values of one measure become a mean."""

    skips: bool = False  # undefined values stay out together with their weight
    empty_has_weight: bool = True
    weighted: bool = True
    geometric: bool = False
    round: int | None = None


def rule_of(convention: Convention, settings: Settings) -> Rule:
    """A convention's rule for the mean of one measure."""

    def field(name: str) -> Any:
        return convention.for_family(name, settings.function, cut=settings.k is not None)

    return Rule(
        settings.empty == "skip",
        field("empty_has_weight"),
        field("weighted"),
        field("mean") == "geometric",
        convention.round_mean,
    )


def mean(values: Any, weights: Any, undefined: Any, rule: Rule, items: Any = None) -> float:
    """The mean over lists, or the ratio of the weighted sums of values * items and of items."""
    if not rule.weighted:
        weights = None
    counts = weights  # what each value counts; `weights` are what is divided by
    if weights is not None and not rule.empty_has_weight:
        counts = np.where(undefined, 1.0, weights)
    if rule.skips:
        keep = ~undefined
        values = values[keep]
        weights, counts, items = (
            None if one is None else one[keep] for one in (weights, counts, items)
        )
    if rule.geometric:
        values = np.log(np.maximum(values, LEAST))
    if items is not None:
        weights = items if weights is None else weights * items
        counts = items if counts is None else counts * items
    if weights is None:
        value = float(np.mean(values)) if len(values) else float("nan")
    else:
        total = float(np.sum(weights))
        value = float(np.sum(counts * values)) / total if total > 0 else float("nan")
    if rule.geometric:
        value = math.exp(value)
    return value if rule.round is None else round(value, rule.round)
