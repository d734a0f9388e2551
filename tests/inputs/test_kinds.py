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
