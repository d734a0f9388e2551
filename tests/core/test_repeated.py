"""Lists whose hits stand at the same ranks: their values are copied, as if each stood alone."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.measures.families import ROWS

sp = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

LISTS = 1000
FEW = 100  # too few lists for anything to be copied
JUDGED = {"Bpref", "GMBpref", "infAP", "Judged", "Unjudged", "RBPResidual", "NumNonrelJudgedRet"}
CHANCES = {"PFound"}  # labels up to 1
CUTS = {
    "optional": ("", "@3", "@50"),
    "recall": ("@0.5",),
    "required": ("@3",),
    "multiple": ("_0.60",),
}
NAMES = [
    family.name + ("(max_rel=3)" if "max_rel" in family.params else "") + cut
    for family in ROWS
    # What was judged 0 is not known here, and there are no subtopics.
    if family.name not in JUDGED | CHANCES and family.row.reads == "labels"
    for cut in CUTS.get(family.cutoff, ("",))
]


def lists(seed: int, width: int, labels: str) -> tuple[Any, Any]:
    """Few hits of few ranks beside a few others, so that most lists are like one before."""
    rng = np.random.default_rng(seed)
    rows = np.tile(np.arange(width), (LISTS, 1))
    rows[np.arange(width) >= rng.choice([3, width - 1, width], LISTS)[:, None]] = -1
    hits = rng.random((LISTS, width)) < 0.3
    hits[:, 5 : min(width - 1, 32)] &= rng.random((LISTS, 1)) < 0.02
    sizes = hits.sum(axis=1)
    missed = np.where(sizes < 3, rng.integers(0, 4, LISTS), 0)
    result, ids = np.nonzero(hits)
    order = np.argsort(np.append(result, np.repeat(np.arange(LISTS), missed)), kind="stable")
    ids = np.append(ids, width + np.concatenate([np.arange(n) for n in missed]))[order]
    pointer = np.append(0, np.cumsum(sizes + missed))
    data = {
        "ones": np.ones(len(ids)),
        "a level for each list": np.repeat(rng.integers(1, 3, LISTS), sizes + missed),
        "any": rng.integers(1, 4, len(ids)),
    }[labels]
    return rows, (data.astype(np.float64), ids.astype(np.int32), pointer)


def part(truth: Any, low: int, high: int) -> Any:
    data, ids, pointer = truth
    mine = slice(pointer[low], pointer[high])
    return data[mine], ids[mine], pointer[low : high + 1] - pointer[low]


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
@pytest.mark.parametrize("labels", ["ones", "a level for each list", "any"])
@pytest.mark.parametrize("width", [6, 32, 36])
@pytest.mark.parametrize("requested", [["nDCG@3", "RR@3"], ["P", "DCG"], ["P@2", "RPrec"], NAMES])
def test_values_are_those_of_each_list_alone(width: int, labels: str, requested: list[str]) -> None:
    rows, truth = lists(len(requested), width, labels)
    whole = rg.evaluate_ids(rows, truth, requested, empty=np.nan)
    for low in range(0, LISTS, FEW):
        alone = rg.evaluate_ids(
            rows[low : low + FEW], part(truth, low, low + FEW), requested, empty=np.nan
        )
        for name, values in alone.per_query.items():
            np.testing.assert_array_equal(whole.per_query[name][low : low + FEW], values)


def test_a_fault_among_lists_like_others_is_found() -> None:
    rows, (data, ids, pointer) = lists(1, 6, "a level for each list")
    data[pointer[700] : pointer[701]] = 60.0
    with pytest.raises(ValueError, match="list 700"):
        rg.evaluate_ids(rows, (data, ids, pointer), "ERR", max_label=4)


@pytest.mark.parametrize("labels", ["ones", "a level for each list"])
def test_labels_of_hits_that_were_judged_otherwise_are_their_own(labels: str) -> None:
    """Where ideals are given, hits of one rank may have other labels than these."""
    rows, (data, ids, pointer) = lists(2, 6, labels)
    judged = [[2.0] * (1 + size) for size in np.diff(pointer)]
    for few in range(0, LISTS, 3):
        judged[few] = [1.0] * len(judged[few])
        if few % 2:
            judged[few].append(0.5)
    shape = LISTS, 9
    truth = rg.Truth(sp.csr_matrix((data, ids, pointer), shape), judged=judged)
    whole = rg.evaluate_ids(rows, truth, "nDCG@3").per_query["nDCG@3"]
    for low in range(0, LISTS, FEW):
        few = sp.csr_matrix(part((data, ids, pointer), low, low + FEW), (FEW, 9))
        mine = rg.Truth(few, judged=judged[low : low + FEW])
        alone = rg.evaluate_ids(rows[low : low + FEW], mine, "nDCG@3").per_query["nDCG@3"]
        np.testing.assert_array_equal(whole[low : low + FEW], alone)
