"""What pictures share: Axes with a light or dark background, and the systems that they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from ...analysis.aligned import Draws, Pairs, Units, align, make_units, name_pair
from ...analysis.comparison import Comparison
from ...analysis.paired_tests import randomise
from ...engine.intervals import check_level
from ...evaluation.evaluation import Evaluation
from ...measures.all_lists import is_over_all_lists
from ...measures.measure import is_smaller_better

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...inputs.types import Floats


Theme: TypeAlias = Literal["light", "dark"] | None
Source: TypeAlias = Evaluation | Mapping[str, Evaluation] | Comparison

# The sizes are those of a paper with two columns: inches, and points for letters.
WIDTH = 3.3
HEIGHT = 2.3
MANY = 10_000  # with more values, intervals take fewer resamples
SIZES = {
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "axes.linewidth": 0.6,
    "figure.dpi": 150.0,
}
# For texts with names, which may contain the characters of formulas of matplotlib or LaTeX.
NO_MATH = {"parse_math": False, "usetex": False}


class Palette(NamedTuple):
    """The colours for a background.

    They have a contrast of at least 3:1 against the background, and differ for readers without red,
    green or blue receptors (tests/output/plot/test_colours.py).
    """

    background: str
    text: str
    muted: str
    series: tuple[str, ...]


LIGHT = Palette(
    "#ffffff", "#1f2328", "#767c85", ("#0060a8", "#c84a00", "#009070", "#c94f9a", "#5a4632")
)
DARK = Palette(
    "#14171c", "#e6e8eb", "#868c95", ("#4da6ff", "#ff9a52", "#1fd0a0", "#e39ae0", "#f3e79b")
)
# The dashes of the series, which differ without colours, too: solid, long, dotted, dash-dotted,
# dashed. In matplotlib (0, (5, 1.5)) is 5 points drawn, 1.5 not, from offset 0.
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.2, 1.2, 1.2)), "--")


class Canvas(NamedTuple):
    """Axes, and the palette for their background."""

    ax: Axes
    palette: Palette

    def title(self, text: str) -> None:
        """Set the title, above the left edge."""
        self.ax.set_title(text, loc="left", color=self.palette.text, **NO_MATH)

    def name_axes(self, x: str, y: str) -> None:
        """Label the x and y axes."""
        self.ax.set_xlabel(x, color=self.palette.text, **NO_MATH)
        self.ax.set_ylabel(y, color=self.palette.text, **NO_MATH)


@contextmanager
def canvas(ax: Axes | None, theme: Theme, height: float = HEIGHT) -> Iterator[Canvas]:
    """Axes to draw on, without the top and right spines."""
    if theme not in (None, "light", "dark"):
        raise ValueError(f'theme must be "light", "dark" or None, not {theme!r}')
    try:
        import matplotlib.pyplot as plt
        from matplotlib.colors import to_rgba
    except ImportError as error:
        raise ImportError('pictures need matplotlib: pip install "rankgain[plot]"') from error
    # The caller's Axes keep the caller's sizes.
    with plt.rc_context(SIZES if ax is None else {}):
        if ax is None:
            _, ax = plt.subplots(figsize=(WIDTH, height), layout="constrained")
        # The luminance of the background (ITU-R BT.709), from below: transparent Axes show the
        # figure, and a transparent figure shows white.
        luminance = 1.0
        for layer in dict.fromkeys((drawn_figure(ax), ax.figure, ax)):
            red, green, blue, alpha = to_rgba(layer.get_facecolor())
            luminance += alpha * (0.2126 * red + 0.7152 * green + 0.0722 * blue - luminance)
        palette = LIGHT
        if theme == "dark" or (theme is None and luminance < 0.5):
            palette = DARK
        if theme:
            ax.figure.set_facecolor(palette.background)
            ax.set_facecolor(palette.background)
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color(palette.muted)
        ax.tick_params(color=palette.muted, labelcolor=palette.text, length=2.5, which="both")
        ax.set_axisbelow(True)
        yield Canvas(ax, palette)


def drawn_figure(ax: Axes) -> Figure:
    """The whole figure, as a part of it (a SubFigure) is not drawn by itself."""
    return ax.figure.canvas.figure


def rows_fitting(canvas: Canvas, labels: Sequence[str]) -> None:
    """Label rows 0, 1, ... from the top down, in a font that fits the height."""
    ax = canvas.ax
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.set_yticks(range(len(labels)), labels, **NO_MATH)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    if not labels:
        return
    drawn_figure(ax).draw_without_rendering()  # the layout sets the height of the Axes
    # The height of a row in points: pixels by dots per inch are inches, with 72 points each. A line
    # of text needs 1.25 times its font size.
    inches = ax.bbox.height / ax.figure.dpi
    points = inches * 72 / (len(labels) + 0.2)
    font_size = float(ax.get_yticklabels()[0].get_fontsize())
    if points < 1.25 * font_size:
        ax.tick_params(axis="y", labelsize=max(points / 1.25, 1.0))


def find_height(rows: int) -> float:
    """The height in inches of a picture with this many rows."""
    # A row has 0.17 inches, the x axis with its label the rest.
    return 0.75 + 0.17 * max(rows, 2)


def read_evaluations(source: object) -> dict[str, Evaluation]:
    """Evaluations by name, from any argument that plots accept."""
    if isinstance(source, Comparison):
        if source.evaluations is None:
            raise ValueError(
                "this comparison was read from a file, which has no values of lists; "
                "give the evaluations"
            )
        source = source.evaluations
    if isinstance(source, Evaluation):
        return {"": source}
    if isinstance(source, Mapping) and not source:
        raise ValueError("there is no evaluation to draw: the mapping is empty")
    if not isinstance(source, Mapping):
        raise TypeError(
            "plots accept an Evaluation, Evaluations, a mapping name -> Evaluation or a "
            f"Comparison, not {type(source).__name__}"
        )
    for name, evaluation in source.items():
        if not isinstance(evaluation, Evaluation):
            raise TypeError(f"{name!r} must be an Evaluation, not {type(evaluation).__name__}")
    return {str(name): evaluation for name, evaluation in source.items()}


def choose_measure(source: Source, by_name: Mapping[str, Evaluation], measure: str | None) -> str:
    """The requested measure, which all evaluations must have; by default the source's first."""
    first = next(iter(by_name.values()))
    if measure is None and isinstance(source, Comparison):
        return source.measures[0]
    if measure is None:
        key = next(iter(first.means))
    else:
        key = first.key_of(measure)
    for name, evaluation in by_name.items():
        if key not in evaluation.means:
            raise ValueError(f"{name!r} has no {key}; it has {', '.join(evaluation.means)}")
    return key


