"""What lists add to the mean of a measure under a convention, and that mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from ..convention import Convention
from ..inputs.arrays import plain_array
from ..inputs.labelled import as_mapping
from .means import Column, MeanRule
from .means import mean as mean_of_column
from .resampling import Shares
from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..inputs.types import Array, Bools, Floats, Integers, Weight


LEAST = 0.00001  # trec_eval's smallest value of a geometric mean


def read_weights(
    weight: Weight,
    n: int,
    queries: Sequence[object] | Array | None,
    input_queries: Sequence[object] | None = None,
) -> Any:
    """One finite weight >= 0 per list, or None; input_queries: before their conversion to text."""
    if weight is None:
        return None
    names = range(n) if queries is None else np.asarray(queries).tolist()
    weight = as_mapping(weight, "weight", names if input_queries is None else input_queries)
    if isinstance(weight, Mapping):
        if input_queries is not None:  # a mapping may have the text of integer queries
            names = [a if a in weight else b for a, b in zip(input_queries, names, strict=True)]
        missing = [name for name in names if name not in weight]
        if missing:
            raise ValueError(f"weight has no entry for query {missing[0]!r}")
        weight = [weight[name] for name in names]
    weights = plain_array(weight, "weight")
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
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise ValueError("weight: the sum of all overflows a double; use smaller weights")
    return weights


class Sharing(NamedTuple):
    """How lists add to the mean of one measure under a convention."""

    kind: str = "mean"  # as in Shares
    rule: MeanRule = MeanRule()
    order: Any = None  # the order of the lists by the rule
    skips: bool = False  # undefined values and their weights are left out
    empty_has_weight: bool = True
    weighted: bool = True
    unchanged: bool = True  # the convention does not change the kind


def sharing_of(
    convention: Convention,
    settings: Settings,
    kind: str = "mean",
    order: Integers | slice | None = None,
) -> Sharing:
    """How a convention averages one measure; kind: the kind of mean of its family."""

    def field(name: str) -> Any:
        return convention.for_family(name, settings.function, cut=settings.k is not None)

    changed = "geometric" if kind == "mean" and field("mean") == "geometric" else kind
    return Sharing(
        changed,
        MeanRule.of(convention),
        order,
        settings.empty == "skip",
        field("empty_has_weight"),
        field("weighted"),
        changed == kind,
    )


def logarithms(values: Floats) -> Any:
    """The logarithms for a geometric mean; values below LEAST are raised to it."""
    result = np.ascontiguousarray(np.maximum(values, LEAST), np.float64)
    _core.take_logarithms(result.reshape(-1))
    return result


def shares_of(
    values: Array,
    weights: Floats | None,
    undefined: Bools,
    sharing: Sharing,
    divisors: Floats | None = None,
) -> Shares | None:
    """What each list adds to the mean; None if that is its value times its weight.

    divisors: what each list adds to the divisor of a micro mean.
    """
    simple = weights is None or (sharing.weighted and sharing.empty_has_weight)
    if simple and sharing.unchanged and divisors is None:
        return None
    if not sharing.weighted:
        weights = None
    counts = weights  # the factor of each value; `weights` are the divisors
    if weights is not None and not sharing.empty_has_weight:
        counts = np.where(undefined, 1.0, weights)
    if sharing.kind == "geometric":
        values = logarithms(values)
    if divisors is not None:
        weights = divisors if weights is None else weights * divisors
        counts = divisors if counts is None else counts * divisors
    return Shares(sharing.kind, values if counts is None else counts * values, weights)


def mean(
    values: Floats,
    weights: Floats | None,
    undefined: Bools,
    sharing: Sharing,
    shares: Shares | None = None,
) -> float:
    """The mean over lists; shares: from `shares_of`."""
    if shares is not None:
        column = Column(shares.kind, shares.numerators, None, shares.divisors)
    else:
        values = logarithms(values) if sharing.kind == "geometric" else values
        column = Column(sharing.kind, values, weights, weights)
    counts = ~undefined if sharing.skips else None
    return mean_of_column(column, counts, sharing.rule, sharing.order)
