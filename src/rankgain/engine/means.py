"""Means over lists under a convention; every mean is computed here.

A mean is a sum of numerators divided by a sum of divisors. `AveragingRule` says which lists count
and with which weights, `MeanRule` how sums are added and rounded. `Shares` are the numerators and
divisors as they are kept for intervals. `Terms` can keep values and factors apart; then their
products are summed exactly. Where `Shares` are kept, each product is rounded before it is added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from ..convention import Convention, conventions
from ..inputs.arrays import plain_array
from ..inputs.axes import as_mapping
from .exact import Exact, exact_sum, ratio
from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..inputs.types import Array, Bools, Floats, Integers, Weight


MEAN_KINDS = ("mean", "sum", "geometric")  # of Shares


class Shares(NamedTuple):
    """What each list adds to a mean: the sum of numerators is divided by the sum of divisors."""

    kind: str  # "mean"; "sum", not divided; "geometric", whose numerators are logarithms
    # Arrays of float64. `Any`, because the code that stores evaluations reads these annotations.
    numerators: Any
    divisors: Any = None  # None: 1 each

    def select(self, indices: Array) -> Shares:
        """The lists with these indices, in this order."""
        divisors = self.divisors
        if divisors is not None:
            divisors = divisors[indices]
        return Shares(self.kind, self.numerators[indices], divisors)


class MeanRule(NamedTuple):
    """How a convention computes means over lists, for all measures."""

    summation: str = "exact"  # rounded once; "pairwise", as NumPy adds; "by_id", in order of ids
    round: int | None = None  # decimals

    @classmethod
    def of(cls, convention: Convention) -> MeanRule:
        """The rule of a convention."""
        return cls(convention.summation, convention.round_mean)

    @classmethod
    def by_name(cls, convention: str) -> MeanRule:
        """The rule of a convention, or of the one it is derived from; of an unknown one: exact."""
        base, _, _ = convention.partition("(")
        named_convention = conventions.get(convention) or conventions.get(base)
        if named_convention is None:
            return cls()
        return cls.of(named_convention)

    def order(self, queries: Sequence[object] | Array | None) -> Integers | slice | None:
        """The order in which lists are added, or None if it does not matter."""
        if self.summation != "by_id":
            return None
        names: list[str] = []
        if queries is not None and not isinstance(queries, range):
            names = list(map(str, queries))
        if names == sorted(names):  # code points order as the bytes of UTF-8 do
            return slice(None)
        indices = sorted(range(len(names)), key=names.__getitem__)
        return np.array(indices, np.int64)


class Terms(NamedTuple):
    """What lists add to a mean: numerators, values * factors, and divisors."""

    kind: str  # as in Shares
    values: Floats
    factors: Floats | None  # None: 1 each
    divisors: Any  # array, or None: 1 each
    counts: Any = None  # mask of the lists that count, or None: all

    @property
    def numerators(self) -> Floats:
        """values * factors."""
        if self.factors is None:
            return self.values
        return self.values * self.factors

    def select(self, indices: Array | slice) -> Terms:
        """The lists with these indices, in this order."""
        optional = [None if array is None else array[indices] for array in self[2:]]
        return Terms(self.kind, self.values[indices], *optional)


def mean(terms: Terms, rule: MeanRule, order: Integers | slice | None = None) -> float:
    """The mean or the sum of the lists that count, in an order from `MeanRule.order`."""
    if rule.summation != "exact" and terms.factors is not None:
        terms = terms._replace(values=terms.numerators, factors=None)
    if order is not None:
        terms = terms.select(order)
    if terms.counts is not None and not terms.counts.all():
        terms = terms.select(terms.counts)
    kind, values, factors, divisors, _ = terms
    add: Any = SUMMATIONS[rule.summation]
    # Only exact sums have factors here.
    numerator = float(add(values) if factors is None else add(values, factors))
    divisor = float(len(values))
    if divisors is not None:
        divisor = float(add(divisors))
    # The quotient of two sums that overflow may be finite.
    if rule.summation == "exact" and (math.isinf(numerator) or math.isinf(divisor)):
        exact_divisor = Exact.of([len(values)] if divisors is None else divisors)
        return mean_of_sums(kind, Exact.of(values, factors), exact_divisor, rule)
    return _finish_mean(kind, numerator, divisor, rule)


def _add_one_by_one(values: Floats) -> float:
    """The sum of the values in their order."""
    if not len(values):
        return 0.0
    return float(np.cumsum(values)[-1])


SUMMATIONS = {"exact": exact_sum, "pairwise": np.add.reduce, "by_id": _add_one_by_one}


def mean_of_sums(kind: str, above: Exact, below: Exact, rule: MeanRule) -> float:
    """The mean of two exact sums, as in `mean`; if one overflows, their quotient is rounded."""
    numerator, divisor = float(above), float(below)
    overflows = math.isinf(numerator) or math.isinf(divisor)
    is_finite = not above.special and not below.special
    if kind != "sum" and overflows and is_finite and below.mantissa > 0:
        exact = fraction(above) / fraction(below)
        numerator, divisor = ratio(exact.numerator, exact.denominator), 1.0
    return _finish_mean(kind, numerator, divisor, rule)


def _finish_mean(kind: str, numerator: float, divisor: float, rule: MeanRule) -> float:
    """The sum, or the quotient (nan without a positive divisor), rounded as the rule says."""
    value = numerator
    if kind != "sum":
        value = numerator / divisor if divisor > 0 else math.nan
    if kind == "geometric":
        value = math.exp(value)
    if rule.round is not None:
        value = round(value, rule.round)
    return value


def divide_sums(kind: str, numerators: Any, divisors: Floats | float) -> Any:
    """Means of many resamples, not rounded; nan where the divisor is not positive."""
    if kind == "sum":
        return numerators
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(np.asarray(divisors) > 0, numerators / divisors, np.nan)
    if kind == "geometric":
        return np.exp(means)
    return means


def fraction(exact: Exact) -> Fraction:
    """The sum as a fraction."""
    return Fraction(exact.mantissa) * Fraction(2) ** exact.exponent


SMALLEST_GEOMETRIC_TERM = 0.00001  # trec_eval raises smaller values of a geometric mean to it


def read_weights(
    weight: Weight,
    n: int,
    queries: Sequence[object] | Array | None,
    input_queries: Sequence[object] | None = None,
) -> Any:
    """One finite weight >= 0 per list, or None; input_queries: before their conversion to text."""
    if weight is None:
        return None
    names: Sequence[object] = range(n)
    if queries is not None:
        names = np.asarray(queries).tolist()
    if input_queries is None:
        input_queries = names
    weight = as_mapping(weight, "weight", input_queries)
    if isinstance(weight, Mapping):
        weight_of_list = []
        for input_id, name in zip(input_queries, names, strict=True):
            # A mapping may have integer queries, or their text.
            if input_id in weight:
                weight_of_list.append(weight[input_id])
            elif name in weight:
                weight_of_list.append(weight[name])
            else:
                raise ValueError(f"weight has no entry for query {name!r}")
        weight = weight_of_list
    weights = plain_array(weight, "weight")
    if weights.dtype.kind not in "biuf":
        raise TypeError(f"weight must hold numbers, not {weights.dtype}")
    if weights.shape != (n,):
        raise ValueError(f"weight has shape {weights.shape}, but there are {n} lists")
    weights = weights.astype(np.float64)
    is_bad = ~np.isfinite(weights) | (weights < 0)
    if is_bad.any():
        index = int(is_bad.argmax())
        raise ValueError(
            f"weight: list {index} has {weights[index]}; weights must be finite and at least 0"
        )
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise ValueError("weight: the sum of all overflows a double; use smaller weights")
    return weights


class AveragingRule(NamedTuple):
    """How the lists of one measure are averaged under a convention."""

    kind: str = "mean"  # as in Shares
    rule: MeanRule = MeanRule()
    order: Integers | slice | None = None  # the order of the lists by the rule
    skips: bool = False  # undefined values and their weights are left out
    empty_has_weight: bool = True
    weighted: bool = True
    # Whether the kind is that of the family. A geometric mean that only the convention asks for has
    # values that are stored as they are, and not as logarithms.
    is_kind_of_family: bool = True


def read_averaging_rule(
    convention: Convention,
    rule: MeanRule,
    settings: Settings,
    kind: str = "mean",
    order: Integers | slice | None = None,
) -> AveragingRule:
    """How a convention averages one measure; kind: the kind of mean of its family."""
    fields = convention.of_family(settings.family.function, settings.k is not None)
    is_changed = kind == "mean" and fields["mean"] == "geometric"
    return AveragingRule(
        "geometric" if is_changed else kind,
        rule,
        order,
        skips=settings.empty == "skip",
        empty_has_weight=fields["empty_has_weight"],
        weighted=fields["weighted"],
        is_kind_of_family=not is_changed,
    )


def logarithms(values: Floats) -> Floats:
    """The logarithms for a geometric mean, of values raised to SMALLEST_GEOMETRIC_TERM or more."""
    result = np.ascontiguousarray(np.maximum(values, SMALLEST_GEOMETRIC_TERM), np.float64)
    _core.take_logarithms(result.reshape(-1))
    return result


def average(
    values: Floats,
    weights: Floats | None,
    undefined: Bools,
    averaging: AveragingRule,
    divisors: Floats | None = None,
) -> tuple[float, Shares | None]:
    """The mean sum(factor * value) / sum(weight) over the lists that count.

    In general, factors and weights are both the weights of the lists. With divisors, of a micro
    mean, both are multiplied by these. Also returns what lists add to the mean, unless intervals
    can compute it as stored value times weight.
    """
    # Families with a geometric mean, such as GMAP, store the logarithms as their values, so they
    # need no shares. Under a convention with mean="geometric" the stored values are those of the
    # measure itself, and the logarithms are kept as shares.
    is_value_times_weight = averaging.is_kind_of_family and divisors is None
    if weights is not None and not (averaging.weighted and averaging.empty_has_weight):
        is_value_times_weight = False
    if averaging.kind == "geometric":
        values = logarithms(values)
    if not averaging.weighted:
        weights = None
    factors = weights
    # Without its weight, an undefined list adds its value with the factor 1, but its weight to
    # the divisor still, as in LightGBM and XGBoost.
    if weights is not None and not averaging.empty_has_weight:
        factors = np.where(undefined, 1.0, weights)
    if divisors is not None:
        weights = divisors if weights is None else weights * divisors
        factors = divisors if factors is None else factors * divisors
    shares = None
    if not is_value_times_weight:
        # The mean adds the same rounded products that intervals will draw.
        if factors is not None:
            values = factors * values
        factors = None
        shares = Shares(averaging.kind, values, weights)
    counts = ~undefined if averaging.skips else None
    terms = Terms(averaging.kind, values, factors, weights, counts)
    return mean(terms, averaging.rule, averaging.order), shares
