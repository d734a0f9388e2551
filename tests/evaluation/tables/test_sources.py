"""Tables that are many files, or a data set: the bits of one frame with their rows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg

pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
pytest.importorskip("pyarrow.dataset")


MEASURES = ["nDCG@5", "AP", "RR"]
NAMES: dict[str, Any] = {"query": "user", "label": "label", "score": "score"}


def table_of(seed: int, count: int = 240) -> Any:
    rng = np.random.default_rng(seed)
    return pandas.DataFrame({
        "system": [("a", "b")[one] for one in rng.integers(0, 2, count)],
        "user": [f"00{one}" for one in rng.integers(0, 12, count)],
        "label": rng.integers(0, 3, count),
        "score": rng.integers(0, 9, count) / 4,
    })  # fmt: skip


def test_columns_that_folders_name(tmp_path: Path) -> None:
    frame = table_of(6)
    frame.to_parquet(tmp_path / "t", partition_cols=["system"])
    result = rg.evaluate_frame(tmp_path / "t", MEASURES, query="user", run="system")
    assert list(result) == ["a", "b"]
    assert result["b"] == rg.evaluate_frame(
        frame[frame["system"] == "b"], MEASURES, query="user", run=None
    )
    named = tmp_path / "s" / "day=1%2F2"
    named.mkdir(parents=True)
    for name in ("x.csv", "y.csv"):
        frame.assign(user=name).to_csv(named / name, index=False)
    result = rg.evaluate_frame(tmp_path / "s", "AP", query=["user", "day"], run=None)
    assert list(result.queries) == [("x.csv", "1/2"), ("y.csv", "1/2")]


def test_data_sets_of_hugging_face() -> None:
    datasets = pytest.importorskip("datasets")
    frame = table_of(8).sort_values("user", kind="stable", ignore_index=True)
    whole = datasets.Dataset.from_pandas(frame)
    expected = rg.evaluate_frame(frame, MEASURES, query="user", run=None)
    assert rg.evaluate_frame(whole, MEASURES, query="user", run=None) == expected
    formatted = whole.with_format("numpy")
    assert rg.evaluate_frame(formatted, MEASURES, query="user", run=None) == expected
    some = whole.filter(lambda row: row["system"] == "a")
    assert rg.evaluate_frame(some, MEASURES, query="user", run=None) == rg.evaluate_frame(
        frame[frame["system"] == "a"], MEASURES, query="user"
    )
    for source in (whole, whole.to_iterable_dataset()):
        assert rg.evaluate_batches(source, MEASURES, **NAMES) == expected
    with pytest.raises(TypeError, match=r"DatasetDict holds tables: give one, such as \['test'\]"):
        rg.evaluate_frame(datasets.DatasetDict(test=whole), MEASURES)
    with pytest.raises(TypeError, match="IterableDataset is a stream: give it to evaluate_batches"):
        rg.evaluate_frame(whole.to_iterable_dataset(), MEASURES)
