"""Small whole numbers told from fractions, at the ends of what floats hold."""

import numpy as np
import pytest

import rankgain as rg
from rankgain import _core


@pytest.mark.parametrize(("dtype", "bits"), [(np.float32, 22), (np.float64, 51)])
def test_whole_numbers_are_told_from_fractions(dtype, bits):
    top = 2.0**bits
    whole = np.array([0.0, -0.0, 1, -1, 4, top - 1, top, -top], dtype)
    assert _core.are_small_and_whole(whole, np.inf)
    assert _core.are_small_and_whole(whole[:0], np.inf)
    for other in (0.5, -0.5, 1e-30, top - 0.5, 0.5 - top, -top - 0.5, -1.5 * top - 0.5):
        assert not _core.are_small_and_whole(np.append(whole, dtype(other)), np.inf)
    for beyond in (2.5 * top, -2.5 * top, np.inf, -np.inf, np.nan):  # trunc tells
        assert not _core.are_small_and_whole(np.append(whole, dtype(beyond)), np.inf)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_whole_numbers_up_to_a_limit(dtype):
    values = np.array([0, 31, -7, 4], dtype)
    assert _core.are_small_and_whole(values, 31)
    assert _core.are_small_and_whole(values, 31.5)
    assert not _core.are_small_and_whole(values, 30.5)


@pytest.mark.parametrize("at", [0, 1023, 1024, 2047, 2048, 2499])
def test_one_label_after_many_grades(at):
    grades = (np.arange(2500) % 5).astype(np.float32)
    assert _core.are_small_and_whole(grades, np.inf)
    assert _core.are_small_and_whole(grades, 4)
    assert not _core.are_small_and_whole(np.append(grades, np.zeros(2000, np.float32)), 3)
    for other, whole in [(0.5, False), (3.5, False), (5, True), (-2, True), (np.nan, False)]:
        grades[at] = other
        assert _core.are_small_and_whole(grades, np.inf) is whole
    grades[at] = 7
    assert not _core.are_small_and_whole(grades, 6)


@pytest.mark.parametrize("label", [-5000000.5, -0.5, 3.5, 4194304.5])
def test_labels_with_a_fraction_are_refused(label):
    labels = np.array([[label, 1.0]], np.float32)
    with pytest.raises(ValueError, match="takes integer labels"):
        rg.evaluate_arrays(labels, np.array([[1.0, 2.0]]), "nDCG", convention="pytrec_eval")


def test_large_whole_labels_are_taken():
    labels = np.array([[2.0**23 + 1, 2.0**30]], np.float32)
    result = rg.evaluate_arrays(labels, [[1.0, 2.0]], "nDCG", convention="pytrec_eval")
    assert result.means == {"nDCG": 1.0}
