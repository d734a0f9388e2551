"""Exact sums of doubles: an integer times a power of two.

Long columns are cut into parts of few bits. A part is what is left of each number after a large
power of two is added and taken off again; NumPy adds the parts without rounding, in any order.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike

    from ..inputs.types import Floats

FSUM_BELOW = 250  # fewer numbers are added faster by the standard library
MAX_INTEGER_SUM_LENGTH = 24  # up to so many numbers, integers of Python are faster
BLOCK_LENGTH = 1 << 13  # numbers that stay in the first caches
OVERFLOW_LIMIT = 2.0**970  # magnitudes from which on a part could overflow
MAX_FACTOR = 2.0**480  # products of factors between this and its inverse are cut without loss
MAX_EXPONENT = 2**13  # above the exponents of all sums of products of doubles


def exact_sum(values: ArrayLike, factors: ArrayLike | None = None) -> float:
    """The sum of values, or of values * factors, rounded once: the nearest double.

    A sum beyond the largest double is infinite. Infinite values and NaN are added as in IEEE 754,
    whatever their order.
    """
    x = np.ascontiguousarray(values, np.float64)
    if factors is None and len(x) < FSUM_BELOW:
        try:
            return math.fsum(x.tolist())
        except (OverflowError, ValueError):  # beyond the doubles, or infinities of both signs
            pass
    rounded = _round_sum(x, factors)
    if rounded is None:
        return float(Exact.of(x, factors))
    return rounded


def _round_sum(x: Floats, factors: ArrayLike | None) -> float | None:
    """The nearest double of a sum, if one cut of each block shows it, as it mostly does; else None.

    What a cut leaves over is summed with rounding, whose error is bounded. If the sum minus and
    plus the bound round to one double, the exact sum does too.
    """
    y = _read_factors(factors, len(x))
    # Without factors no parts are stored, so twice as many numbers stay in the caches.
    length = BLOCK_LENGTH if y is not None else 2 * BLOCK_LENGTH
    sums: list[float] = []
    error = 0.0
    for start in range(0, len(x), length):
        column = x[start : start + length]
        if y is not None:
            columns = cut_columns(column, y[start : start + length])
            if columns is None:
                return None
            column = np.concatenate(columns)
        largest = max(float(np.maximum.reduce(column)), -float(np.minimum.reduce(column)))
        if not largest < OVERFLOW_LIMIT:  # or NaN
            return None
        level = _rounding_level(largest, len(column))
        sums += _core.sum_parts(column, level)
        # What is left are n numbers up to 2**-53 level. Adding them rounds n times, each time by at
        # most 2**-53 of a sum up to n * 2**-53 level: n**2 * 2**-106 level in all. The bound is
        # four times that.
        error += len(column) ** 2 * (level * 2.0**-104 + 2.0**-1074)
    low, high = math.fsum([*sums, -error]), math.fsum([*sums, error])
    if low != high:
        return None
    return low


def _read_factors(factors: ArrayLike | None, n: int) -> Floats | None:
    """The factors of n values as float64, or None."""
    if factors is None:
        return None
    y = np.ascontiguousarray(factors, np.float64)
    if len(y) != n:
        raise ValueError(f"{n} values have {len(y)} factors")
    return y


class Exact(NamedTuple):
    """mantissa * 2**exponent + special."""

    mantissa: int = 0  # odd or 0, so that equal sums have equal fields
    exponent: int = 0
    # The sum of all values that are not finite. NaN is always the object `math.nan`, so that equal
    # sums are equal tuples: tuples compare their fields by identity first.
    special: float = 0.0

    @classmethod
    def of(cls, values: ArrayLike, factors: ArrayLike | None = None) -> Exact:
        """The sum of values, or of values * factors."""
        x = np.ascontiguousarray(values, np.float64)
        y = _read_factors(factors, len(x))
        if len(x) <= MAX_INTEGER_SUM_LENGTH:
            try:
                return cls.total(_integer_ratios(x, y))
            except (OverflowError, ValueError):  # a number is not finite
                pass
        with np.errstate(all="ignore"):
            finite = np.isfinite(x)
            if y is not None:
                finite &= np.isfinite(y)
            if not finite.all():
                products = x if y is None else x * y
                return cls.reduced(0, 0, float(products[~finite].sum()))
            ratios: list[tuple[int, int]] = []  # a few for each block
            for start in range(0, len(x), BLOCK_LENGTH):
                block = slice(start, start + BLOCK_LENGTH)
                if y is None:
                    ratios += _block_ratios(x[block], None)
                else:
                    ratios += _block_ratios(x[block], y[block])
            return cls.total(ratios)

    @classmethod
    def total(cls, ratios: Iterable[tuple[int, int]]) -> Exact:
        """The sum of fractions whose denominators are powers of two."""
        terms = list(ratios)
        # The largest power of two is a multiple of all others: the common denominator.
        common = max((below for _, below in terms), default=1)
        numerator = sum(above * (common // below) for above, below in terms)
        return cls.reduced(numerator, 1 - common.bit_length(), 0.0)

    @classmethod
    def reduced(cls, mantissa: int, exponent: int, special: float) -> Exact:
        """mantissa * 2**exponent + special in lowest terms: with an odd mantissa, or zero."""
        if math.isnan(special):
            return cls(0, 0, math.nan)
        if special or not mantissa:
            return cls(0, 0, special)
        lowest_bit = mantissa & -mantissa
        zeros = lowest_bit.bit_length() - 1
        return cls(mantissa >> zeros, exponent + zeros, special)

    def plus(self, other: Exact) -> Exact:
        """The sum of both; associative and commutative."""
        exponent = min(self.exponent, other.exponent)
        mantissa = self.mantissa << (self.exponent - exponent)
        mantissa += other.mantissa << (other.exponent - exponent)
        return self.reduced(mantissa, exponent, self.special + other.special)

    def __float__(self) -> float:
        """The nearest double."""
        if self.special:
            return self.special
        return ratio(self.mantissa, 1, self.exponent)

    def text(self) -> str:
        """Text that `parse` reads back: "3p-1" is 1.5."""
        if self.special:
            return f"{self.special}"
        return f"{self.mantissa:x}p{self.exponent}"

    @classmethod
    def parse(cls, text: Any) -> Exact:
        """Read the text that `text` returns."""
        try:
            if text in ("nan", "inf", "-inf"):
                return cls.reduced(0, 0, float(text))
            mantissa, exponent = text.split("p")
            if abs(int(exponent)) > MAX_EXPONENT:
                raise ValueError
            return cls.reduced(int(mantissa, 16), int(exponent), 0.0)
        except (AttributeError, TypeError, ValueError):
            raise ValueError(f'not an exact sum, such as "3p-1": {text!r:.60}') from None


def _block_ratios(x: Floats, y: Floats | None) -> Iterable[tuple[int, int]]:
    """Fractions that add up to the sum of a block: of its parts, or of each number."""
    columns = cut_columns(x, y)
    if columns is None:
        return _integer_ratios(x, y)
    parts = chain.from_iterable(map(cut_parts, columns))
    return [float(part.sum()).as_integer_ratio() for part in parts]


def _integer_ratios(x: Floats, y: Floats | None) -> Iterator[tuple[int, int]]:
    """A fraction for each number or product."""
    ratios = map(float.as_integer_ratio, x.tolist())
    if y is None:
        yield from ratios
        return
    factor_ratios = map(float.as_integer_ratio, y.tolist())
    for (above, below), (factor_above, factor_below) in zip(ratios, factor_ratios, strict=True):
        yield above * factor_above, below * factor_below


def cut_columns(x: Floats, y: Floats | None) -> tuple[Floats, ...] | None:
    """Columns that add up to x, or to x * y; None if numbers are too large or small for it."""
    if y is None:
        if np.abs(x).max(initial=0.0) < OVERFLOW_LIMIT:
            return (x,)
        return None
    sizes = np.abs(np.concatenate((x, y)))
    smallest = sizes[sizes > 0].min(initial=1.0)
    if not (sizes.max(initial=0.0) < MAX_FACTOR and smallest > 1 / MAX_FACTOR):
        return None
    # Dekker 1971: each factor is split into an upper and a lower half of its bits. The products of
    # halves are exact, and give what rounding took from the product of the whole numbers.
    product = x * y
    x_high, y_high = _upper_half(x), _upper_half(y)
    x_low, y_low = x - x_high, y - y_high
    remainder = product - x_high * y_high
    remainder = remainder - x_low * y_high
    remainder = remainder - x_high * y_low
    error = x_low * y_low - remainder
    return product, error


def _upper_half(x: Floats) -> Floats:
    """Each number rounded to 26 bits (Veltkamp's splitting, by 2**27 + 1)."""
    scaled = x * 134217729.0
    result: Floats = scaled - (scaled - x)
    return result


def cut_parts(x: Floats, spare: int = 0) -> Iterator[Floats]:
    """Arrays that add up to x, and whose sums are exact (Rump et al. 2008).

    The sums are exact even if each number is multiplied by an integer of up to `spare` bits.
    """
    while (largest := float(np.abs(x).max(initial=0.0))) > 0.0:
        # Adding the level rounds the low bits away; subtracting it again is exact and leaves the
        # high ones. What is left of x is exact, too, and smaller, so a few parts hold all bits.
        level = _rounding_level(largest, len(x), spare)
        part = (x + level) - level
        yield part
        x = x - part


def _rounding_level(largest: float, n: int, spare: int = 0) -> float:
    """The power of two that cuts n numbers up to `largest` when it is added and taken off again.

    Sums of n numbers cut so are exact: they are multiples of 2**-53 level, and at most the level.
    """
    _, exponent = math.frexp(largest)
    return math.ldexp(1.0, exponent + n.bit_length() + spare + 1)


def add_sums(first: tuple[Exact, ...], second: tuple[Exact, ...]) -> tuple[Exact, ...]:
    """Add two tuples of sums, element by element."""
    return tuple(a.plus(b) for a, b in zip(first, second, strict=True))


def ratio(above: int, below: int, exponent: int = 0) -> float:
    """above / below * 2**exponent, rounded once."""
    if exponent >= 0:
        above <<= exponent
    else:
        below <<= -exponent
    try:
        return above / below
    except OverflowError:
        if (above < 0) == (below < 0):
            return math.inf
        return -math.inf
