"""Evaluations.from_frame: tables of scores, wide and long, in frames and files."""

import math

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

ROWS = {
    "system": ["new", "old", "new", "old", "new", "old"],
    "task": ["qa", "qa", "sum", "sum", "code", "code"],
    "accuracy": [0.9, 0.8, None, 0.5, 0.25, 0.5],
    "seconds": [3, 2, 5, 4, 1, 1],
}


def wide():
    return pandas.DataFrame(ROWS)


def long():
    return wide().melt(["system", "task"], var_name="metric", value_name="score")


def check(evaluations):
    """The evaluations are those of ROWS."""
    assert list(evaluations) == ["new", "old"]
    new, old = evaluations.values()
    assert list(new) == ["accuracy", "seconds"]
    assert tuple(new.queries) == tuple(old.queries) == ("qa", "sum", "code")
    assert new["accuracy"] == pytest.approx((0.9 + 0.25) / 2)
    assert new.counts["undefined"] == {"accuracy": 1}
    assert math.isnan(new.per_query["accuracy"][1])
    assert new.per_query["seconds"].tolist() == [3, 5, 1]
    assert old.per_query["accuracy"].tolist() == [0.8, 0.5, 0.5]
    assert "undefined" not in old.counts


def test_named_columns_are_taken_and_others_left_alone():
    frame = wide().rename(columns={"system": "who", "task": "what"}).assign(note="text")
    check(rg.Evaluations.from_frame(frame, run="who", query="what", values=["accuracy", "seconds"]))
    one = rg.Evaluations.from_frame(frame, run="who", query="what", values="seconds")
    assert list(one["new"]) == ["seconds"]
    renamed = long().rename(columns={"metric": "m", "score": "v"})
    check(rg.Evaluations.from_frame(renamed, measure="m", value="v"))


def test_a_query_without_any_row_is_not_there():
    evaluations = rg.Evaluations.from_frame(wide().iloc[:5])
    assert tuple(evaluations["old"].queries) == ("qa", "sum")
    comparison = evaluations.compare(queries="common")
    assert comparison.queries == 2
    assert comparison.left_out == {"new": 1}


def test_better_is_as_in_from_values():
    evaluations = rg.Evaluations.from_frame(wide(), better={"seconds": "lower"})
    assert evaluations["new"].better == {"accuracy": "higher", "seconds": "lower"}


@pytest.mark.parametrize(
    ("field", "is_read"), [("nan", True), ("", True), ("NA", True), ("x", False)]
)
def test_fields_of_text_files(tmp_path, field, is_read):
    path = tmp_path / "scores.csv"
    path.write_text(f"system,task,f1\na,qa,0.5\na,sum,{field}\n")
    if is_read:
        assert rg.Evaluations.from_frame(path)["a"]["f1"] == 0.5
    else:
        with pytest.raises(ValueError, match=r"row 2.*: 'f1' must hold scores, not 'x'"):
            rg.Evaluations.from_frame(path)
