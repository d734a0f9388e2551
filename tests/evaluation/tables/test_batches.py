"""Streams of record batches: the bits of one call on all rows, whatever the cuts and the order."""

import gzip
import itertools
import json
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgain as rg

pa = pytest.importorskip("pyarrow")
from pyarrow import csv, dataset, parquet  # noqa: E402

from rankgain.evaluation.tables import batches as streams  # noqa: E402
from rankgain.inputs.grouping import Repeats  # noqa: E402
from rankgain.inputs.tables import stream  # noqa: E402
from rankgain.inputs.tables.stream import Progress  # noqa: E402

NAMES = ["nDCG@3", "AP", "AUC", "RR", "P@2", "NumRel"]
COLUMNS = {"by": "q", "label": "y", "score": "s"}
SCHEMA = pa.schema([("q", pa.string()), ("y", pa.int8()), ("s", pa.float32())])


def table_of(seed, lists=30, longest=12, kind=None):
    """Rows sorted by query, with ties and with lists where nothing is relevant."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, longest, lists)
    n = int(sizes.sum())
    numbers = rng.permutation(1000)[:lists]
    ids = numbers if kind == "int" else np.array([f"ü{one}" for one in numbers])
    q = pa.array(np.repeat(ids, sizes))
    if kind == "dictionary":
        q = q.dictionary_encode()
    if kind in ("large_string", "string_view"):
        q = q.cast(getattr(pa, kind)())
    y = rng.integers(0, 3, n) * (rng.random(n) < 0.4)
    s = rng.integers(0, 6, n) / 4
    return pa.table({"q": q, "y": pa.array(y, pa.int8()), "s": pa.array(s, pa.float32())})


def cut(table, seed, parts):
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.integers(0, len(table) + 1, parts))
    bounds = [0, *ends.tolist(), len(table)]
    whole = table.combine_chunks().to_batches()[0]
    return [whole.slice(a, b - a) for a, b in itertools.pairwise(bounds)]


def expected(table, **options):
    q = np.array(table["q"].to_pylist())
    y, s = (table[one].to_numpy() for one in ("y", "s"))
    return rg.evaluate_arrays(y, s, NAMES, qid=q, **options)


def same(result, wanted):
    assert list(result.queries) == list(wanted.queries)
    for name in NAMES:
        assert result.per_query[name].tobytes() == wanted.per_query[name].tobytes(), name
        assert np.float64(result[name]).tobytes() == np.float64(wanted[name]).tobytes(), name
    assert dict(result.counts) == dict(wanted.counts)


def shuffled(table, seed):
    return table.take(pa.array(np.random.default_rng(seed).permutation(len(table))))


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
    before, streams.STRETCH = streams.STRETCH, stretch
    try:
        result = rg.evaluate_batches(iter(batches), NAMES, **COLUMNS)
        sums = rg.evaluate_batches(iter(batches), NAMES, **COLUMNS, keep="sums")
    finally:
        streams.STRETCH = before
    wanted = expected(table)
    same(result, wanted)
    assert sums.means == pytest.approx(dict(wanted.means), rel=0, abs=0, nan_ok=True)
    assert sums.count == len(wanted)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.integers(0, 20), st.sampled_from([None, "int", "dictionary"]))
def test_rows_in_any_order_give_the_same_bits(seed, parts, kind):
    table = table_of(seed, kind=kind)
    mixed = shuffled(table, seed)
    result = rg.evaluate_batches(cut(mixed, seed, parts), NAMES, **COLUMNS, order="any")
    wanted = expected(table)
    values, known = result.to_dict(), wanted.to_dict()
    assert values.keys() == known.keys()
    for query, row in values.items():
        for name, value in row.items():
            assert np.float64(value).tobytes() == np.float64(known[query][name]).tobytes()
    for name in NAMES:
        assert np.float64(result[name]).tobytes() == np.float64(wanted[name]).tobytes()


@pytest.mark.parametrize("order", ["sorted", "any"])
def test_everything_that_gives_batches(tmp_path, order):
    table = table_of(1)
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=7)
    csv.write_csv(table, tmp_path / "t.csv")
    polars = pytest.importorskip("polars")
    again = [
        table,
        table.to_batches(),
        lambda: iter(table.to_batches()),
        lambda: table.to_reader(),
        str(tmp_path / "t.parquet"),
        tmp_path / "t.csv",
        dataset.dataset(tmp_path / "t.parquet"),
        polars.from_arrow(table),
        [polars.from_arrow(table)],
    ]
    once = [table.to_reader(), iter(table.to_batches()), dataset.dataset(table).scanner()]
    wanted = expected(table)
    for source in again if order == "any" else [*again, *once]:
        result = rg.evaluate_batches(source, NAMES, **COLUMNS, order=order)
        assert result["AP"] == wanted["AP"]
        assert len(result) == len(wanted)
    if order == "any":
        for source in once:
            with pytest.raises(ValueError, match="reads its source twice"):
                rg.evaluate_batches(source, NAMES, **COLUMNS, order=order)


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    predictions = table_of(2)
    result = rg.evaluate_batches(duckdb.sql("SELECT * FROM predictions"), NAMES, **COLUMNS)
    assert result["AP"] == expected(predictions)["AP"]


@pytest.mark.parametrize("order", ["sorted", "any"])
def test_settings_reach_the_measures(order):
    table = table_of(3)
    options = {"gain": "exp2", "rel": 2, "empty": "skip", "ties": "worst", "convention": "sklearn"}
    result = rg.evaluate_batches([table], NAMES, **COLUMNS, order=order, **options)
    wanted = expected(table, **options)
    assert result.means == pytest.approx(dict(wanted.means), rel=0, abs=1e-15, nan_ok=True)
    assert result.convention == "sklearn"


def test_weights_are_a_column():
    table = table_of(4)
    rng = np.random.default_rng(0)
    weight_of = {one: rng.random() for one in dict.fromkeys(table["q"].to_pylist())}
    weights = [weight_of[one] for one in table["q"].to_pylist()]
    weighted = table.append_column("w", pa.array(weights))
    result = rg.evaluate_batches(cut(weighted, 1, 9), NAMES, **COLUMNS, weight="w")
    same(result, expected(table, weight=weight_of))
    longest = max(weight_of, key=table["q"].to_pylist().count)
    weights[table["q"].to_pylist().index(longest) + 1] += 1.0
    broken = table.append_column("w", pa.array(weights))
    with pytest.raises(ValueError, match=r"w is .*, but .* in the first row of .*; all rows of"):
        rg.evaluate_batches([broken], NAMES, **COLUMNS, weight="w")


def test_an_accumulator_is_filled():
    table = table_of(5)
    total = rg.Accumulator(bootstrap=30)
    assert rg.evaluate_batches(cut(table, 2, 5), NAMES, **COLUMNS, keep=total) is total
    one = rg.Accumulator(bootstrap=30)
    one.add(expected(table))
    assert total == one


@pytest.mark.parametrize("order", ["sorted", "any"])
def test_nothing_at_all(order):
    for source in ([], [SCHEMA.empty_table()]):
        result = rg.evaluate_batches(source, NAMES, **COLUMNS, order=order)
        assert len(result) == 0
        assert math.isnan(result["AP"])


def rows(q, y, s):
    return pa.record_batch({"q": q, "y": y, "s": s})


GOOD = rows(["a", "a"], [1, 0], [0.5, 0.25])


@pytest.mark.parametrize("order", ["sorted", "any"])
@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (rows(["b", None], [1, 0], [0.5, 0.2]), ValueError, "the stream, row 4: q has no value"),
        (rows(["b", "b"], [1, None], [0.5, 0.2]), ValueError, "the stream, row 4: y has no"),
        (rows(["b", "b"], [1, 0], [0.5, None]), ValueError, "the stream, row 4: s has no value"),
        (rows(["b", "b"], [1, 0], [math.nan, 1]), ValueError, "the stream, row 3: s is NaN"),
        (
            rows(["b"], ["1"], [0.5]),
            ValueError,
            "row 3: column 'y' is string, but int64",
        ),
        (rows(["b"], [1], [1]), ValueError, "the stream, row 3: column 's' is int64, but double"),
        (rows([1], [1], [0.5]), ValueError, "the stream, row 3: column 'q' is int64, but string"),
        (pa.record_batch({"q": ["b"], "y": [1]}), ValueError, "row 3: no column 's'; there are"),
    ],
)
def test_bad_batches_are_named(order, bad, error, words):
    with pytest.raises(error, match=words):
        rg.evaluate_batches([GOOD, bad], NAMES, **COLUMNS, order=order)


@pytest.mark.parametrize(
    ("batch", "error", "words"),
    [
        (rows(["b"], ["1"], [0.5]), TypeError, "column 'y' must hold numbers, not String"),
        (rows(["b"], [1], ["x"]), TypeError, "column 's' must hold numbers, not String"),
        (rows([0.5], [1], [0.5]), TypeError, "column 'q' must hold integers or text, not double"),
        (rows(["b"], [math.inf], [0.5]), ValueError, "the stream, row 1: y is inf"),
        (
            rows(["b"], [-1], [0.5]),
            ValueError,
            r"negative label -1,[^\n]*\nlist 0 is that of 'b', .* in the stream, row 1$",
        ),
    ],
)
def test_bad_columns_are_named(batch, error, words):
    with pytest.raises(error, match=words):
        rg.evaluate_batches([batch], NAMES, **COLUMNS)


@pytest.mark.parametrize("kind", [None, "int"])
def test_a_query_in_two_places_is_found(kind):
    table = table_of(6, lists=50, kind=kind)
    first = table["q"][0].as_py()
    moved = pa.concat_tables([table.slice(1), table.slice(0, 1)])
    if table["q"][1].as_py() != first:
        moved = pa.concat_tables([table, table.slice(0, 1)])
    with pytest.raises(ValueError, match=f"the stream, row {len(moved)}: {first!r} comes back"):
        rg.evaluate_batches(cut(moved, 0, 10), NAMES, **COLUMNS)


@given(st.lists(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 30), max_size=20)))
def test_repeats(blocks):
    repeats, seen = Repeats(), set()
    for block in blocks:
        again = [at for at, one in enumerate(block) if one in seen or one in block[:at]]
        assert repeats.add(block) == (again[0] if again else None)
        if again:
            break
        seen |= set(block)


def test_arguments():
    call = rg.evaluate_batches
    with pytest.raises(ValueError, match='order must be "sorted" or "any"'):
        call([GOOD], NAMES, **COLUMNS, order="sort")
    with pytest.raises(ValueError, match="keep must be"):
        call([GOOD], NAMES, **COLUMNS, keep="all")
    with pytest.raises(ValueError, match='ties="random" draws by the place'):
        call([GOOD], NAMES, **COLUMNS, ties="random")
    with pytest.raises(ValueError, match='RR: ties="random" draws by the place'):
        call([GOOD], ["AP", "RR(ties=random)", "nDCG(ties=stable)"], **COLUMNS)
    with pytest.raises(TypeError, match="by must be the name of a column"):
        call([GOOD], NAMES, by=0, label="y", score="s")
    with pytest.raises(TypeError, match=r"batches\[0\] must be an Arrow record batch"):
        call([3], NAMES, **COLUMNS)
    with pytest.raises(TypeError, match="batches must be an iterator"):
        call(3, NAMES, **COLUMNS)
    with pytest.raises(ValueError, match="its suffix does not say"):
        call(__file__, NAMES, **COLUMNS)
    with pytest.raises(FileNotFoundError):
        call("nowhere.parquet", NAMES, **COLUMNS)
    with pytest.raises(ValueError, match="takes no weight"):
        call([GOOD], NAMES, **COLUMNS, order="any", weight="y")


def test_a_damaged_file(tmp_path):
    path = tmp_path / "bad.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(ValueError, match="cannot be read"):
        rg.evaluate_batches(path, NAMES, **COLUMNS)


def test_a_source_that_changes_between_two_passes():
    batches = iter([[GOOD], [GOOD, GOOD]])
    with pytest.raises(ValueError, match="had 2 rows when it was read first, and 4"):
        rg.evaluate_batches(lambda: next(batches), NAMES, **COLUMNS, order="any")


def test_progress_is_written_and_wiped(capsys):
    shown = Progress(True, "pass 1 of 2: ")
    shown._last = -1e9
    shown.tell(1_234_567, 89)
    shown.close()
    assert "pass 1 of 2: 1,234,567 rows, 89 lists" in capsys.readouterr().err
    rg.evaluate_batches([GOOD], NAMES, **COLUMNS)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("order", ["sorted", "any"])
def test_progress_counts_all_rows(order, monkeypatch, capsys):
    monkeypatch.setattr(stream, "EVERY", -1.0)
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
found = rg.evaluate_batches(stream, ["nDCG@10", "AP"], by="q", label="y", score="s", keep="sums")
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
    late = "".join(f"{at:040},1,1,1\n" for at in range(500))  # more than the first block
    path.write_text(f"q,y,s,other\n{late}text,1,2.5,1\n")
    result = rg.evaluate_batches(path, "RR", **COLUMNS, keep="sums")
    assert result.means == {"RR": 1.0}
    path.write_text("q,y,s\na,1,2\n,0,3\n")
    with pytest.raises(ValueError, match=r"rows\.csv, row 2: q has no value"):
        rg.evaluate_batches(path, "RR", **COLUMNS)
    path.write_text("q,y\na,1\n")
    with pytest.raises(ValueError, match="no column 's'; there are q, y"):
        rg.evaluate_batches(path, "RR", **COLUMNS)


def test_files_are_opened_as_those_of_evaluate_frame(tmp_path):
    rows = [
        {"q": "001", "y": 1, "s": 0.5},
        {"q": "001", "y": 0, "s": 2},
        {"q": "x", "y": 1, "s": 1},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with gzip.open(tmp_path / "rows.tsv.gz", "wt") as packed:
        packed.write("q\ty\ts\n001\t1\t0.5\n001\t0\t2\nx\t1\t1\n")
    for one in (path, tmp_path / "rows.tsv.gz"):
        result = rg.evaluate_batches(one, "RR", **COLUMNS)
        assert result.to_dict() == {"001": {"RR": 0.5}, "x": {"RR": 1.0}}
        framed = rg.evaluate_frame(one, "RR", by="q", label="y", score="s")
        assert framed.to_dict() == result.to_dict()
    path.rename(tmp_path / "rows.csv")
    with pytest.raises(ValueError, match=r"its suffix is \.csv, but it begins as \.jsonl does"):
        rg.evaluate_batches(tmp_path / "rows.csv", "RR", **COLUMNS)
    with pytest.raises(ValueError, match=r"its suffix is \.csv"):
        rg.evaluate_batches(tmp_path, "RR", **COLUMNS)


def test_ties_by_id_name_no_argument_that_streams_have_not():
    with pytest.raises(ValueError, match="needs ids, which there are not; choose another ties="):
        rg.evaluate_batches(table_of(1), "RR", **COLUMNS, ties="id")


@pytest.mark.parametrize("value_type", ["string", "large_string", "string_view"])
def test_ids_in_dictionaries(value_type):
    table = table_of(3)
    ids = table["q"].combine_chunks().dictionary_encode()
    words = ids.dictionary.cast(getattr(pa, value_type)())
    ids = pa.DictionaryArray.from_arrays(ids.indices, words)
    result = rg.evaluate_batches(table.set_column(0, "q", ids), NAMES, **COLUMNS)
    same(result, expected(table))
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"q": ["b", "b", "a"], "y": [0, 1, 1], "s": [2.0, 1.0, 1.0]})
    for kind in (polars.Categorical, polars.Enum(["a", "b"])):
        result = rg.evaluate_batches(
            frame.with_columns(polars.col("q").cast(kind)), "RR", **COLUMNS
        )
        assert result.to_dict() == {"b": {"RR": 0.5}, "a": {"RR": 1.0}}


def with_segments(table, ids="text"):
    names = table["q"].to_pylist()
    numbers = {one: len(one) % 3 + hash_of(one) for one in dict.fromkeys(names)}
    labels = [numbers[one] if ids == "int" else f"land {numbers[one]}" for one in names]
    return table.append_column("c", pa.array(labels))


def hash_of(text):
    return sum(text.encode()) % 3


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**31), st.integers(0, 20), st.sampled_from([1, 1 << 18]), st.booleans())
def test_segments_are_a_column(seed, parts, stretch, as_text):
    pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    table = with_segments(table_of(seed), "text" if as_text else "int")
    before, streams.STRETCH = streams.STRETCH, stretch
    columns = {**COLUMNS, "segment": "c"}
    try:
        result = rg.evaluate_batches(cut(table, seed, parts), NAMES, **columns)
        total = rg.Accumulator(bootstrap=5, seed=seed)
        rg.evaluate_batches(cut(table, seed, parts), NAMES, **columns, keep=total)
    finally:
        streams.STRETCH = before
    wanted = rg.evaluate_frame(table.to_pandas(), NAMES, by="q", label="y", score="s", segment="c")
    assert result == wanted
    one = rg.Accumulator(bootstrap=5, seed=seed)
    for label in dict.fromkeys(wanted.segments):  # each by itself, in one call
        mine = table.filter(pa.array([c == label for c in table["c"].to_pylist()]))
        one.add(expected(mine), segment=label)
    assert total == one
    assert total.segments == sorted(set(wanted.segments))
    assert total.means == pytest.approx(dict(wanted.means), rel=0, abs=0, nan_ok=True)
    rows = {(row.segment, row.measure): row for row in total.result().rows}
    for label, part in wanted.by(wanted.segments).items():
        key = label if as_text else int(label)
        for name in NAMES:
            assert rows[key, name].mean == pytest.approx(part[name], abs=0, rel=0, nan_ok=True)
            assert rows[key, name].lists == np.isfinite(part.per_query[name]).sum()
    assert rg.Accumulator.from_arrow(total.to_arrow()) == total
    assert rg.Accumulator.from_dict(total.to_dict()) == total


def test_segments_of_a_text_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("q,c,y,s\na,01,1,2\na,01,0,3\nb,de,1,1\n")
    result = rg.evaluate_batches(path, "RR", **COLUMNS, segment="c")
    assert result.segments == ("01", "de")
    total = rg.evaluate_batches(path, "RR", **COLUMNS, segment="c", keep="sums")
    assert [(row.segment, row.mean) for row in total.result().rows] == [
        (None, 0.75), ("01", 0.5), ("de", 1.0)
    ]  # fmt: skip


@pytest.mark.parametrize("keep", ["values", "sums"])
def test_segments_that_change_inside_a_list(keep):
    rows = pa.table({"q": ["a", "b", "b", "b"], "y": [1, 0, 1, 0], "s": [1.0, 3, 2, 1]})
    rows = rows.append_column("c", pa.array(["de", "fr", "fr", "de"]))
    words = "the stream, row 4: c is 'de', but 'fr' in the first row of 'b'; all rows of a list"
    with pytest.raises(ValueError, match=words):
        rg.evaluate_batches(rows.to_batches(2), NAMES, **COLUMNS, segment="c", keep=keep)


def test_columns_that_are_no_segments():
    rows = table_of(1)
    rows = rows.append_column("c", pa.array([None] + ["x"] * (len(rows) - 1)))
    with pytest.raises(ValueError, match="the stream, row 1: c has no value"):
        rg.evaluate_batches(rows, NAMES, **COLUMNS, segment="c")
    with pytest.raises(TypeError, match="column 's' must hold integers or text, not float"):
        rg.evaluate_batches(rows, NAMES, **COLUMNS, segment="s")
    with pytest.raises(TypeError, match="segment must be the name of a column, not 3"):
        rg.evaluate_batches(rows, NAMES, **COLUMNS, segment=3)
    with pytest.raises(ValueError, match=r'order="any" takes no segment; .* evaluate_frame a path'):
        rg.evaluate_batches(rows, NAMES, **COLUMNS, segment="c", order="any")
    for source in ([], [SCHEMA.append(pa.field("c", pa.string())).empty_table()]):
        nothing = rg.evaluate_batches(source, NAMES, **COLUMNS, segment="c")
        assert nothing.segments == ()


class DuckDBPyConnection:
    """What a connection of DuckDB is called."""


class BatchOfAnArray:
    """Arrow's other protocol: one batch, not a stream."""

    def __arrow_c_array__(self, schema=None):
        return GOOD.__arrow_c_array__(schema)


