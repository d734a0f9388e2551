"""Numbers of values: those of equal values are equal, in the order of first appearance."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgain.inputs.grouping import factorize, group_rows

VALUES = st.one_of(st.text(max_size=2), st.integers(0, 5), st.frozensets(st.sampled_from("ab")))


@given(st.lists(VALUES, max_size=30))
def test_the_distinct_values_at_the_numbers_are_the_values(values: list[Any]) -> None:
    codes, distinct = factorize(values)
    assert codes.dtype == np.int64
    assert [distinct[code] for code in codes] == values
    assert distinct == list(dict.fromkeys(values))


def test_values_of_an_iterator_are_read_once() -> None:
    codes, distinct = factorize(iter("abca"))
    assert (codes.tolist(), distinct) == ([0, 1, 2, 0], ["a", "b", "c"])


@pytest.mark.parametrize("values", [[], ["b", "a", "b"], [(1, "x"), (1, "y"), (1, "x")]])
def test_groups_of_objects_have_the_same_numbers(values: list[Any]) -> None:
    array = np.empty(len(values), object)
    array[:] = values
    assert group_rows(array).codes.tolist() == factorize(values)[0].tolist()


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 4)), max_size=12), st.booleans())
def test_first_rows_and_sizes_of_groups(runs: list[tuple[int, int]], far: bool) -> None:
    keys = [key for key, length in runs for _ in range(length)]
    groups = group_rows(np.array(keys, np.int64) * (2**50 if far else 1))
    distinct = list(dict.fromkeys(keys))
    assert groups.first.tolist() == [keys.index(key) for key in distinct]
    assert groups.sizes.tolist() == [keys.count(key) for key in distinct]
    changes = sum(key != previous for previous, key in itertools.pairwise(keys))
    assert groups.adjacent == (changes + bool(keys) == len(distinct))
