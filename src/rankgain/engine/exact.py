"""Sums of doubles as they are: a whole number times a power of two."""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import _core

FARTHEST = 2**13  # exponents that no sum of products of doubles has


def exact_sum(values: Any, factors: Any = None) -> float:
    """The sum of values, or of values * factors, rounded once: the nearest double.

    A sum beyond the largest double is infinite; an infinite value or NaN makes the sum what IEEE
    754 says, in any order.
    """
    return float(_core.exact_sum(_column(values), None if factors is None else _column(factors)))


def _column(values: Any) -> Any:
    return np.ascontiguousarray(values, np.float64)


class Exact(NamedTuple):
    """whole * 2**exponent + special, with an odd whole; of two sums there is one sum.

    special: the sum of all that is not finite, else 0.0; NaN is `math.nan`, which equals itself.
    """

    whole: int = 0
    exponent: int = 0
    special: float = 0.0

    @classmethod
    def of(cls, values: Any, factors: Any = None) -> "Exact":
        """The sum of values, or of values * factors."""
        factors = None if factors is None else _column(factors)
        return cls.reduced(*_core.exact_parts(_column(values), factors))

    @classmethod
    def reduced(cls, whole: int, exponent: int, special: float) -> "Exact":
        """whole * 2**exponent + special, with an odd whole."""
        if special or not whole:
            return cls(0, 0, math.nan if special != special else special)
        zeros = (whole & -whole).bit_length() - 1
        return cls(whole >> zeros, exponent + zeros, special)

    def plus(self, other: "Exact") -> "Exact":
        """The sum of both; associative and commutative."""
        low = min(self.exponent, other.exponent)
        whole = (self.whole << (self.exponent - low)) + (other.whole << (other.exponent - low))
        return self.reduced(whole, low, self.special + other.special)

    def __float__(self) -> float:
        """The nearest double."""
        if self.special:
            return self.special
        return ratio(self.whole, 1, self.exponent)

    def text(self) -> str:
        """As text that `parse` reads: "3p-1" is 1.5."""
        return f"{self.whole:x}p{self.exponent}" if not self.special else f"{self.special}"

    @classmethod
    def parse(cls, text: Any) -> "Exact":
        """What `text` wrote."""
        try:
            if text in ("nan", "inf", "-inf"):
                return cls.reduced(0, 0, float(text))
            whole, exponent = (
                int(one, base) for one, base in zip(text.split("p"), (16, 10), strict=True)
            )
            if abs(exponent) > FARTHEST:
                raise ValueError
            return cls.reduced(whole, exponent, 0.0)
        except (AttributeError, TypeError, ValueError):
            raise ValueError(f'not an exact sum, such as "3p-1": {text!r:.60}') from None


def added(some: tuple[Exact, ...], others: tuple[Exact, ...]) -> tuple[Exact, ...]:
    """Sums added one by one."""
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
