"""rg.power against statsmodels, SciPy and simulation; the closing sentence of a comparison."""

import math
import re

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.power import find_power, find_queries
from systems import evaluations, made

stats = pytest.importorskip("scipy.stats")


def by_scipy(effect, n, level):
    """The power by SciPy's distributions of t and noncentral t."""
    quantile = stats.t.ppf(1 - level / 2, n - 1)
    shift = effect * math.sqrt(n)
    return stats.nct.sf(quantile, n - 1, shift) + stats.nct.cdf(-quantile, n - 1, shift)


def deviation_of(table, a=0, b=1):
    return np.std(table[:, a] - table[:, b], ddof=1)


@pytest.mark.parametrize("n", [2, 3, 4, 10, 50, 250, 3000, 10**7])
@pytest.mark.parametrize("level", [0.001, 0.05, 0.3])
@pytest.mark.parametrize("effect", [1e-6, 0.001, 0.1, 0.7, 1.5, 30.0])
def test_power_is_that_of_the_noncentral_t(n, level, effect):
    expected = by_scipy(effect, n, level)
    if math.isnan(expected):  # in SciPy's far tails
        shift = effect * math.sqrt(n)
        quantile = stats.t.ppf(1 - level / 2, n - 1)
        scale = stats.chi(n - 1, scale=1 / math.sqrt(n - 1))
        expected = scale.expect(lambda s: stats.norm.sf(quantile * s - shift))
    assert find_power(effect, n, level) == pytest.approx(expected, rel=1e-7)


def test_power_n_and_difference_are_those_of_statsmodels():
    solver = pytest.importorskip("statsmodels.stats.power").TTestPower()
    table = made(50, 2)
    runs, deviation = evaluations(table), deviation_of(table)
    for power in (0.5, 0.8, 0.95):
        found = rg.power(runs, "AP", power=power)
        reached = solver.power(found.difference / deviation, 50, 0.05)
        assert reached == pytest.approx(power, rel=1e-9)
        assert found.n == 50
        assert found.power == pytest.approx(power, rel=1e-9)
    for difference in (0.02, 0.1):
        expected = solver.solve_power(effect_size=difference / deviation, alpha=0.01, power=0.9)
        found = rg.power(runs, "AP", difference=difference, level=0.01, power=0.9)
        assert found.n == math.ceil(expected)
        assert found.power >= 0.9
    both = rg.power(runs, "AP", difference=0.04, n=37)
    assert both.power == pytest.approx(solver.power(0.04 / deviation, 37, 0.05), rel=1e-9)


def test_power_is_the_share_of_simulated_tests_that_reject():
    rng = np.random.default_rng(0)
    n, effect = 20, 0.6
    samples = rng.normal(effect, 1, (20_000, n))
    rejected = stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05
    error = math.sqrt(0.25 / len(samples))
    assert find_power(effect, n, 0.05) == pytest.approx(rejected.mean(), abs=4 * error)


@pytest.mark.parametrize("effect", [0.0005, 0.01, 0.2, 1.0, 5.0, 1000.0])
def test_the_number_of_queries_is_the_smallest(effect):
    n = find_queries(effect, 0.05, 0.8)
    assert find_power(effect, n, 0.05) >= 0.8
    assert n == 2 or find_power(effect, n - 1, 0.05) < 0.8


def test_the_pooled_deviation_is_the_root_of_twice_the_residual_mean_square():
    table = made(40, 5)
    found = rg.power(evaluations(table), "AP")
    centred = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    residual = (centred**2).sum() / ((40 - 1) * (5 - 1))
    assert found.deviation == pytest.approx(math.sqrt(2 * residual), rel=1e-12)
    pair = rg.power(evaluations(table), "AP", a="s3", b="s1")
    assert pair.deviation == pytest.approx(deviation_of(table, 3, 1), rel=1e-12)


def test_missing_values_are_left_out():
    table = made(30, 2)
    table[4, 1] = np.nan
    runs = {
        name: rg.Evaluation.from_values({"x": column})
        for name, column in zip("ab", table.T, strict=True)
    }
    found = rg.power(runs, "x")
    assert found.n == 29
    assert found.deviation == pytest.approx(deviation_of(np.delete(table, 4, axis=0)), rel=1e-12)


def test_the_sign_of_a_difference_is_ignored():
    runs = evaluations(made(30, 2))
    assert rg.power(runs, "AP", difference=-0.05) == rg.power(runs, "AP", difference=0.05)


