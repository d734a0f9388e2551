"""Plots with a row for each system or segment: bounds, intervals and distributions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...analysis.comparison import Comparison
from ...inputs.printable import shorts
from ...measures.measure import parse_measure
from .canvas import (
    Canvas,
    Theme,
    canvas,
    choose_measure,
    find_height,
    find_intervals,
    read_evaluations,
    rows_fitting,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ...evaluation.evaluation import Evaluation
    from ...inputs.types import Floats

BINS = 40


def bounds(
    evaluations: Evaluation | Mapping[str, Evaluation] | Comparison,
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

    A bar goes from the lowest to the highest possible mean; a line marks the mean itself.
    """
    by_name = read_evaluations(evaluations)
    name = choose_measure(evaluations, by_name, measure)
    known = [one for one in ("ties", "unjudged") if all(one in e.bounds for e in by_name.values())]
    if (kind is not None and kind not in known) or not known:
        needed = kind or "ties"
        raise ValueError(f'there are no bounds of {needed}; evaluate with bounds="{needed}"')
    kinds = [kind] if kind else known
    with canvas(ax, theme, find_height(len(by_name)) + 0.15) as drawn:
        to = drawn.ax
        thick = 0.7 / len(kinds)
        for at, one in enumerate(kinds):
            low, high = np.array([e.bound_means[one][name] for e in by_name.values()]).T
            rows = np.arange(len(by_name)) + (at - (len(kinds) - 1) / 2) * thick
            colour = drawn.palette.series[at]
            style: dict[str, Any] = {"height": thick * 0.85, "color": colour, "linewidth": 0}
            to.barh(rows, high - low, left=low, label=one, **style)
        _mark_means(drawn, [e.means[name] for e in by_name.values()])
        rows_fitting(drawn, shorts(list(by_name)))
        drawn.name_axes(f"mean {name}", "")
        _legend(drawn, len(kinds))
    return drawn.axes


def _mark_means(drawn: Canvas, means: Sequence[float]) -> None:
    """A short line at the mean of each row."""
    places = np.arange(len(means))
    drawn.ax.use_sticky_edges = False
    drawn.ax.margins(x=0.03)
    drawn.ax.vlines(means, places - 0.4, places + 0.4, color=drawn.palette.text, linewidth=1.2)


def _legend(drawn: Canvas, columns: int) -> None:
    """A legend above the rows."""
    options: dict[str, Any] = {"frameon": False, "fontsize": "small", "ncols": columns}
    place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
    legend = drawn.ax.legend(**options, **place, handlelength=1.0, labelcolor=drawn.palette.text)
    for text in legend.get_texts():
        text.set(parse_math=False, usetex=False)


class ForestRow(NamedTuple):
    """A row of a forest plot."""

    name: str
    value: float
    low: float
    high: float
    lists: int


def segments(
    evaluations: Evaluation | Mapping[str, Evaluation] | Comparison,
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

    The numbers in parentheses count the lists; points grow with them.
    """
    if isinstance(evaluations, Comparison):
        name, rows, label = _compare_rows(evaluations, measure, a, b)
    else:
        by_name = read_evaluations(evaluations)
        name = choose_measure(evaluations, by_name, measure)
        rows = [
            ForestRow(segment, one.means[name], *find_intervals(one, [name], level)[0], len(one))
            for segment, one in by_name.items()
        ]
        label = f"mean {name}"
    with canvas(ax, theme, find_height(len(rows))) as drawn:
        _forest(drawn, rows, zero=isinstance(evaluations, Comparison))
        names = shorts([row.name for row in rows])
        labels = [f"{one} ({row.lists:,})" for one, row in zip(names, rows, strict=True)]
        rows_fitting(drawn, labels)
        drawn.name_axes(label, "")
    return drawn.axes


def _compare_rows(
    comparison: Comparison, measure: str | None, a: str | None, b: str | None
) -> tuple[str, list[ForestRow], str]:
    """The measure, the rows of one pair, and the label of their axis."""
    if not comparison.segments:
        raise ValueError("this comparison has no segments; compare with by=")
    first = comparison.rows[0]
    name = first.measure
    if measure is not None:
        name = measure if measure in comparison.measures else str(parse_measure(measure))
    pair = (a or first.a, b or first.b)
    rows = [row for row in comparison.rows if row.measure == name and (row.a, row.b) == pair]
    if not rows:
        raise ValueError(f"{name} of {pair[0]!r} and {pair[1]!r} was not compared")
    names = shorts(pair, 14)
    forest_rows = [
        ForestRow(str(row.segment), row.difference, row.low, row.high, row.lists) for row in rows
    ]
    return name, forest_rows, f"{name}, {names[0]} − {names[1]}"


def _forest(drawn: Canvas, rows: list[ForestRow], zero: bool) -> None:
    """Points with their intervals."""
    ax, palette = drawn.ax, drawn.palette
    places = np.arange(len(rows))
    colour = palette.series[0]
    ax.hlines(places, [r.low for r in rows], [r.high for r in rows], color=colour, lw=1.4)
    most = max((row.lists for row in rows), default=1) or 1
    areas = [6 + 20 * row.lists / most for row in rows]
    ax.scatter([row.value for row in rows], places, s=areas, color=colour, zorder=3)
    if zero:
        ax.axvline(0, color=palette.muted, linewidth=0.8)


def distribution(
    evaluations: Evaluation | Mapping[str, Evaluation] | Comparison,
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

    All rows have the same 40 bins and the same scale. The height of a bar is the square root of the
    share of lists in its bin, so that bins with few lists stay visible. A line marks the mean. nan
    is left out.
    """
    by_name = read_evaluations(evaluations)
    name = choose_measure(evaluations, by_name, measure)
    columns = {system: one.per_query[name] for system, one in by_name.items()}
    with canvas(ax, theme, find_height(max(len(by_name), 6))) as drawn:
        edges, shares = _histograms(columns)
        tallest = max((float(one.max()) for one in shares), default=0.0) or 1.0
        for row, share in enumerate(shares):
            top = row + 0.42 - 0.84 * np.sqrt(share / tallest)
            drawn.ax.stairs(
                top,
                edges,
                baseline=row + 0.42,
                fill=True,
                color=drawn.palette.series[0],
                linewidth=0,
            )
        _mark_means(drawn, [one.means[name] for one in by_name.values()])
        rows_fitting(drawn, shorts(list(by_name)))
        drawn.name_axes(name, "")
    return drawn.axes


def _histograms(columns: Mapping[str, Floats]) -> tuple[Floats, list[Floats]]:
    """Edges of the bins, and the share of lists in each bin for each system."""
    known = {name: one[np.isfinite(one)] for name, one in columns.items()}
    values = np.concatenate(list(known.values()))
    low = min(float(values.min(initial=0.0)), 0.0)
    high = float(values.max(initial=0.0)) if len(values) else 1.0
    high = 1.0 if 0.5 < high <= 1 or high <= low else high
    edges = np.linspace(low, high, BINS + 1)
    return edges, [np.histogram(one, edges)[0] / max(len(one), 1) for one in known.values()]
