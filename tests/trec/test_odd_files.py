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


def test_wide_scores_order_a_frame_of_ids() -> None:
    frame = pandas.DataFrame(
        {"query_id": [1, 1], "doc_id": ["a", "b"], "score": [2**60, 2**60 + 1]}
    )
    assert rg.evaluate_ids(frame, {1: ["a"]}, "RR")["RR"] == 0.5


def test_a_stream_of_bytes_is_read_as_before() -> None:
    assert rg.Qrels(io.BytesIO(b"q 0 a 1\n")).to_dict() == {"q": {"a": 1.0}}


def test_ids_of_json_lines_stay_what_they_are(tmp_path: Path) -> None:
    rows = b'{"user_id":"2020-01-01","label":true,"score":1,"of":{"user_id":3}}\n\n'
    result = rg.evaluate_frame(written(tmp_path, "f.jsonl", b"\n" + rows), "RR")
    assert result.queries == ("2020-01-01",)
    row = b'{"user_id":%d,"label":1,"score":%d}\n'
    wide = b"".join(row % values for values in ((2**70, 1), (7, 2), (7, 3)))
    assert rg.evaluate_frame(written(tmp_path, "g.jsonl", wide), "RR").queries == (2**70, 7)
