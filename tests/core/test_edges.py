"""Values at the edges of the core: where a table ends, a sum loses digits, a sign is one bit."""

import math
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from simd_paths import output_on, skip_without


def summed(gain: float, n: int) -> float:
    """n equal gains, added rank by rank as C's logarithm discounts them."""
    total = 0.0
    for rank in range(1, n + 1):
        total += gain * (1 / math.log2(rank + 1))
    return total


@pytest.mark.parametrize("gain", [1, 2, 3, 4, 5, 7, 15])
@pytest.mark.parametrize("n", [1, 2, 64, 127, 128, 129, 130, 300])
def test_ideals_of_equal_gains_around_the_known_sums(gain: int, n: int) -> None:
    labels = np.full(n, float(gain), np.float32)
    assert rg.idcg(labels) == pytest.approx(summed(gain, n), rel=1e-15)
    for k in (n - 1, n, n + 1):
        if k:
            assert rg.idcg(labels, k=k) == pytest.approx(summed(gain, min(k, n)), rel=1e-15)
    assert rg.ndcg(labels) == 1.0


@pytest.mark.parametrize("n", [2, 40, 511, 512, 700])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_signs_of_zero_are_a_tie_where_ties_are_refused(n: int, dtype: str) -> None:
    scores = np.arange(1, n + 1, dtype=dtype)
    labels = np.arange(n) % 2
    assert np.isfinite(rg.evaluate_arrays(labels, scores, "infAP").means["infAP"])
    scores[[0, n - 1]] = 0.0, -0.0
    for shown in (scores, scores[::-1]):
        with pytest.raises(ValueError, match="have equal scores"):
            rg.evaluate_arrays(labels, shown, "infAP")


def test_the_ratio_to_an_ideal_below_0_is_not_cut() -> None:
    """Both are negative, and the worse ranking is the one further from 0."""
    labels, scores = [-1.0, -3.0], [1.0, 2.0]
    expected = (-3 - 1 / math.log2(3)) / (-1 - 3 / math.log2(3))
    assert expected > 1.2
    for undefined in ("zero", "never"):
        rules = rg.conventions["sklearn"].replace(negative="keep", undefined=undefined)
        assert rg.ndcg(labels, scores, convention=rules) == pytest.approx(expected, rel=1e-15)
        assert rg.ndcg(labels, scores[::-1], convention=rules) == 1.0


def test_every_finite_half_precision_label() -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    labels = every[np.isfinite(every)]
    bits = labels.view(np.uint16).astype(np.int64)
    exponent, fraction = (bits >> 10) & 31, bits & 1023
    size = np.where(exponent, np.ldexp(1024.0 + fraction, exponent - 25), np.ldexp(fraction, -24))
    expected = np.where(bits >> 15, -size, size)
    for width in (1, 4):  # one by one, and in lists
        rows = labels.reshape(-1, width)
        result = rg.cg(rows, np.zeros(rows.shape), k=None)
        np.testing.assert_array_equal(result, expected.reshape(-1, width).sum(axis=1))
    wide = np.zeros((64, 100), np.float16)
    wide[:, 7] = labels[1:65]
    np.testing.assert_array_equal(rg.cg(wide, np.zeros((64, 100)) - np.arange(100)), expected[1:65])


NEGATIVE = """
import numpy as np
import rankgain as rg
for n in (1, 2, 15, 16, 17, 31, 33, 64, 65, 100):
    for top, bad in ((3.0, -1.0), (0.1, -0.1), (0.1, -2.0), (3.0, -0.3), (0.0, -1e-30)):
        for at in {0, 1, n // 2, n - 2, n - 1}:
            if 0 <= at < n:
                labels = np.full(n, top, np.float32)
                labels[at] = bad
                for scores in (np.arange(n, dtype="f4"), np.arange(n, dtype="f8"), None):
                    try:
                        rg.ndcg(labels, scores)
                    except ValueError as error:
                        assert f"document {at} has the negative label" in str(error), error
                    else:
                        raise AssertionError((n, top, bad, at))
"""


@pytest.mark.parametrize("path", ["plain", "avx2"])
def test_a_negative_label_is_refused_wherever_it_stands(path: str) -> None:
    skip_without(path)
    output_on(path, ["-c", NEGATIVE])


def returned_bounds(judged: list[int], n: int, **more: Any) -> Any:
    """Bounds of nDCG of a run of n documents, none of them judged."""
    qrels = {"q": {f"j{i}": label for i, label in enumerate(judged)}}
    run = {"q": {f"d{i}": float(-i) for i in range(n)}}
    result = rg.evaluate(qrels, run, "nDCG", bounds="unjudged", **more)
    (bounds,) = result.bounds["unjudged"].values()
    return bounds[0].tolist()


def test_bounds_over_unjudged_documents_cut_the_ideal_at_what_was_returned() -> None:
    """One document, unjudged; four judged ones of label 1 are not returned."""
    rules = rg.conventions["elasticsearch"]
    assert returned_bounds([1, 1, 1, 1], 1, convention=rules) == [0.0, 1.0]
    # The ideal of a convention without the cut has all five documents.
    whole = rules.replace(ideal="judged")
    assert returned_bounds([1, 1, 1, 1], 1, convention=whole)[1] == pytest.approx(1 / summed(1, 5))
    result = returned_bounds([2, 1, 1], 2, convention=rules)
    assert result[0] == 0.0
    assert result[1] == pytest.approx(1.0)


@pytest.mark.parametrize("n", [3, 40, 200])
def test_many_labels_under_a_gain_that_falls(n: int) -> None:
    """The ideal is then sorted by gain, beside the values of the walks before it."""
    labels = np.arange(1.0, n + 1)
    gain = {float(label): float((7 * label) % n + 1) for label in labels}
    discounts = 1 / np.log2(np.arange(2, n + 2))
    worth = np.array([gain[label] for label in labels])
    dcg, best = (worth[::-1] * discounts).sum(), (np.sort(worth)[::-1] * discounts).sum()
    table = ",".join(f"{label:g}:{value:g}" for label, value in gain.items())
    names = ["P@2", "RR", f"DCG(gain={{{table}}})", f"nDCG(gain={{{table}}})", "AP"]
    result = rg.evaluate_arrays([labels], [labels], names)
    assert list(result.means.values()) == pytest.approx([1.0, 1.0, dcg, dcg / best, 1.0], rel=1e-12)
