"""Tables as people have them: ids that are not UTF-8, odd names, rows that change, wide numbers."""

from __future__ import annotations

import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

QRELS = {"q": {"a": 1}}


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
    with pytest.raises(ValueError, match="no evaluation is named") as caught:
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


@pytest.mark.parametrize("n_before", [5, 100, 101, 5000])
@pytest.mark.parametrize("kind", ["a fraction", "a score", "text", "a column"])
def test_rows_with_names_may_change_at_any_row(n_before: int, kind: str) -> None:
    """Integers, then a fraction; no value, then one; a field that later rows alone have."""
    pytest.importorskip("narwhals")
    rows: list[dict[str, Any]] = [
        {"query": f"q{number}", "doc": "a", "label": 1, "score": 1} for number in range(n_before)
    ]
    rows += [{"query": "q", "doc": name, "label": 0, "score": 0} for name in "ab"]
    rows[-1]["label"] = 1
    if kind == "a fraction":
        rows[-1]["score"] = 0.5
    elif kind == "a score":
        for row in rows:
            row["note"] = None
        rows[-1] |= {"note": 3, "score": 1}
    elif kind == "text":
        for row in rows:
            row["note"] = None
        rows[-1] |= {"note": "late", "score": 1}
    else:
        rows[-1] |= {"late": [1], "score": 1}
    result = rg.evaluate_frame(rows, "RR")
    assert result.to_dict()["q"] == {"RR": 1.0}
    assert len(result.queries) == n_before + 1


NEAR: dict[str, Any] = {  # how a column holds neighbouring integers, of which float32 has one
    "decimals": lambda values: list(map(Decimal, values)),
    "text": lambda values: list(map(str, values)),
    "text with a plus": lambda values: [f"+{value}" for value in values],
    "text beside true": lambda values: [*map(str, values[:-1]), "true"],
    "integers": lambda values: values,
    "floats": lambda values: list(map(float, values)),
}


@pytest.mark.parametrize("kind", NEAR)
@pytest.mark.parametrize("top", [2**24, 2**31, 2**32, 2**53 - 2])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_neighbouring_integers_stay_apart(kind: str, top: int, library: str) -> None:
    pytest.importorskip("narwhals")
    frames = pytest.importorskip(library)
    values = NEAR[kind]([top, top + 1, top - 1, 1])
    columns = {"query": ["q"] * 4, "doc": list("abcd"), "label": [0, 1, 0, 0], "score": values}
    assert rg.evaluate_frame(frames.DataFrame(columns), "RR").means == {"RR": 1.0}
    labels = frames.DataFrame({**columns, "score": [1, 4, 3, 2], "label": values})
    assert rg.evaluate_frame(labels, "CG@1").means == {"CG@1": float(top + 1)}
    ids = frames.DataFrame({"user": ["u"] * 4, "item": list("abcd"), "score": values})
    assert rg.evaluate_ids(ids, {"u": ["b"]}, "RR").means == {"RR": 1.0}
    if kind in ("integers", "floats"):
        ids = frames.DataFrame({"user": values, "item": list("abcd"), "rank": [1] * 4})
        result = rg.evaluate_ids(ids, {values[1]: ["b"], values[0]: ["b"]}, "RR").to_dict()
        assert result == {values[0]: {"RR": 0.0}, values[1]: {"RR": 1.0}}


@pytest.mark.parametrize("scores", [[1e-300, 2e-300], [-2e-300, -1e-300], [0, 2**63], [-3, -2]])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_scores_near_0_and_of_every_sign_stay_apart(scores: list[Any], library: str) -> None:
    pytest.importorskip("narwhals")
    frames = pytest.importorskip(library)
    columns = {"user": ["u"] * 2, "item": ["a", "b"], "score": scores}
    assert rg.evaluate_ids(frames.DataFrame(columns), {"u": ["b"]}, "RR").means == {"RR": 1.0}


def test_spellings_of_booleans_suffixes_and_folders(tmp_path: Path, monkeypatch: Any) -> None:
    polars = pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    monkeypatch.chdir(tmp_path)
    Path("A.CSV").write_text("query,label,score\nq,FALSE,2\nq,True,1\nr,true,2\n")
    for path in (Path("A.CSV"), "A.CSV"):
        assert rg.evaluate_frame(path, "RR").to_dict() == {"q": {"RR": 0.5}, "r": {"RR": 1.0}}
    Path("B.CSV").write_text("user,item,rank\nu,a,1\nu,b,2\n")
    assert rg.evaluate_ids("B.CSV", {"u": ["b"]}, "RR").means == {"RR": 0.5}
    Path("relevant=true").mkdir()
    rows = {"query": ["q"] * 2, "label": [0, 1], "score": [1, 2], "relevant": [True] * 2}
    polars.DataFrame(rows).write_parquet("relevant=true/a.parquet")
    named: Any = {"label": "relevant"}
    assert rg.evaluate_frame(Path("relevant=true/a.parquet"), "P@2", **named).means == {"P@2": 1.0}


def test_blank_lines_are_no_rows(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")
    path = tmp_path / "rows.jsonl"
    line = '{"query": "q", "label": 1, "score": 2}\n'
    path.write_text(line + "\n" * 5000 + line + " \n" * 5000)
    named: Any = {"query": "query", "label": "label", "score": "score"}
    for result in (rg.evaluate_batches(path, "NumRet", **named), rg.evaluate_frame(path, "NumRet")):
        assert result.means == {"NumRet": 2.0}
