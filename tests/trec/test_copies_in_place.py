"""Of the copies of a document that a run keeps in place, that at the best rank counts."""

from __future__ import annotations

from typing import Any

import pytest

import rankgain as rg

Rows = list[tuple[str, float]]  # documents and scores, in the order of the source
ORDERED = ("stable", "reverse", "id", "id_descending")


def keep(rows: Rows, query: str = "q") -> rg.Run:
    """A run of one query that keeps its copies."""
    records = [{"query": query, "document": name, "score": score} for name, score in rows]
    return rg.Run(records, duplicates="in_place")


@pytest.mark.parametrize("rule", [*ORDERED, "average", "best", "worst", "random"])
@pytest.mark.parametrize("convention", ["pytrec_eval", "trec_eval-9"])
def test_copies_may_tie_only_as_float32(rule: str, convention: str) -> None:
    for first, second in ((1.0, 1.0 + 1e-12), (1.0 + 1e-12, 1.0)):
        run = keep([("a", first), ("a", second), ("b", 0.5)])
        options: Any = {"ties": rule, "convention": convention}
        assert rg.evaluate({"q": {"a": 1}}, run, "RR", **options)["RR"] == 1.0
        assert rg.evaluate({"q": {"b": 1}}, run, "RR", **options)["RR"] == 1 / 3


def test_a_copy_of_a_judged_document_is_judged() -> None:
    run = keep([("n", 3.0), ("n", 2.0), ("x", 1.5), ("r", 1.0), ("r", 0.5)])
    qrels = {"q": {"n": 0, "r": 1}}
    condensed = rg.evaluate(qrels, run, ["RR", "NumRet", "P@3"], judged_only=True)
    assert condensed.means == {"RR": 1 / 3, "NumRet": 4.0, "P@3": 1 / 3}
    assert rg.evaluate(qrels, run, "Judged@5")["Judged@5"] == 4 / 5
    assert rg.evaluate(qrels, run, "NumRelRet")["NumRelRet"] == 1.0
