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
LINE_HEIGHT = 1.3  # relative to the font size
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
    # The same measure at any cutoff: nDCG@5 and nDCG@10, but not nDCG(gain=exp2)@10.
    identity = requested.family, dict(requested.params)
    names_by_cutoff: dict[int, str] = {}
    for name in of_rankgain:
        measure = parse_measure(name)
        if (measure.family, dict(measure.params)) == identity and measure.k is not None:
            names_by_cutoff[measure.k] = str(measure)
    ks = sorted(names_by_cutoff)
    label = str(requested).partition("@")[0]
    if len(ks) < 2:
        raise ValueError(
            f"{label} was not evaluated at two cutoffs; evaluate, for example, "
            f'["{label}@1", "{label}@5", "{label}@10"]'
        )
    names = [names_by_cutoff[k] for k in ks]
    with canvas(ax, theme) as drawn:
        if ks[-1] >= 10 * ks[0]:
            drawn.ax.set_xscale("log")
        drawn.name_axes("cutoff k", f"mean {label}")
        _draw(drawn, ks, by_name, names, highlight, level)
        _number_ticks(drawn.ax, ks)
    return drawn.ax


def _number_ticks(ax: Axes, ks: list[int]) -> None:
    """Number as many ticks as fit without touching, from the right."""
    ax.minorticks_off()
    ax.set_xticks(ks, [f"{k:,}" for k in ks])
    drawn_figure(ax).draw_without_rendering()
    # The deepest cutoff always has its number. Each number to the left of it is kept if at least 3
    # pixels are free between it and the last number kept.
    left = np.inf
    numbers: list[str] = []
    for text in reversed(ax.get_xticklabels()):
        box = text.get_window_extent()
        if box.x1 + 3 <= left:
            numbers.append(text.get_text())
            left = box.x0
        else:
            numbers.append("")
    ax.set_xticks(ks, numbers[::-1])


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
    names_by_recall: dict[float, str] = {}
    for name in first.means:
        if name in first.better:
            continue
        measure = parse_measure(name)
        if measure.family == "IPrec":
            names_by_recall[float(measure.params["recall"])] = name  # type: ignore[arg-type]
    if len(names_by_recall) < 2:
        raise ValueError(
            "there is no interpolated precision at two levels of recall; evaluate the measures "
            "rankgain.plot.RECALL_LEVELS"
        )
    recalls = sorted(names_by_recall)
    with canvas(ax, theme) as drawn:
        drawn.ax.set_ylim(0, 1)
        drawn.name_axes("recall", "interpolated precision")
        names = [names_by_recall[recall] for recall in recalls]
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
        for name in names:
            if name not in evaluation.means:
                raise ValueError(f"{system!r} has no {name}")
    means: dict[str, list[float]] = {}
    for system, evaluation in by_name.items():
        means[system] = [evaluation.means[name] for name in names]
    if highlight is None:
        selected = _select_best(means, is_over_recall=names[0].startswith("IPrec"))
    elif isinstance(highlight, str):
        selected = [highlight]
    else:
        selected = list(highlight)
    for name in selected:
        if name not in by_name:
            evaluated = ", ".join(filter(None, by_name)) or "none with a name"
            raise ValueError(f"highlight: no evaluation is named {name!r}; there are {evaluated}")
    if len(selected) > COLOURED:
        raise ValueError(f"highlight takes at most {COLOURED} names, not {len(selected)}")
    grey_systems = [system for system in by_name if system not in selected]
    # The grey curves first, so that the coloured ones lie above them.
    for system in grey_systems:
        drawn.ax.plot(x, means[system], color=drawn.palette.muted, linewidth=0.6, alpha=0.6)
    for position, system in enumerate(selected):
        colour = drawn.palette.series[position]
        # matplotlib leaves labels that begin with an underscore out of legends.
        label = f" {system}" if system.startswith("_") else system
        style = {"label": label, "color": colour, "linestyle": DASHES[position]}
        drawn.ax.plot(x, means[system], linewidth=1.4, **style)
        if level is not None:
            # The more bands, the more of them may overlap: then each is more transparent.
            alpha = 0.3 / max(len(selected), 2)
            low, high = zip(*find_intervals(by_name[system], names, level), strict=True)
            drawn.ax.fill_between(x, low, high, linewidth=0, color=colour, alpha=alpha)
    if grey_systems:
        drawn.title(f"{len(selected)} of {len(grey_systems) + len(selected)} systems labelled")
    if any(selected):
        ends = [means[system][-1] for system in selected]
        name_ends(drawn, x[-1], dict(zip(shorten_all(selected), ends, strict=True)))


