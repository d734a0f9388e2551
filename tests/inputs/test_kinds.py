"""Ids of two types, and ids that are missing, are refused with their place."""

import numpy as np
import pytest

import rankgain as rg

LABELS, SCORES = [0, 1, 1], [1.0, 1.0, 2.0]
NAN = float("nan")


def by_qid(qid):
    return rg.evaluate_arrays(LABELS, SCORES, "RR", qid=qid)


def by_ids(ids):
    return rg.evaluate_arrays(LABELS, SCORES, "RR", ids=ids, ties="id")


@pytest.mark.parametrize(("call", "name"), [(by_qid, "qid"), (by_ids, "ids")])
@pytest.mark.parametrize("form", [list, tuple, lambda ids: np.array(ids, object)])
def test_ids_of_two_types_are_refused(call, name, form):
    with pytest.raises(
        TypeError, match=rf"{name}\[1\] is '1' \(str\), but {name}\[0\] is 1; .* one"
    ):
        call(form([1, "1", 2]))


@pytest.mark.parametrize(("call", "name"), [(by_qid, "qid"), (by_ids, "ids")])
@pytest.mark.parametrize("missing", [None, NAN])
def test_missing_ids_are_refused(call, name, missing):
    words = rf"{name}\[1\] is N"
    given = ["a", missing, "b"]
    forms = [given, tuple(given), np.array(given, object)]
    pandas = pytest.importorskip("pandas")
    forms += [pandas.Series(given), pandas.Series(given, dtype="string")]
    forms += [pandas.Series(given, dtype="category")]
    if missing is None:
        forms += [pytest.importorskip("polars").Series(given)]
        forms += [pytest.importorskip("pyarrow").array(given)]
    for one in forms:
        with pytest.raises(ValueError, match=words):
            call(one)


def test_ids_in_rows_are_named_by_their_place():
    for ids, words in (
        ([["a", "b"], ["c", None]], r"ids\[1\]\[1\] is None"),
        ([["a", "b"], [3, "d"]], r"ids\[1\]\[0\] is 3 \(int\)"),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            rg.evaluate_arrays([[0, 1], [1, 0]], [[1, 1], [1, 1]], "RR", ids=ids, ties="id")


def test_labels_of_two_types_are_no_segments():
    result = rg.evaluate_arrays([[1, 0], [0, 1]], None, "RR")
    with pytest.raises(TypeError, match="by: the value of query 1 is '1'"):
        result.by([1, "1"])
    with pytest.raises(TypeError, match="by: the value of query 1 is '1'"):
        result.by({0: 1, 1: "1"})


def test_lines_with_ids_of_two_types_are_refused(tmp_path):
    path = tmp_path / "run.jsonl"
    rows = '{"query": %s, "doc_id": %s, "score": 1}\n'
    for second, words in ((("7", '"e"'), "query 7 is int"), (('"7"', "4"), "document 4 is int")):
        path.write_text(rows % ('"7"', '"d"') + rows % second)
        with pytest.raises(TypeError, match=f"line 2: the {words}, those before are str"):
            rg.Run(path)
