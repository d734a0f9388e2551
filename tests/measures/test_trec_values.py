"""The measures that are asked by name, beside the oracle: every order, every convention."""

import inspect
import math
import random

import numpy as np
import pytest

import rankgain as rg
import reference
from rankgain.measures.families import ROWS
from sampling import sampled

UNJUDGED = None
RANKED = ["relevant", "unknown", "nonrelevant", "pooled", "relevant", "nonrelevant", "relevant"]
POOL = [*RANKED, "relevant", "nonrelevant", "nonrelevant"]

# What a parameter may be, in the words of its row and in the oracle's where these differ.
TABLE = {1: 5, 2: 5, 3: 1}
PARAMETERS = {
    "beta": [(0.5, 0.5), (3, 3)],
    "divisor": [("k", "k"), ("min", "min")],
    "gain": [("exp2", "exp2"), (TABLE, lambda label: TABLE.get(label, 0))],
    "discount": [("reciprocal", "reciprocal")],
    "max_rel": [(2, 2), (4, 4)],
    "min_rel": [(1, 1)],
    # No sum of thirds is near these: doubles may miss a target that exact sums reach.
    "T": [(0.5, 0.5), (1.9, 1.9)],
    "p": [(0.5, 0.5)],
    "normalize": [(False, False)],
}
# Of a measure: alone, cut inside and beyond it, or at levels of recall.
CUTOFFS = {
    "none": [{}],
    "recall": [{"recall": one} for one in (0, 0.3, 0.7, 1)],
    "required": [{"k": 1}, {"k": 3}, {"k": 8}],
    "multiple": [{"multiple": one} for one in (0.2, 1, 1.4, 2)],
}
CUT = [{}, {"k": 3}, {"k": 8}]


def cases():
    """Each measure of the oracle that has no function: its name, and what the oracle is asked."""
    for row in ROWS:
        measure = getattr(reference, row.function, None)
        if measure is None or row.function in rg.__all__:
            continue
        takes = inspect.signature(measure.of_order).parameters
        needed = {name: int(example) for name, example in row.required.items()}
        cutoffs = [needed | at for at in CUTOFFS.get(row.cutoff, CUT)]
        for at in cutoffs:
            yield str(rg.Measure(row.name, **at)), (row, measure, at)
        for name in PARAMETERS.keys() & set(row.params):
            for value, of_oracle in PARAMETERS[name]:
                if value in (row.divisors or [value]) and (name in takes or name in GENERAL):
                    at = cutoffs[-1]
                    key = str(rg.Measure(row.name, **at | {name: value}))
                    yield key, (row, measure, at | {name: of_oracle})


GENERAL = ("gain", "discount", "max_rel", "min_rel")
ORACLE = dict(sorted(cases()))
ROUNDING = {"rankgain": "up", "trec": 0.5, "trec_eval-9": 0.9}


def draw(rng, levels, least=0, most=6, negative=True):
    """Labels of one list (None: unjudged), its scores, and labels that were not retrieved."""
    n = rng.randint(least, most)
    low = -1 if negative else 0
    labels = [rng.choice([UNJUDGED, low, 0, 0, 1, 2, 3]) for _ in range(n)]
    scores = [rng.randrange(levels) / 4 for _ in range(n)]
    return labels, scores, [rng.choice([low, 0, 1, 1, 2, 3]) for _ in range(rng.randint(0, 5))]


def raises(name, convention):
    """Whether negative labels, or labels that a table does not hold, are an error."""
    rules = rg.conventions[convention]
    return "{" in name or rules.for_family("negative", ORACLE[name][0].function) == "raise"


def knows(measure):
    """Whether it knows judged documents from others."""
    return measure.worth is reference.standing_of


def as_qrels(lists):
    """The same as qrels and a run; ids ascend as the documents come."""
    qrels, run = {}, {}
    for q, (labels, scores, beyond) in enumerate(lists):
        ids = [f"d{i}" for i in range(len(labels))]
        run[f"q{q:03}"] = dict(zip(ids, scores, strict=True))
        known = {d: x for d, x in zip(ids, labels, strict=True) if x is not UNJUDGED}
        qrels[f"q{q:03}"] = known | {f"x{i}": label for i, label in enumerate(beyond)}
    return {q: docs for q, docs in qrels.items() if docs}, run


