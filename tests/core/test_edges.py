"""Values at the edges of the core: where a table ends, a sum loses digits, a sign is one bit."""

import math
from typing import Any

import numpy as np
import pytest

import rankers
import rankgain as rg
import reference
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


@pytest.mark.parametrize("first", [60_001, 100_000, 400_000])
def test_a_block_far_down_keeps_all_digits(first: int) -> None:
    """Its weights are a difference of two running sums, each a thousand times as large."""
    n = 300
    scores = -np.minimum(np.arange(first + n, dtype=np.float64), first)
    labels = np.zeros(first + n)
    labels[first : first + 200] = 1
    weights = [1 / math.log2(rank + 1) for rank in range(first + 1, first + n + 1)]
    assert rg.dcg(labels, scores) == pytest.approx(2 / 3 * math.fsum(weights), rel=1e-14)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1"])
@pytest.mark.parametrize("n", [300, 2000])
def test_documents_of_label_0_count_in_a_block_across_the_cutoff(n: int, dtype: str) -> None:
    """All tie, half have label 0, and with rel=0 every one of them has the gain 1."""
    labels, scores = np.arange(n).astype(dtype) % 2, np.zeros(n, np.float32)
    used, hits = rankers.found_in(labels, scores, "DCG@3", gain="binary", rel=0)
    assert "straddle" in used
    assert [(start, size, len(block)) for start, size, block in hits] == [(0, n, n)]
    result = rg.dcg(labels, scores, k=3, gain="binary", rel=0)
    assert result == pytest.approx(summed(1, 3), rel=1e-15)
    quarter = rg.dcg(labels, scores, k=3, gain={0: 0.5, 1: 1})
    assert quarter == pytest.approx(0.75 * summed(1, 3), rel=1e-14)


@pytest.mark.parametrize("rel", [0.25, 0.5, 1, 1.25, 1.5, 2, 2.5, 3])
def test_many_measures_at_once_with_any_rel(rel: float) -> None:
    labels = [3, 0, 1, 2, 0, 1, 3, 0, 2, 1, 0, 1]
    scores = [float(-i) for i in range(len(labels))]
    names = {"P@4": ("precision", 4), "R@7": ("recall", 7), "AP": ("average_precision", None)}
    names |= {"RR": ("reciprocal_rank", None), "HitRate@1": ("hit_rate", 1), "F1@9": ("f1", 9)}
    result = rg.evaluate_arrays(labels, scores, list(names), rel=rel)
    for name, (function, k) in names.items():
        expected = getattr(reference, function)(labels, rel=rel, k=k)
        assert result[name] == pytest.approx(float(expected), rel=1e-14), name


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
