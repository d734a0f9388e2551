"""What an argument may be is one rule, whether a name, a call or a convention says it."""

import math
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.convention.options import DIVISOR_WORDS, DIVISORS, KINDS

LISTS: Any = ([1, 0, 1, 0], [0.4, 0.3, 0.2, 0.1])
FAMILY = {
    "rel": "AP", "min_label": "nDCG", "log_base": "nDCG", "beta": "F1", "p": "RBP",
    "recall": "IPrec", "max_label": "ERR", "empty": "AP", "seed": "AP", "ties": "AP",
    "per": "HitRate", "share": "Lift", "decay": "PFound", "gain": "nDCG", "discount": "nDCG",
}  # fmt: skip
VALUES = [-math.inf, -1.5, -1, 0, 0.0, 0.5, 1, 1.0, 1.5, 2, 1023, 1023.5, 2000, 2**53 - 1]
VALUES += [2**53 + 1, 2**64 - 1, 2**64, 10**400, math.inf, math.nan]
VALUES += [False, True, np.bool_(True), None, (), "skip", "k", "one", "best", "exp2", "log2"]


def is_taken(call: Any) -> bool:
    try:
        call()
    except (ValueError, TypeError) as error:
        return any(word in str(error) for word in ("is undefined", "y_true"))
    return True


def ways(name: str, value: Any) -> dict[str, bool]:
    """Whether each way to say it takes the value."""
    family = FAMILY[name]
    cut: dict[str, Any] = {"recall": 0.5} if family == "IPrec" and name != "recall" else {}
    said = {name: value, **cut}
    k = {"k": 2} if family == "HitRate" else {}
    result = {"name": is_taken(lambda: rg.evaluate_arrays(*LISTS, rg.Measure(family, **k, **said)))}
    if name not in ("min_label", "per", "recall", "share", "decay"):  # which are no arguments
        measure = f"{family}@2" if k else family
        result["call"] = is_taken(lambda: rg.evaluate_arrays(*LISTS, measure, **{name: value}))
    if name not in ("beta", "p", "recall", "seed", "per", "share", "decay"):  # which are no fields
        result["convention"] = is_taken(lambda: rg.conventions["rankgain"].replace(**{name: value}))
    return result


@pytest.mark.parametrize("value", VALUES, ids=lambda one: f"{one!r:.20}")
@pytest.mark.parametrize("name", FAMILY)
def test_three_ways_take_the_same(name: str, value: Any) -> None:
    if value is None and name == "min_label":
        return  # none, which a name says by silence
    if isinstance(value, tuple) and name in ("gain", "discount"):
        return  # tables, which names spell another way
    result = ways(name, value)
    assert len(set(result.values())) == 1, result


def test_every_number_of_the_table_was_tried() -> None:
    by_name_alone = {"T", "alpha", "gamma", "max_rel", "min_rel", "multiple", "normalize"}
    tried_elsewhere = {"divisor", "rank", "weight", "judged_only"} | by_name_alone
    assert KINDS.keys() - tried_elsewhere == FAMILY.keys()


FUNCTIONS = {
    "precision": "P", "f1": "F1", "recall": "R", "average_precision": "AP", "judged": "Judged",
    "unjudged": "Unjudged",
}  # fmt: skip


@pytest.mark.parametrize("divisor", DIVISOR_WORDS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_divisors_in_names_and_in_calls(function: str, divisor: str) -> None:
    family, known = FUNCTIONS[function], divisor in DIVISORS[function]
    qrels = {"q": {"a": 1, "b": 0, "c": 1, "d": 1}}
    run = {"q": {"a": 4.0, "u": 3.0, "c": 2.0}}

    def value(name: str, **given: Any) -> Any:
        try:
            return next(iter(rg.evaluate(qrels, run, name, **given).means.values()))
        except ValueError as error:
            return type(error)

    for k in (2, 5):
        result = value(f"{family}(divisor={divisor})@{k}")
        assert result == value(f"{family}@{k}", divisor=divisor)
        assert (result is not ValueError) == known


A, NUL = "a", "a\0"


@pytest.mark.parametrize("kind", [str, np.str_, str.encode, lambda one: np.bytes_(one.encode())])
def test_ids_that_end_in_nul_are_others(kind: Any) -> None:
    ids = [kind(NUL), kind(A)]
    one = rg.evaluate_arrays([1, 0], [2.0, 2.0], "RR", ids=ids, convention="trec")
    rows = rg.evaluate_arrays([[1, 0]], [[2.0, 2.0]], "RR", ids=[ids], convention="trec")
    assert one["RR"] == rows["RR"] == 1.0  # "a\0" comes after "a", and ids descend
    assert len(rg.evaluate_arrays([1, 0], [2.0, 1.0], "RR", qid=ids)) == 2
    assert rg.evaluate_ids([ids], [[kind(NUL)]], "P@1")["P@1"] == 1.0
    assert rg.evaluate_ids([ids], [[kind(A)]], "P@1")["P@1"] == 0.0
    segments = rg.evaluate_arrays([[1, 0], [0, 1]], [[2, 1], [2, 1]], "RR").by(ids)
    assert [one["RR"] for one in segments.values()] == [1.0, 0.5]


@pytest.mark.parametrize(("name", "word"), [
    ("gain", "exp2"), ("gain", "binary"), ("discount", "reciprocal"), ("ties", "worst"),
    ("ties", "reverse"), ("empty", "skip"), ("convention", "lightgbm"),
])  # fmt: skip
def test_words_of_numpy_are_words(name, word):
    """An element of an array of strings is a subclass of str."""
    labels, scores = [[1, 0, 2, 0]], [[0.5, 0.5, 0.5, 0.1]]
    for measure in (rg.ndcg, lambda *a, **b: rg.evaluate_arrays(*a, "nDCG", **b)["nDCG"]):
        expected = measure(labels, scores, **{name: word})
        assert measure(labels, scores, **{name: np.str_(word)}) == expected
