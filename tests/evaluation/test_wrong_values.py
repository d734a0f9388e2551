"""Values that no function can use: the error says which, where, and not all of a long one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
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
    for call in (lambda: rg.evaluate_frame(path, "RR"), lambda: rg.Run.read(path)):
        with pytest.raises(ValueError, match=r"row 2.*: score is .* too large for a float64"):
            call()
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


@pytest.mark.parametrize("scores", [1, 0.5, True, "abc", {"a": 1}])
def test_scores_of_a_row_are_a_list(scores: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    row = {"query": "q", "retrieved": ["a", "b", "c"], "relevant": ["a"]}
    path.write_text(json.dumps({**row, "scores": scores}) + "\n")
    with pytest.raises(TypeError, match=r"line 1: the scores are .*; give a list of numbers"):
        rg.evaluate_ids(path, measures="RR")


def test_a_stored_number_of_all_lists_needs_its_number_of_items(tmp_path: Path) -> None:
    path = tmp_path / "stored.json"
    for measure, k in (("Coverage", 2), ("Gini", 1), ("Coverage@2", None)):
        options: Any = {"catalogue": 5} | ({"k": k} if k else {})
        stored = json.loads(rg.evaluate_catalogue([[1, 2], [2, 3]], measure, **options).to_json())
        settings = stored.get("settings", {})
        path.write_text(json.dumps(stored))
        assert measure in rg.Evaluation.read(path).means
        settings.pop("k", None)
        for changed in (stored, {key: one for key, one in stored.items() if key != "settings"}):
            path.write_text(json.dumps(changed))
            if k is None:
                assert measure in rg.Evaluation.read(path).means
                continue
            with pytest.raises(ValueError, match=rf"settings, k: .* {measure} needs"):
                rg.Evaluation.read(path)


@pytest.mark.parametrize("truth", [{}, {"q": {}}, FRAME[:0], rg.Qrels({})], ids=str)
def test_truth_without_rows_is_an_error(truth: Any) -> None:
    with pytest.raises(ValueError, match="truth: no rows"):
        rg.evaluate_frame(FRAME, "RR", truth=truth)


@pytest.mark.parametrize("wrong", [5, None, {"RR": 1.0}, "path", [1.0]])
def test_evaluations_hold_evaluations(wrong: Any) -> None:
    with pytest.raises(TypeError, match="an Evaluation for each name, but 'a' has"):
        rg.Evaluations({"a": wrong})


@pytest.mark.parametrize("name", ["segments", "weights"])
def test_columns_of_an_evaluation_have_a_value_for_each_query(name: str) -> None:
    values = np.array([1.0, 2.0])
    with pytest.raises(ValueError, match=f"{name} has 2 values, but there are 3 queries"):
        rg.Evaluation({"RR": 1.0}, {"RR": np.ones(3)}, ["q", "r", "s"], **{name: values})


LONG = "x" * 5000
CALLS: dict[str, Any] = {
    "label": lambda: rg.evaluate_frame(FRAME.assign(label=[LONG, LONG]), "RR"),
    "run=": lambda: rg.evaluate_frame(FRAME, "RR", run=LONG),
    "score=": lambda: rg.evaluate_frame(FRAME, "RR", score=LONG),
    "query=": lambda: rg.evaluate_frame(FRAME, "RR", query=LONG),
    "run= of runs": lambda: rg.evaluate_runs(QRELS, FRAME, "RR", run=LONG),
    "from_frame": lambda: rg.Run.from_frame(FRAME, score=LONG),
    "path": lambda: rg.evaluate_frame(f"{LONG}.csv", "RR"),
    "folders": lambda: rg.evaluate_frame("a/" * 1000 + "x.csv", "RR"),
    "run file": lambda: rg.evaluate(QRELS, f"{LONG}.txt", "RR"),
    "qrels file": lambda: rg.Qrels.read("a/" * 1000 + "x"),
    "pattern": lambda: rg.evaluate_runs(QRELS, "a/" * 1000 + "*.txt", "RR"),
    "twice": lambda: rg.evaluate_frame(FRAME.assign(doc_id=[LONG, LONG]), "RR"),
    "judged twice": lambda: rg.Qrels(FRAME.assign(doc_id=[LONG, LONG], query_id=LONG)),
    "no number": lambda: rg.evaluate({LONG: {LONG: LONG}}, {}, "RR"),
    "measure": lambda: rg.evaluate_frame(FRAME, LONG),
    "convention": lambda: rg.evaluate_frame(FRAME, "RR", convention=LONG),
    "ties": lambda: rg.evaluate_frame(FRAME, "RR", ties=LONG),
    "duplicates": lambda: rg.evaluate_frame(FRAME, "RR", duplicates=LONG),  # type: ignore[call-overload]
    "column": lambda: rg.evaluate_frame(FRAME.assign(**{LONG: [None, 1.0]}), "RR", score=LONG),
    "columns": lambda: rg.evaluate_frame(pandas.DataFrame({LONG: [1]}), "RR"),
    "array": lambda: rg.evaluate_arrays([[LONG]], [[1]], "RR"),
    "ids": lambda: rg.evaluate_ids([[LONG, LONG]], [["a"]], "RR"),
    "policy of qrels": lambda: rg.Qrels(QRELS, duplicates=LONG),  # type: ignore[arg-type]
    "segment": lambda: rg.evaluate_frame(FRAME.assign(s=[LONG, "y"]), "RR", segment="s"),
}


@pytest.mark.parametrize("name", CALLS)
def test_errors_show_the_beginning_of_long_values(name: str) -> None:
    with pytest.raises((ValueError, TypeError, OSError)) as error:
        CALLS[name]()
    assert len(str(error.value)) < 1000


RATED = pandas.DataFrame({"user_id": ["u", "u", "v"], "y": [1.0, 0, -1], "p": [3.0, 2, 1]})
COLUMNS = {"query": "user_id", "label": "y", "score": "p"}
BAD = {
    "negative": ({"convention": "rankgain"}, -1.0),
    "not whole": ({"convention": "lightgbm"}, 0.5),
}
DOORS = {
    "label: list 1 (id 'v'), document 0": lambda bad, given: rg.evaluate_frame(
        RATED.assign(y=[1, 0, bad]), "nDCG@1", **COLUMNS, **given
    ),
    "qrels: list 0 (id 'q'), document 0": lambda bad, given: rg.evaluate(
        {"q": {"a": bad}}, {"q": {"a": 1.5}}, "nDCG@1", **given
    ),
    "relevant: list 0, the document at rank 1": lambda bad, given: rg.evaluate_ids(
        [["a"]], [{"a": bad}], "nDCG@1", **given
    ),
    "relevant: list 0 (id 'u'), the document at rank 1": lambda bad, given: rg.evaluate_ids(
        {"u": ["a"]}, {"u": {"a": bad}}, "nDCG@1", **given
    ),
    "y_true: list 0 (id 7), document 1": lambda bad, given: rg.evaluate_arrays(
        [1, bad], [2, 1], "nDCG@1", qid=np.array([7, 7]), **given
    ),
    "y_true: list 0, document 1": lambda bad, given: rg.evaluate_arrays(
        [[1, bad]], [[2, 1]], "nDCG@1", **given
    ),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("words", DOORS)
def test_the_argument_and_the_list_are_named(words, kind):
    given, bad = BAD[kind]
    with pytest.raises(ValueError, match=re.escape(words)):
        DOORS[words](bad, given)
