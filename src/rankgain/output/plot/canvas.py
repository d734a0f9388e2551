"""The Axes that plots are drawn on, with a light or dark background; names that do not overlap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ...analysis.aligned import Units, align, make_units
from ...analysis.comparison import Comparison
from ...analysis.significance.paired_tests import randomise
from ...analysis.significance.pairs import Draws, Pairs
from ...engine.intervals import check_level
from ...evaluation.evaluation import Evaluation
from ...inputs.printable import printable
from ...measures.measure import is_smaller_better

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...inputs.types import Floats


Theme: TypeAlias = Literal["light", "dark"] | None

WIDTH = 3.3  # inches: a column of a paper
HEIGHT = 2.3
ROOM = 1.3  # height of a line of text, relative to the font size
GAP = 6.0  # points between the end of a curve and its name
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
NO_MATH: dict[str, Any] = {"parse_math": False, "usetex": False}


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
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.2, 1.2, 1.2)), "--")


class Canvas(NamedTuple):
    """Axes, and the palette for their background."""

    ax: Any  # matplotlib.axes.Axes
    palette: Palette

    @property
    def axes(self) -> Axes:
        """The Axes, typed."""
        result: Axes = self.ax
        return result

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
    plt = pyplot()
    if ax is not None:
        yield _style(ax, theme)
        return
    with plt.rc_context(SIZES):
        _, new = plt.subplots(figsize=(WIDTH, height), layout="constrained")
        yield _style(new, theme)


def pyplot() -> Any:
    """matplotlib.pyplot, which is an extra."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError('pictures need matplotlib: pip install "rankgain[plot]"') from error
    return plt


def _style(ax: Axes, theme: Theme) -> Canvas:
    """Set the colours and spines of Axes."""
    dark = theme == "dark" if theme else _is_dark(ax)
    palette = DARK if dark else LIGHT
    if theme:
        ax.figure.set_facecolor(palette.background)
        ax.set_facecolor(palette.background)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(palette.muted)
    ax.tick_params(color=palette.muted, labelcolor=palette.text, length=2.5, which="both")
    ax.set_axisbelow(True)
    return Canvas(ax, palette)


def _is_dark(ax: Axes) -> bool:
    """Whether the background is dark; transparent Axes show the figure, and that shows white."""
    from matplotlib.colors import to_rgba

    light = 1.0
    for one in dict.fromkeys((drawn_figure(ax), ax.figure, ax)):
        colour = one.get_facecolor()
        red, green, blue, alpha = to_rgba(colour)
        light += alpha * (0.2126 * red + 0.7152 * green + 0.0722 * blue - light)
    return light < 0.5


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
    drawn_figure(ax).draw_without_rendering()  # the layout sets the height of the Axes
    points = ax.bbox.height / ax.figure.dpi * 72 / (len(labels) + 0.2)
    size = ax.get_yticklabels()[0].get_fontsize() if labels else 1.0
    if points < 1.25 * float(size):
        ax.tick_params(axis="y", labelsize=max(points / 1.25, 1.0))


def find_height(rows: int) -> float:
    """The height in inches of a picture with this many rows."""
    return 0.75 + 0.17 * max(rows, 2)


def name_ends(drawn: Canvas, x: float, ends: Mapping[str, float]) -> None:
    """Write names at the right inside the Axes, as near the ends of their curves as possible.

    Names have the colours of the palette in order. A thin line connects a name that was moved.
    """
    ax = drawn.ax
    figure = drawn_figure(ax)
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


def thin_ticks(drawn: Canvas, ticks: Sequence[int]) -> None:
    """Set ticks, and number as many of them as fit without touching, from the right."""
    ax = drawn.ax
    ax.minorticks_off()
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    drawn_figure(ax).draw_without_rendering()
    left, numbers = np.inf, []
    for label in reversed(ax.get_xticklabels()):
        box = label.get_window_extent()
        fits = box.x1 + 3 <= left
        numbers.append(label.get_text() if fits else "")
        left = box.x0 if fits else left
    ax.set_xticks(ticks, numbers[::-1])


