"""Exact sums of doubles: an integer times a power of two."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


FARTHEST = 2**13  # above the exponents of all sums of products of doubles


def exact_sum(values: ArrayLike, factors: ArrayLike | None = None) -> float:
    """The sum of values, or of values * factors, rounded once: the nearest double.

    A sum beyond the largest double is infinite. Infinite values and NaN are added as in IEEE 754,
    whatever their order.
    """
    return float(_core.exact_sum(_column(values), None if factors is None else _column(factors)))


def _column(values: ArrayLike) -> Any:
    return np.ascontiguousarray(values, np.float64)


class Exact(NamedTuple):
    """mantissa * 2**exponent + special. The mantissa is odd, so that equal sums have equal fields.

    special: the sum of all values that are not finite, else 0.0. NaN is the object `math.nan`.
    """

    mantissa: int = 0
    exponent: int = 0
    special: float = 0.0

    @classmethod
    def of(cls, values: ArrayLike, factors: ArrayLike | None = None) -> Exact:
        """The sum of values, or of values * factors."""
        factors = None if factors is None else _column(factors)
        return cls.reduced(*_core.exact_parts(_column(values), factors))

    @classmethod
    def reduced(cls, mantissa: int, exponent: int, special: float) -> Exact:
        """mantissa * 2**exponent + special in lowest terms: with an odd mantissa, or zero."""
        if special or not mantissa:
            return cls(0, 0, math.nan if special != special else special)
        zeros = (mantissa & -mantissa).bit_length() - 1
        return cls(mantissa >> zeros, exponent + zeros, special)

    def plus(self, other: Exact) -> Exact:
        """The sum of both; associative and commutative."""
        low = min(self.exponent, other.exponent)
        mantissa = (self.mantissa << (self.exponent - low)) + (
            other.mantissa << (other.exponent - low)
        )
        return self.reduced(mantissa, low, self.special + other.special)

    def __float__(self) -> float:
        """The nearest double."""
        if self.special:
            return self.special
        return ratio(self.mantissa, 1, self.exponent)

    def text(self) -> str:
        """Text that `parse` reads back: "3p-1" is 1.5."""
        return f"{self.mantissa:x}p{self.exponent}" if not self.special else f"{self.special}"

    @classmethod
    def parse(cls, text: Any) -> Exact:
        """Read the text that `text` returns."""
        try:
            if text in ("nan", "inf", "-inf"):
                return cls.reduced(0, 0, float(text))
            mantissa, exponent = (
                int(one, base) for one, base in zip(text.split("p"), (16, 10), strict=True)
            )
            if abs(exponent) > FARTHEST:
                raise ValueError
            return cls.reduced(mantissa, exponent, 0.0)
        except (AttributeError, TypeError, ValueError):
            raise ValueError(f'not an exact sum, such as "3p-1": {text!r:.60}') from None


def added(some: tuple[Exact, ...], others: tuple[Exact, ...]) -> tuple[Exact, ...]:
    """Add two tuples of sums, element by element."""
    return tuple(a.plus(b) for a, b in zip(some, others, strict=True))


def ratio(above: int, below: int, exponent: int = 0) -> float:
    """above / below * 2**exponent, rounded once."""
    if exponent >= 0:
        above <<= exponent
    else:
        below <<= -exponent
    try:
        return above / below
    except OverflowError:
        return math.inf if (above < 0) == (below < 0) else -math.inf
