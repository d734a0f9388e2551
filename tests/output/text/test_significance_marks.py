"""Marks of `Comparison.to_latex`: only tested pairs have marks, and the legend is in the table."""

import re

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.comparison import Comparison

NUMBER = r"(?:\\textbf\{)?([\d.]+)\}?"


def compare_shifted(
    shifts: dict[str, float], baseline: str | None, measure: str = "AP", **options: object
) -> Comparison:
    """Systems whose values on 30 queries differ by these shifts and a little noise."""
    random = np.random.default_rng(3)
    base = random.random(30)
    evaluations = {}
    for name, shift in shifts.items():
        values = base + shift + random.normal(0, 0.001, 30)
        means = {measure: float(values.mean())}
        evaluations[name] = rg.Evaluation(means, {measure: values}, range(30))
    return rg.compare(evaluations, baseline=baseline, resamples=500, **options)


def find_marks(text: str) -> dict[str, str]:
    """The superscript of each system in a table with a single measure."""
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    rows = [line.removesuffix(r" \\").split(" & ") for line in lines if "multicolumn" not in line]
    marks = {}
    for *_, name, cell in rows[1:]:
        result = re.search(r"\$\^\{(.*)\}\$$", cell)
        marks[name] = result[1] if result else ""
    return marks


def read_legend(text: str) -> str:
    """The sentences below the rows; they span all columns, and no line is a comment."""
    assert text.index(r"\bottomrule") < text.index(r"\multicolumn")
    parts = re.findall(r"^\\multicolumn\{\d+\}\{l\}\{\\footnotesize (.*)\} \\\\$", text, re.M)
    return " ".join(parts)


SHIFTS = {"weak": 0.0, "good": 0.1, "better": 0.2, "same": 0.1}


def test_with_a_baseline_marks_speak_of_the_baseline_alone() -> None:
    text = compare_shifted(SHIFTS, "good").to_latex() or ""
    assert find_marks(text) == {"weak": r"\ddagger", "good": "", "better": r"\dagger", "same": ""}
    legend = read_legend(text)
    assert "better, $\\ddagger$ significantly worse than the baseline good (rand" in legend
    assert (
        "Holm-corrected for 3 comparisons; p below 0.05). The other systems were not compared."
        in legend
    )
    assert "letters" not in text


@pytest.mark.parametrize("baseline", ["weak", "better"])
def test_the_baseline_itself_has_no_mark(baseline: str) -> None:
    marks = find_marks(compare_shifted(SHIFTS, baseline).to_latex() or "")
    mark = r"\dagger" if baseline == "weak" else r"\ddagger"
    assert marks == {name: "" if name == baseline else mark for name in SHIFTS}


def test_two_systems_and_a_baseline_leave_no_pair_untested() -> None:
    legend = read_legend(compare_shifted({"a": 0.0, "b": 0.1}, "a").to_latex() or "")
    assert "the baseline a (" in legend
    assert "not compared" not in legend


def test_of_a_measure_where_less_is_better_a_dagger_is_the_lower_mean() -> None:
    marks = find_marks(compare_shifted(SHIFTS, "good", "MR").to_latex() or "")
    assert marks == {"weak": r"\dagger", "good": "", "better": r"\ddagger", "same": ""}


def test_without_a_baseline_letters_name_the_worse_systems() -> None:
    text = compare_shifted(SHIFTS, None).to_latex() or ""
    assert find_marks(text) == {"weak": "", "good": "a", "better": "abd", "same": "a"}
    assert "significantly better than the systems with these letters (rand" in read_legend(text)


def test_the_legend_says_which_letters_are_left_out() -> None:
    result = compare_shifted(SHIFTS, None)
    text = result.to_latex(against="good") or ""
    assert find_marks(text) == {"weak": "", "good": "", "better": "b", "same": ""}
    assert "than system b; differences from other systems are not marked (" in read_legend(text)
    text = result.to_latex(against=["good", "weak"]) or ""
    assert find_marks(text) == {"weak": "", "good": "a", "better": "ab", "same": "a"}
    assert "these letters, of which only a, b are marked (" in read_legend(text)


