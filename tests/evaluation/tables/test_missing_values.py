"""What is missing is named by its row, wherever a column keeps it."""

from typing import Any

import pytest

import rankgain as rg

pa = pytest.importorskip("pyarrow")

INDICES = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]


def of_dictionary(indices: list[int], words: Any) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), words)


@pytest.mark.parametrize("indices", INDICES)
@pytest.mark.parametrize("kind", ["string", "large_string", "int64"])
@pytest.mark.parametrize(
    ("role", "order"), [("query", "sorted"), ("query", "any"), ("segment", "sorted")]
)
@pytest.mark.parametrize("batched", [False, True])
def test_a_null_among_the_words_of_a_dictionary(
    indices: list[int], kind: str, role: str, order: str, batched: bool
) -> None:
    words = pa.array(["a" if "string" in kind else 7, None], getattr(pa, kind)())
    column = of_dictionary(indices, words)
    assert column.null_count == 0  # of the indices
    table = {"q": pa.array(["x", "x", "x"]), "y": pa.array([1, 0, 1]), "s": pa.array([3.0, 2, 1])}
    table |= {"q" if role == "query" else "segment": column}
    result = pa.table(table)
    named: Any = {"query": "q", "label": "y", "score": "s"}
    named |= {"segment": "segment"} if role == "segment" else {}
    row = indices.index(1) + 1
    source: Any = result.to_batches(max_chunksize=1) if batched else result
    with pytest.raises(ValueError, match=rf"the stream, row {row}: \w+ has no value"):
        rg.evaluate_batches(source, measures="RR", order=order, **named)


@pytest.mark.parametrize("column", ["q", "y", "s"])
@pytest.mark.parametrize("row", [1, 2, 3])
def test_a_null_in_any_column(column: str, row: int) -> None:
    values: dict[str, list[Any]] = {"q": ["x"] * 3, "y": [1, 0, 1], "s": [3.0, 2.0, 1.0]}
    values[column][row - 1] = None
    with pytest.raises(ValueError, match=rf"the stream, row {row}: {column} has no value"):
        rg.evaluate_batches(pa.table(values), measures="RR", query="q", label="y", score="s")


def test_words_that_no_row_has_may_be_missing() -> None:
    column = of_dictionary([0, 0, 0], pa.array(["a", None]))
    table = pa.table({"q": column, "y": [1, 0, 1], "s": [3.0, 2.0, 1.0]})
    result = rg.evaluate_batches(table, measures="RR", query="q", label="y", score="s")
    assert result.to_dict() == {"a": {"RR": 1.0}}


def test_arrow_dictionaries_whose_codes_share_a_value_or_have_none() -> None:
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")

    def coded(*values: str | None) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(values))

    rest = {"label": [0, 1], "score": [1.0, 2.0]}
    names: Any = {"query": "q", "label": "label", "score": "score"}
    missing = pa.table({"m": coded("a", None), "q": ["u", "u"], **rest})
    with pytest.raises(ValueError, match="row 2: m has no value"):
        rg.evaluate_frame(missing, "RR", run="m", **names)
    with pytest.raises(ValueError, match="row 2: q has no value"):
        rg.evaluate_frame(pa.table({"q": coded("u", None), **rest}), "RR", **names)
    twice = pa.table({"q": ["u", "u"], "doc_id": coded("x", "x"), **rest})
    with pytest.raises(ValueError, match="row 2: 'u' has the document 'x' a second time"):
        rg.evaluate_frame(twice, "RR", **names)
    one = pa.table({"q": ["u", "u"], "g": coded("x", "x"), **rest})
    assert rg.evaluate_frame(one, "RR", segment="g", **names)["RR"] == 1.0
