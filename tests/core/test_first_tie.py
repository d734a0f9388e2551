"""Which list is the first with two equal scores: lists of all lengths, scores that share marks."""

import numpy as np
import pytest

from rankgain import _core

LENGTHS = [*range(1, 70), 100, 511, 512, 1000, 2047, 2048, 2049, 5000]


def first(lists):
    stops = np.cumsum([len(one) for one in lists])
    starts = stops - [len(one) for one in lists]
    return _core.list_with_tie(np.concatenate(lists), starts, stops)


def distinct(rng, n, dtype, spread):
    """Different scores: at random, or a power of two apart, of which many share a mark."""
    if spread:
        return rng.permutation(np.arange(n).astype(dtype) * dtype(spread) - dtype(spread * 7))
    result = np.unique(rng.standard_normal(2 * n).astype(dtype))
    return rng.permutation(result[:n])


@pytest.mark.parametrize("spread", [0, 1, 2.0**-20, 2.0**40])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_tie_is_found_anywhere(dtype, spread):
    rng = np.random.default_rng(5)
    for n in LENGTHS:
        scores = distinct(rng, n, dtype, spread)
        assert len(np.unique(scores)) == n
        assert first([scores]) == -1
        if n > 1:
            tied = scores.copy()
            a, b = rng.choice(n, 2, replace=False)
            tied[a] = tied[b]
            assert first([scores, tied, scores]) == 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_zeros_of_both_signs_tie(dtype):
    assert first([np.array([1, 0.0, 3, -0.0], dtype)]) == 0
    assert first([np.array([1, 0.0, 3, -1.0], dtype)]) == -1
    assert first([np.array([], dtype), np.array([2.0], dtype)]) == -1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_that_all_share_one_mark(dtype):
    """More shared marks than are looked at one by one: then a sort tells."""
    # The factor is odd, so that its inverse gives numbers whose products have only high bits apart.
    size = 32 if dtype is np.float32 else 64
    factor = 0x9E3779B1 if dtype is np.float32 else 0x9E3779B97F4A7C15
    low = [int(one) & ((1 << (17 if size == 32 else 49)) - 1) for one in range(1, 1500)]
    words = [(one * pow(factor, -1, 1 << size)) % (1 << size) for one in low]
    unsigned = np.array(words, np.uint32 if size == 32 else np.uint64)
    scores = np.unique(unsigned.view(dtype))
    scores = scores[np.isfinite(scores) & (scores != 0)]
    assert len(scores) > 200
    assert first([scores]) == -1
    assert first([np.append(scores, scores[3])]) == 0
    for a, b in (scores[:2], scores[1::-1]):  # the last document with their mark is another one's
        assert first([np.array([a, a, b], dtype)]) == 0
        assert first([np.array([a, b, a], dtype)]) == 0
    assert first([scores[:100]]) == -1
    assert first([np.concatenate([scores[:50], scores[20:21], scores[50:100]])]) == 0


def test_lists_of_the_same_scores_do_not_meet():
    """The table keeps what earlier lists left in it."""
    rng = np.random.default_rng(6)
    scores = distinct(rng, 300, np.float32, 0)
    lists = [rng.permutation(scores)[: rng.integers(200, 300)] for _ in range(600)]
    assert first(lists) == -1
    assert first([*lists, np.append(lists[0], lists[0][7])]) == 600


def test_more_lists_than_the_table_has_numbers_for():
    lists = 2**32 // 2048 + 1000
    scores = np.tile(np.array([1, 2, 2, 1, 3, 1], np.float32), lists // 3 + 1)
    starts = np.arange(0, len(scores), 2)
    assert _core.list_with_tie(scores, starts, starts + 2) == -1
    scores[-1] = scores[-2]
    assert _core.list_with_tie(scores, starts, starts + 2) == len(starts) - 1
