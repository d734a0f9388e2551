"""Labels of every integer type: values as of the same labels in float64, and none beyond 2**53."""

from itertools import product

import numpy as np
import pytest

import rankgain as rg

DTYPES = ("int16", "uint16", "int32", "uint32", "int64", "uint64")
MEASURES = ["nDCG@3", "nDCG@20", "AP", "RR", "P@9", "R@60", "nDCG"]
LIMIT = 2**53  # float64 holds all integers up to here


@pytest.mark.parametrize(
    ("ties", "dtype"), list(product(("average", "best", "stable", "random"), DTYPES))
)
def test_a_truth_of_integers_has_the_values_of_floats(ties: str, dtype: str) -> None:
    rng = np.random.default_rng(12)
    largest = min(np.iinfo(dtype).max, LIMIT)
    # Levels that fit bytes, float32, and only float64.
    for top, n in product((3, 300, 2**24 + 1), (1, 23, 24, 40, 96, 97, 200, 1100)):
        levels = np.array([1, top // 2 + 1, top])
        levels = levels[levels <= largest]
        labels = rng.choice(levels, (3, n)) * (rng.random((3, n)) < 0.4)
        scores = rng.integers(0, max(n // 2, 2), (3, n)).astype(rng.choice(["f4", "f8"]))
        wanted = rg.evaluate_arrays(labels.astype(np.float64), scores, MEASURES, ties=ties)
        truth = rg.Truth(labels.astype(dtype))
        result = rg.evaluate_arrays(truth, scores, MEASURES, ties=ties)
        for name in MEASURES:
            values, expected = result.per_query[name], wanted.per_query[name]
            assert np.asarray(values).tobytes() == np.asarray(expected).tobytes(), (name, top, n)


@pytest.mark.parametrize("n", [1, 30, 200])
def test_integers_up_to_2_to_the_53_are_labels(n: int) -> None:
    labels, scores = np.zeros(n, np.int64), np.arange(n, 0, -1.0)
    for label in (LIMIT - 1, LIMIT, -LIMIT, 1 - LIMIT):
        labels[-1] = label
        assert rg.dcg(labels, scores) == rg.dcg(labels.astype(np.float64), scores)


@pytest.mark.parametrize("n", [1, 30, 200])
def test_integers_beyond_2_to_the_53_are_refused(n: int) -> None:
    labels, scores = np.zeros(n, np.int64), np.arange(n, 0, -1.0)
    for label in (LIMIT + 1, -LIMIT - 1, LIMIT + 2, 2 * LIMIT, 2**62, -(2**63), 2**63 - 1):
        labels[-1] = label
        with pytest.raises(ValueError, match=f"y_true.*{n - 1}"):
            rg.dcg(labels, scores)
