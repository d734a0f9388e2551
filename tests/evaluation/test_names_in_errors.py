"""Faults of labels name the argument that they came by, and whose list it is."""

import re

import numpy as np
import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

FRAME = pandas.DataFrame({"user_id": ["u", "u", "v"], "y": [1.0, 0, -1], "p": [3.0, 2, 1]})
COLUMNS = {"query": "user_id", "label": "y", "score": "p"}
BAD = {
    "negative": ({"convention": "rankgain"}, -1.0),
    "not whole": ({"convention": "lightgbm"}, 0.5),
}
DOORS = {
    "label: list 1 (id 'v'), document 0": lambda bad, given: rg.evaluate_frame(
        FRAME.assign(y=[1, 0, bad]), "nDCG@1", **COLUMNS, **given
    ),
    "qrels: list 0 (id 'q'), document 0": lambda bad, given: rg.evaluate(
        {"q": {"a": bad}}, {"q": {"a": 1.5}}, "nDCG@1", **given
    ),
    "relevant: list 0, the document at rank 1": lambda bad, given: rg.evaluate_ids(
        [["a"]], [{"a": bad}], "nDCG@1", **given
    ),
    "relevant: list 0 (id 'u'), the document at rank 1": lambda bad, given: rg.evaluate_ids(
        {"u": ["a"]}, {"u": {"a": bad}}, "nDCG@1", **given
    ),
    "y_true: list 0 (id 7), document 1": lambda bad, given: rg.evaluate_arrays(
        [1, bad], [2, 1], "nDCG@1", qid=np.array([7, 7]), **given
    ),
    "y_true: list 0, document 1": lambda bad, given: rg.evaluate_arrays(
        [[1, bad]], [[2, 1]], "nDCG@1", **given
    ),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("words", DOORS)
def test_the_argument_and_the_list_are_named(words, kind):
    given, bad = BAD[kind]
    with pytest.raises(ValueError, match=re.escape(words)):
        DOORS[words](bad, given)
