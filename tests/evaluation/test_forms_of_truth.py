"""Truths and rankings in forms that people have: an id for each user, matrices, tensors."""

from collections import namedtuple

import numpy as np
import pytest

import rankgain as rg

sp = pytest.importorskip("scipy.sparse")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

NUMBERS, TEXTS = [[1, 2], [3, 4], [5, 6]], [["a", "b"], ["c", "d"], ["e", "f"]]
# The relevant id stands at ranks 1, 2 and nowhere.
RECIPROCAL = [1.0, 0.5, 0.0]


@pytest.mark.parametrize(("retrieved", "relevant"), [
    (NUMBERS, [1, 4, 7]),
    (NUMBERS, (1, 4, 7)),
    (np.array(NUMBERS), np.array([1, 4, 7])),
    (np.array(NUMBERS), np.array([1, 4, 7], np.uint8)),
    (NUMBERS, pandas.Series([1, 4, 7])),
    (NUMBERS, polars.Series([1, 4, 7])),
    (NUMBERS, pyarrow.array([1, 4, 7])),
    (TEXTS, ["a", "d", "x"]),
    (TEXTS, np.array(["a", "d", "x"])),
    (TEXTS, pandas.Series(["a", "d", "x"])),
    (TEXTS, polars.Series(["a", "d", "x"])),
    (dict(zip("uvw", TEXTS, strict=True)), {"u": "a", "v": "d", "w": "x"}),
    (dict(zip("uvw", NUMBERS, strict=True)), {"u": 1, "v": 4, "w": 7}),
    (dict(zip("uvw", TEXTS, strict=True)), pandas.Series(["a", "d", "x"], [*"uvw"])),
    (dict(zip("uvw", NUMBERS, strict=True)), pandas.Series([1, 4, 7], [*"uvw"])),
])  # fmt: skip
def test_one_relevant_id_for_each_user(retrieved, relevant):
    result = rg.evaluate_ids(retrieved, relevant, "RR")
    assert result.per_query["RR"].tolist() == RECIPROCAL