def test_a_connection_is_no_result():
    words = (
        r"not DuckDBPyConnection; give con\.sql\(\.\.\.\), or \.to_arrow_reader\(\) of a result$"
    )
    with pytest.raises(TypeError, match=f"^batches must be .*{words}"):
        rg.evaluate_batches(DuckDBPyConnection(), NAMES, **COLUMNS)
    with pytest.raises(TypeError, match=rf"^batches\[0\] must be .*{words}"):
        rg.evaluate_batches([DuckDBPyConnection()], NAMES, **COLUMNS)


def test_one_batch_is_a_source_of_one_part():
    wanted = rg.evaluate_batches([GOOD], NAMES, **COLUMNS)
    assert rg.evaluate_batches([BatchOfAnArray()], NAMES, **COLUMNS) == wanted
    assert rg.evaluate_batches(BatchOfAnArray(), NAMES, **COLUMNS) == wanted


@pytest.mark.parametrize("digits", ["8", str(2**60)])
def test_decimals_of_a_stream(digits):
    numbers = [int(digits), 3]
    batch = rows(["a", "a"], [1, 0], pa.array(numbers, pa.decimal128(30, 0)))
    assert rg.evaluate_batches([batch], "RR", **COLUMNS)["RR"] == 1


def test_a_decimal_that_no_double_holds():
    batch = rows(["a", "a"], [1, 0], pa.array([2**60 + 1, 3], pa.decimal128(30, 0)))
    words = r"^the stream, row 1: s is 1152921504606846977, which a double does not hold: scale"
    with pytest.raises(ValueError, match=words):
        rg.evaluate_batches([batch], "RR", **COLUMNS)
