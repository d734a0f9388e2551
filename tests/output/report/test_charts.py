"""Pictures of the page: where things stand in them, measured in their own coordinates."""

import re
from itertools import pairwise

import pytest

from rankgain.output.report import charts
from report_pages import Page

pytest.importorskip("jinja2")


def numbers(pattern: str, text: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, result)) for result in re.findall(pattern, text)]


@pytest.mark.parametrize("many", [401, 500, 1000, 5_001])
def test_areas_reach_from_the_first_difference_to_the_last(many: int) -> None:
    for values in ([0.0] * (many - 1) + [1.0], [-1.0] + [0.0] * (many - 1)):
        drawn = charts.differences(values, range(many), "AP", 0.0, 0.0)
        kind = "better" if max(values) > 0 else "worse"
        (path,) = re.findall(rf'<path class="{kind}" d="(.*?)"', drawn)
        line = numbers(r"L([\d.]+) ([\d.]+)", path)[:-1]
        (zero,) = numbers(r'class="zero" d="M([\d.]+) ([\d.]+)H', drawn)
        heights = [abs(y - zero[1]) for _, y in line]
        assert len(line) == charts.BARS
        at = -1 if kind == "better" else 0
        assert heights[at] == max(heights) > 100
        assert line[-1][0] == charts.WIDTH


@pytest.mark.parametrize("low", [0.0, 0.123, -0.7, 0.9999])
@pytest.mark.parametrize("wide", [1e-4, 0.0021, 0.03, 0.084, 0.5, 1.0, 7.7, 1234.5])
def test_scales_have_two_to_five_round_ticks(low: float, wide: float) -> None:
    ticks = charts.Scale(low, low + wide, 0, 100).ticks()
    assert 2 <= len(ticks) <= charts.TICKS
    assert low - 1e-9 <= ticks[0] < ticks[-1] <= low + wide + 1e-9
    steps = [b - a for a, b in pairwise(ticks)]
    assert steps == pytest.approx([steps[0]] * len(steps))


def width_in_page(text: str) -> float:
    """The width of a text in the widest font of the page, in which ideographs are squares."""
    matplotlib = pytest.importorskip("matplotlib")
    from matplotlib.textpath import text_to_path

    font = matplotlib.font_manager.FontProperties(family="DejaVu Sans", size=12)
    squares = [letter for letter in text if letter > "\u2e80"]
    others = "".join(letter for letter in text if letter <= "\u2e80")
    width, _, _ = text_to_path.get_text_width_height_descent(others, font, False)
    return width + 12 * len(squares)


@pytest.mark.parametrize(
    "name",
    [
        *("x", "iiii", "WWWWWWWWWWWWWWWWWWWWWW", "m" * 300),
        *("漢字漢字漢字漢字漢字漢字漢字漢字", "漢字かなハングル한글Ａ", "Ｗ" * 16),
        *("QOQOQOQOQOQOQOQO", "k1=0.9+b=0.4+c<=7", "a&b&c&d&e&f&g&h", "~~~~~~~~~~~~~~~~"),
        *("##########", "{}$$$$$$$$$$", "@@@@@@@@@@@@", "éßñéßñéßñéßñ"),
    ],
)
def test_no_name_and_no_tick_leaves_the_picture(name: str) -> None:
    rows = [charts.ChartRow(name, 0.1, 0.0, 0.5), charts.ChartRow(f"{name}-other", 0.25, 0.1, 0.4)]
    drawn = charts.forest(rows, "AP")
    names = re.findall(
        r'<text class="name" x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)"(.*?)>', drawn
    )
    shown = [one for one in Page(drawn).texts["text"] if one[0] == name[0]]
    assert len(names) == len(rows)
    assert len(set(shown)) == len(rows)
    for (x, anchor, fit), text in zip(names, shown, strict=True):
        wide = width_in_page(text)
        if "textLength" in fit:
            wide = float(re.findall(r'textLength="([\d.]+)"', fit)[0])
        left = float(x) - (wide if anchor == "end" else 0)
        assert 0 <= left < left + wide <= charts.WIDTH
    for x, tick in re.findall(
        r'<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]*)<', drawn
    ):
        half = width_in_page(tick) / 2
        assert half <= float(x) <= charts.WIDTH - half
