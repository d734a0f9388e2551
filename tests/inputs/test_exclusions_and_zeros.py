"""Exclusions, empty lists and zeros where one place alone could go wrong."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg


@pytest.mark.parametrize(
    "exclude", [["a", 1], [1, "a"], [1], [2.5], [b"a"], [("a",)], ["a", None], {"a", 1}]
)
def test_what_is_left_out_is_of_the_kind_of_the_ids(exclude: Any) -> None:
    for retrieved, relevant, out in (
        ([["a", "b"]], [["b"]], [exclude]),
        ([["c"], ["a", "b"]], [["c"], ["b"]], [[], exclude]),
        ({"q": ["a", "b"]}, {"q": ["b"]}, {"q": exclude}),
    ):
        for door in (rg.evaluate_ids, rg.evaluate_ids):
            with pytest.raises((TypeError, ValueError), match="exclude"):
                door(retrieved, relevant, "RR", exclude=out)


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


def test_a_sparse_label_without_a_gain_names_the_argument() -> None:
    sparse = pytest.importorskip("scipy.sparse").csr_matrix([[0, 5], [1, 0]])
    with pytest.raises(ValueError, match=r"gain has no entry for label 5; add one \(y_true\)"):
        rg.evaluate_arrays(sparse, [[0.1, 0.2], [0.3, 0.1]], "nDCG", gain={0: 0, 1: 1})


def test_cutoffs_that_are_no_sequence() -> None:
    class Cutoffs:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([1, 2])

    with pytest.raises(TypeError, match="k must be an int, None or a sequence of them"):
        rg.ndcg([[1, 0]], [[0.1, 0.2]], k=Cutoffs())


@pytest.mark.parametrize("judged", [[], np.zeros(0), [[]][:0], np.zeros((0, 4))])
def test_no_lists_have_no_judged_labels(judged: Any) -> None:
    result = rg.evaluate_arrays([], [], ["AP", "nDCG"], group=[], judged=judged)
    assert len(result) == 0
    assert rg.ndcg([], [], group=[], judged=judged).tolist() == []
    assert rg.ndcg(np.zeros((0, 3)), np.zeros((0, 3)), judged=judged).tolist() == []
    with pytest.raises(ValueError, match="judged"):
        rg.ndcg([1, 0], [1, 2], group=[1, 1], judged=judged)