def expected(name, one, convention, ties, **rel):
    labels, scores, beyond = one
    _, measure, arguments = ORACLE[name]
    pool = [label for label in labels if label is not UNJUDGED] + beyond
    arguments = arguments | rel
    if measure in (reference.interpolated_precision, reference.eleven_point_average):
        arguments["rounding"] = ROUNDING[convention]
    if knows(measure):
        arguments["negative"] = "keep" if convention == "rankgain" else "zero"
    else:
        labels = [max(label or 0, 0) for label in labels]
        pool = [max(label, 0) for label in pool]
    ids = [f"d{i}" for i in range(len(labels))]
    return measure(labels, scores, judged=pool, ties=ties, ids=ids, **arguments)


def same(result, value, name=None):
    if value is None and name is not None and ORACLE[name][0].skips_undefined:
        assert math.isnan(result)
        return
    assert result == pytest.approx(0.0 if value is None else float(value), abs=1e-13)


def test_the_oracle_by_hand():
    at = {name: one.of_order for name, (_, one, _) in ORACLE.items() if knows(one)}
    assert at.keys() > {"Bpref", "infAP", "Judged", "Unjudged@3", "NumNonrelJudgedRet"}
    assert at["Bpref"](RANKED, pool=POOL) == pytest.approx((1 + 3 / 4 + 2 / 4) / 4)
    assert at["Judged"](RANKED, pool=POOL) == pytest.approx(5 / 7)
    assert at["Judged"](RANKED, pool=POOL, k=9, divisor="k") == pytest.approx(5 / 9)
    assert at["Unjudged@3"](RANKED, pool=POOL, k=9) == pytest.approx(2 / 9)
    assert at["NumNonrelJudgedRet"](RANKED, pool=POOL, k=3) == 1
    # rank 5: 1/5 + 4/5 * (3 of 4 in the pool) * (1 of 2 judged); rank 7: 1/7 + 6/7 * 5/6 * 2/4
    value = (1 + (1 / 5 + 4 / 5 * 3 / 4 * 1 / 2) + (1 / 7 + 6 / 7 * 5 / 6 * 2 / 4)) / 4
    assert at["infAP"](RANKED, pool=POOL) == pytest.approx(value, abs=1e-5)
    precision = reference.interpolated_precision
    labels = [0, 1, 0, 1, 1, 0, 0, 1]
    for recall, value in ((0, 3 / 5), (0.5, 3 / 5), (0.75, 3 / 5), (0.76, 1 / 2), (1, 1 / 2)):
        assert precision(labels, recall=recall, rounding="up") == pytest.approx(value)
    assert precision([1, 0, 1, 0], judged=[1] * 3, recall=0.4, rounding=0.5) == 1
    assert precision([1, 0, 1, 0], judged=[1] * 3, recall=1, rounding=0.5) == 0
    eleven = reference.eleven_point_average(labels, rounding="up")
    assert eleven == pytest.approx((8 * 3 / 5 + 3 / 2) / 11)
    log = math.log2
    first, second = 1 / 2, 1 / (2 + 1 / log(3))  # ideal gains 2, 1: ranks 1 and 2
    assert reference.r_ndcg([1, 0, 2]) == pytest.approx((first + second) / 2)
    whole = (1 + 2 / log(4)) / (2 + 1 / log(3))
    assert reference.r_ndcg([1, 0, 2, 0]) == pytest.approx((first + second + whole) / 3)


@pytest.mark.filterwarnings("ignore:.*above max_rel=:rankgain.RankgainWarning")
@pytest.mark.parametrize(("name", "convention"), sampled(ORACLE, ROUNDING))
def test_orders_by_id_and_input(name, convention):
    rng = random.Random(f"{name} {convention}")
    lists = [draw(rng, levels=3, negative=not raises(name, convention)) for _ in range(150)]
    qrels, run = as_qrels(lists)
    used = set()
    for ties in ("id", "id_descending", "stable", "reverse"):
        for rel in ({}, {"rel": 2}):
            row = ORACLE[name][0]
            if rel and ("rel" not in row.params or row.row.counts_relevant == "rel"):
                continue
            result = rg.evaluate(qrels, run, name, convention=convention, ties=ties, **rel)
            [values] = result.per_query.values()
            for query, value in zip(result.queries, values, strict=True):
                same(value, expected(name, lists[int(query[1:])], convention, ties, **rel), name)
                used.add(round(float(value), 6))
    assert len(used) > 2


