"""Hits below every cutoff are not looked for, and no value may show that."""

import itertools
from typing import Any

import numpy as np
import pytest

import rankgain as rg

USERS = 60


def lists() -> tuple[Any, list[list[int]]]:
    """Rows of ten, with hits above and below rank 3, and relevant ids that are not in the rows."""
    rng = np.random.default_rng(5)
    rows = np.array([rng.permutation(40)[:10] for _ in range(USERS)], np.int32)
    relevant = [rng.permutation(40)[: rng.integers(0, 14)].tolist() for _ in rows]
    rows[7, 4:] = -1
    return rows, relevant


def compare_with_all_ranks(name: str, **options: Any) -> bool:
    """Compare a measure alone with a call that looks at all ranks; whether the call accepts it."""
    rows, relevant = lists()
    if "bounds" in options:
        rows[:30, 4:] = -1
    try:
        alone = rg.evaluate_ids(rows, relevant, [name], **options)
    except ValueError:  # not of recommended ids, or not under this convention
        return False
    beside = rg.evaluate_ids(rows, relevant, [name, "NumRelRet"], **options)
    for key, mean in alone.means.items():
        np.testing.assert_equal(mean, beside.means[key])
        np.testing.assert_array_equal(alone.per_query[key], beside.per_query[key])
    for kind, columns in alone.bounds.items():
        for key, ends in columns.items():
            np.testing.assert_array_equal(ends, beside.bounds[kind][key])
    return True


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
@pytest.mark.parametrize("convention", list(rg.conventions))
def test_bounds_are_those_of_all_ranks(convention: str) -> None:
    for name, kind in itertools.product(("nDCG@3", "AP@3", "R@3"), ("ties", "unjudged")):
        compare_with_all_ranks(name, convention=convention, bounds=kind)