def test_against_names_tested_pairs_only() -> None:
    result = compare_shifted(SHIFTS, "good")
    assert result.to_latex(against="good") == result.to_latex()
    for against in ("weak", ["good", "weak"]):
        with pytest.raises(ValueError, match=r"'weak' was compared with the baseline 'good' only"):
            result.to_latex(against=against)
    with pytest.raises(ValueError, match="'x' is not compared; there are weak, good, better"):
        result.to_latex(against="x")


@pytest.mark.parametrize("systems", [12, 13])
@pytest.mark.parametrize("baseline", [None, "s5"])
def test_many_systems(systems: int, baseline: str | None) -> None:
    shifts = {f"s{at}": at / 100 for at in range(systems)}
    result = compare_shifted(shifts, baseline, correction=None)
    text = result.to_latex() or ""
    daggers = {
        name: r"\dagger" if at > 5 else r"\ddagger" if at < 5 else ""
        for at, name in enumerate(shifts)
    }
    if baseline:
        assert find_marks(text) == daggers
    elif systems == 12:
        assert find_marks(text)["s11"] == "abcdefghijk"
    else:
        assert set(find_marks(text).values()) == {""}
        assert "No significance marks: there are more than 12 systems." in read_legend(text)
        named = result.to_latex(against="s5") or ""
        assert find_marks(named) == daggers
        assert "differences from other systems are not marked" in read_legend(named)
        with pytest.raises(ValueError, match="too many for letters"):
            result.to_latex(against=["s5", "s6"])


def test_a_pair_without_common_values_is_named_as_untested() -> None:
    nan = float("nan")
    columns = {"a": [1.0, 0.5, nan, nan], "b": [nan, nan, 1.0, 0.5], "c": [0.5, 0.5, 0.5, 0.5]}
    evaluations = {
        name: rg.Evaluation(
            {"AP": float(np.nanmean(values))},
            {"AP": np.array(values)},
            range(4),
            counts={"undefined": {"AP": 2}, "undefined_as": {"AP": "skip"}},
        )
        for name, values in columns.items()
    }
    text = rg.compare(evaluations).to_latex() or ""
    assert "Not tested, for lack of common values: a and b on AP." in read_legend(text)
    for name in ("a", "b"):  # the mean of the values that the pair with c has
        assert re.search(rf"& {name} & \\textbf\{{0.7500\}} ", text)
    text = rg.compare(evaluations, baseline="c").to_latex() or ""
    assert "Not tested" not in read_legend(text)


def test_the_legend_names_the_segment_and_escapes_names() -> None:
    shifts = {"50%_a": 0.0, "b&c": 0.1}
    result = compare_shifted(shifts, "50%_a", by=["x_1", "y"] * 15)
    legend = read_legend(result.to_latex(segment="x_1") or "")
    assert r"the baseline 50\%\_a (" in legend
    assert legend.endswith(r"Segment: x\_1.")


@pytest.mark.parametrize("options", [{}, {"caption": "c"}, {"transpose": True}])
def test_the_legend_is_inside_the_table(options: dict[str, object]) -> None:
    text = compare_shifted(SHIFTS, "good").to_latex(**options) or ""
    assert text.rindex(r"\multicolumn") < text.index(r"\end{tabular}")
    columns = re.search(r"\\begin\{tabular\}\{(\w+)\}", text)
    assert columns
    assert rf"\multicolumn{{{len(columns[1])}}}{{l}}" in text
    comments = [line for line in text.splitlines() if line.startswith("%")]
    assert comments == ["% 30 queries (convention rankgain)"]


def test_the_legend_ends_the_last_page_of_a_long_table() -> None:
    shifts = {f"s{at}": at / 100 for at in range(46)}
    text = compare_shifted(shifts, "s0", correction=None).to_latex() or ""
    head, foot = text.split(r"\endfoot")
    assert r"\multicolumn" not in head
    last_foot, rows = foot.split(r"\endlastfoot")
    assert last_foot.startswith("\n\\bottomrule\n\\multicolumn{2}{l}")
    assert r"\multicolumn" not in rows


def test_lines_of_the_legend_are_as_wide_as_the_table() -> None:
    shifts = {f"a system with a long name, number {at}" * 3: at / 10 for at in range(2)}
    for systems, widest in ((shifts, 130), (SHIFTS, 60)):
        text = compare_shifted(systems, next(iter(systems))).to_latex() or ""
        parts = re.findall(r"footnotesize (.*)\} \\\\$", text, re.M)
        assert max(map(len, parts)) <= widest
