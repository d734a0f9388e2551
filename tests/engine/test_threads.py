"""The same bits for any number of threads, and calls that do not disturb each other."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
import strategies
from rankgain import _core
from rankgain.engine import threads as batches


@pytest.fixture(scope="module")
def lists() -> Any:
    """Lists of 0 to 400 documents, many ties, and one list as long as all others together."""
    labels, scores, sizes = strategies.ragged(3000, 400, seed=4)
    rng = np.random.default_rng(5)
    long = len(labels)
    labels = np.concatenate([labels, rng.integers(0, 5, long)])
    scores = np.concatenate([scores, rng.random(long, np.float32)])
    return labels, scores, np.append(sizes, long)


def test_errors_name_the_first_list() -> None:
    """Whichever thread meets its own bad list first."""
    scores = np.zeros((2000, 20))
    scores[[1900, 1001, 57], [3, 4, 5]] = np.nan
    messages = set()
    for threads in (1, 2, 8):
        with pytest.raises(ValueError, match="57") as caught:
            rg.ndcg(np.ones((2000, 20)), scores, threads=threads)
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_what_goes_wrong_in_a_part_is_raised_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(lists: Any, low: int, high: int) -> None:
        raise MemoryError(f"no memory from list {low} on")

    monkeypatch.setattr(batches, "batches", broken)
    labels, scores = np.ones((300, 100)), np.ones((300, 100), np.float32)
    with pytest.raises(MemoryError, match="no memory from list"):
        rg.ndcg(labels, scores, threads=3)


@pytest.mark.parametrize("aside", [False, True])
def test_a_thread_that_dies_is_waited_for_no_longer(
    aside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where memory runs out before it runs a line: nothing is returned in place of its part."""
    start = batches.start_new_thread
    monkeypatch.setattr(batches, "start_new_thread", lambda _, held: start(lambda *_: None, held))
    stop = _core.Stop()

    def call() -> Any:
        return batches.run_parts(lambda part: part, [(0, 1), (1, 2), (2, 3)], 3, stop, aside)

    if aside:  # this thread took none
        with pytest.raises(MemoryError, match="out of memory: a worker thread stopped early"):
            call()
    else:
        assert call() == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("what", [MemoryError, RuntimeError])
def test_no_thread_at_all_is_to_be_had(what: type[Exception], monkeypatch: Any) -> None:
    def refuse(*_: Any) -> None:
        raise what

    monkeypatch.setattr(batches, "start_new_thread", refuse)
    parts = [(0, 1), (1, 2)]
    assert batches.run_parts(lambda part: part, parts, 2, _core.Stop(), True) == parts


def test_fewer_threads_than_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise RuntimeError("can't start new thread")

    rng = np.random.default_rng(8)
    labels, scores = rng.integers(0, 5, (300, 100)), rng.random((300, 100), np.float32)
    alone = rg.ndcg(labels, scores)
    monkeypatch.setattr(batches, "start_new_thread", refuse)
    assert rg.ndcg(labels, scores, threads=3).tobytes() == alone.tobytes()
