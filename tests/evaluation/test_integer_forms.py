"""Integer ids in each plain form, beside the same ids as text, with every option of the call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg

RETRIEVED = [[7, 3, 12, 5, 9, 1], [4, 2, 11, 8, 6, 0], [10, 13, 1, 3, 2, 5]]
RELEVANT = [[12, 30, 7], [0, 31, 32], [13, 5, 33]]
MEASURES = ["nDCG@2", "RR", "R@3"]


def as_arrays(rows: Any) -> Any:
    return [np.array(row) for row in rows]


def as_text(rows: Any) -> Any:
    return [[str(identifier) for identifier in row] for row in rows]


def first_items(form: Any) -> Any:
    return list(form([list(range(14))])[0])


FORMS = [lambda rows: np.array(rows, np.int32), as_arrays, list]
Form = Callable[[Any], Any]


def outcome(form: Form, measures: Any = MEASURES, **options: Any) -> Any:
    """The values of a call, or the type of its error."""
    relevant = form(options.pop("relevant", RELEVANT))
    retrieved = form(options.pop("retrieved", RETRIEVED))
    options = {name: make(form) if callable(make) else make for name, make in options.items()}
    try:
        result = rg.evaluate_ids(retrieved, relevant, measures, **options)
    except (TypeError, ValueError) as error:
        return type(error)
    if isinstance(result, rg.Evaluation):
        return repr(result.to_dict()), repr(result.means)  # as text NaN equals NaN
    return {name: evaluation.to_dict() for name, evaluation in result.items()}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("options", [
    {},
    {"threads": 2},
    {"weight": np.array([1.0, 5.0, 0.5])},
    {"bounds": "unjudged"},
    {"exclude": lambda form: form([[3, 7, 40], [4, 0, 41], [1, 3, 2]])},
    {"gains": [[1.0, 2.0, 3.0], [4.0, 1.0, 1.0], [2.0, 3.0, 1.0]]},
    {"duplicates": "first", "retrieved": [[7, 7, 12, 3], [4, 2, 4, 0], [1, 1, 5, 13]]},
    {"duplicates": "in_place", "retrieved": [[7, 7, 12, 3], [4, 2, 4, 0], [1, 1, 5, 13]]},
    {"systems": True},
    {"run": "system"},
    {"run": None},
    {"query": "user"},
    {"doc": "item"},
    {"relevant": RELEVANT[:2]},
    {"relevant": [[12, 30, 12], [0, 31, 32], [13, 5, 33]]},
    {"retrieved": [[7, 3, 3], [4, 2, 11], [10, 13, 1]]},
    {"convention": "sklearn"},
    {"measures": ["StRecall@2"]},
    {"measures": ["StRecall@2"], "relevant": [[12, 30]], "retrieved": [[30, 4]]},
    {"measures": ["nDCG@3", "Coverage@3"], "catalogue": first_items},
    {"measures": ["Coverage@3"], "catalogue": first_items},
    {"catalogue": 14},
])  # fmt: skip
def test_values_and_errors_are_those_of_text(form: Form, options: dict[str, Any]) -> None:
    assert outcome(form, **options) == outcome(as_text, **options)


@pytest.mark.parametrize("form", FORMS)
def test_exclusions_and_gains_may_be_read_once(form: Form) -> None:
    exclude, gains = [[7], [2], [10]], [[1.0, 2.0, 3.0], [4.0, 1.0, 1.0], [2.0, 3.0, 1.0]]
    sides = form(RETRIEVED), form(RELEVANT)
    expected = rg.evaluate_ids(*sides, MEASURES, exclude=exclude).to_dict()
    assert rg.evaluate_ids(*sides, MEASURES, exclude=iter(exclude)).to_dict() == expected
    expected = rg.evaluate_ids(*sides, MEASURES, gains=gains).to_dict()
    rows = iter(gains)
    assert rg.evaluate_ids(*sides, MEASURES, gains=rows).to_dict() == expected


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("relevant", [
    [[0, 1], [1, 0], [1, -1]],
    [[0, 1], [1, 0], [0, 1]],
    [[0, 1, -1], [1, 0, -1], [1, -1, -1]],
    [[0, 1, 2], [1, 0, 2], [0, 1, 3]],
])  # fmt: skip
def test_ids_0_and_1_are_ids(form: Form, relevant: list[list[int]]) -> None:
    ids = [[identifier for identifier in row if identifier >= 0] for row in relevant]
    assert outcome(form, relevant=relevant) == outcome(as_text, relevant=ids)


def test_rows_of_0_and_1_of_different_lengths_are_no_matrix() -> None:
    relevant = [[0, 1], [1], [0]]
    for form in (as_arrays, list):
        assert outcome(form, relevant=relevant) == outcome(as_text, relevant=relevant)


def test_three_arrays_in_a_tuple_are_a_sparse_matrix() -> None:
    """Labels, columns and starts, not three lists."""
    triple = np.array([1, 2, 1]), np.array([12, 0, 13]), np.array([0, 1, 2, 3])
    found = rg.evaluate_ids(RETRIEVED, triple, MEASURES)
    expected = rg.evaluate_ids(RETRIEVED, [{12: 1}, {0: 2}, {13: 1}], MEASURES)
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize("relevant", [[[[1, 2], [3]], [[4]]], [([1, 2], [3]), ([4],)]])
def test_groups_in_lists_and_tuples(relevant: Any) -> None:
    found = rg.evaluate_ids([[1, 5, 3], [6, 4, 7]], relevant, "StRecall@2")
    assert found.to_dict() == {0: {"StRecall@2": 0.5}, 1: {"StRecall@2": 1.0}}


def test_an_id_twice_in_a_group_is_in_it_once() -> None:
    measures = ["alpha_DCG@2", "alpha_nDCG@2", "ERR_IA@2", "NRBP", "AP_IA", "P_IA@2", "StRecall@2"]
    retrieved = {"q": ["b", "a"], "r": ["x", "c"]}
    once = rg.evaluate_ids(retrieved, {"q": [["a"], ["a", "b"]], "r": [["c"], ["d"]]}, measures)
    twice = {"q": [["a", "a"], ["a", "b", "a"]], "r": [["c"], ["d", "d"]]}
    assert rg.evaluate_ids(retrieved, twice, measures).to_dict() == once.to_dict()
