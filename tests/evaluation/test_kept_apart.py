"""What results must not mix, lose or take twice: undefined lists, segments, ids, parts."""

from typing import Any

import pytest

import rankgain as rg

pyarrow = pytest.importorskip("pyarrow")
NAN = float("nan")
NAMES: dict[str, str] = {"query": "u", "label": "l", "score": "s"}


@pytest.mark.parametrize("order", ["sorted", "any"])
def test_a_null_inside_a_dictionary_is_a_null(order: Any) -> None:
    ids = pyarrow.array(["a", None, "b", None]).dictionary_encode(null_encoding="encode")
    table = pyarrow.table({"u": ids, "l": [1, 1, 1, 0], "s": [0.5, 0.9, 0.5, 0.2]})
    with pytest.raises(ValueError, match=r"the stream, row 2.*: u has no value"):
        rg.evaluate_batches(table, "RR", order=order, **NAMES)


def test_ids_beyond_63_bits_in_a_stream() -> None:
    ids = [[1], [2**63 + 1], [2**63 + 2], [5], [2**63 + 3]]
    batches = []
    for one in ids:
        queries = pyarrow.array(one * 2, pyarrow.uint64())
        batches.append(pyarrow.record_batch({"u": queries, "l": [1, 0], "s": [1.0, 0.0]}))
    result = rg.evaluate_batches(batches, "RR", **NAMES)
    assert result.queries == tuple(one[0] for one in ids)
    with pytest.raises(ValueError, match="appears again after other queries"):
        rg.evaluate_batches([*batches, batches[1]], "RR", **NAMES)
    with pytest.raises(ValueError, match="too large"):
        rg.evaluate_batches(batches, "RR", order="any", **NAMES)


def test_an_accumulator_is_as_before_where_a_stream_fails() -> None:
    def stream() -> Any:
        for at, score in enumerate((1.0, 2.0, NAN)):
            columns = {"u": at, "l": 1, "s": score}
            yield pyarrow.record_batch({name: [one] * 300_000 for name, one in columns.items()})

    total = rg.Accumulator()
    with pytest.raises(ValueError, match="s is NaN"):
        rg.evaluate_batches(stream(), "RR", keep=total, **NAMES)
    assert total == rg.Accumulator()
    table = pyarrow.table({"u": [1], "l": [1], "s": [1.0]})
    assert rg.evaluate_batches(table, "RR", keep=total, **NAMES) is total
    assert total.count == 1


@pytest.mark.parametrize("name", ["\ufeffa", "a\0b"])
def test_ids_that_would_not_be_read_again_are_not_written(name: str, tmp_path: Any) -> None:
    for source in (rg.Run({name: {"x": 1.0}}), rg.Run({"q": {name: 1.0}})):
        with pytest.raises(ValueError, match="cannot be written to a TREC file"):
            source.write(tmp_path / "run.txt")


def test_sources_that_are_not_rows_lead_to_theirs(tmp_path: Any) -> None:
    with pytest.raises(ValueError, match=r"there is no file that ends in \.parquet"):
        rg.evaluate_batches(tmp_path, "RR", **NAMES)
    with pytest.raises(FileNotFoundError, match=r"a\.parquet"):
        rg.evaluate_batches(["a.parquet", "b.parquet"], "RR", **NAMES)
