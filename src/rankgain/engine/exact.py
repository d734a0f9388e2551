"""Exact sums of doubles: an integer times a power of two."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike

    from ..inputs.types import Floats

FSUM_BELOW = 250  # numbers that the standard library adds faster
WHOLE = 24  # numbers up to which whole numbers of Python are faster
BLOCK = 1 << 13  # numbers that stay in the first caches
LARGEST = 2.0**970  # magnitudes from which on a part could overflow
WIDEST = 2.0**480  # factors between this and its inverse have products that are cut without loss
FARTHEST = 2**13  # above the exponents of all sums of products of doubles


def exact_sum(values: ArrayLike, factors: ArrayLike | None = None) -> float:
    """The sum of values, or of values * factors, rounded once: the nearest double.

    A sum beyond the largest double is infinite. Infinite values and NaN are added as in IEEE 754,
    whatever their order.
    """
    x = _column(values)
    if factors is None and len(x) < FSUM_BELOW:
        try:
            return math.fsum(x.tolist())
        except (OverflowError, ValueError):  # beyond the doubles, or infinities of both signs
            pass
    rounded = _round_sum(x, factors)
    return float(Exact.of(x, factors)) if rounded is None else rounded


def _round_sum(x: Floats, factors: ArrayLike | None) -> float | None:
    """The nearest double of a sum, where it is certain after one cut of each block, as mostly."""
    y = None if factors is None else _column(factors)
    if y is not None and len(x) != len(y):
        raise ValueError(f"{len(x)} values have {len(y)} factors")
    sums: list[float] = []
    error = 0.0
    for at in range(0, len(x), BLOCK):
        column = x[at : at + BLOCK]
        if y is not None:
            columns = cut_columns(column, y[at : at + BLOCK])
            if columns is None:
                return None
            column = np.concatenate(columns)
        top = float(np.maximum.reduce(np.abs(column)))
        if not top < LARGEST:  # or NaN
            return None
        level = _level(top, len(column))
        part = (column + level) - level
        sums += np.add.reduce(part), np.add.reduce(column - part)
        # What is left are n numbers up to 2**-53 level. Adding them rounds n times, by 2**-53 of n
        # times so much at most; the bound is twice that.
        error += len(column) ** 2 * (level * 2.0**-104 + 2.0**-1074)
    low, high = math.fsum([*sums, -error]), math.fsum([*sums, error])
    return low if low == high else None


def _column(values: ArrayLike) -> Any:
    return np.ascontiguousarray(values, np.float64)


class Exact(NamedTuple):
    """mantissa * 2**exponent + special."""

    mantissa: int = 0  # odd, so that equal sums have equal fields
    exponent: int = 0
    special: float = 0.0  # the sum of all values that are not finite; NaN is the object `math.nan`

    @classmethod
    def of(cls, values: ArrayLike, factors: ArrayLike | None = None) -> Exact:
        """The sum of values, or of values * factors."""
        x, y = _column(values), None if factors is None else _column(factors)
        if y is not None and len(x) != len(y):
            raise ValueError(f"{len(x)} values have {len(y)} factors")
        if len(x) <= WHOLE:
            try:
                return cls.total(_whole_ratios(x, y))
            except (OverflowError, ValueError):  # a number is not finite
                pass
        with np.errstate(all="ignore"):
            finite = np.isfinite(x) if y is None else np.isfinite(x) & np.isfinite(y)
            if finite.all():
                ratios: list[tuple[int, int]] = []  # a few for each block
                for at in range(0, len(x), BLOCK):
                    a, b = x[at : at + BLOCK], None if y is None else y[at : at + BLOCK]
                    columns = cut_columns(a, b)
                    parts = (part for column in columns or () for part in cut_parts(column))
                    sums = map(float.as_integer_ratio, (float(part.sum()) for part in parts))
                    ratios += _whole_ratios(a, b) if columns is None else sums
                return cls.total(ratios)
            others = (x if y is None else x * y)[~finite]
            return cls.reduced(0, 0, float(others.sum()))

    @classmethod
    def total(cls, ratios: Iterable[tuple[int, int]]) -> Exact:
        """The sum of fractions whose denominators are powers of two."""
        terms = list(ratios)
        below = max((low for _, low in terms), default=1)
        return cls.reduced(
            sum(above * (below // low) for above, low in terms), 1 - below.bit_length(), 0.0
        )

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


def _whole_ratios(x: Floats, y: Floats | None) -> Iterator[tuple[int, int]]:
    """A fraction for each number or product."""
    values = map(float.as_integer_ratio, x.tolist())
    if y is None:
        yield from values
        return
    for (one, low), (other, lower) in zip(
        values, map(float.as_integer_ratio, y.tolist()), strict=True
    ):
        yield one * other, low * lower


def cut_columns(x: Floats, y: Floats | None) -> tuple[Floats, ...] | None:
    """Columns that add up to x, or to x * y; None where numbers are too large or small for it."""
    if y is None:
        return (x,) if np.abs(x).max(initial=0.0) < LARGEST else None
    sizes = np.abs(np.concatenate((x, y)))
    if not (sizes.max(initial=0.0) < WIDEST and sizes[sizes > 0].min(initial=1.0) > 1 / WIDEST):
        return None
    # The products, and what rounding takes from them (Dekker 1971).
    product, xs, ys = x * y, x * 134217729.0, y * 134217729.0
    x_high, y_high = xs - (xs - x), ys - (ys - y)
    x_low, y_low = x - x_high, y - y_high
    lost = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low)
    return product, lost


def cut_parts(x: Floats, spare: int = 0) -> Iterator[Floats]:
    """Arrays that add up to x, whose sums round nowhere (Rump et al. 2008), `spare` bits larger."""
    while (top := float(np.abs(x).max(initial=0.0))) > 0.0:
        level = _level(top, len(x), spare)
        part = (x + level) - level
        yield part
        x = x - part


def _level(top: float, n: int, spare: int = 0) -> float:
    """What n numbers up to `top` are added to and lose, so that sums of the parts are exact."""
    return math.ldexp(1.0, math.frexp(top)[1] + n.bit_length() + spare + 1)


def add_sums(some: tuple[Exact, ...], others: tuple[Exact, ...]) -> tuple[Exact, ...]:
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
