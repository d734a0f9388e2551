"""What tied scores are worth: exact averages, bounds, named orders and repeatable draws."""

import contextlib
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import rankgain as rg
import strategies
from rankgain.measures.families import ROWS

EVERY = pytest.mark.parametrize("measure", strategies.MEASURES)


def permuted(one: strategies.List) -> tuple[Any, Any]:
    """The list in every input order, as rows."""
    orders = list(itertools.permutations(range(len(one[0]))))
    return np.array(one[0])[orders], np.array(one[1])[orders]


def in_all_orders(measure: str, one: strategies.List, **arguments: Any) -> Any:
    """The values of all orders that the ties allow, one by one and equally often."""
    return getattr(rg, measure)(*permuted(one), ties="stable", **arguments)


SHORT = [one for one in strategies.NASTY_LISTS if 1 < len(one[0]) <= 6]
DIVISORS = [{"divisor": "hits"}, {"divisor": "min"}, {}]


@EVERY
def test_average_is_the_mean_of_all_orders(measure: str) -> None:
    for one in SHORT:
        for k in [{}] if measure in strategies.UNCUT else [{"k": k} for k in (1, 2, 3, 4, 9)]:
            for divisor in DIVISORS if measure == "average_precision" else [{}]:
                values = in_all_orders(measure, one, **k, **divisor)
                average = getattr(rg, measure)(*one, ties="average", **k, **divisor)
                np.testing.assert_allclose(average, values.mean(), rtol=1e-13, atol=1e-16)


@EVERY
def test_best_and_worst_are_reached_and_bound(measure: str) -> None:
    for one in SHORT:
        for k in [{}] if measure in strategies.UNCUT else [{"k": k} for k in (1, 2, 3, 4, 9)]:
            values = in_all_orders(measure, one, **k)
            best, worst = (getattr(rg, measure)(*one, ties=t, **k) for t in ("best", "worst"))
            np.testing.assert_allclose([best, worst], [values.max(), values.min()], rtol=1e-15)


@EVERY
@given(one=strategies.short_lists(12))
def test_reverse_is_stable_of_the_reversed_list(measure: str, one: strategies.List) -> None:
    function = getattr(rg, measure)
    turned = one[0][::-1], one[1][::-1]
    np.testing.assert_array_equal(function(*one, ties="reverse"), function(*turned, ties="stable"))


def test_stable_and_reverse_by_hand() -> None:
    labels, scores = [0, 1, 0, 1, 0], [1.0, 1.0, 1.0, 2.0, 2.0]
    assert rg.reciprocal_rank(labels[:3], scores[:3], ties="stable") == 1 / 2
    assert rg.reciprocal_rank([1, 0, 0], scores[:3], ties="reverse") == 1 / 3
    assert rg.precision(labels, scores, k=1, ties="stable") == 1
    assert rg.precision(labels, scores, k=1, ties="reverse") == 0


def test_signs_of_zero_tie() -> None:
    for zeros in itertools.product([0.0, -0.0], repeat=3):
        for dtype in (np.float16, np.float32, np.float64):
            assert rg.reciprocal_rank([0, 0, 1], np.array(zeros, dtype), ties="stable") == 1 / 3
            result = rg.reciprocal_rank([0, 0, 1], np.array(zeros, dtype))
            assert result == pytest.approx((1 + 1 / 2 + 1 / 3) / 3, rel=1e-15)


def test_infinite_scores_tie_with_themselves() -> None:
    inf = strategies.INF
    scores = [-inf, inf, 1e308, inf, -inf]
    assert rg.precision([1, 1, 0, 0, 0], scores, k=1) == 1 / 2
    assert rg.recall([1, 0, 0, 0, 0], scores, k=4) == 1 / 2


def test_float64_scores_are_not_rounded() -> None:
    scores = np.array([1.0, 1.0 + 1e-12])
    assert rg.reciprocal_rank([0, 1], scores) == 1
    assert rg.reciprocal_rank([0, 1], scores.astype(np.float32)) == 3 / 4


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_integer_scores_make_no_false_ties(dtype: Any) -> None:
    """Neighbours beyond 2**53 have one float64: their order is kept, or they are refused."""
    for documents in ([2**60, 2**60 + 1], [2**53, 2**53 + 1]):
        try:
            outcome: Any = rg.reciprocal_rank([0, 1], np.array(documents, dtype))
        except ValueError as error:
            outcome = "y_score" in str(error)
        assert outcome == 1
    assert rg.reciprocal_rank([0, 1], np.array([2**60, 2**61], dtype)) == 1


