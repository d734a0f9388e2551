"""Intervals by BCa and Student's t, of clusters and over data sets, beside scipy."""

import math
import pickle

import numpy as np
import pytest

import rankgain as rg
from systems import made, matrices

stats = pytest.importorskip("scipy.stats")
REAL = matrices()
COLUMNS = {"made": made()[:, 0], **{name: table[:, 3] for name, table in REAL.items()}}


def of(values, queries=None, **more):
    name = more.pop("name", "AP")
    queries = range(len(values)) if queries is None else queries
    return rg.Evaluation({name: float(np.nanmean(values))}, {name: values}, queries, **more)


@pytest.mark.parametrize("name", COLUMNS)
def test_means_as_scipy_has_them(name):
    values = COLUMNS[name]
    result = of(values)
    error = values.std() / math.sqrt(len(values))
    for ours, theirs in (("bootstrap", "percentile"), ("bca", "bca")):
        there = stats.bootstrap(
            (values,), np.mean, n_resamples=9_999, method=theirs, confidence_level=0.9, rng=1
        ).confidence_interval
        assert result.interval("AP", level=0.9, method=ours) == pytest.approx(
            tuple(there), abs=0.08 * error
        )
    there = stats.t.interval(0.9, len(values) - 1, values.mean(), stats.sem(values))
    assert result.interval("AP", level=0.9, method="t") == pytest.approx(there, rel=1e-9)


def test_bca_of_a_micro_mean_as_scipy_has_it():
    rng = np.random.default_rng(1)
    divisors = rng.integers(1, 9, 40).astype(float)
    numerators = rng.binomial(divisors.astype(int), 0.2).astype(float)
    shares = rg.Evaluation({"P": 0.1}, {"P": numerators / divisors}, range(40)).shares_of("P")
    shares = shares._replace(numerators=numerators, divisors=divisors)
    result = rg.Evaluation(
        {"P": 0.1}, {"P": numerators / divisors}, range(40), shares={"P": shares}
    )

    def ratio(x, y, axis=-1):
        return x.sum(axis=axis) / y.sum(axis=axis)

    there = stats.bootstrap(
        (numerators, divisors), ratio, paired=True, n_resamples=9_999, method="BCa", rng=2
    ).confidence_interval
    assert result.interval("P", method="bca") == pytest.approx(tuple(there), abs=0.004)
    low, high = result.interval("P", method="t")
    residuals = (numerators - ratio(numerators, divisors) * divisors) / divisors.mean()
    half = stats.t.ppf(0.975, 39) * stats.sem(residuals)
    assert high - low == pytest.approx(2 * half)


def test_geometric_means_and_sums_by_t():
    logs = np.log(made()[:, 0] + 0.01)
    result = rg.Evaluation({"GMAP": float(np.exp(logs.mean()))}, {"GMAP": logs}, range(50))
    there = np.exp(stats.t.interval(0.95, 49, logs.mean(), stats.sem(logs)))
    assert result.interval("GMAP", method="t") == pytest.approx(tuple(there))
    counts = np.arange(20.0)
    total = rg.Evaluation({"NumRel": counts.sum()}, {"NumRel": counts}, range(20))
    there = stats.t.interval(0.95, 19, counts.mean(), stats.sem(counts))
    assert total.interval("NumRel", method="t") == pytest.approx(tuple(20 * np.array(there)))


def test_clusters_are_drawn_together():
    rng = np.random.default_rng(4)
    users = np.repeat(np.arange(30), 4)
    values = np.clip(rng.normal(0.5, 0.2, 30)[users] + rng.normal(0, 0.01, 120), 0, 1)
    result = of(values)
    alone = np.subtract(*result.interval("AP")[::-1])
    for by in (users, dict(enumerate(users.tolist())), [f"u{one}" for one in users]):
        together = np.subtract(*result.interval("AP", by=by)[::-1])
        assert together == pytest.approx(2 * alone, rel=0.15)  # four lists say as much as one
    half = stats.t.ppf(0.975, 29) * stats.sem(values.reshape(30, 4).mean(axis=1))
    assert result.interval("AP", by=users, method="t") == pytest.approx(
        (values.mean() - half, values.mean() + half)
    )
    each = np.arange(120)
    assert result.interval("AP", by=each, seed=1) == pytest.approx(result.interval("AP", seed=1))


def test_a_mean_over_data_sets_is_drawn_within_each():
    rng = np.random.default_rng(5)
    parts = [np.clip(rng.normal(center, 0.1, n), 0, 1) for center, n in ((0.2, 20), (0.8, 200))]
    sets = rg.Evaluations({f"d{at}": of(part) for at, part in enumerate(parts)})
    error = math.sqrt(sum(part.var(ddof=1) / len(part) for part in parts)) / 2
    center = np.mean([part.mean() for part in parts])
    low, high = sets.interval("AP")
    assert (low + high) / 2 == pytest.approx(center, abs=error / 5)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.08)
    there = stats.ttest_ind(parts[0], -parts[1], equal_var=False).confidence_interval(0.95)
    assert sets.interval("AP", method="t") == pytest.approx((there.low / 2, there.high / 2))
    whole = of(np.concatenate(parts)).by(["small"] * 20 + ["large"] * 200)
    assert whole.interval("AP") == pytest.approx((low, high))


def test_what_has_no_interval():
    one = of(np.array([0.5]))
    for method in ("bootstrap", "bca", "t"):
        assert np.isnan(one.interval("AP", method=method)).all()
    same = of(np.full(9, 0.25))
    for method in ("bootstrap", "bca", "t"):
        assert same.interval("AP", method=method) == (0.25, 0.25)


