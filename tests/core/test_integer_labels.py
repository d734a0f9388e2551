"""Labels of every integer type: values as of the same labels in float64, and none beyond 2**53."""

import numpy as np
import pytest

import rankgain as rg

LIMIT = 2**53  # float64 holds all integers up to here


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
