"""What a page concludes in words, counted from the rows."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.verdict import orient
from rankgain.output.report import page
from rankgain.output.report.view import ReportView
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


def test_no_difference_is_not_equality() -> None:
    random = np.random.default_rng(0)
    a = random.random(40)
    text = said(rg.compare(of_values(a=a, b=a + random.normal(0, 0.1, 40))))
    assert "No difference was shown." in text
    assert "does not mean that the two are equally good" in text
    assert "A difference this large would be rare" not in text


def test_lost_by_the_correction_alone() -> None:
    random = np.random.default_rng(1)
    base, gain = random.random(50), random.normal(0, 0.1, 50)
    gain += 0.35 * gain.std() - gain.mean()  # t = 2.4
    values = {f"low{i}": base - 0.5 + random.normal(0, 0.1, 50) for i in range(8)}
    result = rg.compare(of_values(top=base + gain, base=base, **values))
    row = ReportView(result).row("AP", *ReportView(result).pair)
    assert row.p < 0.05 < row.p_corrected
    assert "Alone, this would count as a difference" in said(result)


def test_a_smaller_value_may_be_the_better_one() -> None:
    one = {"few": np.full(30, 0.1), "many": np.full(30, 0.6)}
    one["many"][:3] = 0.0
    result = {
        name: rg.Evaluation({"Unjudged@10": float(v.mean())}, {"Unjudged@10": v}, range(30))
        for name, v in one.items()
    }
    text = said(rg.compare(result))
    assert "few has the lowest, and so the best, Unjudged@10 (0.1000), many the highest" in text
    assert "It is better on 27 of 30 queries, equal on 0, worse on 3." in text
    assert "By Unjudged@10, few is significantly better than many." in text


@pytest.mark.parametrize(("options", "words"), [
    ({"correction": None}, "not corrected. There are 6 comparisons"),
    ({"correction": "bh"}, "about 5% may be chance"),
    ({"test": "randomised_tukey"}, "corrected for all pairs of systems by one measure"),
    ({"resamples": 50}, "no corrected p-value can be below that"),
    ({"level": 0.9}, "p < 10%"),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
def test_what_significant_means(options: dict[str, Any], words: str) -> None:
    assert words in said(compared(NAMES, **options))


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


def test_one_list_is_spoken_of_as_one() -> None:
    text = said(rg.compare(of_values(a=np.array([0.9]), b=np.array([0.5]))))
    assert "On this query, a has the highest AP" in text
    assert "One query is too few" in text
    assert "1 query are" not in text
    assert "1 of 1" not in text


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
