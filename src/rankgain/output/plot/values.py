"""Means, segments and values of lists: a row for each system or segment, or two systems."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...analysis.comparison import Comparison
from ...inputs.printable import shorten_all
from ...measures.measure import parse_measure
from .canvas import (
    NO_MATH,
    Canvas,
    Source,
    Theme,
    canvas,
    find_difference,
    find_height,
    find_intervals,
    read_source,
    rows_fitting,
    system_pair,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from ...evaluation.evaluation import Evaluation
    from ...inputs.types import Floats


BINS = 40  # of the distribution of values
# Above these numbers single bars and points are no longer visible, and only make a file large.
BARS = 400  # up to this many lists, each has a bar
POINTS = 2_000  # up to this many different points, each is drawn
STEPS = 2_000  # steps of the curve of more lists
MAX_LETTERS = 14  # of the names of two systems in a title


def bounds(
    evaluations: Source,
    measure: str | None = None,
    kind: str | None = None,
    *,
    ax: Axes | None = None,
    theme: Theme = None,
) -> Axes:
    """Draw the lowest and highest mean of each system over orders of ties or unjudged labels.

    Parameters
    ----------
    evaluations : Evaluation, Evaluations, mapping of name -> Evaluation, or Comparison
        Evaluated with `bounds="ties"`, `"unjudged"` or both.
    measure : str, optional
        By default the first.
    kind : "ties" or "unjudged", optional
        By default all kinds that were evaluated.
    ax, theme
        As in `differences`.

    Notes
    -----
    A bar goes from the lowest to the highest possible mean; a line marks the mean itself.
    """
    by_name, name = read_source(evaluations, measure)
    kinds = []
    for available in ("ties", "unjudged"):
        if all(available in evaluation.bounds for evaluation in by_name.values()):
            kinds.append(available)
    if not kinds or (kind is not None and kind not in kinds):
        needed = kind or "ties"
        raise ValueError(f'there are no bounds of {needed}; evaluate with bounds="{needed}"')
    if kind:
        kinds = [kind]
    with canvas(ax, theme, find_height(len(by_name)) + 0.15) as drawn:
        to = drawn.ax
        thick = 0.7 / len(kinds)
        for position, drawn_kind in enumerate(kinds):
            ends = [evaluation.bound_means[drawn_kind][name] for evaluation in by_name.values()]
            low, high = np.array(ends).T
            # The bars of the kinds lie beside each other, centred on the row of their system.
            offset = (position - (len(kinds) - 1) / 2) * thick
            rows = np.arange(len(by_name)) + offset
            colour = drawn.palette.series[position]
            style = {"height": thick * 0.85, "color": colour, "linewidth": 0}
            to.barh(rows, high - low, left=low, label=drawn_kind, **style)
        _mark_means(drawn, by_name, name)
        rows_fitting(drawn, shorten_all(list(by_name)))
        drawn.name_axes(f"mean {name}", "")
        # The legend stands above the left end of the Axes, (0, 1) in shares of their size.
        legend = to.legend(
            ncols=len(kinds),
            loc="lower left",
            bbox_to_anchor=(0, 1),
            borderaxespad=0.2,
            handlelength=1.0,
            frameon=False,
            fontsize="small",
            labelcolor=drawn.palette.text,
        )
        for text in legend.get_texts():
            text.set(**NO_MATH)
    return drawn.ax


def _mark_means(drawn: Canvas, by_name: Mapping[str, Evaluation], measure: str) -> None:
    """A short line at the mean of each row."""
    means = [evaluation.means[measure] for evaluation in by_name.values()]
    rows = np.arange(len(means))
    # The edges of bars are sticky: without this there is no margin, and a mean at an end of a bar
    # lies on the edge of the Axes.
    drawn.ax.use_sticky_edges = False
    drawn.ax.margins(x=0.03)
    drawn.ax.vlines(means, rows - 0.4, rows + 0.4, color=drawn.palette.text, linewidth=1.2)


class SegmentRow(NamedTuple):
    """A segment with its mean, or with the difference of two systems, and the number of lists."""

    segment: str
    value: float
    low: float
    high: float
    lists: int


def segments(
    evaluations: Source,
    measure: str | None = None,
    a: str | None = None,
    b: str | None = None,
    *,
    level: float = 0.95,
    ax: Axes | None = None,
    theme: Theme = None,
) -> Axes:
    """Draw each segment's mean, or the difference of two systems on it, with its interval.

    Parameters
    ----------
    evaluations : Evaluations, mapping of name -> Evaluation, or Comparison
        Evaluations, such as those of `Evaluation.by`, have their means drawn; a comparison made
        with `by=` has the differences of a pair drawn.
    measure : str, optional
        By default the first.
    a, b : str, optional
        The two systems of a comparison; by default its first pair.
    level : float
        Of the intervals of means. The intervals of a comparison have its level.
    ax, theme
        As in `differences`.

    Notes
    -----
    The numbers in parentheses count the lists; points grow with them.
    """
    rows: list[SegmentRow] = []
    if isinstance(evaluations, Comparison):
        if not evaluations.segments:
            raise ValueError("this comparison has no segments; compare with by=")
        first = evaluations.rows[0]
        name = first.measure
        if measure is not None:
            name = measure if measure in evaluations.measures else str(parse_measure(measure))
        pair = (a or first.a, b or first.b)
        for row in evaluations.rows:
            if row.measure == name and (row.a, row.b) == pair:
                segment = str(row.segment)
                rows.append(SegmentRow(segment, row.difference, row.low, row.high, row.lists))
        if not rows:
            raise ValueError(f"{name} of {pair[0]!r} and {pair[1]!r} was not compared")
        label = f"{name}, {' − '.join(shorten_all(pair, MAX_LETTERS))}"
    else:
        by_name, name = read_source(evaluations, measure)
        for segment, evaluation in by_name.items():
            low, high = find_intervals(evaluation, [name], level)[0]
            mean = evaluation.means[name]
            rows.append(SegmentRow(segment, mean, low, high, len(evaluation)))
        label = f"mean {name}"
    with canvas(ax, theme, find_height(len(rows))) as drawn:
        names, values, lows, highs, lists = zip(*rows, strict=True)
        places = np.arange(len(rows))
        colour = drawn.palette.series[0]
        drawn.ax.hlines(places, lows, highs, color=colour, lw=1.4)
        # matplotlib's s= is the area: it grows with the lists, from a point that is still visible.
        areas = 6 + 20 * np.array(lists) / (max(lists) or 1)
        drawn.ax.scatter(values, places, s=areas, color=colour, zorder=3)
        if isinstance(evaluations, Comparison):
            drawn.ax.axvline(0, color=drawn.palette.muted, linewidth=0.8)
        labels = [f"{name} ({n:,})" for name, n in zip(shorten_all(names), lists, strict=True)]
        rows_fitting(drawn, labels)
        drawn.name_axes(label, "")
    return drawn.ax


def distribution(
    evaluations: Source,
    measure: str | None = None,
    *,
    ax: Axes | None = None,
    theme: Theme = None,
) -> Axes:
    """Draw the distribution of the lists' values: a row with a histogram for each system.

    Parameters
    ----------
    evaluations : Evaluation, Evaluations, mapping of name -> Evaluation, or Comparison
    measure : str, optional
        By default the first.
    ax, theme
        As in `differences`.

    Notes
    -----
    All rows have the same 40 bins and the same scale. The height of a bar is the square root of the
    share of lists in its bin, so that bins with few lists stay visible. A line marks the mean. nan
    is left out.
    """
    by_name, name = read_source(evaluations, measure)
    finite_values: list[Floats] = []
    for evaluation in by_name.values():
        values = evaluation.per_query[name]
        finite_values.append(values[np.isfinite(values)])
    # The scale begins at 0 or below. It ends at 1 for measures whose values come near to it, and
    # where there is nothing to scale by.
    all_values = np.concatenate(finite_values)
    low = float(all_values.min(initial=0.0))
    high = float(all_values.max(initial=0.0))
    if 0.5 < high <= 1 or high <= low:
        high = 1.0
    edges = np.linspace(low, high, BINS + 1)
    shares: list[Floats] = []
    for values in finite_values:
        counts, _ = np.histogram(values, edges)
        shares.append(counts / max(len(values), 1))
    with canvas(ax, theme, find_height(max(len(by_name), 6))) as drawn:
        tallest = float(np.max(shares)) or 1.0
        for row, share in enumerate(shares):
            # The height of a step is the root of its share, so that rare values stay visible.
            top = row + 0.42 - 0.84 * np.sqrt(share / tallest)
            style = {"color": drawn.palette.series[0], "linewidth": 0}
            drawn.ax.stairs(top, edges, baseline=row + 0.42, fill=True, **style)
        _mark_means(drawn, by_name, name)
        rows_fitting(drawn, shorten_all(list(by_name)))
        drawn.name_axes(name, "")
    return drawn.ax


def differences(
    evaluations: Source,
    measure: str | None = None,
    a: str | None = None,
    b: str | None = None,
    *,
    level: float = 0.95,
    ax: Axes | None = None,
    theme: Theme = None,
) -> Axes:
    """Draw the differences of a and b on each list, ascending, with the interval of their mean.

    Parameters
    ----------
    evaluations : Evaluations, mapping of name -> Evaluation, or Comparison
        The interval is the one of the comparison, or of `rankgain.compare` of the two.
    measure : str, optional
        By default the first.
    a, b : str, optional
        The two systems. By default the only two; b is the baseline of a comparison.
    level : float
        Of the interval.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default in a new figure.
    theme : "light", "dark" or None
        Colours of curves and background; None: by the background of the Axes.

    Notes
    -----
    Lists where a or b has no value are left out. For more than 2,000 lists the curve has 2,000
    steps.
    """
    pair = system_pair(evaluations, measure, a, b)
    mean, low, high = find_difference(evaluations, pair, level)
    values_a, values_b = pair.values
    differences = np.sort(values_a - values_b)
    lists = len(differences)
    places = np.arange(lists)
    with canvas(ax, theme) as drawn:
        palette, to = drawn.palette, drawn.ax
        better, worse = palette.series[:2]
        if lists <= BARS:
            colours = np.where(differences < 0, worse, better)
            to.bar(places, differences, width=1.0, color=colours.tolist(), linewidth=0)
        else:
            if lists > STEPS:
                # Lists that are evenly spaced from the first to the last: the least and the
                # greatest difference stay.
                places = np.linspace(0, lists - 1, STEPS).round().astype(np.int64)
                differences = differences[places]
            # Two areas: the differences below 0, which are 0 elsewhere, and those above.
            for area, colour in (
                (np.minimum(differences, 0), worse),
                (np.maximum(differences, 0), better),
            ):
                to.fill_between(places, area, step="mid", color=colour, linewidth=0)
        to.set_xlim(-0.5, places[-1] + 0.5)
        to.set_xticks([])
        interval = "no interval"  # of few lists
        if not math.isnan(low):
            interval = f"[{low:+.4f}, {high:+.4f}]"
            to.axhspan(low, high, color=palette.text, alpha=0.18, linewidth=0)
        to.axhline(mean, color=palette.text, linewidth=0.9)
        to.axhline(0, color=palette.muted, linewidth=0.6)
        names = shorten_all([pair.a, pair.b], MAX_LETTERS)
        drawn.title(f"{names[0]} − {names[1]}\nmean {mean:+.4f} {interval}")
        counts = ""
        if not pair.is_over_all_lists:  # no list has a value of its own
            wins, ties, losses = pair.counts()
            if pair.is_smaller_better:
                wins, losses = losses, wins
            counts = f"\n{wins:,} better, {ties:,} equal, {losses:,} worse"
        drawn.name_axes(f"{lists:,} queries{counts}", f"difference of {pair.measure}")
    return drawn.ax


def scatter(
    evaluations: Source,
    measure: str | None = None,
    a: str | None = None,
    b: str | None = None,
    *,
    ax: Axes | None = None,
    theme: Theme = None,
) -> Axes:
    """Draw the value of a against the value of b of each list; above the diagonal a is greater.

    Lists with the same two values are one point, whose area grows with their number. With more than
    2,000 different points, the shade of hexagons is the number of their lists, on a logarithmic
    scale. Arguments as in `differences`.
    """
    pair = system_pair(evaluations, measure, a, b)
    y, x = pair.values
    # Both axes have the same ends: the least value or 0, and the greatest, with a margin of 4%.
    low = min(float(pair.values.min()), 0.0)
    high = float(pair.values.max())
    margin = 0.04 * (high - low) or 0.5
    ends = low - margin, high + margin
    with canvas(ax, theme, height=3.0) as drawn:
        to, palette = drawn.ax, drawn.palette
        to.plot(ends, ends, color=palette.muted, linewidth=0.8, zorder=3)
        points, counts = np.unique(np.stack((x, y)), axis=1, return_counts=True)
        if points.shape[1] <= POINTS:
            areas = np.minimum(9.0 * counts, 150.0)
            options = {"alpha": 0.6, "linewidth": 0, "color": palette.series[0]}
            to.scatter(points[0], points[1], s=areas, **options)
        else:
            from matplotlib.colors import LinearSegmentedColormap, to_rgb

            # From near the background, over the first colour, to the colour of text.
            background = np.array(to_rgb(palette.background))
            first = np.array(to_rgb(palette.series[0]))
            colours = [tuple(0.7 * background + 0.3 * first), tuple(first), to_rgb(palette.text)]
            shades = LinearSegmentedColormap.from_list("lists", colours)
            options = {"gridsize": 45, "bins": "log", "mincnt": 1, "cmap": shades}
            to.hexbin(x, y, extent=(*ends, *ends), linewidths=0.1, **options)
        to.set_aspect("equal")
        to.set_xlim(*ends)
        to.set_ylim(*ends)
        to.set_xticks(to.get_yticks())
        to.set_xlim(*ends)  # again, because ticks beyond the ends extend the axis
        names = shorten_all([pair.a, pair.b], MAX_LETTERS)
        above, equal, below = pair.counts()
        drawn.title(
            f"{pair.measure}, {len(x):,} queries\n{above:,} above, {equal:,} on, {below:,} below"
        )
        drawn.name_axes(names[1], names[0])
    return drawn.ax
