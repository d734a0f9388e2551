"""Lists of different lengths and qid in any order: the bits of the flat form with group sizes."""

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from refusals import bad, check_refused

L: list[list[Any]] = [[1, 0, 2], [0, 1], [3], []]
S: list[list[Any]] = [[0.1, 0.2, 0.3], [0.5, 0.4], [1.0], []]
SIZES = [3, 2, 1, 0]
MEASURES = ["nDCG@2", "AP", "RR", "AUC"]


def chunks(rows: Any) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.chunked_array([rows[:1], rows[1:]])


def frame_column(library: str) -> Any:
    return lambda rows: pytest.importorskip(library).Series(rows)


FORMS = {
    "lists": lambda rows: rows,
    "tuples": lambda rows: tuple(map(tuple, rows)),
    "arrays": lambda rows: [np.array(one, float) for one in rows],
    "object array of arrays": lambda rows: np.array([np.array(r, float) for r in rows], object),
    "scalars of NumPy": lambda rows: [[np.float64(x) for x in one] for one in rows],
    "mixed": lambda rows: [rows[0], tuple(rows[1]), np.array(rows[2], float), rows[3]],
    "pandas": frame_column("pandas"),
    "polars": frame_column("polars"),
    "pyarrow": lambda rows: pytest.importorskip("pyarrow").array(rows),
    "pyarrow, chunks": chunks,
    "awkward": lambda rows: pytest.importorskip("awkward").Array(rows),
}


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


REFUSED = [
    bad("text", lambda: rg.ndcg([[1, 0, "x"], [1]], S), "y_true", "list 0, position 2", "'x'",
        error=TypeError),
    bad("None", lambda: rg.ndcg([[1], [0, None]], S), "y_true", "list 1, position 1", "None",
        error=TypeError),
    bad("text score", lambda: rg.ndcg(L, [[1, 2, 3], [1, "2"], [1], []]), "y_score",
        "list 1, position 1", error=TypeError),
    bad("a number among lists", lambda: rg.ndcg([[1, 2], 3], S), "y_true", "list 1 is 3",
        error=TypeError),
    bad("NaN", lambda: rg.ndcg(L, [[1, 2, 3], [1, np.nan], [1], []]), "y_score", "list 1",
        "document 1"),
    bad("sizes", lambda: rg.ndcg(L, [[1, 2, 3], [1], [1], []]), "list 1", r"\b1\b", r"\b2\b"),
    bad("lists", lambda: rg.ndcg(L, S[:2]), r"\b2 lists", r"\b4\b"),
    bad("matrix beside lists", lambda: rg.ndcg(L, np.ones((4, 3))), "list 1", "3 documents"),
    bad("flat beside lists", lambda: rg.ndcg(L, np.ones(6)), "y_score is 1-D", "4 lists"),
    bad("group", lambda: rg.ndcg(L, S, group=SIZES), "group", "remove it"),
    bad("qid", lambda: rg.Truth(L, qid=[1, 1, 1, 2, 2, 3]), "qid", "remove it"),
    bad("Truth of others", lambda: rg.ndcg(rg.Truth(L), [[1], [2, 3]]), "y_score", "the Truth"),
    bad("ids", lambda: rg.ndcg(L, S, ids=[["a"], ["b"], [], []]), "ids", "list 0"),
    bad("deep", lambda: rg.ndcg([[[1], [2]], [[3]]], S), "y_true", error=(ValueError, TypeError)),
    bad("wide beside doubles", lambda: rg.ndcg([np.array([2**60]), np.array([0.5])], [[1], [1]]),
        "list 0", r"2\*\*53"),
    bad("object text", lambda: rg.ndcg(np.array([1, "2"], object), [1, 2]), r"y_true\[1\]", "'2'",
        error=TypeError),
    bad("Decimal", lambda: rg.ndcg(np.array([Decimal(1)]), [1]), "y_true", error=TypeError),
    bad("masked", lambda: rg.ndcg(np.ma.array([1, 0], mask=[1, 0]), [1, 2]), "masked",
        error=TypeError),
    bad("threads", lambda: rg.ndcg(L, S, threads=-2), "threads", "-1 for all"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "parts"), REFUSED)
def test_refused(call: Any, error: Any, parts: Any) -> None:
    check_refused(call, error, parts)


# ---- places in errors, and lists that other lists interrupt


@pytest.mark.parametrize("excluded", [[0], [1], [0, 1, 4], [2]])
def test_a_tie_has_its_place_before_documents_are_excluded(excluded):
    rows = ([1] * len(excluded), ([1] * len(excluded), excluded))
    exclude = pytest.importorskip("scipy.sparse").csr_matrix(rows, shape=(2, 7))
    scores = [np.arange(7.0), [0.1, 0.5, 0.5, 0.7, 0.8, 0.9, 0.9]]
    tied = (5, 6) if {1, 2} & set(excluded) else (1, 2)
    with pytest.raises(ValueError, match=f"list 1, documents {tied[0]} and {tied[1]} have equal"):
        rg.evaluate_arrays([[0, 1] + [0] * 5] * 2, scores, "AP", convention="trec", exclude=exclude)


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
