"""The measures that are asked by name: beside the drop-in for trec_eval, on arrays, and refused."""

import random

import numpy as np
import pytest

import rankgain as rg
from rankgain.trec.trec_eval import main
from trec_files import write_trec

# What the program prints and this package has no name for.
OTHERS = ("runid", "relstring", "utility", "Rprec_mult", "binG", "G", "ndcg_rel", "rbp_resid")
FLAGS = {"": {}, "-l2": {"rel": 2}, "-J": {"judged_only": True}}
BY_HAND = (
    "Bpref infAP IPrec@0 IPrec@0.3 IPrecAvg GMAP GMBpref RnDCG SetAP RelP RelP@3 Judged Judged@3 "
    "Unjudged@3 NumQ NumRet NumRel NumRelRet NumNonrelJudgedRet"
).split()


def draw(seed, labels=(-2, -1, 0, 0, 1, 2, 3), values=12):
    """Qrels and a run with ties, unjudged documents, and queries on one side only."""
    rng = random.Random(seed)
    names = [f"d{i}" for i in range(80)]
    qrels, run = {}, {}
    for i in range(14):
        qrels[f"q{i}"] = {d: rng.choice(labels) for d in rng.sample(names, rng.randint(2, 60))}
        run[f"q{i + 2}"] = {d: rng.randrange(values) / 8 for d in rng.sample(names, 40)}
    qrels["q3"] = dict.fromkeys(qrels["q3"], 0)
    run["q4"] = dict(list(run["q4"].items())[:2])
    return {query: docs for query, docs in qrels.items() if max(docs.values()) >= 0}, run


def printed(capfdbinary, flag, qrels, run):
    """What the drop-in prints: (measure, query, value as text)."""
    assert main(["-q", "-c", "-m", "all_trec", *flag.split(), str(qrels), str(run)]) == 0
    rows = [line.split("\t") for line in capfdbinary.readouterr().out.decode().splitlines()]
    names = [(name.strip(), query, value) for name, query, value in rows]
    return [row for row in names if not row[0].startswith(OTHERS)]


def compare_with(rows, result, flag):
    """Every value to the digits that were printed."""
    place = {query: at for at, query in enumerate(result.queries)}
    for name, query, text in rows:
        key = result.key_of(name)
        value = result.means[key] if query == "all" else result.per_query[key][place[query]]
        if flag == "-l2" and (name, query) == ("num_rel", "all"):
            continue  # with -c the program sums the documents from label 1 on
        if "nan" in text:
            continue  # the program divides 0 by 0 where -J leaves nothing
        assert (f"{value:.4f}" if "." in text else f"{value:.0f}") == text, (name, query)


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("seed", range(4))
def test_as_the_drop_in_prints_on_generated_runs(seed, flag, capfdbinary, tmp_path):
    qrels, run = draw(seed)
    files = write_trec(tmp_path, qrels, run)
    rows = printed(capfdbinary, flag, *files)
    names = list(dict.fromkeys(name for name, _, _ in rows))
    assert len(names) > 60
    compare_with(rows, rg.evaluate(qrels, run, names, **FLAGS[flag]), flag)
    compare_with(rows, rg.evaluate(*files, names, **FLAGS[flag]), flag)


def test_condensed_lists_by_argument_by_name_and_by_convention():
    qrels = {"q": {"a": 1, "b": 0, "n": -1}}
    run = {"q": {"x": 4.0, "n": 3.0, "b": 2.0, "a": 1.0}}
    names = ["RR", "RR(judged_only=True)", "Judged@2", "RR(judged_only=False)"]
    result = rg.evaluate(qrels, run, names)
    assert [result.means[name] for name in names] == [0.25, 0.5, 0.0, 0.25]
    dropped = rg.evaluate(qrels, run, names, judged_only=True)
    assert [dropped.means[name] for name in names] == [0.5, 0.5, 1.0, 0.25]
    rules = rg.conventions["trec"].replace(unjudged="drop")
    assert rg.evaluate(qrels, run, "RR", convention=rules).means["RR"] == 0.5
    assert dropped.convention == "trec(unjudged=drop)"
    assert rg.evaluate(qrels, run, "RR", convention=rules, judged_only=False).means["RR"] == 0.25
    many = rg.evaluate_runs(qrels, {"a": run}, names, judged_only=True)
    assert many["a"].means == dropped.means
    tied = {"q": dict.fromkeys("xnba", 1.0)}
    assert rg.evaluate(qrels, tied, "RR", judged_only=True, ties="average").means["RR"] == 0.75


LABELS = [[0, 2, 1, 0, -1, 1], [1, 0, 0, 0, 2, 0]]
SCORES = [[6.0, 5, 4, 3, 2, 1], [1.0, 2, 3, 4, 5, 6]]


@pytest.mark.filterwarnings("ignore:.*pass ignore=:rankgain.RankgainWarning")
@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("negative", ["zero", "keep"])
def test_dense_arrays_are_as_the_same_qrels(name, negative):
    names = [f"d{i}" for i in range(6)]
    qrels = {f"q{i}": dict(zip(names, row, strict=True)) for i, row in enumerate(LABELS)}
    run = {f"q{i}": dict(zip(names, row, strict=True)) for i, row in enumerate(SCORES)}
    rules = rg.conventions["trec"].replace(negative=negative)
    expected = rg.evaluate(qrels, run, name, convention=rules)
    for scores in (SCORES, np.float32(SCORES)):
        result = rg.evaluate_arrays(LABELS, scores, name, convention=rules)
        assert result.per_query[name].tolist() == expected.per_query[name].tolist()
    truth = rg.Truth(LABELS)
    result = rg.evaluate_arrays(truth, SCORES, name, convention=rules)
    assert result.per_query[name].tolist() == expected.per_query[name].tolist()


def test_rbp_and_its_residual_reach_from_end_to_end() -> None:
    qrels = {"q": {"a": 1, "b": 0, "z": 1}}
    run = {"q": {"x": 5.0, "a": 4.0, "y": 3.0, "b": 2.0}}
    result = rg.evaluate(qrels, run, ["RBP", "RBPResidual"])
    low, high = rg.evaluate(qrels, run, "RBP", bounds="unjudged").bound_means["unjudged"]["RBP"]
    assert low == result.means["RBP"]
    assert high + 0.8**4 == pytest.approx(result.means["RBP"] + result.means["RBPResidual"])


@pytest.mark.parametrize("multiple", [0.5, 3.0, 2.0**52, 4e18, 5e18, 1e300])
def test_precision_at_a_multiple_of_r_however_large(multiple):
    # Two relevant documents, both within the cutoff: its value is 2 over the cutoff.
    result = rg.evaluate_arrays([1, 0, 1, 0], [4.0, 2.0, 3.0, 1.0], f"Rprec_mult@{multiple!r}")
    cutoff = max(1.0, 2 * multiple)
    assert list(result.means.values()) == [min(2.0, cutoff) / cutoff]


@pytest.mark.parametrize("name", ["Rprec_mult_1e+16", "Rprec_mult_1e+300", "Rprec_mult_2.5e+200"])
def test_a_large_multiple_of_r_is_named_with_an_exponent(name):
    (measure,) = rg.parse_measures(name)
    assert str(measure) == name
