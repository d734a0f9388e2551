"""The report of ties: how many lists move, and how far, where some are undefined or left out."""

import numpy as np
import pytest

import rankgain as rg

LABELS = [[1, 0, 0], [0, 0, 0], [1, 0, 1]]
SCORES = [[1.0, 1.0, 0.5], [2.0, 2.0, 2.0], [3.0, 2.0, 1.0]]


@pytest.mark.parametrize("empty", ["skip", float("nan"), 0.0, 0.5])
def test_undefined_lists_are_no_widest(empty: float) -> None:
    for order in ([0, 1, 2], [1, 0, 2], [2, 1, 0], [1]):
        labels, scores = [LABELS[i] for i in order], [SCORES[i] for i in order]
        result = rg.evaluate_arrays(labels, scores, ["RR", "P@1"], bounds="ties", empty=empty)
        moves = {one.measure: one for one in result.tie_report().moves}
        there = 0 in order
        assert (moves["RR"].most, moves["RR"].lists) == ((0.5, 1) if there else (0.0, 0))
        assert (moves["P@1"].most, moves["P@1"].lists) == ((1.0, 1) if there else (0.0, 0))
        assert "nan" not in str(result.tie_report()).splitlines()[1]


@pytest.mark.parametrize("narrow", [False, True])
def test_excluded_documents_are_no_documents(narrow: bool) -> None:
    exclude = np.array([1, 1]), np.array([0, 2]), np.array([0, 1, 2])
    scores = np.array([[1.0, 1.0, 0.5], [2.0, 1.0, 2.0]])
    result = rg.evaluate_arrays(
        [[1, 0, 0], [1, 0, 0]],
        scores,
        "RR",
        exclude=exclude,
        bounds="ties",
        convention=rg.conventions["rankgain"].replace(score_dtype="float32" if narrow else None),
    )
    report = result.tie_report()
    assert (report.documents, report.tied_documents) == (4, 0)
    assert (report.tied_lists, report.tie_blocks, report.queries) == (0, 0, 2)
    whole = rg.evaluate_arrays([[1, 0, 0], [1, 0, 0]], scores, "RR", bounds="ties").tie_report()
    assert (whole.documents, whole.tied_documents, whole.tied_lists) == (6, 4, 2)
