"""Streams of record batches: the bits of one call on all rows, whatever the cuts and the order."""

import gzip
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgain as rg

pa = pytest.importorskip("pyarrow")

from cut_tables import COLUMNS, NAMES, cut, evaluate_rows, table_of  # noqa: E402
from rankgain.evaluation.tables import batches as streams  # noqa: E402
from rankgain.inputs.tables import stream  # noqa: E402
from rankgain.inputs.tables.stream import Progress  # noqa: E402

SCHEMA = pa.schema([("q", pa.string()), ("y", pa.int8()), ("s", pa.float32())])


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**31),
    st.integers(0, 40),
    st.sampled_from([1, 20, 1 << 18]),
    st.sampled_from([None, "int", "dictionary", "large_string", "string_view"]),
)
def test_any_cuts_give_the_bits_of_one_call(seed, parts, stretch, kind):
    table = table_of(seed, kind=kind)
    batches = cut(table, seed, parts)
    before, streams.MIN_ROWS = streams.MIN_ROWS, stretch
    try:
        result = rg.evaluate_batches(iter(batches), NAMES, **COLUMNS)
        sums = rg.evaluate_batches(iter(batches), NAMES, **COLUMNS, keep="sums")
    finally:
        streams.MIN_ROWS = before
    expected = evaluate_rows(table)
    assert list(result.queries) == list(expected.queries)
    for name in NAMES:
        assert result.per_query[name].tobytes() == expected.per_query[name].tobytes(), name
        assert np.float64(result[name]).tobytes() == np.float64(expected[name]).tobytes(), name
    assert dict(result.counts) == dict(expected.counts)
    assert sums.means == pytest.approx(dict(expected.means), rel=0, abs=0, nan_ok=True)
    assert sums.count == len(expected)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.integers(0, 20), st.sampled_from([None, "int", "dictionary"]))
def test_rows_in_any_order_give_the_same_bits(seed, parts, kind):
    table = table_of(seed, kind=kind)
    mixed = table.take(pa.array(np.random.default_rng(seed).permutation(len(table))))
    result = rg.evaluate_batches(cut(mixed, seed, parts), NAMES, **COLUMNS, order="any")
    expected = evaluate_rows(table)
    values, known = result.to_dict(), expected.to_dict()
    assert values.keys() == known.keys()
    for query, row in values.items():
        for name, value in row.items():
            assert np.float64(value).tobytes() == np.float64(known[query][name]).tobytes()
    for name in NAMES:
        assert np.float64(result[name]).tobytes() == np.float64(expected[name]).tobytes()


@pytest.mark.parametrize("order", ["sorted", "any"])
def test_nothing_at_all(order):
    for source in ([], [SCHEMA.empty_table()]):
        with pytest.warns(rg.RankgainWarning, match="the stream has no rows"):
            result = rg.evaluate_batches(source, NAMES, **COLUMNS, order=order)
        assert len(result) == 0
        assert math.isnan(result["AP"])


def rows(q, y, s):
    return pa.record_batch({"q": q, "y": y, "s": s})


GOOD = rows(["a", "a"], [1, 0], [0.5, 0.25])


def test_progress_is_written_and_wiped(capsys):
    shown = Progress(True, "pass 1 of 2: ")
    shown._last = -1e9
    shown.update(1_234_567, 89)
    shown.close()
    assert "pass 1 of 2: 1,234,567 rows, 89 lists" in capsys.readouterr().err
    rg.evaluate_batches([GOOD], NAMES, **COLUMNS)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("order", ["sorted", "any"])
def test_progress_counts_all_rows(order, monkeypatch, capsys):
    monkeypatch.setattr(stream, "SECONDS_BETWEEN", -1.0)
    table = table_of(8)
    batches = cut(table, 8, 4)
    rg.evaluate_batches(lambda: batches, ["AP"], **COLUMNS, order=order, progress=True)
    shown = capsys.readouterr().err
    for what in [""] if order == "sorted" else ["pass 1 of 2: ", "pass 2 of 2: "]:
        for rows in (len(batches[0]), len(table)):
            assert f"\r{what}{rows} rows" in shown


MEMORY = """
import resource, sys
import numpy as np, pyarrow as pa, rankgain as rg
batches, lists, size = int(sys.argv[1]), 2000, 100
labels = pa.array((np.arange(lists * size) % 17 == 0).astype(np.int8))
def stream():
    for at in range(batches):
        ids = np.repeat(np.arange(at * lists, (at + 1) * lists), size)
        scores = np.random.default_rng(at).random(lists * size, np.float32)
        yield pa.record_batch({"q": ids, "y": labels, "s": scores})
found = rg.evaluate_batches(stream, ["nDCG@10", "AP"], query="q", label="y", score="s", keep="sums")
assert found.count == batches * lists
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units elsewhere")
def test_memory_does_not_grow_with_the_rows():
    """In processes of their own: 2 and 12 million rows of 13 bytes."""
    peaks = [
        int(subprocess.check_output([sys.executable, "-c", MEMORY, str(batches)]))
        for batches in (10, 60)
    ]
    assert peaks[1] - peaks[0] < 16 * 1024, peaks  # KiB; the rows that came on are 130 MB


def test_ids_of_a_text_file_are_text_and_nothing_is_guessed(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("q,y,s,other\n001,1,2,1\n001,0,3,x\n1,1,3,\n1,0,2.5,2\nNA,1,1,3\n")
    result = rg.evaluate_batches(path, "RR", **COLUMNS)
    assert result.to_dict() == {"001": {"RR": 0.5}, "1": {"RR": 1.0}, "NA": {"RR": 1.0}}
    # More than the first block.
    late = "".join(f"{number:040},1,1,1\n{number:040},0,0,1\n" for number in range(500))
    path.write_text(f"q,y,s,other\n{late}text,1,2.5,1\n")
    result = rg.evaluate_batches(path, "RR", **COLUMNS, keep="sums")
    assert result.means == {"RR": 1.0}


def test_files_are_opened_as_those_of_evaluate_frame(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = ("001", 1, 0.5), ("001", 0, 2), ("x", 1, 1)
    path.write_text("".join(f'{{"q": "{q}", "y": {y}, "s": {s}}}\n' for q, y, s in rows))
    with gzip.open(tmp_path / "rows.tsv.gz", "wt") as packed:
        packed.write("q\ty\ts\n001\t1\t0.5\n001\t0\t2\nx\t1\t1\n")
    for one in (path, tmp_path / "rows.tsv.gz"):
        result = rg.evaluate_batches(one, "RR", **COLUMNS)
        assert result.to_dict() == {"001": {"RR": 0.5}, "x": {"RR": 1.0}}
        framed = rg.evaluate_frame(one, "RR", query="q", label="y", score="s")
        assert framed.to_dict() == result.to_dict()


def test_segments_of_a_text_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("q,c,y,s\na,01,1,2\na,01,0,3\nb,de,1,1\n")
    result = rg.evaluate_batches(path, "RR", **COLUMNS, segment="c")
    assert result.segments == ("01", "de")
    total = rg.evaluate_batches(path, "RR", **COLUMNS, segment="c", keep="sums")
    assert [(row.segment, row.mean) for row in total.result().rows] == [
        (None, 0.75), ("01", 0.5), ("de", 1.0)
    ]  # fmt: skip
