"""Which values of a table are best and second: those that look alike share their place."""

import json

import numpy as np

import rankgain as rg
from rankgain.output.text.formats import format_all


def test_lines_of_json_have_null_for_what_json_lacks():
    values = [1.0, float("inf"), float("-inf"), float("nan")]
    evaluation = rg.Evaluation({"AP": 1.0}, {"AP": np.array(values)}, list("abcd"))
    lines = format_all({"run": evaluation}, "jsonl", per_query=True).splitlines()
    assert [json.loads(line)["AP"] for line in lines] == [1.0, None, None, None]
    assert [json.loads(line)["query"] for line in lines] == list("abcd")
