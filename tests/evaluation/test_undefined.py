"""Where each measure is undefined, and that it is defined elsewhere."""

import pickle
from typing import Any

import pytest

import rankgain as rg

# ---- what is said of them

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
    with pytest.raises(TypeError):
        result.counts["undefined"]["AP"] = 0  # type: ignore[index]
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
