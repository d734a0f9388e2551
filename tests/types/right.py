"""Calls that type checkers pass, with the types that they must find."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import rankgain as rg

Floats = NDArray[np.float64]
labels, scores = [3, 0, 2], [0.5, 0.9, 0.1]
assert_type(rg.ndcg(labels, scores), float)
assert_type(rg.ndcg(labels, scores, k=2, gain="exp2", ties="stable"), float)
assert_type(rg.ndcg(labels, scores, k=[1, 2]), Floats)
assert_type(rg.ndcg([labels, labels], [scores, scores], k=2), Floats)
assert_type(rg.ndcg(labels, scores, group=[1, 2]), Floats)
assert_type(rg.auc([1, 0], [0.3, 0.1], empty=0.5), float)
one, many = np.zeros(3), np.zeros((2, 3))
assert_type(rg.ndcg(one, one), float)
assert_type(rg.ndcg(many, many), Floats)
assert_type(rg.precision(np.zeros(3), k=2, divisor="min"), float)


def of_any_shape(y_true: NDArray[np.int64], y_score: NDArray[np.float32]) -> Any:
    assert_type(rg.ndcg(y_true, y_score, k=10), Any)
    truth = rg.Truth(y_true)
    assert_type(rg.average_precision(truth, y_score, threads=None), Any)
    return rg.ndcg(y_true, y_score).mean()


found = rg.evaluate_arrays([labels], [scores], ["nDCG@10", rg.parse_measure("AP")], gain="exp2")
assert_type(found, rg.Evaluation)
assert_type(found["AP"], float)
run = {"q": {"a": 1.0}}
assert_type(rg.evaluate({"q": {"a": 1}}, run, "nDCG@10", judged_only=True), rg.Evaluation)
assert_type(rg.explain(labels, scores), rg.Explanation)
assert_type(rg.explain(labels, scores, measure="AP"), rg.Contributions)
rg.Run(run).write("run.gz")
