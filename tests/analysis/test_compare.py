"""compare: which lists and means are compared, segments, and what is refused."""

import itertools
import math
import pickle
import warnings

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.aligned import Draws
from systems import evaluations, made

stats = pytest.importorskip("scipy.stats")
TESTS = ["t", "randomisation", "bootstrap", "wilcoxon", "sign", "tukey", "randomised_tukey"]
LABELS = np.random.default_rng(8).integers(0, 3, (12, 6))
SCORES = {name: np.random.default_rng(at).random((12, 6)) for at, name in enumerate("abc")}


def test_geometric_means_are_tested_on_logarithms():
    runs = evaluations(np.log(np.maximum(made(), 1e-5)), "GMAP")
    name = next(iter(runs["s0"].means))
    logs = {k: v.per_query[name] for k, v in runs.items()}
    runs = rg.Evaluations({
        k: rg.Evaluation({"GMAP": float(np.exp(v.mean()))}, {"GMAP": v}, range(50))
        for k, v in logs.items()
    })  # fmt: skip
    row = rg.compare(runs, test="t", correction=None).rows[0]
    assert row.p == pytest.approx(stats.ttest_rel(logs["s0"], logs["s1"]).pvalue)
    assert row.difference == pytest.approx(np.exp(logs["s0"].mean()) - np.exp(logs["s1"].mean()))
    assert row.low < row.difference < row.high
    drawn = rg.compare(runs, test="bootstrap").rows[0]
    assert (drawn.low, drawn.high) == pytest.approx(
        (row.low, row.high), abs=0.3 * (row.high - row.low)
    )


def test_weights_are_honoured():
    weight = np.random.default_rng(4).random(12)
    doubled = np.repeat([1, 2], 6)
    runs = rg.evaluate_models(LABELS, SCORES, "nDCG", weight=weight)
    row = rg.compare(runs).rows[0]
    a, b = (runs[name].per_query["nDCG"] for name in "ab")
    assert row.difference == pytest.approx(((a - b) * weight).sum() / weight.sum())
    signs = np.array(list(itertools.product((-1, 1), repeat=12)))
    sums = np.abs(signs @ (weight * (a - b)))
    assert row.p == pytest.approx((sums >= sums[-1] * (1 - 1e-12)).mean())
    whole = rg.evaluate_models(LABELS, SCORES, "nDCG", weight=doubled)
    assert rg.compare(whole, test="randomised_tukey").rows[0].difference == pytest.approx(
        ((a - b) * doubled).sum() / 18
    )


def test_lists_left_out_are_pairs_where_both_have_a_value():
    table = made(20, 3, 8)
    table[3, 0] = table[5, 1] = np.nan
    runs = rg.Evaluations({
        f"s{at}": rg.Evaluation({"AUC": float(np.nanmean(one))}, {"AUC": one}, range(20))
        for at, one in enumerate(table.T)
    })  # fmt: skip
    result = rg.compare(runs, test="t", correction=None)
    assert [row.lists for row in result.rows] == [18, 19, 19]
    for row, (a, b) in zip(result.rows, itertools.combinations(range(3), 2), strict=True):
        both = ~np.isnan(table[:, a] + table[:, b])
        there = stats.ttest_rel(table[both, a], table[both, b])
        assert row.p == pytest.approx(there.pvalue)
        assert row.mean_a == pytest.approx(table[both, a].mean())
    assert {row.lists for row in rg.compare(runs, test="tukey").rows} == {18}


def test_queries_that_differ():
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(10)}
    runs = {
        name: {f"q{i}": {"a": float(i % 3), "b": 1.0} for i in range(*ends)}
        for name, ends in (("x", (0, 9)), ("y", (2, 10)))
    }
    runs = rg.evaluate_runs(qrels, runs, "RR", convention="pytrec_eval")
    result = rg.compare(runs, queries="common")
    assert result.queries == 7
    assert result.left_out == {"x": 2, "y": 1}
    assert "left out 2 queries of x and 1 query of y that other systems lack" in " ".join(
        str(result).split()
    )
    turned = {name: one.by(["all"] * len(one))["all"] for name, one in runs.items()}
    assert rg.compare(turned, queries="common").rows == result.rows
    by = [str(int(query[1:]) % 2) for query in runs["x"].queries]
    for labels in (by, dict(zip(runs["x"].queries, by, strict=True))):
        assert [row.lists for row in rg.compare(runs, queries="common", by=labels).rows] == [4, 3]
    by = ["s", "s", "t", "t", "s", "t", "t", "t", "t"]  # not alike when moved by two
    labels = dict(zip(runs["x"].queries, by, strict=True))
    as_array, as_mapping = (rg.compare(runs, queries="common", by=one) for one in (by, labels))
    assert [(row.segment, row.lists) for row in as_array.rows] == [("s", 1), ("t", 6)]
    by_segment = [{row.segment: str(row) for row in one.rows} for one in (as_array, as_mapping)]
    assert by_segment[0] == by_segment[1]


