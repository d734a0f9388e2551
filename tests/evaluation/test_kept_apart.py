"""What results must not mix, lose or take twice: undefined lists, segments, ids, parts."""

from typing import Any

import pytest

import rankgain as rg

pyarrow = pytest.importorskip("pyarrow")
NAN = float("nan")
NAMES: dict[str, str] = {"query": "u", "label": "l", "score": "s"}


def test_ids_beyond_63_bits_in_a_stream() -> None:
    ids = [[1], [2**63 + 1], [2**63 + 2], [5], [2**63 + 3]]
    batches = []
    for one in ids:
        queries = pyarrow.array(one * 2, pyarrow.uint64())
        batches.append(pyarrow.record_batch({"u": queries, "l": [1, 0], "s": [1.0, 0.0]}))
    result = rg.evaluate_batches(batches, "RR", **NAMES)
    assert result.queries == tuple(one[0] for one in ids)


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
