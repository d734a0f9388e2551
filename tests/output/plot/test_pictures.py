"""Pictures show our own values, and their labels do not lie over each other."""

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from places import DOCS
from rankgain.output import plot
from sampling import sampled

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")

KS = ["nDCG@1", "nDCG@5", "nDCG@10", "P@5", "AP"]
MEASURES = [*KS, *plot.RECALL_LEVELS]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def made(systems: int, lists: int) -> dict[str, rg.Evaluation]:
    """Evaluations with values of every kind, and bounds of both."""
    random = np.random.default_rng(systems)
    skill = random.random(lists)
    result = {}
    for at in range(systems):
        level = 0.3 + 0.4 * at / systems
        values = {
            name: np.clip(skill * level + 0.3 * random.random(lists), 0, 1).round(2)
            for name in MEASURES
        }
        means = {name: float(one.mean()) for name, one in values.items()}
        bounds = {
            k: {n: np.stack((v, v), 1) for n, v in values.items()} for k in ("ties", "unjudged")
        }
        ends = {
            k: {n: (m - 0.02, m + 0.01 * (1 + i)) for n, m in means.items()}
            for i, k in enumerate(bounds)
        }
        name = f"$run_{at}$ of a system whose name is long" if at % 7 == 0 else f"run-{at}"
        result[name] = rg.Evaluation(means, values, range(lists), bounds=bounds, bound_means=ends)
    return result


def pictures(result: dict[str, rg.Evaluation], **options: Any) -> dict[str, Any]:
    """Each picture, of the first two systems where it shows two."""
    a, b = list(result)[:2]
    return {
        "differences": plot.differences(result, "P@5", a, b, **options),
        "scatter": plot.scatter(result, "P@5", a, b, **options),
        "by_cutoff": plot.by_cutoff(result, **options),
        "precision_recall": plot.precision_recall(result, **options),
        "bounds": plot.bounds(result, **options),
        "ranks": plot.ranks(rg.compare(result, correction=None, resamples=100), "P@5", **options),
        "segments": plot.segments(result, **options),
        "distribution": plot.distribution(result, **options),
    }


def texts(ax: Any) -> list[Any]:
    """All texts that are seen, settled where they will be drawn."""
    ax.figure.draw_without_rendering()
    result = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]
    result += [ax.xaxis.label, ax.yaxis.label, ax._left_title]
    low, high = ax.get_xlim()
    ticks = [t for t in ax.xaxis.get_major_ticks() if not low <= t.get_loc() <= high]
    bottom, top = sorted(ax.get_ylim())
    ticks += [t for t in ax.yaxis.get_major_ticks() if not bottom <= t.get_loc() <= top]
    outside = {id(t.label1) for t in ticks}
    legend = ax.get_legend()
    result += legend.get_texts() if legend else []
    return [one for one in result if one.get_text() and id(one) not in outside]


def overlapping(ax: Any) -> list[tuple[str, str]]:
    boxes = [(one.get_text(), one.get_window_extent()) for one in texts(ax)]
    result = []
    for i, (name, box) in enumerate(boxes):
        for other, another in boxes[i + 1 :]:
            wide = min(box.x1, another.x1) - max(box.x0, another.x0)
            high = min(box.y1, another.y1) - max(box.y0, another.y0)
            if wide > 0.5 and high > 0.5:
                result.append((name, other))
    return result


@pytest.mark.parametrize(
    ("systems", "lists"),
    [(2, 50), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((30, 50), (2, 100_000)))],
)
def test_no_label_lies_over_another_or_outside(systems: int, lists: int) -> None:
    for name, ax in pictures(made(systems, lists)).items():
        assert overlapping(ax) == [], name
        width, height = ax.figure.bbox.width, ax.figure.bbox.height
        for one in texts(ax):
            box = one.get_window_extent()
            assert -1 <= box.x0 <= box.x1 <= width + 1, (name, one.get_text())
            assert -1 <= box.y0 <= box.y1 <= height + 1, (name, one.get_text())
        assert ax.figure.get_size_inches()[0] == 3.3


@pytest.mark.parametrize("theme", sampled(["light", "dark"], one_in=2))
def test_themes_colour_the_ground_and_the_text(theme: Any) -> None:
    for ax in pictures(made(2, 10), theme=theme).values():
        ground = sum(matplotlib.colors.to_rgb(ax.get_facecolor())) / 3
        assert (ground < 0.5) == (theme == "dark")
        for one in texts(ax)[:1]:
            assert abs(sum(matplotlib.colors.to_rgb(one.get_color())) / 3 - ground) > 0.3


