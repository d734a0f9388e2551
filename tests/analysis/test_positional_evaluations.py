"""Evaluations that are not passed to `compare` as one mapping."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import rankgain as rg

A = rg.evaluate_arrays([[1, 0], [0, 1], [1, 0]], [[2, 1], [2, 1], [1, 2]], "RR")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rg.compare(A, A), r'all evaluations, not 2; pass a dict such as \{"a": a, "b": b'),  # type: ignore[call-arg, arg-type]
        (lambda: rg.compare(A), 'pass a dict such as {"old": a, "new": b}.* not a single'),
        (lambda: rg.compare([A, A]), 'pass a dict such as {"old": a, "new": b}.* not list'),
        (lambda: rg.compare(), "evaluations"),  # type: ignore[call-arg]
    ],
)
def test_the_error_shows_the_mapping(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


def test_the_signature_has_one_positional_argument() -> None:
    parameters = inspect.signature(rg.compare).parameters.values()
    assert [one.name for one in parameters if one.kind is not one.KEYWORD_ONLY] == ["evaluations"]


def test_a_mapping_by_place_and_by_name_is_compared() -> None:
    evaluations = {"a": A, "b": A}
    assert str(rg.compare(evaluations)) == str(rg.compare(evaluations=evaluations))
