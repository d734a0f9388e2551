"""`evaluate_batches(order="any", run=)`: several systems whose rows have any order."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg

pa = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")

MEASURES = ["nDCG@5", "AP", "RR"]
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


def right_means(rows: list[tuple[Any, ...]], name: Any) -> dict[str, float]:
    """The means of one system, evaluated list by list without the others."""
    lists: dict[Any, list[tuple[int, float]]] = {}
    for system, query, label, score in rows:
        if system == name:
            lists.setdefault(query, []).append((label, score))
    means = {}
    for measure in MEASURES:
        values = []
        for pairs in lists.values():
            labels, scores = zip(*pairs, strict=True)
            values.append(rg.evaluate_arrays([*labels], [*scores], measure)[measure])
        means[measure] = float(np.mean(values))
    return means


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_each_system_has_the_values_of_its_own_rows(seed: int, numbers: bool, size: int) -> None:
    rows = make_rows(seed, numbers)
    result = rg.evaluate_batches(as_batches(rows, size), MEASURES, order="any", **COLUMNS)
    assert type(result) is rg.Evaluations
    assert list(result) == list(dict.fromkeys(row[0] for row in rows))
    for name in NAMES:
        assert dict(result[name].means) == pytest.approx(right_means(rows, name), abs=1e-12)
        queries = {row[1] for row in rows if row[0] == name}
        assert set(result[name].queries) == queries


def test_one_query_of_two_systems_is_two_lists() -> None:
    rows = [("a", "q", 1, 0.1), ("b", "q", 1, 0.9), ("a", "q", 0, 0.5), ("b", "q", 0, 0.5)]
    result = rg.evaluate_batches(as_batches(rows, 2), "RR", order="any", **COLUMNS)
    assert {name: one["RR"] for name, one in result.items()} == {"a": 0.5, "b": 1.0}


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
