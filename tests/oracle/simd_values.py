"""Print digests of values and refusals of seeded inputs, to compare instruction sets.

With "lengths", inputs of every length from 1 on, at any place of a cache line.
"""

import hashlib
import sys
from typing import Any

import numpy as np

import rankgain as rg
from memory import csr, misplaced
from rankgain import _core

LENGTHS = (1, 3, 20, 63, 64, 97, 100, 129, 260, 500, 1000, 1025, 1500, 2100, 4100, 17000)
CUTOFFS = (1, 3, 10, 24, 25, 45, 100, 240, 600, None)
MEASURES = ("nDCG", "AP", "RR", "R", "RBP", "ERR", "F1")
SPECIAL = (np.inf, -np.inf, np.nan, 0.0, -0.0, 3e38)


def lists_of(rng: np.random.Generator) -> tuple[Any, Any]:
    """Some lists of one length: random, quantised, constant or sorted scores, few or many hits."""
    shape = int(rng.integers(1, 4)), int(rng.choice(LENGTHS))
    scores = rng.standard_normal(shape).astype(rng.choice(["f4", "f8"]))
    form = rng.random()
    if form < 0.3:
        scores = np.round(scores * rng.choice([0.5, 2, 40]))
    elif form < 0.35:
        scores[:] = scores[0, 0]
    elif form < 0.4:
        scores.sort(axis=1)
    elif form < 0.5:
        scores = np.exp(rng.choice([1, 8, 30]) * scores)
    if rng.random() < 0.2:
        scores[rng.integers(shape[0]), rng.integers(shape[1])] = rng.choice(SPECIAL)
    hits = rng.random(shape) < rng.choice([0.002, 0.05, 0.5])
    labels = (hits * rng.integers(0, 5, shape)).astype(rng.choice(["f4", "f8", "i1", "i4"]))
    return labels, scores


def shaped(rng: np.random.Generator, n: int) -> list[Any]:
    """Scores of one length: random, tied, constant, with infinities, with a NaN, doubles."""
    random = rng.standard_normal(n).astype(np.float32)
    special = random.copy()
    special[::3] = rng.choice(SPECIAL[:2] + SPECIAL[3:5], len(special[::3]))
    unordered = random.copy()
    unordered[rng.integers(n)] = np.nan
    one_float = 1 + random.astype(np.float64) * 1e-10
    return [random, np.round(random * 2), np.ones_like(random), special, unordered, one_float]


def at_length(rng: np.random.Generator, n: int) -> bytes:
    """Every shape of scores, anywhere in a cache line; labels of few and many levels, sparse."""
    result = []
    for scores in shaped(rng, n):
        labels = (rng.random(n) < 0.4) * rng.integers(0, 5, n)
        k = min(int(rng.choice([1, 3, 10, 40])), n)
        names = [f"nDCG@{k}", f"AP@{k}", "nDCG", "RR"]
        y = misplaced(labels.astype(rng.choice(["f4", "f8"])), int(rng.integers(8)))
        result.append(answer(y, misplaced(scores, int(rng.integers(8))), names, "average"))
        result.append(answer(rng.random(n).astype(np.float32), scores, names, "stable"))
        result.append(
            answer(csr(labels * (rng.random((1, n)) < 0.1)), scores[None], names, "average")
        )
    return b"".join(result)


def matched(rng: np.random.Generator, width: int) -> bytes:
    """Recommended ids beside relevant ones: a row padded, one with an id twice or of no item."""
    ids = np.stack([rng.permutation(60)[:width] for _ in range(8)]).astype(np.int32)
    ids[0, rng.integers(width) :] = -1
    if rng.random() < 0.3:
        ids[1, rng.integers(width)] = rng.choice([ids[1, 0], 60, -2, -1])
    labels = rng.integers(1, 1 + rng.integers(1, 4), (8, 60))
    truth = csr((rng.random((8, 60)) < 0.2) * labels)
    try:
        values = rg.evaluate_ids(ids, truth, ["nDCG", "RR"]).per_query.values()
    except ValueError as error:
        return str(error).encode()
    return b"".join(value.tobytes() for value in values)


def tails(rng: np.random.Generator, n: int) -> bytes:
    """Where differences end, of resamples that are random, tied or all equal."""
    means = np.ascontiguousarray([one.astype(np.float64) for one in shaped(rng, n)[:3]])
    a, b = np.array([0, 0, 1, 2, 0]), np.array([1, 2, 2, 1, 0])
    low, high = n // 40, n - 1 - n // 40
    around = np.stack((rng.normal(-1.5, 0.5, 5), rng.normal(1.5, 0.5, 5)), axis=1)
    out = np.empty((5, 2))
    _core.find_tails(means, a, b, low, high, around, out)
    return out.tobytes()


def answer(labels: Any, scores: Any, names: list[str], ties: str) -> bytes:
    try:
        result = rg.evaluate_arrays(labels, scores, names, ties=ties)
    except ValueError as error:
        return str(error).encode()
    return b"".join(values.tobytes() for values in result.per_query.values())


def outcome(rng: np.random.Generator) -> bytes:
    labels, scores = lists_of(rng)
    k = rng.choice(np.array(CUTOFFS, object))
    names = [name if k is None else f"{name}@{k}" for name in MEASURES]
    ties = str(rng.choice(["average", "stable", "best", "random"]))
    return answer(labels, scores, names, ties)


def main(seed: int, rounds: int, lengths: bool) -> None:
    rng = np.random.default_rng(seed)
    for i in range(rounds):
        if lengths:
            result = at_length(rng, 1 + i) + matched(rng, 1 + i % 40) + tails(rng, 1 + i)
        else:
            result = outcome(rng)
        print(hashlib.sha256(result).hexdigest()[:16])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), "lengths" in sys.argv)
