"""Labels and scores in each other's place cause a warning, and ordinary arrays cause none."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg

SCORES = [[0.9, 0.8, 0.3, 0.1], [0.2, 0.7, 0.75, 0.1]]
LABELS = [[3, 0, 2, 1], [0, 1, 0, 0]]
MESSAGE = r"all labels are fractions \(such as 0\.9\).*Did you swap y_true and y_score"
Call = Callable[[Any, Any], object]
CALLS: dict[str, Call] = {
    "a function": lambda y_true, y_score: rg.ndcg(y_true, y_score, k=3),
    "a function of binary labels": rg.average_precision,
    "evaluate_arrays": lambda y_true, y_score: rg.evaluate_arrays(y_true, y_score, ["nDCG", "AP"]),
    "scikit-learn's": rg.ndcg_score,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("form", [list, np.array], ids=["lists", "arrays"])
def test_swapped_arguments_warn_in_every_call(call: Call, form: Callable[[Any], Any]) -> None:
    call(form(LABELS), form(SCORES))
    for _ in range(2):
        with pytest.warns(rg.RankgainWarning, match=MESSAGE):
            call(form(SCORES), form(LABELS))


def test_equal_calls_warn_again() -> None:
    y_true, y_score = np.array(SCORES), np.array(LABELS, np.float64)
    for _ in range(2):
        with pytest.warns(rg.RankgainWarning, match=MESSAGE):
            rg.ndcg(y_true, y_score, k=4_321)  # a cutoff of no other test: its plan is not cached


RNG = np.random.default_rng(3)
GRADES = RNG.choice([0, 1, 2, 3], p=[0.7, 0.15, 0.1, 0.05], size=(40, 30))
FLOATS = RNG.random((40, 30))
ORDINARY = {
    "grades and scores": (GRADES, FLOATS),
    "float grades and scores": (GRADES.astype(float), FLOATS),
    "grades and quantised scores": (GRADES, np.floor(10 * FLOATS)),
    "labels of a regression and scores": (FLOATS, RNG.random((40, 30))),
    "labels of a regression and classes of equal size": (
        FLOATS,
        RNG.permuted(np.indices((40, 30))[1] % 5, axis=1),
    ),
    "labels of a regression and counts": (FLOATS, RNG.poisson(20, (40, 30))),
    "labels of a regression and positions": (FLOATS, np.tile(np.arange(30), (40, 1))),
    "labels of a regression and positions of two": (FLOATS[:, :2], np.tile([1, 0], (40, 1))),
    "labels of a regression and few positions": (FLOATS[:, :5], np.tile(np.arange(5), (40, 1))),
    "shares of judges and grades": (RNG.choice([0.25, 0.5, 0.75], (40, 30)), GRADES),
    "shares of judges, some 0, and grades": (np.where(FLOATS < 0.1, 0, FLOATS), GRADES),
    "labels of a regression and negative classes": (FLOATS, -GRADES),
    "labels of a regression and classes from 1": (FLOATS, 1 + GRADES),
    "labels of a regression and equal scores": (FLOATS, np.zeros((40, 30))),
    "labels of a regression and grades of several hundred": (FLOATS, 100 * GRADES),
    "logits and grades": (GRADES, np.round(RNG.normal(0, 2, (40, 30)))),
}


@pytest.mark.parametrize("arrays", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_arrays_do_not_warn(arrays: tuple[Any, Any]) -> None:
    rg.dcg(*arrays, k=10)
    rg.evaluate_arrays(*arrays, ["DCG", "CG@5"])


def test_a_gain_or_a_threshold_of_the_caller_is_meant_for_fractions() -> None:
    rg.ndcg(FLOATS, GRADES, gain=np.sqrt)
    rg.average_precision(FLOATS, GRADES, rel=0.5)
    rg.evaluate_arrays(FLOATS, GRADES, "AP(rel=0.5)")
    rg.ndcg(FLOATS, None)
