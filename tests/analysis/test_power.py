"""rg.power against statsmodels, SciPy and simulation; the closing sentence of a comparison."""

import math
import re

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.power import find_power
from systems import evaluations, made

stats = pytest.importorskip("scipy.stats")


def deviation_of(table, a=0, b=1):
    return np.std(table[:, a] - table[:, b], ddof=1)


@pytest.mark.parametrize("n", [2, 3, 4, 10, 50, 250, 3000, 10**7])
@pytest.mark.parametrize("level", [0.001, 0.05, 0.3])
@pytest.mark.parametrize("effect", [1e-6, 0.001, 0.1, 0.7, 1.5, 30.0])
def test_power_is_that_of_the_noncentral_t(n, level, effect):
    quantile, shift = stats.t.ppf(1 - level / 2, n - 1), effect * math.sqrt(n)
    expected = stats.nct.sf(quantile, n - 1, shift) + stats.nct.cdf(-quantile, n - 1, shift)
    if math.isnan(expected):  # in SciPy's far tails
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


def test_the_pooled_deviation_is_the_root_of_twice_the_residual_mean_square():
    table = made(40, 5)
    found = rg.power(evaluations(table), "AP")
    centred = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    residual = (centred**2).sum() / ((40 - 1) * (5 - 1))
    assert found.deviation == pytest.approx(math.sqrt(2 * residual), rel=1e-12)
    pair = rg.power(evaluations(table), "AP", a="s3", b="s1")
    assert pair.deviation == pytest.approx(deviation_of(table, 3, 1), rel=1e-12)


def closing(comparison):
    return re.findall(r"With [^.]*\.[^.]*?of cases[^.]*\.", printed(comparison))


def undecided(systems, seed=1):
    rng = np.random.default_rng(seed)
    return rng.random((50, systems))


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


@pytest.mark.filterwarnings("ignore:10 resamples give no p-value:rankgain.RankgainWarning")
def test_what_keeps_a_test_from_finding_anything_is_named() -> None:
    systems = evaluations(np.column_stack((np.arange(12.0), np.arange(12.0)[::-1])))
    few_resamples = rg.compare(systems, resamples=10)
    assert "With 10 resamples this test cannot find any difference; use more" in str(few_resamples)
    equal_segments = rg.compare(systems, by=["x"] * 6 + ["y"] * 6)
    assert "With 6 queries per segment this test cannot find any" in printed(equal_segments)
    segments = rg.compare(systems, by=["x"] * 4 + ["y"] * 5 + ["z"] * 3)
    assert "With at most 5 queries per segment this test cannot find any" in printed(segments)


def printed(comparison: rg.Comparison) -> str:
    return " ".join(str(comparison).split())
