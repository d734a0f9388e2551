"""Data in the forms that people hold it in: other sequences, Series, bools, odd frames."""

import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")


def test_nothing_relevant_to_one_user() -> None:
    for recommended in (["a", "b"], [1, 2]):
        assert rg.evaluate_ids(recommended, [], "RR")["RR"] == 0.0


def test_a_series_whose_places_may_be_queries() -> None:
    def mean(weight: Any, qid: list[int]) -> float:
        return rg.evaluate_arrays(
            [1, 0, 0, 1], [0.2, 0.1, 0.2, 0.1], "RR", qid=qid, weight=weight
        ).means["RR"]

    assert mean(pandas.Series([1, 0]), [0, 0, 1, 1]) == 1.0
    assert mean(pandas.Series([1, 0]), [5, 5, 4, 4]) == 1.0
    assert mean(pandas.Series([1, 0], index=[0, 1]), [1, 1, 0, 0]) == 0.5


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    qrels = rg.Qrels({"q": {"a": 1}})
    file = io.BytesIO()
    qrels.write(file)
    assert file.getvalue() == b"q 0 a 1\n"
    file.seek(0)
    assert rg.Qrels(file) == qrels


@pytest.mark.parametrize("measure", ["nDCG", "AP"])
def test_rows_of_an_explanation_name_documents(measure: str) -> None:
    qrels, run = {"q": {"a": 2, "b": 0}}, {"q": {"b": 0.9, "x": 0.8}}
    shown = rg.explain(qrels, run, query="q", measure=measure)
    rows = shown.rows()
    assert [(row["id"], row["unjudged"]) for row in rows[:2]] == [("b", False), ("x", True)]
    if measure == "nDCG":
        assert [row["ideal_id"] for row in rows] == ["a", "b"]
        last = str(shown).split("\n")[6]
        assert last.split()[7:] == ["|", "b", "0", "0", "0.6309", "0.0000", "2.0000"]


def test_columns_of_other_kinds() -> None:
    good = {"user_id": [1, 1], "label": [1, 0], "score": [1.0, 2.0]}

    def value(**changes: Any) -> float:
        return rg.evaluate_frame(pandas.DataFrame(good | changes), "RR")["RR"]

    assert value(label=[Decimal(1), Decimal(0)]) == value() == 0.5
