"""From the values of the lists to the mean, by the rules of a convention."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def read_weights(weight: Any, n: int, queries: Any) -> Any:
    """One finite weight >= 0 per list, or None."""
    if weight is None:
        return None
    if isinstance(weight, Mapping):
        names = range(n) if queries is None else list(queries)
        missing = [name for name in names if name not in weight]
        if missing:
            raise ValueError(f"weight has no entry for query {missing[0]!r}")
        weight = [weight[name] for name in names]
    weights = np.asarray(weight)
    if weights.dtype.kind not in "biuf":
        raise TypeError(f"weight must hold numbers, not {weights.dtype}")
    if weights.shape != (n,):
        raise ValueError(f"weight has shape {weights.shape}, but there are {n} lists")
    weights = weights.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if bad.size:
        raise ValueError(
            f"weight: list {bad[0]} has {weights[bad[0]]}; weights must be finite and at least 0"
        )
    return weights


def mean(values: Any, weights: Any, skipped: Any) -> float:
    """The mean over lists; `skipped` lists (or None) stay out together with their weight."""
    if skipped is not None:
        values = values[~skipped]
        weights = None if weights is None else weights[~skipped]
    if weights is None:
        return float(np.mean(values)) if len(values) else float("nan")
    total = float(np.sum(weights))
    return float(np.sum(weights * values)) / total if total > 0 else float("nan")


def micro_mean(values: Any, items: Any, weights: Any, skipped: Any) -> float:
    """Ratio of the weighted sums: of values * items, and of items."""
    weights = np.ones(len(values)) if weights is None else weights
    keep = np.ones(len(values), bool) if skipped is None else ~skipped
    below = float(np.sum((weights * items)[keep]))
    return float(np.sum((weights * values * items)[keep])) / below if below > 0 else float("nan")
