"""Ids of lists of every kind, adjacent and not."""

from __future__ import annotations

import datetime
import itertools
import uuid
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgain as rg
from rankgain.inputs.grouping import factorize, group_rows

LABELS, SCORES = [1, 0, 0, 1, 1], [0.2, 0.4, 0.9, 0.1, 0.3]
DAYS = [datetime.date(2024, 1, 31), datetime.date(2023, 5, 1)]
TIMES = [datetime.datetime(2024, 1, 31, 4, 5, 6, 7), datetime.datetime(2023, 5, 1)]
KINDS = {
    "uuids": [uuid.UUID(int=5), uuid.UUID(int=4)],
    "dates": DAYS,
    "times": TIMES,
    "durations": [datetime.timedelta(3), datetime.timedelta(microseconds=1)],
    "texts": ["b", "a"],
    "bytes": [b"b", b"a"],
    "integers": [2**70, -3],
    "frozensets": [frozenset("ab"), frozenset("b")],
}


@pytest.mark.parametrize("kind", KINDS)
def test_ids_of_each_kind(kind):
    first, second = KINDS[kind]
    for order in ([0, 0, 1, 1, 1], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1]):
        ids = [(first, second)[at] for at in order]
        expected = rg.evaluate_arrays(LABELS, SCORES, "RR", qid=order).to_dict()
        expected = {(first, second)[at]: values for at, values in expected.items()}
        arrays = np.empty(5, object)
        arrays[:] = ids
        for qid in (ids, tuple(ids), arrays):
            result = rg.evaluate_arrays(LABELS, SCORES, "RR", qid=qid)
            assert result.to_dict() == expected
            assert list(result.queries) == list(expected)
            assert rg.evaluate_arrays(rg.Truth(LABELS, qid=qid), SCORES, "RR") == result
            weight = {first: 1.0, second: 3.0}
            assert rg.evaluate_arrays(LABELS, SCORES, "RR", qid=qid, weight=weight) == (
                rg.evaluate_arrays(
                    LABELS, SCORES, "RR", qid=qid, weight=[weight[one] for one in expected]
                )
            )


def test_columns_of_frames():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    ids = [TIMES[at] for at in (0, 1, 0, 1, 0)]
    zoned = pandas.Series(ids).dt.tz_localize("UTC")
    for qid in (pandas.Series(ids), polars.Series(ids), pandas.DatetimeIndex(ids), zoned):
        result = rg.evaluate_arrays(LABELS, SCORES, "RR", qid=qid)
        assert result.per_query["RR"].tolist() == [0.5, 0.5]
        assert [one.replace(tzinfo=None) for one in result.queries] == TIMES


def test_both_zeros_of_floats_are_one_list() -> None:
    evaluation = rg.evaluate_arrays([0, 1], [2.0, 1.0], "RR", qid=np.array([0.0, -0.0]))
    assert evaluation.means == {"RR": 0.5}


# ---- numbers of values: equal ones are equal, in the order of first appearance


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
