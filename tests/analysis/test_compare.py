"""compare: which lists and means are compared, segments, and what is refused."""

import itertools
import json
import math
import re
import warnings

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis import paired_tests
from rankgain.analysis.aligned import Draws, Pairs, Units
from systems import evaluations, made

stats = pytest.importorskip("scipy.stats")
TESTS = ["t", "randomisation", "bootstrap", "wilcoxon", "sign", "tukey", "randomised_tukey"]
LABELS = np.random.default_rng(8).integers(0, 3, (12, 6))
SCORES = {name: np.random.default_rng(at).random((12, 6)) for at, name in enumerate("abc")}
MICRO = rg.conventions["rankgain"].replace(
    name="micro", mean={"precision": "micro"}, divisor={"precision": "min"}
)
SIZES = np.random.default_rng(9).integers(1, 7, 12)


def test_micro_means_exchange_numerator_and_divisor():
    values = np.random.default_rng(3)
    numerators, divisors = values.integers(0, 4, (6, 2)) * 1.0, values.integers(1, 5, (6, 2)) * 1.0
    units = Units("mean", numerators / divisors, numerators, divisors, np.arange(6))
    p = paired_tests.micro_p(units, Pairs.among(2, None), Draws(64, 0))[0]
    observed = abs(np.subtract(*(numerators.sum(axis=0) / divisors.sum(axis=0))))
    reached = 0
    for pattern in itertools.product((0, 1), repeat=6):
        order = np.array([[0, 1] if keep else [1, 0] for keep in pattern])
        x, y = (
            np.take_along_axis(one, order, axis=1).sum(axis=0) for one in (numerators, divisors)
        )
        reached += abs(np.subtract(*(x / y))) >= observed - 1e-12
    assert p == reached / 64
    together = rg.evaluate_models(LABELS, SCORES, "P@3", lengths=SIZES, convention=MICRO)
    row = rg.compare(together, resamples=100).rows[0]
    assert row.difference == together["a"]["P@3"] - together["b"]["P@3"]


def test_geometric_means_are_tested_on_logarithms():
    runs = evaluations(np.log(np.maximum(made(), 1e-5)), "GMAP")
    name = next(iter(runs["s0"].means))
    logs = {k: v.per_query[name] for k, v in runs.items()}
    runs = rg.Evaluations(
        {
            k: rg.Evaluation({"GMAP": float(np.exp(v.mean()))}, {"GMAP": v}, range(50))
            for k, v in logs.items()
        }
    )
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
    for test in ("wilcoxon", "sign", "tukey"):
        with pytest.raises(ValueError, match="weighs all lists alike"):
            rg.compare(runs, test=test)


def test_lists_left_out_are_pairs_where_both_have_a_value():
    table = made(20, 3, 8)
    table[3, 0] = table[5, 1] = np.nan
    runs = rg.Evaluations(
        {
            f"s{at}": rg.Evaluation({"AUC": float(np.nanmean(one))}, {"AUC": one}, range(20))
            for at, one in enumerate(table.T)
        }
    )
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
    with pytest.raises(ValueError, match="'q0', 'q1' only in 'x'; 'q9' only in 'y'"):
        rg.compare(runs)
    result = rg.compare(runs, queries="common")
    assert result.queries == 7
    assert result.left_out == {"x": 2, "y": 1}
    assert "2 of x, 1 of y" in " ".join(str(result).split())
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


@pytest.mark.parametrize(
    ("test", "correction", "warned"),
    [
        ("randomisation", "bonferroni", True),
        ("bootstrap", "bonferroni", True),
        ("randomisation", "holm", True),
        ("randomisation", "bh", False),
        ("randomisation", None, False),
        ("randomised_tukey", "bonferroni", False),
    ],
)
def test_too_few_resamples_for_the_correction_are_told(test, correction, warned):
    runs = evaluations(made(50, 3))
    options = {"test": test, "correction": correction}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        rg.compare(runs, resamples=58, **options)
    words = "58 resamples give no p-value below 0.017, and corrected for 3 comparisons none can"
    assert [words in str(one.message) for one in told] == [True] * warned
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rg.compare(runs, resamples=61, **options)  # 3 / 62 is below 0.05


