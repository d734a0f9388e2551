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
