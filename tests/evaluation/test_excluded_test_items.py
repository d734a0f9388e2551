"""A warning if exclude removes all relevant items, in each function that has exclude."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from refusals import csr

LABELS = np.array([[1, 0, 1, 0], [0, 0, 2, 0], [0, 0, 0, 0]])
SCORES = np.array([[0.1, 0.9, 0.5, 0.3], [0.2, 0.8, 0.1, 0.4], [0.5, 0.1, 0.2, 0.3]])
RELEVANT = [[0, 2], [2], []]
TRAINED = [[1], [0], [2]]
RANKED = [[1, 2, 3, 0], [1, 3, 0, 2], [0, 3, 2, 1]]
FACTORS = np.eye(3), SCORES.T.copy()


def as_csr(rows: list[list[int]]) -> Any:
    """The rows as CSR with the value 1 at each of their items."""
    ends = np.cumsum([0, *map(len, rows)])
    return csr(np.ones(ends[-1]), np.concatenate(rows).astype(int), ends)


def as_mask(rows: list[list[int]]) -> Any:
    mask = np.zeros(LABELS.shape, bool)
    for row, items in enumerate(rows):
        mask[row, items] = True
    return mask


def named(rows: list[list[int]]) -> dict[str, list[str]]:
    return {f"q{row}": [f"d{item}" for item in items] for row, items in enumerate(rows)}


QRELS = {query: dict.fromkeys(documents, 1) for query, documents in named(RELEVANT).items()}
RUN = {
    f"q{row}": {f"d{item}": score for item, score in enumerate(scores)}
    for row, scores in enumerate(SCORES.tolist())
}

CALLS: dict[str, Callable[[list[list[int]]], Any]] = {
    "dense": lambda rows: rg.evaluate_arrays(LABELS, SCORES, "RR", exclude=as_mask(rows)),
    "flat": lambda rows: rg.evaluate_arrays(
        LABELS.ravel(), SCORES.ravel(), "RR", group=[4, 4, 4], exclude=as_mask(rows).ravel()
    ),
    "sparse": lambda rows: rg.evaluate_arrays(as_csr(RELEVANT), SCORES, "RR", exclude=as_csr(rows)),
    "truth": lambda rows: rg.evaluate_arrays(rg.Truth(LABELS), SCORES, "RR", exclude=as_mask(rows)),
    "models": lambda rows: rg.evaluate_models(LABELS, {"a": SCORES}, "RR", exclude=as_mask(rows)),
    "function": lambda rows: rg.ndcg(LABELS, SCORES, exclude=as_mask(rows)),
    "factors": lambda rows: rg.evaluate_factors(
        *FACTORS, as_csr(RELEVANT), "RR", exclude=as_csr(rows)
    ),
    "scores": lambda rows: rg.evaluate_scores(
        lambda users: SCORES[users], as_csr(RELEVANT), "RR", exclude=as_csr(rows)
    ),
    "columns": lambda rows: rg.evaluate_ids(
        np.array(RANKED), as_csr(RELEVANT), "RR", exclude=as_csr(rows)
    ),
    "numbers": lambda rows: rg.evaluate_ids(np.array(RANKED), RELEVANT, "RR", exclude=rows),
    "ids": lambda rows: rg.evaluate_ids(named(RANKED), named(RELEVANT), "RR", exclude=named(rows)),
    "labelled ids": lambda rows: rg.evaluate_ids(
        named(RANKED), {**QRELS, "q2": {"d3": 0}}, "RR", exclude=named(rows)
    ),
    "qrels": lambda rows: rg.evaluate({**QRELS, "q2": {"d3": 0}}, RUN, "RR", exclude=named(rows)),
    "runs": lambda rows: rg.evaluate_runs(QRELS, {"a": RUN}, "RR", exclude=named(rows)),
}


def messages(call: Callable[[list[list[int]]], Any], rows: list[list[int]]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(rows)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_excluding_the_test_items_warns_once_and_counts_them(call: Any) -> None:
    with_others = [[0, 2, 3], [1, 2], [0]]
    for rows in (RELEVANT, with_others):
        (message,) = messages(call, rows)
        assert message.startswith("exclude removes all 3 relevant ")
        assert "Did you pass the test " in message


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_excluding_other_items_or_some_relevant_ones_is_silent(call: Any) -> None:
    all_but_one: list[list[list[int]]] = [[[0, 2], [1], [0]], [[2], [2], [0]], [[0], [2], [3]]]
    for rows in (TRAINED, [[], [], []], *all_but_one):
        assert messages(call, rows) == []


def warns_of_exclusion(labels: Any, **arrays: Any) -> bool:
    """Whether evaluate_arrays warns if the relevant items are excluded."""

    def call(rows: list[list[int]]) -> None:
        rg.evaluate_arrays(labels, SCORES, "DCG", exclude=as_mask(rows), **arrays)

    return any("exclude removes all" in message for message in messages(call, RELEVANT))


def test_a_single_list_may_lose_its_relevant_items_silently() -> None:
    assert warns_of_exclusion(LABELS)
    assert not warns_of_exclusion(LABELS * [[1], [0], [0]])
    known = {"q0": ["d0", "d2"]}
    judged = {"q0": {"d0": 1, "d2": 1}, "q1": {"d0": 0}}
    assert messages(lambda rows: rg.evaluate(judged, RUN, "RR", exclude=known), RELEVANT) == []


def test_lists_without_relevant_items_are_not_said_to_lose_any() -> None:
    assert not warns_of_exclusion(np.zeros_like(LABELS))
    assert not warns_of_exclusion(np.where(LABELS > 0, -1.0, 0.0))


def test_judged_items_outside_the_lists_are_still_to_be_found() -> None:
    assert not warns_of_exclusion(LABELS, judged=[[1, 1, 1], [2], [1]])


def test_labels_in_padding_do_not_hide_the_warning() -> None:
    padded = np.array([[1, 0, 1, 7], [0, 0, 2, 0], [0, 0, 7, 7]])
    assert warns_of_exclusion(padded, lengths=[3, 4, 2])