@pytest.mark.filterwarnings("ignore:.*above max_rel=:rankgain.RankgainWarning")
@pytest.mark.parametrize("name", [name for name in ORACLE if ORACLE[name][0].row.averages])
@pytest.mark.parametrize("convention", ["rankgain", "trec"])
def test_averages_over_all_orders(name, convention):
    rng = random.Random(name)
    negative = not raises(name, convention)
    lists = [draw(rng, levels=2, least=3, most=5, negative=negative) for _ in range(150)]
    qrels, run = as_qrels(lists)
    result = rg.evaluate(qrels, run, name, convention=convention, ties="average")
    [values] = result.per_query.values()
    for query, value in zip(result.queries, values, strict=True):
        same(value, expected(name, lists[int(query[1:])], convention, "average"))
    assert len(set(values.round(9).tolist())) > 2 or name == "Judged"


@pytest.mark.parametrize("rel", [1, 2, 0, -1])
def test_bpref_of_large_tie_blocks(rel):
    rng = random.Random(rel)
    labels = [rng.choice([-1, 0, 1, 2]) for _ in range(400)]
    scores = [float(rng.randrange(3)) for _ in labels]
    draws = [
        rg.evaluate_arrays(labels, scores, "Bpref", ties="random", seed=seed, rel=rel).means[
            "Bpref"
        ]
        for seed in range(300)
    ]
    average = rg.evaluate_arrays(labels, scores, "Bpref", rel=rel).means["Bpref"]
    assert average == pytest.approx(np.mean(draws), abs=0.01)
    assert min(draws) <= average <= max(draws)


def test_geometric_means_are_of_the_values_of_ap_and_bpref():
    rng = random.Random(3)
    qrels, run = as_qrels([draw(rng, levels=9) for _ in range(60)])
    result = rg.evaluate(qrels, run, ["GMAP", "AP", "GMBpref", "Bpref"])
    for log, plain in (("GMAP", "AP"), ("GMBpref", "Bpref")):
        logs = np.array([math.log(max(value, 0.00001)) for value in result.per_query[plain]])
        assert result.per_query[log].tolist() == logs.tolist()
        assert result.means[log] == pytest.approx(math.exp(logs.mean()))
        assert result.means[log] < result.means[plain]


def test_logarithms_are_those_of_c_on_every_processor():
    rng = np.random.default_rng(4)
    labels, scores = rng.integers(0, 2, (5000, 30)), rng.random((5000, 30))
    result = rg.evaluate_arrays(labels, scores, ["GMAP", "AP"])
    logs = [math.log(max(value, 0.00001)) for value in result.per_query["AP"]]
    assert result.per_query["GMAP"].tolist() == logs


@pytest.mark.parametrize("empty", [0.5, math.nan, "skip"])
def test_undefined_values(empty):
    qrels = {"a": {"d": 0, "n": -1}, "b": {"d": 1}}
    run = {"a": {"d": 1.0}, "b": {"d": 1.0}}
    names = ["Bpref", "infAP", "IPrec@0", "IPrecAvg", "RnDCG", "SetAP", "RelP", "RelP@3"]
    result = rg.evaluate(qrels, run, names, empty=empty)
    for name in names:
        value = result.per_query[name][0]
        assert np.isnan(value) if empty != 0.5 else value == 0.5
        mean = {"skip": 1.0, 0.5: 0.75}.get(empty, math.nan)
        assert result.means[name] == pytest.approx(mean, nan_ok=True)
    never = rg.evaluate(qrels, run, ["NumRel", "NumRelRet", "Judged@3", "Unjudged@3"], empty=empty)
    assert [values[0] for values in never.per_query.values()] == [0, 0, 1, 0]
    with pytest.warns(rg.RankgainWarning, match="no judged query is in the run"):
        none = rg.evaluate({"a": {"d": 1}}, {}, ["Judged@3", "Unjudged@3", "Judged"], empty=0.25)
    assert list(none.means.values()) == [0.25, 0, 0.25]
    with pytest.raises(ValueError, match="Bpref is undefined for list 0"):
        rg.evaluate(qrels, run, "Bpref", empty="raise")
