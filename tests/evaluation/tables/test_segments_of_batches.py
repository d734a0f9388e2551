"""A column of segments in a stream of record batches."""

import pytest

import rankgain as rg

pa = pytest.importorskip("pyarrow")
from cut_tables import COLUMNS, NAMES, table_of  # noqa: E402


def test_segments_of_a_text_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("q,c,y,s\na,01,1,2\na,01,0,3\nb,de,1,1\n")
    result = rg.evaluate_batches(path, "RR", **COLUMNS, segment="c")
    assert result.segments == ("01", "de")
    total = rg.evaluate_batches(path, "RR", **COLUMNS, segment="c", keep="sums")
    assert [(row.segment, row.mean) for row in total.result().rows] == [
        (None, 0.75), ("01", 0.5), ("de", 1.0)
    ]  # fmt: skip


def test_columns_that_are_no_segments():
    rows = table_of(1)
    rows = rows.append_column("c", pa.array([None] + ["x"] * (len(rows) - 1)))
    with pytest.raises(ValueError, match=r"the stream, row 1.*: c has no value"):
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
