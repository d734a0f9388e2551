"""Judgments and rankings in the forms in which people hold them, each beside its wrong twin."""

import bz2
import gzip
import importlib
import io
import lzma
from typing import Any

import pytest

import rankgain as rg

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "x": 1.0}, "q2": {"d": 2.0, "a": 1.0}}
MEASURES = ["nDCG@10", "AP", "RR"]


def same(qrels: Any, run: Any) -> None:
    result, expected = rg.evaluate(qrels, run, MEASURES), rg.evaluate(QRELS, RUN, MEASURES)
    assert result.means == expected.means
    assert result.queries == expected.queries


# Rows with names


@pytest.mark.parametrize("systems", [("x", "y"), (["x"], ["y"]), ((["x"],), (["y"],))])
def test_a_field_of_systems_may_hold_anything(systems: Any) -> None:
    rows = [{"query": "q", "doc": d, "score": 1, "run": systems[0]} for d in "ab"]
    assert rg.Run(rows).documents("q") == ["b", "a"]


def test_objects_of_ranx() -> None:
    ranx = pytest.importorskip("ranx")
    same(ranx.Qrels({"q1": {"a": 2, "c": 1}, "q2": {"d": 1}}), ranx.Run(RUN))


# Files


@pytest.mark.parametrize(("name", "text", "words"), [
    ("rows.jsonl", "q1 0 a 1\n", "rows.jsonl, line 1: not JSON: .*'q1 0 a 1'"),
    ("rows.jsonl", '{"query_id": "q", "doc_id": "a"}\n', "no label column found"),
    ("rows.jsonl", '{"query_id": "q", "doc_id": "a", "rel": 1}\n[1]\n', "line 2: expected a"),
    ("rows.jsonl", "", r"rows.jsonl is empty \(0 bytes\)"),
    ("rows.json", "q1 0 a 1\n", "rows.json: not JSON"),
    ("rows.json", "[1]", "rows.json: expected an object query -> document -> number"),
    ("rows.txt", '{"query_id": "q", "doc_id": "a", "rel": 1}\n', "line 1: "),
    ("rows.parquet", "q1 0 a 1\n", "rows.parquet: cannot be read"),
])  # fmt: skip
def test_a_path_whose_suffix_lies(name: str, text: str, words: str, tmp_path: Any) -> None:
    if name.endswith(".parquet"):
        pytest.importorskip("narwhals")
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises((ValueError, TypeError), match=words):
        rg.Qrels(path)


# Compressed, and written


def trec(rows: Any) -> bytes:
    text = io.StringIO()
    rows.write(text)
    return text.getvalue().encode()


def zstd() -> Any:
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return pytest.skip("no zstd here")


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_compressed_files_are_known_by_their_start(suffix: str, tmp_path: Any) -> None:
    module = {".gz": gzip, ".bz2": bz2, ".xz": lzma}.get(suffix) or zstd()
    data = module.compress(trec(rg.Run(RUN)))
    for name in (f"run{suffix}", "run.txt", "run.gz"):
        path = tmp_path / name
        path.write_bytes(data)
        same(QRELS, path)
    same(QRELS, io.BytesIO(data))
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(ValueError, match=r"run.gz: damaged \w+ data"):
        rg.Run(path)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zst"])
def test_what_is_written_is_read_back(suffix: str, tmp_path: Any) -> None:
    if suffix == ".zst":
        zstd()
    for number, kept in enumerate((rg.Qrels(QRELS), rg.Run(RUN))):
        path = tmp_path / f"{number}.txt{suffix}"
        kept.write(path)
        assert type(kept)(path) == kept
        assert (path.read_bytes() == trec(kept)) == (suffix == "")
