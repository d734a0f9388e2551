"""Lists of shown items, their properties, and the measures of all lists together."""

import numpy as np

ITEMS = list(range(25))
POPULARITY = {i: (i * 7) % 11 + 1 for i in ITEMS}
CATEGORIES = {i: "abcd"[i % 4] for i in ITEMS}
WHOLE = ["Coverage", "Gini", "Entropy", "Personalisation"]


def draw(seed: int, users: int = 30, equal: bool = False) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    sizes = np.full(users, 8) if equal else rng.integers(0, 9, users)
    return [rng.permutation(20)[:n].tolist() for n in sizes]
