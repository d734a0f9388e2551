"""What the default suite leaves to -m slow is spread evenly, and nothing is dropped."""

import itertools
import os

import pytest

import sizes
import strategies
from sampling import sampled


def test_every_case_is_there_once() -> None:
    cases = sampled("abcde", range(7), one_in=4)
    assert [one.values for one in cases] == list(itertools.product("abcde", range(7)))
    usual = [one.values for one in cases if not one.marks]
    assert usual[:4] == [("a", 0), ("a", 4), ("b", 3), ("c", 2)]
    assert {tuple(mark.name for mark in one.marks) for one in cases} == {(), ("slow",)}


def test_what_is_always_asked_stays() -> None:
    cases = sampled(range(20), one_in=20, always=(3, 4))
    assert [one.values[0] for one in cases if not one.marks] == [0, 3, 4]


@pytest.mark.parametrize("one_in", [3, 4, 5])
def test_every_measure_and_every_rule_for_ties_is_met(one_in: int) -> None:
    cases = sampled(strategies.MEASURES, strategies.TIES, one_in=one_in)
    measures, ties = zip(*(one.values for one in cases if not one.marks), strict=True)
    assert set(measures) == set(strategies.MEASURES)
    assert set(ties) == set(strategies.TIES)


@pytest.mark.skipif(os.environ.get("RANKGAIN_TEST_SIZES") == "usual", reason="none is set")
@pytest.mark.parametrize("room", sizes.LOW)
def test_sizes_that_are_set_low_are_those_of_the_package(room: str) -> None:
    for name, size in sizes.LOW[room].items():
        assert (room, name) in sizes.USUAL, f"rankgain.{room} has no {name}: tests/oracle/sizes.py"
        assert sizes.USUAL[room, name] > size