def _select_best(means: Mapping[str, Sequence[float]], is_over_recall: bool) -> list[str]:
    """The systems that are best at the deepest cutoff, or on average over the levels of recall."""

    def descending(system: str) -> float:
        value = means[system][-1]
        if is_over_recall:
            value = float(np.mean(means[system]))
        if math.isnan(value):
            return math.inf  # last
        return -value

    return sorted(means, key=descending)[:COLOURED]


def name_ends(drawn: Canvas, x: float, ends: Mapping[str, float]) -> None:
    """Write names at the right inside the Axes, as near the ends of their curves as possible."""
    ax = drawn.ax
    figure = drawn_figure(ax)
    ax.set_ylim(*ax.get_ylim())  # the texts must not change the limits
    style = {"transform": ax.transAxes, "va": "center", "fontsize": "small"} | NO_MATH
    texts = []
    for name, colour in zip(ends, drawn.palette.series, strict=False):
        texts.append(ax.text(0, 0.5, name, color=colour, **style))
    figure.draw_without_rendering()
    # The font fits all names below each other; sizes of text are in points, of the Axes in pixels.
    points_per_pixel = 72 / figure.dpi
    height_of_name = ax.bbox.height * points_per_pixel / len(texts)
    size = min(float(texts[0].get_fontsize()), height_of_name / LINE_HEIGHT)
    for text in texts:
        text.set_fontsize(size)
    gap = GAP / points_per_pixel
    widest = max(text.get_window_extent().width for text in texts) + gap
    # Extend the x axis so that the names have their share of its width after x. On a logarithmic
    # axis the logarithms are what is spaced evenly.
    is_log = ax.get_xscale() == "log"
    first, last = ax.get_xlim()[0], x
    if is_log:
        first, last = np.log([first, last])
    end = first + (last - first) / (1 - min(widest / ax.bbox.width, 0.6))
    if is_log:
        end = np.exp(end)
    ax.set_xlim(right=float(end))
    # From here on, positions are shares of the width and height of the Axes: where the curves end,
    # and where the names stand, which a thin line joins if they had to move apart.
    low, high = ax.get_ylim()
    wanted = [(value - low) / (high - low) for value in ends.values()]
    height = size * LINE_HEIGHT / (ax.bbox.height * points_per_pixel)
    end_of_curves = ax.transData.transform((x, low))
    start = float(ax.transAxes.inverted().transform(end_of_curves)[0])
    left = start + gap / ax.bbox.width
    for text, target, place in zip(texts, wanted, spread(wanted, height), strict=True):
        text.set(x=left, y=place)
        if abs(target - place) > height / 3:
            line = {"color": text.get_color(), "linewidth": 0.5}
            ax.plot([start, left - 0.005], [target, place], transform=ax.transAxes, **line)


def spread(wanted: Sequence[float], height: float) -> list[float]:
    """Positions in [0, 1], at least `height` apart, near the wanted ones and in their order."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    height = min(height, 1 / max(len(wanted), 1))
    # Names that would overlap form a block around the mean of their wanted positions. A block that
    # overlaps the one before it takes it in, until there is no overlap.
    blocks: list[tuple[float, int]] = []  # each: middle, number of names
    for index in order:
        middle, n = wanted[index], 1
        while True:
            half = height * n / 2
            middle = min(max(middle, half), 1 - half)
            middle_before, n_before = blocks[-1] if blocks else (-math.inf, 0)
            overlaps = middle - middle_before < half + height * n_before / 2 - 1e-12
            if not overlaps:  # also where a mean is nan
                break
            blocks.pop()
            middle = (middle_before * n_before + middle * n) / (n_before + n)
            n += n_before
        blocks.append((middle, n))
    # The names of a block stand side by side, centred on its middle.
    positions: list[float] = []
    for middle, n in blocks:
        for i in range(n):
            positions.append(middle + (i - (n - 1) / 2) * height)
    # From the order of the positions back to that of the names.
    result = [0.0] * len(wanted)
    for index, position in zip(order, positions, strict=True):
        result[index] = position
    return result
