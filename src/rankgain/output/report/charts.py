"""The templates of the page, and the positions in its SVG charts, which charts.svg draws.

All values are escaped, and an undefined name is an error.

matplotlib's SVG of the same charts has two to five times the bytes (20 systems: 23 kB instead of
5; 250 lists: 56 kB instead of 26, without their titles), and a style sheet cannot change its
colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import east_asian_width

from ...inputs.printable import count_of, printable, shorten_all
from ..text.comparison import probability

if TYPE_CHECKING:
    from ...inputs.types import Floats


# Sizes are in the units of the SVG's viewBox.
WIDTH = 420  # as wide as a phone; charts grow with the page
ROW_HEIGHT = 20
TALL_ROW_HEIGHT = 34  # of a row with the name above the interval
MAX_LETTERS = 22  # of names beside intervals
MAX_LETTERS_ABOVE = 50  # of names above intervals
BARS = 400  # up to this many lists, each has a bar
TICKS = 5


class ChartRow(NamedTuple):
    """A system or segment with its interval."""

    name: str
    value: float
    low: float
    high: float
    mark: int = 0  # 1: significantly better, -1: worse

    @property
    def has_value(self) -> bool:
        return math.isfinite(self.value)

    @property
    def has_interval(self) -> bool:
        return math.isfinite(self.low + self.high)


class Scale(NamedTuple):
    """A linear scale from values to positions in a chart."""

    low: float
    high: float
    start: float
    end: float
    zero: bool = False  # whether a line is drawn at 0

    def at(self, value: float) -> float:
        """The position of a value, to a tenth."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """Round numbers: at most five, and at least two."""
        # The largest power of ten that fits more than TICKS times; the factors widen the step until
        # at most TICKS numbers lie inside. 1e-9 takes in an end that rounding moved past a number.
        power = 10.0 ** math.floor(math.log10((self.high - self.low) / TICKS))
        result: list[float] = []
        for factor in (1, 2, 2.5, 5, 10, 20):
            step = factor * power
            first = math.ceil(self.low / step - 1e-9)
            last = math.floor(self.high / step + 1e-9)
            if result and last - first < 1:
                break
            result = [round(i * step, 10) for i in range(first, last + 1)]
            if len(result) <= TICKS:
                break
        return result


def scale(values: Sequence[float], start: float, end: float, zero: bool) -> Scale:
    """A scale for these values, with room at both ends."""
    finite = list(filter(math.isfinite, values))
    if zero:
        finite.append(0.0)
    low = min(finite, default=0.0)
    high = max(finite, default=1.0)
    # A margin of 4%, or any margin where all values are equal.
    margin = 0.04 * (high - low) or 0.5
    return Scale(low - margin, high + margin, start, end, zero)


def forest(rows: Sequence[ChartRow], label: str, zero: bool = False) -> str:
    """A point and an interval for each row; names are at the left, or above if they are long."""
    full_names = [row.name for row in rows]
    names = shorten_all(full_names, MAX_LETTERS)
    # Names that differ only after so many letters stay longer than that: they stand above.
    above = max(map(len, names)) > MAX_LETTERS
    if above:
        names = shorten_all(full_names, MAX_LETTERS_ABOVE)
        left = 8.0
        width_of_names = WIDTH - 8.0
        height = TALL_ROW_HEIGHT
    else:
        left = 16 + max(map(_width, names))
        width_of_names = left - 12
        height = ROW_HEIGHT
    positions: list[float] = []
    for row in rows:
        positions += [row.value, row.low, row.high]
    x = scale(positions, left, WIDTH - 8, zero)
    ticks = []
    for tick in x.ticks():
        # The number is centred at its tick, but moved inside where the picture would cut it.
        half = _width(f"{tick:g}") / 2
        ticks.append((tick, min(max(x.at(tick), half), WIDTH - half)))
    drawn_rows = []
    for row, name in zip(rows, names, strict=True):
        # SVG's textLength compresses a text to a width.
        compressed_to = None
        if _width(name) > width_of_names:
            compressed_to = width_of_names
        drawn_rows.append((row, name, compressed_to))
    draw = macros("charts.svg", WIDTH=WIDTH).forest
    markup: str = draw(drawn_rows, x, ticks, left, height, above, label)
    return markup


def _width(name: str) -> float:
    """An upper estimate of the width of a text."""
    width = 0.0
    for letter in name:
        # Wide and full-width characters of East Asia (W, F) are squares.
        if letter in "mwMW@%…" or east_asian_width(letter) in "WF":
            width += 12.0
        elif letter in "fijlrt.,:;'|!()[]- ":
            width += 5.0
        elif letter in "#&+<=>^~":
            width += 10.1
        elif letter.isupper():
            width += 9.5
        else:
            width += 7.7
    return width


def differences(
    values: Sequence[float] | Floats, queries: Sequence[Any], label: str, low: float, high: float
) -> str:
    """Sorted differences of two systems, with the interval of their mean; "" if there are none."""
    finite = [index for index, value in enumerate(values) if math.isfinite(value)]
    order = sorted(finite, key=lambda index: values[index])
    if not order:
        return ""
    left, bottom = 44, 190
    y = scale([values[order[0]], values[order[-1]], low, high], bottom, 8, zero=True)
    band = None  # of the interval: its upper edge and its height, which is visible even if it is 0
    if math.isfinite(low + high):
        band = y.at(high), max(y.at(low) - y.at(high), 0.5)
    bars = []
    areas = []
    if len(order) <= BARS:
        # In SVG y grows downwards, and a rectangle begins at its upper left corner. A bar goes from
        # 0 to its value, so its top is the smaller y of the two.
        zero = y.at(0)
        width = (WIDTH - left) / len(order)
        for position, index in enumerate(order):
            value = values[index]
            end = y.at(value)
            x = round(left + position * width, 1)
            height = round(abs(zero - end), 1)
            side = "better" if value > 0 else "worse"
            bar = side, x, min(zero, end), round(width, 2), height, queries[index], value
            bars.append(bar)
    else:
        # Two areas, below and above 0, sampled at 400 points that are evenly spaced from the first
        # to the last. "L x y" in a path of SVG is a line to (x, y).
        last = BARS - 1
        sampled = []
        for i in range(BARS):
            position = round(i * (len(order) - 1) / last)
            sampled.append(values[order[position]])
        for side, pick in (("worse", min), ("better", max)):
            line = ""
            for i, value in enumerate(sampled):
                x = left + i * (WIDTH - left) / last
                line += f"L{x:.1f} {y.at(pick(value, 0))}"
            areas.append((side, line))
    draw = macros("charts.svg", WIDTH=WIDTH).differences
    markup: str = draw(bars, areas, y, left, bottom, band, len(order), label)
    return markup


# ---- templates


@cache
def templates() -> Any:
    """The jinja2 environment of page.html, charts.svg, page.css and page.js."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError('the report needs jinja2: pip install "rankgain[report]"') from error
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, ""),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_escape_controls,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (number, signed, p_value, equals, count_of, queries, percent, rounded)
    environment.filters |= {function.__name__: function for function in filters}
    return environment


