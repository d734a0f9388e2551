"""Names of curves and ticks, placed so that none overlap."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .canvas import NO_MATH, Canvas

ROOM = 1.3  # height of a line of text, relative to the font size
GAP = 6.0  # points between the end of a curve and its name


def name_ends(drawn: Canvas, x: float, ends: Mapping[str, float]) -> None:
    """Write names at the right inside the Axes, as near the ends of their curves as possible.

    Names have the colours of the palette in order. A thin line connects a name that was moved.
    """
    ax = drawn.ax
    figure = ax.figure
    ax.set_ylim(*ax.get_ylim())  # the texts must not change the limits
    style: dict[str, Any] = {"transform": ax.transAxes, "va": "center", "fontsize": "small"}
    texts = [
        ax.text(0, 0.5, name, color=colour, **style, **NO_MATH)
        for name, colour in zip(ends, drawn.palette.series, strict=False)
    ]
    figure.draw_without_rendering()
    points = 72 / figure.dpi
    size = min(texts[0].get_fontsize(), ax.bbox.height * points / len(texts) / ROOM)
    for text in texts:
        text.set_fontsize(size)
    widest = max(text.get_window_extent().width for text in texts) + GAP / points
    _make_room(drawn, x, min(widest / ax.bbox.width, 0.6))
    low, high = ax.get_ylim()
    wanted = [(value - low) / (high - low) for value in ends.values()]
    height = size * ROOM / (ax.bbox.height * points)
    start = _share(drawn, x)
    for text, at, place in zip(texts, wanted, spread(wanted, height), strict=True):
        left = start + GAP / points / ax.bbox.width
        text.set(x=left, y=place)
        if abs(at - place) > height / 3:
            line: dict[str, Any] = {"color": text.get_color(), "linewidth": 0.5}
            ax.plot([start, left - 0.005], [at, place], transform=ax.transAxes, **line)


def _make_room(drawn: Canvas, x: float, share: float) -> None:
    """Extend the x axis so that x is at 1 - share of its width."""
    ax = drawn.ax
    log = ax.get_xscale() == "log"
    low, high = np.log([ax.get_xlim()[0], x]) if log else (ax.get_xlim()[0], x)
    end = low + (high - low) / (1 - share)
    ax.set_xlim(right=float(np.exp(end)) if log else float(end))


def _share(drawn: Canvas, x: float) -> float:
    """The position of x as a share of the width."""
    ax = drawn.ax
    place = ax.transData.transform((x, ax.get_ylim()[0]))
    return float(ax.transAxes.inverted().transform(place)[0])


def spread(wanted: Sequence[float], height: float) -> list[float]:
    """Positions in [0, 1], at least `height` apart, near the wanted ones and in their order.

    Names that would overlap form a block around the mean of their wanted positions.
    """
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    height = min(height, 1 / max(len(wanted), 1))
    blocks: list[list[float]] = []  # each: middle, number of names
    for at in order:
        blocks.append([_inside(wanted[at], height), 1])
        while len(blocks) > 1 and _overlap(blocks[-2], blocks[-1], height):
            (a, n), (b, m) = blocks[-2:]
            middle = _inside((a * n + b * m) / (n + m), height * (n + m))
            blocks[-2:] = [[middle, n + m]]
    places = [middle + (i - (n - 1) / 2) * height for middle, n in blocks for i in range(int(n))]
    result = [0.0] * len(wanted)
    for at, place in zip(order, places, strict=True):
        result[at] = place
    return result


def _inside(middle: float, height: float) -> float:
    return min(max(middle, height / 2), 1 - height / 2)


def _overlap(a: list[float], b: list[float], height: float) -> bool:
    return b[0] - a[0] < height * (a[1] + b[1]) / 2 - 1e-12


def thinned(drawn: Canvas, ticks: Sequence[int]) -> None:
    """Set ticks, and number as many of them as fit without touching, from the right."""
    ax = drawn.ax
    figure = ax.figure
    ax.minorticks_off()
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    figure.draw_without_rendering()
    left, numbers = np.inf, []
    for label in reversed(ax.get_xticklabels()):
        box = label.get_window_extent()
        fits = box.x1 + 3 <= left
        numbers.append(label.get_text() if fits else "")
        left = box.x0 if fits else left
    ax.set_xticks(ticks, numbers[::-1])
