"""Scores made on the way, beside what people do today: ratios in one run.

    python benchmarks/scale.py [users] [--write]     a factor model on 60,000 items

Rounds are interleaved, and the best of each side counts. Peers that are not installed are left out.
--write puts the table into docs/scale.md.
Every side runs on one thread; set OPENBLAS_NUM_THREADS=1 for that of NumPy, and leave
OPENBLAS_CORETYPE unset, so that it chooses its own kernels.
"""

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import machine
import rankgain as rg
import tables
from rankgain.partial.factors import BLOCK

ITEMS, FACTORS, RELEVANT, ROUNDS = 60_000, 64, 10, 3
TORCH_USERS = 139  # its fastest of 64, 139, 279 and 558
MEASURES = ["nDCG@10", "AP", "RR", "R@100"]


def best_of(sides: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The best time of each side, in seconds."""
    found = dict.fromkeys(sides, float("inf"))
    for _ in range(ROUNDS):
        for name, side in sides.items():
            start = perf_counter()
            side()
            found[name] = min(found[name], perf_counter() - start)
    return found


def show(found: dict[str, float]) -> None:
    mine = found["rankgain"]
    for name, seconds in found.items():
        print(f"{name:<44} {seconds:8.2f} s  {seconds / mine:6.2f}")


def factors(users: int, write: bool) -> None:
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(0)
    u = rng.standard_normal((users, FACTORS), dtype=np.float32)
    v = rng.standard_normal((ITEMS, FACTORS), dtype=np.float32)
    items = np.concatenate([rng.choice(ITEMS, RELEVANT, False) for _ in range(users)])
    pointer = np.arange(0, len(items) + 1, RELEVANT)
    relevant = csr_matrix((np.ones(len(items)), items, pointer), shape=(users, ITEMS))
    block = np.empty((BLOCK // ITEMS, ITEMS), np.float32)  # as many users as ours has

    def product() -> None:
        for low in range(0, users, len(block)):
            part = u[low : low + len(block)]
            np.matmul(part, v.T, out=block[: len(part)])

    sides = {
        "rankgain": lambda: rg.evaluate_factors(u, v, relevant, MEASURES),
        "the bare product, block by block": product,
    }
    sides |= with_implicit(u, v, relevant) | with_torch(u, v)
    found = best_of(sides)
    show(found)
    if write:
        lead = (
            f"{users:,} users, {ITEMS:,} items, {FACTORS} factors, {RELEVANT} relevant items each: "
            f"{', '.join(MEASURES)}. Best of {ROUNDS} rounds in turns, on one thread of "
            f"{machine.processor()}, {machine.vectors()}; `benchmarks/scale.py` repeats it."
        )
        tables.write_sides("scale.md", lead, found)


def with_implicit(u: Any, v: Any, relevant: Any) -> dict[str, Callable[[], Any]]:
    try:
        from implicit.cpu.als import AlternatingLeastSquares
        from implicit.evaluation import ranking_metrics_at_k
    except ImportError:
        return {}
    model = AlternatingLeastSquares(factors=FACTORS)
    model.user_factors, model.item_factors = u, v
    test = relevant.astype(np.float32)
    train = test[:, :] * 0
    train.eliminate_zeros()

    def evaluate() -> None:
        ranking_metrics_at_k(model, train, test, K=100, show_progress=False, num_threads=1)

    return {"implicit.ranking_metrics_at_k, K=100": evaluate}


def with_torch(u: Any, v: Any) -> dict[str, Callable[[], Any]]:
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)
    a, b = torch.from_numpy(u), torch.from_numpy(v)

    def topk() -> None:
        for low in range(0, len(u), TORCH_USERS):
            torch.topk(a[low : low + TORCH_USERS] @ b.T, 100)

    return {"torch matmul and topk, 100": topk}


if __name__ == "__main__":
    counts = [int(one) for one in sys.argv[1:] if one != "--write"]
    factors(counts[0] if counts else 20_000, "--write" in sys.argv)
