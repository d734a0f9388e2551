"""From the values of the lists to the mean, by the rules of a convention."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..convention import Convention
from ..engine.settings import Settings
from ..lists.forms.arrays import plain_array
from ..lists.forms.labelled import as_mapping
from ..names.family import Family
from ..results.intervals.resampling import Shares
from ..results.sums.cells import mean_of
from ..results.sums.exact import Exact, exact_sum

LEAST = 0.00001  # trec_eval's smallest value of a geometric mean


def read_weights(weight: Any, n: int, queries: Any, shown: Any = None) -> Any:
    """One finite weight >= 0 per list, or None; `shown` are the queries as they went in."""
    if weight is None:
        return None
    names = range(n) if queries is None else np.asarray(queries).tolist()
    weight = as_mapping(weight, "weight", names if shown is None else shown)
    if isinstance(weight, Mapping):
        if shown is not None:  # who has integers may give their text
            names = [a if a in weight else b for a, b in zip(shown, names, strict=True)]
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


class Rule(NamedTuple):
    """How the values of one measure become a mean."""

    skips: bool = False  # undefined values stay out together with their weight
    empty_has_weight: bool = True
    weighted: bool = True
    geometric: bool = False
    total: bool = False  # the sum instead of the mean
    round: int | None = None
    order: Any = None  # in which lists are added one after the other; None: as they stand
    exact: bool = True  # sums are rounded once


def rule_of(
    convention: Convention, settings: Settings, kind: str = "mean", order: Any = None
) -> Rule:
    """A convention's rule for the mean of one measure, and what kind of mean the measure has."""

    def field(name: str) -> Any:
        return convention.for_family(name, settings.function, cut=settings.k is not None)

    return Rule(
        settings.empty == "skip",
        field("empty_has_weight"),
        field("weighted"),
        kind == "geometric" or field("mean") == "geometric",
        kind == "sum",
        convention.round_mean,
        order,
        convention.summation == "exact",
    )


def logarithms(values: Any) -> Any:
    """The logarithms of which a geometric mean is made, of no value below LEAST."""
    found = np.ascontiguousarray(np.maximum(values, LEAST), np.float64)
    _core.take_logarithms(found.reshape(-1))
    return found


def shares_of(values: Any, weights: Any, undefined: Any, rule: Rule, items: Any = None) -> Shares:
    """What each list adds to the mean; lists that are left out are among them."""
    if not rule.weighted:
        weights = None
    counts = weights  # what each value counts; `weights` are what is divided by
    if weights is not None and not rule.empty_has_weight:
        counts = np.where(undefined, 1.0, weights)
    if rule.geometric:
        values = logarithms(values)
    if items is not None:
        weights = items if weights is None else weights * items
        counts = items if counts is None else counts * items
    kind = "sum" if rule.total else "geometric" if rule.geometric else "mean"
    return Shares(kind, values if counts is None else counts * values, weights)


def is_plain(rule: Rule, family: Family, weights: Any, items: Any) -> bool:
    """Whether values, weights and the family say all that there is to the mean."""
    if items is not None or rule.geometric != (family.mean == "geometric"):
        return False
    return weights is None or (rule.weighted and rule.empty_has_weight)


def _in_order(values: Any) -> float:
    """The sum, one value after the other."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def mean(values: Any, weights: Any, undefined: Any, rule: Rule, items: Any = None) -> float:
    """The mean over lists, their sum, or the ratio of the sums of values * items and of items."""
    factors = None
    if rule.exact and items is None and rule.weighted and rule.empty_has_weight:
        # Products of values and weights are not rounded either.
        values, factors = logarithms(values) if rule.geometric else values, weights
        divisors = weights
    else:
        _, values, divisors = shares_of(values, weights, undefined, rule, items)
    columns = [values, factors, divisors]
    if rule.order is not None:
        columns = [None if one is None else one[rule.order] for one in columns]
        undefined = undefined[rule.order]
    if rule.skips:
        keep = ~undefined
        columns = [None if one is None else one[keep] for one in columns]
    value = _quotient(columns, rule)
    if rule.geometric:
        value = math.exp(value)
    return value if rule.round is None else round(value, rule.round)


def _quotient(columns: list[Any], rule: Rule) -> float:
    """The sum of the values (times factors) over that of the divisors, or the sum alone."""
    values, factors, divisors = columns
    add: Any = np.add.reduce if rule.order is None else _in_order
    above = exact_sum(values, factors) if rule.exact else float(add(values))
    if rule.total:
        return above
    if divisors is None:
        below = float(len(values))
    else:
        below = exact_sum(divisors) if rule.exact else float(add(divisors))
    if rule.exact and math.isinf(above) and below > 0:  # the mean may be finite
        count = Exact(len(values)) if divisors is None else Exact.of(divisors)
        return mean_of("mean", Exact.of(values, factors), count)
    return above / below if below > 0 else float("nan")
