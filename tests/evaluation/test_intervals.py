"""Bootstrap intervals: against all resamples of few lists, and what is known of many."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest

import rankgain as rg
from rankgain.engine import intervals as methods
from rankgain.engine import resampling
from rankgain.engine.intervals import IntervalOptions, find_intervals
from rankgain.engine.means import Shares

LABELS = np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0], [0, 0, 1, 0]])
SIZES = [4, 2, 3, 4, 3]
WEIGHTS = np.array([1.0, 3.0, 0.5, 0.25, 2.0])
PLAIN = rg.conventions["rankgain"]
MICRO = PLAIN.replace(name="micro", mean={"precision": "micro"}, divisor={"precision": "min"})


@pytest.fixture(autouse=True)
def resamples_of_few(monkeypatch):
    """Resamples of few lists too, which can all be counted: `FEW` is looked at elsewhere."""
    monkeypatch.setattr(methods, "FEW", 2)


def chances(numerators, divisors):
    """All means of resamples of few lists, ascending, and how often one is at most each."""
    n = len(numerators)
    result = sorted(
        math.fsum(numerators[i] for i in drawn) / math.fsum(divisors[i] for i in drawn)
        for drawn in itertools.product(range(n), repeat=n)
    )
    return np.array(result)


def agrees(interval, means, confidence):
    """Whether the ends are quantiles of the means, with room for the error of many resamples."""
    for end, share in zip(interval, ((1 - confidence) / 2, (1 + confidence) / 2), strict=True):
        low, high = np.quantile(means, [share - 0.02, share + 0.02])
        assert low - 1e-12 <= end <= high + 1e-12, (end, low, high)


@pytest.mark.parametrize("confidence", [0.5, 0.8])
@pytest.mark.parametrize(
    ("name", "rules"),
    [("P@3", PLAIN), ("P@3", MICRO), ("nDCG", PLAIN), ("AUC", PLAIN)],
    ids=["P", "micro P", "nDCG", "AUC"],
)
@pytest.mark.parametrize("weight", [None, WEIGHTS])
def test_against_all_resamples(name, rules, weight, confidence):
    result = rg.evaluate_arrays(
        LABELS, None, [name], lengths=SIZES, weight=weight, convention=rules
    )
    values = result.per_query[name]
    keep = ~np.isnan(values)
    weights = np.ones(5) if weight is None else weight
    items = np.minimum(SIZES, 3) if rules is MICRO else np.ones(5)
    divisors = (weights * items)[keep]
    assert result.means[name] == pytest.approx(
        (values[keep] * divisors).sum() / divisors.sum(), rel=1e-14
    )
    means = chances((values[keep] * divisors).tolist(), divisors.tolist())
    agrees(result.interval(name, level=confidence, resamples=20_000), means, confidence)


def test_undefined_lists_that_have_no_weight_in_the_divisor_alone():
    result = rg.evaluate_arrays(
        LABELS, None, "nDCG@3", lengths=SIZES, weight=WEIGHTS, convention="lightgbm"
    )
    values = result.per_query["nDCG@3"]
    counts = np.where(LABELS.any(axis=1), WEIGHTS, 1.0)
    assert result.means["nDCG@3"] == pytest.approx((values * counts).sum() / WEIGHTS.sum())
    means = chances((values * counts).tolist(), WEIGHTS.tolist())
    agrees(result.interval("nDCG@3", level=0.8, resamples=20_000), means, 0.8)


@pytest.mark.slow
def test_a_list_is_drawn_as_often_as_chance_has_it():
    n = resampling.MIN_LISTS_TO_SHARE + 300
    for place in (0, n // 2, n - 1):
        one = np.zeros(n)
        one[place] = 1.0
        times = resampling.resample([one], 8000, place)[0]
        observed = np.bincount(times.astype(int), minlength=4)[:4] / 8000
        poisson = np.exp(-1) / np.array([1, 1, 2, 6])
        assert np.abs(observed - poisson).max() < 0.025


def test_memory_is_bounded():
    values = np.random.default_rng(1).random(100_000)
    tracemalloc.start()
    find_intervals(
        {"x": Shares("mean", values, None)}, IntervalOptions(0.95, "bootstrap", 1500, 0), None
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 24 * 2**20


def test_no_scatter_is_an_interval_of_one_number():
    ones = rg.evaluate_arrays(np.ones((3, 2)), np.ones((3, 2)), "AP")
    assert ones.interval("AP", method="bca") == (1.0, 1.0)
    with pytest.warns(rg.RankgainWarning, match="the same queries"):
        both = rg.Evaluations({"a": ones, "b": ones}).interval("AP", method="t")
    assert both == (1.0, 1.0)


def test_resamples_that_all_lie_on_one_side_have_no_bca_interval():
    """All weight but 1e-300 is that of one list, so that no resampled mean is below the mean."""
    result = rg.evaluate_arrays([[1, 0], [0, 0], [0, 0]], None, "P@1", weight=[1, 1e-300, 1e-300])
    assert np.isnan(result.interval("P@1", method="bca", resamples=100)).all()
