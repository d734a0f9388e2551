"""What is missing is named by its row, wherever a column keeps it."""

from typing import Any

import pytest

import rankgain as rg

pa = pytest.importorskip("pyarrow")


def test_arrow_dictionaries_whose_codes_share_a_value_or_have_none() -> None:
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")

    def coded(*values: str | None) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(values))

    rest = {"label": [0, 1], "score": [1.0, 2.0]}
    names: Any = {"query": "q", "label": "label", "score": "score"}
    missing = pa.table({"m": coded("a", None), "q": ["u", "u"], **rest})
    with pytest.raises(ValueError, match=r"row 2.*: m has no value"):
        rg.evaluate_frame(missing, "RR", run="m", **names)
    with pytest.raises(ValueError, match=r"row 2.*: q has no value"):
        rg.evaluate_frame(pa.table({"q": coded("u", None), **rest}), "RR", **names)
    twice = pa.table({"q": ["u", "u"], "doc_id": coded("x", "x"), **rest})
    with pytest.raises(ValueError, match=r"row 2.*: 'u' has the document 'x' a second time"):
        rg.evaluate_frame(twice, "RR", **names)
    one = pa.table({"q": ["u", "u"], "g": coded("x", "x"), **rest})
    assert rg.evaluate_frame(one, "RR", segment="g", **names)["RR"] == 1.0
