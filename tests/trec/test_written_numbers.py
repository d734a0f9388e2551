"""Digits of written labels, cells of spreadsheets, and documents that stand twice apart."""

import io
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.inputs.printable import safe_cell
from rankgain.trec.trec_eval import main

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
    result = rg.evaluate({f"{start}=1": {"a": 1}}, {f"{start}=1": {"a": 1.0}}, "RR")
    assert f"'{start}=1" in result.to_csv()


QRELS = "q 0 a 1\nq 0 b 1\nr 0 a 1\n"


def rows(*rows: str) -> str:
    """Of query, document and score."""
    return "".join("{} Q0 {} 1 {} t\n".format(*row.split()) for row in rows)


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


def test_ranks_in_any_order_are_ranks(tmp_path: Any) -> None:
    """As MS MARCO's tools write them: 1 to n of each query, wherever its rows stand."""
    path = tmp_path / "run.tsv"
    lines = ["1\t10\t2", "2\t20\t1", "1\t11\t1", "3\t30\t1", "1\t12\t3", "2\t21\t2"]
    for order in (lines, lines[::-1], sorted(lines)):
        path.write_text("\n".join(order) + "\n")
        run = rg.Run(str(path))
        found_ids = [run.documents(query) for query in ("1", "2", "3")]
        assert found_ids == [["11", "10", "12"], ["20", "21"], ["30"]]
        result = rg.evaluate({"1": {"10": 1}, "2": {"21": 1}}, str(path), "RR")
        assert result.per_query["RR"].tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["q a 1", "r b 1", "q c 1"], "line 3: .*'q' has 1 a second time"),
        (["q a 3", "q b 2"], "line 1: .*'q' has 3"),
        (["q a 0", "q b 3", "q c 1"], "line 2: .*'q' has 3"),
        (["q a 1.5", "q b 1"], "line 1: .*'q' has 1.5"),
        (["q a -1"], "line 1: .*'q' has -1"),
        (["q a 1", "r a 1", "r b 4", "r c 2"], "line 3: .*'r' has 4"),
    ],
)
def test_numbers_that_are_no_ranks_are_named(lines: list[str], words: str, tmp_path: Any) -> None:
    path = tmp_path / "run.tsv"
    path.write_text("".join("\t".join(line.split()) + "\n" for line in lines))
    with pytest.raises(ValueError, match=words):
        rg.Run(str(path))


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
    with pytest.raises(ValueError, match=r"no column for score=.*from_frame\(frame, rank="):
        rg.Run(str(path))
    with pytest.raises(TypeError, match=r"for pairs \(id, score\) give only the ids"):
        rg.evaluate_ids({"q": ["b", ("a", 0.9)]}, {"q": ["a"]}, "AP")
    with pytest.raises(
        TypeError, match=r"so it cannot be an id; give the ids alone, such as \[row\['id'\]"
    ):
        rg.evaluate_ids([["b", {"id": "a", "score": 0.9}]], [["a"]], "AP")
    with pytest.raises(TypeError, match=r"for pairs \(id, label\) give a dict id -> label"):
        rg.evaluate_ids([["a", "b"]], [["b", ("a", 0.9)]], "AP")


LONG_NUMBERS = [
    "1" * 1200 + "e-1199",
    "0." + "0" * 1200 + "25e1200",
    "1." + "3" * 1500,
    "9" * 308,
    "1e-99999999999999999999",
    "0e123456789012345678901",
    "-2e+0000000000000000001",
    "4.9e-324",
    "2.4703282292062327208e-324",  # a tie of 0 and the smallest double, nearly
    "1797693134862315708145274237317043567e272",
]


@pytest.mark.parametrize("text", LONG_NUMBERS)
def test_scores_of_many_digits_are_those_of_python(text: str) -> None:
    run = rg.Run(io.StringIO(f"q Q0 d 1 {text} tag\n"))
    assert run["q"] == {"d": float(text)}
