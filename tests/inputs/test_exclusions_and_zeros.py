"""Exclusions, empty lists and zeros where one place alone could go wrong."""

from typing import Any

import pytest

import rankgain as rg

ROWS = [[3, 1, 2], [1, 2, 3], [2, 3, 1], [4, 3, 1, 2]]


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")  # what is left is short
@pytest.mark.parametrize("retrieved", ROWS)
@pytest.mark.parametrize("out", [[], [3], [2], [3, 1], [1, 2, 3], [9], [3, 9]])
def test_what_is_left_out_leaves_no_place(retrieved: Any, out: Any) -> None:
    """As the list without it, also where nothing else stands behind it."""
    names = ["P(divisor=min)@3", "P@3", "AP(divisor=min)@3", "RR", "nDCG@3"]
    left = [one for one in retrieved if one not in out]
    for relevant in ([1], [2, 7], [1, 2]):
        stays = [one for one in relevant if one not in out]
        result = rg.evaluate_ids([retrieved], [relevant], names, exclude=[out])
        alone = rg.evaluate_ids([left], [stays], names)
        texts = rg.evaluate_ids(
            [[*map(str, retrieved)]], [[*map(str, relevant)]], names, exclude=[[*map(str, out)]]
        )
        for name in names:
            assert result.per_query[name][0] == alone.per_query[name][0], name
            assert result.per_query[name][0] == texts.per_query[name][0], name
    half = rg.evaluate_ids([[3, 1, 2]], [[1]], "P(divisor=min)@3", exclude=[[3]])
    assert half.means["P(divisor=min)@3"] == 0.5
