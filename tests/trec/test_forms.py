"""Judgments and rankings in the forms in which people hold them, each beside its wrong twin."""

import bz2
import gzip
import importlib
import io
import json
import lzma
from typing import Any, NamedTuple

import numpy as np
import pytest

import rankgain as rg
from rankgain.inputs import files

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "x": 1.0}, "q2": {"d": 2.0, "a": 1.0}}
MEASURES = ["nDCG@10", "AP", "RR"]


class Judgment(NamedTuple):
    query_id: str
    doc_id: str
    relevance: Any
    iteration: str = "0"


class Scored(NamedTuple):
    query_id: str
    doc_id: str
    score: Any


def judgments() -> list[Judgment]:
    return [Judgment(q, d, label) for q, held in QRELS.items() for d, label in held.items()]


def scored() -> list[Scored]:
    return [Scored(q, d, score) for q, held in RUN.items() for d, score in held.items()]


def table(rows: Any, mark: str = "\t", header: str = "") -> str:
    return header + "".join(mark.join(map(str, row)) + "\n" for row in rows)


def same(qrels: Any, run: Any) -> None:
    result, expected = rg.evaluate(qrels, run, MEASURES), rg.evaluate(QRELS, RUN, MEASURES)
    assert result.means == expected.means
    assert result.queries == expected.queries


# Lists and sets of ids


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_a_run_may_be_lists_of_ids_best_first(kind: Any) -> None:
    run = {query: kind(list(held)) for query, held in RUN.items()}
    same(QRELS, run)
    same(rg.Qrels(QRELS), rg.Run(run))
    assert rg.Run(run).documents("q1") == ["b", "a", "x"]


@pytest.mark.parametrize("kind", [set, frozenset, list, tuple, np.array])
def test_qrels_may_be_the_relevant_ids(kind: Any) -> None:
    relevant = {"q1": ["a", "c"], "q2": ["d"]}
    result = rg.Qrels({query: kind(ids) for query, ids in relevant.items()})
    assert result.to_dict() == {"q1": {"a": 1.0, "c": 1.0}, "q2": {"d": 1.0}}


def test_integer_ids_in_lists() -> None:
    result = rg.evaluate({1: {10, 30}}, {1: np.array([20, 10, 30])}, "AP")
    assert result["AP"] == (1 / 2 + 2 / 3) / 2
    assert result.queries == (1,)


