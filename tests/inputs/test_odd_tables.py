"""Tables as people have them: other separators, ragged rows, very wide ones; what errors say."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg

QRELS = {"q": {"a": 1}}


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_other_separators_are_named(mark: str, tmp_path: Path) -> None:
    pytest.importorskip("narwhals")
    path = tmp_path / "rows.csv"
    path.write_text("qid;docno;label;score\nq;a;1;2\n".replace(";", mark))
    for read in (rg.Qrels, rg.Run, lambda one: rg.evaluate_frame(one, "AP")):
        with pytest.raises(ValueError, match=r"rows\.csv") as caught:
            read(path)
        assert repr(mark) in str(caught.value) or (mark == "\t" and ".tsv" in str(caught.value))
        assert "no column" not in str(caught.value)


@pytest.mark.parametrize("before", [0, 1, 5000])
def test_the_line_of_a_ragged_row(before: int, tmp_path: Path) -> None:
    pytest.importorskip("narwhals")
    path = tmp_path / "rows.csv"
    good = "".join(f"q{i},a,{i % 2}\n" for i in range(before))
    path.write_text(f'qid,docno,label\n"q\nx",a,1\n{good}q,d\nq,b,1,7\nq,c,1\n')
    words = rf"rows\.csv: .*line {before + 5} has 4 fields, the header has 3: 'q,b,1,7'"
    with pytest.raises(ValueError, match=words) as caught:
        rg.Qrels(path)
    assert "truncate_ragged_lines" not in str(caught.value)


def test_errors_of_wide_tables_are_short(tmp_path: Path) -> None:
    pytest.importorskip("narwhals")
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"column{i}" for i in range(3000)) + "\n" + "1," * 2999 + "1\n")
    for read in (rg.Qrels, lambda one: rg.evaluate_frame(one, "AP")):
        with pytest.raises(ValueError, match=r"column0, column1, .* and 2980 more") as caught:
            read(path)
        assert len(str(caught.value)) < 700


def test_a_bad_run_among_several_is_named(tmp_path: Path) -> None:
    good, bad = {"q": {"a": 1.0}}, {"q": {"a": "x"}}
    (tmp_path / "good.json").write_text(json.dumps(good))
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    paths = {"one": tmp_path / "good.json", "two": tmp_path / "bad.json"}
    with pytest.raises(TypeError, match=r"bad\.json: query 'q', document 'a': a score must be"):
        rg.evaluate_runs(QRELS, paths, "AP")
    with pytest.raises(TypeError, match=r"^run 'two': query 'q', document 'a': a score must be"):
        rg.evaluate_runs(QRELS, {"one": good, "two": bad}, "AP")
    with pytest.raises(ValueError, match=r"^run 'two': query 'q': document 'a' comes twice"):
        rg.evaluate_runs(QRELS, {"one": good, "two": {"q": ["a", "a"]}}, "AP")


def test_ids_that_are_not_utf_8(tmp_path: Path) -> None:
    """Files keep their bytes; frames, which hold UTF-8 alone, escape them."""
    run = rg.Run(io.BytesIO(b"q\xff Q0 a 1 1 t\n"))
    result = rg.evaluate(rg.Qrels(io.BytesIO(b"q\xff 0 a 1\n")), run, "AP")
    path = tmp_path / "values.csv"
    result.to_csv(path)
    assert b"\nq\xff,1.0\n" in path.read_bytes()
    if pandas := pytest.importorskip("pandas"):
        assert list(result.to_pandas().index) == ["q\\udcff"]
        assert pandas
    pytest.importorskip("polars")
    assert result.to_polars()["query"].to_list() == ["q\\udcff"]


def test_names_in_errors_are_printable() -> None:
    runs: Any = rg.evaluate_runs(QRELS, {"a": QRELS, "b\x1b[31m": QRELS}, "AP")
    with pytest.raises(ValueError, match="is not evaluated") as caught:
        runs.compare(baseline="x\x1b[31m")
    assert "\x1b" not in str(caught.value)
    for label in ("x}\\input{y", "x\x1b[31m", "50%"):
        with pytest.raises(ValueError, match="cannot stand in") as caught:
            runs.to_latex(label=label)
        assert "\x1b" not in str(caught.value)
    assert r"\label{tab:a_b-1}" in runs.to_latex(label="tab:a_b-1")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_names_of_runs_and_segments_that_are_not_utf_8(library: str) -> None:
    """Every frame of a result escapes them, wherever they stand."""
    pytest.importorskip(library)
    odd, good, escaped = "a\udcff", {"q": {"a": 1.0, "b": 2.0}}, "a\\udcff"
    runs = rg.evaluate_runs({"q": {"a": 1}}, {odd: good, "b": good}, ["AP", "RR"])
    compared = runs.compare(measures="AP", resamples=99, by=[odd])
    sums = rg.Accumulator()
    sums.add(runs[odd], segment=odd)

    def columns(result: Any, **options: Any) -> Any:
        frame = getattr(result, f"to_{library}")(**options)
        if library == "polars":
            return frame.to_dict(as_series=False)
        return {"run": list(frame.index), **frame.to_dict("list")}

    assert columns(runs)["run"] == [escaped, "b"]
    assert escaped in columns(runs, transpose=True)
    assert escaped in columns(runs, intervals=True)["run"]
    rows = columns(compared)
    assert rows["a"][0] == escaped
    assert escaped in rows["segment"]
    if library == "pandas":
        assert {escaped} <= set(columns(sums.result())["segment"])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_ids_that_are_tuples(library: str) -> None:
    pytest.importorskip(library)
    ids = np.empty(2, object)
    ids[:] = [("u\udcff", 1), ("u", 2)]
    result = rg.evaluate_arrays([1, 1], [0.5, 0.5], "AP", qid=ids)
    if library == "pandas":
        assert list(result.to_pandas().index) == [("u\\udcff", 1), ("u", 2)]
    else:
        assert result.to_polars()["query"].to_list() == [str(("u\\udcff", 1)), "('u', 2)"]
