"""Evaluations.from_frame: tables of scores, wide and long, in frames and files."""

import math

import numpy as np
import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
arrow = pytest.importorskip("pyarrow")

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


def as_file(path, frame):
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


FRAMES = {
    "pandas": lambda frame: frame,
    "nullable pandas": lambda frame: frame.convert_dtypes(),
    "polars": polars.from_pandas,
    "lazy polars": lambda frame: polars.from_pandas(frame).lazy(),
    "Arrow": arrow.Table.from_pandas,
}


@pytest.mark.parametrize("form", FRAMES)
@pytest.mark.parametrize("shape", [wide, long])
def test_frames_of_all_libraries(form, shape):
    check(rg.Evaluations.from_frame(FRAMES[form](shape())))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".jsonl", ".csv.gz"])
@pytest.mark.parametrize("shape", [wide, long])
def test_files(tmp_path, suffix, shape):
    path = tmp_path / f"scores{suffix}"
    as_file(path, shape())
    check(rg.Evaluations.from_frame(path))
    check(rg.Evaluations.from_frame(str(path), run="system", query="task"))


def test_named_columns_are_taken_and_others_left_alone():
    frame = wide().rename(columns={"system": "who", "task": "what"}).assign(note="text")
    check(rg.Evaluations.from_frame(frame, run="who", query="what", values=["accuracy", "seconds"]))
    one = rg.Evaluations.from_frame(frame, run="who", query="what", values="seconds")
    assert list(one["new"]) == ["seconds"]
    renamed = long().rename(columns={"metric": "m", "score": "v"})
    check(rg.Evaluations.from_frame(renamed, measure="m", value="v"))


def test_rows_that_are_absent_from_a_long_table_are_missing_scores():
    check(rg.Evaluations.from_frame(long().dropna()))


def test_a_query_without_any_row_is_not_there():
    evaluations = rg.Evaluations.from_frame(wide().iloc[:5])
    assert tuple(evaluations["old"].queries) == ("qa", "sum")
    with pytest.raises(ValueError, match="'code' only in 'new'"):
        evaluations.compare()
    comparison = evaluations.compare(queries="common")
    assert comparison.queries == 2
    assert comparison.left_out == {"new": 1}


@pytest.mark.parametrize("shape", [wide, long])
def test_a_system_may_begin_with_a_later_query(shape):
    frame = shape()
    frame = frame[(frame.system != "old") | (frame.task != "qa")]
    old = rg.Evaluations.from_frame(frame)["old"]
    assert tuple(old.queries) == ("sum", "code")
    assert old.per_query["seconds"].tolist() == [4, 1]


def test_a_query_with_missing_scores_only_is_there():
    frame = wide().assign(seconds=[3, 2, None, 4, 1, 1])
    new = rg.Evaluations.from_frame(frame)["new"]
    assert tuple(new.queries) == ("qa", "sum", "code")
    assert new.counts["undefined"] == {"accuracy": 1, "seconds": 1}


def test_systems_become_text_and_queries_stay():
    frame = pandas.DataFrame({"system": [2, 2, 1, 1], "query": [7, 3, 3, 7], "f1": [1, 0, 1, 1]})
    evaluations = rg.Evaluations.from_frame(frame)
    assert list(evaluations) == ["2", "1"]
    assert tuple(evaluations["1"].queries) == (7, 3)
    assert evaluations["1"].per_query["f1"].tolist() == [1, 1]


def test_several_columns_name_a_query():
    frame = wide().assign(language=["de", "de", "de", "de", "en", "en"])
    evaluations = rg.Evaluations.from_frame(frame, query=["language", "task"], values="seconds")
    assert next(iter(evaluations["new"].queries)) == ("de", "qa")


def test_the_numbers_are_those_of_from_values():
    rng = np.random.default_rng(3)
    table = rng.random((40, 3))
    frame = pandas.DataFrame(
        {
            "model": np.repeat(["a", "b", "c"], 40),
            "query_id": np.tile(np.arange(40), 3),
            "f1": table.T.ravel(),
        }
    ).sample(frac=1, random_state=0)
    evaluations = rg.Evaluations.from_frame(frame)
    by_values = {
        name: rg.Evaluation.from_values({"f1": column}, range(40))
        for name, column in zip("abc", table.T, strict=True)
    }
    for name, expected in by_values.items():
        assert evaluations[name].to_dict() == expected.to_dict()
        assert evaluations[name].means == expected.means


def test_better_is_as_in_from_values():
    evaluations = rg.Evaluations.from_frame(wide(), better={"seconds": "lower"})
    assert evaluations["new"].better == {"accuracy": "higher", "seconds": "lower"}


@pytest.mark.parametrize(
    ("frame", "options", "words"),
    [
        (wide(), {"run": "who"}, r"no column 'who' \(run=\)\. Columns: system, task"),
        (wide(), {"query": "what"}, r"no column 'what'"),
        (wide(), {"values": ["x"]}, r"no column 'x'"),
        (wide(), {"values": []}, "no column is named"),
        (wide(), {"values": 3}, "must be the name of a column"),
        (wide(), {"values": ["seconds", "seconds"]}, "named twice"),
        (wide(), {"values": "task"}, "named for two roles"),
        (wide(), {"values": "seconds", "measure": "task"}, "give one of them"),
        (wide(), {"measure": "m"}, r"no column 'm'"),
        (long(), {"value": "m"}, r"no column 'm'"),
        (wide().drop(columns="system"), {}, "no run column found"),
        (wide()[["system", "task"]], {}, "no column of scores"),
        (wide().assign(note="x"), {}, "row 1: 'note' must hold scores, not 'x'; name the"),
        (wide().assign(seconds=math.inf), {}, "row 1: 'seconds' is inf"),
        (wide().assign(system=[None, *"abcde"]), {}, "row 1: system has no value"),
        (wide().assign(task=[1.0, math.nan, 2, 3, 4, 5]), {}, "row 2: task "),
        (wide().iloc[:0], {}, "has no rows"),
        (long().assign(metric=1), {}, "must hold names of measures"),
        (pandas.concat([wide(), wide()[:1]]), {}, r"'new', 'qa' \(rows 1 and 7\)"),
        (
            pandas.concat([long(), long()[:2]]),
            {},
            r"'new', 'qa', 'accuracy' \(rows 1 and 13\); 'old', 'qa', 'accuracy' \(rows 2 and 14\)",
        ),
    ],
)
def test_bad_tables_are_errors_that_say_what_to_do(frame, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        rg.Evaluations.from_frame(frame, **options)


@pytest.mark.parametrize(
    ("field", "is_read"), [("nan", True), ("", True), ("NA", True), ("x", False)]
)
def test_fields_of_text_files(tmp_path, field, is_read):
    path = tmp_path / "scores.csv"
    path.write_text(f"system,task,f1\na,qa,0.5\na,sum,{field}\n")
    if is_read:
        assert rg.Evaluations.from_frame(path)["a"]["f1"] == 0.5
    else:
        with pytest.raises(ValueError, match="row 2: 'f1' must hold scores, not 'x'"):
            rg.Evaluations.from_frame(path)


def test_one_system_makes_no_comparison():
    evaluations = rg.Evaluations.from_frame(wide()[wide().system == "new"])
    with pytest.raises(ValueError, match="at least two"):
        evaluations.compare()


def test_one_query_has_no_interval_and_no_error():
    row = rg.Evaluations.from_frame(wide().iloc[:2]).compare(measures="seconds").rows[0]
    assert row.lists == 1
    assert math.isnan(row.low)
    assert row.p == 1.0
