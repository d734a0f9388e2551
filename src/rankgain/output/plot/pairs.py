"""Two systems list by list: sorted differences, and a scatter plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...inputs.printable import shorts
from ...measures.all_lists import is_over_all_lists
from .canvas import Canvas, Theme, canvas, find_difference, system_pair

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

    from ...analysis.comparison import Comparison
    from ...evaluation.evaluation import Evaluation
    from ...inputs.types import Floats

BARS = 400  # up to this many lists, each has a bar
POINTS = 2_000  # up to this many different points, each is drawn
STEPS = 2_000  # steps of the curve of more lists
LETTERS = 14


def differences(
    evaluations: Evaluation | Mapping[str, Evaluation] | Comparison,
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

    Lists where a or b has no value are left out. For more than 2,000 lists the curve has 2,000
    steps.
    """
    both = system_pair(evaluations, measure, a, b)
    mean, low, high = find_difference(evaluations, both, level)
    with canvas(ax, theme) as drawn:
        x, y = both.values
        _steps(drawn, np.sort(x - y))
        palette, to = drawn.palette, drawn.ax
        to.axhspan(low, high, color=palette.text, alpha=0.18, linewidth=0)
        to.axhline(mean, color=palette.text, linewidth=0.9)
        to.axhline(0, color=palette.muted, linewidth=0.6)
        names = shorts([both.a, both.b], LETTERS)
        drawn.title(f"{names[0]} − {names[1]}\nmean {mean:+.4f} [{low:+.4f}, {high:+.4f}]")
        counts = ""
        if not is_over_all_lists(both.measure):  # no list has a value of its own
            wins, ties, losses = both.better()
            counts = f"\n{wins:,} better, {ties:,} equal, {losses:,} worse"
        drawn.name_axes(f"{len(x):,} lists{counts}", f"difference of {both.measure}")
    return drawn.axes


def _steps(drawn: Canvas, values: Floats) -> None:
    """A bar for each value, or a filled step curve; negative values have another colour."""
    better, worse = drawn.palette.series[:2]
    places = np.arange(len(values))
    if len(values) <= BARS:
        colours = np.where(values < 0, worse, better)
        drawn.ax.bar(places, values, width=1.0, color=colours.tolist(), linewidth=0)
    else:
        if len(values) > STEPS:
            places = np.linspace(0, len(values) - 1, STEPS).round().astype(np.int64)
            values = values[places]
        for part, colour in ((np.minimum(values, 0), worse), (np.maximum(values, 0), better)):
            drawn.ax.fill_between(places, part, step="mid", color=colour, linewidth=0)
    drawn.ax.set_xlim(-0.5, places[-1] + 0.5 if len(places) else 0.5)
    drawn.ax.set_xticks([])


def scatter(
    evaluations: Evaluation | Mapping[str, Evaluation] | Comparison,
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
    both = system_pair(evaluations, measure, a, b)
    y, x = both.values
    with canvas(ax, theme, height=3.0) as drawn:
        to, palette = drawn.ax, drawn.palette
        ends = _ends(x, y)
        to.plot(ends, ends, color=palette.muted, linewidth=0.8, zorder=3)
        points, counts = np.unique(np.stack((x, y)), axis=1, return_counts=True)
        if points.shape[1] <= POINTS:
            areas = np.minimum(9.0 * counts, 150.0)
            options: dict[str, Any] = {"alpha": 0.6, "linewidth": 0, "color": palette.series[0]}
            to.scatter(points[0], points[1], s=areas, **options)
        else:
            options = {"gridsize": 45, "bins": "log", "mincnt": 1, "cmap": _shades(drawn)}
            to.hexbin(x, y, extent=(*ends, *ends), linewidths=0.1, **options)
        to.set_aspect("equal")
        to.set_xlim(*ends)
        to.set_ylim(*ends)
        to.set_xticks(to.get_yticks())
        to.set_xlim(*ends)
        names = shorts([both.a, both.b], LETTERS)
        above, below = int((y > x).sum()), int((y < x).sum())
        equal = len(x) - above - below
        drawn.title(
            f"{both.measure}, {len(x):,} lists\n{above:,} above, {equal:,} on, {below:,} below"
        )
        drawn.name_axes(names[1], names[0])
    return drawn.axes


def _ends(x: Floats, y: Floats) -> tuple[float, float]:
    """The limits of both axes, with some room."""
    both = np.concatenate((x, y))
    low, high = (float(both.min()), float(both.max())) if len(both) else (0.0, 1.0)
    low = min(low, 0.0)
    room = 0.04 * (high - low) or 0.5
    return low - room, high + room


def _shades(drawn: Canvas) -> Colormap:
    """A colour map from near the background, over the first colour, to the colour of text."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    palette = drawn.palette
    background, first = (np.array(to_rgb(one)) for one in (palette.background, palette.series[0]))
    colours: list[Any] = [0.7 * background + 0.3 * first, first, to_rgb(palette.text)]
    return LinearSegmentedColormap.from_list("lists", [tuple(one) for one in colours])
