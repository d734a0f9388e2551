"""Random qrels and runs, in many small cases."""

from typing import Any

import numpy as np

CASES = 200


def drawn(text: bool, seed: int = 0, least: int = 0) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Qrels and a run of many small cases, with ties and queries that one of the two lacks."""
    rng = np.random.default_rng(seed)
    qrels: dict[Any, Any] = {}
    run: dict[Any, Any] = {}
    names: list[Any] = [f"é{i}" if i % 7 == 3 else f"d{i}" for i in range(14)]
    names = names if text else list(range(1, 15))  # ordered as text, "10" before "9"
    for case in range(CASES):
        for number in range(int(rng.integers(1, 4))):
            query: Any = f"q{case}-{number}" if text else 10 * case + number
            if rng.random() < 0.9:
                some = rng.permutation(14)[: rng.integers(1, 9)]
                labels = rng.choice([least, 0, 0, 1, 1, 2, 3], len(some))
                qrels[query] = {names[i]: int(y) for i, y in zip(some, labels, strict=True)}
            if rng.random() < 0.9:
                some = rng.permutation(14)[: rng.integers(1, 13)]
                scores = rng.choice([-0.0, 0.0, 0.5, 1.0, 0.1, 0.1 + 1e-12, -3.5], len(some))
                run[query] = {names[i]: float(s) for i, s in zip(some, scores, strict=True)}
    return qrels, run
