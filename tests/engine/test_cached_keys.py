"""What is cached between calls is found again by all that it depends on.

Each test makes a convention of its own, so that nothing was cached under it before.
"""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.convention import Convention
from rankgain.evaluation import one_pass

COUNT = itertools.count()


def fresh(**changes: Any) -> Convention:
    return rg.conventions["rankgain"].replace(source=f"test {next(COUNT)}", **changes)


def gain_of_one_at(rank: int) -> float:
    return 1 / math.log2(rank + 1)


@pytest.mark.parametrize("order", [*itertools.permutations([5, 70, 900])])
def test_lists_of_another_length_have_another_plan(order: tuple[int, ...]) -> None:
    """A plan holds the weights of as many ranks as the longest list of its call has."""
    rules = fresh()
    for n in order:
        labels, scores = np.zeros(n), -np.arange(n, dtype=np.float64)
        labels[n - 1] = 1
        result = rg.evaluate_arrays(labels, scores, ["DCG", "RR"], convention=rules)
        assert result["DCG"] == pytest.approx(gain_of_one_at(n), rel=1e-15)
        assert result["RR"] == 1 / n
        assert rg.dcg(labels, scores, convention=rules) == result["DCG"]


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


def test_a_convention_with_a_gain_that_has_no_hash() -> None:
    class Gain:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, labels: Any) -> Any:
            return 3 * labels

    rules = rg.conventions["rankgain"].replace(gain=Gain())
    for _ in range(2):
        assert rg.evaluate_arrays([[2]], [[1]], ["DCG"], convention=rules)["DCG"] == 6.0


IDS = ["b", "a", "c"]  # their scores tie, and only a is relevant
RANK = {"id": 1, "id_descending": 3, "stable": 2, "reverse": 2}


@pytest.mark.parametrize("ties", RANK)
@pytest.mark.parametrize("names", [["RR"], [rg.parse_measure("RR")]])
@pytest.mark.parametrize("laid_out_first", [False, True])
def test_lists_laid_out_for_a_tie_rule_are_told_from_arrays(
    ties: str, names: list[Any], laid_out_first: bool
) -> None:
    """Rows of a run come in the order that the rule asks, those of arrays as they are."""
    rules = fresh(ties=ties)
    labels = [float(one == "a") for one in IDS]
    qrels, run = {"q": {"a": 1}}, {"q": dict.fromkeys(IDS, 1.0)}
    calls = [
        lambda: rg.evaluate(qrels, run, names, convention=rules),
        lambda: rg.evaluate_arrays(labels, [1.0] * 3, names, ids=IDS, convention=rules),
    ]
    for call in [*calls, calls[0]] if laid_out_first else [*calls[::-1], calls[1]]:
        assert call()["RR"] == 1 / RANK[ties]


@pytest.mark.parametrize("item_first", [False, True])
def test_per_item_and_per_user_are_two(item_first: bool) -> None:
    labels, scores = [[1, 1, 0, 0]], [[4.0, 3.0, 2.0, 1.0]]
    rules = fresh()
    expected = {"HitRate@4": 1.0, "HitRate(per=item)@4": 0.5}
    for name in sorted(expected, reverse=item_first):
        for measures in (name, [name], (name,)):
            result = rg.evaluate_arrays(labels, scores, measures, convention=rules)
            assert next(iter(result.means.values())) == expected[name]
    result = rg.evaluate_arrays(labels, scores, list(expected), convention=rules)
    assert sorted(result.means.values()) == [0.5, 1.0]


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


CUT = {"reciprocal_rank@k": "id", "*": "id_descending"}  # as MS MARCO's provider of ir_measures


@pytest.mark.parametrize("names", [["RR", "RR@3"], ["RR@3", "RR"], ["RR@3"], ["RR"]])
def test_a_cutoff_selects_the_reading_of_a_run(names: list[str]) -> None:
    """a and c tie, only a is relevant: with a cutoff it stands first."""
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "c": 1.0}}
    result = rg.evaluate(qrels, run, names, convention=fresh(ties=CUT))
    assert result.means == {name: 1.0 if "@" in name else 0.5 for name in names}


@pytest.mark.parametrize(
    ("family", "expected"), [("reciprocal_rank", [1.0, 0.5]), ("average_precision", [0.5, 0.5])]
)
def test_a_cutoff_of_the_convention_is_one_too(family: str, expected: list[float]) -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "c": 1.0}}
    rules = fresh(ties=CUT, k={family: 3, "*": None})
    result = rg.evaluate(qrels, run, ["RR", "AP"], convention=rules)
    assert list(result.means.values()) == expected
