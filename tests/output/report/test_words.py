"""What a page concludes in words, counted from the rows."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.verdict import orient
from rankgain.output.report import page
from report_pages import Page, compared

pytest.importorskip("jinja2")

NAMES = ["good", "fair", "bad"]


def said(result: Any) -> str:
    return " ".join(" ".join(Page(page(result)).texts["p"]).split())


def of_values(**values: Any) -> dict[str, rg.Evaluation]:
    return {
        name: rg.Evaluation({"AP": float(np.mean(one))}, {"AP": one}, range(len(one)))
        for name, one in values.items()
    }


def test_pairs_are_counted() -> None:
    result = compared(NAMES)
    for measure in result.measures:
        shown = sum(row.p_corrected < 0.05 for row in result.rows if row.measure == measure)
        assert f"By {measure}, {shown} of 3 pairs differ significantly." in said(result)
    assert "12 queries are few" in said(result)
    assert "Holm-corrected for 6 comparisons" in said(result)


def test_a_baseline() -> None:
    for baseline in ("good", "bad"):
        result = compared(NAMES, "nDCG@10", baseline=baseline)
        significant = [row for row in result.rows if row.p_corrected < 0.05]
        assert significant
        better = sum(row.difference > 0 for row in significant)
        assert (
            f"By nDCG@10, {better} of 2 systems are significantly better than the baseline, "
            f"{len(significant) - better} worse."
        ) in said(result)


def test_segments_are_counted() -> None:
    result = compared(NAMES, "nDCG@10", by=["x", "y"] * 6)
    counts = {
        segment: sum(r.p_corrected < 0.05 for r in result.rows if r.segment == segment)
        for segment in "xy"
    }
    few = "(only 6 queries)"
    assert f"{counts['x']} of 3 in x {few}; {counts['y']} of 3 in y {few}" in said(result)


def test_rows_turned_round_are_those_of_the_other_order() -> None:
    result = compared(NAMES, "nDCG@10", correction=None)
    back = rg.compare({name: result.evaluations[name] for name in reversed(NAMES)}, correction=None)
    there = {(row.a, row.b): row for row in back.rows}
    for row in result.rows:
        other = orient(there[row.b, row.a], False)
        assert other[:4] == row[:4]
        assert np.allclose(other[4:12], row[4:12], rtol=1e-9, atol=1e-12)
        assert other[12:] == row[12:]


@pytest.mark.parametrize("baseline", [None, "fair", "good"])
def test_one_comparison_is_a_sentence_about_it(baseline: str | None) -> None:
    names = ["good", "fair"]
    result = compared(names, ["nDCG@10", "AP"], lists=40, baseline=baseline)
    text = said(result)
    assert "of 1" not in text
    for row in result.rows:
        assert row.p_corrected < 0.05
        other = row.b if baseline is None else f"the baseline {row.b}"
        word = "better" if row.difference > 0 else "worse"
        assert f"By {row.measure}, {row.a} is significantly {word} than {other}." in text
    same = of_values(a=np.arange(30.0), b=np.arange(30.0) + [0.1, -0.1] * 15)
    assert "By AP, a is not significantly different from b." in said(rg.compare(same))


@pytest.mark.parametrize(
    ("resamples", "level", "systems", "too_few"),
    [(1, 0.5, 2, True), (2, 0.5, 2, False), (58, 0.95, 3, True), (60, 0.95, 3, False)],
)
@pytest.mark.filterwarnings("ignore:.*resamples give no p-value:rankgain.RankgainWarning")
def test_too_few_resamples_for_any_significance(
    resamples: int, level: float, systems: int, too_few: bool
) -> None:
    """The least p-value is comparisons / (resamples + 1), and none below 1 - level is too few."""
    names = ["good", "fair", "bad"][:systems]
    result = compared(names, "AP", lists=30, resamples=resamples, level=level)
    least = len(result.rows) / (resamples + 1)
    assert too_few == (least >= (1 - level))
    assert ("no corrected p-value can be below that" in said(result)) == too_few
