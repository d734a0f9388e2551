"""Marks of `Comparison.to_latex`: only tested pairs have marks, and the legend is in the table."""

import re

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.comparison import Comparison


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


def test_without_a_baseline_letters_name_the_worse_systems() -> None:
    text = compare_shifted(SHIFTS, None).to_latex() or ""
    assert find_marks(text) == {"weak": "", "good": "a", "better": "abd", "same": "a"}
    assert "significantly better than the systems with these letters (rand" in read_legend(text)


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


@pytest.mark.parametrize(("means", "second"), [
    ([0.9, 0.9, 0.5, 0.1], "0.5000"),
    ([0.1, 0.5, 0.9, 0.5], "0.5000"),
    ([0.9, 0.9, 0.9, 0.9], None),
])  # fmt: skip
def test_the_second_best_mean_is_underlined(means: list[float], second: str | None) -> None:
    evaluations = {
        f"run {place}": rg.Evaluation({"AP": mean}, {"AP": [mean]}, ["q"])
        for place, mean in enumerate(means)
    }
    text = rg.Evaluations(evaluations).to_latex(second=True) or ""
    underlined = set(re.findall(r"\\underline\{([0-9.]+)\}", text))
    assert underlined == ({second} if second else set())
    assert text.count(r"\textbf{0.9000}") == means.count(0.9)
