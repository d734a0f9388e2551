"""What is cached between calls is found again by all that it depends on.

Each test makes a convention of its own, so that nothing was cached under it before.
"""

import itertools
import math
from typing import Any

import pytest

import rankgain as rg
from rankgain.convention import Convention
from rankgain.evaluation import one_pass

COUNT = itertools.count()


def fresh(**changes: Any) -> Convention:
    return rg.conventions["rankgain"].replace(source=f"test {next(COUNT)}", **changes)


def gain_of_one_at(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def in_ir_measures(ties: Any) -> Any:
    rules = rg.conventions["ir_measures"].replace(name="mine")
    return rg.evaluate(QRELS, RUN, ["RR@3", "AP"], convention=rules, **ties)


QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1.0, "c": 1.0}}
DERIVED = {
    "judged only": lambda: rg.evaluate(QRELS, RUN, ["AP"], judged_only=True),
    "judged only by name": lambda: rg.evaluate(QRELS, RUN, ["AP(judged_only=True)", "RR"]),
    "ties": lambda: rg.evaluate(QRELS, RUN, ["AP", "RR"], ties="worst"),
    "readings": lambda: in_ir_measures({}),
    "readings, ties": lambda: in_ir_measures({"ties": "best"}),
    "replaced": lambda: rg.evaluate_arrays(
        [[1, 0]], [[2, 1]], ["AP"], convention=rg.conventions["trec"].replace(empty=math.nan)
    ),
    "a table": lambda: rg.evaluate_arrays(
        [[1, 0]], [[2, 1]], ["DCG"], convention=rg.conventions["trec"].replace(gain=[0, 1, 5])
    ),
}


@pytest.mark.parametrize("call", DERIVED.values(), ids=list(DERIVED))
def test_conventions_made_anew_in_each_call_are_found_by_value(call: Any) -> None:
    expected = call()
    before = list(one_pass.CALLS.values())
    assert call() == expected
    after = list(one_pass.CALLS.values())
    assert len(after) == len(before)
    assert all(a is b for a, b in zip(after, before, strict=True))


def test_equal_values_of_other_types_are_two() -> None:
    """1 and 1.0 are equal keys; one is a seed, the other is refused."""
    labels, scores, rules = [[1, 0]], [[1.0, 2.0]], fresh()
    assert rg.evaluate_arrays(labels, scores, ["AP"], seed=1, convention=rules)["AP"] == 0.5
    with pytest.raises(TypeError, match="seed"):
        rg.evaluate_arrays(labels, scores, ["AP"], seed=1.0, convention=rules)


def test_judged_labels_and_the_list_are_two_ideals_on_the_way() -> None:
    labels, scores, judged = [[1, 0]], [[1.0, 2.0]], [[1, 3, 2, 0]]
    a, b = fresh(name="judged"), fresh(name="list", ideal="list")
    result = rg.reconcile(labels, scores, a, b, measure="nDCG", judged=judged)
    ideals = [3 + 2 * gain_of_one_at(2) + gain_of_one_at(3), 1.0]
    expected = [gain_of_one_at(2) / ideal for ideal in ideals]
    assert result.means == pytest.approx(expected, rel=1e-15)
    assert [step.fields for step in result.steps if step.change] == [("ideal",)]
    # Without judged labels they are one, and nothing moves.
    same = rg.reconcile(labels, scores, a, b, measure="nDCG")
    assert same.means == pytest.approx([gain_of_one_at(2)] * 2, rel=1e-15)


def test_judged_labels_of_runs_are_an_ideal_on_the_way() -> None:
    qrels, run = {"q": {"a": 1, "b": 3}}, {"q": {"x": 2.0, "a": 1.0}}
    a, b = fresh(name="judged"), fresh(name="list", ideal="list")
    result = rg.reconcile_runs(qrels, run, a, b, measure="nDCG")
    expected = [gain_of_one_at(2) / (3 + gain_of_one_at(2)), gain_of_one_at(2)]
    assert result.means == pytest.approx(expected, rel=1e-15)
