"""Tests of differences, corrections, intervals: as scipy's, statsmodels', and all patterns'."""

import itertools
import math

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis import paired_tests
from rankgain.analysis.aligned import Draws, Pairs, Units
from rankgain.analysis.compare import correct_again
from rankgain.analysis.comparison import ComparisonRow
from rankgain.analysis.paired_tests import flip_sums, random_signs
from sampling import sampled
from sizes import usual_sizes
from systems import evaluations, made, matrices

stats = pytest.importorskip("scipy.stats")
REAL = matrices()
TABLES = {
    "made": made(),
    "rates": made(40, 4, 1, True),
    **{k: v[:, 10:15] for k, v in REAL.items()},
}


@pytest.fixture(params=TABLES)
def table(request):
    return TABLES[request.param]


def test_t_is_that_of_scipy(table):
    result = rg.compare(evaluations(table), test="t", correction=None, level=0.9)
    for row, (a, b) in zip(
        result.rows, itertools.combinations(range(table.shape[1]), 2), strict=True
    ):
        there = stats.ttest_rel(table[:, a], table[:, b])
        ends = there.confidence_interval(0.9)
        assert row.p == pytest.approx(there.pvalue, rel=1e-9)
        assert (row.low, row.high) == pytest.approx(tuple(ends), rel=1e-9)
        differences = table[:, a] - table[:, b]
        assert row.difference == pytest.approx(differences.mean(), abs=1e-15)
        assert row.effect == pytest.approx(differences.mean() / differences.std(ddof=1), rel=1e-9)
        assert (row.wins, row.ties, row.losses) == tuple(
            int(one.sum()) for one in (differences > 0, differences == 0, differences < 0)
        )


def test_wilcoxon_and_sign_are_those_of_scipy(table):
    pairs = list(itertools.combinations(range(table.shape[1]), 2))
    for test in ("wilcoxon", "sign"):
        result = rg.compare(evaluations(table), test=test, correction=None)
        for row, (a, b) in zip(result.rows, pairs, strict=True):
            if test == "wilcoxon":
                p = stats.wilcoxon(table[:, a], table[:, b]).pvalue
            else:
                p = stats.binomtest(row.wins, row.wins + row.losses).pvalue
            assert row.p == pytest.approx(p, rel=1e-9)
        assert "with many queries" in str(result)


@pytest.mark.parametrize("table", sampled(TABLES), indirect=True)
def test_randomisation_is_near_that_of_scipy(table):
    result = rg.compare(evaluations(table), baseline="s0", correction=None)
    for at, row in enumerate(result.rows, 1):
        there = stats.permutation_test(
            (table[:, at], table[:, 0]),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=9_999,
            rng=at,
        )
        assert abs(row.p - there.pvalue) < 5 * math.sqrt(0.25 / 10_000)
        assert row.p >= 1 / 10_001
        low, high = np.quantile(resampled(table[:, at] - table[:, 0]), [0.025, 0.975])
        assert (row.low, row.high) == pytest.approx((low, high), abs=0.12 * (high - low))


def resampled(values):
    rng = np.random.default_rng(5)
    return values[rng.integers(0, len(values), (4_000, len(values)))].mean(axis=1)


@pytest.mark.parametrize("rates", [False, True])
def test_all_patterns_are_taken_where_they_are_few(rates):
    table = made(9, 3, 2, rates)
    result = rg.compare(evaluations(table), correction=None)
    for row, (a, b) in zip(result.rows, itertools.combinations(range(3), 2), strict=True):
        tenths = np.round((table[:, a] - table[:, b]) * 2**40).astype(np.int64)
        if rates:
            tenths = np.round((table[:, a] - table[:, b]) * 10).astype(np.int64)
        signs = np.array(list(itertools.product((-1, 1), repeat=9)))
        reached = (np.abs(signs @ tenths) >= abs(tenths.sum())).sum()
        assert row.p == reached / 512
    fewer = rg.compare(evaluations(table), correction=None, resamples=511)
    assert all((row.p * 512).is_integer() for row in fewer.rows)  # (b + 1) / (511 + 1)
    assert "all 512 sign patterns" in str(result)
    assert "511 resamples" in str(fewer)
    parts = rg.compare(evaluations(table), correction=None, by=["u"] * 4 + ["v"] * 5, resamples=32)
    assert {row.p * 2**row.lists % 1 for row in parts.rows} == {0.0}
    assert ", all sign patterns, not corrected" in " ".join(str(parts).split())
    parts = rg.compare(evaluations(table), correction=None, by=["u"] * 4 + ["v"] * 5, resamples=31)
    text = " ".join(str(parts).split())  # notes wrap
    assert "31 resamples, seed 0, all sign patterns for up to 4 queries" in text


def signs_of(chosen):
    """1 and 0 for each list and flip, of bytes for eight lists each."""
    bits = np.unpackbits(chosen[:, np.newaxis], axis=1, bitorder="little")
    return bits.reshape(-1, chosen.shape[1]).astype(int)


