"""`rankgain.correlate` beside scipy, loops over all pairs and orders, and published numbers."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rankgain as rg

OF_SAME_IDS = ["tau_b", "tau", "tau_ap", "spearman"]


def draw_scores(seed: int, n: int, levels: int) -> tuple[dict[str, float], dict[str, float]]:
    """Two rankings of the same ids, given in two orders."""
    random = np.random.default_rng([seed, n, levels])
    ids = [f"d{number}" for number in range(n)]
    a = dict(zip(ids, random.integers(0, levels, n).tolist(), strict=True))
    b = {item: float(random.integers(0, levels)) for item in random.permutation(ids).tolist()}
    return a, b


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("levels", [2, 4, 1000])
@pytest.mark.parametrize("n", [2, 5, 30, 300])
def test_tau_b_and_spearman_are_those_of_scipy(n: int, levels: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    for seed in range(5):
        a, b = draw_scores(seed, n, levels)
        x, y = list(a.values()), [b[item] for item in a]
        expected = stats.kendalltau(x, y).statistic
        assert rg.correlate(a, b).value == pytest.approx(expected, abs=1e-12, nan_ok=True)
        expected = stats.spearmanr(x, y).statistic
        result = rg.correlate(a, b, "spearman").value
        assert result == pytest.approx(expected, abs=1e-12, nan_ok=True)


def tau_ap_of_orders(a: list[str], b: list[str]) -> Fraction:
    """The definition, for rankings without ties."""
    total = Fraction(0)
    for i in range(1, len(a)):
        above = sum(b.index(a[j]) < b.index(a[i]) for j in range(i))
        total += Fraction(above, i)
    return 2 * total / (len(a) - 1) - 1


def orders(scores: dict[str, float]) -> list[list[str]]:
    """All orders of a ranking's tied ids."""
    return [
        list(order)
        for order in itertools.permutations(scores)
        if all(scores[x] >= scores[y] for x, y in itertools.pairwise(order))
    ]


@pytest.mark.parametrize("levels", [1, 2, 3, 1000])
def test_tau_ap_is_the_mean_over_all_orders_of_ties(levels: int) -> None:
    for seed in range(6):
        a, b = draw_scores(seed, 5, levels)
        values = [tau_ap_of_orders(x, y) for x in orders(a) for y in orders(b)]
        expected = sum(values, Fraction(0)) / len(values)
        assert rg.correlate(a, b, "tau_ap").value == pytest.approx(float(expected), abs=1e-12)


# ---- RBO


def rbo_of_long_lists(a: list[Any], b: list[Any], p: float) -> float:
    """(1 - p) * sum of p**(d - 1) * agreement at d, over all depths of long lists."""
    return (1 - p) * sum(
        p ** (d - 1) * len(set(a[:d]) & set(b[:d])) / d for d in range(1, len(a) + 1)
    )


def test_rbo_of_the_published_example() -> None:
    result = rg.correlate("NHMACFL", "CGNA", "rbo", p=0.9)
    assert result.value == pytest.approx(0.490383643, abs=5e-10)
    # The sum itself, with continuations that share nothing.
    long = [list("NHMACFL") + list(range(500)), list("CGNA") + list(range(-500, 0))]
    assert result.low == pytest.approx(rbo_of_long_lists(*(x[:500] for x in long), 0.9), abs=1e-12)
    assert result.high == pytest.approx(0.688994486, abs=5e-10)
    assert rg.correlate("CGNA", "NHMACFL", "rbo", p=0.9) == result


def test_tied_ids_of_rbo_enter_together() -> None:
    # Of 2 |A & B| / (|A| + |B|) at the depths 1 to 3: 0, 1/2 and 1.
    result = rg.correlate({"a": 2, "b": 2, "c": 1}, {"c": 3, "a": 2, "b": 1}, "rbo", p=0.9)
    assert result.value == pytest.approx(0.1 * (0.9 * 0.5 + 0.81) + 0.9**3)


@pytest.mark.parametrize("p", [0.5, 0.9])
def test_bounds_of_rbo_are_reached_by_continuations_and_never_left(p: float) -> None:
    random = np.random.default_rng(3)
    depth = 150
    for _ in range(60):
        a = random.permutation(8)[: random.integers(1, 7)].tolist()
        b = random.permutation(8)[: random.integers(1, 7)].tolist()
        result = rg.correlate(a, b, "rbo", p=p)
        # At least: each goes on with ids that the other never has.
        left = a + [("a", i) for i in range(depth)]
        right = b + [("b", i) for i in range(depth)]
        least = rbo_of_long_lists(left[:depth], right[:depth], p)
        assert result.low == pytest.approx(least, abs=1e-6)
        # At most: each goes on with the other's ids, then both with the same ones.
        left = a + [x for x in b if x not in a]
        right = b + [x for x in a if x not in b]
        short, long = sorted((a, b), key=len)
        rest = [("both", i) for i in range(depth)]
        most = rbo_of_long_lists((left + rest)[:depth], (right + rest)[:depth], p)
        assert result.high == pytest.approx(most, abs=1e-6)
        assert result.low <= result.value + 1e-12
        assert result.value <= result.high + 1e-12
        assert len(short) <= len(long)


def test_runs_are_compared_query_by_query() -> None:
    a = {"q1": ["a", "b", "c"], "q2": {"a": 1.0, "b": 2.0}, "alone": ["a"]}
    b = {"q2": ["b", "a"], "q1": ["b", "a", "c"]}
    with pytest.warns(rg.RankgainWarning, match="1 query is in one of the runs only"):
        result = rg.correlate(a, b, "tau")
    assert result.per_query == {"q1": pytest.approx(1 / 3), "q2": 1.0}
    assert result.mean == result.value == pytest.approx(2 / 3)
    runs = [rg.Run({"q": {"a": 3.0, "b": 2.0}}), rg.Run({"q": {"a": 1.0, "b": 2.0}})]
    assert rg.correlate(*runs).per_query == {"q": -1.0}
    constant = rg.correlate({"q": {"a": 1, "b": 1}, "r": "ab"}, {"q": "ab", "r": "ab"})
    assert constant.mean == 1.0
    assert math.isnan(constant.per_query["q"])  # type: ignore[index]
    assert "mean of 2 pairs of rankings (1 undefined, skipped)" in str(constant)


@pytest.mark.parametrize("dtype", ["i4", "i8", "u8", "u1"])
@pytest.mark.parametrize("measure", [*OF_SAME_IDS, "rbo", "overlap"])
def test_rows_of_matrices_are_rankings(measure: Any, dtype: str) -> None:
    random = np.random.default_rng(0)
    wide = 12 if measure in OF_SAME_IDS else 20
    a, b = (np.argsort(random.random((30, wide)), axis=1)[:, :12].astype(dtype) for _ in "ab")
    if dtype == "u8":
        a, b = a + np.uint64(2**63), b + np.uint64(2**63)
    for k in (None, 5):
        if k is not None and measure in OF_SAME_IDS:
            continue
        result = rg.correlate(a, b, measure, k=k)
        for row in range(30):
            expected = rg.correlate(a[row].tolist(), b[row].tolist(), measure, k=k).value
            assert result.per_query[row] == pytest.approx(expected, abs=1e-12)  # type: ignore[index]


def test_wide_ids_are_matched_exactly() -> None:
    a = np.array([[2**62, 2**62 + 1, -(2**62)]])
    assert rg.correlate(a, a[:, ::-1].copy(), "tau").value == -1.0
