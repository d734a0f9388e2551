"""Hits below every cutoff are not looked for, and no value may show that."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.measures.families import ROWS

USERS = 60
CUTS = {"optional": "@3", "required": "@3", "recall": "@0.5", "none": "", "multiple": "_0.60"}


def lists() -> tuple[Any, list[list[int]]]:
    """Rows of ten, with hits above and below rank 3, and relevant ids that are not in the rows."""
    rng = np.random.default_rng(5)
    rows = np.array([rng.permutation(40)[:10] for _ in range(USERS)], np.int32)
    relevant = [rng.permutation(40)[: rng.integers(0, 14)].tolist() for _ in rows]
    rows[7, 4:] = -1
    return rows, relevant


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
@pytest.mark.parametrize("convention", list(rg.conventions))
@pytest.mark.parametrize("family", ROWS, ids=lambda row: row.name)
def test_values_are_those_of_a_call_that_looks_at_all_ranks(family: Any, convention: str) -> None:
    rows, relevant = lists()
    name = family.example + CUTS[family.cutoff]
    try:
        alone = rg.evaluate_ids(rows, relevant, [name], convention=convention)
    except ValueError:
        pytest.skip("not of recommended ids, or not under this convention")
    beside = rg.evaluate_ids(rows, relevant, [name, "NumRelRet"], convention=convention)
    for one, mean in alone.means.items():
        np.testing.assert_equal(mean, beside.means[one])
        np.testing.assert_array_equal(alone.per_query[one], beside.per_query[one])


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
@pytest.mark.parametrize("kind", ["ties", "unjudged"])
@pytest.mark.parametrize("convention", list(rg.conventions))
@pytest.mark.parametrize("name", ["nDCG@3", "AP@3", "R@3"])
def test_bounds_are_those_of_all_ranks(kind: str, name: str, convention: str) -> None:
    rows, relevant = lists()
    rows[:30, 4:] = -1
    requested: dict[str, Any] = {"bounds": kind, "convention": convention}
    try:
        alone = rg.evaluate_ids(rows, relevant, [name], **requested)
    except ValueError:
        pytest.skip("not of recommended ids, or not under this convention")
    beside = rg.evaluate_ids(rows, relevant, [name, "NumRelRet"], **requested)
    assert alone.bounds is not None
    assert beside.bounds is not None
    for one, ends in alone.bounds[kind].items():
        np.testing.assert_array_equal(ends, beside.bounds[kind][one])
