"""Values that no function can use: the error says which, where, and not all of a long one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")

FRAME = pandas.DataFrame(
    {"query_id": ["q", "q"], "doc_id": ["a", "b"], "label": [1, 0], "score": [2.0, 1.0]}
)
QRELS = {"q": {"a": 1}}
COUNTS = {"query": ["q"], "doc": ["a"], "label": [1], "above": [0], "equal": [1], "size": [1]}


def with_objects(**columns: list[Any]) -> Any:
    return FRAME.assign(**{name: pandas.Series(one, dtype=object) for name, one in columns.items()})


@pytest.mark.parametrize("number", [10**400, -(10**400), 10**5000], ids=["+", "-", "huge"])
def test_a_number_that_no_float64_holds_has_a_place(number: int) -> None:
    calls: dict[str, Any] = {
        "row 2.*: score": lambda: rg.evaluate_frame(with_objects(score=[1, number]), "RR"),
        "row 1.*: label": lambda: rg.evaluate_frame(with_objects(label=[number, 1]), "RR"),
        "truth, row 2.*: label": lambda: rg.evaluate_frame(
            FRAME, "RR", truth=with_objects(label=[1, number])
        ),
        "row 2.*: w": lambda: rg.evaluate_frame(with_objects(w=[1, number]), "RR", weight="w"),
        "the DataFrame, row 2.*: score": lambda: rg.Run(with_objects(score=[1, number])),
        "the DataFrame, row 2.*: label": lambda: rg.Qrels(with_objects(label=[1, number])),
        "retrieved, row 2.*: score": lambda: rg.evaluate_ids(
            with_objects(score=[1, number]), QRELS, "RR"
        ),
        "row 1.*: label is": lambda: rg.evaluate_counts(
            pandas.DataFrame(
                {**COUNTS, "retrieved": [True], "label": pandas.Series([number], dtype=object)}
            ),
            "RR",
        ),
        "row 1.*: the number": lambda: rg.Run([{"query": "q", "document": "a", "score": number}]),
    }
    for place, call in calls.items():
        with pytest.raises(ValueError, match=f"{place}.* too large for a float64") as error:
            call()
        assert len(str(error.value)) < 300


@pytest.mark.parametrize("text", ["1" + "0" * 400, "-1" + "0" * 400, "1e999"])
def test_a_number_of_text_that_no_float64_holds_is_not_infinite(text: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"query_id,doc_id,label,score\nq,a,1,1\nq,b,0,{text}\n")
    for infinite in ("inf", "-inf", "Infinity", "-Infinity", "+INF"):
        path.write_text(f"query_id,doc_id,label,score\nq,a,1,1\nq,b,0,{infinite}\n")
        assert rg.evaluate_frame(path, "RR")["RR"] == (1.0 if infinite[0] == "-" else 0.5)


@pytest.mark.parametrize("values", [[[1], [2]], [{"a": 1}, {"a": 2}]], ids=["list", "struct"])
@pytest.mark.parametrize("library", ["pandas", "polars", "lazy", "arrow"])
def test_lists_and_structs_are_not_ids(values: list[Any], library: str) -> None:
    make: Any = {
        "pandas": lambda frame: frame,
        "polars": polars.DataFrame,
        "lazy": lambda frame: polars.DataFrame(frame).lazy(),
        "arrow": pa.Table.from_pandas,
    }[library]
    frame = make(FRAME.assign(s=values))
    every: list[dict[str, Any]] = [{"run": "s"}, {"doc": "s"}, {"segment": "s"}]
    is_struct = isinstance(values[0], dict) and library != "pandas"
    if not is_struct:  # a struct as the query is a key of several columns
        every += [{"query": "s"}, {"query": ["query_id", "s"]}]
    for options in every:
        with pytest.raises(TypeError, match=r"column 's' holds .*, which are not ids"):
            rg.evaluate_frame(frame, "RR", **options)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"column 's' holds .*, which are not ids"):
        rg.evaluate_runs(QRELS, frame, "RR", run="s")
    if is_struct:
        return
    with pytest.raises(TypeError, match=r"ids must be strings or integers|which are not ids"):
        rg.Qrels.from_frame(frame, query="s")
    users = make(FRAME.drop(columns="query_id").assign(user_id=values))
    with pytest.raises(TypeError, match=r"column 'user_id' holds .*, which are not ids"):
        rg.evaluate_ids(users, {1: ["a"]}, "RR")
    for role in ("query", "doc"):
        counts = {**COUNTS, "retrieved": [True], role: values[:1]}
        with pytest.raises(TypeError, match=f"row 1.*: {role} is .*; ids must be text or integers"):
            rg.evaluate_counts(pandas.DataFrame(counts), "RR")


def test_a_stored_number_of_all_lists_needs_its_number_of_items(tmp_path: Path) -> None:
    path = tmp_path / "stored.json"
    for measure, k in (("Coverage", 2), ("Gini", 1), ("Coverage@2", None)):
        options: Any = {"catalogue": 5} | ({"k": k} if k else {})
        result = rg.evaluate_catalogue([[1, 2], [2, 3]], measure, **options)
        result.to_json(path)
        assert measure in rg.Evaluation.read(path).means
    without_settings = json.loads(path.read_text())
    without_settings.pop("settings", None)  # the name holds the number
    path.write_text(json.dumps(without_settings))
    assert "Coverage@2" in rg.Evaluation.read(path).means
