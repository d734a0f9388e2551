"""What is kept between calls has a bound, in number and in bytes."""

import threading

import numpy as np
import pytest

import rankgain as rg
from rankgain.engine import plan, prepared
from rankgain.engine.cache import Cache

STORES = {"calls": prepared.CALLS, "plans": prepared.PLANS, "weights": plan._tables}


def test_the_oldest_goes_when_there_are_too_many() -> None:
    kept: Cache[int, str] = Cache(3)
    for i in range(5):
        kept.keep(i, str(i))
    assert [kept.get(i) for i in range(5)] == [None, None, "2", "3", "4"]
    kept.keep(2, "again")
    kept.keep(5, "5")
    assert kept.values() == ["4", "again", "5"]


def test_the_oldest_goes_when_there_are_too_many_bytes() -> None:
    kept: Cache[str, int] = Cache(100, limit=10)
    for name, size in (("a", 4), ("b", 4), ("c", 3)):
        kept.keep(name, size, size)
    assert kept.values() == [4, 3]
    assert kept.nbytes == 7
    kept.keep("d", 11, 11)  # which would push out everything and then not fit
    assert kept.values() == [4, 3]
    kept.keep("b", 1, 1)
    assert kept.nbytes == 4
    kept.clear()
    assert (kept.values(), kept.nbytes) == ([], 0)


def test_many_weight_tables_stay_within_the_bound() -> None:
    """A table of a million ranks has 16 MB."""
    labels, scores = np.zeros(1 << 20), np.arange(1 << 20, dtype=np.float32)
    labels[-5:] = 1
    for p in np.linspace(0.5, 0.9, 12).tolist():
        rg.rbp(labels, scores, p=p)
        rg.evaluate_arrays(labels, scores, f"RBP(p={p})")
    for name, store in STORES.items():
        assert store.nbytes <= 1 << 26, name
    assert plan._tables.nbytes > 1 << 24  # at least one is kept
    assert len(plan._tables) >= 1


@pytest.mark.parametrize("name", STORES)
def test_many_calls_stay_within_the_bound(name: str) -> None:
    labels, scores = np.array([[1, 0, 2]]), np.array([[0.1, 0.2, 0.3]])
    for i in range(700):
        rg.rbp(labels, scores, p=0.1 + i / 2000)
        rg.evaluate_arrays(labels, scores, [f"RBP(p={0.1 + i / 2000})", "AP"])
    assert 0 < len(STORES[name]) <= 512


def test_threads_share_what_is_kept() -> None:
    kept: Cache[int, int] = Cache(7, limit=50)

    def work(first: int) -> None:
        for i in range(3000):
            kept.keep((first * i) % 23, i, i % 9)

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3, 5)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(kept) <= 7
    assert 0 <= kept.nbytes <= 50
