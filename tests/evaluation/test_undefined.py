"""Where each measure is undefined, and that it is defined elsewhere."""

import math
import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.measures import functions as metrics

NEVER = ("cg", "dcg", "idcg")
# Labels that leave a measure undefined, with its arguments.
UNDEFINED: dict[str, list[tuple[list[float], dict[str, Any]]]] = {
    "ndcg": [([0, 0], {}), ([1, 1], {"gain": "binary", "rel": 2})],
    "err": [([0, 0], {})],
    "auc": [([0, 0], {}), ([1, 1], {}), ([1, 1], {"rel": 2})],
}
R_IS_ZERO: list[tuple[list[float], dict[str, Any]]] = [([0, 0], {}), ([1, 1], {"rel": 2})]


@pytest.mark.parametrize("name", [name for name in metrics.__all__ if name not in NEVER])
def test_undefined_is_empty(name: str) -> None:
    function = getattr(rg, name)
    for labels, given in UNDEFINED.get(name, R_IS_ZERO):
        result = function(labels, [0.2, 0.1], empty=math.nan, **given)
        assert math.isnan(result), (labels, given)
        assert function(labels, [0.2, 0.1], empty=7.0, **given) == 7.0
        with pytest.raises(ValueError, match="undefined"):
            function(labels, [0.2, 0.1], empty="raise", **given)


@pytest.mark.parametrize("undefined", [0, 1, 650, 1299])
@pytest.mark.parametrize("threads", [1, 2])
def test_one_undefined_list_among_many_is_found(undefined: int, threads: int) -> None:
    """Fortran order is copied chunk by chunk; sums, which are never undefined, come first."""
    labels = np.ones((1300, 300), order="F")
    labels[undefined] = 0
    scores = np.asfortranarray(np.arange(labels.size, dtype=float).reshape(labels.shape))
    measures = ("DCG@2", "AP(ties=stable)", "RR(ties=stable)@3")
    result = rg.evaluate_arrays(labels, scores, measures, empty=7.0, threads=threads)
    for name in result.means:
        filled = result.per_query[name] == 7.0
        assert filled.tolist() == [i == undefined and name != "DCG@2" for i in range(1300)], name
        assert result.means[name] == pytest.approx(result.per_query[name].mean()), name
    several = rg.ndcg(labels, scores, k=[1, 5], empty=7.0, threads=threads)
    assert np.argwhere(several == 7.0).tolist() == [[undefined, 0], [undefined, 1]]


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
