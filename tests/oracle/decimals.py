"""Decimal numbers as the reader of files converts them."""

import io
from collections.abc import Sequence

import rankgain as rg


def read_decimals(texts: Sequence[str]) -> list[float]:
    """The scores of a run that has these texts in place of them."""
    rows = "".join(f"q Q0 d{i} 1 {text} t\n" for i, text in enumerate(texts))
    scores = rg.Run(io.StringIO(rows))["q"]
    return [scores[f"d{i}"] for i in range(len(texts))]