@pytest.mark.parametrize(
    ("make", "source", "error", "words"),
    [
        (rg.Run, {"q": {"a", "b"}}, TypeError, "'q': a set has no order; give a list"),
        (rg.Run, {"q": ["a", "b", "a"]}, ValueError, "'q': document 'a' comes twice"),
        (rg.Run, {"q": "abc"}, TypeError, "'q': expected a dict of documents or a list of ids"),
        (rg.Run, {"q": ["a", None]}, TypeError, "'q': an id must be a string or an integer"),
        (rg.Run, {"q": [1, "1"]}, ValueError, "document '1' comes twice in query 'q'"),
        (rg.Run, {"q": [float("nan")]}, TypeError, "an id must be a string or an integer"),
        (rg.Run, {"q": np.array([["a"]])}, TypeError, "expected a dict of documents or a list"),
        (rg.Run, 3, TypeError, "Run cannot be read from int"),
        (rg.Qrels, b"q 0 a 1", TypeError, "Qrels cannot be read from bytes"),
    ],
)
def test_wrong_lists_of_ids(make: Any, source: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        make(source)


# Rows with names


@pytest.mark.parametrize("form", [list, iter, lambda rows: (dict(row._asdict()) for row in rows)])
def test_rows_with_names(form: Any) -> None:
    same(form(judgments()), form(scored()))


def test_rows_of_ir_measures() -> None:
    tools = pytest.importorskip("ir_measures")
    qrels = [tools.Qrel(row.query_id, row.doc_id, row.relevance) for row in judgments()]
    run = [tools.ScoredDoc(*row) for row in scored()]
    same(qrels, run)


def test_integer_queries_of_rows_stay_integers() -> None:
    rows = [Judgment(7, "a", 1), Judgment(8, "b", 1)]  # type: ignore[arg-type]
    assert rg.evaluate(rows, {7: ["a"], 8: ["b"]}, "AP").queries == (7, 8)


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([("q", "a", 1)], TypeError, "the list, row 1: expected a row with names"),
        ([*judgments(), 3], TypeError, "the list, row 5: expected a row with names"),
        ([{}], ValueError, "the list: no column for query=.*rename it to"),
        ([Judgment("q", "a", "high")], TypeError, "a label or score must be a number, not .high"),
        (
            [Judgment("q", "a", None)],
            TypeError,
            "the list, row 1: a label or score must be a number",
        ),
        ([Judgment("q", "a", float("nan"))], ValueError, "the list, row 1: .*NaN"),
        ([Judgment("q", "a", 1), Judgment("q", "a", 2)], ValueError, "row 2: document 'a' comes"),
        ([Scored("q", "a", 1)], ValueError, "no column for label"),
        ([{"query_id": "q", "doc_id": "a", "rel": 1}, {"query_id": "q"}], ValueError, "'doc_id'"),
        ([], ValueError, "the list: no rows"),
    ],
)
def test_wrong_rows_with_names(rows: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        rg.Qrels(rows)


def test_objects_of_ranx() -> None:
    ranx = pytest.importorskip("ranx")
    same(ranx.Qrels({"q1": {"a": 2, "c": 1}, "q2": {"d": 1}}), ranx.Run(RUN))


# Files


HEADED = "query-id\tcorpus-id\tscore\n"


def test_qrels_of_beir(tmp_path: Any) -> None:
    pytest.importorskip("narwhals")  # tables with a header are frames
    path = tmp_path / "test.tsv"
    path.write_text(table(((q, d, n) for q, d, n, _ in judgments()), header=HEADED))
    same(path, RUN)


def test_tables_with_a_header(tmp_path: Any) -> None:
    pytest.importorskip("narwhals")  # tables with a header are frames
    path = tmp_path / "run.tsv.gz"
    path.write_bytes(gzip.compress(table(scored(), header="qid\tdocno\tscore\n").encode()))
    same(QRELS, path)


def test_three_columns_of_ms_marco(tmp_path: Any) -> None:
    qrels, run = tmp_path / "qrels.tsv", tmp_path / "run.tsv"
    qrels.write_text(table((q, d, n) for q, d, n, _ in judgments()))
    rows = ((q, d, rank) for q, held in RUN.items() for rank, d in enumerate(held, 1))
    run.write_text(table(rows))
    same(qrels, run)
    four = tmp_path / "qrels.dev.tsv"
    four.write_text(table((q, "0", d, n) for q, d, n, _ in judgments()))
    same(four, RUN)


@pytest.mark.parametrize(
    ("make", "text", "words"),
    [
        (rg.Run, "q\ta\t0.5\nq\tb\t0.4\n", "line 2: .*'q' has 0.4"),
        (rg.Run, "q\ta\t3\nq\tb\t2\n", "line 1: .*'q' has 3"),
        (rg.Run, "q\ta\t1\nq\tb\n", "line 2: too few fields: 2, but the first row has three"),
        (rg.Qrels, "q\ta\t1\nq\tb\thigh\n", "line 2: not a number in place of a label: "),
        (rg.Qrels, "q\ta\t1\n\nq\ta\t2\n", "line 3: document 'a' comes twice"),
        (rg.Qrels, "query\titem\tx\nq\ta\t1\n", "no column for label"),
        (rg.Qrels, '{"query_id": "q"}\n', "no column for query"),
    ],
)
def test_wrong_tables(make: Any, text: str, words: str, tmp_path: Any) -> None:
    if "no column" in words:
        pytest.importorskip("narwhals")
    path = tmp_path / "rows.tsv"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        make(path)


def test_json(tmp_path: Any) -> None:
    qrels, run = tmp_path / "qrels.jsonl", tmp_path / "run.json"
    qrels.write_text("".join(json.dumps(row._asdict()) + "\n" for row in judgments()))
    run.write_text(json.dumps(RUN))
    same(qrels, run)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("rows.jsonl", "q1 0 a 1\n", "rows.jsonl, line 1: not JSON: .*'q1 0 a 1'"),
        ("rows.jsonl", '{"query_id": "q", "doc_id": "a"}\n', "no column for label"),
        ("rows.jsonl", '{"query_id": "q", "doc_id": "a", "rel": 1}\n[1]\n', "line 2: expected a"),
        ("rows.jsonl", "", "rows.jsonl: no rows"),
        ("rows.json", "q1 0 a 1\n", "rows.json: not JSON"),
        ("rows.json", "[1]", "rows.json: expected an object query -> document -> number"),
        ("rows.txt", '{"query_id": "q", "doc_id": "a", "rel": 1}\n', "line 1: "),
        ("rows.parquet", "q1 0 a 1\n", "rows.parquet: cannot be read"),
    ],
)
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


@pytest.mark.parametrize("name", ["a b", "", "a\tb"])
def test_ids_that_no_trec_file_holds_are_not_written(name: str, tmp_path: Any) -> None:
    for kept in (rg.Qrels({"q": {name: 1}}), rg.Run({"q": {name: 1.0}}), rg.Run({name: {"a": 1}})):
        with pytest.raises(ValueError, match="cannot be written to a TREC file"):
            kept.write(tmp_path / "out")
    with pytest.raises(ValueError, match="cannot be written to a TREC file"):
        rg.Run(RUN).write(tmp_path / "out", tag=name)


def test_where_nothing_reads_zst_an_error_says_so(tmp_path: Any, monkeypatch: Any) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    path = tmp_path / "run.zst"
    path.write_bytes(b"(\xb5/\xfd" + bytes(20))
    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r'Python 3.14 .* pip install "rankgain\[zstd\]"'):
        rg.Run(path)
    assert files.codec  # the door that was closed


def test_objects_of_ranx_are_read_by_their_dict() -> None:
    class Qrels(dict[str, Any]):
        def to_dict(self) -> Any:
            return {"q": {"a": 2}}

    Qrels.__module__ = "ranx.data_structures"
    assert rg.Qrels(Qrels()).to_dict() == {"q": {"a": 2}}


def test_a_json_file_that_cannot_be_read_raises_the_error_of_the_system(tmp_path: Any) -> None:
    with pytest.raises(FileNotFoundError, match=r"missing\.json"):
        rg.evaluate(tmp_path / "missing.json", RUN, MEASURES)
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(OSError, match=r"folder\.json"):
        rg.evaluate(tmp_path / "folder.json", RUN, MEASURES)
