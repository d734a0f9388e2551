"""`evaluate_batches(order="any", run=)`: several systems whose rows have any order."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg

pa = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")

COLUMNS: Any = {"query": "query", "label": "label", "score": "score", "run": "system"}
NAMES = ("old", "new", "odd")


def make_rows(seed: int, numbers: bool = False, names: Any = NAMES) -> list[tuple[Any, ...]]:
    """Rows of three systems on six queries, mixed; every second query of "odd" has no label."""
    random = np.random.default_rng(seed)
    rows = []
    for name in names:
        for query in range(6):
            for _ in range(int(random.integers(1, 8))):
                label = 0 if name == "odd" and query % 2 else int(random.integers(0, 3))
                identity = query if numbers else f"q{query}"
                rows.append((name, identity, label, float(random.integers(0, 5))))
    return [rows[at] for at in random.permutation(len(rows))]


def as_batches(rows: list[tuple[Any, ...]], size: int) -> list[Any]:
    columns = ("system", "query", "label", "score")
    return [
        pa.record_batch(
            dict(zip(columns, map(list, zip(*rows[at : at + size], strict=True)), strict=True))
        )
        for at in range(0, len(rows), size)
    ]


def test_what_is_refused() -> None:
    rows = make_rows(1)
    with pytest.raises(ValueError, match="has no rows, so 'system' names no system"):
        rg.evaluate_batches([as_batches(rows, 9)[0].slice(0, 0)], "RR", order="any", **COLUMNS)
    with pytest.raises(ValueError, match="several systems"):
        rg.evaluate_batches(
            as_batches(rows, 9), "RR", order="any", keep=rg.Accumulator(), **COLUMNS
        )
    with pytest.raises(ValueError, match="reads its source twice"):
        rg.evaluate_batches(iter(as_batches(rows, 9)), "RR", order="any", **COLUMNS)
    with pytest.raises(ValueError, match="system has no value"):
        rg.evaluate_batches(
            as_batches([(None, "q", 1, 0.5), *rows], 9), "RR", order="any", **COLUMNS
        )


def test_a_query_that_comes_back_names_order_any() -> None:
    rows = [("a", "q", 1, 0.1), ("a", "p", 1, 0.9), ("a", "q", 0, 0.5)]
    with pytest.raises(ValueError, match=r'sort by .* or pass order="any"'):
        rg.evaluate_batches(as_batches(rows, 9), "RR", **COLUMNS)
