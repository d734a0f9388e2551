"""Which judgments narrow the bounds of a difference most: beside the bounds themselves."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg

QRELS = {
    "q1": {"a": 2, "b": 0, "c": 1},
    "q2": {"d": 1, "e": 0},
    "q3": {"f": 0},
}
RUNS = {
    "x": {"q1": {"u": 5, "a": 4, "v": 3, "b": 2}, "q2": {"w": 2, "d": 1}, "q3": {"y": 1}},
    "y": {"q1": {"a": 5, "v": 4, "z": 3, "c": 2}, "q2": {"d": 2, "w": 1}},
}


def width(qrels, measure):
    """Of the bounds of the difference, each unjudged document at its best for one of the runs."""
    result = rg.evaluate_runs(qrels, RUNS, measure)
    unjudged = {
        (query, document)
        for run in RUNS.values()
        for query, scores in run.items()
        for document in scores
        if document not in qrels[query]
    }
    total = 0.0
    for query, document in unjudged:
        more = {**qrels, query: {**qrels[query], document: 2}}
        there = rg.evaluate_runs(more, RUNS, measure)
        total += abs(np.subtract(*(there[run][measure] - result[run][measure] for run in "xy")))
    return total


@pytest.mark.parametrize("measure", ["DCG@3", "RBP", "P@2"])
def test_each_narrows_the_bounds_most(measure):
    requested = rg.judge_next(QRELS, RUNS, measure, 20)
    widths = []
    for query, document in requested:
        judged = {**QRELS, query: {**QRELS[query], document: 0}}
        widths.append(width(judged, measure))
    assert widths == pytest.approx(sorted(widths))
    assert all(one < width(QRELS, measure) for one in widths)
    assert len(set(requested)) == len(requested)
    assert rg.judge_next(QRELS, RUNS, measure, 2) == requested[:2]


def test_what_both_retrieve_alike_tells_nothing():
    runs = {name: {"q2": {"w": 2.0, "d": 1.0}} for name in "xy"}
    assert rg.judge_next(QRELS, runs, "P@2", 5) == []
    assert rg.judge_next(QRELS, runs["x"], "P@2", 5) == [("q2", "w")]
    assert rg.judge_next(QRELS, {"x": runs["x"]}, "nDCG@2", 5) == [("q2", "w")]


def test_sources_and_ties_at_the_cutoff(tmp_path):
    tied = {"q2": {"g": 1.0, "h": 1.0, "i": 0.5}}
    assert rg.judge_next(QRELS, tied, "P@1", 5) == [("q2", "h")]  # ids descend among equal scores
    path = tmp_path / "run"
    path.write_text("q2 Q0 h 1 1.0 t\nq2 Q0 g 2 1.0 t\n")
    for run in (path, str(path), rg.Run(tied)):
        assert rg.judge_next(rg.Qrels(QRELS), {"x": run}, "P@1", 5) == [("q2", "h")]


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
