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
from rankgain.analysis.reconcile import Point, moves
from rankgain.engine.intervals import student_quantile
from systems import evaluations, made

stats = pytest.importorskip("scipy.stats")
DRAWN = ["randomisation", "bootstrap"]


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
    assert ("the bootstrap was not used, because it needs" in text) == (test == "bootstrap")


@pytest.mark.parametrize(("level", "significant"), [(0.5, False), (0.4, True), (0.6, False)])
def test_p_at_the_level_is_not_significant(level, significant):
    result = evaluations(np.array([[0.5, 0.1], [0.6, 0.3]])).compare(level=level)
    assert result.rows[0].p == 0.5
    assert result.is_significant(result.rows[0]) == significant
    assert ("  *" in str(result).splitlines()[1]) == significant


@pytest.mark.parametrize("test", ["t", "tukey", *DRAWN])
@pytest.mark.parametrize("base", [0.0, 0.3, 0.7])
def test_a_constant_difference(test, base):
    easy = np.linspace(0.0, 0.9, 10) + base
    result = evaluations(np.column_stack((easy + 0.1, easy))).compare(test=test)
    row = result.rows[0]
    assert row.effect == math.inf
    assert row.p == (0.0 if test in ("t", "tukey") else 2 / 1024)
    assert (row.low, row.high) == pytest.approx((0.1, 0.1), rel=1e-9)
    assert "inf" not in str(result)
    equal = np.column_stack((easy, easy + (1e-17 if base else 0.0)))
    same = evaluations(equal).compare(test=test).rows[0]
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


@pytest.mark.parametrize("freedom", [1, 2, 3, 7.5, 30, 999, 1_001, 1e5, 1e6, 1e8])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95, 0.999])
def test_quantiles_of_student(freedom, level):
    expected = stats.t.ppf((1 + level) / 2, freedom)
    assert student_quantile(level, freedom) == pytest.approx(expected, rel=1e-10)


# -scipy.stats.t.ppf((1 - level) / 2, freedom) of SciPy 1.17.1
@pytest.mark.parametrize(
    ("level", "freedom", "expected"),
    [
        (0.5, 39, 0.6808325565646085),
        (0.5, 10_000, 0.6745142844835927),
        (0.5, 1_000_000, 0.6744899955310875),
        (0.5, 100_000_000, 0.6744897526494311),
        (0.95, 39, 2.022690920036761),
        (0.95, 10_000, 1.960201239890626),
        (0.95, 1_000_000, 1.959966356814107),
        (0.95, 100_000_000, 1.9599640082627663),
        (0.999, 39, 3.5581200813327323),
        (0.999, 10_000, 3.2914999659416044),
        (0.999, 1_000_000, 3.290536461248691),
        (0.999, 100_000_000, 3.2905268287892038),
    ],
)
def test_quantiles_of_student_keep_their_digits_with_many_lists(level, freedom, expected):
    assert student_quantile(level, freedom) == pytest.approx(expected, rel=1e-11)


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