def test_the_order_of_queries_does_not_matter():
    table = made(10, 2, 3)
    runs = dict(evaluations(table))
    order = np.random.default_rng(0).permutation(10)
    shuffled = rg.Evaluation({"AP": table[:, 1].mean()}, {"AP": table[order, 1]}, order.tolist())
    assert rg.compare(runs | {"s1": shuffled}).rows == rg.compare(runs).rows


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


def test_differences_without_scatter():
    table = np.arange(10)[:, np.newaxis] / 16 + [0.25, 0.0]
    row = rg.compare(evaluations(table), test="t").rows[0]
    assert (row.p, row.low, row.high, row.effect) == (0.0, 0.25, 0.25, math.inf)
    row = rg.compare(evaluations(table)).rows[0]
    assert row.p == 2 / 1024
    assert (row.low, row.high) == pytest.approx((0.25, 0.25), rel=1e-12)
    comparison = rg.compare(evaluations(table), test="t")
    assert json.loads(comparison.to_json())["comparison"]["rows"][0]["effect"] == "inf"


def test_smaller_may_be_better():
    runs = evaluations(made(30, 2), "Unjudged@10")
    row = rg.compare(runs).rows[0]
    values = [one.per_query["Unjudged@10"] for one in runs.values()]
    assert row.wins == (values[0] < values[1]).sum()
    rows = rg.compare(runs).to_latex().splitlines()[5:7]
    assert r"\textbf" in rows[0 if row.difference < 0 else 1]


REFUSED = {
    "baseline 'x' is not evaluated; there are s0, s1, s2": {"baseline": "x"},
    "test must be one of": {"test": "anova"},
    "correction must be 'holm', 'bonferroni', 'bh' or None": {"correction": "hommel"},
    "resamples must be a whole number": {"resamples": 0},
    "level must be inside": {"level": 95},
    "seed must be a whole number": {"seed": -1},
    'queries must be "same" or "common"': {"queries": "all"},
    "by has 3 values, but there are 50 queries": {"by": ["a", "b", "c"]},
    "by has no value for query 0": {"by": {1: "a"}},
    "query 1 has no value": {"by": ["a", None] * 25},
    "measures is empty": {"measures": []},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message):
    with pytest.raises(ValueError, match=re.escape(message)):
        rg.compare(evaluations(made(50, 3)), **REFUSED[message])


@pytest.mark.parametrize("name", ["seed", "resamples"])
def test_whole_numbers_of_any_type(name):
    runs = evaluations(made(20, 2))
    expected = rg.compare(runs, **{name: 300})
    for value in (300.0, np.float32(300), np.int16(300)):
        assert rg.compare(runs, **{name: value}) == expected
        assert runs["s0"].interval("AP", **{name: value}) == runs["s0"].interval(
            "AP", **{name: 300}
        )
    for value in (True, 2.5, "300", np.nan, None):
        with pytest.raises(ValueError, match=f"{name} must be a whole number of at least"):
            rg.compare(runs, **{name: value})


def test_names_that_are_no_text_become_text():
    a, b = evaluations(made(20, 2)).values()
    for named in ({1: a, 2: b}, rg.Evaluations({1: a, 2: b})):
        result = rg.compare(named)
        assert result.names == tuple(result.evaluations) == ("1", "2")
        assert (result.rows[0].a, result.rows[0].b) == ("1", "2")
    runs = rg.Evaluations({"x": a, "y": b})
    assert rg.compare(runs).evaluations == runs


@pytest.mark.filterwarnings("ignore:the evaluations follow different conventions")
def test_means_of_two_kinds_are_not_compared():
    rules = rg.conventions["rankgain"].replace(name="geo", mean="geometric")
    labels, scores = [[1, 1], [1, 0]], [[1, 2], [1, 2]]
    runs = {name: rg.evaluate_arrays(labels, scores, "AP", convention=one)
            for name, one in (("a", "rankgain"), ("b", rules))}  # fmt: skip
    with pytest.raises(
        ValueError, match=r"^AP is a geometric mean and a mean in different evaluations$"
    ):
        rg.compare(runs)