@pytest.mark.parametrize("lists", [1, 7, 8, 9, 16, 129, 300])
@pytest.mark.parametrize("flips", [1, 64, 500])
def test_sums_of_flips_are_those_of_the_signs(lists, flips):
    rng = np.random.default_rng(lists)
    rows = rng.integers(-(2**40), 2**40, (3, lists)) * 1.0  # whole numbers add exactly
    numbers = rng.permutation(lists) * 3
    words = np.array([signs_of(random_signs(4, numbers, 0, flips))[:lists]])
    expected = (rows[:, :, np.newaxis] * (2 * words - 1)).sum(axis=1)
    result = flip_sums(rows, numbers, flips, 4)
    assert np.array_equal(result, expected)
    values = rng.normal(size=(2, lists))
    with usual_sizes():
        whole = flip_sums(values, numbers, flips, 4)
    assert np.array_equal(flip_sums(values[1:], numbers, flips, 4), whole[1:])
    assert np.array_equal(flip_sums(values, numbers, flips, 4), whole)  # tasks that threads share
    if lists < 10:
        patterns = np.array(list(itertools.product((-1, 1), repeat=lists)))[:, ::-1]
        assert np.array_equal(flip_sums(rows, numbers, 2**lists, None), rows @ patterns.T)


@pytest.mark.parametrize("name", ["holm", "bonferroni", "bh"])
def test_corrections_are_those_of_statsmodels(name):
    p = np.array([0.01, 0.04, np.nan, 0.03, 0.005, 0.04, 1.0, 0.2])
    known = p[~np.isnan(p)]
    try:
        from statsmodels.stats.multitest import multipletests

        expected = multipletests(known, method={"bh": "fdr_bh"}.get(name, name))[1]
    except ImportError:
        expected = {
            "holm": [0.06, 0.16, 0.15, 0.035, 0.16, 1.0, 0.4],
            "bonferroni": [0.07, 0.28, 0.21, 0.035, 0.28, 1.0, 1.0],
            "bh": [0.035, 0.056, 0.056, 0.035, 0.056, 1.0, 0.7 / 3],
        }[name]
    rows = [ComparisonRow(*["x"] * 10, one, *[0] * 5) for one in p.tolist()]
    result = np.array([row.p_corrected for row in correct_again(rows, "t", name)])
    assert np.isnan(result[2])
    assert result[~np.isnan(p)] == pytest.approx(expected, rel=1e-12)
    assert correct_again([], "t", name) == []
    assert np.isnan(correct_again(rows[2:3], "t", name)[0].p_corrected)


@pytest.mark.parametrize("table", sampled(TABLES), indirect=True)
def test_tukey_is_the_two_way_one(table):
    n, s = table.shape
    result = rg.compare(evaluations(table), test="tukey")
    effects = table.mean(axis=0) + table.mean(axis=1, keepdims=True) - table.mean()
    error = ((table - effects) ** 2).sum() / ((s - 1) * (n - 1))
    for row, (a, b) in zip(result.rows, itertools.combinations(range(s), 2), strict=True):
        q = abs(table[:, a].mean() - table[:, b].mean()) / math.sqrt(error / n)
        assert row.p == pytest.approx(stats.studentized_range.sf(q, s, (s - 1) * (n - 1)), abs=1e-7)
        assert row.p_corrected == row.p
        assert (row.low > 0 or row.high < 0) == (row.p < 0.05)
    assert "corrects for all pairs" in str(result)


@pytest.mark.slow
def test_tukey_of_many_systems_is_read_from_a_curve():
    table = made(30, 12, 3)
    result = rg.compare(evaluations(table), test="tukey")
    few = rg.compare(evaluations(table), test="tukey", baseline="s0")
    for row in few.rows:
        (other,) = [one for one in result.rows if {one.a, one.b} == {row.a, row.b}]
        assert other.p == pytest.approx(row.p, abs=1e-5)


@pytest.mark.parametrize(("resamples", "level"), [(19, 0.9), (199, 0.95), (2000, 0.5)])
def test_the_interval_of_the_bootstrap_holds_what_is_not_rejected(resamples, level):
    """A shift of one system to just inside an end is not rejected; just outside, it is."""
    table = made(50, 2, 3)
    options = {"test": "bootstrap", "resamples": resamples, "correction": None, "level": level}
    row = rg.compare(evaluations(table), **options).rows[0]
    for end, outwards in ((row.low, -1), (row.high, 1)):
        p_of_shifts = []
        for shift in (end - outwards * 1e-9, end + outwards * 1e-9):
            shifted = table - [shift, 0]
            p_of_shifts.append(rg.compare(evaluations(shifted), **options).rows[0].p)
        assert p_of_shifts[1] < 1 - level <= p_of_shifts[0]


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="needs RANKGAIN_DATA")
@pytest.mark.parametrize("test", ["t", "tukey"])
def test_the_level_of_simulated_nulls(test):
    rng = np.random.default_rng(11)
    rejected = drawn = 0
    for table in REAL.values():
        systems, lists = 4 if test == "tukey" else 2, len(table)
        limit = stats.studentized_range.ppf(0.95, systems, (systems - 1) * (lists - 1))
        for at in range(900):
            chosen = rng.choice(table.shape[1], systems, replace=False)
            values = rng.permuted(table[:, chosen], axis=1)  # no system is better than another
            units = Units("mean", values, values, None, np.arange(lists))
            if test == "tukey":  # the distribution takes longer than all the rest
                rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True)
                rest += values.mean()
                error = math.sqrt((rest**2).sum() / ((systems - 1) * (lists - 1)) / lists)
                rejected += np.ptp(values.mean(axis=0)) >= error * limit
            else:
                p = paired_tests.student(units, Pairs.among(2, None), Draws(999, at), 0.95)[1]
                rejected += p[0] <= 0.05
            drawn += 1
    assert abs(rejected / drawn - 0.05) < 0.007
