"""A grid of lists with many ties, and what tests of layouts and dtypes say of it."""

from typing import Any

import numpy as np

import strategies

KS = [1, 2, 3, 5, 12, 13, 40]
RNG = np.random.default_rng(11)
LABELS = RNG.integers(0, 5, (9, 30)) * (RNG.random((9, 30)) < 0.4)
SCORES = RNG.integers(-9, 9, LABELS.shape) / 2.0
LABELS[3], SCORES[4] = 0, 1.0


def asked(measure: str, **arguments: Any) -> dict[str, Any]:
    return arguments if measure in strategies.UNCUT else {"k": [*KS, None], **arguments}


def same_bits(result: Any, expected: Any, context: Any = "") -> None:
    result, expected = np.asarray(result), np.asarray(expected)
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype), context
    np.testing.assert_array_equal(result, expected, err_msg=str(context))