def test_geometric_means_of_several_evaluations_by_t():
    logs = [np.log([0.1, 0.2, 0.4]), np.log([0.3, 0.2, 0.6, 0.1])]
    parts = {
        f"d{at}": rg.Evaluation({"GMAP": float(np.exp(one.mean()))}, {"GMAP": one}, range(len(one)))
        for at, one in enumerate(logs)
    }
    errors = [(math.exp(one.mean()) * one.std(ddof=1)) ** 2 / len(one) / 4 for one in logs]
    freedom = sum(errors) ** 2 / sum(e**2 / (len(x) - 1) for e, x in zip(errors, logs, strict=True))
    half = stats.t.ppf(0.975, freedom) * math.sqrt(sum(errors))
    center = np.mean([math.exp(one.mean()) for one in logs])
    result = rg.Evaluations(parts).interval("GMAP", method="t")
    assert result == pytest.approx((center - half, center + half))


@pytest.mark.parametrize("lists", [2, 3, 8, 39])
@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_few_lists_or_clusters_have_students_interval(lists, method):
    values = np.random.default_rng(lists).random(lists)
    there = stats.t.interval(0.95, lists - 1, values.mean(), stats.sem(values))
    assert of(values).interval("AP", method=method) == pytest.approx(there)
    users = np.repeat(np.arange(lists), 4)
    result = of(np.repeat(values, 4)).interval("AP", method=method, by=users)
    assert result == pytest.approx(there)
    both = rg.Evaluations({"a": of(values), "b": of(np.linspace(0, 1, 50))})
    assert both.interval("AP") == both.interval("AP", method="t")


@pytest.mark.parametrize("drawn", [False, 200])
def test_sums_of_few_lists_have_students_interval(drawn):
    values = np.random.default_rng(1).random((2, 9))
    a, b = (of(one, [f"q{at}" for at in range(9)]) for one in values)
    total = rg.Accumulator(bootstrap=drawn)
    total.add({"a": a, "b": b})
    assert total.interval("AP", run="a") == pytest.approx(a.interval("AP", method="t"))
    result = total.difference("AP", "a", "b")
    there = stats.ttest_rel(*values).confidence_interval(0.95)
    assert result[1:] == pytest.approx(tuple(there))
    one = rg.Accumulator(bootstrap=drawn)
    one.add(of(np.array([0.5]), ["q"]))
    assert np.isnan(one.interval("AP")).all()


def systems():
    """Evaluations of the same queries; the last one lacks a measure."""
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 2, (60, 5))
    runs = dict(
        rg.evaluate_models(labels, {x: rng.random((60, 5)) for x in "ab"}, ["RR", "nDCG@3"])
    )
    return rg.Evaluations(runs | {"c": rg.evaluate_arrays(labels, rng.random((60, 5)), "RR")})


def test_intervals_of_systems_are_those_of_each():
    runs = systems()
    by = np.repeat(np.arange(20), 3)
    for options in ({}, {"level": 0.8, "method": "t"}, {"resamples": 99, "seed": 3, "by": by}):
        result = runs.intervals(**options)
        assert result == {name: one.intervals(**options) for name, one in runs.items()}
        assert pickle.loads(pickle.dumps(result)) == result
    assert rg.Evaluations({}).intervals() == {}


def test_intervals_are_printed_beside_means():
    runs = systems()
    ends, text = runs.intervals(), str(runs.intervals())
    for name, one in runs.items():
        (line,) = (line for line in text.splitlines() if line.startswith(name))
        for measure, (low, high) in ends[name].items():
            assert f"{one[measure]:.4f} [{low:.4f}, {high:.4f}]" in line
    assert text.endswith("intervals: 95%, bootstrap, 10,000 resamples, seed 0")
    few = rg.Evaluations({"x": of(np.linspace(0, 1, 9))})
    assert str(few.intervals()).endswith("seed 0; t for fewer than 40 queries")
    assert str(few.intervals(method="t", level=0.9)).endswith("\nintervals: 90%, t")
    best = max(runs, key=lambda name: runs[name]["RR"])
    low, high = ends[best]["RR"]
    for options in ({}, {"sort": "RR"}, {"transpose": True}):
        table = runs.to_markdown(intervals=True, precision=3, **options)
        assert f"| **{runs[best]['RR']:.3f}** [{low:.3f}, {high:.3f}] |" in table
        assert "intervals: 95%, bootstrap, 10,000 resamples, seed 0" in table
    assert "[" not in runs.to_markdown() + str(runs)


def test_intervals_are_columns_of_frames():
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    runs = systems()
    ends = runs.intervals()
    frame = runs.to_pandas(sort="RR", intervals=True)
    columns = ["RR", "RR low", "RR high", "nDCG@3", "nDCG@3 low", "nDCG@3 high"]
    assert list(frame.columns) == columns
    assert list(frame.index) == list(runs.sort("RR"))
    for name, one in runs.items():
        for measure in one.means:
            cells = frame.loc[name, [measure, f"{measure} low", f"{measure} high"]]
            assert tuple(cells) == (one[measure], *ends[name][measure])
    assert frame.loc["c"].isna().tolist() == [False] * 3 + [True] * 3
    there = runs.to_polars(sort="RR", intervals=True)
    assert there.columns == ["run", *columns]
    assert there.to_pandas().set_index("run").equals(frame)
    turned = runs.to_pandas(transpose=True, intervals=True)
    assert turned.loc["RR", "b high"] == ends["b"]["RR"][1]
