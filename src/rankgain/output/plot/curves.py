"""Curves of several systems: a measure against its cutoff, and precision against recall."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...evaluation.evaluation import Evaluation
from ...inputs.printable import shorten_all
from ...measures.measure import parse_measure
from .canvas import (
    DASHES,
    NO_MATH,
    Canvas,
    Source,
    Theme,
    canvas,
    drawn_figure,
    find_intervals,
    read_evaluations,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


RECALL_LEVELS = tuple(f"IPrec@{level / 10:g}" for level in range(11))
"""The measures that `precision_recall` draws: interpolated precision at 0, 0.1, ... 1."""

COLOURED = 5  # curves with a colour, a name and a band
ROOM = 1.3  # height of a line of text, relative to the font size
GAP = 6.0  # points between the end of a curve and its name


def by_cutoff(
    evaluations: Source,
    family: str | None = None,
    *,
    highlight: Sequence[str] | None = None,
    level: float | None = 0.95,
    ax: Axes | None = None,
    theme: Theme = None,
) -> Axes:
    """Draw the mean of a measure against its cutoff k, a curve for each system.

    Parameters
    ----------
    evaluations : Evaluation, Evaluations, mapping of name -> Evaluation, or Comparison
        Of a measure at two cutoffs or more, such as `["nDCG@1", "nDCG@5", "nDCG@10"]`.
    family : str, optional
        The measure without a cutoff: "nDCG", "AP(rel=2)". By default that of the first measure.
    highlight : names of systems, optional
        At most 5 systems to draw in colour, with names and bands of intervals; all others are grey.
        By default those with the greatest means at the deepest cutoff.
    level : float or None
        Of the intervals, by the bootstrap; None: no bands.
    ax, theme
        As in `differences`.

    Notes
    -----
    The cutoffs have a logarithmic scale if the deepest is at least ten times the first.
    """
    by_name = read_evaluations(evaluations)
    first = next(iter(by_name.values()))
    of_rankgain = [name for name in first.means if name not in first.better]
    if not of_rankgain:
        raise ValueError(
            "these evaluations have measures with free names, which have no cutoffs; draw values "
            "that rankgain computed at two cutoffs or more"
        )
    requested = parse_measure(of_rankgain[0] if family is None else family)
    identity = requested.family, dict(requested.params)
    cutoffs = {
        requested_measure.k: str(requested_measure)
        for requested_measure in map(parse_measure, of_rankgain)
        if (requested_measure.family, dict(requested_measure.params)) == identity
    }
    ks = sorted(k for k in cutoffs if k is not None)
    if len(ks) < 2:
        raise ValueError(
            f"{requested.family} was not evaluated at two cutoffs; evaluate, for example, "
            f'["{requested.family}@1", "{requested.family}@5", "{requested.family}@10"]'
        )
    names = [cutoffs[k] for k in ks]
    with canvas(ax, theme) as drawn:
        if ks[-1] >= 10 * ks[0]:
            drawn.ax.set_xscale("log")
        label = str(requested).partition("@")[0]
        drawn.name_axes("cutoff k", f"mean {label}")
        _draw(drawn, ks, by_name, names, highlight, level)
        # Number as many ticks as fit without touching, from the right.
        drawn.ax.minorticks_off()
        drawn.ax.set_xticks(ks, [f"{k:,}" for k in ks])
        drawn_figure(drawn.ax).draw_without_rendering()
        left, numbers = np.inf, []
        for text in reversed(drawn.ax.get_xticklabels()):
            box = text.get_window_extent()
            fits = box.x1 + 3 <= left
            numbers.append(text.get_text() if fits else "")
            left = box.x0 if fits else left
        drawn.ax.set_xticks(ks, numbers[::-1])
    return drawn.ax


def precision_recall(
    evaluations: Source,
    *,
    highlight: Sequence[str] | None = None,
    level: float | None = None,
    ax: Axes | None = None,
    theme: Theme = None,
) -> Axes:
    """Draw mean interpolated precision against recall, a curve for each system.

    The evaluations must have the measures `rankgain.plot.RECALL_LEVELS` (trec_eval's
    iprec_at_recall), or interpolated precision at two other levels or more. The other arguments are
    as in `by_cutoff`. The precision at a level of recall is the greatest at any rank with at least
    that recall (Salton and McGill 1983), so a curve never rises.
    """
    by_name = read_evaluations(evaluations)
    first = next(iter(by_name.values()))
    levels = {
        float(interpolated.params["recall"]): name  # type: ignore[arg-type]
        for name in first.means
        if name not in first.better and (interpolated := parse_measure(name)).family == "IPrec"
    }
    if len(levels) < 2:
        raise ValueError(
            "there is no interpolated precision at two levels of recall; evaluate the measures "
            "rankgain.plot.RECALL_LEVELS"
        )
    recalls = sorted(levels)
    with canvas(ax, theme) as drawn:
        drawn.ax.set_ylim(0, 1)
        drawn.name_axes("recall", "interpolated precision")
        names = [levels[interpolated] for interpolated in recalls]
        _draw(drawn, recalls, by_name, names, highlight, level)
        drawn.ax.set_xticks([0, 0.25, 0.5, 0.75, 1])
    return drawn.ax


def _draw(
    drawn: Canvas,
    x: list[Any],
    by_name: dict[str, Evaluation],
    names: list[str],
    highlight: Sequence[str] | None,
    level: float | None,
) -> None:
    """Draw the means of these measures against x: some curves with colours, bands and names."""
    for system, evaluation in by_name.items():
        lacking = [name for name in names if name not in evaluation.means]
        if lacking:
            raise ValueError(f"{system!r} has no {lacking[0]}")
    means = {
        system: [evaluation.means[name] for name in names] for system, evaluation in by_name.items()
    }
    if highlight is None:  # the best at the deepest cutoff, or over the levels of recall
        first = 0 if names[0].startswith("IPrec") else -1
        last_means = {name: float(np.mean(row[first:])) for name, row in means.items()}
        last_means = {
            name: -math.inf if math.isnan(evaluation) else evaluation
            for name, evaluation in last_means.items()
        }
        selected = sorted(means, key=lambda name: -last_means[name])[:COLOURED]
    else:
        selected = [highlight] if isinstance(highlight, str) else list(highlight)
    unexpected = [name for name in selected if name not in by_name]
    if unexpected:
        evaluated = ", ".join(by_name)
        raise ValueError(f"highlight: {unexpected[0]!r} is not evaluated; there are {evaluated}")
    if len(selected) > COLOURED:
        raise ValueError(f"highlight takes at most {COLOURED} names, not {len(selected)}")
    grey_systems = [system for system in by_name if system not in selected]
    for system in grey_systems:
        drawn.ax.plot(x, means[system], color=drawn.palette.muted, linewidth=0.6, alpha=0.6)
    for position, system in enumerate(selected):
        colour = drawn.palette.series[position]
        # matplotlib leaves labels that begin with an underscore out of legends.
        style: dict[str, object] = {"label": f" {system}" if system.startswith("_") else system}
        style |= {"linewidth": 1.4, "color": colour, "linestyle": DASHES[position]}
        drawn.ax.plot(x, means[system], **style)
        if level is not None:
            low, high = zip(*find_intervals(by_name[system], names, level), strict=True)
            alpha = 0.3 / max(len(selected), 2)
            drawn.ax.fill_between(x, low, high, linewidth=0, color=colour, alpha=alpha)
    if grey_systems:
        drawn.title(f"{len(selected)} of {len(grey_systems) + len(selected)} systems labelled")
    if any(selected):
        ends = [means[system][-1] for system in selected]
        name_ends(drawn, x[-1], dict(zip(shorten_all(selected), ends, strict=True)))


def name_ends(drawn: Canvas, x: float, ends: Mapping[str, float]) -> None:
    """Write names at the right inside the Axes, as near the ends of their curves as possible."""
    ax = drawn.ax
    figure = drawn_figure(ax)
    ax.set_ylim(*ax.get_ylim())  # the texts must not change the limits
    style = {"transform": ax.transAxes, "va": "center", "fontsize": "small"}
    texts = [
        ax.text(0, 0.5, name, color=colour, **style, **NO_MATH)
        for name, colour in zip(ends, drawn.palette.series, strict=False)
    ]
    figure.draw_without_rendering()
    points = 72 / figure.dpi
    size = min(float(texts[0].get_fontsize()), ax.bbox.height * points / len(texts) / ROOM)
    for text in texts:
        text.set_fontsize(size)
    widest = max(text.get_window_extent().width for text in texts) + GAP / points
    # Extend the x axis, so that there is room after x.
    is_log = ax.get_xscale() == "log"
    first, last = np.log([ax.get_xlim()[0], x]) if is_log else (ax.get_xlim()[0], x)
    end = first + (last - first) / (1 - min(widest / ax.bbox.width, 0.6))
    ax.set_xlim(right=float(np.exp(end) if is_log else end))
    low, high = ax.get_ylim()
    wanted = [(value - low) / (high - low) for value in ends.values()]
    height = size * ROOM / (ax.bbox.height * points)
    end_of_curves = ax.transData.transform((x, low))
    start = float(ax.transAxes.inverted().transform(end_of_curves)[0])
    for text, target, place in zip(texts, wanted, spread(wanted, height), strict=True):
        left = start + GAP / points / ax.bbox.width
        text.set(x=left, y=place)
        if abs(target - place) > height / 3:
            line = {"color": text.get_color(), "linewidth": 0.5}
            ax.plot([start, left - 0.005], [target, place], transform=ax.transAxes, **line)


def spread(wanted: Sequence[float], height: float) -> list[float]:
    """Positions in [0, 1], at least `height` apart, near the wanted ones and in their order."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    height = min(height, 1 / max(len(wanted), 1))
    # Names that would overlap form a block around the mean of their wanted positions.
    blocks: list[tuple[float, int]] = []  # each: middle, number of names
    for index in order:
        middle, n = wanted[index], 1
        while True:
            middle = min(max(middle, height * n / 2), 1 - height * n / 2)
            a, m = blocks[-1] if blocks else (-math.inf, 0)
            if not middle - a < height * (m + n) / 2 - 1e-12:  # also where a mean is nan
                break
            blocks.pop()
            middle, n = (a * m + middle * n) / (m + n), m + n
        blocks.append((middle, n))
    places = [middle + (i - (n - 1) / 2) * height for middle, n in blocks for i in range(n)]
    result = [0.0] * len(wanted)
    for index, place in zip(order, places, strict=True):
        result[index] = place
    return result
