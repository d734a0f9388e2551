"""Bootstrap intervals: against all resamples of few lists, and what is known of many."""

import itertools
import math
import pickle
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


def test_means_without_weights_by_the_convention():
    rules = rg.conventions["rankgain"].replace(name="x", weighted=False, mean="geometric")
    result = rg.evaluate_arrays(LABELS, None, "P@1", weight=WEIGHTS, convention=rules)
    logarithms = np.log(np.maximum(result.per_query["P@1"], 1e-5))
    means = np.exp(chances(logarithms.tolist(), [1.0] * 5))
    agrees(result.interval("P@1", level=0.8, resamples=20_000), means, 0.8)


def test_many_lists_that_share_draws():
    rng = np.random.default_rng(3)
    n = resampling.MIN_LISTS_TO_SHARE + 77  # the last block is not full
    values, weights = rng.exponential(size=n), rng.random(n)
    for divisors in (None, weights):
        shared = weights if divisors is not None else np.ones(n)
        columns = [values * shared] + ([] if divisors is None else [divisors])
        sums = resampling.resample(columns, 4000, 5)
        means = sums[0] / (n if divisors is None else sums[1])
        center = (values * shared).sum() / shared.sum()
        error = np.sqrt(((values - center) ** 2 * shared**2).sum()) / shared.sum()
        assert abs(means.mean() - center) < 5 * error / np.sqrt(4000)
        assert means.std() == pytest.approx(error, rel=0.06)
        groups = means.reshape(resampling.RESAMPLES_PER_SET, -1)
        apart = np.corrcoef(groups)[np.triu_indices(resampling.RESAMPLES_PER_SET, 1)]
        assert np.abs(apart).max() < 5 / np.sqrt(groups.shape[1])
    counted = resampling.resample([np.ones(n)], 50, 1)
    assert (counted == n).all()


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


@pytest.mark.parametrize("lists", [40, resampling.MIN_LISTS_TO_SHARE])
def test_equal_seeds_give_equal_intervals(lists, tmp_path):
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 2, (lists, 6)), rng.random((lists, 6))
    names = ["nDCG@3", "P@3", "AUC"]
    options = {"lengths": rng.integers(1, 7, lists), "weight": rng.random(lists)}
    result = rg.evaluate_arrays(labels, scores, names, convention=MICRO, **options)
    result.to_json(tmp_path / "found.json")
    for name in names:
        interval = result.interval(name, resamples=64, seed=4)
        assert interval == result.interval(name, resamples=64, seed=4)
        assert interval != result.interval(name, resamples=64, seed=5)
        assert interval[0] < result[name] < interval[1]
        for again in (
            rg.Evaluation.read(tmp_path / "found.json"),
            pickle.loads(pickle.dumps(result)),
        ):
            assert again.interval(name, resamples=64, seed=4) == interval


def test_measures_that_are_read_apart_keep_what_their_means_are_made_of():
    qrels = {f"q{i}": {"a": i % 2, "b": 1, "c": 0} for i in range(30)}
    run = {f"q{i}": {"a": 1.0, "b": 1.0, "x": 2.0} for i in range(30)}
    alone = rg.evaluate(qrels, run, "P@2", convention=MICRO)
    beside = rg.evaluate(qrels, run, ["AP(ties=worst)", "P@2"], convention=MICRO)
    assert beside.interval("P@2", resamples=99) == alone.interval("P@2", resamples=99)


def test_sums_are_drawn_as_sums():
    result = rg.evaluate_arrays(LABELS, None, "NumRelRet")
    low, high = result.interval("NumRelRet", level=0.9)
    assert (low, high) == (2.0, 12.0) or 2 <= low < 7 < high <= 12
    assert low.is_integer()


def test_memory_is_bounded():
    values = np.random.default_rng(1).random(100_000)
    tracemalloc.start()
    find_intervals(
        {"x": Shares("mean", values, None)}, IntervalOptions(0.95, "bootstrap", 1500, 0), None
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 24 * 2**20


def test_what_has_no_interval():
    nothing = rg.evaluate_arrays([[0, 0]], None, "AUC")
    assert np.isnan(nothing.interval("AUC")).all()
    infinite = rg.evaluate_arrays([[0, 0], [1, 0]], None, "AP", empty=float("inf"))
    assert np.isnan(infinite.interval("AP")).all()
    weightless = rg.evaluate_arrays([[1, 0]], None, "AP", weight=[0.0])
    assert np.isnan(weightless.interval("AP")).all()
    result = rg.evaluate_arrays(LABELS, None, "AP")
    for resamples in (0, -1, 1.5):
        with pytest.raises(ValueError, match="resamples must be a whole number of at least 1"):
            result.interval("AP", resamples=resamples)
    with pytest.raises(ValueError, match="level must be inside"):
        result.interval("AP", level=95)


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


def test_clusters_of_a_micro_mean():
    """Clusters of one list each are the lists."""
    result = rg.evaluate_arrays(LABELS, None, "P@3", lengths=SIZES, convention=MICRO)
    assert result.interval("P@3", by=np.arange(5)) == result.interval("P@3")
    halves = result.interval("P@3", by=[0, 0, 1, 1, 1])
    numerators, divisors = np.array([3, 4]), np.array([5, 9])
    ends = numerators / divisors
    assert halves == pytest.approx((ends.min(), ends.max()))


@pytest.mark.parametrize("method", ["bootstrap", "bca", "t"])
@pytest.mark.parametrize("measure", ["AP", "GAUC"])
def test_many_lists_of_no_weight_have_no_interval(method, measure):
    labels, scores = np.eye(30, 5), np.tile(np.arange(5.0), (30, 1))
    result = rg.evaluate_arrays(labels, scores, measure, weight=np.zeros(30))
    assert np.isnan(result.means[measure])
    assert np.isnan(result.interval(measure, method=method)).all()
