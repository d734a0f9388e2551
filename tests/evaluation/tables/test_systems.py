"""Several systems in one table: each has the values that its rows or its column have alone."""

import pickle
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from frame_forms import in_form
from pairwise import rows_of
from rankgain.cli import main

pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")


MEASURES = ["nDCG@5", "AP", "RR", "AUC"]

NAMES = {
    "text": ["bm25", "dense", "ü, x"],
    "int": [3, 1, 2],
    "bool": [True, False, True],
    "date": [date(2026, 1, day) for day in (1, 2, 3)],
}

AXES = {
    "form": ["pandas", "polars", "lazy", "arrow", "csv", "parquet"],
    "systems": ["run", "names", "list"],
    "kind": list(NAMES),
    "by": [["user"], ["user", "day"]],
    "order": ["any", "adjacent"],
    "ties": ["average", "stable", "id", "random"],
    "others": [
        {}, {"weight": "w"}, {"segment": "country"},
        *({"doc": "doc", "duplicates": policy} for policy in ("first", "in_place")),
    ],
}  # fmt: skip

CASES = [(seed, case) for seed in range(5) for case in rows_of(AXES)]


def table_of(seed: int, kind: str = "text", order: str = "any", count: int = 300) -> Any:
    """Users of three systems, not each with each."""
    rng = np.random.default_rng(seed)
    user = rng.integers(0, 9, count)
    frame = pandas.DataFrame({
        "system": pandas.Series([NAMES[kind][one] for one in rng.integers(0, 3, count)]),
        "user": [f"u{one}" for one in user],
        "day": rng.integers(0, 2, count),
        "doc": rng.permutation(count),
        "label": rng.integers(0, 3, count) * rng.integers(0, 2, count),
        "score": rng.integers(0, 9, count) / 4,
        "other": rng.integers(0, 9, count) / 8,
        "w": user % 3 + 0.5,
        "country": [("de", "fr")[one % 2] for one in user],
    })  # fmt: skip
    if order == "adjacent":
        frame = frame.sort_values(["system", "user", "day"], kind="stable", ignore_index=True)
    return frame


def alone(frame: Any, score: str, by: list[str], ties: str, others: Any, text: bool) -> Any:
    """What arrays of the rows have, and the ids of queries."""
    ids = np.empty(len(frame), object)
    columns = [frame[one].map(str) if text else frame[one] for one in by]
    ids[:] = list(zip(*columns, strict=True)) if len(by) > 1 else columns[0].tolist()
    weight = None
    if "weight" in others:
        weight = dict(zip(ids.tolist(), frame["w"].tolist(), strict=True))
    docs = frame["doc"].to_numpy() if ties == "id" else None
    scores = frame[score].to_numpy()
    return rg.evaluate_arrays(
        frame["label"], scores, MEASURES, qid=ids, ties=ties, weight=weight, ids=docs
    )


@pytest.mark.parametrize(("seed", "case"), CASES)
def test_each_system_has_the_bits_of_its_rows(
    seed: int, case: dict[str, Any], tmp_path: Path
) -> None:
    form, systems, by, others = (case[one] for one in ("form", "systems", "by", "others"))
    frame = table_of(seed, case["kind"], case["order"])
    source = in_form(frame, form, tmp_path)
    names: dict[str, Any] = {"run": "system"}
    if systems != "run":
        both = {"a": "score", "b": "other"}
        names = {"score": both if systems == "names" else list(both.values())}
    options: dict[str, Any] = {"query": by, "doc": "doc", "ties": case["ties"], "seed": 0, **others}
    result = rg.evaluate_frame(source, MEASURES, **names, **options)
    if systems == "run":
        parts = {str(one): frame[frame["system"] == one] for one in frame["system"].unique()}
        columns = dict.fromkeys(parts, "score")
    else:
        parts = dict.fromkeys(("a", "b") if systems == "names" else ("score", "other"), frame)
        columns = dict(zip(parts, ("score", "other"), strict=True))
    assert list(result) == list(parts)
    for name, rows in parts.items():
        is_text = form == "csv"
        expected = alone(rows, columns[name], by, case["ties"], others, is_text)
        assert list(result[name].queries) == list(expected.queries)
        assert dict(result[name].means) == dict(expected.means)
        for measure, values in expected.per_query.items():
            assert result[name].per_query[measure].tobytes() == values.tobytes()
        # The column "user" says that the queries are users; arrays do not.
        counts = dict(expected.counts)
        if by == ["user"]:
            counts["users"] = len(expected)
        assert result[name].counts == counts
        assert (result[name].segments is None) == ("segment" not in others)


