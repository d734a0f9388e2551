"""`Comparison.changes`: the queries whose values differ most between two systems."""

import re

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


@pytest.mark.parametrize(("options", "message"), [
    ({"a": "x"}, "a: no evaluation is named 'x'; there are old, new"),
    ({"b": "x"}, "b: no evaluation is named 'x'; there are old, new"),
    ({"a": "old", "b": "old"}, "choose two systems with a= and b=, out of old, new"),
])  # fmt: skip
def test_names_are_checked(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        compare("old", "new").changes("AP", **options)


def test_a_measure_must_be_evaluated_and_have_values_of_queries(tmp_path) -> None:
    result = compare("old", "new")
    with pytest.raises(KeyError, match="RR was not evaluated; there are AP"):
        result.changes("RR")
    shown = {"a": [[0, 1], [1, 2]], "b": [[0, 1], [0, 1]]}
    runs = {
        name: rg.evaluate_catalogue(ids, "Coverage@2", catalogue=4) for name, ids in shown.items()
    }
    with pytest.raises(ValueError, match="Coverage@2 is a number of all lists together"):
        rg.compare(runs).changes("Coverage@2")
    result.to_json(tmp_path / "x.json")
    with pytest.raises(ValueError, match="was read from a file, which has no values of queries"):
        rg.Comparison.read(tmp_path / "x.json").changes("AP")


def test_ids_keep_their_type_and_no_warning_is_repeated() -> None:
    systems = {
        "a": evaluation([1.0, 0.0], (7, 8)),
        "b": evaluation([1.0, 0.5], (7, 8))._replace(convention="trec"),
    }
    with pytest.warns(rg.RankgainWarning, match="different conventions"):
        result = rg.compare(systems)
    assert result.changes("AP") == ((8, 0.0, 0.5, -0.5),)
