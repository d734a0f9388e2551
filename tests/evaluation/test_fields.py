"""Evaluations that differ in one field are unequal if it is one of their numbers, also stored."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.engine.means import MeanRule, Shares


def base() -> dict[str, Any]:
    """Every field of an evaluation of two queries, of two collections."""
    return {
        "means": {"P@2": 0.5},
        "per_query": {"P@2": np.array([0.5, 0.5])},
        "queries": (("c", "a"), ("d", "b")),
        "bounds": {"ties": {"P@2": np.array([[0.0, 0.5], [0.5, 1.0]])}},
        "bound_means": {"ties": {"P@2": (0.25, 0.75)}},
        "convention": "rankgain",
        "counts": {"queries": 2, "missing": 1},
        "marked": {"missing": np.array([True, False])},
        "weights": np.array([1.0, 2.0]),
        "versions": {"rankgain": rg.__version__, "convention": "1"},
        "requested": {"precision@2": "P@2"},
        "shares": {"P@2": Shares("mean", np.array([1.0, 1.0]), np.array([2.0, 2.0]))},
        "segments": ("x", "y"),
        "settings": {"rel": 1},
        "mean_rule": MeanRule("exact", 4),
        "better": {},
        "collections": ("c", "d"),
    }


CHANGED: dict[str, Any] = {
    "means": {"P@2": 0.25},
    "per_query": {"P@2": np.array([0.5, 1.0])},
    "queries": (("c", "a"), ("d", "e")),
    "bounds": {"ties": {"P@2": np.array([[0.0, 0.5], [0.5, 0.5]])}},
    "bound_means": {"ties": {"P@2": (0.25, 0.5)}},
    "convention": "trec",
    "counts": {"queries": 2, "missing": 2},
    "marked": {"missing": np.array([False, True])},
    "weights": np.array([1.0, 3.0]),
    "versions": {"rankgain": rg.__version__, "convention": "2"},
    "requested": {"P@02": "P@2"},
    "shares": {"P@2": Shares("mean", np.array([1.0, 1.0]), np.array([2.0, 4.0]))},
    "segments": ("x", "x"),
    "settings": {"rel": 2},
    "mean_rule": MeanRule("by_id", 4),
    "better": {"P@2": "lower"},
}
# How the numbers came about, which may differ between equal evaluations.
NOT_COMPARED = ("versions", "requested", "marked", "shares")
# A convention and shown items are objects of their own; collections are the first half of queries.
ELSEWHERE = {"rules", "recommended", "collections"}


def text_of(evaluation: rg.Evaluation, field: str) -> str:
    """A field as text that equal fields share."""
    value = getattr(evaluation, field)
    if field == "weights":
        return repr(value.tolist())
    if field in ("per_query", "marked"):
        return repr({name: column.tolist() for name, column in value.items()})
    if field == "shares":
        return repr({
            name: (share.kind, share.numerators.tolist(), share.divisors.tolist())
            for name, share in value.items()
        })  # fmt: skip
    if field == "bounds":
        return repr({
            (kind, name): ends.tolist()
            for kind, columns in value.items()
            for name, ends in columns.items()
        })  # fmt: skip
    return repr(value)


def read_back(evaluation: rg.Evaluation, folder: Path) -> rg.Evaluation:
    evaluation.to_json(folder / "evaluation.json")
    return rg.Evaluation.read(folder / "evaluation.json")


def test_every_field_is_here() -> None:
    fields = set(rg.Evaluation.__annotations__) - ELSEWHERE
    assert set(CHANGED) == fields == set(base()) - ELSEWHERE


@pytest.mark.parametrize("field", CHANGED)
def test_one_field_differs(field: str, tmp_path: Path) -> None:
    first, second = rg.Evaluation(**base()), rg.Evaluation(**base() | {field: CHANGED[field]})
    assert first == rg.Evaluation(**base())
    assert (first == second) == (field in NOT_COMPARED)
    stored = read_back(first, tmp_path), read_back(second, tmp_path)
    assert stored == (first, second)
    for name in CHANGED:
        is_same = text_of(stored[0], name) == text_of(stored[1], name)
        assert is_same == (name != field), name
        assert text_of(stored[1], name) == text_of(second, name)
