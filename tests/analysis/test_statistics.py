"""Tests and intervals of comparisons: few lists, borders, parts, constant differences."""

import itertools
import math
import os
import subprocess
import sys

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis import paired_tests, tukey
from rankgain.analysis.aligned import Draws, Pairs, Units
from rankgain.analysis.compare import correct_again
from rankgain.analysis.paired_tests import bootstrap
from rankgain.analysis.reconcile import Point, moves
from rankgain.engine.intervals import student_quantile
from rankgain.engine.resampling import resample
from systems import evaluations, made

stats = pytest.importorskip("scipy.stats")
DRAWN = ["randomisation", "bootstrap"]


def columns(*values, name="AP", queries=None):
    table = np.array(values, float).T
    queries = range(len(table)) if queries is None else queries
    return rg.Evaluations(
        {
            f"s{at}": rg.Evaluation({name: float(column.mean())}, {name: column}, queries)
            for at, column in enumerate(table.T)
        }
    )


@pytest.mark.parametrize(
    ("systems", "freedom"),
    [(2, 1), (2, 2), (3, 4), (5, 4), (12, 11), (12, 539), (50, 49), (129, 128), (129, 6272)],
)
def test_the_studentised_range_is_that_of_scipy(systems, freedom):
    q = np.concatenate([np.linspace(0.0, 12.0, 25), [1e-3, 20.0, 60.0]])
    result = tukey.RangeTail.of(systems, freedom).above(q)
    expected = stats.studentized_range.sf(q, systems, freedom)
    assert np.abs(result - expected).max() < 1e-6
    near = np.abs(result - expected) <= 1e-3 * expected + 2e-11  # by which scipy itself may be off
    assert near[expected > 1e-9].all()
    assert (np.diff(result[:25]) <= 0).all()
    for level in (0.5, 0.95, 0.999):
        law = tukey.RangeTail.of(systems, freedom)
        assert law.above([law.reached(1 - level)])[0] == pytest.approx(1 - level, rel=1e-9)


@pytest.mark.parametrize(("lists", "systems"), [(2, 129), (50, 129), (50, 12), (3, 2)])
def test_tukey_never_contradicts_its_interval(lists, systems):
    rng = np.random.default_rng(3)
    table = rng.normal(0, 0.005, (lists, systems)) + np.linspace(0.2, 0.21, systems)
    table[:, -1] += 0.7
    rows = rg.compare(evaluations(table), test="tukey").rows
    assert all((row.low > 0 or row.high < 0) == (row.p < 1 - 0.95) for row in rows)
    by_size = sorted(rows, key=lambda row: abs(row.difference))
    assert all(a.p >= b.p for a, b in itertools.pairwise(by_size))
    last = f"s{systems - 1}"
    assert all(row.p > 0 for row in rows if last not in (row.a, row.b) or systems < 3)


def test_close_systems_beside_one_far_away():
    rng = np.random.default_rng(3)
    table = np.array([0.2] * 11 + [0.9]) + rng.normal(0, 0.005, (50, 12))
    rows = rg.compare(evaluations(table), test="tukey").rows
    (row,) = (row for row in rows if (row.a, row.b) == ("s1", "s3"))
    means = table.mean(axis=0)
    rest = table - means - table.mean(axis=1, keepdims=True) + table.mean()
    q = abs(means[1] - means[3]) / math.sqrt((rest**2).sum() / (11 * 49) / 50)
    assert row.p == pytest.approx(stats.studentized_range.sf(q, 12, 11 * 49), abs=1e-6)


@pytest.mark.parametrize("lists", [6, 9])
@pytest.mark.parametrize("rates", [False, True])
@pytest.mark.parametrize("weights", [None, "some"])
def test_the_interval_is_what_the_test_does_not_reject(lists, rates, weights, monkeypatch):
    nothing = np.full((3, 2), np.nan)
    monkeypatch.setattr(paired_tests, "student_ends", lambda *_: nothing)
    table = made(lists, 3, lists, rates)
    weights = None if weights is None else np.arange(lists) % 3 * 1.0
    each = np.ones(lists) if weights is None else weights
    units = Units("mean", table, table * each[:, np.newaxis], weights, np.arange(lists))
    pairs = Pairs.among(3, None)
    ends, p = paired_tests.randomise(units, pairs, Draws(1_000, 0), 0.9)
    signs = np.array(list(itertools.product((-1, 1), repeat=lists)))
    for at, (a, b) in enumerate(zip(pairs.a, pairs.b, strict=True)):
        values = table[:, a] - table[:, b]

        def chance(delta, values=values):
            moved = each * (values - delta)
            return np.mean(np.abs(signs @ moved) >= abs(moved.sum()) - 1e-12)

        assert p[at] == chance(0.0)
        if np.isnan(ends[at]).any():
            assert chance(1e6) >= 0.1
            continue
        for end, side in zip(ends[at], (-1, 1), strict=True):
            assert chance(end - side * 1e-9) >= 0.1 > chance(end + side * 1e-9)


