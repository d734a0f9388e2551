"""Stored evaluations, comparisons and accumulators: whatever is changed in them is refused by name.

What is not refused is read, prints and goes through every export. The file beside this one was
written before means had a rule of their own.
"""

import contextlib
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg

MICRO = rg.conventions["rankgain"].replace(name="micro", mean={"precision": "micro"}, divisor="min")


def written() -> Any:
    """An evaluation with everything that a file can have."""
    qrels = {"q": {"a": 1, "b": 0}, "r": {"c": 1}}
    run = {"q": {"a": 1.0, "b": 1.0, "x": 2.0}, "r": {"c": 1.0}}
    options: Any = {"weight": [1.0, 0.5], "bounds": "ties", "convention": MICRO}
    return json.loads(rg.evaluate(qrels, run, ["P@2"], **options).to_json())


STORED = json.loads((Path(__file__).parent / "written_before.json").read_text())
STORED["full evaluation"] = written()
WRONG = [3, 2, -1, -1.5, 0.5, "text", "nan", None, True, False, [], [1], [[1]], ["x"], {}, {"x": 1}]
WRONG += [math.inf, -math.inf, math.nan, 10**400, 2**70, [None, None], [["q"], {}], {"P@2": "x"}]
WRONG += [{"P@2": [True, "1"]}, {"ties": 3}, "1p-9999", "1p", "skip", "\ud800"]


def from_file(kind: Any, data: Any, path: Path) -> Any:
    path.write_text(json.dumps(data))
    return kind.read(path)


READ = {
    "evaluation": lambda data, path: from_file(rg.Evaluation, data, path),
    "full evaluation": lambda data, path: from_file(rg.Evaluation, data, path),
    "comparison": lambda data, path: from_file(rg.Comparison, data, path),
    "accumulator": lambda data, path: rg.Accumulator.from_dict(data),
    "micro accumulator": lambda data, path: rg.Accumulator.from_dict(data),
}


def use(result: Any) -> None:
    """All that people do with it."""
    text = str(result) + repr(result) + str(result == result)
    if isinstance(result, rg.Accumulator):
        text += str(result.result()) + json.dumps(result.to_dict())
        for name in ("P@2", "AP") if result.count else ():
            for run in result.runs:
                result.interval(name, run=run)
            if len(result.runs) > 1:
                with contextlib.suppress(ValueError):  # they are not over the same lists
                    result.difference(name, *result.runs[:2])
        return
    text += result.to_json() + result.to_csv()
    if isinstance(result, rg.Comparison):
        text += result.to_markdown() + result.to_latex()
        assert all(0 <= row.win_rate <= 1 or row.win_rate != row.win_rate for row in result.rows)
        return
    result.intervals(resamples=9)
    text += str(result.by(["x"] * len(result))) if len(result) else ""


def places(data: Any, at: tuple[Any, ...] = ()) -> Any:
    """All places of a document but its whole."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield (*at, key)
        if isinstance(value, (dict, list)):
            yield from places(value, (*at, key))


def put(data: Any, at: tuple[Any, ...], value: Any) -> Any:
    copy = inner = json.loads(json.dumps(data))
    for key in at[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[at[-1]]
    else:
        inner[at[-1]] = value
    return copy


def tried(name: str, data: Any, path: Path) -> tuple[Any, str]:
    """What was read, or the words of the refusal."""
    try:
        return READ[name](data, path), ""
    except ValueError as error:
        return None, str(error)


GONE = object()


@pytest.mark.parametrize("name", READ)
def test_files_are_read(name: str, tmp_path: Path) -> None:
    result = READ[name](STORED[name], tmp_path / "x.json")
    use(result)
    if isinstance(result, rg.Accumulator):
        assert rg.Accumulator.from_dict(result.to_dict()) == result
    else:
        result.to_json(tmp_path / "y.json")
        assert type(result).read(tmp_path / "y.json") == result


@pytest.mark.parametrize("name", READ)
def test_whatever_is_wrong_anywhere_is_refused_by_name_or_can_be_used(
    name: str, tmp_path: Path
) -> None:
    refused = 0
    where = list(places(STORED[name]))
    for number, at in enumerate(where):
        wrongs = [*WRONG, GONE]
        # Deeper inside, where many are of one kind, some.
        for wrong in wrongs if len(at) < 3 else wrongs[number % 7 :: 7]:
            result, words = tried(name, put(STORED[name], at, wrong), tmp_path / "x.json")
            if result is None:
                refused += 1
                assert re.search("rankgain wrote: .*(: |it lacks)|means but no", words)
                assert name.split()[-1] in words or "means but no" in words
            else:
                use(result)
    assert refused > len(where)


def test_what_was_written_is_read(tmp_path):
    path, data = tmp_path / "found.json", STORED["full evaluation"]
    result = READ["full evaluation"](data, path)
    assert json.loads(result.to_json()) == data
    assert result.shares["P@2"].divisors.tolist() == data["shares"]["P@2"]["divisors"]
    qids = rg.evaluate_arrays([1, 0, 1], None, "AP", qid=np.array([0.0, 0.0, 1.0]))
    qids.to_json(path)
    assert rg.Evaluation.read(path) == qids
    assert type(rg.Evaluation.read(path).queries[0]) is float


def test_infinite_values_are_read(tmp_path):
    path = tmp_path / "one.json"
    for empty in (float("inf"), float("-inf")):
        result = rg.evaluate_arrays([[0, 0], [0, 1]], None, "AP", empty=empty)
        result.to_json(path)
        assert rg.Evaluation.read(path) == result
        assert rg.Evaluation.read(path).per_query["AP"].tolist() == [empty, 0.5]
