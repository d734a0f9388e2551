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


CASES: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("comparison", ("comparison", "left_out"), None, "left_out: expected an object"),
    ("comparison", ("comparison", "versions"), 5, "versions: expected an object"),
    ("comparison", ("comparison", "test"), "anova", "test: expected one of t, .*, not 'anova'"),
    ("comparison", ("comparison", "correction"), "none",
     "correction: expected one of holm, bonferroni"),
    ("comparison", ("comparison", "level"), 1.0, r"level: expected a number above 0 and below 1"),
    ("comparison", ("comparison", "level"), None, "level: expected a number above 0"),
    ("comparison", ("comparison", "resamples"), 0,
     "resamples: expected a whole number of at least 1"),
    ("comparison", ("comparison", "rows", 0, "p"), 1.5,
     "rows, 0, p: expected a number from 0 to 1"),
    ("comparison", ("comparison", "rows", 0, "lists"), True,
     "rows, 0, lists: expected a whole number"),
    ("comparison", ("comparison", "rows", 0, "a"), "z",
     "rows, 0, a: expected the name of a system"),
    ("comparison", ("comparison", "baseline"), "z", "baseline: expected the name of a system"),
    ("comparison", ("comparison", "measures", 0), "XYZ",
     "measures, 0: expected the name of a measure"),
    ("accumulator", ("bootstrap",), math.inf, "bootstrap: expected a whole number"),
    ("accumulator", ("bootstrap",), True, "bootstrap: expected a whole number"),
    ("accumulator", ("seed",), 2**64, "seed: expected a whole number"),
    ("accumulator", ("cells", 0, "lists"), True, "cells, 0, lists: expected a whole number"),
    ("accumulator", ("cells", 0, "kind"), "x", "cells, 0, kind: expected one of mean, sum, geo"),
    ("accumulator", ("cells", 1, "undefined"), -1, "cells, 1, undefined: expected a whole number"),
    ("accumulator", ("cells", 0, "drawn", 0), ["1p0"], "cells, 0, drawn, 0: 1 value for 2 sums"),
    ("accumulator", ("cells", 0, "drawn"), GONE, "cells, 0: it lacks 'drawn'"),
    ("accumulator", ("bootstrap",), 1, "cells, 0, drawn, 0: 2 values for 1 sums"),
    ("accumulator", ("bootstrap",), 0, "cells, 0, drawn: there are no replicates"),
    ("accumulator", ("cells", 0, "sums", "above"), "1p-9999", "cells, 0, sums, above: not an ex"),
    ("accumulator", ("counts", 0, "queries"), True, "counts, 0, queries: expected a whole number"),
    ("accumulator", ("pairs", 0), "x", "pairs, 0: expected a list, not 'x'"),
    ("accumulator", ("pairs", 0, 1), "z", "pairs, 0: it is of no two runs"),
    ("accumulator", ("pairs", 0, 1), None, "pairs, 0: it is of no two runs"),
    ("accumulator", ("rules", "convention"), 3, "rules, convention: expected text"),
    ("accumulator", ("rules", "undefined_as", "RR"), 1,
     "rules, undefined_as: expected one of the measures"),
    ("evaluation", ("means", "P@2"), True, "means, P@2: expected a number, not True"),
    ("evaluation", ("per_query", "AP", 2), False, "per_query, AP, 2: expected a number"),
    ("evaluation", ("queries", 1), True, "queries, 1: ids must be"),
    ("evaluation", ("counts", "undefined_as"), GONE, "counts: it lacks 'undefined_as'"),
    ("evaluation", ("counts", "undefined", "AP"), True,
     "counts, undefined, AP: expected a whole number"),
    ("evaluation", ("counts", "queries"), -2,
     "counts, queries: expected a whole number of at least 0"),
    ("evaluation", ("mean_rule",), ["sorted", None], "mean_rule: expected one of exact"),
    ("evaluation", ("mean_rule",), ["exact"], "mean_rule: expected a list of two"),
    ("evaluation", ("mean_rule",), ["exact", -1],
     "mean_rule: expected a whole number of at least 0"),
    ("full evaluation", ("means",), [1], "means: expected an object"),
    ("full evaluation", ("means", "P@2"), "x", "means, P@2: expected a number, not 'x'"),
    ("full evaluation", ("per_query", "P@2"), [1.0], "per_query, P@2: 1 value for 2 queries"),
    ("full evaluation", ("per_query", "P@2", 1), "high", "per_query, P@2, 1: expected a number"),
    ("full evaluation", ("per_query",), {}, "per_query: the keys must be P@2"),
    ("full evaluation", ("queries",), "qr", "queries: expected a list"),
    ("full evaluation", ("queries", 0), ["q"], "queries, 0: ids must be text or numbers"),
    ("full evaluation", ("weights",), 1.0, "weights: expected a list"),
    ("full evaluation", ("counts", "queries"), "2",
     "counts, queries: expected a whole number of at least 0"),
    ("full evaluation", ("convention",), 3, "convention: expected text"),
    ("full evaluation", ("rankgain",), None, "rankgain: expected text"),
    ("full evaluation", ("bounds", "ties", "P@2", 0), [1.0],
     "bounds, ties, P@2, 0: 1 value for 2 ends"),
    ("full evaluation", ("bound_means",), {}, "bound_means: the keys must be those of bounds"),
    ("full evaluation", ("shares", "P@2", "kind"), "median",
     "shares, P@2, kind: expected one of mean, sum, geometric"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "at", "wrong", "words"), CASES)
