"""Evaluations and accumulators cut in any way and put together in any order: the same bits."""

import json
import math
import pickle
from functools import reduce

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rankgain as rg

NAMES = ["nDCG@3", "AP", "AUC", "P@2", "gm_map", "num_rel", "HitRate(per=item)@3"]
LISTS, DOCUMENTS = 60, 5
RULES = [
    rg.conventions["rankgain"],
    rg.conventions["rankgain"].replace(name="nan", empty=math.nan),
    rg.conventions["rankgain"].replace(name="micro", mean={"precision": "micro"}),
    rg.conventions["rankgain"].replace(name="rounded", round_mean=3, empty="skip"),
    rg.conventions["rankgain"].replace(name="by id", summation="by_id"),
]


def evaluated(lists, seed=0, weight=None, convention="rankgain", names=NAMES):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, (LISTS, DOCUMENTS)) * (rng.random((LISTS, DOCUMENTS)) < 0.3)
    scores = rng.random((LISTS, DOCUMENTS))
    arrays = labels[lists].ravel(), scores[lists].ravel()
    qid = np.repeat([f"q{at}" for at in lists], DOCUMENTS)
    weight = None if weight is None else weight[lists]
    return rg.evaluate_arrays(*arrays, names, qid=qid, weight=weight, convention=convention)


def cuts_of(draw_seed, parts):
    rng = np.random.default_rng(draw_seed)
    order = rng.permutation(LISTS)
    return np.split(order, np.sort(rng.integers(0, LISTS, parts - 1)))


def bits(means):
    return {name: np.float64(one).tobytes() for name, one in means.items()}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 6), st.sampled_from(RULES), st.booleans())
@example(131552, 1, RULES[4], True)  # numpy's exp has another last bit with AVX-512
def test_merged_parts_are_one_call_on_all(seed, parts, rules, weighted):
    weight = np.random.default_rng(seed).random(LISTS) if weighted else None
    cuts = cuts_of(seed, parts)
    whole = evaluated(np.concatenate(cuts), seed, weight, rules)
    each = [evaluated(cut, seed, weight, rules) for cut in cuts if len(cut)]
    merged = rg.Evaluation.merge(each)
    assert rg.Evaluation.merge(each, convention=rules) == merged
    assert merged == whole
    assert merged.requested == whole.requested
    assert merged.versions == whole.versions
    assert bits(merged.means) == bits(whole.means)
    for name in NAMES:
        assert merged.interval(name, resamples=50) == pytest.approx(
            whole.interval(name, resamples=50), rel=0, abs=0, nan_ok=True
        )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 6), st.booleans())
def test_accumulators_merge_to_the_same_bits_in_any_order(seed, parts, weighted):
    rng = np.random.default_rng(seed)
    weight = rng.random(LISTS) if weighted else None
    cuts = [cut for cut in cuts_of(seed, parts) if len(cut)]
    every = np.arange(LISTS)
    whole = rg.Accumulator(bootstrap=20, seed=seed)
    whole.add({"a": evaluated(every, seed, weight), "b": evaluated(every, seed + 1, weight)})

    def part(cut):
        one = rg.Accumulator(bootstrap=20, seed=seed)
        one.add({"a": evaluated(cut, seed, weight), "b": evaluated(cut, seed + 1, weight)})
        return pickle.loads(pickle.dumps(one))

    result = [part(cut) for cut in cuts]
    grouped = [
        reduce(lambda a, b: a.merge(b), result[i::2], rg.Accumulator(bootstrap=20, seed=seed))
        for i in (1, 0)
    ]
    merged = grouped[0].merge(grouped[1])
    assert merged == whole
    assert json.dumps(merged.to_dict()) == json.dumps(whole.to_dict())
    assert str(merged.result()) == str(whole.result())


@pytest.mark.parametrize("lists", range(2, 11))
def test_student_intervals_are_those_of_the_values(lists):
    for rules in (RULES[0], RULES[2]):
        weight = np.random.default_rng(lists).random(LISTS) if rules is RULES[0] else None
        one = evaluated(np.arange(lists), 3, weight, rules)
        total = rg.Accumulator()
        total.add(one)
        for name in NAMES:
            expected = one.interval(name, method="t")
            assert total.interval(name) == pytest.approx(expected, rel=1e-9, nan_ok=True), name


def test_segments():
    total = rg.Accumulator()
    first, second = evaluated(np.arange(20)), evaluated(np.arange(20, LISTS))
    total.add(first, segment="de")
    total.add(second, segment="fr")
    whole = evaluated(np.arange(LISTS))
    assert bits(total.means) == bits(whole.means)
    rows = {(row.segment, row.measure): row.mean for row in total.result().rows}
    assert rows["de", "AP"] == first["AP"]
    assert rows["fr", "AP"] == second["AP"]
    assert rows[None, "AP"] == whole["AP"]
    assert total.interval("AP", segment="de") != total.interval("AP")
    assert total.segments == ["de", "fr"]
    assert "segment" in str(total.result())


def test_ids_say_how_often_lists_are_drawn():
    lists = np.arange(LISTS)
    as_text = rg.Accumulator(bootstrap=True)
    as_text.add(evaluated(lists))
    numbered = rg.Accumulator(bootstrap=True)
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, (LISTS, DOCUMENTS)) * (rng.random((LISTS, DOCUMENTS)) < 0.3)
    plain = rg.evaluate_arrays(labels, rng.random((LISTS, DOCUMENTS)), NAMES)
    with pytest.raises(ValueError, match="only numbered; pass qid="):
        numbered.add(plain)
    numbered.add(plain, queries=[f"q{at}" for at in lists])
    assert numbered.interval("AP") == as_text.interval("AP")
    other = rg.Accumulator(bootstrap=True, seed=1)
    other.add(evaluated(lists))
    assert other.interval("AP") != as_text.interval("AP")


