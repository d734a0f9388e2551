"""Exact sums: against fractions and math.fsum, at the ends of the doubles too."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgain as rg
from rankgain.engine.exact import Exact, exact_sum, ratio

LARGEST, TINY = np.finfo(float).max, 5e-324
FINITE = st.floats(allow_nan=False, allow_infinity=False)
NEAR = st.floats(-1.0, 1.0) | st.sampled_from([1 / math.log2(i) for i in range(2, 40)])


def nearest(exact: Fraction) -> float:
    try:
        return float(exact) if exact else 0.0
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def value(exact):
    return Fraction(exact.mantissa) * Fraction(2) ** exact.exponent


@settings(max_examples=300)
@given(st.lists(FINITE | NEAR, max_size=40), st.integers(1, 60))
def test_sums_are_rounded_once(some, times):
    values = np.array(some * times)  # through blocks and their ends
    exact = sum(map(Fraction, values.tolist()), Fraction(0))
    assert exact_sum(values) == nearest(exact)
    assert value(Exact.of(values)) == exact


@settings(max_examples=300)
@given(st.lists(st.tuples(FINITE | NEAR, FINITE | NEAR), max_size=40), st.integers(1, 30))
def test_products_are_not_rounded(some, times):
    x, y = (np.array([pair[at] for pair in some] * times) for at in (0, 1))
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    exact = sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))
    assert exact_sum(x, y) == nearest(exact)
    assert value(Exact.of(x, y)) == exact


@pytest.mark.parametrize("scale", [1.0, 1e-5, 1e-320, 1e295, 2.0**-1022])
def test_many_values_of_any_size(scale):
    rng = np.random.default_rng(0)
    for size in (511, 512, 513, 5000):
        values = rng.random(size) * scale * 2.0 ** -rng.integers(0, 60, size)
        assert exact_sum(values) == math.fsum(values)
        assert exact_sum(np.concatenate((values, -values[::-1], [TINY]))) == TINY


def test_a_change_of_size_from_block_to_block():
    values = np.repeat(10.0 ** np.array([0, -30, 200, -300, 304, 0]), 512)
    assert exact_sum(values) == math.fsum(values)


def test_ends_of_the_doubles():
    assert exact_sum([LARGEST, LARGEST, -LARGEST]) == LARGEST
    assert exact_sum([LARGEST, LARGEST]) == math.inf
    assert exact_sum([-LARGEST] * 600) == -math.inf
    assert exact_sum([LARGEST, 2.0**969]) == LARGEST  # below half of the next
    assert exact_sum([LARGEST, 2.0**970]) == math.inf  # half: to even, which is beyond
    assert exact_sum([TINY] * 1000) == 1000 * TINY
    assert exact_sum([TINY], [0.5]) == 0.0  # half: to even
    assert exact_sum([TINY, TINY], [0.5, 0.25]) == TINY
    assert exact_sum([TINY], [-0.75]) == -TINY
    assert exact_sum([1.0, 2.0**-53]) == 1.0
    assert exact_sum([1.0, 2.0**-53, TINY]) == 1.0 + 2.0**-52
    assert exact_sum([]) == 0.0


@pytest.mark.parametrize("n", [1, 700])
def test_what_is_not_finite(n):
    others = [0.5] * n
    for many in (others, others[::-1]):
        assert exact_sum([*many, math.inf, *many]) == math.inf
        assert exact_sum([*many, -math.inf]) == -math.inf
        assert math.isnan(exact_sum([math.inf, *many, -math.inf]))
        assert math.isnan(exact_sum([*many, math.nan]))
    assert math.isnan(exact_sum([math.inf, *others], [0.0, *others]))
    assert exact_sum([math.inf, *others], [2.0, *others]) == math.inf


@given(st.lists(FINITE, max_size=30), st.lists(FINITE | st.just(math.inf), max_size=30))
def test_parts_add_up(a, b):
    first, second = Exact.of(a), Exact.of(b)
    both = first.plus(second)
    assert both == second.plus(first) == Exact.of([*a, *b])
    assert Exact.parse(both.text()) == both
    assert float(both) == exact_sum([*a, *b])


def test_text_that_is_no_sum():
    assert Exact.parse("1p8192").text() == "1p8192"  # the farthest that is read
    assert ratio(1, 3) == 1 / 3
    assert ratio(-1, 1, 5000) == -math.inf


@pytest.mark.parametrize("size", [600, 9000, 17000])
@pytest.mark.parametrize("factors", [None, 1.0])
def test_long_sums_near_the_middle_of_two_doubles_are_rounded_once(size, factors):
    rest = np.zeros(size)
    for values, expected in (
        ([1.0, 2.0**-53], 1.0),  # half: to even
        ([1.0, 2.0**-53, TINY], 1.0 + 2.0**-52),
        ([1.0, 2.0**-53, -TINY], 1.0),
        ([3.0, 2.0**-52, 2.0**-120], 3.0 + 2.0**-51),
        ([-0.0], 0.0),
        ([TINY, TINY], 2 * TINY),
    ):
        one = np.concatenate((values, rest)), np.concatenate((values[1:], rest, values[:1]))
        for x in one:
            total = exact_sum(x, factors and np.full(len(x), factors))
            assert total == expected
            assert math.copysign(1.0, total) == 1.0


def test_other_summations_are_kept():
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 2, (4000, 9)), rng.random((4000, 9))
    plain = rg.conventions["rankgain"].replace(name="numpy", summation="pairwise")
    result = rg.evaluate_arrays(labels, scores, "AP", convention=plain)
    assert result["AP"] == np.add.reduce(result.per_query["AP"]) / 4000
