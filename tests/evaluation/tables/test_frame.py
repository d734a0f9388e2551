"""Long tables: rows in any order, of every kind of frame and file, have the bits of arrays."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from frame_forms import write
from rankgain.cli import main

pytest.importorskip("narwhals")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

MEASURES = ["nDCG@5", "AP", "RR"]
RNG = np.random.default_rng(7)
ROWS = 1500
USERS = RNG.integers(0, 80, ROWS)
LABELS, SCORES = RNG.integers(0, 4, ROWS), RNG.integers(0, 40, ROWS) / 8
FRAME = pandas.DataFrame({"user_id": USERS, "label": LABELS, "score": SCORES})
WANTED = rg.evaluate_arrays(LABELS, SCORES, MEASURES, qid=USERS)


def same(result: Any, expected: Any = WANTED) -> None:
    for name, values in expected.per_query.items():
        np.testing.assert_array_equal(result.per_query[name], values)
    assert result.means == expected.means


@pytest.mark.parametrize("library", ["pyarrow", "pandas"])
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.csv.gz", "a.parquet"])
def test_files_by_other_engines(library: str, name: str, tmp_path: Path, hide: Any) -> None:
    pytest.importorskip("pyarrow" if name.endswith("parquet") else library)
    hide(*{"polars", "pyarrow", "pandas"} - {library})
    same(rg.evaluate_frame(write(FRAME, tmp_path / name), MEASURES))


@pytest.mark.parametrize("library", ["polars", "pyarrow", "pandas"])
def test_ids_of_json_lines_that_look_like_dates_stay_text(
    library: str, tmp_path: Path, hide: Any
) -> None:
    pytest.importorskip(library)
    hide(*{"polars", "pyarrow", "pandas"} - {library})
    row = '{{"user_id": "{}", "label": {}, "score": {}}}\n'
    rows = [("2024-01-31", 1, 0.5), ("2024-01-31", 0, 0.7), ("2024-02-01T10:00:00", 1, 0.3)]
    (tmp_path / "a.jsonl").write_text("".join(row.format(*one) for one in rows))
    result = rg.evaluate_frame(tmp_path / "a.jsonl", "RR").to_dict()
    assert result == {"2024-01-31": {"RR": 0.5}, "2024-02-01T10:00:00": {"RR": 1.0}}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("who,user,label,score\na,u,1,0.2\nb,v,1,0.5\na,u,0,0.9\n")
    assert main(["table", str(path), "--query", "user", "-m", "RR", "--per-query"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[1:] for row in rows[1:4]] == [["u", "0.5000"], ["v", "1.0000"], ["all", "0.7500"]]
    assert main(["table", str(path), "-m", "RR", "--fail-under", "RR=0.9"]) == 3
    assert "RR is 0.75, under 0.9" in capsys.readouterr().err
    for wrong in (["--score", "a", "--rank", "b"], ["--threads", "0"], ["--output", str(path)]):
        assert main(["table", str(path), "-m", "RR", *wrong]) == 1
    assert main(["table", str(path), "-m", "RR", "--label", "nope"]) == 2
    assert "no column 'nope'" in capsys.readouterr().err


def test_ties_by_id_as_a_measure_has_them() -> None:
    rows = pandas.DataFrame({"q": [1, 1], "label": [1, 0], "score": [0.5, 0.5], "d": ["a", "b"]})
    for measures, convention in ((["RR"], "ir_measures"), (["RR(ties=id)"], "rankgain")):
        options: dict[str, Any] = {"query": "q", "convention": convention}
        for one in (measures, iter(measures)):
            result = rg.evaluate_frame(rows, one, doc="d", **options)
            ids = {"qid": rows["q"], "ids": rows["d"], "convention": convention}
            assert result == rg.evaluate_arrays(rows["label"], rows["score"], measures, **ids)


def test_a_row_for_each_segment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "user,label,score,country\n1,1,0.3,DE\n1,0,0.5,DE\n2,1,0.3,FR\n2,0,0.2,FR\n"
    Path("rows.csv").write_text(rows)
    requested = ["table", "rows.csv", "--query", "user", "-m", "RR", "--segment", "country"]
    assert main([*requested, "--format", "csv"]) == 0
    assert capsys.readouterr().out.split() == [*("run,RR", "rows.csv,0.75", "DE,0.5", "FR,1.0")]
    assert main([*requested, "--fail-under", "RR=0.6"]) == 3
    assert "DE" in capsys.readouterr().err
    Path("rows.csv").write_text(rows.replace("DE", "rows.csv"))
    assert main(requested) == 1
    assert "--segment: a label is 'rows.csv', as the file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "make", [lambda frame: frame, polars.from_pandas], ids=["pandas", "polars"]
)
def test_an_empty_frame_of_text_has_no_list(make: Any) -> None:
    """An engine that reads no row takes every column for text."""
    with pytest.warns(rg.RankgainWarning, match="the DataFrame has no rows"):
        result = rg.evaluate_frame(make(FRAME[:0].astype(str)), "AP")
    assert len(result) == 0
    assert np.isnan(result["AP"])


def test_tables_with_equal_columns_are_read_each_by_its_call() -> None:
    """The columns that were found in one table serve the next one only if the call is the same."""
    rows = {"qid": [1, 1], "label": [0, 1], "grade": [1, 0], "score": [0.9, 0.1], "score_b": [1, 2]}
    frame, other = pandas.DataFrame(rows), polars.DataFrame(rows)
    for _ in range(2):
        for table in (frame, other):
            assert rg.evaluate_frame(table, "RR").means == {"RR": 0.5}
            assert rg.evaluate_frame(table, "RR", label="grade").means == {"RR": 1.0}
            assert rg.evaluate_frame(table, "RR", score="score_b").means == {"RR": 1.0}
            both = rg.evaluate_frame(table, "RR", score=["score", "score_b"])
            assert [both[name]["RR"] for name in ("score", "score_b")] == [0.5, 1.0]
            kind = type(table).__name__
            with pytest.raises(ValueError, match=rf"^the {kind}: no column 'gain'"):
                rg.evaluate_frame(table, "RR", label="gain")
    renamed = frame.rename(columns={"score": "rating"})
    with pytest.raises(ValueError, match="'label' and 'rating' both fit label="):
        rg.evaluate_frame(renamed, "RR", score="score_b")
    arrow = other.to_arrow()
    holes = arrow.set_column(3, "score", [[0.9, None]])
    with pytest.raises(ValueError, match=r"^the Table, row 2 "):
        rg.evaluate_frame(holes, "RR")
    with pytest.raises(ValueError, match=r"^the DataFrame, row 2 "):
        rg.evaluate_frame(polars.from_arrow(holes), "RR")