@pytest.mark.parametrize("kind", ["mean", "sum", "geometric", "weighted"])
@pytest.mark.parametrize("test", DRAWN)
@pytest.mark.parametrize("lists", [8, 45])
def test_intervals_agree_with_p(kind, test, lists):
    rng = np.random.default_rng(lists)
    for _ in range(20):
        values = np.round(rng.random((lists, 2)), 1) + 0.1 + np.round([rng.normal(0, 0.2), 0], 1)
        weights = rng.integers(1, 4, lists) * 1.0 if kind == "weighted" else None
        shares = np.log(np.abs(values) + 0.05) if kind == "geometric" else values
        shares = shares if weights is None else shares * weights[:, np.newaxis]
        kind_of = "mean" if kind == "weighted" else kind
        units = Units(kind_of, values, shares, weights, np.arange(lists))
        run = bootstrap if test == "bootstrap" else paired_tests.randomise
        (ends,), (p,) = run(units, Pairs.among(2, None), Draws(499, 1), 0.95)
        difference = np.subtract(*units.means())
        assert ends[0] <= difference <= ends[1]
        if kind != "geometric":  # which is tested on logarithms
            assert (ends[0] > 0 or ends[1] < 0) == (p < 1 - 0.95)


@pytest.mark.parametrize("test", DRAWN)
@pytest.mark.parametrize("lists", [1, 2, 3, 5, 8, 39])
def test_few_lists_have_the_randomisation_p(test, lists):
    table = made(lists, 2, 5)
    row = rg.compare(evaluations(table), test=test).rows[0]
    assert row == rg.compare(evaluations(table)).rows[0] or math.isnan(row.low)
    assert row.p >= 2 / 2**lists or lists > 13
    assert math.isnan(row.low) == (2 / 2**lists >= 0.05)
    text = str(rg.compare(evaluations(table), test=test))
    assert ("--: no interval, because with so few queries or resamples" in text) == math.isnan(
        row.low
    )
    assert ("fewer than 40 queries, p and interval" in text) == (test == "bootstrap")


def test_the_bootstrap_has_its_small_sample_factor():
    table = made(40, 2, 9)
    values = table[:, 0] - table[:, 1]
    table[:, 0] += 2.05 * values.std(ddof=1) / math.sqrt(40) - values.mean()
    values = table[:, 0] - table[:, 1]
    row = rg.compare(evaluations(table), test="bootstrap").rows[0]
    means = resample([values], 10_000, 0)[0] / 40
    far = np.abs(means - values.mean()) >= values.mean() * math.sqrt(39 / 40)
    assert row.p == pytest.approx((far.sum() + 1) / 10_001, abs=2e-4)
    assert row.p > (np.sum(np.abs(means - values.mean()) >= values.mean()) + 1) / 10_001 + 1e-3


def test_blocks_of_permutations_are_drawn_apart(monkeypatch):
    monkeypatch.setattr(tukey, "PERMUTED", 1)  # one permutation in a block
    rows = rg.compare(evaluations(made(40, 3, 2)), test="randomised_tukey", resamples=200).rows
    # If all were the same one, they would all reach a difference, or none would.
    assert any(1 / 201 < row.p < 1 for row in rows)


@pytest.mark.parametrize(("level", "significant"), [(0.5, False), (0.4, True), (0.6, False)])
def test_p_at_the_level_is_not_significant(level, significant):
    result = columns([0.5, 0.6], [0.1, 0.3]).compare(level=level)
    assert result.rows[0].p == 0.5
    assert result.is_significant(result.rows[0]) == significant
    assert ("  *" in str(result).splitlines()[1]) == significant


@pytest.mark.parametrize("measures", [None, ["AP"]])
def test_segments_have_means_of_their_own(measures):
    runs = columns([0.0, 1.0, 0.5, 0.25], [0.5, 0.5, 0.0, 0.25])
    result = runs.compare(by=["x", "x", "y", "y"], measures=measures)
    assert [(row.segment, row.mean_a, row.mean_b) for row in result.rows] == [
        ("x", 0.5, 0.5),
        ("y", 0.375, 0.125),
    ]


