"""Which judgments narrow the bounds of a difference most: beside the bounds themselves."""

from typing import Any

import pytest

import rankgain as rg

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1, "e": 0}, "q3": {"f": 0}}
RUNS = {
    "x": {"q1": {"u": 5, "a": 4, "v": 3, "b": 2}, "q2": {"w": 2, "d": 1}, "q3": {"y": 1}},
    "y": {"q1": {"a": 5, "v": 4, "z": 3, "c": 2}, "q2": {"d": 2, "w": 1}},
}


def test_what_both_retrieve_alike_tells_nothing():
    runs = {name: {"q2": {"w": 2.0, "d": 1.0}} for name in "xy"}
    assert rg.judge_next(QRELS, runs, "P@2", 5) == []
    assert rg.judge_next(QRELS, runs["x"], "P@2", 5) == [("q2", "w")]
    assert rg.judge_next(QRELS, {"x": runs["x"]}, "nDCG@2", 5) == [("q2", "w")]


def test_what_is_refused():
    with pytest.raises(ValueError, match="n must be a whole number of at least 1, not 0"):
        rg.judge_next(QRELS, RUNS, "P@5", 0)
    with pytest.raises(ValueError, match="measure must name one measure, not 2"):
        rg.judge_next(QRELS, RUNS, "ndcg_cut.5,10", 1)
    alone = next(iter(RUNS.values()))
    assert rg.judge_next(QRELS, rg.Run(alone), "P@5", 9) == rg.judge_next(QRELS, alone, "P@5", 9)
    for nothing in ({}, rg.Run({})):
        assert rg.judge_next(QRELS, nothing, "P@5", 1) == []
    with pytest.raises(ValueError, match="ignores unjudged documents"):
        rg.judge_next(QRELS, RUNS, "Bpref", 1)


@pytest.mark.parametrize("measure", ["P@1", "nDCG@2"])
def test_runs_of_judge_next_may_be_lists(measure: str) -> None:
    qrels = {"q": {"a": 1}, "r": {"x": 1}}
    lists: Any = {"one": {"q": ["b", "a"], "r": ["y", "x"]}, "two": {"q": ("a", "c"), "r": ["x"]}}
    scores = {
        name: {q: {d: -at for at, d in enumerate(ids)} for q, ids in run.items()}
        for name, run in lists.items()
    }
    expected = rg.judge_next(qrels, scores, measure, 4)
    assert expected
    assert rg.judge_next(qrels, lists, measure, 4) == expected
    for name in lists:  # one run
        alone = rg.judge_next(qrels, scores[name], measure, 4)
        assert rg.judge_next(qrels, lists[name], measure, 4) == alone
        assert rg.judge_next(qrels, {"run": lists[name]}, measure, 4) == alone
