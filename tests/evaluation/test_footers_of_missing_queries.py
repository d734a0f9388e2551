"""Footers say what queries without results count, and which of them are undefined as well."""

import re
from typing import Any

import pytest

import rankgain as rg

# No document of q3 and q4 is relevant, and q2 and q4 have no results.
QRELS = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"a": 0}}
RUN = {"q1": {"a": 1.0}, "q3": {"a": 1.0}}


def counted(*measures: Any, qrels: Any = QRELS, run: Any = RUN, **options: Any) -> str:
    """What the footer has in its first brackets."""
    text = rg.evaluate(qrels, run, list(measures), **options).footer()
    match = re.fullmatch(r"\d queries \((.*?)\)(; skipped .*)? \(convention trec\)", text)
    assert match is not None
    return match[1]


def test_queries_that_are_also_undefined_are_named_as_such() -> None:
    missing = "2 without results, counted as 0; "
    assert counted("AP") == f"{missing}2 undefined, 1 of them without results, counted as 0"
    defined = {"q1": {"a": 1}, "q3": {"a": 1}}
    text = counted("AP", qrels=QRELS | defined)
    assert text == f"{missing}1 undefined, also without results, counted as 0"
    without_q4 = {query: labels for query, labels in QRELS.items() if query != "q4"}
    text = counted("AP", qrels=without_q4)
    assert text == "1 without results, counted as 0; 1 undefined, counted as 0"


def test_measures_with_another_overlap_have_a_part_of_their_own() -> None:
    # CG is defined everywhere, AUC needs documents of both classes in the list.
    text = counted("AP", "CG", "AUC")
    assert text == (
        "2 without results, counted as 0 if defined; "
        "2 undefined for AP, 1 of them without results, counted as 0; "
        "4 undefined for AUC, 2 of them without results, skipped"
    )


@pytest.mark.parametrize("empty", ["skip", 1.0])
def test_undefined_queries_with_another_value_do_not_count_as_0(empty: Any) -> None:
    effect = {"skip": "skipped", 1.0: "counted as 1"}[empty]
    assert counted("AP", empty=empty) == (
        f"2 without results, counted as 0 if defined; 2 undefined, 1 of them without results, "
        f"{effect}"
    )


def test_measures_that_count_another_value_are_excepted() -> None:
    full = rg.measure("of empty lists", lambda ranking: float(ranking.n == 0))
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    assert counted("AP", full, qrels=qrels) == (
        "1 without results, counted as 0 except for of empty lists"
    )
    assert counted("AP", "RBPResidual", "NumRel", qrels=qrels) == (
        "1 without results, counted as 0 except for RBPResidual, NumRel"
    )
    assert counted(full, qrels=qrels) == "1 without results"
    # trec_eval's floor of a geometric mean is that of the value 0.
    assert counted("GMAP", "AP", qrels=qrels) == "1 without results, counted as 0"


def test_queries_without_results_that_are_all_undefined_have_no_value_to_name() -> None:
    qrels = {"q1": {"a": 1}, "q4": {"a": 0}}
    assert counted("AP", qrels=qrels) == (
        "1 without results; 1 undefined, also without results, counted as 0"
    )


def test_selections_merges_and_stored_evaluations_have_the_same_footer(tmp_path: Any) -> None:
    result = rg.evaluate(QRELS, RUN, ["AP", "RBPResidual"])
    assert "except for RBPResidual" in result.footer()
    assert "1 of them without results" in result.footer()
    path = tmp_path / "result.json"
    result.to_json(path)
    assert rg.Evaluation.read(path).footer() == result.footer()
    parts = result.by({"q1": "x", "q2": "x", "q3": "y", "q4": "y"})
    assert "1 without results, counted as 0 except for RBPResidual" in parts["x"].footer()
    assert "2 undefined for AP, 1 of them without results" in parts["y"].footer()
    assert rg.Evaluation.merge(parts.values()).footer() == result.footer()


def test_measures_that_leave_such_queries_out_are_not_excepted() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    footer = rg.evaluate(qrels, RUN, ["nDCG@3", "AP", "RR@3"], convention="beir").footer()
    assert footer.startswith("2 queries (1 without results, counted as 0)")


def test_recommended_ids_count_users_alike() -> None:
    retrieved = {"u": ["a"], "v": ["b"], "y": []}
    relevant = {"u": ["a"], "v": ["a"], "x": []}
    result = rg.evaluate_ids(retrieved, relevant, "R@1")
    assert result.footer().startswith(
        "3 queries (1 without results; 1 undefined, also without results, counted as 0); skipped "
        "1 query without judgments"
    )
    both = rg.evaluate_ids(retrieved, {**relevant, "x": ["a"]}, ["R@1", "Coverage@1"], catalogue=5)
    assert both.footer().startswith("3 queries (1 without results, counted as 0); skipped")
