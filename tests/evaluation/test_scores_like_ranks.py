"""Scores that look like ranks are warned about, where the order of rows says something."""

import json
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

FRAME = pd.DataFrame({
    "user_id": ["a"] * 3 + ["b"] * 2 + ["c"],
    "item_id": list("xyzxyx"),
    "prediction": [1, 2, 3, 1, 2, 1],
    "target": [1, 0, 0, 1, 0, 1],
})  # fmt: skip
RETRIEVED = FRAME[["user_id", "item_id", "prediction"]]
QRELS = {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1}}
DICT = {"a": {"x": 1, "y": 2, "z": 3}, "b": {"x": 1, "y": 2}, "c": {"x": 1}}


def test_the_remedy_gives_the_number_that_is_meant() -> None:
    with pytest.warns(rg.RankgainWarning, match="pass rank='prediction'"):
        assert rg.evaluate_frame(FRAME, "RR")["RR"] == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)
    assert rg.evaluate_frame(FRAME, "RR", rank="prediction")["RR"] == 1


@pytest.mark.parametrize("ties", [{}, {"ties": "stable"}, {"bounds": "ties"}])
def test_dicts(ties: Any) -> None:
    with pytest.warns(rg.RankgainWarning, match="scores look like ranks.*negate them") as caught:
        rg.evaluate(QRELS, DICT, "RR", **ties)
    assert len(caught) == 1
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


DOORS: dict[str, Any] = {
    "Run": rg.Run.from_frame,
    "evaluate_frame": lambda rows: rg.evaluate_frame(rows, "RR"),
    "evaluate_ids": lambda rows: rg.evaluate_ids(
        rows.drop(columns="target"), {user: ["x"] for user in "abc"}, "RR"
    ),
    "evaluate_catalogue": lambda rows: rg.evaluate_catalogue(
        rows.drop(columns="target"), "Coverage@1", catalogue=9
    ),
}


@pytest.mark.parametrize("order", ["by user", "by rank", "users turned"])
@pytest.mark.parametrize("door", DOORS)
def test_the_rows_of_a_list_may_be_apart(door: str, order: str) -> None:
    rows = FRAME
    if order == "by rank":
        rows = rows.sort_values("prediction", kind="stable")
    elif order == "users turned":
        rows = rows.sort_values("user_id", ascending=False, kind="stable")
    with pytest.warns(rg.RankgainWarning, match="the scores look like ranks"):
        DOORS[door](rows)
    # Turned rows fall in each list, whatever the order of the lists.
    DOORS[door](rows[::-1])
