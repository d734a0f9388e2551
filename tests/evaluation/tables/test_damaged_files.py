"""Compressed files that are cut off or changed are an error that names them, at every door."""

import bz2
import gzip
import lzma
import random
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from rankgain.cli import main
from rankgain.evaluation.tables import frame as long_file

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")
pytest.importorskip("narwhals")

PACK: dict[str, Any] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
COLUMNS: Any = {"query": "query_id", "label": "label", "score": "score"}
DRAW = random.Random(0)
CSV = "query_id,doc_id,label,score\n" + "".join(
    f"q{i // 9},d{DRAW.random()},{i % 2},{DRAW.random()}\n" for i in range(3000)
)
CONTENT = {
    "csv": CSV,
    "tsv": CSV.replace(",", "\t"),
    "jsonl": "".join(
        f'{{"query_id": "{q}", "doc_id": "{d}", "label": {y}, "score": {s}}}\n'
        for q, d, y, s in (line.split(",") for line in CSV.splitlines()[1:])
    ),
}


def damaged(data: bytes) -> dict[str, bytes]:
    middle = bytearray(data)
    middle[20:60] = DRAW.randbytes(40)
    late = bytearray(data)
    late[len(data) // 2 : len(data) // 2 + 60] = DRAW.randbytes(60)
    sums = bytearray(data)
    sums[-6] ^= 255
    return {
        "nearly nothing": data[:12],
        "half": data[: len(data) // 2],
        "without its end": data[:-4],
        "early": bytes(middle),
        "late": bytes(late),
        "another check sum": bytes(sums),
    }


DOORS: dict[str, Any] = {
    "evaluate_frame": lambda path: rg.evaluate_frame(path, "RR", **COLUMNS),
    "evaluate_batches": lambda path: rg.evaluate_batches(path, "RR", **COLUMNS),
    "Run": rg.Run,
    "Qrels": rg.Qrels,
    "evaluate": lambda path: rg.evaluate({"q0": {"d": 1}}, path, "RR"),
}


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("kind", CONTENT)
@pytest.mark.parametrize("door", DOORS)
def test_a_damaged_file_is_named(suffix: str, kind: str, door: str, tmp_path: Path) -> None:
    path = tmp_path / f"file.{kind}.{suffix}"
    for how, data in damaged(PACK[suffix](CONTENT[kind].encode())).items():
        path.write_bytes(data)
        with pytest.raises(ValueError, match=f"file.{kind}.{suffix}") as caught:
            DOORS[door](str(path))
        assert len(str(caught.value)) < 600, how


@pytest.mark.parametrize("kind", CONTENT)
def test_a_damaged_file_that_is_read_in_parts(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    path = tmp_path / f"file.{kind}.gz"
    command = ["table", str(path), "-m", "RR", "--query", "query_id", "--score", "score"]
    for data in damaged(gzip.compress(CONTENT[kind].encode())).values():
        path.write_bytes(data)
        assert main([*command, "--label", "label"]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert str(path) in printed.err
        assert "Traceback" not in printed.err
        with monkeypatch.context() as patched:
            patched.setattr(long_file, "BYTES", 1000)
            with pytest.raises(ValueError, match=f"file.{kind}.gz"):
                DOORS["evaluate_frame"](str(path))


def ids_of(values: list[int], kind: str, views: bool = True) -> Any:
    if kind == "decimal128":
        return pa.array(values, pa.int32()).cast(pa.decimal128(12, 2))
    if kind == "int64":
        return pa.array(values)
    texts = pa.array([f"q{one}" for one in values])
    if kind == "dictionary":
        words = texts.dictionary_encode()
        if not views:
            return words
        views = words.dictionary.cast(pa.string_view())
        return pa.DictionaryArray.from_arrays(words.indices, views)
    return texts.cast(getattr(pa, kind)()) if views else texts


@pytest.mark.parametrize("kind", ["string_view", "dictionary", "large_string"])
def test_records_of_views(kind: str) -> None:
    qrels = pa.table({"query_id": ids_of([1, 1, 2], kind), "doc_id": ids_of([5, 6, 7], kind),
                      "relevance": [1, 0, 1]})  # fmt: skip
    run = pa.table({"query_id": ids_of([2, 1, 1], kind), "doc_id": ids_of([7, 6, 5], kind),
                    "score": [1.0, 2, 1]})  # fmt: skip
    result = rg.evaluate(qrels, run, "RR")
    assert result.to_dict() == {"q1": {"RR": 0.5}, "q2": {"RR": 1.0}}
    expected = qrels.drop_columns("relevance")
    assert rg.evaluate_ids(run, expected.slice(0, 1), "RR").means["RR"] == 0.5


def test_a_column_that_a_data_set_has_not(tmp_path: Path) -> None:
    from pyarrow import dataset, parquet

    table = pa.table({"q": ["a", "a"], "y": [1, 0], "s": [1.0, 2.0]})
    parquet.write_table(table, tmp_path / "one.parquet")
    result = dataset.dataset(tmp_path)
    assert rg.evaluate_batches(result, "RR", query="q", label="y", score="s").means["RR"] == 0.5


LINES_OF = {
    "csv": ("q,y,s\n", "u{0},{1},{2}\n"),
    "tsv": ("q\ty\ts\n", "u{0}\t{1}\t{2}\n"),
    "jsonl": ("", '{{"q": "u{0}", "y": {1}, "s": {2}}}\n'),
}
FAULTS: dict[str, list[tuple[bytes, str]]] = {
    "csv": [
        (b"u1,1,2,3\n", "has 4 fields, the header has 3: 'u1,1,2,3'"),
        (b"u1,1\n", "has 2 fields, the header has 3: 'u1,1'"),
        (b"u1\n", "has 1 field, the header has 3: 'u1'"),
        (b"u1,many,2\n", "y is not a number: 'many'"),
        (b"u\xff,1,2\n", "is not UTF-8: 'u\\\\udcff,1,2'"),
    ],
    "tsv": [(b"u1\t1\t2\t3\n", "has 4 fields, the header has 3: 'u1\\\\t1\\\\t2\\\\t3'")],
    "jsonl": [
        (b'{"q": "u1", "y": 1, "s": }\n', "not JSON: Expecting value: b'"),
        (b'{"q": "u1", "y"\n', "not JSON: Expecting ':' delimiter: b'"),
        (b"[1, 2]\n", r"is not a JSON object: \[1, 2\]"),
    ],
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("kind", "row", "words"), [(kind, *one) for kind, rows in FAULTS.items() for one in rows]
)
def test_the_line_of_a_damaged_row(
    kind: str, row: bytes, words: str, packed: bool, tmp_path: Path
) -> None:
    """The fault is planted at a drawn line, and the error names it, by each way through a file."""
    header, line = LINES_OF[kind]
    rows = [line.format(i // 3, i % 2, i / 4).encode() for i in range(90)]
    at = DRAW.randrange(1, 80)
    data = header.encode() + b"".join([*rows[:at], row, *rows[at:]])
    path = tmp_path / (f"file.{kind}" + ".gz" * packed)
    path.write_bytes(gzip.compress(data) if packed else data)
    expected = rf"^.*file.{kind}(\.gz)?: cannot be read: line {at + 1 + bool(header)}:? {words}"
    columns: Any = {"query": "q", "label": "y", "score": "s"}
    for order in ("sorted", "any"):
        with pytest.raises(ValueError, match=expected):
            rg.evaluate_batches(path, "RR", **columns, order=order)
    if kind != "csv" or b"\xff" in row or row.count(b",") > 2:  # others are of a row
        with pytest.raises(ValueError, match=expected):
            rg.evaluate_frame(path, "RR", **columns)


def test_integers_of_csv_that_a_double_does_not_hold_are_refused(tmp_path: Path) -> None:
    path, columns = tmp_path / "rows.csv", {"query": "q", "label": "y", "score": "s"}
    path.write_text("q,y,s\nu,1,9007199254740993\nu,0,9007199254740992\n")
    path.write_text("q,y,s\nu,1,1e300\nu,0,9007199254740992\n")
    assert rg.evaluate_batches(path, "RR", **columns)["RR"] == 1.0
