"""Documents that a table lists several times: refused, the first, the best, or all in place."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from frame_forms import in_form
from pairwise import rows_of
from rankgain.cli import main

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pytest.importorskip("narwhals")

MEASURES = ["RR", "DCG", "NumRet"]
Row = tuple[str, str, int, float]  # query, document, label, score
ORDERED = ("stable", "reverse", "id", "id_descending")
AXES = {
    "form": ["pandas", "polars", "lazy", "arrow", "csv", "parquet", "jsonl"],
    "door": ["frame", "sorted frame", "truth", "batches", "files"],
    "policy": ["first", "best", "in_place"],
    "ties": [*ORDERED, "average", "best", "worst"],
    "systems": ["one", "run", "scores"],
    "seed": [0, 1, 2],
}
CASES = rows_of(AXES) + [
    {
        "form": "pandas",
        "door": "frame",
        "policy": policy,
        "ties": ties,
        "systems": "one",
        "seed": seed,
    }
    for policy in AXES["policy"]
    for ties in AXES["ties"]
    for seed in range(10, 16)
]


def drawn(seed: int, sort: bool) -> list[Row]:
    """Rows of few documents and scores, so that copies tie; a document has one label."""
    rng = np.random.default_rng(seed)
    rows = []
    for query in "qrs":
        labels = dict(zip("abcd", rng.integers(0, 3, 4).tolist(), strict=True))
        names = rng.choice(list("abcd"), int(rng.integers(2, 7))).tolist()
        rows += [(query, name, labels[name], float(rng.integers(0, 3))) for name in names]
    if not sort:
        rows = [rows[place] for place in rng.permutation(len(rows))]
    return rows


def orders(rows: Sequence[Row], rule: str, in_place: bool) -> list[list[Row]]:
    """All rankings of the rows of a query; in_place: copies of relevant documents lose ties."""
    numbered = list(enumerate(rows))
    if rule in ORDERED:
        keys: dict[str, Any] = {
            "stable": lambda pair: pair[0],
            "reverse": lambda pair: -pair[0],
            "id": lambda pair: pair[1][1],
            "id_descending": lambda pair: -ord(pair[1][1]),
        }
        numbered.sort(key=keys[rule])
        numbered.sort(key=lambda pair: -pair[1][3])
        return [[row for _, row in numbered]]
    blocks: list[list[Row]] = []
    for score in sorted({row[3] for row in rows}, reverse=True):
        tied: list[Row] = []
        last: list[Row] = []
        above = {row[1] for row in itertools.chain(*blocks)}
        for row in rows:
            if row[3] != score:
                continue
            if in_place and row[1] in above:
                tied.append((*row[:2], 0, score))
            elif in_place and row[2] and row[1] in [other[1] for other in tied]:
                last.append((*row[:2], 0, score))
            else:
                tied.append(row)
        blocks += [tied, last]
    if rule in ("best", "worst"):  # ordered by label
        sign = -1 if rule == "best" else 1
        sorted_blocks = [sorted(block, key=lambda row: sign * row[2]) for block in blocks]
        return [list(itertools.chain(*sorted_blocks))]
    permuted = [list(itertools.permutations(block)) for block in blocks]
    return [list(itertools.chain(*choice)) for choice in itertools.product(*permuted)]


def expected_of(rows: Sequence[Row], policy: str, rule: str) -> dict[str, float]:
    """RR, DCG and the number of documents, from their definitions."""
    if policy == "first":
        seen: set[str] = set()
        rows = [row for row in rows if not (row[1] in seen or seen.add(row[1]))]  # type: ignore[func-returns-value]
    if policy == "best":
        ordered = list(rows) if rule not in ("reverse", "id_descending") else list(rows)[::-1]
        best = {}
        for row in sorted(ordered, key=lambda row: -row[3]):
            best.setdefault(row[1], row)
        rows = [row for row in rows if any(row is kept for kept in best.values())]
    values = []
    for ranking in orders(rows, rule, policy == "in_place"):
        seen, labels = set(), []
        for row in ranking:
            labels.append(0 if row[1] in seen else row[2])
            seen.add(row[1])
        ranks = [rank for rank, label in enumerate(labels, 1) if label > 0]
        gain = sum(label / math.log2(rank + 1) for rank, label in enumerate(labels, 1))
        values.append((1 / ranks[0] if ranks else 0.0, gain))
    rr, dcg = (sum(column) / len(column) for column in zip(*values, strict=True))
    return {"RR": rr, "DCG": dcg, "NumRet": float(len(rows))}


@pytest.mark.parametrize("case", CASES)
def test_all_pairs(case: dict[str, Any], tmp_path: Path) -> None:
    door, policy, rule, systems = (case[one] for one in ("door", "policy", "ties", "systems"))
    rows = drawn(case["seed"], door in ("batches", "sorted frame"))
    other = [(*row[:3], -row[3]) for row in rows]
    more: dict[str, Any] = {}
    options: dict[str, Any] = {"ties": rule, "duplicates": policy}
    if systems == "scores":
        more["second"] = [row[3] for row in other]
        options["score"] = {"a": "score", "b": "second"}
    of_system = {"a": rows, "b": other} if systems == "scores" else {"a": rows}
    if systems == "run":
        of_system = {"a": rows, "b": other}
        more["system"] = ["a"] * len(rows) + ["b"] * len(rows)
        options["run"] = "system"
        rows = [*rows, *other]
    form = case["form"] if door != "files" else "parquet"
    columns = ["query_id", "doc_id", "label", "score"]
    frame = in_form(pandas.DataFrame(rows, columns=columns).assign(**more), form, tmp_path)
    if door == "batches":
        if form == "lazy":
            frame = frame.collect()
        named = {"query": "query_id", "label": "label", "doc": "doc_id"}
        result = rg.evaluate_batches(frame, MEASURES, **{"score": "score", **named, **options})
    elif door == "truth":
        truth = {query: {} for query in "qrs"}
        for query, name, label, _ in rows:
            truth[query][name] = label
        if form == "pandas" or form == "arrow":
            frame = frame.drop(columns="label") if form == "pandas" else frame.drop_columns("label")
        options["convention"] = "rankgain"
        result = rg.evaluate_frame(frame, MEASURES, truth=truth, **options)
    elif door == "files":
        more["system"] = more.get("system", ["a"] * len(rows))
        result = rg.evaluate_frame([frame], MEASURES, **options)
    else:
        result = rg.evaluate_frame(frame, MEASURES, **options)
    by_system = result if isinstance(result, rg.Evaluations) else {"a": result}
    assert sorted(by_system) == sorted(of_system)
    for name, evaluation in by_system.items():
        for query, values in evaluation.to_dict().items():
            own = [row for row in of_system[name] if row[0] == query]
            wanted = expected_of(own, policy, rule)
            for measure, value in wanted.items():
                assert values[measure] == pytest.approx(value, rel=1e-12), (case, name, query)


@pytest.mark.parametrize("source", ["dict rows", "frame", "file"])
def test_judgments_of_several_judges_have_a_mean(source: str, tmp_path: Path, capsys: Any) -> None:
    rows = [
        ("q", "a", 1), ("q", "b", 2), ("r", "a", 3), ("q", "a", 0), ("q", "a", 1), ("q", "b", 2),
    ]  # fmt: skip
    named = [{"query": query, "document": name, "label": label} for query, name, label in rows]
    path = tmp_path / "qrels"
    path.write_text("".join(f"{query} 0 {name} {label}\n" for query, name, label in rows))
    expected = {"q": {"a": 2 / 3, "b": 2.0}, "r": {"a": 3.0}}
    if source == "dict rows":
        qrels = rg.Qrels(named, duplicates="mean")
    elif source == "frame":
        qrels = rg.Qrels.from_frame(pandas.DataFrame(named), duplicates="mean")
        truth = rg.Qrels.from_frame(pandas.DataFrame(named), doc="document", duplicates="mean")
        assert truth == qrels
    else:
        qrels = rg.Qrels.read(path, duplicates="mean")
        with pytest.raises(
            ValueError, match='or duplicates="mean" for the mean label of several judges'
        ):
            rg.Qrels.read(path)
        (tmp_path / "run").write_text("q Q0 a 1 2 t\nr Q0 a 1 2 t\n")
        command = ["evaluate", str(path), str(tmp_path / "run"), "-m", "CG", "--format", "csv"]
        assert main([*command, "--duplicates", "mean"]) == 0
        assert float(capsys.readouterr().out.split(",")[-1]) == pytest.approx((2 / 3 + 3) / 2)
    assert {query: dict(labels) for query, labels in qrels.items()} == expected


def expected_values(rows: list[tuple[int, str, int, int]], policy: str) -> tuple[float, float, int]:
    """RR, DCG and the number of documents; rows: number in the table, document, label, rank."""
    ranked = sorted(rows, key=lambda row: row[3])
    counting = {}
    for row in sorted(rows) if policy == "first" else ranked:
        counting.setdefault(row[1], row)
    places, removed = [], 0
    for row in ranked:
        counts = counting[row[1]] is row
        if policy != "in_place" and not counts:
            removed += 1
        else:
            places.append((row[3] - removed, row[2] if counts else 0))
    hits = [(rank, label) for rank, label in places if label]
    gain = sum(label / math.log2(rank + 1) for rank, label in hits)
    return (1 / hits[0][0] if hits else 0.0, gain, len(places))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("policy", ["first", "best", "in_place"])
@pytest.mark.parametrize("order", [*ORDERED, "rank"])
@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame], ids=["pandas", "polars"])
def test_chunks_by_tied_scores_and_by_ranks_with_gaps(
    library: Any, order: str, policy: Any, seed: int
) -> None:
    """What is removed lets the rows below it move up; gaps between ranks stay."""
    rng = np.random.default_rng(seed)
    names = [f"{document}#{number}" for document in "abcd" for number in range(12)]
    chunks = np.concatenate([rng.choice(names, 9, replace=False) for _ in range(3)])
    columns = {
        "query_id": np.repeat(list("qrs"), 9), "doc_id": chunks,
        "label": [(ord(name[0]) + seed) % 3 for name in chunks],
        "score": rng.integers(0, 3, 27),
        "rank": np.concatenate([rng.choice(np.arange(1, 20), 9, replace=False) for _ in range(3)]),
    }  # fmt: skip
    shuffled = rng.permutation(27)
    columns = {name: np.asarray(values)[shuffled].tolist() for name, values in columns.items()}
    options: dict[str, Any] = {"ties": order}
    if order == "rank":
        options = {"rank": "rank"}
    frame = library(columns)
    result = rg.evaluate_frame(
        frame, MEASURES, documents=lambda chunk: chunk[0], duplicates=policy, **options
    ).to_dict()
    for query in "qrs":
        rows = [row for row in range(27) if columns["query_id"][row] == query]
        keys: dict[str, Any] = {
            "stable": lambda row: row, "reverse": lambda row: -row,
            "id": columns["doc_id"].__getitem__, "id_descending": columns["doc_id"].__getitem__,
        }  # fmt: skip
        if order == "rank":
            ranks = {row: columns["rank"][row] for row in rows}
        else:
            rows.sort(key=keys[order], reverse=order == "id_descending")
            rows.sort(key=lambda row: -columns["score"][row])
            ranks = {row: rank for rank, row in enumerate(rows, 1)}
        found = [(r, columns["doc_id"][r][0], columns["label"][r], ranks[r]) for r in rows]
        values = [result[query][name] for name in MEASURES]
        assert values == pytest.approx(expected_values(found, policy), rel=1e-12)
