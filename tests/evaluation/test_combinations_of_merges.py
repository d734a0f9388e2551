"""Every pair of choices of `Evaluations.merge`: the merged parts are the evaluation of all queries.

The values come from the oracle; means, counts and changes are written out here.
"""

import json
import math
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
import reference
from pairwise import Row, name_of, rows_of

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

SYSTEMS = ("old", "new", "base")
AXES: dict[str, list[Any]] = {
    "door": ["frame", "runs", "ids", "models"],
    "parts": [1, 2, "one for each query"],
    "order": ["as in the first", "turned"],
    "empty": [0.0, 0.5, "skip", math.nan],
    "weight": [False, True],
    "n": [1, 3, 99],
    "pair": [("old", "new"), ("new", "base"), ("base", "old")],
    "stored": [None, "pickle", "JSON"],
    "merged": ["at once", "step by step"],
    "measures": [["RR"], ["AP", "nDCG@3"], ["AUC", "P@2"]],
}
ORACLE: dict[str, Any] = {
    "RR": lambda labels: reference.reciprocal_rank(labels, judged=labels),
    "AP": lambda labels: reference.average_precision(labels, judged=labels),
    "nDCG@3": lambda labels: reference.ndcg(labels, judged=labels, k=3),
    "AUC": lambda labels: reference.auc(labels),
    "P@2": lambda labels: reference.precision(labels, judged=labels, k=2),
}
Lists = dict[str, dict[str, list[int]]]  # system -> query -> labels in rank order


def possible(row: Row) -> bool:
    if row["weight"] and row["door"] != "models":
        return False
    # With judgments, documents that were not retrieved count in AUC too.
    return "AUC" not in row["measures"] or row["door"] == "models"


def scene(draw: random.Random) -> Lists:
    """Four documents for each query, of which some queries have none that is relevant."""
    lists: Lists = {system: {} for system in SYSTEMS}
    for query in (f"q{number}" for number in range(9)):
        labels = [draw.choice((0, 0, 1, 2)) for _ in range(4)]
        for system in SYSTEMS:
            lists[system][query] = draw.sample(labels, 4)
    lists["old"]["q3"] = lists["new"]["q3"] = lists["base"]["q3"] = [0, 0, 0, 0]
    lists["old"]["q5"] = lists["new"]["q5"] = lists["base"]["q5"] = [1, 1, 1, 1]
    return lists


def evaluated(lists: Lists, queries: list[str], systems: list[str], row: Row) -> Any:
    """The evaluations of some queries by one door."""
    options: dict[str, Any] = {"empty": row["empty"], "convention": "rankgain"}
    names = row["measures"]
    # The documents of a query are named after their rank in the first system.
    ids: dict[str, dict[str, list[str]]] = {system: {} for system in systems}
    judged: dict[str, dict[str, int]] = {}
    for query in queries:
        judged[query] = {f"d{rank}": label for rank, label in enumerate(lists["old"][query])}
        for system in systems:
            left = list(judged[query].items())
            ids[system][query] = []
            for label in lists[system][query]:
                index = [of_document for _, of_document in left].index(label)
                ids[system][query].append(left.pop(index)[0])
    if row["door"] == "ids":
        return rg.evaluate_ids(ids, judged, names, systems=True, **options)
    if row["door"] == "runs":
        return rg.evaluate_runs(judged, ids, names, **options)
    if row["door"] == "models":
        if row["weight"]:
            options["weight"] = [weight_of(query) for query in queries]
        labels = [list(judged[query].values()) for query in queries]
        scores = {
            system: [
                [-float(ids[system][query].index(document)) for document in judged[query]]
                for query in queries
            ]
            for system in systems
        }
        return rg.evaluate_models(labels, scores, names, **options)
    rows = [
        (system, query, document, judged[query][document], -rank)
        for system in systems
        for query in queries
        for rank, document in enumerate(ids[system][query])
    ]
    frame = pd.DataFrame(rows, columns=["run", "query", "doc", "label", "score"])
    return rg.evaluate_frame(frame, names, run="run", **options)


def weight_of(query: str) -> float:
    return 1.0 + int(query[1:]) % 3


def stored(part: Any, row: Row, folder: Path) -> Any:
    if row["stored"] == "pickle":
        return pickle.loads(pickle.dumps(part))
    if row["stored"] == "JSON":
        path = folder / "part.json"
        path.write_text(part.to_json(), encoding="utf-8")
        assert json.loads(path.read_text(encoding="utf-8"))
        return rg.Evaluations.read(path)
    return part


def expected_mean(values: list[float | None], weights: list[float], empty: Any) -> float:
    """The weighted mean of values, of which None is undefined."""
    filled = [empty if value is None else value for value in values]
    pairs = [(value, w) for value, w in zip(filled, weights, strict=True) if value != "skip"]
    total = math.fsum(w for _, w in pairs)
    return math.fsum(value * w for value, w in pairs) / total if total else math.nan


def expected_changes(
    queries: list[str], a: list[float], b: list[float], n: int
) -> list[tuple[str, float, float, float]]:
    """Queries with two different values, the largest differences first, equal ones in order."""
    changes = [
        (query, of_a, of_b, of_a - of_b)
        for query, of_a, of_b in zip(queries, a, b, strict=True)
        if of_a != of_b and not math.isnan(of_a - of_b)
    ]
    return sorted(changes, key=lambda change: -abs(change[3]))[:n]


@pytest.mark.parametrize("row", rows_of(AXES, possible), ids=name_of)
def test_every_pair_of_choices(row: Row, tmp_path: Path) -> None:
    draw = random.Random(str(row))
    lists = scene(draw)
    queries = list(lists["old"])
    size = {1: 9, 2: 5}.get(row["parts"], 1)
    parts = []
    for start in range(0, len(queries), size):
        systems = list(SYSTEMS)
        if row["order"] == "turned" and start:
            systems.reverse()
        part = evaluated(lists, queries[start : start + size], systems, row)
        parts.append(stored(part, row, tmp_path))
    merged = rg.Evaluations.merge(parts[:1])
    if row["merged"] == "at once":
        merged = rg.Evaluations.merge(parts)
    else:
        for part in parts[1:]:
            merged = rg.Evaluations.merge([merged, part])
    assert list(merged) == list(SYSTEMS)
    weights = [weight_of(query) if row["weight"] else 1.0 for query in queries]
    for system in SYSTEMS:
        result = merged[system]
        assert len(result) == len(queries)
        if row["door"] != "models":
            assert list(result.queries) == queries
        for name in row["measures"]:
            exact = [ORACLE[name](lists[system][query]) for query in queries]
            values = [None if value is None else float(value) for value in exact]
            filled = [row["empty"] if value is None else value for value in values]
            as_numbers = [math.nan if value == "skip" else value for value in filled]
            assert result.per_query[name].tolist() == pytest.approx(as_numbers, nan_ok=True)
            mean = expected_mean(values, weights, row["empty"])
            assert result[name] == pytest.approx(mean, nan_ok=True), name
            undefined = result.counts.get("undefined", {}).get(name, 0)
            assert undefined == values.count(None), name
    if row["door"] != "models" and row["empty"] in (0.0, 0.5, "skip"):
        a, b = row["pair"]
        comparison = merged.compare(resamples=199)
        for name in row["measures"]:
            of_systems = [merged[system].per_query[name].tolist() for system in (a, b)]
            changes = comparison.changes(name, row["n"], a=a, b=b)
            assert list(changes) == expected_changes(queries, *of_systems, row["n"])
