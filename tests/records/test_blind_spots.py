"""Digits of written labels, cells of spreadsheets, and documents that stand twice apart."""

import io
from typing import Any

import pytest

import rankgain as rg
from rankgain.records.printable import safe_cell
from rankgain.trec_eval import main

NUMBERS = [
    0.123456789,
    1 / 3,
    1e-300,
    1.7976931348623157e308,
    5e-324,
    0.1 + 0.2,
    2**53 - 1,
    -0.5,
    0,
]
NUMBERS += [1e15, 123456789.125, 3, -7, 1e21]


@pytest.mark.parametrize("kind", [rg.Qrels, rg.Run])
def test_every_digit_is_written(kind: Any, tmp_path: Any) -> None:
    given = kind({"q": {f"d{at}": number for at, number in enumerate(NUMBERS)}})
    text = io.StringIO()
    given.write(text)
    assert kind(io.StringIO(text.getvalue())) == given
    assert kind(io.StringIO(text.getvalue()))["q"] == given["q"]
    for suffix in ("", ".gz", ".bz2", ".xz"):
        path = tmp_path / f"file{suffix}"
        given.write(path)
        assert kind.read(path)["q"] == given["q"]


STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "'"]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("rest", ["1+1", "=1", "cmd|' /C calc'!A0", "\t=2", ""])
def test_what_a_spreadsheet_would_run_is_text(start: str, rest: str) -> None:
    text = start + rest
    is_number = rest in ("",) and start == "-"
    assert safe_cell(text) == (text if is_number else f"'{text}")


@pytest.mark.parametrize("text", ["a=1", "1", "-1.5", "+2e3", "-", " =1", "", "q\t=1", "1-"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text


@pytest.mark.parametrize("start", STARTS)
def test_ids_in_csv_are_text(start: str) -> None:
    found = rg.evaluate({f"{start}=1": {"a": 1}}, {f"{start}=1": {"a": 1.0}}, "RR")
    assert f"'{start}=1" in found.to_csv()


QRELS = "q 0 a 1\nq 0 b 1\nr 0 a 1\n"


def rows(*rows: str) -> str:
    """Of query, document and score."""
    return "".join("{0} Q0 {1} 1 {2} t\n".format(*row.split()) for row in rows)


@pytest.mark.parametrize(
    ("run", "most", "status"),
    [
        (rows("q a 9", "q a 8", "r a 1", "q b 7"), 1, 0),  # one of the two is cut off
        (rows("q a 9", "q a 8", "r a 1", "q b 7"), 2, 4),
        (rows("q a 3", "q a 2", "r a 1", "q b 7"), 2, 0),  # what comes later stands above both
        (rows("q a 3", "q a 2", "r a 1", "q b 7"), 3, 4),
        (rows("q a 3", "r a 1", "q a 2", "q b 7"), 2, 0),
        (rows("q a 3", "r a 1", "q a 2", "q b 7"), 3, 4),
        (rows("r a 1", "q b 7", "q a 3", "q a 2"), 2, 0),
        (rows("r a 1", "r a 2", "q b 7", "q a 3", "r x 9"), 2, 0),
        (rows("r a 1", "r a 2", "q b 7", "q a 3", "r x 0"), 2, 4),
    ],
)
def test_a_document_twice_counts_where_both_are_read(
    run: str, most: int, status: int, tmp_path: Any, capfd: Any
) -> None:
    """trec_eval -M reads the first of each query, wherever its rows stand."""
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(run)
    files = str(tmp_path / "qrels"), str(tmp_path / "run")
    assert main([f"-M{most}", "-m", "map", *files]) == status
    capfd.readouterr()
