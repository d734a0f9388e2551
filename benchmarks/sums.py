"""Exact sums against numpy.sum, and Poisson resamples against NumPy drawing them; in turns.

    python benchmarks/sums.py

Seconds are of this process on a processor, the best of several rounds: others may share it.
"""

import resource
import time
from collections.abc import Callable

import numpy as np

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


def show(title: str, best: dict[str, float]) -> None:
    first, *others = best.items()
    print(f"{title}: {first[0]} {first[1] * 1e3:.1f} ms")
    for name, seconds in others:
        print(f"  {name} {seconds * 1e3:.1f} ms, {seconds / first[1]:.2f} times as long")


def main() -> None:
    rng = np.random.default_rng(0)
    values, weights = rng.random(10_000_000), rng.random(10_000_000)
    plain = {"numpy.sum": lambda: np.sum(values), "exact": lambda: exact_sum(values)}
    show("mean of 10,000,000 values", best_of(plain, ROUNDS))
    weighted = {
        "numpy.sum of products": lambda: np.sum(values * weights),
        "exact": lambda: exact_sum(values, weights),
    }
    show("weighted", best_of(weighted, ROUNDS))
    lists, replicates = 1_000_000, 200
    few = values[:lists].copy()
    codes = rng.integers(0, 2**64, lists, np.uint64)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counted = {"exact": lambda: _core.poisson_sums([(few, None)], codes, replicates, 0)}
    drawn = best_of(counted, 3)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    drawn |= best_of({"numpy": lambda: [rng.poisson(1, lists) @ few for _ in range(replicates)]}, 1)
    show(f"{replicates} Poisson replicates of {lists:,} lists", drawn)
    print(f"  memory of the core: {grown:.0f} MB more at its peak")


if __name__ == "__main__":
    main()
