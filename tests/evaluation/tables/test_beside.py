"""Judgments beside a table of retrieved rows: the bits of rg.evaluate on both."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from frame_forms import in_form
from pairwise import rows_of

pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

MEASURES = ["nDCG@5", "AP", "R@5", "RR"]
AXES = {
    "frame": ["pandas", "polars", "lazy", "arrow", "csv", "parquet", "jsonl", "folder"],
    "truth": ["pandas", "lazy", "csv", "folder", "dict", "qrels", "trec", "data set"],
    "systems": ["one", "run", "names", "rank"],
    "ids": ["text", "integers"],
    "convention": ["trec", "ir_measures", "mteb"],
}
CASES = [(seed, case) for seed in range(3) for case in rows_of(AXES)]


def drawn(seed: int, ids: str) -> tuple[Any, Any]:
    """Judgments, and retrieved rows of two systems, which miss some judged documents."""
    rng = np.random.default_rng(seed)
    truth = [(q, d, int(rng.integers(0, 3))) for q in range(6) for d in range(9)]
    rows = [
        (system, q, d, rng.integers(0, 5) / 4, rng.integers(0, 5) / 4, at)
        for system in ("a", "b")
        for q in range(1, 7)
        for at, d in enumerate(rng.permutation(14).tolist()[:10])
    ]
    judged = pandas.DataFrame(truth, columns=["query_id", "doc_id", "label"])
    names = ["system", "query_id", "doc_id", "score", "other", "place"]
    frame = pandas.DataFrame(rows, columns=names)
    if ids == "text":
        for one in (judged, frame):
            one["query_id"] = [f"q{query}" for query in one["query_id"]]
            one["doc_id"] = [f"d{doc}" for doc in one["doc_id"]]
    return judged, frame


@pytest.mark.parametrize(("seed", "case"), CASES)
def test_the_bits_of_evaluate(seed: int, case: dict[str, Any], tmp_path: Path) -> None:
    judged, rows = drawn(seed, case["ids"])
    for name in ("truth", "frame"):
        (tmp_path / name).mkdir()
    if case["systems"] != "run":
        rows = rows[rows["system"] == "a"]
    qrels = rg.Qrels.from_frame(judged)
    truth: Any = {"dict": qrels.to_dict(), "qrels": qrels}.get(case["truth"])
    if case["truth"] == "trec":
        qrels.write(truth := tmp_path / "qrels.txt")
    elif truth is None:
        truth = in_form(judged, case["truth"], tmp_path / "truth")
    frame = in_form(rows, case["frame"], tmp_path / "frame")
    options: dict[str, Any] = {"convention": case["convention"]}
    names: dict[str, Any] = {"score": "score"}
    if case["systems"] == "run":
        names["run"] = "system"
    elif case["systems"] == "names":
        names["score"] = {"x": "score", "y": "other"}
    elif case["systems"] == "rank":
        names = {"rank": "place"}
    result = rg.evaluate_frame(frame, MEASURES, truth=truth, **names, **options)
    systems: Any = result if isinstance(result, rg.Evaluations) else {"": result}
    for name, one in systems.items():
        part = rows[rows["system"] == name] if case["systems"] == "run" else rows
        column = {"score": "other"} if name == "y" else {"score": "score"}
        run = rg.Run.from_frame(part, **({"rank": "place"} if "rank" in names else column))
        expected = rg.evaluate(qrels, run, MEASURES, **options)
        assert list(map(str, one.queries)) == list(map(str, expected.queries))
        assert one.means == expected.means
        assert one.counts == expected.counts
        for measure, values in expected.per_query.items():
            assert one.per_query[measure].tobytes() == values.tobytes()
