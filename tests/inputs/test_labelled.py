"""A Series whose index holds queries says which value is whose."""

import numpy as np
import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")

FOUND = rg.evaluate_arrays([1, 0, 0, 1], [2, 1, 2, 1], "RR", qid=["a", "a", "b", "b"])
BY_NAME = {"b": 3.0, "a": 1.0}


def weighted(weight, qid=("a", "a", "b", "b")):
    return rg.evaluate_arrays([1, 0, 0, 1], [2, 1, 2, 1], "RR", qid=list(qid), weight=weight)


def test_weights_of_a_series_belong_to_its_index():
    series = pandas.Series(BY_NAME)
    assert weighted(series) == weighted(BY_NAME) == weighted([1.0, 3.0])
    assert weighted(series.reset_index(drop=True)) == weighted([3.0, 1.0])
    numbered = pandas.Series([3.0, 1.0], [1, 0]).sort_index()
    assert weighted(numbered, [1, 1, 0, 0]) == weighted({0: 1.0, 1: 3.0}, [1, 1, 0, 0])


def test_labels_of_a_series_belong_to_its_index():
    labels = pandas.Series({"b": "long", "a": "short"})
    assert FOUND.by(labels) == FOUND.by(dict(labels)) == FOUND.by(["short", "long"])
    wide = rg.evaluate_arrays(np.eye(6), None, "RR")
    groups = pandas.Series([0, 0, 1, 1, 2, 2], [0, 5, 1, 4, 2, 3])
    assert wide.interval("RR", by=groups) == wide.interval("RR", by=dict(groups))
    assert wide.interval("RR", by=groups) != wide.interval("RR", by=groups.to_numpy())
    runs = rg.Evaluations({"x": FOUND, "y": FOUND})
    rows = runs.compare(by=labels, test="bootstrap", resamples=100).rows
    assert [(row.segment, row.mean_a) for row in rows] == [("short", 1.0), ("long", 0.5)]


def test_an_index_of_other_things_is_refused():
    for labels, words in (
        (["u", "v"], "index has no query 'a', but such as 'u'.*to_numpy"),
        (["a", "a", "b"], "index has 'a' twice"),
        ([7, 9], "index has no query 'a'"),
    ):
        series = pandas.Series(np.arange(1.0, len(labels) + 1), labels)
        for call in (weighted, FOUND.by, lambda by: FOUND.interval("RR", by=by)):
            with pytest.raises(ValueError, match=words):
                call(series)
