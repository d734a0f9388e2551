"""Files as people and programs leave them: names twice, empty lines, more columns, packed."""

import gzip
import io
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

TABLE = b"user_id,label,score\n1,1,.5\n1,0,.9\n2,1,.3\n"
ROWS = b'{"user_id":1,"label":1,"score":0.5}\n{"user_id":1,"label":0,"score":0.9}\n'


def written(folder: Path, name: str, content: bytes) -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


@pytest.mark.parametrize(("name", "content", "words"), [
    ("f.csv", b"user_id,label,score,score\n1,1,.1,.9\n", "two columns are called 'score'"),
    ("f.jsonl", b'{"user_id":1,"label":1,"score":9,"score":0}\n', "the key 'score' twice"),
    ("f.csv", b"user_id,label,score\n1,1,\xd9\xa1\n", "row 1.*: score is not a number"),
    ("f.csv", TABLE + b"3,1,1152921504606846977\n", "row 4.*: score is 1152921504606846977"),
])  # fmt: skip
def test_tables_that_are_refused(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=words):
        rg.evaluate_frame(written(tmp_path, name, content), "RR")


@pytest.mark.parametrize("engine", ["polars", "pyarrow", "pandas"])
@pytest.mark.parametrize(("name", "content"), [
    ("f.csv", TABLE.replace(b"\n1,0", b"\n\n1,0") + b"\n\n"),
    ("f.csv", b"\xef\xbb\xbf" + TABLE),
    ("f.csv.gz", gzip.compress(TABLE)),
    ("f.jsonl", b"\xef\xbb\xbf" + ROWS + b'{"user_id":2,"label":1,"score":0.3}\n'),
], ids=["empty lines", "a mark", "packed", "rows with a mark"])  # fmt: skip
def test_tables_that_are_read(
    name: str, content: bytes, engine: str, tmp_path: Path, hide: Any
) -> None:
    hide(*{"polars", "pyarrow", "pandas"} - {engine})
    result = rg.evaluate_frame(written(tmp_path, name, content), "RR")
    assert result.per_query["RR"].tolist() == [0.5, 1.0]


def test_a_number_beside_its_own_text_is_no_query_of_its_own() -> None:
    for make in (rg.Qrels, rg.Run):
        with pytest.raises(ValueError, match="the queries 1 and '1' would become one id"):
            make({1: {"a": 1}, "1": {"b": 1}})
    frame = pandas.DataFrame(
        {"query_id": pandas.Series([1, "1"], dtype=object), "doc_id": ["a", "b"], "label": [1, 1]}
    )
    with pytest.raises(ValueError, match="in column 'query_id' 1 and '1' would become one id"):
        rg.Qrels(frame)
    for wrong in ({None: ["b"]}, {float("nan"): ["b"]}):
        with pytest.raises(ValueError, match="retrieved: the id of list 0 is N"):
            rg.evaluate_ids(wrong, {"q": ["b"]}, "RR")
    with pytest.raises(TypeError, match="relevant: the id of list 1 is '1'"):
        rg.evaluate_ids({1: ["b"]}, {1: ["b"], "1": ["c"]}, "RR")


def test_frames_of_ids_say_what_can_be_done() -> None:
    columns = {"user_id": [1, 1], "user": [1, 2], "item_id": ["a", "b"], "rank": [1, 2]}
    words = r"has the 'user' 2, but 1 in its first row; .* pass query=\['user_id', 'user'\]"
    with pytest.raises(ValueError, match=words):
        rg.evaluate_ids(pandas.DataFrame(columns), {1: ["a"]}, "RR")
    none = pandas.DataFrame({"user_id": [1], "rank": [1]})
    with pytest.raises(ValueError, match=r"no doc column found .looked for doc_id.* pass doc="):
        rg.evaluate_ids(none, {1: ["a"]}, "RR")


def test_wide_scores_order_a_frame_of_ids() -> None:
    frame = pandas.DataFrame(
        {"query_id": [1, 1], "doc_id": ["a", "b"], "score": [2**60, 2**60 + 1]}
    )
    assert rg.evaluate_ids(frame, {1: ["a"]}, "RR")["RR"] == 0.5
    ranked = pandas.DataFrame({"user_id": [1, 1], "label": [1, 0], "rank": [2**60 + 1, 2**60]})
    with pytest.raises(ValueError, match=r"row 1.*: rank is 1\.15292150460685e\+18, which is too"):
        rg.evaluate_frame(ranked, "RR", rank="rank")


def test_a_stream_of_bytes_is_read_as_before() -> None:
    assert rg.Qrels(io.BytesIO(b"q 0 a 1\n")).to_dict() == {"q": {"a": 1.0}}


MIXED = b'{"user_id":1,"label":1,"score":1}\n{"user_id":"1","label":0,"score":2}\n'


def test_numbers_and_texts_in_one_column_of_json_lines(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    for rows in (MIXED, MIXED + MIXED.splitlines(keepends=True)[1] * 90):  # small, and in parts
        path = written(tmp_path, "f.jsonl", b"\n" + rows)
        with pytest.raises(TypeError, match=r"f.jsonl, line 2: user_id is 1, but other lines"):
            rg.evaluate_frame(path, "RR")


def test_ids_of_json_lines_stay_what_they_are(tmp_path: Path) -> None:
    rows = b'{"user_id":"2020-01-01","label":true,"score":1,"of":{"user_id":3}}\n\n'
    result = rg.evaluate_frame(written(tmp_path, "f.jsonl", b"\n" + rows), "RR")
    assert result.queries == ("2020-01-01",)
    row = b'{"user_id":%d,"label":1,"score":%d}\n'
    wide = b"".join(row % values for values in ((2**70, 1), (7, 2), (7, 3)))
    assert rg.evaluate_frame(written(tmp_path, "g.jsonl", wide), "RR").queries == (2**70, 7)
