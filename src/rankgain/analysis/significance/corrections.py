"""Corrections of p-values for the number of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...inputs.types import Floats


def corrected(p: Floats | Sequence[float], correction: str) -> Any:
    """p-values corrected for their number; nan stays nan and is not counted."""
    values = np.array(p, np.float64)
    known = np.flatnonzero(~np.isnan(values))
    if known.size:
        values[known] = np.minimum(CORRECTIONS[correction](values[known]), 1.0)
    return values


def _holm(p: Floats) -> Any:
    """Holm, "A simple sequentially rejective multiple test procedure" (1979)."""
    order = np.argsort(p, kind="stable")
    out = np.empty(len(p))
    out[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return out


def _benjamini_hochberg(p: Floats) -> Any:
    """Benjamini and Hochberg, "Controlling the false discovery rate" (1995)."""
    order = np.argsort(p, kind="stable")[::-1]
    out = np.empty(len(p))
    out[order] = np.minimum.accumulate(p[order] * (len(p) / np.arange(len(p), 0, -1)))
    return out


CORRECTIONS: dict[str, Callable[[Any], Any]] = {
    "holm": _holm,
    "bonferroni": lambda p: p * len(p),
    "bh": _benjamini_hochberg,
}
