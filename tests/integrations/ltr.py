"""Learning to rank, small: made data whose groups differ in size, and LightGBM's own example."""

import gzip
from typing import Any, NamedTuple

import numpy as np
import pytest

from places import DATA

LTR = DATA / "ltr"


class Ltr(NamedTuple):
    """Features, labels 0 to 4 and sizes of groups."""

    x: Any
    y: Any
    sizes: Any

    @property
    def qid(self) -> Any:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


def made(seed: int, groups: int = 40) -> Ltr:
    """Labels that the features explain in part, so that a model learns and then fits noise."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 40, groups)
    x = rng.normal(size=(sizes.sum(), 5)).round(2)
    noisy = x[:, 0] + 0.5 * x[:, 1] * x[:, 2] + rng.normal(size=len(x))
    return Ltr(x, np.clip(np.round(noisy), 0, 4).astype(float), sizes)


def example(name: str) -> Ltr:
    """LightGBM's ranking example, "train" or "test"; skips where the folder of data is absent."""
    if not LTR.is_dir():
        pytest.skip("no folder of real data")
    with gzip.open(LTR / f"lightgbm.rank.{name}.gz", "rt") as file:
        rows = [line.split() for line in file]
    sizes = [int(line) for line in (LTR / f"lightgbm.rank.{name}.query").read_text().split()]
    x = np.zeros((len(rows), 301))
    for row, (_, *pairs) in enumerate(rows):
        for pair in pairs:
            column, value = pair.split(":")
            x[row, int(column)] = float(value)
    return Ltr(x, np.array([float(row[0]) for row in rows]), np.array(sizes))
