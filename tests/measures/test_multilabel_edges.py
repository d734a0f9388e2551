"""Edges of the multilabel functions: labels in CSR, and two classes."""

import numpy as np
import pytest

import rankgain as rg

FUNCTIONS = (rg.coverage_error, rg.label_ranking_loss, rg.label_ranking_average_precision_score)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_labels_in_csr_are_indicators(function):
    sparse = pytest.importorskip("scipy.sparse")
    scores = [[0.1, 0.2, 0.3], [0.4, 0.1, 0.2]]
    for value, words in ((np.nan, "NaN"), (np.inf, "infinity"), (0.5, "continuous-multioutput")):
        with pytest.raises(ValueError, match=words):
            function(sparse.csr_matrix([[value, 0, 0], [0, value, 0]]), scores)
    for value in (1.0, 3, True):
        labels = np.array([[value, 0, 0], [0, value, 0]])
        assert function(sparse.csr_matrix(labels), scores) == function(labels != 0, scores)
    nothing = np.zeros((2, 3))
    assert function(sparse.csr_matrix(nothing), scores) == function(nothing, scores)


def test_a_score_of_exactly_1_is_a_probability():
    # Between 0 and 1, both included, a class is predicted above 0.5.
    assert rg.top_k_accuracy_score([0, 1, 0, 1], [0.4, 1.0, 0.0, 0.6], k=1) == 1.0
    assert rg.top_k_accuracy_score([0, 1, 0, 1], [0.4, 1.5, 0.0, 0.6], k=1) == 0.75


def test_as_many_as_there_are_classes_is_warned_about():
    scores = [[0.5, 0.2, 0.1], [0.3, 0.4, 0.2], [0.7, 0.2, 0.1]]
    for k in (3, 4):
        with pytest.warns(UserWarning, match="perfect score"):
            assert rg.top_k_accuracy_score([0, 1, 2], scores, k=k) == 1.0
