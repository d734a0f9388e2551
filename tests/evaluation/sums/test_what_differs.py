"""Parts that are not of one measure are refused, by `Evaluation.merge` and by an `Accumulator`."""

import json
from typing import Any

import numpy as np
import pytest

import rankgain as rg

LABELS, SCORES = [[0, 2, 1], [0, 0, 0]], [[0.1, 0.9, 0.4], [3.0, 1.0, 2.0]]
NAN = float("nan")


def part(names: Any = "nDCG@2", labels: Any = LABELS, **given: Any) -> rg.Evaluation:
    """Of as many lists as there are rows of labels, none among them."""
    shape = len(labels), 3
    scores = np.array(SCORES[: shape[0]]).reshape(shape)
    return rg.evaluate_arrays(np.array(labels).reshape(shape), scores, names, **given)


def summed(*parts: Any, **drawn: Any) -> rg.Accumulator:
    total = rg.Accumulator(**drawn)
    for one in parts:
        total.add(one)
    return total


# Two calls whose values are of two measures, the setting, and what the error says of each.


def test_rows_of_arrow_are_refused_by_their_number() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = [summed(part(gain=gain)).to_arrow() for gain in ("exp2", "exp2", "binary")]
    table = pyarrow.Table.from_batches(rows)
    assert rg.Accumulator.from_arrow(table.slice(0, 2)).count == 4


def test_undefined_lists_that_count_otherwise_are_refused() -> None:
    # two conventions of one name, as no setting says what undefined lists count
    rules = [rg.Convention("mine", empty=empty) for empty in (0, "skip", NAN)]
    undefined = [part("AP", [[1, 0, 0], [0, 0, 0]], convention=one) for one in rules]
    for a in range(3):
        for b in range(3):
            pair = [undefined[a], undefined[b]]
            if a == b:
                assert summed(*pair).means.keys() == {"AP"}
                assert rg.Evaluation.merge(pair, convention=rules[a]).counts["undefined"]["AP"] == 2
                continue


def test_what_undefined_lists_count_is_in_one_order() -> None:
    names = ["AP", "AUC"]
    parts = [part(names, [[0, 0, 0]]), part(names, [[1, 1, 1]]), part(names, [[1, 0, 0]])]
    result = [json.dumps(summed(*(parts[at] for at in order)).to_dict()) for order in
             ([0, 1, 2], [1, 0, 2], [2, 1, 0])]  # fmt: skip
    assert len(set(result)) == 1
    assert json.loads(result[0])["rules"]["undefined_as"] == {"AP": 0, "AUC": "skip"}


def test_a_failed_merge_changes_nothing() -> None:
    total = summed(part("AP", [[1, 0, 0]]))
    data = summed(part("AP")).to_dict()
    data["cells"][0]["kind"] = "sum"
    before = total.to_dict()
    with pytest.raises(ValueError, match="do not merge"):
        total.merge(rg.Accumulator.from_dict(data))
    assert total.to_dict() == before


def test_a_stream_is_added_to_sums_of_the_same_settings() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"u": [1, 1, 2], "l": [1, 0, 2], "s": [0.5, 0.9, 0.5], "w": [1.0, 1, 2]})
    columns: Any = {"query": "u", "label": "l", "score": "s"}
    total = rg.evaluate_batches(table, "nDCG", gain="exp2", keep="sums", **columns)
    rg.evaluate_batches(table, "nDCG", gain="exp2", keep=total, **columns)
    assert total.count == 4
    for other in ({"gain": "linear"}, {"gain": "exp2", "weight": "w"}):
        with pytest.raises(ValueError, match=r"(gain|weights?).*the stream"):
            rg.evaluate_batches(table, "nDCG", keep=total, **columns, **other)
    assert total.count == 4
    nothing = table.slice(0, 0)  # which has no weights, nor lists without
    weighted = rg.evaluate_batches(table, "nDCG", keep="sums", weight="w", **columns)
    rg.evaluate_batches(nothing, "nDCG", keep=weighted, weight="w", **columns)
    assert weighted.count == 2
