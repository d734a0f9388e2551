"""Rows that hold lists of ids, and rankings of several systems: the bits of ids in dicts."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from pairwise import rows_of

pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

MEASURES = ["nDCG@3", "AP", "RR", "R@3"]
AXES = {
    "form": ["jsonl", "jsonl.gz", "parquet", "pandas", "polars", "lazy", "arrow"],
    "ranked": ["list", "scores", "pairs", "dict"],
    "relevant": ["list", "pairs", "dict"],
    "query": [None, "query", "qid"],
    "names": [None, ("ranked_ids", "right_ids")],
    "systems": [False, True],
    "ids": ["text", "integers"],
}


def is_possible(case: Any) -> bool:
    """Columns of a frame have one type, the keys of objects are text, and systems need queries."""
    if case["systems"] and case["query"] is None:
        return False
    mixed = case["ranked"] in ("pairs", "dict") or case["relevant"] in ("pairs", "dict")
    if mixed and case["form"] not in ("jsonl", "jsonl.gz", "pandas"):
        return False
    keyed = "dict" in (case["ranked"], case["relevant"]) and case["form"] != "pandas"
    return not (keyed and case["ids"] == "integers")


CASES = [(seed, case) for seed in range(5) for case in rows_of(AXES, is_possible)]


def drawn(seed: int, ids: str, systems: bool) -> list[dict[str, Any]]:
    """For each system and query: ids by descending score, with ties, and relevant ids."""
    rng = np.random.default_rng(seed)
    rows = []
    for system in ("x", "y") if systems else ("x",):
        for query in range(1, 6):
            pool: list[Any] = rng.permutation(12).tolist()
            pool = [f"d{one}" for one in pool] if ids == "text" else pool
            scores = np.sort(rng.integers(0, 6, 7))[::-1].tolist()
            right = {one: int(rng.integers(1, 4)) for one in pool[4:9]}
            rows.append(
                {"system": system, "query": f"q{query}", "ids": pool[:7], "scores": scores,
                 "right": right}
            )  # fmt: skip
    return rows


def record_of(row: dict[str, Any], case: dict[str, Any], rng: Any) -> dict[str, Any]:
    """A row in the form of a case; scores come in another order, but equal ones stay."""
    order = sorted(rng.permutation(7).tolist(), key=lambda at: (row["scores"][at] % 2, at))
    ids, scores = [row["ids"][at] for at in order], [row["scores"][at] for at in order]
    pairs = list(map(list, zip(ids, scores, strict=True)))
    retrieved, relevant = case["names"] or ("retrieved", "relevant")
    forms = {"list": row["ids"], "scores": ids, "pairs": pairs, "dict": dict(pairs)}
    record = {retrieved: forms[case["ranked"]]}
    if case["ranked"] == "scores":
        record["scores"] = scores
    right = row["right"]
    forms = {"list": list(right), "pairs": list(map(list, right.items())), "dict": right}
    record[relevant] = forms[case["relevant"]]
    if case["query"] is not None:
        record[case["query"]] = row["query"]
    if case["systems"]:
        record["system"] = row["system"]
    return record


@pytest.mark.parametrize(("seed", "case"), CASES)
def test_rows_have_the_bits_of_dicts(seed: int, case: dict[str, Any], tmp_path: Path) -> None:
    rows = drawn(seed, case["ids"], case["systems"])
    rng = np.random.default_rng(seed)
    records = [record_of(row, case, rng) for row in rows]
    source: Any = pandas.DataFrame(records)
    if case["form"].startswith("jsonl"):
        source = tmp_path / f"rag.{case['form']}"
        text = "".join(f"{json.dumps(one)}\n\n" for one in records).encode()
        if case["form"].endswith("gz"):
            import gzip

            text = gzip.compress(text)
        source.write_bytes(text)
    elif case["form"] == "parquet":
        source.to_parquet(tmp_path / "rag.parquet")
        source = str(tmp_path / "rag.parquet")
    elif case["form"] == "arrow":
        source = pa.Table.from_pandas(source)
    elif case["form"] != "pandas":
        source = polars.DataFrame(records)
        source = source.lazy() if case["form"] == "lazy" else source
    names: dict[str, Any] = {}
    if case["names"] is not None:
        names = dict(zip(("retrieved", "relevant"), case["names"], strict=True))
    if case["systems"]:
        names["run"] = "system"
    result: Any = rg.evaluate_ids(source, measures=MEASURES, **names)
    for system in ("x", "y") if case["systems"] else ("x",):
        own = [row for row in rows if row["system"] == system]
        one = result[system] if case["systems"] else result
        ranked = {row["query"]: row["ids"] for row in own}
        right = {
            row["query"]: list(row["right"]) if case["relevant"] == "list" else row["right"]
            for row in own
        }
        expected = rg.evaluate_ids(ranked, right, MEASURES)
        if case["query"] is not None:
            assert one == expected
        for measure, values in expected.per_query.items():
            assert one.per_query[measure].tobytes() == values.tobytes()
        if case["ids"] == "text":
            qrels = {
                q: dict.fromkeys(ids, 1) if isinstance(ids, list) else ids
                for q, ids in right.items()
            }
            joined = rg.evaluate(qrels, ranked, MEASURES, convention="rankgain")
            assert joined.means == one.means


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "jsonl", "parquet"])
@pytest.mark.parametrize("score", ["scores", "score", "confidence"])
@pytest.mark.parametrize("ranked", ["retrieved", "found"])
@pytest.mark.parametrize("relevant", ["relevant", "right"])
def test_columns_of_lists_may_have_any_name_in_any_file(
    suffix: str, score: str, ranked: str, relevant: str, tmp_path: Path
) -> None:
    frame = pandas.DataFrame({
        "query": ["q", "r"],
        ranked: [["a", "b", "c"], ["c", "a"]],
        relevant: [["b"], ["a"]],
        score: [[0.1, 0.9, 0.5], [0.5, 0.75]],
    })  # fmt: skip
    path = tmp_path / f"rag.{suffix}"
    if suffix == "parquet":
        frame.to_parquet(path)
    elif suffix == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False, sep="\t" if suffix == "tsv" else ",")
    named = {"retrieved": ranked, "relevant": relevant, "score": score}
    result = rg.evaluate_ids(path, measures="RR", **named)
    assert result.to_dict() == {"q": {"RR": 1.0}, "r": {"RR": 1.0}}


def lines(*rows: Any) -> str:
    return "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in rows)


def test_rankings_of_systems_beside_relevant_ids_by_query_are_no_queries() -> None:
    pairs = rg.evaluate_ids({"q": [("a", 1), ("b", 2)]}, {"q": [("b", 2)]}, "RR")
    assert pairs.means == {"RR": 0.5}  # ids that are tuples
