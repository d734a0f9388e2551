"""A run is read in two threads where they can be started, and in one where they cannot."""

from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from rankgain.engine import threads

QRELS = {f"q{i}": {f"d{j}": j % 3 for j in range(9)} for i in range(9)}


@pytest.mark.parametrize("error", [None, RuntimeError("can't start new thread"), MemoryError()])
def test_a_thread_that_cannot_be_started(
    error: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = {query: {f"d{j}": float(j * 7 % 5) for j in range(9)} for query in QRELS}
    path = tmp_path / "run"
    rg.Run(run).write(path)
    expected = rg.evaluate(QRELS, path, "AP")
    started = []

    def start(*arguments: Any) -> Any:
        started.append(1)
        if error is not None:
            raise error
        return start_new_thread(*arguments)

    start_new_thread = threads.start_new_thread
    monkeypatch.setattr(threads, "start_new_thread", start)
    assert rg.evaluate(QRELS, path, "AP", threads=2) == expected
    assert started
