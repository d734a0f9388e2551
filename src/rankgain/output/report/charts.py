"""SVG charts for the page, written without a library.

Their colours come from the page's style sheet, light or dark; their text can be selected.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from ...inputs.printable import shorts
from .html import Html, count, joined, number, signed, tag, text

WIDTH = 420  # as wide as a phone; charts grow with the page
ROW = 20
TALL = 34  # height of a row with the name above the interval
LETTERS = 22  # of names beside intervals
LONGEST = 50  # of names above intervals
BARS = 400  # up to this many lists, each has a bar
TICKS = 5


class ChartRow(NamedTuple):
    """A system or segment with its interval."""

    name: str
    value: float
    low: float
    high: float
    mark: int = 0  # 1: significantly better, -1: worse


class Scale(NamedTuple):
    """A linear scale from values to positions in a chart."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The position of a value, to a tenth."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """Round numbers: at most five, and at least two."""
        power = 10.0 ** math.floor(math.log10((self.high - self.low) / TICKS))
        result: list[float] = []
        for factor in (1, 2, 2.5, 5, 10, 20):
            step = factor * power
            first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
            if result and last - first < 1:
                break
            result = [round(i * step, 10) for i in range(first, last + 1)]
            if len(result) <= TICKS:
                break
        return result


def scale(values: Sequence[float], start: float, end: float, zero: bool) -> Scale:
    """A scale for these values, with room at both ends."""
    known = [value for value in values if math.isfinite(value)] + ([0.0] if zero else [])
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    room = 0.04 * (high - low) or 0.5
    return Scale(low - room, high + room, start, end)


def forest(rows: Sequence[ChartRow], label: str, zero: bool = False) -> Html:
    """A point and an interval for each row; names are at the left, or above if they are long."""
    names = shorts([row.name for row in rows], LETTERS)
    is_tall = max(map(len, names)) > LETTERS
    if is_tall:
        names, left, tall = shorts([row.name for row in rows], LONGEST), 8.0, TALL
    else:
        left, tall = 16 + max(map(_width, names)), ROW
    bottom = tall * len(rows) + 8
    ends = [end for row in rows for end in (row.value, row.low, row.high)]
    x = scale(ends, left, WIDTH - 8, zero)
    parts = [_grid(x, bottom)]
    if zero:
        parts.append(f'<path class="zero" d="M{x.at(0)} 4V{bottom}"/>')
    for at, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = 4 + tall * (at + 0.5)
        if is_tall:
            parts.append(_name(name, 4, y - 4, "start", WIDTH - 8))
            parts.append(_interval(row, y + 7, x))
        else:
            parts.append(_name(name, left - 8, y + 4, "end", left - 12))
            parts.append(_interval(row, y, x))
    parts.append(_label(label, (left + WIDTH) / 2, bottom + 34))
    return _picture(parts, bottom + 40, f"{label}: a point and an interval for each row")


def _width(name: str) -> float:
    """An upper estimate of the width of a text."""
    return sum(_letter(one) for one in name)


def _letter(one: str) -> float:
    if one in "mwMW@%…" or east_asian_width(one) in "WF":
        return 12.0
    if one in "fijlrt.,:;'|!()[]- ":
        return 5.0
    return 9.0 if one.isupper() else 7.7


def _name(name: str, x: float, y: float, anchor: str, room: float) -> str:
    """A name, compressed if it is wider than the room."""
    fit = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if _width(name) > room else ""
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f'<text class="name" {place}{fit}>{text(name)}</text>'


def _interval(row: ChartRow, y: float, x: Scale) -> str:
    if not math.isfinite(row.value):
        return ""
    ends = f"{number(row.value)} ({number(row.low)} to {number(row.high)})"
    shape = {1: "better", -1: "worse", 0: "even"}[row.mark]
    parts = [f'<g class="{shape}"><title>{text(row.name)}: {ends}</title>']
    if math.isfinite(row.low + row.high):
        parts.append(f'<path class="range" d="M{x.at(row.low)} {y:g}H{x.at(row.high)}"/>')
    parts.append(f'<circle cx="{x.at(row.value)}" cy="{y:g}" r="4"/></g>')
    return "".join(parts)


def differences(values: Any, queries: Sequence[Any], label: str, low: float, high: float) -> Html:
    """Sorted differences of two systems, with the interval of their mean."""
    order = sorted(
        (at for at, value in enumerate(values) if math.isfinite(value)), key=lambda at: values[at]
    )
    left, bottom = 44.0, 190.0
    if not order:
        return Html("")
    y = scale([values[order[0]], values[order[-1]], low, high], bottom, 8, zero=True)
    parts = [
        f'<path class="grid" d="M{left} {y.at(tick)}H{WIDTH}"/>'
        f'<text x="{left - 6}" y="{y.at(tick) + 4:g}" text-anchor="end">{tick:g}</text>'
        for tick in y.ticks()
    ]
    if math.isfinite(low + high):
        top, tall = y.at(high), max(y.at(low) - y.at(high), 0.5)
        parts.append(
            f'<rect class="band" x="{left}" y="{top}" width="{WIDTH - left}" height="{tall:g}"/>'
        )
    width = (WIDTH - left) / len(order)
    if len(order) <= BARS:
        parts += [
            _bar(values[at], left + i * width, width, y, queries[at]) for i, at in enumerate(order)
        ]
    else:
        parts += _areas([values[at] for at in order], left, y)
    parts.append(f'<path class="zero" d="M{left} {y.at(0)}H{WIDTH}"/>')
    parts.append(_label(f"{count(len(order), 'list')}, sorted", (left + WIDTH) / 2, bottom + 16))
    return _picture(parts, bottom + 22, f"{label}: difference of each list, sorted")


def _bar(value: float, x: float, width: float, y: Scale, query: Any) -> str:
    zero, end = y.at(0), y.at(value)
    side = "better" if value > 0 else "worse"
    place = f'x="{x:.1f}" y="{min(zero, end)}" width="{width:.2f}" height="{abs(zero - end):.1f}"'
    return f'<rect class="{side}" {place}><title>{text(query)}: {signed(value)}</title></rect>'


def _areas(values: list[float], left: float, y: Scale) -> list[str]:
    """Differences of many lists as two areas, sampled at 400 points."""
    last = len(values) - 1
    sampled = [values[round(i * last / (BARS - 1))] for i in range(BARS)]
    wide = (WIDTH - left) / (BARS - 1)
    parts = []
    for side, pick in (("worse", min), ("better", max)):
        line = "".join(f"L{left + i * wide:.1f} {y.at(pick(v, 0))}" for i, v in enumerate(sampled))
        path = f"M{left} {y.at(0)}{line}L{WIDTH} {y.at(0)}Z"
        parts.append(f'<path class="{side}" d="{path}"/>')
    return parts


def _grid(x: Scale, bottom: float) -> str:
    parts = []
    for tick in x.ticks():
        place, half = x.at(tick), _width(f"{tick:g}") / 2
        at = min(max(place, half), WIDTH - half)
        parts.append(
            f'<path class="grid" d="M{place} 4V{bottom}"/>'
            f'<text x="{at:g}" y="{bottom + 15:g}" text-anchor="middle">{tick:g}</text>'
        )
    return "".join(parts)


def _label(label: str, x: float, y: float) -> str:
    return f'<text class="label" x="{x:g}" y="{y:g}" text-anchor="middle">{text(label)}</text>'


def _picture(parts: list[str], height: float, alt: str) -> Html:
    inside = joined(map(Html, parts), "\n")
    box = f"0 0 {WIDTH} {height:g}"
    return tag("svg", inside, viewBox=box, role="img", aria_label=alt)