@pytest.mark.parametrize(("test", "correction", "warned"), [
    ("randomisation", "bonferroni", True),
    ("bootstrap", "bonferroni", True),
    ("randomisation", "holm", True),
    ("randomisation", "bh", False),
    ("randomisation", None, False),
    ("randomised_tukey", "bonferroni", False),
])  # fmt: skip
def test_too_few_resamples_for_the_correction_are_told(test, correction, warned):
    runs = evaluations(made(50, 3))
    options = {"test": test, "correction": correction}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        rg.compare(runs, resamples=58, **options)
    words = "58 resamples give no p-value below 0.017, and corrected for 3 comparisons none can"
    assert [words in str(one.message) for one in told] == [True] * warned
    rg.compare(runs, resamples=61, **options)  # 3 / 62 is below 0.05


def test_segments_are_compared_and_corrected_together():
    table = made(40, 3, 5)
    runs = evaluations(table)
    labels = np.array(["long", "short"])[np.arange(40) % 3 // 2]
    result = rg.compare(runs, by=labels, test="t")
    assert result.segments == ("long", "short")
    assert len(result) == 6
    p = np.array([row.p for row in result.rows])
    holm = np.maximum.accumulate(np.sort(p) * np.arange(6, 0, -1))  # of all six together
    ranks = p.argsort().argsort()
    assert [row.p_corrected for row in result.rows] == np.minimum(holm[ranks], 1).tolist()
    for at, row in enumerate(result.rows):
        mine = labels == ("long" if at < 3 else "short")
        assert row.lists == mine.sum()
        assert row.p == pytest.approx(
            stats.ttest_rel(*(table[mine, int(x[1])] for x in (row.a, row.b))).pvalue
        )
    parts = runs["s0"].by(labels)
    assert list(parts) == ["long", "short"]
    assert parts["short"]["AP"] == pytest.approx(table[labels == "short", 0].mean())
    assert len(parts["short"]) == (labels == "short").sum()
    assert parts["short"].queries == tuple(np.flatnonzero(labels == "short").tolist())


def test_identical_runs():
    one = made(30, 1)
    for test in TESTS:
        row = rg.compare(evaluations(np.hstack((one, one))), test=test).rows[0]
        assert (row.p, row.p_corrected, row.low, row.high) == (1.0, 1.0, 0.0, 0.0), test
        assert (row.effect, row.wins, row.ties, row.losses, row.win_rate) == (0.0, 0, 30, 0, 0.5)


def test_one_query():
    for test in TESTS:
        row = rg.compare(evaluations(np.array([[0.5, 0.25]])), test=test).rows[0]
        assert row.difference == 0.25
        assert row.p == 1.0 or math.isnan(row.p), test


def of_ten(value, name="AP", **more):
    """An evaluation of ten queries of one value."""
    return rg.Evaluation({name: value}, {name: np.full(10, value)}, range(10), **more)


def test_evaluations_of_two_conventions_are_compared_with_a_warning():
    runs = dict(evaluations(made(10, 2)))
    foreign = of_ten(0.5, convention="trec")
    with pytest.warns(rg.RankgainWarning, match="different conventions"):
        mixed = rg.compare(runs | {"x": foreign})
    named = [f"{one.convention} for {name}" for name, one in (runs | {"x": foreign}).items()]
    assert f"(convention {', '.join(named)})" in " ".join(str(mixed).split())


GEOMETRIC = rg.conventions["rankgain"].replace(name="geometric", mean="geometric")


def test_geometric_means_have_the_randomised_intervals_of_their_logarithms():
    rng = np.random.default_rng(5)
    values = rng.uniform(0.1, 1, (3, 12))
    labels = np.ones((12, 1))
    runs, logarithms = {}, {}
    for name, one in zip("abc", values, strict=True):
        runs[name] = rg.evaluate_arrays(labels * one[:, None], None, "DCG", convention=GEOMETRIC)
        logs = np.log(one)
        logarithms[name] = rg.Evaluation({"DCG": logs.mean()}, {"DCG": logs}, range(12))
    options = {"test": "randomised_tukey", "resamples": 500}
    rows = rg.compare(runs, **options).rows
    for row, log in zip(rows, rg.compare(logarithms, **options).rows, strict=True):
        scale = 2 * np.sqrt(runs[row.a]["DCG"] * runs[row.b]["DCG"])
        ends = scale * np.sinh(np.array([log.low, log.high]) / 2)
        assert (row.low, row.high) == pytest.approx(tuple(ends))


@pytest.mark.parametrize(
    ("resamples", "level"), [(39, 0.575), (79, 0.575), (24, 0.72), (99, 0.86), (99, 0.95)]
)
def test_fewest_draws_of_levels_that_round(resamples, level):
    """The smallest b with (b + 1) / (B + 1) >= 1 - level, though the product rounds."""
    fewest = Draws(resamples, 0).min_count_not_rejected(level)
    reached = [b for b in range(-1, resamples) if (b + 1) / (resamples + 1) >= 1 - level]
    assert fewest == reached[0]


# ---- margin=: two one-sided tests, and the words of their results


def test_without_a_margin_there_is_no_p_and_no_column():
    comparison = rg.compare(evaluations(made(20, 2)))
    assert math.isnan(comparison.rows[0].p_equivalent)
    assert "equivalent" not in str(comparison)
    assert comparison.rows[0]._fields[-2:] == ("lists", "p_equivalent")
    assert pickle.loads(pickle.dumps(comparison)).rows == comparison.rows


def test_one_query_has_no_p():
    row = rg.compare(evaluations(made(1, 2)), margin=0.1).rows[0]
    assert math.isnan(row.p_equivalent)


def test_the_margin_of_a_geometric_mean_is_in_units_of_the_measure():
    # AP is about 0.53 and 0.38, which are 0.15 apart, and their logarithms 0.33.
    rng = np.random.default_rng(0)
    labels = np.zeros((2, 60, 200))
    for system, first in enumerate((0, 12)):
        for row in labels[system]:
            row[rng.choice(100, 50, replace=False) + first] = 1
    scores = np.tile(-np.arange(200.0), (60, 1))
    for mean in ("macro", "geometric"):
        rules = rg.conventions["rankgain"].replace(mean=mean)
        of_systems = {
            name: rg.evaluate_arrays(y, scores, "AP", convention=rules)
            for name, y in zip("ab", labels, strict=True)
        }
        for margin, is_equivalent in ((0.1, False), (0.2, True)):
            row = rg.compare(of_systems, margin=margin, test="t").rows[0]
            assert (row.p_equivalent < 0.05) is is_equivalent


def test_the_margin_is_stored_and_read(tmp_path):
    comparison = rg.compare(evaluations(made(20, 2)), margin=0.1)
    path = tmp_path / "c.json"
    comparison.to_json(path)
    read = rg.Comparison.read(path)
    assert read == comparison
    assert str(read) == str(comparison)
    assert read.to_pandas()["p_equivalent"].tolist() == [comparison.rows[0].p_equivalent]


def test_segments_of_common_users_of_a_measure_of_all_lists():
    shown = {
        "a": {"u1": [1], "u2": [2], "u3": [1], "u4": [3]},
        "b": {"u0": [1], "u4": [1], "u2": [2], "u5": [2], "u3": [2], "u1": [3]},
    }
    labels = {"u0": "x", "u1": "x", "u2": "x", "u3": "y", "u4": "y", "u5": "y"}
    evaluated = {
        system: rg.evaluate_catalogue(lists, "Coverage@1", catalogue=4)
        for system, lists in shown.items()
    }
    rows = rg.compare(evaluated, by=labels, queries="common").rows
    for row, users in zip(rows, (["u1", "u2"], ["u3", "u4"]), strict=True):
        for system, mean in (("a", row.mean_a), ("b", row.mean_b)):
            lists = {user: shown[system][user] for user in users}
            expected = rg.evaluate_catalogue(lists, "Coverage@1", catalogue=4)
            assert mean == expected["Coverage@1"]


def test_a_table_says_of_which_measures_smaller_values_are_better():
    said = "smaller is better, so a is better if a - b is negative"
    both = rg.evaluate_models(LABELS, SCORES, ["MR", "nDCG@3", "RankingLoss"])
    footer = str(rg.compare(both)).splitlines()
    assert (
        f"MR(rel=2), RankingLoss(rel=2): {said}" in footer or f"MR, RankingLoss: {said}" in footer
    )
    assert said not in str(rg.compare(both, measures="nDCG@3"))
    times = {
        name: rg.Evaluation.from_values({"s": [1, 2, 3]}, better={"s": "lower"}) for name in "ab"
    }
    assert f"s: {said}" in str(rg.compare(times))


def test_sums_cannot_be_compared_and_the_error_says_why():
    sums = {}
    for name, scores in SCORES.items():
        sums[name] = rg.Accumulator()
        sums[name].add(rg.evaluate_arrays(LABELS, scores, "nDCG@3"))
    with pytest.raises(TypeError, match=r"evaluations\['a'\] holds only sums.*without keep='sums'"):
        rg.compare(sums)


def test_one_evaluation_has_nothing_to_compare():
    result = rg.evaluate_arrays(LABELS, SCORES["a"], "nDCG@3")
    with pytest.raises(AttributeError, match=r"of one system.*pass run=.*rankgain\.compare"):
        result.compare()
    with pytest.raises(AttributeError, match="'Evaluation' object has no attribute 'mean'"):
        result.mean  # noqa: B018
    assert not hasattr(result, "compare")