MANY = 10_000  # with more values, intervals take fewer resamples


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
    if not isinstance(source, Mapping) or not source:
        raise TypeError(
            "a picture is drawn of an Evaluation, Evaluations, a mapping name -> Evaluation or a "
            f"Comparison, not {type(source).__name__}"
        )
    for name, one in source.items():
        if not isinstance(one, Evaluation):
            raise TypeError(f"{name!r} must be an Evaluation, not {type(one).__name__}")
    return {str(name): one for name, one in source.items()}


def choose_measure(
    source: Evaluation | Mapping[str, Evaluation] | Comparison,
    evaluations: Mapping[str, Evaluation],
    measure: str | None,
) -> str:
    """The requested measure, which all evaluations must have; by default the source's first."""
    first = next(iter(evaluations.values()))
    if measure is None and isinstance(source, Comparison):
        return source.measures[0]
    key = next(iter(first.means)) if measure is None else first.key_of(measure)
    for name, one in evaluations.items():
        if key not in one.means:
            raise ValueError(f"{name!r} has no {key}; it has {', '.join(one.means)}")
    return key


def pair_names(
    source: Evaluation | Mapping[str, Evaluation] | Comparison, a: str | None, b: str | None
) -> tuple[str, str]:
    """Names of two systems; by default the only two, with b the baseline of a comparison."""
    names = list(read_evaluations(source))
    if isinstance(source, Comparison) and b is None:
        b = source.baseline
    for word, name in (("a", a), ("b", b)):
        if name is not None and name not in names:
            known = ", ".join(map(printable, names))
            raise ValueError(f"{word}={name!r} is not evaluated; there are {known}")
    others = [name for name in names if name not in (a, b)]
    missing = [a, b].count(None)
    if (a == b and a is not None) or (missing and len(others) != missing):
        raise ValueError(f"name two systems by a= and b=; there are {', '.join(names)}")
    first = others.pop(0) if a is None else a
    return first, others.pop(0) if b is None else b


class SystemPair(NamedTuple):
    """Two systems on the lists where both have a value of the measure."""

    measure: str
    a: str
    b: str
    units: Units

    @property
    def values(self) -> Floats:
        """The values of a, and those of b."""
        return self.units.values.T

    def better(self) -> tuple[int, int, int]:
        """The number of lists where a is better, both are equal, and b is better."""
        a, b = self.values
        above, below = int((a > b).sum()), int((a < b).sum())
        wins, losses = (below, above) if is_smaller_better(self.measure) else (above, below)
        return wins, len(a) - above - below, losses


def system_pair(
    source: Evaluation | Mapping[str, Evaluation] | Comparison,
    measure: str | None,
    a: str | None,
    b: str | None,
) -> SystemPair:
    """Two systems of a source on a measure."""
    by_name = read_evaluations(source)
    first, second = pair_names(source, a, b)
    both = {first: by_name[first], second: by_name[second]}
    name = choose_measure(source, both, measure)
    units = make_units(align(both, "common"), name)
    known = np.flatnonzero(~np.isnan(units.numerators).any(axis=1))
    if not len(known):
        raise ValueError(f"{first!r} and {second!r} have no list where both have a value of {name}")
    # The same arrays as in compare, so that sums have the same bits.
    both_known = units if len(known) == len(units.lists) else units.part(known, slice(None))
    return SystemPair(name, first, second, both_known)


def find_difference(
    source: Evaluation | Mapping[str, Evaluation] | Comparison, pair: SystemPair, level: float
) -> tuple[float, float, float]:
    """The difference of the means and its interval, from the comparison or as in `compare`."""
    if isinstance(source, Comparison) and source.level == level:
        key = (pair.measure, None, pair.a, pair.b)
        for row in source.rows:
            if (row.measure, row.segment, row.a, row.b) == key:
                return row.difference, row.low, row.high
    check_level(level)
    both = Pairs(np.array([0]), np.array([1]))
    resamples = 10_000 if len(pair.units.values) <= MANY else 1_000
    low, high = randomise(pair.units, both, Draws(resamples, 0), level)[0][0]
    return float(both.difference(pair.units.evaluated_means())[0]), float(low), float(high)


def find_intervals(one: Evaluation, names: list[str], level: float) -> list[tuple[float, float]]:
    """Intervals of the means of an evaluation, from the same resamples for all."""
    resamples = 10_000 if len(one) * len(names) <= MANY else 1_000
    return [one.interval(name, level=level, resamples=resamples) for name in names]
