"""compare(margin=): two one-sided tests, and the words better, worse, equivalent and undecided."""

import json
import math
import pickle

import numpy as np
import pytest

import rankgain as rg
from systems import evaluations, made

stats = pytest.importorskip("scipy.stats")


def by_definition(a, b, margin):
    """The greater p of the two one-sided t tests of the mean of a - b."""
    above = stats.ttest_1samp(a - b, -margin, alternative="greater").pvalue
    below = stats.ttest_1samp(a - b, margin, alternative="less").pvalue
    return max(above, below)


@pytest.mark.parametrize("test", ["t", "randomisation", "sign", "tukey"])
@pytest.mark.parametrize("margin", [1e-3, 0.02, 0.1, 3.0])
def test_p_is_that_of_two_one_sided_tests_with_any_test(test, margin):
    table = made(40, 3, seed=5)
    rows = rg.compare(evaluations(table), test=test, resamples=200, margin=margin).rows
    for row, (a, b) in zip(rows, [(0, 1), (0, 2), (1, 2)], strict=True):
        expected = by_definition(table[:, a], table[:, b], margin)
        assert row.p_equivalent == pytest.approx(expected, rel=1e-10, abs=1e-300)


def test_p_is_that_of_statsmodels():
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    table = made(30, 2, seed=2)
    row = rg.compare(evaluations(table), margin=0.05).rows[0]
    expected = weightstats.ttost_paired(table[:, 0], table[:, 1], -0.05, 0.05)[0]
    assert row.p_equivalent == pytest.approx(expected, rel=1e-10)


def test_without_a_margin_there_is_no_p_and_no_column():
    comparison = rg.compare(evaluations(made(20, 2)))
    assert math.isnan(comparison.rows[0].p_equivalent)
    assert "equivalent" not in str(comparison)
    assert comparison.rows[0]._fields[-2:] == ("lists", "p_equivalent")
    assert pickle.loads(pickle.dumps(comparison)).rows == comparison.rows


@pytest.mark.parametrize(
    ("shift", "noise", "outcome"),
    [
        (0.3, 0.1, "better"),
        (-0.3, 0.1, "worse"),
        (0.0, 0.02, "equivalent"),
        (0.02, 0.5, "undecided"),
        (0.03, 0.01, "better, equivalent"),
    ],
)
def test_the_four_words_and_where_they_stand(shift, noise, outcome):
    rng = np.random.default_rng(4)
    base = rng.random(60)
    difference = rng.normal(0, noise, 60)
    table = np.column_stack([base + shift + difference - difference.mean(), base])
    comparison = rg.compare(evaluations(table), margin=0.05)
    assert comparison.outcome(comparison.rows[0]) == outcome
    line = str(comparison).splitlines()[1]
    assert f"  {outcome}  " in line
    assert ("equivalent" in line) == (comparison.rows[0].p_equivalent < 0.05)
    assert outcome in comparison.to_markdown().splitlines()[2]
    notes = str(comparison).replace("\n  ", " ")
    assert "equivalent: the difference is shown to be smaller than 0.05" in notes
    assert "undecided: neither" in notes


def test_lower_is_better_turns_better_and_worse():
    a = rg.Evaluation.from_values({"seconds": np.linspace(1, 2, 30)}, better="lower")
    b = rg.Evaluation.from_values({"seconds": np.linspace(2, 3, 30)}, better="lower")
    comparison = rg.compare({"a": a, "b": b}, margin=0.1)
    assert comparison.outcome(comparison.rows[0]) == "better"


def test_a_constant_difference_is_inside_or_outside():
    base = np.arange(10.0)
    for shift, expected in ((0.25, 0.0), (0.5, 1.0), (0.75, 1.0), (-0.25, 0.0), (0.0, 0.0)):
        table = np.column_stack([base + shift, base])
        assert rg.compare(evaluations(table), margin=0.5).rows[0].p_equivalent == expected


def test_one_query_has_no_p():
    row = rg.compare(evaluations(made(1, 2)), margin=0.1).rows[0]
    assert math.isnan(row.p_equivalent)


def test_missing_values_are_left_out_of_the_pair():
    table = made(30, 2)
    table[3, 0] = table[7, 1] = np.nan
    runs = {
        name: rg.Evaluation.from_values({"x": column})
        for name, column in zip("ab", table.T, strict=True)
    }
    row = rg.compare(runs, margin=0.1).rows[0]
    kept = ~np.isnan(table).any(axis=1)
    assert row.lists == 28
    assert row.p_equivalent == pytest.approx(by_definition(*table[kept].T, 0.1), rel=1e-10)


def test_the_margin_is_stored_and_read(tmp_path):
    comparison = rg.compare(evaluations(made(20, 2)), margin=0.1)
    path = tmp_path / "c.json"
    comparison.to_json(path)
    read = rg.Comparison.read(path)
    assert read == comparison
    assert str(read) == str(comparison)
    assert read.to_pandas()["p_equivalent"].tolist() == [comparison.rows[0].p_equivalent]


def test_a_file_without_a_margin_is_read(tmp_path):
    comparison = rg.compare(evaluations(made(20, 2)))
    text = comparison.to_json()
    for field in ("margin", "better"):
        assert f'"{field}"' in text
    data = json.loads(text)
    del data["comparison"]["margin"], data["comparison"]["better"]
    for row in data["comparison"]["rows"]:
        del row["p_equivalent"]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(data))
    assert rg.Comparison.read(path) == comparison


@pytest.mark.parametrize("margin", [0, -0.1, math.nan, math.inf])
def test_a_margin_of_no_width_is_refused(margin):
    with pytest.raises(ValueError, match="margin must be above 0 and finite"):
        rg.compare(evaluations(made(20, 2)), margin=margin)


@pytest.mark.parametrize("margin", [True, "0.1", [0.1]])
def test_a_margin_of_another_type_is_refused(margin):
    with pytest.raises(TypeError, match="margin must be a number above 0"):
        rg.compare(evaluations(made(20, 2)), margin=margin)