def read_source(source: Source, measure: str | None) -> tuple[dict[str, Evaluation], str]:
    """The evaluations by name, and the requested measure of theirs."""
    by_name = read_evaluations(source)
    return by_name, choose_measure(source, by_name, measure)


class SystemPair(NamedTuple):
    """Two systems on the lists where both have a value of the measure."""

    measure: str
    a: str
    b: str
    units: Units
    is_smaller_better: bool
    is_over_all_lists: bool  # the measure is a number of all lists, so no list has a value

    @property
    def values(self) -> Floats:
        """The values of a, and those of b."""
        return self.units.values.T

    def counts(self) -> tuple[int, int, int]:
        """The number of lists where a is greater, both are equal, and b is greater."""
        a, b = self.values
        above = int((a > b).sum())
        below = int((a < b).sum())
        return above, len(a) - above - below, below


def system_pair(source: Source, measure: str | None, a: str | None, b: str | None) -> SystemPair:
    """Two systems on a measure; by default the only two, with b the baseline of a comparison."""
    by_name = read_evaluations(source)
    baseline = None
    if isinstance(source, Comparison):
        baseline = source.baseline
    first, second = name_pair(list(by_name), a, b, baseline)
    pair_of_runs = {first: by_name[first], second: by_name[second]}
    name = choose_measure(source, pair_of_runs, measure)
    units = make_units(align(pair_of_runs, "common"), name)
    with_values = np.flatnonzero(~np.isnan(units.numerators).any(axis=1))
    if not len(with_values):
        raise ValueError(f"{first!r} and {second!r} have no list where both have a value of {name}")
    # The same arrays as in compare, so that sums have the same bits.
    if len(with_values) < len(units.lists):
        units = units.part(with_values, slice(None))
    better = by_name[first].better
    return SystemPair(
        name,
        first,
        second,
        units,
        is_smaller_better(name, better),
        is_over_all_lists(name, better),
    )


def find_difference(source: Source, pair: SystemPair, level: float) -> tuple[float, float, float]:
    """The difference of the means and its interval, from the comparison or as in `compare`."""
    if isinstance(source, Comparison) and source.level == level:
        key = (pair.measure, None, pair.a, pair.b)
        for row in source.rows:
            if (row.measure, row.segment, row.a, row.b) == key:
                return row.difference, row.low, row.high
    check_level(level)
    pairs = Pairs(np.array([0]), np.array([1]))  # the only pair: systems 0 and 1 of the units
    resamples = _choose_resamples(len(pair.units.values))
    low, high = randomise(pair.units, pairs, Draws(resamples, 0), level)[0][0]
    difference = pairs.difference(pair.units.evaluated_means())[0]
    return float(difference), float(low), float(high)


def find_intervals(
    evaluation: Evaluation, names: list[str], level: float
) -> list[tuple[float, float]]:
    """Intervals of the means of an evaluation, from the same resamples for all."""
    resamples = _choose_resamples(len(evaluation) * len(names))
    return [evaluation.interval(name, level=level, resamples=resamples) for name in names]


def _choose_resamples(values: int) -> int:
    """The number of resamples: fewer for many values, so that a picture does not take long."""
    if values <= MANY:
        return 10_000
    return 1_000
