"""The ranks of systems with their simultaneous intervals: a line for each system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...analysis.comparison import Comparison
from ...inputs.printable import shorten_all
from .canvas import Theme, canvas, find_height, rows_fitting

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def ranks(
    comparison: Comparison,
    measure: str | None = None,
    *,
    level: float = 0.95,
    ax: Axes | None = None,
    theme: Theme = None,
) -> Axes:
    """Draw the rank of each system with its interval, by `Comparison.ranks`.

    Parameters
    ----------
    comparison : Comparison
    measure : str, optional
        By default the first.
    level : float
        Of the intervals, which hold together.
    ax, theme
        As in `differences`.

    Notes
    -----
    A line goes from the least to the greatest rank of a system, and a point marks the rank of its
    mean. Systems that are tied for best have a colour, the others are grey.
    """
    if not isinstance(comparison, Comparison):
        raise TypeError(
            f"ranks are drawn of a Comparison, not {type(comparison).__name__}; pass "
            "rankgain.compare(evaluations)"
        )
    if measure is None:
        measure = comparison.measures[0]
    result = comparison.ranks(measure, level=level)
    with canvas(ax, theme, find_height(len(result))) as drawn:
        places, lows, highs = np.array(list(result.values())).T
        rows = np.arange(len(result))
        best = set(result.tied_for_best)
        colours = [drawn.palette.muted] * len(result)
        for row, system in enumerate(result):
            if system in best:
                colours[row] = drawn.palette.series[0]
        drawn.ax.hlines(rows, lows, highs, colors=colours, linewidth=1.8)
        drawn.ax.scatter(places, rows, s=16, c=colours, zorder=3)
        rows_fitting(drawn, shorten_all(list(result)))
        drawn.ax.set_xlim(0.5, len(result) + 0.5)
        drawn.ax.xaxis.get_major_locator().set_params(integer=True)
        drawn.name_axes(f"rank by mean {result.measure}", "")
    return drawn.ax