MATRIX = [[0, 1, 1, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize("duplicates", ["raise", "first", "in_place"])
@pytest.mark.parametrize("matrix", [
    MATRIX, np.array(MATRIX), np.array(MATRIX, bool), np.array(MATRIX, float),
    pandas.DataFrame(MATRIX), tuple(map(tuple, MATRIX)),
])  # fmt: skip
def test_a_matrix_of_labels_is_no_list_of_ids(matrix, duplicates):
    assert rg.evaluate_ids([[1, 2], [3, 0]], sp.csr_matrix(MATRIX), "RR")["RR"] == 0.75


Pair = namedtuple("Pair", "values indices")
VALUES, INDICES = np.array([[0.5, 0.4], [0.9, 0.2]]), np.array([[3, 1], [2, 0]])


@pytest.mark.parametrize(("pair", "words"), [
    (Pair(VALUES, INDICES), r"retrieved\.indices"),
    ((VALUES, INDICES), r"retrieved\[1\]"),
    ((VALUES[0].astype("f4"), INDICES[0]), r"retrieved\[1\]"),
])  # fmt: skip
def test_scores_and_ids_as_a_pair(pair, words):
    assert rg.evaluate_ids(INDICES, [[3], [2]], "RR")["RR"] == 1.0


def test_sparse_scores_say_the_line_that_works():
    draw = np.random.default_rng(1)
    y_true = (draw.random((6, 30)) < 0.2).astype(int)
    y_score = sp.csr_matrix(draw.random((6, 30)) * (draw.random((6, 30)) < 0.5))
    for scores in (y_score, y_score.tocoo()):
        with pytest.raises(TypeError) as caught:
            rg.evaluate_arrays(y_true, scores, "nDCG@5")
        assert ".toarray()" in str(caught.value)
        line = (
            str(caught.value).split("If not, ")[1].removesuffix(" makes a few rows dense at a time")
        )
        names = {"rg": rg, "scipy": pytest.importorskip("scipy"), "measures": "nDCG@5"}
        result = eval(line, names | {"y_score": scores, "y_true": y_true})
        assert result.means == rg.evaluate_arrays(y_true, y_score.toarray(), "nDCG@5").means
    for call in (
        lambda: rg.evaluate_ids(y_score, sp.csr_matrix(y_true), "RR"),
        lambda: rg.evaluate_ids(y_score, [[1]] * 6, "RR"),
        lambda: rg.evaluate_catalogue(y_score, "Coverage@2", catalogue=30),
    ):
        with pytest.raises(TypeError, match=r"not ids. For scores, rg\.evaluate_scores"):
            call()


class SparseTensor:
    """What this package uses of a sparse tensor of torch."""

    layout, requires_grad, is_nested = "torch.sparse_coo", False, False

    def __init__(self, values):
        self.matrix = sp.csr_matrix(values)
        self.shape = self.matrix.shape

    def to_dense(self):
        return self.matrix.toarray()

    def to_sparse_csr(self):
        return self

    def values(self):
        return self.matrix.data

    def col_indices(self):
        return self.matrix.indices

    def crow_indices(self):
        return self.matrix.indptr

    def __array__(self, *args, **kwargs):
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")


class NestedTensor:
    """What this package uses of a nested tensor of torch."""

    layout, requires_grad, is_nested, dtype = "torch.strided", False, True, "torch.float32"

    def __init__(self, rows):
        self.rows = rows

    def unbind(self):
        return tuple(map(np.array, self.rows))

    def __array__(self, *args, **kwargs):
        raise RuntimeError("a nested tensor has no array")


def test_sparse_and_nested_tensors():
    labels, scores = [[0, 1, 2], [1, 0, 0]], [[0.1, 0.2, 0.9], [0.3, 0.4, 0.1]]
    expected = rg.ndcg(labels, scores).tolist()
    assert rg.ndcg(SparseTensor(labels), scores).tolist() == expected
    assert rg.ndcg(labels, scores, judged=SparseTensor(labels)).tolist() == expected
    out = SparseTensor([[0, 0, 0], [0, 1, 0]])
    assert rg.reciprocal_rank(labels, scores, exclude=out).tolist() == [1.0, 1.0]
    relevant = SparseTensor([[0, 1, 0], [0, 0, 1]])
    assert rg.evaluate_ids([[1, 2], [0, 2]], relevant, "RR")["RR"] == 0.75
    nested = rg.ndcg(NestedTensor([[1, 0], [2]]), NestedTensor([[0.1, 0.2], [0.4]]))
    assert nested.tolist() == [1 / np.log2(3), 1.0]
    ids = NestedTensor([[1, 2], [0]])
    assert rg.evaluate_ids(ids, NestedTensor([[2], [0]]), "RR")["RR"] == 0.75


def test_minus_one_is_decided_once():
    assert rg.evaluate_ids([[-4, -1]], [[-1]], "P@1", exclude=[[-4]])["P@1"] == 1.0
    measures = ["P@1", "Coverage@1", "Serendipity@1"]
    result = rg.evaluate_ids(
        [[-4, -1]], [[-1]], measures, exclude=[[-4]], catalogue=4, baseline=[[7]]
    )
    assert result.means == {"P@1": 1.0, "Coverage@1": 0.25, "Serendipity@1": 1.0}
    filled = rg.evaluate_ids([[4, 2, -1]], [[2, -1]], "P@1", exclude=[[4]])
    assert filled["P@1"] == 1.0


WIDE = 2.0**53


def test_float_ids_up_to_53_bits_are_ids():
    assert rg.reciprocal_rank([0, 1, 1], [2, 1, 1], qid=[1.0, 1.0, WIDE - 1]).tolist() == [0.5, 1]
