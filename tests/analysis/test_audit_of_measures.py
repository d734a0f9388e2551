"""An audit of our own measures: each is right in each form, and a wrong one differs."""

from itertools import product
from typing import Any

import pytest

import rankgain as rg
from planted_metrics import Metric
from rankgain.measures.families import FAMILIES


def ours(measure: str, form: str, answer: str) -> Metric:
    """Our own function: the values of the lists, or their mean as the measure takes it."""

    def metric(first: Any, second: Any) -> Any:
        if form == "dicts":
            result = rg.evaluate(first, second, measure)
        elif form == "ids":
            result = rg.evaluate_ids([first], [second], measure, duplicates="in_place")
        else:
            result = rg.evaluate_arrays(first, second, measure)
        (value,) = getattr(result, answer).values()
        return value

    return metric


LEVELS = {"recall": "@0.5", "multiple": "_0.60", "required": "@3", "optional": "@3"}
OF_LISTS = {
    row.name: row for row in FAMILIES.values() if row.row.shape and row.row.reads == "labels"
}
OF_JUDGMENTS = {"Bpref", "infAP", "GMBpref", "Judged", "Unjudged", "RBPResidual"}
OF_JUDGMENTS |= {"NumNonrelJudgedRet"}  # which ids do not say


@pytest.mark.parametrize(("measure", "form", "answer"), [
    *product(OF_LISTS, ["arrays"], ["per_query"]),
    *product(OF_LISTS, ["ids", "dicts"], ["means"]),
    *product(["GMAP", "GMBpref"], ["arrays"], ["means"]),
    *product(["GMAP", "GMBpref", "NumQ", "MR"], ["dicts"], ["per_query"]),
])  # fmt: skip
def test_no_measure_is_accused(measure: str, form: str, answer: str) -> None:
    if form == "ids" and measure in OF_JUDGMENTS:
        pytest.skip("ids do not say which documents were judged")
    row = OF_LISTS[measure]
    cut = row.cutoff in ("optional", "required")
    name = row.example + LEVELS.get(row.cutoff, "")
    result = rg.audit(ours(name, form, answer), form=form, measure=name, k=3 if cut else None)
    assert (result.errors, result.examples) == ((), {})


@pytest.mark.parametrize(("measure", "change"), [
    ("MR", lambda value: value - 1),  # ranks from 0
    ("NumRet", lambda value: value + 1),
    ("GMAP", lambda value: value / 2),
    ("GMAP", lambda value: value - 1e-3),
    ("Judged", lambda value: 1.0),
    ("AMR", lambda value: 2 * value),
    ("Lift@3", lambda value: value / 2),
])  # fmt: skip
def test_a_wrong_measure_differs(measure: str, change: Any) -> None:
    right = ours(measure, "dicts", "means")
    result = rg.audit(
        lambda qrels, run: change(right(qrels, run)), form="dicts", measure=measure, k=None
    )
    assert "differs, unexplained" in result.errors
    assert "value beyond 1" not in result.errors  # a right value may be
