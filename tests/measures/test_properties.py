"""What holds for every list, whatever its labels and scores."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgain as rg
import reference
import strategies
from sampling import USUAL, sampled

LISTS = strategies.short_lists(24)
EVERY = pytest.mark.parametrize("measure", sampled(strategies.MEASURES, one_in=9, always=USUAL))
UNIT = [m for m in strategies.MEASURES if m not in strategies.SUMS]  # between 0 and 1
KS = [1, 2, 3, 5, 8, 30]


def value(measure: str, one: Any, **arguments: Any) -> Any:
    """The values at every cutoff, or the only one."""
    requested = {} if measure in strategies.UNCUT or "k" in arguments else {"k": [None, *KS]}
    return np.atleast_1d(getattr(rg, measure)(*one, **requested, **arguments))


@EVERY
@given(one=LISTS)
def test_order_preserving_maps_change_nothing(measure: str, one: strategies.List) -> None:
    labels, scores = one
    levels = np.unique(np.array(scores) + 0.0)
    ranks = np.searchsorted(levels, scores)
    for ties in strategies.TIES:
        before = value(measure, one, ties=ties)
        for mapped in (ranks, ranks.astype(np.float32) * 3 - 50, np.exp2(ranks * 1.0)):
            after = value(measure, (labels, mapped), ties=ties)
            np.testing.assert_array_equal(after, before, err_msg=ties)


@EVERY
@given(one=LISTS, seed=st.integers(0, 99))
def test_permuting_documents_changes_nothing(measure: str, one: strategies.List, seed: int) -> None:
    """Distinct scores under every rule; tied ones where the rule does not look at the input."""
    order = np.random.default_rng(seed).permutation(len(one[0]))
    labels, scores = np.array(one[0], int), np.array(one[1], float)
    distinct = np.argsort(np.argsort(scores, kind="stable"))
    for ties in strategies.TIES:
        before = value(measure, (labels, distinct), ties=ties)
        after = value(measure, (labels[order], distinct[order]), ties=ties)
        np.testing.assert_array_equal(after, before)
    for ties in ("average", "best", "worst"):
        before = value(measure, (labels, scores), ties=ties)
        after = value(measure, (labels[order], scores[order]), ties=ties)
        np.testing.assert_array_equal(after, before)


@pytest.mark.parametrize("arguments", sampled(strategies.arguments("ndcg")), ids=strategies.short)
@given(one=LISTS)
def test_an_ideal_ranking_is_exactly_one(arguments: Any, one: strategies.List) -> None:
    worth_of = {name: arguments[name] for name in ("gain", "rel") if name in arguments}
    scores = [float(reference.gain_of(label, **worth_of)) for label in one[0]]
    if min(scores, default=0) < 0:
        return
    expected = 1.0 if any(scores) else 0.0
    for ties in (*strategies.TIES, "random"):
        result = value("ndcg", (one[0], scores), ties=ties, **strategies.to_library(arguments))
        np.testing.assert_array_equal(result, expected, err_msg=ties)


@pytest.mark.parametrize("measure", sampled(UNIT, one_in=9, always=USUAL))
@given(one=LISTS)
def test_nothing_exceeds_its_range(measure: str, one: strategies.List) -> None:
    for ties in strategies.TIES:
        result = value(measure, one, ties=ties, empty=0.0)
        assert (result >= 0).all()
        assert (result <= (1.0 if measure == "ndcg" else 1 + 1e-15)).all()


def test_long_ideal_rankings_are_exactly_one() -> None:
    for n in [*strategies.LENGTHS, *strategies.LONG_LENGTHS]:
        for kind in ("one in five", "one in two", "all", "all equal"):
            labels, _ = strategies.long_list(n, "distinct", kind)
            labels[0] = 4
            requested: list[Any] = [None, *strategies.cutoffs(n)]
            for gain in ("linear", "exp2"):
                np.testing.assert_array_equal(rg.ndcg(labels, labels, k=requested, gain=gain), 1.0)
                descending = np.sort(labels)[::-1]
                np.testing.assert_array_equal(rg.ndcg(descending, k=requested, gain=gain), 1.0)
