"""Means, segments and values of lists: a row for each system or segment, or two systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ...inputs.types import Floats


BINS = 40
BARS = 400  # up to this many lists, each has a bar
POINTS = 2_000  # up to this many different points, each is drawn
STEPS = 2_000  # steps of the curve of more lists
MAX_LETTERS = 14


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
    available = [
        bounds_kind
        for bounds_kind in ("ties", "unjudged")
        if all(bounds_kind in evaluation.bounds for evaluation in by_name.values())
    ]
    if (kind is not None and kind not in available) or not available:
        needed = kind or "ties"
        raise ValueError(f'there are no bounds of {needed}; evaluate with bounds="{needed}"')
    kinds = [kind] if kind else available
    with canvas(ax, theme, find_height(len(by_name)) + 0.15) as drawn:
        to = drawn.ax
        thick = 0.7 / len(kinds)
        for position, bounds_kind in enumerate(kinds):
            ends = [evaluation.bound_means[bounds_kind][name] for evaluation in by_name.values()]
            low, high = np.array(ends).T
            # The bars of the kinds lie beside each other, centred on the row of their system.
            offset = (position - (len(kinds) - 1) / 2) * thick
            rows = np.arange(len(by_name)) + offset
            colour = drawn.palette.series[position]
            style = {"height": thick * 0.85, "color": colour, "linewidth": 0}
            to.barh(rows, high - low, left=low, label=bounds_kind, **style)
        _mark_means(drawn, [evaluation.means[name] for evaluation in by_name.values()])
        rows_fitting(drawn, shorten_all(list(by_name)))
        drawn.name_axes(f"mean {name}", "")
        place: dict[str, object] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
        place |= {"borderaxespad": 0.2, "frameon": False, "fontsize": "small"}
        colour = drawn.palette.text
        legend = to.legend(ncols=len(kinds), handlelength=1.0, labelcolor=colour, **place)
        for text in legend.get_texts():
            text.set(**NO_MATH)
    return drawn.ax


def _mark_means(drawn: Canvas, means: Sequence[float]) -> None:
    """A short line at the mean of each row."""
    places = np.arange(len(means))
    drawn.ax.use_sticky_edges = False
    drawn.ax.margins(x=0.03)
    drawn.ax.vlines(means, places - 0.4, places + 0.4, color=drawn.palette.text, linewidth=1.2)


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
    rows: list[tuple[str, float, float, float, int]]
    if isinstance(evaluations, Comparison):
        if not evaluations.segments:
            raise ValueError("this comparison has no segments; compare with by=")
        first = evaluations.rows[0]
        name = first.measure
        if measure is not None:
            name = measure if measure in evaluations.measures else str(parse_measure(measure))
        pair = (a or first.a, b or first.b)
        rows = [
            (str(row.segment), row.difference, row.low, row.high, row.lists)
            for row in evaluations.rows
            if row.measure == name and (row.a, row.b) == pair
        ]
        if not rows:
            raise ValueError(f"{name} of {pair[0]!r} and {pair[1]!r} was not compared")
        label = f"{name}, {' − '.join(shorten_all(pair, MAX_LETTERS))}"
    else:
        by_name, name = read_source(evaluations, measure)
        rows = [
            (
                segment,
                evaluation.means[name],
                *find_intervals(evaluation, [name], level)[0],
                len(evaluation),
            )
            for segment, evaluation in by_name.items()
        ]
        label = f"mean {name}"
    with canvas(ax, theme, find_height(len(rows))) as drawn:
        names, values, lows, highs, lists = zip(*rows, strict=True)
        places, colour = np.arange(len(rows)), drawn.palette.series[0]
        drawn.ax.hlines(places, lows, highs, color=colour, lw=1.4)
        most = max(lists) or 1
        areas = [6 + 20 * n / most for n in lists]
        drawn.ax.scatter(values, places, s=areas, color=colour, zorder=3)
        if isinstance(evaluations, Comparison):
            drawn.ax.axvline(0, color=drawn.palette.muted, linewidth=0.8)
        pairs = zip(shorten_all(names), lists, strict=True)
        rows_fitting(drawn, [f"{evaluation} ({n:,})" for evaluation, n in pairs])
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
    columns = [values_of_run.per_query[name] for values_of_run in by_name.values()]
    finite_values = [values_of_run[np.isfinite(values_of_run)] for values_of_run in columns]
    values = np.concatenate(finite_values)
    low = min(float(values.min(initial=0.0)), 0.0)
    high = float(values.max(initial=0.0)) if len(values) else 1.0
    high = 1.0 if 0.5 < high <= 1 or high <= low else high
    edges = np.linspace(low, high, BINS + 1)
    shares: list[Floats] = []
    for values_of_run in finite_values:
        counts, _ = np.histogram(values_of_run, edges)
        shares.append(counts / max(len(values_of_run), 1))
    with canvas(ax, theme, find_height(max(len(by_name), 6))) as drawn:
        tallest = max((float(share.max()) for share in shares), default=0.0) or 1.0
        for row, share in enumerate(shares):
            # The height of a step is the root of its share, so that rare values stay visible.
            top = row + 0.42 - 0.84 * np.sqrt(share / tallest)
            style = {"color": drawn.palette.series[0], "linewidth": 0}
            drawn.ax.stairs(top, edges, baseline=row + 0.42, fill=True, **style)
        _mark_means(drawn, [values_of_run.means[name] for values_of_run in by_name.values()])
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
    values = np.sort(np.subtract(*pair.values))
    places, lists = np.arange(len(values)), len(values)
    with canvas(ax, theme) as drawn:
        palette, to = drawn.palette, drawn.ax
        better, worse = palette.series[:2]
        if lists <= BARS:
            colours = np.where(values < 0, worse, better)
            to.bar(places, values, width=1.0, color=colours.tolist(), linewidth=0)
        else:
            if lists > STEPS:
                places = np.linspace(0, lists - 1, STEPS).round().astype(np.int64)
                values = values[places]
            for part, colour in ((np.minimum(values, 0), worse), (np.maximum(values, 0), better)):
                to.fill_between(places, part, step="mid", color=colour, linewidth=0)
        to.set_xlim(-0.5, places[-1] + 0.5)
        to.set_xticks([])
        to.axhspan(low, high, color=palette.text, alpha=0.18, linewidth=0)
        to.axhline(mean, color=palette.text, linewidth=0.9)
        to.axhline(0, color=palette.muted, linewidth=0.6)
        names = shorten_all([pair.a, pair.b], MAX_LETTERS)
        drawn.title(f"{names[0]} − {names[1]}\nmean {mean:+.4f} [{low:+.4f}, {high:+.4f}]")
        counts = ""
        if not pair.is_over_all_lists:  # no list has a value of its own
            above, ties, below = pair.counts()
            wins, losses = (below, above) if pair.is_smaller_better else (above, below)
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
    low, high = min(float(pair.values.min()), 0.0), float(pair.values.max())
    room = 0.04 * (high - low) or 0.5
    ends = low - room, high + room  # of both axes
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
        to.set_xlim(*ends)
        names = shorten_all([pair.a, pair.b], MAX_LETTERS)
        above, equal, below = pair.counts()
        drawn.title(
            f"{pair.measure}, {len(x):,} queries\n{above:,} above, {equal:,} on, {below:,} below"
        )
        drawn.name_axes(names[1], names[0])
    return drawn.ax
