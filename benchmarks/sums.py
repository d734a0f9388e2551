"""Exact sums against numpy.sum, and Poisson resamples against NumPy drawing them; in turns.

    python benchmarks/sums.py

Seconds are of this process on a processor, the best of several rounds: others may share it.
"""

import resource
import time
from collections.abc import Callable

import numpy as np

import tables
from rankgain import _core
from rankgain.results.sums.exact import exact_sum

ROUNDS = 7


def best_of(sides: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(rounds):
        for name, call in sides.items():
            start = time.process_time()
            call()
            best[name] = min(best[name], time.process_time() - start)
    return best


def row(title: str, best: dict[str, float], more: str = "") -> tuple[str, str, str, str]:
    """Rankgain's side is the first one."""
    (_, ours), (other, theirs) = best.items()
    beside = f"{other}: {tables.seconds(theirs)}"
    return title, tables.seconds(ours) + more, beside, verdict(ours, theirs)


def verdict(ours: float, theirs: float) -> str:
    return f"{theirs / ours:.2g}x faster" if theirs > ours else f"{ours / theirs:.2g}x slower"


def rows() -> list[tuple[str, str, str, str]]:
    rng = np.random.default_rng(0)
    values, weights = rng.random(10_000_000), rng.random(10_000_000)
    plain = {"exact": lambda: exact_sum(values), "`numpy.sum`": lambda: np.sum(values)}
    weighted = {
        "exact": lambda: exact_sum(values, weights),
        "`numpy.sum` of products": lambda: np.sum(values * weights),
    }
    lists, replicates = 1_000_000, 200
    few = values[:lists].copy()
    codes = rng.integers(0, 2**64, lists, np.uint64)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counted = {"exact": lambda: _core.poisson_sums([(few, None)], codes, replicates, 0)}
    drawn = best_of(counted, 3)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    # Before the BLAS has threads, which wait busily for some time after each call.
    sums = best_of(plain, ROUNDS), best_of(weighted, ROUNDS)
    peer = "NumPy drawing `poisson(1)`"
    drawn |= best_of({peer: lambda: [rng.poisson(1, lists) @ few for _ in range(replicates)]}, 1)
    return [
        row("exact sum of 10,000,000 values", sums[0]),
        row("the same with weights", sums[1]),
        row(
            f"{replicates} Poisson replicates of {lists:,} lists",
            drawn,
            f", {grown:.0f} MB more at most",
        ),
    ]


if __name__ == "__main__":
    print(tables.table(("workload", "rankgain", "beside it", "rankgain is"), rows()))