@pytest.mark.slow
def test_given_axes_are_drawn_on() -> None:
    _, axes = plt.subplots(1, 8)
    result = made(3, 20)
    a, b = list(result)[:2]
    for ax, name in zip(axes, plot.__all__[1:], strict=True):
        pair = {"a": a, "b": b} if name in ("differences", "scatter") else {}
        source = rg.compare(result, correction=None, resamples=100) if name == "ranks" else result
        assert getattr(plot, name)(source, ax=ax, **pair) is ax
    assert len(plt.get_fignums()) == 1


def test_differences_are_those_of_the_values_and_of_compare() -> None:
    result = made(2, 60)
    a, b = result
    ax = plot.differences(result, "P@5")
    values = result[a].per_query["P@5"] - result[b].per_query["P@5"]
    assert [bar.get_height() for bar in ax.patches[:60]] == sorted(values)
    row = rg.compare(result, measures="P@5").rows[0]
    band = ax.patches[60].get_bbox()
    assert (band.y0, band.y1) == (row.low, row.high)
    assert ax.lines[0].get_ydata()[0] == row.difference
    words = f"{row.wins} better, {row.ties} equal, {row.losses} worse"
    assert ax.get_xlabel() == f"60 queries\n{words}"


def test_differences_of_a_comparison_are_its_own() -> None:
    result = rg.compare(made(3, 40), baseline="run-1", measures="AP", test="randomised_tukey")
    ax = plot.differences(result, a="run-2")
    row = next(row for row in result.rows if row.a == "run-2")
    band = ax.patches[40].get_bbox()
    assert (band.y0, band.y1) == (row.low, row.high)


@pytest.mark.parametrize("level", [0.5, 0.9])
@pytest.mark.parametrize("compared", [0.95, 0.5])
def test_the_interval_is_of_the_level_that_is_given(level: float, compared: float) -> None:
    """Whatever the level at which the systems were compared."""
    result = made(2, 40)
    (row,) = rg.compare(result, measures="AP", level=level).rows
    drawn = [rg.compare(result, measures="AP", level=compared), result]
    for one in drawn:
        band = plot.differences(one, "AP", level=level).patches[40].get_bbox()
        assert (band.y0, band.y1) == (row.low, row.high)


def test_many_differences_are_a_curve_with_the_same_ends() -> None:
    result = made(2, 5_000)
    a, b = result
    values = np.sort(result[a].per_query["AP"] - result[b].per_query["AP"])
    ax = plot.differences(result, "AP")
    heights = np.concatenate([one.get_paths()[0].vertices[:, 1] for one in ax.collections])
    assert (heights.min(), heights.max()) == (values[0], values[-1])


def test_many_points_are_hexagons_that_hold_all_lists() -> None:
    random = np.random.default_rng(0)
    values = {name: random.random(5_000) for name in "ab"}
    result = {n: rg.Evaluation({"AP": 0.5}, {"AP": v}, range(5_000)) for n, v in values.items()}
    ax = plot.scatter(result)
    assert ax.collections[0].get_array().sum() == 5_000
    above = int((values["a"] > values["b"]).sum())
    assert f"{above:,} above, 0 on, {5_000 - above:,} below" in ax.get_title(loc="left")


def test_curves_are_means_with_their_intervals() -> None:
    result = made(3, 40)
    ax = plot.by_cutoff(result, "nDCG")
    best = sorted(result, key=lambda name: -result[name].means["nDCG@10"])
    for name, line, band in zip(best, ax.lines, ax.collections, strict=False):
        assert list(line.get_xdata()) == [1, 5, 10]
        assert list(line.get_ydata()) == [result[name].means[k] for k in KS[:3]]
        ends = {result[name].interval(k) for k in KS[:3]}
        heights = set(band.get_paths()[0].vertices[:, 1])
        assert {end for pair in ends for end in pair} <= heights


def test_interpolated_precision_of_real_lists_never_rises() -> None:
    qrels = {"q": {"a": 1, "b": 1, "c": 1}}
    run = {"q": {"a": 9.0, "x": 8.0, "b": 7.0, "y": 6.0, "z": 5.0, "c": 4.0}}
    ax = plot.precision_recall(rg.evaluate(qrels, run, plot.RECALL_LEVELS))
    assert list(ax.lines[0].get_ydata()[[0, 5, 10]]) == [1, 2 / 3, 0.5]


def test_levels_of_recall_are_sorted_with_their_precisions() -> None:
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}
    lines = [
        plot.precision_recall(rg.evaluate(qrels, run, names)).lines[0].get_xydata().tolist()
        for names in (["IPrec@0", "IPrec@1"], ["IPrec@1", "IPrec@0"])
    ]
    assert lines[0] == lines[1]


def test_only_some_of_many_curves_are_coloured() -> None:
    result = made(30, 20)
    ax = plot.by_cutoff(result, highlight=["run-3", "run-4"])
    assert [one.get_text() for one in ax.texts] == ["run-3", "run-4"]
    assert ax.get_title(loc="left") == "2 of 30 systems labelled"
    assert len(ax.collections) == 2