@pytest.mark.parametrize("turned", [False, True])
def test_means_are_those_of_the_lists_that_are_compared(turned):
    a = rg.Evaluation({"AP": 0.6}, {"AP": np.array([0.0, 1.0, 0.8])}, ["q0", "q1", "q2"])
    b = rg.Evaluation({"AP": 0.2}, {"AP": np.array([0.1, 0.3])}, ["q0", "q1"])
    runs = {"b": b, "a": a} if turned else {"a": a, "b": b}
    row = rg.compare(runs, queries="common").rows[0]
    assert {row.a: row.mean_a, row.b: row.mean_b} == pytest.approx({"a": 0.5, "b": 0.2})
    assert abs(row.difference) == pytest.approx(0.3)


@pytest.mark.parametrize("test", ["t", "tukey", *DRAWN])
@pytest.mark.parametrize("base", [0.0, 0.3, 0.7])
def test_a_constant_difference(test, base):
    easy = np.linspace(0.0, 0.9, 10) + base
    result = columns(easy + 0.1, easy).compare(test=test)
    row = result.rows[0]
    assert row.effect == math.inf
    assert row.p == (0.0 if test in ("t", "tukey") else 2 / 1024)
    assert (row.low, row.high) == pytest.approx((0.1, 0.1), rel=1e-9)
    assert "inf" not in str(result)
    same = columns(easy, easy + (1e-17 if base else 0.0)).compare(test=test).rows[0]
    assert (same.p, same.effect, same.low, same.high) == (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("side", ["here", "there", "both"])
def test_undefined_lists_come_last_on_either_side(side):
    values = [np.array([0.0, 0.0, 0.0]), np.array([1.0, 0.5, 0.2])]
    none, first = np.zeros(3, bool), np.array([True, False, False])
    undefined = {"here": (first, none), "there": (none, first), "both": (first, first)}[side]
    rules = rg.conventions["trec"]
    for queries in (("a", "b", "c"), ("c", "b", "a")):
        points = [
            Point(rules, 0.0, one, ["a", "b", "c"], empty)
            for one, empty in zip(values, undefined, strict=True)
        ]
        order = [("a", "b", "c").index(query) for query in queries]
        there = points[1]
        points[1] = there._replace(
            queries=list(queries), values=there.values[order], undefined=there.undefined[order]
        )
        assert moves(*points)[0] == ["b", "c", "a"]


@pytest.mark.parametrize("freedom", [1, 2, 3, 7.5, 30, 999, 1_001, 1e5, 1e8])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95, 0.999])
def test_quantiles_of_student(freedom, level):
    expected = stats.t.ppf((1 + level) / 2, freedom)
    assert student_quantile(level, freedom) == pytest.approx(expected, rel=1e-6)


def test_rows_are_corrected_again_for_fewer():
    runs = columns(*made(20, 4, 1).T)
    rows = list(rg.compare(runs, test="t", correction="bonferroni").rows)
    result = correct_again(rows[:2], "t", "bonferroni")
    assert [row.p_corrected for row in result] == [min(1.0, 2 * row.p) for row in rows[:2]]
    for test, correction in (("tukey", "holm"), ("t", None)):
        assert [row.p_corrected for row in correct_again(rows, test, correction)] == [
            row.p for row in rows
        ]


EVERYWHERE = """
import numpy as np, rankgain as rg
MEASURES = ["P@3", "nDCG", "HitRate(per=item)@2"]
rng = np.random.default_rng(2)
for lists, weight in ((60, None), (700, None), (60, rng.random(60)), (700, rng.random(700))):
    scores = rng.random((3, lists, 4))
    ids = [[np.argsort(one)[: rng.integers(1, 5)].tolist() for one in y] for y in scores]
    runs = {
        f"s{at}": rg.evaluate_ids(one, [[0, 1]] * lists, MEASURES, weight=weight)
        for at, one in enumerate(ids)
    }
    for test in ("t", "randomisation", "bootstrap", "tukey", "randomised_tukey"):
        for measure in MEASURES:
            try:
                compared = rg.compare(runs, test=test, measures=measure, resamples=1_999)
            except ValueError:  # a test that is not for such means
                continue
            print([(row.p.hex(), row.low.hex(), row.high.hex()) for row in compared.rows])
    for method in ("bootstrap", "bca", "t"):
        ends = runs["s0"].intervals(method=method, resamples=999)
        print([end.hex() for pair in ends.values() for end in pair])
"""


