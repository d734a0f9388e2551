"""Rows of tables that are left out by their label: the bits of arrays with the same `ignore=`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from frame_forms import in_form
from pairwise import name_of, rows_of

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")
pytestmark = pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")

MEASURES = ["nDCG@3", "AP", "RR", "P@2"]
AXES: dict[str, list[Any]] = {
    "form": ["pandas", "polars", "lazy", "arrow", "csv", "parquet", "batches", "any order"],
    "label": ["int", "float", "float32"],
    "ignored": ["one", "several", "NaN"],
    "padding": ["scores", "no scores"],
    "ties": ["average", "worst", "stable", "id"],
    "systems": ["one", "run", "scores"],
    "seed": list(range(4)),
}


def possible(row: dict[str, Any]) -> bool:
    if row["label"] == "int" and row["ignored"] == "NaN":
        return False
    in_any_order = row["form"] == "any order"
    return not (in_any_order and (row["ties"] in ("stable", "id") or row["systems"] == "scores"))


def draw(row: dict[str, Any]) -> tuple[Any, Any]:
    """Rows with padding, and the labels of the padding; the last query has nothing else."""
    rng = np.random.default_rng(row["seed"])
    rows = 40
    label = rng.choice([0.0, 0, 1, 2, -1], rows)
    query = rng.integers(0, 6, rows)
    label[query == 5] = -1
    ignored: Any = -1
    if row["ignored"] == "several":
        label[(label == -1) & (rng.random(rows) < 0.5)] = -100
        ignored = [-1, -100]
    elif row["ignored"] == "NaN":
        label[label == -1] = np.nan
        ignored = float("nan")
    is_padding = ~(label >= 0)
    numbers = {"int": np.int64, "float": np.float64, "float32": np.float32}[row["label"]]
    frame = pandas.DataFrame({"query": query, "label": label.astype(numbers)})
    frame["score"] = rng.integers(0, 5, rows) / 2
    frame["other"] = rng.integers(0, 5, rows) / 2
    if row["padding"] == "no scores":
        frame.loc[is_padding, ["score", "other"]] = np.nan
    # Padding repeats its id, which documents may not.
    names = np.array([f"d{number:02}" for number in rng.permutation(rows)], object)
    frame["doc"] = np.where(is_padding, "none", names)
    frame["system"] = rng.choice(["a", "b"], rows)
    if row["form"] == "batches":
        keys = ["system", "query"] if row["systems"] == "run" else ["query"]
        frame = frame.sort_values(keys, kind="stable")
    return frame, ignored


def evaluate(row: dict[str, Any], frame: Any, ignored: Any, folder: Path) -> Any:
    form = row["form"]
    options: dict[str, Any] = {"query": "query", "label": "label", "ties": row["ties"]}
    options |= {"ignore": ignored, "run": "system" if row["systems"] == "run" else None}
    options["score"] = ["score", "other"] if row["systems"] == "scores" else "score"
    if form != "any order":
        options["doc"] = "doc"
    if form in ("batches", "any order"):
        batches = pa.Table.from_pandas(frame, preserve_index=False).to_batches(max_chunksize=7)
        order = "any" if form == "any order" else "sorted"
        return rg.evaluate_batches(batches, MEASURES, order=order, **options)
    return rg.evaluate_frame(in_form(frame, form, folder), MEASURES, **options)


@pytest.mark.parametrize("row", rows_of(AXES, possible), ids=name_of)
def test_tables_have_the_values_of_arrays(row: dict[str, Any], tmp_path: Path) -> None:
    frame, ignored = draw(row)
    result = evaluate(row, frame, ignored, tmp_path)
    systems = dict(result) if row["systems"] != "one" else {"": result}
    for name, evaluation in systems.items():
        rows = frame[frame["system"] == name] if row["systems"] == "run" else frame
        score = name if row["systems"] == "scores" else "score"
        ids = {"ids": rows["doc"].to_numpy(str)} if row["ties"] == "id" else {}
        if ids:  # the ids of padding are not compared
            is_padding = rows["doc"] == "none"
            ids["ids"][is_padding] = [f"p{i}" for i in range(is_padding.sum())]
        columns = [rows[name].to_numpy() for name in ("label", score, "query")]
        options: Any = {"qid": columns[2], "ties": row["ties"], "ignore": ignored}
        expected = rg.evaluate_arrays(*columns[:2], MEASURES, **options, **ids)
        if (row["form"], row["systems"]) != ("batches", "run"):  # split after the evaluation
            assert evaluation.counts == expected.counts
        values, wanted = evaluation.to_pandas(), expected.to_pandas()
        values.index = values.index.astype(int)
        values, wanted = values.sort_index(), wanted.sort_index()
        assert values.index.tolist() == wanted.index.tolist()
        assert values.to_numpy().tobytes() == wanted.to_numpy().tobytes()


def test_a_query_of_padding_alone_is_a_list_without_documents(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"query": [1, 1, 2], "label": [-1, 1, -1], "score": [3.0, 2, 1]})
    result = rg.evaluate_frame(frame, "RR", ignore=-1)
    assert result.to_dict() == {1: {"RR": 1.0}, 2: {"RR": 0.0}}
    footer = "2 queries (1 undefined, counted as 0); 2 documents ignored by label"
    assert str(result).splitlines()[-1] == f"{footer} (convention rankgain)"
    result.to_json(tmp_path / "result.json")
    assert str(rg.Evaluation.read(tmp_path / "result.json")) == str(result)
    one = rg.evaluate_frame(frame[:2], "RR", ignore=-1)
    assert "; 1 document ignored by label (" in str(one)
    assert rg.Evaluation.merge([one, rg.evaluate_frame(frame[2:], "RR")]).counts["ignored"] == 1


@pytest.mark.parametrize("policy", ["first", "best", "in_place"])
def test_copies_are_those_of_documents_that_stay(policy: Any) -> None:
    rows = [("p", -1, 9.0), ("a", 0, 8.0), ("p", -1, 7.0), ("b", 1, 6.0), ("b", 1, 5.0)]
    frame = pandas.DataFrame(rows, columns=["doc", "label", "score"]).assign(query=1)
    result = rg.evaluate_frame(frame, ["RR", "NumRet"], ignore=-1, duplicates=policy)
    assert dict(result.means) == {"RR": 0.5, "NumRet": 3.0 if policy == "in_place" else 2.0}
    mixed = pandas.concat([frame, frame.assign(query=2)]).sort_values("score", kind="stable")
    of_both = rg.evaluate_frame(mixed, ["RR", "AP", "NumRet"], ignore=-1, duplicates=policy)
    values = {"RR": 0.5, "AP": 0.5, "NumRet": result["NumRet"]}
    assert of_both.to_dict() == {1: values, 2: values}


def test_label_0_is_ignored_before_copies_count_as_0() -> None:
    rows = [("a", 0, 9.0), ("b", 1, 8.0), ("b", 1, 7.0), ("c", 1, 6.0)]
    frame = pandas.DataFrame(rows, columns=["doc", "label", "score"]).assign(query=1)
    result = rg.evaluate_frame(frame, ["AP", "NumRet"], ignore=0, duplicates="in_place")
    assert dict(result.means) == {"AP": (1 + 2 / 3) / 2, "NumRet": 3.0}
