"""What is cached between calls has a bound, in number and in bytes."""

import itertools
import math
import threading
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.convention import Convention
from rankgain.engine import columns, plan
from rankgain.engine.plan import Cache
from rankgain.evaluation import one_pass

STORES = {"calls": columns.CALLS, "plans": columns.PLANS, "weights": plan._WEIGHT_TABLES}


def test_the_oldest_goes_when_there_are_too_many_bytes() -> None:
    cached: Cache[str, int] = Cache(100, limit=10)
    for name, size in (("a", 4), ("b", 4), ("c", 3)):
        cached.keep(name, size, size)
    assert list(cached.values()) == [4, 3]
    assert cached.nbytes == 7
    cached.keep("d", 11, 11)  # which would push out everything and then not fit
    assert list(cached.values()) == [4, 3]
    cached.keep("b", 1, 1)
    assert cached.nbytes == 4
    cached.clear()
    assert (dict(cached), cached.nbytes) == ({}, 0)


@pytest.mark.parametrize("name", STORES)
def test_many_calls_stay_within_the_bound(name: str) -> None:
    labels, scores = np.array([[1, 0, 2]]), np.array([[0.1, 0.2, 0.3]])
    for i in range(700):
        rg.rbp(labels, scores, p=0.1 + i / 2000)
        rg.evaluate_arrays(labels, scores, [f"RBP(p={0.1 + i / 2000})", "AP"])
    assert 0 < len(STORES[name]) <= 512


def test_threads_share_what_is_kept() -> None:
    cached: Cache[int, int] = Cache(7, limit=50)

    def work(first: int) -> None:
        for i in range(3000):
            cached.keep((first * i) % 23, i, i % 9)

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3, 5)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(cached) <= 7
    assert 0 <= cached.nbytes <= 50


# ---- keys: all that a value depends on


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