def test_arrow_rows():
    pytest.importorskip("pyarrow")
    import pyarrow

    parts = []
    for cut in cuts_of(3, 4):
        one = rg.Accumulator(bootstrap=4)
        if len(cut):
            one.add(evaluated(cut))
        parts.append(one.to_arrow())
    whole = rg.Accumulator(bootstrap=4)
    whole.add(evaluated(np.arange(LISTS)))
    assert rg.Accumulator.from_arrow(pyarrow.Table.from_batches(parts)) == whole


LARGEST = 1.7e308
EXTREMES = {
    "weights near nothing": ([1e300] * 3, [0.0, 0.0, 1e-300], "DCG"),
    "sums beyond doubles": ([LARGEST, LARGEST, LARGEST / 2], None, "DCG"),
    "squares beyond doubles": ([1e200, 2e200, 4e200], [1e-200, 1.0, 1e200], "DCG"),
    "squares below doubles": ([1e-200, 2e-200, 4e-200], None, "DCG"),
    "logarithms far apart": ([700.0, -700.0, 0.0], None, "gm_map"),
    "a sum": ([LARGEST, -LARGEST, 1.0], None, "num_rel"),
}


@pytest.mark.parametrize("case", EXTREMES.values(), ids=list(EXTREMES))
def test_intervals_of_extremes_are_around_the_mean(case):
    values, weights, name = case
    name = str(rg.parse_measure(name))
    runs = {}
    for at in (1, 0.5):
        column = np.array(values) * at
        weight = None if weights is None else np.array(weights)
        runs[str(at)] = rg.Evaluation({name: 0.0}, {name: column}, "abc", weights=weight)
    total = rg.Accumulator()
    total.add(runs)
    mean = rg.Evaluation.merge([runs["1"]])[name]
    low, high = total.interval(name, run="1")
    assert low <= mean <= high or math.isnan(low)
    if name != "GMAP":
        difference, low, high = total.difference(name, "1", "0.5")
        assert low <= difference <= high or math.isnan(low)


def test_the_summary_as_dicts_and_as_a_frame():
    pandas = pytest.importorskip("pandas")
    total = rg.Accumulator()
    total.add(rg.evaluate_arrays([[1, 0], [1, 0]], [[2, 1], [2, 1]], "P@1"), segment="x")
    rows = total.result().to_dict()
    row = {"run": None, "segment": "x", "measure": "P@1", "mean": 1.0, "low": 1.0, "high": 1.0}
    assert {**row, "lists": 2, "undefined": 0} in rows
    assert len(rows) == len(total.result().rows)
    frame = total.result().to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame) == list(rows[0])
    assert frame["mean"].tolist() == [one["mean"] for one in rows]


def test_a_difference_of_micro_means_has_the_variance_of_its_linear_part():
    """With divisors of the two runs that differ: u_i = (n_i - m d_i) / sum of d for each run."""
    t = pytest.importorskip("scipy.stats").t
    rng = np.random.default_rng(11)
    relevant = [rng.permutation(30)[:3].tolist() for _ in range(50)]
    runs = {
        name: rg.evaluate_ids(
            [rng.permutation(30)[: rng.integers(least, 10)].tolist() for _ in range(50)],
            relevant, "HitRate(per=item)@9",
        )
        for name, least in (("a", 1), ("b", 7))
    }  # fmt: skip
    total = rg.Accumulator()
    total.add(runs)
    (name,) = runs["a"].means
    parts = []
    for one in runs.values():
        shares = one.shares_of(name)
        whole = shares.divisors.sum()
        mean = shares.numerators.sum() / whole
        parts.append((shares.numerators - mean * shares.divisors) / whole)
    error = math.sqrt(((parts[0] - parts[1]) ** 2).sum() * 50 / 49)
    difference, low, high = total.difference(name, "a", "b")
    assert difference == pytest.approx(runs["a"][name] - runs["b"][name], rel=1e-14)
    assert (high - difference) / error == pytest.approx(t.ppf(0.975, 49), rel=1e-9)
    assert (difference - low) / error == pytest.approx(t.ppf(0.975, 49), rel=1e-9)


@pytest.mark.parametrize("turned", [False, True])
def test_few_lists_of_one_run_are_too_few_for_a_bootstrap_of_the_difference(turned):
    rng = np.random.default_rng(12)
    labels = rng.integers(0, 2, (60, 8))
    fewer = labels.copy()
    fewer[25:] = 0  # AUC is not defined
    qid = np.repeat(np.arange(60), 8)
    runs = {
        name: rg.evaluate_arrays(one.ravel(), rng.random(480), "AUC", qid=qid)
        for name, one in zip("ba" if turned else "ab", (labels, fewer), strict=True)
    }
    plain, drawn = rg.Accumulator(), rg.Accumulator(bootstrap=500)
    for total in (plain, drawn):
        total.add(runs)
    assert drawn.difference("AUC", "a", "b") == plain.difference("AUC", "a", "b")


def test_printed_sums_show_the_means() -> None:
    total = rg.Accumulator()
    assert str(total) == "nothing was added yet"
    total.add(rg.evaluate_arrays([[0, 1], [1, 0]], [[2, 1], [2, 1]], "RR"))
    assert str(total) == str(total.result())
    assert "RR       0.7500" in str(total)
