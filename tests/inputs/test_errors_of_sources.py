"""Errors of a source name it once, and the caller that reads it may give it another name."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

QRELS = {"q": {"a": 1, "b": 0}}
RUN = {"q": {"a": 1.5, "b": 0.5}}
ROWS = '{"query_id": "q", "doc_id": "a", "label": 1, "score": 0.5}\n'
BAD: dict[str, tuple[Any, type[Exception], str]] = {
    "not a number": ({"q": {"a": None}}, TypeError, "query 'q', document 'a': a score must be"),
    "ids of two types": ({1: ["a"], "1": ["b"]}, ValueError, "the queries 1 and '1' would become"),
    "no dict": ({"q": 3}, TypeError, "query 'q': expected a dict of documents"),
}


@pytest.mark.parametrize("bounds", [(), "ties"])
@pytest.mark.parametrize("case", BAD)
def test_a_run_among_several_is_named(case: str, bounds: Any) -> None:
    run, kind, words = BAD[case]
    with pytest.raises(kind) as caught:
        rg.evaluate(QRELS, run, "AP", bounds=bounds)
    assert str(caught.value).startswith(f"run: {words}")
    with pytest.raises(kind) as caught:
        rg.evaluate_runs(QRELS, {"good": RUN, "bad": run}, "AP", bounds=bounds)
    assert str(caught.value).startswith(f"run 'bad': {words}")


def test_an_error_of_a_file_keeps_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("# no rows\n")
    with pytest.raises(ValueError, match=r"^run: no rows$"):
        rg.evaluate_runs(QRELS, {"good": RUN, "bad": "run"}, "AP")
    Path("run.json").write_text('{"q": {"a": null}}')
    with pytest.raises(TypeError, match=r"^run\.json: query 'q', document 'a': a score must be"):
        rg.evaluate_runs(QRELS, {"good": RUN, "bad": "run.json"}, "AP")


@pytest.mark.parametrize(("exclude", "words"), [
    ({"q": {"a": float("inf")}}, "query 'q', document 'a': a label must be finite, not inf"),
    ({"q": {"a": {"part": 1}, "b": 2}}, "query 'q', document 'b': 2 stands where"),
    ({"q": 3}, "query 'q': expected a dict of documents"),
    (3, "Qrels cannot be read from int"),
])  # fmt: skip
def test_what_is_excluded_is_named_by_its_argument(exclude: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        rg.evaluate(QRELS, RUN, "AP", exclude=exclude)
    assert str(caught.value).startswith(f"exclude: {words}")


@pytest.mark.parametrize("case", BAD)
def test_an_error_is_the_same_after_a_pickle(case: str) -> None:
    run, kind, _ = BAD[case]
    with pytest.raises(kind) as caught:
        rg.evaluate_runs(QRELS, {"bad": run}, "AP")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is type(caught.value)
    assert str(copy) == str(caught.value)
    assert vars(copy) == vars(caught.value)


@pytest.mark.parametrize(("rows", "packed", "words"), [
    (ROWS + "{bad\n", False, r": cannot be read: line 2: not JSON: Expecting property name"),
    (ROWS + "[1]\n", False, r": cannot be read: line 2 is not a JSON object: \[1\]$"),
    (ROWS + ROWS.replace('"q"', "3"), False, ", line 2: query_id is 3, but other lines have"),
    (ROWS * 50, True, ": cannot be read: "),
])  # fmt: skip
def test_a_damaged_table_is_named_once(rows: str, packed: bool, words: str, tmp_path: Path) -> None:
    pytest.importorskip("narwhals")
    path = tmp_path / ("rows.jsonl.gz" if packed else "rows.jsonl")
    data = rows.encode()
    path.write_bytes(gzip.compress(data)[:-20] if packed else data)
    with pytest.raises((TypeError, ValueError), match=words) as caught:
        rg.evaluate_frame(path, "AP")
    assert str(caught.value).count(path.name) == 1
    assert str(caught.value).count("cannot be read") <= 1


def test_a_file_of_recommended_ids_is_named_in_an_error_for_its_lines(tmp_path: Path) -> None:
    pytest.importorskip("narwhals")
    path = tmp_path / "ids.jsonl"
    path.write_text(ROWS + ROWS.replace('"q"', "3"))
    with pytest.raises(TypeError, match=r"ids\.jsonl, line 2: query_id is 3, but other lines"):
        rg.evaluate_ids(path, {"q": ["a"]}, "AP")
