"""Long lists against the oracle's slow loops, so that every way to rank them is taken."""

import itertools
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
import strategies
from sampling import sampled

# Every length meets several kinds of scores and of labels, and every kind several lengths.
KINDS = list(itertools.product(strategies.SCORES, strategies.LABELS))
LISTS = [(n, *KINDS[i * 7 % len(KINDS)]) for i, n in enumerate(strategies.LENGTHS * 3)]
LONG = [(n, *KINDS[i * 11 % len(KINDS)]) for i, n in enumerate(strategies.LONG_LENGTHS * 3)]


def compare(
    measure: str,
    one: tuple[int, str, str],
    requested: list[int | None],
    ties: str,
    dtype: Any = float,
) -> None:
    labels, scores = strategies.long_list(*one)
    scores = scores.astype(dtype)
    function, oracle = getattr(rg, measure), getattr(reference, measure)
    uncut = measure in strategies.UNCUT
    result = function(labels, scores, ties=ties, **({} if uncut else {"k": requested}))
    cutoffs: list[Any] = [{}] if uncut else [{"k": k} for k in requested]
    values = [oracle(labels.tolist(), scores.tolist(), ties=ties, **k) for k in cutoffs]
    undefined = np.nan if measure == "auc" else 0.0
    expected = [undefined if value is None else float(value) for value in values]
    context = f"{one} {ties} {requested}"
    np.testing.assert_allclose(np.ravel(result), expected, rtol=1e-11, atol=1e-15, err_msg=context)


@pytest.mark.parametrize(
    ("measure", "ties"), sampled(strategies.MEASURES, ["average", "worst", "reverse"])
)
def test_lengths_around_powers_of_two(measure: str, ties: str) -> None:
    for one in LISTS:
        requested = strategies.cutoffs(one[0])
        compare(measure, one, requested if ties == "average" else requested[::3], ties)


@pytest.mark.slow
@pytest.mark.parametrize("measure", strategies.MEASURES)
@pytest.mark.parametrize("ties", ["average", "stable", "best"])
def test_thousands(measure: str, ties: str) -> None:
    for one in LONG:
        compare(measure, one, [None, 10, 100, one[0] // 2], ties)


@pytest.mark.slow
@pytest.mark.parametrize("measure", strategies.MEASURES)
@pytest.mark.parametrize("ties", ["average", "best", "reverse"])
def test_each_cutoff_alone_in_single_precision(measure: str, ties: str) -> None:
    """How candidates are found depends on the deepest cutoff, and on wide vectors."""
    for i, n in enumerate((33, 50, 64, 95, 96, 97, 130, 300)):
        for kind in KINDS[i % 4 :: 4]:
            for k in (1, n // 9, n // 3, n // 2, n // 2 + 1):
                compare(measure, (n, *kind), [k], ties, np.float32)


def test_average_of_a_block_of_100_000() -> None:
    """Weights far down are summed without losing digits."""
    n, top = 100_000, 99_000
    labels, scores = np.zeros(n), np.zeros(n)
    labels[-1], scores[:top] = 1, 1.0
    weights = (1 / np.log2(np.arange(top, n) + 2.0)).tolist()
    expected = reference.total(weights) / (n - top)
    assert rg.dcg(labels, scores) == pytest.approx(expected, rel=1e-13)


def test_hits_close_to_each_other_and_one_far_off() -> None:
    """Scores that one scale does not tell apart are counted in smaller groups."""
    rng = np.random.default_rng(3)
    scores = rng.standard_normal(40_000).astype(np.float32)
    scores[:7] *= 1e9
    labels = np.zeros(40_000, np.float32)
    labels[[0, 3, *rng.choice(40_000, 9)]] = 1
    order = np.argsort(-scores.astype(float), kind="stable")
    ranks = np.flatnonzero(labels[order]) + 1.0
    expected = (1 / np.log2(ranks + 1)).sum()
    assert rg.dcg(labels, scores, ties="stable") == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("n", [1023, 1024, 3000])
@pytest.mark.parametrize("hits", [48, 49, 127, 128, 129, 200])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ranks_of_any_number_of_hits(n: int, hits: int, dtype: Any) -> None:
    """Few hits are counted and many are sorted, for dense labels and sparse ones alike."""
    rng = np.random.default_rng(hits)
    labels = np.zeros((1, n), np.float32)
    positions = rng.choice(n, hits, replace=False)
    labels[0, positions] = 1
    sparse = (np.ones(hits, np.float32), positions, np.array([0, hits]))
    distinct = rng.permutation(n).astype(dtype)[np.newaxis]
    for scores in (distinct, distinct // 3):
        order = np.argsort(-scores[0], kind="stable")
        ranks = np.flatnonzero(labels[0, order]) + 1.0
        expected = np.mean(np.arange(1, hits + 1) / ranks)
        for y_true in (labels, sparse):
            value = rg.average_precision(y_true, scores, ties="stable")
            assert value == pytest.approx(expected, rel=1e-13)
            # The mean over the orders of ties is that of both their extremes at least.
            low, middle, high = (
                rg.average_precision(y_true, scores, ties=ties)[0]
                for ties in ("worst", "average", "best")
            )
            assert low <= middle <= high
            assert (low < high) == (scores is not distinct)
            oracle = reference.average_precision(labels[0].tolist(), scores[0].tolist())
            assert middle == pytest.approx(float(oracle), rel=1e-12)
