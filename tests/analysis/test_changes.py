"""`Comparison.changes`: the queries whose values differ most between two systems."""

import itertools
import re
import warnings

import numpy as np
import pytest

import rankgain as rg
from rankgain.analysis.comparison import Comparison
from rankgain.evaluation.evaluation import Evaluation

NAN = float("nan")
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


def test_the_largest_changes_stand_first_and_equal_ones_keep_their_order() -> None:
    changes = compare("old", "new").changes("AP")
    assert changes == (
        ("q1", 0.25, 1.0, -0.75),
        ("q2", 1.0, 0.25, 0.75),
        ("q5", 0.0, 0.5, -0.5),
        ("q4", 0.5, 0.0, 0.5),
    )
    assert changes[1].query == "q2"
    assert changes[1]._fields == ("query", "value_a", "value_b", "difference")
    assert [type(one) for one in changes[0]] == [str, float, float, float]


def test_at_most_n_and_any_spelling_of_the_measure() -> None:
    result = compare("old", "new")
    assert [one.query for one in result.changes("map", 1)] == ["q1"]
    assert [one.query for one in result.changes("AP", n=3)] == ["q1", "q2", "q5"]
    assert len(result.changes("AP", np.int64(2))) == 2
    for n in (0, -1, 2.5, True, "3", None):
        with pytest.raises(ValueError, match="n must be a whole number of at least 1"):
            result.changes("AP", n)


def test_systems_are_those_of_the_rows() -> None:
    for baseline in (None, "old", "new"):
        result = compare("old", "new", baseline=baseline)
        row = result.rows[0]
        changes = result.changes("AP")
        assert changes == result.changes("AP", a=row.a, b=row.b)
        total = sum(one.difference for one in changes)
        assert total == pytest.approx(row.difference * row.lists)
    assert compare("old", "new").changes("AP", b="old")[0] == ("q1", 1.0, 0.25, 0.75)
    assert compare("old", "new").changes("AP", a="new")[0] == ("q1", 1.0, 0.25, 0.75)


def test_more_than_two_systems_are_named() -> None:
    result = compare("old", "new", "odd")
    with pytest.raises(ValueError, match="name two systems by a= and b=; there are old, new, odd"):
        result.changes("AP")
    for a, b in itertools.permutations(VALUES, 2):
        differences = np.array(VALUES[a]) - np.array(VALUES[b])
        changes = result.changes("AP", 9, a=a, b=b)
        assert {one.query: one.difference for one in changes} == {
            query: value
            for query, value in zip(QUERIES, differences.tolist(), strict=True)
            if value
        }
        sizes = [abs(one.difference) for one in changes]
        assert sizes == sorted(sizes, reverse=True)


def test_the_baseline_is_b_by_default() -> None:
    result = compare("old", "new", "odd", baseline="odd")
    assert result.changes("AP", a="old") == result.changes("AP", a="old", b="odd")
    assert result.changes("AP", a="new", b="old")[0] == ("q1", 1.0, 0.25, 0.75)
    with pytest.raises(ValueError, match="name two systems by a= and b="):
        result.changes("AP")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"a": "x"}, "a='x' is not evaluated; there are old, new"),
        ({"b": "x"}, "b='x' is not evaluated; there are old, new"),
        ({"a": "old", "b": "old"}, "name two systems by a= and b=; there are old, new"),
    ],
)
def test_names_are_checked(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        compare("old", "new").changes("AP", **options)


def test_only_common_queries_count() -> None:
    systems = {
        "a": evaluation([1.0, 0.0, 0.5], ("x", "y", "z")),
        "b": evaluation([0.0, 0.25, 0.0], ("z", "x", "w")),
        "c": evaluation([0.0, 0.0, 0.0], ("z", "w", "x")),
    }
    result = rg.compare(systems, queries="common")
    assert result.changes("AP", a="a", b="b") == (("x", 1.0, 0.25, 0.75), ("z", 0.5, 0.0, 0.5))
    # w is no query of a, so it is not compared, although b and c have it
    assert result.changes("AP", a="b", b="c") == (("x", 0.25, 0.0, 0.25),)


def test_queries_without_a_value_are_left_out() -> None:
    systems = {"a": evaluation([1.0, NAN, 0.5, NAN]), "b": evaluation([0.5, 1.0, NAN, NAN])}
    systems = {name: one._replace(queries=QUERIES[:4]) for name, one in systems.items()}
    assert rg.compare(systems).changes("AP") == (("q3", 1.0, 0.5, 0.5),)


def test_segments_are_taken_together() -> None:
    result = compare("old", "new", by=["s", "t", "s", "t", "s"])
    assert result.changes("AP") == compare("old", "new").changes("AP")


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
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert result.changes("AP") == ((8, 0.0, 0.5, -0.5),)


def test_equal_systems_have_no_changes() -> None:
    systems = {name: evaluation(VALUES["odd"]) for name in "ab"}
    assert rg.compare(systems).changes("AP") == ()


def test_many_equal_changes_keep_the_order_of_queries() -> None:
    queries = range(60)
    halves = [[2.0, 1.0] if query % 3 else [1.0, 2.0] for query in queries]
    scores = {"a": [[1.0, 2.0]] * 60, "b": halves}
    compared = rg.compare(rg.evaluate_models([[0, 1]] * 60, scores, "RR"))
    changed = [change.query for change in compared.changes("RR", 60)]
    assert changed == [query for query in queries if query % 3]
