"""Undefined lists: what they count, and what means and the report of ties make of them."""

import json
import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg

USERS = [[0, 0], [1, 0], [0, 0]]

DOWN = [[2.0, 1.0]] * 3


def test_counts_say_what_became_of_undefined_lists(tmp_path: Any) -> None:
    result = rg.evaluate_arrays(USERS, DOWN, ["AP", "AUC", "CG@1", "P(empty=nan)@1"])
    counts = {
        "queries": 3,
        "undefined": {"AP": 2, "AUC": 2, "P(empty=nan)@1": 2},
        "undefined_as": {"AP": 0.0, "AUC": "skip", "P(empty=nan)@1": "nan"},
    }
    assert result.counts == counts
    assert pickle.loads(pickle.dumps(result)).counts == counts
    result.to_json(tmp_path / "found.json")
    assert rg.Evaluation.read(tmp_path / "found.json").counts == counts
    assert rg.evaluate_arrays(USERS[1], DOWN[1], "AP").counts == {"queries": 1}


def test_undefined_lists_of_runs_and_recommendations() -> None:
    qrels = {"q1": {"a": 0, "b": 0}, "q2": {"a": 1}, "q3": {"b": 1}}
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0, "c": 2.0}}
    footer = "3 queries (1 without results, counted as 0; 1 undefined, counted as 0)"
    assert rg.evaluate(qrels, run, ["AP", "RR"]).footer() == f"{footer} (convention trec)"
    # Measures that read a run differently are evaluated apart.
    result = rg.evaluate(qrels, run, ["AP(ties=id)", "AUC", "AP"])
    assert result.counts["undefined"] == {"AP(ties=id)": 1, "AUC": 2, "AP": 1}
    assert list(result.counts["undefined"]) == ["AP(ties=id)", "AUC", "AP"]
    result = rg.evaluate_ids([[1, 2], [3, 4]], [[2], []], "R@2", convention="lightgbm")
    assert result.footer() == "2 queries (1 undefined, counted as 1) (convention lightgbm)"


def test_undefined_lists_stay_out_in_the_order_of_ids() -> None:
    rules = rg.conventions["trec"].replace(empty="skip")
    qrels, run = {"b": {"x": 0}, "a": {"x": 1}}, {"b": {"x": 1.0}, "a": {"z": 2.0, "x": 1.0}}
    result = rg.evaluate(qrels, run, "RR", convention=rules)
    assert result["RR"] == 0.5
    assert result.counts["undefined"] == {"RR": 1}


def test_sums_beyond_doubles_have_a_mean() -> None:
    values, weights = np.full(4, 1e308), np.full(4, 4e307)
    result = rg.Evaluation({"DCG": 1e308}, {"DCG": values}, list("abcd"), weights=weights)
    parts = result.by(["x", "x", "y", "y"])
    assert rg.Evaluation.merge(parts.values())["DCG"] == 1e308
    assert parts["x"]["DCG"] == 1e308


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
    rules = rg.conventions["rankgain"].replace(score_dtype="float32" if narrow else None)
    options: Any = {"exclude": exclude, "bounds": "ties", "convention": rules}
    result = rg.evaluate_arrays([[1, 0, 0], [1, 0, 0]], scores, "RR", **options)
    report = result.tie_report()
    assert (report.documents, report.tied_documents) == (4, 0)
    assert (report.tied_lists, report.tie_blocks, report.queries) == (0, 0, 2)
    whole = rg.evaluate_arrays([[1, 0, 0], [1, 0, 0]], scores, "RR", bounds="ties").tie_report()
    assert (whole.documents, whole.tied_documents, whole.tied_lists) == (6, 4, 2)


def test_a_part_without_undefined_lists_has_marks_when_it_is_merged():
    some = rg.evaluate_arrays([[0, 1], [0, 0]], [[0.5, 0.2]] * 2, "AP")
    none = rg.evaluate_arrays([[0, 1]], [[0.5, 0.2]], "AP")
    for parts, marks in (([some, none], [0, 1, 0]), ([none, some], [0, 0, 1])):
        assert rg.Evaluation.merge(parts).marked["AP"].tolist() == list(map(bool, marks))


def test_what_a_file_does_not_mark_is_not_counted(tmp_path):
    result = rg.evaluate_arrays([[0, 1], [0, 0]], [[0.5, 0.2]] * 2, ["AP", "AUC"])
    data = json.loads(result.to_json())
    marked = data.pop("marked")
    path = tmp_path / "unmarked.json"
    path.write_text(json.dumps(data))
    unmarked = rg.Evaluation.read(path)
    assert dict(unmarked.marked) == {}
    assert "undefined" not in unmarked.by(["u", "v"])["v"].counts
    other = rg.evaluate_arrays([[0, 0]], [[0.5, 0.2]], ["AP", "AUC"], qid=None)
    assert rg.Evaluation.merge([unmarked, other]).counts["undefined"] == {"AP": 2, "AUC": 2}
    assert "AP" not in rg.Evaluation.merge([unmarked, other]).marked
    assert marked == {"AP": [1], "AUC": [1]}


@pytest.mark.parametrize("wrong", ["x", -3, [1], 1.5, None, True, 0])
def test_a_stored_cutoff_is_checked(wrong, tmp_path):
    data = json.loads(rg.evaluate_arrays([0, 1], [0.5, 0.2], "AP").to_json())
    for value, fits in ((wrong, False), (3, True)):
        (tmp_path / "one.json").write_text(json.dumps({**data, "settings": {"k": value}}))
        if fits:
            assert rg.Evaluation.read(tmp_path / "one.json").settings == {"k": 3}
        else:
            with pytest.raises(ValueError, match=r"settings: k must be (an int of )?at least 1"):
                rg.Evaluation.read(tmp_path / "one.json")


def test_zeros_of_both_signs_are_one_segment():
    result = rg.evaluate_arrays([[0, 1], [1, 0]], [[0.5, 0.2]] * 2, "RR", qid=None)
    for labels in ([0.0, -0.0], np.array([-0.0, 0.0]), np.array([-0.0, 0.0], np.float32)):
        assert result.by(labels)["0.0"].means == {"RR": 0.75}
    assert list(result.by([0, 1])) == ["0", "1"]
