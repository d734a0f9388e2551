"""Print digests of values and refusals of seeded inputs, to compare instruction sets."""

import hashlib
import sys
from typing import Any

import numpy as np

import rankgain as rg

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


def outcome(rng: np.random.Generator) -> bytes:
    labels, scores = lists_of(rng)
    k = rng.choice(np.array(CUTOFFS, object))
    names = [name if k is None else f"{name}@{k}" for name in MEASURES]
    ties = str(rng.choice(["average", "stable", "best", "random"]))
    try:
        found = rg.evaluate_arrays(labels, scores, names, ties=ties)
    except ValueError as error:
        return str(error).encode()
    return b"".join(values.tobytes() for values in found.per_query.values())


if __name__ == "__main__":
    rng = np.random.default_rng(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        print(hashlib.sha256(outcome(rng)).hexdigest()[:16])
