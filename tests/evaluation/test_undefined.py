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


@pytest.mark.parametrize("name", metrics.__all__)
def test_misses_are_not_undefined(name: str) -> None:
    given = {} if name in ("auc", "r_precision") else {"k": 1}
    value = getattr(rg, name)([0, 2], [0.2, 0.1], empty=7.0, **given)
    assert value == (2.0 if name == "idcg" else 0.0)


@pytest.mark.parametrize("name", NEVER)
def test_sums_are_never_undefined(name: str) -> None:
    assert getattr(rg, name)([0, 0], [0.2, 0.1], empty="raise") == 0.0


@pytest.mark.parametrize("empty", [0.25, "skip"])
def test_a_ratio_of_nothing_to_nothing_is_undefined(empty: Any) -> None:
    """Neither infinite nor cut at 1."""
    result = rg.evaluate_arrays([[1, 0, 0]], [[3.0, 2.0, 1.0]], ["RnDCG"], gain={1: 0}, empty=empty)
    value = result.per_query["RnDCG"][0]
    assert value == empty if empty != "skip" else math.isnan(value)


# ---- what is said of them

USERS = [[0, 0], [1, 0], [0, 0]]
DOWN = [[2.0, 1.0]] * 3
FOOTERS: list[tuple[Any, dict[str, Any], str]] = [
    ("nDCG@2", {"empty": "skip"}, "3 queries (2 undefined, skipped)"),
    (["nDCG@2", "AP"], {}, "3 queries (2 undefined, counted as 0)"),
    (["nDCG@2", "AP"], {"empty": 0.5}, "3 queries (2 undefined, counted as 0.5)"),
    ("AP", {"empty": math.nan}, "3 queries (2 undefined, counted as nan)"),
    ("AUC", {}, "3 queries (2 undefined, skipped)"),
    ("CG@2", {}, "3 queries"),
    (
        ["AP", "AUC", "CG@1", "RR"],
        {},
        "3 queries (2 undefined for AP, RR, counted as 0; 2 undefined for AUC, skipped)",
    ),
    (["P@1", "CG@1"], {}, "3 queries (2 undefined for P@1, counted as 0)"),
    (
        [*(f"P@{k}" for k in range(1, 8)), "CG@1"],
        {},
        "3 queries (2 undefined for P@1, P@2, P@3 and 4 more, counted as 0)",
    ),
]


@pytest.mark.parametrize(("names", "given", "footer"), FOOTERS)
def test_the_footer_says_how_many_lists_are_undefined(names: Any, given: Any, footer: str) -> None:
    result = rg.evaluate_arrays(USERS, DOWN, names, **given)
    assert str(result).splitlines()[-1] == f"{footer} (convention rankgain)"
    assert rg.Evaluations({"a": result}).__str__().splitlines()[-1].startswith(footer)


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
