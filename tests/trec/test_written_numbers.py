"""Digits of written labels, cells of spreadsheets, and documents that stand twice apart."""

import pytest

import rankgain as rg
from rankgain.inputs.printable import safe_cell

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
    result = rg.evaluate({f"{start}=1": {"a": 1}}, {f"{start}=1": {"a": 1.0}}, "RR")
    assert f"'{start}=1" in result.to_csv()
