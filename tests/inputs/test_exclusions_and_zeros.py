"""Exclusions, empty lists and zeros where one place alone could go wrong."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.inputs.grouping import group_rows


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


@pytest.mark.parametrize("many", [1, 3, 20])
def test_ties_are_looked_for_among_what_is_left_of_each_list(many: int) -> None:
    """Each list has its own exclusions; without ids, what ties by them is refused."""
    labels = np.tile([[1, 0, 1]], (2 * many, 1))
    scores = np.tile([[1.0, 2, 3], [1, 1, 5]], (many, 1))
    for place in (0, 1, 2):  # of what is left out of each second list
        out = np.ones(2 * many), np.tile([0, place], many), np.arange(2 * many + 1)
        if place == 2:
            with pytest.raises(ValueError, match="list 1"):
                rg.evaluate_arrays(labels, scores, "AP", exclude=out, ties="id")
        else:
            assert rg.evaluate_arrays(labels, scores, "AP", exclude=out, ties="id")
    out = np.ones(2 * many), np.tile([1, 2], many), np.arange(2 * many + 1)
    assert rg.evaluate_arrays(labels, scores[::-1], "AP", exclude=out, ties="id")


NOTHING: list[Any] = [[], (), np.zeros(0), np.zeros(0, np.float32), np.zeros(0, bool)]


@pytest.mark.parametrize("empty", NOTHING, ids=repr)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_an_empty_list_has_no_type(empty: Any, at: int) -> None:
    """So it neither makes integers doubles, nor is it what an error speaks of."""
    wide = 2**53 + 1
    rows: list[Any] = [np.array([1, 0]), np.array([wide])]
    rows.insert(at, empty)
    assert rg.evaluate_ids(rows, [[1], [wide], [5]] if at == 2 else [[1], [5], [wide]], "RR")
    scores: list[Any] = [[1.0, 2.0], [1.0]]
    scores.insert(at, [])
    with pytest.raises(
        ValueError, match=rf"y_true: list {1 + (at < 2)}, document 0 is an integer beyond"
    ):
        rg.evaluate_arrays(rows, scores, "nDCG")
    with pytest.raises(ValueError, match=rf"y_true \(list {1 + (at < 2)}\) has integers beyond"):
        rg.evaluate_arrays([*rows, [0.5]], [*scores, [1.0]], "nDCG")


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", ">f8", "O"])
@pytest.mark.parametrize("rows", [[0.0, -0.0], [-0.0, 0.0], [-0.0, 1.0, 0.0, -1.0]])
def test_zeros_of_both_signs_are_one_key(dtype: str, rows: list[float]) -> None:
    codes = group_rows(np.array(rows, dtype)).codes.tolist()
    assert codes == [[*dict.fromkeys(rows)].index(one) for one in rows]
    result = rg.evaluate_arrays(
        [1] * len(rows), list(range(len(rows))), "RR", qid=np.array(rows, "f8")
    )
    assert len(result) == len(set(rows))


def test_a_sparse_label_without_a_gain_names_the_argument() -> None:
    sparse = pytest.importorskip("scipy.sparse").csr_matrix([[0, 5], [1, 0]])
    with pytest.raises(ValueError, match=r"gain has no entry for label 5; add one \(y_true\)"):
        rg.evaluate_arrays(sparse, [[0.1, 0.2], [0.3, 0.1]], "nDCG", gain={0: 0, 1: 1})


def test_long_doubles_of_lists_that_are_not_adjacent() -> None:
    scores = np.array([0.1, 0.2, 0.3, 0.4], np.longdouble)
    result = rg.evaluate_arrays([1, 0, 0, 1], scores, "RR", qid=[0, 1, 0, 1])
    assert result.per_query["RR"].tolist() == [0.5, 1.0]


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
