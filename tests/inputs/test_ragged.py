"""Lists of different lengths and qid in any order: the bits of the flat form with group sizes."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg

MEASURES = ["nDCG@2", "AP", "RR", "AUC"]


def test_numbers_as_objects_masked_arrays_and_nullable_columns() -> None:
    pandas = pytest.importorskip("pandas")
    expected = rg.ndcg([1, 0, 2], [0.1, 0.2, 0.3])
    forms = [
        (np.array([1, 0, 2], object), np.array([0.1, 0.2, 0.3], object)),
        (np.ma.array([1, 0, 2]), np.ma.array([0.1, 0.2, 0.3], mask=[0, 0, 0])),
        (pandas.Series([1, 0, 2], dtype="Int64"), pandas.Series([0.1, 0.2, 0.3], dtype="Float64")),
    ]
    for labels, scores in forms:
        assert rg.ndcg(labels, scores) == expected
        assert rg.explain(labels, scores).ndcg == expected
        assert rg.ndcg(labels, scores, qid=np.ma.array([4, 4, 4])) == [expected]


@pytest.mark.parametrize("kind", ["ints", "wide", "text", "objects", "floats"])
def test_qid_in_any_order(kind: str) -> None:
    rng = np.random.default_rng(3)
    qid = rng.integers(0, 30, 500)
    labels, scores = rng.integers(0, 3, 500), rng.integers(0, 9, 500) / 4
    first = list(dict.fromkeys(qid.tolist()))
    rows = [np.flatnonzero(qid == one) for one in first]
    names = {
        "ints": qid,
        "wide": qid * 2**40 - 2**44,
        "text": np.array([f"q{x}" for x in qid]),
        "objects": np.array([f"q{x}" for x in qid.tolist()], object),
        "floats": qid / 4,
    }[kind]
    ids, weight = np.arange(500), rng.random(len(first))
    order = np.concatenate(rows)
    options: dict[str, Any] = {"weight": weight, "ties": "stable"}
    result = rg.evaluate_arrays(labels, scores, MEASURES, qid=names, ids=ids, **options)
    expected = rg.evaluate_arrays(
        labels[order], scores[order], MEASURES, group=list(map(len, rows)), **options
    )
    assert result.queries == tuple(names[one[0]] for one in rows)
    assert dict(result.means) == dict(expected.means)
    truth = rg.Truth(labels, qid=names)
    again = rg.evaluate_arrays(truth, scores, MEASURES, **options)
    for name, values in expected.per_query.items():
        np.testing.assert_array_equal(result.per_query[name], values)
        np.testing.assert_array_equal(again.per_query[name], values)
    by_id = rg.ndcg(labels, scores, qid=names, ids=ids[::-1], ties="id")
    assert np.array_equal(
        by_id, rg.ndcg(labels[order], scores[order], group=truth.layout.stops - truth.layout.starts,
                       ids=ids[::-1][order], ties="id")
    )  # fmt: skip


# ---- places in errors, and lists that other lists interrupt


@pytest.mark.parametrize("size", [1, 2, 10, 5_000])
@pytest.mark.parametrize("kind", [np.int64, np.float64, str])
def test_a_query_that_comes_back_is_one_list(size, kind):
    qid = np.repeat([7, 3, 7, 3, 9], size).astype(kind)
    scores = np.random.default_rng(size).permutation(len(qid)) * 1.0
    labels = (np.arange(len(qid)) % 3 == 0) * 1
    result = rg.evaluate_arrays(labels, scores, "AP", qid=qid)
    assert [str(query).removesuffix(".0") for query in result.queries] == ["7", "3", "9"]
    for query, value in zip(result.queries, result.per_query["AP"], strict=True):
        here = qid == query
        order = np.argsort(-scores[here])
        hits = labels[here][order]
        precisions = np.cumsum(hits) / np.arange(1, len(hits) + 1)
        assert value == pytest.approx((precisions * hits).sum() / max(hits.sum(), 1), abs=1e-12)


@pytest.mark.parametrize("layout", ["rows", "lengths", "group", "qid"])
def test_an_id_twice_has_its_place(layout):
    """The first list with an id twice, and the first document whose id stands before it."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        sizes = np.full(4, 5) if layout == "rows" else rng.integers(1, 6, 4)
        lists = [rng.integers(0, 9, size).tolist() for size in sizes]
        ids, said = np.concatenate(lists), {"group": sizes}
        if layout in ("rows", "lengths"):
            ids = np.array([row + [7] * (5 - len(row)) for row in lists])
            said = {"lengths": sizes}
        elif layout == "qid":  # rows of a list that are apart keep their order
            qid = rng.permutation(np.repeat(np.arange(4), sizes))
            said, queries = {"qid": qid}, dict.fromkeys(qid.tolist())
            lists = [ids[qid == query].tolist() for query in queries]
        repeats = [
            (at, place, one)
            for at, row in enumerate(lists)
            for place, one in enumerate(row)
            if one in row[:place]
        ]
        labels, scores = np.ones(ids.shape, int), rng.random(ids.shape)
        if not repeats:
            rg.evaluate_arrays(labels, scores, "AP", ids=ids, **said)
            continue
        words = "^ids: list {0} has {2} twice \\(document {1}\\); keep".format(*repeats[0])
        with pytest.raises(ValueError, match=words):
            rg.evaluate_arrays(labels, scores, "AP", ids=ids, **said)