def test_evaluations_that_cannot_be_compared():
    runs = dict(evaluations(made(10, 2)))
    other = rg.Evaluation({"P@5": 0.5}, {"P@5": np.full(10, 0.5)}, range(10))
    with pytest.raises(KeyError, match="nDCG was not evaluated"):
        rg.compare(runs, measures="nDCG")
    with pytest.raises(ValueError, match="'x' has no AP; it has P@5"):
        rg.compare(runs | {"x": other})
    with pytest.raises(ValueError, match="at least two evaluations, not 1"):
        rg.compare({"s0": runs["s0"]})
    with pytest.raises(ValueError, match="two evaluations are called '1'"):
        rg.compare({1: runs["s0"], "1": runs["s1"]})
    with pytest.raises(TypeError, match="must be an Evaluation, not float"):
        rg.compare({"a": 0.5, "b": runs["s0"]})
    with pytest.raises(TypeError, match="mapping name -> Evaluation"):
        rg.compare([runs["s0"]])
    heavy = rg.Evaluation({"AP": 0.5}, {"AP": np.full(10, 0.5)}, range(10), weights=np.arange(10.0))
    with pytest.raises(ValueError, match="'s0' and 'x' weigh the lists differently"):
        rg.compare(runs | {"x": heavy})
    values = np.full(10, 0.5)
    values[3] = np.nan
    broken = rg.Evaluation({"AP": math.nan}, {"AP": values}, range(10))
    with pytest.raises(ValueError, match=r"AP of query 3 is nan in 'x'.*empty=.skip."):
        rg.compare(runs | {"x": broken})
    endless = rg.Evaluation({"AP": math.inf}, {"AP": np.full(10, np.inf)}, range(10))
    with pytest.raises(ValueError, match="a value is infinite"):
        rg.compare(runs | {"x": endless})
    none = rg.Evaluation({"AP": math.nan}, {"AP": []}, [])
    with pytest.raises(ValueError, match="no list in common"):
        rg.compare({"a": none, "b": none})
    twice = rg.Evaluation({"AP": 0.5}, {"AP": [0.5, 0.5]}, [1, 1])
    with pytest.raises(ValueError, match="a query id occurs twice"):
        rg.compare({"a": twice, "b": twice})
    foreign = rg.Evaluation({"AP": 0.5}, {"AP": np.full(10, 0.5)}, range(10), convention="trec")
    with pytest.warns(rg.RankgainWarning, match="different conventions"):
        rg.compare(runs | {"x": foreign})


def test_more_pairs_than_rows_can_be():
    with pytest.raises(ValueError, match=r"9,223,372,039,002,259,456 pairs.*compare them with"):
        Pairs.among(2**32 + 1, None)


def test_too_few_resamples_for_the_correction():
    runs = evaluations(made(50, 12))
    with pytest.warns(rg.RankgainWarning, match="resamples=13"):
        rg.compare(runs, resamples=100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rg.compare(runs, resamples=100, correction="bh")
        rg.compare(runs, resamples=2_000)


def test_several_measures_share_one_correction_and_one_order():
    runs = rg.evaluate_models(LABELS, SCORES, ["nDCG@3", "RR", "P@2"])
    result = runs.compare(measures=["P_2", "ndcg_cut_3"], baseline="c")
    assert result.measures == ("P@2", "nDCG@3")
    assert [(row.measure, row.a, row.b) for row in result.rows] == [
        (measure, a, "c") for measure in result.measures for a in "ab"
    ]
    assert result.rows[0].mean_b == runs["c"]["P@2"]
    rounded = rg.Evaluation({"P@2": 0.5}, runs["a"].per_query, range(12))  # as some tools round
    assert rg.compare({"x": rounded, "c": runs["c"]}, measures="P@2").rows[0].mean_a == 0.5


MICRO = rg.conventions["rankgain"].replace(
    name="micro", mean={"precision": "micro"}, divisor={"precision": "min"}
)
GEOMETRIC = rg.conventions["rankgain"].replace(name="geometric", mean="geometric")


def of_lengths(*lengths):
    """Evaluations of the same queries whose lists have these lengths."""
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, (8, 4))
    return {
        f"s{at}": rg.evaluate_arrays(
            labels, rng.random((8, 4)), "P@3", lengths=sizes, convention=MICRO
        )
        for at, sizes in enumerate(lengths)
    }


