"""A column of segments in a stream of record batches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgain as rg

pa = pytest.importorskip("pyarrow")
from cut_tables import COLUMNS, NAMES, cut, evaluate_rows, table_of  # noqa: E402
from rankgain.evaluation.tables import batches as streams  # noqa: E402


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
    before, streams.MIN_ROWS = streams.MIN_ROWS, stretch
    columns = {**COLUMNS, "segment": "c"}
    try:
        result = rg.evaluate_batches(cut(table, seed, parts), NAMES, **columns)
        total = rg.Accumulator(bootstrap=5, seed=seed)
        rg.evaluate_batches(cut(table, seed, parts), NAMES, **columns, keep=total)
    finally:
        streams.MIN_ROWS = before
    expected = rg.evaluate_frame(
        table.to_pandas(), NAMES, query="q", label="y", score="s", segment="c"
    )
    assert result == expected
    one = rg.Accumulator(bootstrap=5, seed=seed)
    for label in dict.fromkeys(expected.segments):  # each by itself, in one call
        rows = table.filter(pa.array([c == label for c in table["c"].to_pylist()]))
        one.add(evaluate_rows(rows), segment=label)
    assert total == one
    assert total.segments == sorted(set(expected.segments))
    assert total.means == pytest.approx(dict(expected.means), rel=0, abs=0, nan_ok=True)
    rows = {(row.segment, row.measure): row for row in total.result().rows}
    for label, part in expected.by(expected.segments).items():
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
    with pytest.raises(ValueError, match=r'order="any" does not support segment=; .* a path to'):
        rg.evaluate_batches(rows, NAMES, **COLUMNS, segment="c", order="any")
    for source in ([], [table_of(1).slice(0, 0).append_column("c", pa.array([], pa.string()))]):
        nothing = rg.evaluate_batches(source, NAMES, **COLUMNS, segment="c")
        assert nothing.segments == ()
