"""Lists of shown items, their properties, and every measure of them by its definition."""

from typing import Any

import numpy as np

import blocks

ITEMS = list(range(25))
POPULARITY = {i: (i * 7) % 11 + 1 for i in ITEMS}
CATEGORIES = {i: "abcd"[i % 4] for i in ITEMS}
NAMES = [
    "Coverage", "Gini", "Entropy", "Personalisation", "Novelty", "Popularity", "TailShare",
    "NewItems", "ILD", "Serendipity",
]  # fmt: skip
WHOLE = NAMES[:4]


def draw(seed: int, users: int = 30, equal: bool = False) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    sizes = np.full(users, 8) if equal else rng.integers(0, 9, users)
    return [rng.permutation(20)[:n].tolist() for n in sizes]


def other(seed: int, users: int = 30) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(20)[: rng.integers(1, 6)].tolist() for _ in range(users)]


def expected(lists: Any, k: int, baseline: Any, relevant: Any, distance: Any) -> dict[str, Any]:
    first = [row[:k] for row in lists]
    near = [row[:k] for row in baseline]
    by_user = {
        "Novelty": [blocks.novelty(row, POPULARITY) for row in first],
        "Popularity": [blocks.popularity_of(row, POPULARITY) for row in first],
        "TailShare": [blocks.tail_share(row, POPULARITY) for row in first],
        "NewItems": [blocks.new_items(row, POPULARITY) for row in first],
        "ILD": [blocks.diversity(row, distance) for row in first],
        "Serendipity": [
            blocks.serendipity(*each) for each in zip(first, near, relevant, strict=True)
        ],
    }
    whole = {
        "Coverage": blocks.coverage(first, ITEMS),
        "Gini": blocks.gini(first, ITEMS),
        "Entropy": blocks.entropy(first),
        "Personalisation": blocks.personalisation(first),
    }
    return by_user | whole


def same(result: Any, wanted: Any) -> None:
    for name, value in wanted.items():
        if name in WHOLE:
            np.testing.assert_allclose(result.means[name], float(value), rtol=1e-12, err_msg=name)
            continue
        values = np.array([np.nan if one is None else float(one) for one in value])
        np.testing.assert_allclose(result.per_query[name], values, rtol=1e-12, atol=1e-12)
        mean = np.mean(values[~np.isnan(values)]) if not np.isnan(values).all() else np.nan
        np.testing.assert_allclose(result.means[name], mean, rtol=1e-12, err_msg=name)
