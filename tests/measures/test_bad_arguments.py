"""Arguments that are nearly right: matrices with columns too many, equal values of other types."""

import numpy as np
import pytest

import rankgain as rg

L = np.array([[3, 0, 1], [0, 2, 1]])


def test_ids_and_scores_that_a_matrix_does_not_have_are_refused():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_array(([1.0, 1, 1], [0, 3, 1], [0, 2, 3]), shape=(2, 4))
    with pytest.raises(ValueError, match=r"retrieved: list 1\b.*\b4\b"):
        rg.evaluate_ids([[0, 1, 2], [2, 1, 4]], matrix, ["P@2"])
    with pytest.raises(TypeError, match=r"y_score.*dense"):
        rg.ndcg(L, matrix)


@pytest.mark.parametrize(("name", "first", "again"), [
    ("rel", 1, True), ("rel", 2, 2 + 0j), ("seed", 1, 1.0), ("seed", 0, False), ("beta", 1, True),
    ("empty", 0, False), ("threads", 1, True), ("threads", 1, 1.0),
])  # fmt: skip
def test_a_call_like_one_before_is_checked_all_the_same(name, first, again):
    """1, 1.0 and True are equal and hash alike, but not all taken for each other."""
    labels, scores = np.array([2.0, 0.0]), np.array([0.3, 0.2])
    assert rg.f1(labels, scores, **{name: first}) > 0.5
    with pytest.raises(TypeError, match=name):
        rg.f1(labels, scores, **{name: again})


@pytest.mark.parametrize(("name", "word"), [
    ("gain", "exp2"), ("gain", "binary"), ("discount", "reciprocal"), ("ties", "worst"),
    ("ties", "reverse"), ("empty", "skip"), ("convention", "lightgbm"),
])  # fmt: skip
def test_words_of_numpy_are_words(name, word):
    """An element of an array of strings is a subclass of str."""
    labels, scores = [[1, 0, 2, 0]], [[0.5, 0.5, 0.5, 0.1]]
    for measure in (rg.ndcg, lambda *a, **b: rg.evaluate_arrays(*a, "nDCG", **b)["nDCG"]):
        expected = measure(labels, scores, **{name: word})
        assert measure(labels, scores, **{name: np.str_(word)}) == expected
