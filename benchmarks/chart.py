"""Pictures of times per list as SVG: readable on light and dark pages, small in a diff."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from measuring import Times

WIDTH, HEIGHT = 460, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 84, 44, 52

STYLE = """
  text {{ font: 12px system-ui, sans-serif; fill: {text} }}
  .title {{ font-size: 13px; font-weight: 600 }}
  .grid {{ stroke: #8c959f; stroke-opacity: .25 }}
  .line {{ fill: none; stroke-width: 2 }}
  .s0 {{ stroke: {first} }} .s2 {{ stroke: {third} }}
  .s1 {{ stroke: {text}; stroke-dasharray: 5 4 }}
  .t0 {{ fill: {first} }} .t1 {{ fill: {text} }} .t2 {{ fill: {third} }}
"""
# Colours of text and of the first and third curve; a page shows the picture of its theme.
COLOURS = {
    "light": {"text": "#57606a", "first": "#0969da", "third": "#bc4c00"},
    "dark": {"text": "#9198a1", "first": "#58a6ff", "third": "#f0883e"},
}


@dataclass(frozen=True)
class Panel:
    """Seconds per list of each side by the horizontal quantity; both axes are logarithmic."""

    title: str
    horizontal: str
    points: Mapping[int, Times]
    sides: Sequence[str]


@dataclass(frozen=True)
class Axis:
    """A logarithmic range of values on a range of pixels."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        decades = range(
            math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1
        )
        return [10.0**decade for decade in decades]


def axes(panel: Panel) -> tuple[Axis, Axis]:
    seconds = [time for times in panel.points.values() for time in times.values()]
    x = Axis(min(panel.points), max(panel.points), LEFT, WIDTH - RIGHT)
    low, high = (
        f(math.log10(v)) for f, v in ((math.floor, min(seconds)), (math.ceil, max(seconds)))
    )
    return x, Axis(10.0**low, 10.0 ** max(high, low + 1), HEIGHT - BOTTOM, TOP)


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.999:
            return f"{seconds / size:g} {unit}"
    return f"{seconds / 1e-9:g} ns"


def frame(panel: Panel, x: Axis, y: Axis) -> list[str]:
    out = [f'<text class="title" x="{LEFT}" y="20">{panel.title}</text>']
    for value in y.ticks():
        at = y.place(value)
        out.append(f'<line class="grid" x1="{x.start}" x2="{x.end}" y1="{at}" y2="{at}"/>')
        out.append(
            f'<text x="{x.start - 8}" y="{at + 4}" text-anchor="end">{duration(value)}</text>'
        )
    for value in x.ticks():
        at = x.place(value)
        out.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{y.start}" y2="{y.end}"/>')
        out.append(f'<text x="{at}" y="{y.start + 18}" text-anchor="middle">{value:,.0f}</text>')
    middle = (x.start + x.end) / 2
    out.append(
        f'<text x="{middle}" y="{y.start + 38}" text-anchor="middle">{panel.horizontal}</text>'
    )
    return out


def curves(panel: Panel, x: Axis, y: Axis) -> list[str]:
    out = []
    ends = {}
    for number, side in enumerate(panel.sides):
        known = [(point, times[side]) for point, times in panel.points.items() if side in times]
        if known:
            path = " ".join(f"{x.place(point)},{y.place(time)}" for point, time in known)
            out.append(f'<polyline class="line s{number}" points="{path}"/>')
            ends[number] = y.place(known[-1][1]) + 4
    # Names stand at the ends of their curves, the lowest first, the others far enough above.
    free = y.start + 4
    for number in sorted(ends, key=lambda number: -ends[number]):
        at = min(ends[number], free)
        free = at - 14
        text = panel.sides[number]
        out.append(f'<text class="t{number}" x="{x.end + 6}" y="{at:g}">{text}</text>')
    return out


def growth(panels: Sequence[Panel], theme: str) -> str:
    """Panels below one another, so that a narrow page shows them large enough to read."""
    height = HEIGHT * len(panels)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="Time per list against list length and against k">',
        f"<style>{STYLE.format(**COLOURS[theme])}</style>",
    ]
    for number, panel in enumerate(panels):
        x, y = axes(panel)
        inside = [*frame(panel, x, y), *curves(panel, x, y)]
        out.append(f'<g transform="translate(0 {number * HEIGHT})">')
        out.extend(f"  {line}" for line in inside)
        out.append("</g>")
    return "\n".join([*out, "</svg>", ""])


# Light and dark: text, bars of others, ours. GitHub shows one of the two pictures.
INKS = {"light": ("#1f2328", "#818b98", "#0969da"), "dark": ("#e6edf3", "#6e7681", "#58a6ff")}


def bars(title: str, times: Times, theme: str) -> str:
    """Seconds per list of each side as bars, the fastest first; the shortest stays visible."""
    ink, others, ours = INKS[theme]
    width, left, step = 760, 190, 34
    ordered = sorted(times.items(), key=lambda one: one[1])
    height = 48 + step * len(ordered)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{title}">',
        f"<style>text {{ font: 15px system-ui, sans-serif; fill: {ink} }}</style>",
        f'<text x="10" y="24" font-weight="600">{title}</text>',
    ]
    fastest = times["rankgain"]
    for number, (side, seconds) in enumerate(ordered):
        y, is_ours = 40 + step * number, side == "rankgain"
        length = max(2.0, round((width - left - 190) * seconds / ordered[-1][1], 1))
        more = "" if is_ours else f"  ·  {seconds / fastest:,.0f}x slower"
        weight = ' font-weight="600"' if is_ours else ""
        out += [
            f'<text x="{left - 10}" y="{y + 17}" text-anchor="end"{weight}>{side}</text>',
            f'<rect x="{left}" y="{y}" width="{length:g}" height="24" rx="3" '
            f'fill="{ours if is_ours else others}"/>',
            f'<text x="{left + length + 8:g}" y="{y + 17}"{weight}>'
            f"{seconds * 1e6:.3g} µs{more}</text>",
        ]
    return "\n".join([*out, "</svg>", ""])
