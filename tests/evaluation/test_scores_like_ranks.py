"""Scores that look like ranks are warned about, where the order of rows says something."""

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

FRAME = pd.DataFrame(
    {
        "user_id": ["a"] * 3 + ["b"] * 2 + ["c"],
        "item_id": list("xyzxyx"),
        "prediction": [1, 2, 3, 1, 2, 1],
        "target": [1, 0, 0, 1, 0, 1],
    }
)
RETRIEVED = FRAME[["user_id", "item_id", "prediction"]]
QRELS = {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1}}
DICT = {"a": {"x": 1, "y": 2, "z": 3}, "b": {"x": 1, "y": 2}, "c": {"x": 1}}
NOT_RANKS = [
    [1, 2, 3, 1, 3, 1],  # one list is not
    [3, 2, 1, 2, 1, 1],
    [1, 2, 4, 1, 2, 1],
    [0, 1, 2, 0, 1, 0],
    [1.5, 2.5, 3.5, 1, 2, 1],
]


@contextmanager
def silent() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def table(frame: Any, **options: Any) -> Any:
    return rg.evaluate_frame(frame, "RR", **options)


def stream(frame: Any) -> Any:
    arrow = pytest.importorskip("pyarrow")
    names = {"query": "user_id", "label": "target", "score": "prediction"}
    batches = arrow.Table.from_pandas(frame).to_batches(max_chunksize=2)
    return rg.evaluate_batches(iter(batches), "RR", **names)


DOORS = {
    "frame": table,
    "systems": lambda frame: table(
        frame.assign(other=9 - frame.index), score=["other", "prediction"]
    ),
    "run": lambda frame: table(frame.assign(model="m"), run="model"),
    "truth": lambda frame: table(frame.drop(columns="target"), truth=QRELS),
    "stream": stream,
    "ids": lambda frame: rg.evaluate_ids(
        frame.drop(columns="target"), {"a": ["x"], "b": ["x"], "c": ["x"]}, "RR"
    ),
    "Run": lambda frame: rg.Run(frame.drop(columns="target")),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door(door: str) -> None:
    with pytest.warns(rg.RankgainWarning, match=r"scores look like ranks.*rank") as caught:
        DOORS[door](FRAME)
    assert len(caught) == 1
    with silent():
        for values in NOT_RANKS:
            DOORS[door](FRAME.assign(prediction=values))
        DOORS[door](FRAME.iloc[[2, 0, 1, 4, 3, 5]])  # the order of rows is another
        DOORS[door](FRAME.iloc[[0, 1, 2, 3, 5]])  # a single list of several documents


def test_the_remedy_gives_the_number_that_is_meant() -> None:
    with pytest.warns(rg.RankgainWarning, match="pass rank='prediction'"):
        assert rg.evaluate_frame(FRAME, "RR")["RR"] == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)
    with silent():
        assert rg.evaluate_frame(FRAME, "RR", rank="prediction")["RR"] == 1


@pytest.mark.parametrize("ties", [{}, {"ties": "stable"}, {"bounds": "ties"}])
def test_dicts(ties: Any) -> None:
    with pytest.warns(rg.RankgainWarning, match="scores look like ranks.*negate them") as caught:
        rg.evaluate(QRELS, DICT, "RR", **ties)
    assert len(caught) == 1
    with silent():
        rg.evaluate(QRELS, {**DICT, "b": {"x": 2, "y": 1}}, "RR", **ties)
        rg.evaluate(QRELS, {q: list(docs) for q, docs in DICT.items()}, "RR", **ties)
        rg.evaluate(
            QRELS, {q: {d: -s for d, s in docs.items()} for q, docs in DICT.items()}, "RR", **ties
        )
        rg.evaluate(QRELS, {"a": DICT["a"], "b": {"x": 1}, "c": {"x": 1}}, "RR", **ties)
        rg.evaluate(QRELS, {**DICT, "a": {"x": 1, "y": 2}}, "RR", **ties)  # lists of two documents


def test_files(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(DICT))
    RETRIEVED.to_csv(tmp_path / "run.csv", index=False)
    for name, called in (("run.json", "run"), ("run.csv", r".*run\.csv")):
        with pytest.warns(rg.RankgainWarning, match=f"{called}: the scores look like ranks"):
            rg.Run(tmp_path / name)


def test_a_long_file_is_looked_at_as_a_whole(tmp_path: Path, monkeypatch: Any) -> None:
    pytest.importorskip("pyarrow")
    from rankgain.evaluation.tables import frame as long_file

    for name, size in (("ROWS", 2), ("SMALL", 0), ("MIN_ROWS", 1), ("BYTES", 20)):
        monkeypatch.setattr(long_file, name, size)
    for name in ("a.csv", "a.parquet"):
        path = tmp_path / name
        for order, rows in (("adjacent", range(6)), ("any", [0, 3, 1, 4, 2, 5])):
            frame = FRAME.iloc[list(rows)]
            frame.to_csv(path, index=False) if name == "a.csv" else frame.to_parquet(path)
            with pytest.warns(rg.RankgainWarning, match="look like ranks") as caught:
                rg.evaluate_frame(path, "RR")
            assert len(caught) == 1, order
        late = FRAME.assign(prediction=[1, 2, 3, 2, 1, 1])  # seen in the last part alone
        late.to_csv(path, index=False) if name == "a.csv" else late.to_parquet(path)
        with silent():
            rg.evaluate_frame(path, "RR")
        back = pd.DataFrame({"user_id": list("aabbbaa"), "prediction": [1, 2, 1, 2, 3, 3, 4]})
        back["target"] = 1
        back.to_csv(path, index=False) if name == "a.csv" else back.to_parquet(path)
        with pytest.warns(rg.RankgainWarning, match="look like ranks"):
            rg.evaluate_frame(path, "RR")  # the rows of "a" are apart
