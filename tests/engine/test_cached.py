"""What is cached between calls has a bound, in number and in bytes."""

import threading

import numpy as np
import pytest

import rankgain as rg
from rankgain.engine import columns, plan
from rankgain.engine.plan import Cache

STORES = {"calls": columns.CALLS, "plans": columns.PLANS, "weights": plan._WEIGHT_TABLES}


def test_the_oldest_goes_when_there_are_too_many_bytes() -> None:
    cached: Cache[str, int] = Cache(100, limit=10)
    for name, size in (("a", 4), ("b", 4), ("c", 3)):
        cached.keep(name, size, size)
    assert list(cached.values()) == [4, 3]
    assert cached.nbytes == 7
    cached.keep("d", 11, 11)  # which would push out everything and then not fit
    assert list(cached.values()) == [4, 3]
    cached.keep("b", 1, 1)
    assert cached.nbytes == 4
    cached.clear()
    assert (dict(cached), cached.nbytes) == ({}, 0)


@pytest.mark.parametrize("name", STORES)
def test_many_calls_stay_within_the_bound(name: str) -> None:
    labels, scores = np.array([[1, 0, 2]]), np.array([[0.1, 0.2, 0.3]])
    for i in range(700):
        rg.rbp(labels, scores, p=0.1 + i / 2000)
        rg.evaluate_arrays(labels, scores, [f"RBP(p={0.1 + i / 2000})", "AP"])
    assert 0 < len(STORES[name]) <= 512


def test_threads_share_what_is_kept() -> None:
    cached: Cache[int, int] = Cache(7, limit=50)

    def work(first: int) -> None:
        for i in range(3000):
            cached.keep((first * i) % 23, i, i % 9)

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3, 5)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(cached) <= 7
    assert 0 <= cached.nbytes <= 50
