"""What is asked is what is computed: names under a convention, cutoffs, arguments nobody takes."""

from typing import Any

import pytest

import rankgain as rg
import reference
from rankgain.trec.trec_eval import main
from trec_files import write_trec

QRELS = {"q1": {"a": 2, "b": 0, "c": 1, "d": 3}, "q2": {"x": 1}, "q3": {"a": 0, "b": 1}}
RUN = {"q1": {"e": 3.0, "a": 1.0, "b": 2.0, "c": 0.5}, "q2": {"y": 2, "x": 1}, "q3": {"b": 1}}
L, S = [[3, 0, 2, 1], [0, 1, 0, 0]], [[0.1, 0.4, 0.3, 0.2], [0.1, 0.2, 0.3, 0.4]]
CALLS = {
    "evaluate": lambda names, **given: rg.evaluate(QRELS, RUN, names, **given),
    "evaluate_runs": lambda names, **given: rg.evaluate_runs(QRELS, {"a": RUN}, names, **given),
    "evaluate_arrays": lambda names, **given: rg.evaluate_arrays(L, S, names, **given),
    "evaluate_ids": lambda names, **given: rg.evaluate_ids([[1, 2]], [[2]], names, **given),
}
EVERY = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


TABLES = ("rbp.1=3,2=7,3=2", "rbp.1=.5,2=.25,3=.75", "rbp.1=0,2=0,3=0,9=4", "rbp.p=.8,1=2,2=4,3=9")


@pytest.mark.parametrize("name", ["rbp", "rbp.p=0.5", *TABLES])
@pytest.mark.parametrize("convention", ["trec", "trec_eval"])
def test_rbp_is_what_trec_eval_prints(name, convention, tmp_path, capfdbinary):
    files = write_trec(tmp_path, QRELS, RUN)
    assert main(["-q", "-c", "-m", name, *files]) == 0
    printed = [line.split() for line in capfdbinary.readouterr().out.decode().splitlines()]
    result = rg.evaluate(*files, name, convention=convention)
    values = dict(zip(result.queries, next(iter(result.per_query.values())), strict=True))
    for _, query, value in printed:
        mine = result[name] if query == "all" else values[query]
        assert f"{mine:.4f}" == value, query


@pytest.mark.parametrize("gain", [{0: 0, 1: 1, 2: 6, 3: 4}, [0, 1, 6, 4]])
def test_a_table_with_a_larger_gain_than_the_judged(gain):
    for labels, scores in zip(L, S, strict=True):
        expected = reference.rbp(labels, scores, gain=[0, 1, 6, 4], least=6)
        assert rg.rbp(labels, scores, gain=gain) == pytest.approx(float(expected), rel=1e-14)
    below = rg.rbp([1, 0], gain={0: 0, 1: 0.5})
    assert below == pytest.approx(0.5 * 0.2)  # gains up to 1 are taken as they are


@pytest.mark.parametrize(
    ("labels", "gain", "words"),
    [([1, -1], "linear", "negative label -1"), ([1, 2], {1: 1, 2: -1}, "label 2 has gain|label 2")],
)
def test_graded_rbp_refuses_what_is_below_0(labels, gain, words):
    assert rg.rbp([1, -1]) == pytest.approx(0.2)


@EVERY
def test_a_divisor_that_no_measure_has_is_refused(call):
    with pytest.raises(ValueError, match=r"divisor: none of the requested measures .*'hits'"):
        call(["P@2", "R@2"], divisor="hits")
    call(["P@2", "AP@2"], divisor="hits")


@pytest.mark.parametrize("call", [CALLS["evaluate"], CALLS["evaluate_arrays"]])
@pytest.mark.parametrize(
    ("convention", "k"), [("gdeval", 20), ("msmarco", 10), ("elasticsearch", 10), ("implicit", 10)]
)
def test_the_name_carries_the_cutoff_of_the_convention(call, convention, k):
    names = ["AP", "nDCG", "P@2", f"AP@{k}", "RPrec"]
    result = call(names, convention=convention)
    keys = [f"AP@{k}", f"nDCG@{k}", "P@2", "RPrec"]
    assert list(result.means) == keys
    assert list(result.per_query) == keys
    assert result["AP"] == result["map"] == result["MAP@" + str(k)] == result.means[f"AP@{k}"]
    assert "AP" in result
    assert "RR" not in result
    printed = [line.split()[0] for line in str(result).splitlines()[1:-1]]
    assert printed == keys
    assert result.to_csv().splitlines()[0].split(",")[1:] == keys


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_of_names_are_in_the_order_of_their_text(kind: Any) -> None:
    """The order of a set of text differs between processes."""
    names = kind(["RR", "nDCG@3", "AP", "P@2", "R@7", "ERR", "RBP", "F1@2", "HitRate@1"])
    assert [str(measure) for measure in rg.parse_measures(names)] == sorted(names)
    assert list(rg.evaluate_arrays([1, 0], [2.0, 1.0], names).means) == sorted(names)


@pytest.mark.parametrize("convention", ["rankgain", "trec", "gdeval"])
@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_of_one_family_are_in_the_order_of_their_text(kind: Any, convention: str) -> None:
    names = [f"P@{k}" for k in range(1, 9)]
    names += [f"nDCG(gain={gain})@2" for gain in ("exp2", "binary", "linear")]
    for ordered in (names, names[::-1]):
        result = rg.evaluate_arrays([1, 0], [2.0, 1.0], kind(ordered), convention=convention)
        assert list(result.means) == sorted(names)


@pytest.mark.parametrize(("name", "canonical"), [
    ("rbp", "RBP(gain=linear,p=0.9)@2"), ("RBP", "RBP@2"),
    ("rbp.p=0.5", "RBP(gain=linear,p=0.5)@2"), ("rbp@1", "RBP(gain=linear,p=0.9)@1"),
    ("map", "AP@2"), ("MAP", "AP@2"), ("ndcg", "nDCG@2"),
])  # fmt: skip
def test_names_that_a_convention_gives_a_meaning_and_a_cutoff(name: str, canonical: str) -> None:
    rules = rg.conventions["trec"].replace(k=2)
    result = rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, [name, "P@1"], convention=rules)
    assert list(result.means) == [canonical, "P@1"]
    assert result[name] == result[canonical] == result.means[canonical]
    assert name in result


def test_a_convention_may_have_a_cutoff_for_each_family() -> None:
    rules = rg.conventions["trec"].replace(k={"ndcg": 2, "average_precision": 3, "*": None})
    result = rg.evaluate(
        {"q": {"a": 1}}, {"q": ["b", "c", "a"]}, ["nDCG", "AP", "RR", "P@1"], convention=rules
    )
    assert result.means == {"nDCG@2": 0.0, "AP@3": 1 / 3, "RR": 1 / 3, "P@1": 0.0}
    assert result["nDCG"] == 0.0