def test_bars_of_bounds_reach_from_the_lowest_to_the_highest_mean() -> None:
    result = made(4, 20)
    ax = plot.bounds(result, "AP")
    for at, kind in enumerate(("ties", "unjudged")):
        for bar, one in zip(ax.containers[at], result.values(), strict=True):
            low, high = one.bound_means[kind]["AP"]
            assert bar.get_x() == low
            assert bar.get_x() + bar.get_width() == pytest.approx(high)
    assert len(plot.bounds(result, "AP", "ties").containers) == 1
    ends = [
        end for one in result.values() for kind in one.bounds for end in one.bound_means[kind]["AP"]
    ]
    wide = max(ends) - min(ends)
    assert ax.get_xlim() == pytest.approx((min(ends) - 0.03 * wide, max(ends) + 0.03 * wide))


def test_segments_of_an_evaluation_and_of_a_comparison() -> None:
    result = made(2, 30)
    labels = ["x", "y", "z"] * 10
    parts = next(iter(result.values())).by(labels)
    ax = plot.segments(parts, "AP")
    assert [one.get_text() for one in ax.get_yticklabels()] == ["x (10)", "y (10)", "z (10)"]
    assert list(ax.collections[1].get_offsets()[:, 0]) == [
        one.means["AP"] for one in parts.values()
    ]
    for level in (0.5, 0.95):
        lines = plot.segments(parts, "AP", level=level).collections[0].get_segments()
        ends = [one.interval("AP", level=level) for one in parts.values()]
        assert [tuple(line[:, 0]) for line in lines] == ends
    compared = rg.compare(result, measures="AP", by=labels)
    ax = plot.segments(compared)
    ends = [tuple(line[:, 0]) for line in ax.collections[0].get_segments()]
    assert ends == [(row.low, row.high) for row in compared.rows]


def test_histograms_hold_the_shares_of_lists() -> None:
    values = np.array([0.0] * 9 + [1.0] * 4)
    one = rg.Evaluation({"AP": float(values.mean())}, {"AP": values}, range(13))
    stairs = plot.distribution(one).patches[0]
    heights = stairs.get_data().baseline - stairs.get_data().values
    assert heights[-1] / heights[0] == pytest.approx(2 / 3)  # square roots of 4 and 9
    assert np.count_nonzero(heights) == 2
    assert stairs.get_data().edges[[0, -1]].tolist() == [0, 1]


def test_shares_are_those_of_the_lists_of_each_system() -> None:
    result = {
        name: rg.Evaluation({"AP": 0.5}, {"AP": np.tile([0.0, 1.0], n)}, range(2 * n))
        for name, n in (("few", 2), ("many", 50))
    }
    data = [stairs.get_data() for stairs in plot.distribution(result).patches]
    few, many = (np.abs(one.values - one.baseline).tolist() for one in data)
    assert few == many


def test_lists_without_a_value_are_left_out() -> None:
    values = {"a": [0.5, np.nan, 0.25, 1.0], "b": [0.25, 0.5, np.nan, 0.5]}
    result = {
        name: rg.Evaluation({"AP": float(np.nanmean(one))}, {"AP": one}, range(4))
        for name, one in values.items()
    }
    ax = plot.differences(result)
    assert [bar.get_height() for bar in ax.patches[:2]] == [0.25, 0.5]
    assert ax.get_xlabel().startswith("2 queries\n2 better")


def test_names_of_many_rows_are_small_enough_for_their_rows() -> None:
    values = np.random.default_rng(3).random(300)
    one = rg.Evaluation({"AP": values.mean()}, {"AP": values}, range(300))
    sizes = []
    for many in (5, 60):
        _, ax = plt.subplots(figsize=(5, 4))
        plot.segments(one.by([i % many for i in range(300)]), "AP", ax=ax)
        assert overlapping(ax) == []
        sizes.append(ax.get_yticklabels()[0].get_fontsize())
        assert len(ax.get_yticklabels()) == many
    assert sizes[1] < sizes[0]


@pytest.mark.parametrize("many", [1, 12])
def test_names_of_curves_end_where_the_axes_end(many: int) -> None:
    _, ax = plt.subplots(figsize=(6, 3), layout="constrained")
    plot.by_cutoff(made(many, 10), ax=ax)
    ax.figure.draw_without_rendering()
    ends = [one.get_window_extent().x1 for one in ax.texts]
    assert max(ends) == pytest.approx(ax.bbox.x1, abs=1)


@pytest.mark.slow
def test_the_picture_can_be_drawn_again(tmp_path: Path) -> None:
    draw = runpy.run_path(str(DOCS / "make_pictures.py"))["draw"]
    draw(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").stat().st_size < 200_000
