"""Random lists of retrieved and of relevant ids, for tools that take ids."""

import numpy as np

Ids = list[list[str]]


def draw_ids(case: int, *, low: int = 0, empty: bool = True) -> tuple[Ids, Ids]:
    """Return retrieved and relevant ids of 20 queries: short and long, hit and missed."""
    rng = np.random.default_rng([case, 5])
    retrieved, relevant = [], []
    for _ in range(20):
        pool = [f"d{i:02d}" for i in rng.permutation(40)]
        retrieved.append(pool[: rng.integers(low, 15)])
        expected = rng.permutation(pool[:25])[: rng.integers(1, 12)]
        relevant.append([str(one) for one in expected])
    if empty:
        relevant[3] = []
        retrieved[3] = retrieved[3] or ["d00"]
    return retrieved, relevant