def test_p_and_intervals_are_the_same_with_every_matrix_product():
    printed = set()
    for kernel in (None, "Nehalem", "Haswell"):
        environment = dict(os.environ) | ({} if kernel is None else {"OPENBLAS_CORETYPE": kernel})
        done = subprocess.run(
            [sys.executable, "-c", EVERYWHERE], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        printed.add(done.stdout)
    (text,) = printed
    assert len(text.splitlines()) > 50


@pytest.mark.parametrize("test", DRAWN)
@pytest.mark.parametrize("kind", ["mean", "sum", "weighted", "micro", "geometric"])
@pytest.mark.parametrize("lists", [60, 300])
def test_equal_totals_are_taken_as_equal(test, kind, lists):
    rng = np.random.default_rng(lists)
    for at in range(10):
        values = rng.integers(1, 6, lists) / 5
        other = rng.permutation(values)
        if test == "bootstrap" and at == 0:
            other = np.nextafter(values, 2)
        values = np.stack((values, other), axis=1)
        divisors = {"weighted": np.full(lists, 0.7), "micro": np.full((lists, 2), 0.7)}.get(kind)
        shares = np.log(values) if kind == "geometric" else values
        kind_of = kind if kind in ("sum", "geometric") else "mean"
        units = Units(kind_of, values, shares, divisors, np.arange(lists))
        run = bootstrap if test == "bootstrap" else paired_tests.randomise
        (ends,), (p,) = run(units, Pairs.among(2, None), Draws(499, 1), 0.95)
        assert p == 1.0
        assert ends[0] <= 0 <= ends[1]


def test_the_bootstrap_of_rates_is_that_of_whole_numbers():
    lists, resamples = 64, 4_999
    rng = np.random.default_rng(4)
    tenths = rng.integers(0, 11, (lists, 2))
    tenths[:, 1] = np.where(np.arange(lists) < 20, tenths[:, 0] - 1, tenths[:, 0])
    table = tenths / 10
    units = Units("mean", table, table, None, np.arange(lists))
    _, (p,) = bootstrap(units, Pairs.among(2, None), Draws(resamples, 3), 0.95)
    whole = resample(list(tenths.T * 1.0), resamples, 3)
    moved = np.abs(whole[0] - whole[1] - (tenths[:, 0] - tenths[:, 1]).sum()).astype(np.int64)
    observed = abs(int((tenths[:, 0] - tenths[:, 1]).sum()))
    far = moved**2 * lists >= observed**2 * (lists - 1)
    assert p == (far.sum() + 1) / (resamples + 1)


def test_micro_means_of_many_pairs_have_the_p_of_each_pair_alone():
    rng = np.random.default_rng(6)
    relevant = [[0, 1]] * 30
    runs = {
        name: rg.evaluate_ids(
            [rng.permutation(6)[: rng.integers(1, 5)].tolist() for _ in relevant],
            relevant,
            "HitRate(per=item)@3",
        )
        for name in "abcdefghi"
    }
    options = {"resamples": 2_000, "correction": None}
    rows = rg.compare(runs, **options).rows
    assert len(rows) == 36
    for row in rows[::5]:
        (alone,) = rg.compare({name: runs[name] for name in (row.a, row.b)}, **options).rows
        assert alone.p == row.p
        assert (alone.low, alone.high) == pytest.approx((row.low, row.high), rel=1e-12)


@pytest.mark.parametrize("test", ["t", "tukey", "randomised_tukey", *DRAWN])
def test_equal_means_are_not_different(test):
    rng = np.random.default_rng(8)
    rates = rng.integers(0, 6, 80) / 5
    for systems in (2, 3):
        table = [rates, rng.permutation(rates), rates[::-1]][:systems]
        for row in columns(*table).compare(test=test, resamples=299).rows:
            assert row.p == pytest.approx(1.0, abs=1e-12)
            assert row.low <= 0 <= row.high


@pytest.mark.parametrize("systems", [2, 3])
def test_randomised_tukey_of_a_weighted_mean(systems):
    """Equal weights of any size change nothing."""
    table = made(30, systems, 4)
    queries = [f"q{at}" for at in range(30)]

    def rows(weights):
        runs = {
            f"s{at}": rg.Evaluation(
                {"AP": np.average(one, weights=weights)},
                {"AP": one},
                queries,
                weights=weights,
            )
            for at, one in enumerate(table.T)
        }
        return rg.compare(runs, test="randomised_tukey", resamples=999).rows

    for one, weighted in zip(rows(None), rows(np.full(30, 4.0)), strict=True):
        assert weighted.p == one.p
        assert (weighted.low, weighted.high) == pytest.approx((one.low, one.high), rel=1e-9)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("test", DRAWN)
def test_sums_beyond_the_largest_number_show_no_difference(test):
    values = np.random.default_rng(3).random((2, 60)) * 1e308
    runs = {
        name: rg.Evaluation({"DCG": float((one / 60).sum())}, {"DCG": one}, range(60))
        for name, one in zip("ab", values, strict=True)
    }
    (row,) = rg.compare(runs, test=test).rows
    assert row.p == 1.0
    assert math.isnan(row.low)
    assert math.isnan(row.high)