@EVERY
def test_block_straddles_the_cutoff(measure: str) -> None:
    if measure in strategies.UNCUT:
        pytest.skip("no cutoff")
    one = [1, 0, 2, 0, 1, 0], [3.0, 2.0, 2.0, 2.0, 2.0, 1.0]
    for k in range(1, 7):
        values = in_all_orders(measure, one, k=k)
        np.testing.assert_allclose(getattr(rg, measure)(*one, k=k), values.mean(), rtol=1e-14)


# ---- ids


def test_ids_order_tied_documents_only() -> None:
    labels, scores, ids = [1, 0, 0], [1.0, 1.0, 2.0], ["b", "a", "z"]
    assert rg.reciprocal_rank(labels, scores, ties="id", ids=ids) == 1 / 3
    assert rg.reciprocal_rank(labels, scores, ties="id_descending", ids=ids) == 1 / 2


def test_ids_compare_as_bytes() -> None:
    ids = ["a", "B", "é", "zz", "z"]  # in bytes: B a z zz é
    for i, rank in enumerate([2, 1, 5, 4, 3]):
        labels = np.eye(5, dtype=int)[i]
        assert rg.reciprocal_rank(labels, np.zeros(5), ties="id", ids=ids) == 1 / rank
        descending = rg.reciprocal_rank(labels, np.zeros(5), ties="id_descending", ids=ids)
        assert descending == 1 / (6 - rank)


@pytest.mark.parametrize("ties", ["id", "id_descending"])
def test_ties_by_id_need_ids(ties: str) -> None:
    with pytest.raises(ValueError, match=r"ids=[\s\S]*ties="):
        rg.ndcg([1, 0], [1.0, 1.0], ties=ties)
    with pytest.raises(ValueError, match=r"ids=[\s\S]*ties="):
        rg.ndcg([1, 0], [1.0, 1.0], convention="trec")
    assert rg.ndcg([1, 0], [2.0, 1.0], convention="trec") == 1.0


# ---- random


@EVERY
def test_random_is_one_of_the_orders(measure: str) -> None:
    one = strategies.NASTY["two blocks"]
    possible = in_all_orders(measure, one)
    function = getattr(rg, measure)
    result = [function(*one, ties="random", seed=seed) for seed in range(30)]
    assert all(np.abs(possible - value).min() < 1e-13 for value in result)
    assert np.ptp(result) > 0 or np.ptp(possible) < 1e-13


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


def test_random_mean_is_the_average() -> None:
    one = strategies.NASTY["two blocks"]
    labels, scores = (np.tile(row, (20_000, 1)) for row in one)
    for measure in strategies.MEASURES:
        values = getattr(rg, measure)(labels, scores, ties="random", seed=1)
        error = 5 * values.std() / 20_000**0.5
        assert values.mean() == pytest.approx(getattr(rg, measure)(*one), abs=error + 1e-12)


@settings(max_examples=30)
@given(one=strategies.short_lists(12))
def test_without_ties_every_rule_agrees(one: strategies.List) -> None:
    labels, scores = one
    distinct = np.argsort(np.argsort(scores, kind="stable")).astype(float)
    ids = [f"d{i}" for i in range(len(labels))]
    for measure in strategies.MEASURES:
        values = [
            getattr(rg, measure)(labels, distinct, ties=ties, ids=ids if "id" in ties else None)
            for ties in [*strategies.TIES, "random", "id", "id_descending"]
        ]
        np.testing.assert_array_equal(values, values[0])


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
    message = r"its average over their orders \(ties=\"average\"\) is not computed; choose another"
    with pytest.raises(ValueError, match=message):
        rg.evaluate(qrels, {"q": dict.fromkeys("abc", 1.0)}, name, ties="average")
    distinct = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    by_average = rg.evaluate(qrels, distinct, name, ties="average").means
    assert by_average == rg.evaluate(qrels, distinct, name, ties="stable").means
