"""Segments whose column has categories keep the order of these, everywhere."""

import pickle
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pytest.importorskip("narwhals")

ORDER = ["short", "mid", "none", "long"]
FRAME = pandas.DataFrame(
    {
        "query": [1, 1, 2, 2, 3, 3],
        "label": [1, 0, 0, 1, 1, 0],
        "score": [3.0, 2, 3, 2, 1, 5],
        "length": ["mid", "mid", "long", "long", "short", "short"],
    }
)


def as_frame(form: str) -> Any:
    categories = pandas.Categorical(FRAME["length"], categories=ORDER, ordered=form == "ordered")
    if form == "polars":
        column = polars.col("length").cast(polars.Enum(ORDER))
        return polars.from_pandas(FRAME).with_columns(column)
    return FRAME.assign(length=categories)


@pytest.mark.parametrize("form", ["ordered", "unordered", "polars"])
def test_prints_and_splits_have_the_order_of_categories(form: str) -> None:
    frame = as_frame(form)
    result = rg.evaluate_frame(frame, "RR", segment="length")
    assert result.segments == ("mid", "long", "short")  # in the order of the queries
    lines = str(result).splitlines()
    assert [line.split()[0] for line in lines[3:6]] == ["short", "mid", "long"]
    assert list(result.by()) == ["short", "mid", "long"]
    assert [part.queries for part in result.by().values()] == [(3,), (1,), (2,)]
    assert list(pickle.loads(pickle.dumps(result)).by()) == ["short", "mid", "long"]
    systems = rg.evaluate_frame(frame, "RR", segment="length", score={"a": "score", "b": "label"})
    assert rg.compare(systems, by="segment").segments == ("short", "mid", "long")


def test_merged_parts_keep_the_order() -> None:
    frame = as_frame("ordered")
    halves = [frame[frame["query"] < 2], frame[frame["query"] > 1]]
    parts = [rg.evaluate_frame(half, "RR", segment="length") for half in halves]
    assert list(rg.Evaluation.merge(parts).by()) == ["short", "mid", "long"]
    other = halves[1].assign(length=halves[1]["length"].astype(str))
    parts[1] = rg.evaluate_frame(other, "RR", segment="length")
    assert list(rg.Evaluation.merge(parts).by()) == ["mid", "long", "short"]


@pytest.mark.parametrize("indexed", [False, True])
def test_labels_given_as_categories_have_their_order(indexed: bool) -> None:
    result = rg.evaluate_frame(FRAME, "RR")
    labels = pandas.Series(pandas.Categorical(["mid", "long", "short"], categories=ORDER))
    if indexed:
        labels.index = [1, 2, 3]
    assert list(result.by(labels)) == ["short", "mid", "long"]
    compared = rg.compare({"a": result, "b": result}, by=labels)
    assert compared.segments == ("short", "mid", "long")


def test_other_labels_have_the_order_of_queries() -> None:
    result = rg.evaluate_frame(FRAME, "RR", segment="length")
    assert list(result.by()) == ["mid", "long", "short"]
    numbers = FRAME.assign(length=pandas.Categorical([9, 9, 10, 10, 8, 8]))
    of_numbers = rg.evaluate_frame(numbers, "RR", segment="length")
    assert list(of_numbers.by()) == ["8", "9", "10"]
