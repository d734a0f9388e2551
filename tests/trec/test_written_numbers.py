"""Digits of written labels, cells of spreadsheets, and documents that stand twice apart."""

from typing import Any

import numpy as np
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


def test_arrays_and_ranks_are_told_where_they_belong(tmp_path: Any) -> None:
    """What is given to the wrong door names the right one."""
    y, s = np.eye(3), np.eye(3)
    for pair in ((y, s), (y[0], s[0]), (y.tolist(), s.tolist()), ([1, 0], [0.5, 0.1])):
        with pytest.raises(TypeError, match="are what evaluate_arrays takes"):
            rg.evaluate(*pair, "AP")
        with pytest.raises(TypeError, match="are what evaluate_arrays takes"):
            rg.evaluate({"q": {"a": 1}}, pair[1], "AP")
    path = tmp_path / "run.jsonl"
    path.write_text('{"query_id": "q", "doc_id": "d", "rank": 1}\n')
    with pytest.raises(ValueError, match=r"no score column found.*from_frame\(frame, rank="):
        rg.Run(str(path))
    with pytest.raises(TypeError, match=r"for pairs \(id, score\) give only the ids"):
        rg.evaluate_ids({"q": ["b", ("a", 0.9)]}, {"q": ["a"]}, "AP")
    with pytest.raises(
        TypeError, match=r"so it cannot be an id; give the ids alone, such as \[row\['id'\]"
    ):
        rg.evaluate_ids([["b", {"id": "a", "score": 0.9}]], [["a"]], "AP")
    with pytest.raises(TypeError, match=r"for pairs \(id, label\) give a dict id -> label"):
        rg.evaluate_ids([["a", "b"]], [["b", ("a", 0.9)]], "AP")
