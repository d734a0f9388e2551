"""Several columns that name the list of a row together: the bits of tuples as ids."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.cli import main

pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


MEASURES = ["nDCG@5", "AP", "RR"]
BY = ["user", "session", "device"]


def rows(seed: int, count: int = 700, ordered: bool = False) -> Any:
    """Users and sessions of few values, so that no column alone names a list."""
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame({
        "user": [f"ü{one}" for one in rng.integers(0, 7, count)],
        "session": rng.integers(-3, 3, count),
        "device": [("phone", "phon", "e")[one] for one in rng.integers(0, 3, count)],
        "label": rng.integers(0, 3, count),
        "score": rng.integers(0, 9, count) / 4,
    })  # fmt: skip
    return frame.sort_values(BY, kind="stable", ignore_index=True) if ordered else frame


def expected(frame: Any, by: list[str] = BY, text: bool = False) -> Any:
    ids = np.empty(len(frame), object)
    columns = [frame[one].tolist() for one in by]
    ids[:] = list(zip(*([str(x) for x in one] if text else one for one in columns), strict=True))
    return rg.evaluate_arrays(frame["label"], frame["score"].to_numpy(), MEASURES, qid=ids)


@pytest.mark.parametrize("size", [1, 7, 200])
def test_streams(size: int) -> None:
    frame = rows(2, ordered=True)
    batches = pa.Table.from_pandas(frame).to_batches(max_chunksize=size)
    names: Any = {"query": BY, "label": "label", "score": "score"}
    assert rg.evaluate_batches(batches, MEASURES, **names) == expected(frame)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows(4).to_csv(tmp_path / "a.csv", index=False)
    options = ["--query", "user", "--query", "session", "-m", "AP", "--format", "csv"]
    assert main(["table", str(tmp_path / "a.csv"), *options]) == 0
    mean = expected(rows(4), BY[:2])["AP"]
    assert capsys.readouterr().out.splitlines()[1].endswith(f",{mean!r}")
