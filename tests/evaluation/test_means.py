"""Means of all lists, of segments, of parts and of files, under conventions of one's own."""

import numpy as np

import rankgain as rg


def test_undefined_lists_stay_out_in_the_order_of_ids() -> None:
    rules = rg.conventions["trec"].replace(empty="skip")
    qrels, run = {"b": {"x": 0}, "a": {"x": 1}}, {"b": {"x": 1.0}, "a": {"z": 2.0, "x": 1.0}}
    result = rg.evaluate(qrels, run, "RR", convention=rules)
    assert result["RR"] == 0.5
    assert result.counts["undefined"] == {"RR": 1}


def test_sums_beyond_doubles_have_a_mean() -> None:
    values, weights = np.full(4, 1e308), np.full(4, 4e307)
    result = rg.Evaluation({"DCG": 1e308}, {"DCG": values}, list("abcd"), weights=weights)
    parts = result.by(["x", "x", "y", "y"])
    assert rg.Evaluation.merge(parts.values())["DCG"] == 1e308
    assert parts["x"]["DCG"] == 1e308