def test_a_micro_mean_with_divisors_of_each_system():
    """The p of randomisation is that of all swaps of what the lists add to both sums."""
    runs = of_lengths([4] * 8, [1, 4, 2, 4, 4, 1, 3, 2], [4] * 8)
    a, b = (one.shares_of("P@3") for one in list(runs.values())[:2])
    tops, bottoms = (np.array([a[at], b[at]]) for at in (1, 2))
    differences = []
    for swaps in itertools.product((0, 1), repeat=8):
        first, second = np.array(swaps), 1 - np.array(swaps)
        lists = np.arange(8)
        means = [tops[one, lists].sum() / bottoms[one, lists].sum() for one in (first, second)]
        differences.append(abs(means[0] - means[1]))
    share = np.mean(np.array(differences) >= differences[0] - 1e-12)
    assert rg.compare(runs, correction=None).rows[0].p == pytest.approx(share)
    words = 'test "randomised_tukey" needs one divisor of a list for all systems, but P@3 is a micr'
    with pytest.raises(ValueError, match=words):
        rg.compare(runs, test="randomised_tukey")


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


@pytest.mark.filterwarnings("ignore:5 resamples give no p-value")
def test_few_resamples_have_no_interval():
    row = rg.compare(evaluations(made(50, 2)), test="bootstrap", resamples=5).rows[0]
    assert math.isnan(row.low)
    assert math.isnan(row.high)


def test_queries_of_one_side_are_named():
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    two = rg.evaluate(qrels, {"q1": {"a": 1.0}, "q2": {"b": 1.0}}, "AP")
    one = rg.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, "AP")
    words = "the evaluations are not over the same queries: 'q2' only in 'x'; "
    for runs in ({"x": two, "y": one}, {"y": one, "x": two}):
        with pytest.raises(ValueError, match=words):
            rg.compare(runs)


@pytest.mark.parametrize(
    ("resamples", "level"), [(39, 0.575), (79, 0.575), (24, 0.72), (99, 0.86), (99, 0.95)]
)
def test_fewest_draws_of_levels_that_round(resamples, level):
    """The smallest b with (b + 1) / (B + 1) >= 1 - level, though the product rounds."""
    fewest = Draws(resamples, 0).min_count_not_rejected(level)
    reached = [b for b in range(-1, resamples) if (b + 1) / (resamples + 1) >= 1 - level]
    assert fewest == reached[0]


@pytest.mark.parametrize("summation", ["exact", "pairwise", "by_id"])
def test_means_over_common_lists_have_the_bits_of_an_evaluation_of_these(summation):
    rng = np.random.default_rng(5)
    rules = rg.conventions["rankgain"].replace(name="sums", summation=summation)
    names = [f"q{at}" for at in rng.permutation(300)]
    qrels = {name: {f"d{at}": int(rng.integers(0, 3)) for at in range(9)} for name in names}
    runs = [
        {name: {f"d{at}": float(rng.random()) for at in range(9)} for name in some}
        for some in (names[:-40], names[:30:-1])
    ]
    measures = ["nDCG@5", "AP", "RR", "ERR"]

    def evaluated(some):
        return {
            name: rg.evaluate(
                {query: qrels[query] for query in run if query in some},
                {query: run[query] for query in run if query in some},
                measures,
                convention=rules,
            )
            for name, run in zip("ab", runs, strict=True)
        }

    every, common = evaluated(set(names)), evaluated(set(runs[0]) & set(runs[1]))
    result = rg.compare(every, test="t", queries="common")
    assert result.queries == 229
    for row in result.rows:
        assert row.mean_a == common["a"].means[row.measure]
        if summation != "pairwise":  # the lists of b stand in another order
            assert row.mean_b == common["b"].means[row.measure]
    # So have those of segments.
    labels = {name: name[-1] in "02468" for name in common["a"].queries}
    for row in rg.compare(every, test="t", queries="common", by=labels).rows:
        part = common["a"].by(labels)[row.segment]
        assert row.mean_a == part.means[row.measure]
        assert row.lists == len(part)
