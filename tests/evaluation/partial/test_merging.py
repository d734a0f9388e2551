"""What merged parts keep of each: counts, the precision of scores, lists that nobody knew."""

import itertools
from typing import Any

import numpy as np
import pytest

import rankgain as rg

HITS = ["a", "b"], [0.9, 0.5], [1, 1]
KINDS = [np.float32, np.float64]


def part(dtype: Any, lists: str = "ab", **options: Any) -> rg.PartialRanks:
    """Counts of the hits and of a document above each, for some lists."""
    made = rg.PartialRanks(HITS[0], np.array(HITS[1], np.float32), HITS[2], **options)
    scores = np.array([0.9, 0.5], np.float32).astype(dtype)
    at = ["ab".index(one) for one in lists if one in "ab"]
    made.add([HITS[0][i] for i in at], scores[at])
    others = [one for one in lists if one not in "ab"]
    made.add(others, np.ones(len(others), dtype))
    return made


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_scores_of_double_precision_are_remembered(first: Any, second: Any) -> None:
    """A convention that compares floats cannot count what was compared as doubles."""
    merged = part(first, "a").merge(part(second, "b"))
    if first is second is np.float32:
        assert merged.finish("RR", convention="ir_measures").means["RR"] == 1.0
    else:
        with pytest.raises(ValueError, match="float32"):
            merged.finish("RR", convention="ir_measures")
    assert merged.finish("RR").means["RR"] == 1.0


@pytest.mark.parametrize("hits", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("blocks", list(itertools.product(KINDS, repeat=2)))
def test_one_block_of_double_precision_is_remembered(hits: Any, blocks: Any) -> None:
    partial = rg.PartialRanks(["a"], np.array([0.5], hits), [1])
    for score, dtype in zip((0.5, 0.75), blocks, strict=True):
        partial.add(["a"], np.array([score], dtype))
    if np.float64 in (hits, *blocks):
        with pytest.raises(ValueError, match="float32"):
            partial.finish("RR", convention="ir_measures")
    else:
        assert partial.finish("RR", convention="ir_measures")["RR"] == 0.5
    assert partial.finish("NumRet")["NumRet"] == 2


@pytest.mark.parametrize("others", [["c", "z", "b"], [9, 30, 4, 100], ["ü", "z", "Z", "é"]])
def test_lists_without_a_hit_stand_in_order_whoever_met_them_first(others: list[Any]) -> None:
    hit = "a" if isinstance(others[0], str) else 50
    ways = others, others[::-1], others[1:] + others[:1]
    for way in ways:
        partial = rg.PartialRanks([hit], [0.5], [1])
        for one in (*way, hit):  # one call each: none brings them into an order
            partial.add([one], [0.5])
        assert list(partial.finish("RR").queries) == [hit, *sorted(others)]
        halves = [rg.PartialRanks([hit], [0.5], [1]) for _ in range(2)]
        for at, one in enumerate((*way, hit)):
            halves[at % 2].add([one], [0.5])
        assert list(halves[0].merge(halves[1]).finish("RR").queries) == [hit, *sorted(others)]