def _escape_controls(value: object) -> object:
    """A value without control characters, before jinja2 escapes it; markup of macros is kept."""
    if hasattr(value, "__html__"):
        return value
    return printable(str(value))


def macros(name: str, **variables: object) -> Any:
    """The macros of a template, as functions that return markup; variables: their globals."""
    return templates().get_template(name, globals=variables).module


def number(value: float, places: int = 4) -> str:
    """A number with `places` decimals, or a dash for nan."""
    if math.isnan(value):
        return "–"
    return f"{value:.{places}f}"


def signed(value: float) -> str:
    """A number with its sign and four decimals, or a dash for nan."""
    if math.isnan(value):
        return "–"
    return f"{value:+.4f}"


def p_value(p: float) -> str:
    """A p-value, or a dash for nan; small ones are "<0.0001", never 0."""
    if math.isnan(p):
        return "–"
    return probability(p)


def equals(p: float) -> str:
    """A p-value in a sentence: "= 0.01" or "< 0.0001"."""
    return f"= {p_value(p)}".replace("= <", "< ")


def queries(n: int) -> str:
    """A number of queries: "1 query", "1,000 queries"."""
    return count_of(n, "query")


def percent(share: float) -> str:
    """A share as per cent."""
    # Rounded, because 100 * 0.07 is 7.000000000000001.
    return f"{round(100 * share, 6):g}%"


def rounded(value: float, digits: int = 6) -> str:
    """A number with at most so many digits, without zeros at its end."""
    return f"{value:.{digits}g}"
