"""A picture of matplotlib as text: what a reader sees, in the order in which it is drawn."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.collections import Collection, LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator

MANY = 100  # numbers that are all shown


def show_figure(figure: Figure) -> str:
    """The picture as text; the figure is closed."""
    width, height = figure.get_size_inches()
    lines = [f"figure {numbers((width, height))} inches on {colours(figure.get_facecolor())}"]
    for ax in figure.axes:
        lines += _show_axes(ax)
    pyplot.close(figure)
    return "\n".join(lines)


def numbers(values: Iterable[float]) -> str:
    """Numbers with six digits; of many the first, the last and their sum."""
    flat = np.ravel(np.ma.getdata(values))
    texts = [f"{value:.6g}" for value in flat]
    if len(texts) > MANY:
        sums = f"sum {np.sum(flat):.6g}, of squares {flat @ flat:.6g}"
        dots = f"... {len(texts)} numbers with {sums} ..."
        texts = [*texts[:20], dots, *texts[-20:]]
    return " ".join(texts)


def colours(value: Any) -> str:
    """Colours in hexadecimal digits, each once if all are equal."""
    if isinstance(value, str):
        return to_hex(value)
    rows = np.atleast_2d(value)
    texts = [to_hex(row, keep_alpha=row[-1] != 1) for row in rows.tolist()]
    if len(set(texts)) == 1:
        return texts[0]
    return " ".join(texts)


def _show_axes(ax: Axes) -> Iterator[str]:
    below = "below" if ax.get_axisbelow() is True else "above lines"
    yield f"axes on {colours(ax.get_facecolor())}, aspect {ax.get_aspect()}, ticks {below}"
    for location in ("left", "center", "right"):
        title = ax.get_title(loc=location)
        if title:
            yield f"title {location}: {title!r}"
    spines = [f"{name} {colours(s.get_edgecolor())}" for name, s in ax.spines.items() if _seen(s)]
    yield f"spines: {', '.join(spines)}"
    for axis in (ax.xaxis, ax.yaxis):
        yield from _show_axis(ax, axis)
    # What all Axes have is shown above: their background, spines, axes and titles.
    usual = [ax.patch, ax.xaxis, ax.yaxis, *ax.spines.values()]
    artists = [artist for artist in ax.get_children() if not any(artist is u for u in usual)]
    for artist in sorted(artists, key=lambda artist: artist.get_zorder()):
        if _seen(artist):
            yield from _show_artist(ax, artist)


def _seen(artist: Any) -> bool:
    return bool(artist.get_visible())


def _show_axis(ax: Axes, axis: Any) -> Iterator[str]:
    name = axis.axis_name
    ends = getattr(ax, f"get_{name}lim")()
    right = f"{ends[1]:.6g}"
    if name == "x" and ax.texts:
        right = "where names fit"  # which depends on the letters of the font
    yield f"{name} axis {axis.get_scale()} from {ends[0]:.6g} to {right}"
    label = axis.get_label()
    if label.get_text():
        yield f"  label {_show_text(label)}"
    low, high = sorted(ends)
    margin = 1e-9 * (high - low)
    if not len(axis.get_majorticklocs()):
        yield "  no ticks"
        return
    first = axis.get_major_ticks()[0]
    length = first.tick1line.get_markersize()
    colour = colours(first.tick1line.get_color())
    yield f"  ticks of length {length:.6g} in {colour}, labels {_show_style(first.label1)}"
    # Ticks that matplotlib chooses depend on its version.
    if not isinstance(axis.get_major_locator(), FixedLocator):
        yield f"  integer ticks: {getattr(axis.get_major_locator(), '_integer', None)}"
        return
    axis.get_ticklabels()  # numbers the ticks
    ticks = []
    for tick in axis.get_major_ticks():
        if low - margin <= tick.get_loc() <= high + margin:
            ticks.append(tick)
    if ticks:
        labels = [f"{tick.get_loc():.6g} {tick.label1.get_text()!r}" for tick in ticks]
        yield f"  ticks {', '.join(labels)}"
    n_minor = len(axis.get_minorticklocs())
    if n_minor:
        yield f"  {n_minor} minor ticks"


def _show_text(text: Text) -> str:
    return f"{text.get_text()!r} {_show_style(text)}"


def _show_style(text: Text) -> str:
    words = f"in {colours(text.get_color())}, size {text.get_fontsize():.3g}"
    if text.get_parse_math():
        words += ", with formulas"
    return words


def _place(ax: Axes, artist: Any) -> str:
    """Whether positions are shares of the Axes in place of data."""
    return " of the axes" if artist.get_transform() is ax.transAxes else ""


def _show_artist(ax: Axes, artist: Any) -> Iterator[str]:
    label = artist.get_label()
    suffix = ""
    if isinstance(label, str) and label and not label.startswith("_"):
        suffix = f" named {label!r}"
    if artist.get_alpha() is not None:
        suffix += f", alpha {artist.get_alpha():.6g}"
    if isinstance(artist, Text):
        if artist.get_text() and artist.get_text() != ax.get_title(loc="left"):
            x, y = artist.get_position()
            place = f"{x:.1f} {y:.1f}"
            yield f"text {_show_text(artist)} at {place}{_place(ax, artist)}{suffix}"
    elif isinstance(artist, Line2D):
        yield f"line{_place(ax, artist)}{suffix}, {_show_line(artist)}"
        x, y = artist.get_data()
        if _place(ax, artist):
            x, y = np.round(x, 1), np.round(y, 1)
        yield f"  x {numbers(x)}"
        yield f"  y {numbers(y)}"
    elif isinstance(artist, Rectangle):
        bounds = (*artist.get_xy(), artist.get_width(), artist.get_height())
        yield f"rectangle {numbers(bounds)} {_show_face(artist)}{suffix}"
    elif isinstance(artist, StepPatch):
        data = artist.get_data()
        yield f"steps {_show_face(artist)}{suffix}"
        for name, values in zip(data._fields, data, strict=True):
            yield f"  {name} {numbers(np.atleast_1d(values))}"
    elif isinstance(artist, Collection):
        yield from _show_collection(artist, suffix)
    elif isinstance(artist, Legend):
        yield from _show_legend(artist)
    else:
        yield f"{type(artist).__name__}{suffix}"


def _show_line(line: Any) -> str:
    offset, dashes = line._unscaled_dash_pattern
    pattern = "solid" if dashes is None else f"dashes {numbers(dashes)} from {offset:.6g}"
    return f"{colours(line.get_color())}, width {line.get_linewidth():.6g}, {pattern}"


def _show_face(patch: Any) -> str:
    words = f"in {colours(patch.get_facecolor())}"
    if np.any(patch.get_linewidth()):
        words += f", edge {colours(patch.get_edgecolor())} of {numbers([patch.get_linewidth()])}"
    return words


def _show_collection(artist: Any, suffix: str) -> Iterator[str]:
    if isinstance(artist, LineCollection):
        widths = numbers(artist.get_linewidth())
        yield f"lines in {colours(artist.get_edgecolor())}, width {widths}{suffix}"
        for segment in artist.get_segments():
            yield f"  {numbers(segment)}"
    elif isinstance(artist, PathCollection):
        yield f"points in {colours(artist.get_facecolor())}{suffix}"
        for point, area in zip(artist.get_offsets(), _each(artist), strict=True):
            yield f"  {numbers(point)} area {area:.6g}"
    elif artist.get_array() is not None:
        shades = colours(artist.get_cmap()([0.0, 0.5, 1.0]))
        yield f"shades {shades}{suffix}, width {numbers(artist.get_linewidth())}"
        yield f"  {numbers(np.column_stack((artist.get_offsets(), artist.get_array())))}"
    else:
        yield f"area {_show_face(artist)}{suffix}"
        for path in artist.get_paths():
            yield f"  {numbers(path.vertices)}"


def _each(points: Any) -> Any:
    """The area of each point, as one size may stand for all."""
    return np.broadcast_to(points.get_sizes(), len(points.get_offsets()))


def _show_legend(legend: Any) -> Iterator[str]:
    names = [_show_text(text) for text in legend.get_texts()]
    anchor = legend.get_bbox_to_anchor().transformed(legend.axes.transAxes.inverted())
    frame = "framed" if legend.get_frame_on() else "without a frame"
    yield f"legend {frame} at {numbers(anchor.bounds[:2])}, columns {legend._ncols}"
    for name, handle in zip(names, legend.legend_handles, strict=True):
        yield f"  {name} {_show_face(handle)}"
