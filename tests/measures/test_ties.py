"""What tied scores are worth: exact averages, bounds, named orders and repeatable draws."""

import contextlib
import itertools

import numpy as np
import pytest

import rankgain as rg
from rankgain.measures.families import ROWS


def test_signs_of_zero_tie() -> None:
    for zeros in itertools.product([0.0, -0.0], repeat=3):
        for dtype in (np.float16, np.float32, np.float64):
            assert rg.reciprocal_rank([0, 0, 1], np.array(zeros, dtype), ties="stable") == 1 / 3
            result = rg.reciprocal_rank([0, 0, 1], np.array(zeros, dtype))
            assert result == pytest.approx((1 + 1 / 2 + 1 / 3) / 3, rel=1e-15)


def test_float64_scores_are_not_rounded() -> None:
    scores = np.array([1.0, 1.0 + 1e-12])
    assert rg.reciprocal_rank([0, 1], scores) == 1
    assert rg.reciprocal_rank([0, 1], scores.astype(np.float32)) == 3 / 4


# ---- ids


# ---- random


def test_random_repeats_with_its_seed() -> None:
    labels, scores = np.tile([1, 0, 0, 0, 0, 0, 0, 0], (50, 1)), np.zeros((50, 8))
    first, again = (rg.ndcg(labels, scores, ties="random", seed=7) for _ in range(2))
    other = rg.ndcg(labels, scores, ties="random", seed=8)
    assert first.tobytes() == again.tobytes()
    assert (first != other).any()
    assert len(set(first.tolist())) > 4  # the lists do not share one draw


def test_random_orders_are_equally_likely() -> None:
    """Every document stands equally often at every rank: 12,000 lists, five sigma."""
    lists, n = 12_000, 4
    for i in range(n):
        labels = np.tile(np.eye(n, dtype=int)[i], (lists, 1))
        ranks = 1 / rg.reciprocal_rank(labels, np.zeros((lists, n)), ties="random", seed=3)
        counts = np.bincount(np.rint(ranks).astype(int), minlength=n + 1)[1:]
        sigma = (lists * (1 / n) * (1 - 1 / n)) ** 0.5
        assert abs(counts - lists / n).max() < 5 * sigma


def names_without_averages() -> list[str]:
    """Each family whose average over tied documents is not computed, with what its name needs."""
    names = []
    for family in ROWS:
        if family.row is None or family.row.averages or family.row.reads != "labels":
            continue
        spellings = [family.name, f"{family.name}(max_rel=3)"]
        spellings = [name + cutoff for cutoff in ("", "@5", "@0.1") for name in spellings]
        for name in spellings:
            with contextlib.suppress(ValueError):
                names.append(str(rg.parse_measure(name)))
                break
    return names


@pytest.mark.parametrize("name", names_without_averages())
def test_an_average_that_is_not_computed_is_refused_with_the_reason(name: str) -> None:
    qrels = {"q": {"a": 1, "b": 0, "c": 2}}
    message = r"its average over the orders of tied documents is not computed, but list \d"
    with pytest.raises(ValueError, match=message):
        rg.evaluate(qrels, {"q": dict.fromkeys("abc", 1.0)}, name, ties="average")
    distinct = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    by_average = rg.evaluate(qrels, distinct, name, ties="average").means
    assert by_average == rg.evaluate(qrels, distinct, name, ties="stable").means
