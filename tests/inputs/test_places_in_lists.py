"""Places in errors, and lists that other lists interrupt."""

import numpy as np
import pytest

import rankgain as rg

sparse = pytest.importorskip("scipy.sparse")


@pytest.mark.parametrize("excluded", [[0], [1], [0, 1, 4], [2]])
def test_a_tie_has_its_place_before_documents_are_excluded(excluded):
    rows = ([1] * len(excluded), ([1] * len(excluded), excluded))
    exclude = sparse.csr_matrix(rows, shape=(2, 7))
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
