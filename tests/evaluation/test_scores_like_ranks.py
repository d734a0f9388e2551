"""Scores that look like ranks are warned about, where the order of rows says something."""

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


def test_the_remedy_gives_the_number_that_is_meant() -> None:
    with pytest.warns(rg.RankgainWarning, match="pass rank='prediction'"):
        assert rg.evaluate_frame(FRAME, "RR")["RR"] == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)
    assert rg.evaluate_frame(FRAME, "RR", rank="prediction")["RR"] == 1
