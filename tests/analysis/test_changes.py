"""`Comparison.changes`: the queries whose values differ most between two systems."""

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.comparison import Comparison
from rankgain.evaluation.evaluation import Evaluation

VALUES = {
    "old": [0.5, 0.25, 1.0, 0.0, 0.5],
    "new": [0.5, 1.0, 0.25, 0.5, 0.0],
    "odd": [1.0, 1.0, 1.0, 1.0, 1.0],
}
QUERIES = ("q3", "q1", "q2", "q5", "q4")


def evaluation(values: list[float], queries: object = QUERIES, name: str = "AP") -> Evaluation:
    array = np.array(values)
    counts = {}
    if np.isnan(array).any():
        undefined = {name: int(np.isnan(array).sum())}
        counts = {"undefined": undefined, "undefined_as": {name: "skip"}}
    return rg.Evaluation({name: float(np.nanmean(array))}, {name: array}, queries, counts=counts)


def compare(*names: str, **options: object) -> Comparison:
    return rg.compare({name: evaluation(VALUES[name]) for name in names}, **options)


def test_ids_keep_their_type_and_no_warning_is_repeated() -> None:
    systems = {
        "a": evaluation([1.0, 0.0], (7, 8)),
        "b": evaluation([1.0, 0.5], (7, 8))._replace(convention="trec"),
    }
    with pytest.warns(rg.RankgainWarning, match="different conventions"):
        result = rg.compare(systems)
    assert result.changes("AP") == ((8, 0.0, 0.5, -0.5),)