def test_what_is_wrong_is_named(
    name: str, at: tuple[Any, ...], wrong: Any, words: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=f"rankgain wrote: (comparison, )?{words}"):
        READ[name](put(STORED[name], at, wrong), tmp_path / "x.json")


def test_twice_the_same_place_of_an_accumulator() -> None:
    data = json.loads(json.dumps(STORED["accumulator"]))
    for part in ("counts", "cells"):
        twice = {**data, part: [*data[part], data[part][0]]}
        with pytest.raises(ValueError, match=f"rankgain wrote: {part}: "):
            rg.Accumulator.from_dict(twice)


@pytest.mark.parametrize("text", ["[" * 100_000, "NaN", '{"a": Infinity}', "", "\0"])
def test_no_json_is_a_value_error(tmp_path, text):
    path = tmp_path / "found.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="this is not an evaluation"):
        rg.Evaluation.read(path)


def test_what_was_written_is_read(tmp_path):
    path, data = tmp_path / "found.json", STORED["full evaluation"]
    result = READ["full evaluation"](data, path)
    assert json.loads(result.to_json()) == data
    assert result.shares["P@2"].divisors.tolist() == data["shares"]["P@2"]["divisors"]
    qids = rg.evaluate_arrays([1, 0, 1], None, "AP", qid=np.array([0.0, 0.0, 1.0]))
    qids.to_json(path)
    assert rg.Evaluation.read(path) == qids
    assert type(rg.Evaluation.read(path).queries[0]) is float


def test_other_files_of_rankgain_say_what_reads_them(tmp_path):
    result = rg.evaluate_arrays([[0, 1]], None, "RR")
    rg.Evaluations({"a": result}).to_json(tmp_path / "many.json")
    with pytest.raises(ValueError, match=r"it has several runs; read it by Evaluations.read"):
        rg.Evaluation.read(tmp_path / "many.json")
    (tmp_path / "means.json").write_text('{"means": {"RR": 0.5}, "convention": "trec"}')
    with pytest.raises(ValueError, match=r"it has means but no values.*--per-query"):
        rg.Evaluation.read(tmp_path / "means.json")


def test_infinite_values_are_read(tmp_path):
    path = tmp_path / "one.json"
    for empty in (float("inf"), float("-inf")):
        result = rg.evaluate_arrays([[0, 0], [0, 1]], None, "AP", empty=empty)
        result.to_json(path)
        assert rg.Evaluation.read(path) == result
        assert rg.Evaluation.read(path).per_query["AP"].tolist() == [empty, 0.5]


def test_shares_without_divisors_have_1_each(tmp_path):
    given = {"kind": "mean", "numerators": [1, 0]}
    data = put(STORED["full evaluation"], ("shares", "P@2"), given)
    shares = READ["full evaluation"](data, tmp_path / "found.json").shares["P@2"]
    assert (shares.kind, shares.numerators.tolist(), shares.divisors) == ("mean", [1.0, 0.0], None)