def test_a_sentence_is_printed():
    runs = evaluations(made(50, 2))
    found = rg.power(runs, "AP")
    assert str(found) == (
        f"With 50 queries a paired t test at level 0.05 finds a difference of "
        f"{found.difference:.3g} in AP in 80% of cases."
    )
    assert "1,000,000 queries" in str(rg.power(runs, "AP", n=1_000_000))
    assert "in more than 99% of cases" in str(rg.power(runs, "AP", n=500, difference=0.07))


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"difference": 0}, ValueError, "difference must be finite and not 0"),
        ({"difference": math.nan}, ValueError, "difference must be finite"),
        ({"difference": "0.1"}, TypeError, "difference must be a number"),
        ({"n": 1}, ValueError, "n must be a whole number of at least 2"),
        ({"n": 2.5}, ValueError, "n must be a whole number"),
        ({"level": 0}, ValueError, r"level must be inside \(0, 1\)"),
        ({"level": 1.0}, ValueError, "level must be inside"),
        ({"power": 1}, ValueError, "power must be inside"),
        ({"power": -0.1}, ValueError, "power must be inside"),
        ({"power": 0.04}, ValueError, "power must be above level"),
        ({"a": "s0"}, ValueError, "name both systems"),
        ({"a": "s0", "b": "s9"}, ValueError, "b='s9' is not evaluated"),
        ({"difference": 1e-15}, ValueError, "no number of queries up to"),
    ],
)
def test_wrong_arguments_are_errors(options, error, words):
    with pytest.raises(error, match=words):
        rg.power(evaluations(made(30, 2)), "AP", **options)


def test_no_scatter_and_one_query_are_errors():
    base = np.arange(5.0)
    with pytest.raises(ValueError, match="the standard deviation is 0"):
        rg.power(evaluations(np.column_stack([base, base + 1])), "AP")
    with pytest.raises(ValueError, match="fewer than two queries"):
        rg.power(evaluations(made(1, 2)), "AP")


# ---- the closing sentence of a comparison


def closing(comparison):
    text = " ".join(str(comparison).split())
    return re.findall(r"With [^.]*\.[^.]*?of cases[^.]*\.", text)


def undecided(systems, seed=1):
    rng = np.random.default_rng(seed)
    return rng.random((50, systems))


def test_a_comparison_without_significance_says_what_it_would_have_found():
    runs = evaluations(undecided(2))
    found = rg.power(runs, "AP")
    for test in ("randomisation", "t", "bootstrap"):
        comparison = rg.compare(runs, test=test, resamples=500)
        assert closing(comparison) == [
            f"With 50 queries this test would have found a difference of {found.difference:.3g} "
            "in 80% of cases."
        ]
    assert "a paired t test would have found" in closing(rg.compare(runs, test="sign"))[0]


def test_a_significant_comparison_does_not_say_it():
    table = made(50, 2)
    table[:, 1] += 0.3
    assert closing(rg.compare(evaluations(table), resamples=500)) == []


def test_the_sentence_takes_the_level_of_a_single_comparison():
    runs = evaluations(undecided(4))
    for correction, count in (("holm", 6), ("bonferroni", 6), (None, 1)):
        comparison = rg.compare(runs, correction=correction, resamples=500)
        expected = rg.power(runs, "AP", level=0.05 / count).difference
        [sentence] = closing(comparison)
        assert f"a difference of {expected:.3g} in 80% of cases" in sentence
        assert ("corrected for 6 comparisons" in sentence) == (count == 6)


def test_the_sentence_names_measures_and_the_largest_segment(tmp_path):
    x, y = undecided(2), undecided(2, seed=2)
    runs = {
        name: rg.Evaluation.from_values({"x": x[:, at], "y (%)": y[:, at] * 5000})
        for at, name in enumerate("ab")
    }
    comparison = rg.compare(runs, resamples=500)
    expected = rg.power(runs, "x", level=0.025).difference
    [sentence] = closing(comparison)
    assert f"a difference of {expected:.3g} in x or " in sentence
    assert "in y (%) in 80% of cases" in sentence
    path = tmp_path / "c.json"
    comparison.to_json(path)
    assert closing(rg.Comparison.read(path)) == [sentence]
    parts = rg.compare(runs, by=["s"] * 20 + ["l"] * 30, measures="x", resamples=500)
    assert "With 30 queries (segment l) this test" in closing(parts)[0]


@pytest.mark.parametrize("table", [np.ones((9, 2)), np.random.default_rng(0).random((1, 2))])
def test_without_scatter_or_queries_there_is_no_sentence(table):
    assert closing(rg.compare(evaluations(table))) == []


def test_a_test_that_cannot_find_anything_says_so():
    table = undecided(2)[:5]
    assert "With 5 queries this test cannot find any difference." in str(
        rg.compare(evaluations(table))
    )
    table = undecided(3)[:6]
    text = str(rg.compare(evaluations(table)))
    assert "cannot find any difference, corrected for 3 comparisons." in text
    assert "would have found" not in text
    assert "would have found" in str(rg.compare(evaluations(table), test="t"))


def test_geometric_means_have_no_sentence():
    logarithms = np.log(undecided(2))
    runs = {
        f"s{at}": rg.Evaluation({"GMAP": math.exp(column.mean())}, {"GMAP": column}, range(50))
        for at, column in enumerate(logarithms.T)
    }
    assert closing(rg.compare(runs, resamples=500)) == []