def test_segments_are_printed_and_compared() -> None:
    frame = table_of(3, count=900)
    result = rg.evaluate_frame(frame, ["AP"], run="system", query="user", segment="country")
    one = result["bm25"]
    rows = [line.split() for line in str(one).splitlines() if line.startswith(("de", "fr"))]
    expected = dict(one.by(one.segments).items())
    assert rows == [[name, f"{part['AP']:.4f}", str(len(part))] for name, part in expected.items()]
    assert "segment  run        AP  queries" in str(result)
    for run, whole in result.items():
        for name, part in whole.by().items():
            cells = [name, run, f"{part['AP']:.4f}", str(len(part))]
            assert cells in [line.split() for line in str(result).splitlines()] or " " in run
    assert dict(one.by()) == expected
    rows = result.compare(by="segment").rows
    labels = dict(zip(one.queries, one.segments, strict=True))
    assert repr(rows) == repr(result.compare(by=labels).rows)
    assert "segment" not in str(one.by())


def test_many_segments_are_cut() -> None:
    frame = table_of(3, count=900).assign(part=lambda table: table["user"] + "x")
    frame["user"] = [f"{user}-{at % 5}" for at, user in enumerate(frame["user"])]
    frame["part"] = frame["user"]
    columns: Any = {"query": "user", "run": None, "score": "score", "segment": "part"}
    text = str(rg.evaluate_frame(frame, "AP", **columns))
    assert "and 25 more rows: .by() has all segments" in text
    assert len(text.splitlines()) == 2 + 1 + 20 + 1 + 1


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame, path = table_of(4), str(tmp_path / "a.csv")
    frame.to_csv(path, index=False)
    base = ["table", path, "--query", "user", "-m", "AP", "--format", "csv"]

    def means(*arguments: str) -> dict[str, float]:
        assert main([*base, *arguments]) == 0
        cells = [line.rpartition(",") for line in capsys.readouterr().out.splitlines()[1:]]
        return {name.strip('"'): float(mean) for name, _, mean in cells}

    by_run = rg.evaluate_frame(frame, "AP", query="user", run="system", segment="country")
    expected = {name: one["AP"] for name, one in by_run.items()}
    assert means("--run", "system") == expected
    with_segments = means("--run", "system", "--segment", "country")
    expected |= {f"{a}, {b}": y["AP"] for a, x in by_run.items() for b, y in x.by().items()}
    assert with_segments == expected
    both = rg.evaluate_frame(frame, "AP", query="user", score={"a": "score", "b": "other"})
    assert means("--score", "a=score", "--score", "b=other") == {
        k: v["AP"] for k, v in both.items()
    }
    assert list(means("--score", "score", "--score", "other")) == ["score", "other"]
    assert main([*base, "--score", "score", "--score", "b=other"]) == 1
    assert "all as NAME=COLUMN, or all as COLUMN" in capsys.readouterr().err
    assert main([*base, "--score", "b=score", "--score", "b=other"]) == 1
    assert "a name of its own" in capsys.readouterr().err
    assert main([*base, "--run", "system", "--fail-under", "AP=0.9999"]) == 3
    assert capsys.readouterr().err.count("under 0.9999") == 3


ORDER = ["short", "mid", "none", "long"]

FRAME = pandas.DataFrame({
    "query": [1, 1, 2, 2, 3, 3],
    "label": [1, 0, 0, 1, 1, 0],
    "score": [3.0, 2, 3, 2, 1, 5],
    "length": ["mid", "mid", "long", "long", "short", "short"],
})  # fmt: skip


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


@pytest.mark.parametrize("form", ["ordered", "unordered", "polars"])
@pytest.mark.parametrize("turned", [False, True])
def test_lists_that_are_selected_keep_the_order_of_categories(form: str, turned: bool) -> None:
    """Of a system, in whatever order its lists come, of a part, and of lists that two share."""
    frame = as_frame(form)
    second = frame[::-1] if turned else frame
    if form == "polars":
        of_systems = [
            rows.with_columns(system=polars.lit(name))
            for name, rows in (("x", frame), ("y", second))
        ]
        table = polars.concat(of_systems)
    else:
        table = pandas.concat([frame.assign(system="x"), second.assign(system="y")])
    result = rg.evaluate_frame(table, "RR", segment="length", run="system")
    for name in ("x", "y"):
        assert list(result[name].by()) == ["short", "mid", "long"]
        assert [part.queries for part in result[name].by().values()] == [(3,), (1,), (2,)]
        for labels in ({1: "m", 2: "m", 3: "m"}, ["m", "m", "m"]):
            [part] = result[name].by(labels).values()
            assert list(part.by()) == ["short", "mid", "long"]
            lines = str(part).splitlines()
            assert [line.split()[0] for line in lines[3:6]] == ["short", "mid", "long"]
    assert rg.compare(result, by="segment").segments == ("short", "mid", "long")
    for rows, segments in ((frame[:4], ("mid", "long")), (frame[2:], ("short", "long"))):
        fewer = rg.evaluate_frame(rows, "RR", segment="length")
        pair = {"x": result["x"], "fewer": fewer}
        assert rg.compare(pair, by="segment", queries="common").segments == segments
