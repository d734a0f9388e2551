"""JSON that is no evaluation, or a damaged one, is a ValueError that says what is wrong."""

import json

import numpy as np
import pytest

import rankgain as rg

MICRO = rg.conventions["rankgain"].replace(name="micro", mean={"precision": "micro"}, divisor="min")


@pytest.fixture(scope="module")
def good():
    """An evaluation with everything that a file can have."""
    qrels = {"q": {"a": 1, "b": 0}, "r": {"c": 1}}
    run = {"q": {"a": 1.0, "b": 1.0, "x": 2.0}, "r": {"c": 1.0}}
    options = {"weight": [1.0, 0.5], "bounds": "ties", "convention": MICRO}
    result = rg.evaluate(qrels, run, ["P@2"], **options)
    data = json.loads(result.to_json())
    assert data["shares"]["P@2"].keys() == {"kind", "numerators", "divisors"}
    return data


def put(data, at, value):
    """A copy with another value at a place."""
    copy = json.loads(json.dumps(data))
    inner = copy
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return copy


@pytest.mark.parametrize(("at", "wrong", "words"), [
    (("means",), [1], "means: an object is wanted"),
    (("means", "P@2"), "x", "means, P@2: a number is wanted, not 'x'"),
    (("per_query", "P@2"), [1.0], "per_query, P@2: 1 values for 2 queries"),
    (("per_query", "P@2", 1), "high", "per_query, P@2, 1: a number is wanted"),
    (("per_query",), {}, "per_query: the keys must be P@2"),
    (("queries",), "qr", "queries: a list is wanted"),
    (("queries", 0), ["q"], "queries, 0: ids must be text or numbers"),
    (("weights",), 1.0, "weights: a list is wanted"),
    (("counts", "queries"), "2", "counts, queries: a whole number of at least 0 is wanted"),
    (("convention",), 3, "convention: text is wanted"),
    (("rankgain",), None, "rankgain: text is wanted"),
    (("bounds", "ties", "P@2", 0), [1.0], "bounds, ties, P@2, 0: 1 values for 2 ends"),
    (("bound_means",), {}, "bound_means: the keys must be those of bounds"),
    (("shares", "P@2", "kind"), "median", "shares, P@2, kind: one of mean, sum, geometric"),
])  # fmt: skip
def test_what_is_wrong_is_named(good, tmp_path, at, wrong, words):
    path = tmp_path / "found.json"
    path.write_text(json.dumps(put(good, at, wrong)))
    with pytest.raises(ValueError, match=f"rankgain wrote: {words}"):
        rg.Evaluation.read(path)


@pytest.mark.parametrize("text", ["[" * 100_000, "NaN", '{"a": Infinity}', "", "\0"])
def test_no_json_is_a_value_error(tmp_path, text):
    path = tmp_path / "found.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="this is not an evaluation"):
        rg.Evaluation.read(path)


def test_what_was_written_is_read(good, tmp_path):
    path = tmp_path / "found.json"
    path.write_text(json.dumps(good))
    result = rg.Evaluation.read(path)
    assert json.loads(result.to_json()) == good
    assert result.shares["P@2"].divisors.tolist() == good["shares"]["P@2"]["divisors"]
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


def test_shares_without_divisors_have_1_each(good, tmp_path):
    path = tmp_path / "found.json"
    path.write_text(
        json.dumps(put(good, ("shares", "P@2"), {"kind": "mean", "numerators": [1, 0]}))
    )
    shares = rg.Evaluation.read(path).shares["P@2"]
    assert (shares.kind, shares.numerators.tolist(), shares.divisors) == ("mean", [1.0, 0.0], None)
